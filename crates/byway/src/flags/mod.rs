//! The command line as it is typed: what there is to say, and the help that
//! teaches it. [`crate::config`] turns it into what the commands work with.

mod cover;
mod inspect;
mod lab;
mod minimize;
mod mutate;
mod native;
mod replay;
mod run;
mod symbolic;

pub use cover::{CompilerFlag, CoverFlags, PartialTestsFlag};
pub use inspect::{ShowFlags, StatsFlags};
pub use lab::LabFlags;
pub use minimize::MinimizeFlags;
pub use mutate::MutateFlags;
pub use native::NativeFlags;
pub use replay::ReplayFlags;
pub use run::{FeasibilityFlag, LongDoubleFlag, RunFlags};
pub use symbolic::SymbolicFlags;

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::quantity;

const EXIT_CODES: &str = "\
Exit codes:
  N    the program under test ended by itself with code N (0 to 255)
  1    the program did something it must not do; the fault is on standard error
  2    byway could not start: bad input, bad option, C that does not compile
  3    the program needs something byway does not support; the message names it
  4    the instruction budget (--max-instructions) was used up
  101  a bug in byway itself
  130  stopped by Ctrl-C
A fault, or an end other than the program's own, is always told on standard error
by a line that starts with 'error[' or 'byway:'.";

const OVERVIEW: &str = "\
Examples:
  byway run maze.c                 explore a C program; write a test for each path
  byway show byway-last 1          show the first of these tests
  byway exec hello.c               run a C program, once, as it is
  byway ir --function main hello.c show what byway makes of a function

'byway help run' and the like tell more.

Exit codes:
  0    done, and nothing found that is wrong ('exec' passes on the program's own code)
  1    the program has a fault
  2    byway could not work: bad input, bad option, C that does not compile
  101  a bug in byway itself
  130  stopped by Ctrl-C";

const EXEC_EXAMPLES: &str = "\
Examples:
  byway exec hello.c
      Compile, link with byway's C library, run.
  byway exec parse.c util.c -I include -D NDEBUG -- input.txt
      Several sources, options for the compiler, an argument for the program.
  byway exec --cflags '-std=c99 -Wall' -O2 prog.c < data
      Any option of clang; standard input is passed through.
  byway exec --check all prog.bc
      Bitcode from elsewhere (clang -g -emit-llvm -c), every check on.
  byway exec --host-files . sort.c -- -n numbers.txt
      Files below the working directory can be read, and seem to be written.
  byway exec --max-instructions 10M --stats loop.ll
      Stop after ten million instructions; say what the run took.

PROGRAM is one or more files, linked together:
  .c, .i         C, compiled with clang and debug information
  .bc, .o, .a    LLVM bitcode, or an archive of it
  .ll            LLVM IR as text
  .bwir          byway's own IR as text; a whole program, given alone

The program sees standard input, output and error, its arguments, the environment
given by --env (empty otherwise), the time, and the files in directories given by
--host-files. What it writes to files stays in its memory. It can touch nothing else.

Always checked: accesses out of bounds, to freed memory, to a function's locals
after its return, through null and wild pointers; writes to constants; double and
invalid frees; division by zero and its overflow; calls through bad function
pointers; unreachable code, abort, assert; stack exhaustion.
--check adds:
  alignment        accesses that break the alignment the source promised
  uninitialised    reads of bytes that were never written
  signed-overflow  overflow of signed arithmetic
  shift            shifts by the width of the value or more
  all              all of these";

const IR_EXAMPLES: &str = "\
Examples:
  byway ir --function main hello.c
      One function, each line with its place in the source.
  byway ir hello.bc --out hello.bwir
      The whole linked program into a file, which 'byway exec' runs too.
  byway ir -O2 --user sort.c | less
      Your own functions only, without the C library's.";

const FILES_AND_VARIABLES: &str = "\
Environment:
  BYWAY_CLANG        the C compiler to call (default: clang-22)
  BYWAY_LLVM         the bitcode reader (default: byway-llvm beside byway)
  BYWAY_RUNTIME_DIR  the C library as bitcode (default: byway-runtime beside byway)
  BYWAY_CACHE        where loaded programs are kept (default: ~/.cache/byway)
  NO_COLOR           no colours, whatever it is set to but nothing";

/// Explores the paths of programs compiled to LLVM bitcode, finds the inputs that
/// reach them, and says where they break.
#[derive(Parser, Debug)]
#[command(name = "byway", version, after_help = OVERVIEW)]
#[command(disable_help_subcommand = false, subcommand_required = true)]
pub struct Flags {
    /// What to do.
    #[command(subcommand)]
    pub command: CommandFlags,
}

/// The commands.
#[derive(Subcommand, Debug)]
pub enum CommandFlags {
    /// Explore the paths of a program; report faults, write tests
    #[command(after_help = format!(
        "{}\n\n{}\n\n{FILES_AND_VARIABLES}", run::examples(), run::EXIT_CODES
    ))]
    Run(Box<RunFlags>),
    /// Run a run's tests on the program compiled natively, and compare
    #[command(after_help = replay::EXAMPLES)]
    Replay(ReplayFlags),
    /// Measure what a run's tests cover of the sources, and tell why not the rest
    #[command(after_help = cover::EXAMPLES)]
    Cover(CoverFlags),
    /// Find the few tests of a run that cover what all of them do
    #[command(after_help = minimize::EXAMPLES)]
    Minimize(MinimizeFlags),
    /// Compare strategies: run an experiment and report it
    #[command(after_help = lab::EXAMPLES)]
    Lab(LabFlags),
    /// Measure how many small changes of the program a run's tests notice
    #[command(after_help = mutate::EXAMPLES)]
    Mutate(Box<MutateFlags>),
    /// Print a test for people
    #[command(after_help = inspect::SHOW_EXAMPLES)]
    Show(ShowFlags),
    /// Print what a run came to
    #[command(after_help = inspect::STATS_EXAMPLES)]
    Stats(StatsFlags),
    /// Run a program and report its first fault
    #[command(after_help = format!("{EXEC_EXAMPLES}\n\n{EXIT_CODES}\n\n{FILES_AND_VARIABLES}"))]
    Exec(ExecFlags),
    /// Print a program in byway's IR
    #[command(after_help = format!("{IR_EXAMPLES}\n\n{FILES_AND_VARIABLES}"))]
    Ir(IrFlags),
}

