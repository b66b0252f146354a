//! Options and help of `byway reach`.

use std::time::Duration;

use byway_base::quantity;
use clap::Args;

use crate::cmd::run::RunFlags;

/// The help below the options, with the list of searchers.
pub fn examples() -> String {
    let searchers: String = byway_search::help().lines().map(|l| format!("  {l}\n")).collect();
    format!(
        "\
Examples:
  byway reach --target parse.c:212 --sym-stdin 64 parse.c
      Is line 212 reachable, and with which input of up to 64 bytes?
  byway reach --target errors --sym-args 0 2 4 prog.c
      Every assert, abort and the like in the program's own code, one verdict each.
  byway reach --target free_node --target list.c:88 --max-time 1m list.c
      A function and a line, for a minute.
  byway reach --since HEAD~1 --sym-stdin 64 parse.c
      Every line with code that the last commit or an edit since then changed.

Verdicts, one line each:
  FILE:LINE reached       a test gets there; it is run natively to confirm that
  FILE:LINE unreachable   no input of the given shape gets there: the program's control flow
                          excludes it, or every path was explored and nothing was lost
  FILE:LINE undecided     a limit ended the search, or paths were lost; the line says which

A target is a line (FILE by any part of its path that names one file), a function, or
'errors'. A line is reached when one of its instructions executes. The search ends as
soon as every target has a verdict. States that cannot reach a target any more are
dropped. 'targets.json' in the run directory holds the verdicts for other programs.

Searchers (--search; default: {DEFAULT_SEARCH}):
{searchers}
docs/reach.md explains the verdicts, docs/search/sdse.md how the search walks."
    )
}

pub const EXIT_CODES: &str = "\
Exit codes:
  0    every target is decided: reached or unreachable
  2    bad input, bad option, a target that does not exist
  5    at least one target is undecided
  101  a bug in Byway, or a wrong solver answer (--solver-check)
  130  stopped by Ctrl-C; the verdicts so far are printed";

/// The searcher of `byway reach`: half of the work goes straight for the targets, forward and
/// backward, the other half covers the program, since the shortest way is often infeasible.
pub const DEFAULT_SEARCH: &str = "equal-work(mix-ccbse(sdse), auto)";

#[derive(Args, Debug)]
pub struct ReachFlags {
    /// Lines that changed since a git revision are targets
    #[arg(long, value_name = "REV", help_heading = "Search")]
    pub since: Option<String>,

    /// Do not run the tests that reach targets natively
    #[arg(long, help_heading = "Confirmation")]
    pub no_confirm: bool,

    /// Time limit for one native run of a test
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = quantity::parse_time,
          help_heading = "Confirmation")]
    pub confirm_timeout: Duration,

    /// Run tests natively even if no sandbox is available: the program can then do whatever
    /// you can
    #[arg(long, help_heading = "Confirmation")]
    pub no_sandbox: bool,

    #[command(flatten)]
    pub run: RunFlags,
}
