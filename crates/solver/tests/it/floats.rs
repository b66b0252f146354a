//! Floats: the backend's encoding of every operator, compared with the arithmetic of
//! `byway-base` on corner cases.
//!
//! A selector byte picks the operands from tables, and the query asks for a selector whose
//! result differs from the expected one. Because the operands are not constant, nothing can
//! be folded: the complete encoding is checked, for all entries of the table at once.

use crate::common::Random;
use byway_base::ExprId;
use byway_base::float::{self, Format};
use byway_expr::{PathCondition, Pool, RoundTo};
use byway_solver::{Answer, BareBackend, Query, QueryBudget, Solver, Stack};

/// The number of operand tuples that one query checks.
const TUPLES: usize = 32;

/// A bit pattern, usually a corner case.
fn awkward(random: &mut Random, format: Format) -> u128 {
    let sign = format.sign_bit();
    let infinity = format.infinity(false);
    let fraction = 1u128 << (format.precision() - 1);
    let wide = u128::from(random.next()) << 64 | u128::from(random.next());
    let any = wide & (sign | (sign - 1));
    let magnitude = match random.below(14) {
        0 => 0,
        1 => infinity,
        2 => infinity | fraction >> 1 | any & (fraction - 1),
        3 => infinity | 1,
        4 => 1 + any % 4,
        5 => fraction - 1 - any % 3,
        6 => fraction + any % 3,
        7 => infinity - 1 - any % 3,
        8 => float::from_ui(format, u128::from(random.next() % 100)),
        9 => float::from_ui(format, 1 << random.below(64)),
        10 => float::from_ui(format, (1 << random.below(64)) - 1),
        11 => any & (fraction - 1),
        12 => float::div(format, float::from_ui(format, any % 100), float::from_ui(format, 8)),
        _ => any,
    };
    (magnitude & (sign - 1)) | if random.chance(2) { sign } else { 0 }
}

/// The entry of a table at a selector.
fn select(pool: &mut Pool, selector: ExprId, width: u32, table: &[u128]) -> ExprId {
    let mut layer: Vec<ExprId> = table.iter().map(|&v| pool.constant(width, v)).collect();
    let mut bit = 0;
    while layer.len() > 1 {
        let cond = pool.extract(selector, bit, 1);
        layer = layer.chunks(2).map(|pair| pool.ite(cond, pair[1], pair[0])).collect();
        bit += 1;
    }
    layer[0]
}

/// Checks that the encoding gives the expected results for random operands; `operands`
/// generates a tuple of them, of the given widths.
fn check(
    what: &str,
    seed: u64,
    widths: &[u32],
    result: u32,
    operands: impl Fn(&mut Random) -> Vec<u128>,
    term: impl Fn(&mut Pool, &[ExprId]) -> ExprId,
    expected: impl Fn(&[u128]) -> u128,
) {
    let mut random = Random::new(seed);
    let mut pool = Pool::new();
    let object = pool.input("selector", 1);
    let selector = pool.input_byte(object, 0);
    let tuples: Vec<Vec<u128>> = (0..TUPLES).map(|_| operands(&mut random)).collect();
    let arguments: Vec<ExprId> = (0..widths.len())
        .map(|i| {
            let table: Vec<u128> = tuples.iter().map(|tuple| tuple[i]).collect();
            select(&mut pool, selector, widths[i], &table)
        })
        .collect();
    let table: Vec<u128> = tuples.iter().map(|tuple| expected(tuple)).collect();
    let wanted = select(&mut pool, selector, result, &table);
    let computed = term(&mut pool, &arguments);
    let path = PathCondition::new();
    let differ = pool.ne(computed, wanted);
    let mut bare = BareBackend::new(None);
    let query = Query { path: &path, condition: differ, witness: None };
    match bare.check(&mut pool, &query, QueryBudget::UNLIMITED) {
        Answer::Unsat(_) => {}
        answer => panic!("{what}, seed {seed}: {answer:?}; operands {tuples:x?}"),
    }
}

