//! Pruners: which states are dropped, and when an exploration begins again.
//!
//! A pruner acts at intervals of a [clock](crate::View::clock), which the engine defines: work by default, so
//! that runs are repeatable, processor time if the user gave times.

mod clock;
mod divide;
pub mod homi;
mod random_fraction;
mod registry;

pub use clock::{ClockSpan, ClockUnit, RepeatingTimer};
pub use divide::Divide;
pub use homi::Homi;
pub use random_fraction::RandomFraction;
pub use registry::{PrunerEntry, build_pruner, pruner_entries, pruner_help};

use byway_base::Rng;

use crate::StateId;

/// The `count` states with the lowest scores; a random choice of equal ones.
pub(crate) fn lowest(scored: Vec<(f64, StateId)>, count: usize, rng: &mut Rng) -> Vec<StateId> {
    let mut scored: Vec<(f64, u64, StateId)> =
        scored.into_iter().map(|(score, state)| (score, rng.next_u64(), state)).collect();
    scored.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    scored.into_iter().take(count).map(|(.., state)| state).collect()
}
