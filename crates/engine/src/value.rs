//! The content of a slot: a machine word, or an expression of one.
//!
//! Integers are kept zero-extended, floats as their bits, pointers as addresses.
//! Types above 64 bits take two values, the low word first.

use byway_base::ExprId;

/// A machine word or an expression id. Sixteen bytes, so that the check whether
/// a value is symbolic reads the same cache line as the word itself.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Value {
    /// The word; meaningless if the value is symbolic.
    pub bits: u64,
    /// The expression, if the value is symbolic.
    pub expr: Option<ExprId>,
}

impl Value {
    /// A concrete value.
    #[inline(always)]
    pub const fn word(bits: u64) -> Value {
        Value { bits, expr: None }
    }

    /// A symbolic value.
    pub const fn symbolic(expr: ExprId) -> Value {
        Value { bits: 0, expr: Some(expr) }
    }
}

/// The mask of a `width`-bit integer, 1 to 64.
#[inline(always)]
pub const fn mask(width: u8) -> u64 {
    u64::MAX >> (64u32.wrapping_sub(width as u32) & 63)
}

/// Sign-extends a `width`-bit integer, 1 to 64.
#[inline(always)]
pub const fn signed(bits: u64, width: u8) -> i64 {
    let shift = 64u32.wrapping_sub(width as u32) & 63;
    ((bits << shift) as i64) >> shift
}
