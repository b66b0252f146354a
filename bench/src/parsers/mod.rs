//! `byway-bench parsers`: does more symbolic input cost coverage, and do paths keep ending?

mod beside_afl;
mod figures;
mod gcov;
mod growth;
mod programs;

use std::convert::Infallible;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use byway_base::quantity::{parse_count, parse_time};
use byway_progress::{JobEvent, run_jobs};

use figures::{HEADS, ParserFigures};
use programs::{BuiltPrograms, CHECKED, PROGRAMS, ParserProgram};

use crate::process;
use crate::record;
use crate::setup::BenchSetup;

const ABOUT: &str = "\
Does more symbolic input cost coverage, and do paths keep ending?

Explores parsers of Debian's sources (libyaml, cJSON, yajl, http-parser, libcsv, expat, jansson, lua) on
8, 16, 32, 64 and 128 symbolic bytes; strtod of the C library on 5 and 10; and 64 branches
that do not depend on each other. The first run fetches and builds them, which takes less than a
minute; they are kept in the cache.

The table has the coverage of the parser's own code, and how much of that is due to paths that
ended; when the first path ended, and the longest time in which none did.

With --check, the exit code is 1 if three of the parsers, explored for the same work, cover less
of their lines with a longer input than with a shorter one.

With --beside-afl, strategies explore six of the parsers on 16 and 64 bytes for as much processor time
as AFL++ fuzzes them (Debian's afl++, one seed of letters, no dictionary), and one build for gcov measures the
coverage of all. The exit code is 1 if the first strategy covers less than AFL++ somewhere, or
not ten points more on average.";

const EXAMPLES: &str = "\
Examples:
  ./dev bench parsers
  ./dev bench parsers --programs libyaml --sizes 64 --search dfs
  ./dev bench parsers --programs cjson,yajl --sizes 6,16 --bin before=../old/byway
  ./dev bench parsers --check
  ./dev bench parsers --beside-afl --programs lua --search greedy";

/// Options of the benchmark.
#[derive(clap::Args, Debug)]
#[command(long_about = ABOUT, after_help = EXAMPLES)]
pub struct ParsersOptions {
    /// The programs, separated by commas (default: all; with --check, three)
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    programs: Option<Vec<String>>,

    /// Numbers of symbolic bytes, separated by commas (default: those of each program)
    #[arg(long, value_name = "N,...", value_delimiter = ',', value_parser = clap::value_parser!(u32).range(1..4096))]
    sizes: Option<Vec<u32>>,

    /// The searcher (default: byway's own choice; with --beside-afl, auto and greedy)
    #[arg(long, value_name = "NAME")]
    search: Option<String>,

    /// How long each program is explored; with --beside-afl, in processor time
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = parse_time)]
    max_time: Duration,

    /// Explore for this much work instead: the same on every machine
    #[arg(long, value_name = "N", value_parser = parse_count, conflicts_with = "max_time")]
    max_work: Option<u64>,

    /// The seed of random choices
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,

    /// Another byway to measure beside this one, named in the table; may be repeated
    #[arg(long, value_name = "[NAME=]BYWAY", value_parser = parse_build)]
    bin: Vec<OtherBuild>,

    /// Runs at once
    #[arg(long, value_name = "N", default_value_t = 1)]
    jobs: usize,

    /// Compare strategies with AFL++, by gcov
    #[arg(long, conflicts_with_all = ["check", "bin", "max_work", "jobs"])]
    beside_afl: bool,

    /// Whether coverage stays when the input grows, by work (default: 2M each)
    #[arg(long)]
    check: bool,

    /// Write the result to bench/results/DATE-parsers.md
    #[arg(long)]
    record: bool,
}

/// The work of a run with `--check`: some seconds.
const CHECK_WORK: u64 = 2_000_000;

/// The seeds of each run with `--check`: one alone may be unlucky.
const CHECK_SEEDS: u64 = 3;

/// Time beyond its limit after which a run counts as stuck.
const GRACE: Duration = Duration::from_secs(300);
/// The time for a run whose limit is work.
const WORK_TIME: Duration = Duration::from_secs(1200);

/// A byway to compare with.
#[derive(Clone, Debug)]
struct OtherBuild {
    name: String,
    path: PathBuf,
}

fn parse_build(text: &str) -> Result<OtherBuild, Infallible> {
    let (name, path) = text.split_once('=').unwrap_or((text, text));
    Ok(OtherBuild { name: name.into(), path: path.into() })
}

