//! Targets: states run for them, a test is written for each, others are dropped.

use byway_base::entity::EntityRef;
use byway_base::{FaultKind, Outcome};
use byway_engine::{
    Exploration, ExploreConfig, FaultFilter, Feasibility, PathEnd, StopReason, Target,
};
use byway_ir::analysis::ProgramPoint;
use byway_ir::{BlockId, FuncId};

use super::{config, explored};

/// Three bytes are compared with letters one after the other, each in a function of its own;
/// then a loop reads on.
const LOCK: &str = r#"
func user @main() -> i32 {
b0:
  v0:ptr = alloca 4 x 1:i64, align 1
  call @__byway_symbolic(v0, 4:i64, @name)
  v1:i8 = load v0, align 1
  v2:i1 = icmp eq v1, 97:i8
  br v2, b1, b2
b1:
  v3:ptr = ptradd v0, 1
  v4:i8 = load v3, align 1
  v5:i1 = icmp eq v4, 98:i8
  br v5, b3, b2
b2:
  v6:ptr = ptradd v0, 2
  v7:i8 = load v6, align 1
  v8:i1 = icmp ult v7, 9:i8
  br v8, b4, b5
b3:
  v9:i32 = call @inner(v0)
  ret v9
b4:
  ret 1:i32
b5:
  ret 2:i32
}

func user @inner(v0:ptr) -> i32 {
b0:
  v1:ptr = ptradd v0, 3
  v2:i8 = load v1, align 1
  v3:i1 = icmp ult v2, 7:i8
  br v3, b1, b2
b1:
  ret 3:i32
b2:
  ret 4:i32
}

func user @never() {
b0:
  ret
}
"#;

/// The functions declared before the program.
const DECLARED: usize = 3;

fn point(func: usize, block: usize, inst: u32) -> ProgramPoint {
    let (func, block) = (FuncId::new(DECLARED + func), BlockId::new(block));
    ProgramPoint { func, block, inst }
}

fn search(
    search: &str,
    points: &[ProgramPoint],
    policy: Feasibility,
) -> (Exploration, Vec<PathEnd>) {
    let targets = points.iter().map(|&point| Target::at(vec![point])).collect();
    let config = ExploreConfig { targets, ..config(policy) };
    let (done, paths) = explored(LOCK, search, &config);
    (done, paths.ended)
}

const SEARCHERS: [&str; 8] =
    ["sdse", "sdse:intra", "auto", "dfs", "bfs", "equal-work(sdse, auto)", "dart", "to-end(bfs)"];

#[test]
fn a_test_reaches_the_target_and_the_exploration_ends() {
    for (spec, policy) in
        SEARCHERS.iter().flat_map(|&it| [(it, Feasibility::Eager), (it, Feasibility::Lazy)])
    {
        let (done, paths) = search(spec, &[point(1, 2, 0)], policy);
        assert_eq!(done.stop_reason, StopReason::Targets, "{spec}");
        let reaching: Vec<&PathEnd> = paths.iter().filter(|it| it.targets == [0]).collect();
        assert_eq!(reaching.len(), 1, "{spec}");
        assert_eq!(done.targets[0].path, Some(reaching[0].number), "{spec}");
        assert_eq!(reaching[0].outcome, Outcome::Exit(4), "{spec}");
        let bytes = &reaching[0].test.as_ref().expect("it has a test").inputs[0].bytes;
        assert!(bytes[..2] == *b"ab" && bytes[3] >= 7, "{spec}: {bytes:?}");
        // Paths that leave for the other side give no test.
        assert!(paths.iter().all(|it| it.outcome != Outcome::Exit(1)), "{spec}");
        assert_eq!(done.totals.losses.unfinished, 0, "{spec}");
    }
}

