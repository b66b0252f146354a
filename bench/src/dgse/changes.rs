//! `byway-bench dgse changes`: does exploring what a change can affect show how it changes the
//! program's behaviour?

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use byway_base::quantity::{percentage, plural};
use byway_rundir::{CombinationsRecord, DifferingPart, RunReader};

use super::exploration::ReductionMode;
use crate::process;
use crate::record;
use crate::run_metrics::RunMetrics;
use crate::setup::{BenchSetup, WorkDir, create_dir};

const ABOUT: &str = "\
Does `byway run --since REV --against OLD` find the differences that a change makes?

Applies each change of bench/dgse/changes to its program. The old and the new version are explored
exhaustively, and each test runs on both: these are all differences. Then only what the change can
affect is explored, in both versions, and inputs combine how they end.

The exit code is 1 if a kind of difference is missed, or an exploration is incomplete.";

const EXAMPLES: &str = "\
Examples:
  ./dev bench dgse changes --record
  ./dev bench dgse changes --only dates-hour-24";

/// Options of the benchmark.
#[derive(clap::Args, Debug)]
#[command(long_about = ABOUT, after_help = EXAMPLES)]
pub struct ChangesOptions {
    /// The changes, separated by commas (default: all)
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    only: Option<Vec<String>>,

    /// Write the result to bench/results/DATE-dgse-changes.md
    #[arg(long)]
    record: bool,
}

/// Time after which an exploration counts as stuck.
const LIMIT: Duration = Duration::from_secs(3600);

/// What explorations of both versions found.
#[derive(Default)]
struct SideFigures {
    paths: u64,
    seconds: f64,
    /// The endings on both versions, and which streams differ.
    kinds: BTreeSet<String>,
    /// The same with the text of the streams.
    outputs: BTreeSet<String>,
    /// Reasons why tests could not be compared.
    not_comparable: Vec<String>,
    incomplete: Vec<String>,
}

/// The figures of one change.
struct ChangeFigures {
    name: String,
    all: SideFigures,
    changed: SideFigures,
}

/// Runs the benchmark and returns whether nothing is missed.
pub fn main(options: ChangesOptions) -> Result<bool, String> {
    let setup = BenchSetup::in_memory()?;
    let mut figures = Vec::new();
    for (name, diff) in changes(&setup, options.only.as_deref())? {
        let versions = ProgramVersions::create(&setup, &diff)?;
        versions.load(&setup)?;
        let all = versions.explore_all(&setup)?;
        let changed = versions.explore_changed(&setup)?;
        let (few, most) = (changed.paths, all.paths);
        eprintln!("dgse: {name}: {few} of {most} paths");
        figures.push(ChangeFigures { name, all, changed });
    }
    let complaints: Vec<String> = figures.iter().flat_map(complaints).collect();
    let mut report = report(&figures);
    complaints.iter().for_each(|it| report.push_str(&format!("\nWRONG: {it}\n")));
    println!("{report}");
    if options.record {
        record::write("dgse-changes", "Differences that changes make", &report)?;
    }
    Ok(complaints.is_empty())
}

/// The changes of `bench/dgse/changes`, by name.
fn changes(setup: &BenchSetup, only: Option<&[String]>) -> Result<Vec<(String, PathBuf)>, String> {
    super::programs::files(&setup.root.join("bench/dgse/changes"), "diff", only)
}

/// Both versions of a program: `old` holds the one before the change, `new` is a repository whose
/// working tree has the one after it.
struct ProgramVersions {
    folder: WorkDir,
    old: PathBuf,
    new: PathBuf,
}

