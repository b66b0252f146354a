//! Memory versions, reads, and their expansion.

use std::rc::Rc;

use byway_base::ExprId;
use byway_expr::expand::{Expander, MAX_LEAVES};
use byway_expr::{Chunk, Evaluator, Interval, Intervals, Model, Op, Pool, VersionId, WalkScope};

use crate::generate::{OperatorSet, Rng, build_terms, model, recipe};

fn byte(pool: &mut Pool, i: u32) -> ExprId {
    let input = pool.input("in", 16);
    pool.input_byte(input, i)
}

fn index(pool: &mut Pool, i: u32) -> ExprId {
    let byte = byte(pool, i);
    pool.zext(byte, 64)
}

fn at(pool: &mut Pool, offset: u64) -> ExprId {
    pool.constant(64, u128::from(offset))
}

fn value(pool: &Pool, e: ExprId) -> Option<u128> {
    pool.value(e)
}

#[test]
fn reads_at_constant_offsets_are_resolved() {
    let mut pool = Pool::new();
    let symbolic = byte(&mut pool, 0);
    let base = pool.base([10, 11, 12, 13], [(2, symbolic)]);
    let written = byte(&mut pool, 1);
    let (zero, one, two, three) =
        (at(&mut pool, 0), at(&mut pool, 1), at(&mut pool, 2), at(&mut pool, 3));
    let version = pool.write(base, one, written);
    let read = |pool: &mut Pool, i| pool.read(version, i);
    let first = read(&mut pool, zero);
    assert_eq!(value(&pool, first), Some(10));
    assert_eq!(read(&mut pool, one), written);
    assert_eq!(read(&mut pool, two), symbolic);
    let far = at(&mut pool, 99);
    let outside = read(&mut pool, far);
    assert_eq!(value(&pool, outside), Some(0));
    // Below a write at a symbolic offset, the read stays.
    let somewhere = index(&mut pool, 3);
    let version = pool.write(version, somewhere, symbolic);
    let unsure = pool.read(version, three);
    assert_eq!(pool.op(unsure), Op::Read);
    assert_eq!(pool.read(version, somewhere), symbolic);
    // Unless the offsets are known to differ: x + 1 and x + 2, or a known bit.
    let next = pool.add(somewhere, one);
    let after = pool.add(somewhere, two);
    let version = pool.write(base, next, written);
    let elsewhere = pool.read(version, after);
    assert_eq!(pool.read(base, after), elsewhere);
    let high = at(&mut pool, 300);
    let version = pool.write(base, somewhere, written);
    let beyond = pool.read(version, high);
    assert_eq!(value(&pool, beyond), Some(0));
}

#[test]
fn equal_contents_are_the_same_version() {
    let mut pool = Pool::new();
    let x = byte(&mut pool, 0);
    let number = pool.constant(8, 7);
    let a = pool.base([1, 7, 3], [(0, x)]);
    let b = pool.base([9, 2, 3], [(1, number), (0, x)]);
    assert_eq!(a, b, "overridden bytes do not matter, and constant terms are concrete");
    let i = index(&mut pool, 1);
    let first = pool.write(a, i, x);
    let overwritten = pool.write(first, i, number);
    assert_eq!(overwritten, pool.write(a, i, number));
}

#[test]
fn words_are_written_and_read() {
    let mut pool = Pool::new();
    let base = pool.base([0; 16], []);
    let bytes: Vec<ExprId> = (0..4).map(|i| byte(&mut pool, i)).collect();
    let word = bytes[1..].iter().fold(bytes[0], |low, &high| pool.concat(high, low));
    let i = index(&mut pool, 8);
    let version = pool.write_word(base, i, word);
    assert_eq!(pool.read_word(version, i, 4), word);
    let zero = at(&mut pool, 0);
    let version = pool.write_word(base, zero, word);
    assert_eq!(pool.read_word(version, zero, 4), word);
}

