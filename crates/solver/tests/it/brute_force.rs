//! Random queries over two input bytes. A model is evaluated; an unsat answer is checked with
//! all 65,536 inputs. The stack, with and without a witness, and the bare backend must agree.

use crate::common::{Generator, brute_force, path_of, verify};
use byway_base::ExprId;
use byway_expr::{Model, Pool};
use byway_solver::{Answer, BareBackend, Query, QueryBudget, Solver, Stack};

const BYTES: u32 = 2;

/// Checks a query and its answer; returns whether it is satisfiable.
fn ask(solver: &mut dyn Solver, pool: &mut Pool, query: &Query, seed: u64) -> bool {
    let answer = solver.check(pool, query, QueryBudget::UNLIMITED);
    verify(pool, query, &answer, BYTES, &format!("seed {seed}"))
}

fn witness_of(pool: &mut Pool, terms: &[ExprId]) -> Option<Model> {
    let path = path_of(pool, terms)?;
    let condition = pool.boolean(true);
    match BareBackend::new(None).check(
        pool,
        &Query { path: &path, condition, witness: None },
        QueryBudget::UNLIMITED,
    ) {
        Answer::Sat(model) => Some(model),
        _ => None,
    }
}

#[test]
fn answers_agree_with_brute_force() {
    let (mut sat, mut unsat) = (0, 0);
    for seed in 0..120 {
        let mut pool = Pool::new();
        let mut generator = Generator::new(seed, BYTES);
        let mut stack = Stack::new(&pool, None);
        let mut bare = BareBackend::new(None);
        let conjuncts: Vec<_> =
            (0..generator.random.below(4)).map(|_| generator.condition(&mut pool, 2)).collect();
        let Some(path) = path_of(&mut pool, &conjuncts) else { continue };
        let conjuncts: Vec<_> = path.conjuncts().collect();
        let witness = witness_of(&mut pool, &conjuncts);
        for _ in 0..3 {
            let condition = generator.condition(&mut pool, 3);
            let query = Query { path: &path, condition, witness: None };
            let expected = ask(&mut bare, &mut pool, &query, seed);
            assert_eq!(ask(&mut stack, &mut pool, &query, seed), expected);
            if witness.is_some() {
                let query = Query { witness: witness.as_ref(), ..query };
                assert_eq!(ask(&mut stack, &mut pool, &query, seed), expected);
            }
            if expected {
                sat += 1;
            } else {
                unsat += 1;
            }
        }
    }
    assert!(sat > 50 && unsat > 50, "too few of a kind: {sat} sat, {unsat} unsat");
}

#[test]
fn brute_force_finds_the_only_model() {
    let mut pool = Pool::new();
    let object = pool.input("in", BYTES);
    let (a, b) = (pool.input_byte(object, 0), pool.input_byte(object, 1));
    let word = pool.concat(b, a);
    let wanted = pool.constant(16, 0xfffe);
    let found = pool.eq(word, wanted);
    let model = brute_force(&mut pool, BYTES, &[found]).expect("there is one");
    assert_eq!(model.object(object), [0xfe, 0xff]);
    let lost = pool.not(found);
    assert_eq!(brute_force(&mut pool, BYTES, &[found, lost]), None);
}
