//! Runs without an engine: a fake one reports paths, and the tests read the run directory.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use byway_base::{
    Fault, FaultKind, Input, Limit, Note, Outcome, SrcLoc, StackFrame, TestCase, Unsupported,
    UnsupportedFeature, Work,
};
use byway_engine::{
    BranchCoverage, ConcretisationReason, Control, Coverage, Exploration, LineCoverage, Observer,
    PathEnd, SideCoverage, StopReason, Totals, UntakenReasons,
};
use byway_rundir::{
    ClockStart, CompilerRecord, ConfigRecord, EndReason, LimitRecord, OutcomeRecord, ProgramRecord,
    RunDirectory, RunManifest, RunReader, RunSummary, RunWriter, SCHEMA,
};
use byway_testcase::ktest;
use clap::Parser;

use super::observer::{RunObserver, SolverErrors};
use super::{RunConfig, RunFlags};
use crate::failure::Failure;
use crate::hash::Digest;
use tempfile::TempDir;

#[derive(Parser)]
struct RunCommandLine {
    #[command(flatten)]
    flags: RunFlags,
}

fn config(flags: &[&str]) -> RunConfig {
    let words = ["byway", "a.c", "--color", "never"].iter().chain(flags);
    RunConfig::resolve(RunCommandLine::parse_from(words).flags).expect("good flags")
}

fn manifest() -> RunManifest {
    RunManifest {
        schema: SCHEMA,
        byway: "0".into(),
        program: ProgramRecord {
            files: vec![],
            directory: b"/".as_slice().into(),
            compiler: CompilerRecord {
                clang: b"clang".as_slice().into(),
                optimise: "0".into(),
                options: vec![],
                aliases: vec![],
            },
            digest: Digest::of(b"").to_string(),
            args: vec![b"a.c".as_slice().into()],
            env: vec![],
            host_files: vec![],
        },
        config: ConfigRecord {
            search: vec!["dfs".into()],
            jobs: 1,
            reduce: None,
            prune: None,
            random_inputs: Vec::new(),
            interpret_inputs: false,
            feasibility: "eager".into(),
            long_double: "fixed".into(),
            unset_memory: "zero".into(),
            external_calls: None,
            checks: vec![],
            tests: "all".into(),
            unfinished_tests: "covering-new".into(),
            solver_check: false,
            limits: LimitRecord::default(),
            entry: None,
            targets: Vec::new(),
            changed: Vec::new(),
            against: Vec::new(),
            after_removed: Vec::new(),
            since: None,
            seeds: None,
        },
        command: Vec::new(),
        campaign: None,
        seed: 0,
    }
}

fn writer(dir: &Path) -> RunWriter {
    let directory = RunDirectory::create(Some(dir), Path::new("a.c")).expect("a directory");
    let clock = ClockStart { schema: SCHEMA, started_ms: 1, load_ms: 2 };
    RunWriter::create(directory, &manifest(), &clock).expect("writable")
}

fn fault(kind: FaultKind, line: u32) -> Outcome {
    let loc = Some(SrcLoc { file: "/src/a.c".into(), line, column: 3 });
    let frame =
        StackFrame { function: "main".into(), loc: loc.clone(), user: true, arguments: vec![] };
    Outcome::Fault(Box::new(Fault {
        kind,
        message: format!("bad at line {line}"),
        stack: vec![frame],
        notes: vec![Note { message: "allocated here".into(), loc }],
    }))
}

/// Reports paths as an engine does, with consistent totals.
#[derive(Default)]
struct FakeEngine {
    totals: Totals,
}

impl FakeEngine {
    fn end(&mut self, watch: &mut RunObserver, outcome: Outcome, newly_covered: u32) -> Control {
        *self.totals.paths.entry(outcome.name()).or_default() += 1;
        self.totals.instructions += 100;
        self.totals.work += Work(100);
        let number = self.totals.path_count();
        let input = Input { name: "x".into(), bytes: number.to_le_bytes().to_vec() };
        let test = TestCase { args: vec![b"a.c".to_vec()], inputs: vec![input] };
        let gives_test = outcome != Outcome::Excluded;
        let path = PathEnd {
            shape: None,
            condition: None,
            branches: None,
            number,
            outcome,
            test: gives_test.then_some(test),
            depth: 3,
            instructions: 100,
            digest: 0xabc0 + number,
            newly_covered,
            sites: Vec::new(),
            concretised: Default::default(),
            targets: Vec::new(),
            seed: None,
        };
        watch.path(&path, &self.totals)
    }

