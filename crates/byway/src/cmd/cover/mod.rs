//! `byway cover`: measures what the tests of a run cover of the user's sources, on the program
//! built natively with gcc's or clang's coverage, and shows why the rest is not covered.
//!
//! ```text
//! run directory ──native_coverage──▶ covered lines, branch sides of each test
//!                        ──[`tally`]──▶ number of tests, first test
//! tally, [`engine_coverage`], [`faults`] ──[`report`]──▶ [`table`], [`lcov`], [`record`], [`page`]
//! ```

mod config;
mod engine_coverage;
mod faults;
mod flags;
mod lcov;
mod page;
mod record;
mod report;
mod sources;
mod table;
mod tally;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use byway_rundir::{OutcomeRecord, RunReader};
use byway_testcase::{atomic, ktest};

use crate::console::{Style, print};
use crate::exit;
use crate::failure::{Failure, Result};
use crate::native_coverage::build::{self, InstrumentedProgram};
use crate::native_coverage::gcov::CoverageMap;
use crate::native_coverage::measure::{CoverageRunOptions, CoverageRunner};
use crate::native_coverage::units::CompilationUnits;
use crate::native_run::{self, RunTest};
use byway_base::quantity::plural;
pub use config::CoverConfig;
use engine_coverage::EngineCoverage;
use faults::FoundFaults;
pub use flags::{CoverFlags, EXAMPLES};
use page::PageTest;
use report::NativeReport;
use sources::SourceFinder;
use tally::CoverageTally;

/// The files in the output directory.
const PAGE: &str = "index.html";
const LCOV: &str = "lcov.info";
const RECORD: &str = "cover.json";

/// `byway cover`: measures, prints a table, writes a page and `lcov.info`.
pub fn cover(config: &CoverConfig) -> Result<u8> {
    let style = Style::new(config.color);
    let run = RunReader::open(&config.run)?;
    native_run::require_main(run.manifest(), "cover")?;
    let mut tests = native_run::select_tests(&run, config.tests.as_deref())?;
    let all = tests.len();
    if !config.partial_tests {
        tests.retain(RunTest::has_ended);
    }
    let left_out = (all - tests.len()) as u64;
    let scratch = native_run::scratch_dir()?;
    let built = built(config, &run, scratch.path())?;
    let below = config.notes.as_deref().unwrap_or(&built.notes);
    let (units, notes) = CompilationUnits::find(&built.program, below)?;
    let map = CoverageMap::new(notes, built.rule, &|name| wanted(config, scratch.path(), name));
    if map.lines == 0 {
        return Err(Failure::new("no line of the program is measured")
            .hint("--files selects files by the end of their paths; system headers are excluded"));
    }
    let runner = CoverageRunner::new(
        &run,
        &built,
        &units,
        &map,
        CoverageRunOptions {
            jobs: config.jobs,
            time_limit: config.time_limit,
            sandboxed: config.sandboxed,
            progress: config.progress,
        },
    );
    let mut tally = CoverageTally::new(&map);
    let outcome = runner.run_all(&tests, &mut |test, covered| tally.add(test, &covered))?;
    let on_engine = EngineCoverage::read(&run)?;
    let sources = sources(config, &run);
    let faults = FoundFaults::new(&tests, &sources.base);
    let report = NativeReport::new(&map, &tally, &on_engine, &faults, &sources);
    let facts = table::MeasureInfo {
        run: &config.run,
        how: &built.how,
        measured: outcome.measured,
        unmeasured: &outcome.unmeasured,
        missing: &built.missing,
        interrupted: outcome.interrupted,
    };
    print(&table::render(&report, &facts, style))?;
    if left_out > 0 {
        let tests = plural(left_out, "test");
        print(&format!("\nexcluded: {tests} of unfinished paths\n"))?;
    }
    let output = config.output.clone().unwrap_or_else(|| config.run.join("cover"));
    write(&output, LCOV, &lcov::render(&report))?;
    write(&output, RECORD, &record::render(&report, &facts, left_out))?;
    let page = page(&run, &tests, &report, &facts, &output)?;
    let page = write(&output, PAGE, &page)?;
    print(&format!("\n{} {}\n", style.note("page"), page.display()))?;
    Ok(if outcome.interrupted { exit::INTERRUPTED } else { exit::SUCCESS })
}

/// The instrumented program: the user's, or one built now.
fn built(config: &CoverConfig, run: &RunReader, dir: &Path) -> Result<InstrumentedProgram> {
    let manifest = run.manifest();
    if let Some(program) = &config.build {
        let clang = config.clang.clone();
        let clang = clang.unwrap_or_else(|| native_run::text(&manifest.program.compiler.clang));
        return build::prebuilt(program, &clang, config.compile_limit, dir);
    }
    let recipe = native_run::build_spec(manifest, config.clang.clone(), config.compile_limit)?;
    build::build(&recipe, config.compiler, dir)
}

