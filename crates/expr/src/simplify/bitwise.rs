//! Complement, and, or, exclusive or. Rules for single bits only are in `boolean`.

use byway_base::{ExprId, int};

use super::{boolean, either, of_ite_of_constants, with_ite_of_constants};
use crate::node::Node;
use crate::op::Op;
use crate::pool::Pool;

rules! { NOT, k;
    "not-not" (wide) => not_not,
        yes: k.not(k.not(k.x())),
        no: k.not(k.neg(k.x()));
    "not-order" (wide) => boolean::not_order,
        yes: k.pick([
            k.not(k.ult(k.x(), k.y())),
            k.not(k.bin(Op::Ule, k.x(), k.y())),
            k.not(k.bin(Op::Slt, k.x(), k.y())),
            k.not(k.bin(Op::Sle, k.x(), k.y())),
        ]),
        no: k.not(k.eq(k.x(), k.y()));
    "not-xor" (wide) => not_xor,
        yes: k.not(k.xor(k.c(0), k.x())),
        no: k.not(k.xor(k.x(), k.y()));
    "not-add" (wide) => not_add,
        yes: k.not(k.add(k.c(0), k.x())),
        no: k.not(k.add(k.x(), k.y()));
    "not-sub" (wide) => not_sub,
        yes: k.not(k.sub(k.c(0), k.x())),
        no: k.not(k.sub(k.x(), k.y()));
    "not-neg" => not_neg,
        yes: k.not(k.neg(k.x())),
        no: k.not(k.not(k.x()));
    "not-sext" (wide) => not_sext,
        yes: k.not(k.sext(k.x())),
        no: k.not(k.zext(k.x()));
    "not-ite" (wide) => of_ite_of_constants,
        yes: k.not(k.ite(k.p(), k.c(0), k.c(1))),
        no: k.not(k.ite(k.p(), k.c(0), k.x()));
}

