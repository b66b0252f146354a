//! Options and help of `byway klee-stats`.

use std::path::PathBuf;

use clap::{ArgGroup, Args};

use super::columns::LEGEND;
use super::formats;

const EXAMPLES: &str = "\
Examples:
  klee-stats klee-last
      Instructions, time, coverage and the solver's share of the time, as a table.
  klee-stats --print-all --table-format=csv klee-out-0 klee-out-1
      All columns, as comma-separated values.
  klee-stats .
      All runs in this directory and those below, and their total.
  klee-stats --print-columns 'Path,Time(s),Queries' --sort-by 'Time(s)' klee-out-*
  klee-stats --compare-by Instrs klee-out-0 klee-out-1
      Each run at the moment when it had executed as many instructions as the first.
  klee-stats --to-csv klee-last
      All rows of run.stats, as they are stored.

It reads runs of 'byway klee' and of KLEE since version 2.0, also while they go on.
'byway stats' prints the summary of a run of 'byway run'.

Exit codes:
  0    printed
  2    no such run, or a bad option";

/// Examples, and what each column means.
pub fn help() -> String {
    let width = LEGEND.iter().map(|column| column.head.len()).max().unwrap_or(0);
    let lines =
        LEGEND.iter().map(|column| format!("  {:width$}  {}\n", column.head, column.meaning));
    format!("{EXAMPLES}\n\nColumns:\n{}", lines.collect::<String>())
}

#[derive(Args, Debug)]
#[command(group = ArgGroup::new("selection"))]
pub struct KleeStatsFlags {
    /// Output directories of klee, or directories that contain some
    #[arg(value_name = "DIR", required = true)]
    pub directories: Vec<PathBuf>,

    /// Print all columns
    #[arg(long, group = "selection")]
    pub print_all: bool,

    /// Print times as percentages of the time of the run
    #[arg(long, group = "selection")]
    pub print_rel_times: bool,

    /// Print times in seconds
    #[arg(long, group = "selection")]
    pub print_abs_times: bool,

    /// Print states and memory, too, for a run that goes on
    #[arg(long, group = "selection")]
    pub print_more: bool,

    /// Print these columns, separated by commas, in this order
    #[arg(long, value_name = "COLUMNS", group = "selection")]
    pub print_columns: Option<String>,

    /// The form of the table
    #[arg(long, value_name = "FORMAT", default_value = "klee", value_parser = formats::names())]
    pub table_format: String,

    /// Digits after the decimal point
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u8).range(1..=17))]
    pub precision: u8,

    /// Sort by this column, largest first
    #[arg(long, value_name = "COLUMN")]
    pub sort_by: Option<String>,

    /// Sort smallest first
    #[arg(long, requires = "sort_by")]
    pub ascending: bool,

    /// Print each run at the moment when it was as far as the first: by Instrs, Time, Queries
    /// or ICov
    #[arg(long, value_name = "COLUMN")]
    pub compare_by: Option<String>,

    /// Compare at this value of the column (covered instructions for ICov), or at 'last', the
    /// largest value that all runs reached
    #[arg(long, value_name = "VALUE", requires = "compare_by")]
    pub compare_at: Option<String>,

    /// Print all rows of one run as comma-separated values, unchanged
    #[arg(long)]
    pub to_csv: bool,

    /// Not supported: serve the data to Grafana
    #[arg(long, hide = true)]
    pub grafana: bool,

    /// Not supported, as --grafana
    #[arg(long, hide = true, value_name = "HOST")]
    pub grafana_host: Option<String>,

    /// Not supported, as --grafana
    #[arg(long, hide = true, value_name = "PORT")]
    pub grafana_port: Option<String>,

    /// Not supported: draw a chart
    #[arg(long, hide = true, value_name = "COLUMNS")]
    pub draw_line_chart: Option<String>,
}
