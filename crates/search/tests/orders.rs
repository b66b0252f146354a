//! The exact order in which searchers explore small trees.

#[allow(dead_code)] // each test file uses only some helpers
mod common;

use byway_base::Rng;
use byway_search::searcher::{Dfs, Interleave};
use byway_search::simulate::{FeasibilityMode, SimulationOptions, SimulationRecord, explore};
use byway_search::{Action, Delta, Searcher, View};
use common::{leaves, picks, searcher, tree};

fn run(specs: &[&str], text: &str, options: SimulationOptions) -> SimulationRecord {
    explore(&tree(text), &mut *searcher(specs), options).unwrap_or_else(|e| panic!("{e}"))
}

/// Checks the order of picks and leaves, which must not depend on the witness.
fn check(spec: &str, text: &str, picked: &str, reached: &str) {
    for witness in 0..8 {
        let record =
            run(&[spec], text, SimulationOptions { witness, ..SimulationOptions::default() });
        let tree = tree(text);
        assert_eq!(picks(&tree, &record), picked, "{spec} on {text}, witness {witness}");
        assert_eq!(leaves(&tree, &record), reached, "{spec} on {text}, witness {witness}");
    }
}

#[test]
fn dfs_finishes_the_last_case_before_it_backtracks() {
    check("dfs", "r(a(x,y),b(z,w))", "r b w z a y x", "w z y x");
    check("dfs", "r(a,b(c,d,e),f)", "r f b e d c a", "f e d c a");
    check("dfs", "x", "x", "x");
}

#[test]
fn bfs_explores_level_by_level() {
    check("bfs", "r(a(x,y),b(z,w))", "r a b x y z w", "x y z w");
    check("bfs", "r(a,b(c,d,e),f)", "r a b f c d e", "a f c d e");
    check("bfs", "r(a(b(c(p,q),t),u),v)", "r a v b u c t p q", "v u t p q");
}

#[test]
fn sites_with_one_feasible_case_do_not_end_a_run() {
    check("dfs", "r(a(b(x,!)),y(z))", "r y a", "z x");
    check("bfs", "r(a(b(x,!)),y(z))", "r a y", "x z");
}

#[test]
fn a_long_node_takes_several_turns() {
    check("dfs", "r(a,b:25000)", "r b b b a", "b a");
    check("bfs", "r(a:10001,b)", "r a a b", "a b");
}

#[test]
fn pending_states_are_decided_when_they_are_picked() {
    let options =
        SimulationOptions { feasibility: FeasibilityMode::Lazy, ..SimulationOptions::default() };
    let text = "r(a(x,!),!,?)";
    for (spec, picked) in [("dfs", "r   a  x"), ("bfs", "r a   x ")] {
        let record = run(&[spec], text, options);
        assert_eq!(picks(&tree(text), &record), picked, "{spec}");
        assert_eq!((record.infeasible, record.unknown), (2, 1), "{spec}");
    }
    let record =
        run(&["dfs"], text, SimulationOptions { feasibility: FeasibilityMode::Eager, ..options });
    assert_eq!(picks(&tree(text), &record), "r");
}

#[test]
fn a_batch_runs_through_forks() {
    let text = "r(a(x,y),b(z,w))";
    let record = run(&["batch(dfs)"], text, SimulationOptions::default());
    assert_eq!(record.picks.len(), record.leaves.len(), "every pick runs to an end");
    // One instruction at a time: as many picks as there are instructions.
    let record = run(&["batch:1(dfs)"], "r:3(a:2,b)", SimulationOptions::default());
    assert_eq!((record.picks.len(), record.steps), (6, 6));
}

#[test]
fn interleaved_searchers_alternate_on_the_same_states() {
    let text = "r(a(x,y),b(z,w))";
    for specs in [&["dfs", "bfs"][..], &["interleave(dfs, bfs)"]] {
        for witness in 0..8 {
            let record =
                run(specs, text, SimulationOptions { witness, ..SimulationOptions::default() });
            assert_eq!(picks(&tree(text), &record), "r a y b w x z");
        }
    }
}

struct Idle;

impl Searcher for Idle {
    fn update(&mut self, _: &Delta, _: &dyn View) {}
    fn pick(&mut self, _: &dyn View, _: &mut Rng) -> Action {
        Action::Stop
    }
}

#[test]
fn a_searcher_with_nothing_to_do_loses_its_turn() {
    let tree = tree("r(a(x,y),b(z,w))");
    let mut mixed = Interleave::new(vec![Box::new(Idle), Box::new(Dfs::default())]);
    let record = explore(&tree, &mut mixed, SimulationOptions::default()).unwrap();
    assert_eq!(leaves(&tree, &record), "w z y x");
    let mut none = Interleave::new(Vec::new());
    assert!(explore(&tree, &mut none, SimulationOptions::default()).is_err());
}