rules! { AND, k;
    "and-zero" => and_zero,
        yes: k.and(k.c(0), k.x()),
        no: k.and(k.one(), k.x());
    "and-ones" => and_ones,
        yes: k.and(k.c(0), k.x()),
        no: k.and(k.zero(), k.x());
    "and-same" (wide) => same,
        yes: k.and(k.x(), k.x()),
        no: k.and(k.x(), k.y());
    "and-complement" (wide) => complement,
        yes: k.and(k.x(), k.not(k.x())),
        no: k.and(k.x(), k.not(k.y()));
    "and-constants" (wide) => constants,
        yes: k.and(k.c(0), k.and(k.c(1), k.x())),
        no: k.and(k.c(0), k.or(k.c(1), k.x()));
    "and-absorb" (wide) => absorb,
        yes: k.and(k.x(), k.or(k.x(), k.y())),
        no: k.and(k.x(), k.or(k.y(), k.z()));
    "and-repeat" (wide) => repeat,
        yes: k.and(k.x(), k.and(k.x(), k.y())),
        no: k.and(k.x(), k.and(k.y(), k.z()));
    "and-nots" (wide) => nots,
        yes: k.and(k.not(k.x()), k.not(k.y())),
        no: k.and(k.not(k.x()), k.y());
    "and-constant-zext" (wide) => constant_and_zext,
        yes: k.and(k.both(0), k.zext(k.x())),
        no: k.and(k.both(0), k.sext(k.x()));
    "and-zext" (wide) => both_zext,
        yes: k.and(k.zext(k.x()), k.zext(k.y())),
        no: k.and(k.zext(k.x()), k.sext(k.y()));
    "and-constant-concat" (wide) => constant_and_concat,
        yes: k.and(k.both(0), k.concat(k.x(), k.s())),
        no: k.and(k.concat(k.x(), k.s()), k.concat(k.y(), k.t()));
    "and-parts" (wide) => parts,
        yes: k.and(k.concat(k.x(), k.num(k.v(), 0)), k.concat(k.c(0), k.s())),
        no: k.and(k.concat(k.x(), k.s()), k.concat(k.y(), k.t()));
    "and-known" => and_known,
        yes: k.and(k.both(0), k.zext(k.x())),
        no: k.and(k.zero(), k.x());
    "and-low-mask" => and_low_mask,
        yes: k.and(k.both(0), k.variable(0, k.w() + k.v())),
        no: k.and(k.num(k.w() + 1, int::mask(k.w())), k.variable(0, k.w() + 1));
    "and-high-mask" => and_high_mask,
        yes: k.and(k.both(0), k.variable(0, k.w() + k.v())),
        no: k.and(k.zero(), k.x());
    "and-bit" (wide) => and_bit,
        yes: k.and(k.sext_to(k.p(), k.w() + 1), k.zext_to(k.x(), k.w() + 1)),
        no: k.and(k.zext_to(k.p(), k.w() + 1), k.zext_to(k.x(), k.w() + 1));
    "and-ite" => with_ite_of_constants,
        yes: k.and(k.c(0), k.ite(k.p(), k.c(1), k.one())),
        no: k.and(k.c(0), k.ite(k.p(), k.x(), k.one()));
    "and-orders" (wide) => boolean::and_orders,
        yes: k.pick([
            k.and(k.bin(Op::Ule, k.x(), k.y()), k.bin(Op::Ule, k.y(), k.x())),
            k.and(k.bin(Op::Ult, k.x(), k.y()), k.bin(Op::Ule, k.y(), k.x())),
            k.and(k.bin(Op::Slt, k.x(), k.y()), k.bin(Op::Slt, k.y(), k.x())),
            k.and(k.bin(Op::Sle, k.x(), k.y()), k.bin(Op::Sle, k.y(), k.x())),
        ]),
        no: k.and(k.bin(Op::Ule, k.x(), k.y()), k.bin(Op::Sle, k.y(), k.x()));
    "and-order-implied" (wide) => boolean::and_order_implied,
        yes: k.pick([
            k.and(k.ult(k.x(), k.y()), k.bin(Op::Ule, k.x(), k.y())),
            k.and(k.bin(Op::Sle, k.x(), k.y()), k.bin(Op::Slt, k.x(), k.y())),
        ]),
        no: k.and(k.ult(k.x(), k.y()), k.bin(Op::Ule, k.x(), k.z()));
    "and-order-distinct" (wide) => boolean::and_order_distinct,
        yes: k.pick([
            k.and(k.bin(Op::Ule, k.x(), k.y()), k.not(k.eq(k.x(), k.y()))),
            k.and(k.bin(Op::Slt, k.x(), k.y()), k.not(k.eq(k.y(), k.x()))),
        ]),
        no: k.and(k.ult(k.x(), k.y()), k.eq(k.x(), k.z()));
    "and-equal-decides" => boolean::and_equal_decides,
        yes: k.pick([
            k.and(k.eq(k.c(0), k.x()), k.ult(k.x(), k.c(1))),
            k.and(k.eq(k.c(0), k.x()), k.bin(Op::Slt, k.c(1), k.x())),
            k.and(k.eq(k.c(0), k.x()), k.not(k.eq(k.c(1), k.x()))),
        ]),
        no: k.and(k.eq(k.c(0), k.x()), k.ult(k.y(), k.c(1)));
}

