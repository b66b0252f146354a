//! What a query is answered with.

use std::fmt;
use std::rc::Rc;

use byway_base::ExprId;
use byway_expr::Model;
use byway_expr::expand::TooManyLeaves;

/// The answer to a query.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// It can hold, with this input. Evaluation confirmed it.
    Sat(Model),
    /// It cannot hold together with these conjuncts of the path.
    Unsat(Core),
    /// Nobody knows.
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

/// Conjuncts of a path that exclude what was asked; not always the fewest.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Core {
    /// The conjuncts, in the order of the path.
    pub conjuncts: Rc<[ExprId]>,
}

/// Why a query has no answer.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum UnknownReason {
    /// The limit on effort was reached.
    Effort,
    /// The limit on time was reached.
    Time,
    /// The terms are too large for the backend.
    TooLarge,
    /// The user asked to stop.
    Interrupted,
    /// The backend had no limit to blame.
    GaveUp,
    /// Evaluation did not confirm the backend's model.
    WrongModel,
    /// A read reaches too many bytes. The caller can split what its index reaches,
    /// or settle for one value of it.
    TooManyLeaves(TooManyLeaves),
}

impl fmt::Display for UnknownReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UnknownReason::Effort => f.write_str("the limit on effort was reached"),
            UnknownReason::Time => f.write_str("the time limit was reached"),
            UnknownReason::TooLarge => f.write_str("the terms are too large"),
            UnknownReason::Interrupted => f.write_str("interrupted"),
            UnknownReason::GaveUp => f.write_str("the solver gave up"),
            UnknownReason::WrongModel => f.write_str("the solver's model is wrong"),
            UnknownReason::TooManyLeaves(read) => read.fmt(f),
        }
    }
}
