//! `byway-bench entry`: functions of libraries tested without a harness.

mod libraries;

use std::fmt::Write as _;
use std::ops::RangeInclusive;
use std::path::Path;
use std::time::Duration;

use byway_base::quantity::parse_time;
use byway_rundir::{CoverageRecord, FaultRecord, RunReader};
use serde_json::Value;

use crate::process::{self, ProcessStatus};
use crate::record;
use crate::setup::BenchSetup;

use libraries::{FUNCTIONS, PLANTED, PlantedBug, TestedFunction};

const ABOUT: &str = "\
What does 'byway run --entry' find in functions of real libraries?

Takes 20 functions of five libraries in Debian's sources (cJSON, zlib, jansson, expat, libpng),
explores each with its parameters and the library's variables unconstrained, and replays every
fault natively by its harness. Then a bug is planted in a function of each library by a small
edit, and must be found. The first run fetches the sources, which are kept in the cache.

The exit code is 1 if a function cannot be explored, or a planted bug is not found or not
reproduced natively.";

const EXAMPLES: &str = "\
Examples:
  ./dev bench entry
  ./dev bench entry --only png_sig_cmp --max-time 30s";

/// Options of the benchmark.
#[derive(clap::Args, Debug)]
#[command(long_about = ABOUT, after_help = EXAMPLES)]
pub struct EntryOptions {
    /// Functions and libraries whose name contains this text
    #[arg(long, value_name = "NAME", default_value = "", hide_default_value = true)]
    only: String,

    /// How long each function is explored
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = parse_time)]
    max_time: Duration,

    /// Write the result to bench/results/DATE-entry.md
    #[arg(long)]
    record: bool,
}

/// Time for loading and native runs beyond the exploration.
const GRACE: Duration = Duration::from_secs(300);

/// The result of one function.
struct EntryFigures {
    paths: u64,
    /// Lines of the function that tests execute, of those with code.
    lines: (usize, usize),
    faults: Vec<ReplayedFault>,
}

/// A fault, and what its harness did natively.
struct ReplayedFault {
    record: FaultRecord,
    is_reproduced: bool,
}

/// Runs the benchmark and returns whether its result is as it should be.
pub fn main(options: EntryOptions) -> Result<bool, String> {
    let setup = BenchSetup::in_memory()?;
    let sources = libraries::fetch(&setup)?;
    let is_chosen = |function: &TestedFunction| {
        function.name.contains(&options.only) || function.library.name.contains(&options.only)
    };
    let mut report = format!(
        "Each function was explored for {} s with `--entry`. Lines are those of the function. A fault is \
         reproduced if its harness, compiled with sanitizers, has it natively on the same line. Faults of the \
         unchanged functions are under-constrained: null pointers, and lengths that do not belong to their \
         pointers.\n\n\
         | library | function | paths | lines | faults | reproduced | not reproduced |\n\
         |---|---|---:|---:|---|---:|---:|\n",
        options.max_time.as_secs()
    );
    let mut holds = true;
    let (mut reproduced, mut others) = (0, 0);
    for function in FUNCTIONS.iter().filter(|it| is_chosen(it)) {
        let figures = measure(&setup, &sources, function, None, &options);
        if let Ok(figures) = &figures {
            reproduced += figures.reproduced();
            others += figures.faults.len() - figures.reproduced();
        }
        holds &= figures.is_ok();
        report += &row(function, &figures);
    }
    _ = write!(
        report,
        "\n{} faults: {reproduced} reproduced, {others} not.\n\nPlanted bugs:\n\n\
         | library | function | edit | found | reproduced |\n|---|---|---|---|---|\n",
        reproduced + others
    );
    for bug in PLANTED.iter().filter(|it| is_chosen(&it.function)) {
        let found = find(&setup, &sources, bug, &options);
        holds &= matches!(&found, Ok(Some(fault)) if fault.is_reproduced);
        report += &planted_row(bug, &found);
    }
    println!("{report}");
    if options.record {
        record::write("entry", "Functions of libraries, tested without a harness", &report)?;
    }
    Ok(holds)
}

impl EntryFigures {
    fn reproduced(&self) -> usize {
        self.faults.iter().filter(|fault| fault.is_reproduced).count()
    }
}

