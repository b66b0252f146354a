//! The limit on memory: states are dropped, and nothing else goes wrong.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use byway_base::{Limit, ProcessMemory};
use byway_engine::StopReason;

use super::*;

/// A process with a scripted resident size.
#[derive(Debug)]
struct ScriptedProcess {
    /// The resident bytes at first.
    base: u64,
    /// The additional bytes, by how often they were read since.
    grows: fn(u64) -> u64,
    looks: AtomicU64,
    given_back: AtomicU64,
}

impl ProcessMemory for ScriptedProcess {
    fn resident(&self) -> Option<u64> {
        let looks = self.looks.fetch_add(1, Ordering::Relaxed);
        Some(self.base + (self.grows)(looks))
    }

    fn give_back(&self) {
        self.given_back.fetch_add(1, Ordering::Relaxed);
    }
}

/// Collects paths, and knows the process.
struct Process {
    paths: Paths,
    memory: Arc<ScriptedProcess>,
}

impl Process {
    fn new(base: u64, grows: fn(u64) -> u64) -> Process {
        let (looks, given_back) = (AtomicU64::new(0), AtomicU64::new(0));
        let memory = Arc::new(ScriptedProcess { base, grows, looks, given_back });
        Process { paths: Paths::default(), memory }
    }

    fn looks(&self) -> u64 {
        self.memory.looks.load(Ordering::Relaxed)
    }

    fn given_back(&self) -> u64 {
        self.memory.given_back.load(Ordering::Relaxed)
    }
}

impl Observer for Process {
    fn path(&mut self, path: &PathEnd, totals: &Totals) -> Control {
        self.paths.path(path, totals)
    }

    fn tick(&mut self, totals: &Totals) -> Control {
        self.paths.tick(totals)
    }

    fn process(&self) -> Option<Arc<dyn ProcessMemory>> {
        Some(self.memory.clone())
    }

    fn message(&mut self, text: &str) {
        self.paths.message(text);
    }
}

fn capped(bytes: u64) -> ExploreConfig {
    let mut capped = config(Feasibility::Eager);
    capped.limits.memory = Some(bytes);
    capped
}

fn dropped(paths: &Paths) -> Vec<&PathEnd> {
    paths.ended.iter().filter(|p| p.outcome == Outcome::Dropped(Limit::Memory)).collect()
}

#[test]
fn accounted_memory_stays_within_the_limit() {
    let text = chain(10);
    let (free, all) = explored(&text, "bfs", &config(Feasibility::Eager));
    assert_eq!(all.ended.len(), 1024);
    let cap = free.totals.max_memory / 2;
    for search in ["dfs", "bfs", "random-state", "random-path", "nurs:covnew"] {
        let (done, paths) = explored(&text, search, &capped(cap));
        assert_eq!(done.stop_reason, StopReason::Done, "{search}");
        assert_eq!(done.totals.memory_shortages, 0, "{search}: nobody looked at the process");
        let gone = done.totals.losses.dropped.get(&Limit::Memory).copied().unwrap_or(0);
        assert_eq!(dropped(&paths).len() as u64, gone, "{search}");
        assert!(dropped(&paths).iter().all(|p| p.test.is_some()), "{search}");
        // It is checked after each round, and a round adds a state or two of hundreds.
        assert!(done.totals.max_memory < cap + cap / 4, "{search}: {}", done.totals.max_memory);
        // Each dropped state is a path, or several, that did not end by itself.
        assert!(
            paths.ended.len() <= 1024 && (gone == 0) == (paths.ended.len() == 1024),
            "{search}"
        );
        if search == "bfs" {
            assert!(gone > 0);
            let (again, same) = explored(&text, search, &capped(cap));
            assert_eq!((again.totals, same.ended), (done.totals, paths.ended));
        }
    }
}

#[test]
fn a_census_is_taken_long_before_memory_is_short() {
    let (done, _) = explored(&chain(11), "bfs", &capped(1 << 30));
    let each = done.totals.max_memory / done.totals.max_states;
    // 256 bytes that the census does not see, as many for the state itself; frame, path
    // condition and overhead are more than as much again.
    assert!(each > 1000, "{each}");
}

