//! The wrapper of Bitwuzla alone: models, cores, levels, limits, floats.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use byway_solver::backend::bitwuzla::{
    BitwuzlaInstance, InstanceOptions, Kind, RoundingMode, SatResult, SmtTerm, TermFactory,
};
use byway_solver::{QueryBudget, UnknownReason};

const FREE: QueryBudget = QueryBudget::UNLIMITED;

fn equals(terms: &TermFactory, a: &SmtTerm, b: &SmtTerm) -> SmtTerm {
    terms.apply(Kind::Equal, &[a, b])
}

/// Two factors of a product, neither of them one: hard, and unsatisfiable if the product is a
/// prime.
fn factoring(terms: &TermFactory, product: u64, bits: u32) -> (SmtTerm, SmtTerm, Vec<SmtTerm>) {
    let (x, y) = (terms.fresh_constant(bits, "x"), terms.fresh_constant(bits, "y"));
    let wide = |t: &SmtTerm| terms.apply_indexed(Kind::BvZeroExtend, &[t], &[u64::from(bits)]);
    let exact = terms.apply(Kind::BvMul, &[&wide(&x), &wide(&y)]);
    let one = terms.value(bits, 1);
    let conditions = vec![
        equals(terms, &exact, &terms.value(2 * bits, product)),
        terms.apply(Kind::BvUlt, &[&one, &x]),
        terms.apply(Kind::BvUlt, &[&one, &y]),
    ];
    (x, y, conditions)
}

#[test]
fn a_model_satisfies_the_assertions() {
    let terms = TermFactory::new();
    let mut instance = BitwuzlaInstance::new(&terms, &InstanceOptions::default());
    let (x, y, conditions) = factoring(&terms, 221, 8);
    conditions.iter().for_each(|condition| instance.push(condition));
    assert_eq!(instance.check(FREE), SatResult::Sat);
    assert_eq!(instance.value(&x) * instance.value(&y), 221);
    assert!(instance.effort() > 0);
}

#[test]
fn levels_are_pushed_and_popped() {
    let terms = TermFactory::new();
    let mut instance = BitwuzlaInstance::new(&terms, &InstanceOptions::default());
    let x = terms.fresh_constant(8, "x");
    let below = |n| terms.apply(Kind::BvUlt, &[&x, &terms.value(8, n)]);
    let above = |n| terms.apply(Kind::BvUlt, &[&terms.value(8, n), &x]);
    instance.push(&below(10));
    instance.push(&above(8));
    assert_eq!(instance.check(FREE), SatResult::Sat);
    assert_eq!(instance.value(&x), 9);
    instance.push(&above(9));
    assert_eq!(instance.check(FREE), SatResult::Unsat);
    instance.pop(2);
    assert_eq!(instance.levels(), 1);
    assert_eq!(instance.check(FREE), SatResult::Sat);
    assert!(instance.value(&x) < 10);
    instance.push(&above(100));
    assert_eq!(instance.check(FREE), SatResult::Unsat);
}

#[test]
fn a_core_names_contradicting_assertions() {
    let terms = TermFactory::new();
    let mut instance = BitwuzlaInstance::new(&terms, &InstanceOptions::default());
    let (x, y) = (terms.fresh_constant(32, "x"), terms.fresh_constant(32, "y"));
    let number = |n| terms.value(32, n);
    let asserted = [
        terms.apply(Kind::BvUlt, &[&y, &number(77)]),
        terms.apply(Kind::BvUlt, &[&x, &number(10)]),
        terms.apply(Kind::BvUlt, &[&number(3), &y]),
        terms.apply(Kind::BvUlt, &[&number(20), &x]),
    ];
    asserted.iter().for_each(|term| instance.push(term));
    assert_eq!(instance.check(FREE), SatResult::Unsat);
    let core = instance.core();
    let named: Vec<bool> = asserted.iter().map(|term| core.contains(term)).collect();
    assert_eq!(named, [false, true, false, true]);
}

#[test]
fn a_core_of_false_is_false_alone() {
    let terms = TermFactory::new();
    let mut instance = BitwuzlaInstance::new(&terms, &InstanceOptions::default());
    let x = terms.fresh_constant(8, "x");
    let other = equals(&terms, &x, &terms.value(8, 3));
    instance.push(&other);
    instance.push(&terms.boolean(false));
    assert_eq!(instance.check(FREE), SatResult::Unsat);
    assert_eq!(instance.core(), [terms.boolean(false)]);
}

