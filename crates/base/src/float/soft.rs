//! Float arithmetic in integers, for the formats the processor's SSE unit lacks.
//!
//! One implementation serves all formats: operands are [`Unpacked`], the exact
//! result (or one with a sticky lowest bit) is passed to [`Format::round`]. The
//! functions are inlined with a constant format, so that each format gets code of
//! its own: F80, which the printing and parsing of decimal floats uses, then works
//! on 64-bit halves that are mostly zero.
//!
//! NaN results follow x87: of two NaNs the one with the larger significand
//! (which makes quiet ones win over signalling ones), made quiet; the default
//! NaN if an operation has no result or an operand is an invalid pattern.

use std::cmp::Ordering;

use super::format::{FloatClass, Format, Unpacked, shift_right_sticky};
use super::wide::U256;
use super::{abs, is_nan};

/// The result of an operation with a NaN among its operands.
#[cold]
fn nan_of(format: Format, a: Unpacked, b: Unpacked) -> u128 {
    let larger = match (a.class, b.class) {
        (FloatClass::Invalid, _) | (_, FloatClass::Invalid) => return format.default_nan(),
        (FloatClass::Nan, FloatClass::Nan) => match a.significand.cmp(&b.significand) {
            Ordering::Greater => a,
            Ordering::Less => b,
            Ordering::Equal if a.negative => b,
            Ordering::Equal => a,
        },
        (FloatClass::Nan, _) => a,
        _ => b,
    };
    format.pack(larger)
}

/// Sum.
#[inline(always)]
pub(super) fn add(format: Format, a: u128, b: u128) -> u128 {
    add_unpacked(format, format.unpack(a), format.unpack(b))
}

/// Difference. A NaN keeps its sign.
#[inline(always)]
pub(super) fn sub(format: Format, a: u128, b: u128) -> u128 {
    let mut b = format.unpack(b);
    b.negative ^= !b.is_nan();
    add_unpacked(format, format.unpack(a), b)
}

#[inline(always)]
fn add_unpacked(format: Format, a: Unpacked, b: Unpacked) -> u128 {
    match (a.class, b.class) {
        (FloatClass::Finite, FloatClass::Finite) => {}
        _ if a.is_nan() || b.is_nan() => return nan_of(format, a, b),
        (FloatClass::Infinite, FloatClass::Infinite) if a.negative != b.negative => {
            return format.default_nan();
        }
        (FloatClass::Zero, FloatClass::Zero) => return format.zero(a.negative && b.negative),
        (FloatClass::Infinite, _) | (_, FloatClass::Zero) => return format.pack(a),
        _ => return format.pack(b),
    }
    let a_is_larger = (a.exponent, a.significand) >= (b.exponent, b.significand);
    let (large, small) = if a_is_larger { (a, b) } else { (b, a) };
    // One bit of room for the carry; at least 14 are free below the precision.
    let distance = (large.exponent - small.exponent) as u32;
    let big = large.significand >> 1;
    let little = shift_right_sticky(small.significand >> 1, distance);
    let sum = if large.negative == small.negative { big + little } else { big - little };
    if sum == 0 {
        return format.zero(false);
    }
    let shift = sum.leading_zeros();
    format.round(large.negative, large.exponent + 1 - shift as i32, sum << shift)
}

/// Product.
#[inline(always)]
pub(super) fn mul(format: Format, a: u128, b: u128) -> u128 {
    let (a, b) = (format.unpack(a), format.unpack(b));
    let negative = a.negative != b.negative;
    match (a.class, b.class) {
        (FloatClass::Finite, FloatClass::Finite) => {}
        _ if a.is_nan() || b.is_nan() => return nan_of(format, a, b),
        (FloatClass::Infinite, FloatClass::Zero) | (FloatClass::Zero, FloatClass::Infinite) => {
            return format.default_nan();
        }
        (FloatClass::Infinite, _) | (_, FloatClass::Infinite) => return format.infinity(negative),
        _ => return format.zero(negative),
    }
    let product = if format.precision() <= 64 {
        (a.significand >> 64) * (b.significand >> 64)
    } else {
        U256::product(a.significand, b.significand).high_sticky()
    };
    let shift = product.leading_zeros();
    format.round(negative, a.exponent + b.exponent + 1 - shift as i32, product << shift)
}

