//! Queries by hand: what each layer answers, cores, limits, memory.

use std::time::{Duration, Instant};

use byway_base::ExprId;
use byway_base::float::Format;
use byway_expr::{Model, PathCondition, Roots, Sweep};
use byway_solver::{Answer, Bare, Budget, Layer, Slice, Solver, Stack, Why};

use crate::desk::{Desk, factoring, sat, unsat};

#[test]
fn what_is_shed_is_found_out_again() {
    let mut desk = Desk::new();
    let mut stack = Stack::new(&desk.pool, None);
    let (x, y) = (desk.word("x", 4), desk.word("y", 4));
    let small = desk.below(x, 100);
    desk.assume(small);
    let far = desk.equals(x, 1000);
    let one = desk.pool.constant(32, 0x3f80_0000);
    let above_one = desk.pool.flt(Format::F32, one, y).expect("singles have terms");
    let searches = |stack: &Stack| {
        let statistics = stack.statistics();
        [Layer::Blast, Layer::Backend].map(|layer| statistics.layer(layer).answered)
    };
    let empty = stack.bytes();
    for times in 1..=3 {
        unsat(desk.ask(&mut stack, far, None));
        unsat(desk.ask(&mut stack, far, None));
        sat(desk.ask(&mut stack, above_one, None));
        assert_eq!(searches(&stack), [times, times], "the cache forgot, and nothing else did");
        assert!(stack.bytes() > empty + (1 << 20), "an instance of the backend counts");
        stack.shed(&desk.pool);
        assert_eq!(stack.bytes(), empty);
    }
}

#[test]
fn each_layer_answers_its_own() {
    let mut desk = Desk::new();
    let mut stack = Stack::new(&desk.pool, None);
    let (x, y) = (desk.word("x", 4), desk.word("y", 4));
    let small = desk.below(x, 100);
    desk.assume(small);
    let answered = |stack: &Stack| Layer::ALL.map(|layer| stack.statistics().layer(layer).answered);

    // x < 100 and x = 7: only a search can tell.
    let seven = desk.equals(x, 7);
    let witness = sat(desk.ask(&mut stack, seven, None));
    assert_eq!(desk.value(&witness, x), 7);
    assert_eq!(answered(&stack), [0, 0, 0, 0, 1, 0]);
    // The witness has x = 7.
    sat(desk.ask(&mut stack, seven, Some(&witness)));
    assert_eq!(answered(&stack), [0, 1, 0, 0, 1, 0]);
    // Known from the path.
    let large = desk.pool.not(small);
    let core = unsat(desk.ask(&mut stack, large, Some(&witness)));
    assert_eq!(*core.conjuncts, [small]);
    sat(desk.ask(&mut stack, small, Some(&witness)));
    assert_eq!(answered(&stack), [2, 1, 0, 0, 1, 0]);
    // Unsatisfiable: a search once, the cache from then on.
    let far = desk.equals(x, 1000);
    let core = unsat(desk.ask(&mut stack, far, Some(&witness)));
    assert_eq!(*core.conjuncts, [small]);
    assert_eq!(unsat(desk.ask(&mut stack, far, Some(&witness))), core);
    assert_eq!(answered(&stack), [2, 1, 0, 1, 2, 0]);
    // The cache knows models, too: x = 7 with a witness that has not.
    let zeros = Model::new();
    let seven_again = sat(desk.ask(&mut stack, seven, Some(&zeros)));
    assert_eq!(desk.value(&seven_again, x), 7);
    assert_eq!(answered(&stack), [2, 1, 0, 2, 2, 0]);
    // y has nothing to do with x.
    let y_far = desk.equals(y, 123456);
    let model = sat(desk.ask(&mut stack, y_far, Some(&witness)));
    assert_eq!((desk.value(&model, x), desk.value(&model, y)), (7, 123456));
    assert_eq!(answered(&stack), [2, 1, 0, 2, 3, 0]);
    // Floats are for the backend alone.
    let one = desk.pool.constant(32, 0x3f80_0000);
    let above_one = desk.pool.flt(Format::F32, one, y).expect("singles have terms");
    let model = sat(desk.ask(&mut stack, above_one, Some(&witness)));
    assert!(f32::from_bits(desk.value(&model, y) as u32) > 1.0);
    assert_eq!(answered(&stack), [2, 1, 0, 2, 3, 1]);
    let statistics = stack.statistics();
    assert!(statistics.conjuncts_kept < statistics.conjuncts);
    assert_eq!(statistics.queries, 9);
    assert_eq!(statistics.sat + statistics.unsat, 9);
}

