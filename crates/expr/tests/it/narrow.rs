//! Narrowing under a path condition: examples, and that a term keeps its value wherever the
//! condition holds.

use byway_base::ExprId;
use byway_expr::{Added, Evaluator, Model, Op, PathCondition, Pool};

use crate::generate::{INPUT_BYTES, OperatorSet, Rng, build_terms, input, model, recipe};

fn path_of(pool: &mut Pool, facts: &[ExprId]) -> PathCondition {
    let mut path = PathCondition::new();
    for &fact in facts {
        assert_ne!(path.add(pool, fact), Added::False);
    }
    path
}

/// Two input bytes, and the word of both.
fn word(pool: &mut Pool) -> (ExprId, ExprId, ExprId) {
    let object = pool.input("in", 2);
    let (low, high) = (pool.input_byte(object, 0), pool.input_byte(object, 1));
    let word = pool.concat(high, low);
    (low, high, word)
}

#[test]
fn a_pointer_advanced_by_a_decided_comparison_is_concrete() {
    let mut pool = Pool::new();
    let (low, high, _) = word(&mut pool);
    let equal = pool.eq(low, high);
    let wide = pool.zext(equal, 64);
    let (base, step) = (pool.constant(64, 0x1000), pool.constant(64, 8));
    let distance = pool.mul(wide, step);
    let at = pool.add(base, distance);
    assert_eq!(PathCondition::new().narrow(&mut pool, at), at);
    let moved = path_of(&mut pool, &[equal]).narrow(&mut pool, at);
    assert_eq!(pool.value(moved), Some(0x1008));
    let different = pool.not(equal);
    let stayed = path_of(&mut pool, &[different]).narrow(&mut pool, at);
    assert_eq!(pool.value(stayed), Some(0x1000));
}

#[test]
fn a_term_that_equals_a_constant_is_that_constant() {
    let mut pool = Pool::new();
    let (low, high, _) = word(&mut pool);
    let product = pool.mul(low, high);
    let six = pool.constant(8, 6);
    let equal = pool.eq(product, six);
    let path = path_of(&mut pool, &[equal]);
    let sum = pool.add(product, low);
    let expected = pool.add(six, low);
    assert_eq!(path.narrow(&mut pool, sum), expected);
}

#[test]
fn the_domain_of_a_byte_decides_dependent_terms() {
    let mut pool = Pool::new();
    let (low, high, word) = word(&mut pool);
    let digits = [pool.constant(8, 48), pool.constant(8, 58)];
    let facts = [pool.ule(digits[0], low), pool.ult(low, digits[1])];
    let path = path_of(&mut pool, &facts);
    // Several values are possible, but all are below 64.
    let top = pool.extract(low, 6, 2);
    let with_other = pool.concat(top, high);
    let narrowed = path.narrow(&mut pool, with_other);
    let expected = pool.zext(high, 10);
    assert_eq!(narrowed, expected);
    assert_eq!(path.narrow(&mut pool, word), word);
}

#[test]
fn a_read_at_a_decided_index_is_resolved() {
    let mut pool = Pool::new();
    let (low, high, _) = word(&mut pool);
    let contents = pool.base(vec![7; 256], [(3, high)]);
    let index = pool.zext(low, 64);
    let read = pool.read(contents, index);
    let three = pool.constant(8, 3);
    let nine = pool.constant(8, 9);
    let facts = [pool.eq(low, three), pool.eq(high, nine)];
    // The byte read is narrowed in turn.
    let narrowed = path_of(&mut pool, &facts).narrow(&mut pool, read);
    assert_eq!(pool.value(narrowed), Some(9));
}

#[test]
fn a_learnt_condition_is_a_fact_but_no_conjunct() {
    let mut pool = Pool::new();
    let (low, high, _) = word(&mut pool);
    let less = pool.ult(low, high);
    let zero = pool.constant(8, 0);
    let positive = pool.ult(zero, high);
    let mut path = path_of(&mut pool, &[less]);
    path.learn(&mut pool, positive);
    assert_eq!(path.decide(&mut pool, positive), Some(true));
    assert_eq!(path.conjuncts().collect::<Vec<_>>(), [less]);
    assert_eq!(path.related(&mut pool, high), [less]);
    assert_eq!(path.add(&mut pool, positive), Added::Known);
}

/// Facts that hold under a model: conditions or their negations, equalities with constants.
fn facts(pool: &mut Pool, rng: &mut Rng, terms: &[ExprId], model: &Model) -> Vec<ExprId> {
    let mut evaluator = Evaluator::new();
    (0..3 + rng.below(8))
        .map(|_| {
            let e = terms[rng.below(terms.len())];
            match pool.width(e) {
                1 if evaluator.under(pool, model).holds(e) => e,
                1 => pool.not(e),
                2..=128 => {
                    let value = evaluator.under(pool, model).value(e);
                    let number = pool.constant(pool.width(e), value);
                    pool.eq(e, number)
                }
                _ => pool.boolean(true),
            }
        })
        .collect()
}

#[test]
fn narrowing_preserves_values_under_the_condition() {
    let (mut numbers, mut changed, mut others) = (0, 0, 0);
    for seed in 0..400 {
        let mut rng = Rng::new(seed);
        let mut pool = Pool::new();
        let operators = [OperatorSet::Integers, OperatorSet::WithMemory, OperatorSet::WithFloats]
            [seed as usize % 3];
        let terms = build_terms(&mut pool, operators, &recipe(&mut rng, 60));
        let start = model(&mut pool, &mut rng);
        let facts = facts(&mut pool, &mut rng, &terms, &start);
        let path = path_of(&mut pool, &facts);
        let mut models = vec![start.clone()];
        let object = input(&mut pool);
        for _ in 0..60 {
            let mut near = start.clone();
            for _ in 0..1 + rng.below(3) {
                let byte = rng.below(INPUT_BYTES as usize) as u32;
                near.set_byte(byway_expr::InputByte { object, byte }, rng.byte());
            }
            let mut evaluator = Evaluator::new();
            let mut evaluation = evaluator.under(&pool, &near);
            if path.conjuncts().all(|e| evaluation.holds(e)) {
                models.push(near);
            }
        }
        others += models.len() - 1;
        for &term in terms.iter().filter(|&&e| pool.width(e) <= 128).collect::<Vec<_>>() {
            let narrowed = path.narrow(&mut pool, term);
            assert_eq!(pool.width(narrowed), pool.width(term));
            changed += usize::from(narrowed != term);
            numbers += usize::from(pool.op(narrowed) == Op::Const && pool.op(term) != Op::Const);
            for model in &models {
                let mut evaluator = Evaluator::new();
                let mut evaluation = evaluator.under(&pool, model);
                let (before, after) = (evaluation.value(term), evaluation.value(narrowed));
                assert_eq!(before, after, "seed {seed}: {}", pool.show(term));
            }
        }
    }
    let enough = numbers > 1_000 && changed > numbers + 200 && others > 1_000;
    assert!(enough, "{numbers} numbers, {changed} changed, {others} other inputs");
}
