//! Native confirmation: runs the tests that reach targets on the program compiled for this machine.
//!
//! A line or a function is confirmed if the counters of a build for coverage show that the test
//! executed it. An error call is only part of its line, and compilers count some lines elsewhere;
//! then the test is replayed, and must end as predicted.

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::path::Path;

use byway_engine::{NamedTarget, TargetKind};
use byway_progress::ProgressMode;
use byway_rundir::{RunReader, TargetRecord, VerdictRecord};

use super::config::ConfirmOptions;
use crate::cmd::replay::{self, ReplayConfig, Verdict};
use crate::failure::{Failure, FailureKind, Result};
use crate::interrupt;
use crate::native_coverage::build::{self, CoverageCompiler};
use crate::native_coverage::gcov::{CoverageMap, Covered};
use crate::native_coverage::measure::{CoverageRunOptions, CoverageRunner};
use crate::native_coverage::units::CompilationUnits;
use crate::native_run;
use crate::rerun::ProgramLoader;

/// Tests that run at once.
const JOBS: usize = 2;

/// Sets `confirmed` and `note` of every target that was reached.
pub fn confirm(
    run: &Path,
    targets: &[NamedTarget],
    records: &mut [TargetRecord],
    options: &ConfirmOptions,
) -> Result<()> {
    let reached = |record: &TargetRecord| match record.verdict {
        VerdictRecord::Reached { path, .. } => Some(path),
        _ => None,
    };
    let by_lines: BTreeSet<u64> = targets
        .iter()
        .zip(records.iter())
        .filter(|(target, _)| target.kind != TargetKind::Error)
        .filter_map(|(_, record)| reached(record))
        .collect();
    let measured = match by_lines.is_empty() {
        true => Ok(Measured::default()),
        false => measure(run, &by_lines, options),
    };
    let measured = match measured {
        Err(failure) if failure.kind() == FailureKind::Interrupted => return Err(failure),
        measured => measured.unwrap_or_default(),
    };
    let mut unconfirmed = Vec::new();
    for (target, record) in targets.iter().zip(records.iter_mut()) {
        let Some(number) = reached(record) else { continue };
        match measured.executes(number, target) {
            Some(true) => note(record, true, executed(target)),
            Some(false) => note(record, false, "the native run did not execute it"),
            None => unconfirmed.push((number, record)),
        }
    }
    if unconfirmed.is_empty() {
        return Ok(());
    }
    let numbers: BTreeSet<u64> = unconfirmed.iter().map(|(number, _)| *number).collect();
    let verdicts = match replayed(run, &numbers, options) {
        Err(failure) if failure.kind() == FailureKind::Interrupted => return Err(failure),
        Err(failure) => Err(failure.to_string()),
        Ok(verdicts) => Ok(verdicts),
    };
    for (number, record) in unconfirmed {
        match verdicts.as_ref().map(|verdicts| verdicts.get(&number)) {
            Ok(Some(Verdict::Agrees | Verdict::AgreesExactly { .. })) => {
                note(record, true, "the test ended as predicted");
            }
            Ok(Some(verdict)) => note(record, false, &explain(verdict)),
            Ok(None) => note(record, false, "the test was not run"),
            Err(why) => note(record, false, why),
        }
    }
    Ok(())
}

fn executed(target: &NamedTarget) -> &'static str {
    match target.kind {
        TargetKind::Function => "the function was called",
        TargetKind::Lines | TargetKind::Error => "the line was executed",
    }
}

fn note(record: &mut TargetRecord, is_confirmed: bool, text: &str) {
    if let VerdictRecord::Reached { confirmed, note, .. } = &mut record.verdict {
        *confirmed = Some(is_confirmed);
        // A message may have several lines.
        *note = text.lines().next().map(str::to_string);
    }
}

fn explain(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Diverges { predicted, happened } => {
            format!("the test ended otherwise: {happened} instead of {predicted}")
        }
        Verdict::NotComparable { why, .. } => why.clone(),
        Verdict::TimedOut { .. } => "the test did not end in time".to_string(),
        Verdict::NoPrediction => "the path did not end, so there is no outcome to compare".into(),
        Verdict::Agrees | Verdict::AgreesExactly { .. } => String::new(),
    }
}