rules! { OR, k;
    "or-zero" => or_zero,
        yes: k.or(k.c(0), k.x()),
        no: k.or(k.one(), k.x());
    "or-ones" => or_ones,
        yes: k.or(k.c(0), k.x()),
        no: k.or(k.zero(), k.x());
    "or-same" (wide) => same,
        yes: k.or(k.x(), k.x()),
        no: k.or(k.x(), k.y());
    "or-complement" (wide) => complement,
        yes: k.or(k.x(), k.not(k.x())),
        no: k.or(k.x(), k.not(k.y()));
    "or-constants" (wide) => constants,
        yes: k.or(k.c(0), k.or(k.c(1), k.x())),
        no: k.or(k.c(0), k.and(k.c(1), k.x()));
    "or-absorb" (wide) => absorb,
        yes: k.or(k.x(), k.and(k.x(), k.y())),
        no: k.or(k.x(), k.and(k.y(), k.z()));
    "or-repeat" (wide) => repeat,
        yes: k.or(k.x(), k.or(k.x(), k.y())),
        no: k.or(k.x(), k.or(k.y(), k.z()));
    "or-nots" (wide) => nots,
        yes: k.or(k.not(k.x()), k.not(k.y())),
        no: k.or(k.not(k.x()), k.y());
    "or-zext" (wide) => both_zext,
        yes: k.or(k.zext(k.x()), k.zext(k.y())),
        no: k.or(k.zext(k.x()), k.sext(k.y()));
    "or-constant-zext" (wide) => constant_with_zext,
        yes: k.or(k.both(0), k.zext(k.x())),
        no: k.or(k.zext(k.x()), k.zext(k.y()));
    "or-constant-concat" (wide) => constant_and_concat,
        yes: k.or(k.both(0), k.concat(k.x(), k.s())),
        no: k.or(k.concat(k.x(), k.s()), k.concat(k.y(), k.t()));
    "or-parts" (wide) => parts,
        yes: k.or(k.concat(k.x(), k.num(k.v(), 0)), k.zext_to(k.s(), k.w() + k.v())),
        no: k.or(k.concat(k.x(), k.s()), k.concat(k.y(), k.t()));
    "or-ite" => with_ite_of_constants,
        yes: k.or(k.c(0), k.ite(k.p(), k.c(1), k.one())),
        no: k.or(k.c(0), k.ite(k.p(), k.x(), k.one()));
    "or-orders" (wide) => boolean::or_orders,
        yes: k.pick([
            k.or(k.ult(k.x(), k.y()), k.ult(k.y(), k.x())),
            k.or(k.bin(Op::Sle, k.x(), k.y()), k.bin(Op::Slt, k.y(), k.x())),
            k.or(k.bin(Op::Ule, k.x(), k.y()), k.bin(Op::Ule, k.y(), k.x())),
        ]),
        no: k.or(k.ult(k.x(), k.y()), k.bin(Op::Slt, k.y(), k.x()));
    "or-order-implied" (wide) => boolean::or_order_implied,
        yes: k.pick([
            k.or(k.ult(k.x(), k.y()), k.bin(Op::Ule, k.x(), k.y())),
            k.or(k.bin(Op::Sle, k.x(), k.y()), k.bin(Op::Slt, k.x(), k.y())),
        ]),
        no: k.or(k.ult(k.x(), k.y()), k.bin(Op::Ule, k.x(), k.z()));
    "or-order-equal" (wide) => boolean::or_order_equal,
        yes: k.pick([
            k.or(k.ult(k.x(), k.y()), k.eq(k.x(), k.y())),
            k.or(k.bin(Op::Sle, k.x(), k.y()), k.eq(k.y(), k.x())),
        ]),
        no: k.or(k.ult(k.x(), k.y()), k.eq(k.x(), k.z()));
}

