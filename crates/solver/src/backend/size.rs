//! How large the circuit of a query would be, without making it.
//!
//! Bitwuzla rewrites and bit-blasts a query as a whole and asks nobody meanwhile
//! whether to stop. What it is given is therefore measured first.

use byway_base::ExprId;
use byway_expr::{Op, Pool, WalkScope};
use rustc_hash::FxHashSet;

use crate::query::Slice;

/// About how many gates a slice's circuit has, each term counted once.
pub fn gates(pool: &Pool, slice: &Slice) -> u64 {
    let mut table = (FxHashSet::default(), 0);
    for e in slice.terms() {
        pool.walk(
            e,
            WalkScope::Memory,
            &mut table,
            |(seen, _): &(FxHashSet<ExprId>, u64), e| seen.contains(&e),
            |(seen, gates), e| {
                seen.insert(e);
                *gates += gates_of(pool, e);
            },
        );
    }
    table.1
}

/// The gates of one operator.
fn gates_of(pool: &Pool, e: ExprId) -> u64 {
    // A comparison has one bit, its operands have more.
    let operands = pool.node(e).operands().map(|operand| pool.width(operand)).max();
    let width = u64::from(operands.unwrap_or(1).max(pool.width(e)));
    match pool.op(e) {
        Op::Const | Op::Input | Op::Not | Op::Concat | Op::Extract | Op::Zext | Op::Sext => 0,
        // A selection over a table for characters.
        Op::Read => 2_048,
        Op::Mul => 2 * width * width,
        Op::UDiv | Op::SDiv | Op::URem | Op::SRem => 4 * width * width,
        Op::Shl | Op::LShr | Op::AShr => width * u64::from(width.ilog2() + 1),
        // Products of significands, shifts before and behind, rounding.
        op if op.is_float() => 4 * width * width,
        _ => 2 * width,
    }
}