    fn explored(&self, why: StopReason) -> Exploration {
        let line = |line, first_path, branches| LineCoverage {
            at: SrcLoc { file: "/src/a.c".into(), line, column: 0 },
            first_path,
            branches,
        };
        let side = |side: &str, first_path, infeasible| SideCoverage {
            site: 0,
            side: side.into(),
            first_path,
            reached: first_path.is_some(),
            untaken: UntakenReasons { infeasible, ..UntakenReasons::default() },
        };
        let branch = BranchCoverage {
            at: SrcLoc { file: "/src/a.c".into(), line: 4, column: 7 },
            function: "main".into(),
            sides: vec![side("true", Some(1), 0), side("false", None, 3)],
        };
        Exploration {
            totals: self.totals.clone(),
            stop_reason: why,
            lines: vec![line(4, Some(1), (2, 1)), line(5, None, (0, 0))],
            branches: vec![branch],
            solver_clock: Default::default(),
            jobs: Vec::new(),
            portfolio_shares: Vec::new(),
            markov: None,
            targets: Vec::new(),
            values: None,
        }
    }
}

/// A finished run with the given flags and paths, in a temporary directory.
struct Finished {
    dir: TempDir,
    code: Result<u8, Failure>,
    flows: Vec<Control>,
}

fn finish(flags: &[&str], paths: Vec<(Outcome, u32)>, why: StopReason) -> Finished {
    finish_with(flags, paths, why, |_| {})
}

fn finish_with(
    flags: &[&str],
    paths: Vec<(Outcome, u32)>,
    why: StopReason,
    adjust: impl FnOnce(&mut Totals),
) -> Finished {
    let config = config(flags);
    let dir = TempDir::new().expect("a directory");
    let mut watch = RunObserver::new(&config, writer(dir.path()), SolverErrors::default());
    let mut engine = FakeEngine::default();
    let end = |(outcome, newly_covered)| engine.end(&mut watch, outcome, newly_covered);
    let flows = paths.into_iter().map(end).collect();
    adjust(&mut engine.totals);
    let code = watch.finish(&engine.explored(why)).map(|run| run.exit_code);
    Finished { dir, code, flows }
}

impl Finished {
    fn run(&self) -> RunReader {
        RunReader::open(self.dir.path()).expect("a run directory")
    }

    fn summary(&self) -> RunSummary {
        self.run().summary().expect("a summary")
    }

    fn code(&self) -> u8 {
        *self.code.as_ref().expect("it worked")
    }

    fn tests(&self) -> Vec<String> {
        names(&self.dir.path().join("tests"))
    }
}

