//! Float constructors agree with `byway_base::float`, including NaNs.

use byway_base::ExprId;
use byway_base::float::{self as fp, Format};
use byway_expr::{Evaluator, Model, Pool};

use crate::generate::Rng;

fn patterns(format: Format, rng: &mut Rng) -> Vec<u128> {
    let (one, infinity) = (fp::from_ui(format, 1), format.infinity(false));
    let mut list = vec![0, 1, one, infinity, infinity - 1, infinity + 1, format.default_nan()];
    for exponent in [31, 32, 63, 64, 127] {
        let power = fp::from_ui(format, 1 << exponent);
        list.extend([power, power - 1, power + 1]);
    }
    list.push(fp::div(format, one, fp::from_ui(format, 3)));
    list.push(fp::from_ui(format, 7) | 1);
    // Long doubles: values with two bit patterns, and invalid patterns.
    list.extend(
        [1 << 63, 1 << 63 | 5, 1 << 64, infinity & !(1 << 63) | 9]
            .map(|bits| bits & (format.sign_bit() - 1)),
    );
    for _ in 0..6 {
        list.push(rng.number() & (format.sign_bit() - 1));
    }
    let negative: Vec<u128> = list.iter().map(|&bits| fp::neg(format, bits)).collect();
    list.into_iter().chain(negative).collect()
}

const FORMATS: [Format; 3] = [Format::F32, Format::F64, Format::F80];

type Build = fn(&mut Pool, Format, ExprId, ExprId) -> Option<ExprId>;
type Compute = fn(Format, u128, u128) -> u128;

const BINARY: &[(&str, Build, Compute)] = &[
    ("add", Pool::fadd, fp::add),
    ("sub", Pool::fsub, fp::sub),
    ("mul", Pool::fmul, fp::mul),
    ("div", Pool::fdiv, fp::div),
    ("rem", Pool::frem, fp::rem),
    ("min_num", Pool::fmin_num, fp::min_num),
    ("max_num", Pool::fmax_num, fp::max_num),
    ("minimum", Pool::fminimum, fp::minimum),
    ("maximum", Pool::fmaximum, fp::maximum),
    ("minimum_num", Pool::fminimum_num, fp::minimum_num),
    ("maximum_num", Pool::fmaximum_num, fp::maximum_num),
    ("copysign", |p, f, a, b| Some(p.fcopysign(f, a, b)), fp::copysign),
    ("neg", |p, f, a, _| Some(p.fneg(f, a)), |f, a, _| fp::neg(f, a)),
    ("abs", |p, f, a, _| Some(p.fabs(f, a)), |f, a, _| fp::abs(f, a)),
    ("sqrt", |p, f, a, _| p.fsqrt(f, a), |f, a, _| fp::sqrt(f, a)),
    ("nan", |p, f, a, _| p.fis_nan(f, a), |f, a, _| fp::is_nan(f, a).into()),
    ("unordered", Pool::funordered, |f, a, b| fp::compare(f, a, b).is_none().into()),
    (
        "class snan +inf",
        |p, f, a, _| p.fclass(f, a, 0x201),
        |f, a, _| (fp::classify(f, a) & 0x201 != 0).into(),
    ),
    (
        "class normal",
        |p, f, a, _| p.fclass(f, a, 0x108),
        |f, a, _| (fp::classify(f, a) & 0x108 != 0).into(),
    ),
    (
        "class qnan subnormal -0",
        |p, f, a, _| p.fclass(f, a, 0x0b2),
        |f, a, _| (fp::classify(f, a) & 0x0b2 != 0).into(),
    ),
    ("to i8", |p, f, a, _| p.fto_si(f, a, 8), |f, a, _| fp::to_si(f, a, 8)),
    ("to i32", |p, f, a, _| p.fto_si(f, a, 32), |f, a, _| fp::to_si(f, a, 32)),
    ("to i64", |p, f, a, _| p.fto_si(f, a, 64), |f, a, _| fp::to_si(f, a, 64)),
    ("to i128", |p, f, a, _| p.fto_si(f, a, 128), |f, a, _| fp::to_si(f, a, 128)),
    ("to u16", |p, f, a, _| p.fto_ui(f, a, 16), |f, a, _| fp::to_ui(f, a, 16)),
    ("to u32", |p, f, a, _| p.fto_ui(f, a, 32), |f, a, _| fp::to_ui(f, a, 32)),
    ("to u64", |p, f, a, _| p.fto_ui(f, a, 64), |f, a, _| fp::to_ui(f, a, 64)),
    ("to u128", |p, f, a, _| p.fto_ui(f, a, 128), |f, a, _| fp::to_ui(f, a, 128)),
    ("to i1 sat", |p, f, a, _| p.fto_si_sat(f, a, 1), |f, a, _| fp::to_si_sat(f, a, 1)),
    ("to i32 sat", |p, f, a, _| p.fto_si_sat(f, a, 32), |f, a, _| fp::to_si_sat(f, a, 32)),
    ("to i64 sat", |p, f, a, _| p.fto_si_sat(f, a, 64), |f, a, _| fp::to_si_sat(f, a, 64)),
    ("to u8 sat", |p, f, a, _| p.fto_ui_sat(f, a, 8), |f, a, _| fp::to_ui_sat(f, a, 8)),
    ("to u64 sat", |p, f, a, _| p.fto_ui_sat(f, a, 64), |f, a, _| fp::to_ui_sat(f, a, 64)),
    ("to u128 sat", |p, f, a, _| p.fto_ui_sat(f, a, 128), |f, a, _| fp::to_ui_sat(f, a, 128)),
];

