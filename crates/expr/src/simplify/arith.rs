//! Sums, differences and negations.

use byway_base::{ExprId, int};

use super::{either, of_ite_of_constants, with_ite_of_constants};
use crate::node::Node;
use crate::op::Op;
use crate::pool::Pool;

rules! { ADD, k;
    "add-zero" => add_zero,
        yes: k.add(k.c(0), k.x()),
        no: k.add(k.one(), k.x());
    "add-bit" => as_xor_of_bits,
        yes: k.add(k.x(), k.y()),
        no: k.add(k.zext(k.x()), k.zext(k.y()));
    "add-constants" => add_constants,
        yes: k.add(k.c(0), k.add(k.c(1), k.x())),
        no: k.add(k.c(0), k.add(k.x(), k.y()));
    "add-constant-sub" => add_constant_sub,
        yes: k.add(k.c(0), k.sub(k.c(1), k.x())),
        no: k.add(k.c(0), k.sub(k.x(), k.y()));
    "add-constant-not" => add_constant_not,
        yes: k.add(k.c(0), k.not(k.x())),
        no: k.add(k.x(), k.not(k.y()));
    "add-outward" => add_outward,
        yes: k.add(k.add(k.c(0), k.x()), k.y()),
        no: k.add(k.add(k.z(), k.x()), k.y());
    "add-sub-outward" => add_sub_outward,
        yes: k.add(k.sub(k.c(0), k.x()), k.y()),
        no: k.add(k.sub(k.z(), k.x()), k.y());
    "add-neg" => add_neg,
        yes: k.add(k.x(), k.neg(k.y())),
        no: k.add(k.x(), k.not(k.y()));
    "add-sub-cancel" => add_sub_cancel,
        yes: k.add(k.sub(k.x(), k.y()), k.y()),
        no: k.add(k.sub(k.x(), k.y()), k.x());
    "add-same" => add_same,
        yes: k.add(k.x(), k.x()),
        no: k.add(k.x(), k.y());
    "add-collect" => add_collect,
        yes: k.add(k.mul(k.c(0), k.x()), k.x()),
        no: k.add(k.mul(k.c(0), k.x()), k.y());
    "add-collect-both" => add_collect_both,
        yes: k.add(k.mul(k.c(0), k.x()), k.mul(k.c(1), k.x())),
        no: k.add(k.mul(k.c(0), k.x()), k.mul(k.c(1), k.y()));
    "add-disjoint" => add_disjoint,
        yes: k.add(k.concat(k.x(), k.num(k.v(), 0)), k.zext_to(k.s(), k.w() + k.v())),
        no: k.add(k.concat(k.x(), k.num(k.v(), 1)), k.zext_to(k.s(), k.w() + k.v()));
    "add-ite" => with_ite_of_constants,
        yes: k.add(k.c(0), k.ite(k.p(), k.c(1), k.one())),
        no: k.add(k.c(0), k.ite(k.p(), k.x(), k.one()));
}

