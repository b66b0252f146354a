//! Why a path ends without a result: a feature that Byway lacks, or a bug of Byway itself.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A feature that the program needs and Byway lacks. Its text is stable: the run directory
/// counts paths by it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum UnsupportedFeature {
    /// An instruction, a type or inline assembly, as the loader describes it.
    Instruction(String),
    /// A function that none of the input files defines, by its name.
    Function(String),
    /// A symbolic argument of a function of the host, by the function's name.
    SymbolicArgument(String),
    /// A part of the operating system that the runtime does not model, or a request of the
    /// program itself, as they describe it: "system call fork".
    Runtime(String),
    /// A symbolic input of this many bytes.
    InputSize(u64),
    /// An object at this address, which is in use.
    FixedAddress(u64),
    /// A program without an entry function.
    NoMain,
    /// More arguments and environment than the memory limit allows.
    ArgumentsTooLarge,
    /// More functions and labels than there are code addresses.
    TooManyFunctions(u64),
    /// A global variable beyond the memory limit.
    GlobalTooLarge {
        /// Its name.
        name: String,
        /// Its size.
        bytes: u64,
    },
    /// An initialiser longer than the global variable of this name.
    InitialiserTooLarge(String),
}

impl fmt::Display for UnsupportedFeature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UnsupportedFeature::Instruction(text) | UnsupportedFeature::Runtime(text) => {
                f.write_str(text)
            }
            UnsupportedFeature::Function(name) => {
                write!(f, "function '{name}', which none of the given files defines")
            }
            UnsupportedFeature::SymbolicArgument(name) => {
                write!(f, "a symbolic argument of the external function '{name}'")
            }
            UnsupportedFeature::InputSize(bytes) => write!(f, "symbolic input of {bytes} bytes"),
            UnsupportedFeature::FixedAddress(address) => {
                write!(f, "an object at address {address:#x}, where something is")
            }
            UnsupportedFeature::NoMain => f.write_str("a program without main"),
            UnsupportedFeature::ArgumentsTooLarge => {
                f.write_str("the program's arguments do not fit into its memory")
            }
            UnsupportedFeature::TooManyFunctions(count) => {
                write!(f, "the program has {count} functions and labels, which is too many")
            }
            UnsupportedFeature::GlobalTooLarge { name, bytes } => {
                write!(f, "the global '{name}' of {bytes} bytes does not fit")
            }
            UnsupportedFeature::InitialiserTooLarge(name) => {
                write!(f, "the initialiser of '{name}' exceeds it")
            }
        }
    }
}

/// An invariant of Byway that does not hold: a bug of Byway, never of the program.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum InternalErrorKind {
    /// An operation that handles symbolic values found one it does not, or a concrete run
    /// found any.
    SymbolicValue,
    /// A frame returned to an operation that is no call.
    ReturnWithoutCall,
    /// A worker replayed a path that another worker sent, and it took another course.
    ReplayDiverged,
}

impl InternalErrorKind {
    /// The stable machine-readable name.
    pub fn name(self) -> &'static str {
        match self {
            InternalErrorKind::SymbolicValue => "symbolic-value",
            InternalErrorKind::ReturnWithoutCall => "return-without-call",
            InternalErrorKind::ReplayDiverged => "replay-diverged",
        }
    }
}

impl fmt::Display for InternalErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            InternalErrorKind::SymbolicValue => {
                "a symbolic value where the engine expects a concrete one"
            }
            InternalErrorKind::ReturnWithoutCall => "a return to an operation that is no call",
            InternalErrorKind::ReplayDiverged => "a path that another job could not follow",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Run directories of earlier versions count by the same texts.
    #[test]
    fn texts_of_features_are_stable() {
        let texts = [
            (UnsupportedFeature::Instruction("instruction x".into()), "instruction x"),
            (UnsupportedFeature::Runtime("system call fork".into()), "system call fork"),
            (
                UnsupportedFeature::Function("f".into()),
                "function 'f', which none of the given files defines",
            ),
            (UnsupportedFeature::InputSize(7), "symbolic input of 7 bytes"),
            (
                UnsupportedFeature::FixedAddress(4096),
                "an object at address 0x1000, where something is",
            ),
            (UnsupportedFeature::NoMain, "a program without main"),
        ];
        for (feature, text) in texts {
            assert_eq!(feature.to_string(), text);
        }
    }
}
