//! Products. Those by a power of two become shifts, and thereby wiring.

use byway_base::{ExprId, int};

use super::{either, with_ite_of_constants};
use crate::node::Node;
use crate::op::Op;
use crate::pool::Pool;

rules! { MUL, k;
    "mul-zero" => mul_zero,
        yes: k.mul(k.c(0), k.x()),
        no: k.mul(k.one(), k.x());
    "mul-one" => mul_one,
        yes: k.mul(k.c(0), k.x()),
        no: k.mul(k.zero(), k.x());
    "mul-bit" => mul_bit,
        yes: k.mul(k.x(), k.y()),
        no: k.mul(k.zext(k.x()), k.zext(k.y()));
    "mul-minus-one" => mul_minus_one,
        yes: k.mul(k.c(0), k.x()),
        no: k.mul(k.zero(), k.x());
    "mul-constants" => mul_constants,
        yes: k.mul(k.c(0), k.mul(k.c(1), k.x())),
        no: k.mul(k.c(0), k.mul(k.x(), k.y()));
    "mul-constant-neg" => mul_constant_neg,
        yes: k.mul(k.c(0), k.neg(k.x())),
        no: k.mul(k.x(), k.neg(k.y()));
    "mul-constant-add" => mul_constant_add,
        yes: k.mul(k.c(0), k.add(k.c(1), k.x())),
        no: k.mul(k.c(0), k.add(k.x(), k.y()));
    "mul-constant-sub" => mul_constant_sub,
        yes: k.mul(k.c(0), k.sub(k.c(1), k.x())),
        no: k.mul(k.c(0), k.sub(k.x(), k.y()));
    "mul-power-of-two" => mul_power_of_two,
        yes: k.mul(k.c(0), k.x()),
        no: k.mul(k.zero(), k.x());
    "mul-ite" => with_ite_of_constants,
        yes: k.mul(k.c(0), k.ite(k.p(), k.c(1), k.one())),
        no: k.mul(k.c(0), k.ite(k.p(), k.x(), k.one()));
    "mul-by-bit" => mul_by_bit,
        yes: k.mul(k.zext_to(k.p(), k.w() + 1), k.zext_to(k.x(), k.w() + 1)),
        no: k.mul(k.sext_to(k.p(), k.w() + 1), k.sext_to(k.x(), k.w() + 1));
    "mul-narrow" => mul_narrow,
        yes: k.mul(k.zext_to(k.x(), 2 * k.w() + k.v()), k.zext_to(k.y(), 2 * k.w() + k.v())),
        no: k.mul(k.zext_to(k.x(), 2 * k.w()), k.zext_to(k.y(), 2 * k.w()));
}

/// match:  0 * x
/// result: 0
fn mul_zero(p: &mut Pool, n: Node) -> Option<ExprId> {
    (p.value(n.a())? == 0).then(|| n.a())
}

/// match:  1 * x
/// result: x
fn mul_one(p: &mut Pool, n: Node) -> Option<ExprId> {
    (p.value(n.a())? == 1).then(|| n.b())
}

/// match:  x * y, of one bit
/// result: x & y
fn mul_bit(p: &mut Pool, n: Node) -> Option<ExprId> {
    (n.width == 1).then(|| p.and(n.a(), n.b()))
}

/// match:  -1 * x
/// result: -x
fn mul_minus_one(p: &mut Pool, n: Node) -> Option<ExprId> {
    (p.value(n.a())? == int::mask(n.width())).then(|| p.neg(n.b()))
}

/// match:  c * (d * x)
/// result: (c * d) * x
fn mul_constants(p: &mut Pool, n: Node) -> Option<ExprId> {
    let (c, (d, x)) = (p.value(n.a())?, p.constant_and(n.b(), Op::Mul)?);
    let product = p.constant(n.width(), int::mul(c, d, n.width()));
    Some(p.mul(product, x))
}

/// match:  c * -x
/// result: -c * x
fn mul_constant_neg(p: &mut Pool, n: Node) -> Option<ExprId> {
    let (c, x) = (p.value(n.a())?, p.one(n.b(), Op::Neg)?);
    let minus = p.constant(n.width(), int::sub(0, c, n.width()));
    Some(p.mul(minus, x))
}

/// match:  c * (d + x)
/// result: c * d + c * x
fn mul_constant_add(p: &mut Pool, n: Node) -> Option<ExprId> {
    let (c, (d, x)) = (p.value(n.a())?, p.constant_and(n.b(), Op::Add)?);
    let product = p.constant(n.width(), int::mul(c, d, n.width()));
    let scaled = p.mul(n.a(), x);
    Some(p.add(product, scaled))
}

/// match:  c * (d - x)
/// result: c * d + -c * x
fn mul_constant_sub(p: &mut Pool, n: Node) -> Option<ExprId> {
    let (c, (d, x)) = (p.value(n.a())?, p.constant_and(n.b(), Op::Sub)?);
    let product = p.constant(n.width(), int::mul(c, d, n.width()));
    let minus = p.constant(n.width(), int::sub(0, c, n.width()));
    let scaled = p.mul(minus, x);
    Some(p.add(product, scaled))
}

/// match:  2^k * x
/// result: x << k
fn mul_power_of_two(p: &mut Pool, n: Node) -> Option<ExprId> {
    let c = p.value(n.a())?;
    c.is_power_of_two().then(|| {
        let by = p.constant(n.width(), u128::from(c.trailing_zeros()));
        p.shl(n.b(), by)
    })
}

/// match:  zext(q) * x, with q one bit
/// result: ite(q, x, 0)
fn mul_by_bit(p: &mut Pool, n: Node) -> Option<ExprId> {
    let bit = |p: &Pool, e| p.one(e, Op::Zext).filter(|&q| p.width(q) == 1);
    let (q, x) = either(n, |a, x| Some((bit(p, a)?, x)))?;
    let zero = p.constant(n.width(), 0);
    Some(p.ite(q, x, zero))
}

/// match:  zext(x) * zext(y), where the exact product is narrower than the width
/// result: the product at its exact width, zero-extended
fn mul_narrow(p: &mut Pool, n: Node) -> Option<ExprId> {
    let significant = |e| match p.value(e) {
        Some(value) => Some(128 - value.leading_zeros()),
        None => Some(p.width(p.one(e, Op::Zext)?)),
    };
    let needed = significant(n.a())? + significant(n.b())?;
    (needed < n.width()).then(|| {
        let (x, y) = (p.extract(n.a(), 0, needed), p.extract(n.b(), 0, needed));
        let product = p.mul(x, y);
        p.zext(product, n.width())
    })
}