/// Explores a function; `edited` is the text of its file, if that is another.
fn measure(
    setup: &BenchSetup,
    sources: &Path,
    function: &TestedFunction,
    edited: Option<&str>,
    options: &EntryOptions,
) -> Result<EntryFigures, String> {
    let folder = setup.folder(function.name)?;
    let original = sources.join(function.file);
    let file = match edited {
        Some(text) => {
            // Beside the original, where its own headers are found by their options.
            let copy = folder.file("edited.c");
            std::fs::write(&copy, text).map_err(|e| format!("{}: {e}", copy.display()))?;
            copy
        }
        None => original,
    };
    let text = std::fs::read_to_string(&file).map_err(|e| format!("{}: {e}", file.display()))?;
    let ranges = lines_of(&text, function.name);
    if ranges.is_empty() {
        return Err(format!("{} does not define {}", function.file, function.name));
    }
    let out = folder.file("out");
    let mut command = setup.byway();
    command.args(["run", "--entry", function.name, "--only-covering-new", "--max-time"]);
    command.arg(format!("{}s", options.max_time.as_secs())).arg("--output-dir").arg(&out);
    command.args(function.library.words_in(sources, edited.map(|_| (function.file, &*file))));
    let ended = process::run(&mut command, b"", options.max_time + GRACE)?;
    if !matches!(ended.status, ProcessStatus::Code(0 | 1 | 5)) {
        let message = ended.stderr_text();
        let first = message.lines().next().unwrap_or_default();
        return Err(format!("{}: {first}", ended.status));
    }
    let run = RunReader::open(&out).map_err(|e| e.to_string())?;
    let summary = run.summary().map_err(|e| e.to_string())?;
    let coverage = run.coverage().map_err(|e| e.to_string())?;
    let faults = run.faults().map_err(|e| e.to_string())?;
    Ok(EntryFigures {
        paths: summary.totals.path_count(),
        lines: covered(coverage.as_ref(), &file, &ranges),
        faults: replay(setup, &out, faults)?,
    })
}

/// The lines with code in ranges of a file: those that tests execute, and all.
fn covered(
    coverage: Option<&CoverageRecord>,
    file: &Path,
    ranges: &[RangeInclusive<u32>],
) -> (usize, usize) {
    let lines = coverage.and_then(|it| it.files.get(&*file.to_string_lossy()));
    let own =
        lines.into_iter().flatten().filter(|line| ranges.iter().any(|it| it.contains(&line.line)));
    let own: Vec<_> = own.collect();
    (own.iter().filter(|line| line.first_path.is_some()).count(), own.len())
}

/// Runs the harnesses of the faults natively.
fn replay(
    setup: &BenchSetup,
    run: &Path,
    faults: Vec<FaultRecord>,
) -> Result<Vec<ReplayedFault>, String> {
    if faults.is_empty() {
        return Ok(Vec::new());
    }
    let verdicts = run.with_file_name("verdicts.jsonl");
    let numbers: Vec<String> = faults.iter().map(|fault| fault.path.to_string()).collect();
    let mut command = setup.byway();
    command.arg("replay").arg(run).args(["--tests", &numbers.join(","), "--verdicts"]);
    process::run(command.arg(&verdicts), b"", GRACE)?;
    let text = std::fs::read_to_string(&verdicts).unwrap_or_default();
    let lines: Vec<Value> = text.lines().filter_map(|it| serde_json::from_str(it).ok()).collect();
    let agrees = |fault: &FaultRecord| {
        lines.iter().any(|line| {
            line["test"] == fault.path
                && matches!(line["verdict"].as_str(), Some("agrees" | "agrees-exactly"))
        })
    };
    let replayed = |record: FaultRecord| ReplayedFault { is_reproduced: agrees(&record), record };
    Ok(faults.into_iter().map(replayed).collect())
}

