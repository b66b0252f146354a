//! Single and double precision against Rust's floats. The patterns of
//! NaNs, which Rust does not define, are checked by their rule.

use byway_base::float::{self, Format};

use crate::random::Random;

macro_rules! against_language {
    ($test:ident, $format:expr, $float:ident, $bits:ident) => {
        #[test]
        fn $test() {
            const F: Format = $format;
            let quiet: u128 = 1 << (F.precision() - 2);
            let value = |a: u128| $float::from_bits(a as $bits);
            // The first NaN operand made quiet, else the default NaN.
            let same = |what: &str, got: u128, expected: $float, operands: &[u128]| {
                let expected = if expected.is_nan() {
                    let nan = operands.iter().find(|&&a| value(a).is_nan());
                    nan.map_or(F.default_nan(), |&a| a | quiet)
                } else {
                    expected.to_bits() as u128
                };
                assert_eq!(got, expected, "{what} {operands:x?}: {got:x} not {expected:x}");
            };
            let mut random = Random::new(1);
            for _ in 0..100_000 {
                let (a, b) = (random.float(F), random.float(F));
                let (x, y) = (value(a), value(b));
                same("add", float::add(F, a, b), x + y, &[a, b]);
                same("sub", float::sub(F, a, b), x - y, &[a, b]);
                same("mul", float::mul(F, a, b), x * y, &[a, b]);
                same("div", float::div(F, a, b), x / y, &[a, b]);
                same("rem", float::rem(F, a, b), x % y, &[a, b]);
                same("sqrt", float::sqrt(F, a), x.sqrt(), &[a]);
                same("floor", float::floor(F, a), x.floor(), &[a]);
                same("ceil", float::ceil(F, a), x.ceil(), &[a]);
                same("trunc", float::trunc(F, a), x.trunc(), &[a]);
                same("round", float::round(F, a), x.round(), &[a]);
                same("round_even", float::round_even(F, a), x.round_ties_even(), &[a]);
                assert_eq!(float::compare(F, a, b), x.partial_cmp(&y));
                assert_eq!(float::is_nan(F, a), x.is_nan());
                let c = random.float(F);
                let fused = x.mul_add(y, value(c));
                same("fma", float::fma(F, a, b, c), fused, &[a, b, c]);

                for (width, signed, unsigned) in [
                    (8, x as i8 as u8 as u128, x as u8 as u128),
                    (16, x as i16 as u16 as u128, x as u16 as u128),
                    (32, x as i32 as u32 as u128, x as u32 as u128),
                    (64, x as i64 as u64 as u128, x as u64 as u128),
                    (128, x as i128 as u128, x as u128),
                ] {
                    assert_eq!(float::to_si_sat(F, a, width), signed);
                    assert_eq!(float::to_ui_sat(F, a, width), unsigned);
                    // If clamping changes nothing, the plain conversions agree.
                    let limit = 2f64.powi(width as i32 - 1);
                    if (x as f64).trunc() >= -limit && (x as f64) < limit {
                        assert_eq!(float::to_si(F, a, width), signed);
                    }
                    if x > -1.0 && (x as f64) < 2.0 * limit {
                        assert_eq!(float::to_ui(F, a, width), unsigned);
                    }
                    let n = random.integer(width);
                    let shift = 128 - width;
                    let i = (n << shift) as i128 >> shift;
                    let nearest = (i as $float).to_bits() as u128;
                    assert_eq!(float::from_si(F, n, width), nearest);
                    assert_eq!(float::from_ui(F, n), (n as $float).to_bits() as u128);
                }
            }
        }
    };
}

against_language!(single_precision, Format::F32, f32, u32);
against_language!(double_precision, Format::F64, f64, u64);

#[test]
fn conversions_between_single_and_double() {
    let mut random = Random::new(2);
    for _ in 0..100_000 {
        let a = random.float(Format::F64);
        let (x, got) =
            (f64::from_bits(a as u64), float::convert(Format::F64, Format::F32, a) as u32);
        if x.is_nan() {
            let sign = (a >> 63 << 31) as u32;
            assert_eq!(got, sign | 0x7fc0_0000 | (a >> 29) as u32 & 0x003f_ffff);
        } else {
            assert_eq!(got, (x as f32).to_bits());
        }
        let a = random.float(Format::F32);
        let (x, got) =
            (f32::from_bits(a as u32), float::convert(Format::F32, Format::F64, a) as u64);
        if x.is_nan() {
            let a = a as u64;
            assert_eq!(got, a >> 31 << 63 | 0x7ff8 << 48 | (a & 0x3f_ffff) << 29);
        } else {
            assert_eq!(got, (x as f64).to_bits());
        }
    }
}