/// Quotient.
#[inline(always)]
pub(super) fn div(format: Format, a: u128, b: u128) -> u128 {
    let (a, b) = (format.unpack(a), format.unpack(b));
    let negative = a.negative != b.negative;
    match (a.class, b.class) {
        (FloatClass::Finite, FloatClass::Finite) => {}
        _ if a.is_nan() || b.is_nan() => return nan_of(format, a, b),
        (FloatClass::Infinite, FloatClass::Infinite) | (FloatClass::Zero, FloatClass::Zero) => {
            return format.default_nan();
        }
        (FloatClass::Infinite, _) | (_, FloatClass::Zero) => return format.infinity(negative),
        _ => return format.zero(negative),
    }
    // The quotient of the significands lies in (1/2, 2): normalise it by the
    // exponent, so that its highest bit is set.
    let below_one = a.significand < b.significand;
    let exponent = a.exponent - b.exponent - below_one as i32;
    let quotient = if format.precision() <= 64 {
        let divisor = b.significand >> 64;
        let dividend = if below_one { a.significand } else { a.significand >> 1 };
        let (quotient, rest) = (dividend / divisor, dividend % divisor);
        let twice = 2 * rest;
        let next_bit = twice >= divisor;
        let sticky = rest != 0 && twice != divisor;
        quotient << 64 | (next_bit as u128) << 63 | sticky as u128
    } else {
        long_division(a.significand >> 1 << below_one as u32, b.significand >> 1)
    };
    format.round(negative, exponent, quotient)
}

/// `a / b` for `b <= a < 2b` and `b < 2^127`, as 128 bits with the highest set and
/// the lowest sticky.
fn long_division(a: u128, b: u128) -> u128 {
    let (mut rest, mut quotient) = (a, 0);
    for _ in 0..128 {
        let fits = rest >= b;
        rest = (rest - if fits { b } else { 0 }) << 1;
        quotient = quotient << 1 | fits as u128;
    }
    quotient | (rest != 0) as u128
}

/// Remainder of the quotient toward zero, exact, with the sign of `a`.
#[inline(always)]
pub(super) fn rem(format: Format, a: u128, b: u128) -> u128 {
    let (x, y) = (format.unpack(a), format.unpack(b));
    match (x.class, y.class) {
        (FloatClass::Finite, FloatClass::Finite) => {}
        _ if x.is_nan() || y.is_nan() => return nan_of(format, x, y),
        (FloatClass::Infinite, _) | (_, FloatClass::Zero) => return format.default_nan(),
        _ => return format.pack(x),
    }
    if x.exponent < y.exponent {
        return format.pack(x);
    }
    // Both significands as integers of `precision` bits; the free bits above are
    // how far the remainder can be shifted up in one step.
    let unused = 128 - format.precision();
    let divisor = y.significand >> unused;
    let mut rest = (x.significand >> unused) % divisor;
    let mut distance = (x.exponent - y.exponent) as u32;
    while distance > 0 && rest != 0 {
        let step = distance.min(unused);
        rest = (rest << step) % divisor;
        distance -= step;
    }
    if rest == 0 {
        return format.zero(x.negative);
    }
    let shift = rest.leading_zeros();
    format.round(x.negative, y.exponent + unused as i32 - shift as i32, rest << shift)
}

/// Square root.
#[inline(always)]
pub(super) fn sqrt(format: Format, a: u128) -> u128 {
    let x = format.unpack(a);
    match x.class {
        FloatClass::Finite if !x.negative => {}
        FloatClass::Finite => return format.default_nan(),
        FloatClass::Infinite if x.negative => return format.default_nan(),
        _ => return format.pack(x),
    }
    // An even exponent halves; the significand then lies in [1, 4), as a fixed
    // point number with 126 bits after the point.
    let odd = x.exponent & 1;
    let radicand = x.significand >> (1 - odd);
    let root = if format.precision() <= 64 {
        // As an integer the radicand has 127 or 128 bits, and its root 64. The rest
        // is above the root just where the number is above the midpoint to the
        // next root; it never lies on it.
        let root = radicand.isqrt();
        let rest = radicand - root * root;
        root << 64 | ((rest > root) as u128) << 63 | (rest != 0) as u128
    } else {
        root_digits(radicand, format.precision() + 1)
    };
    format.round(false, (x.exponent - odd) / 2, root)
}

/// The square root of `radicand / 2^126`, which lies in [1, 4): `digits` bits of
/// it from the highest bit down, the lowest bit sticky. One bit per iteration, as
/// in the pen-and-paper method.
fn root_digits(radicand: u128, digits: u32) -> u128 {
    let (mut radicand, mut rest, mut root) = (radicand, 0u128, 0u128);
    for _ in 0..digits {
        rest = rest << 2 | radicand >> 126;
        radicand <<= 2;
        let trial = root << 2 | 1;
        root <<= 1;
        if rest >= trial {
            rest -= trial;
            root |= 1;
        }
    }
    let sticky = (rest | radicand) != 0;
    root << (128 - digits) | sticky as u128
}

