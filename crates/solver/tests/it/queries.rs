//! Queries by hand: the answers of each layer, cores, limits, memory.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use byway_base::float::Format;
use byway_base::{ExprId, MemoryGuard, ProcessMemory, Rng};
use byway_expr::{Model, PathCondition, Roots, Sweep};
use byway_solver::{Answer, BareBackend, Layer, QueryBudget, Slice, Solver, Stack, UnknownReason};

use crate::query_builder::{QueryBuilder, factoring, sat, unsat};

#[test]
fn cleared_caches_are_rebuilt() {
    let mut builder = QueryBuilder::new();
    let mut stack = Stack::new(&builder.pool, None);
    let (x, y) = (builder.word("x", 4), builder.word("y", 4));
    let small = builder.below(x, 100);
    builder.assume(small);
    let far = builder.equals(x, 1000);
    let one = builder.pool.constant(32, 0x3f80_0000);
    let above_one = builder.pool.flt(Format::F32, one, y).expect("singles have terms");
    let searches = |stack: &Stack| {
        let statistics = stack.statistics();
        [Layer::Blast, Layer::Backend].map(|layer| statistics.layer(layer).answered)
    };
    let empty = stack.bytes();
    for times in 1..=3 {
        unsat(builder.ask(&mut stack, far, None));
        unsat(builder.ask(&mut stack, far, None));
        sat(builder.ask(&mut stack, above_one, None));
        assert_eq!(searches(&stack), [times, times], "only the cleared caches search again");
        assert!(stack.bytes() > empty + (1 << 20), "a backend instance is counted");
        stack.clear_caches(&builder.pool);
        assert_eq!(stack.bytes(), empty);
    }
}

#[test]
fn each_layer_answers_its_queries() {
    let mut builder = QueryBuilder::new();
    let mut stack = Stack::new(&builder.pool, None);
    let (x, y) = (builder.word("x", 4), builder.word("y", 4));
    let small = builder.below(x, 100);
    builder.assume(small);
    let answered = |stack: &Stack| Layer::ALL.map(|layer| stack.statistics().layer(layer).answered);

    // x < 100 and x = 7: needs a search.
    let seven = builder.equals(x, 7);
    let witness = sat(builder.ask(&mut stack, seven, None));
    assert_eq!(builder.value(&witness, x), 7);
    assert_eq!(answered(&stack), [0, 0, 0, 0, 1, 0]);
    // The witness has x = 7.
    sat(builder.ask(&mut stack, seven, Some(&witness)));
    assert_eq!(answered(&stack), [0, 1, 0, 0, 1, 0]);
    // A fact of the path.
    let large = builder.pool.not(small);
    let core = unsat(builder.ask(&mut stack, large, Some(&witness)));
    assert_eq!(*core.conjuncts, [small]);
    sat(builder.ask(&mut stack, small, Some(&witness)));
    assert_eq!(answered(&stack), [2, 1, 0, 0, 1, 0]);
    // Unsatisfiable: searched once, then cached.
    let far = builder.equals(x, 1000);
    let core = unsat(builder.ask(&mut stack, far, Some(&witness)));
    assert_eq!(*core.conjuncts, [small]);
    assert_eq!(unsat(builder.ask(&mut stack, far, Some(&witness))), core);
    assert_eq!(answered(&stack), [2, 1, 0, 1, 2, 0]);
    // Models are cached as well: x = 7 with a witness that has another x.
    let zeros = Model::new();
    let seven_again = sat(builder.ask(&mut stack, seven, Some(&zeros)));
    assert_eq!(builder.value(&seven_again, x), 7);
    assert_eq!(answered(&stack), [2, 1, 0, 2, 2, 0]);
    // y is independent of x.
    let y_far = builder.equals(y, 123456);
    let model = sat(builder.ask(&mut stack, y_far, Some(&witness)));
    assert_eq!((builder.value(&model, x), builder.value(&model, y)), (7, 123456));
    assert_eq!(answered(&stack), [2, 1, 0, 2, 3, 0]);
    // Only the backend supports floats.
    let one = builder.pool.constant(32, 0x3f80_0000);
    let above_one = builder.pool.flt(Format::F32, one, y).expect("singles have terms");
    let model = sat(builder.ask(&mut stack, above_one, Some(&witness)));
    assert!(f32::from_bits(builder.value(&model, y) as u32) > 1.0);
    assert_eq!(answered(&stack), [2, 1, 0, 2, 3, 1]);
    let statistics = stack.statistics();
    assert!(statistics.conjuncts_kept < statistics.conjuncts);
    assert_eq!(statistics.queries, 9);
    assert_eq!(statistics.sat + statistics.unsat, 9);
}

