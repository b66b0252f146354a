//! Small programs in the IR's text form, explored to their end: how many paths, how
//! each ends, under every searcher and feasibility policy.

#[path = "explore/backward.rs"]
mod backward;
#[path = "explore/branches.rs"]
mod branches;
#[path = "explore/case_groups.rs"]
mod case_groups;
#[path = "explore/concolic.rs"]
mod concolic;
#[path = "explore/greedy.rs"]
mod greedy;
#[path = "explore/memory.rs"]
mod memory;
#[path = "explore/pruner.rs"]
mod pruner;
#[path = "explore/seeds.rs"]
mod seeds;
#[path = "explore/targets.rs"]
mod targets;
#[path = "explore/values.rs"]
mod values;

use std::collections::BTreeSet;

use byway_base::{FaultKind, Outcome, Work};
use byway_engine::{
    Config, Control, Exploration, ExploreConfig, Feasibility, Invocation, Observer, PathEnd,
    SearchStrategy, TestSelection, Totals, UnfinishedTests, explore,
};

#[derive(Default)]
struct Paths {
    ended: Vec<PathEnd>,
    messages: Vec<String>,
}

impl Observer for Paths {
    fn path(&mut self, path: &PathEnd, _totals: &Totals) -> Control {
        self.ended.push(path.clone());
        Control::Continue
    }

    fn tick(&mut self, _totals: &Totals) -> Control {
        Control::Continue
    }

    fn message(&mut self, text: &str) {
        self.messages.push(text.into());
    }
}

const DOORS: &str = "
func user @__byway_symbolic(v0:ptr, v1:i64, v2:ptr)
func user @__byway_assume(v0:i64)
func user @__byway_value(v0:i64) -> i64
global user @name size 2 align 1 constant = {
  x\"7800\"
}
";

fn config(feasibility: Feasibility) -> ExploreConfig {
    ExploreConfig {
        engine: Config { coverage: true, ..Config::default() },
        invocation: Invocation {
            args: vec![b"prog".to_vec()],
            env: Vec::new(),
            options: Vec::new(),
        },
        feasibility,
        // So that every decided state is seen.
        unfinished_tests: UnfinishedTests::All,
        seed: 7,
        ..ExploreConfig::default()
    }
}

fn explored(text: &str, search: &str, config: &ExploreConfig) -> (Exploration, Paths) {
    let mut paths = Paths::default();
    (watched(text, search, config, &mut paths), paths)
}

fn watched(
    text: &str,
    search: &str,
    config: &ExploreConfig,
    observer: &mut dyn Observer,
) -> Exploration {
    let mut searcher = byway_search::build(&[search]).expect("a searcher");
    searched(text, &mut *searcher, config, observer)
}

fn searched(
    text: &str,
    searcher: &mut dyn byway_search::Searcher,
    config: &ExploreConfig,
    observer: &mut dyn Observer,
) -> Exploration {
    explored_by(text, SearchStrategy::new(searcher), config, observer)
}

fn explored_by(
    text: &str,
    strategy: SearchStrategy,
    config: &ExploreConfig,
    observer: &mut dyn Observer,
) -> Exploration {
    try_exploring(text, strategy, config, observer).expect("it runs")
}

fn try_exploring(
    text: &str,
    strategy: SearchStrategy,
    config: &ExploreConfig,
    observer: &mut dyn Observer,
) -> Result<Exploration, String> {
    let module = byway_ir::text::parse(&format!("bwir 1\nmodule \"test\"\n{DOORS}{text}"))
        .unwrap_or_else(|e| panic!("{e}\n{text}"));
    byway_ir::verify(&module).unwrap_or_else(|e| panic!("{e:?}"));
    let options = byway_solver::SolverOptions {
        check: true,
        log: None,
        interrupt: None,
        memory: None,
        on_error: std::rc::Rc::new(|trouble| panic!("{trouble}")),
    };
    let done = explore(&module, config, strategy, options, None, observer)?;
    assert_eq!(done.totals.solver.disagreements, 0);
    Ok(done)
}

