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
//!
//! If too few paths are skipped to pay for all that, the reduction is given up (`abandon.rs`).
//!
//! Several workers share the reducer (`shared.rs`) and exchange tasks (`transfer.rs`); each has
//! its own terms, states and dependences.

mod abandon;
mod conditions;
mod run;
mod shared;
mod totals;
mod trace;
mod transfer;

use std::rc::Rc;
use std::sync::Arc;

use byway_base::ExprId;
use byway_search::StateId;
use byway_search::reducer::Task;
use rustc_hash::FxHashMap;

pub(super) use conditions::Conditions;
pub(super) use shared::SharedReduction;
pub use totals::ReductionTotals;
pub(super) use trace::{decision_at, end_of, fork_limit, is_failure, path_trace};
pub(super) use transfer::{MovedTask, RerunEnd};

use super::ExploreConfig;
use crate::Invocation;
use crate::dependence::{DependenceTracker, ObservedCode, PathLog, StaticEffects};
use crate::program::Program;
use crate::state::State;
use abandon::SampledPath;

/// Which paths are skipped.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Reduction {
    /// Those that program dependence proves redundant; none if these are too few.
    Dgse,
    /// Those that program dependence proves redundant, however few they are.
    DgseAlways,
}

/// The reduction of a worker.
pub(super) struct ReducedSearch<'p> {
    shared: Arc<SharedReduction>,
    log: Rc<PathLog>,
    /// The walk along what all paths have in common.
    tracker: DependenceTracker<'p>,
    conditions: Conditions,
    /// The tasks of the states in the frontier.
    tasks: FxHashMap<StateId, Task>,
    /// The states at the decisions of the running path.
    snapshots: Vec<Option<Box<State>>>,
    totals: ReductionTotals,
    /// The paths that the next judgement of the reduction considers.
    samples: Vec<SampledPath>,
    /// Whether all paths are explored if too few can be skipped.
    may_be_abandoned: bool,
    /// How the program starts.
    invocation: Invocation,
}

impl<'p> ReducedSearch<'p> {
    /// Prepares a program that is laid out with `log`. Of a change under test, only the effects
    /// are explored.
    pub fn new(
        shared: Arc<SharedReduction>,
        config: &ExploreConfig,
        program: &'p Program<'p>,
        log: Rc<PathLog>,
    ) -> Self {
        let points_to = Arc::clone(&shared.points_to);
        let effects = Rc::new(StaticEffects::new(program.module, points_to));
        let (checks, changed) = (config.engine.checks, config.changed.as_deref());
        let code = Rc::new(ObservedCode::new(program.module, &effects, checks, changed));
        let tracker = DependenceTracker::new(effects, code, program.module, program.globals());
        ReducedSearch {
            conditions: Conditions::new(Arc::clone(&shared)),
            shared,
            log,
            tracker,
            tasks: FxHashMap::default(),
            snapshots: Vec::new(),
            totals: ReductionTotals::default(),
            samples: Vec::new(),
            // What a change cannot affect is always skipped.
            may_be_abandoned: config.reduction == Some(Reduction::Dgse) && config.changed.is_none(),
            invocation: config.invocation.clone(),
        }
    }

    /// The states that it keeps beside those in the frontier.
    pub fn states(&self) -> impl Iterator<Item = &State> {
        self.snapshots.iter().flatten().map(|state| &**state)
    }

    /// The terms that it keeps.
    pub fn terms(&self) -> impl Iterator<Item = ExprId> {
        self.conditions.terms()
    }

    /// Estimates how many paths there are.
    pub fn estimate(&mut self) {
        self.totals.estimated_paths = self.shared.reducer().estimated_paths() as u64;
    }

    /// Counts so far.
    pub fn totals(&self) -> ReductionTotals {
        let reducer = self.shared.reducer().totals();
        ReductionTotals {
            tasks: reducer.tasks,
            redundant: reducer.redundant,
            missed_goals: reducer.missed_goals,
            ..self.totals.clone()
        }
    }
}
