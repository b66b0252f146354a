//! The states there are, as searchers see them.

use byway_base::Work;
use byway_ir::FuncId;
use byway_search::{Case, Location, Site, StateId, StateIds, View};
use rustc_hash::FxHashMap;

use super::control_flow::ControlFlow;
use super::facts::{StateMetrics, next_pc};
use crate::program::Program;
use crate::state::State;

/// The states there are.
pub struct Frontier<'p> {
    program: &'p Program<'p>,
    states: FxHashMap<StateId, Box<State>>,
    ids: StateIds,
    pending: u64,
    /// The work done so far.
    pub(super) work: Work,
    /// What is kept for searchers beside the states.
    pub(super) facts: StateMetrics,
    flow: ControlFlow,
}

impl<'p> Frontier<'p> {
    /// None.
    pub fn new(program: &'p Program<'p>, facts: StateMetrics) -> Frontier<'p> {
        Frontier {
            program,
            states: FxHashMap::default(),
            ids: StateIds::default(),
            pending: 0,
            work: Work::ZERO,
            facts,
            flow: ControlFlow::default(),
        }
    }

    /// Takes in a new state.
    pub fn add(&mut self, state: Box<State>) -> StateId {
        let id = self.ids.fresh();
        self.put(id, state);
        id
    }

    /// The id of a state that comes and goes at once.
    pub fn pass_by(&mut self) -> StateId {
        self.ids.fresh()
    }

    /// Takes back a state that was taken out.
    pub fn put(&mut self, id: StateId, state: Box<State>) {
        self.pending += u64::from(state.path.pending.is_some());
        self.states.insert(id, state);
    }

    /// Takes out a state.
    pub fn take(&mut self, id: StateId) -> Option<Box<State>> {
        let state = self.states.remove(&id)?;
        self.pending -= u64::from(state.path.pending.is_some());
        Some(state)
    }

    /// A state, to be looked at.
    pub fn get(&self, id: StateId) -> Option<&State> {
        self.states.get(&id).map(|state| &**state)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.states.len()
    }

    /// How many of them are pending.
    pub fn pending(&self) -> u64 {
        self.pending
    }

    /// All of them, in no order.
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
        match (self.states.get(&id), self.facts.call_paths()) {
            (Some(state), Some(paths)) => paths.instructions(&state.stack),
            _ => 0,
        }
    }

    fn solver_effort(&self, id: StateId) -> u64 {
        self.states.get(&id).map_or(0, |state| state.path.effort)
    }

    fn distance_to_uncovered(&self, id: StateId) -> Option<u64> {
        self.facts.distance(self.program, self.states.get(&id)?)
    }

    fn distances_epoch(&self) -> u64 {
        self.facts.epoch()
    }

    fn instructions_since_new_coverage(&self, id: StateId) -> Option<u64> {
        let path = &self.states.get(&id)?.path;
        path.new_coverage_at.map(|at| path.instructions.saturating_sub(at))
    }

    fn is_at_uncovered(&self, id: StateId) -> bool {
        self.states.get(&id).is_some_and(|state| self.facts.is_at_uncovered(self.program, state))
    }

    fn is_user_code(&self, func: FuncId) -> bool {
        self.program.is_user(func)
    }

    fn is_forced(&self, site: Site, case: Case, then: Location) -> bool {
        self.flow.is_forced(self.program.module, site, case, then)
    }
}

fn first<T: byway_base::entity::EntityRef>() -> T {
    T::new(0)
}