rules! { XOR, k;
    "xor-zero" => or_zero,
        yes: k.xor(k.c(0), k.x()),
        no: k.xor(k.one(), k.x());
    "xor-ones" => xor_ones,
        yes: k.xor(k.c(0), k.x()),
        no: k.xor(k.zero(), k.x());
    "xor-same" (wide) => xor_same,
        yes: k.xor(k.x(), k.x()),
        no: k.xor(k.x(), k.y());
    "xor-constants" (wide) => constants,
        yes: k.xor(k.c(0), k.xor(k.c(1), k.x())),
        no: k.xor(k.c(0), k.or(k.c(1), k.x()));
    "xor-not" (wide) => xor_not,
        yes: k.xor(k.not(k.x()), k.y()),
        no: k.xor(k.neg(k.x()), k.y());
    "xor-cancel" (wide) => xor_cancel,
        yes: k.xor(k.x(), k.xor(k.x(), k.y())),
        no: k.xor(k.x(), k.xor(k.y(), k.z()));
    "xor-zext" (wide) => both_zext,
        yes: k.xor(k.zext(k.x()), k.zext(k.y())),
        no: k.xor(k.zext(k.x()), k.sext(k.y()));
    "xor-constant-zext" (wide) => constant_with_zext,
        yes: k.xor(k.both(0), k.zext(k.x())),
        no: k.xor(k.zext(k.x()), k.zext(k.y()));
    "xor-constant-concat" (wide) => constant_and_concat,
        yes: k.xor(k.both(0), k.concat(k.x(), k.s())),
        no: k.xor(k.concat(k.x(), k.s()), k.concat(k.y(), k.t()));
    "xor-parts" (wide) => parts,
        yes: k.xor(k.concat(k.x(), k.num(k.v(), 0)), k.zext_to(k.s(), k.w() + k.v())),
        no: k.xor(k.concat(k.x(), k.s()), k.concat(k.y(), k.t()));
    "xor-ite" => with_ite_of_constants,
        yes: k.xor(k.c(0), k.ite(k.p(), k.c(1), k.one())),
        no: k.xor(k.c(0), k.ite(k.p(), k.x(), k.one()));
}

/// match:  ~~x
/// result: x
fn not_not(p: &mut Pool, n: Node) -> Option<ExprId> {
    p.one(n.a(), Op::Not)
}

/// match:  ~(c ^ x)
/// result: ~c ^ x
fn not_xor(p: &mut Pool, n: Node) -> Option<ExprId> {
    let (c, x) = p.two(n.a(), Op::Xor).filter(|&(c, _)| p.is_constant(c))?;
    let c = p.not(c);
    Some(p.xor(c, x))
}

/// match:  ~(c + x)
/// result: ~c - x
fn not_add(p: &mut Pool, n: Node) -> Option<ExprId> {
    let (c, x) = p.two(n.a(), Op::Add).filter(|&(c, _)| p.is_constant(c))?;
    let c = p.not(c);
    Some(p.sub(c, x))
}

/// match:  ~(c - x)
/// result: ~c + x
fn not_sub(p: &mut Pool, n: Node) -> Option<ExprId> {
    let (c, x) = p.two(n.a(), Op::Sub).filter(|&(c, _)| p.is_constant(c))?;
    let c = p.not(c);
    Some(p.add(c, x))
}

/// match:  ~-x
/// result: -1 + x
fn not_neg(p: &mut Pool, n: Node) -> Option<ExprId> {
    let x = p.one(n.a(), Op::Neg)?;
    let ones = p.constant(n.width(), int::mask(n.width()));
    Some(p.add(ones, x))
}

/// match:  ~sext(x)
/// result: sext(~x)
fn not_sext(p: &mut Pool, n: Node) -> Option<ExprId> {
    let x = p.one(n.a(), Op::Sext)?;
    let x = p.not(x);
    Some(p.sext(x, n.width()))
}

/// match:  0 & x
/// result: 0
fn and_zero(p: &mut Pool, n: Node) -> Option<ExprId> {
    (p.value(n.a())? == 0).then(|| n.a())
}

/// match:  -1 & x
/// result: x
fn and_ones(p: &mut Pool, n: Node) -> Option<ExprId> {
    (p.value(n.a())? == int::mask(n.width())).then(|| n.b())
}

/// match:  x & x or x | x
/// result: x
fn same(_: &mut Pool, n: Node) -> Option<ExprId> {
    (n.a() == n.b()).then(|| n.a())
}

/// match:  x & ~x or x | ~x
/// result: 0 or -1
fn complement(p: &mut Pool, n: Node) -> Option<ExprId> {
    either(n, |x, b| p.one(b, Op::Not).filter(|&y| x == y))?;
    let zero = p.constant(n.width(), 0);
    Some(if n.op == Op::And { zero } else { p.not(zero) })
}

/// match:  c op (d op x)
/// result: (c op d) op x
fn constants(p: &mut Pool, n: Node) -> Option<ExprId> {
    let (d, x) = p.two(n.b(), n.op)?;
    (p.is_constant(n.a()) && p.is_constant(d)).then(|| {
        let both = p.binary(n.op, n.a(), d);
        p.binary(n.op, both, x)
    })
}

