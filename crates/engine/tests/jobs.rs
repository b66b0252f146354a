//! Several workers find what one finds: the same paths, each once, with the same totals,
//! under every searcher and feasibility policy; and they stop together.

#[path = "jobs/abandoned.rs"]
mod abandoned;
#[path = "jobs/reduced.rs"]
mod reduced;

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use byway_base::{Outcome, Work};
use byway_engine::{
    Config, Control, Exploration, ExploreConfig, Feasibility, Invocation, Observer, PathEnd, Seed,
    StopReason, Totals, UnfinishedTests, WorkerPool, explore_in_jobs,
};

/// Records all paths, and stops after `enough` of them.
struct Paths {
    ended: Vec<PathEnd>,
    enough: usize,
}

impl Observer for Paths {
    fn path(&mut self, path: &PathEnd, totals: &Totals) -> Control {
        self.ended.push(path.clone());
        self.tick(totals)
    }

    fn tick(&mut self, _totals: &Totals) -> Control {
        if self.ended.len() >= self.enough { Control::Stop } else { Control::Continue }
    }

    fn message(&mut self, _text: &str) {}
}

const DOORS: &str = "bwir 1
module \"test\"
func user @__byway_symbolic(v0:ptr, v1:i64, v2:ptr)
func user @__byway_prefer(v0:i64)
func user @__byway_value(v0:i64) -> i64
global user @name size 2 align 1 constant = {
  x\"7800\"
}
global user @table size 4 align 1 = {
  x\"01020304\"
}
";

/// A walk over eight symbolic bytes: each is compared with the one before (a query), chooses
/// among three cases (a switch), and may index a table, where an index out of bounds is a
/// fault. The exit code depends on all of them.
const WALK: &str = "
func user @main() -> i32 {
b0:
  v0:ptr = alloca 1 x 8:i64, align 1
  v1:ptr = alloca 1 x 4:i64, align 1
  store v1, 0:i32, align 1
  call @__byway_symbolic(v0, 8:i64, @name)
  v21:i8 = load v0, align 1
  v22:i1 = icmp ugt v21, 31:i8
  v23:i64 = zext v22
  call @__byway_prefer(v23)
  jump b1(0:i64, 0:i8, 0:i32)
b1(v2:i64, v3:i8, v4:i32):
  v5:ptr = ptradd v0, 0, v2 * 1
  v6:i8 = load v5, align 1
  v7:i1 = icmp ult v6, v3
  br v7, b2, b3
b2:
  v8:i32 = mul v4, 3:i32
  jump b4(v8)
b3:
  v9:i8 = and v6, 3:i8
  switch v9 [1: b5, 2: b7] else b6
b5:
  v10:i32 = add v4, 1:i32
  jump b4(v10)
b6:
  jump b4(v4)
b7:
  v11:i64 = zext v6
  v12:i64 = and v11, 7:i64
  v13:ptr = ptradd @table, 0, v12 * 1
  v14:i8 = load v13, align 1
  v15:i32 = zext v14
  v16:i32 = add v4, v15
  jump b4(v16)
b4(v17:i32):
  v18:i64 = add v2, 1:i64
  v19:i1 = icmp eq v18, LENGTH:i64
  br v19, b8, b1(v18, v6, v17)
b8:
  v20:i32 = and v17, 63:i32
  ret v20
}
";

fn walk(length: u32) -> String {
    WALK.replace("LENGTH", &length.to_string())
}

fn config(feasibility: Feasibility) -> ExploreConfig {
    ExploreConfig {
        engine: Config { coverage: true, ..Config::default() },
        invocation: Invocation { args: vec![b"prog".to_vec()], ..Invocation::default() },
        feasibility,
        ..ExploreConfig::default()
    }
}

