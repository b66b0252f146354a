//! The simulation as a whole: published figures, and independent computations of the same.

use byway_base::Rng;

use super::chain::{bit, bits};
use super::compare::ComparedStrategy;
use super::novelty::Novelty;
use super::*;
use crate::markov::Estimator;

fn chain(text: &str) -> ChainModel {
    chain_file::parse(text).expect("a valid chain").chain
}

/// Figure 2 of the paper.
const FIGURE_2: &str = "1 -> 2 0.5 2\n1 -> 3 rest 2\n2 -> 4 1 1\n3 -> 4 1 1";

/// A loop with a rare way out of it, and one that is rarer.
const LOOP: &str = "a -> b 0.7 3\na -> c rest 4\nb -> a 0.9 2\nb -> d rest 9\nc -> a 0.5 1\n\
                    c -> e 0.04 7\nc -> d rest 2\ne -> d 1 3";

#[test]
fn figure_2_costs_four_by_solving_and_three_at_best() {
    let chain = chain(FIGURE_2);
    let mut run = TestingRun::new(&chain, Rng::new(1));
    run.solve(&[0, 1]);
    assert_eq!((run.cost(), run.covered(), run.is_complete()), (2.0, 0b1011, false));
    run.solve(&[0, 2]);
    assert_eq!((run.cost(), run.is_complete()), (4.0, true));
    // One test, and then two on average until one takes the other side. The paper prints 2.
    let policy = OptimalPolicy::new(&chain).expect("few sets");
    assert_eq!(policy.cost(), 3.0);
    assert_eq!(policy.action(0), Some((OptimalAction::RandomTest, 3.0)));
    assert_eq!(policy.action(0b1011), Some((OptimalAction::RandomTest, 2.0)));
    assert_eq!((policy.action(0b1111), policy.action(0b0100)), (None, None));
}

#[test]
fn a_rare_side_is_solved() {
    let chain = chain("1 -> 2 0.01 2\n1 -> 3 rest 2\n2 -> 4 1 1\n3 -> 4 1 1");
    let policy = OptimalPolicy::new(&chain).expect("few sets");
    let solve = OptimalAction::Solve(vec![0, 1]);
    assert_eq!(policy.action(0b1101), Some((solve, 2.0)));
    // The first test costs one and leaves the rare side, or, rarely, the other one.
    assert!((policy.cost() - (1.0 + 0.99 * 2.0 + 0.01 / 0.99)).abs() < 1e-12);
}

/// The optimal cost by iteration over all sets of states, with every path that visits no state
/// twice as an action, and outcomes by enumeration. For chains without loops.
fn optimum_by_iteration(chain: &ChainModel) -> f64 {
    let all = chain.all() as usize;
    let mut actions: Vec<(f64, Vec<(StateSet, f64)>)> = Vec::new();
    let mut outcomes = Vec::new();
    executions(chain, 0, bit(0), 1.0, &mut outcomes);
    actions.push((chain.test_cost(), outcomes));
    let mut paths = vec![vec![0usize]];
    while let Some(path) = paths.pop() {
        let last = path[path.len() - 1];
        let covered = path.iter().fold(0, |set, &state| set | bit(state));
        let mut outcomes = Vec::new();
        executions(chain, last, covered, 1.0, &mut outcomes);
        actions.push((chain.path_cost(&path), outcomes));
        paths.extend(chain.transitions(last).iter().map(|t| [&path[..], &[t.to]].concat()));
    }
    let mut value = vec![0.0f64; all + 1];
    for set in (0..all).rev() {
        let of = |(cost, outcomes): &(f64, Vec<(StateSet, f64)>)| {
            let (mut sum, mut leaves) = (*cost, 0.0);
            for &(covered, probability) in outcomes {
                let next = set | covered as usize;
                if next != set {
                    sum += probability * value[next];
                    leaves += probability;
                }
            }
            if leaves > 0.0 { sum / leaves } else { f64::INFINITY }
        };
        value[set] = actions.iter().map(of).fold(f64::INFINITY, f64::min);
    }
    value[0]
}

fn executions(
    chain: &ChainModel,
    state: usize,
    covered: StateSet,
    probability: f64,
    outcomes: &mut Vec<(StateSet, f64)>,
) {
    if chain.ends(state) {
        outcomes.push((covered, probability));
    }
    for transition in chain.transitions(state) {
        let share = probability * transition.probability;
        executions(chain, transition.to, covered | bit(transition.to), share, outcomes);
    }
}

#[test]
fn the_optimum_equals_iteration_over_all_sets() {
    for seed in 0..150 {
        let states = 1 + seed as usize % 8;
        let chain = random_chain(states, &mut Rng::new(seed)).expect("a valid chain");
        let policy = OptimalPolicy::new(&chain).expect("few sets");
        let expected = optimum_by_iteration(&chain);
        let error = (policy.cost() - expected).abs() / expected;
        assert!(error < 1e-9, "{seed}: {} {expected}", policy.cost());
    }
}

#[test]
fn following_the_policy_costs_what_it_says() {
    let random = (3..9).map(|seed| random_chain(9, &mut Rng::new(seed)).expect("a valid chain"));
    for chain in random.chain([chain(LOOP), chain(FIGURE_2)]) {
        let policy = OptimalPolicy::new(&chain).expect("few sets");
        let mut rng = Rng::new(1);
        let mut costs = Vec::new();
        for _ in 0..3000 {
            let mut run = TestingRun::new(&chain, rng.split());
            while let Some((action, _)) = policy.action(run.covered()) {
                match action {
                    OptimalAction::RandomTest => run.random_test(),
                    OptimalAction::Solve(path) => run.solve(&path),
                }
            }
            assert!(run.is_complete());
            costs.push(run.cost());
        }
        assert_mean(&costs, policy.cost());
    }
}

