//! Reads and writes terms in slots.

use byway_base::ExprId;
use byway_expr::Pool;

use crate::bytecode::TypedSlot;
use crate::value::Value;

/// The content of one slot as a term of up to 64 bits.
pub fn term_of(pool: &mut Pool, value: Value, width: u32) -> ExprId {
    match value.expr {
        Some(term) => pool.resize(term, width),
        None => pool.constant(width, u128::from(value.bits)),
    }
}

/// A scalar as a term of its type's width.
pub fn term(pool: &mut Pool, regs: &[Value], place: TypedSlot) -> ExprId {
    let width = place.ty.bits();
    let low = regs[place.slot as usize];
    if !place.ty.is_wide() {
        return term_of(pool, low, width);
    }
    let low = term_of(pool, low, 64);
    let high = term_of(pool, regs[place.slot as usize + 1], width - 64);
    pool.concat(high, low)
}

/// The slot content for a term of up to 64 bits; a constant becomes a word.
pub fn value_of(pool: &Pool, term: ExprId) -> Value {
    debug_assert!(pool.width(term) <= 64);
    match pool.value(term) {
        Some(number) => Value::word(number as u64),
        None => Value::symbolic(term),
    }
}

/// Writes a scalar; the term is at most as wide as its type.
pub fn set(pool: &mut Pool, regs: &mut [Value], place: TypedSlot, term: ExprId) {
    let width = place.ty.bits();
    debug_assert!(pool.width(term) <= width);
    if !place.ty.is_wide() {
        regs[place.slot as usize] = value_of(pool, term);
        return;
    }
    let term = pool.zext(term, width);
    let low = pool.extract(term, 0, 64);
    let high = pool.extract(term, 64, width - 64);
    regs[place.slot as usize] = value_of(pool, low);
    regs[place.slot as usize + 1] = value_of(pool, high);
}

/// The width of a slot's content in bits, at least one.
pub(super) fn bits_needed(pool: &Pool, value: Value) -> u32 {
    match value.expr {
        Some(term) => pool.width(term),
        None => (u64::BITS - value.bits.leading_zeros()).max(1),
    }
}
