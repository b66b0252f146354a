//! Options and help of `byway mutate`.

use std::path::PathBuf;

use byway_base::MutationOperator;
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use crate::flags::{NativeFlags, PartialTestsFlag};

pub const EXAMPLES: &str = "\
Examples:
  byway mutate byway-last
      Run the tests on every mutant of the sources.
  byway mutate byway-last --sample 200 --operators relational,logical --show 20
      Two hundred random mutants of conditions; show twenty survivors.
  byway mutate RUN --source src/cut.c \\
      --compile 'gcc -O1 -Ilib -Isrc -c {source} -o {object}' \\
      --link 'gcc {object} lib/libcoreutils.a -o {program}'
      For a run of bitcode: its C source, and how to build an executable from it.

A mutant is the program with one small change: another operator, another constant, a
statement less. A test kills a mutant that behaves differently from the original program,
built the same way: another exit code or signal, other output, other files, or no end.
Surviving mutants show what the tests do not check. Only tests that execute the changed
code are run. Mutants that compile to the same code as the original or as another mutant
do not count.

Operators: arithmetic, relational, logical, bitwise, assignment, increment, constant,
deletion (of statements).

Exit codes:
  0    done, whether or not mutants survive
  2    no such run, or the program does not compile
  130  stopped by Ctrl-C; the results so far are shown";

#[derive(Args, Debug)]
pub struct MutateFlags {
    /// A run directory
    #[arg(value_name = "RUN")]
    pub run: PathBuf,

    /// Run only the tests with these numbers
    #[arg(long, value_name = "N,...", value_delimiter = ',')]
    pub tests: Option<Vec<u64>>,

    /// Tests of paths that did not end (cut off by a limit or by the end of the run): keep or
    /// drop
    #[arg(long, value_name = "WHAT", value_enum, default_value_t = PartialTestsFlag::Keep,
          hide_possible_values = true)]
    pub partial_tests: PartialTestsFlag,

    /// Judge a random sample of this many mutants
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub sample: Option<u64>,

    /// Seed of the sample
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,

    /// Only these mutation operators
    #[arg(long, value_name = "NAME,...", value_delimiter = ',', hide_possible_values = true,
          value_parser = operators())]
    pub operators: Vec<MutationOperator>,

    /// Mutate only these functions
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    pub functions: Vec<String>,

    /// Only these source files, given by the end of their path, such as src/wc.c
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    pub files: Vec<String>,

    /// Show this many surviving mutants
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub show: usize,

    /// Print the counts as JSON
    #[arg(long)]
    pub json: bool,

    /// C source of a program that was explored as bitcode; may be repeated
    #[arg(long, value_name = "FILE", requires_all = ["compile", "link"])]
    pub source: Vec<PathBuf>,

    /// Command that compiles a source, with {source} and {object}
    #[arg(long, value_name = "COMMAND", requires = "source")]
    pub compile: Option<String>,

    /// Command that links the program, with {object} and {program}
    #[arg(long, value_name = "COMMAND", requires = "source")]
    pub link: Option<String>,

    #[command(flatten)]
    pub native: NativeFlags,
}

fn operators() -> impl TypedValueParser<Value = MutationOperator> {
    let names = PossibleValuesParser::new(MutationOperator::ALL.map(MutationOperator::name));
    names.try_map(|name| MutationOperator::by_name(&name).ok_or("no such mutation operator"))
}