#[test]
fn the_path_ends_on_its_witness_and_the_others_remain() {
    // The first target lies before a fork of which each side is a target, too.
    let points = [point(1, 0, 1), point(1, 1, 0), point(1, 2, 0)];
    for spec in SEARCHERS {
        let (done, paths) = search(spec, &points, Feasibility::Eager);
        assert_eq!(done.stop_reason, StopReason::Targets, "{spec}");
        assert_eq!(done.totals.targets.open, 0);
        let mut reached: Vec<u32> = paths.iter().flat_map(|it| it.targets.clone()).collect();
        reached.sort_unstable();
        assert_eq!(reached, [0, 1, 2], "{spec}");
        assert_eq!(paths.iter().filter(|it| !it.targets.is_empty()).count(), 2, "{spec}");
    }
}

#[test]
fn what_no_path_leads_to_is_unreachable_without_a_run() {
    let (done, paths) = search("dfs", &[point(2, 0, 0)], Feasibility::Eager);
    assert_eq!((done.totals.instructions, paths.len()), (0, 0));
    assert!(done.targets[0].is_statically_unreachable && !done.targets[0].is_pending);
    assert_eq!((done.totals.targets.unreachable, done.stop_reason), (1, StopReason::Done));
}

#[test]
fn states_that_cannot_reach_a_target_are_dropped_without_a_loss() {
    for spec in SEARCHERS {
        // A block that the program reaches in the end, and one that needs both letters.
        let (done, _) = search(spec, &[point(0, 3, 1)], Feasibility::Eager);
        assert_eq!(done.stop_reason, StopReason::Targets, "{spec}");
        assert!(done.totals.targets.unreachable > 0, "{spec}");
        let losses = &done.totals.losses;
        assert_eq!((losses.dropped.len(), losses.untested), (0, 0), "{spec}");
    }
}

/// A target that no input reaches, behind a loop; the search is exhausted.
#[test]
fn an_exhausted_search_leaves_a_target_open() {
    let text = r#"
func user @main() -> i32 {
b0:
  v0:ptr = alloca 4 x 1:i64, align 1
  call @__byway_symbolic(v0, 4:i64, @name)
  v1:i8 = load v0, align 1
  v2:i1 = icmp ult v1, 5:i8
  br v2, b1, b2
b1:
  v3:i1 = icmp eq v1, 9:i8
  br v3, b3, b2
b2:
  ret 1:i32
b3:
  ret 2:i32
}
"#;
    for spec in SEARCHERS {
        let targets = vec![Target::at(vec![point(0, 3, 0)])];
        let config = ExploreConfig { targets, ..config(Feasibility::Lazy) };
        let (done, _) = explored(text, spec, &config);
        assert_eq!(done.stop_reason, StopReason::Done, "{spec}");
        let target = &done.targets[0];
        assert_eq!((target.path, target.is_pending), (None, false), "{spec}");
        assert!(!target.is_statically_unreachable, "{spec}");
    }
}

/// Behind the target, the program excludes the input of its first path: another input must do.
#[test]
fn an_excluded_path_does_not_close_its_target() {
    let text = r#"
func user @main() -> i32 {
b0:
  v0:ptr = alloca 4 x 1:i64, align 1
  call @__byway_symbolic(v0, 4:i64, @name)
  v1:i8 = load v0, align 1
  jump b1
b1:
  v2:i1 = icmp eq v1, 0:i8
  br v2, b2, b3
b2:
  call @__byway_assume(0:i64)
  ret 1:i32
b3:
  ret 2:i32
}
"#;
    for spec in SEARCHERS {
        let targets = vec![Target::at(vec![point(0, 1, 0)])];
        let config = ExploreConfig { targets, ..config(Feasibility::Lazy) };
        let (done, paths) = explored(text, spec, &config);
        assert_eq!(done.stop_reason, StopReason::Targets, "{spec}");
        let reaching: Vec<_> = paths.ended.iter().filter(|it| !it.targets.is_empty()).collect();
        assert_eq!(reaching.len(), 1, "{spec}");
        assert_eq!(reaching[0].outcome, Outcome::Exit(2), "{spec}");
    }
}

