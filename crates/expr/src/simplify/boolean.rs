//! Conjunctions, disjunctions and negations of comparisons. The operands have one bit.

use byway_base::ExprId;

use super::either;
use crate::node::Node;
use crate::op::Op;
use crate::pool::Pool;

/// The strict and the weak form of an order, and whether it is the strict one.
fn orders(op: Op) -> Option<(Op, Op, bool)> {
    match op {
        Op::Ult => Some((Op::Ult, Op::Ule, true)),
        Op::Ule => Some((Op::Ult, Op::Ule, false)),
        Op::Slt => Some((Op::Slt, Op::Sle, true)),
        Op::Sle => Some((Op::Slt, Op::Sle, false)),
        _ => None,
    }
}

/// match:  ~(x < y) or ~(x <= y)
/// result: y <= x or y < x
pub(super) fn not_order(p: &mut Pool, n: Node) -> Option<ExprId> {
    let inner = p.node(n.a());
    let (strict, weak, is_strict) = orders(inner.op)?;
    Some(p.binary(if is_strict { weak } else { strict }, inner.b(), inner.a()))
}

/// Two comparisons of the same terms by the same order, with the operands swapped.
fn swapped_orders(p: &Pool, n: Node) -> Option<(Node, Op, bool, bool)> {
    let (a, b) = (p.node(n.a()), p.node(n.b()));
    let (strict, _, a_strict) = orders(a.op)?;
    let (other, _, b_strict) = orders(b.op)?;
    let fits = strict == other && a.a() == b.b() && a.b() == b.a();
    fits.then_some((a, strict, a_strict, b_strict))
}

/// match:  x < y & y < x, or one of them or both weak
/// result: x = y if both are weak, else 0
pub(super) fn and_orders(p: &mut Pool, n: Node) -> Option<ExprId> {
    let (first, _, a_strict, b_strict) = swapped_orders(p, n)?;
    Some(if a_strict || b_strict { p.boolean(false) } else { p.eq(first.a(), first.b()) })
}

/// match:  x < y | y < x, or one of them or both weak
/// result: ~(x = y) if both are strict, else 1
pub(super) fn or_orders(p: &mut Pool, n: Node) -> Option<ExprId> {
    let (first, _, a_strict, b_strict) = swapped_orders(p, n)?;
    Some(if a_strict && b_strict { p.ne(first.a(), first.b()) } else { p.boolean(true) })
}

/// The strict and the weak comparison of the same terms, with the same operand order.
fn strict_and_weak(p: &Pool, n: Node) -> Option<(ExprId, ExprId)> {
    either(n, |a, b| {
        let (x, y) = (p.node(a), p.node(b));
        let (_, weak, is_strict) = orders(x.op)?;
        (is_strict && y.op == weak && x.a() == y.a() && x.b() == y.b()).then_some((a, b))
    })
}

/// match:  x < y & x <= y
/// result: x < y
pub(super) fn and_order_implied(p: &mut Pool, n: Node) -> Option<ExprId> {
    strict_and_weak(p, n).map(|(strict, _)| strict)
}

/// match:  x < y | x <= y
/// result: x <= y
pub(super) fn or_order_implied(p: &mut Pool, n: Node) -> Option<ExprId> {
    strict_and_weak(p, n).map(|(_, weak)| weak)
}

/// Whether two nodes have the same operands, in either order.
fn same_operands(x: Node, y: Node) -> bool {
    (x.a(), x.b()) == (y.a(), y.b()) || (x.a(), x.b()) == (y.b(), y.a())
}

/// match:  x <= y & ~(x = y), or x < y in place of x <= y
/// result: x < y
pub(super) fn and_order_distinct(p: &mut Pool, n: Node) -> Option<ExprId> {
    let (strict, x, y) = either(n, |a, b| {
        let order = p.node(a);
        let (strict, ..) = orders(order.op)?;
        let equal = p.node(p.one(b, Op::Not)?);
        (equal.op == Op::Eq && same_operands(order, equal)).then(|| (strict, order.a(), order.b()))
    })?;
    Some(p.binary(strict, x, y))
}

/// match:  x < y | x = y, or x <= y in place of x < y
/// result: x <= y
pub(super) fn or_order_equal(p: &mut Pool, n: Node) -> Option<ExprId> {
    let (weak, x, y) = either(n, |a, b| {
        let (order, equal) = (p.node(a), p.node(b));
        let (_, weak, _) = orders(order.op)?;
        (equal.op == Op::Eq && same_operands(order, equal)).then(|| (weak, order.a(), order.b()))
    })?;
    Some(p.binary(weak, x, y))
}

/// match:  c = x & q, with q a comparison of x with a constant, or the negation of one
/// result: c = x if q holds of c, else 0
pub(super) fn and_equal_decides(p: &mut Pool, n: Node) -> Option<ExprId> {
    let (equal, c, x, other) = either(n, |a, b| {
        let equal = p.node(a);
        (equal.op == Op::Eq && p.is_constant(equal.a())).then(|| (a, equal.a(), equal.b(), b))
    })?;
    let (negated, compared) = match p.one(other, Op::Not) {
        Some(inner) => (true, p.node(inner)),
        None => (false, p.node(other)),
    };
    if compared.op != Op::Eq && orders(compared.op).is_none() {
        return None;
    }
    let decided = if compared.b() == x && p.is_constant(compared.a()) {
        p.binary(compared.op, compared.a(), c)
    } else if compared.a() == x && p.is_constant(compared.b()) {
        p.binary(compared.op, c, compared.b())
    } else {
        return None;
    };
    let decided = if negated { p.not(decided) } else { decided };
    Some(p.and(decided, equal))
}