rules! { SUB, k;
    "sub-constant" => sub_constant,
        yes: k.sub(k.x(), k.c(0)),
        no: k.sub(k.c(0), k.x());
    "sub-from-zero" => sub_from_zero,
        yes: k.sub(k.c(0), k.x()),
        no: k.sub(k.one(), k.x());
    "sub-bit" => as_xor_of_bits,
        yes: k.sub(k.x(), k.y()),
        no: k.sub(k.zext(k.x()), k.zext(k.y()));
    "sub-same" => sub_same,
        yes: k.sub(k.x(), k.x()),
        no: k.sub(k.x(), k.y());
    "sub-constant-add" => sub_constant_add,
        yes: k.sub(k.c(0), k.add(k.c(1), k.x())),
        no: k.sub(k.c(0), k.add(k.x(), k.y()));
    "sub-constant-sub" => sub_constant_sub,
        yes: k.sub(k.c(0), k.sub(k.c(1), k.x())),
        no: k.sub(k.c(0), k.sub(k.x(), k.c(1)));
    "sub-constant-not" => sub_constant_not,
        yes: k.sub(k.c(0), k.not(k.x())),
        no: k.sub(k.x(), k.not(k.y()));
    "sub-neg" => sub_neg,
        yes: k.sub(k.x(), k.neg(k.y())),
        no: k.sub(k.neg(k.x()), k.y());
    "sub-left-neg" => sub_left_neg,
        yes: k.sub(k.neg(k.x()), k.y()),
        no: k.sub(k.x(), k.neg(k.y()));
    "sub-left-outward" => sub_left_outward,
        yes: k.sub(k.add(k.c(0), k.x()), k.y()),
        no: k.sub(k.add(k.x(), k.y()), k.z());
    "sub-right-outward" => sub_right_outward,
        yes: k.sub(k.x(), k.add(k.c(0), k.y())),
        no: k.sub(k.x(), k.add(k.y(), k.z()));
    "sub-left-sub-outward" => sub_left_sub_outward,
        yes: k.sub(k.sub(k.c(0), k.x()), k.y()),
        no: k.sub(k.sub(k.x(), k.y()), k.z());
    "sub-right-sub-outward" => sub_right_sub_outward,
        yes: k.sub(k.x(), k.sub(k.c(0), k.y())),
        no: k.sub(k.x(), k.sub(k.y(), k.z()));
    "sub-add-cancel" => sub_add_cancel,
        yes: k.sub(k.add(k.x(), k.y()), k.x()),
        no: k.sub(k.add(k.x(), k.y()), k.z());
    "sub-add-negate" => sub_add_negate,
        yes: k.sub(k.x(), k.add(k.x(), k.y())),
        no: k.sub(k.z(), k.add(k.x(), k.y()));
    "sub-sub-cancel" => sub_sub_cancel,
        yes: k.sub(k.x(), k.sub(k.x(), k.y())),
        no: k.sub(k.x(), k.sub(k.y(), k.x()));
    "sub-sub-negate" => sub_sub_negate,
        yes: k.sub(k.sub(k.x(), k.y()), k.x()),
        no: k.sub(k.sub(k.x(), k.y()), k.y());
    "sub-ite" => with_ite_of_constants,
        yes: k.pick([
            k.sub(k.c(0), k.ite(k.p(), k.c(1), k.one())),
            k.sub(k.ite(k.p(), k.c(1), k.one()), k.c(0)),
        ]),
        no: k.sub(k.c(0), k.ite(k.p(), k.x(), k.one()));
}

rules! { NEG, k;
    "neg-bit" => neg_bit,
        yes: k.neg(k.x()),
        no: k.neg(k.zext(k.x()));
    "neg-neg" => neg_neg,
        yes: k.neg(k.neg(k.x())),
        no: k.neg(k.not(k.x()));
    "neg-sub" => neg_sub,
        yes: k.neg(k.sub(k.x(), k.y())),
        no: k.neg(k.add(k.x(), k.y()));
    "neg-add-constant" => neg_add_constant,
        yes: k.neg(k.add(k.c(0), k.x())),
        no: k.neg(k.add(k.x(), k.y()));
    "neg-not" => neg_not,
        yes: k.neg(k.not(k.x())),
        no: k.neg(k.neg(k.x()));
    "neg-mul" => neg_mul,
        yes: k.neg(k.mul(k.c(0), k.x())),
        no: k.neg(k.mul(k.x(), k.y()));
    "neg-ite" => of_ite_of_constants,
        yes: k.neg(k.ite(k.p(), k.c(0), k.c(1))),
        no: k.neg(k.ite(k.p(), k.c(0), k.x()));
}

/// match:  0 + x
/// result: x
fn add_zero(p: &mut Pool, n: Node) -> Option<ExprId> {
    (p.value(n.a())? == 0).then(|| n.b())
}

/// match:  x + y or x - y, of one bit
/// result: x ^ y
fn as_xor_of_bits(p: &mut Pool, n: Node) -> Option<ExprId> {
    (n.width == 1).then(|| p.xor(n.a(), n.b()))
}

/// match:  c + (d + x)
/// result: (c + d) + x
fn add_constants(p: &mut Pool, n: Node) -> Option<ExprId> {
    let (c, (d, x)) = (p.value(n.a())?, p.constant_and(n.b(), Op::Add)?);
    let sum = p.constant(n.width(), int::add(c, d, n.width()));
    Some(p.add(sum, x))
}

/// match:  c + (d - x)
/// result: (c + d) - x
fn add_constant_sub(p: &mut Pool, n: Node) -> Option<ExprId> {
    let (c, (d, x)) = (p.value(n.a())?, p.constant_and(n.b(), Op::Sub)?);
    let sum = p.constant(n.width(), int::add(c, d, n.width()));
    Some(p.sub(sum, x))
}

/// match:  c + ~x
/// result: (c - 1) - x
fn add_constant_not(p: &mut Pool, n: Node) -> Option<ExprId> {
    let (c, x) = (p.value(n.a())?, p.one(n.b(), Op::Not)?);
    let less = p.constant(n.width(), int::sub(c, 1, n.width()));
    Some(p.sub(less, x))
}

