//! Options and help of `byway triage`.

use std::path::PathBuf;

use clap::Args;

use crate::cmd::reach::ReachFlags;

pub const EXAMPLES: &str = "\
Examples:
  clang-22 --analyze -Xclang -analyzer-output=sarif -o parse.sarif parse.c
  byway triage parse.sarif --sym-stdin 16 parse.c
      Which warnings of clang's static analyser can happen, with an input of 16 bytes?
  byway triage --max-time 10m --output judged.sarif report.sarif --sym-args 0 2 4 *.c
      Ten minutes; the same report with a verdict in each result goes to judged.sarif.

Verdicts, the most important first:
  confirmed        the fault happens at the line; a test shows it
  reached          a test reaches the line; Byway has no check for what the rule claims
  undecided        a limit ended the search, or paths were lost; the reason says which
  false positive   no input of the given shape reaches the line, or none with this fault:
                   every path was explored

A verdict holds for the input that the options make symbolic. Leave --max-time away, or
set it generously: only an exhausted search shows that a warning is false.
docs/triage.md explains how warnings are matched with faults.";

pub const EXIT_CODES: &str = "\
Exit codes:
  0    no warning is confirmed, and none is undecided
  1    at least one warning is confirmed
  2    bad input, bad option, or a report that is no SARIF
  5    no warning is confirmed, but at least one is undecided
  101  a bug in Byway, or a wrong solver answer (--solver-check)
  130  stopped by Ctrl-C; the verdicts so far are printed";

#[derive(Args, Debug)]
pub struct TriageFlags {
    /// The report of a static analyser: SARIF 2.1, as clang and GCC write it
    #[arg(value_name = "REPORT")]
    pub report: PathBuf,

    /// Write the report with the verdicts here [default: triage.sarif in the run directory]
    #[arg(long, short, value_name = "FILE", help_heading = "Results")]
    pub output: Option<PathBuf>,

    #[command(flatten)]
    pub reach: ReachFlags,
}