fn symbolic_word(pool: &mut Pool, name: &str, width: u32) -> ExprId {
    let input = pool.input(name, 16);
    let bytes: Vec<ExprId> = (0..width / 8).map(|i| pool.input_byte(input, i)).collect();
    bytes[1..].iter().fold(bytes[0], |low, &high| pool.concat(high, low))
}

#[test]
fn constructors_agree_with_the_arithmetic() {
    let mut rng = Rng::new(11);
    for format in FORMATS {
        let patterns = patterns(format, &mut rng);
        for mut pool in [Pool::new(), Pool::raw()] {
            let (a, b) = (
                symbolic_word(&mut pool, "a", format.bits()),
                symbolic_word(&mut pool, "b", format.bits()),
            );
            let (in_a, in_b) = (pool.input("a", 16), pool.input("b", 16));
            let terms: Vec<ExprId> = BINARY
                .iter()
                .map(|(_, build, _)| build(&mut pool, format, a, b).expect("a format with terms"))
                .collect();
            let mut evaluator = Evaluator::new();
            for &x in &patterns {
                for &y in &patterns {
                    let mut model = Model::new();
                    model.set_object(in_a, x.to_le_bytes());
                    model.set_object(in_b, y.to_le_bytes());
                    let mut under = evaluator.under(&pool, &model);
                    for (&term, (name, _, compute)) in terms.iter().zip(BINARY) {
                        let expected = compute(format, x, y);
                        assert_eq!(
                            under.value(term),
                            expected,
                            "{name}({x:#x}, {y:#x}) {format:?}"
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn nan_bits_equal_the_result_if_it_is_nan() {
    let mut rng = Rng::new(12);
    for format in FORMATS {
        let mut pool = Pool::new();
        let (a, b) = (
            symbolic_word(&mut pool, "a", format.bits()),
            symbolic_word(&mut pool, "b", format.bits()),
        );
        let (in_a, in_b) = (pool.input("a", 16), pool.input("b", 16));
        let other = if format == Format::F32 { Format::F64 } else { Format::F32 };
        let sum = pool.fadd(format, a, b).expect("a term");
        let terms = [
            (sum, format),
            (pool.fdiv(format, a, b).expect("a term"), format),
            (pool.fsqrt(format, a).expect("a term"), format),
            (pool.ffma(format, a, b, a).expect("a term"), format),
            (pool.fmul(format, sum, b).expect("a term"), format),
            (pool.fconvert(format, other, a).expect("a term"), other),
        ];
        let nans: Vec<ExprId> = terms.iter().map(|&(e, _)| pool.nan_bits(e)).collect();
        let patterns = patterns(format, &mut rng);
        let mut evaluator = Evaluator::new();
        for &x in &patterns {
            for &y in &patterns {
                let mut model = Model::new();
                model.set_object(in_a, x.to_le_bytes());
                model.set_object(in_b, y.to_le_bytes());
                let mut under = evaluator.under(&pool, &model);
                for (&(term, format), &nan) in terms.iter().zip(&nans) {
                    let value = under.value(term);
                    if fp::is_nan(format, value) {
                        assert_eq!(under.value(nan), value, "{x:#x} {y:#x}");
                    }
                }
            }
        }
    }
}

#[test]
fn formats_without_terms_are_rejected() {
    let mut pool = Pool::new();
    for format in [Format::Half, Format::Bf16, Format::F128] {
        let x = pool.constant(format.bits(), 0);
        assert_eq!(pool.fadd(format, x, x), None);
        assert_eq!(pool.fis_nan(format, x), None);
        assert_eq!(pool.fclass(format, x, 3), None);
        assert_eq!(pool.fto_si(format, x, 32), None);
        assert_eq!(pool.ffrom_ui(format, x), None);
        assert_eq!(pool.fconvert(format, Format::F64, x), None);
    }
    let wide = pool.constant(200, 1);
    assert_eq!(pool.ffrom_si(Format::F64, wide), None);
}

#[test]
fn comparisons_of_promoted_floats_are_comparisons_of_floats() {
    let mut pool = Pool::new();
    let a = symbolic_word(&mut pool, "a", 32);
    let double = pool.fconvert(Format::F32, Format::F64, a).expect("a term");
    let bound = pool.constant(64, u128::from(2.25f64.to_bits()));
    let less = pool.flt(Format::F64, double, bound).expect("a term");
    let narrow = pool.constant(32, u128::from(2.25f32.to_bits()));
    assert_eq!(Some(less), pool.flt(Format::F32, a, narrow));
    let odd = pool.constant(64, u128::from(0.1f64.to_bits()));
    let less = pool.flt(Format::F64, double, odd).expect("a term");
    assert_eq!(pool.count_operators([less]).of(byway_expr::Op::FConvert), 1);
}
