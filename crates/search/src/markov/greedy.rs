//! The greedy choice: a random test, or the path whose solution is worth most per cost.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::{FxHashMap, FxHashSet};

use super::{ChainState, ExpectedRewards};

/// A path that can be solved. The number is the caller's.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct CandidateId(pub u64);

/// What to do next.
#[derive(Copy, Clone, PartialEq, Debug)]
pub enum GreedyChoice {
    /// Run a random test.
    RandomTest {
        /// The expected number of states that it covers, per unit of cost.
        reward_per_cost: f64,
    },
    /// Solve a path, and run its input.
    Solve {
        /// The path.
        candidate: CandidateId,
        /// The expected number of states that it covers, per unit of cost.
        reward_per_cost: f64,
    },
}

/// The paths whose only uncovered state is their last.
///
/// Paths with the same last state have the same reward, so only the cheapest of them can be the
/// choice: choosing looks at one path for each last state, however many there are.
#[derive(Clone, Debug, Default)]
pub struct CandidatePaths {
    paths: FxHashMap<CandidateId, PathOrder>,
    /// The paths to each last state, cheapest first.
    by_last: BTreeMap<ChainState, BTreeSet<PathOrder>>,
    given_up: FxHashSet<CandidateId>,
}

/// The sort key of a path among those with the same last state.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct PathOrder {
    /// The bits of the cost, which order positive numbers as their values do.
    cost: u64,
    candidate: CandidateId,
    last: ChainState,
}

impl CandidatePaths {
    /// Adds a path, or changes its cost. A path that was given up stays so. A cost that is not
    /// a positive number counts as the least or greatest one.
    pub fn add(&mut self, candidate: CandidateId, last: ChainState, cost: f64) {
        if self.given_up.contains(&candidate) {
            return;
        }
        self.remove(candidate);
        let cost = if cost.is_nan() { f64::MAX } else { cost.clamp(f64::MIN_POSITIVE, f64::MAX) };
        let order = PathOrder { cost: cost.to_bits(), candidate, last };
        self.paths.insert(candidate, order);
        self.by_last.entry(last).or_default().insert(order);
    }

    /// Removes a path.
    pub fn remove(&mut self, candidate: CandidateId) {
        if let Some(order) = self.paths.remove(&candidate)
            && let Some(paths) = self.by_last.get_mut(&order.last)
        {
            paths.remove(&order);
            if paths.is_empty() {
                self.by_last.remove(&order.last);
            }
        }
    }

    /// Removes a path for good: it is infeasible, its solution took too long, or the input
    /// went elsewhere.
    pub fn give_up(&mut self, candidate: CandidateId) {
        self.remove(candidate);
        self.given_up.insert(candidate);
    }

    /// Removes the paths to a state that is covered now.
    pub fn cover(&mut self, last: ChainState) {
        for order in self.by_last.remove(&last).unwrap_or_default() {
            self.paths.remove(&order.candidate);
        }
    }

    /// The cheapest path to each last state, with its cost, by last state.
    pub fn cheapest(&self) -> impl Iterator<Item = (ChainState, CandidateId, f64)> {
        let cheapest = |(&last, paths): (&ChainState, &BTreeSet<PathOrder>)| {
            paths.first().map(|order| (last, order.candidate, f64::from_bits(order.cost)))
        };
        self.by_last.iter().filter_map(cheapest)
    }

    /// The cost of a path; `None` if it is no candidate.
    pub fn cost(&self, candidate: CandidateId) -> Option<f64> {
        self.paths.get(&candidate).map(|order| f64::from_bits(order.cost))
    }

    /// The choice with the greatest reward per cost; the random test among equals. `starts` are
    /// the states in which executions start, each with its probability. The rewards must be up
    /// to date.
    pub fn choose(
        &self,
        rewards: &ExpectedRewards,
        starts: &[(ChainState, f64)],
        test_cost: f64,
    ) -> GreedyChoice {
        let random: f64 = starts.iter().map(|&(state, p)| p * rewards.reward(state)).sum();
        let mut best = GreedyChoice::RandomTest { reward_per_cost: random / test_cost };
        for (last, candidate, cost) in self.cheapest() {
            let reward_per_cost = rewards.reward(last) / cost;
            if reward_per_cost > best.reward_per_cost() {
                best = GreedyChoice::Solve { candidate, reward_per_cost };
            }
        }
        best
    }
}