#[test]
fn independent_bytes_keep_the_witness_values() {
    let mut builder = QueryBuilder::new();
    let mut stack = Stack::new(&builder.pool, None);
    let (x, y) = (builder.word("x", 2), builder.word("y", 2));
    let y_given = builder.equals(y, 0xbeef);
    let x_given = builder.below(x, 500);
    builder.assume(y_given);
    builder.assume(x_given);
    let yes = builder.pool.boolean(true);
    let witness = sat(builder.ask(&mut stack, yes, None));
    let condition = builder.equals(x, 321);
    let model = sat(builder.ask(&mut stack, condition, Some(&witness)));
    assert_eq!((builder.value(&model, x), builder.value(&model, y)), (321, 0xbeef));
}

#[test]
fn a_core_omits_irrelevant_conjuncts() {
    let mut builder = QueryBuilder::new();
    let mut stack = Stack::new(&builder.pool, None);
    let x = builder.word("x", 4);
    let byte = |builder: &mut QueryBuilder, at: u32| builder.pool.extract(x, 8 * at, 8);
    let parts: Vec<ExprId> = (0..4).map(|at| byte(&mut builder, at)).collect();
    let bounds: Vec<ExprId> = parts.iter().map(|&part| builder.below(part, 10)).collect();
    bounds.iter().for_each(|&bound| builder.assume(bound));
    // All bytes belong to one group.
    let sum = builder.pool.add(parts[0], parts[1]);
    let total = builder.pool.add(parts[2], parts[3]);
    let tied = builder.pool.ult(sum, total);
    builder.assume(tied);
    let condition = builder.equals(parts[2], 200);
    let core = unsat(builder.ask(&mut stack, condition, None));
    assert_eq!(*core.conjuncts, [bounds[2]]);
}

#[test]
fn the_bit_blasters_effort_is_counted() {
    let efforts = || {
        let mut builder = QueryBuilder::new();
        let mut stack = Stack::new(&builder.pool, None);
        let (x, _, hard) = factoring(&mut builder);
        let easy = builder.equals(x, 2147483629);
        let mut effort = |condition, limit| {
            let before = stack.statistics().effort;
            builder.ask_within(&mut stack, condition, None, QueryBudget::effort(limit));
            assert_eq!(stack.statistics().layer(Layer::Blast).asked, stack.statistics().queries);
            stack.statistics().effort - before
        };
        [effort(easy, 100), effort(hard, 2), effort(hard, 100)]
    };
    let [easy, short, long] = efforts();
    assert!((1..10).contains(&easy), "neither a query nor its circuit is free: {easy}");
    // The bit-blaster exhausts its limit, and so does the backend.
    assert!(short > 2 && long > 200, "{short}, {long}");
    assert_eq!(efforts(), [easy, short, long]);
}

