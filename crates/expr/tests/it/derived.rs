//! Derived constructors agree with `byway_base::int`.

use byway_base::{ExprId, int};
use byway_expr::{Evaluator, Model, Pool};

use crate::generate::Rng;

type Build = fn(&mut Pool, ExprId, ExprId) -> ExprId;
type Compute = fn(u128, u128, u32) -> u128;

const BINARY: &[(&str, Build, Compute)] = &[
    ("umin", Pool::umin, |a, b, _| int::umin(a, b)),
    ("umax", Pool::umax, |a, b, _| int::umax(a, b)),
    ("smin", Pool::smin, int::smin),
    ("smax", Pool::smax, int::smax),
    ("sadd overflow", Pool::sadd_overflows, |a, b, w| int::sadd_overflow(a, b, w).1.into()),
    ("uadd overflow", Pool::uadd_overflows, |a, b, w| int::uadd_overflow(a, b, w).1.into()),
    ("ssub overflow", Pool::ssub_overflows, |a, b, w| int::ssub_overflow(a, b, w).1.into()),
    ("usub overflow", Pool::usub_overflows, |a, b, w| int::usub_overflow(a, b, w).1.into()),
    ("smul overflow", Pool::smul_overflows, |a, b, w| int::smul_overflow(a, b, w).1.into()),
    ("umul overflow", Pool::umul_overflows, |a, b, w| int::umul_overflow(a, b, w).1.into()),
    ("sshl overflow", Pool::sshl_overflows, |a, b, w| int::sshl_overflow(a, b, w).1.into()),
    ("ushl overflow", Pool::ushl_overflows, |a, b, w| int::ushl_overflow(a, b, w).1.into()),
    ("sadd sat", Pool::sadd_sat, int::sadd_sat),
    ("uadd sat", Pool::uadd_sat, int::uadd_sat),
    ("ssub sat", Pool::ssub_sat, int::ssub_sat),
    ("usub sat", Pool::usub_sat, |a, b, _| int::usub_sat(a, b)),
    ("sshl sat", Pool::sshl_sat, int::sshl_sat),
    ("ushl sat", Pool::ushl_sat, int::ushl_sat),
    ("ne", Pool::ne, |a, b, _| (a != b).into()),
    ("ctpop", |p, a, _| p.ctpop(a), |a, _, w| int::ctpop(a, w)),
    ("ctlz", |p, a, _| p.ctlz(a), |a, _, w| int::ctlz(a, w)),
    ("cttz", |p, a, _| p.cttz(a), |a, _, w| int::cttz(a, w)),
    ("bitreverse", |p, a, _| p.bitreverse(a), |a, _, w| int::bitreverse(a, w)),
    ("abs", |p, a, _| p.abs(a), |a, _, w| int::abs(a, w)),
    ("funnel left", |p, a, b| p.funnel_left(a, b, b), |a, b, w| int::funnel_left(a, b, b, w)),
    ("funnel right", |p, a, b| p.funnel_right(a, b, a), |a, b, w| int::funnel_right(a, b, a, w)),
];

/// A word of symbolic bytes, truncated to a width.
fn symbolic_word(pool: &mut Pool, name: &str, width: u32) -> ExprId {
    let input = pool.input(name, 16);
    let bytes: Vec<ExprId> = (0..width.div_ceil(8)).map(|i| pool.input_byte(input, i)).collect();
    let word = bytes[1..].iter().fold(bytes[0], |low, &high| pool.concat(high, low));
    pool.extract(word, 0, width)
}