/// match:  (c + x) + y
/// result: c + (x + y)
fn add_outward(p: &mut Pool, n: Node) -> Option<ExprId> {
    let (c, x, y) = either(n, |a, y| {
        let (c, x) = p.two(a, Op::Add)?;
        p.is_constant(c).then_some((c, x, y))
    })?;
    let sum = p.add(x, y);
    Some(p.add(c, sum))
}

/// match:  (c - x) + y
/// result: c + (y - x)
fn add_sub_outward(p: &mut Pool, n: Node) -> Option<ExprId> {
    let (c, x, y) = either(n, |a, y| {
        let (c, x) = p.two(a, Op::Sub)?;
        p.is_constant(c).then_some((c, x, y))
    })?;
    let difference = p.sub(y, x);
    Some(p.add(c, difference))
}

/// match:  x + -y
/// result: x - y
fn add_neg(p: &mut Pool, n: Node) -> Option<ExprId> {
    let (x, y) = either(n, |x, b| Some((x, p.one(b, Op::Neg)?)))?;
    Some(p.sub(x, y))
}

/// match:  (x - y) + y
/// result: x
fn add_sub_cancel(p: &mut Pool, n: Node) -> Option<ExprId> {
    either(n, |a, y| p.two(a, Op::Sub).filter(|&(_, b)| b == y)).map(|(x, _)| x)
}

/// match:  x + x
/// result: 2 * x
fn add_same(p: &mut Pool, n: Node) -> Option<ExprId> {
    (n.a() == n.b() && n.width > 1).then(|| {
        let two = p.constant(n.width(), 2);
        p.mul(two, n.a())
    })
}

/// match:  c * x + x
/// result: (c + 1) * x
fn add_collect(p: &mut Pool, n: Node) -> Option<ExprId> {
    let (c, x) = either(n, |a, x| p.constant_and(a, Op::Mul).filter(|&(_, y)| x == y))?;
    let more = p.constant(n.width(), int::add(c, 1, n.width()));
    Some(p.mul(more, x))
}

/// match:  c * x + d * x
/// result: (c + d) * x
fn add_collect_both(p: &mut Pool, n: Node) -> Option<ExprId> {
    let (c, x) = p.constant_and(n.a(), Op::Mul)?;
    let (d, y) = p.constant_and(n.b(), Op::Mul)?;
    if x != y {
        return None;
    }
    let sum = p.constant(n.width(), int::add(c, d, n.width()));
    Some(p.mul(sum, x))
}

/// match:  x + y, no bit set in both; neither a constant
/// result: x | y
fn add_disjoint(p: &mut Pool, n: Node) -> Option<ExprId> {
    let possible = |e| p.known(e).highest(n.width());
    let disjoint = n.width <= 64 && !p.is_constant(n.a()) && possible(n.a()) & possible(n.b()) == 0;
    disjoint.then(|| p.or(n.a(), n.b()))
}

/// match:  x - c
/// result: -c + x
fn sub_constant(p: &mut Pool, n: Node) -> Option<ExprId> {
    let c = p.value(n.b())?;
    let minus = p.constant(n.width(), int::sub(0, c, n.width()));
    Some(p.add(minus, n.a()))
}

/// match:  0 - x
/// result: -x
fn sub_from_zero(p: &mut Pool, n: Node) -> Option<ExprId> {
    (p.value(n.a())? == 0).then(|| p.neg(n.b()))
}

/// match:  x - x
/// result: 0
fn sub_same(p: &mut Pool, n: Node) -> Option<ExprId> {
    (n.a() == n.b()).then(|| p.constant(n.width(), 0))
}

/// match:  c - (d + x)
/// result: (c - d) - x
fn sub_constant_add(p: &mut Pool, n: Node) -> Option<ExprId> {
    let (c, (d, x)) = (p.value(n.a())?, p.constant_and(n.b(), Op::Add)?);
    let difference = p.constant(n.width(), int::sub(c, d, n.width()));
    Some(p.sub(difference, x))
}

/// match:  c - (d - x)
/// result: (c - d) + x
fn sub_constant_sub(p: &mut Pool, n: Node) -> Option<ExprId> {
    let (c, (d, x)) = (p.value(n.a())?, p.constant_and(n.b(), Op::Sub)?);
    let difference = p.constant(n.width(), int::sub(c, d, n.width()));
    Some(p.add(difference, x))
}

/// match:  c - ~x
/// result: (c + 1) + x
fn sub_constant_not(p: &mut Pool, n: Node) -> Option<ExprId> {
    let (c, x) = (p.value(n.a())?, p.one(n.b(), Op::Not)?);
    let more = p.constant(n.width(), int::add(c, 1, n.width()));
    Some(p.add(more, x))
}

/// match:  x - -y
/// result: x + y
fn sub_neg(p: &mut Pool, n: Node) -> Option<ExprId> {
    let y = p.one(n.b(), Op::Neg)?;
    Some(p.add(n.a(), y))
}

