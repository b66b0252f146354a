//! How a path ends. The set is closed: every path ends in exactly one [`Outcome`].

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{InternalErrorKind, SrcLoc, StackFrame, UnsupportedFeature};

/// How a path ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Outcome {
    /// The program ended with this exit code.
    Exit(i32),
    /// The program has a defect.
    Fault(Box<Fault>),
    /// The program needs a feature that Byway lacks.
    Unsupported(Box<Unsupported>),
    /// Byway has a bug.
    InternalError(Box<InternalError>),
    /// The instruction budget ended the path.
    OutOfBudget,
    /// The user stopped the run (Ctrl-C).
    Interrupted,
    /// The program excluded the path, by an assumption that cannot hold or a silent exit. It
    /// gives no test.
    Excluded,
    /// The exploration dropped the path, for this reason.
    Dropped(Limit),
}

impl Outcome {
    /// The stable machine-readable name of its kind.
    pub fn name(&self) -> &'static str {
        match self {
            Outcome::Exit(_) => "exit",
            Outcome::Fault(_) => "fault",
            Outcome::Unsupported(_) => "unsupported",
            Outcome::InternalError(_) => "internal-error",
            Outcome::Excluded => "excluded",
            Outcome::Dropped(_) => "dropped",
            Outcome::OutOfBudget => "out-of-budget",
            Outcome::Interrupted => "interrupted",
        }
    }
}

/// Why the exploration dropped a path: a limit, the program's request, or a pruner.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Limit {
    /// The number of live states.
    States,
    /// The number of forks on a path.
    Depth,
    /// The number of forks of the exploration.
    Forks,
    /// Bytes of memory.
    Memory,
    /// The program forbade forks.
    Forking,
    /// A pruner dropped the state; no limit was reached.
    Pruned,
    /// The share of one instruction in all forks.
    ForkShare,
    /// The share of one instruction in all solver effort.
    SolverShare,
    /// The share of one call path in all forks.
    CallPathForkShare,
    /// The share of one call path in all solver effort.
    CallPathSolverShare,
    /// No open target is reachable from the state; nothing is lost by dropping it.
    Unreachable,
}

impl Limit {
    /// The stable machine-readable name.
    pub fn name(self) -> &'static str {
        match self {
            Limit::States => "max-states",
            Limit::Depth => "max-depth",
            Limit::Forks => "max-forks",
            Limit::Memory => "max-memory",
            Limit::Forking => "no-forking",
            Limit::Pruned => "pruned",
            Limit::ForkShare => "max-fork-share",
            Limit::SolverShare => "max-solver-share",
            Limit::CallPathForkShare => "max-call-path-fork-share",
            Limit::CallPathSolverShare => "max-call-path-solver-share",
            Limit::Unreachable => "unreachable",
        }
    }
}

/// A feature that Byway lacks, and where the program needs it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Unsupported {
    /// The missing feature.
    pub feature: UnsupportedFeature,
    /// The call stack, innermost first.
    pub stack: Vec<StackFrame>,
}

/// A bug of Byway, and where in the program it showed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct InternalError {
    /// The invariant that does not hold.
    pub kind: InternalErrorKind,
    /// The call stack, innermost first.
    pub stack: Vec<StackFrame>,
}

/// A defect of the program, found on this path.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Fault {
    /// The rule broken.
    pub kind: FaultKind,
    /// One sentence with sizes, offsets and values.
    pub message: String,
    /// The call stack, innermost first.
    pub stack: Vec<StackFrame>,
    /// Related locations: where the object was allocated, freed, ...
    pub notes: Vec<Note>,
}

impl Fault {
    /// The frame to blame: the innermost one in the user's own code with a known line, else
    /// the innermost one.
    pub fn culprit(&self) -> Option<&StackFrame> {
        self.stack.iter().find(|f| f.user && f.loc.is_some()).or_else(|| self.stack.first())
    }

    /// What two builds of a program have in common about this fault.
    pub fn identity(&self) -> FaultIdentity {
        let is_worded = matches!(self.kind, FaultKind::AssertFailed | FaultKind::Reported);
        FaultIdentity {
            kind: self.kind,
            function: self.culprit().map(|frame| frame.function.clone()),
            message: is_worded.then(|| self.message.clone()),
        }
    }
}

