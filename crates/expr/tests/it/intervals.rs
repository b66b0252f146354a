//! Intervals under assumptions: sound, and precise enough to be useful.

use byway_base::ExprId;
use byway_expr::{Evaluator, Interval, Intervals, Pool};

use crate::generate::{OperatorSet, Rng, build_terms, model, recipe};

fn byte_as(pool: &mut Pool, i: u32, width: u32) -> ExprId {
    let input = pool.input("in", 16);
    let byte = pool.input_byte(input, i);
    pool.zext(byte, width)
}

#[test]
fn assumptions_narrow_their_terms() {
    let mut pool = Pool::new();
    let x = byte_as(&mut pool, 0, 64);
    let ten = pool.constant(64, 10);
    let below = pool.ult(x, ten);
    let three = pool.constant(64, 3);
    let above = pool.ult(three, x);
    let four = pool.constant(64, 4);
    let scaled = pool.mul(four, x);
    let base = pool.constant(64, 100);
    let address = pool.add(scaled, base);
    let mut intervals = Intervals::new(&pool);
    assert_eq!(intervals.of(&pool, address), Interval { lo: 100, hi: 100 + 255 * 4 });
    intervals.assume(&pool, below);
    intervals.assume(&pool, above);
    assert_eq!(intervals.of(&pool, x), Interval { lo: 4, hi: 9 });
    let Interval { lo, hi } = intervals.of(&pool, address);
    assert_eq!((lo, hi), (116, 136));
    assert!(!intervals.is_contradictory());
    let five = pool.constant(64, 20);
    let equal = pool.eq(x, five);
    intervals.assume(&pool, equal);
    assert!(intervals.is_contradictory());
}

#[test]
fn signed_comparisons_and_sign_bits_narrow() {
    let mut pool = Pool::new();
    let input = pool.input("in", 16);
    let bytes: Vec<ExprId> = (0..4).map(|i| pool.input_byte(input, i)).collect();
    let x = bytes[1..].iter().fold(bytes[0], |low, &high| pool.concat(high, low));
    let (zero, ten) = (pool.constant(32, 0), pool.constant(32, 10));
    let negative = pool.slt(x, zero);
    let not_negative = pool.not(negative);
    let below = pool.slt(x, ten);
    let mut intervals = Intervals::new(&pool);
    intervals.assume(&pool, not_negative);
    assert_eq!(intervals.of(&pool, x).hi, i32::MAX as u128);
    intervals.assume(&pool, below);
    assert_eq!(intervals.of(&pool, x), Interval { lo: 0, hi: 9 });
    let not_nine = pool.constant(32, 9);
    let not_nine = pool.ne(x, not_nine);
    intervals.assume(&pool, not_nine);
    assert!(!intervals.is_contradictory());
}

/// Assumes conditions that hold under a model: the intervals must contain the model's values.
#[test]
fn intervals_contain_the_values_of_models() {
    for seed in 0..150 {
        let mut rng = Rng::new(seed);
        let mut pool = Pool::new();
        let terms = build_terms(&mut pool, OperatorSet::Integers, &recipe(&mut rng, 80));
        let model = model(&mut pool, &mut rng);
        let mut evaluator = Evaluator::new();
        let bits: Vec<ExprId> = terms.iter().copied().filter(|&e| pool.width(e) == 1).collect();
        let mut intervals = Intervals::new(&pool);
        for e in bits {
            let holds = evaluator.under(&pool, &model).holds(e);
            let conjunct = if holds { e } else { pool.not(e) };
            intervals.assume(&pool, conjunct);
            assert!(!intervals.is_contradictory(), "seed {seed}");
        }
        let mut under = evaluator.under(&pool, &model);
        for &e in terms.iter().filter(|&&e| pool.width(e) <= 128) {
            let (interval, value) = (intervals.of(&pool, e), under.value(e));
            assert!(interval.contains(value), "seed {seed}: {value} not in {interval:?}");
        }
        assert!(!intervals.is_contradictory(), "seed {seed}");
    }
}
