//! Reduction: paths run from tasks of a [`Reducer`] instead of forks.
//!
//! ```text
//! task ──→ solver ──→ input ──→ runs from the program's start to its end, without forks
//!  ↑                                                  │ PathLog
//!  └── Reducer ←── PathTrace ←── DependenceTracker: dependences of the path
//! ```
//!
//! Each task is a pending state of the frontier, at the decision whose other case it takes, so
//! that any searcher can order them. Its path condition is not that of the path which led there,
//! but the conditions that the task keeps.
//!
//! A path that runs here has no path condition at all: nothing that it does may depend on what
//! earlier decisions say about a value, because another path may take other decisions. So every
//! decision is one, even if those before it imply its case.

mod conditions;
mod run;
mod totals;

use std::rc::Rc;

use byway_search::StateId;
use byway_search::reducer::{Dgse, Reducer, Task};
use rustc_hash::{FxHashMap, FxHashSet};

pub(super) use conditions::Conditions;
pub use totals::ReductionTotals;

use crate::dependence::{ChangedCode, DependenceTracker, ObservedCode, PathLog, StaticEffects};
use crate::program::Program;
use crate::state::State;

/// Which paths are skipped.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Reduction {
    /// Those that program dependence proves redundant.
    Dgse,
}

/// The reduction of an exploration.
pub(super) struct ReducedSearch<'p> {
    reducer: Box<dyn Reducer>,
    log: Rc<PathLog>,
    /// The walk along what all paths have in common.
    tracker: DependenceTracker<'p>,
    conditions: Conditions,
    /// The tasks of the states in the frontier.
    tasks: FxHashMap<StateId, Task>,
    /// The states at the decisions of the running path.
    snapshots: Vec<Option<Box<State>>>,
    /// The paths so far, by their digests.
    paths: FxHashSet<u64>,
    totals: ReductionTotals,
}

impl<'p> ReducedSearch<'p> {
    /// Prepares a program that is laid out with `log`. If it was `changed`, only what the change
    /// affects is explored.
    pub fn new(
        reduction: Reduction,
        changed: Option<&ChangedCode>,
        program: &'p Program<'p>,
        log: Rc<PathLog>,
    ) -> Self {
        let effects = Rc::new(StaticEffects::new(program.module));
        let code = Rc::new(ObservedCode::new(program.module, &effects, changed));
        let tracker = DependenceTracker::new(effects, code, program.module, program.globals());
        let reducer: Box<dyn Reducer> = match reduction {
            Reduction::Dgse => Box::new(Dgse::default()),
        };
        ReducedSearch {
            reducer,
            log,
            tracker,
            conditions: Conditions::default(),
            tasks: FxHashMap::default(),
            snapshots: Vec::new(),
            paths: FxHashSet::default(),
            totals: ReductionTotals::default(),
        }
    }

    /// The states that it keeps beside those in the frontier.
    pub fn states(&self) -> impl Iterator<Item = &State> {
        self.snapshots.iter().flatten().map(|state| &**state)
    }

    /// The terms that it keeps.
    pub fn terms(&self) -> &[byway_base::ExprId] {
        self.conditions.terms()
    }

    /// Estimates how many paths there are.
    pub fn estimate(&mut self) {
        self.totals.estimated_paths = self.reducer.estimated_paths() as u64;
    }

    /// Counts so far.
    pub fn totals(&self) -> ReductionTotals {
        let reducer = self.reducer.totals();
        ReductionTotals {
            tasks: reducer.tasks,
            redundant: reducer.redundant,
            missed_goals: reducer.missed_goals,
            ..self.totals.clone()
        }
    }
}