const SEARCHERS: [&str; 11] = [
    "auto",
    "dfs",
    "bfs",
    "random-path",
    "nurs:icnt",
    "nurs:cpicnt",
    "klee-default",
    "dart",
    "generational",
    "cgs:2",
    "interleave(dart, random-path)",
];

/// The paths of a program, which every searcher must find, eagerly and lazily.
fn paths(text: &str) -> Vec<PathEnd> {
    let digests =
        |paths: &Paths| -> BTreeSet<u64> { paths.ended.iter().map(|p| p.digest).collect() };
    let (_, first) = explored(text, "dfs", &config(Feasibility::Eager));
    let expected = digests(&first);
    assert_eq!(expected.len(), first.ended.len(), "each path has its own digest");
    for search in SEARCHERS {
        for feasibility in [Feasibility::Eager, Feasibility::Lazy] {
            let (_, other) = explored(text, search, &config(feasibility));
            assert_eq!(digests(&other), expected, "{search} {feasibility:?}");
            assert_eq!(other.ended.len(), first.ended.len(), "{search} {feasibility:?}");
        }
    }
    first.ended
}

fn exits(paths: &[PathEnd]) -> BTreeSet<i32> {
    paths
        .iter()
        .filter_map(|p| match p.outcome {
            Outcome::Exit(code) => Some(code),
            _ => None,
        })
        .collect()
}

fn faults(paths: &[PathEnd]) -> Vec<FaultKind> {
    paths
        .iter()
        .filter_map(|p| match &p.outcome {
            Outcome::Fault(f) => Some(f.kind),
            _ => None,
        })
        .collect()
}

/// A main that reads one symbolic byte into `v1`.
fn with_byte(body: &str) -> String {
    format!(
        "func user @main() -> i32 {{
b0:
  v0:ptr = alloca 1 x 1:i32, align 1
  call @__byway_symbolic(v0, 1:i64, @name)
  v1:i8 = load v0, align 1
{body}
}}
"
    )
}

#[test]
fn a_branch_forks_into_both_sides() {
    let ended = paths(&with_byte(
        "  v2:i1 = icmp ult v1, 10:i8
  br v2, b1, b2
b1:
  ret 1:i32
b2:
  ret 2:i32",
    ));
    assert_eq!(exits(&ended), BTreeSet::from([1, 2]));
    for path in &ended {
        let byte = path.test.as_ref().expect("a test").inputs[0].bytes[0];
        assert_eq!(path.outcome, Outcome::Exit(if byte < 10 { 1 } else { 2 }));
    }
}

/// A main that branches on whether each of `count` input bytes is below the next.
fn chain(count: u64) -> String {
    let mut text = format!(
        "func user @main() -> i32 {{
b0:
  v0:ptr = alloca 1 x {size}:i64, align 1
  call @__byway_symbolic(v0, {size}:i64, @name)
  jump b1(0:i64, 0:i32)
b1(v1:i64, v2:i32):
  v3:ptr = ptradd v0, 0, v1 * 1
  v4:i8 = load v3, align 1
  v5:ptr = ptradd v3, 1
  v6:i8 = load v5, align 1
  v7:i64 = add v1, 1:i64
  v8:i1 = icmp ult v4, v6
  br v8, b2, b3
b2:
  v9:i32 = add v2, 1:i32
  jump b4(v9)
b3:
  jump b4(v2)
b4(v10:i32):
  v11:i1 = icmp eq v7, {count}:i64
  br v11, b5, b1(v7, v10)
b5:
  ret v10
",
        size = count + 1
    );
    text.push_str("}\n");
    text
}

fn digests(paths: &Paths) -> BTreeSet<u64> {
    paths.ended.iter().map(|path| path.digest).collect()
}

