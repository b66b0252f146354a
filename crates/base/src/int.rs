//! Integer arithmetic on bit patterns of any width from 1 to 128.
//!
//! A value is a `u128` whose bits above the width are zero (canonical); every
//! function takes and returns canonical values. Results wrap modulo 2^width
//! unless the name says otherwise. The interpreter and constant folding
//! both use these functions, so they cannot disagree.

/// The reason why a division has no result.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum DivError {
    /// The divisor is zero.
    Zero,
    /// The smallest signed number divided by minus one.
    Overflow,
}

/// All ones of a width.
#[inline]
pub const fn mask(width: u32) -> u128 {
    debug_assert!(width >= 1 && width <= 128);
    u128::MAX >> (128 - width)
}

/// The lowest `width` bits of the value.
#[inline]
pub const fn cut(value: u128, width: u32) -> u128 {
    value & mask(width)
}

/// The value as a signed number.
#[inline]
pub const fn signed(value: u128, width: u32) -> i128 {
    debug_assert!(width >= 1 && width <= 128);
    let unused = 128 - width;
    ((value << unused) as i128) >> unused
}

/// The pattern of a signed number, truncated to `width` bits.
#[inline]
pub const fn from_signed(value: i128, width: u32) -> u128 {
    cut(value as u128, width)
}

/// The smallest signed number: only the sign bit set.
#[inline]
pub const fn signed_min(width: u32) -> u128 {
    1 << (width - 1)
}

/// The largest signed number: all bits but the sign bit set.
#[inline]
pub const fn signed_max(width: u32) -> u128 {
    mask(width) >> 1
}

#[inline]
const fn is_negative(value: u128, width: u32) -> bool {
    value >> (width - 1) != 0
}

/// Sum.
#[inline]
pub const fn add(a: u128, b: u128, width: u32) -> u128 {
    cut(a.wrapping_add(b), width)
}

/// Difference.
#[inline]
pub const fn sub(a: u128, b: u128, width: u32) -> u128 {
    cut(a.wrapping_sub(b), width)
}

/// Product.
#[inline]
pub const fn mul(a: u128, b: u128, width: u32) -> u128 {
    cut(a.wrapping_mul(b), width)
}

/// Unsigned quotient. Narrow operands use the processor's division, which
/// is several times faster than the 128-bit one.
#[inline]
pub const fn udiv(a: u128, b: u128) -> Result<u128, DivError> {
    if b == 0 {
        Err(DivError::Zero)
    } else if (a | b) >> 64 == 0 {
        Ok((a as u64 / b as u64) as u128)
    } else {
        Ok(a / b)
    }
}

/// Unsigned remainder.
#[inline]
pub const fn urem(a: u128, b: u128) -> Result<u128, DivError> {
    if b == 0 {
        Err(DivError::Zero)
    } else if (a | b) >> 64 == 0 {
        Ok((a as u64 % b as u64) as u128)
    } else {
        Ok(a % b)
    }
}

/// The fault of a signed division, if any.
#[inline]
const fn signed_division_error(a: u128, b: u128, width: u32) -> Option<DivError> {
    if b == 0 {
        Some(DivError::Zero)
    } else if b == mask(width) && a == signed_min(width) {
        Some(DivError::Overflow)
    } else {
        None
    }
}

/// Signed quotient, toward zero.
#[inline]
pub const fn sdiv(a: u128, b: u128, width: u32) -> Result<u128, DivError> {
    if let Some(error) = signed_division_error(a, b, width) {
        return Err(error);
    }
    let (a, b) = (signed(a, width), signed(b, width));
    Ok(from_signed(if width <= 64 { (a as i64 / b as i64) as i128 } else { a / b }, width))
}

/// Signed remainder, with the sign of the dividend.
#[inline]
pub const fn srem(a: u128, b: u128, width: u32) -> Result<u128, DivError> {
    if let Some(error) = signed_division_error(a, b, width) {
        return Err(error);
    }
    let (a, b) = (signed(a, width), signed(b, width));
    Ok(from_signed(if width <= 64 { (a as i64 % b as i64) as i128 } else { a % b }, width))
}

/// The effective amount of an x86 shift of this width: modulo 32 up to
/// width 32, modulo 64 up to 64, modulo 128 above.
#[inline]
const fn shift_amount(amount: u128, width: u32) -> u32 {
    let modulus = if width <= 32 {
        32
    } else if width <= 64 {
        64
    } else {
        128
    };
    amount as u32 & (modulus - 1)
}

