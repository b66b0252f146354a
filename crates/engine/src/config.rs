//! What a run is told: plain data, resolved by the command line.

/// Checks beyond those that are always on.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Checks {
    /// Report accesses that break the alignment the source promised.
    pub alignment: bool,
    /// Report reads of bytes never written.
    pub uninitialised: bool,
    /// Report overflow of signed arithmetic.
    pub signed_overflow: bool,
    /// Report shifts by the width or more.
    pub shift: bool,
}

/// What becomes of long doubles that depend on input.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub enum LongDoubles {
    /// Integers, and shorter floats made longer, stay symbolic. Where anything else
    /// would be computed, or bits are looked at, the operands are fixed to a value each.
    #[default]
    Fixed,
    /// All are symbolic.
    Symbolic,
}

/// How to run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Config {
    /// Optional checks.
    pub checks: Checks,
    /// Stop after this many instructions.
    pub max_instructions: Option<u64>,
    /// What becomes of long doubles.
    pub long_doubles: LongDoubles,
    /// Bytes of memory the program may hold; an allocation beyond fails as malloc does.
    pub max_memory: u64,
    /// Calls that may be open at once before the stack counts as exhausted.
    pub max_frames: u32,
    /// Whether the user's code is watched for what it covers.
    pub coverage: bool,
    /// Whether states are copied often; an exploration sees to it by itself.
    pub forks: bool,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            checks: Checks::default(),
            max_instructions: None,
            long_doubles: LongDoubles::default(),
            max_memory: 4 << 30,
            max_frames: 100_000,
            coverage: false,
            forks: false,
        }
    }
}

/// What the program is started with.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Invocation {
    /// Its arguments; the first is its name.
    pub args: Vec<Vec<u8>>,
    /// Its environment, as `NAME=value`.
    pub env: Vec<Vec<u8>>,
    /// What of its input is symbolic: words that `runtime/src/symbolic_input.c`
    /// understands, such as `--sym-arg` and `3`.
    pub options: Vec<Vec<u8>>,
}

impl Invocation {
    /// All that was said of the program's arguments: those that stand, and options.
    pub fn words(&self) -> Vec<Vec<u8>> {
        self.args.iter().chain(&self.options).cloned().collect()
    }
}
