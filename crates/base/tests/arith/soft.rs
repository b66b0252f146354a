//! The soft formats against `rustc_apfloat`, an independent implementation, and
//! by properties for operations it lacks. Its NaN patterns differ from those of
//! x86, so NaNs are only compared as NaNs.

use byway_base::float::{self, Format};
use byway_base::int::{mask, signed};
use rustc_apfloat::ieee::{BFloat, Double, Half, Quad, X87DoubleExtended};
use rustc_apfloat::{Float, FloatConvert, Round};

use crate::random::Random;

const SOFT: [Format; 4] = [Format::Half, Format::Bf16, Format::F80, Format::F128];

fn same(format: Format, what: &str, got: u128, expected: u128, operands: &[u128]) {
    let both_nan = float::is_nan(format, got) && float::is_nan(format, expected);
    assert!(
        got == expected || both_nan,
        "{format:?} {what} {operands:x?}: {got:x} not {expected:x}"
    );
}

fn against_apfloat<F: Float>(format: Format) {
    let mut random = Random::new(3);
    for _ in 0..100_000 {
        let [a, b, c] = [(); 3].map(|()| random.float(format));
        let [x, y, z] = [a, b, c].map(F::from_bits);
        let check = |what: &str, got: u128, expected: F| {
            same(format, what, got, expected.to_bits(), &[a, b, c]);
        };
        check("add", float::add(format, a, b), (x + y).value);
        check("sub", float::sub(format, a, b), (x - y).value);
        check("mul", float::mul(format, a, b), (x * y).value);
        // Far exponents take the other library very long.
        if x.is_zero() || y.is_zero() || (x.ilogb() as i64 - y.ilogb() as i64).abs() < 300 {
            check("rem", float::rem(format, a, b), x.c_fmod(y).value);
        }
        check("div", float::div(format, a, b), (x / y).value);
        check("fma", float::fma(format, a, b, c), x.mul_add(y, z).value);
        let to = |round| x.round_to_integral(round).value;
        check("floor", float::floor(format, a), to(Round::TowardNegative));
        check("ceil", float::ceil(format, a), to(Round::TowardPositive));
        check("trunc", float::trunc(format, a), to(Round::TowardZero));
        check("round", float::round(format, a), to(Round::NearestTiesToAway));
        check("round_even", float::round_even(format, a), to(Round::NearestTiesToEven));
        assert_eq!(float::compare(format, a, b), x.partial_cmp(&y));

        // The other library has no signed integers of one bit.
        let width = 2 + random.below(127) as u32;
        let n = random.integer(width);
        check("from_ui", float::from_ui(format, n), F::from_u128(n).value);
        let i = signed(n, width);
        check("from_si", float::from_si(format, n, width), F::from_i128(i).value);
        let (clamped, unsigned) = (x.to_i128(width as usize), x.to_u128(width as usize));
        if !x.is_nan() {
            let cut = clamped.value as u128 & mask(width);
            assert_eq!(float::to_si_sat(format, a, width), cut, "{format:?} {a:x} {width}");
            assert_eq!(float::to_ui_sat(format, a, width), unsigned.value);
        }
    }
}

#[test]
fn half() {
    against_apfloat::<Half>(Format::Half);
}

#[test]
fn bf16() {
    against_apfloat::<BFloat>(Format::Bf16);
}

#[test]
fn extended() {
    against_apfloat::<X87DoubleExtended>(Format::F80);
}

#[test]
fn quad() {
    against_apfloat::<Quad>(Format::F128);
}

fn conversion<F, T>(from: Format, to: Format)
where
    F: Float + FloatConvert<T>,
    T: Float,
{
    let mut random = Random::new(4);
    for _ in 0..20_000 {
        let a = random.float(from);
        let expected: T = F::from_bits(a).convert(&mut false).value;
        same(to, "convert", float::convert(from, to, a), expected.to_bits(), &[a]);
    }
}

#[test]
fn conversions() {
    use Format::*;
    conversion::<X87DoubleExtended, Double>(F80, F64);
    conversion::<Double, X87DoubleExtended>(F64, F80);
    conversion::<Quad, X87DoubleExtended>(F128, F80);
    conversion::<X87DoubleExtended, Quad>(F80, F128);
    conversion::<Quad, Double>(F128, F64);
    conversion::<Double, rustc_apfloat::ieee::Half>(F64, Half);
    conversion::<rustc_apfloat::ieee::Half, Double>(Half, F64);
    conversion::<Double, BFloat>(F64, Bf16);
    conversion::<BFloat, Quad>(Bf16, F128);
}

#[test]
fn widening_and_narrowing_is_the_identity() {
    let mut random = Random::new(5);
    for (narrow, wide) in [
        (Format::Half, Format::F64),
        (Format::Bf16, Format::F32),
        (Format::F32, Format::F80),
        (Format::F64, Format::F80),
        (Format::F64, Format::F128),
        (Format::F80, Format::F128),
    ] {
        for _ in 0..10_000 {
            let a = random.float(narrow);
            let back = float::convert(wide, narrow, float::convert(narrow, wide, a));
            same(narrow, "there and back", back, a, &[a]);
        }
    }
}