/// Asserts that a mean is expected: within five standard errors.
#[track_caller]
fn assert_mean(values: &[f64], expected: f64) {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / count;
    let error = (variance / count).sqrt();
    assert!((mean - expected).abs() <= 5.0 * error + 1e-9, "{mean} is not {expected} ± {error}");
}

#[test]
fn jumps_have_the_distribution_of_single_tests() {
    for text in [FIGURE_2, LOOP, "1 -> 2 0.03 1\n1 -> 3 rest 1\n2 -> 4 0.1 1\n2 -> 3 rest 1"] {
        let chain = chain(text);
        let mut novelty = Novelty::new(&chain);
        let mut rng = Rng::new(2);
        let (mut jumps, mut single) = (Vec::new(), Vec::new());
        // The state covered last, and the number of tests: both must agree.
        let mut last = [[0.0f64; 5]; 2];
        for _ in 0..4000 {
            for (way, costs) in [&mut jumps, &mut single].into_iter().enumerate() {
                let mut run = TestingRun::new(&chain, rng.split());
                let mut before = 0;
                while !run.is_over() {
                    before = run.covered();
                    match way {
                        0 => run.random_tests_until_new(&mut novelty),
                        _ => run.random_test(),
                    }
                }
                costs.push(run.cost());
                for state in bits(chain.all() & !before) {
                    last[way][state] += 1.0 / 4000.0;
                }
            }
        }
        let moment = |costs: &[f64], power: i32| {
            costs.iter().map(|cost| cost.powi(power)).sum::<f64>() / costs.len() as f64
        };
        for power in [1, 2] {
            let (a, b) = (moment(&jumps, power), moment(&single, power));
            assert!((a / b - 1.0).abs() < 0.12, "{text}: {a} {b}");
        }
        for (a, b) in last[0].iter().zip(last[1]) {
            assert!((a - b).abs() < 0.05, "{text}: {last:?}");
        }
    }
}

#[test]
fn a_run_of_random_tests_ends_at_the_limit() {
    let chain = chain("1 -> 2 1/1000000000000 1\n1 -> 3 rest 1\n2 -> 3 1 1");
    let mut novelty = Novelty::new(&chain);
    let mut run = TestingRun::new(&chain, Rng::new(1));
    while !run.is_over() {
        run.random_tests_until_new(&mut novelty);
    }
    assert_eq!((run.cost(), run.is_complete()), (MAX_TESTS as f64, false));
}

#[test]
fn every_strategy_covers_everything_and_none_beats_the_optimum() {
    let random = (0..12).map(|seed| random_chain(8, &mut Rng::new(seed)).expect("a valid chain"));
    for chain in random.chain([chain(LOOP)]) {
        let result = compare(&chain, 100, Estimator::Laplace, 1, &|| false).expect("not stopped");
        let optimum = result.optimum.expect("few sets");
        for (strategy, costs) in ComparedStrategy::ALL.iter().zip(&result.costs) {
            let is_random = *strategy == ComparedStrategy::RandomTesting;
            assert!(costs.unfinished == 0 || is_random, "{strategy:?}: {costs:?}");
            assert!(costs.mean > 0.7 * optimum, "{strategy:?}: {costs:?} {optimum}");
        }
        let again = compare(&chain, 100, Estimator::Laplace, 1, &|| false);
        assert_eq!(again.as_ref(), Some(&result));
    }
}

#[test]
fn a_chain_of_one_state_needs_one_test() {
    let chain = random_chain(1, &mut Rng::new(1)).expect("a valid chain");
    let result = compare(&chain, 3, Estimator::GoodTuring, 1, &|| false).expect("not stopped");
    assert_eq!(result.optimum, Some(1.0));
    assert!(result.costs.iter().all(|costs| costs.mean == 1.0), "{result:?}");
    assert_eq!(compare(&chain, 3, Estimator::Laplace, 1, &|| true), None);
}

#[test]
fn an_unconditional_start_is_no_path_to_solve() {
    let chain = chain("0 -> 1 1 0\n1 -> 2 0.001 5\n1 -> 3 rest 5\n2 -> 3 1 0");
    assert_eq!((chain.path_cost(&[0, 1]), chain.path_cost(&[0, 1, 2])), (1.0, 5.0));
    let policy = OptimalPolicy::new(&chain).expect("few sets");
    let solve = OptimalAction::Solve(vec![0, 1, 2]);
    assert_eq!(policy.action(0), Some((solve.clone(), 5.0)));
    assert_eq!(policy.action(0b1011), Some((solve, 5.0)));
}

#[test]
fn too_many_covered_sets_are_refused() {
    // Thirty branches, each of whose sides is covered or not on its own.
    let mut text = String::new();
    for branch in 0..30 {
        text += &format!("{branch} -> x{branch} 0.5 1\n{branch} -> {} rest 1\n", branch + 1);
        text += &format!("x{branch} -> {} 1 1\n", branch + 1);
    }
    assert!(matches!(OptimalPolicy::new(&chain(&text)), Err(TooManySets)));
}
