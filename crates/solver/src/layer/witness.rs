//! Evaluation under an input that is already there: the witness of the path.

use byway_expr::{Evaluator, Model, Pool};

use crate::query::Query;

/// Whether the path's own witness already does what is asked.
pub fn own(pool: &Pool, evaluator: &mut Evaluator, query: &Query) -> Option<Model> {
    let witness = query.witness?;
    let holds = match pool.holds_by_byte(query.condition, witness) {
        Some(holds) => holds,
        None => evaluator.under(pool, witness).holds(query.condition),
    };
    holds.then(|| witness.clone())
}