fn has_reads(pool: &Pool, e: ExprId) -> bool {
    pool.count_operators([e]).of(Op::Read) != 0
}

#[test]
fn expansions_equal_their_reads() {
    for seed in 0..150 {
        let mut rng = Rng::new(seed);
        let mut pool = Pool::new();
        let terms = build_terms(&mut pool, OperatorSet::WithMemory, &recipe(&mut rng, 80));
        let mut intervals = Intervals::new(&pool);
        let mut expander = Expander::new(&pool);
        let expanded: Vec<ExprId> = terms
            .iter()
            .map(|&e| expander.term(&mut pool, &mut intervals, e).expect("few leaves"))
            .collect();
        let mut evaluator = Evaluator::new();
        for _ in 0..5 {
            let model = model(&mut pool, &mut rng);
            let mut under = evaluator.under(&pool, &model);
            for (&before, &after) in terms.iter().zip(&expanded) {
                assert!(!has_reads(&pool, after));
                assert_eq!(under.value_wide(before), under.value_wide(after), "seed {seed}");
            }
        }
    }
}

/// The number of if-then-else nodes of a term.
fn choices(pool: &Pool, e: ExprId) -> u32 {
    let mut seen = (std::collections::BTreeSet::new(), 0);
    pool.walk(
        e,
        WalkScope::Operands,
        &mut seen,
        |(seen, _), e| seen.contains(&e),
        |(seen, count), e| {
            seen.insert(e);
            *count += u32::from(pool.op(e) == Op::Ite);
        },
    );
    seen.1
}

fn table(pool: &mut Pool, f: impl Fn(usize) -> u8) -> VersionId {
    let bytes: Vec<u8> = (0..256).map(f).collect();
    pool.base(bytes, [])
}

#[test]
fn selections_are_minimal() {
    let mut pool = Pool::new();
    let i = index(&mut pool, 0);
    let all = Interval { lo: 0, hi: 255 };
    let different = table(&mut pool, |i| i as u8 ^ 0x5a);
    let read = pool.read(different, i);
    let full = pool.expand(read, all).expect("256 leaves");
    assert!(choices(&pool, full) <= 255);
    // Equal neighbours merge.
    let halves = table(&mut pool, |i| if i < 128 { 3 } else { 4 });
    let read = pool.read(halves, i);
    let selection = pool.expand(read, all).expect("256 leaves");
    assert_eq!(choices(&pool, selection), 1);
    // An interval restricts the reach.
    let read = pool.read(different, i);
    let few = pool.expand(read, Interval { lo: 16, hi: 19 }).expect("4 leaves");
    assert!(choices(&pool, few) <= 3);
    // So does a stride: only every fourth byte is reachable.
    let two = pool.constant(64, 2);
    let scaled = pool.shl(i, two);
    let read = pool.read(different, scaled);
    let strided = pool.expand(read, Interval { lo: 0, hi: 1023 }).expect("64 leaves");
    assert!(choices(&pool, strided) <= 70);
}

#[test]
fn too_many_leaves_are_reported() {
    let mut pool = Pool::new();
    let bytes: Vec<u8> = (0..200_000u32).map(|i| ((i * 7) >> 3) as u8).collect();
    let version = pool.base(bytes, []);
    let (low, high, top) = (byte(&mut pool, 0), byte(&mut pool, 1), byte(&mut pool, 2));
    let short = pool.concat(high, low);
    let long = pool.concat(top, short);
    let i = pool.zext(long, 64);
    let read = pool.read(version, i);
    let reach = Intervals::new(&pool).of(&pool, i);
    let error = pool.expand(read, reach).expect_err("200,000 leaves");
    assert_eq!((error.read, error.index), (read, i));
    let part = Interval { lo: 8192, hi: 8192 + u128::from(MAX_LEAVES) - 1 };
    let selection = pool.expand(read, part).expect("within the limit");
    let input = pool.input("in", 16);
    let mut model = Model::new();
    model.set_object(input, 9000u16.to_le_bytes());
    let mut evaluator = Evaluator::new();
    let mut under = evaluator.under(&pool, &model);
    assert_eq!(under.value(selection), under.value(read));
}

