//! The simplifier preserves the meaning of terms, and terms do not depend on history.

use byway_expr::{Evaluator, Interval, Intervals, Pool, Roots, smtlib};
use proptest::prelude::*;

use crate::generate::{OperatorSet, RecipeStep, Rng, build_terms, model, recipe};

/// Builds a recipe with and without simplification, and compares the values of the terms under
/// some models; checks their known bits and intervals.
fn check(operators: OperatorSet, recipe: &[RecipeStep], seed: u64) -> Result<(), TestCaseError> {
    let (mut plain, mut raw) = (Pool::new(), Pool::raw());
    let simple = build_terms(&mut plain, operators, recipe);
    let exact = build_terms(&mut raw, operators, recipe);
    let mut rng = Rng::new(seed);
    let (mut one, mut other) = (Evaluator::new(), Evaluator::new());
    for _ in 0..4 {
        let model = model(&mut plain, &mut rng);
        let mut intervals = Intervals::new(&plain);
        let mut simplified = one.under(&plain, &model);
        let mut direct = other.under(&raw, &model);
        for (i, (&a, &b)) in simple.iter().zip(&exact).enumerate() {
            prop_assert_eq!(plain.width(a), raw.width(b));
            let value = simplified.value_wide(a);
            prop_assert_eq!(&value, &direct.value_wide(b), "term {}", i);
            let Ok(value) = u128::try_from(value) else { continue };
            if plain.width(a) <= 64 {
                let known = plain.known(a);
                prop_assert_eq!(value as u64 & known.zeros, 0, "zeros of term {}", i);
                prop_assert_eq!(!(value as u64) & known.ones, 0, "ones of term {}", i);
            }
            if plain.width(a) <= 128 {
                let Interval { lo, hi } = intervals.of(&plain, a);
                prop_assert!((lo..=hi).contains(&value), "interval of term {}", i);
            }
        }
    }
    Ok(())
}

fn steps(most: usize) -> impl Strategy<Value = Vec<RecipeStep>> {
    prop::collection::vec(any::<RecipeStep>(), 1..most)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn integers_keep_their_meaning(recipe in steps(60), seed: u64) {
        check(OperatorSet::Integers, &recipe, seed)?;
    }

    #[test]
    fn reads_keep_their_meaning(recipe in steps(40), seed: u64) {
        check(OperatorSet::WithMemory, &recipe, seed)?;
    }

    #[test]
    fn floats_keep_their_meaning(recipe in steps(40), seed: u64) {
        check(OperatorSet::WithFloats, &recipe, seed)?;
    }
}

#[test]
fn long_recipes_preserve_meaning() {
    let mut rng = Rng::new(1);
    for operators in [OperatorSet::Integers, OperatorSet::WithMemory, OperatorSet::WithFloats] {
        for seed in 0..4 {
            let recipe = recipe(&mut rng, 600);
            check(operators, &recipe, seed).unwrap_or_else(|error| panic!("{error}"));
        }
    }
}

/// The text of a term contains no ids, only structure.
fn text(pool: &mut Pool, terms: &[byway_base::ExprId]) -> String {
    let bits: Vec<_> = terms
        .iter()
        .filter(|&&e| pool.width(e) <= 64)
        .copied()
        .collect::<Vec<_>>()
        .into_iter()
        .map(|e| pool.is_nonzero(e))
        .collect();
    smtlib::query(pool, &bits).expect("few leaves")
}

#[test]
fn terms_do_not_depend_on_history() {
    for seed in 0..20 {
        let mut rng = Rng::new(seed);
        let (ours, theirs) = (recipe(&mut rng, 80), recipe(&mut rng, 300));
        let mut fresh = Pool::new();
        let terms = build_terms(&mut fresh, OperatorSet::WithMemory, &ours);
        let expected = text(&mut fresh, &terms);

        let mut used = Pool::new();
        let garbage = build_terms(&mut used, OperatorSet::WithMemory, &theirs);
        let mut roots = Roots::default();
        garbage.iter().skip(200).step_by(7).for_each(|&e| roots.keep(e));
        used.collect(roots);
        let terms = build_terms(&mut used, OperatorSet::WithMemory, &ours);
        assert_eq!(text(&mut used, &terms), expected, "seed {seed}");
    }
}
