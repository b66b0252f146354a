//! Every rewrite rule is sound: for all values at small widths, for random ones at large widths.
//! It applies to its example and not to its near miss.

use std::collections::BTreeSet;

use byway_base::ExprId;
use byway_expr::simplify::{ExampleShape, RewriteRule, rules};
use byway_expr::{Evaluator, InputByte, Model, Op, Pool, WalkScope};

use crate::generate::Rng;

/// The input bytes of a term, and how many low bits of each it depends on.
fn input_bits(pool: &Pool, e: ExprId) -> Vec<(InputByte, u32)> {
    let mut table = (BTreeSet::new(), Vec::new());
    let mut cut = BTreeSet::new();
    pool.walk(
        e,
        WalkScope::Memory,
        &mut table,
        |(seen, _), e| seen.contains(&e),
        |(seen, found), e| {
            seen.insert(e);
            let node = pool.node(e);
            if node.op() == Op::Extract
                && let Some(of) = node.operands().next()
                && let Some(byte) = pool.as_input(of)
            {
                found.push((byte, node.width()));
                cut.insert(byte);
            }
            if let Some(byte) = pool.as_input(e) {
                found.push((byte, 8));
            }
        },
    );
    let mut found = table.1;
    found.retain(|&(byte, bits)| bits != 8 || !cut.contains(&byte));
    found
}

/// Checks that two terms are equal, under all models if there are few, otherwise under some.
fn check_equal(pool: &Pool, left: ExprId, right: ExprId, rng: &mut Rng, what: &str) {
    let input_bits = input_bits(pool, left);
    let bits: u32 = input_bits.iter().map(|&(_, bits)| bits).sum();
    let all = bits <= 9;
    let models: u32 = if all { 1 << bits } else { 60 };
    let mut evaluator = Evaluator::new();
    for number in 0..models {
        let mut rest = number;
        let mut model = Model::new();
        for &(byte, bits) in &input_bits {
            model.set_byte(byte, if all { (rest & ((1 << bits) - 1)) as u8 } else { rng.byte() });
            rest >>= bits;
        }
        let mut under = evaluator.under(pool, &model);
        let (a, b) = (under.value_wide(left), under.value_wide(right));
        assert_eq!(a, b, "{what} under {model:?}");
    }
}

/// Tries a rule on one shape; returns whether it applied.
fn try_rule(rule: &RewriteRule, shape: ExampleShape, rng: &mut Rng) -> bool {
    let mut pool = Pool::raw();
    let what = format!("rule {} for {shape:?}", rule.name);
    let (missed, wrong) = rule.near_miss(&mut pool, shape);
    assert!(wrong.is_none() || pool.width(missed) > 128, "{what} applies to its near miss");
    let Some((left, right)) = rule.example(&mut pool, shape) else { return false };
    let mut widest = (BTreeSet::new(), 0);
    pool.walk(
        left,
        WalkScope::Operands,
        &mut widest,
        |(seen, _), e| seen.contains(&e),
        |(seen, most), e| {
            seen.insert(e);
            *most = pool.width(e).max(*most);
        },
    );
    if widest.1 > 128 && !rule.any_width() {
        return false;
    }
    assert_eq!(pool.width(left), pool.width(right), "{what}");
    check_equal(&pool, left, right, rng, &what);
    true
}

#[test]
fn names_are_unique() {
    let mut seen = BTreeSet::new();
    for (_, rule) in rules() {
        assert!(seen.insert(rule.name), "two rules are called {}", rule.name);
    }
    assert!(seen.len() > 100);
}

#[test]
fn rules_hold_at_small_widths() {
    let mut rng = Rng::new(3);
    for (_, rule) in rules() {
        let mut applied = false;
        for width in 1..=4 {
            for other in 1..=2 {
                let numbers: Vec<u128> = match width + other {
                    sum @ ..=4 => (0..1 << sum).collect(),
                    sum => (0..8).map(|_| rng.number() & ((1 << sum) - 1)).collect(),
                };
                for &a in &numbers {
                    for &b in &numbers {
                        let shape = ExampleShape { width, other, numbers: [a, b] };
                        applied |= try_rule(rule, shape, &mut rng);
                    }
                }
            }
        }
        assert!(applied, "rule {} never applies to its example", rule.name);
    }
}

#[test]
fn rules_hold_at_large_widths() {
    let mut rng = Rng::new(4);
    for (_, rule) in rules() {
        for width in [8, 13, 16, 31, 32, 40, 64, 80, 100] {
            for other in [1, 3, 8, 24] {
                for _ in 0..6 {
                    let shape =
                        ExampleShape { width, other, numbers: [rng.number(), rng.number()] };
                    try_rule(rule, shape, &mut rng);
                }
            }
        }
        if rule.any_width() {
            for _ in 0..20 {
                let shape =
                    ExampleShape { width: 128, other: 72, numbers: [rng.number(), rng.number()] };
                try_rule(rule, shape, &mut rng);
            }
        }
    }
}
