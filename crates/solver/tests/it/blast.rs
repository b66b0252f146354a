//! The bit-blaster alone, compared with brute force and with Bitwuzla.

use byway_base::ExprId;
use byway_expr::{Evaluator, InputByte, Model, Op, PathCondition, Pool, Roots, Sweep};
use byway_solver::backend::SliceAnswer;
use byway_solver::{
    Answer, BareBackend, BitBlaster, Cancellation, Query, QueryBudget, Slice, Solver, Stack,
    UnknownReason,
};

use crate::common::{ARITHMETIC, Generator, all_models, brute_force};

fn check(
    blaster: &mut BitBlaster,
    pool: &mut Pool,
    slice: &Slice,
    witness: &Model,
) -> Option<SliceAnswer> {
    blaster.check(pool, slice, Some(witness), QueryBudget::UNLIMITED, Cancellation::NEVER)
}

/// The witness with the bytes of a sat answer.
fn model_of(witness: &Model, answer: &SliceAnswer) -> Option<Model> {
    let SliceAnswer::Sat(assignment) = answer else { return None };
    let mut model = witness.clone();
    assignment.iter().for_each(|&(at, value)| model.set_byte(at, value));
    Some(model)
}

/// A term without floats, which the bit-blaster does not support.
fn condition(generator: &mut Generator, pool: &mut Pool, depth: u32) -> ExprId {
    loop {
        let e = generator.condition(pool, depth);
        let mut floats = false;
        let mut seen = std::collections::HashSet::new();
        pool.walk(
            e,
            byway_expr::WalkScope::Memory,
            &mut seen,
            |seen, e| seen.contains(&e),
            |seen, e| {
                seen.insert(e);
                floats |= pool.op(e).is_float();
            },
        );
        if !floats {
            return e;
        }
    }
}

/// Every operator on every value of two bytes, in words of odd and even widths: the circuit
/// must have the value that evaluation computes, and no other.
#[test]
fn circuits_agree_with_evaluation() {
    let comparisons = [Op::Eq, Op::Ult, Op::Ule, Op::Slt, Op::Sle];
    // Raw, so that no rewrite rule computes the result.
    let mut pool = Pool::raw();
    let mut blaster = BitBlaster::new(&pool);
    let mut evaluator = Evaluator::new();
    let object = pool.input("in", 2);
    let (x, y) = (pool.input_byte(object, 0), pool.input_byte(object, 1));
    for width in [3, 8, 13] {
        let word = |pool: &mut Pool, byte, sext: bool| match width {
            ..8 => pool.extract(byte, 2, width),
            8 => byte,
            _ if sext => pool.sext(byte, width),
            _ => pool.zext(byte, width),
        };
        for op in ARITHMETIC.into_iter().chain(comparisons) {
            for signs in 0..2 {
                let (a, b) = (word(&mut pool, x, signs == 0), word(&mut pool, y, false));
                let term = pool.binary(op, a, b);
                let out = pool.width(term);
                for (number, model) in all_models(&mut pool, 2).enumerate() {
                    // The boundaries, and some values between.
                    let edge = |byte: u8| !(5..=250).contains(&byte) || (126..131).contains(&byte);
                    let [p, q] = [0, 1].map(|byte| model.byte(InputByte { object, byte }));
                    if !(edge(p) && edge(q) || number % 997 == 0) {
                        continue;
                    }
                    let value = evaluator.under(&pool, &model).value(term);
                    let given = [(x, p), (y, q)].map(|(byte, value)| {
                        let value = pool.constant(8, value.into());
                        pool.eq(byte, value)
                    });
                    let value = pool.constant(out, value);
                    let right = pool.eq(term, value);
                    let wrong = pool.not(right);
                    let slice = |condition| Slice { conjuncts: given.to_vec(), condition };
                    let answer = check(&mut blaster, &mut pool, &slice(right), &Model::new());
                    let what = || format!("{op:?} of {width} bits, {p} and {q}");
                    assert!(matches!(answer, Some(SliceAnswer::Sat(_))), "{}: {answer:?}", what());
                    let answer = check(&mut blaster, &mut pool, &slice(wrong), &Model::new());
                    assert!(
                        matches!(answer, Some(SliceAnswer::Unsat(_))),
                        "{}: {answer:?}",
                        what()
                    );
                }
            }
        }
    }
}

