//! The expected reward of every state, kept up to date as tests run.

use std::fmt;

use byway_base::entity::EntityRef;

use super::elimination::{Elimination, EliminationWork};
use super::{ChainState, Estimator};

/// The number of uncovered states that a random execution is expected to visit, from each state.
///
/// `R_s = [s is uncovered] + Σ Pr(s,t) R_t`, with the probabilities that an [`Estimator`] gives
/// to the counted transitions. A change costs what it affects: states that cannot reach it keep
/// their rewards.
#[derive(Clone, Debug)]
pub struct ExpectedRewards {
    estimator: Estimator,
    states: Vec<StateCounts>,
    equations: Elimination,
    /// States whose counts changed since the last [`update`](Self::update).
    counted: Vec<ChainState>,
    /// The row of a state, reused between updates.
    row: Vec<(u32, f64)>,
    uncovered: usize,
}

#[derive(Clone, Debug, Default)]
struct StateCounts {
    successors: Vec<u32>,
    /// How often each successor followed.
    taken: Vec<u64>,
    /// How often executions ended in the state.
    ended: u64,
    covered: bool,
    /// Listed in [`ExpectedRewards::counted`].
    stale: bool,
}

/// A transition that the chain was built without.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct UnknownTransition {
    /// The state it leaves.
    pub from: ChainState,
    /// The state it enters.
    pub to: ChainState,
}

impl fmt::Display for UnknownTransition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the chain has no transition from {} to {}", self.from, self.to)
    }
}

impl ExpectedRewards {
    /// A chain with these successors of each state, numbered from zero. A successor that is
    /// listed twice counts once, one without a list of its own not at all.
    pub fn new(successors: Vec<Vec<ChainState>>, estimator: Estimator) -> ExpectedRewards {
        let states = successors.len();
        let clean = |targets: Vec<ChainState>| {
            let mut clean: Vec<u32> = Vec::with_capacity(targets.len());
            for target in targets.into_iter().map(ChainState::as_u32) {
                if (target as usize) < states && !clean.contains(&target) {
                    clean.push(target);
                }
            }
            clean
        };
        let successors: Vec<Vec<u32>> = successors.into_iter().map(clean).collect();
        let equations = Elimination::new(&successors);
        let counts = |successors: Vec<u32>| StateCounts {
            taken: vec![0; successors.len()],
            successors,
            ..StateCounts::default()
        };
        let states: Vec<StateCounts> = successors.into_iter().map(counts).collect();
        let uncovered = states.len();
        let counted = Vec::new();
        let mut rewards =
            ExpectedRewards { estimator, states, equations, counted, row: Vec::new(), uncovered };
        for state in (0..uncovered).map(ChainState::new) {
            rewards.mark(state);
            rewards.equations.set_constant(state.as_u32(), 1.0);
        }
        rewards
    }

    /// Counts `count` executions that went from one state to another. Does not cover them.
    pub fn count_transition(
        &mut self,
        from: ChainState,
        to: ChainState,
        count: u64,
    ) -> Result<(), UnknownTransition> {
        let unknown = UnknownTransition { from, to };
        let state = self.states.get_mut(from.index()).ok_or(unknown)?;
        let slot = state.successors.iter().position(|&successor| successor == to.as_u32());
        let taken = &mut state.taken[slot.ok_or(unknown)?];
        *taken = taken.saturating_add(count);
        self.mark(from);
        Ok(())
    }

    /// Counts `count` executions that ended in a state.
    pub fn count_end(&mut self, state: ChainState, count: u64) {
        if let Some(counts) = self.states.get_mut(state.index()) {
            counts.ended = counts.ended.saturating_add(count);
            self.mark(state);
        }
    }

    /// Counts an execution through these states, and covers them.
    pub fn count_path(&mut self, path: &[ChainState]) -> Result<(), UnknownTransition> {
        for pair in path.windows(2) {
            self.count_transition(pair[0], pair[1], 1)?;
        }
        path.iter().for_each(|&state| self.cover(state));
        if let Some(&last) = path.last() {
            self.count_end(last, 1);
        }
        Ok(())
    }