impl GreedyChoice {
    /// The expected number of states covered per unit of cost.
    pub fn reward_per_cost(self) -> f64 {
        match self {
            GreedyChoice::RandomTest { reward_per_cost }
            | GreedyChoice::Solve { reward_per_cost, .. } => reward_per_cost,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::markov::Estimator;

    fn states<const N: usize>(numbers: [u32; N]) -> Vec<ChainState> {
        numbers.map(|number| ChainState::from_u32(number - 1)).to_vec()
    }

    /// Figure 1 of the paper, with the edge from 4 to 8 that its numbers need. State 8 ends.
    fn figure_1() -> ExpectedRewards {
        let successors = vec![
            states([2, 3]),
            states([3]),
            states([4, 5]),
            states([8]),
            states([8, 6]),
            states([8, 7]),
            states([8]),
            vec![],
        ];
        ExpectedRewards::new(successors, Estimator::Laplace)
    }

    fn reward(rewards: &ExpectedRewards, number: u32) -> f64 {
        (rewards.reward(states([number])[0]) * 1e9).round() / 1e9
    }

    /// The candidates after tests that covered 1, 3, 5 and 8.
    fn candidates() -> CandidatePaths {
        let mut paths = CandidatePaths::default();
        for (last, cost) in [(2, 4.0), (4, 50.0), (6, 50.0)] {
            paths.add(CandidateId(last.into()), states([last])[0], cost);
        }
        paths
    }

    #[test]
    fn figure_1_starts_with_a_random_test() {
        let mut rewards = figure_1();
        rewards.update(|_| {});
        assert_eq!(reward(&rewards, 1), 4.875);
        let choice = CandidatePaths::default().choose(&rewards, &[(states([1])[0], 1.0)], 1.0);
        assert_eq!(choice, GreedyChoice::RandomTest { reward_per_cost: 4.875 });
    }

    #[test]
    fn figure_1_goes_on_with_random_tests_after_the_first() {
        let mut rewards = figure_1();
        rewards.count_path(&states([1, 3, 5, 8])).expect("a path of the chain");
        rewards.update(|_| {});
        let found = [1, 2, 4, 6].map(|number| reward(&rewards, number));
        assert_eq!(found, [1.0, 1.666666667, 1.0, 1.5]);
        let choice = candidates().choose(&rewards, &[(states([1])[0], 1.0)], 1.0);
        assert!(matches!(choice, GreedyChoice::RandomTest { .. }), "{choice:?}");
    }

    #[test]
    fn figure_1_solves_after_the_tenth_test() {
        let mut rewards = figure_1();
        let start = [(states([1])[0], 1.0)];
        for test in 1..=10 {
            rewards.count_path(&states([1, 3, 5, 8])).expect("a path of the chain");
            rewards.update(|_| {});
            if test == 8 {
                assert_eq!([1, 2].map(|number| reward(&rewards, number)), [0.335, 1.235]);
            }
            let choice = candidates().choose(&rewards, &start, 1.0);
            let solves = matches!(choice, GreedyChoice::Solve { candidate: CandidateId(2), .. });
            assert_eq!(solves, test == 10, "{test}: {choice:?}");
        }
    }

    #[test]
    fn figure_1_solves_after_eight_tests_if_block_4_is_covered() {
        let mut rewards = figure_1();
        (0..8).for_each(|_| rewards.count_path(&states([1, 3, 5, 8])).expect("a path"));
        let mut paths = candidates();
        rewards.cover(states([4])[0]);
        paths.cover(states([4])[0]);
        rewards.update(|_| {});
        // The paper prints 0.24, 1.14 and 0.285.
        assert_eq!([1, 2].map(|number| reward(&rewards, number)), [0.235, 1.135]);
        let choice = paths.choose(&rewards, &[(states([1])[0], 1.0)], 1.0);
        let GreedyChoice::Solve { candidate, reward_per_cost } = choice else {
            panic!("{choice:?}");
        };
        assert_eq!((candidate, (reward_per_cost * 1e9).round() / 1e9), (CandidateId(2), 0.28375));
    }

    #[test]
    fn what_failed_is_never_chosen_again() {
        let mut rewards = figure_1();
        (0..1000).for_each(|_| rewards.count_path(&states([1, 3, 5, 8])).expect("a path"));
        rewards.update(|_| {});
        let (mut paths, start) = (candidates(), [(states([1])[0], 1.0)]);
        paths.add(CandidateId(9), states([2])[0], 3.0);
        let mut chosen = Vec::new();
        while let GreedyChoice::Solve { candidate, .. } = paths.choose(&rewards, &start, 1.0) {
            chosen.push(candidate.0);
            paths.give_up(candidate);
            paths.add(candidate, states([2])[0], 1.0);
        }
        assert_eq!(chosen, [9, 2, 6, 4]);
        assert!(paths.cheapest().next().is_none());
    }

    #[test]
    fn odd_costs_do_not_disturb_the_order() {
        let mut paths = CandidatePaths::default();
        let last = states([1])[0];
        for (number, cost) in [(1, f64::NAN), (2, 5.0), (3, f64::INFINITY), (4, 7.0)] {
            paths.add(CandidateId(number), last, cost);
        }
        let first =
            |paths: &CandidatePaths| paths.cheapest().next().map(|(_, id, cost)| (id.0, cost));
        assert_eq!(first(&paths), Some((2, 5.0)));
        paths.add(CandidateId(2), last, 9.0);
        assert_eq!(first(&paths), Some((4, 7.0)));
        paths.add(CandidateId(5), last, -1.0);
        assert_eq!(first(&paths), Some((5, f64::MIN_POSITIVE)));
        paths.remove(CandidateId(5));
        assert_eq!(first(&paths), Some((4, 7.0)));
    }
}
