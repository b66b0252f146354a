//! What `byway exec` can be told.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args;

use crate::flags::CheckFlag;
use crate::load::LoadFlags;
use byway_base::quantity;

/// The lines below the options.
pub const EXAMPLES: &str = "\
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

/// Its exit codes.
pub const EXIT_CODES: &str = "\
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
