//! What a searcher asks the engine to do.

use std::num::NonZeroU64;

use crate::{Delta, StateId};

/// What the engine does next.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Action {
    /// Run a state. A pending state is decided first; if it is infeasible or cannot be
    /// decided, it is removed and nothing runs.
    Run {
        /// The state; it must be alive and not suspended.
        state: StateId,
        /// When it stops running.
        until: Until,
    },
    /// Run the program once from start to end on a random input. The run takes one case at
    /// each site, leaves no states behind and makes no queries. It is reported as a state
    /// that starts and ends in the same delta; if an earlier random test took the same
    /// path, it is listed in [`Delta::repeated`](crate::Delta::repeated). Only for searchers
    /// that [require](crate::SearcherRequirements::random) it and do nothing else.
    RandomTest,
    /// Run this many random inputs outside of the exploration, natively or concretely, without
    /// states and queries. The states whose paths the interesting ones take then run to their
    /// ends. Reported in [`Delta::tests`](crate::Delta::tests). Only for searchers that
    /// [require](crate::SearcherRequirements::random_tests) it.
    RandomTests {
        /// The number of inputs; the engine may run fewer.
        count: NonZeroU64,
    },
    /// Continue the backward search for a turn. Only while the view
    /// [has work](crate::View::has_backward_work) for it.
    SearchBackward,
    /// This searcher has nothing left to do.
    Stop,
}

impl Action {
    /// Whether a delta reports what this action did.
    pub fn caused(self, delta: &Delta) -> bool {
        match self {
            Action::Run { state, .. } => delta.ran == Some(state),
            Action::RandomTests { .. } => delta.tests.is_some(),
            Action::SearchBackward => delta.ran.is_none() && delta.tests.is_none(),
            Action::RandomTest | Action::Stop => false,
        }
    }
}

/// How long a state runs: up to a milestone or a number of instructions, whichever comes
/// first. This is an upper bound; the engine may return sooner.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Until {
    /// The event that ends the run.
    pub milestone: Milestone,
    /// The most instructions it runs; `NonZeroU64::MAX` means no limit. The solver's effort
    /// counts as instructions, so that expensive queries end a run sooner.
    pub steps: NonZeroU64,
    /// Whether the other successors of its forks stay pending until they are picked, whatever
    /// the user chose for feasibility. Such a run makes no queries: it costs its instructions
    /// alone, however many forks it passes.
    pub defers: bool,
    /// The most steps of the solver's backend to decide a pending state for the first time; the
    /// engine's own limit is lower for small queries. A state for which they do not suffice is
    /// suspended.
    pub effort: NonZeroU64,
}

/// An event on a path. The end of the path always counts as one.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Milestone {
    /// The state forks: at least one new state appears.
    Fork,
    /// The path ends. At forks the state continues as the successor its witness satisfies.
    End,
}

impl Until {
    /// To the end of the path.
    pub const END: Until = Until {
        milestone: Milestone::End,
        steps: NonZeroU64::MAX,
        defers: false,
        effort: NonZeroU64::MAX,
    };
    /// To the next fork.
    pub const FORK: Until = Until { milestone: Milestone::Fork, ..Until::END };
    /// To the next fork, with a limit of 10,000 instructions: a loop that never forks must
    /// not starve the other states, nor the other searchers of a mixture.
    pub const TURN: Until = Until::FORK.at_most(NonZeroU64::new(10_000).expect("not zero"));

    /// The same, but the other successors of forks stay pending.
    pub const fn deferring(self) -> Until {
        Until { defers: true, ..self }
    }

    /// The same, but a pending state is decided with at most this effort.
    pub const fn within_effort(self, effort: NonZeroU64) -> Until {
        Until { effort, ..self }
    }

    /// For `count` instructions, through forks.
    pub const fn steps(count: NonZeroU64) -> Until {
        Until::END.at_most(count)
    }

    /// The same milestone with at most `count` instructions.
    pub const fn at_most(self, count: NonZeroU64) -> Until {
        let steps = if count.get() < self.steps.get() { count } else { self.steps };
        Until { steps, ..self }
    }
}
