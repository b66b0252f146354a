//! What strategies have learnt outlives them: it is stored, recalled by a new strategy, and stored
//! again as it was. Damaged tables are harmless.

#[allow(dead_code)] // each test file uses only some helpers
mod common;

use byway_base::Rng;
use byway_search::pruner::{build_pruner, pruner_entries};
use byway_search::simulate::{Simulation, SimulationOptions};
use byway_search::{Knowledge, KnowledgeOrigin, KnowledgeTable, entries};
use common::{random_tree, searcher};

/// Searchers and pruners with something to learn.
const LEARNING: [&str; 7] = [
    "sgs:1",
    "sgs:3",
    "sgs:2(latest)",
    "sgs:combined",
    "cgs:4",
    "interleave(dfs, sgs:1)",
    "batch(sgs:2)",
];

fn learnt(seed: u64, search: &str, recalled: Option<&Knowledge>, picks: usize) -> Knowledge {
    let tree = random_tree(seed, 300);
    let options = SimulationOptions { seed, ..SimulationOptions::default() };
    let mut simulation = Simulation::new(&tree, options);
    let mut searcher = searcher(&[search]);
    recalled.into_iter().for_each(|knowledge| searcher.recall(knowledge));
    simulation.join(&mut *searcher).expect("it joins");
    for _ in 0..picks {
        if !simulation.turn(&mut *searcher).unwrap_or_else(|why| panic!("{search}: {why}")) {
            break;
        }
    }
    let mut knowledge = Knowledge::default();
    searcher.store(&mut knowledge);
    knowledge
}

/// The tables with their rows sorted: the order of rows need not stay.
fn sorted(knowledge: &Knowledge) -> Vec<KnowledgeTable> {
    let mut tables = knowledge.tables.clone();
    tables.iter_mut().for_each(|table| table.rows.sort_unstable());
    tables
}

#[test]
fn what_is_recalled_is_stored_again() {
    for search in LEARNING {
        for seed in 0..5 {
            let knowledge = learnt(seed, search, None, 100);
            assert!(!knowledge.tables.is_empty(), "{search} has learnt nothing");
            let mut again = Knowledge::default();
            let mut other = searcher(&[search]);
            other.recall(&knowledge);
            other.store(&mut again);
            assert_eq!(sorted(&again), sorted(&knowledge), "{search}");
        }
    }
}

#[test]
fn counts_of_several_workers_are_added() {
    let knowledge = learnt(3, "sgs:1", None, 100);
    let mut other = searcher(&["sgs:1"]);
    other.recall(&knowledge);
    other.recall(&knowledge);
    let mut both = Knowledge::default();
    other.store(&mut both);
    let sum =
        |knowledge: &Knowledge| knowledge.tables[0].rows.iter().map(|row| row[0]).sum::<u64>();
    assert_eq!(sum(&both), 2 * sum(&knowledge));
}

#[test]
fn nothing_of_another_build_is_recalled_that_names_its_code() {
    for search in LEARNING {
        let knowledge =
            Knowledge { origin: KnowledgeOrigin::OtherBuild, ..learnt(1, search, None, 100) };
        let mut again = Knowledge::default();
        let mut other = searcher(&[search]);
        other.recall(&knowledge);
        other.store(&mut again);
        let mut nothing = Knowledge::default();
        searcher(&[search]).store(&mut nothing);
        assert_eq!(again, nothing, "{search}");
    }
}

#[test]
fn homi_begins_with_the_weights_of_another_exploration() {
    let tree = random_tree(2, 600);
    let explore = |recalled: Option<&Knowledge>, picks| {
        let mut simulation = Simulation::new(&tree, SimulationOptions::default());
        let mut searcher = searcher(&["bfs"]);
        let mut pruner =
            build_pruner("homi:interval=20,run=3000,lengths=1,explore=2").expect("a pruner");
        recalled.into_iter().for_each(|knowledge| pruner.recall(knowledge));
        simulation.join(&mut *searcher).expect("it joins");
        for _ in 0..picks {
            simulation.turn_pruned(&mut *searcher, &mut *pruner).expect("the protocol is kept");
        }
        let mut knowledge = Knowledge::default();
        pruner.store(&mut knowledge);
        (simulation.record().clone(), knowledge)
    };
    let (_, mut knowledge) = explore(None, 6_000);
    // The first run of a pruner that knows nothing drops nothing.
    assert_eq!(explore(None, 100).0.dropped, 0);
    for origin in [KnowledgeOrigin::SameBuild, KnowledgeOrigin::OtherBuild] {
        knowledge.origin = origin;
        let (record, again) = explore(Some(&knowledge), 100);
        assert!(record.dropped > 0, "{origin:?}");
        // Its runs are added; one is over as soon as it has dropped all states.
        let runs = |knowledge: &Knowledge| {
            knowledge.tables[0].rows.iter().filter(|row| row[0] == 1).count()
        };
        assert_eq!(runs(&again), runs(&knowledge) + 1 + record.restarts, "{origin:?}");
    }
}

#[test]
fn damaged_tables_are_harmless() {
    let mut rng = Rng::new(9);
    let mut damaged = |mut knowledge: Knowledge| {
        for row in knowledge.tables.iter_mut().flat_map(|table| &mut table.rows) {
            match rng.below(4) {
                0 => row.truncate(rng.below(row.len() as u64 + 1) as usize),
                1 => row.iter_mut().for_each(|number| *number = rng.next_u64()),
                2 => row.push(rng.below(9)),
                _ => row.iter_mut().for_each(|number| *number = u64::MAX),
            }
        }
        knowledge
    };
    for search in LEARNING {
        for seed in 0..10 {
            let knowledge = damaged(learnt(seed, search, None, 60));
            learnt(seed, search, Some(&knowledge), 60);
        }
    }
    // Tables under every name, of rows that none of them wrote.
    let names = LEARNING.iter().copied().chain(entries().iter().map(|entry| entry.name));
    let names = names.chain(pruner_entries().iter().map(|entry| entry.name));
    let rows = vec![vec![], vec![1], vec![u64::MAX; 9], vec![0, 1, 2, 3, 4, 5, 6, 7]];
    let table = |name: &str| KnowledgeTable { name: name.into(), rows: rows.clone() };
    let tables: Vec<KnowledgeTable> = names
        .chain([
            "executions of the Markov chain",
            "model of solving costs",
            "costs of random tests and solving",
        ])
        .map(table)
        .collect();
    let knowledge = Knowledge { origin: KnowledgeOrigin::ThisExploration, tables };
    for search in LEARNING.iter().copied().chain(["auto", "greedy"]) {
        let mut searcher = searcher(&[search]);
        searcher.recall(&knowledge);
        searcher.store(&mut Knowledge::default());
    }
    let mut pruner = build_pruner("homi").expect("a pruner");
    pruner.recall(&knowledge);
    pruner.store(&mut Knowledge::default());
}
