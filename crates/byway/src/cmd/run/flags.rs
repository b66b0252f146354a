//! Options and help of `byway run`.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use byway_base::quantity;
use byway_native::inputs::InputSource;
use clap::{Args, ValueEnum};

use crate::flags::{CheckFlags, EntryFlags, InvocationFlags, ShareFlags, SymbolicFlags};
use crate::load::LoadFlags;

/// The help below the options, with the list of searchers.
/// How many tests are files: a number, or `all`.
fn parse_test_files(text: &str) -> Result<u64, String> {
    match text {
        "all" => Ok(u64::MAX),
        "0" => Ok(0),
        _ => quantity::parse_count(text)
            .map_err(|_| "expected 'all' or a number such as 0, 256 or 10k".into()),
    }
}

pub fn examples() -> String {
    let indented = |text: String| -> String { text.lines().map(|l| format!("  {l}\n")).collect() };
    let searchers = indented(byway_search::help());
    let pruners = indented(byway_search::pruner::pruner_help());
    let campaigns = super::campaign::help();
    format!(
        "\
Examples:
  byway run maze.c
      Explore all paths; write a test for each into byway-out-1 next to maze.c.
  byway run --max-time 10m --search dfs --search random-path parse.c -- -x
      Ten minutes, two searchers in turn, an argument for the program.
  byway run --sym-args 0 2 4 --sym-files 1 8 --sym-stdin 8 cut.bc
      An unmodified program: up to two arguments of four bytes, a file A of eight bytes
      and standard input are symbolic. See docs/symbolic-input.md.
  byway run --only-covering-new --max-faults 1 prog.c
      Few tests; stop at the first fault.
  byway run -j 8 parse.c
      Eight workers: the same paths, in a different order each time.
  byway run --require-complete --max-time 5m prog.c
      In a CI job: exit code 0 only if every path was explored and none has a fault.
  byway run --max-work 50M --seed 7 prog.bc
      A limit on work instead of time: every such run writes the same tests.
  byway run --prune homi --max-memory 500M --max-time 8h --sym-args 0 2 8 --sym-stdin 32 prog.bc
      A long run that drops the states from which little is expected. See docs/pruning.md.
  byway run --campaign sgs:combined --max-time 1h --sym-stdin 64 parse.bc
      Four searchers in turn, 15 minutes each from the program's start; their tests united.
  byway run --resume byway-last --max-time 8h
      Go on with that run tomorrow. See docs/long-runs.md.
  byway run --seed-dir queue --sym-stdin 64 parse.bc
      Start from the inputs that a fuzzer found.
  byway run --since HEAD~1 --sym-stdin 64 parse.c
      Only what the last commit and edits since then can affect. See docs/changes.md.
  byway run --since main --against old/parse.bc --sym-stdin 64 parse.bc
      Also run the tests on the old build, and report how it differs.

A program can also declare its own symbolic input:
  #include <byway.h>                           or <klee/klee.h>
  int x;
  byway_make_symbolic(&x, sizeof x, \"x\");     klee_make_symbolic(&x, sizeof x, \"x\");

Searchers (--search):
{searchers}
Pruners (--prune), which work with every searcher:
{pruners}
Ready campaigns (--campaign); docs/long-runs.md describes files:
{campaigns}
'byway show TEST' prints a test, 'byway stats RUN' a summary of the run;
docs/run-directory.md describes the files that a run writes."
    )
}

pub const EXIT_CODES: &str = "\
Exit codes:
  0    no fault found within the given limits
  1    faults found; each is reported on standard error when it is first found; or the
       program differs from the build of --against
  2    bad input, bad option, or the results cannot be written, as on a full disk
  3    every path ended at a feature that Byway does not support, or an undefined function
  5    no fault found, but not everything was explored (--require-complete only)
  101  a bug in Byway, or a wrong solver answer (--solver-check)
  130  stopped by Ctrl-C; the results so far are written. A second Ctrl-C ends at once";

/// The options of `byway run`: those of every exploration, those about a change, and those about
/// going on.
#[derive(Args, Debug)]
pub struct RunCommandFlags {
    #[command(flatten)]
    pub resume: ResumeFlags,

    #[command(flatten)]
    pub change: ChangeFlags,

    #[command(flatten)]
    pub run: RunFlags,
}

#[derive(Args, Debug)]
pub struct ResumeFlags {
    /// Go on with a run that ended before everything was explored: by a limit, Ctrl-C, a kill or a
    /// power cut. Its program and options are those it began with; limits, searchers, the pruner
    /// and -j may be given anew
    #[arg(long, value_name = "RUN", conflicts_with = "output_dir", help_heading = "Long runs")]
    pub resume: Option<PathBuf>,

    /// Explore in several runs that share one directory and one account of coverage: those of a
    /// file (CAMPAIGN.toml), or a ready campaign (see the list below). --max-time, --max-cpu and
    /// --max-work are the limits of all together
    #[arg(long, value_name = "CAMPAIGN", conflicts_with = "resume", help_heading = "Long runs")]
    pub campaign: Option<String>,

    /// Processor time between two checkpoints, from which --resume goes on; 0s for none
    #[arg(long, value_name = "TIME", default_value = "10s",
          value_parser = quantity::parse_time_or_zero, help_heading = "Long runs")]
    pub checkpoint_interval: Duration,
}

