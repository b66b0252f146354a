//! The live states, and what searchers and pruners see of them. [`Frontier`] owns the states, their ids and
//! their metrics.

use std::rc::Rc;

use byway_base::Work;
use byway_expr::Pool;
use byway_ir::FuncId;
use byway_search::markov::{ChainState, ProgramChain};
use byway_search::{Case, ConditionHash, Location, OriginId, Site, StateId, StateIds, View};
use rustc_hash::FxHashMap;

use super::backward::PartialPaths;
use super::control_flow::ControlFlow;
use super::metrics::{StateMetrics, next_pc, points};
use super::pruning::conditions_of;
use crate::path_info::PathInfo;
use crate::program::Program;
use crate::program_chain::innermost_state;
use crate::state::State;

/// The live states.
pub(super) struct Frontier<'p> {
    program: &'p Program<'p>,
    states: FxHashMap<StateId, Box<State>>,
    ids: StateIds,
    pending: u64,
    /// The work done so far, as searchers see it.
    pub(super) work: Work,
    /// The clock of the pruner.
    pub(super) clock: u64,
    /// States dropped for the memory limit.
    pub(super) lost_to_memory: u64,
    /// The conditions of all paths, while a pruner looks at them.
    conditions: FxHashMap<StateId, Vec<ConditionHash>>,
    pub(super) metrics: StateMetrics,
    control_flow: ControlFlow,
    /// What searchers see of a backward search.
    pub(super) backward: BackwardView,
}

/// What searchers see of a backward search.
#[derive(Default)]
pub(super) struct BackwardView {
    pub partial_paths: Option<Rc<PartialPaths>>,
    pub has_work: bool,
}

impl<'p> Frontier<'p> {
    pub fn new(program: &'p Program<'p>, metrics: StateMetrics) -> Frontier<'p> {
        Frontier {
            program,
            states: FxHashMap::default(),
            ids: StateIds::default(),
            pending: 0,
            work: Work::ZERO,
            clock: 0,
            lost_to_memory: 0,
            conditions: FxHashMap::default(),
            metrics,
            control_flow: ControlFlow::default(),
            backward: BackwardView::default(),
        }
    }

    /// Adds a new state.
    pub fn add(&mut self, state: Box<State>) -> StateId {
        let id = self.ids.fresh();
        self.put(id, state);
        id
    }

    /// The paths of all states, in no order.
    pub fn paths(&self) -> impl Iterator<Item = (StateId, &PathInfo)> {
        self.states.iter().map(|(&id, state)| (id, &state.path))
    }

    /// An id for a state that is never added: a random test starts and ends in one round.
    pub fn fresh_id(&mut self) -> StateId {
        self.ids.fresh()
    }

    /// Puts back a state that was taken.
    pub fn put(&mut self, id: StateId, state: Box<State>) {
        self.pending += u64::from(state.path.pending.is_some());
        self.states.insert(id, state);
    }

    /// Removes a state, to run it or to end it.
    pub fn take(&mut self, id: StateId) -> Option<Box<State>> {
        let state = self.states.remove(&id)?;
        self.pending -= u64::from(state.path.pending.is_some());
        Some(state)
    }

    /// Removes all states without freeing them: of a million that takes seconds.
    pub fn leak(&mut self) {
        std::mem::forget(std::mem::take(&mut self.states));
        self.pending = 0;
    }

    pub fn get(&self, id: StateId) -> Option<&State> {
        self.states.get(&id).map(|state| &**state)
    }

    pub fn len(&self) -> usize {
        self.states.len()
    }

    /// The number of pending states.
    pub fn pending(&self) -> u64 {
        self.pending
    }

    /// The paths of decided states, by ascending id.
    pub fn decided(&self) -> Vec<(StateId, &PathInfo)> {
        let mut decided: Vec<_> = self.paths().filter(|(_, path)| path.is_decided()).collect();
        decided.sort_unstable_by_key(|&(id, _)| id);
        decided
    }

    /// Lists the conditions of all paths, until they are forgotten.
    pub fn list_conditions(&mut self, pool: &Pool) {
        let listed = self.states.iter().map(|(&id, state)| (id, conditions_of(pool, &state.path)));
        self.conditions = listed.collect();
    }

    pub fn forget_conditions(&mut self) {
        self.conditions = FxHashMap::default();
    }

    /// All states, in no order.
    pub fn iter(&self) -> impl Iterator<Item = &State> {
        self.states.values().map(|state| &**state)
    }
}