/// Random paths over two bytes.
#[test]
fn answers_agree_with_brute_force() {
    let (mut sat, mut unsat, mut undecided) = (0, 0, 0);
    for seed in 0..30 {
        let mut pool = Pool::new();
        let mut blaster = BitBlaster::new(&pool);
        let mut generator = Generator::new(seed, 2);
        let mut conjuncts: Vec<ExprId> = Vec::new();
        for _ in 0..25 {
            let condition = condition(&mut generator, &mut pool, 2);
            let slice = Slice { conjuncts: conjuncts.clone(), condition };
            let witness = Model::new();
            let Some(answer) = check(&mut blaster, &mut pool, &slice, &witness) else {
                undecided += 1;
                continue;
            };
            match &answer {
                SliceAnswer::Sat(_) => {
                    sat += 1;
                    let model = model_of(&witness, &answer).expect("it is sat");
                    let mut evaluator = Evaluator::new();
                    assert!(slice.holds(&pool, &mut evaluator, &model), "seed {seed}");
                    conjuncts.push(condition);
                }
                SliceAnswer::Unsat(core) => {
                    unsat += 1;
                    assert!(core.iter().all(|e| conjuncts.contains(e)), "seed {seed}");
                    let mut core = core.clone();
                    core.push(condition);
                    assert_eq!(brute_force(&mut pool, 2, &core), None, "seed {seed}");
                }
                SliceAnswer::Unknown(reason) => panic!("{reason}"),
            }
            // Continue with another path, which shares any prefix with this one.
            if generator.random.chance(4) {
                conjuncts.truncate(generator.random.below(1 + conjuncts.len()));
            }
            if generator.random.chance(10) {
                let mut roots = Roots::default();
                conjuncts.iter().for_each(|&e| roots.keep(e));
                let collected = pool.collect(roots);
                blaster.sweep(&collected);
            }
        }
    }
    assert!(sat > 150 && unsat > 100, "too few of a kind: {sat} {unsat}");
    assert!(undecided < 50, "too many are left to the backend: {undecided}");
}

/// Longer paths, over more bytes than brute force can handle.
#[test]
fn answers_agree_with_bitwuzla() {
    let (mut sat, mut unsat) = (0, 0);
    for seed in 1000..1012 {
        let mut pool = Pool::new();
        let mut blaster = BitBlaster::new(&pool);
        let mut bare = BareBackend::new(None);
        let mut generator = Generator::new(seed, 12);
        let mut conjuncts: Vec<ExprId> = Vec::new();
        let mut witness = Model::new();
        for _ in 0..20 {
            let condition = condition(&mut generator, &mut pool, 3);
            let slice = Slice { conjuncts: conjuncts.clone(), condition };
            let Some(answer) = check(&mut blaster, &mut pool, &slice, &witness) else { continue };
            let expected = bare.check_slice(&mut pool, &slice, QueryBudget::UNLIMITED);
            match (&answer, expected) {
                (SliceAnswer::Sat(_), Answer::Sat(_)) => {
                    sat += 1;
                    witness = model_of(&witness, &answer).expect("it is sat");
                    assert!(slice.holds(&pool, &mut Evaluator::new(), &witness), "seed {seed}");
                    conjuncts.push(condition);
                }
                (SliceAnswer::Unsat(core), Answer::Unsat(_)) => {
                    unsat += 1;
                    let core = Slice { conjuncts: core.clone(), condition };
                    let expected = bare.check_slice(&mut pool, &core, QueryBudget::UNLIMITED);
                    assert!(matches!(expected, Answer::Unsat(_)), "seed {seed}: a wrong core");
                }
                (answer, expected) => panic!("seed {seed}: {answer:?}, Bitwuzla: {expected:?}"),
            }
        }
    }
    assert!(sat > 50 && unsat > 30, "too few of a kind: {sat} {unsat}");
}