/// Shift left. An amount of the width or more gives the result of the x86
/// instruction: the amount is taken modulo 32 (64, 128) for a 32- (64-, 128-) bit register,
/// and the result is truncated to the width.
#[inline]
pub const fn shl(a: u128, amount: u128, width: u32) -> u128 {
    cut(a << shift_amount(amount, width), width)
}

/// Logical shift right. An excessive amount: as [`shl`].
#[inline]
pub const fn lshr(a: u128, amount: u128, width: u32) -> u128 {
    a >> shift_amount(amount, width)
}

/// Arithmetic shift right. An excessive amount: as [`shl`].
#[inline]
pub const fn ashr(a: u128, amount: u128, width: u32) -> u128 {
    from_signed(signed(a, width) >> shift_amount(amount, width), width)
}

/// `a < b`, signed.
#[inline]
pub const fn slt(a: u128, b: u128, width: u32) -> bool {
    // Flipping the sign bit maps the signed order to the unsigned one.
    a ^ signed_min(width) < b ^ signed_min(width)
}

/// `a <= b`, signed.
#[inline]
pub const fn sle(a: u128, b: u128, width: u32) -> bool {
    !slt(b, a, width)
}

/// `a < b`, unsigned.
#[inline]
pub const fn ult(a: u128, b: u128) -> bool {
    a < b
}

/// `a <= b`, unsigned.
#[inline]
pub const fn ule(a: u128, b: u128) -> bool {
    a <= b
}

/// Signed minimum.
#[inline]
pub const fn smin(a: u128, b: u128, width: u32) -> u128 {
    if slt(b, a, width) { b } else { a }
}

/// Signed maximum.
#[inline]
pub const fn smax(a: u128, b: u128, width: u32) -> u128 {
    if slt(a, b, width) { b } else { a }
}

/// Unsigned minimum.
#[inline]
pub const fn umin(a: u128, b: u128) -> u128 {
    if b < a { b } else { a }
}

/// Unsigned maximum.
#[inline]
pub const fn umax(a: u128, b: u128) -> u128 {
    if a < b { b } else { a }
}

/// Signed sum, wrapped, and whether the exact result does not fit.
#[inline]
pub const fn sadd_overflow(a: u128, b: u128, width: u32) -> (u128, bool) {
    let sum = add(a, b, width);
    // Both operands differ from the sum in sign.
    (sum, is_negative((a ^ sum) & (b ^ sum), width))
}

/// Unsigned sum, wrapped, and whether the exact result does not fit.
#[inline]
pub const fn uadd_overflow(a: u128, b: u128, width: u32) -> (u128, bool) {
    let sum = add(a, b, width);
    (sum, sum < a)
}

/// Signed difference, wrapped, and whether the exact result does not fit.
#[inline]
pub const fn ssub_overflow(a: u128, b: u128, width: u32) -> (u128, bool) {
    let difference = sub(a, b, width);
    // The operands differ in sign, and the result differs from the first.
    (difference, is_negative((a ^ b) & (a ^ difference), width))
}

/// Unsigned difference, wrapped, and whether the exact result is negative.
#[inline]
pub const fn usub_overflow(a: u128, b: u128, width: u32) -> (u128, bool) {
    (sub(a, b, width), a < b)
}

/// Signed product, wrapped, and whether the exact result does not fit.
#[inline]
pub const fn smul_overflow(a: u128, b: u128, width: u32) -> (u128, bool) {
    let (exact, lost) = signed(a, width).overflowing_mul(signed(b, width));
    let product = from_signed(exact, width);
    (product, lost || signed(product, width) != exact)
}

/// Unsigned product, wrapped, and whether the exact result does not fit.
#[inline]
pub const fn umul_overflow(a: u128, b: u128, width: u32) -> (u128, bool) {
    let (exact, lost) = a.overflowing_mul(b);
    let product = cut(exact, width);
    (product, lost || product != exact)
}

/// [`shl`], and whether `a * 2^amount`, computed exactly with `a` signed, does
/// not fit. Zero never overflows, whatever the amount.
#[inline]
pub const fn sshl_overflow(a: u128, amount: u128, width: u32) -> (u128, bool) {
    let shifted = shl(a, amount, width);
    let fits = if amount >= width as u128 { a == 0 } else { ashr(shifted, amount, width) == a };
    (shifted, !fits)
}