/// The fault that shows a planted bug: one of its kind, within the function.
fn find(
    setup: &BenchSetup,
    sources: &Path,
    bug: &PlantedBug,
    options: &EntryOptions,
) -> Result<Option<ReplayedFault>, String> {
    let file = sources.join(bug.function.file);
    let original =
        std::fs::read_to_string(&file).map_err(|e| format!("{}: {e}", file.display()))?;
    let mut text = original.clone();
    for (from, to) in bug.edits {
        if !text.contains(from) {
            return Err(format!("{} has no {from}", bug.function.file));
        }
        text = text.replacen(from, to, 1);
    }
    let place = |fault: &ReplayedFault| {
        let at = fault.record.at.as_ref().map(|at| (at.line, at.column));
        (fault.record.kind.clone(), at)
    };
    let before = measure(setup, sources, &bug.function, None, options)?;
    let known: Vec<_> = before.faults.iter().map(place).collect();
    let after = measure(setup, sources, &bug.function, Some(&text), options)?;
    let is_new =
        |fault: &ReplayedFault| fault.record.kind == bug.kind && !known.contains(&place(fault));
    Ok(after.faults.into_iter().find(is_new))
}

/// The lines of a function's definitions, of which the preprocessor chooses one: from a line that
/// begins in the first column with its type or its name, to the brace in the first column that
/// closes it.
fn lines_of(text: &str, name: &str) -> Vec<RangeInclusive<u32>> {
    let is_definition = |at: usize| {
        let line = text[..at].rfind('\n').map_or(0, |end| end + 1);
        let before = text[..at].chars().next_back();
        let rest = text[at + name.len()..].trim_start_matches(')');
        let is_whole = !before.is_some_and(|c| c.is_alphanumeric() || c == '_');
        let behind = behind_parentheses(rest).map(str::trim_start);
        is_whole
            && !text[line..].starts_with([' ', '\t', '*', '#'])
            && behind.is_some_and(|rest| !rest.starts_with([';', ',', ')']))
    };
    let line = |at: usize| text[..at].matches('\n').count() as u32 + 1;
    let lines = |at: usize| {
        let end = at + text[at..].find("\n}")? + 1;
        Some(line(at)..=line(end))
    };
    let found = text.match_indices(name).map(|(at, _)| at).filter(|&at| is_definition(at));
    found.filter_map(lines).collect()
}

/// What follows the parentheses that a text begins with.
fn behind_parentheses(text: &str) -> Option<&str> {
    let mut depth = 0;
    for (at, c) in text.char_indices() {
        depth += i32::from(c == '(') - i32::from(c == ')');
        if depth == 0 {
            return (at > 0).then(|| &text[at + 1..]);
        }
    }
    None
}

fn row(function: &TestedFunction, figures: &Result<EntryFigures, String>) -> String {
    let (library, name) = (function.library.name, function.name);
    match figures {
        Err(error) => format!("| {library} | `{name}` | {error} | | | | |\n"),
        Ok(figures) => {
            let (covered, all) = figures.lines;
            let mut kinds = std::collections::BTreeMap::<&str, u32>::new();
            figures.faults.iter().for_each(|it| *kinds.entry(&it.record.kind).or_default() += 1);
            let kinds: Vec<String> = kinds.iter().map(|(kind, n)| format!("{n} {kind}")).collect();
            let kinds = if kinds.is_empty() { "none".to_owned() } else { kinds.join(", ") };
            let reproduced = figures.reproduced();
            let others = figures.faults.len() - reproduced;
            format!(
                "| {library} | `{name}` | {} | {covered} of {all} | {kinds} | {reproduced} | {others} |\n",
                figures.paths
            )
        }
    }
}

fn planted_row(bug: &PlantedBug, found: &Result<Option<ReplayedFault>, String>) -> String {
    let (library, name) = (bug.function.library.name, bug.function.name);
    let edits: Vec<String> = bug.edits.iter().map(|(_, to)| format!("`{to}`")).collect();
    let (fault, reproduced) = match found {
        Ok(Some(fault)) => {
            (fault.record.kind.as_str(), if fault.is_reproduced { "yes" } else { "no" })
        }
        Ok(None) => ("not found", ""),
        Err(error) => (error.as_str(), ""),
    };
    format!("| {library} | `{name}` | {} | {fault} | {reproduced} |\n", edits.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definitions_are_found() {
        let text = "int one(int x);\nint zone(void) {\n}\nint\none(int x)\n{\n  return two(x); {}\n}\n\
                    long (API\ntwo)(x)\nint x;\n{\n}\n";
        assert_eq!(lines_of(text, "one"), [5..=8]);
        assert_eq!(lines_of(text, "two"), [10..=13]);
        assert!(lines_of(text, "three").is_empty());
    }
}
