//! Path conditions: adding, contradictions, related conjuncts, sharing.

use byway_base::ExprId;
use byway_expr::{Added, ByteSet, Evaluator, InputByte, PathCondition, Pool, Roots};

use crate::generate::{OperatorSet, Rng, build_terms, model, recipe};

fn byte(pool: &mut Pool, i: u32) -> ExprId {
    let input = pool.input("in", 64);
    pool.input_byte(input, i)
}

/// in[i] < in[j]
fn less(pool: &mut Pool, i: u32, j: u32) -> ExprId {
    let (a, b) = (byte(pool, i), byte(pool, j));
    pool.ult(a, b)
}

fn equals(pool: &mut Pool, i: u32, value: u8) -> ExprId {
    let (a, c) = (byte(pool, i), pool.constant(8, value.into()));
    pool.eq(a, c)
}

#[test]
fn conjunctions_are_split_and_deduplicated() {
    let mut pool = Pool::new();
    let mut path = PathCondition::new();
    let (a, b, c) = (less(&mut pool, 0, 1), less(&mut pool, 2, 3), equals(&mut pool, 4, 9));
    let both = pool.and(a, b);
    let all = pool.and(both, c);
    assert_eq!(path.add(&mut pool, all), Added::New);
    let mut kept: Vec<ExprId> = path.conjuncts().collect();
    kept.sort();
    let mut expected = vec![a, b, c];
    expected.sort();
    assert_eq!(kept, expected);
    assert_eq!(path.add(&mut pool, b), Added::Known);
    let truth = pool.boolean(true);
    assert_eq!(path.add(&mut pool, truth), Added::Known);
    // ~(p | q) is ~p & ~q.
    let (p, q) = (less(&mut pool, 5, 6), equals(&mut pool, 7, 1));
    let either = pool.or(p, q);
    let neither = pool.not(either);
    assert_eq!(path.add(&mut pool, neither), Added::New);
    let not_p = pool.not(p);
    assert!(path.contains(not_p));
    assert_eq!(path.len(), 5);
}

#[test]
fn syntactic_contradictions_are_not_added() {
    let mut pool = Pool::new();
    let mut path = PathCondition::new();
    let a = less(&mut pool, 0, 1);
    let not_a = pool.not(a);
    path.add(&mut pool, a);
    assert_eq!(path.add(&mut pool, not_a), Added::False);
    let falsehood = pool.boolean(false);
    assert_eq!(path.add(&mut pool, falsehood), Added::False);
    let b = less(&mut pool, 2, 3);
    let with_b = pool.and(b, not_a);
    assert_eq!(path.add(&mut pool, with_b), Added::False);
    assert_eq!(path.conjuncts().collect::<Vec<_>>(), [a], "none of the parts is added");
}

#[test]
fn related_conjuncts_share_bytes() {
    let mut pool = Pool::new();
    let mut path = PathCondition::new();
    let chain: Vec<ExprId> = (0..5).map(|i| less(&mut pool, i, i + 1)).collect();
    let apart: Vec<ExprId> = (10..13).map(|i| equals(&mut pool, i, 3)).collect();
    // Interleaved and out of order, so that groups must be merged.
    for &e in
        [chain[4], apart[0], chain[0], chain[2], apart[1], chain[1], apart[2], chain[3]].iter()
    {
        path.add(&mut pool, e);
    }
    let term = less(&mut pool, 3, 40);
    let related = path.related(&mut pool, term);
    assert_eq!(related, [chain[4], chain[0], chain[2], chain[1], chain[3]]);
    let twelve = byte(&mut pool, 12);
    assert_eq!(path.related(&mut pool, twelve), [apart[2]]);
    let unrelated = byte(&mut pool, 50);
    assert!(path.related(&mut pool, unrelated).is_empty());
}

#[test]
fn forks_are_independent() {
    let mut pool = Pool::new();
    let mut path = PathCondition::new();
    let (a, b) = (less(&mut pool, 0, 1), less(&mut pool, 2, 3));
    path.add(&mut pool, a);
    path.add(&mut pool, b);
    let mut fork = path.clone();
    let joint = less(&mut pool, 1, 2);
    fork.add(&mut pool, joint);
    let term = byte(&mut pool, 0);
    assert_eq!(fork.related(&mut pool, term), [a, b, joint]);
    assert_eq!(path.related(&mut pool, term), [a]);
    assert_eq!((path.len(), fork.len()), (2, 3));
}

/// The definition: the transitive closure over shared bytes.
#[test]
fn related_agrees_with_the_definition() {
    for seed in 0..60 {
        let mut rng = Rng::new(seed);
        let mut pool = Pool::new();
        let terms = build_terms(&mut pool, OperatorSet::WithMemory, &recipe(&mut rng, 120));
        let bits: Vec<ExprId> = terms.iter().copied().filter(|&e| pool.width(e) == 1).collect();
        let model = model(&mut pool, &mut rng);
        let mut path = PathCondition::new();
        let mut evaluator = Evaluator::new();
        for &e in bits.iter().skip(2) {
            let holds = evaluator.under(&pool, &model).holds(e);
            let conjunct = if holds { e } else { pool.not(e) };
            assert_ne!(path.add(&mut pool, conjunct), Added::False, "it holds under the model");
        }
        let term = terms[terms.len() - 1 - rng.below(40)];
        let mut bytes: Vec<InputByte> = pool.support(term).to_vec();
        let all: Vec<ExprId> = path.conjuncts().collect();
        loop {
            let before = bytes.len();
            for &e in &all {
                let support = pool.support(e);
                if support.iter().any(|byte| bytes.contains(byte)) {
                    let new = support.iter().filter(|byte| !bytes.contains(byte)).copied();
                    let new: Vec<InputByte> = new.collect();
                    bytes.extend(new);
                }
            }
            if bytes.len() == before {
                break;
            }
        }
        let expected: Vec<ExprId> = all
            .into_iter()
            .filter(|&e| pool.support(e).iter().any(|byte| bytes.contains(byte)))
            .collect();
        assert_eq!(path.related(&mut pool, term), expected, "seed {seed}");
    }
}

