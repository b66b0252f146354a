//! A query, and the slice of it that a backend decides.

use byway_base::ExprId;
use byway_expr::{Evaluator, InputByte, Model, PathCondition, Pool};

/// Asks whether a path condition and one more condition can hold together.
#[derive(Copy, Clone, Debug)]
pub struct Query<'a> {
    /// The path condition.
    pub path: &'a PathCondition,
    /// A term of one bit.
    pub condition: ExprId,
    /// An input that satisfies every conjunct of the path. With it, only the conjuncts
    /// that share input bytes with the condition need to be solved; the other bytes keep
    /// the witness's values.
    pub witness: Option<&'a Model>,
}

/// The part of a query that one check decides: some conjuncts and the condition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Slice {
    /// Conjuncts, in path order.
    pub conjuncts: Vec<ExprId>,
    /// The query's condition.
    pub condition: ExprId,
}

/// Values for some input bytes.
pub type Assignment = Vec<(InputByte, u8)>;

impl Slice {
    /// The slice that keeps every conjunct of the path.
    pub fn whole(query: &Query) -> Slice {
        Slice { conjuncts: query.path.conjuncts().collect(), condition: query.condition }
    }

    /// The conjuncts, then the condition.
    pub fn terms(&self) -> impl DoubleEndedIterator<Item = ExprId> + '_ {
        self.conjuncts.iter().copied().chain([self.condition])
    }

    /// The input bytes it depends on, sorted.
    pub fn input_bytes(&self, pool: &mut Pool) -> Vec<InputByte> {
        let mut bytes = Vec::new();
        for e in self.terms() {
            bytes.extend_from_slice(&pool.support(e));
        }
        bytes.sort_unstable();
        bytes.dedup();
        bytes
    }

    /// Whether a model satisfies all terms. Evaluates the condition first, because it is
    /// the term that fails most often.
    pub fn holds(&self, pool: &Pool, evaluator: &mut Evaluator, model: &Model) -> bool {
        let mut evaluation = evaluator.under(pool, model);
        self.terms().rev().all(|e| evaluation.holds(e))
    }
}