/// The loop behind the target never ends: its test is that of an unfinished path.
#[test]
fn an_endless_path_behind_the_target_gives_an_unfinished_test() {
    let text = r#"
func user @main() -> i32 {
b0:
  jump b1
b1:
  jump b1
}
"#;
    let targets = vec![Target::at(vec![point(0, 1, 0)])];
    let config = ExploreConfig { targets, ..config(Feasibility::Eager) };
    let (done, paths) = explored(text, "sdse", &config);
    assert_eq!(done.stop_reason, StopReason::Targets);
    assert_eq!(paths.ended.len(), 1);
    assert_eq!(
        (&paths.ended[0].outcome, &paths.ended[0].targets[..]),
        (&Outcome::OutOfBudget, &[0][..])
    );
}

/// A target calls a function, which divides by zero for one input.
const DIVISION: &str = r#"
func user @main() -> i32 {
b0:
  v0:ptr = alloca 4 x 1:i64, align 1
  call @__byway_symbolic(v0, 4:i64, @name)
  v1:i8 = load v0, align 1
  v2:i1 = icmp ult v1, 100:i8
  br v2, b1, b2
b1:
  v3:i8 = call @divide(v1)
  ret 1:i32
b2:
  ret 2:i32
}

func user @divide(v0:i8) -> i8 {
b0:
  v1:i1 = icmp ult v0, 50:i8
  br v1, b1, b2
b1:
  v2:i8 = sub v0, 7:i8
  v3:i8 = udiv 100:i8, v2
  ret v3
b2:
  ret v0
}
"#;

fn explored_for(kind: FaultKind, spec: &str) -> (Exploration, Vec<PathEnd>) {
    let fault = Some(FaultFilter::new(move |fault| fault.kind == kind));
    let targets = vec![Target { points: vec![point(0, 1, 0)], fault }];
    let config = ExploreConfig { targets, ..config(Feasibility::Eager) };
    let (done, paths) = explored(DIVISION, spec, &config);
    (done, paths.ended)
}

/// The fault shows in a function that the target calls, where no path leads back to the target.
#[test]
fn only_its_fault_closes_a_target_for_a_fault() {
    for spec in SEARCHERS {
        let (done, paths) = explored_for(FaultKind::DivisionByZero, spec);
        assert_eq!(done.stop_reason, StopReason::Targets, "{spec}");
        let closing: Vec<_> = paths.iter().filter(|it| !it.targets.is_empty()).collect();
        assert_eq!(closing.len(), 1, "{spec}");
        assert_eq!(closing[0].outcome.name(), "fault", "{spec}");
        // Every path behind the target is explored, those that never get there are dropped.
        let (done, paths) = explored_for(FaultKind::Leak, spec);
        assert_eq!(done.stop_reason, StopReason::Done, "{spec}");
        assert_eq!((done.targets[0].path, done.targets[0].is_pending), (None, false), "{spec}");
        let ends = |name: &str| paths.iter().filter(|it| it.outcome.name() == name).count();
        assert_eq!((ends("fault"), ends("exit")), (1, 2), "{spec}");
        assert!(done.totals.targets.unreachable > 0, "{spec}");
    }
}

/// The backward search is for the points of a target; whether a path has the fault shows forward.
#[test]
fn a_target_for_a_fault_is_searched_backward_too() {
    for spec in ["ccbse(dfs)", "ccbse(random-path)", "mix-ccbse(sdse)"] {
        let (done, paths) = explored_for(FaultKind::DivisionByZero, spec);
        assert_eq!(done.stop_reason, StopReason::Targets, "{spec}");
        let closing: Vec<_> = paths.iter().filter(|it| !it.targets.is_empty()).collect();
        assert_eq!((closing.len(), closing[0].outcome.name()), (1, "fault"), "{spec}");
        let (done, paths) = explored_for(FaultKind::Leak, spec);
        assert_eq!((done.stop_reason, done.targets[0].path), (StopReason::Done, None), "{spec}");
        assert!(paths.iter().all(|it| it.targets.is_empty()), "{spec}");
    }
}
