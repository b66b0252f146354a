//! Answers queries whose condition is constant, or a fact of the path, or the negation of
//! one.

use byway_expr::Pool;

use crate::answer::{Answer, Core};
use crate::query::Query;

/// The answer, if a lookup gives it. A sat answer needs a witness as its model.
pub fn check(pool: &mut Pool, query: &Query) -> Option<Answer> {
    let witness = || query.witness.map(|witness| Answer::Sat(witness.clone()));
    match pool.value(query.condition) {
        Some(0) => return Some(Answer::Unsat(Core::default())),
        Some(_) => return witness(),
        None => {}
    }
    if query.path.contains(query.condition) {
        return witness();
    }
    let negation = pool.not(query.condition);
    query.path.contains(negation).then(|| {
        let mut conjuncts = query.path.related(pool, negation);
        // A learnt fact is no conjunct, but the conjuncts on the same bytes imply it.
        if conjuncts.contains(&negation) {
            conjuncts = vec![negation];
        }
        Answer::Unsat(Core { conjuncts: conjuncts.into() })
    })
}
