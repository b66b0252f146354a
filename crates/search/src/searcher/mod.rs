//! The searchers, one technique per file.
//!
//! Forward searchers pick among states: [`Dfs`], [`Bfs`], [`RandomState`], [`RandomPath`],
//! [`Nurs`], [`Sgs`]; [`Sdse`] goes for targets. Concolic searchers run whole inputs and pick the branch to negate:
//! [`Dart`], [`Generational`], [`Cgs`]. [`RandomTesting`] keeps no states. [`Ccbse`] also
//! searches backward from a target, by a [`NearestOrigin`]. Wrappers and
//! mixtures delegate to other searchers: [`Batch`], [`CostLimited`], [`Deepening`], [`ToEnd`],
//! [`UncoveredFirst`],
//! [`Interleave`], [`Portfolio`].

mod batch;
mod bfs;
mod ccbse;
mod cgs;
mod cost_limited;
mod dart;
mod deepening;
mod dfs;
mod generational;
mod greedy;
mod interleave;
mod nearest_origin;
mod nurs;
mod portfolio;
mod random_path;
mod random_state;
mod random_testing;
mod sdse;
mod sgs;
mod state_queue;
mod subpaths;
mod to_end;
mod uncovered_first;
mod weighted_sampler;

pub use batch::Batch;
pub use bfs::Bfs;
pub use ccbse::Ccbse;
pub use cgs::Cgs;
pub use cost_limited::CostLimited;
pub use dart::Dart;
pub use deepening::Deepening;
pub use dfs::Dfs;
pub use generational::Generational;
pub use greedy::{Greedy, GreedyMode};
pub use interleave::Interleave;
pub use nearest_origin::NearestOrigin;
pub use nurs::{Nurs, WeightKind};
pub use portfolio::{Portfolio, SharePolicy};
pub use random_path::RandomPath;
pub use random_state::RandomState;
pub use random_testing::RandomTesting;
pub use sdse::Sdse;
pub use sgs::{CountedForks, Sgs, TieBreaker};
pub use to_end::ToEnd;
pub use uncovered_first::UncoveredFirst;