    /// Marks a state as covered: visiting it is worth nothing any more.
    pub fn cover(&mut self, state: ChainState) {
        if let Some(counts) = self.states.get_mut(state.index())
            && !std::mem::replace(&mut counts.covered, true)
        {
            self.uncovered -= 1;
            self.equations.set_constant(state.as_u32(), 0.0);
        }
    }

    /// Whether a test has covered the state.
    pub fn is_covered(&self, state: ChainState) -> bool {
        self.states.get(state.index()).is_some_and(|counts| counts.covered)
    }

    /// The number of states that no test has covered.
    pub fn uncovered(&self) -> usize {
        self.uncovered
    }

    /// Brings the rewards up to date. Calls `changed` with each state whose reward changed.
    pub fn update(&mut self, mut changed: impl FnMut(ChainState)) {
        while let Some(state) = self.counted.pop() {
            let counts = &mut self.states[state.index()];
            counts.stale = false;
            let visits = counts.taken.iter().fold(counts.ended, |sum, &n| sum.saturating_add(n));
            self.row.clear();
            let mut targets = counts.successors.iter();
            let row = &mut self.row;
            let ends = self.estimator.probabilities(visits, &counts.taken, |probability| {
                row.extend(targets.next().map(|&to| (to, probability)));
            });
            self.equations.set_transitions(state.as_u32(), &self.row, ends);
        }
        self.equations.solve(|state| changed(ChainState::from_u32(state)));
    }

    /// The reward of a state at the last [`update`](Self::update).
    pub fn reward(&self, state: ChainState) -> f64 {
        if state.index() < self.states.len() { self.equations.value(state.as_u32()) } else { 0.0 }
    }

    /// The successor that contributes most to the reward of a state, with its probability.
    pub fn main_successor(&self, state: ChainState) -> Option<(f64, ChainState)> {
        let counts = self.states.get(state.index())?;
        let visits = counts.taken.iter().fold(counts.ended, |sum, &n| sum.saturating_add(n));
        let mut targets = counts.successors.iter().map(|&to| ChainState::from_u32(to));
        let mut best: Option<(f64, ChainState)> = None;
        self.estimator.probabilities(visits, &counts.taken, |probability| {
            let Some(to) = targets.next() else { return };
            let share = probability * self.reward(to);
            if share > best.map_or(0.0, |(probability, to)| probability * self.reward(to)) {
                best = Some((probability, to));
            }
        });
        best
    }

    /// What all updates have cost.
    pub fn work(&self) -> EliminationWork {
        self.equations.work()
    }

