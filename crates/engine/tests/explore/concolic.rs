//! Inputs that run from the program's start: those that were solved for a branch, and
//! those that were drawn at random.

use byway_base::Work;
use byway_engine::StopReason;

use super::*;

const CONCOLIC: [&str; 3] = ["dart", "generational", "cgs:2"];

#[test]
fn cases_are_decided_when_picked_and_their_inputs_run_from_the_start() {
    for search in CONCOLIC {
        let (eager, one) = explored(&chain(5), search, &config(Feasibility::Eager));
        let (lazy, other) = explored(&chain(5), search, &config(Feasibility::Lazy));
        assert_eq!(eager.totals, lazy.totals, "{search}");
        assert_eq!(one.ended, other.ended, "{search}");
        let totals = eager.totals;
        // Every path but the first was solved once.
        assert_eq!(totals.solver.queries, 31, "{search}");
        assert!(totals.followed > 0 && totals.followed < totals.instructions);
        assert_eq!(totals.losses.diverged, 0, "{search}");
        // The instructions are those of the paths from the first branch on.
        let whole: u64 = other.ended.iter().map(|path| path.instructions).sum();
        assert!(totals.instructions <= whole, "{search}");
    }
}

#[test]
fn the_input_of_a_run_is_its_test() {
    for search in CONCOLIC {
        let (_, paths) = explored(&chain(4), search, &config(Feasibility::Lazy));
        for path in &paths.ended {
            let bytes = &path.test.as_ref().expect("a test").inputs[0].bytes;
            let rising = bytes.windows(2).filter(|pair| pair[0] < pair[1]).count();
            assert_eq!(path.outcome, Outcome::Exit(rising as i32), "{search}");
        }
    }
}

/// The program acts on a value of its input that no constraint records.
fn unheld() -> String {
    with_byte(
        "  v2:i64 = zext v1
  v3:i64 = call @__byway_value(v2)
  v4:i1 = icmp eq v2, v3
  br v4, b1, b2
b1:
  v5:i1 = icmp ult v1, 9:i8
  br v5, b3, b4
b2:
  ret 1:i32
b3:
  ret 2:i32
b4:
  ret 3:i32",
    )
}

#[test]
fn an_input_that_takes_another_path_is_a_divergence() {
    let (_, forward) = explored(&unheld(), "dfs", &config(Feasibility::Lazy));
    assert_eq!(exits(&forward.ended), BTreeSet::from([1, 2]));
    for search in CONCOLIC {
        // An input unlike the value 0 has another value, and is equal to it.
        let (done, paths) = explored(&unheld(), search, &config(Feasibility::Lazy));
        assert_eq!(exits(&paths.ended), BTreeSet::from([2]), "{search}");
        assert_eq!(done.totals.losses.diverged, 1, "{search}");
        assert_eq!(done.stop_reason, StopReason::Done);
        let told = paths.messages.iter().filter(|text| text.contains("took another path"));
        assert_eq!(told.count(), 1, "{search}: {:?}", paths.messages);
    }
}

#[test]
fn a_limit_on_work_holds_while_an_input_is_followed() {
    for search in CONCOLIC {
        for work in (200..4_000).step_by(171) {
            let mut limited = config(Feasibility::Lazy);
            limited.limits.work = Some(Work(work));
            let (done, paths) = explored(&chain(7), search, &limited);
            let (again, same) = explored(&chain(7), search, &limited);
            assert_eq!((done.totals.clone(), &paths.ended), (again.totals, &same.ended));
            assert_eq!(done.stop_reason, StopReason::Work, "{search}, {work}");
            assert!(done.totals.work.0 <= work + 200, "{search}: {} of {work}", done.totals.work.0);
        }
    }
}

fn drawn(text: &str, spec: &str, seed: u64) -> (Exploration, Paths) {
    explored(text, spec, &ExploreConfig { seed, ..config(Feasibility::Eager) })
}

#[test]
fn random_inputs_take_paths_of_the_program_each_reported_once() {
    let all = digests(&explored(&chain(5), "dfs", &config(Feasibility::Eager)).1);
    let (done, paths) = drawn(&chain(5), "random-testing:2000", 1);
    let found = digests(&paths);
    assert_eq!(found.len(), paths.ended.len(), "each once");
    assert!(found.is_subset(&all) && found.len() > 20, "{}", found.len());
    let totals = &done.totals;
    assert_eq!(totals.random.drawn, totals.random.repeated + found.len() as u64);
    assert!(totals.random.repeated >= 2000);
    assert_eq!((totals.solver.queries, totals.forks, totals.max_states), (0, 0, 0));
    assert_eq!(done.stop_reason, StopReason::Done);
}

