//! Pruners on simulated programs: they drop what they should, begin again when a run is over, and
//! the same seed gives the same exploration.

#[allow(dead_code)] // each test file uses only some helpers
mod common;

use byway_search::pruner::build_pruner;
use byway_search::simulate::{Simulation, SimulationOptions, SimulationRecord};
use common::{random_tree, searcher};

/// Explores a random tree for so many picks.
fn explored(seed: u64, search: &str, prune: &str, picks: usize) -> SimulationRecord {
    let tree = random_tree(seed, 600);
    let options = SimulationOptions { seed, ..SimulationOptions::default() };
    let mut simulation = Simulation::new(&tree, options);
    let mut searcher = searcher(&[search]);
    let mut pruner = build_pruner(prune).expect("a pruner");
    simulation.join(&mut *searcher).expect("it joins");
    for _ in 0..picks {
        let continues = simulation.turn_pruned(&mut *searcher, &mut *pruner);
        if !continues.unwrap_or_else(|violation| panic!("{search}, {prune}: {violation}")) {
            break;
        }
    }
    simulation.record().clone()
}

#[test]
fn every_pruner_keeps_the_protocol_with_every_kind_of_searcher() {
    for search in ["bfs", "dfs", "random-path", "sgs:2", "uncovered-first(random-path)"] {
        for prune in [
            "homi:interval=20,run=400",
            "homi:interval=20,run=400,learn=no",
            "random:0.5,50",
            "divide:300",
        ] {
            for seed in 0..10 {
                let record = explored(seed, search, prune, 2_000);
                assert!(record.dropped > 0, "{search}, {prune}");
            }
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_exploration() {
    let homi = "homi:interval=20,run=400";
    for seed in 0..5 {
        let records = [0; 2].map(|_| explored(seed, "random-path", homi, 3_000));
        assert_eq!(records[0], records[1]);
    }
}

#[test]
fn homi_keeps_fewer_states_and_begins_again() {
    let most = |prune, picks| {
        let records = (0..10).map(|seed| explored(seed, "bfs", prune, picks));
        records.fold((0, 0), |(states, restarts), record| {
            (states + record.most_states, restarts + record.restarts)
        })
    };
    let (all, _) = most("divide:1000000", 1_500);
    // One run of 300 work before the first that drops states.
    let (few, restarts) = most("homi:interval=10,run=300,lengths=1,explore=2", 1_500);
    assert!(few < all, "{few} states instead of {all}");
    assert!(restarts >= 20, "{restarts} restarts of ten explorations");
}

#[test]
fn an_exploration_without_losses_ends() {
    // The first run of homi drops nothing, and explores everything.
    for prune in ["homi:interval=1M,run=9M", "divide:9M"] {
        let record = explored(3, "dfs", prune, usize::MAX);
        assert_eq!((record.restarts, record.dropped), (0, 0), "{prune}");
    }
}

#[test]
fn a_run_that_lost_states_is_followed_by_another() {
    let record = explored(3, "dfs", "homi:interval=10,run=200,lengths=1", 20_000);
    assert!(record.restarts > 10 && record.repeated > 0);
}
