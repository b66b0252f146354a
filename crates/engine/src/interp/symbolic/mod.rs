//! Executes the pure operations of the bytecode on terms.
//!
//! The hot loop and [`super::general`] compute with words; here the same operations build
//! terms that evaluate, under every input, to what those compute. An operation that can fault,
//! or that terms cannot express, first consults an [`Oracle`], which may suspend it: so each
//! operation decides everything before it writes anything, and can start again.
//!
//! A slot's term may be narrower than the type it is read with, because casts that keep the
//! bits share their operand's slot: it is zero-extended.

mod check;
mod float;
mod general;
mod ops;
mod slots;
#[cfg(test)]
mod tests;

pub use check::check;
pub use float::plain_bits;
pub use general::general;
pub use ops::simple;
pub use slots::{set, term, term_of, value_of};

use byway_base::ExprId;
use byway_expr::Pool;
use byway_search::Decision;

use crate::reason::ConcretisationReason;
use crate::stop::{ExecResult, ValueUse};

/// What an operation on terms may have to know.
pub trait Oracle {
    /// Whether a condition holds on this path. If that is not decided yet, the error suspends
    /// the instruction, which starts again once it is.
    fn holds(&mut self, pool: &mut Pool, condition: ExprId, decision: Decision)
    -> ExecResult<bool>;

    /// A term that equals this one on this path, simplified by the path condition.
    fn narrowed(&mut self, pool: &mut Pool, term: ExprId) -> ExprId;

    /// A term that equals this one on this path and mentions no undefined bytes; a fault if the
    /// term has an undefined bit.
    fn defined(
        &mut self,
        _pool: &mut Pool,
        term: ExprId,
        _used_as: ValueUse,
    ) -> ExecResult<ExprId> {
        Ok(term)
    }

    /// Fixes a term to one of its values, and counts it under `reason`.
    fn fix(
        &mut self,
        pool: &mut Pool,
        term: ExprId,
        reason: ConcretisationReason,
    ) -> ExecResult<u128>;
}

/// Whether a rule of the program holds on this path. Consults the oracle only if the term is
/// not constant.
fn keeps(pool: &mut Pool, oracle: &mut dyn Oracle, rule: ExprId) -> ExecResult<bool> {
    match pool.value(rule) {
        Some(value) => Ok(value != 0),
        None => oracle.holds(pool, rule, Decision::Check),
    }
}
