//! The configuration of a run: plain data, resolved by the command line.

use std::sync::Arc;

use crate::pure_functions::ExternalCalls;
use crate::underconstrained::UnconstrainedOptions;

/// Checks beyond those that are always on.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Checks {
    /// Report accesses that violate the alignment the source promises.
    pub alignment: bool,
    /// Report uninitialised values where they decide something.
    pub uninitialised: bool,
    /// Report overflow of signed arithmetic.
    pub signed_overflow: bool,
    /// Report shifts by the width or more.
    pub shift: bool,
    /// Report objects that nothing points to when the program exits.
    pub leak: bool,
}

impl Default for Checks {
    fn default() -> Checks {
        Checks {
            alignment: false,
            uninitialised: true,
            signed_overflow: false,
            shift: false,
            leak: false,
        }
    }
}

/// How long doubles that depend on input are handled.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub enum LongDoubles {
    /// Those converted from integers or shorter floats stay symbolic. Every other operation,
    /// and any access to their bits, concretises its operands.
    #[default]
    Fixed,
    /// All operations are symbolic.
    Symbolic,
}

/// What memory and variables of the user's code contain before they are set.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub enum UnsetMemory {
    /// Zeros, which are undefined if uninitialised values are reported.
    #[default]
    Zero,
    /// Symbolic input.
    Symbolic,
}

/// The configuration of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Config {
    /// Optional checks.
    pub checks: Checks,
    /// The instruction budget of a concrete run.
    pub max_instructions: Option<u64>,
    /// How symbolic long doubles are handled.
    pub long_doubles: LongDoubles,
    /// What the user's code reads before it is set.
    pub unset_memory: UnsetMemory,
    /// Bytes that the program may allocate; beyond them, `malloc` returns null.
    pub max_memory: u64,
    /// Bytes of the stack, for frames and local variables.
    pub max_stack: u64,
    /// The depth of calls at which the stack counts as exhausted.
    pub max_frames: u32,
    /// Whether coverage of the user's code is recorded.
    pub coverage: bool,
    /// Whether the values of the user's instructions are recorded, for comparing explorations.
    pub record_values: bool,
    /// The bounds of unconstrained input, for paths that start in a function.
    pub unconstrained: UnconstrainedOptions,
    /// Whether stacks of faults have the values of arguments.
    pub stack_arguments: bool,
    /// Whether inputs are asserted to have the bytes of the seed that a path follows. Then each seed
    /// has a first state of its own.
    pub pin_seeds: bool,
    /// Whether the branches of paths are reported with their tests.
    pub trace_branches: bool,
    /// The branches that paths must take. Behind the last one they are free.
    pub replay_path: Option<Arc<[bool]>>,
    /// Which functions without a body are called on the host.
    pub external_calls: ExternalCalls,
    /// Whether memory is optimised for forks. An exploration sets it.
    pub forks: bool,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            checks: Checks::default(),
            max_instructions: None,
            long_doubles: LongDoubles::default(),
            unset_memory: UnsetMemory::default(),
            max_memory: 4 << 30,
            max_stack: 8 << 20,
            max_frames: 1_000_000,
            coverage: false,
            record_values: false,
            unconstrained: UnconstrainedOptions::default(),
            stack_arguments: false,
            pin_seeds: false,
            trace_branches: false,
            replay_path: None,
            external_calls: ExternalCalls::default(),
            forks: false,
        }
    }
}

/// The arguments and environment of the program.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Invocation {
    /// The arguments; the first is the program's name.
    pub args: Vec<Vec<u8>>,
    /// The environment, as `NAME=value`.
    pub env: Vec<Vec<u8>>,
    /// Symbolic input, in the words that `runtime/src/symbolic_input.c` parses, such as
    /// `--sym-arg` and `3`.
    pub options: Vec<Vec<u8>>,
}

impl Invocation {
    /// The command line: concrete arguments, then the words of symbolic input.
    pub fn words(&self) -> Vec<Vec<u8>> {
        self.args.iter().chain(&self.options).cloned().collect()
    }
}
