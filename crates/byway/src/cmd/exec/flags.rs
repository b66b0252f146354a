//! Options and help of `byway exec`.

use std::ffi::OsString;

use byway_base::quantity;
use clap::Args;

use crate::flags::{CheckFlags, InvocationFlags};
use crate::load::LoadFlags;

pub const EXAMPLES: &str = "\
Examples:
  byway exec hello.c
      Compile, link with Byway's C library, run.
  byway exec parse.c util.c -I include -D NDEBUG -- input.txt
      Several sources, compiler options, an argument for the program.
  byway exec --cflags '-std=c99 -Wall' -O2 prog.c < data
      Any option of clang; the program reads byway's standard input.
  byway exec --checks all prog.bc
      Existing bitcode (clang -g -emit-llvm -c), with all checks.
  byway exec --host-files . sort.c -- -n numbers.txt
      The program can read the files in the working directory.
  byway exec --max-instructions 10M --stats loop.ll
      Stop after ten million instructions; print statistics.

PROGRAM is one or more files, linked together:
  .c, .i         C, compiled by clang with debug information
  .bc, .o, .a    LLVM bitcode, or an archive of it
  an executable  or a library or object, built with 'byway cc': its bitcode
  .ll            LLVM IR as text
  .bwir          Byway's own IR as text: a whole program, given alone

The program sees its arguments, standard input, output and error, the time, the
variables set by --env and the files in directories given by --host-files. It cannot
change anything on this machine: what it writes to files stays in memory.";

pub const EXIT_CODES: &str = "\
Exit codes:
  N    the program ended by itself with exit code N (0 to 255)
  1    the program has a fault; it is reported on standard error
  2    bad input, bad option, or C that does not compile
  3    the program needs a feature that Byway does not support; the message names it
  4    the instruction limit (--max-instructions) was reached
  101  a bug in Byway, or an access that the points-to analysis misses (--check-points-to)
  130  stopped by Ctrl-C
To tell the program's own codes from these: faults and other abnormal ends print a line
that starts with 'error[' or 'byway:' on standard error.";

#[derive(Args, Debug)]
pub struct ExecFlags {
    /// Stop after this many instructions (suffixes k, M, G)
    #[arg(long, value_name = "N", value_parser = quantity::parse_count)]
    pub max_instructions: Option<u64>,

    /// Memory that the program may allocate; allocations beyond it fail
    #[arg(long, alias = "max-memory", value_name = "SIZE", default_value = "4GiB",
          value_parser = quantity::parse_size)]
    pub max_program_memory: u64,

    /// The stack of the program: local variables, and at least 32 bytes for each call
    #[arg(long, value_name = "SIZE", default_value = "8MiB", value_parser = quantity::parse_size)]
    pub max_stack: u64,

    /// Nested calls, if --max-stack has room for them; one more exhausts the stack
    #[arg(long, alias = "max-depth", value_name = "N", default_value_t = 1_000_000,
          value_parser = clap::value_parser!(u32).range(1..))]
    pub max_call_depth: u32,

    /// Print statistics on standard error
    #[arg(long)]
    pub stats: bool,

    /// Check the points-to analysis against what the program accesses: a test of Byway itself
    #[arg(long)]
    pub check_points_to: bool,

    #[command(flatten)]
    pub checks: CheckFlags,

    #[command(flatten)]
    pub invocation: InvocationFlags,

    #[command(flatten)]
    pub load: LoadFlags,

    /// Arguments of the program
    #[arg(last = true, value_name = "ARGS")]
    pub args: Vec<OsString>,
}