#[test]
fn every_searcher_finds_the_same_paths() {
    let ended = paths(&chain(5));
    assert_eq!(ended.len(), 32);
    assert_eq!(exits(&ended), (0..=5).collect());
    for path in &ended {
        let bytes = &path.test.as_ref().expect("a test").inputs[0].bytes;
        let rising = bytes.windows(2).filter(|pair| pair[0] < pair[1]).count();
        assert_eq!(path.outcome, Outcome::Exit(rising as i32));
    }
}

#[test]
fn collecting_terms_changes_nothing() {
    let text = chain(7);
    let (_, expected) = explored(&text, "random-state", &config(Feasibility::Lazy));
    let often = ExploreConfig { collect_at: 1, ..config(Feasibility::Lazy) };
    let (_, collected) = explored(&text, "random-state", &often);
    assert_eq!(expected.ended, collected.ended);
}

#[test]
fn a_work_limit_stops_at_the_same_place_every_time() {
    let text = chain(7);
    let mut limited = config(Feasibility::Eager);
    limited.limits.work = Some(byway_base::Work(3000));
    let (first, one) = explored(&text, "random-path", &limited);
    let (second, other) = explored(&text, "random-path", &limited);
    assert_eq!(first.stop_reason, byway_engine::StopReason::Work);
    assert_eq!(first.totals, second.totals);
    assert_eq!(one.ended, other.ended);
    assert!(first.totals.losses.unfinished > 0);
    let all = digests(&explored(&text, "dfs", &config(Feasibility::Eager)).1);
    let finished = one.ended.iter().filter(|p| matches!(p.outcome, Outcome::Exit(_)));
    assert!(finished.map(|p| p.digest).all(|digest| all.contains(&digest)));
}

/// The states that are left, or dropped, give a test if they cover something new. The others
/// are counted, and nothing that all of them cover is lost.
#[test]
fn unfinished_states_that_cover_something_new_give_tests() {
    let text = chain(7);
    for change in [
        |config: &mut ExploreConfig| config.limits.work = Some(byway_base::Work(3000)),
        |config: &mut ExploreConfig| config.limits.memory = Some(20_000),
    ] {
        let mut all = config(Feasibility::Eager);
        change(&mut all);
        let (expected, _) = explored(&text, "bfs", &all);
        assert_eq!(expected.totals.losses.untested, 0);
        let few = ExploreConfig { unfinished_tests: UnfinishedTests::CoveringNew, ..all.clone() };
        let (done, paths) = explored(&text, "bfs", &few);
        let cut = |p: &&PathEnd| matches!(p.outcome, Outcome::OutOfBudget | Outcome::Dropped(_));
        let cut: Vec<_> = paths.ended.iter().filter(cut).collect();
        assert!(cut.iter().all(|path| path.newly_covered > 0 && path.test.is_some()));
        let losses = &done.totals.losses;
        let lost = losses.unfinished + losses.dropped.values().sum::<u64>();
        assert!(losses.untested > 0);
        assert_eq!(losses.untested + cut.len() as u64, lost);
        assert_eq!(done.totals.coverage, expected.totals.coverage);
        let none = ExploreConfig { unfinished_tests: UnfinishedTests::None, ..all };
        let (done, _) = explored(&text, "bfs", &none);
        assert_eq!(done.totals.losses.untested, lost);
    }
}