const FORMATS: [Format; 3] = [Format::F32, Format::F64, Format::F80];

fn check_operation(
    name: &str,
    arity: usize,
    term: impl Fn(&mut Pool, Format, &[ExprId]) -> ExprId,
    expected: impl Fn(Format, &[u128]) -> u128,
) {
    for format in FORMATS {
        for seed in 0..3 {
            check(
                &format!("{name} of {format:?}"),
                seed,
                &vec![format.bits(); arity],
                format.bits(),
                |random| (0..arity).map(|_| awkward(random, format)).collect(),
                |pool, e| term(pool, format, e),
                |v| expected(format, v),
            );
        }
    }
}

#[test]
fn sums() {
    check_operation(
        "add",
        2,
        |p, f, e| p.fadd(f, e[0], e[1]).unwrap(),
        |f, v| float::add(f, v[0], v[1]),
    );
}

#[test]
fn differences() {
    check_operation(
        "sub",
        2,
        |p, f, e| p.fsub(f, e[0], e[1]).unwrap(),
        |f, v| float::sub(f, v[0], v[1]),
    );
}

#[test]
fn products() {
    check_operation(
        "mul",
        2,
        |p, f, e| p.fmul(f, e[0], e[1]).unwrap(),
        |f, v| float::mul(f, v[0], v[1]),
    );
}

#[test]
fn quotients() {
    check_operation(
        "div",
        2,
        |p, f, e| p.fdiv(f, e[0], e[1]).unwrap(),
        |f, v| float::div(f, v[0], v[1]),
    );
}

/// Only singles: a double's remainder takes twenty seconds, and its encoding differs only in
/// its widths.
#[test]
fn remainders() {
    let format = Format::F32;
    for seed in 0..2 {
        check(
            "rem",
            seed,
            &[format.bits(); 2],
            format.bits(),
            |random| vec![awkward(random, format), awkward(random, format)],
            |p, e| p.frem(format, e[0], e[1]).unwrap(),
            |v| float::rem(format, v[0], v[1]),
        );
    }
}

#[test]
fn square_roots() {
    check_operation("sqrt", 1, |p, f, e| p.fsqrt(f, e[0]).unwrap(), |f, v| float::sqrt(f, v[0]));
}

#[test]
fn fused_products() {
    check_operation(
        "fma",
        3,
        |p, f, e| p.ffma(f, e[0], e[1], e[2]).unwrap(),
        |f, v| float::fma(f, v[0], v[1], v[2]),
    );
}

#[test]
fn roundings() {
    for to in RoundTo::ALL {
        check_operation(
            "round",
            1,
            |p, f, e| p.fround(f, to, e[0]).unwrap(),
            |f, v| match to {
                RoundTo::Floor => float::floor(f, v[0]),
                RoundTo::Ceil => float::ceil(f, v[0]),
                RoundTo::Trunc => float::trunc(f, v[0]),
                RoundTo::NearestEven => float::round_even(f, v[0]),
                RoundTo::NearestAway => float::round(f, v[0]),
            },
        );
    }
}

#[test]
fn comparisons() {
    use std::cmp::Ordering;
    for format in FORMATS {
        for seed in 0..3 {
            let operands = |random: &mut Random| {
                let a = awkward(random, format);
                let b = if random.chance(4) { a } else { awkward(random, format) };
                vec![a, b]
            };
            // All three in one result.
            let term = |p: &mut Pool, e: &[ExprId]| {
                let equal = p.feq(format, e[0], e[1]).unwrap();
                let less = p.flt(format, e[0], e[1]).unwrap();
                let at_most = p.fle(format, e[0], e[1]).unwrap();
                let orders = p.concat(less, at_most);
                p.concat(equal, orders)
            };
            let expected = |v: &[u128]| match float::compare(format, v[0], v[1]) {
                Some(Ordering::Equal) => 0b101,
                Some(Ordering::Less) => 0b011,
                _ => 0b000,
            };
            let widths = [format.bits(); 2];
            check("comparison", seed, &widths, 3, operands, term, expected);
        }
    }
}

