//! The greedy strategy: the costs are known, the probabilities are estimated from the tests.

use super::super::super::{
    CandidateId, CandidatePaths, ChainState, Estimator, ExpectedRewards, GreedyChoice,
};
use super::super::chain::{ChainModel, StateSet, bit, bits};
use super::super::testing_run::TestingRun;
use super::ChainStrategy;

/// Makes the greedy choice before every test.
pub struct GreedyStrategy {
    rewards: ExpectedRewards,
    candidates: CandidatePaths,
    /// The cheapest path to each state whose other states are covered.
    paths: Vec<Vec<usize>>,
    covered: StateSet,
    executed: Vec<ChainState>,
}

impl GreedyStrategy {
    /// Knows the transitions of the chain and their costs, but not their probabilities.
    pub fn new(chain: &ChainModel, estimator: Estimator) -> GreedyStrategy {
        let targets = |state| chain.transitions(state).iter().map(|t| node(t.to)).collect();
        let mut rewards = ExpectedRewards::new(chain.states().map(targets).collect(), estimator);
        rewards.update(|_| {});
        let (candidates, paths) =
            (CandidatePaths::default(), vec![Vec::new(); chain.states().len()]);
        GreedyStrategy { rewards, candidates, paths, covered: 0, executed: Vec::new() }
    }

    /// The number of states that are not covered.
    pub fn uncovered(&self) -> usize {
        self.rewards.uncovered()
    }

    /// The expected reward of an execution from this state.
    pub fn reward(&self, state: usize) -> f64 {
        self.rewards.reward(node(state))
    }

    /// The candidate paths, each with its cost.
    pub fn candidates(&self) -> impl Iterator<Item = (&[usize], f64)> {
        self.candidates.cheapest().map(|(_, id, cost)| (&self.paths[id.0 as usize][..], cost))
    }

    /// The choice.
    pub fn choose(&self, chain: &ChainModel) -> GreedyChoice {
        self.candidates.choose(&self.rewards, &[(node(0), 1.0)], chain.test_cost())
    }

    /// The path of a candidate.
    pub fn path(&self, candidate: CandidateId) -> &[usize] {
        self.paths.get(candidate.0 as usize).map_or(&[], Vec::as_slice)
    }

    /// Makes a test according to a choice, and learns from it.
    pub fn act(&mut self, choice: GreedyChoice, run: &mut TestingRun<'_>) {
        match choice {
            GreedyChoice::RandomTest { .. } => run.random_test(),
            GreedyChoice::Solve { candidate, .. } => run.solve(self.path(candidate)),
        }
        self.learn(run);
    }

    /// Learns from the last test of a run.
    pub fn learn(&mut self, run: &TestingRun<'_>) {
        self.executed.clear();
        self.executed.extend(run.path().iter().map(|&state| node(state)));
        // An execution takes only transitions of its chain.
        if self.rewards.count_path(&self.executed).is_ok() {
            self.cover(run.chain(), run.covered());
        }
        self.rewards.update(|_| {});
    }

    /// Marks states as covered, without a test.
    pub fn cover(&mut self, chain: &ChainModel, covered: StateSet) {
        if covered == self.covered {
            return;
        }
        for state in bits(covered & !self.covered) {
            self.rewards.cover(node(state));
            self.candidates.cover(node(state));
        }
        self.covered = covered;
        self.rewards.update(|_| {});
        self.find_candidates(chain);
    }

    /// Finds the cheapest paths through covered states: Bellman and Ford's relaxation, since a
    /// chain has few states.
    fn find_candidates(&mut self, chain: &ChainModel) {
        let mut cost = vec![f64::INFINITY; chain.states().len()];
        let mut before = vec![0; chain.states().len()];
        cost[0] = 0.0;
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for state in bits(self.covered) {
                for transition in chain.transitions(state) {
                    let sum = cost[state] + transition.cost;
                    if sum < cost[transition.to] {
                        (cost[transition.to], before[transition.to]) = (sum, state);
                        changed = true;
                    }
                }
            }
        }
        let reached = |state: &usize| self.covered & bit(*state) == 0 && cost[*state].is_finite();
        for last in chain.states().filter(reached).collect::<Vec<_>>() {
            let mut path = vec![last];
            while let Some(&first) = path.last()
                && first != 0
            {
                path.push(before[first]);
            }
            path.reverse();
            self.candidates.add(CandidateId(last as u64), node(last), chain.path_cost(&path));
            self.paths[last] = path;
        }
    }
}

impl ChainStrategy for GreedyStrategy {
    fn step(&mut self, run: &mut TestingRun<'_>) {
        self.act(self.choose(run.chain()), run);
    }
}

fn node(state: usize) -> ChainState {
    ChainState::from_u32(state as u32)
}