#[test]
fn limits_drop_paths_and_count_them() {
    let text = chain(6);
    let mut limited = config(Feasibility::Eager);
    limited.limits.states = Some(4);
    let (done, paths) = explored(&text, "bfs", &limited);
    assert!(done.totals.max_states <= 4);
    assert!(done.totals.losses.dropped[&byway_base::Limit::States] > 0);
    assert!(paths.ended.len() < 64);

    let mut shallow = config(Feasibility::Eager);
    shallow.limits.depth = Some(3);
    let (done, paths) = explored(&text, "dfs", &shallow);
    assert_eq!(paths.ended.len(), 8);
    assert!(done.totals.losses.dropped[&byway_base::Limit::Depth] > 0);

    let mut small = config(Feasibility::Eager);
    small.limits.memory = Some(20_000);
    let (done, paths) = explored(&text, "bfs", &small);
    let dropped = paths.ended.iter().filter(|p| matches!(p.outcome, Outcome::Dropped(_)));
    assert_eq!(dropped.count() as u64, done.totals.losses.dropped[&byway_base::Limit::Memory]);

    let mut brief = config(Feasibility::Eager);
    brief.engine.max_instructions = Some(30);
    let (done, _) = explored(&text, "dfs", &brief);
    assert!(done.totals.paths["out-of-budget"] > 0);
}

/// Picking anew at each fork expands the tree level by level: with 64 forks before the end of
/// every path, `random-path` ends none.
#[test]
fn the_default_finishes_paths_however_many_forks_precede_their_ends() {
    for forks in [16, 64] {
        let mut limited = config(Feasibility::Eager);
        limited.unfinished_tests = UnfinishedTests::None;
        limited.limits.work = Some(Work(60_000));
        let ended = |search| {
            let (done, _) = explored(&chain(forks), search, &limited);
            done.totals.paths.get("exit").copied().unwrap_or(0)
        };
        let by_default = ended("auto");
        assert!(by_default >= 10, "{forks} forks: {by_default} paths");
        assert!(forks < 64 || ended("random-path") == 0);
    }
}

#[test]
fn a_solver_without_effort_leaves_everything_undecided() {
    let mut hopeless = config(Feasibility::Eager);
    hopeless.limits.solver_effort = Some(0);
    let (done, paths) = explored(&chain(4), "dfs", &hopeless);
    assert_eq!(paths.ended.len(), 1, "the witness still takes its own path");
    assert!(!done.totals.losses.undecided.is_empty());
}

#[test]
fn faults_are_cases_too() {
    let ended = paths(&with_byte(
        "  v2:i8 = udiv 100:i8, v1
  v3:i32 = zext v2
  ret v3",
    ));
    assert_eq!(faults(&ended), [FaultKind::DivisionByZero]);
    assert_eq!(ended.len(), 2);

    let table = "global user @table size 4 align 1 constant = {
  x\"0a141e28\"
}
";
    let ended = paths(&format!(
        "{table}{}",
        with_byte(
            "  v2:i64 = zext v1
  v3:ptr = ptradd @table, 0, v2 * 1
  v4:i8 = load v3, align 1
  v5:i1 = icmp eq v4, 30:i8
  br v5, b1, b2
b1:
  ret 1:i32
b2:
  ret 0:i32"
        )
    ));
    assert_eq!(faults(&ended), [FaultKind::OutOfBounds]);
    assert_eq!(exits(&ended), BTreeSet::from([0, 1]));
    assert_eq!(ended.len(), 3);
}

#[test]
fn a_switch_is_one_fork() {
    let text = with_byte(
        "  switch v1 [1: b1, 2: b1, 3: b1, 200: b2, 201: b3] else b4
b1:
  ret 1:i32
b2:
  ret 2:i32
b3:
  ret 3:i32
b4:
  ret 4:i32",
    );
    let (done, _) = explored(&text, "dfs", &config(Feasibility::Eager));
    assert_eq!(done.totals.forks, 1);
    assert_eq!(exits(&paths(&text)), BTreeSet::from([1, 2, 3, 4]));
}

