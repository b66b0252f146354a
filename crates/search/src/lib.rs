//! Search strategies: which state runs next, and which states are dropped.
//!
//! The engine owns the states and runs them; this crate decides. They exchange ids and
//! plain data only:
//!
//! | type | direction | content |
//! |---|---|---|
//! | [`Delta`] | engine to searcher and pruner | what happened: forks, ended and dropped states, new coverage |
//! | [`View`] | engine to searcher and pruner | facts about the live states: location, depth, cost, distance |
//! | [`Action`] | searcher to engine | what to do next: run a state, run random tests, stop |
//! | `Vec<StateId>` | pruner to engine | the states to drop |
//! | [`PathTrace`](reducer::PathTrace) | engine to reducer | the decisions of a path that ended, and what each depends on |
//! | [`Task`](reducer::Task) | reducer to engine | a case to take, and the decisions to keep |
//!
//! # Order of calls
//!
//! ```text
//! searcher.recall(knowledge)                         if anything was learnt before; the same
//!                                                    for the pruner
//! searcher.requirements()                            once, before anything runs
//! searcher.update(Delta::all_of(view))               once, with the states that exist;
//!                                                    the same for the pruner
//! loop:
//!     searcher.pick(view, rng)   -> Action
//!     (the engine performs the action)
//!     searcher.update(delta)     pruner.update(delta)
//!     pruner.starts_over(view, rng)
//!     pruner.prune(view, rng)    -> states to drop
//!     searcher.update(dropped)   pruner.update(dropped)
//! ```
//!
//! A [`Protocol`] checks these rules on both sides of the interface. A [`Searcher`] or
//! [`Pruner`] keeps its own data, keyed by [`StateId`]; states carry none of it.
//!
//! # What this crate does not see
//!
//! Neither states nor expressions, neither a clock (but [`View::clock`], which the engine defines) nor any randomness but the [`Rng`]
//! argument. So every searcher can be run, tested and measured on a [simulated](simulate)
//! program, without interpreter or solver.
//!
//! # Beside the searchers
//!
//! [`markov`] is the theory of optimal concolic testing: the program as a Markov chain, rewards
//! of its blocks, the greedy choice, and a laboratory of small chains. It too sees ids and plain
//! data only.
//!
//! # Adding a strategy
//!
//! - A searcher is a file in [`searcher`] and a row in `registry.rs`; `docs/search.md` walks
//!   through one.
//! - A pruner is a file in [`pruner`] and a row in its registry; [`Pruner`] has an example. It runs in the engine and in a
//!   [simulation](simulate::Simulation::turn_pruned); `docs/search.md` lists the steps.

#![forbid(unsafe_code)]

mod action;
mod condition;
mod delta;
mod knowledge;
pub mod markov;
mod operator_profile;
mod origin;
mod portfolio_shares;
mod protocol;
pub mod pruner;
pub mod reducer;
mod registry;
pub mod searcher;
pub mod simulate;
mod site;
mod spec;
mod state;
mod view;

pub use action::{Action, Milestone, Until};
pub use condition::{ConditionHash, TestEvidence};
pub use delta::{Delta, Fork, NewCoverage, Successor, TestBatch};
pub use knowledge::{Knowledge, KnowledgeOrigin, KnowledgeTable};
pub use operator_profile::OperatorProfile;
pub use origin::OriginId;
pub use portfolio_shares::{MemberShare, PortfolioShares};
pub use protocol::{Protocol, Violation};
pub use registry::{SearcherEntry, build, entries, help, with_tie_breaker};
pub use site::{Case, Decision, Location, Site};
pub use spec::SpecError;
pub use state::{StateId, StateIds};
pub use view::{SearcherRequirements, View};

use byway_base::Rng;

use pruner::ClockUnit;

/// Decides which state runs next.
pub trait Searcher {
    /// Reports what happened since the last call. Every added and every removed state is
    /// reported exactly once. The view shows the situation after all of it.
    fn update(&mut self, delta: &Delta, view: &dyn View);

    /// Chooses the next action. A state it names must be alive and not suspended. Returns
    /// [`Action::Stop`] when nothing is left to do.
    fn pick(&mut self, view: &dyn View, rng: &mut Rng) -> Action;

    /// The facts and the execution mode this searcher needs. Asked once, before anything
    /// runs. A searcher that wraps others combines their requirements with its own.
    fn requirements(&self) -> SearcherRequirements {
        SearcherRequirements::default()
    }

    /// The searchers that this one wraps. What follows is theirs by default.
    fn inner(&self) -> Vec<&dyn Searcher> {
        Vec::new()
    }

    /// As [`inner`](Self::inner).
    fn inner_mut(&mut self) -> Vec<&mut dyn Searcher> {
        Vec::new()
    }

    /// Adds what this searcher has learnt, for an exploration that goes on or a later one.
    fn store(&self, knowledge: &mut Knowledge) {
        self.inner().into_iter().for_each(|searcher| searcher.store(knowledge));
    }

