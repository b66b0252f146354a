//! How likely a random test is to cover something new, and tests that do.
//!
//! Tests that cover nothing new leave everything as it was, so a simulation need not run them:
//! their number before the next test that does is geometrically distributed, and that test is an
//! execution on the condition that it reaches a new state. So a transition that is taken once in
//! ten thousand tests costs as much to simulate as any other, and the distribution of costs is
//! the same as if each test were run.

use std::rc::Rc;

use byway_base::Rng;
use byway_base::logarithm::{ln, ln_1p};
use rustc_hash::FxHashMap;

use super::chain::{ChainModel, StateSet, bit, bits};
use super::within::{Pair, WithinSolver};

/// The probability of covering something new, for each covered set met so far.
pub struct Novelty<'a> {
    chain: &'a ChainModel,
    within: WithinSolver,
    /// By covered set: for each of its states, the probability that an execution from there
    /// visits a state outside.
    known: FxHashMap<StateSet, Rc<[f64]>>,
}

impl<'a> Novelty<'a> {
    /// Nothing is known yet.
    pub fn new(chain: &'a ChainModel) -> Novelty<'a> {
        let within = WithinSolver::new(chain.states().len());
        Novelty { chain, within, known: FxHashMap::default() }
    }

    /// For each state of a covered set, the probability that an execution from there covers
    /// something new. The set is one that tests can have covered.
    pub fn chances(&mut self, covered: StateSet) -> Rc<[f64]> {
        let Novelty { chain, within, known } = self;
        let chances = known.entry(covered).or_insert_with(|| {
            let mut values: Vec<Pair> = vec![[0.0; 2]; chain.states().len()];
            for state in bits(covered) {
                let new = chain.transitions(state).iter().filter(|t| covered & bit(t.to) == 0);
                values[state][0] = new.map(|transition| transition.probability).sum();
            }
            within.solve(chain, covered, &mut values);
            values.iter().map(|value| value[0]).collect()
        });
        Rc::clone(chances)
    }

    /// The number of the first random test that covers something new, counted from one.
    pub fn tests_until_new(&mut self, covered: StateSet, rng: &mut Rng) -> u64 {
        if covered == 0 {
            return 1;
        }
        let chance = self.chances(covered)[0];
        if chance >= 1.0 {
            return 1;
        }
        // The tests before it are as many as fit: (1 - chance)^n >= u.
        let failures = (ln(unit(rng)) / ln_1p(-chance)).floor();
        // Conversion saturates: without a chance, there is no such test.
        1u64.saturating_add(failures as u64)
    }

    /// The states of a random execution, given that it covers something new.
    pub fn sample_new(&mut self, covered: StateSet, rng: &mut Rng, path: &mut Vec<usize>) {
        path.clear();
        path.push(0);
        let mut state = 0;
        if covered != 0 {
            let chances = self.chances(covered);
            while covered & bit(state) != 0 {
                let weight = |to: usize| if covered & bit(to) == 0 { 1.0 } else { chances[to] };
                let Some(next) = choose(self.chain, state, weight, rng) else { return };
                path.push(next);
                state = next;
            }
        }
        finish(self.chain, path, rng);
    }
}

/// Continues an execution to its end.
pub fn finish(chain: &ChainModel, path: &mut Vec<usize>, rng: &mut Rng) {
    while let Some(&state) = path.last()
        && let Some(next) = choose(chain, state, |_| 1.0, rng)
    {
        path.push(next);
    }
}

/// A successor by its probability times a weight; `None` where executions end.
fn choose(
    chain: &ChainModel,
    state: usize,
    weight: impl Fn(usize) -> f64,
    rng: &mut Rng,
) -> Option<usize> {
    let transitions = chain.transitions(state);
    let (last, others) = transitions.split_last()?;
    let share = |at: usize| transitions[at].probability * weight(transitions[at].to);
    let mut rest: f64 = (0..transitions.len()).map(share).sum();
    for (at, transition) in others.iter().enumerate() {
        let share = share(at);
        if share >= rest || rng.chance(share / rest) {
            return Some(transition.to);
        }
        rest -= share;
    }
    Some(last.to)
}

/// A random number above zero and at most one.
fn unit(rng: &mut Rng) -> f64 {
    ((rng.next_u64() >> 11) + 1) as f64 / (1u64 << 53) as f64
}