#[test]
fn pending_states_are_dropped_without_a_test() {
    let text = chain(10);
    let (free, _) = explored(&text, "bfs", &config(Feasibility::Lazy));
    let mut lazy = capped(free.totals.max_memory / 2);
    lazy.feasibility = Feasibility::Lazy;
    let (done, paths) = explored(&text, "bfs", &lazy);
    let gone = done.totals.losses.dropped[&Limit::Memory];
    assert!(gone > dropped(&paths).len() as u64, "{gone}");
}

#[test]
fn one_state_is_kept_whatever_the_limit() {
    for cap in [0, 1, 1000] {
        let (done, paths) = explored(&chain(7), "bfs", &capped(cap));
        assert_eq!(done.stop_reason, StopReason::Done);
        assert_eq!(done.totals.max_states, 2, "cap {cap}");
        let exits = paths.ended.iter().filter(|p| matches!(p.outcome, Outcome::Exit(_))).count();
        assert_eq!((exits, dropped(&paths).len()), (1, 7), "cap {cap}");
    }
}

#[test]
fn a_growing_process_drops_states() {
    let cap = 1 << 30;
    // Every check finds a mebibyte more, whatever is dropped.
    let grows = |looks| if looks < 2 { 0 } else { (1020 + looks) << 20 };
    let mut process = Process::new(0, grows);
    let done = watched(&chain(8), "bfs", &capped(cap), &mut process);
    assert!(done.totals.max_memory < cap / 10, "{}", done.totals.max_memory);
    assert!(done.totals.losses.dropped[&Limit::Memory] > 0);
    assert!(dropped(&process.paths).iter().all(|p| p.test.is_some()));
    // Not at each check, but at each eightieth of the limit.
    let expected = 1 + process.looks() / 12;
    assert!((1..=expected).contains(&done.totals.memory_shortages), "{}", process.looks());
}

#[test]
fn a_limit_below_the_size_of_the_process_is_refused() {
    let mut process = Process::new(50 << 20, |_| 0);
    let mut searcher = byway_search::build(&["bfs"]).expect("a searcher");
    let mut explore_within = |limit| {
        let strategy = SearchStrategy::new(&mut *searcher);
        try_exploring(&chain(3), strategy, &capped(limit), &mut process)
    };
    let refusal = explore_within(60 << 20).expect_err("there is no room");
    assert!(refusal.contains("60.0 MiB is too small"), "{refusal}");
    assert!(refusal.contains("takes 50.0 MiB"), "{refusal}");
    assert!(refusal.contains("about 70 MiB"), "{refusal}");
    assert_eq!(explore_within(70 << 20).expect("it runs").totals.losses.dropped.len(), 0);
}

#[test]
fn memory_returned_to_the_system_may_be_enough() {
    let cap = 1 << 30;
    // Large at the first check of the run, and small again after memory was returned.
    let grows = |looks| if looks == 2 { 2 << 30 } else { 0 };
    let mut process = Process::new(1 << 20, grows);
    let done = watched(&chain(7), "bfs", &capped(cap), &mut process);
    assert_eq!((done.totals.memory_shortages, process.given_back()), (1, 1));
    assert_eq!((process.paths.ended.len(), done.totals.losses.dropped.len()), (128, 0));
}

/// One path that allocates blocks of a kibibyte until it gets none.
const ALLOCATES: &str = "
func user @malloc(v0:i64) -> ptr
func user @main() -> i32 {
b0:
  jump b1
b1:
  v0:ptr = call @malloc(1024:i64)
  v1:i64 = ptrtoint v0
  v2:i1 = icmp eq v1, 0:i64
  br v2, b2, b1
b2:
  ret 3:i32
}
";

#[test]
fn allocations_of_a_path_alone_fail_at_the_limit() {
    let (done, paths) = explored(ALLOCATES, "bfs", &capped(1 << 20));
    assert_eq!(done.stop_reason, StopReason::Done);
    assert_eq!(done.totals.losses.failed_allocations, 1);
    assert_eq!(paths.ended.len(), 1);
    assert_eq!(paths.ended[0].outcome, Outcome::Exit(3));
    let accounted = done.totals.max_memory;
    assert!((800 << 10..1100 << 10).contains(&accounted), "{accounted}");
    // A suspended instruction is counted once.
    let (again, _) = explored(ALLOCATES, "bfs", &capped(2 << 20));
    let per_block =
        |done: &Exploration| done.totals.instructions as f64 / done.totals.max_memory as f64;
    assert!((per_block(&again) / per_block(&done) - 1.0).abs() < 0.2);
}