impl OtherBuild {
    /// A command that runs it with the C library beside it.
    fn command(&self) -> Command {
        let mut command = Command::new(&self.path);
        if self.path.with_file_name("byway-runtime").exists() {
            command.env_remove("BYWAY_RUNTIME_DIR");
        }
        command
    }
}

/// One exploration.
struct ParserRun<'a> {
    program: &'static ParserProgram,
    size: u32,
    seed: u64,
    /// Another byway than the one to measure.
    other: Option<&'a OtherBuild>,
}

impl ParserRun<'_> {
    fn title(&self) -> String {
        let title = format!("{} {}, seed {}", self.program.name, self.size, self.seed);
        self.other.map_or(title.clone(), |other| format!("{title} {}", other.name))
    }
}

/// Runs the benchmark and returns whether its result is as it should be.
pub fn main(mut options: ParsersOptions) -> Result<bool, String> {
    if options.beside_afl {
        let (report, held) = beside_afl::compare(&options)?;
        println!("{report}");
        if options.record {
            record::write("parsers-afl", "Parsers beside AFL++", &report)?;
        }
        return Ok(held);
    }
    if options.check {
        options.max_work.get_or_insert(CHECK_WORK);
        options.programs.get_or_insert_with(|| CHECKED.map(str::to_owned).into());
    }
    let runs = plan(&options)?;
    let setup = BenchSetup::in_memory()?;
    let built = BuiltPrograms::build(&setup)?;
    let results = explore_all(&setup, &built, &runs, &options);

    let mut report = table(&runs, &results, &options);
    let mut held = results.iter().all(Result::is_ok);
    if options.check {
        let own = runs.iter().zip(&results).filter(|(run, _)| run.other.is_none());
        let covered = |result: &ParserResult| result.as_ref().map_or(0, |figures| figures.lines.0);
        let rows = own.map(|(run, result)| (run.program.name, run.size, covered(result)));
        let growth = growth::check(rows);
        held &= growth.iter().all(|program| program.falls.is_empty());
        report = format!("{}\n{report}", growth::table(&growth));
    }
    println!("{report}");
    if options.record {
        record::write("parsers", "Parsers on inputs of growing size", &report)?;
    }
    Ok(held)
}

/// The runs of a table, row by row. Builds that are compared explore a program one after the
/// other, on a machine that is equally busy.
fn plan(options: &ParsersOptions) -> Result<Vec<ParserRun<'_>>, String> {
    let programs = match &options.programs {
        Some(names) => programs::named(names)?,
        None => PROGRAMS.iter().collect(),
    };
    let builds: Vec<Option<&OtherBuild>> =
        [None].into_iter().chain(options.bin.iter().map(Some)).collect();
    let seeds = options.seed..options.seed + if options.check { CHECK_SEEDS } else { 1 };
    let mut runs = Vec::new();
    for program in programs {
        for &size in options.sizes.as_deref().unwrap_or(program.sizes) {
            for seed in seeds.clone() {
                runs.extend(builds.iter().map(|&other| ParserRun { program, size, seed, other }));
            }
        }
    }
    Ok(runs)
}

/// The figures of a run, or how byway failed.
type ParserResult = Result<ParserFigures, String>;

fn explore_all(
    setup: &BenchSetup,
    built: &BuiltPrograms,
    runs: &[ParserRun],
    options: &ParsersOptions,
) -> Vec<ParserResult> {
    let mut results: Vec<ParserResult> = runs.iter().map(|_| Err("not explored".into())).collect();
    let mut done = 0;
    let start =
        |()| |index: usize| Ok::<_, Infallible>(explore(setup, built, &runs[index], options));
    let Ok(()) =
        run_jobs(
            vec![(); options.jobs.max(1)],
            runs.len(),
            &|| false,
            start,
            |event| match event {
                JobEvent::Started(index) => eprintln!("parsers: {} ...", runs[index].title()),
                JobEvent::Finished(index, result) => {
                    done += 1;
                    let progress =
                        result.as_ref().map_or_else(Clone::clone, ParserFigures::in_short);
                    eprintln!("parsers: {done}/{} {}: {progress}", runs.len(), runs[index].title());
                    results[index] = result;
                }
                JobEvent::Tick => {}
            },
        );
    results
}

