//! From a state to its trace, and from a trace to a state again.
//!
//! Following an input leads to what it did before where instructions are through. One that
//! waits with an answer given could have excluded values already, so a state is moved only if
//! it waits with a branch or a switch, whose ways are the same for every input. It must have
//! forked there: where the solver found one way alone to be possible, a receiver may know that
//! without asking, since it adds what its input satisfies although the rest of the path
//! implies it. (States come back to the store where they forked or between instructions,
//! never elsewhere.)

use super::super::Explorer;
use super::super::ending::inputs;
use super::super::follow::{Followed, PathPosition, start_replay, waits_with_branch};
use super::trace::{Trace, TraceBranch};
use crate::path_info::ForkRequest;
use crate::seeds::PathSeeds;
use crate::state::State;

impl Explorer<'_, '_, '_> {
    /// How another worker comes to a state; `None` if it has to stay here.
    pub(super) fn trace_of(&self, state: &State) -> Option<Trace> {
        let path = &state.path;
        if path.unrepeatable || !path.seeds.is_empty() {
            return None;
        }
        let way = match (path.suspended, path.answers.as_slice()) {
            (false, []) if path.pending.is_none() => None,
            (true, &[(_, way)]) if waits_with_branch(self.machine.program, state) => {
                Some(TraceBranch { number: way, pending: path.pending.is_some() })
            }
            _ => return None,
        };
        let PathPosition { instructions, place, digest } = PathPosition::of(state);
        Some(Trace {
            instructions,
            place,
            digest,
            depth: path.depth,
            preferences_applied: u32::try_from(path.preferences_applied).ok()?,
            effort: path.effort,
            way,
            inputs: inputs(&self.machine.pool, path),
        })
    }

    /// Comes to the state of a trace; `None` if the trace does not lead where it should.
    pub(super) fn follow(&mut self, trace: &Trace) -> Option<Box<State>> {
        let warnings = self.machine.warnings.clone();
        let mut start = self.home.state.clone()?;
        start_replay(&mut start, &trace.inputs);
        self.machine.evaluator.forget();
        let arrived = self.go_along(&mut start, trace);
        // What the program says and lacks on the way was told by whoever went it first.
        self.machine.messages.clear();
        self.machine.warnings = warnings;
        let mut state = start;
        self.machine.evaluator.forget();
        let path = &mut state.path;
        path.seeds = PathSeeds::default();
        path.depth = trace.depth;
        path.effort = trace.effort;
        path.preferences_applied = trace.preferences_applied as usize;
        arrived.then_some(state)
    }

    /// Has the state in the machine go along the trace; tells whether it arrived.
    fn go_along(&mut self, state: &mut State, trace: &Trace) -> bool {
        let Trace { instructions, place, digest, .. } = *trace;
        let goal = PathPosition { instructions, place, digest };
        match (self.follow_to(state, goal, trace.way.is_some(), Explorer::count_taken), trace.way) {
            (Followed::There, None) => true,
            (Followed::Asks(request), Some(way)) => self.part(state, &request, way),
            _ => false,
        }
    }

    /// Stands before the branch that the trace ends with: goes its way.
    fn part(&mut self, state: &mut State, request: &ForkRequest, way: TraceBranch) -> bool {
        let number = way.number as usize;
        if !way.pending {
            return self.way_of_witness(state, request) == Some(number)
                && self.go_way_of_witness(state, request);
        }
        let Some(chosen) = request.cases.get(number) else { return false };
        let path = &mut state.path;
        path.pending = Some(chosen.condition);
        path.answers.push((request.key, way.number));
        true
    }
}
