//! Constraint independence: conjuncts that share no input byte with the condition, not
//! even through other conjuncts, cannot change the answer as long as they are satisfiable.
//! The witness proves that they are and supplies the bytes that only they mention.

use byway_expr::Pool;

use crate::query::{Query, Slice};

/// The conjuncts that can affect the answer; all of them if there is no witness.
pub fn slice(pool: &mut Pool, query: &Query) -> Slice {
    match query.witness {
        Some(_) => {
            let conjuncts = query.path.related(pool, query.condition);
            Slice { conjuncts, condition: query.condition }
        }
        None => Slice::whole(query),
    }
}