#[test]
fn floats_and_queries_without_effort_are_left_to_the_backend() {
    let mut pool = Pool::new();
    let mut blaster = BitBlaster::new(&pool);
    let object = pool.input("in", 4);
    let bytes: Vec<ExprId> = (0..4).map(|at| pool.input_byte(object, at)).collect();
    let word = bytes[1..].iter().fold(bytes[0], |low, &byte| pool.concat(byte, low));
    let one = pool.constant(32, 0x3f80_0000);
    let float = pool.flt(byway_base::float::Format::F32, one, word).expect("singles have terms");
    let plain = pool.ult(one, word);
    let whole = |condition| Slice { conjuncts: Vec::new(), condition };
    for _ in 0..2 {
        assert_eq!(
            blaster.check(
                &mut pool,
                &whole(float),
                None,
                QueryBudget::UNLIMITED,
                Cancellation::NEVER
            ),
            None
        );
        assert_eq!(
            blaster.check(
                &mut pool,
                &whole(plain),
                None,
                QueryBudget::effort(1),
                Cancellation::NEVER
            ),
            None
        );
    }
    let answer =
        blaster.check(&mut pool, &whole(plain), None, QueryBudget::effort(2), Cancellation::NEVER);
    assert!(matches!(answer, Some(SliceAnswer::Sat(_))), "{answer:?}");
}

/// A word that mixes all bytes of the input, so that conflicts teach a search nothing.
fn mixed(pool: &mut Pool, rounds: u128) -> ExprId {
    let object = pool.input("in", 8);
    let bytes: Vec<ExprId> = (0..8).map(|at| pool.input_byte(object, at)).collect();
    let word = bytes[1..].iter().fold(bytes[0], |low, &byte| pool.concat(byte, low));
    (1..=rounds).fold(word, |word, round| {
        let odd = pool.constant(64, round * 0x9e37_79b9 + 2 * round + 1);
        let square = pool.mul(word, word);
        let sum = pool.add(square, odd);
        let high = pool.extract(sum, 29, 35);
        let low = pool.extract(sum, 0, 29);
        let turned = pool.concat(low, high);
        pool.binary(Op::Xor, turned, word)
    })
}

#[test]
fn sampling_finds_inputs_that_search_does_not() {
    let mut pool = Pool::new();
    let mut blaster = BitBlaster::new(&pool);
    let word = mixed(&mut pool, 16);
    let low = pool.extract(word, 3, 5);
    let value = pool.constant(5, 21);
    let object = pool.input("in", 8);
    let first = pool.input_byte(object, 0);
    let ten = pool.constant(8, 10);
    let condition = pool.eq(low, value);
    let slice = Slice { conjuncts: vec![pool.ult(first, ten)], condition };
    let witness = Model::new();
    let answer = check(&mut blaster, &mut pool, &slice, &witness).expect("one in 32 does it");
    let model = model_of(&witness, &answer).expect("it is sat");
    assert!(slice.holds(&pool, &mut Evaluator::new(), &model));
    let again = check(&mut BitBlaster::new(&pool), &mut pool, &slice, &witness);
    assert_eq!(again, Some(answer), "samples are deterministic");
}

/// A partial circuit must not affect later queries.
#[test]
fn too_large_terms_are_left_to_the_backend() {
    let mut pool = Pool::new();
    let mut blaster = BitBlaster::new(&pool);
    let object = pool.input("in", 8);
    let first = pool.input_byte(object, 0);
    let seven = pool.constant(8, 7);
    let given = pool.eq(first, seven);
    let word = mixed(&mut pool, 120);
    let value = pool.constant(64, 1);
    let large = pool.eq(word, value);
    let whole = |condition| Slice { conjuncts: vec![given], condition };
    assert_eq!(check(&mut blaster, &mut pool, &whole(large), &Model::new()), None);
    let nine = pool.constant(8, 9);
    let (less, more) = (pool.ult(first, nine), pool.ult(nine, first));
    let answer = check(&mut blaster, &mut pool, &whole(less), &Model::new());
    assert!(matches!(answer, Some(SliceAnswer::Sat(_))), "{answer:?}");
    let answer = check(&mut blaster, &mut pool, &whole(more), &Model::new());
    assert_eq!(answer, Some(SliceAnswer::Unsat(vec![given])));

    // The stack does not pass it to the backend either, and reports the reason.
    let mut stack = Stack::new(&pool, None);
    let huge = mixed(&mut pool, 400);
    let condition = pool.eq(huge, value);
    let path = PathCondition::new();
    let query = Query { path: &path, condition, witness: None };
    let answer = stack.check(&mut pool, &query, QueryBudget::UNLIMITED);
    assert_eq!(answer, Answer::Unknown(UnknownReason::TooLarge));
    assert_eq!((stack.statistics().unknown_large, stack.statistics().unknown()), (1, 1));
}