/// Whether a file, as the compiler named it, is the user's own and selected.
fn wanted(config: &CoverConfig, scratch: &Path, name: &str) -> bool {
    let path = Path::new(name);
    let foreign = path.starts_with("/usr") || path.starts_with(scratch);
    !foreign && (config.files.is_empty() || config.files.iter().any(|end| path.ends_with(end)))
}

fn sources(config: &CoverConfig, run: &RunReader) -> SourceFinder {
    let program = &run.manifest().program;
    let base = native_run::path(&program.directory);
    let explored = program.files.iter().filter_map(|file| {
        let path = fs::canonicalize(native_run::path(&file.path)).ok()?;
        Some((path, file.hash.clone()))
    });
    SourceFinder {
        directories: config.sources.iter().flat_map(fs::canonicalize).collect(),
        explored: explored.collect(),
        base: fs::canonicalize(&base).unwrap_or(base),
    }
}

fn page(
    run: &RunReader,
    tests: &[RunTest],
    report: &NativeReport,
    facts: &table::MeasureInfo<'_>,
    output: &Path,
) -> Result<String> {
    let first = report.files.iter().flat_map(|file| file.lines.values()).flat_map(|line| {
        line.branches.iter().flatten().chain([&line.hits]).filter_map(|hits| hits.first)
    });
    let faults = report.files.iter().flat_map(|file| file.faults.values().flatten());
    let first_faults = faults.filter_map(|fault| fault.tests.first().copied());
    let first: BTreeSet<u64> = first.chain(first_faults).collect();
    let of = tests.iter().filter(|test| first.contains(&test.number));
    let tests: BTreeMap<u64, PageTest> =
        of.map(|test| (test.number, test_facts(run, test, output))).collect();
    let program = run.manifest().program.files.first().map(|file| native_run::path(&file.given));
    let program = program.as_deref().and_then(Path::file_name).unwrap_or_default();
    let program = program.to_string_lossy();
    let lost: u64 = facts.unmeasured.values().map(|tests| tests.len() as u64).sum();
    let warning = match (lost, facts.interrupted) {
        (0, false) => None,
        (_, true) => Some("The measurement was interrupted.".to_string()),
        (lost, false) => Some(format!("{} could not be measured.", plural(lost, "test"))),
    };
    let measured = plural(facts.measured, "test");
    let measure = format!("{measured} of '{}', measured with {}.", facts.run.display(), facts.how);
    Ok(page::render(
        report,
        &page::PageInfo { program: &program, measure: &measure, warning, tests: &tests },
    ))
}

fn test_facts(run: &RunReader, test: &RunTest, output: &Path) -> PageTest {
    let file = run.test_path(&test.name);
    let read = run.read_test(&test.name).and_then(|bytes| Ok(ktest::decode(&bytes)?));
    let input = read.map_or(String::new(), |test| {
        crate::report::render_input(&test, Style::new(false)).replace("input: ", "")
    });
    let outcome = match &test.outcome {
        Some(OutcomeRecord::Exit { code }) => format!("exit code {code}"),
        Some(OutcomeRecord::Fault { fault, .. }) => format!("fault: {fault}"),
        Some(other) => other.name().into(),
        None => String::new(),
    };
    PageTest { name: test.name.clone(), link: link(&file, output), outcome, input }
}

/// The link from a page in a directory to a file.
fn link(file: &Path, from: &Path) -> String {
    let inside = |path: &Path| fs::canonicalize(path).unwrap_or_else(|_| path.into());
    let (file, from) = (inside(file), inside(from));
    let relative = match from.parent().and_then(|parent| file.strip_prefix(parent).ok()) {
        Some(rest) => Path::new("..").join(rest),
        None => file,
    };
    // What a link takes for something else is written by its number.
    let bytes = relative.as_os_str().as_encoded_bytes().iter();
    bytes
        .map(|&byte| match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' => {
                char::from(byte).to_string()
            }
            other => format!("%{other:02X}"),
        })
        .collect()
}

fn write(dir: &Path, name: &str, text: &str) -> Result<PathBuf> {
    let path = dir.join(name);
    fs::create_dir_all(dir).map_err(|error| Failure::io("make the directory", dir, &error))?;
    atomic::write(&path, text.as_bytes()).map_err(|error| Failure::io("write", &path, &error))?;
    Ok(path)
}
