//! Integers: against Rust's integers for their widths, and exhaustively against a naive
//! definition in `i64` for all small widths.

use byway_base::int::*;

use crate::random::Random;

/// The pattern of an exact result, and whether it does not fit.
fn wrap(exact: i64, low: i64, high: i64, width: u32) -> (u128, bool) {
    (exact as u128 & mask(width), exact < low || exact > high)
}

/// The shift of an x86 register of 32 bits, which all widths up to 32 use.
fn x86_shift(value: i64, amount: i64, left: bool) -> i64 {
    let amount = amount & 31;
    if left { ((value as u64) << amount) as i64 } else { value >> amount }
}

#[test]
fn small_widths_against_a_naive_definition() {
    for width in 1..=6 {
        let (count, half) = (1i64 << width, 1i64 << (width - 1));
        let sign = |x: i64| if x >= half { x - count } else { x };
        for a in 0..count {
            check_unary(a, sign(a), width);
            for b in 0..count {
                check_binary((a, sign(a)), (b, sign(b)), width);
                for amount in 0..count {
                    let by = amount % width as i64;
                    let joined = (a << width | b) as u64;
                    let left = (joined << by >> width) as u128 & mask(width);
                    let right = (joined >> by) as u128 & mask(width);
                    let [a, b, amount] = [a, b, amount].map(|x| x as u128);
                    assert_eq!(funnel_left(a, b, amount, width), left);
                    assert_eq!(funnel_right(a, b, amount, width), right);
                }
            }
        }
    }
}

fn check_unary(a: i64, signed_a: i64, width: u32) {
    let bits = |x: u32| x as u128 & mask(width);
    let value = a as u128;
    let digits: Vec<bool> = (0..width).map(|i| a >> i & 1 == 1).collect();
    let zeros = |mut it: Box<dyn Iterator<Item = &bool> + '_>| {
        bits(it.position(|&d| d).unwrap_or(width as usize) as u32)
    };
    assert_eq!(ctpop(value, width), bits(digits.iter().filter(|&&d| d).count() as u32));
    assert_eq!(cttz(value, width), zeros(Box::new(digits.iter())));
    assert_eq!(ctlz(value, width), zeros(Box::new(digits.iter().rev())));
    let reversed = digits.iter().fold(0, |r, &d| r << 1 | d as u128);
    assert_eq!(bitreverse(value, width), reversed);
    assert_eq!(abs(value, width), signed_a.unsigned_abs() as u128 & mask(width));
    assert_eq!(signed(value, width), signed_a as i128);
    assert_eq!(sext(value, width, 100), signed_a as i128 as u128 & mask(100));
    assert_eq!(sext(value, width, width), value);
    assert_eq!(trunc(0xabc << width | value, width), value);
    assert_eq!(zext(value), value);
}

