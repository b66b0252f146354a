//! Why something is not explored: the typed reasons of [`Losses`](crate::Losses).
//!
//! `name` is the stable text by which the run directory counts them.

use std::fmt;

use byway_base::float::Format;
use byway_solver::UnknownReason;

/// Why a symbolic value was fixed to one of its values.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ConcretisationReason {
    /// An address may lie in many objects.
    Address,
    /// The size of an allocation may be large.
    AllocationSize,
    /// A pointer of unconstrained input is beyond the bounds on it.
    InputBound,
    /// An argument of a function of the host.
    ExternalCall,
    /// An operation on floats of this format is not symbolic.
    Float(Format),
}

impl ConcretisationReason {
    /// The text by which the run directory counts it.
    pub fn name(self) -> &'static str {
        match self {
            ConcretisationReason::Address => "address that can mean many objects",
            ConcretisationReason::AllocationSize => "size of a large allocation",
            ConcretisationReason::InputBound => "pointer of the input beyond its bounds",
            ConcretisationReason::ExternalCall => "argument of an external function",
            ConcretisationReason::Float(format) => match format {
                Format::Half => "half-precision value",
                Format::Bf16 => "bfloat value",
                Format::F32 => "float value",
                Format::F64 => "double value",
                Format::F80 => "long double value",
                Format::F128 => "quadruple-precision value",
            },
        }
    }
}

/// Why the feasibility of a state was not decided.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum UndecidedReason {
    /// The solver's effort limit was reached.
    Effort,
    /// The solver's time limit was reached.
    Time,
    /// The terms are too large for the solver.
    TooLarge,
    /// The process reached its memory limit.
    Memory,
    /// The user interrupted the run.
    Interrupted,
    /// The solver stopped without reaching a limit.
    GaveUp,
    /// Evaluation refuted the solver's model.
    WrongModel,
    /// A read can reach too many bytes.
    TooManyBytes,
    /// A worker could not replay the path to the state.
    ReplayDiverged,
}

impl UndecidedReason {
    /// All of them.
    pub const ALL: [UndecidedReason; 9] = [
        UndecidedReason::Effort,
        UndecidedReason::Time,
        UndecidedReason::TooLarge,
        UndecidedReason::Memory,
        UndecidedReason::Interrupted,
        UndecidedReason::GaveUp,
        UndecidedReason::WrongModel,
        UndecidedReason::TooManyBytes,
        UndecidedReason::ReplayDiverged,
    ];

    /// The text by which the run directory counts it.
    pub fn name(self) -> &'static str {
        match self {
            UndecidedReason::Effort => "the limit on effort was reached",
            UndecidedReason::Time => "the time limit was reached",
            UndecidedReason::TooLarge => "the terms are too large",
            UndecidedReason::Memory => "the memory limit was reached",
            UndecidedReason::Interrupted => "interrupted",
            UndecidedReason::GaveUp => "the solver gave up",
            UndecidedReason::WrongModel => "the solver's model is wrong",
            UndecidedReason::TooManyBytes => "a read that reaches too many bytes",
            UndecidedReason::ReplayDiverged => "a path that another job could not follow",
        }
    }

    /// The reason of this name.
    pub fn by_name(name: &str) -> Option<UndecidedReason> {
        UndecidedReason::ALL.into_iter().find(|reason| reason.name() == name)
    }
}

impl From<UnknownReason> for UndecidedReason {
    fn from(reason: UnknownReason) -> Self {
        match reason {
            UnknownReason::Effort => UndecidedReason::Effort,
            UnknownReason::Time => UndecidedReason::Time,
            UnknownReason::TooLarge => UndecidedReason::TooLarge,
            UnknownReason::Memory => UndecidedReason::Memory,
            UnknownReason::Interrupted => UndecidedReason::Interrupted,
            UnknownReason::GaveUp => UndecidedReason::GaveUp,
            UnknownReason::WrongModel => UndecidedReason::WrongModel,
            UnknownReason::TooManyLeaves(_) => UndecidedReason::TooManyBytes,
        }
    }
}

/// Why a seed was not followed to the end of its path.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum SeedLossReason {
    /// The seed violates an assumption of the program.
    Assumption,
    /// A limit ended the path, or the run.
    Limit,
    /// A value on the path was fixed, and the seed has another.
    Concretised,
    /// The path needs a feature that Byway lacks.
    Unsupported,
    /// A bug of Byway ended the path.
    InternalError,
}

impl SeedLossReason {
    /// The text by which the run directory counts it.
    pub fn name(self) -> &'static str {
        match self {
            SeedLossReason::Assumption => "it breaks an assumption of the program",
            SeedLossReason::Limit => "a limit was reached",
            SeedLossReason::Concretised => "a value was fixed to that of another seed",
            SeedLossReason::Unsupported => "its path needs what byway lacks",
            SeedLossReason::InternalError => "its path met a bug in byway",
        }
    }
}

macro_rules! display_by_name {
    ($($ty:ty),*) => {$(
        impl fmt::Display for $ty {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.name())
            }
        }
    )*};
}
display_by_name!(ConcretisationReason, UndecidedReason, SeedLossReason);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_undecided_reason_is_found_by_its_name() {
        for reason in UndecidedReason::ALL {
            assert_eq!(UndecidedReason::by_name(reason.name()), Some(reason));
        }
        assert_eq!(UndecidedReason::by_name("something else"), None);
    }

    /// The run directory's names predate this type: they are the solver's own texts.
    #[test]
    fn names_are_those_of_the_solver() {
        let reasons = [
            UnknownReason::Effort,
            UnknownReason::Time,
            UnknownReason::TooLarge,
            UnknownReason::Memory,
            UnknownReason::Interrupted,
            UnknownReason::GaveUp,
            UnknownReason::WrongModel,
        ];
        for reason in reasons {
            assert_eq!(UndecidedReason::from(reason).name(), reason.to_string());
        }
    }
}