/// What two builds of a program have in common about the same fault: not the line, which an edit
/// before it moves, and not the sizes and addresses in its message, unless the program itself
/// words it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct FaultIdentity {
    kind: FaultKind,
    /// The function to blame.
    function: Option<String>,
    message: Option<String>,
}

/// A related location of a fault.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Note {
    /// For example "allocated here".
    pub message: String,
    /// The location, if known.
    pub loc: Option<SrcLoc>,
}

/// The rules a program can break.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[allow(missing_docs)] // the names say it
pub enum FaultKind {
    OutOfBounds,
    UseAfterFree,
    UseAfterReturn,
    UseAfterScope,
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
    Overlap,
    Leak,
    ArrayIndex,
    PointerOverflow,
    UnsignedOverflow,
    FloatCastOverflow,
    ImplicitConversion,
    InvalidValue,
    InvalidBuiltin,
    MissingReturn,
    VlaBound,
    UnexpectedNull,
    FunctionType,
    Reported,
}

impl FaultKind {
    /// All of them.
    pub const ALL: [FaultKind; 38] = [
        FaultKind::OutOfBounds,
        FaultKind::UseAfterFree,
        FaultKind::UseAfterReturn,
        FaultKind::UseAfterScope,
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
        FaultKind::Overlap,
        FaultKind::Leak,
        FaultKind::ArrayIndex,
        FaultKind::PointerOverflow,
        FaultKind::UnsignedOverflow,
        FaultKind::FloatCastOverflow,
        FaultKind::ImplicitConversion,
        FaultKind::InvalidValue,
        FaultKind::InvalidBuiltin,
        FaultKind::MissingReturn,
        FaultKind::VlaBound,
        FaultKind::UnexpectedNull,
        FaultKind::FunctionType,
        FaultKind::Reported,
    ];

    /// The inverse of [`FaultKind::name`].
    pub fn by_name(name: &str) -> Option<FaultKind> {
        FaultKind::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// The stable machine-readable name, used in reports and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            FaultKind::OutOfBounds => "out-of-bounds",
            FaultKind::UseAfterFree => "use-after-free",
            FaultKind::UseAfterReturn => "use-after-return",
            FaultKind::UseAfterScope => "use-after-scope",
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
            FaultKind::Overlap => "overlap",
            FaultKind::Leak => "leak",
            FaultKind::ArrayIndex => "array-index",
            FaultKind::PointerOverflow => "pointer-overflow",
            FaultKind::UnsignedOverflow => "unsigned-overflow",
            FaultKind::FloatCastOverflow => "float-cast-overflow",
            FaultKind::ImplicitConversion => "implicit-conversion",
            FaultKind::InvalidValue => "invalid-value",
            FaultKind::InvalidBuiltin => "invalid-builtin",
            FaultKind::MissingReturn => "missing-return",
            FaultKind::VlaBound => "vla-bound",
            FaultKind::UnexpectedNull => "unexpected-null",
            FaultKind::FunctionType => "function-type",
            FaultKind::Reported => "reported",
        }
    }
}

/// What a native run does at a fault.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum NativeEffect {
    /// It ends there, whatever the program does.
    Ends,
    /// The processor or `assert` raises a signal: it ends there, unless the program handles the
    /// signal.
    Signals,
    /// It may continue.
    MayContinue,
}

impl FaultKind {
    /// What a native run, without sanitizers, does at a fault of this kind.
    pub fn native_effect(self) -> NativeEffect {
        match self {
            FaultKind::Abort
            | FaultKind::KilledBySignal
            | FaultKind::Reported
            | FaultKind::Leak => NativeEffect::Ends,
            FaultKind::NullDereference
            | FaultKind::WriteToConstant
            | FaultKind::DivisionByZero
            | FaultKind::DivisionOverflow
            | FaultKind::Trap
            | FaultKind::AssertFailed => NativeEffect::Signals,
            _ => NativeEffect::MayContinue,
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
            assert_eq!(kind as usize, index, "{kind} is out of order, or another kind is missing");
            assert_eq!(FaultKind::by_name(kind.name()), Some(kind));
        }
        assert_eq!(FaultKind::ALL.last(), Some(&FaultKind::Reported));
        assert_eq!(FaultKind::by_name("unheard-of"), None);
    }
}
