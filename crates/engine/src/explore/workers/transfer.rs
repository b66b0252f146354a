//! From a state to its trace, and from a trace to a state.
//!
//! Following an input reproduces a path where instructions are complete. An instruction that
//! is suspended with an answer may have excluded values already, so a state is moved only if
//! it is suspended at a branch or a switch, whose cases are the same for every input. It must
//! have forked there: where the solver found only one case feasible, a receiver may know that
//! without a query, since it adds what its input satisfies even if the path implies it.
//! (States return to the frontier where they forked or between instructions, never elsewhere.)

use super::super::follow::{PathPosition, is_at_branch, take_witness_case, witness_case};
use super::super::results::inputs;
use super::trace::{Trace, TraceBranch};
use crate::interp::Machine;
use crate::path_info::ForkRequest;
use crate::state::State;

/// How another worker reaches a state; `None` if the state has to stay.
pub(super) fn trace_of(machine: &Machine, state: &State) -> Option<Trace> {
    let path = &state.path;
    if path.unrepeatable || path.attempts > 0 || !path.seeds.is_empty() {
        return None;
    }
    let branch = match (path.suspended, path.answers.as_slice()) {
        (false, []) if path.pending.is_none() => None,
        (true, &[(_, case)]) if is_at_branch(machine.program, state) => {
            Some(TraceBranch { case, pending: path.pending.is_some() })
        }
        _ => return None,
    };
    let PathPosition { instructions, place, digest } = PathPosition::of(state);
    Some(Trace {
        instructions,
        place,
        digest,
        depth: path.depth,
        preferences_applied: path.preferences_applied,
        effort: path.effort,
        branch,
        inputs: inputs(&machine.pool, path),
    })
}

/// Takes the case that a trace ends with; returns whether it can.
pub(super) fn take_branch(
    machine: &mut Machine,
    state: &mut State,
    request: &ForkRequest,
    branch: TraceBranch,
) -> bool {
    let index = branch.case as usize;
    if !branch.pending {
        return witness_case(machine, state, request) == Some(index)
            && take_witness_case(machine, state, request);
    }
    let Some(case) = request.cases.get(index) else { return false };
    state.path.pending = Some(case.condition);
    state.path.answers.push((request.key, branch.case));
    true
}