#[test]
fn marked_conjuncts_survive_a_collection() {
    let mut pool = Pool::new();
    let mut path = PathCondition::new();
    let a = less(&mut pool, 0, 1);
    path.add(&mut pool, a);
    let mut roots = Roots::default();
    path.mark(&mut roots, &mut Default::default());
    let collected = pool.collect(roots);
    assert!(collected.is_alive(a));
    assert_eq!(path.add(&mut pool, a), Added::Known);
}

#[test]
fn a_very_long_path_is_fast() {
    let mut pool = Pool::new();
    let input = pool.input("long", 50_000);
    let mut path = PathCondition::new();
    let bytes: Vec<ExprId> = (0..50_000).map(|i| pool.input_byte(input, i)).collect();
    for pair in bytes.windows(2) {
        let differ = pool.ne(pair[0], pair[1]);
        path.add(&mut pool, differ);
    }
    assert_eq!(path.related(&mut pool, bytes[7]).len(), 49_999);
}

/// Compares a tree of paths with plain lists: facts, their order, and the domains of bytes. No
/// path sees what another one added.
#[test]
fn paths_of_a_tree_are_independent() {
    for seed in 0..8 {
        let mut rng = Rng::new(seed);
        let mut pool = Pool::new();
        let input = pool.input("in", 64);
        // Conditions on one byte, on two, and on many.
        let mut pick = |pool: &mut Pool| match rng.below(8) {
            0 => {
                let sum = (0..6).fold(pool.constant(8, 0), |sum, i| {
                    let term = byte(pool, (rng.below(58) + i) as u32);
                    pool.add(sum, term)
                });
                let limit = pool.constant(8, 200 + rng.below(50) as u128);
                pool.ult(sum, limit)
            }
            1 | 2 => less(pool, rng.below(64) as u32, rng.below(64) as u32),
            _ => {
                let (x, c) = (byte(pool, rng.below(64) as u32), rng.below(256) as u128);
                let c = pool.constant(8, c);
                let equal = pool.eq(x, c);
                pool.not(equal)
            }
        };
        let mut paths: Vec<(PathCondition, Vec<ExprId>)> = vec![Default::default()];
        for step in 0..400 {
            let parent = (step * 7) % paths.len();
            let (mut path, mut plain) = paths[parent].clone();
            for _ in 0..=step % 3 {
                let condition = pick(&mut pool);
                match path.add(&mut pool, condition) {
                    Added::New => plain.push(condition),
                    Added::Known => {
                        assert!(plain.contains(&condition) || pool.value(condition).is_some());
                    }
                    Added::False => {}
                }
            }
            paths.push((path, plain));
        }
        let term: Vec<ExprId> = (0..64).map(|_| pick(&mut pool)).collect();
        for (path, plain) in &paths {
            assert_eq!(path.conjuncts().collect::<Vec<_>>(), *plain);
            assert_eq!(path.len(), plain.len());
            assert!(plain.iter().all(|&e| path.contains(e)));
            assert!(term.iter().all(|&e| path.contains(e) == plain.contains(&e)));
            for number in 0..64 {
                let at = InputByte { object: input, byte: number };
                let mut left = ByteSet::ALL;
                for &e in plain {
                    if let Some((_, set)) = pool.byte_set(e).filter(|&(about, _)| about == at) {
                        left = left.and(set);
                    }
                }
                assert_eq!(path.domain(at), left, "seed {seed}, byte {number}");
            }
        }
        assert!(paths.iter().any(|(path, _)| path.len() > 20), "no path is long");
    }
}

/// No operation gets slower with the length of the path, or needs a deep stack.
#[test]
fn a_very_long_path_forks_at_every_step() {
    const STEPS: u32 = 100_000;
    let mut pool = Pool::new();
    let input = pool.input("long", STEPS);
    let seven = pool.constant(8, 7);
    let mut path = PathCondition::new();
    let mut others = Vec::new();
    for number in 0..STEPS {
        let x = pool.input_byte(input, number);
        let equal = pool.eq(x, seven);
        assert_eq!(path.decide(&mut pool, equal), None);
        let mut other = path.clone();
        let different = pool.not(equal);
        other.add(&mut pool, different);
        others.push(other);
        path.add(&mut pool, equal);
        assert_eq!(path.decide(&mut pool, different), Some(false));
        assert!(path.related(&mut pool, x).len() == 1);
    }
    assert!(others.iter().enumerate().all(|(number, other)| other.len() == number + 1));
    drop(path);
    drop(others);
}
