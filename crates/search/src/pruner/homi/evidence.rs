//! What the tests so far show, and the few that matter: a greedy set cover of the branches.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::hash::BuildHasher;
use std::ops::Range;

use hashbrown::HashTable;
use rustc_hash::{FxBuildHasher, FxHashSet};

use crate::{ConditionHash, TestEvidence};

/// When the tests take more words than this, those that are not part of the cover are forgotten.
const MOST_WORDS: usize = 1 << 19;

/// A test, and the run that gave it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TestOfRun {
    /// The number of the run.
    pub run: usize,
    /// What it shows.
    pub evidence: TestEvidence,
}

/// The tests of all runs.
///
/// They outlive the states around them, so they lie together: scattered over the memory of
/// states, each would keep a page of it from being given back.
#[derive(Default)]
pub struct EvidenceStore {
    tests: Vec<StoredTest>,
    /// The covered sites of all tests.
    sites: Vec<u64>,
    conditions: Vec<ConditionHash>,
    /// The tests by their covered sites: another one with the same set would never be chosen.
    known: HashTable<usize>,
    /// Twice the words of the last cover.
    most_words: usize,
}

/// A test, and where its words lie.
struct StoredTest {
    run: usize,
    sites: Range<usize>,
    conditions: Range<usize>,
}

impl EvidenceStore {
    /// Adds what a test of a run shows.
    pub fn add(&mut self, run: usize, evidence: &TestEvidence) {
        let sites = without_last_zeros(&evidence.covered);
        let hash = FxBuildHasher.hash_one(sites);
        if self.known.find(hash, |&test| self.sites_of(test) == sites).is_some() {
            return;
        }
        if self.words() > self.most_words.max(MOST_WORDS) {
            self.forget();
        }
        let test = self.tests.len();
        let stored = StoredTest {
            run,
            sites: extend(&mut self.sites, sites),
            conditions: extend(&mut self.conditions, &evidence.conditions),
        };
        self.tests.push(stored);
        let (tests, all) = (&self.tests, &self.sites);
        let rehash = |&test: &usize| FxBuildHasher.hash_one(&all[tests[test].sites.clone()]);
        self.known.insert_unique(hash, test, rehash);
    }

    /// Keeps the cover alone.
    fn forget(&mut self) {
        let promising = self.promising();
        *self = EvidenceStore { most_words: usize::MAX, ..EvidenceStore::default() };
        promising.iter().for_each(|test| self.add(test.run, &test.evidence));
        self.most_words = 2 * self.words();
    }

    fn words(&self) -> usize {
        self.sites.len() + self.conditions.len()
    }

    fn sites_of(&self, test: usize) -> &[u64] {
        &self.sites[self.tests[test].sites.clone()]
    }

    /// The tests that a greedy set cover chooses: in each step the one that covers most of what
    /// is still uncovered; the earlier one of two that cover as much.
    pub fn promising(&self) -> Vec<TestOfRun> {
        let mut covered: Vec<u64> = Vec::new();
        // What a test adds only decreases, so an old count is a bound.
        let mut heap: BinaryHeap<(u32, Reverse<usize>)> = (0..self.tests.len())
            .map(|test| (added(self.sites_of(test), &[]), Reverse(test)))
            .collect();
        let mut chosen = Vec::new();
        while let Some((bound, Reverse(test))) = heap.pop() {
            let sites = self.sites_of(test);
            let count = added(sites, &covered);
            if count == 0 {
                continue;
            }
            if count < bound {
                heap.push((count, Reverse(test)));
                continue;
            }
            covered.resize(covered.len().max(sites.len()), 0);
            covered.iter_mut().zip(sites).for_each(|(all, own)| *all |= own);
            chosen.push(self.test(test));
        }
        chosen
    }

    fn test(&self, test: usize) -> TestOfRun {
        let StoredTest { run, conditions, .. } = &self.tests[test];
        let conditions = self.conditions[conditions.clone()].to_vec();
        let covered = self.sites_of(test).to_vec();
        TestOfRun { run: *run, evidence: TestEvidence { conditions, covered } }
    }
}

/// Appends a slice; returns where it is.
fn extend<T: Copy>(all: &mut Vec<T>, new: &[T]) -> Range<usize> {
    let start = all.len();
    all.extend_from_slice(new);
    start..all.len()
}

fn without_last_zeros(words: &[u64]) -> &[u64] {
    let end = words.iter().rposition(|&word| word != 0).map_or(0, |last| last + 1);
    &words[..end]
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
            store.add(i, &TestEvidence { conditions, covered: set.to_vec() });
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
        for i in 0..1 << 18 {
            let covered = vec![i, 1 << (i % 60)];
            store.add(0, &TestEvidence { conditions: vec![ConditionHash(i)], covered });
        }
        assert!(store.words() < MOST_WORDS, "{} words", store.words());
        let all = store.promising().iter().fold([0, 0], |[a, b], test| {
            let covered = &test.evidence.covered;
            [a | covered[0], b | covered[1]]
        });
        assert_eq!(all, [(1 << 18) - 1, (1 << 60) - 1]);
        assert!(store.promising().iter().all(|test| test.evidence.conditions.len() == 1));
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