#[test]
fn the_bytes_of_others_keep_their_values() {
    let mut desk = Desk::new();
    let mut stack = Stack::new(&desk.pool, None);
    let (x, y) = (desk.word("x", 2), desk.word("y", 2));
    let y_given = desk.equals(y, 0xbeef);
    let x_given = desk.below(x, 500);
    desk.assume(y_given);
    desk.assume(x_given);
    let yes = desk.pool.boolean(true);
    let witness = sat(desk.ask(&mut stack, yes, None));
    let asked = desk.equals(x, 321);
    let model = sat(desk.ask(&mut stack, asked, Some(&witness)));
    assert_eq!((desk.value(&model, x), desk.value(&model, y)), (321, 0xbeef));
}

#[test]
fn a_core_leaves_out_what_does_not_matter() {
    let mut desk = Desk::new();
    let mut stack = Stack::new(&desk.pool, None);
    let x = desk.word("x", 4);
    let byte = |desk: &mut Desk, at: u32| desk.pool.extract(x, 8 * at, 8);
    let parts: Vec<ExprId> = (0..4).map(|at| byte(&mut desk, at)).collect();
    let bounds: Vec<ExprId> = parts.iter().map(|&part| desk.below(part, 10)).collect();
    bounds.iter().for_each(|&bound| desk.assume(bound));
    // All bytes are in the same group.
    let sum = desk.pool.add(parts[0], parts[1]);
    let total = desk.pool.add(parts[2], parts[3]);
    let tied = desk.pool.ult(sum, total);
    desk.assume(tied);
    let asked = desk.equals(parts[2], 200);
    let core = unsat(desk.ask(&mut stack, asked, None));
    assert_eq!(*core.conjuncts, [bounds[2]]);
}

#[test]
fn what_the_fast_path_takes_is_told_as_effort() {
    let efforts = || {
        let mut desk = Desk::new();
        let mut stack = Stack::new(&desk.pool, None);
        let (x, _, hard) = factoring(&mut desk);
        let easy = desk.equals(x, 2147483629);
        let mut effort = |asked, limit| {
            let before = stack.statistics().effort;
            desk.ask_within(&mut stack, asked, None, Budget::effort(limit));
            assert_eq!(stack.statistics().layer(Layer::Blast).asked, stack.statistics().queries);
            stack.statistics().effort - before
        };
        [effort(easy, 100), effort(hard, 2), effort(hard, 100)]
    };
    let [easy, short, long] = efforts();
    assert_eq!(easy, 1, "nothing is free");
    // As many watches are looked at as the limit allows, and the backend takes as many steps.
    assert!(short > 2 && long > 200, "{short}, {long}");
    assert_eq!(efforts(), [easy, short, long]);
}

#[test]
fn a_limit_gives_an_unknown_and_the_solver_goes_on() {
    let mut desk = Desk::new();
    let mut stack = Stack::new(&desk.pool, None);
    let (x, y, hard) = factoring(&mut desk);
    let began = Instant::now();
    for _ in 0..3 {
        let answer = desk.ask_within(&mut stack, hard, None, Budget::effort(100));
        assert_eq!(answer, Answer::Unknown(Why::Effort));
    }
    let soon = Budget::time(Duration::from_millis(20));
    assert_eq!(desk.ask_within(&mut stack, hard, None, soon), Answer::Unknown(Why::Time));
    assert!(began.elapsed() < Duration::from_secs(30), "{:?}", began.elapsed());
    assert_eq!(stack.statistics().unknown_effort, 3);
    assert_eq!(stack.statistics().unknown(), 4);
    // The same instance, with a hint, finds the answer.
    let hint = desk.equals(x, 2147483629);
    desk.assume(hint);
    let model = sat(desk.ask(&mut stack, hard, None));
    assert_eq!(desk.value(&model, y), 2147483647);
    // Each of the hard ones had an instance of its own.
    assert_eq!(stack.statistics().instances, 3);
    // A solver that may not do anything still answers what needs no backend.
    let nothing = Budget::effort(0);
    sat(desk.ask_within(&mut stack, hard, Some(&model), nothing));
    let other = desk.equals(y, 5);
    let answer = desk.ask_within(&mut stack, other, Some(&model), nothing);
    assert_eq!(answer, Answer::Unknown(Why::Effort));
}

