//! Operator counts, equality atoms, and rule counters.

use byway_expr::{EqualityAtom, InputByte, Op, Pool};

#[test]
fn shared_operators_count_once() {
    let mut pool = Pool::new();
    let input = pool.input("in", 4);
    let (a, b) = (pool.input_byte(input, 0), pool.input_byte(input, 1));
    let product = pool.mul(a, b);
    let (sum, other) = (pool.add(product, a), pool.xor(product, b));
    let counts = pool.count_operators([sum, other]);
    assert_eq!(counts.of(Op::Mul), 1);
    assert_eq!((counts.of(Op::Add), counts.of(Op::Xor), counts.of(Op::Input)), (1, 1, 2));
    assert_eq!((counts.total(), counts.iter().count()), (5, 4));
}

#[test]
fn memory_contents_are_counted() {
    let mut pool = Pool::new();
    let input = pool.input("in", 4);
    let (a, b) = (pool.input_byte(input, 0), pool.input_byte(input, 1));
    let product = pool.mul(a, b);
    let version = pool.base([1, 2, 3, 4], [(1, product)]);
    let index = pool.zext(a, 64);
    let read = pool.read(version, index);
    let counts = pool.count_operators([read]);
    assert_eq!((counts.of(Op::Read), counts.of(Op::Mul)), (1, 1));
}

#[test]
fn atoms_are_found_alone_and_under_connectives() {
    let mut pool = Pool::new();
    let object = pool.input("in", 4);
    let equals = |pool: &mut Pool, byte: u32, value: u8| {
        let (x, c) = (pool.input_byte(object, byte), pool.constant(8, value.into()));
        pool.eq(x, c)
    };
    let (x, y) = (equals(&mut pool, 0, b'a'), equals(&mut pool, 3, b'b'));
    let atom =
        |byte: u32, constant: u8| EqualityAtom { input: InputByte { object, byte }, constant };
    assert_eq!(pool.as_equality_atom(x), Some(atom(0, b'a')));
    let either = pool.or(x, y);
    let mut atoms = pool.equality_atoms(either);
    atoms.sort();
    assert_eq!(atoms, [atom(0, b'a'), atom(3, b'b')]);
    let not = pool.not(x);
    assert!(pool.equality_atoms(not).is_empty());
}

#[test]
fn applied_rules_are_counted() {
    let mut pool = Pool::new();
    let input = pool.input("in", 2);
    let (x, y) = (pool.input_byte(input, 0), pool.input_byte(input, 1));
    let zero = pool.constant(8, 0);
    assert!(pool.rule_counts().is_empty());
    assert_eq!(pool.add(x, zero), x);
    assert_eq!(pool.add(zero, y), y);
    assert_eq!(pool.rule_counts(), [("add-zero", 2)]);
}
