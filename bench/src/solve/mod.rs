//! `byway-bench solve`: how fast queries are answered, by the stack and by its parts.

mod family;
mod script;
mod variant;

use std::path::{Path, PathBuf};

use byway_expr::{Added, Model, PathCondition, Pool};
use byway_solver::Query;

use crate::record;
use variant::{SolverVariant, VariantTally};

const ABOUT: &str = "\
How fast are queries answered?

Each DIR holds queries written by `byway run --log-queries DIR PROGRAM`. They are asked again, in
their order, of
  stack        the solver as runs use it
  no blast     the same without the fast path
  blast        the fast path alone: no layers, whole paths
  incremental  Bitwuzla alone, instances kept along paths
  fresh        Bitwuzla alone, a new instance with all its preprocessing for every query
and the table shows the processor seconds of each. Every answer must equal the logged one.
Queries with floats are left out.

With --family the queries are generated: products, quotients, shifts and hashes of 16 to 40
bits, each a log of its own, easy and hard ones.

The exit code is 1 if an answer differs.";

const EXAMPLES: &str = "\
Example:
  byway run --sym-args 0 1 10 --log-queries /tmp/cut --max-time 20s cut.bc
  ./dev bench solve /tmp/cut";

/// Options of the benchmark.
#[derive(clap::Args, Debug)]
#[command(long_about = ABOUT, after_help = EXAMPLES)]
pub struct SolveOptions {
    /// Directories of logged queries
    #[arg(value_name = "DIR")]
    dirs: Vec<PathBuf>,

    /// Generate the queries
    #[arg(long)]
    family: bool,

    /// Compare the stack with the stack without each of its parts
    #[arg(long)]
    parts: bool,

    /// Ask everything N times, of fresh solvers, and show the mean
    #[arg(long, value_name = "N", default_value_t = 1)]
    repeat: usize,

    /// Only the first N queries of each DIR
    #[arg(long, value_name = "N")]
    most: Option<usize>,

    /// Columns to show, separated by commas (default: all)
    #[arg(long, value_name = "NAMES")]
    only: Option<String>,

    /// Write the result to bench/results/DATE-solve.md
    #[arg(long)]
    record: bool,
}

/// The queries of a directory.
struct QueryLog {
    name: String,
    pool: Pool,
    queries: Vec<LoggedQuery>,
    /// Queries that cannot be asked again.
    left_out: usize,
}

/// A logged query, parsed.
struct LoggedQuery {
    path: PathCondition,
    asked: byway_base::ExprId,
    witness: Option<Model>,
    said: Option<bool>,
}

/// Runs the benchmark and returns whether all answers were right.
pub fn main(options: SolveOptions) -> Result<bool, String> {
    let SolveOptions { dirs, family: generated, parts, only, record, .. } = options;
    let most = options.most.unwrap_or(usize::MAX);
    let repeat = options.repeat.max(1);
    if dirs.is_empty() != generated {
        return Err("name directories with logged queries; try --help".to_owned());
    }
    let asked_for =
        |name: &str| only.as_ref().is_none_or(|names| names.split(',').any(|n| n == name));
    let all = if parts { SolverVariant::parts() } else { SolverVariant::ALL.to_vec() };
    let variants: Vec<_> = all.into_iter().filter(|variant| asked_for(&variant.name())).collect();
    let mut rows = Vec::new();
    let read = dirs.iter().map(|dir| QueryLog::read(dir, most));
    let family = if generated { family::logs() } else { Vec::new() };
    for log in read.chain(family.into_iter().map(Ok)) {
        let mut log = log?;
        eprintln!("{}: {} queries, {} left out", log.name, log.queries.len(), log.left_out);
        let mut tallies = vec![VariantTally::default(); variants.len()];
        // Alternately, so that other load on the machine affects all variants.
        for _ in 0..repeat {
            for (tally, variant) in tallies.iter_mut().zip(&variants) {
                tally.add(&log.ask(*variant));
            }
        }
        tallies.iter_mut().for_each(|tally| tally.share(repeat));
        rows.push(LogRow { name: log.name, queries: log.queries.len(), tallies });
    }
    let report = report(&variants, &rows);
    println!("{report}");
    if record {
        record::write("solve", "How fast queries are answered", &report)?;
    }
    Ok(rows.iter().flat_map(|row| &row.tallies).all(|tally| tally.wrong == 0))
}

impl QueryLog {
    fn read(dir: &Path, most: usize) -> Result<QueryLog, String> {
        let unreadable = |e: std::io::Error| format!("cannot read {}: {e}", dir.display());
        let entries = std::fs::read_dir(dir).map_err(unreadable)?;
        let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        files.retain(|file| file.extension().is_some_and(|extension| extension == "smt2"));
        files.sort();
        files.truncate(most);
        let name = dir.file_name().unwrap_or(dir.as_os_str()).to_string_lossy().into_owned();
        let mut log = QueryLog { name, pool: Pool::new(), queries: Vec::new(), left_out: 0 };
        for file in files {
            let text = std::fs::read_to_string(&file).map_err(unreadable)?;
            match script::read(&mut log.pool, &text) {
                Ok(script) => log.take(script),
                Err(script::ScriptError::NotForUs) => log.left_out += 1,
                Err(script::ScriptError::Syntax(what)) => {
                    return Err(format!("{}: {what}", file.display()));
                }
            }
        }
        Ok(log)
    }

    fn take(&mut self, script: script::QueryScript) {
        let mut path = PathCondition::new();
        for conjunct in script.path {
            if path.add(&mut self.pool, conjunct) == Added::False {
                self.left_out += 1;
                return;
            }
        }
        let script::QueryScript { asked, witness, said, .. } = script;
        self.queries.push(LoggedQuery { path, asked, witness, said });
    }

    fn ask(&mut self, variant: SolverVariant) -> VariantTally {
        let queries = self.queries.iter().map(|asked| {
            let LoggedQuery { path, asked, witness, said } = asked;
            (Query { path, condition: *asked, witness: witness.as_ref() }, *said)
        });
        variant.run(&mut self.pool, queries)
    }
}

/// The measurements of one log.
struct LogRow {
    name: String,
    queries: usize,
    tallies: Vec<VariantTally>,
}

fn report(variants: &[SolverVariant], rows: &[LogRow]) -> String {
    let names: Vec<String> = variants.iter().map(|variant| variant.name()).collect();
    let mut out = format!(
        "Processor seconds for all queries of a log; in brackets what was not answered.\n\n| queries of | number | {} |\n",
        names.join(" | ")
    );
    out.push_str(&format!("| --- | --- |{}\n", " --- |".repeat(names.len())));
    let mut line = |name: &str, queries: usize, tallies: &[VariantTally]| {
        let cells: Vec<String> = tallies.iter().map(VariantTally::to_string).collect();
        out.push_str(&format!("| {name} | {queries} | {} |\n", cells.join(" | ")));
    };
    let mut all = vec![VariantTally::default(); variants.len()];
    for row in rows {
        line(&row.name, row.queries, &row.tallies);
        all.iter_mut().zip(&row.tallies).for_each(|(sum, tally)| sum.add(tally));
    }
    line("all", rows.iter().map(|row| row.queries).sum(), &all);
    out
}
