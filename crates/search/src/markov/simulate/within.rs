//! Expectations over executions as long as they stay within a set of states.

use super::chain::{ChainModel, StateSet, bit, bits};

/// Constants, and values, of two systems of equations at once.
pub type Pair = [f64; 2];

/// Solves `x_s = b_s + Σ Pr(s,t) x_t` where both states are in a set, by elimination without
/// subtraction. Keeps its memory between uses.
#[derive(Clone, Debug)]
pub struct WithinSolver {
    states: usize,
    /// Probabilities between states of the set, a row for each state; where `after` has no bit,
    /// what is left of earlier uses.
    matrix: Vec<f64>,
    after: Vec<StateSet>,
    before: Vec<StateSet>,
    /// The probability of leaving the set, or of ending.
    leaves: Vec<f64>,
}

impl WithinSolver {
    /// For chains with at most this many states.
    pub fn new(states: usize) -> WithinSolver {
        WithinSolver {
            states,
            matrix: vec![0.0; states * states],
            after: vec![0; states],
            before: vec![0; states],
            leaves: vec![0.0; states],
        }
    }

    /// Replaces the constants of the states in the set by the values. Every state of the set
    /// can leave it or end.
    pub fn solve(&mut self, chain: &ChainModel, set: StateSet, values: &mut [Pair]) {
        self.load(chain, set);
        let mut remaining = set;
        while remaining != 0 {
            // Later states are rather near the end, which keeps the rows short.
            let state = 63 - remaining.leading_zeros() as usize;
            remaining &= !bit(state);
            self.eliminate(state, remaining, values);
        }
        for state in bits(set) {
            let earlier = self.after[state] & (bit(state) - 1);
            for other in bits(earlier) {
                let share = self.matrix[state * self.states + other];
                (0..2).for_each(|at| values[state][at] += share * values[other][at]);
            }
        }
    }

    fn load(&mut self, chain: &ChainModel, set: StateSet) {
        bits(set).for_each(|state| self.before[state] = 0);
        for state in bits(set) {
            self.leaves[state] = f64::from(u8::from(chain.ends(state)));
            self.after[state] = 0;
            for transition in chain.transitions(state) {
                if set & bit(transition.to) == 0 {
                    self.leaves[state] += transition.probability;
                } else if transition.to != state {
                    self.add(state, transition.to, transition.probability);
                }
            }
        }
    }

    fn add(&mut self, from: usize, to: usize, probability: f64) {
        let entry = &mut self.matrix[from * self.states + to];
        *entry = if self.after[from] & bit(to) == 0 { probability } else { *entry + probability };
        self.after[from] |= bit(to);
        self.before[to] |= bit(from);
    }

    /// Replaces a state by its successors among the remaining ones, wherever it follows one of
    /// these.
    fn eliminate(&mut self, state: usize, remaining: StateSet, values: &mut [Pair]) {
        let row = state * self.states;
        let after = self.after[state] & remaining;
        let pivot = bits(after).fold(self.leaves[state], |sum, to| sum + self.matrix[row + to]);
        bits(after).for_each(|to| self.matrix[row + to] /= pivot);
        self.leaves[state] /= pivot;
        values[state] = values[state].map(|value| value / pivot);
        for from in bits(self.before[state] & remaining) {
            let share = self.matrix[from * self.states + state];
            for to in bits(after & !bit(from)) {
                self.add(from, to, share * self.matrix[row + to]);
            }
            self.leaves[from] += share * self.leaves[state];
            (0..2).for_each(|at| values[from][at] += share * values[state][at]);
        }
    }
}
