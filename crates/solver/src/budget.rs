//! How much a query may cost.

use std::time::Duration;

/// Limits for one query. A query that reaches one is answered with an unknown.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub struct Budget {
    /// Steps of the backend, in its own units; the same in every run. With a limit of
    /// one it answers nothing at all. `None` is no limit.
    pub effort: Option<u64>,
    /// Time on the clock. With it answers depend on the machine; runs that must be
    /// repeatable leave it out.
    pub time: Option<Duration>,
}

impl Budget {
    /// No limits.
    pub const UNLIMITED: Budget = Budget { effort: None, time: None };

    /// A limit on effort alone.
    pub const fn effort(effort: u64) -> Budget {
        Budget { effort: Some(effort), time: None }
    }

    /// A limit on time alone.
    pub const fn time(time: Duration) -> Budget {
        Budget { effort: None, time: Some(time) }
    }
}
