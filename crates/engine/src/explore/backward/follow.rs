//! Partial paths are found and followed.
//!
//! A path that calls a function with partial paths follows each on a copy of itself: wherever it
//! has a choice, it takes the recorded case, if the solver finds an input for it; where it has
//! none, because the caller determines the value, the program decides. It has followed the
//! partial path when it reaches the target. A copy that does not is discarded: the path itself
//! continues as ever, so nothing is lost.

use std::rc::Rc;

use byway_base::Outcome;
use byway_search::{Delta, StateId};
use byway_solver::{Answer, QueryBudget};

use super::super::budget::QUANTUM;
use super::super::explorer::Explorer;
use super::super::follow::{take_witness_case, witness_case};
use super::super::reach::FINISHING_INSTRUCTIONS;
use super::partial_paths::{Added, PartialPath};
use super::{QUERY_EFFORT, entry_of, watch_entry};
use crate::interp::Step;
use crate::partial_trace::RecordedDecision;
use crate::path_info::ForkRequest;
use crate::state::{State, position_of};
use crate::watch::WatchId;

/// The instructions of a copy beyond twice those of the partial path: its values may need more
/// iterations.
const MORE_INSTRUCTIONS: u64 = 10_000;

impl Explorer<'_, '_, '_> {
    /// A path that begins in a function reaches a target: it is a partial path of that function.
    pub(in super::super) fn add_partial_path(&mut self, state: &mut State, target: u32) {
        let Some(trace) = &mut state.path.partial else { return };
        if !Rc::make_mut(trace).reach(target) {
            return;
        }
        let path = PartialPath {
            target,
            decisions: trace.decisions(),
            instructions: state.path.instructions,
        };
        let Some(paths) = &self.frontier.backward.partial_paths else { return };
        let added = paths.add(trace.origin(), path);
        self.results.totals.backward.kept += u64::from(added != Added::Known);
        if let Added::First(func) = added {
            let program = self.machine.program;
            watch_entry(program, func);
            let point = entry_of(program.module, func);
            point.into_iter().for_each(|point| self.frontier.metrics.targets.attract(point));
        }
    }

    /// A state is at a watched point. If a function with partial paths begins there, the state
    /// follows them.
    pub(in super::super) fn follow_at(
        &mut self,
        id: StateId,
        state: &State,
        watch: WatchId,
        delta: &mut Delta,
    ) {
        let program = self.machine.program;
        let (Some(paths), Some(point)) =
            (&self.frontier.backward.partial_paths, program.watches().point(watch))
        else {
            return;
        };
        if entry_of(program.module, point.func) != Some(point) {
            return;
        }
        // The path that starts in a function finds the function's own paths itself.
        if paths.is_of(state.path.origin(), point.func) && state.stack.len() <= 2 {
            return;
        }
        let known = paths.of(point.func);
        let is_full = !self.entered.add(point.func, state, known.len());
        // The same point may be a target, which must not be missed.
        let targets = &self.frontier.metrics.targets;
        if is_full
            && known.is_empty()
            && targets.watched_by(watch, program.watches()).next().is_none()
        {
            program.watches().set_active(watch, false);
        }
        self.follow_all(id, state, &known, delta);
        self.machine.evaluator.forget();
    }

    /// States that entered a function before follow its new partial paths.
    pub(in super::super) fn follow_from_entries(&mut self, delta: &mut Delta) {
        let Some(paths) = self.frontier.backward.partial_paths.clone() else { return };
        if !self.entered.has_new(&paths) {
            return;
        }
        for func in paths.functions() {
            for (state, untried) in self.entered.take_untried(func, &paths) {
                let id = self.frontier.fresh_id();
                self.follow_all(id, &state, &untried, delta);
            }
        }
    }

    /// Follows partial paths from copies of a state.
    fn follow_all(
        &mut self,
        id: StateId,
        state: &State,
        paths: &[Rc<PartialPath>],
        delta: &mut Delta,
    ) {
        for path in paths {
            if !self.frontier.metrics.targets.is_open(path.target) || self.budget.is_stopped() {
                continue;
            }
            let mut copy = Box::new(state.clone());
            let is_followed = self.follow_partial(&mut copy, path);
            let totals = &mut self.results.totals.backward;
            totals.followed += u64::from(is_followed);
            totals.refuted += u64::from(!is_followed);
            if !is_followed {
                self.machine.recycle(&mut copy);
            } else if copy.path.partial.is_some() {
                self.add_partial_path(&mut copy, path.target);
                self.machine.recycle(&mut copy);
            } else {
                copy.path.reach(path.target);
                self.finish_followed(id, copy, delta);
            }
        }
    }

    /// Follows a partial path to its target; returns whether the state got there.
    fn follow_partial(&mut self, state: &mut State, path: &PartialPath) -> bool {
        self.machine.evaluator.forget();
        let mut rest = path.decisions.as_slice();
        let calls = state.stack.len();
        let limit = path.instructions * 2 + MORE_INSTRUCTIONS;
        let mut left = limit;
        loop {
            self.allow_memory();
            let (step, took) = self.machine.run(state, left.min(QUANTUM));
            self.forget_reports();
            self.results.totals.instructions += took;
            left = left.saturating_sub(took);
            let continues = match step {
                Step::Watch(watch) if self.is_watch_of(watch, path.target) => return true,
                Step::Watch(_) => true,
                Step::Yield => state.stack.len() >= calls,
                Step::Fork(request) => self.take_recorded_case(state, &request, &mut rest),
                Step::End(_) | Step::NoRoom(_) => false,
            };
            self.check_limits();
            if !continues || left == 0 || self.budget.is_stopped() {
                return false;
            }
        }
    }

    fn is_watch_of(&self, watch: WatchId, target: u32) -> bool {
        let watches = self.machine.program.watches();
        self.frontier.metrics.targets.watched_by(watch, watches).any(|it| it == target)
    }

    /// Takes the next recorded case at this operation, or the case of the witness if none is
    /// recorded; returns whether there is an input for it.
    fn take_recorded_case(
        &mut self,
        state: &mut State,
        request: &ForkRequest,
        rest: &mut &[RecordedDecision],
    ) -> bool {
        let Some(top) = state.stack.last() else { return false };
        let position = position_of(top, top.pc.saturating_sub(1));
        let is_here =
            |it: &RecordedDecision| it.position == position && it.decision == request.decision;
        let recorded = rest.iter().position(is_here).and_then(|at| {
            let case = rest[at].case;
            *rest = &rest[at + 1..];
            request.cases.iter().position(|it| it.case == case)
        });
        let own = witness_case(&mut self.machine, state, request);
        let Some(index) = recorded.filter(|&index| own != Some(index)) else {
            return take_witness_case(&mut self.machine, state, request);
        };
        let condition = request.cases[index].condition;
        let query = QueryBudget { effort: Some(QUERY_EFFORT), ..self.budget.query() };
        let pool = &mut self.machine.pool;
        match self.feasibility.check(pool, &mut state.path, condition, query) {
            Answer::Sat(model) => {
                state.path.witness = model;
                self.machine.evaluator.forget();
                take_witness_case(&mut self.machine, state, request)
            }
            Answer::Unsat(_) | Answer::Unknown(_) => false,
        }
    }

    /// A path of the program has followed a partial path to a target: runs it to its end on its
    /// witness, for its test.
    fn finish_followed(&mut self, id: StateId, mut state: Box<State>, delta: &mut Delta) {
        let mut left = FINISHING_INSTRUCTIONS;
        let outcome = loop {
            let (step, took) = self.run_machine(id, &mut state, left, delta);
            left = left.saturating_sub(took);
            match step {
                Step::End(outcome) => break outcome,
                Step::Watch(watch) => _ = self.reach_watch(&mut state, watch),
                Step::Yield => self.tick(),
                Step::Fork(request) => {
                    if !take_witness_case(&mut self.machine, &mut state, &request) {
                        break Outcome::Excluded;
                    }
                }
                Step::NoRoom(_) => break Outcome::OutOfBudget,
            }
            self.check_limits();
            if left == 0 || self.budget.is_stopped() {
                break Outcome::OutOfBudget;
            }
        };
        // The path itself goes on, so the copy is worth a test only if that closes a target.
        if self.results.reached_targets(&state.path, &outcome).is_empty() {
            self.machine.recycle(&mut state);
        } else {
            delta.newly_tested += self.end(state, outcome);
        }
    }

    /// Forgets the messages and new coverage of a copy that may be discarded.
    fn forget_reports(&mut self) {
        self.machine.messages.clear();
        let coverage = &mut self.machine.coverage;
        for site in std::mem::take(&mut coverage.fresh) {
            coverage.forget(site);
        }
    }
}