#[test]
fn conversions_between_formats() {
    let pairs = FORMATS.map(|from| FORMATS.map(|to| (from, to)));
    for &(from, to) in pairs.iter().flatten().filter(|(from, to)| from != to) {
        for seed in 0..3 {
            check(
                "conversion",
                seed,
                &[from.bits()],
                to.bits(),
                |random| vec![awkward(random, from)],
                |p, e| p.fconvert(from, to, e[0]).unwrap(),
                |v| float::convert(from, to, v[0]),
            );
        }
    }
}

#[test]
fn conversions_to_and_from_integers() {
    for format in FORMATS {
        for width in [8, 16, 32, 64, 128] {
            check(
                "to signed",
                u64::from(width),
                &[format.bits()],
                width,
                |random| vec![awkward(random, format)],
                |p, e| p.fto_si(format, e[0], width).unwrap(),
                |v| float::to_si(format, v[0], width),
            );
        }
        for width in [1, 8, 32, 64, 128] {
            let number = |random: &mut Random| {
                let wide = u128::from(random.next()) << 64 | u128::from(random.next());
                vec![byway_base::int::cut(wide >> random.below(128), width)]
            };
            check(
                "from signed",
                u64::from(width),
                &[width],
                format.bits(),
                number,
                |p, e| p.ffrom_si(format, e[0]).unwrap(),
                |v| float::from_si(format, v[0], width),
            );
            check(
                "from unsigned",
                u64::from(width),
                &[width],
                format.bits(),
                number,
                |p, e| p.ffrom_ui(format, e[0]).unwrap(),
                |v| float::from_ui(format, v[0]),
            );
        }
    }
}

/// A float of input bytes, lowest first.
fn input_float(pool: &mut Pool, name: &str, format: Format) -> ExprId {
    let bytes = format.bits() / 8;
    let object = pool.input(name, bytes);
    let mut word = pool.input_byte(object, 0);
    for byte in 1..bytes {
        let next = pool.input_byte(object, byte);
        word = pool.concat(next, word);
    }
    word
}

#[test]
fn models_of_symbolic_floats() {
    let mut pool = Pool::new();
    let mut stack = Stack::new(&pool, None);
    let format = Format::F64;
    let number = |pool: &mut Pool, value: f64| pool.constant(64, u128::from(value.to_bits()));
    let x = input_float(&mut pool, "x", format);
    let square = pool.fmul(format, x, x).unwrap();
    let wanted = number(&mut pool, 2.25);
    let is_square = pool.feq(format, square, wanted).unwrap();
    let root = pool.fsqrt(format, x).unwrap();
    let three = number(&mut pool, 3.0);
    let is_root = pool.feq(format, root, three).unwrap();
    let nan = pool.fis_nan(format, root).unwrap();
    let positive = pool.sign(x);
    let positive = pool.not(positive);
    // The bits of a result, as a program sees them that stores and inspects it.
    let low = pool.extract(square, 0, 8);
    let low_wanted = pool.constant(8, 0x5a);
    let low_byte = pool.eq(low, low_wanted);
    let path = PathCondition::new();
    for (condition, name) in
        [(is_square, "square"), (is_root, "root"), (nan, "nan"), (low_byte, "low byte")]
    {
        let query = Query { path: &path, condition, witness: None };
        let answer = stack.check(&mut pool, &query, QueryBudget::UNLIMITED);
        assert!(matches!(answer, Answer::Sat(_)), "{name}: {answer:?}");
    }
    let mut path = PathCondition::new();
    path.add(&mut pool, is_square);
    path.add(&mut pool, positive);
    let minus = number(&mut pool, 0.0);
    let below = pool.flt(format, x, minus).unwrap();
    let query = Query { path: &path, condition: below, witness: None };
    let answer = stack.check(&mut pool, &query, QueryBudget::UNLIMITED);
    assert!(matches!(answer, Answer::Unsat(_)), "{answer:?}");
}