fn check_binary((ua, sa): (i64, i64), (ub, sb): (i64, i64), width: u32) {
    let (a, b) = (ua as u128, ub as u128);
    let (low, high) = (-(1i64 << (width - 1)), (1i64 << (width - 1)) - 1);
    let top = (1i64 << width) - 1;
    let pattern = |x: i64| x as u128 & mask(width);
    let signed_wrap = |x| wrap(x, low, high, width);
    let unsigned_wrap = |x| wrap(x, 0, top, width);

    assert_eq!(add(a, b, width), pattern(ua + ub));
    assert_eq!(sub(a, b, width), pattern(ua - ub));
    assert_eq!(mul(a, b, width), pattern(ua * ub));
    assert_eq!(sadd_overflow(a, b, width), signed_wrap(sa + sb));
    assert_eq!(ssub_overflow(a, b, width), signed_wrap(sa - sb));
    assert_eq!(smul_overflow(a, b, width), signed_wrap(sa * sb));
    assert_eq!(uadd_overflow(a, b, width), unsigned_wrap(ua + ub));
    assert_eq!(usub_overflow(a, b, width), unsigned_wrap(ua - ub));
    assert_eq!(umul_overflow(a, b, width), unsigned_wrap(ua * ub));

    assert_eq!(sadd_sat(a, b, width), pattern((sa + sb).clamp(low, high)));
    assert_eq!(ssub_sat(a, b, width), pattern((sa - sb).clamp(low, high)));
    assert_eq!(uadd_sat(a, b, width), pattern((ua + ub).clamp(0, top)));
    assert_eq!(usub_sat(a, b), pattern((ua - ub).clamp(0, top)));
    // Amounts reach 63 here and values 6 bits, so 128 bits hold the product.
    let (signed_shifted, unsigned_shifted) = ((sa as i128) << ub, (ua as i128) << ub);
    let clamped = signed_shifted.clamp(low as i128, high as i128);
    assert_eq!(sshl_sat(a, b, width), pattern(clamped as i64));
    assert_eq!(sshl_overflow(a, b, width).1, clamped != signed_shifted);
    let clamped = unsigned_shifted.min(top as i128);
    assert_eq!(ushl_sat(a, b, width), pattern(clamped as i64));
    assert_eq!(ushl_overflow(a, b, width).1, clamped != unsigned_shifted);

    let division = |quotient: Option<i64>, x: i64, y: i64| match (y, quotient) {
        (0, _) => Err(DivError::Zero),
        (-1, _) if x == low => Err(DivError::Overflow),
        (_, quotient) => Ok(pattern(quotient.unwrap_or_default())),
    };
    assert_eq!(udiv(a, b), division(ua.checked_div(ub), ua, ub));
    assert_eq!(urem(a, b), division(ua.checked_rem(ub), ua, ub));
    assert_eq!(sdiv(a, b, width), division(sa.checked_div(sb), sa, sb));
    assert_eq!(srem(a, b, width), division(sa.checked_rem(sb), sa, sb));

    assert_eq!(shl(a, b, width), pattern(x86_shift(ua, ub, true)));
    assert_eq!(lshr(a, b, width), pattern(x86_shift(ua, ub, false)));
    assert_eq!(ashr(a, b, width), pattern(x86_shift(sa, ub, false)));
    assert_eq!(sshl_overflow(a, b, width).0, shl(a, b, width));

    assert_eq!((slt(a, b, width), sle(a, b, width)), (sa < sb, sa <= sb));
    assert_eq!((ult(a, b), ule(a, b)), (ua < ub, ua <= ub));
    assert_eq!(smin(a, b, width), pattern(sa.min(sb)));
    assert_eq!(smax(a, b, width), pattern(sa.max(sb)));
    assert_eq!(umin(a, b), pattern(ua.min(ub)));
    assert_eq!(umax(a, b), pattern(ua.max(ub)));
}