    /// Learns what was [stored](Self::store); once or several times, before anything runs.
    fn recall(&mut self, knowledge: &Knowledge) {
        self.inner_mut().into_iter().for_each(|searcher| searcher.recall(knowledge));
    }

    /// The searcher of the engine's backward search, if this searcher
    /// [requires](SearcherRequirements::backward) one.
    fn backward_searcher(&self) -> Option<Box<dyn Searcher>> {
        self.inner().into_iter().find_map(|searcher| searcher.backward_searcher())
    }

    /// Whether a portfolio should give this searcher no turns yet: its beginning is expensive, and
    /// waits until the exploration has done as much otherwise. A searcher alone begins at once.
    fn is_waiting(&self) -> bool {
        false
    }

    /// The blocks that a greedy searcher expects most of, if this is one or contains one.
    fn markov_report(&mut self, view: &dyn View) -> Option<markov::MarkovReport> {
        self.inner_mut().into_iter().find_map(|searcher| searcher.markov_report(view))
    }

    /// How the work was shared: one record for each portfolio within this searcher.
    fn portfolio_shares(&self) -> Vec<PortfolioShares> {
        self.inner().into_iter().flat_map(|searcher| searcher.portfolio_shares()).collect()
    }
}

/// Makes searchers of one kind.
pub type MakeSearcher = std::rc::Rc<dyn Fn() -> Box<dyn Searcher>>;

/// Decides which states to drop. A pruner works with any searcher.
///
/// This one drops states below a fixed depth:
///
/// ```
/// use byway_base::Rng;
/// use byway_search::searcher::Dfs;
/// use byway_search::simulate::{ExecutionTree, Simulation, SimulationOptions};
/// use byway_search::{Delta, Pruner, StateId, View};
///
/// struct DepthLimit {
///     deepest: u32,
///     too_deep: Vec<StateId>,
/// }
///
/// impl Pruner for DepthLimit {
///     fn update(&mut self, delta: &Delta, view: &dyn View) {
///         // Depth changes only when a state is added or runs.
///         let changed = delta.added().chain(delta.ran);
///         self.too_deep.extend(changed.filter(|&state| view.depth(state) > self.deepest));
///         let removed: Vec<StateId> = delta.removed().collect();
///         self.too_deep.retain(|state| !removed.contains(state));
///     }
///
///     fn prune(&mut self, _: &dyn View, _: &mut Rng) -> Vec<StateId> {
///         std::mem::take(&mut self.too_deep)
///     }
/// }
///
/// let tree = ExecutionTree::parse("a(b(c, d(e, f)), g)").unwrap();
/// let mut simulation = Simulation::new(&tree, SimulationOptions::default());
/// let mut searcher = Dfs::default();
/// let mut pruner = DepthLimit { deepest: 2, too_deep: Vec::new() };
/// simulation.join(&mut searcher).unwrap();
/// while simulation.turn_pruned(&mut searcher, &mut pruner).unwrap() {}
/// // `e` and `f` are three forks deep; `c` and `g` are not.
/// let record = simulation.finish().unwrap();
/// assert_eq!((record.dropped, record.leaves.len()), (2, 2));
/// ```
pub trait Pruner {
    /// Receives the same deltas as [`Searcher::update`].
    fn update(&mut self, delta: &Delta, view: &dyn View);

    /// Whether to call [`prune`](Self::prune) now. Asked after every
    /// [`update`](Self::update) that follows an action, so it should be cheap.
    fn is_due(&self, _: &dyn View) -> bool {
        true
    }

    /// The states to drop now: live ones, each once. ([`Protocol::prune`] checks that; the
    /// engine ignores any other id.) A delta reports the
    /// drops to the searcher and to this pruner, in [`Delta::dropped`], before the next pick.
    ///
    /// A dropped state that is not pending still gives its test.
    fn prune(&mut self, view: &dyn View, rng: &mut Rng) -> Vec<StateId>;

    /// Whether the exploration begins again from the program's start. Then all states are dropped,
    /// and a new one starts; paths that were explored before give no second test. Called before
    /// every [`prune`](Self::prune), and when nothing is left to run (`is_exhausted`).
    /// [Required](SearcherRequirements::restarts).
    fn starts_over(&mut self, _is_exhausted: bool, _: &dyn View, _: &mut Rng) -> bool {
        false
    }

    /// As [`Searcher::store`].
    fn store(&self, _: &mut Knowledge) {}

    /// As [`Searcher::recall`].
    fn recall(&mut self, _: &Knowledge) {}

    /// What [`View::clock`] counts for this pruner.
    fn clock_unit(&self) -> ClockUnit {
        ClockUnit::Work
    }

    /// The facts of the view that must be counted for this pruner. Asked once, before anything
    /// runs. Only the searcher decides how states run: `concolic` and `random` are ignored.
    fn requirements(&self) -> SearcherRequirements {
        SearcherRequirements::default()
    }
}

/// Compiles and runs the examples of the documentation page.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/search.md")]
struct Book;
