//! What `byway run` can be told.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};

use crate::flags::{CheckFlag, SymbolicFlags};
use crate::load::LoadFlags;
use byway_base::quantity;

/// The lines below the options.
pub fn examples() -> String {
    let searchers: String = byway_search::help().lines().map(|l| format!("  {l}\n")).collect();
    format!(
        "\
Examples:
  byway run maze.c
      Explore every path; write a test for each into byway-out-1 beside maze.c.
  byway run --max-time 10m --search dfs --search random-path parse.c -- -x
      Ten minutes, two searchers by turns, an argument for the program.
  byway run --max-work 50M --seed 7 prog.bc
      Limited in work, not in time: every such run gives the same tests.
  byway run -j 8 parse.c
      Eight workers that share the work: the same paths, in another order each time.
  byway run --only-covering-new --max-faults 1 prog.c
      Few tests; stop at the first fault.
  byway run --seed-dir queue --sym-stdin 64 parse.bc
      Follow what a fuzzer found first, and explore around it.
  byway run --sym-args 0 2 4 --sym-files 1 8 --sym-stdin 8 cut.bc
      A program as it is: up to two arguments of four bytes, a file A of eight and
      standard input are input. docs/symbolic-input.md has more.

What else the program takes as input is said in the program itself:
  #include <byway.h>                           or <klee/klee.h>
  int x;
  byway_make_symbolic(&x, sizeof x, \"x\");     klee_make_symbolic(&x, sizeof x, \"x\");

Searchers (--search):
{searchers}
'byway show TEST' prints a test, 'byway stats RUN' what a run came to; the file
docs/run-directory.md tells what a run writes."
    )
}

/// The exit codes of `byway run`.
pub const EXIT_CODES: &str = "\
Exit codes:
  0    explored, within the limits given, and found no fault
  1    found faults; each is told on standard error when it is first found
  2    could not work: bad input, bad option, an output directory that cannot be written
  3    no path could be followed: each needs something byway does not have, such as a file that
       was not given
  101  a bug in byway itself, or a wrong answer of the solver (--solver-check)
  130  stopped by Ctrl-C; what was found is written. Twice: ends at once";

/// What `byway run` can be told.
#[derive(Args, Debug)]
pub struct RunFlags {
    /// Write the results into this directory, which must be empty or not there
    /// (default: byway-out-N beside the program)
    #[arg(long, value_name = "DIR", help_heading = "Results")]
    pub output_dir: Option<PathBuf>,

    /// Write a test only if it covers something new or shows a new fault
    #[arg(long, help_heading = "Results")]
    pub only_covering_new: bool,

    /// Write no tests
    #[arg(long, conflicts_with_all = ["only_covering_new", "max_tests"], help_heading = "Results")]
    pub no_tests: bool,

    /// How often statistics are written
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = quantity::parse_time,
          help_heading = "Results")]
    pub stats_interval: Duration,

    /// How to choose where to go on; several take turns (see below)
    #[arg(long, value_name = "SEARCHER", default_value = "auto", help_heading = "Exploring")]
    pub search: Vec<String>,

    /// Which of equally travelled paths every sgs in --search takes, unless it says so itself:
    /// random, latest, or what a searcher would run
    #[arg(long, value_name = "TIES", help_heading = "Exploring")]
    pub ties: Option<String>,

    /// When to ask whether the other side of a fork is possible: at the fork (eager, the
    /// default) or when it is its turn (lazy, and always so with concolic searchers)
    #[arg(
        long,
        value_name = "WHEN",
        value_enum,
        hide_possible_values = true,
        help_heading = "Exploring"
    )]
    pub feasibility: Option<FeasibilityFlag>,

    /// What to do with long doubles that depend on input: fix their values, all but integers
    /// and shorter floats made longer (fixed), or solve for them (symbolic)
    #[arg(long, value_name = "HOW", value_enum, default_value_t = LongDoubleFlag::Fixed,
          hide_possible_values = true, help_heading = "Exploring")]
    pub long_double: LongDoubleFlag,

    /// Where every random choice comes from
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Exploring")]
    pub seed: u64,

    /// Explore with this many workers at once, each a thread
    #[arg(long, short, value_name = "N", default_value_t = 1, help_heading = "Exploring",
          value_parser = clap::value_parser!(u16).range(1..=256))]
    pub jobs: u16,

    /// Begin with the inputs in this directory: tests (*.ktest), command lines (*.args),
    /// and any other file as standard input, file A or the first object; may be repeated
    #[arg(long, value_name = "DIR", help_heading = "Exploring")]
    pub seed_dir: Vec<PathBuf>,

    /// Report these too: alignment, uninitialised, signed-overflow, shift, or all
    #[arg(
        long,
        alias = "check",
        value_name = "CHECK,...",
        value_delimiter = ',',
        hide_possible_values = true,
        help_heading = "Exploring"
    )]
    pub checks: Vec<CheckFlag>,

    /// The program's own name, its argument 0 (default: the name of its first file)
    #[arg(long, value_name = "NAME", help_heading = "Exploring")]
    pub argv0: Option<OsString>,

    /// Put a variable into the program's environment; NAME alone passes yours on
    #[arg(long, value_name = "NAME[=VALUE]", help_heading = "Exploring")]
    pub env: Vec<OsString>,

    /// Show the program the files in this directory; it cannot change them. May be repeated
    #[arg(long, value_name = "DIR", help_heading = "Exploring")]
    pub host_files: Vec<PathBuf>,

    /// What of the program's world is input.
    #[command(flatten)]
    pub symbolic: SymbolicFlags,

    /// Stop after this time, such as 30s, 10m or 1h30m
    #[arg(long, value_name = "TIME", value_parser = quantity::parse_time, help_heading = "Limits")]
    pub max_time: Option<Duration>,

    /// Stop after this much time of the processor, all threads together: as --max-time, but
    /// other programs on the machine do not count
    #[arg(long, value_name = "TIME", value_parser = quantity::parse_time, help_heading = "Limits")]
    pub max_cpu: Option<Duration>,

    /// Stop after this much work: one for an instruction (and for each KiB that memory is copied or
    /// set by), 50 for a call of the solver (k, M and G are understood)
    #[arg(long, value_name = "N", value_parser = quantity::parse_count, help_heading = "Limits")]
    pub max_work: Option<u64>,

    /// Stop after writing this many tests
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..),
          help_heading = "Limits")]
    pub max_tests: Option<u64>,

    /// Stop after finding this many different faults
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..),
          help_heading = "Limits")]
    pub max_faults: Option<u64>,

    /// Memory for all of the run (docs/memory.md); beyond it states are dropped
    #[arg(long, value_name = "SIZE", default_value = "2GiB", value_parser = quantity::parse_size,
          help_heading = "Limits")]
    pub max_memory: u64,

    /// States that may live at once; beyond it states are dropped
    #[arg(long, value_name = "N", value_parser = quantity::parse_count, help_heading = "Limits")]
    pub max_states: Option<u64>,

    /// Forks that may lie on a path; one more and it is dropped
    #[arg(long, value_name = "N", help_heading = "Limits",
          value_parser = clap::value_parser!(u32).range(1..))]
    pub max_depth: Option<u32>,

    /// Time for one query of the solver; beyond it the answer counts as unknown
    #[arg(long, value_name = "TIME", value_parser = quantity::parse_time, help_heading = "Limits")]
    pub max_solver_time: Option<Duration>,

    /// Steps of the solver for one query: as --max-solver-time, but the same each time [default:
    /// by the size of the query, for some seconds]
    #[arg(long, value_name = "N", value_parser = quantity::parse_count, help_heading = "Limits")]
    pub solver_effort: Option<u64>,

    /// Instructions one path may take; one more and it ends, with its test
    #[arg(long, value_name = "N", value_parser = quantity::parse_count, help_heading = "Limits")]
    pub path_instructions: Option<u64>,

    /// Memory the program may hold on a path; allocations beyond it fail
    #[arg(long, value_name = "SIZE", default_value = "4GiB", value_parser = quantity::parse_size,
          help_heading = "Limits")]
    pub path_memory: u64,

    /// Calls that may be open at once; one more exhausts the stack
    #[arg(long, value_name = "N", default_value_t = 100_000, help_heading = "Limits",
          value_parser = clap::value_parser!(u32).range(1..))]
    pub path_calls: u32,

    /// Compare every answer of the solver with that of a bare backend (slow)
    #[arg(long, help_heading = "Looking closer")]
    pub solver_check: bool,

    /// Write every query of the solver into this directory, as SMT-LIB
    #[arg(long, value_name = "DIR", help_heading = "Looking closer")]
    pub log_queries: Option<PathBuf>,

    /// How to come by the program.
    #[command(flatten)]
    pub load: LoadFlags,

    /// What the program gets as its arguments; --sym-arg and its kin are understood
    /// among them
    #[arg(last = true, value_name = "ARGS")]
    pub args: Vec<OsString>,
}

/// What becomes of long doubles.
#[derive(Copy, Clone, PartialEq, Eq, Debug, ValueEnum)]
pub enum LongDoubleFlag {
    /// Fixed to one value each, all but those that are simple
    Fixed,
    /// All left to the solver
    Symbolic,
}

/// When forks are decided.
#[derive(Copy, Clone, PartialEq, Eq, Debug, ValueEnum)]
pub enum FeasibilityFlag {
    /// At the fork
    Eager,
    /// When the state is picked
    Lazy,
}