/// `a * b + c`, rounded once. A NaN result is that of a product and a sum.
pub(super) fn fma(format: Format, a: u128, b: u128, c: u128) -> u128 {
    let (x, y, z) = (format.unpack(a), format.unpack(b), format.unpack(c));
    let negative = x.negative != y.negative;
    match (x.class, y.class) {
        (FloatClass::Finite, FloatClass::Finite) if z.class == FloatClass::Finite => {}
        (FloatClass::Finite, FloatClass::Finite) if z.class == FloatClass::Zero => {
            return mul(format, a, b);
        }
        (FloatClass::Finite, FloatClass::Finite) => return format.pack(z),
        // No rounding happens in a product that is not finite, or zero.
        _ => return add(format, mul(format, a, b), c),
    }
    let product = U256::product(x.significand, y.significand);
    let product_exponent = x.exponent + y.exponent + 1;
    let summand = U256 { high: z.significand, low: 0 };
    // One bit of room for the carry. The significand of the nearer number may
    // lose bits only where the distance forbids cancellation.
    let (product, summand) = (product.shift_right_sticky(1), summand.shift_right_sticky(1));
    let distance = product_exponent - z.exponent;
    let (exponent, product, summand) = if distance >= 0 {
        (product_exponent, product, summand.shift_right_sticky(distance as u32))
    } else {
        (z.exponent, product.shift_right_sticky(distance.unsigned_abs()), summand)
    };
    let (negative, sum) = if negative == z.negative {
        (negative, product.wrapping_add(summand))
    } else if product >= summand {
        (negative, product.wrapping_sub(summand))
    } else {
        (z.negative, summand.wrapping_sub(product))
    };
    if sum.is_zero() {
        return format.zero(false);
    }
    let shift = sum.leading_zeros();
    let significand = sum.shift_left(shift).high_sticky();
    format.round(negative, exponent + 1 - shift as i32, significand)
}

/// The order of two floats; `None` if one is NaN.
#[inline(always)]
pub(super) fn compare(format: Format, a: u128, b: u128) -> Option<Ordering> {
    if is_nan(format, a) || is_nan(format, b) {
        return None;
    }
    Some(ordered(format, a).cmp(&ordered(format, b)))
}

/// An integer with the same order as the numbers; both zeros are equal.
#[inline(always)]
fn ordered(format: Format, a: u128) -> i128 {
    let mut magnitude = abs(format, a);
    if format == Format::F80 && magnitude >> 63 == 1 {
        // A pseudo-denormal: equal to the number whose exponent is not zero.
        magnitude |= 1 << 64;
    }
    let negative = a & format.sign_bit() != 0;
    if negative { -(magnitude as i128) } else { magnitude as i128 }
}

/// The rounding direction to an integral value.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Rounding {
    Down,
    Up,
    TowardZero,
    NearestEven,
    NearestAway,
}

/// Rounds a float to an integral value in a direction; zeros keep their sign.
#[inline(always)]
pub(super) fn round_integral(format: Format, a: u128, rounding: Rounding) -> u128 {
    let x = format.unpack(a);
    if x.class != FloatClass::Finite || x.exponent >= format.precision() as i32 - 1 {
        return format.pack(x);
    }
    // The fraction as a part of 2^128; far below one half it stays below one half.
    let (whole, fraction) = match x.exponent {
        exponent @ 0.. => (x.significand >> (127 - exponent), x.significand << (exponent + 1)),
        -1 => (0, x.significand),
        _ => (0, 1),
    };
    const HALF: u128 = 1 << 127;
    let away = match rounding {
        Rounding::Down => x.negative && fraction != 0,
        Rounding::Up => !x.negative && fraction != 0,
        Rounding::TowardZero => false,
        Rounding::NearestEven => fraction > HALF || fraction == HALF && whole & 1 != 0,
        Rounding::NearestAway => fraction >= HALF,
    };
    from_magnitude(format, x.negative, whole + away as u128)
}

/// The float nearest to an integer.
#[inline(always)]
pub(super) fn from_magnitude(format: Format, negative: bool, magnitude: u128) -> u128 {
    if magnitude == 0 {
        return format.zero(negative);
    }
    let shift = magnitude.leading_zeros();
    format.round(negative, 127 - shift as i32, magnitude << shift)
}