impl View for Frontier<'_> {
    fn states(&self) -> Vec<StateId> {
        let mut ids: Vec<StateId> = self.states.keys().copied().collect();
        ids.sort_unstable();
        ids
    }

    fn work(&self) -> Work {
        self.work
    }

    fn clock(&self) -> u64 {
        self.clock
    }

    fn lost_to_memory(&self) -> u64 {
        self.lost_to_memory
    }

    fn conditions(&self, id: StateId) -> Vec<ConditionHash> {
        self.conditions.get(&id).cloned().unwrap_or_default()
    }

    fn location(&self, id: StateId) -> Location {
        let state = self.states.get(&id);
        match state.and_then(|state| Some((state, state.stack.last()?))) {
            Some((state, top)) => {
                let code = self.program.code(top.func);
                Location { func: top.func, block: code.block_at(next_pc(code, top, state)) }
            }
            None => Location { func: first(), block: first() },
        }
    }

    fn depth(&self, id: StateId) -> u32 {
        self.states.get(&id).map_or(0, |state| state.path.depth)
    }

    fn is_pending(&self, id: StateId) -> bool {
        self.states.get(&id).is_some_and(|state| state.path.pending.is_some())
    }

    fn executions(&self, id: StateId) -> u64 {
        let location = self.location(id);
        self.program.executions(location.func, location.block)
    }

    fn instructions_on_call_path(&self, id: StateId) -> u64 {
        match (self.states.get(&id), self.metrics.call_paths()) {
            (Some(state), Some(paths)) => paths.instructions(&state.stack),
            _ => 0,
        }
    }

    fn solver_effort(&self, id: StateId) -> u64 {
        self.states.get(&id).map_or(0, |state| state.path.effort)
    }

    fn distance_to_uncovered(&self, id: StateId) -> Option<u64> {
        self.metrics.distance(self.program, self.states.get(&id)?)
    }

    fn distances_epoch(&self) -> u64 {
        self.metrics.epoch()
    }

    fn distance_to_target(&self, id: StateId) -> Option<u64> {
        self.metrics.targets.distance(self.program, self.states.get(&id)?)
    }

    fn distance_in_function(&self, id: StateId) -> Option<u64> {
        self.metrics.targets.distance_in_function(self.program, self.states.get(&id)?)
    }

    fn instructions_since_new_coverage(&self, id: StateId) -> Option<u64> {
        let path = &self.states.get(&id)?.path;
        path.new_coverage_at.map(|at| path.instructions.saturating_sub(at.get()))
    }

    fn is_at_uncovered(&self, id: StateId) -> bool {
        self.states.get(&id).is_some_and(|state| self.metrics.is_at_uncovered(self.program, state))
    }

    fn is_user_code(&self, func: FuncId) -> bool {
        self.program.is_user(func)
    }

    fn origin(&self, id: StateId) -> OriginId {
        self.states.get(&id).map_or(OriginId::ENTRY, |state| state.path.origin())
    }

    fn calls_from_entry(&self, origin: OriginId) -> u32 {
        self.backward.partial_paths.as_ref().map_or(0, |paths| paths.calls_from_entry(origin))
    }

    fn has_backward_work(&self) -> bool {
        self.backward.has_work
    }

    fn is_entry_reached(&self) -> bool {
        self.backward.partial_paths.as_ref().is_none_or(|paths| paths.is_entry_reached())
    }

    fn program_chain(&self) -> Option<&ProgramChain> {
        self.metrics.chain.as_deref()
    }

    fn chain_state(&self, id: StateId) -> Option<ChainState> {
        let (chain, state) = (self.program_chain()?, self.states.get(&id)?);
        innermost_state(chain, points(self.program, state))
    }

    fn is_forced(&self, site: Site, case: Case, then: Location) -> bool {
        self.control_flow.is_forced(self.program.module, site, case, then)
    }
}

fn first<T: byway_base::entity::EntityRef>() -> T {
    T::new(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Config;

    #[test]
    fn pending_states_are_counted_while_they_live() {
        let text = "bwir 1\nmodule \"test\"\nfunc user @main() -> i32 {\nb0:\n  ret 0:i32\n}\n";
        let module = byway_ir::text::parse(text).expect("it parses");
        let program = Program::new(&module, &Config::default()).expect("it is a program");
        let mut frontier = Frontier::new(&program, StateMetrics::default());
        let state = || Box::new(State::new(program.memory()));
        let mut pending = state();
        pending.path.pending = Some(byway_expr::Pool::new().boolean(true));
        let (first, second) = (frontier.add(state()), frontier.add(pending));
        assert_eq!((frontier.len(), frontier.pending()), (2, 1));
        assert_eq!(frontier.states(), [first, second]);
        assert!(frontier.is_pending(second) && !frontier.is_pending(first));
        let mut taken = frontier.take(second).expect("it is there");
        assert!(frontier.take(second).is_none());
        assert_eq!((frontier.len(), frontier.pending()), (1, 0));
        taken.path.pending = None;
        frontier.put(second, taken);
        assert_eq!((frontier.len(), frontier.pending()), (2, 0));
        assert!(frontier.fresh_id() > second);
    }
}