#[test]
fn a_limit_gives_unknown_and_later_queries_still_work() {
    let mut builder = QueryBuilder::new();
    let mut stack = Stack::new(&builder.pool, None);
    let (x, y, hard) = factoring(&mut builder);
    let start = Instant::now();
    for _ in 0..3 {
        let answer = builder.ask_within(&mut stack, hard, None, QueryBudget::effort(100));
        assert_eq!(answer, Answer::Unknown(UnknownReason::Effort));
    }
    let soon = QueryBudget::time(Duration::from_millis(20));
    assert_eq!(
        builder.ask_within(&mut stack, hard, None, soon),
        Answer::Unknown(UnknownReason::Time)
    );
    assert!(start.elapsed() < Duration::from_secs(30), "{:?}", start.elapsed());
    assert_eq!(stack.statistics().unknown_effort, 3);
    assert_eq!(stack.statistics().unknown(), 4);
    // The same instance finds the answer with a hint.
    let hint = builder.equals(x, 2147483629);
    builder.assume(hint);
    let model = sat(builder.ask(&mut stack, hard, None));
    assert_eq!(builder.value(&model, y), 2147483647);
    // Each hard query had an instance of its own.
    assert_eq!(stack.statistics().instances, 3);
    // Without any effort, queries that need no backend are still answered.
    let nothing = QueryBudget::effort(0);
    sat(builder.ask_within(&mut stack, hard, Some(&model), nothing));
    let other = builder.equals(y, 5);
    let answer = builder.ask_within(&mut stack, other, Some(&model), nothing);
    assert_eq!(answer, Answer::Unknown(UnknownReason::Effort));
}

#[test]
fn memory_at_symbolic_offsets() {
    let mut builder = QueryBuilder::new();
    let mut stack = Stack::new(&builder.pool, None);
    let (i, j, v) = (builder.word("i", 8), builder.word("j", 8), builder.word("v", 1));
    let table: Vec<u8> = (0..200).map(|n| (n * 7 % 251) as u8).collect();
    let base = builder.pool.base(table.clone(), []);
    let written = builder.pool.write(base, j, v);
    let (in_i, in_j) = (builder.below(i, 200), builder.below(j, 200));
    builder.assume(in_i);
    builder.assume(in_j);
    let read = builder.pool.read(base, i);
    let condition = builder.equals(read, 77);
    let model = sat(builder.ask(&mut stack, condition, None));
    assert_eq!(table[builder.value(&model, i) as usize], 77);
    // Only the written byte is 255.
    let read = builder.pool.read(written, i);
    let found = builder.equals(read, 255);
    assert!(!table.contains(&255));
    let model = sat(builder.ask(&mut stack, found, None));
    assert_eq!(builder.value(&model, i), builder.value(&model, j));
    assert_eq!(builder.value(&model, v), 255);
    let elsewhere = builder.pool.ne(i, j);
    builder.assume(elsewhere);
    unsat(builder.ask(&mut stack, found, None));
}

/// A process of a size that the test sets.
#[derive(Default, Debug)]
struct SetSize(AtomicU64);

impl ProcessMemory for SetSize {
    fn resident(&self) -> Option<u64> {
        Some(self.0.load(Ordering::Relaxed))
    }

    fn give_back(&self) {}
}

/// The selections of reads of large tables take many megabytes: they are not made where
/// there is no room for them, and the query can be asked again.
#[test]
fn selections_that_do_not_fit_into_memory_are_not_made() {
    const ROOM: u64 = 8 << 20;
    let mut builder = QueryBuilder::new();
    let process = Arc::new(SetSize::default());
    let guard = MemoryGuard { process: Arc::clone(&process) as _, limit: 1 << 40 };
    let mut stack = Stack::new(&builder.pool, None).within(Some(guard));
    let i = builder.word("i", 4);
    let index = builder.pool.zext(i, 64);
    // No sum of three bytes below 80 is 250, so no random input helps.
    let mut sum = builder.pool.constant(8, 0);
    let mut rng = Rng::new(1);
    for _ in 0..3 {
        let bytes: Vec<u8> = (0..60_000).map(|_| (rng.next_u64() % 80) as u8).collect();
        let base = builder.pool.base(bytes, []);
        let read = builder.pool.read(base, index);
        sum = builder.pool.add(sum, read);
    }
    let condition = builder.equals(sum, 250);
    let below = builder.below(i, 60_000);
    builder.assume(below);
    let before = builder.pool.bytes() as u64;
    process.0.store((1 << 40) - ROOM, Ordering::Relaxed);
    let answer = builder.ask(&mut stack, condition, None);
    assert_eq!(answer, Answer::Unknown(UnknownReason::Memory));
    let grown = builder.pool.bytes() as u64 - before;
    assert!(grown < ROOM, "{grown} bytes of terms");
    assert!(!builder.pool.is_too_large_to_expand(), "the limit is that of one query");
}

