//! How a path ends. The set is closed: every path ends in exactly one
//! [`Outcome`], and a bug in the engine itself is never one of them.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{SrcLoc, StackFrame};

/// How a path ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Outcome {
    /// The program ended by itself with this exit code.
    Exit(i32),
    /// The program did something it must not do.
    Fault(Box<Fault>),
    /// The program needs something Byway does not have; not the program's fault.
    Unsupported(Box<Unsupported>),
    /// The run's instruction budget was used up first.
    OutOfBudget,
    /// The user asked the run to stop (Ctrl-C).
    Interrupted,
    /// The program itself said that this path does not count: an assumption that
    /// cannot hold, or a silent exit. It gives no test.
    Excluded,
    /// The path was given up to stay inside a limit.
    Dropped(Limit),
}

/// Limits that make the exploration give up paths.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Limit {
    /// On the states that live at once.
    States,
    /// On the forks behind a path.
    Depth,
    /// On memory.
    Memory,
    /// The program asked not to fork.
    Forking,
}

impl Limit {
    /// The stable machine-readable name.
    pub fn name(self) -> &'static str {
        match self {
            Limit::States => "max-states",
            Limit::Depth => "max-depth",
            Limit::Memory => "max-memory",
            Limit::Forking => "no-forking",
        }
    }
}

/// What the program needed and Byway lacks, and where it needed it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Unsupported {
    /// The missing thing by name, e.g. "instruction callbr" or "function fork".
    pub what: String,
    /// The call stack, innermost first.
    pub stack: Vec<StackFrame>,
}

/// A defect of the program, found on this path.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Fault {
    /// Which rule was broken.
    pub kind: FaultKind,
    /// One sentence with the particulars: sizes, offsets, values.
    pub message: String,
    /// The call stack, innermost first; the first frame is where it happened.
    pub stack: Vec<StackFrame>,
    /// What a reader needs beside it: where the object was allocated, freed, ...
    pub notes: Vec<Note>,
}

impl Fault {
    /// The frame to blame: the innermost one in the user's own code, or the
    /// innermost one if there is none (or no debug information to tell).
    pub fn culprit(&self) -> Option<&StackFrame> {
        self.stack.iter().find(|f| f.user && f.loc.is_some()).or_else(|| self.stack.first())
    }
}

/// A remark that belongs to a fault.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Note {
    /// The remark, e.g. "allocated here".
    pub message: String,
    /// The place it speaks of.
    pub loc: Option<SrcLoc>,
}

/// The rules a program can break.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[allow(missing_docs)] // the names say it; `describe` says it in words
pub enum FaultKind {
    OutOfBounds,
    UseAfterFree,
    UseAfterReturn,
    DoubleFree,
    InvalidFree,
    NullDereference,
    WildPointer,
    WriteToConstant,
    Misaligned,
    UninitialisedRead,
    DivisionByZero,
    DivisionOverflow,
    SignedOverflow,
    InvalidShift,
    Unreachable,
    Trap,
    Abort,
    AssertFailed,
    KilledBySignal,
    BadFunctionPointer,
    BadJump,
    StackExhausted,
    OutOfMemory,
    Reported,
}

impl FaultKind {
    /// All of them.
    pub const ALL: [FaultKind; 24] = [
        FaultKind::OutOfBounds,
        FaultKind::UseAfterFree,
        FaultKind::UseAfterReturn,
        FaultKind::DoubleFree,
        FaultKind::InvalidFree,
        FaultKind::NullDereference,
        FaultKind::WildPointer,
        FaultKind::WriteToConstant,
        FaultKind::Misaligned,
        FaultKind::UninitialisedRead,
        FaultKind::DivisionByZero,
        FaultKind::DivisionOverflow,
        FaultKind::SignedOverflow,
        FaultKind::InvalidShift,
        FaultKind::Unreachable,
        FaultKind::Trap,
        FaultKind::Abort,
        FaultKind::AssertFailed,
        FaultKind::KilledBySignal,
        FaultKind::BadFunctionPointer,
        FaultKind::BadJump,
        FaultKind::StackExhausted,
        FaultKind::OutOfMemory,
        FaultKind::Reported,
    ];

    /// The kind of this name.
    pub fn by_name(name: &str) -> Option<FaultKind> {
        FaultKind::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// The stable machine-readable name, used in reports and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            FaultKind::OutOfBounds => "out-of-bounds",
            FaultKind::UseAfterFree => "use-after-free",
            FaultKind::UseAfterReturn => "use-after-return",
            FaultKind::DoubleFree => "double-free",
            FaultKind::InvalidFree => "invalid-free",
            FaultKind::NullDereference => "null-dereference",
            FaultKind::WildPointer => "wild-pointer",
            FaultKind::WriteToConstant => "write-to-constant",
            FaultKind::Misaligned => "misaligned",
            FaultKind::UninitialisedRead => "uninitialised-read",
            FaultKind::DivisionByZero => "division-by-zero",
            FaultKind::DivisionOverflow => "division-overflow",
            FaultKind::SignedOverflow => "signed-overflow",
            FaultKind::InvalidShift => "invalid-shift",
            FaultKind::Unreachable => "unreachable",
            FaultKind::Trap => "trap",
            FaultKind::Abort => "abort",
            FaultKind::AssertFailed => "assert",
            FaultKind::KilledBySignal => "signal",
            FaultKind::BadFunctionPointer => "bad-function-pointer",
            FaultKind::BadJump => "bad-jump",
            FaultKind::StackExhausted => "stack-exhausted",
            FaultKind::OutOfMemory => "out-of-memory",
            FaultKind::Reported => "reported",
        }
    }
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_is_found_by_its_name() {
        for (index, kind) in FaultKind::ALL.into_iter().enumerate() {
            assert_eq!(
                kind as usize, index,
                "{kind} stands at the wrong place, or another is missing"
            );
            assert_eq!(FaultKind::by_name(kind.name()), Some(kind));
        }
        assert_eq!(FaultKind::ALL.last(), Some(&FaultKind::Reported));
        assert_eq!(FaultKind::by_name("unheard-of"), None);
    }
}
