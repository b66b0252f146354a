//! Evaluates the condition under the path's witness.

use byway_expr::{Evaluator, Model, Pool};

use crate::query::Query;

/// The witness, if it already satisfies the condition.
pub fn check(pool: &Pool, evaluator: &mut Evaluator, query: &Query) -> Option<Model> {
    let witness = query.witness?;
    let holds = match pool.holds_by_byte(query.condition, witness) {
        Some(holds) => holds,
        None => evaluator.under(pool, witness).holds(query.condition),
    };
    holds.then(|| witness.clone())
}
