//! Float arithmetic on bit patterns, rounding to nearest even.
//!
//! A float is a `u128` pattern of a [`Format`], the bits above the format's width
//! zero. Results are those of compiled x86-64 code to the bit:
//!
//! - F32 and F64 are computed by the processor ([`single`], [`double`]), with the
//!   NaN rule of SSE.
//! - F80 follows x87. Invalid patterns ("unnormals") behave as on x87: as NaNs
//!   whose result is the default NaN.
//! - The other formats are computed in libraries by x86-64 code. Their NaN results
//!   follow x87, too, because the libraries differ among themselves.
//!
//! The interpreter and constant folding both use these
//! functions, so they cannot disagree. Exceptions, other rounding directions
//! and flushing of subnormals are not modelled.

mod cast;
mod format;
mod native;
mod soft;
mod wide;

use std::cmp::Ordering;

pub use cast::{convert, from_si, from_ui, to_si, to_si_sat, to_ui, to_ui_sat};
pub use format::Format;
pub use native::{double, single};

use format::FloatClass;
use soft::Rounding;

/// An operation for every format: by the processor, by soft code made for F80,
/// or by soft code for the rest. The soft code stays out of line.
macro_rules! operation {
    ($(#[$doc:meta])* $name:ident($($arg:ident),+) $soft:expr) => {
        $(#[$doc])*
        #[inline]
        pub fn $name(format: Format, $($arg: u128),+) -> u128 {
            #[inline(never)]
            fn extended($($arg: u128),+) -> u128 {
                $soft(Format::F80, $($arg),+)
            }
            #[inline(never)]
            fn other(format: Format, $($arg: u128),+) -> u128 {
                $soft(format, $($arg),+)
            }
            match format {
                Format::F32 => single::$name($($arg as u32),+) as u128,
                Format::F64 => double::$name($($arg as u64),+) as u128,
                Format::F80 => extended($($arg),+),
                Format::Half | Format::Bf16 | Format::F128 => other(format, $($arg),+),
            }
        }
    };
}

operation! {
    /// Sum.
    add(a, b) soft::add
}
operation! {
    /// Difference.
    sub(a, b) soft::sub
}
operation! {
    /// Product.
    mul(a, b) soft::mul
}
operation! {
    /// Quotient.
    div(a, b) soft::div
}
operation! {
    /// Remainder of the quotient toward zero, exact, as C's `fmod`.
    rem(a, b) soft::rem
}
operation! {
    /// Square root, correctly rounded.
    sqrt(a) soft::sqrt
}
operation! {
    /// `a * b + c`, rounded once.
    fma(a, b, c) soft::fma
}
operation! {
    /// Toward minus infinity, to an integral value.
    floor(a) |format, a| soft::round_integral(format, a, Rounding::Down)
}
operation! {
    /// Toward infinity, to an integral value.
    ceil(a) |format, a| soft::round_integral(format, a, Rounding::Up)
}
operation! {
    /// Toward zero, to an integral value.
    trunc(a) |format, a| soft::round_integral(format, a, Rounding::TowardZero)
}
operation! {
    /// To the nearest integral value, ties to even.
    round_even(a) |format, a| soft::round_integral(format, a, Rounding::NearestEven)
}
operation! {
    /// To the nearest integral value, ties away from zero.
    round(a) |format, a| soft::round_integral(format, a, Rounding::NearestAway)
}

/// The order of two floats; `None` if one is NaN. Both zeros are equal.
#[inline]
pub fn compare(format: Format, a: u128, b: u128) -> Option<Ordering> {
    match format {
        Format::F32 => single::compare(a as u32, b as u32),
        Format::F64 => double::compare(a as u64, b as u64),
        Format::F80 => soft::compare(Format::F80, a, b),
        _ => soft::compare(format, a, b),
    }
}

/// Whether a pattern is NaN (or an invalid F80 pattern).
#[inline]
pub const fn is_nan(format: Format, a: u128) -> bool {
    match format {
        Format::F80 => format.unpack(a).is_nan(),
        _ => abs(format, a) > format.infinity(false),
    }
}

/// Sign flipped, NaN included.
#[inline]
pub const fn neg(format: Format, a: u128) -> u128 {
    a ^ format.sign_bit()
}

/// Sign cleared, NaN included.
#[inline]
pub const fn abs(format: Format, a: u128) -> u128 {
    a & !format.sign_bit()
}

/// Magnitude of the first, sign of the second.
#[inline]
pub const fn copysign(format: Format, a: u128, b: u128) -> u128 {
    abs(format, a) | b & format.sign_bit()
}

/// C's `fmin`: the other operand if one is NaN, the second if both are, and the
/// first of two zeros whatever their signs. LLVM generates such x86 code:
/// `minsd b, a`, replaced by `b` where `a` is NaN.
#[inline]
pub fn min_num(format: Format, a: u128, b: u128) -> u128 {
    let b_wins = is_nan(format, a) || compare(format, b, a) == Some(Ordering::Less);
    if b_wins { b } else { a }
}

/// C's `fmax`; see [`min_num`].
#[inline]
pub fn max_num(format: Format, a: u128, b: u128) -> u128 {
    let b_wins = is_nan(format, a) || compare(format, b, a) == Some(Ordering::Greater);
    if b_wins { b } else { a }
}

/// IEEE 754-2019 minimum: NaN if one is NaN, -0 below +0.
#[inline]
pub fn minimum(format: Format, a: u128, b: u128) -> u128 {
    match compare(format, a, b) {
        // The sum of the operands is the NaN to return.
        None => add(format, a, b),
        Some(Ordering::Less) => a,
        Some(Ordering::Greater) => b,
        Some(Ordering::Equal) if a & format.sign_bit() != 0 => a,
        Some(Ordering::Equal) => b,
    }
}

/// IEEE 754-2019 maximum: NaN if one is NaN, -0 below +0.
#[inline]
pub fn maximum(format: Format, a: u128, b: u128) -> u128 {
    match compare(format, a, b) {
        None => add(format, a, b),
        Some(Ordering::Less) => b,
        Some(Ordering::Greater) => a,
        Some(Ordering::Equal) if a & format.sign_bit() != 0 => b,
        Some(Ordering::Equal) => a,
    }
}

/// IEEE 754-2019 minimumNumber: a number if one is, -0 below +0.
#[inline]
pub fn minimum_num(format: Format, a: u128, b: u128) -> u128 {
    match (is_nan(format, a), is_nan(format, b)) {
        (true, false) => b,
        (false, true) => a,
        _ => minimum(format, a, b),
    }
}

/// IEEE 754-2019 maximumNumber: a number if one is, -0 below +0.
#[inline]
pub fn maximum_num(format: Format, a: u128, b: u128) -> u128 {
    match (is_nan(format, a), is_nan(format, b)) {
        (true, false) => b,
        (false, true) => a,
        _ => maximum(format, a, b),
    }
}

/// The class of a float as one bit set, from bit 0 up: signalling NaN, quiet
/// NaN, -inf, -normal, -subnormal, -0, +0, +subnormal, +normal, +inf. Invalid F80
/// patterns count as signalling NaNs.
pub fn classify(format: Format, a: u128) -> u16 {
    let x = format.unpack(a);
    let (positive, negative) = match x.class {
        FloatClass::Invalid => return 1 << 0,
        FloatClass::Nan if x.is_quiet() => return 1 << 1,
        FloatClass::Nan => return 1 << 0,
        FloatClass::Infinite => (1 << 9, 1 << 2),
        FloatClass::Finite if x.exponent >= format.min_exponent() => (1 << 8, 1 << 3),
        FloatClass::Finite => (1 << 7, 1 << 4),
        FloatClass::Zero => (1 << 6, 1 << 5),
    };
    if x.negative { negative } else { positive }
}