/// match:  -x - y
/// result: -(x + y)
fn sub_left_neg(p: &mut Pool, n: Node) -> Option<ExprId> {
    let x = p.one(n.a(), Op::Neg)?;
    let sum = p.add(x, n.b());
    Some(p.neg(sum))
}

/// match:  (c + x) - y
/// result: c + (x - y)
fn sub_left_outward(p: &mut Pool, n: Node) -> Option<ExprId> {
    let (c, x) = p.two(n.a(), Op::Add).filter(|&(c, _)| p.is_constant(c))?;
    let difference = p.sub(x, n.b());
    Some(p.add(c, difference))
}

/// match:  x - (c + y)
/// result: -c + (x - y)
fn sub_right_outward(p: &mut Pool, n: Node) -> Option<ExprId> {
    let (c, y) = p.constant_and(n.b(), Op::Add)?;
    let minus = p.constant(n.width(), int::sub(0, c, n.width()));
    let difference = p.sub(n.a(), y);
    Some(p.add(minus, difference))
}

/// match:  (c - x) - y
/// result: c - (x + y)
fn sub_left_sub_outward(p: &mut Pool, n: Node) -> Option<ExprId> {
    let (c, x) = p.two(n.a(), Op::Sub).filter(|&(c, _)| p.is_constant(c))?;
    let sum = p.add(x, n.b());
    Some(p.sub(c, sum))
}

/// match:  x - (c - y)
/// result: -c + (x + y)
fn sub_right_sub_outward(p: &mut Pool, n: Node) -> Option<ExprId> {
    let (c, y) = p.constant_and(n.b(), Op::Sub)?;
    let minus = p.constant(n.width(), int::sub(0, c, n.width()));
    let sum = p.add(n.a(), y);
    Some(p.add(minus, sum))
}

/// match:  (x + y) - x
/// result: y
fn sub_add_cancel(p: &mut Pool, n: Node) -> Option<ExprId> {
    let (x, y) = p.two(n.a(), Op::Add)?;
    if x == n.b() {
        Some(y)
    } else if y == n.b() {
        Some(x)
    } else {
        None
    }
}

/// match:  x - (x + y)
/// result: -y
fn sub_add_negate(p: &mut Pool, n: Node) -> Option<ExprId> {
    let (x, y) = p.two(n.b(), Op::Add)?;
    if x == n.a() {
        Some(p.neg(y))
    } else if y == n.a() {
        Some(p.neg(x))
    } else {
        None
    }
}

/// match:  x - (x - y)
/// result: y
fn sub_sub_cancel(p: &mut Pool, n: Node) -> Option<ExprId> {
    p.two(n.b(), Op::Sub).filter(|&(x, _)| x == n.a()).map(|(_, y)| y)
}

/// match:  (x - y) - x
/// result: -y
fn sub_sub_negate(p: &mut Pool, n: Node) -> Option<ExprId> {
    let (_, y) = p.two(n.a(), Op::Sub).filter(|&(x, _)| x == n.b())?;
    Some(p.neg(y))
}

/// match:  -x, of one bit
/// result: x
fn neg_bit(_: &mut Pool, n: Node) -> Option<ExprId> {
    (n.width == 1).then(|| n.a())
}

/// match:  --x
/// result: x
fn neg_neg(p: &mut Pool, n: Node) -> Option<ExprId> {
    p.one(n.a(), Op::Neg)
}

/// match:  -(x - y)
/// result: y - x
fn neg_sub(p: &mut Pool, n: Node) -> Option<ExprId> {
    let (x, y) = p.two(n.a(), Op::Sub)?;
    Some(p.sub(y, x))
}

/// match:  -(c + x)
/// result: -c - x
fn neg_add_constant(p: &mut Pool, n: Node) -> Option<ExprId> {
    let (c, x) = p.constant_and(n.a(), Op::Add)?;
    let minus = p.constant(n.width(), int::sub(0, c, n.width()));
    Some(p.sub(minus, x))
}

/// match:  -~x
/// result: 1 + x
fn neg_not(p: &mut Pool, n: Node) -> Option<ExprId> {
    let x = p.one(n.a(), Op::Not)?;
    let one = p.constant(n.width(), 1);
    Some(p.add(one, x))
}

/// match:  -(c * x)
/// result: -c * x
fn neg_mul(p: &mut Pool, n: Node) -> Option<ExprId> {
    let (c, x) = p.constant_and(n.a(), Op::Mul)?;
    let minus = p.constant(n.width(), int::sub(0, c, n.width()));
    Some(p.mul(minus, x))
}
