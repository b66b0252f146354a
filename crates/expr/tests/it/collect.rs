//! Collection: reachable terms stay, unreachable ones are dropped from all tables.

use byway_base::ExprId;
use byway_expr::{Evaluator, ExprMap, Pool, Roots, Sweep};

use crate::generate::{OperatorSet, Rng, build_terms, model, recipe};

fn kept(terms: &[ExprId]) -> Roots {
    let mut roots = Roots::default();
    terms.iter().for_each(|&e| roots.keep(e));
    roots
}

#[test]
fn live_terms_keep_their_ids_and_values() {
    for seed in 0..20 {
        let mut rng = Rng::new(seed);
        let mut pool = Pool::new();
        let terms = build_terms(&mut pool, OperatorSet::WithMemory, &recipe(&mut rng, 200));
        let living: Vec<ExprId> = terms.iter().copied().step_by(9).collect();
        let model = model(&mut pool, &mut rng);
        let mut evaluator = Evaluator::new();
        let values = |evaluator: &mut Evaluator, pool: &Pool| {
            let mut under = evaluator.under(pool, &model);
            living.iter().map(|&e| under.value_wide(e)).collect::<Vec<_>>()
        };
        let before = values(&mut evaluator, &pool);
        let collected = pool.collect(kept(&living));
        assert!(living.iter().all(|&e| collected.is_alive(e)));
        assert_eq!(values(&mut evaluator, &pool), before);
        // New terms reuse the free slots and affect nothing.
        let more = build_terms(&mut pool, OperatorSet::WithMemory, &recipe(&mut rng, 200));
        assert_eq!(values(&mut evaluator, &pool), before);
        assert!(more.iter().all(|&e| pool.width(e) > 0));
    }
}

#[test]
fn collected_terms_are_not_accounted() {
    let mut pool = Pool::new();
    let terms = build_terms(&mut pool, OperatorSet::WithMemory, &recipe(&mut Rng::new(3), 3000));
    for &e in &terms {
        pool.support(e);
    }
    let (size, bytes) = (pool.len(), pool.bytes());
    assert!(bytes > 80 * size, "a term takes more than {}", bytes / size);
    // Kept a hundred times, but still one root.
    let again: Vec<ExprId> = std::iter::repeat_n(terms[0], 100).collect();
    pool.collect(kept(&again));
    assert!(pool.len() < size / 2 && pool.bytes() < bytes / 2, "{} of {bytes}", pool.bytes());
    build_terms(&mut pool, OperatorSet::WithMemory, &recipe(&mut Rng::new(3), 3000));
    assert!(pool.bytes() > bytes / 2, "{} of {bytes}", pool.bytes());
}

#[test]
fn without_roots_all_terms_are_collected_and_ids_reused() {
    let mut pool = Pool::new();
    let recipe = recipe(&mut Rng::new(9), 300);
    let first = build_terms(&mut pool, OperatorSet::WithMemory, &recipe);
    let (size, bound) = (pool.len(), pool.id_bound());
    assert_eq!(pool.collect(Roots::default()).dead, size);
    assert!(pool.is_empty());
    let second = build_terms(&mut pool, OperatorSet::WithMemory, &recipe);
    assert_eq!((pool.len(), pool.id_bound()), (size, bound));
    assert_eq!(first.len(), second.len());
}

#[test]
fn the_lowest_ids_are_reused_and_the_highest_given_up() {
    let mut pool = Pool::new();
    let numbers: Vec<ExprId> = (0..20_000).map(|i| pool.constant(32, i)).collect();
    let (large, bytes) = (pool.id_bound(), pool.bytes());
    // The last term keeps its id, so the table stays as large.
    let last = *numbers.last().expect("there are some");
    pool.collect(kept(&[last]));
    assert_eq!(pool.id_bound(), large);
    let new = [pool.constant(32, 70_000), pool.constant(32, 70_001)];
    assert_eq!(new, [numbers[0], numbers[1]]);
    pool.collect(kept(&new));
    assert_eq!(pool.id_bound(), 3);
    assert!(pool.bytes() * 50 < bytes, "{} of {bytes} bytes", pool.bytes());
    assert_eq!((pool.value(new[0]), pool.value(new[1])), (Some(70_000), Some(70_001)));
}

#[test]
fn wide_constants_are_freed_and_rebuilt() {
    let mut pool = Pool::new();
    let number = pool.constant(128, u128::MAX - 5);
    let other = pool.constant(100, 1 << 90);
    pool.collect(kept(&[other]));
    assert_eq!(pool.value(other), Some(1 << 90));
    let again = pool.constant(128, u128::MAX - 6);
    assert_eq!(pool.value(again), Some(u128::MAX - 6));
    assert_eq!(again, number, "the slot is reused");
    assert_eq!(pool.constant(100, 1 << 90), other);
}

#[test]
fn tables_drop_collected_terms() {
    let mut pool = Pool::new();
    let input = pool.input("x", 4);
    let (a, b) = (pool.input_byte(input, 0), pool.input_byte(input, 1));
    let sum = pool.add(a, b);
    let mut table = ExprMap::for_pool(&pool);
    for (number, e) in [a, b, sum].into_iter().enumerate() {
        table.insert(&pool, e, number);
    }
    assert_eq!(pool.support(sum).len(), 2);
    let collected = pool.collect(kept(&[b]));
    table.sweep(&collected);
    assert_eq!((table.len(), table.get(&pool, b)), (1, Some(&1)));
    // Another term now has the sum's id; the pool's own table must notice.
    let others: Vec<ExprId> = (1..4).map(|i| pool.input_byte(input, i)).collect();
    for e in others {
        assert_eq!(pool.support(e).len(), 1);
    }
}

#[test]
#[cfg(debug_assertions)]
#[should_panic(expected = "missed a collection")]
fn a_table_that_missed_a_collection_is_caught() {
    let mut pool = Pool::new();
    let e = pool.constant(8, 1);
    let mut table = ExprMap::for_pool(&pool);
    table.insert(&pool, e, ());
    pool.collect(kept(&[e]));
    table.get(&pool, e);
}

#[test]
fn versions_live_as_long_as_their_reads() {
    let mut pool = Pool::new();
    let input = pool.input("x", 4);
    let byte = pool.input_byte(input, 0);
    let index = pool.zext(byte, 64);
    let version = pool.base([1, 2, 3, 4], []);
    let written = pool.write(version, index, byte);
    let two = pool.constant(64, 2);
    let read = pool.read(written, two);
    let collected = pool.collect(kept(&[read]));
    assert!(collected.is_version_alive(written) && collected.is_version_alive(version));
    assert!(collected.is_alive(byte), "the version keeps it");
    let collected = pool.collect(kept(&[byte]));
    assert!(!collected.is_version_alive(written));
    let mut roots = Roots::default();
    let version = pool.base([1, 2, 3, 4], [(1, byte)]);
    roots.keep_version(version);
    let collected = pool.collect(roots);
    assert!(collected.is_version_alive(version) && collected.is_alive(byte));
}
