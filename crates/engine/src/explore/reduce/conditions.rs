//! Conditions by number, as reducers see them.

use std::sync::Arc;

use byway_base::ExprId;
use byway_expr::Pool;
use byway_search::reducer::{ConditionId, Task};
use rustc_hash::FxHashMap;

use super::shared::SharedReduction;
use crate::path_info::ForkRequest;

/// The conditions of all workers, by the structural hashes of their terms, which do not depend on
/// a worker's pool.
#[derive(Default)]
pub(super) struct ConditionNumbers {
    by_hash: FxHashMap<u64, ConditionId>,
    count: ConditionId,
}

impl ConditionNumbers {
    /// The number of terms with this hash.
    pub fn of_hash(&mut self, hash: u64) -> ConditionId {
        match self.by_hash.get(&hash) {
            Some(&number) => number,
            None => {
                let number = self.unused();
                self.by_hash.insert(hash, number);
                number
            }
        }
    }

    /// A number that no term has.
    pub fn unused(&mut self) -> ConditionId {
        self.count += 1;
        self.count - 1
    }
}

/// Numbers for the terms of one worker. Equal terms have equal numbers, in all workers.
pub struct Conditions {
    shared: Arc<SharedReduction>,
    numbers: FxHashMap<ExprId, ConditionId>,
    /// The terms by their numbers; `None` if only other workers made them.
    terms: Vec<Option<ExprId>>,
}

impl Conditions {
    pub fn new(shared: Arc<SharedReduction>) -> Conditions {
        Conditions { shared, numbers: FxHashMap::default(), terms: Vec::new() }
    }

    /// The number of a term.
    pub fn number(&mut self, pool: &Pool, term: ExprId) -> ConditionId {
        if let Some(&number) = self.numbers.get(&term) {
            return number;
        }
        let mut number = self.shared.numbers().of_hash(pool.structural_hash_of(term));
        if self.term(number).is_some() {
            // Another term has the same hash.
            number = self.shared.numbers().unused();
        }
        let index = number as usize;
        if self.terms.len() <= index {
            self.terms.resize(index + 1, None);
        }
        self.terms[index] = Some(term);
        self.numbers.insert(term, number);
        number
    }

    /// The term of a number; `None` if this worker has not made it.
    pub fn term(&self, number: ConditionId) -> Option<ExprId> {
        self.terms.get(number as usize).copied().flatten()
    }

    /// All terms of this worker.
    pub fn terms(&self) -> impl Iterator<Item = ExprId> {
        self.terms.iter().copied().flatten()
    }

    /// Whether this worker has the terms of a task, but for what the task excludes.
    pub fn has_terms_of(&self, task: &Task) -> bool {
        let goal = task.goal.iter().map(|goal| &goal.condition);
        task.kept.iter().chain(goal).all(|&it| self.term(it).is_some())
    }

    /// What an input of a task satisfies beside the conditions that the task keeps.
    ///
    /// A conjunction with a condition that only other workers made is not excluded. The input may
    /// fail then as a path of theirs did, and this worker knows the condition afterwards.
    pub fn demand(&self, pool: &mut Pool, task: &Task) -> ExprId {
        let goal = task.goal.filter(|goal| goal.value_of.is_none());
        // Which values are left is among the exclusions.
        let goal = goal.and_then(|goal| self.term(goal.condition));
        let mut all = goal.unwrap_or_else(|| pool.boolean(true));
        for failure in &task.excluded {
            let terms: Option<Vec<ExprId>> = failure.iter().map(|&it| self.term(it)).collect();
            let Some(terms) = terms else { continue };
            let mut any = pool.boolean(false);
            for condition in terms {
                let opposite = pool.not(condition);
                any = pool.or(any, opposite);
            }
            all = pool.and(all, any);
        }
        all
    }
}

/// The conditions of the cases of a request. An assumption has one; the opposite is added.
pub(super) fn conditions_of(pool: &mut Pool, request: &ForkRequest) -> Vec<ExprId> {
    let mut cases: Vec<ExprId> = request.cases.iter().map(|it| it.condition).collect();
    if let [assumed] = cases[..] {
        cases.push(pool.not(assumed));
    }
    cases
}

#[cfg(test)]
mod tests {
    use super::super::Reduction;
    use super::*;

    const EMPTY: &str = "bwir 1\nmodule \"test\"\n";

    fn shared() -> Arc<SharedReduction> {
        let module = byway_ir::text::parse(EMPTY).expect("it parses");
        Arc::new(SharedReduction::new(Reduction::Dgse, &module))
    }

    /// Whether a byte of the input is less than a number.
    fn less(pool: &mut Pool, byte: u32, number: u128) -> ExprId {
        let input = pool.input("x", 4);
        let (byte, number) = (pool.input_byte(input, byte), pool.constant(8, number));
        pool.ult(byte, number)
    }

    #[test]
    fn a_term_has_the_same_number_in_every_pool() {
        let shared = shared();
        let [mut ours, mut theirs] = [0, 1].map(|_| (Pool::new(), Conditions::new(shared.clone())));
        let number = |of: &mut (Pool, Conditions), byte, number| {
            let term = less(&mut of.0, byte, number);
            of.1.number(&of.0, term)
        };
        let first = number(&mut ours, 0, 5);
        let other = number(&mut theirs, 3, 7);
        assert_ne!(first, other);
        assert_eq!(ours.1.term(other), None);
        assert_eq!(number(&mut theirs, 0, 5), first);
        assert_eq!(number(&mut ours, 3, 7), other);
        assert_eq!((ours.1.terms().count(), theirs.1.terms().count()), (2, 2));
    }

    #[test]
    fn what_only_others_know_is_not_excluded() {
        let shared = shared();
        let (mut pool, mut own) = (Pool::new(), Conditions::new(shared.clone()));
        let term = less(&mut pool, 0, 5);
        let known = own.number(&pool, term);
        let unknown = shared.numbers().unused();
        let excluding = |excluded| Task { excluded, ..Task::default() };
        let task = excluding(vec![vec![known], vec![unknown], vec![known, unknown]]);
        let expected = pool.not(term);
        assert_eq!(own.demand(&mut pool, &task), expected);
        assert!(own.has_terms_of(&task));
        assert!(!own.has_terms_of(&Task { kept: vec![known, unknown], ..Task::default() }));
    }
}