#[derive(Args, Debug)]
pub struct ChangeFlags {
    /// Explore only what these lines can affect: FILE:LINE or FILE:FIRST-LAST; may be repeated.
    /// Implies --reduce dgse
    #[arg(long, value_name = "LINES", help_heading = "Testing a change")]
    pub changed: Vec<String>,

    /// Explore only what the lines can affect that differ from a git revision, such as HEAD~1.
    /// Implies --reduce dgse
    #[arg(long, value_name = "REV", help_heading = "Testing a change")]
    pub since: Option<String>,

    /// Run every test on this build too, and report where the two differ: bitcode, or C compiled
    /// with the same options; may be repeated, for a program of several files
    #[arg(long, value_name = "OLD", help_heading = "Testing a change")]
    pub against: Vec<PathBuf>,
}

#[derive(Args, Debug)]
pub struct RunFlags {
    /// Stop after this time, such as 30s, 10m or 1h30m
    #[arg(long, value_name = "TIME", value_parser = quantity::parse_time)]
    pub max_time: Option<Duration>,

    /// Search strategy; several take turns (see the list below)
    #[arg(long, value_name = "SEARCHER")]
    pub search: Vec<String>,

    /// Drop states before they fill the memory (see the list below): homi learns which ones lead to
    /// new coverage
    #[arg(long, value_name = "PRUNER")]
    pub prune: Option<String>,

    /// Skip paths that cannot show anything new: dgse follows the dependences of the program,
    /// and finds the same faults and the same values at every statement with fewer paths. It
    /// explores all paths where too few can be skipped; dgse-always skips even these
    #[arg(long, value_name = "HOW", value_enum, hide_possible_values = true)]
    pub reduce: Option<ReduceFlag>,

    /// Explore only what leads to this target: FILE:LINE, the name of a function, or errors
    /// (every assert, abort and the like); may be repeated. Stops when a test reaches each
    #[arg(long, value_name = "TARGET")]
    pub target: Vec<String>,

    /// Number of workers, each a thread
    #[arg(long, short, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u16).range(1..=256))]
    pub jobs: u16,

    /// Write the results into this directory, which must be empty or new
    /// (default: byway-out-N next to the program)
    #[arg(long, value_name = "DIR")]
    pub output_dir: Option<PathBuf>,

    /// Write a test only if it covers new code or shows a new fault
    #[arg(long)]
    pub only_covering_new: bool,

    /// Start from the inputs in this directory: tests (*.ktest), command lines (*.args),
    /// and any other file as standard input, file A or the first object; may be repeated
    #[arg(long, value_name = "DIR")]
    pub seed_dir: Vec<PathBuf>,

    /// Start from this input, likewise; may be repeated
    #[arg(long, value_name = "FILE")]
    pub seed_file: Vec<PathBuf>,

    /// Take these branches: a file with 1 or 0 for each conditional branch in turn, as klee
    /// --write-paths writes it. Behind the last one, all paths are explored
    #[arg(long, value_name = "FILE", conflicts_with_all = ["seed_dir", "seed_file", "learn_from", "reduce"])]
    pub replay_path: Option<PathBuf>,

    /// Follow the seeds, and explore nothing else
    #[arg(long)]
    pub only_seeds: bool,

    /// Follow the seeds before all else for this time; then they take turns with other states
    #[arg(long, value_name = "TIME", value_parser = quantity::parse_time)]
    pub seed_time: Option<Duration>,

    /// Assert that inputs have the bytes of their seeds: the path of each seed runs, and nothing forks
    #[arg(long)]
    pub pin_seeds: bool,

    /// Explore around a concrete call: make the given arguments symbolic, the files that they name, and
    /// standard input if it is a file, and begin with the given values
    #[arg(long)]
    pub zest: bool,

