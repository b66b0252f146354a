//! The random searchers pick with the probabilities they document.

#[allow(dead_code)] // each test file uses only some helpers
mod common;

use std::collections::BTreeMap;

use byway_search::simulate::{Simulation, SimulationOptions};
use byway_search::{Delta, Searcher, StateId, StateIds};
use common::chances::{LIMIT, chi_square, sample};
use common::{fork, searcher, tree};

fn report(searcher: &mut dyn Searcher, deltas: &[Delta]) {
    let tree = tree("x");
    let simulation = Simulation::new(&tree, SimulationOptions::default());
    deltas.iter().for_each(|delta| searcher.update(delta, simulation.view()));
}

/// Asserts pick probabilities of a searcher that queries no facts about states.
fn assert_chances(searcher: &mut dyn Searcher, expected: &[(StateId, f64)]) {
    let tree = tree("x");
    let simulation = Simulation::new(&tree, SimulationOptions::default());
    common::chances::assert_chances(searcher, simulation.view(), expected);
}

/// Four states in a comb: `x` forks into itself and `w`, then `z`, then `y`.
fn comb() -> ([StateId; 4], Vec<Delta>) {
    let mut ids = StateIds::default();
    let [x, w, z, y] = std::array::from_fn(|_| ids.fresh());
    let start = Delta { started: vec![x], ..Delta::default() };
    let split = |parent, other| fork(parent, &[(0, parent), (1, other)]);
    ([x, y, z, w], vec![start, split(x, w), split(x, z), split(x, y)])
}

#[test]
fn random_path_halves_the_probability_at_every_fork() {
    let ([x, y, z, w], deltas) = comb();
    let mut searcher = searcher(&["random-path"]);
    report(&mut *searcher, &deltas);
    assert_chances(&mut *searcher, &[(x, 0.125), (y, 0.125), (z, 0.25), (w, 0.5)]);
    // A fork with one live subtree no longer counts.
    report(&mut *searcher, &[Delta { dropped: vec![z], ..Delta::default() }]);
    assert_chances(&mut *searcher, &[(x, 0.25), (y, 0.25), (w, 0.5)]);
    report(&mut *searcher, &[Delta { ended: vec![w], ..Delta::default() }]);
    assert_chances(&mut *searcher, &[(x, 0.5), (y, 0.5)]);
}

#[test]
fn random_path_chooses_uniformly_at_a_wide_fork() {
    let mut ids = StateIds::default();
    let [a, b, c, d, e] = std::array::from_fn(|_| ids.fresh());
    let mut searcher = searcher(&["random-path"]);
    let start = Delta { started: vec![a], ..Delta::default() };
    let wide = fork(a, &[(0, b), (1, a), (2, c)]);
    let below = fork(b, &[(3, b), (5, d), (7, e)]);
    report(&mut *searcher, &[start, wide, below, fork(c, &[(0, c)])]);
    let third = 1.0 / 3.0;
    let ninth = 1.0 / 9.0;
    let expected = [(a, third), (c, third), (b, ninth), (d, ninth), (e, ninth)];
    assert_chances(&mut *searcher, &expected);
}

#[test]
fn random_state_is_uniform_in_any_tree() {
    let ([x, y, z, w], deltas) = comb();
    let mut searcher = searcher(&["random-state"]);
    report(&mut *searcher, &deltas);
    assert_chances(&mut *searcher, &[x, y, z, w].map(|state| (state, 0.25)));
    report(&mut *searcher, &[Delta { infeasible: vec![y], unknown: vec![x], ..Delta::default() }]);
    assert_chances(&mut *searcher, &[z, w].map(|state| (state, 0.5)));
}

#[test]
fn the_statistical_test_detects_wrong_probabilities() {
    let tree = tree("x");
    let ([x, y, z, w], deltas) = comb();
    let mut searcher = searcher(&["random-state"]);
    report(&mut *searcher, &deltas);
    let simulation = Simulation::new(&tree, SimulationOptions::default());
    let counts = sample(&mut *searcher, simulation.view(), 20_000, 42);
    let wrong = chi_square(&counts, &[(x, 0.125), (y, 0.125), (z, 0.25), (w, 0.5)]);
    assert!(wrong > 1000.0, "{wrong}");
    // It detects a bias of one in fifty, too.
    let slight = chi_square(&counts, &[(x, 0.27), (y, 0.25), (z, 0.25), (w, 0.23)]);
    assert!(slight > LIMIT[2], "{slight}");
}

#[test]
fn the_first_leaf_of_a_run_has_the_expected_probability() {
    // `a` ends first if the first choice picks it (1/2), or the second, after `b` has
    // forked (1/4); `c` and `d` share the rest.
    let tree = tree("r(a,b(c,d))");
    let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
    let runs = 8_000;
    for seed in 0..runs {
        let mut searcher = searcher(&["random-path"]);
        let options = SimulationOptions { seed, witness: seed, ..SimulationOptions::default() };
        let mut simulation = Simulation::new(&tree, options);
        simulation.join(&mut *searcher).unwrap();
        while simulation.record().leaves.is_empty() {
            assert!(simulation.turn(&mut *searcher).unwrap());
        }
        *counts.entry(tree.name(simulation.record().leaves[0])).or_default() += 1;
    }
    let statistic: f64 = [("a", 0.75), ("c", 0.125), ("d", 0.125)]
        .map(|(name, chance)| {
            let want = chance * runs as f64;
            (f64::from(counts[name]) - want).powi(2) / want
        })
        .iter()
        .sum();
    assert!(statistic < LIMIT[1], "{statistic}: {counts:?}");
}