macro_rules! against_language {
    ($test:ident, $unsigned:ident, $signed:ident) => {
        #[test]
        fn $test() {
            const W: u32 = $unsigned::BITS;
            let mut random = Random::new(W as u64);
            let u = |x: $unsigned| x as u128;
            let s = |x: $signed| x as $unsigned as u128;
            for _ in 0..20_000 {
                let (a, b) = (random.integer(W), random.integer(W));
                let (x, y) = (a as $unsigned, b as $unsigned);
                let (i, j) = (x as $signed, y as $signed);
                assert_eq!(add(a, b, W), u(x.wrapping_add(y)));
                assert_eq!(sub(a, b, W), u(x.wrapping_sub(y)));
                assert_eq!(mul(a, b, W), u(x.wrapping_mul(y)));
                assert_eq!(udiv(a, b).ok(), x.checked_div(y).map(u));
                assert_eq!(urem(a, b).ok(), x.checked_rem(y).map(u));
                assert_eq!(sdiv(a, b, W).ok(), i.checked_div(j).map(s));
                assert_eq!(srem(a, b, W).ok(), i.checked_rem(j).map(s));
                let unsigned = |(x, overflow)| (u(x), overflow);
                let signed = |(x, overflow)| (s(x), overflow);
                assert_eq!(uadd_overflow(a, b, W), unsigned(x.overflowing_add(y)));
                assert_eq!(usub_overflow(a, b, W), unsigned(x.overflowing_sub(y)));
                assert_eq!(umul_overflow(a, b, W), unsigned(x.overflowing_mul(y)));
                assert_eq!(sadd_overflow(a, b, W), signed(i.overflowing_add(j)));
                assert_eq!(ssub_overflow(a, b, W), signed(i.overflowing_sub(j)));
                assert_eq!(smul_overflow(a, b, W), signed(i.overflowing_mul(j)));
                assert_eq!(uadd_sat(a, b, W), u(x.saturating_add(y)));
                assert_eq!(usub_sat(a, b), u(x.saturating_sub(y)));
                assert_eq!(sadd_sat(a, b, W), s(i.saturating_add(j)));
                assert_eq!(ssub_sat(a, b, W), s(i.saturating_sub(j)));
                assert_eq!(slt(a, b, W), i < j);
                assert_eq!(sle(a, b, W), i <= j);
                assert_eq!(smin(a, b, W), s(i.min(j)));
                assert_eq!(smax(a, b, W), s(i.max(j)));
                assert_eq!(ctpop(a, W), x.count_ones() as u128);
                assert_eq!(ctlz(a, W), x.leading_zeros() as u128);
                assert_eq!(cttz(a, W), x.trailing_zeros() as u128);
                assert_eq!(bitreverse(a, W), u(x.reverse_bits()));
                assert_eq!(bswap(a, W), u(x.swap_bytes()));
                assert_eq!(abs(a, W), s(i.wrapping_abs()));
                assert_eq!(sext(a, W, 128), i as i128 as u128);

                let by = random.below(W as u64) as u32;
                let amount = by as u128;
                assert_eq!(shl(a, amount, W), u(x << by));
                assert_eq!(lshr(a, amount, W), u(x >> by));
                assert_eq!(ashr(a, amount, W), s(i >> by));
                assert_eq!(sshl_overflow(a, amount, W), (u(x << by), i << by >> by != i));
                assert_eq!(ushl_overflow(a, amount, W), (u(x << by), x << by >> by != x));
                assert_eq!(funnel_left(a, a, b, W), u(x.rotate_left((b % W as u128) as u32)));
                assert_eq!(funnel_right(a, a, b, W), u(x.rotate_right((b % W as u128) as u32)));
                let joined = |upper: u128, lower: u128| upper | lower;
                if by != 0 {
                    let left = joined(u(x << by), u(y >> (W - by)));
                    let right = joined(u(x << (W - by)), u(y >> by));
                    assert_eq!(funnel_left(a, b, amount, W), left);
                    assert_eq!(funnel_right(a, b, amount, W), right);
                }
            }
        }
    };
}

against_language!(width_8, u8, i8);
against_language!(width_16, u16, i16);
against_language!(width_32, u32, i32);
against_language!(width_64, u64, i64);
against_language!(width_128, u128, i128);

#[test]
fn excessive_shifts_behave_like_x86_registers() {
    // 32-bit registers hold the narrow widths.
    assert_eq!(shl(1, 8, 8), 0);
    assert_eq!(shl(1, 33, 8), 2);
    assert_eq!(lshr(0x80, 39, 8), 1);
    assert_eq!(ashr(0x80, 31, 8), 0xff);
    assert_eq!(shl(1, 32, 32), 1);
    assert_eq!(shl(1, 40, 33), 0);
    assert_eq!(lshr(1 << 32, 64 + 32, 33), 1);
    assert_eq!(shl(1, 64, 64), 1);
    assert_eq!(ashr(1 << 63, 127, 64), u64::MAX as u128);
    assert_eq!(shl(1, 64, 65), 1 << 64);
    assert_eq!(shl(1, 65, 65), 0);
    assert_eq!(shl(1, 129, 128), 2);
    // An amount's bits above the lowest do not matter.
    assert_eq!(lshr(6, 1 << 100 | 1, 128), 3);
}

#[test]
fn a_shift_by_the_width_overflows_except_for_zero() {
    assert_eq!(sshl_overflow(0, 200, 8), (0, false));
    assert_eq!(sshl_overflow(1, 32, 8), (1, true));
    assert_eq!(sshl_sat(0x80, 200, 8), 0x80);
    assert_eq!(sshl_sat(1, 200, 8), 0x7f);
    assert_eq!(ushl_sat(1, 200, 8), 0xff);
    assert_eq!(ushl_sat(0, 200, 8), 0);
}

#[test]
fn odd_width_byte_swap() {
    assert_eq!(bswap(0x0102_0304_0506, 48), 0x0605_0403_0201);
}
