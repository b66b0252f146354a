//! Workers of a reduced exploration: together they find what one finds, whichever tasks move.

use std::collections::BTreeSet;

use byway_base::Outcome;
use byway_engine::{Exploration, ExploreConfig, Feasibility, PathEnd, Reduction, StopReason};

use super::{config, explored, walk};

/// How often each program is explored: the threads take turns differently each time.
const REPEATED: usize = 20;

/// Six independent comparisons of a byte of the input, each of which sets a global; the last two
/// also choose a divisor together, which may be zero.
fn parts() -> String {
    let mut text = String::from(
        "global user @set size 6 align 1 = {
  x\"000000000000\"
}
func user @main() -> i32 {
b0:
  v0:ptr = alloca 1 x 6:i64, align 1
  call @__byway_symbolic(v0, 6:i64, @name)
  jump b1
",
    );
    for part in 0..6 {
        let [address, byte, bit, set] = [1, 2, 3, 4].map(|it| 4 * part + it);
        let [block, side, next] = [1, 2, 3].map(|it| 2 * part + it);
        text += &format!(
            "b{block}:
  v{address}:ptr = ptradd v0, {part}
  v{byte}:i8 = load v{address}, align 1
  v{bit}:i1 = icmp ugt v{byte}, 9:i8
  br v{bit}, b{side}, b{next}
b{side}:
  v{set}:ptr = ptradd @set, {part}
  store v{set}, 1:i8, align 1
  jump b{next}
"
        );
    }
    text += "b13:
  v25:ptr = ptradd @set, 4
  v26:i8 = load v25, align 1
  v27:ptr = ptradd @set, 5
  v28:i8 = load v27, align 1
  v29:i8 = add v26, v28
  v30:i8 = sub v29, 2:i8
  v31:i8 = udiv 10:i8, v30
  v32:i32 = zext v31
  ret v32
}
";
    text
}

fn reduced() -> ExploreConfig {
    let mut config = config(Feasibility::Lazy);
    config.engine.record_values = true;
    config.reduction = Some(Reduction::DgseAlways);
    config
}

/// The kinds and places of faults.
fn faults(paths: &[PathEnd]) -> BTreeSet<String> {
    let fault = |path: &PathEnd| match &path.outcome {
        Outcome::Fault(fault) => Some(format!("{} {:?}", fault.kind, fault.stack)),
        _ => None,
    };
    paths.iter().filter_map(fault).collect()
}

/// Explores with one worker, two and four, and compares what they find. Returns how many states
/// moved.
fn compare(text: &str, search: &str) -> u64 {
    let (alone, paths) = explored(text, search, &reduced(), 1, usize::MAX);
    let expected = faults(&paths);
    let mut moved = 0;
    for jobs in [2, 4] {
        let what = format!("{search} {jobs}");
        let (done, several) = explored(text, search, &reduced(), jobs, usize::MAX);
        let Exploration { totals, .. } = &done;
        assert_eq!(done.stop_reason, StopReason::Done, "{what}");
        assert_eq!(faults(&several), expected, "{what}");
        assert_eq!(done.values, alone.values, "{what}");
        assert_eq!(done.lines, alone.lines, "{what}");
        assert_eq!(totals.coverage, alone.totals.coverage, "{what}");
        assert_eq!(totals.losses, alone.totals.losses, "{what}");
        let digests: BTreeSet<u64> = several.iter().map(|path| path.digest).collect();
        assert_eq!(digests.len(), several.len(), "{what}: no path twice");
        assert!(done.jobs.iter().all(|job| job.diverged == 0), "{what}: {:?}", done.jobs);
        let given: u64 = done.jobs.iter().map(|job| job.given).sum();
        assert_eq!(given, done.jobs.iter().map(|job| job.taken).sum(), "{what}");
        moved += given;
    }
    moved
}

#[test]
fn tasks_move_and_nothing_is_missed() {
    let programs = [parts(), walk(3)];
    let searchers = ["bfs", "dfs", "random-path", "nurs:covnew"];
    let mut moved = 0;
    for round in 0..REPEATED {
        moved += compare(&programs[round % 2], searchers[round / 2 % searchers.len()]);
    }
    assert!(moved > 0, "no task moved at all");
}

/// Of independent branches no combination is run, by no worker.
#[test]
fn workers_know_the_paths_of_the_others() {
    let (_, alone) = explored(&parts(), "bfs", &reduced(), 1, usize::MAX);
    for _ in 0..REPEATED {
        let (_, several) = explored(&parts(), "bfs", &reduced(), 4, usize::MAX);
        assert!(several.len() <= alone.len() + 4, "{} and {}", several.len(), alone.len());
    }
}
