//! Answers to queries.

use std::fmt;
use std::rc::Rc;

use byway_base::ExprId;
use byway_expr::Model;
use byway_expr::expand::TooManyLeaves;

/// The answer to a query.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// Satisfiable by this model, which evaluation has confirmed.
    Sat(Model),
    /// The condition contradicts these conjuncts of the path.
    Unsat(Core),
    /// Undecided.
    Unknown(UnknownReason),
}

impl Answer {
    /// "sat", "unsat" or "unknown".
    pub fn name(&self) -> &'static str {
        match self {
            Answer::Sat(_) => "sat",
            Answer::Unsat(_) => "unsat",
            Answer::Unknown(_) => "unknown",
        }
    }
}

/// An unsat core: conjuncts that contradict the query's condition. Not always minimal.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Core {
    /// In path order.
    pub conjuncts: Rc<[ExprId]>,
}

/// Why a query is undecided.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum UnknownReason {
    /// The effort limit was reached.
    Effort,
    /// The time limit was reached.
    Time,
    /// The terms are too large for the backend.
    TooLarge,
    /// The process reached its memory limit.
    Memory,
    /// The user interrupted the run.
    Interrupted,
    /// The backend stopped without reaching any limit.
    GaveUp,
    /// Evaluation refuted the backend's model.
    WrongModel,
    /// A read can reach too many bytes. The caller can split the range of its index or
    /// concretise it.
    TooManyLeaves(TooManyLeaves),
}

impl UnknownReason {
    /// A stable identifier for files and statistics.
    pub const fn name(self) -> &'static str {
        match self {
            UnknownReason::Effort => "effort",
            UnknownReason::Time => "time",
            UnknownReason::TooLarge => "too-large",
            UnknownReason::Memory => "memory",
            UnknownReason::Interrupted => "interrupted",
            UnknownReason::GaveUp => "gave-up",
            UnknownReason::WrongModel => "wrong-model",
            UnknownReason::TooManyLeaves(_) => "too-many-leaves",
        }
    }
}

impl fmt::Display for UnknownReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UnknownReason::Effort => f.write_str("the limit on effort was reached"),
            UnknownReason::Time => f.write_str("the time limit was reached"),
            UnknownReason::TooLarge => f.write_str("the terms are too large"),
            UnknownReason::Memory => f.write_str("the memory limit was reached"),
            UnknownReason::Interrupted => f.write_str("interrupted"),
            UnknownReason::GaveUp => f.write_str("the solver gave up"),
            UnknownReason::WrongModel => f.write_str("the solver's model is wrong"),
            UnknownReason::TooManyLeaves(read) => read.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_have_distinct_stable_names() {
        use UnknownReason::*;
        let names =
            [Effort, Time, TooLarge, Memory, Interrupted, GaveUp, WrongModel].map(|r| r.name());
        let expected =
            ["effort", "time", "too-large", "memory", "interrupted", "gave-up", "wrong-model"];
        assert_eq!(names, expected);
    }
}