#[test]
fn an_effort_limit_stops_early_and_leaves_the_instance_usable() {
    let terms = TermFactory::new();
    let mut instance = BitwuzlaInstance::new(&terms, &InstanceOptions::default());
    // The product of two 31-bit primes.
    let (x, y, conditions) = factoring(&terms, 2147483647 * 2147483629, 32);
    conditions.iter().for_each(|condition| instance.push(condition));
    let start = Instant::now();
    assert_eq!(instance.check(QueryBudget::effort(50)), SatResult::Unknown(UnknownReason::Effort));
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
    instance.push(&equals(&terms, &x, &terms.value(32, 2147483647)));
    assert_eq!(instance.check(FREE), SatResult::Sat);
    assert_eq!(instance.value(&y), 2147483629);
    instance.pop(1);
    instance.push(&equals(&terms, &x, &terms.value(32, 2147483646)));
    assert_eq!(instance.check(FREE), SatResult::Unsat);
    instance.pop(1);
    assert_eq!(instance.check(QueryBudget::effort(1)), SatResult::Unknown(UnknownReason::Effort));
}

#[test]
fn effort_is_deterministic() {
    let run = || {
        let terms = TermFactory::new();
        let mut instance = BitwuzlaInstance::new(&terms, &InstanceOptions::default());
        let (x, y, conditions) = factoring(&terms, 65521 * 65519, 16);
        conditions.iter().for_each(|condition| instance.push(condition));
        let mut seen = Vec::new();
        for limit in [20, 100, 1_000_000] {
            let outcome = instance.check(QueryBudget::effort(limit));
            let values =
                (outcome == SatResult::Sat).then(|| [instance.value(&x), instance.value(&y)]);
            seen.push((outcome, instance.effort(), values));
        }
        seen
    };
    let first = run();
    assert_eq!(first.last().unwrap().0, SatResult::Sat);
    // Other allocations must not matter.
    let _ballast: Vec<Box<[u8]>> = (1..1000).map(|n| vec![0; n].into()).collect();
    assert_eq!(run(), first);
}

#[test]
fn deadline_and_interrupt_stop_a_check() {
    let terms = TermFactory::new();
    let flag = Arc::new(AtomicBool::new(false));
    let setup = InstanceOptions { preprocess: true, interrupt: Some(flag.clone()), memory: None };
    let mut instance = BitwuzlaInstance::new(&terms, &setup);
    let (_, _, conditions) = factoring(&terms, 2147483647 * 2147483629, 32);
    conditions.iter().for_each(|condition| instance.push(condition));
    let soon = QueryBudget::time(Duration::from_millis(10));
    assert_eq!(instance.check(soon), SatResult::Unknown(UnknownReason::Time));
    flag.store(true, std::sync::atomic::Ordering::Relaxed);
    assert_eq!(instance.check(FREE), SatResult::Unknown(UnknownReason::Interrupted));
}

#[test]
fn floats_are_solved() {
    let terms = TermFactory::new();
    let mut instance = BitwuzlaInstance::new(&terms, &InstanceOptions::default());
    let bits = terms.fresh_constant(64, "x");
    let as_number = |bits: &SmtTerm| terms.apply_indexed(Kind::FpToFpFromBv, &[bits], &[11, 53]);
    let x = as_number(&bits);
    let nearest = terms.rounding(RoundingMode::NearestEven);
    let square = terms.apply(Kind::FpMul, &[&nearest, &x, &x]);
    let wanted = as_number(&terms.value(64, 2.25f64.to_bits()));
    instance.push(&terms.apply(Kind::FpEqual, &[&square, &wanted]));
    assert_eq!(instance.check(FREE), SatResult::Sat);
    assert_eq!(f64::from_bits(instance.value(&bits)).abs(), 1.5);
}

#[test]
fn terms_outlive_their_factory() {
    let term = {
        let terms = TermFactory::new();
        terms.apply(Kind::BvAdd, &[&terms.value(8, 1), &terms.fresh_constant(8, "x")])
    };
    assert_eq!(term.clone().width(), Some(8));
    assert!(format!("{term:?}").contains("bvadd"));
}