/// What `byway exec` can be told.
#[derive(Args, Debug)]
pub struct ExecFlags {
    /// Report these too: alignment, uninitialised, signed-overflow, shift, or all
    #[arg(
        long,
        alias = "checks",
        value_name = "CHECK,...",
        value_delimiter = ',',
        hide_possible_values = true,
        help_heading = "Running"
    )]
    pub check: Vec<CheckFlag>,

    /// Stop after this many instructions (k, M and G are understood)
    #[arg(long, value_name = "N", value_parser = quantity::parse_count, help_heading = "Running")]
    pub max_instructions: Option<u64>,

    /// Memory the program may hold; allocations beyond it fail
    #[arg(long, value_name = "SIZE", default_value = "4GiB", value_parser = quantity::parse_size,
          help_heading = "Running")]
    pub max_memory: u64,

    /// Calls that may be open at once; one more exhausts the stack
    #[arg(long, value_name = "N", default_value_t = 100_000, help_heading = "Running",
          value_parser = clap::value_parser!(u32).range(1..))]
    pub max_depth: u32,

    /// The program's own name, its argument 0 (default: the name of its first file)
    #[arg(long, value_name = "NAME", help_heading = "Running")]
    pub argv0: Option<OsString>,

    /// Put a variable into the program's environment; NAME alone passes yours on
    #[arg(long, value_name = "NAME[=VALUE]", help_heading = "Running")]
    pub env: Vec<OsString>,

    /// Show the program the files in this directory; it cannot change them. May be repeated
    #[arg(long, value_name = "DIR", help_heading = "Running")]
    pub host_files: Vec<PathBuf>,

    /// Say on standard error what the run took
    #[arg(long, help_heading = "Running")]
    pub stats: bool,

    /// How to come by the program.
    #[command(flatten)]
    pub load: LoadFlags,

    /// What the program gets as its arguments
    #[arg(last = true, value_name = "ARGS")]
    pub args: Vec<OsString>,
}

