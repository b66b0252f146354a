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
fn core_conditions_are_equalities_of_inputs_and_constants() {
    let mut pool = Pool::new();
    let object = pool.input("in", 8);
    let equals = |pool: &mut Pool, byte: u32, value: u8| {
        let (x, c) = (pool.input_byte(object, byte), pool.constant(8, value.into()));
        pool.eq(x, c)
    };
    let (x, y) = (equals(&mut pool, 0, b'a'), equals(&mut pool, 3, b'b'));
    let (both, either, not) = (pool.and(x, y), pool.or(x, y), pool.not(x));
    let mixed = pool.or(y, not);
    let bytes: Vec<_> = (0..8).map(|byte| pool.input_byte(object, byte)).collect();
    let number = bytes[1..].iter().fold(bytes[0], |low, &high| pool.concat(high, low));
    let constant = pool.constant(64, 0x0102_0304_0506_0708);
    let equal = pool.eq(number, constant);
    let (larger, two) = (pool.ult(constant, number), pool.or(equal, x));
    let core = [x, both, either, equal, two].map(|it| pool.is_core_condition(it));
    assert_eq!(core, [true; 5]);
    assert_eq!([not, mixed, larger].map(|it| pool.is_core_condition(it)), [false; 3]);
    // More than two numbers.
    let many = (0..8).fold(equal, |all, byte| {
        let more = [equals(&mut pool, byte, 200), equals(&mut pool, byte, 100)];
        more.into_iter().fold(all, |all, one| pool.or(all, one))
    });
    assert!(!pool.is_core_condition(many));
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