#[test]
fn out_of_range_conversions_are_those_of_the_instructions() {
    use Format::{F32, F64, F80, F128};
    let double = |x: f64| x.to_bits() as u128;
    let nan = double(f64::NAN);
    for x in [double(1e30), double(-1e30), double(f64::INFINITY), nan] {
        assert_eq!(float::to_si(F64, x, 8), 0);
        assert_eq!(float::to_si(F64, x, 16), 0);
        assert_eq!(float::to_si(F64, x, 32), 1 << 31);
        assert_eq!(float::to_si(F64, x, 40), 0);
        assert_eq!(float::to_si(F64, x, 64), 1 << 63);
        assert_eq!(float::to_ui(F64, x, 8), 0);
        assert_eq!(float::to_ui(F64, x, 32), 0);
        assert_eq!(float::to_ui(F64, x, 64), 1 << 63);
    }
    // In the range of the instruction, but not of the type.
    assert_eq!(float::to_si(F64, double(300.0), 8), 44);
    assert_eq!(float::to_ui(F64, double(-1.0), 8), 0xff);
    assert_eq!(float::to_ui(F64, double(-1.0), 32), 0xffff_ffff);
    assert_eq!(float::to_ui(F64, double(4294967296.0 + 5.0), 32), 5);
    assert_eq!(float::to_ui(F64, double(4294967296.0 + 5.0), 31), 0);
    assert_eq!(float::to_ui(F64, double(-2.5), 64), u64::MAX as u128 - 1);
    let two_63 = 9223372036854775808.0;
    assert_eq!(float::to_ui(F64, double(two_63 + 2048.0), 64), (1 << 63) + 2048);
    assert_eq!(float::to_ui(F32, (two_63 as f32).to_bits() as u128, 64), 1 << 63);
    // x87 has a 16-bit instruction, and another way to 64 unsigned bits.
    let extended = |x: f64| float::convert(F64, F80, double(x));
    assert_eq!(float::to_si(F80, extended(1e30), 16), 0x8000);
    assert_eq!(float::to_si(F80, extended(40000.0), 16), 0x8000);
    assert_eq!(float::to_ui(F80, extended(40000.0), 16), 40000);
    assert_eq!(float::to_ui(F80, extended(40000.0), 8), 0);
    assert_eq!(float::to_ui(F80, extended(1e30), 64), 0);
    assert_eq!(float::to_ui(F80, extended(f64::NAN), 64), 0);
    assert_eq!(float::to_ui(F80, extended(-1e30), 64), 1 << 63);
    assert_eq!(float::to_ui(F80, extended(-2.0), 64), u64::MAX as u128 - 1);
    assert_eq!(float::to_ui(F80, extended(two_63), 64), 1 << 63);
    let quad = |x: f64| float::convert(F64, F128, double(x));
    assert_eq!(float::to_si(F128, quad(1e30), 64), (1 << 63) - 1);
    assert_eq!(float::to_si(F128, quad(1e30), 16), 0xffff);
    assert_eq!(float::to_ui(F128, quad(-1.0), 16), 0xffff);
    assert_eq!(float::to_ui(F128, quad(-1.0), 32), 0);
    assert_eq!(float::to_ui(F128, quad(f64::NAN), 64), 0);
    assert_eq!(float::to_si(F128, quad(-1e30), 128) as i128, -1e30 as i128);
    assert_eq!(float::to_si(F128, quad(-1e300), 128), 1 << 127);
}

#[test]
fn minima_and_maxima() {
    let f = Format::F64;
    let [one, two, minus_zero, zero] = [1.0, 2.0, -0.0f64, 0.0].map(|x| x.to_bits() as u128);
    let quiet = 0x7ff8_0000_0000_0001;
    let signalling = 0xfff0_0000_0000_0002;
    let quieted = signalling | 1 << 51;

    assert_eq!(float::min_num(f, one, two), one);
    assert_eq!(float::max_num(f, one, two), two);
    for op in [float::min_num, float::max_num] {
        assert_eq!(op(f, zero, minus_zero), zero);
        assert_eq!(op(f, minus_zero, zero), minus_zero);
        assert_eq!(op(f, quiet, one), one);
        assert_eq!(op(f, one, signalling), one);
        assert_eq!(op(f, quiet, signalling), signalling);
    }
    for (op, least) in [
        (float::minimum as fn(Format, u128, u128) -> u128, true),
        (float::maximum, false),
        (float::minimum_num, true),
        (float::maximum_num, false),
    ] {
        let (first, second) = if least { (one, minus_zero) } else { (two, zero) };
        assert_eq!((op(f, one, two), op(f, two, one)), (first, first));
        assert_eq!((op(f, zero, minus_zero), op(f, minus_zero, zero)), (second, second));
        assert_eq!(op(f, signalling, quiet), quieted);
    }
    for op in [float::minimum, float::maximum] {
        assert_eq!(op(f, one, signalling), quieted);
        assert_eq!(op(f, quiet, one), quiet);
    }
    for op in [float::minimum_num, float::maximum_num] {
        assert_eq!(op(f, one, signalling), one);
        assert_eq!(op(f, quiet, one), one);
    }
}

#[test]
fn signs_and_classes() {
    use Format::*;
    for f in [Half, Bf16, F32, F64, F80, F128] {
        let smallest = 1;
        let normal = float::from_ui(f, 3);
        let quiet = float::abs(f, f.default_nan());
        // The default NaN with its quiet bit shifted down is signalling.
        let quiet_bit = 1 << (f.precision() - 2);
        let signalling = quiet ^ quiet_bit | quiet_bit >> 1;
        let classes = [
            (signalling, 0),
            (quiet, 1),
            (f.infinity(true), 2),
            (float::neg(f, normal), 3),
            (float::neg(f, smallest), 4),
            (f.zero(true), 5),
            (f.zero(false), 6),
            (smallest, 7),
            (normal, 8),
            (f.infinity(false), 9),
        ];
        for (a, bit) in classes {
            assert_eq!(float::classify(f, a), 1 << bit, "{f:?} {a:x}");
        }
        assert_eq!(float::neg(f, quiet), f.default_nan());
        assert_eq!(float::copysign(f, normal, f.zero(true)), float::neg(f, normal));
        assert_eq!(float::copysign(f, f.zero(true), normal), 0);
    }
    // An unnormal counts as signalling, a pseudo-denormal by its value.
    assert_eq!(float::classify(F80, 0x3fff << 64 | 1), 1);
    assert_eq!(float::classify(F80, 1 << 63), 1 << 8);
}