fn names(dir: &Path) -> Vec<String> {
    let entries = fs::read_dir(dir).expect("a directory").flatten();
    let mut names: Vec<String> =
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn a_run_is_written_and_read_again() {
    let feature = UnsupportedFeature::Runtime("function fork".into());
    let unsupported = Unsupported { feature, stack: vec![] };
    let paths = vec![
        (Outcome::Exit(0), 4),
        (fault(FaultKind::OutOfBounds, 7), 1),
        (Outcome::Excluded, 0),
        (fault(FaultKind::OutOfBounds, 7), 0),
        (fault(FaultKind::Abort, 7), 0),
        (Outcome::Unsupported(Box::new(unsupported)), 0),
        (Outcome::Dropped(Limit::States), 0),
    ];
    let finished = finish(&[], paths, StopReason::Done);
    assert_eq!(finished.code(), 1);
    assert!(finished.flows.iter().all(|flow| *flow == Control::Continue));
    let files = ["branches.json", "clock.jsonl", "coverage.json", "faults.jsonl", "manifest.json"];
    let more = ["paths.jsonl", "summary.json", "tests"];
    assert_eq!(names(finished.dir.path()), [&files[..], &more].concat());

    let run = finished.run();
    assert_eq!(*run.manifest(), manifest());
    let paths: Vec<_> = run.paths().expect("paths").map(|path| path.expect("sound")).collect();
    let kinds: Vec<_> = paths.iter().map(|path| path.outcome.name()).collect();
    let expected = ["exit", "fault", "excluded", "fault", "fault", "unsupported", "dropped"];
    assert_eq!(kinds, expected);
    assert_eq!(paths[1].digest, 0xabc2);
    assert_eq!(paths[2].test, None);
    let ids: Vec<_> = paths
        .iter()
        .filter_map(|path| match &path.outcome {
            OutcomeRecord::Fault { id, .. } => Some(*id),
            _ => None,
        })
        .collect();
    assert_eq!(ids, [1, 1, 2]);

    let faults = run.faults().expect("faults");
    assert_eq!(faults.len(), 2);
    assert_eq!(faults[0].test.as_deref(), Some("000002.ktest"));
    assert_eq!(
        faults[0].fault().map(Box::new).map(Outcome::Fault),
        Some(fault(FaultKind::OutOfBounds, 7))
    );
    let test = ktest::read(&run.test_path("000002.ktest")).expect("a test");
    assert_eq!(test.inputs[0].bytes, 2u64.to_le_bytes());

    let summary = finished.summary();
    let counts: Vec<_> = summary.faults.iter().map(|fault| fault.count).collect();
    assert_eq!((counts, summary.tests), (vec![2, 1], 6));
    assert_eq!(summary.ended, EndReason::Done);
    assert!(!summary.complete, "something was dropped");
    let coverage = run.coverage().expect("readable").expect("there");
    assert_eq!(coverage.files["/src/a.c"][1].first_path, None);
    let branches = run.branches().expect("readable").expect("there");
    let sides = &branches.files["/src/a.c"][0].sides;
    assert_eq!((sides[0].first_path, sides[1].infeasible), (Some(1), 3));
    let clock = run.clock().expect("a clock");
    assert!(clock.last.expect("a sample").solver_ms.is_some());
}

#[test]
fn complete_means_that_nothing_is_missing() {
    let paths = || vec![(Outcome::Exit(0), 1), (Outcome::Excluded, 0)];
    let complete = |why, adjust: fn(&mut Totals)| {
        let finished = finish_with(&[], paths(), why, adjust);
        assert_eq!(finished.code(), 0);
        finished.summary().complete
    };
    assert!(complete(StopReason::Done, |_| {}));
    assert!(!complete(StopReason::Work, |_| {}));
    assert!(!complete(StopReason::Done, |totals| totals.losses.unfinished = 1));
    assert!(!complete(StopReason::Done, |totals| {
        totals.losses.concretised.insert(ConcretisationReason::AllocationSize, 1);
    }));
    assert!(!complete(StopReason::Done, |totals| {
        totals.paths.insert("out-of-budget", 1);
    }));
}

#[test]
fn an_incomplete_run_without_faults_can_be_told_by_its_exit_code() {
    let code = |paths: &[(Outcome, u32)], adjust: fn(&mut Totals)| {
        finish_with(&["--require-complete"], paths.to_vec(), StopReason::Done, adjust).code()
    };
    let exit = (Outcome::Exit(0), 1);
    assert_eq!(code(std::slice::from_ref(&exit), |_| {}), 0);
    assert_eq!(code(std::slice::from_ref(&exit), |totals| totals.losses.unfinished = 1), 5);
    let found = [exit, (fault(FaultKind::Trap, 1), 0)];
    assert_eq!(code(&found, |totals| totals.losses.unfinished = 1), 1);
}

#[test]
fn only_paths_that_cover_something_new_get_a_test() {
    let paths = vec![
        (Outcome::Exit(0), 3),
        (Outcome::Exit(0), 0),
        (fault(FaultKind::Trap, 1), 0),
        (fault(FaultKind::Trap, 1), 0),
        (Outcome::Exit(1), 1),
    ];
    let finished = finish(&["--only-covering-new"], paths.clone(), StopReason::Done);
    assert_eq!(finished.tests(), ["000001.ktest", "000003.ktest", "000005.ktest"]);
    assert_eq!(finished.run().paths().expect("paths").count(), 5);
    let finished = finish(&["--no-tests"], paths, StopReason::Done);
    assert!(finished.tests().is_empty());
    assert_eq!(finished.summary().tests, 0);
}

#[test]
fn the_run_stops_after_the_requested_tests_or_faults() {
    let exits = || vec![(Outcome::Exit(0), 1); 4];
    let finished = finish(&["--max-tests", "2"], exits(), StopReason::Stopped);
    let (go, stop) = (Control::Continue, Control::Stop);
    assert_eq!(finished.flows, [go, stop, stop, stop]);
    // States that end because of the stop are recorded, but without tests.
    assert_eq!(finished.tests(), ["000001.ktest", "000002.ktest"]);
    assert_eq!(finished.run().paths().expect("paths").count(), 4);
    assert_eq!(finished.summary().ended, EndReason::MaxTests);

    let paths = vec![(fault(FaultKind::Trap, 1), 1), (fault(FaultKind::Trap, 1), 1)];
    let paths = [paths, vec![(fault(FaultKind::Trap, 2), 1)]].concat();
    let finished = finish(&["--max-faults", "2"], paths, StopReason::Stopped);
    assert_eq!(finished.flows, [go, go, stop]);
    assert_eq!(finished.summary().ended, EndReason::MaxFaults);
    assert_eq!(finished.code(), 1);
}

#[test]
fn a_wrong_solver_answer_fails_the_run() {
    let paths = vec![(Outcome::Exit(0), 1)];
    let finished =
        finish_with(&[], paths, StopReason::Done, |totals| totals.solver.disagreements = 1);
    assert_eq!(finished.code(), 101);
}

#[test]
fn equal_runs_leave_equal_directories() {
    let paths = || vec![(Outcome::Exit(0), 1), (fault(FaultKind::Trap, 1), 1)];
    let (one, two) =
        (finish(&[], paths(), StopReason::Done), finish(&[], paths(), StopReason::Done));
    let contents = |finished: &Finished| -> Vec<(PathBuf, Vec<u8>)> {
        let root = finished.dir.path();
        let files = names(root).into_iter().map(PathBuf::from);
        let tests = finished.tests().into_iter().map(|name| Path::new("tests").join(name));
        let wanted =
            |name: &PathBuf| root.join(name).is_file() && *name != Path::new("clock.jsonl");
        let read = |name: PathBuf| (name.clone(), fs::read(root.join(name)).expect("readable"));
        files.chain(tests).filter(wanted).map(read).collect()
    };
    assert_eq!(contents(&one).len(), 8);
    assert_eq!(contents(&one), contents(&two));
}

/// A run that is killed: its observer sees no end.
fn killed(statistics: bool) -> TempDir {
    let config = config(&["--stats-interval", "1ms"]);
    let dir = TempDir::new().expect("a directory");
    let mut watch = RunObserver::new(&config, writer(dir.path()), SolverErrors::default());
    let mut engine = FakeEngine::default();
    engine.totals.coverage = Coverage { lines: 3, lines_total: 9, ..Default::default() };
    engine.end(&mut watch, Outcome::Exit(0), 1);
    engine.end(&mut watch, fault(FaultKind::Trap, 1), 1);
    if statistics {
        std::thread::sleep(std::time::Duration::from_millis(3));
        watch.tick(&engine.totals);
    }
    dir
}

#[test]
fn a_killed_run_can_be_read() {
    let dir = killed(true);
    // The last line is incomplete, but its test exists.
    let paths = dir.path().join("paths.jsonl");
    let text = fs::read_to_string(&paths).expect("paths");
    fs::write(&paths, &text[..text.len() - 20]).expect("paths");
    let run = RunReader::open(dir.path()).expect("a run directory");
    let summary = run.summary().expect("a summary");
    assert_eq!(summary.ended, EndReason::CutShort);
    assert_eq!((summary.totals.path_count(), summary.tests), (1, 2));
    assert_eq!(summary.totals.coverage.lines, 3);
    assert_eq!(summary.faults.len(), 1);
    assert!(run.test_path("000002.ktest").exists());
    assert_eq!(run.coverage().expect("readable"), None);
    // Also before the first statistics were written.
    let dir = killed(false);
    let summary =
        RunReader::open(dir.path()).expect("a run directory").summary().expect("a summary");
    assert_eq!(summary.totals.path_count(), 2);
}

#[test]
fn damage_is_reported_with_its_file() {
    let damaged = |file: &str, text: &str| -> String {
        let finished = finish(&[], vec![(fault(FaultKind::Trap, 1), 1)], StopReason::Done);
        fs::write(finished.dir.path().join(file), text).expect("writable");
        let read = || {
            let run = RunReader::open(finished.dir.path())?;
            run.summary()?;
            run.clock()?;
            run.faults()?;
            run.coverage()?;
            run.paths()?.try_for_each(|path| path.map(drop))
        };
        read().expect_err("damaged").to_string()
    };
    let text = damaged("summary.json", "{\"schema\": 1, \"ended\": \"done\"");
    assert!(text.contains("summary.json' is damaged: EOF") && text.contains("line 1"), "{text}");
    let text = damaged("summary.json", "{\"schema\": 1,\n\"ended\": \"someday\"}");
    assert!(text.contains("summary.json' is damaged: unknown variant `someday`"), "{text}");
    assert!(text.contains("line 2"), "{text}");
    let text = damaged("manifest.json", "{\"schema\": 2}");
    assert!(text.contains("manifest.json' has version 2, but this byway reads"), "{text}");
    let text = damaged("coverage.json", "{}");
    assert!(text.contains("coverage.json' is damaged: it has no \"schema\""), "{text}");
    let text = damaged("paths.jsonl", "{\"path\":1}\n");
    assert!(text.contains("paths.jsonl' is damaged: line 1, column "), "{text}");
    let text = damaged("clock.jsonl", "");
    assert!(text.contains("clock.jsonl' is damaged: it is empty"), "{text}");
}

#[test]
fn other_directories_are_rejected() {
    let dir = TempDir::new().expect("a directory");
    let text = RunReader::open(dir.path()).err().expect("not a run").to_string();
    assert!(text.contains("is not a run directory"), "{text}");
    let missing =
        RunReader::open(&dir.path().join("missing")).err().expect("not there").to_string();
    assert!(missing.contains("cannot read '"), "{missing}");
}

/// Asserts that a write error stops the run and keeps the results so far.
fn stops_when_it_cannot_write(dir: &Path, obstruct: impl FnOnce(&Path)) {
    let config = config(&[]);
    let mut watch = RunObserver::new(&config, writer(dir), SolverErrors::default());
    let mut engine = FakeEngine::default();
    assert_eq!(engine.end(&mut watch, Outcome::Exit(0), 1), Control::Continue);
    obstruct(dir);
    let stopped = (0..10_000).any(|_| engine.end(&mut watch, Outcome::Exit(0), 1) == Control::Stop);
    assert!(stopped, "it was never asked to stop");
    assert_eq!(engine.end(&mut watch, Outcome::Interrupted, 1), Control::Stop);
    let failure =
        watch.finish(&engine.explored(StopReason::Stopped)).expect_err("it could not write");
    let text = failure.to_string();
    assert!(text.contains("cannot write '"), "{text}");
    assert!(text.contains("the results written so far are in '"), "{text}");
}

#[test]
fn a_removed_directory_stops_the_run() {
    let dir = TempDir::new().expect("a directory");
    let target = dir.path().join("out");
    stops_when_it_cannot_write(&target, |dir| fs::remove_dir_all(dir).expect("removable"));
}

#[test]
fn a_full_disk_stops_the_run_and_keeps_its_results() {
    let dir = TempDir::new().expect("a directory");
    let disk = dir.path().join("disk");
    fs::create_dir(&disk).expect("a directory");
    let mounted = Command::new("mount")
        .args(["-t", "tmpfs", "-o", "size=256k", "byway-test"])
        .arg(&disk)
        .output();
    if !mounted.is_ok_and(|output| output.status.success()) {
        eprintln!("skipped: mounting a small tmpfs is not permitted here");
        return;
    }
    let checked = std::panic::catch_unwind(|| {
        let out = disk.join("out");
        stops_when_it_cannot_write(&out, |_| {});
        let run = RunReader::open(&out).expect("a run directory");
        let paths: Result<Vec<_>, _> = run.paths().expect("paths").collect();
        let paths = paths.expect("every whole line is sound");
        assert!(paths.len() > 10, "{}", paths.len());
        for name in names(&out.join("tests")) {
            ktest::read(&run.test_path(&name)).expect("a whole test");
        }
    });
    let unmounted = Command::new("umount").arg(&disk).status();
    assert!(unmounted.is_ok_and(|status| status.success()), "the disk is left behind");
    if let Err(panic) = checked {
        std::panic::resume_unwind(panic);
    }
}

#[test]
fn a_run_that_cannot_begin_leaves_nothing() {
    let dir = TempDir::new().expect("a directory");
    let target = dir.path().join("out");
    let config = config(&[]);
    RunObserver::new(&config, writer(&target), SolverErrors::default()).discard();
    assert!(!target.exists());
    // A directory that existed before stays.
    fs::create_dir(&target).expect("a directory");
    RunObserver::new(&config, writer(&target), SolverErrors::default()).discard();
    assert!(names(&target).is_empty());
}
