//! Estimates the size of a query's circuit without building it.
//!
//! Bitwuzla rewrites and bit-blasts a query as a whole and does not poll for termination
//! meanwhile. Queries are therefore measured before they are passed to it.

use byway_base::ExprId;
use byway_expr::{Op, Pool, WalkScope};
use rustc_hash::FxHashSet;

use crate::query::Slice;

/// The approximate number of gates of a slice, counting each term once.
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

/// The gates of a read: at least those of a table indexed by a character.
fn selection_gates(pool: &Pool, read: ExprId) -> u64 {
    let weight = pool.as_read(read).map_or(0, |(version, _)| {
        let base = pool.base_of(version);
        base.weight(0, base.size())
    });
    weight.max(2_048)
}

/// The gates of one node.
fn gates_of(pool: &Pool, e: ExprId) -> u64 {
    // A comparison has one bit, but its circuit has the width of its operands.
    let operands = pool.node(e).operands().map(|operand| pool.width(operand)).max();
    let width = u64::from(operands.unwrap_or(1).max(pool.width(e)));
    match pool.op(e) {
        Op::Const | Op::Input | Op::Not | Op::Concat | Op::Extract | Op::Zext | Op::Sext => 0,
        Op::Read => selection_gates(pool, e),
        Op::Mul => 2 * width * width,
        Op::UDiv | Op::SDiv | Op::URem | Op::SRem => 4 * width * width,
        Op::Shl | Op::LShr | Op::AShr => width * u64::from(width.ilog2() + 1),
        // Multiplying significands, aligning, normalising, rounding.
        op if op.is_float() => 4 * width * width,
        _ => 2 * width,
    }
}