#[test]
fn random_inputs_depend_on_the_seed_alone() {
    let run = |seed| {
        let (done, paths) = drawn(&chain(5), "random-testing:50", seed);
        (done.totals, paths.ended)
    };
    assert_eq!(run(3), run(3));
    assert_ne!(run(3), run(4));
    // Nor on when terms are collected.
    let often = ExploreConfig { seed: 3, collect_at: 1, ..config(Feasibility::Eager) };
    assert_eq!(explored(&chain(5), "random-testing:50", &often).1.ended, run(3).1);
}

#[test]
fn an_input_that_a_limit_stops_is_reported() {
    let endless = with_byte(
        "  v2:i1 = icmp ult v1, 10:i8
  br v2, b1, b1
b1:
  jump b1",
    );
    let mut limited = config(Feasibility::Eager);
    limited.limits.work = Some(Work(5_000));
    let (done, paths) = explored(&endless, "random-testing", &limited);
    assert_eq!(done.stop_reason, StopReason::Work);
    let [path] = &paths.ended[..] else { panic!("{:?}", paths.ended) };
    assert_eq!(path.outcome, Outcome::OutOfBudget);
    assert_eq!(path.test.as_ref().expect("a test").inputs[0].bytes.len(), 1);
    assert_eq!((done.totals.random.drawn, done.totals.losses.unfinished), (1, 1));
    // The last of several.
    let (done, paths) = explored(&chain(30), "random-testing", &limited);
    let cut = paths.ended.iter().filter(|path| path.outcome == Outcome::OutOfBudget).count();
    assert_eq!((cut, done.totals.losses.unfinished), (1, 1));
    assert_eq!(done.totals.random.drawn, done.totals.random.repeated + paths.ended.len() as u64);
    assert!(paths.ended.len() > 1);
    // An observer that stops interrupts it.
    struct Enough(Vec<Outcome>);
    impl Observer for Enough {
        fn path(&mut self, path: &PathEnd, _: &Totals) -> Control {
            self.0.push(path.outcome.clone());
            Control::Continue
        }
        fn tick(&mut self, _: &Totals) -> Control {
            Control::Stop
        }
        fn message(&mut self, _: &str) {}
    }
    let mut enough = Enough(Vec::new());
    watched(&endless, "random-testing", &config(Feasibility::Eager), &mut enough);
    assert_eq!(enough.0, [Outcome::Interrupted]);
}

/// Four bytes that are assumed to be a number from `least` on, of which there are four.
fn one_of_four(least: u32) -> String {
    format!(
        "func user @main() -> i32 {{
b0:
  v0:ptr = alloca 1 x 4:i64, align 1
  call @__byway_symbolic(v0, 4:i64, @name)
  v1:i32 = load v0, align 1
  v2:i32 = sub v1, {least}:i32
  v3:i1 = icmp ult v2, 4:i32
  v4:i64 = zext v3
  call @__byway_assume(v4)
  switch v2 [0: b2, 1: b3, 2: b4] else b1
b1:
  ret 3:i32
b2:
  ret 0:i32
b3:
  ret 1:i32
b4:
  ret 2:i32
}}
"
    )
}

#[test]
fn assumptions_are_satisfied_by_drawing_again() {
    for least in [0, 5] {
        let mut limited = config(Feasibility::Eager);
        limited.limits.work = Some(Work(50_000));
        let (done, paths) = explored(&one_of_four(least), "random-testing", &limited);
        assert_eq!(exits(&paths.ended), (0..4).collect(), "from {least}");
        assert_eq!(done.stop_reason, StopReason::Work);
    }
    // One number among billions is not found: excluded, and reported once.
    let (_, paths) = drawn(&one_of_four(1_000_000_007), "random-testing:3", 0);
    let outcomes: Vec<&Outcome> = paths.ended.iter().map(|path| &path.outcome).collect();
    assert_eq!(outcomes, [&Outcome::Excluded]);
}