/// [`shl`], and whether `a * 2^amount`, computed exactly with `a` unsigned, does
/// not fit. Zero never overflows, whatever the amount.
#[inline]
pub const fn ushl_overflow(a: u128, amount: u128, width: u32) -> (u128, bool) {
    let shifted = shl(a, amount, width);
    let fits = if amount >= width as u128 { a == 0 } else { lshr(shifted, amount, width) == a };
    (shifted, !fits)
}

/// The bound a signed result is clamped to, by the sign of the exact result.
#[inline]
const fn signed_bound(negative: bool, width: u32) -> u128 {
    if negative { signed_min(width) } else { signed_max(width) }
}

/// Signed sum, clamped.
#[inline]
pub const fn sadd_sat(a: u128, b: u128, width: u32) -> u128 {
    match sadd_overflow(a, b, width) {
        (_, true) => signed_bound(is_negative(a, width), width),
        (sum, false) => sum,
    }
}

/// Unsigned sum, clamped.
#[inline]
pub const fn uadd_sat(a: u128, b: u128, width: u32) -> u128 {
    match uadd_overflow(a, b, width) {
        (_, true) => mask(width),
        (sum, false) => sum,
    }
}

/// Signed difference, clamped.
#[inline]
pub const fn ssub_sat(a: u128, b: u128, width: u32) -> u128 {
    match ssub_overflow(a, b, width) {
        (_, true) => signed_bound(is_negative(a, width), width),
        (difference, false) => difference,
    }
}

/// Unsigned difference, clamped at zero.
#[inline]
pub const fn usub_sat(a: u128, b: u128) -> u128 {
    a.saturating_sub(b)
}

/// Signed shift left, clamped, also for amounts of the width or more.
#[inline]
pub const fn sshl_sat(a: u128, amount: u128, width: u32) -> u128 {
    match sshl_overflow(a, amount, width) {
        (_, true) => signed_bound(is_negative(a, width), width),
        (shifted, false) => shifted,
    }
}

/// Unsigned shift left, clamped, also for amounts of the width or more.
#[inline]
pub const fn ushl_sat(a: u128, amount: u128, width: u32) -> u128 {
    match ushl_overflow(a, amount, width) {
        (_, true) => mask(width),
        (shifted, false) => shifted,
    }
}

/// Number of ones. (Truncated to the width, like every result: a width of 1 or 2 cannot
/// hold all counts; the same holds for [`ctlz`] and [`cttz`].)
#[inline]
pub const fn ctpop(a: u128, width: u32) -> u128 {
    cut(a.count_ones() as u128, width)
}

/// Leading zeros; the width for zero.
#[inline]
pub const fn ctlz(a: u128, width: u32) -> u128 {
    cut((a.leading_zeros() - (128 - width)) as u128, width)
}

/// Trailing zeros; the width for zero.
#[inline]
pub const fn cttz(a: u128, width: u32) -> u128 {
    cut(if a == 0 { width } else { a.trailing_zeros() } as u128, width)
}

/// Bytes reversed; the width is a multiple of 8.
#[inline]
pub const fn bswap(a: u128, width: u32) -> u128 {
    a.swap_bytes() >> (128 - width)
}

/// Bits reversed.
#[inline]
pub const fn bitreverse(a: u128, width: u32) -> u128 {
    a.reverse_bits() >> (128 - width)
}

/// Absolute value; the minimum stays itself.
#[inline]
pub const fn abs(a: u128, width: u32) -> u128 {
    if is_negative(a, width) { sub(0, a, width) } else { a }
}

/// Upper half of `a:b` shifted left by `amount` modulo the width.
#[inline]
pub const fn funnel_left(a: u128, b: u128, amount: u128, width: u32) -> u128 {
    let amount = (amount % width as u128) as u32;
    // A zero amount must not shift by the whole width.
    if amount == 0 { a } else { cut(a << amount, width) | b >> (width - amount) }
}

/// Lower half of `a:b` shifted right by `amount` modulo the width.
#[inline]
pub const fn funnel_right(a: u128, b: u128, amount: u128, width: u32) -> u128 {
    let amount = (amount % width as u128) as u32;
    if amount == 0 { b } else { cut(a << (width - amount), width) | b >> amount }
}

/// To a narrower width.
#[inline]
pub const fn trunc(a: u128, to: u32) -> u128 {
    cut(a, to)
}

/// To a wider width, zero-extended: canonical values do not change.
#[inline]
pub const fn zext(a: u128) -> u128 {
    a
}

/// To a wider width, sign-extended.
#[inline]
pub const fn sext(a: u128, from: u32, to: u32) -> u128 {
    from_signed(signed(a, from), to)
}
