//! The states there are, as searchers see them.

use byway_search::{Location, StateId, StateIds, View};
use rustc_hash::FxHashMap;

use crate::program::Program;
use crate::state::State;

/// The states there are.
pub struct Store<'p> {
    program: &'p Program<'p>,
    states: FxHashMap<StateId, Box<State>>,
    ids: StateIds,
    pending: u64,
}

impl<'p> Store<'p> {
    /// None.
    pub fn new(program: &'p Program<'p>) -> Store<'p> {
        Store { program, states: FxHashMap::default(), ids: StateIds::default(), pending: 0 }
    }

    /// Takes in a new state.
    pub fn add(&mut self, state: State) -> StateId {
        let id = self.ids.fresh();
        self.put(id, state);
        id
    }

    /// Takes back a state that was taken out.
    pub fn put(&mut self, id: StateId, state: State) {
        self.pending += u64::from(state.trail.pending.is_some());
        self.states.insert(id, Box::new(state));
    }

    /// Takes out a state.
    pub fn take(&mut self, id: StateId) -> Option<State> {
        let state = *self.states.remove(&id)?;
        self.pending -= u64::from(state.trail.pending.is_some());
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

impl View for Store<'_> {
    fn states(&self) -> Vec<StateId> {
        let mut ids: Vec<StateId> = self.states.keys().copied().collect();
        ids.sort_unstable();
        ids
    }

    fn location(&self, id: StateId) -> Location {
        let frame = self.states.get(&id).and_then(|state| state.stack.last());
        match frame {
            Some(frame) => Location {
                func: frame.func,
                block: self.program.code(frame.func).block_at(frame.pc.saturating_sub(1)),
            },
            None => Location { func: first(), block: first() },
        }
    }

    fn depth(&self, id: StateId) -> u32 {
        self.states.get(&id).map_or(0, |state| state.trail.depth)
    }

    fn is_pending(&self, id: StateId) -> bool {
        self.states.get(&id).is_some_and(|state| state.trail.pending.is_some())
    }
}

fn first<T: byway_base::entity::EntityRef>() -> T {
    T::new(0)
}