impl ProgramVersions {
    fn create(setup: &BenchSetup, diff: &Path) -> Result<ProgramVersions, String> {
        let failed = |path: &Path, e: std::io::Error| format!("{}: {e}", path.display());
        let text = std::fs::read_to_string(diff).map_err(|e| failed(diff, e))?;
        let path = text.lines().find_map(|line| line.strip_prefix("+++ b/"));
        let path = path.ok_or_else(|| format!("{}: it names no file", diff.display()))?;
        let name = Path::new(path).file_name().unwrap_or_default();
        let folder = setup.folder("dgse-changes")?;
        let (old, new) = (folder.file("old"), folder.file("new"));
        for directory in [&old, &new] {
            create_dir(directory)?;
            let copy = directory.join(name);
            std::fs::copy(setup.root.join(path), &copy).map_err(|e| failed(&copy, e))?;
        }
        let git = |words: &[&str], file: Option<&Path>| {
            let mut command = Command::new("git");
            command.current_dir(&new).env("GIT_CONFIG_GLOBAL", "/dev/null");
            command.args(["-c", "user.name=Bench", "-c", "user.email=bench@example.org"]);
            process::succeed(command.args(words).args(file), LIMIT)
        };
        git(&["init", "--quiet"], None)?;
        git(&["add", "."], None)?;
        git(&["commit", "--quiet", "--message=old"], None)?;
        let depth = format!("-p{}", Path::new(path).components().count());
        git(&["apply", &depth], Some(diff))?;
        Ok(ProgramVersions { old: old.join(name), new: new.join(name), folder })
    }

    /// Loads both versions, so that they are in the cache for every run.
    fn load(&self, setup: &BenchSetup) -> Result<(), String> {
        for version in [&self.old, &self.new] {
            let mut command = setup.byway();
            command.arg("ir").arg("--out").arg(self.folder.file("loaded")).arg(version);
            process::succeed(&mut command, LIMIT)?;
        }
        Ok(())
    }

    /// Explores both versions exhaustively.
    fn explore_all(&self, setup: &BenchSetup) -> Result<SideFigures, String> {
        let options = ReductionMode::Exhaustive.arguments();
        let mut figures = SideFigures::default();
        let (new, old) = (self.folder.file("all-new"), self.folder.file("all-old"));
        figures.seconds += run(setup, options, &self.old, &self.new, &new)?;
        figures.add_run(&new)?;
        figures.add_differences(&new, false)?;
        figures.seconds += run(setup, options, &self.new, &self.old, &old)?;
        figures.add_run(&old)?;
        figures.add_differences(&old, true)?;
        Ok(figures)
    }

    /// Explores what the change can affect, in both versions.
    fn explore_changed(&self, setup: &BenchSetup) -> Result<SideFigures, String> {
        let mut figures = SideFigures::default();
        let new = self.folder.file("changed");
        figures.seconds = run(setup, &["--since", "HEAD"], &self.old, &self.new, &new)?;
        figures.add_run(&new)?;
        let old = new.join("against");
        if RunReader::is_at(&old) {
            figures.add_run(&old)?;
        }
        figures.add_combinations(&new)?;
        figures.add_differences(&new, false)?;
        Ok(figures)
    }
}

/// Explores a program, and compares it with another; returns the seconds of processor time.
fn run(
    setup: &BenchSetup,
    options: &[&str],
    against: &Path,
    program: &Path,
    output: &Path,
) -> Result<f64, String> {
    let mut command = setup.byway();
    command.arg("run").arg("--output-dir").arg(output).args(options);
    command.arg("--against").arg(against).arg(program);
    process::explore(&mut command, LIMIT).map(|times| times.cpu)
}

impl SideFigures {
    fn add_run(&mut self, run: &Path) -> Result<(), String> {
        let metrics = RunMetrics::read(run)?;
        self.paths += metrics.paths;
        if !metrics.complete {
            self.incomplete.push(metrics.lost);
        }
        Ok(())
    }