#[test]
fn a_long_list_of_writes_is_read_without_recursion() {
    let mut pool = Pool::new();
    let mut version = pool.base([0; 64], []);
    let x = index(&mut pool, 0);
    for i in 0..100_000u64 {
        let step = at(&mut pool, i % 61);
        let (sum, value) = (pool.xor(x, step), pool.constant(8, u128::from(i % 251)));
        version = pool.write(version, sum, value);
    }
    let zero = at(&mut pool, 0);
    let read = pool.read(version, zero);
    let input = pool.input("in", 16);
    let mut model = Model::new();
    model.set_object(input, [5]);
    // The last write with i % 61 == 5.
    let last = (0..100_000u64).rev().find(|i| i % 61 == 5).expect("there is one");
    assert_eq!(Evaluator::new().under(&pool, &model).value(read), u128::from(last % 251));
    assert_eq!(pool.support(read).len(), 1);
}

#[test]
fn ranges_of_zeros_cost_nothing() {
    let mut pool = Pool::new();
    let chunk = |at: u64, byte: u8| Chunk::new(at, Rc::new([byte; 16]));
    let far = 1 << 40;
    let version = pool.base_of_chunks(far + 16, [chunk(32, 3), chunk(far, 4)], []);
    let base = pool.base_of(version);
    assert_eq!(base.size(), far + 16);
    assert_eq!((base.weight(0, far + 15), base.weight(0, 31), base.weight(40, far)), (32, 0, 9));
    for (offset, expected) in [(0, 0), (31, 0), (32, 3), (47, 3), (48, 0), (far, 4), (far + 16, 0)]
    {
        let at = at(&mut pool, offset);
        let read = pool.read(version, at);
        assert_eq!(pool.value(read), Some(expected), "{offset}");
    }
    let i = index(&mut pool, 0);
    let read = pool.read(version, i);
    let everywhere = Interval { lo: 0, hi: u128::from(u64::MAX) };
    let selection = pool.expand(read, everywhere).expect("few leaves");
    assert!(choices(&pool, selection) <= 100);
    // A chunk of zeros is no chunk.
    let empty = pool.base_of_chunks(1 << 40, [chunk(64, 0)], []);
    let read = pool.read(empty, i);
    assert_eq!(pool.value(read), Some(0));
}

#[test]
fn a_window_equals_the_version_within_its_range() {
    let mut pool = Pool::new();
    let x = byte(&mut pool, 0);
    let i = index(&mut pool, 1);
    let chunk =
        |at: u64| Chunk::new(at, Rc::new((0..64).map(|b| b as u8 ^ at as u8).collect::<Vec<_>>()));
    let mut version =
        pool.base_of_chunks(4096, [chunk(0), chunk(1024), chunk(2048)], [(1030, x), (5, x)]);
    for (offset, value) in [(1040, 9), (3, 8), (2050, 7)] {
        let (offset, value) = (at(&mut pool, offset), pool.constant(8, value));
        version = pool.write(version, offset, value);
    }
    version = pool.write(version, i, x);
    let window = pool.window(version, (1024, 1100));
    assert_ne!(window, version);
    let input = pool.input("in", 16);
    let mut model = Model::new();
    model.set_object(input, [77; 16]);
    let mut evaluator = Evaluator::new();
    for offset in 1024..=1100 {
        let offset = at(&mut pool, offset);
        let (whole, part) = (pool.read(version, offset), pool.read(window, offset));
        let mut under = evaluator.under(&pool, &model);
        assert_eq!(under.value(whole), under.value(part));
    }
    let base = pool.base_of(window);
    assert!(base.weight(0, 4095) < pool.base_of(version).weight(0, 4095) / 2);
}