    /// Start from the tests of this run, of this version of the program or an older one, and from
    /// what its searcher and pruner have learnt; may be repeated
    #[arg(long, value_name = "RUN", help_heading = "Long runs")]
    pub learn_from: Vec<PathBuf>,

    #[command(flatten)]
    pub symbolic: SymbolicFlags,

    #[command(flatten)]
    pub entry: EntryFlags,

    /// Stop after this much processor time, summed over all threads
    #[arg(long, value_name = "TIME", value_parser = quantity::parse_time, help_heading = "Limits")]
    pub max_cpu: Option<Duration>,

    /// Stop after this much work: 1 per instruction and per KiB of memory copied or set, 50
    /// per solver call (suffixes k, M, G). Runs with the same limit write the same tests
    #[arg(long, value_name = "N", value_parser = quantity::parse_count, help_heading = "Limits")]
    pub max_work: Option<u64>,

    /// Stop after this many instructions, those of the C library included
    #[arg(long, value_name = "N", value_parser = quantity::parse_count, help_heading = "Limits")]
    pub max_instructions: Option<u64>,

    /// Fork this many times; from then on a state follows one case, the others are dropped
    #[arg(long, value_name = "N", help_heading = "Limits")]
    pub max_forks: Option<u64>,

    #[command(flatten)]
    pub shares: ShareFlags,