/// What `byway ir` can be told.
#[derive(Args, Debug)]
pub struct IrFlags {
    /// Print this function only; may be repeated
    #[arg(long, value_name = "NAME", help_heading = "Printing")]
    pub function: Vec<String>,

    /// Print the functions of the program itself, not the C library's
    #[arg(long, conflicts_with = "function", help_heading = "Printing")]
    pub user: bool,

    /// Write to this file instead of standard output
    #[arg(long, value_name = "FILE", help_heading = "Printing")]
    pub out: Option<PathBuf>,

    /// How to come by the program.
    #[command(flatten)]
    pub load: LoadFlags,
}

/// How to come by the program; the same for every command.
#[derive(Args, Debug)]
pub struct LoadFlags {
    /// The program: C sources, bitcode, or both
    #[arg(required = true, value_name = "PROGRAM")]
    pub program: Vec<PathBuf>,

    /// Search this directory for the headers of C sources
    #[arg(short = 'I', value_name = "DIR", help_heading = "Compiling C")]
    pub include: Vec<OsString>,

    /// Define a macro for C sources
    #[arg(short = 'D', value_name = "NAME[=VALUE]", help_heading = "Compiling C")]
    pub define: Vec<OsString>,

    /// Optimise C sources
    #[arg(short = 'O', value_name = "LEVEL", default_value = "0", help_heading = "Compiling C",
          value_parser = ["0", "1", "2"])]
    pub optimise: String,

    /// Give clang these options, e.g. '-std=c99 -Wall'; may be repeated
    #[arg(long, value_name = "OPTIONS", allow_hyphen_values = true, help_heading = "Compiling C")]
    pub cflags: Vec<String>,

    /// Use the C library and headers in this directory
    #[arg(long, value_name = "DIR", help_heading = "Loading")]
    pub runtime: Option<PathBuf>,

    /// Neither look in the cache nor add to it
    #[arg(long, help_heading = "Loading")]
    pub no_cache: bool,

    /// Give up on compiling or loading after this long
    #[arg(long, value_name = "SECONDS", default_value_t = 300, help_heading = "Loading",
          value_parser = clap::value_parser!(u64).range(1..))]
    pub load_timeout: u64,

    /// Use colours: auto (on a terminal, unless NO_COLOR is set), always or never
    #[arg(long, value_name = "WHEN", value_enum, default_value_t = ColorFlag::Auto,
          hide_possible_values = true)]
    pub color: ColorFlag,
}

/// A check that is off unless asked for.
#[derive(Copy, Clone, PartialEq, Eq, Debug, ValueEnum)]
pub enum CheckFlag {
    /// Accesses that break the alignment the source promised
    Alignment,
    /// Reads of bytes that were never written
    #[value(alias = "uninitialized")]
    Uninitialised,
    /// Overflow of signed arithmetic
    SignedOverflow,
    /// Shifts by the width of the value or more
    Shift,
    /// All of these
    All,
}

/// When to use colours.
#[derive(Copy, Clone, PartialEq, Eq, Debug, ValueEnum)]
pub enum ColorFlag {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_definition_is_sound() {
        Flags::command().debug_assert();
    }

    #[test]
    fn the_programs_arguments_follow_two_dashes() {
        let flags = Flags::parse_from(["byway", "exec", "a.c", "b.c", "--", "-x", "c"]);
        let CommandFlags::Exec(exec) = flags.command else { panic!("exec was asked for") };
        assert_eq!(exec.load.program.len(), 2);
        assert_eq!(exec.args, ["-x", "c"]);
    }

    #[test]
    fn the_compilers_options_are_written_as_for_the_compiler() {
        let flags = Flags::parse_from([
            "byway",
            "exec",
            "-Iinc",
            "-DX=1",
            "-O2",
            "--cflags",
            "-std=c99 -w",
            "a.c",
        ]);
        let CommandFlags::Exec(exec) = flags.command else { panic!("exec was asked for") };
        assert_eq!(exec.load.include, ["inc"]);
        assert_eq!(exec.load.define, ["X=1"]);
        assert_eq!(exec.load.optimise, "2");
        assert_eq!(exec.load.cflags, ["-std=c99 -w"]);
    }
}
