//! `byway klee-stats`: the statistics of runs of `klee` as a table.

mod columns;
mod comparison;
mod directories;
mod flags;
mod formats;
mod selection;
mod table;

use std::path::{Path, PathBuf};

use byway_klee_stats::run_stats::{self, RecordedStats};
use byway_klee_stats::sqlite::SqlValue;

pub use flags::{KleeStatsFlags, help};

use self::table::TextTable;
use crate::console::{print, say};
use crate::exit;
use crate::failure::{Failure, Result};

/// Prints the table, or the rows of one run.
pub fn klee_stats(flags: &KleeStatsFlags) -> Result<u8> {
    refuse_unsupported(flags)?;
    let directories = directories::find(&flags.directories)?;
    if flags.to_csv {
        let [directory] = directories.as_slice() else {
            return Err(Failure::new("--to-csv prints a single run, but several were found"));
        };
        print(&rows_as_csv(&read(directory)?))?;
        return Ok(exit::SUCCESS);
    }
    let format = formats::find(&flags.table_format)
        .ok_or_else(|| Failure::new(format!("unknown table format '{}'", flags.table_format)))?;
    let names = directories::names(&directories);
    let runs: Vec<RecordedStats> = directories.iter().map(|dir| read_or_warn(dir)).collect();
    let rows = comparison::rows(&runs, flags)?;
    let records = runs.iter().zip(rows).map(|(run, row)| columns::record(run, row)).collect();
    let mut columns = selection::columns(&names, records, flags)?;
    selection::sort(&mut columns, flags)?;
    let total = format.has_total() && runs.len() > 1;
    if total {
        selection::add_total(&mut columns);
    }
    let table = TextTable::new(&columns, flags.precision.into(), format);
    print(&format.render(&table, total))?;
    Ok(exit::SUCCESS)
}

fn refuse_unsupported(flags: &KleeStatsFlags) -> Result<()> {
    let grafana = flags.grafana || flags.grafana_host.is_some() || flags.grafana_port.is_some();
    let option = match (grafana, &flags.draw_line_chart) {
        (true, _) => "--grafana",
        (false, Some(_)) => "--draw-line-chart",
        (false, None) => return Ok(()),
    };
    Err(Failure::new(format!("{option} is not supported"))
        .hint("--to-csv prints the data, and Grafana's SQLite plugin reads run.stats itself"))
}

fn read(directory: &Path) -> Result<RecordedStats> {
    let path: PathBuf = directory.join(run_stats::FILE);
    run_stats::read(&path).map_err(|error| {
        let failure = Failure::new(format!("cannot read '{}': {error}", path.display()));
        match error.is_not_a_database() {
            true => failure.hint("KLEE writes SQLite since version 2.0; older files are text"),
            false => failure,
        }
    })
}

/// A run that just began has no rows, and one file of many may be damaged: the others are
/// printed all the same.
fn read_or_warn(directory: &Path) -> RecordedStats {
    let stats = match read(directory) {
        Ok(stats) => stats,
        Err(failure) => {
            say(&format!("byway: warning: {failure}"));
            return RecordedStats::default();
        }
    };
    if stats.rows.is_empty() {
        say(&format!("byway: warning: '{}' has no rows yet", directory.display()));
    }
    stats
}

/// All rows as they are stored, with the line ends of such files.
fn rows_as_csv(stats: &RecordedStats) -> String {
    let line = |fields: Vec<String>| format!("{}\r\n", fields.join(","));
    let value = |value: &SqlValue| match value {
        SqlValue::Null => String::new(),
        SqlValue::Integer(number) => number.to_string(),
        // With a decimal point, also for whole numbers.
        SqlValue::Real(number) => format!("{number:?}"),
        SqlValue::Text(text) => formats::csv_field(text),
        SqlValue::Blob(bytes) => formats::csv_field(&String::from_utf8_lossy(bytes)),
    };
    let heads = stats.columns.iter().map(|name| formats::csv_field(name)).collect();
    let rows = stats.rows.iter().map(|row| line(row.iter().map(value).collect()));
    line(heads) + &rows.collect::<String>()
}
