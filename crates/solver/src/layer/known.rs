//! Queries that need no thought: the asked term is a number, or a fact of the
//! path, or the negation of one.

use byway_expr::Pool;

use crate::answer::{Answer, Core};
use crate::query::Query;

/// The answer, if it is plain to see. A satisfiable query needs a witness for that.
pub fn answer(pool: &mut Pool, query: &Query) -> Option<Answer> {
    let witness = || query.witness.map(|witness| Answer::Sat(witness.clone()));
    match pool.value(query.condition) {
        Some(0) => return Some(Answer::Unsat(Core::default())),
        Some(_) => return witness(),
        None => {}
    }
    if query.path.contains(query.condition) {
        return witness();
    }
    let opposite = pool.not(query.condition);
    query.path.contains(opposite).then(|| {
        let mut conjuncts = query.path.related(pool, opposite);
        // What was learnt is no conjunct, but follows from those on the same bytes.
        if conjuncts.contains(&opposite) {
            conjuncts = vec![opposite];
        }
        Answer::Unsat(Core { conjuncts: conjuncts.into() })
    })
}