fn explored(
    text: &str,
    search: &str,
    config: &ExploreConfig,
    jobs: usize,
    enough: usize,
) -> (Exploration, Vec<PathEnd>) {
    let module = byway_ir::text::parse(&format!("{DOORS}{text}"))
        .unwrap_or_else(|error| panic!("{error}\n{text}"));
    byway_ir::verify(&module).unwrap_or_else(|error| panic!("{error:?}"));
    let workers = WorkerPool {
        jobs: NonZeroUsize::new(jobs).expect("some"),
        searcher: &|| byway_search::build(&[search]).expect("a searcher"),
        pruner: None,
        unreduced: None,
        output: None,
        pure_calls: None,
        executor: None,
        solver: &|_| byway_solver::SolverOptions {
            check: false,
            log: None,
            interrupt: None,
            memory: None,
            on_error: std::rc::Rc::new(|trouble| panic!("{trouble}")),
        },
        files: None,
    };
    let mut paths = Paths { ended: Vec::new(), enough };
    let done = explore_in_jobs(&module, config, &workers, &mut paths).expect("it runs");
    (done, paths.ended)
}

/// The parts of paths that identify them, sorted. Inputs are left out: a path has many.
fn set(paths: &[PathEnd]) -> Vec<(u64, Outcome, u64, u32)> {
    let one = |path: &PathEnd| {
        let outcome = match &path.outcome {
            // Input bytes in the message are those of the witness.
            Outcome::Fault(fault) => {
                let mut fault = fault.clone();
                fault.message.clear();
                Outcome::Fault(fault)
            }
            // So is an exit code that depends on it.
            Outcome::Exit(_) => Outcome::Exit(0),
            other => other.clone(),
        };
        (path.digest, outcome, path.instructions, path.depth)
    };
    let mut set: Vec<_> = paths.iter().map(one).collect();
    set.sort_by_key(|path| path.0);
    set
}

/// Explores with one worker, two and four, and compares.
fn compare(text: &str, search: &str, config: &ExploreConfig) -> Vec<Exploration> {
    let (alone, paths) = explored(text, search, config, 1, usize::MAX);
    let expected = set(&paths);
    assert!(expected.windows(2).all(|pair| pair[0].0 < pair[1].0), "each path is there once");
    assert!(alone.jobs.is_empty());
    let several = [2, 4].map(|jobs| {
        let what = format!("{search} {:?} {jobs}", config.feasibility);
        let (done, paths) = explored(text, search, config, jobs, usize::MAX);
        assert_eq!(done.stop_reason, StopReason::Done, "{what}");
        assert_eq!(set(&paths), expected, "{what}");
        let numbers: Vec<u64> = paths.iter().map(|path| path.number).collect();
        assert_eq!(numbers, (1..=paths.len() as u64).collect::<Vec<_>>(), "{what}");
        assert_eq!(done.totals.paths, alone.totals.paths, "{what}");
        assert_eq!(done.totals.instructions, alone.totals.instructions, "{what}");
        assert_eq!(done.totals.forks, alone.totals.forks, "{what}");
        assert_eq!(done.totals.losses, alone.totals.losses, "{what}");
        assert_eq!(done.totals.coverage, alone.totals.coverage, "{what}");
        let newly = |paths: &[PathEnd]| paths.iter().map(|path| path.newly_covered).sum::<u32>();
        let covered = done.totals.coverage.lines + done.totals.coverage.branches;
        assert_eq!(newly(&paths), covered, "{what}");
        assert_eq!(done.jobs.len(), jobs, "{what}");
        let given: u64 = done.jobs.iter().map(|job| job.given).sum();
        let taken: u64 = done.jobs.iter().map(|job| job.taken).sum();
        assert_eq!(given, taken, "{what}");
        assert!(done.jobs.iter().all(|job| job.diverged == 0), "{what}: {:?}", done.jobs);
        assert_eq!(done.jobs.iter().map(|job| job.paths).sum::<u64>(), done.totals.path_count());
        done
    });
    several.into()
}

#[test]
fn every_searcher_finds_the_same_in_jobs() {
    let mut given = 0;
    let forward = ["dfs", "bfs", "random-path", "nurs:covnew", "nurs:md2u", "klee-default", "auto"];
    let limited = ["cost-limited(uncovered-first(random-path))", "cost-limited(sgs:2)"];
    let concolic = ["dart", "generational", "cgs:2"];
    for search in forward.into_iter().chain(limited).chain(concolic) {
        for feasibility in [Feasibility::Eager, Feasibility::Lazy] {
            let done = compare(&walk(4), search, &config(feasibility));
            given += done.iter().flat_map(|run| &run.jobs).map(|job| job.given).sum::<u64>();
        }
    }
    assert!(given > 0, "no work moved at all");
}