/// What tests executed natively, by their numbers.
#[derive(Default)]
struct Measured {
    /// Line numbers and functions of each file, by its path.
    files: BTreeMap<String, MeasuredFile>,
    tests: BTreeMap<u64, Covered>,
}

#[derive(Default)]
struct MeasuredFile {
    lines: BTreeMap<u32, usize>,
    functions: BTreeMap<String, usize>,
}

impl Measured {
    /// Whether a test executed a target; `None` if that was not measured.
    fn executes(&self, test: u64, target: &NamedTarget) -> Option<bool> {
        let covered = self.tests.get(&test)?;
        let known = |found: Vec<bool>| found.iter().copied().reduce(|a, b| a | b);
        match target.kind {
            TargetKind::Error => None,
            TargetKind::Function => {
                let numbers = self.files.values().filter_map(|it| it.functions.get(&target.name));
                known(numbers.map(|it| covered.functions.binary_search(it).is_ok()).collect())
            }
            TargetKind::Lines => {
                let number = |(file, line): &(String, u32)| {
                    self.files.get(file).and_then(|it| it.lines.get(line))
                };
                let numbers = target.lines.iter().filter_map(number);
                known(numbers.map(|it| covered.lines.binary_search(it).is_ok()).collect())
            }
        }
    }
}

/// Runs tests on a build with coverage counters.
fn measure(run: &Path, tests: &BTreeSet<u64>, options: &ConfirmOptions) -> Result<Measured> {
    let run = RunReader::open(run)?;
    let numbers: Vec<u64> = tests.iter().copied().collect();
    let tests = native_run::select_tests(&run, Some(&numbers))?;
    let scratch = native_run::scratch_dir()?;
    let manifest = run.manifest();
    let clang = env::var_os("BYWAY_CLANG");
    let spec = native_run::build_spec(manifest, clang, options.compile_limit)?;
    let built = build::build(&spec, CoverageCompiler::Any, scratch.path())?;
    let (units, notes) = CompilationUnits::find(&built.program, &built.notes)?;
    let map = CoverageMap::new(notes, built.rule, &|_| true);
    let how = CoverageRunOptions {
        jobs: JOBS,
        time_limit: options.time_limit,
        sandboxed: options.sandboxed,
        progress: ProgressMode::for_stderr(),
    };
    let mut measured = Measured::default();
    let runner = CoverageRunner::new(&run, &built, &units, &map, how);
    let runs = runner.run_all(&tests, &mut |test, covered| {
        measured.tests.insert(test, covered);
    })?;
    if runs.interrupted || interrupt::requested() {
        return Err(Failure::interrupted_while("confirming targets"));
    }
    for (name, file) in &map.files {
        let path = Path::new(&file.directory).join(name);
        let own = measured.files.entry(byway_engine::normalised_path(&path.to_string_lossy()));
        let own = own.or_default();
        own.lines.extend(file.lines.iter().map(|(line, it)| (*line, it.number)));
        own.functions.extend(file.functions.iter().map(|(_, name, it)| (name.clone(), *it)));
    }
    Ok(measured)
}

/// Replays tests; their verdicts by number.
fn replayed(
    run: &Path,
    tests: &BTreeSet<u64>,
    options: &ConfirmOptions,
) -> Result<BTreeMap<u64, Verdict>> {
    let config = ReplayConfig {
        run: run.to_path_buf(),
        tests: Some(tests.iter().copied().collect()),
        jobs: JOBS,
        time_limit: options.time_limit,
        sandboxed: options.sandboxed,
        compile_limit: options.compile_limit,
        clang: env::var_os("BYWAY_CLANG"),
        loader: ProgramLoader::resolve(options.compile_limit),
        binary: None,
        verdicts: None,
        color: false,
        progress: ProgressMode::for_stderr(),
    };
    let replayed = replay::replay_tests(&config)?;
    let verdicts = replayed.tests.iter().zip(replayed.results);
    Ok(verdicts.filter_map(|(test, verdict)| Some((test.number, verdict?))).collect())
}
