//! Conditions by number, as reducers see them.

use byway_base::ExprId;
use byway_expr::Pool;
use byway_search::reducer::{ConditionId, Task};
use rustc_hash::FxHashMap;

/// Numbers for terms. Equal terms have equal numbers.
#[derive(Default)]
pub struct Conditions {
    numbers: FxHashMap<ExprId, ConditionId>,
    terms: Vec<ExprId>,
}

impl Conditions {
    /// The number of a term.
    pub fn number(&mut self, term: ExprId) -> ConditionId {
        *self.numbers.entry(term).or_insert_with(|| {
            self.terms.push(term);
            self.terms.len() as ConditionId - 1
        })
    }

    /// The term of a number.
    pub fn term(&self, number: ConditionId) -> ExprId {
        self.terms[number as usize]
    }

    /// All terms.
    pub fn terms(&self) -> &[ExprId] {
        &self.terms
    }

    /// What an input of a task satisfies beside the conditions that the task keeps.
    pub fn demand(&self, pool: &mut Pool, task: &Task) -> ExprId {
        let mut all = match task.goal {
            // Which values are left is among the exclusions.
            Some(goal) if goal.value_of.is_none() => self.term(goal.condition),
            _ => pool.boolean(true),
        };
        for failure in &task.excluded {
            let mut any = pool.boolean(false);
            for &condition in failure {
                let opposite = pool.not(self.term(condition));
                any = pool.or(any, opposite);
            }
            all = pool.and(all, any);
        }
        all
    }
}