    /// Stop after writing this many tests
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..),
          help_heading = "Limits")]
    pub max_tests: Option<u64>,

    /// Stop after finding this many distinct faults
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..),
          help_heading = "Limits")]
    pub max_faults: Option<u64>,

    /// Memory of the whole process, such as 512MiB; beyond it states are dropped, and allocations
    /// of the program fail (docs/memory.md)
    #[arg(long, value_name = "SIZE", default_value = "2GiB", value_parser = quantity::parse_size,
          help_heading = "Limits")]
    pub max_memory: u64,

    /// Live states; at a fork beyond it a state follows one case, the others are dropped
    #[arg(long, value_name = "N", value_parser = quantity::parse_count, help_heading = "Limits")]
    pub max_states: Option<u64>,

    /// Forks on a path; at the next one it follows one case, the others are dropped
    #[arg(long, value_name = "N", help_heading = "Limits",
          value_parser = clap::value_parser!(u32).range(1..))]
    pub max_depth: Option<u32>,

    /// Instructions on a path; a longer path ends, with a test
    #[arg(long, alias = "path-instructions", value_name = "N",
          value_parser = quantity::parse_count, help_heading = "Limits")]
    pub max_path_instructions: Option<u64>,

    /// Memory that the program may allocate; allocations beyond it fail
    #[arg(long, alias = "path-memory", value_name = "SIZE", default_value = "4GiB",
          value_parser = quantity::parse_size, help_heading = "Limits")]
    pub max_program_memory: u64,

    /// The stack of the program: local variables, and at least 32 bytes for each call
    #[arg(long, value_name = "SIZE", default_value = "8MiB", value_parser = quantity::parse_size,
          help_heading = "Limits")]
    pub max_stack: u64,

    /// Nested calls, if --max-stack has room for them; one more exhausts the stack
    #[arg(long, alias = "path-calls", value_name = "N", default_value_t = 1_000_000,
          help_heading = "Limits", value_parser = clap::value_parser!(u32).range(1..))]
    pub max_call_depth: u32,

    /// Time of one solver query; a longer query counts as undecided
    #[arg(long, value_name = "TIME", value_parser = quantity::parse_time, help_heading = "Limits")]
    pub max_solver_time: Option<Duration>,

    /// Solver steps of one query: as --max-solver-time, but deterministic [default: some
    /// seconds' worth, depending on the size of the query]
    #[arg(long, alias = "solver-effort", value_name = "N", value_parser = quantity::parse_count,
          help_heading = "Limits")]
    pub max_solver_effort: Option<u64>,

    /// What greedy makes random inputs of, separated by commas: uniform bytes (uniform), the
    /// constants that the program compares with (words), mutations of its tests (mutations)
    #[arg(
        long,
        value_name = "KINDS",
        value_enum,
        value_delimiter = ',',
        hide_possible_values = true,
        default_value = "uniform,words,mutations",
        help_heading = "Search"
    )]
    pub random_inputs: Vec<RandomInputFlag>,

    /// Run random inputs on the engine, not compiled for this machine
    #[arg(long, help_heading = "Search")]
    pub interpret_inputs: bool,

    /// How sgs chooses among subpaths that were taken equally often: random, latest, or a
    /// searcher; an sgs in --search can name its own
    #[arg(long, value_name = "TIES", help_heading = "Search")]
    pub ties: Option<String>,

    /// When to ask the solver about the successors of a fork: at the fork (eager, the
    /// default) or when a successor is picked (lazy; always so with concolic searchers)
    #[arg(
        long,
        value_name = "WHEN",
        value_enum,
        hide_possible_values = true,
        help_heading = "Search"
    )]
    pub feasibility: Option<FeasibilityFlag>,

    /// Long doubles that depend on input: concretise them, except those converted from
    /// integers or shorter floats (fixed), or solve for them (symbolic)
    #[arg(long, value_name = "HOW", value_enum, default_value_t = LongDoubleFlag::Fixed,
          hide_possible_values = true, help_heading = "Search")]
    pub long_double: LongDoubleFlag,

    /// Memory and variables of the program's own code that are read before they are set: zero,
    /// and reported where that matters (zero), or symbolic input (symbolic)
    #[arg(long, value_name = "HOW", value_enum, default_value_t = UnsetMemoryFlag::Zero,
          hide_possible_values = true, help_heading = "Program")]
    pub unset_memory: UnsetMemoryFlag,

    /// Functions that no file defines: their paths end (none), or pure functions of this machine's
    /// C library are called, with concrete arguments (concrete) or also with symbolic ones, which are
    /// fixed (all)
    #[arg(long, value_name = "WHICH", value_enum, default_value_t = ExternalCallsFlag::None,
          hide_possible_values = true, help_heading = "Program")]
    pub external_calls: ExternalCallsFlag,

    /// Seed of all random choices
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Search")]
    pub seed: u64,

    /// Write no tests
    #[arg(long, conflicts_with_all = ["only_covering_new", "max_tests"], help_heading = "Results")]
    pub no_tests: bool,

    /// Make files of this many tests, or all; the others are in RUN/tests.pack, where byway's
    /// commands find them ('byway export' makes files of them)
    #[arg(long, value_name = "N", default_value = "100", value_parser = parse_test_files,
          help_heading = "Results")]
    pub test_files: u64,

    /// Which paths that a limit cuts short get a test: those that cover new code, the best
    /// first (covering-new), all or none
    #[arg(long, value_name = "WHICH", value_enum, default_value_t = UnfinishedTestsFlag::CoveringNew,
          hide_possible_values = true, help_heading = "Results")]
    pub unfinished_tests: UnfinishedTestsFlag,

    /// End with exit code 5 if no fault was found but the exploration is incomplete
    #[arg(long, help_heading = "Results")]
    pub require_complete: bool,

    /// Interval between statistics records
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = quantity::parse_time,
          help_heading = "Results")]
    pub stats_interval: Duration,

    #[command(flatten)]
    pub checks: CheckFlags,

    #[command(flatten)]
    pub invocation: InvocationFlags,

    #[command(flatten)]
    pub load: LoadFlags,

    /// Arguments of the program; may contain --sym-arg and the like
    #[arg(last = true, value_name = "ARGS")]
    pub args: Vec<OsString>,

    /// Compare every solver answer with that of a plain solver (slow)
    #[arg(long, help_heading = "Debugging")]
    pub solver_check: bool,

    /// Write every solver query into this directory, as SMT-LIB
    #[arg(long, value_name = "DIR", help_heading = "Debugging")]
    pub log_queries: Option<PathBuf>,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug, ValueEnum)]
pub enum UnfinishedTestsFlag {
    CoveringNew,
    All,
    None,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug, ValueEnum)]
pub enum RandomInputFlag {
    Uniform,
    Words,
    Mutations,
}

impl From<RandomInputFlag> for InputSource {
    fn from(flag: RandomInputFlag) -> InputSource {
        match flag {
            RandomInputFlag::Uniform => InputSource::Uniform,
            RandomInputFlag::Words => InputSource::Words,
            RandomInputFlag::Mutations => InputSource::Mutation,
        }
    }
}

#[derive(Copy, Clone, PartialEq, Eq, Debug, ValueEnum)]
pub enum LongDoubleFlag {
    Fixed,
    Symbolic,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug, ValueEnum)]
pub enum UnsetMemoryFlag {
    Zero,
    Symbolic,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug, ValueEnum)]
pub enum ExternalCallsFlag {
    None,
    Concrete,
    All,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug, ValueEnum)]
pub enum ReduceFlag {
    Dgse,
    DgseAlways,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug, ValueEnum)]
pub enum FeasibilityFlag {
    Eager,
    Lazy,
}
