//! What is asked, and the part of it that matters.

use byway_base::ExprId;
use byway_expr::{Evaluator, InputByte, Model, PathCondition, Pool};

/// Whether a path condition and one more term can hold together.
#[derive(Copy, Clone, Debug)]
pub struct Query<'a> {
    /// The path.
    pub path: &'a PathCondition,
    /// The term, of one bit.
    pub condition: ExprId,
    /// An input that takes the path: every conjunct holds under it. With it only the
    /// conjuncts that share input bytes with the asked term need to be looked at, the
    /// other bytes keeping their values.
    pub witness: Option<&'a Model>,
}

/// The part of a query that one check looks at: some conjuncts and the asked term.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Slice {
    /// The conjuncts, in the order of the path.
    pub conjuncts: Vec<ExprId>,
    /// The asked term.
    pub condition: ExprId,
}

/// Values for some input bytes.
pub type Assignment = Vec<(InputByte, u8)>;

impl Slice {
    /// All of a query.
    pub fn whole(query: &Query) -> Slice {
        Slice { conjuncts: query.path.conjuncts().collect(), condition: query.condition }
    }

    /// The conjuncts, then the asked term.
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

    /// Whether all of it holds under a model. The asked term comes first: it is the one
    /// that most often fails.
    pub fn holds(&self, pool: &Pool, evaluator: &mut Evaluator, model: &Model) -> bool {
        let mut evaluation = evaluator.under(pool, model);
        self.terms().rev().all(|e| evaluation.holds(e))
    }
}
