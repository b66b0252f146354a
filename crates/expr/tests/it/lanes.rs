//! Terms on one byte as sets and values, compared with evaluation for every value.

use byway_base::ExprId;
use byway_expr::{Added, ByteSet, Evaluator, InputByte, Model, PathCondition, Pool, Roots};

use crate::generate::{OperatorSet, Rng, build_terms_on_one_byte, recipe};

/// The values of the byte under which a term holds, by evaluation.
fn tried(pool: &Pool, term: ExprId, byte: InputByte) -> Vec<u8> {
    let (mut evaluator, mut model) = (Evaluator::new(), Model::new());
    let holds = |&value: &u8| {
        model.set_byte(byte, value);
        evaluator.under(pool, &model).holds(term)
    };
    (0..=u8::MAX).filter(holds).collect()
}

#[test]
fn sets_and_values_agree_with_evaluation() {
    let (mut sets, mut values) = (0, 0);
    for seed in 0..300 {
        let mut rng = Rng::new(seed);
        let operators = [OperatorSet::Integers, OperatorSet::WithMemory, OperatorSet::WithFloats]
            [seed as usize % 3];
        let mut pool = Pool::new();
        let terms = build_terms_on_one_byte(&mut pool, operators, &recipe(&mut rng, 40));
        for term in terms {
            let [byte] = *pool.support(term) else { continue };
            if pool.width(term) == 1 {
                let Some((about, set)) = pool.byte_set(term) else { continue };
                assert_eq!(about, byte);
                assert_eq!(set.values().collect::<Vec<u8>>(), tried(&pool, term, byte));
                sets += 1;
            } else if pool.width(term) <= 64 {
                let only = rng.byte();
                let number = pool.constant(8, only.into());
                let input = pool.input_byte(byte.object, byte.byte);
                let equal = pool.eq(input, number);
                let (_, one) = pool.byte_set(equal).expect("it is about one byte");
                let Some(value) = pool.value_within(term, |_| one) else { continue };
                let mut model = Model::new();
                model.set_byte(byte, only);
                let evaluated = Evaluator::new().under(&pool, &model).value(term);
                assert_eq!(u128::from(value), evaluated);
                values += 1;
            }
        }
    }
    assert!(sets > 200 && values > 1_000, "{sets} sets and {values} values were compared");
}

#[test]
fn a_path_tracks_the_domains_of_its_bytes() {
    let mut pool = Pool::new();
    let object = pool.input("in", 2);
    let byte = InputByte { object, byte: 0 };
    let x = pool.input_byte(object, 0);
    let mut path = PathCondition::new();
    assert_eq!(path.domain(byte), ByteSet::ALL);
    let [ten, twenty, thirty] = [10, 20, 30].map(|n| pool.constant(8, n));
    let (above, below) = (pool.ult(ten, x), pool.ult(x, twenty));
    path.add(&mut pool, above);
    path.add(&mut pool, below);
    assert_eq!(path.domain(byte).values().collect::<Vec<u8>>(), (11..20).collect::<Vec<u8>>());
    let (is_ten, is_thirty) = (pool.eq(x, ten), pool.eq(x, thirty));
    assert_eq!(path.decide(&mut pool, is_ten), Some(false));
    let below_thirty = pool.ult(x, thirty);
    assert_eq!(path.decide(&mut pool, below_thirty), Some(true));
    let fifteen = pool.constant(8, 15);
    let is_fifteen = pool.eq(x, fifteen);
    assert_eq!(path.decide(&mut pool, is_fifteen), None);
    assert_eq!(path.add(&mut pool, is_thirty), Added::False);
    // A collection keeps the facts.
    let mut roots = Roots::default();
    path.mark(&mut roots, &mut Default::default());
    roots.keep(is_ten);
    pool.collect(roots);
    assert_eq!(path.decide(&mut pool, is_ten), Some(false));
}