/// Four words, and for each the same switch with four cases. The range of a word is more than
/// the ranges of its bytes.
fn wide_switches() -> String {
    let pick = "
func user @pick(v0:i32) -> i32 {
b0:
  switch v0 [65537: b1, 131074: b2, 196611: b3] else b4
b1:
  ret 1:i32
b2:
  ret 2:i32
b3:
  ret 3:i32
b4:
  ret 0:i32
}
func user @main() -> i32 {
b0:
  v0:ptr = alloca 4 x 4:i64, align 1
  call @__byway_symbolic(v0, 16:i64, @name)
";
    let word = |i: u32| {
        let [at, word, way, high, sum] = [1, 2, 3, 4, 5].map(|n| 5 * i + n);
        let before = if i == 0 { "0:i32".to_string() } else { format!("v{}", 5 * i) };
        format!(
            "  v{at}:ptr = ptradd inbounds v0, {}
  v{word}:i32 = load v{at}, align 1
  v{way}:i32 = call @pick(v{word})
  v{high}:i32 = mul {before}, 4:i32
  v{sum}:i32 = add v{high}, v{way}\n",
            4 * i
        )
    };
    let words: String = (0..4).map(word).collect();
    format!("{pick}{words}  ret v20\n}}")
}

#[test]
fn grouped_cases_are_explored_once() {
    for search in ["dfs", "bfs", "auto", "dart", "generational"] {
        for feasibility in [Feasibility::Eager, Feasibility::Lazy] {
            for jobs in [1, 4] {
                let (_, paths) =
                    explored(&wide_switches(), search, &config(feasibility), jobs, usize::MAX);
                let found = set(&paths);
                let what = format!("{search} {feasibility:?} {jobs}");
                assert_eq!(found.len(), 256, "{what}");
                assert!(found.windows(2).all(|pair| pair[0].0 < pair[1].0), "{what}: each once");
                // However they were grouped, there are four decisions.
                assert!(paths.iter().all(|path| path.depth == 4), "{what}");
            }
        }
    }
}

#[test]
fn seeds_are_followed_once() {
    let seed = |number: u8| {
        let byte = |index: u8| index.wrapping_mul(40).wrapping_add(number * 7);
        let bytes: Vec<u8> = (0..8).map(byte).collect();
        let inputs = BTreeMap::from([("x".to_string(), Arc::from(bytes))]);
        Arc::new(Seed { label: number.to_string(), inputs, ..Seed::default() })
    };
    for feasibility in [Feasibility::Eager, Feasibility::Lazy] {
        let seeded = ExploreConfig { seeds: (0..5).map(seed).collect(), ..config(feasibility) };
        for done in compare(&walk(4), "random-path", &seeded) {
            assert_eq!((done.totals.seeds.taken, done.totals.seeds.ended), (5, 5));
        }
    }
}

#[test]
fn a_state_that_acts_on_its_witness_stays() {
    // The value of the byte is not a constraint: another witness would have another one.
    let text = "
func user @main() -> i32 {
b0:
  v0:ptr = alloca 1 x 8:i64, align 1
  call @__byway_symbolic(v0, 8:i64, @name)
  v1:i64 = load v0, align 1
  v2:i64 = call @__byway_value(v1)
  v3:i64 = and v2, 7:i64
  jump b1(0:i64, 0:i64)
b1(v4:i64, v5:i64):
  v6:ptr = ptradd v0, 0, v4 * 1
  v7:i8 = load v6, align 1
  v8:i1 = icmp ult v7, 100:i8
  br v8, b2, b3
b2:
  jump b4(v3)
b3:
  jump b4(v5)
b4(v9:i64):
  v10:i64 = add v4, 1:i64
  v11:i1 = icmp eq v10, 8:i64
  br v11, b5, b1(v10, v9)
b5:
  v12:i32 = trunc v9
  ret v12
}
";
    for done in compare(text, "bfs", &config(Feasibility::Eager)) {
        assert!(done.jobs.iter().all(|job| job.given == 0));
    }
}

#[test]
fn limits_hold_for_all_together() {
    let limited = |change: fn(&mut ExploreConfig)| {
        let mut config = config(Feasibility::Eager);
        change(&mut config);
        explored(&walk(8), "bfs", &config, 3, usize::MAX).0
    };
    let done = limited(|config| {
        config.limits.work = Some(Work(30_000));
        config.unfinished_tests = UnfinishedTests::All;
    });
    assert_eq!(done.stop_reason, StopReason::Work);
    // A query or a straight line may lie beyond the limit, for each.
    assert!((30_000..32_000).contains(&done.totals.work.0), "{}", done.totals.work);
    assert!(done.totals.paths.contains_key("out-of-budget"));
    assert_eq!(done.totals.states, 0);

    let done = limited(|config| {
        config.limits.states = Some(20);
        config.limits.work = Some(Work(100_000));
    });
    // Workers publish their loads at different times.
    assert!(done.totals.max_states <= 60, "{}", done.totals.max_states);
    assert!(done.totals.losses.dropped.values().sum::<u64>() > 0);
}

#[test]
fn an_observer_stops_all_workers_and_loses_nothing() {
    for jobs in [2, 4] {
        let config =
            ExploreConfig { unfinished_tests: UnfinishedTests::All, ..config(Feasibility::Eager) };
        let (done, paths) = explored(&walk(8), "bfs", &config, jobs, 200);
        assert_eq!(done.stop_reason, StopReason::Stopped);
        assert!(paths.len() >= 200);
        assert_eq!(done.totals.path_count(), paths.len() as u64);
        assert_eq!(done.totals.states, 0);
        let interrupted =
            paths.iter().filter(|path| path.outcome == Outcome::Interrupted).count() as u64;
        assert_eq!(done.totals.losses.unfinished, interrupted);
        // Every unfinished path still has a test.
        assert!(paths.iter().all(|path| path.test.is_some()));
    }
}

#[test]
fn a_worker_that_panics_is_not_waited_for() {
    let module = byway_ir::text::parse(&format!("{DOORS}{}", walk(8))).expect("it parses");
    let made = AtomicUsize::new(0);
    let workers = WorkerPool {
        jobs: NonZeroUsize::new(3).expect("some"),
        searcher: &|| match made.fetch_add(1, Ordering::Relaxed) {
            2 => panic!("the third does not begin"),
            _ => byway_search::build(&["bfs"]).expect("a searcher"),
        },
        pruner: None,
        unreduced: None,
        output: None,
        pure_calls: None,
        executor: None,
        solver: &|_| byway_solver::SolverOptions {
            check: false,
            log: None,
            interrupt: None,
            memory: None,
            on_error: std::rc::Rc::new(|_| {}),
        },
        files: None,
    };
    let config = config(Feasibility::Eager);
    let caught = std::panic::catch_unwind(AssertUnwindSafe(|| {
        let mut paths = Paths { ended: Vec::new(), enough: usize::MAX };
        explore_in_jobs(&module, &config, &workers, &mut paths).map(drop)
    }));
    let panic = caught.expect_err("it goes on here");
    assert_eq!(panic.downcast_ref(), Some(&"the third does not begin"));
}

#[test]
fn a_program_that_cannot_start_is_an_error() {
    let module = byway_ir::text::parse("bwir 1\nmodule \"empty\"\n").expect("it parses");
    let workers = WorkerPool {
        jobs: NonZeroUsize::new(3).expect("some"),
        searcher: &|| byway_search::build(&["dfs"]).expect("a searcher"),
        pruner: None,
        unreduced: None,
        output: None,
        pure_calls: None,
        executor: None,
        solver: &|_| byway_solver::SolverOptions {
            check: false,
            log: None,
            interrupt: None,
            memory: None,
            on_error: std::rc::Rc::new(|_| {}),
        },
        files: None,
    };
    let mut paths = Paths { ended: Vec::new(), enough: usize::MAX };
    let failed = explore_in_jobs(&module, &ExploreConfig::default(), &workers, &mut paths);
    assert_eq!(failed.unwrap_err(), "a program without main");
}
