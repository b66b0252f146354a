//! What the tests so far show, and the few that matter: a greedy set cover of the branches.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rustc_hash::FxHashSet;

use crate::{ConditionHash, TestEvidence};

/// With more evidence than this, what is not part of the cover is forgotten.
const MOST_KEPT: usize = 20_000;

/// A test, and the run that gave it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TestOfRun {
    /// The number of the run.
    pub run: usize,
    /// What it shows.
    pub evidence: TestEvidence,
}

/// The tests of all runs.
#[derive(Default)]
pub struct EvidenceStore {
    tests: Vec<TestOfRun>,
    /// The sets of covered sites that a test is kept of: another one with the same set would
    /// never be chosen.
    known: FxHashSet<Vec<u64>>,
}

impl EvidenceStore {
    /// Adds what a test of a run shows.
    pub fn add(&mut self, run: usize, mut evidence: TestEvidence) {
        while evidence.covered.last() == Some(&0) {
            evidence.covered.pop();
        }
        if self.known.contains(&evidence.covered) {
            return;
        }
        if self.tests.len() == MOST_KEPT {
            self.tests = self.promising();
            self.known = self.tests.iter().map(|test| test.evidence.covered.clone()).collect();
        }
        self.known.insert(evidence.covered.clone());
        self.tests.push(TestOfRun { run, evidence });
    }

    /// The tests that a greedy set cover chooses: in each step the one that covers most of what
    /// is still uncovered; the earlier one of two that cover as much.
    pub fn promising(&self) -> Vec<TestOfRun> {
        let mut covered: Vec<u64> = Vec::new();
        // What a test adds only decreases, so an old count is a bound.
        let bounds = self.tests.iter().enumerate();
        let mut heap: BinaryHeap<(u32, Reverse<usize>)> =
            bounds.map(|(i, test)| (added(&test.evidence.covered, &[]), Reverse(i))).collect();
        let mut chosen = Vec::new();
        while let Some((bound, Reverse(i))) = heap.pop() {
            let test = &self.tests[i];
            let count = added(&test.evidence.covered, &covered);
            if count == 0 {
                continue;
            }
            if count < bound {
                heap.push((count, Reverse(i)));
                continue;
            }
            let length = covered.len().max(test.evidence.covered.len());
            covered.resize(length, 0);
            covered.iter_mut().zip(&test.evidence.covered).for_each(|(all, own)| *all |= own);
            chosen.push(test.clone());
        }
        chosen
    }
}

/// The conditions of some tests, each once, in the order in which they first occur.
pub fn conditions(tests: &[TestOfRun]) -> Vec<ConditionHash> {
    let mut known = FxHashSet::default();
    let all = tests.iter().flat_map(|test| &test.evidence.conditions);
    all.copied().filter(|&condition| known.insert(condition)).collect()
}

/// How many sites of a set are not in another.
fn added(set: &[u64], other: &[u64]) -> u32 {
    let others = other.iter().copied().chain(std::iter::repeat(0));
    set.iter().zip(others).map(|(own, other)| (own & !other).count_ones()).sum()
}

#[cfg(test)]
mod tests {
    use byway_base::Rng;

    use super::*;

    fn store(sets: &[&[u64]]) -> EvidenceStore {
        let mut store = EvidenceStore::default();
        for (i, set) in sets.iter().enumerate() {
            let conditions = vec![ConditionHash(i as u64)];
            store.add(i, TestEvidence { conditions, covered: set.to_vec() });
        }
        store
    }

    fn chosen(store: &EvidenceStore) -> Vec<usize> {
        store.promising().iter().map(|test| test.run).collect()
    }

    #[test]
    fn the_cover_takes_the_largest_addition_first() {
        assert_eq!(chosen(&store(&[&[0b0011], &[0b1110], &[0b10_0001], &[0b1111]])), [3, 2]);
        assert_eq!(chosen(&store(&[])), []);
        assert_eq!(chosen(&store(&[&[], &[0, 0]])), []);
    }

    #[test]
    fn of_equal_tests_the_first_is_kept() {
        assert_eq!(chosen(&store(&[&[1], &[2], &[1, 0], &[0, 1]])), [0, 1, 3]);
    }

    /// The textbook algorithm: looks at all tests in every step.
    fn reference(sets: &[Vec<u64>]) -> Vec<usize> {
        let (mut covered, mut chosen) = (0u64, Vec::new());
        loop {
            let gain = |i: &usize| (sets[*i][0] & !covered).count_ones();
            let best = (0..sets.len()).rev().max_by_key(gain).filter(|best| gain(best) > 0);
            let Some(best) = best else { return chosen };
            covered |= sets[best][0];
            chosen.push(best);
        }
    }

    #[test]
    fn the_cover_is_that_of_the_textbook() {
        let mut rng = Rng::new(1);
        for _ in 0..200 {
            let count = 1 + rng.below(30);
            let random = |rng: &mut Rng| vec![rng.next_u64() & rng.next_u64() & rng.next_u64()];
            let sets: Vec<Vec<u64>> = (0..count).map(|_| random(&mut rng)).collect();
            let slices: Vec<&[u64]> = sets.iter().map(|set| &set[..]).collect();
            assert_eq!(chosen(&store(&slices)), reference(&sets));
        }
    }

    #[test]
    fn nothing_covered_is_lost_when_tests_are_forgotten() {
        let mut store = EvidenceStore::default();
        for i in 0..MOST_KEPT as u64 + 10 {
            let covered = vec![i, 1 << (i % 60)];
            store.add(0, TestEvidence { conditions: Vec::new(), covered });
        }
        assert!(store.tests.len() < MOST_KEPT);
        let all = store.promising().iter().fold([0, 0], |[a, b], test| {
            let covered = &test.evidence.covered;
            [a | covered[0], b | covered[1]]
        });
        assert_eq!(all, [(1 << 15) - 1, (1 << 60) - 1]);
    }

    #[test]
    fn conditions_are_listed_once() {
        let test = |ids: &[u64]| TestOfRun {
            run: 0,
            evidence: TestEvidence {
                conditions: ids.iter().map(|&id| ConditionHash(id)).collect(),
                covered: Vec::new(),
            },
        };
        let all = conditions(&[test(&[3, 1]), test(&[1, 2]), test(&[3])]);
        assert_eq!(all, [3, 1, 2].map(ConditionHash));
    }
}
