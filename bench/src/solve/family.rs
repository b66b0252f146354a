//! Generated queries: arithmetic that needs a search, from easy to hard. A change may help
//! one query by chance and slow down another, so it is judged by all of them.

use byway_base::ExprId;
use byway_expr::{Op, PathCondition, Pool};

use super::{LoggedQuery, QueryLog};

/// Pseudo-random numbers from a fixed seed.
struct FixedRandom(u64);

impl FixedRandom {
    fn below(&mut self, end: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 24) % end
    }
}

/// A query under construction.
struct QueryBuilder {
    pool: Pool,
    path: Vec<ExprId>,
}

impl QueryBuilder {
    /// A symbolic word.
    fn word(&mut self, name: &str, bits: u32) -> ExprId {
        let bytes = bits.div_ceil(8);
        let object = self.pool.input(name, bytes);
        let mut word = self.pool.input_byte(object, 0);
        for at in 1..bytes {
            let byte = self.pool.input_byte(object, at);
            word = self.pool.concat(byte, word);
        }
        self.pool.extract(word, 0, bits)
    }

    fn number(&mut self, like: ExprId, value: u64) -> ExprId {
        let width = self.pool.width(like);
        let mask = if width < 64 { (1 << width) - 1 } else { u64::MAX };
        self.pool.constant(width, u128::from(value & mask))
    }

    fn equals(&mut self, e: ExprId, value: u64) -> ExprId {
        let value = self.number(e, value);
        self.pool.eq(e, value)
    }

    fn with_number(&mut self, op: Op, e: ExprId, value: u64) -> ExprId {
        let value = self.number(e, value);
        self.pool.binary(op, e, value)
    }
}

/// One query, as a log of its own.
fn log(
    name: String,
    said: Option<bool>,
    write: impl FnOnce(&mut QueryBuilder) -> ExprId,
) -> QueryLog {
    let mut builder = QueryBuilder { pool: Pool::new(), path: Vec::new() };
    let asked = write(&mut builder);
    let mut path = PathCondition::new();
    for conjunct in builder.path {
        path.add(&mut builder.pool, conjunct);
    }
    let asked = LoggedQuery { path, asked, witness: None, said };
    QueryLog { name, pool: builder.pool, queries: vec![asked], left_out: 0 }
}

/// `1 < x <= y`, both of `bits` bits, and `x * y` is a number.
fn factors(name: String, bits: u32, product: u64, said: bool) -> QueryLog {
    log(name, Some(said), |builder| {
        let (x, y) = (builder.word("x", bits), builder.word("y", bits));
        let one = builder.number(x, 1);
        let bounds = [builder.pool.ult(one, x), builder.pool.ule(x, y)];
        builder.path.extend(bounds);
        let (x, y) = (builder.pool.zext(x, 2 * bits), builder.pool.zext(y, 2 * bits));
        let product_term = builder.pool.mul(x, y);
        builder.equals(product_term, product)
    })
}

/// The next prime.
fn prime(from: u64) -> u64 {
    let divides = |n: u64| (2..).take_while(move |d| d * d <= n).any(move |d| n.is_multiple_of(d));
    (from.max(2)..).find(|&n| !divides(n)).unwrap_or(from)
}

/// All of them.
pub fn logs() -> Vec<QueryLog> {
    let mut random = FixedRandom(2026);
    let mut logs = Vec::new();
    for bits in [10, 12, 13, 14, 15, 16] {
        let top = 1u64 << (bits - 1);
        for at in 0..3 {
            let [p, q] = [0; 2].map(|_| prime(top + random.below(top * 3 / 4)));
            logs.push(factors(format!("factor{bits}.{at}"), bits, p * q, true));
        }
        if bits <= 13 {
            let product = prime(top * top + random.below(top * top));
            logs.push(factors(format!("prime{bits}"), bits, product, false));
        }
    }
    for bits in [16, 24, 32, 40] {
        let root = random.below(1 << bits);
        logs.push(log(format!("square{bits}"), Some(true), |builder| {
            let x = builder.word("x", bits);
            let square = builder.pool.mul(x, x);
            builder.equals(square, root.wrapping_mul(root))
        }));
        let (x, y) = (random.below(1 << bits), random.below(1 << (bits / 2)) + 3);
        logs.push(log(format!("divide{bits}"), Some(true), |builder| {
            let (a, b) = (builder.word("x", bits), builder.word("y", bits));
            let quotient = builder.pool.binary(Op::UDiv, a, b);
            let given = builder.equals(quotient, x / y);
            builder.path.push(given);
            let rest = builder.pool.binary(Op::URem, a, b);
            let product = builder.pool.mul(rest, b);
            builder.equals(product, (x % y).wrapping_mul(y))
        }));
        let (x, by) = (random.below(1 << bits), random.below(u64::from(bits)));
        logs.push(log(format!("shift{bits}"), Some(true), |builder| {
            let (a, amount) = (builder.word("x", bits), builder.word("n", 5));
            let amount = builder.pool.zext(amount, bits);
            let [left, right] = [Op::Shl, Op::LShr].map(|op| builder.pool.binary(op, a, amount));
            let sum = builder.pool.add(left, right);
            let product = builder.pool.mul(sum, a);
            let (mask, by) = ((1 << bits) - 1, by & 31);
            let value = (x << by & mask).wrapping_add(x >> by).wrapping_mul(x);
            builder.equals(product, value)
        }));
    }
    for (name, factor, adds) in
        [("fnv", 16_777_619, false), ("times31", 31, true), ("sdbm", 65_599, true)]
    {
        for bytes in [3, 4, 5, 6] {
            let text: Vec<u64> = (0..bytes).map(|_| random.below(256)).collect();
            logs.push(log(format!("{name}{bytes}"), Some(true), |builder| {
                hash(builder, &text, factor, adds)
            }));
        }
    }
    for bits in [5, 6] {
        logs.push(log(format!("distribute{bits}"), Some(false), |builder| {
            let [x, y, z] = ["x", "y", "z"].map(|name| builder.word(name, bits));
            let sum = builder.pool.add(x, y);
            let left = builder.pool.mul(sum, z);
            let [a, b] = [x, y].map(|e| builder.pool.mul(e, z));
            let right = builder.pool.add(a, b);
            let same = builder.pool.eq(left, right);
            builder.pool.not(same)
        }));
    }
    logs
}

/// A text with the hash of another one.
fn hash(builder: &mut QueryBuilder, text: &[u64], factor: u64, adds: bool) -> ExprId {
    let input = builder.word("text", 8 * text.len() as u32);
    let mut term = builder.pool.constant(32, 7);
    let mut value = 7u64;
    for (at, &byte) in text.iter().enumerate() {
        let letter = builder.pool.extract(input, 8 * at as u32, 8);
        let letter = builder.pool.zext(letter, 32);
        if adds {
            term = builder.with_number(Op::Mul, term, factor);
            term = builder.pool.add(term, letter);
            value = (value * factor + byte) & 0xffff_ffff;
        } else {
            term = builder.pool.binary(Op::Xor, term, letter);
            term = builder.with_number(Op::Mul, term, factor);
            value = ((value ^ byte) * factor) & 0xffff_ffff;
        }
    }
    builder.equals(term, value)
}