/// All of half precision, where a quotient or root rounded to double and then to
/// half is rounded correctly.
#[test]
fn half_roots_are_those_of_double() {
    for a in 0..1 << 16 {
        let double = float::convert(Format::Half, Format::F64, a);
        let root = float::convert(Format::F64, Format::Half, float::sqrt(Format::F64, double));
        assert_eq!(float::sqrt(Format::Half, a), root, "{a:x}");
    }
}

/// A root `r` is correct if the number lies between the squares of the midpoints
/// to its neighbours: `(2r - 1)^2 < 4x < (2r + 1)^2`, all over the square of the
/// root's last place, so that they are integers.
#[test]
fn roots_lie_between_the_squares_of_the_midpoints() {
    let mut random = Random::new(6);
    for format in [Format::Bf16, Format::F80, Format::F128] {
        let (p, place) = (format.precision(), format.bits() - 1 - exponent_bits(format));
        for _ in 0..20_000 {
            let number = match random.below(4) {
                0 => mask(p) << random.below(p as u64) & mask(p),
                1 => 1 << (p - 1) | random.below(4) as u128,
                _ => random.wide() & mask(p) | 1 << (p - 1),
            };
            let power = random.below(40) as i32;
            let x = float::from_ui(format, number) + ((power as u128) << place);
            let root = float::sqrt(format, x);
            let last_place = (root >> place) as i32 - format.max_exponent() - (p as i32 - 1);
            let root = root.wrapping_sub_signed((last_place as i128) << place);
            let root = float::to_ui_sat(format, root, p);
            let four_x = shifted(4 * number, (power - 2 * last_place) as u32);
            let (below, above) = (square(2 * root - 1), square(2 * root + 1));
            assert!(below < four_x && four_x < above, "{format:?} {x:x}");
        }
    }
}

fn exponent_bits(format: Format) -> u32 {
    32 - format.max_exponent().leading_zeros() + 1
}

/// `a * 2^by` in 256 bits, the upper half first.
fn shifted(a: u128, by: u32) -> (u128, u128) {
    match by {
        0 => (0, a),
        1..128 => (a >> (128 - by), a << by),
        _ => (a << (by - 128), 0),
    }
}

/// The square in 256 bits, the upper half first.
fn square(a: u128) -> (u128, u128) {
    let (high, low) = (a >> 64, a & u64::MAX as u128);
    let twice = shifted(high * low, 65);
    let (sum, carry) = (low * low).overflowing_add(twice.1);
    (high * high + twice.0 + carry as u128, sum)
}

#[test]
fn roots_of_squares_are_exact() {
    let mut random = Random::new(7);
    for format in [Format::F80, Format::F128] {
        for _ in 0..10_000 {
            let n = (random.word() >> (64 - format.precision() / 2)) as u128;
            let root = float::from_ui(format, n);
            assert_eq!(float::sqrt(format, float::mul(format, root, root)), root);
        }
    }
}

/// Remainders that wide integers can compute.
#[test]
fn remainders_of_integers() {
    let mut random = Random::new(9);
    for format in [Format::F80, Format::F128] {
        for _ in 0..10_000 {
            let shift = random.below(64) as u32;
            let (a, b) = ((random.word() as u128) << shift, 1 + (random.word() >> shift) as u128);
            let [x, y, rest] = [a, b, a % b].map(|n| float::from_ui(format, n));
            assert_eq!(float::rem(format, x, y), rest);
        }
    }
}

#[test]
fn invalid_extended_patterns_give_the_default_nan() {
    let f = Format::F80;
    let one = float::from_ui(f, 1);
    // An unnormal, a pseudo-infinity and a pseudo-NaN.
    for bad in [0x3fff << 64 | 1, 0x7fff << 64, 0x7fff << 64 | 5] {
        assert_eq!(float::add(f, bad, one), f.default_nan());
        assert_eq!(float::sub(f, one, bad), f.default_nan());
        assert_eq!(float::mul(f, bad, bad), f.default_nan());
        assert_eq!(float::div(f, one, bad), f.default_nan());
        assert_eq!(float::rem(f, bad, one), f.default_nan());
        assert_eq!(float::sqrt(f, bad), f.default_nan());
        assert_eq!(float::fma(f, one, bad, one), f.default_nan());
        assert_eq!(float::round(f, bad), f.default_nan());
        assert_eq!(float::compare(f, bad, one), None);
        assert_eq!(float::convert(f, Format::F64, bad), Format::F64.default_nan());
        assert_eq!(float::to_si(f, bad, 32), 1 << 31);
        assert_eq!(float::to_si_sat(f, bad, 32), 0);
    }
    // A pseudo-denormal equals the smallest normal number.
    assert_eq!(float::add(f, 1 << 63, 0), 1 << 64 | 1 << 63);
}

/// No operation panics, whatever the pattern.
#[test]
fn every_pattern_is_accepted_as_operand() {
    let mut random = Random::new(10);
    for format in SOFT {
        for _ in 0..20_000 {
            let [a, b, c] = [(); 3].map(|()| random.wide() & mask(format.bits()));
            for op in [float::add, float::sub, float::mul, float::div, float::rem] {
                let result = op(format, a, b);
                assert_eq!(result & mask(format.bits()), result);
            }
            float::fma(format, a, b, c);
            float::sqrt(format, a);
            float::round(format, a);
            float::classify(format, a);
            float::minimum_num(format, a, b);
            let width = 1 + (c % 128) as u32;
            float::to_si(format, a, width);
            float::to_ui(format, a, width);
        }
    }
}