    /// Adds the inputs that combine how both versions end.
    fn add_combinations(&mut self, run: &Path) -> Result<(), String> {
        let summary = RunReader::open(run).and_then(|run| run.summary());
        let summary = summary.map_err(|e| e.to_string())?;
        let record = summary.differences.and_then(|it| it.combinations);
        let record = record.ok_or("no combinations were searched")?;
        let CombinationsRecord {
            combined, completed, undecided, diverged, limited, stopped, ..
        } = record;
        self.paths += combined + completed;
        for (count, what) in [
            (undecided, "undecided combinations"),
            (diverged, "inputs with another ending"),
            (limited, "limited decisions"),
        ] {
            if count > 0 {
                self.incomplete.push(format!("{count} {what}"));
            }
        }
        self.incomplete.extend(stopped);
        Ok(())
    }

    /// Adds the differences on the tests of a run, whose builds are swapped if `reversed`.
    fn add_differences(&mut self, run: &Path, reversed: bool) -> Result<(), String> {
        let lines = RunReader::open(run).and_then(|run| run.differences());
        for line in lines.map_err(|e| e.to_string())? {
            if let Some(why) = line.not_comparable {
                self.not_comparable.push(why);
                continue;
            }
            let text = |part: &DifferingPart, with_output: bool| {
                let (old, new) = match reversed {
                    false => (&part.old, &part.new),
                    true => (&part.new, &part.old),
                };
                match with_output || part.offset.is_none() {
                    true => format!("{} {old} → {new}", part.part),
                    false => part.part.clone(),
                }
            };
            let all = |with_output: bool| -> String {
                let parts: Vec<String> =
                    line.parts.iter().map(|it| text(it, with_output)).collect();
                parts.join("; ")
            };
            self.kinds.insert(all(false));
            self.outputs.insert(all(true));
        }
        Ok(())
    }
}

/// What is wrong with the explorations of a change.
fn complaints(figures: &ChangeFigures) -> Vec<String> {
    let ChangeFigures { name, all, changed } = figures;
    let missed = all.kinds.difference(&changed.kinds);
    let mut found: Vec<String> = missed.map(|kind| format!("{name}: missed {kind}")).collect();
    for (mode, side) in [("exhaustive", all), ("limited", changed)] {
        if let Some(lost) = side.incomplete.first() {
            found.push(format!("{name}: the {mode} exploration is incomplete: {lost}"));
        }
    }
    if let Some(why) = changed.not_comparable.first() {
        found.push(format!("{name}: a test is not comparable: {why}"));
    }
    found
}

fn report(figures: &[ChangeFigures]) -> String {
    let mut text = String::from(
        "Paths and seconds of both versions, exhaustively → only what the change can affect. Seconds \
         are those of the processor for the whole command: loading, exploring, and running the tests on \
         both. A kind of difference is how the versions end and which streams differ; outputs are \
         the distinct texts. Each is found of all; further kinds are those that only the limited \
         exploration found.\n\n\
         | change | paths | share | seconds | time | kinds | further kinds | outputs |\n\
         |---|---:|---:|---:|---:|---:|---:|---:|\n",
    );
    for ChangeFigures { name, all, changed } in figures {
        let found = |all: &BTreeSet<String>, changed: &BTreeSet<String>| {
            format!("{} of {}", all.intersection(changed).count(), all.len())
        };
        text.push_str(&format!(
            "| {name} | {} → {} | {} % | {:.1} → {:.1} | {:.2} × | {} | {} | {} |\n",
            all.paths,
            changed.paths,
            percentage(changed.paths as f64 / all.paths.max(1) as f64),
            all.seconds,
            changed.seconds,
            changed.seconds / all.seconds.max(1e-9),
            found(&all.kinds, &changed.kinds),
            changed.kinds.difference(&all.kinds).count(),
            found(&all.outputs, &changed.outputs),
        ));
    }
    for ChangeFigures { name, all, .. } in figures {
        if let Some(why) = all.not_comparable.first() {
            let tests = plural(all.not_comparable.len() as u64, "test");
            text.push_str(&format!(
                "\n{name}: {tests} of the exhaustive exploration cannot be compared: {why}\n"
            ));
        }
    }
    text
}
