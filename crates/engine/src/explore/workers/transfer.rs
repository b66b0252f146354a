//! From a state to its trace, and from a trace to a state.
//!
//! Following an input reproduces a path where instructions are complete. An instruction that
//! is suspended with an answer may have excluded values already, so a state is moved only if
//! it is suspended at a branch or a switch, whose cases are the same for every input. It must
//! have forked there: where the solver found only one case feasible, a receiver may know that
//! without a query, since it adds what its input satisfies even if the path implies it.
//! (States return to the frontier where they forked or between instructions, never elsewhere.)

//!
//! A checkpoint keeps other states too. One whose case may depend on its input goes on with the
//! request open, unless its own input still takes the case: then what a state beside it explores
//! is explored again, and no path is lost.

use std::rc::Rc;

use byway_expr::Added;

use super::super::checkpoint::SavedTrace;
use super::super::follow::{
    ANY_INSTRUCTIONS, PathPosition, is_at_branch, take_witness_case, witness_case,
};
use super::super::results::inputs;
use super::trace::{Trace, TraceEnd};
use crate::interp::Machine;
use crate::path_info::ForkRequest;
use crate::state::State;

/// How another worker reaches a state; `None` if the state has to stay.
pub(super) fn trace_of(machine: &Machine, state: &State) -> Option<Trace> {
    let path = &state.path;
    if path.attempts > 0 || !path.seeds.is_empty() {
        return None;
    }
    let trace = trace_without_inputs(state, end_of(state))?;
    match trace.end {
        TraceEnd::Between => {}
        TraceEnd::Case { .. } if is_at_branch(machine.program, state) => {}
        _ => return None,
    }
    Some(Trace { inputs: inputs(&machine.pool, path), ..trace })
}

/// How another process reaches a state, without the inputs; `None` if it cannot.
pub(in super::super) fn saved_trace(machine: &Machine, state: &State) -> Option<SavedTrace> {
    let end = end_of(state);
    if end == TraceEnd::Between || is_at_branch(machine.program, state) {
        return trace_without_inputs(state, end).map(SavedTrace::new);
    }
    let end = match end {
        // The input takes another case, so nothing would show that this one is the same.
        TraceEnd::Case { pending: true, .. } => TraceEnd::Request,
        end => end,
    };
    // An instruction with several requests runs again after each answer, which counts; the state
    // goes on from the first.
    let trace = Trace { instructions: ANY_INSTRUCTIONS, ..trace_without_inputs(state, end)? };
    if trace.end == TraceEnd::Request {
        let depth = trace.depth.saturating_sub(u32::from(!state.path.answers.is_empty()));
        return Some(SavedTrace::new(Trace { depth, ..trace }));
    }
    // What the case means depends on the input, so the input is a part of the state's key.
    let inputs = inputs(&machine.pool, &state.path);
    Some(SavedTrace::new(Trace { inputs, ..trace }))
}

/// What a state waits for.
fn end_of(state: &State) -> TraceEnd {
    let path = &state.path;
    let pending = path.pending.is_some();
    match (path.suspended, path.answers.as_slice(), &path.case_group) {
        (false, ..) => TraceEnd::Between,
        (true, &[(_, case)], None) => TraceEnd::Case { case, pending },
        (true, [], Some(group)) => {
            TraceEnd::Group { cases: group.iter().map(|&case| case as u32).collect(), pending }
        }
        _ => TraceEnd::Request,
    }
}

fn trace_without_inputs(state: &State, end: TraceEnd) -> Option<Trace> {
    let path = &state.path;
    if path.unrepeatable || end == TraceEnd::Between && !path.is_decided() {
        return None;
    }
    let PathPosition { instructions, place, digest } = PathPosition::of(state);
    Some(Trace {
        instructions,
        place,
        digest,
        depth: path.depth,
        preferences_applied: path.preferences_applied,
        effort: path.effort,
        end,
        inputs: Vec::new(),
    })
}

/// Lets a state that requests a fork wait for what its trace says; returns whether it can.
pub(super) fn take_end(
    machine: &mut Machine,
    state: &mut State,
    request: &ForkRequest,
    end: &TraceEnd,
) -> bool {
    match end {
        TraceEnd::Between => false,
        TraceEnd::Request => true,
        &TraceEnd::Case { case, pending: true } => {
            let Some(taken) = request.cases.get(case as usize) else { return false };
            state.path.pending = Some(taken.condition);
            state.path.answers.push((request.key, case));
            true
        }
        &TraceEnd::Case { case, pending: false } => {
            match witness_case(machine, state, request) == Some(case as usize) {
                true => take_witness_case(machine, state, request),
                false => !is_at_branch(machine.program, state),
            }
        }
        TraceEnd::Group { cases, pending } => take_group(machine, state, request, cases, *pending),
    }
}

fn take_group(
    machine: &mut Machine,
    state: &mut State,
    request: &ForkRequest,
    cases: &[u32],
    is_pending: bool,
) -> bool {
    let (path, pool) = (&mut state.path, &mut machine.pool);
    let mut condition = pool.boolean(false);
    for &case in cases {
        let Some(case) = request.cases.get(case as usize) else { return false };
        condition = pool.or(condition, case.condition);
    }
    path.case_group = Some(Rc::new(cases.iter().map(|&case| case as usize).collect()));
    match is_pending {
        true => path.pending = Some(condition),
        false => return path.condition.add(pool, condition) != Added::False,
    }
    true
}
