//! Which state runs next, and which is dropped.
//!
//! The engine owns the states and runs them; this crate decides. Between them
//! stand ids and plain data: the engine tells a [`Searcher`] what happened (a
//! [`Delta`]), shows it facts about the states (a [`View`]), and asks it what to
//! do (an [`Action`]). A [`Pruner`] is told the same and says which states to
//! drop. `docs/search.md` tells it as a story and shows how to add a searcher.
//!
//! This crate never sees a state itself, an expression, the wall clock, or any
//! randomness but the [`Rng`] passed in. So every searcher runs, is tested and is
//! measured on a [simulated](simulate) program, without interpreter or solver.

mod action;
mod delta;
mod portfolio_shares;
mod protocol;
mod registry;
pub mod searcher;
pub mod simulate;
mod spec;
mod state;
mod view;

pub use action::{Action, Milestone, Until};
pub use delta::{Case, Decision, Delta, Fork, Location, NewCoverage, Site, Successor};
pub use portfolio_shares::{MemberShare, PortfolioShares};
pub use protocol::{Protocol, Violation};
pub use registry::{SearcherEntry, build, entries, help, with_tie_breaker};
pub use spec::SpecError;
pub use state::{StateId, StateIds};
pub use view::{SearcherRequirements, View};

use byway_base::Rng;

/// Decides which state runs next.
///
/// The engine first calls `update` with [`Delta::all_of`] the states there are,
/// then in turn `pick` and, when what was picked has been done, `update`.
pub trait Searcher {
    /// What has happened since the last call. Every state that came or went is told
    /// exactly once; the view is that of after it all.
    fn update(&mut self, delta: &Delta, view: &dyn View);

    /// What to do next; a state that is named must be one of the view's. With
    /// nothing left to do, [`Action::Stop`].
    fn pick(&mut self, view: &dyn View, rng: &mut Rng) -> Action;

    /// Which facts it will ask for, of those that cost something to keep. The engine
    /// asks once, before anything runs; whoever is made of other searchers passes on
    /// what they want.
    fn requirements(&self) -> SearcherRequirements {
        SearcherRequirements::default()
    }

    /// How those it is made of shared the work, for each place where they do so by what
    /// they gained or by equal parts of the work.
    fn portfolio_shares(&self) -> Vec<PortfolioShares> {
        Vec::new()
    }
}

/// Decides which states are not worth keeping, whichever searcher runs.
pub trait Pruner {
    /// As [`Searcher::update`].
    fn update(&mut self, delta: &Delta, view: &dyn View);

    /// The states to drop now. They come back to everyone in [`Delta::dropped`].
    fn prune(&mut self, view: &dyn View, rng: &mut Rng) -> Vec<StateId>;
}

/// The examples of the book's page compile and run.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/search.md")]
struct Book;