fn check(width: u32, pairs: &[(u128, u128)]) {
    for &(name, build, compute) in BINARY {
        for mut pool in [Pool::new(), Pool::raw()] {
            let (a, b) =
                (symbolic_word(&mut pool, "a", width), symbolic_word(&mut pool, "b", width));
            let (in_a, in_b) = (pool.input("a", 16), pool.input("b", 16));
            let term = build(&mut pool, a, b);
            let mut evaluator = Evaluator::new();
            for &(x, y) in pairs {
                let mut model = Model::new();
                model.set_object(in_a, x.to_le_bytes());
                model.set_object(in_b, y.to_le_bytes());
                let value = evaluator.under(&pool, &model).value(term);
                assert_eq!(value, compute(x, y, width), "{name}({x:#x}, {y:#x}) of {width} bits");
                // Constant operands are folded.
                let (c, d) = (pool.constant(width, x), pool.constant(width, y));
                let folded = build(&mut pool, c, d);
                if let Some(folded) = pool.value(folded) {
                    assert_eq!(folded, value, "{name} folded");
                }
            }
        }
    }
}

#[test]
fn all_values_of_small_widths() {
    for width in 1..=4 {
        let all = 0..1u128 << width;
        let pairs: Vec<_> = all.clone().flat_map(|x| all.clone().map(move |y| (x, y))).collect();
        check(width, &pairs);
    }
}

#[test]
fn some_values_of_large_widths() {
    let mut rng = Rng::new(7);
    for width in [8, 16, 24, 32, 33, 64, 100, 128] {
        let pairs: Vec<_> = (0..25)
            .map(|_| (int::cut(rng.number(), width), int::cut(rng.number(), width)))
            .collect();
        check(width, &pairs);
    }
}

#[test]
fn bytes_are_swapped() {
    let mut pool = Pool::new();
    let word = symbolic_word(&mut pool, "a", 32);
    let swapped = pool.bswap(word);
    let input = pool.input("a", 16);
    let mut model = Model::new();
    model.set_object(input, [1, 2, 3, 4]);
    assert_eq!(Evaluator::new().under(&pool, &model).value(swapped), 0x0102_0304);
    assert_eq!(pool.bswap(swapped), word);
}

#[test]
fn words_assembled_from_bytes_are_concatenations() {
    let mut pool = Pool::new();
    let input = pool.input("a", 4);
    let bytes: Vec<ExprId> = (0..4).map(|i| pool.input_byte(input, i)).collect();
    let plain = bytes[1..].iter().fold(bytes[0], |low, &high| pool.concat(high, low));
    let shifted = |pool: &mut Pool, i: usize| {
        let wide = pool.zext(bytes[i], 32);
        let by = pool.constant(32, 8 * i as u128);
        pool.shl(wide, by)
    };
    // b0 | b1 << 8 | b2 << 16 | b3 << 24, in several orders, with or and with add.
    for order in [[0, 1, 2, 3], [3, 2, 1, 0], [2, 0, 3, 1]] {
        for join in [Pool::or, Pool::add, Pool::xor] {
            let first = shifted(&mut pool, order[0]);
            let word = order[1..].iter().fold(first, |word, &i| {
                let part = shifted(&mut pool, i);
                join(&mut pool, word, part)
            });
            assert_eq!(word, plain, "{order:?}");
        }
    }
    // Extraction recovers the bytes.
    for (i, &byte) in bytes.iter().enumerate() {
        let by = pool.constant(32, 8 * i as u128);
        let down = pool.lshr(plain, by);
        let mask = pool.constant(32, 0xff);
        let masked = pool.and(mask, down);
        assert_eq!(pool.extract(masked, 0, 8), byte);
    }
}

#[test]
fn a_word_equality_splits_into_byte_equalities() {
    let mut pool = Pool::new();
    let word = symbolic_word(&mut pool, "a", 32);
    let number = pool.constant(32, 0x6466_3231);
    let equal = pool.eq(word, number);
    let atoms: Vec<u8> = pool.equality_atoms(equal).iter().map(|atom| atom.constant).collect();
    let mut sorted = atoms.clone();
    sorted.sort_unstable();
    assert_eq!(sorted, [0x31, 0x32, 0x64, 0x66]);
}