fn explore(
    setup: &BenchSetup,
    built: &BuiltPrograms,
    run: &ParserRun,
    options: &ParsersOptions,
) -> ParserResult {
    let ParserRun { program: &ParserProgram { name, .. }, size, seed, other } = *run;
    let folder = setup.folder(name)?;
    let dir = folder.file("run");
    let mut command = other.map_or_else(|| setup.byway(), OtherBuild::command);
    command.args(["run", "--stats-interval", "100ms", "--output-dir"]).arg(&dir);
    command.args(run_options(options, seed)).arg("--sym-stdin").arg(size.to_string());
    command.arg(built.bitcode(name));
    let limit = options.max_work.map_or(options.max_time + GRACE, |_| WORK_TIME);
    process::explore(&mut command, limit)?;
    ParserFigures::read(&dir, name)
}

/// Options of every run.
fn run_options(options: &ParsersOptions, seed: u64) -> Vec<String> {
    let limit = match options.max_work {
        Some(work) => ["--max-work".to_owned(), work.to_string()],
        None => ["--max-time".to_owned(), format!("{}ms", options.max_time.as_millis())],
    };
    let mut all: Vec<String> = vec!["--only-covering-new".into()];
    all.extend(limit);
    all.extend(["--seed".to_owned(), seed.to_string()]);
    all.extend(options.search.iter().flat_map(|search| ["--search".to_owned(), search.clone()]));
    all
}

fn table(runs: &[ParserRun], results: &[ParserResult], options: &ParsersOptions) -> String {
    let compared = !options.bin.is_empty();
    let mut text = format!(
        "`byway run {} --sym-stdin BYTES PROGRAM.bc`{}; lines and branch sides of the parser's own \
         code; times to 0.1 s.\n\n| program | bytes |{} {} |\n|---|---:|{}{}\n",
        run_options(options, options.seed).join(" "),
        if options.check { ", and by the next seeds" } else { "" },
        if compared { " build |" } else { "" },
        HEADS.join(" | "),
        if compared { "---|" } else { "" },
        "---:|".repeat(HEADS.len()),
    );
    for (run, result) in runs.iter().zip(results) {
        let other = run.other.map_or("this", |other| &other.name);
        let build = if compared { format!(" {other} |") } else { String::new() };
        let cells = match result {
            Ok(figures) => figures.cells(),
            Err(error) => format!(
                "failed: {}{}",
                error.replace(['|', '\n'], " "),
                " |".repeat(HEADS.len() - 1)
            ),
        };
        let _ = writeln!(text, "| {} | {} |{build} {cells} |", run.program.name, run.size);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct ParsersCommand {
        #[command(flatten)]
        options: ParsersOptions,
    }

    fn options(line: &str) -> ParsersOptions {
        let words = ["parsers"].into_iter().chain(line.split_whitespace());
        ParsersCommand::try_parse_from(words).expect("options").options
    }

    #[test]
    fn each_size_is_explored_by_every_build() {
        let titles = |line: &str| {
            let options = options(line);
            plan(&options).map(|runs| runs.iter().map(ParserRun::title).collect::<Vec<_>>())
        };
        assert_eq!(titles("").expect("runs").len(), 8 * 5 + 2 + 1);
        let compared = titles("--programs yajl --sizes 6,9 --bin old=/old --bin /x").expect("runs");
        assert_eq!(
            compared[..4],
            ["yajl 6, seed 0", "yajl 6, seed 0 old", "yajl 6, seed 0 /x", "yajl 9, seed 0"]
        );
        assert!(titles("--programs json").is_err_and(|e| e.contains("yajl")));
    }

    #[test]
    fn rows_have_as_many_cells_as_the_head() {
        for line in ["--programs strtod --max-work 2M --search dfs", "--bin /old --max-time 5s"] {
            let options = options(line);
            let runs = plan(&options).expect("runs");
            let mut results = vec![Ok(ParserFigures::default()); runs.len()];
            results[0] = Err("exit code 101: a | b\nc".into());
            let text = table(&runs, &results, &options);
            let bars: Vec<usize> =
                text.lines().skip(2).map(|line| line.matches('|').count()).collect();
            assert!(bars.len() == runs.len() + 2 && bars.iter().all(|n| *n == bars[0]), "{text}");
        }
        let options = options("--max-work 2M --search dfs");
        let expected = "--only-covering-new --max-work 2000000 --seed 0 --search dfs";
        assert_eq!(run_options(&options, 0).join(" "), expected);
    }
}