/// match:  x & (x | y) or x | (x & y)
/// result: x
fn absorb(p: &mut Pool, n: Node) -> Option<ExprId> {
    let dual = if n.op == Op::And { Op::Or } else { Op::And };
    either(n, |x, b| p.two(b, dual).filter(|&(y, z)| x == y || x == z).map(|_| x))
}

/// match:  x op (x op y), for and, or
/// result: x op y
fn repeat(p: &mut Pool, n: Node) -> Option<ExprId> {
    either(n, |x, b| p.two(b, n.op).filter(|&(y, z)| x == y || x == z).map(|_| b))
}

/// match:  ~x & ~y or ~x | ~y
/// result: ~(x | y) or ~(x & y)
fn nots(p: &mut Pool, n: Node) -> Option<ExprId> {
    let (x, y) = (p.one(n.a(), Op::Not)?, p.one(n.b(), Op::Not)?);
    let dual = if n.op == Op::And { Op::Or } else { Op::And };
    let inner = p.binary(dual, x, y);
    Some(p.not(inner))
}

/// match:  c & zext(x)
/// result: zext(c & x), c truncated
fn constant_and_zext(p: &mut Pool, n: Node) -> Option<ExprId> {
    let x = p.one(n.b(), Op::Zext)?;
    p.is_constant(n.a()).then(|| {
        let c = p.extract(n.a(), 0, p.width(x));
        let low = p.and(c, x);
        p.zext(low, n.width())
    })
}

/// match:  zext(x) op zext(y)
/// result: zext(x op y), at the larger width
fn both_zext(p: &mut Pool, n: Node) -> Option<ExprId> {
    let (x, y) = (p.one(n.a(), Op::Zext)?, p.one(n.b(), Op::Zext)?);
    let width = p.width(x).max(p.width(y));
    let (x, y) = (p.zext(x, width), p.zext(y, width));
    let low = p.binary(n.op, x, y);
    Some(p.zext(low, n.width()))
}

/// match:  c op zext(x), for or, exclusive or
/// result: the high bits of c above (c op x), c truncated
fn constant_with_zext(p: &mut Pool, n: Node) -> Option<ExprId> {
    let x = p.one(n.b(), Op::Zext)?;
    p.is_constant(n.a()).then(|| {
        let width = p.width(x);
        let low = p.extract(n.a(), 0, width);
        let low = p.binary(n.op, low, x);
        let high = p.extract(n.a(), width, n.width() - width);
        p.concat(high, low)
    })
}

/// match:  c op concat(x, y)
/// result: concat(c op x, c op y), c split
fn constant_and_concat(p: &mut Pool, n: Node) -> Option<ExprId> {
    p.is_constant(n.a()).then_some(())?;
    let (x, y) = p.two(n.b(), Op::Concat)?;
    let (high, low) = p.split_at(n.a(), p.width(y));
    let (high, low) = (p.binary(n.op, high, x), p.binary(n.op, low, y));
    Some(p.concat(high, low))
}

/// match:  concat(x, y) op z, z a concatenation or an extension; split at y's width, one of the
///         halves has a constant operand
/// result: the concatenation of the halves
fn parts(p: &mut Pool, n: Node) -> Option<ExprId> {
    let (x, y, z) = either(n, |a, z| {
        let (x, y) = p.two(a, Op::Concat)?;
        let at = p.width(y);
        let above = p.is_constant(x) || is_constant_above(p, z, at);
        let below = p.is_constant(y) || is_constant_below(p, z, at);
        let wiring = matches!(p.op(z), Op::Concat | Op::Zext);
        (wiring && (above || below)).then_some((x, y, z))
    })?;
    let (high, low) = p.split_at(z, p.width(y));
    let (high, low) = (p.binary(n.op, x, high), p.binary(n.op, y, low));
    Some(p.concat(high, low))
}