#[test]
fn memory_is_read_and_written_at_unknown_offsets() {
    let mut desk = Desk::new();
    let mut stack = Stack::new(&desk.pool, None);
    let (i, j, v) = (desk.word("i", 8), desk.word("j", 8), desk.word("v", 1));
    let table: Vec<u8> = (0..200).map(|n| (n * 7 % 251) as u8).collect();
    let base = desk.pool.base(table.clone(), []);
    let written = desk.pool.write(base, j, v);
    let (in_i, in_j) = (desk.below(i, 200), desk.below(j, 200));
    desk.assume(in_i);
    desk.assume(in_j);
    let read = desk.pool.read(base, i);
    let asked = desk.equals(read, 77);
    let model = sat(desk.ask(&mut stack, asked, None));
    assert_eq!(table[desk.value(&model, i) as usize], 77);
    // 255 is nowhere but where it was written.
    let read = desk.pool.read(written, i);
    let found = desk.equals(read, 255);
    assert!(!table.contains(&255));
    let model = sat(desk.ask(&mut stack, found, None));
    assert_eq!(desk.value(&model, i), desk.value(&model, j));
    assert_eq!(desk.value(&model, v), 255);
    let elsewhere = desk.pool.ne(i, j);
    desk.assume(elsewhere);
    unsat(desk.ask(&mut stack, found, None));
}

#[test]
fn a_large_object_is_narrowed_by_the_path_or_left_open() {
    let mut desk = Desk::new();
    let mut stack = Stack::new(&desk.pool, None);
    let i = desk.word("i", 4);
    let index = desk.pool.zext(i, 64);
    let bytes: Vec<u8> = (0..1_000_000u32).map(|n| (n >> 4) as u8 ^ n as u8).collect();
    let base = desk.pool.base(bytes.clone(), []);
    let read = desk.pool.read(base, index);
    let asked = desk.equals(read, 9);
    let answer = desk.ask(&mut stack, asked, None);
    assert!(matches!(answer, Answer::Unknown(Why::TooManyLeaves(_))), "{answer:?}");
    assert_eq!(stack.statistics().unknown_leaves, 1);
    let (from, to) = (desk.below(i, 500_000), desk.below(i, 501_000));
    let from = desk.pool.not(from);
    desk.assume(from);
    desk.assume(to);
    let model = sat(desk.ask(&mut stack, asked, None));
    assert_eq!(bytes[desk.value(&model, i) as usize], 9);
    // A core that needs the bounds has them.
    let odd = desk.pool.extract(i, 0, 1);
    let (narrow_from, narrow_to) = (desk.below(i, 500_010), desk.below(i, 500_020));
    let narrow_from = desk.pool.not(narrow_from);
    desk.assume(narrow_from);
    desk.assume(narrow_to);
    desk.assume(odd);
    let absent = (0..=255u8).find(|b| !bytes[500_000..501_000].contains(b));
    let absent = absent.unwrap_or_else(|| {
        (0..=255u8).find(|b| !bytes[500_010..500_020].contains(b)).expect("ten bytes")
    });
    let asked = desk.equals(read, u128::from(absent));
    let core = unsat(desk.ask(&mut stack, asked, None));
    let bare = Bare::new(None).check_slice(
        &mut desk.pool,
        &Slice { conjuncts: core.conjuncts.to_vec(), asked },
        Budget::UNLIMITED,
    );
    unsat(bare);
}

#[test]
fn recycled_ids_are_not_mistaken() {
    let mut desk = Desk::new();
    let mut stack = Stack::new(&desk.pool, None);
    let x = desk.word("x", 1);
    let mut kept = PathCondition::new();
    let positive = desk.below(x, 100);
    kept.add(&mut desk.pool, positive);
    for round in 0..50u128 {
        let mut path = kept.clone();
        let sum = desk.pool.constant(8, round);
        let sum = desk.pool.add(sum, x);
        let bound = desk.equals(sum, 3 * round % 256);
        path.add(&mut desk.pool, bound);
        desk.path = path;
        let asked = desk.equals(x, 2 * round);
        let possible = 2 * round < 100;
        match desk.ask(&mut stack, asked, None) {
            Answer::Sat(model) => {
                assert!(possible);
                assert_eq!(desk.value(&model, x), 2 * round);
            }
            Answer::Unsat(_) => assert!(!possible),
            answer => panic!("{answer:?}"),
        }
        let mut roots = Roots::default();
        kept.mark(&mut roots, &mut Default::default());
        let collected = desk.pool.collect(roots);
        stack.sweep(&collected);
    }
}
