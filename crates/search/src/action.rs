//! What a searcher asks the engine to do.

use std::num::NonZeroU64;

use crate::StateId;

/// What to do next.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Action {
    /// Run a state. If it is pending, it is decided first, and if it turns out to be
    /// infeasible or undecidable it is gone and nothing runs.
    Run {
        /// Which.
        state: StateId,
        /// For how long.
        until: Until,
    },
    /// Draw an input at random and run it from the program's start to its end. It takes
    /// one way wherever it comes, leaves no states behind, and no solver is asked. It is
    /// told as a state that starts and ends at once; if it took a path that was taken
    /// before, it is one of [`Delta::repeated`](crate::Delta::repeated). Only for a searcher
    /// that [says](crate::Wants::random) it does nothing else.
    Test,
    /// Nothing is left that this searcher would do.
    Stop,
}

/// How long a state runs: to a milestone, or to a number of instructions if that
/// comes first. It is a bound, not a promise: the engine may come back sooner.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Until {
    /// What it runs to.
    pub milestone: Milestone,
    /// The most instructions it runs; `NonZeroU64::MAX` is as good as no limit.
    pub steps: NonZeroU64,
}

/// Something that happens on a path. The end of the path always counts too.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Milestone {
    /// It forks: one more state appears beside it.
    Fork,
    /// It ends, and forks do not stop it: it goes on as the side it takes.
    End,
}

impl Until {
    /// To the end of the path.
    pub const END: Until = Until { milestone: Milestone::End, steps: NonZeroU64::MAX };
    /// To the next fork.
    pub const FORK: Until = Until { milestone: Milestone::Fork, steps: NonZeroU64::MAX };
    /// To the next fork, but no longer than keeps a searcher that takes turns with
    /// others, or a state among many, from being shut out by a loop that never forks.
    pub const TURN: Until = Until::FORK.at_most(NonZeroU64::new(10_000).expect("not zero"));

    /// So many instructions, whatever happens.
    pub const fn steps(count: NonZeroU64) -> Until {
        Until::END.at_most(count)
    }

    /// The same, but no more than so many instructions.
    pub const fn at_most(self, count: NonZeroU64) -> Until {
        let steps = if count.get() < self.steps.get() { count } else { self.steps };
        Until { milestone: self.milestone, steps }
    }
}