/// Two bytes, and for each the same switch with eight cases.
const TWO_SWITCHES: &str = "
func user @pick(v0:i8) -> i32 {
b0:
  switch v0 [1: b1, 2: b2, 3: b3, 4: b4, 5: b5, 6: b6, 7: b7] else b8
b1:
  ret 1:i32
b2:
  ret 2:i32
b3:
  ret 3:i32
b4:
  ret 4:i32
b5:
  ret 5:i32
b6:
  ret 6:i32
b7:
  ret 7:i32
b8:
  ret 0:i32
}
func user @main() -> i32 {
b0:
  v0:ptr = alloca 2 x 1:i32, align 1
  call @__byway_symbolic(v0, 2:i64, @name)
  v1:i8 = load v0, align 1
  v2:ptr = ptradd inbounds v0, 1
  v3:i8 = load v2, align 1
  v4:i32 = call @pick(v1)
  v5:i32 = call @pick(v3)
  v6:i32 = mul v4, 8:i32
  v7:i32 = add v6, v5
  ret v7
}";

#[test]
fn cases_without_new_coverage_are_grouped_and_none_is_lost() {
    let found = paths(TWO_SWITCHES);
    assert_eq!((found.len(), exits(&found)), (64, (0..64).collect()));
    // Breadth first, no case is covered before every state has reached both switches: one
    // fork for the first, and one for each of its cases. Depth first, the first eight paths
    // cover all cases, and later groups split a few cases at a time.
    let forks = |search| {
        let (done, _) = explored(TWO_SWITCHES, search, &config(Feasibility::Eager));
        done.totals.forks
    };
    assert_eq!(forks("bfs"), 9);
    assert!(forks("dfs") > 9);
    // A limit on depth does not depend on how cases were grouped.
    for search in ["bfs", "dfs"] {
        let mut config = config(Feasibility::Eager);
        config.limits.depth = Some(2);
        let (done, found) = explored(TWO_SWITCHES, search, &config);
        assert_eq!((found.ended.len(), done.totals.losses.dropped.len()), (64, 0), "{search}");
    }
}

#[test]
fn preferences_are_applied_only_to_selected_tests() {
    let program = with_byte(
        "  v2:i1 = icmp ugt v1, 100:i8
  v3:i64 = zext v2
  call @__byway_prefer(v3)
  v4:i1 = icmp ult v1, 50:i8
  br v4, b1, b2
b1:
  ret 1:i32
b2:
  ret 2:i32",
    );
    let text = format!("func user @__byway_prefer(v0:i64)\n{program}");
    let queries = |wanted| {
        let config = ExploreConfig { tests: wanted, ..config(Feasibility::Eager) };
        let (done, found) = explored(&text, "dfs", &config);
        let byte = |path: &PathEnd| path.test.as_ref().map(|test| test.inputs[0].bytes[0]);
        (done.totals.solver.queries, found.ended.iter().filter_map(byte).collect::<Vec<u8>>())
    };
    // One path cannot satisfy the preference, which costs a query.
    let (all, bytes) = queries(TestSelection::All);
    assert_eq!(bytes.iter().filter(|&&byte| byte > 100).count(), 1, "{bytes:?}");
    // Both paths cover something new, so both get a test.
    assert_eq!(queries(TestSelection::CoveringNew), (all, bytes));
    assert_eq!(queries(TestSelection::Faults).0, all - 1);
}

#[test]
fn assumptions_exclude_inputs_without_forking() {
    let assume = "  v2:i1 = icmp ugt v1, 250:i8
  v3:i64 = zext v2
  call @__byway_assume(v3)
";
    let text = with_byte(&format!("{assume}  v4:i32 = zext v1\n  ret v4"));
    let (done, found) = explored(&text, "dfs", &config(Feasibility::Eager));
    assert_eq!((done.totals.forks, found.ended.len()), (0, 1));
    assert!(exits(&found.ended).iter().all(|&code| code > 250));

    let never = with_byte(&format!(
        "{assume}  v4:i1 = icmp ult v1, 3:i8
  v5:i64 = zext v4
  call @__byway_assume(v5)
  ret 0:i32"
    ));
    let ended = paths(&never);
    assert_eq!(ended.len(), 1);
    assert_eq!((&ended[0].outcome, &ended[0].test), (&Outcome::Excluded, &None));
}
