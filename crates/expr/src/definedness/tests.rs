//! Tests of definedness: against all values of the undefined bytes, and for precision.

use byway_base::{ExprId, Rng};

use crate::{Evaluator, Model, Op, Pool};

/// The leaves of a term: an input byte, and two bytes that are undefined or, in the copy that
/// is evaluated, inputs too.
struct Leaves([ExprId; 3]);

fn leaves(pool: &mut Pool, undefined: bool) -> Leaves {
    let input = pool.input("in", 1);
    let other = if undefined { pool.undefined("u", 2) } else { pool.input("u", 2) };
    Leaves([pool.input_byte(input, 0), pool.input_byte(other, 0), pool.input_byte(other, 1)])
}

/// Two bits of a random leaf, or a constant.
fn leaf(pool: &mut Pool, rng: &mut Rng, leaves: &Leaves) -> ExprId {
    match rng.below(5) {
        0 => pool.constant(2, rng.below(4).into()),
        n => {
            let byte = leaves.0[n as usize % 3];
            pool.extract(byte, 0, 2)
        }
    }
}

/// A random term of two bits.
fn random_term(pool: &mut Pool, rng: &mut Rng, leaves: &Leaves, depth: u32) -> ExprId {
    if depth == 0 {
        return leaf(pool, rng, leaves);
    }
    let a = random_term(pool, rng, leaves, depth - 1);
    let b = random_term(pool, rng, leaves, depth - 1);
    const BINARY: [Op; 13] = [
        Op::Add,
        Op::Sub,
        Op::Mul,
        Op::And,
        Op::Or,
        Op::Xor,
        Op::Shl,
        Op::LShr,
        Op::AShr,
        Op::UDiv,
        Op::SDiv,
        Op::URem,
        Op::SRem,
    ];
    const ORDER: [Op; 5] = [Op::Eq, Op::Ult, Op::Ule, Op::Slt, Op::Sle];
    match rng.below(24) {
        n @ 0..13 => pool.binary(BINARY[n as usize], a, b),
        n @ 13..18 => {
            let bit = pool.binary(ORDER[n as usize - 13], a, b);
            pool.zext(bit, 2)
        }
        18 => pool.not(a),
        19 => pool.neg(a),
        20 => {
            let low = pool.extract(a, 1, 1);
            pool.sext(low, 2)
        }
        21 => {
            let (high, low) = (pool.extract(a, 0, 1), pool.extract(b, 1, 1));
            pool.concat(high, low)
        }
        _ => {
            let c = random_term(pool, rng, leaves, depth - 1);
            let c = pool.extract(c, 0, 1);
            pool.ite(c, a, b)
        }
    }
}

#[test]
fn defined_bits_are_the_same_for_all_undefined_bytes() {
    let mut some_defined = 0;
    for seed in 0..3_000 {
        let mut pool = Pool::new();
        let (with_undefined, with_inputs) = (leaves(&mut pool, true), leaves(&mut pool, false));
        let depth = 1 + seed as u32 % 4;
        let term = random_term(&mut pool, &mut Rng::new(seed), &with_undefined, depth);
        let copy = random_term(&mut pool, &mut Rng::new(seed), &with_inputs, depth);
        let of = pool.definedness(term);
        assert_eq!(pool.undefined_byte(of.value), None);
        assert_eq!(pool.undefined_byte(of.undefined), None);
        let (input, other) = (pool.input("in", 1), pool.input("u", 2));
        let mut evaluator = Evaluator::new();
        for known in 0..4 {
            let mut model = Model::new();
            model.set_object(input, [known]);
            let (mask, value) = {
                let mut under = evaluator.under(&pool, &model);
                (under.value(of.undefined), under.value(of.value))
            };
            some_defined += usize::from(mask != 3);
            for undefined in 0..16 {
                model.set_object(other, [undefined % 4, undefined / 4]);
                let real = evaluator.under(&pool, &model).value(copy);
                assert_eq!((real ^ value) & !mask & 3, 0, "seed {seed}: {real} {value} {mask}");
            }
        }
    }
    assert!(some_defined > 1_000, "{some_defined}");
}

/// The mask of a term of one undefined byte, which must be constant.
fn mask(build: impl FnOnce(&mut Pool, ExprId) -> ExprId) -> u128 {
    let mut pool = Pool::new();
    let object = pool.undefined("u", 1);
    let byte = pool.input_byte(object, 0);
    let term = build(&mut pool, byte);
    let undefined = pool.definedness(term).undefined;
    pool.value(undefined).expect("it depends on no input")
}

#[test]
fn bits_that_are_set_are_defined() {
    // A bit-field: three bits of a byte are set, and read again.
    let field = |pool: &mut Pool, byte| {
        let (rest, three) = (pool.constant(8, 0xf8), pool.constant(8, 3));
        let rest = pool.and(byte, rest);
        pool.or(rest, three)
    };
    assert_eq!(mask(field), 0xf8);
    let read = |pool: &mut Pool, byte| {
        let set = field(pool, byte);
        let low = pool.constant(8, 7);
        pool.and(set, low)
    };
    assert_eq!(mask(read), 0);
}

#[test]
fn a_comparison_is_defined_if_the_defined_bits_decide_it() {
    let high = |pool: &mut Pool, byte| {
        let set = pool.constant(8, 0x80);
        pool.or(byte, set)
    };
    let compare = |op: Op, number: u128| {
        mask(|pool, byte| {
            let high = high(pool, byte);
            let number = pool.constant(8, number);
            pool.binary(op, high, number)
        })
    };
    assert_eq!(compare(Op::Eq, 0x10), 0);
    assert_eq!(compare(Op::Eq, 0x90), 1);
    assert_eq!(compare(Op::Ult, 0x10), 0);
    assert_eq!(compare(Op::Ult, 0x90), 1);
    assert_eq!(compare(Op::Slt, 0x10), 0);
    assert_eq!(compare(Op::Sle, 0x90), 1);
}

#[test]
fn carries_are_undefined_to_the_left_only() {
    let sum = |pool: &mut Pool, byte| {
        let low = pool.constant(8, 0x10);
        let low = pool.and(byte, low);
        let number = pool.constant(8, 0x01);
        pool.add(low, number)
    };
    assert_eq!(mask(sum), 0x10);
    let carried = |pool: &mut Pool, byte| {
        let low = pool.constant(8, 0x10);
        let low = pool.and(byte, low);
        let number = pool.constant(8, 0x30);
        pool.add(low, number)
    };
    assert_eq!(mask(carried), 0x70);
}