/// Whether the bits of a wiring term from `at` upwards are constant.
fn is_constant_above(p: &Pool, e: ExprId, at: u32) -> bool {
    let node = p.node(e);
    match node.op {
        Op::Concat => p.is_constant(node.a()) && p.width(node.b()) <= at,
        op => op == Op::Zext && p.width(node.a()) <= at,
    }
}

/// Whether the bits of a wiring term below `at` are constant.
fn is_constant_below(p: &Pool, e: ExprId, at: u32) -> bool {
    let node = p.node(e);
    node.op == Op::Concat && p.is_constant(node.b()) && p.width(node.b()) >= at
}

/// match:  c & x, every bit outside c known to be zero in x
/// result: x
fn and_known(p: &mut Pool, n: Node) -> Option<ExprId> {
    let c = p.value(n.a())?;
    let possible = p.known(n.b()).highest(n.width());
    (n.width <= 64 && possible & !(c as u64) == 0).then(|| n.b())
}

/// match:  (2^k - 1) & x, unless only the sign bit is cleared, which is a float's absolute
///         value
/// result: the low k bits of x, zero-extended
fn and_low_mask(p: &mut Pool, n: Node) -> Option<ExprId> {
    let c = p.value(n.a())?;
    let bits = c.trailing_ones();
    let is_mask = bits > 0 && bits + 1 < n.width() && c == int::mask(bits);
    is_mask.then(|| {
        let low = p.extract(n.b(), 0, bits);
        p.zext(low, n.width())
    })
}

/// match:  -2^k & x
/// result: the high bits of x above k zeros
fn and_high_mask(p: &mut Pool, n: Node) -> Option<ExprId> {
    let c = p.value(n.a())?;
    let zeros = c.trailing_zeros();
    let is_mask = c != 0 && zeros > 0 && c == int::mask(n.width()) >> zeros << zeros;
    is_mask.then(|| {
        let high = p.extract(n.b(), zeros, n.width() - zeros);
        let low = p.constant(zeros, 0);
        p.concat(high, low)
    })
}

/// match:  sext(q) & x, with q one bit
/// result: ite(q, x, 0)
fn and_bit(p: &mut Pool, n: Node) -> Option<ExprId> {
    let bit = |p: &Pool, e| p.one(e, Op::Sext).filter(|&q| p.width(q) == 1);
    let (q, x) = either(n, |a, x| Some((bit(p, a)?, x)))?;
    let zero = p.constant(n.width(), 0);
    Some(p.ite(q, x, zero))
}

/// match:  0 | x or 0 ^ x
/// result: x
fn or_zero(p: &mut Pool, n: Node) -> Option<ExprId> {
    (p.value(n.a())? == 0).then(|| n.b())
}

/// match:  -1 | x
/// result: -1
fn or_ones(p: &mut Pool, n: Node) -> Option<ExprId> {
    (p.value(n.a())? == int::mask(n.width())).then(|| n.a())
}

/// match:  -1 ^ x
/// result: ~x
fn xor_ones(p: &mut Pool, n: Node) -> Option<ExprId> {
    (p.value(n.a())? == int::mask(n.width())).then(|| p.not(n.b()))
}

/// match:  x ^ x
/// result: 0
fn xor_same(p: &mut Pool, n: Node) -> Option<ExprId> {
    (n.a() == n.b()).then(|| p.constant(n.width(), 0))
}

/// match:  ~x ^ y
/// result: ~(x ^ y)
fn xor_not(p: &mut Pool, n: Node) -> Option<ExprId> {
    let (x, y) = either(n, |a, y| Some((p.one(a, Op::Not)?, y)))?;
    let both = p.xor(x, y);
    Some(p.not(both))
}

/// match:  x ^ (x ^ y)
/// result: y
fn xor_cancel(p: &mut Pool, n: Node) -> Option<ExprId> {
    either(n, |x, b| match p.two(b, Op::Xor)? {
        (a, y) if a == x => Some(y),
        (y, a) if a == x => Some(y),
        _ => None,
    })
}
