//! What `byway mutate` can be told.

use std::path::PathBuf;

use byway_base::MutationOperator;
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use crate::flags::{NativeFlags, PartialTestsFlag};

/// The lines below the options of `byway mutate`.
pub const EXAMPLES: &str = "\
Examples:
  byway mutate byway-last
      Change the sources in every way, one at a time; run the tests on each mutant.
  byway mutate byway-last --sample 200 --operators relational,logical --show 20
      Two hundred changes of conditions, chosen at random; show twenty that live.
  byway mutate RUN --source src/cut.c \\
      --compile 'gcc -O1 -Ilib -Isrc -c {source} -o {object}' \\
      --link 'gcc {object} lib/libcoreutils.a -o {program}'
      A run of bitcode: what its source is, and how it is made a program.

A mutant is the program with one small change: another operator, another constant, a
statement less. A test kills it if it ends otherwise than on the program itself, built in
the same way: another exit code or signal, other output, other files, or no end. What
lives shows what the tests do not look at. Only tests that come by the change are run.
A mutant whose code is the program's again, or another mutant's, counts for nothing.

Operators: arithmetic, relational, logical, bitwise, assignment, increment, constant,
deletion (of statements).

Exit codes:
  0    done, whatever lives
  2    byway could not start: no run directory, a program that does not compile
  130  stopped by Ctrl-C; what is known is shown";

/// What `byway mutate` can be told.
#[derive(Args, Debug)]
pub struct MutateFlags {
    /// A run's directory
    #[arg(value_name = "RUN")]
    pub run: PathBuf,

    /// Run only the tests with these numbers
    #[arg(long, value_name = "N,...", value_delimiter = ',')]
    pub tests: Option<Vec<u64>>,

    /// What to do with tests of paths that had not ended (cut off by a limit or by the end of
    /// the run): run them too (keep), or leave them out (drop)
    #[arg(long, value_name = "WHAT", value_enum, default_value_t = PartialTestsFlag::Keep,
          hide_possible_values = true)]
    pub partial_tests: PartialTestsFlag,

    /// Judge this many mutants, chosen at random
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub sample: Option<u64>,

    /// What the choice depends on
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,

    /// Only these kinds of changes
    #[arg(long, value_name = "NAME,...", value_delimiter = ',', hide_possible_values = true,
          value_parser = operators())]
    pub operators: Vec<MutationOperator>,

    /// Change only these functions
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    pub functions: Vec<String>,

    /// Change only these files, by the end of their names, such as src/wc.c
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    pub files: Vec<String>,

    /// Show this many of the mutants that live
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub show: usize,

    /// Print the counts as JSON
    #[arg(long)]
    pub json: bool,

    /// A C source of a program that was explored as bitcode; may be repeated
    #[arg(long, value_name = "FILE", requires_all = ["compile", "link"])]
    pub source: Vec<PathBuf>,

    /// How one is compiled: a command with {source} and {object}
    #[arg(long, value_name = "COMMAND", requires = "source")]
    pub compile: Option<String>,

    /// How the program is linked: a command with {object} and {program}
    #[arg(long, value_name = "COMMAND", requires = "source")]
    pub link: Option<String>,

    /// How the tests are run
    #[command(flatten)]
    pub native: NativeFlags,
}

/// The kinds of changes, by their names.
fn operators() -> impl TypedValueParser<Value = MutationOperator> {
    let names = PossibleValuesParser::new(MutationOperator::ALL.map(MutationOperator::name));
    names.try_map(|name| MutationOperator::by_name(&name).ok_or("there is no such change"))
}