    fn mark(&mut self, state: ChainState) {
        if !std::mem::replace(&mut self.states[state.index()].stale, true) {
            self.counted.push(state);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use byway_base::Rng;

    /// The rewards by Gaussian elimination with pivoting on a dense matrix.
    fn dense(rewards: &ExpectedRewards) -> Vec<f64> {
        let states = rewards.states.len();
        let mut rows = vec![vec![0.0; states + 1]; states];
        for (at, (row, counts)) in rows.iter_mut().zip(&rewards.states).enumerate() {
            row[at] += 1.0;
            row[states] = f64::from(u8::from(!counts.covered));
            let visits = counts.ended + counts.taken.iter().sum::<u64>();
            let mut targets = counts.successors.iter();
            rewards.estimator.probabilities(visits, &counts.taken, |p| {
                row[*targets.next().expect("a successor") as usize] -= p;
            });
        }
        for column in 0..states {
            let size = |row: &Vec<f64>| row[column].abs();
            let pivot = (column..states)
                .max_by(|&a, &b| size(&rows[a]).total_cmp(&size(&rows[b])))
                .expect("a row");
            rows.swap(column, pivot);
            let pivot = rows[column].clone();
            for (at, row) in rows.iter_mut().enumerate().filter(|(at, _)| *at != column) {
                let factor = row[column] / pivot[column];
                row.iter_mut().zip(&pivot).for_each(|(entry, p)| *entry -= factor * p);
                assert!(row.iter().all(|entry| entry.is_finite()), "row {at}");
            }
        }
        (0..states).map(|at| rows[at][states] / rows[at][at]).collect()
    }

    /// A random graph with loops in which every state can reach the last, which ends.
    fn random_graph(states: u32, rng: &mut Rng) -> Vec<Vec<ChainState>> {
        let mut successors: Vec<Vec<ChainState>> = (1..states)
            .map(|later| {
                let mut targets = vec![ChainState::from_u32(later)];
                for _ in 0..rng.below(3) {
                    targets.push(ChainState::from_u32(rng.below(states.into()) as u32));
                }
                targets
            })
            .collect();
        successors.push(Vec::new());
        successors
    }

    fn change(rewards: &mut ExpectedRewards, rng: &mut Rng) {
        let from = ChainState::from_u32(rng.below(rewards.states.len() as u64) as u32);
        let successors = rewards.states[from.index()].successors.clone();
        match (rng.below(4), rng.pick(&successors)) {
            (0, _) => rewards.cover(from),
            (1, _) | (_, None) => rewards.count_end(from, rng.below(3)),
            (_, Some(&to)) => {
                let count = rng.below(4) * rng.below(100);
                let to = ChainState::from_u32(to);
                rewards.count_transition(from, to, count).expect("a successor");
            }
        }
    }

    fn all(rewards: &ExpectedRewards) -> Vec<f64> {
        (0..rewards.states.len()).map(|state| rewards.reward(ChainState::new(state))).collect()
    }

    #[test]
    fn updates_equal_dense_elimination() {
        for seed in 0..200 {
            let mut rng = Rng::new(seed);
            let estimator = [Estimator::Laplace, Estimator::GoodTuring][seed as usize % 2];
            let states = 1 + rng.below(40) as u32;
            let mut rewards = ExpectedRewards::new(random_graph(states, &mut rng), estimator);
            for _ in 0..20 {
                (0..=rng.below(4)).for_each(|_| change(&mut rewards, &mut rng));
                let before = all(&rewards);
                let mut changed = Vec::new();
                rewards.update(|state| changed.push(state));
                let after = all(&rewards);
                for (state, (sparse, dense)) in after.iter().zip(dense(&rewards)).enumerate() {
                    let tolerance = 1e-7 * dense.abs().max(1e-3);
                    assert!((sparse - dense).abs() <= tolerance, "{seed}: {sparse} {dense}");
                    let differs = *sparse != before[state];
                    assert_eq!(changed.contains(&ChainState::new(state)), differs, "{seed}");
                }
            }
        }
    }

    #[test]
    fn updates_equal_a_fresh_solution_to_the_bit() {
        for seed in 0..50 {
            let mut rng = Rng::new(seed);
            let graph = random_graph(60, &mut rng);
            let mut rewards = ExpectedRewards::new(graph.clone(), Estimator::Laplace);
            for _ in 0..10 {
                (0..10).for_each(|_| change(&mut rewards, &mut rng));
                rewards.update(|_| {});
            }
            let mut fresh = ExpectedRewards::new(graph, Estimator::Laplace);
            for (state, counts) in rewards.states.iter().enumerate() {
                fresh.states[state].taken.clone_from(&counts.taken);
                fresh.states[state].ended = counts.ended;
                if counts.covered {
                    fresh.cover(ChainState::new(state));
                }
            }
            fresh.update(|_| {});
            assert_eq!(all(&fresh), all(&rewards), "{seed}");
            assert_eq!(fresh.uncovered(), rewards.uncovered());
        }
    }

    #[test]
    fn rare_transitions_lose_no_precision() {
        // 0 ─▶ 0 or 1, 1 ends: the loop is left once in 2^40 rounds.
        let [loops, ends] = [0, 1].map(ChainState::from_u32);
        let successors = vec![vec![loops, ends], vec![]];
        let mut rewards = ExpectedRewards::new(successors, Estimator::Laplace);
        rewards.count_transition(loops, loops, (1 << 40) - 2).expect("a transition");
        rewards.update(|_| {});
        assert_eq!(rewards.reward(loops), (1u64 << 40) as f64 + 1.0);
    }

    #[test]
    fn a_loop_without_an_end_counts_a_round() {
        let [start, first, second] = [0, 1, 2].map(ChainState::from_u32);
        let successors = vec![vec![start, first], vec![second], vec![first]];
        let mut rewards = ExpectedRewards::new(successors, Estimator::Laplace);
        rewards.update(|_| {});
        // The state eliminated last has a round; the other one has that after it.
        let [a, b] = [first, second].map(|state| rewards.reward(state));
        assert_eq!((a.min(b), a.max(b)), (2.0, 3.0));
        assert!(rewards.reward(start).is_finite());
    }

    #[test]
    fn unknown_states_and_transitions_are_refused() {
        let [known, other, none] = [0, 1, 7].map(ChainState::from_u32);
        let successors = vec![vec![other, other, none], vec![]];
        let mut rewards = ExpectedRewards::new(successors, Estimator::Laplace);
        let error = rewards.count_path(&[known, none]).expect_err("no such transition");
        assert_eq!(error.to_string(), "the chain has no transition from state0 to state7");
        assert!(rewards.count_transition(none, known, 1).is_err());
        rewards.cover(none);
        rewards.count_end(none, 1);
        rewards.update(|_| {});
        let found = [known, other, none].map(|state| rewards.reward(state));
        assert_eq!((found, rewards.uncovered()), ([2.0, 1.0, 0.0], 2));
    }

    /// Functions of loops and branches that call each other: after a call executions return
    /// to any of the callers, so that all functions are in one cycle.
    fn program(functions: u32, rng: &mut Rng) -> Vec<Vec<ChainState>> {
        const BLOCKS: u32 = 20;
        let block = |function: u32, at: u32| ChainState::from_u32(function * BLOCKS + at);
        let mut successors = vec![Vec::new(); (functions * BLOCKS) as usize];
        for function in 0..functions {
            for at in 0..BLOCKS - 1 {
                let targets = &mut successors[block(function, at).index()];
                // Most calls are of functions nearby; some are of a few that all use.
                let callee = match rng.below(8) {
                    0 => functions - 1 - rng.below(8.min(functions.into())) as u32,
                    _ => function + 1 + rng.below(30) as u32,
                };
                if at % 6 == 5 && function < callee && callee < functions {
                    targets.push(block(callee, 0));
                    successors[block(callee, BLOCKS - 1).index()].push(block(function, at + 1));
                    continue;
                }
                targets.push(block(function, at + 1));
                if rng.chance(0.4) {
                    let other = (at + 4).saturating_sub(rng.below(6) as u32).min(BLOCKS - 1);
                    targets.push(block(function, other));
                }
            }
        }
        successors
    }

    #[test]
    fn an_update_of_a_large_program_is_local() {
        let mut rng = Rng::new(5);
        let graph = program(1000, &mut rng);
        let mut rewards = ExpectedRewards::new(graph.clone(), Estimator::Laplace);
        rewards.update(|_| {});
        let first = rewards.work();
        assert_eq!(first.rows, graph.len() as u64);
        let (mut updates, mut at) = (0, ChainState::from_u32(0));
        while updates < 100 {
            let Some(&next) = rng.pick(&graph[at.index()]) else {
                at = ChainState::from_u32(0);
                continue;
            };
            rewards.count_transition(at, next, 1).expect("a transition");
            rewards.update(|_| {});
            (updates, at) = (updates + 1, next);
        }
        let rows = (rewards.work().rows - first.rows) / updates;
        assert!(rows < 2000, "{rows} rows per update");
    }
}