#[test]
fn reads_of_a_large_object_are_narrowed_by_the_path_or_unknown() {
    let mut builder = QueryBuilder::new();
    let mut stack = Stack::new(&builder.pool, None);
    let i = builder.word("i", 4);
    let index = builder.pool.zext(i, 64);
    let bytes: Vec<u8> = (0..1_000_000u32).map(|n| (n >> 4) as u8 ^ n as u8).collect();
    let base = builder.pool.base(bytes.clone(), []);
    let read = builder.pool.read(base, index);
    let condition = builder.equals(read, 9);
    let answer = builder.ask(&mut stack, condition, None);
    assert!(matches!(answer, Answer::Unknown(UnknownReason::TooManyLeaves(_))), "{answer:?}");
    assert_eq!(stack.statistics().unknown_leaves, 1);
    let (from, to) = (builder.below(i, 500_000), builder.below(i, 501_000));
    let from = builder.pool.not(from);
    builder.assume(from);
    builder.assume(to);
    let model = sat(builder.ask(&mut stack, condition, None));
    assert_eq!(bytes[builder.value(&model, i) as usize], 9);
    // A core that depends on the bounds contains them.
    let odd = builder.pool.extract(i, 0, 1);
    let (narrow_from, narrow_to) = (builder.below(i, 500_010), builder.below(i, 500_020));
    let narrow_from = builder.pool.not(narrow_from);
    builder.assume(narrow_from);
    builder.assume(narrow_to);
    builder.assume(odd);
    let absent = (0..=255u8).find(|b| !bytes[500_000..501_000].contains(b));
    let absent = absent.unwrap_or_else(|| {
        (0..=255u8).find(|b| !bytes[500_010..500_020].contains(b)).expect("ten bytes")
    });
    let condition = builder.equals(read, u128::from(absent));
    let core = unsat(builder.ask(&mut stack, condition, None));
    let bare = BareBackend::new(None).check_slice(
        &mut builder.pool,
        &Slice { conjuncts: core.conjuncts.to_vec(), condition },
        QueryBudget::UNLIMITED,
    );
    unsat(bare);
}

#[test]
fn recycled_ids_are_not_confused() {
    let mut builder = QueryBuilder::new();
    let mut stack = Stack::new(&builder.pool, None);
    let x = builder.word("x", 1);
    let mut kept = PathCondition::new();
    let positive = builder.below(x, 100);
    kept.add(&mut builder.pool, positive);
    for round in 0..50u128 {
        let mut path = kept.clone();
        let sum = builder.pool.constant(8, round);
        let sum = builder.pool.add(sum, x);
        let bound = builder.equals(sum, 3 * round % 256);
        path.add(&mut builder.pool, bound);
        builder.path = path;
        let condition = builder.equals(x, 2 * round);
        let possible = 2 * round < 100;
        match builder.ask(&mut stack, condition, None) {
            Answer::Sat(model) => {
                assert!(possible);
                assert_eq!(builder.value(&model, x), 2 * round);
            }
            Answer::Unsat(_) => assert!(!possible),
            answer => panic!("{answer:?}"),
        }
        let mut roots = Roots::default();
        kept.mark(&mut roots, &mut Default::default());
        let collected = builder.pool.collect(roots);
        stack.sweep(&collected);
    }
}
