//! If-then-else.

use byway_base::{ExprId, int};

use crate::node::Node;
use crate::op::Op;
use crate::pool::Pool;

rules! { ITE, k;
    "ite-constant" (wide) => constant_condition,
        yes: k.ite(k.num(1, k.number(0)), k.x(), k.y()),
        no: k.ite(k.p(), k.x(), k.y());
    "ite-same" (wide) => same,
        yes: k.ite(k.p(), k.x(), k.x()),
        no: k.ite(k.p(), k.x(), k.y());
    "ite-not" (wide) => not_condition,
        yes: k.ite(k.not(k.p()), k.x(), k.y()),
        no: k.ite(k.p(), k.not(k.x()), k.y());
    "ite-condition" (wide) => condition_as_value,
        yes: k.pick([k.ite(k.p(), k.p(), k.q()), k.ite(k.p(), k.q(), k.p())]),
        no: k.ite(k.p(), k.q(), k.q());
    "ite-bits" => bits,
        yes: k.pick([
            k.ite(k.p(), k.num(1, k.number(0)), k.q()),
            k.ite(k.p(), k.q(), k.num(1, k.number(0))),
        ]),
        no: k.ite(k.p(), k.q(), k.variable(0, 1));
    "ite-zero-one" => zero_one,
        yes: k.ite(k.p(), k.num(k.w() + 1, k.number(0)), k.num(k.w() + 1, k.number(1))),
        no: k.ite(k.p(), k.num(k.w() + 1, 2), k.num(k.w() + 1, 0));
    "ite-zero-ones" => zero_ones,
        yes: k.ite(k.p(), k.num(k.w() + 1, k.number(0)), k.num(k.w() + 1, k.number(1))),
        no: k.ite(k.p(), k.num(k.w() + 1, 1), k.num(k.w() + 1, 0));
    "ite-nested" (wide) => nested,
        yes: k.pick([
            k.ite(k.p(), k.ite(k.p(), k.x(), k.y()), k.z()),
            k.ite(k.p(), k.x(), k.ite(k.p(), k.y(), k.z())),
        ]),
        no: k.ite(k.p(), k.ite(k.q(), k.x(), k.y()), k.z());
    "ite-merge" (wide) => merge,
        yes: k.pick([
            k.ite(k.p(), k.x(), k.ite(k.q(), k.x(), k.y())),
            k.ite(k.p(), k.x(), k.ite(k.q(), k.y(), k.x())),
            k.ite(k.p(), k.ite(k.q(), k.x(), k.y()), k.y()),
            k.ite(k.p(), k.ite(k.q(), k.y(), k.x()), k.y()),
        ]),
        no: k.ite(k.p(), k.z(), k.ite(k.q(), k.x(), k.y()));
    "ite-equal" (wide) => equal,
        yes: k.pick([
            k.ite(k.eq(k.x(), k.y()), k.x(), k.y()),
            k.ite(k.eq(k.x(), k.y()), k.y(), k.x()),
        ]),
        no: k.ite(k.eq(k.x(), k.y()), k.x(), k.z());
    "ite-equal-constant" (wide) => equal_constant,
        yes: k.ite(k.eq(k.c(0), k.x()), k.x(), k.y()),
        no: k.ite(k.eq(k.z(), k.x()), k.x(), k.y());
    "ite-zext" (wide) => zext_both,
        yes: k.ite(k.p(), k.zext(k.x()), k.zext(k.y())),
        no: k.ite(k.p(), k.zext(k.x()), k.sext(k.y()));
    "ite-sext" (wide) => sext_both,
        yes: k.ite(k.p(), k.sext(k.x()), k.sext(k.y())),
        no: k.ite(k.p(), k.sext(k.x()), k.zext(k.y()));
    "ite-zext-constant" => zext_constant,
        yes: k.pick([
            k.ite(k.p(), k.zext(k.x()), k.both(0)),
            k.ite(k.p(), k.both(0), k.zext(k.x())),
        ]),
        no: k.ite(k.p(), k.zext(k.x()), k.num(k.w() + k.v(), 1 << k.w()));
    "ite-concat" (wide) => concat_common,
        yes: k.pick([
            k.ite(k.p(), k.concat(k.x(), k.s()), k.concat(k.x(), k.t())),
            k.ite(k.p(), k.concat(k.x(), k.s()), k.concat(k.y(), k.s())),
        ]),
        no: k.ite(k.p(), k.concat(k.x(), k.s()), k.concat(k.y(), k.t()));
}

/// match:  ite(1, x, y) or ite(0, x, y)
/// result: x or y
fn constant_condition(p: &mut Pool, n: Node) -> Option<ExprId> {
    p.value(n.a()).map(|c| if c != 0 { n.b() } else { n.c() })
}

/// match:  ite(q, x, x)
/// result: x
fn same(_: &mut Pool, n: Node) -> Option<ExprId> {
    (n.b() == n.c()).then(|| n.b())
}

/// match:  ite(~q, x, y)
/// result: ite(q, y, x)
fn not_condition(p: &mut Pool, n: Node) -> Option<ExprId> {
    let cond = p.one(n.a(), Op::Not)?;
    Some(p.ite(cond, n.c(), n.b()))
}

/// match:  ite(q, q, r) or ite(q, r, q)
/// result: q | r or q & r
fn condition_as_value(p: &mut Pool, n: Node) -> Option<ExprId> {
    if n.b() == n.a() {
        Some(p.or(n.a(), n.c()))
    } else if n.c() == n.a() {
        Some(p.and(n.a(), n.b()))
    } else {
        None
    }
}

/// match:  ite(q, 1, r), ite(q, 0, r), ite(q, r, 0), ite(q, r, 1), of one bit
/// result: q | r, ~q & r, q & r, ~q | r
fn bits(p: &mut Pool, n: Node) -> Option<ExprId> {
    if n.width != 1 {
        return None;
    }
    if let Some(yes) = p.value(n.b()) {
        return Some(if yes != 0 {
            p.or(n.a(), n.c())
        } else {
            let no = p.not(n.a());
            p.and(no, n.c())
        });
    }
    let otherwise = p.value(n.c())?;
    Some(if otherwise != 0 {
        let no = p.not(n.a());
        p.or(no, n.b())
    } else {
        p.and(n.a(), n.b())
    })
}

/// match:  ite(q, 1, 0) or ite(q, 0, 1), of more than one bit
/// result: zext(q) or zext(~q)
fn zero_one(p: &mut Pool, n: Node) -> Option<ExprId> {
    let bit = chosen_bit(p, n, 1)?;
    Some(p.zext(bit, n.width()))
}

/// match:  ite(q, -1, 0) or ite(q, 0, -1), of more than one bit
/// result: sext(q) or sext(~q)
fn zero_ones(p: &mut Pool, n: Node) -> Option<ExprId> {
    let bit = chosen_bit(p, n, int::mask(n.width()))?;
    Some(p.sext(bit, n.width()))
}

/// The condition under which an if-then-else between zero and this constant is the constant.
fn chosen_bit(p: &mut Pool, n: Node, number: u128) -> Option<ExprId> {
    let (b, c) = (p.value(n.b())?, p.value(n.c())?);
    if n.width == 1 {
        None
    } else if (b, c) == (number, 0) {
        Some(n.a())
    } else if (b, c) == (0, number) {
        Some(p.not(n.a()))
    } else {
        None
    }
}

/// match:  ite(q, ite(q, x, y), z) or ite(q, x, ite(q, y, z))
/// result: ite(q, x, z)
fn nested(p: &mut Pool, n: Node) -> Option<ExprId> {
    let again = |e| {
        let inner = p.node(e);
        (inner.op == Op::Ite && inner.a() == n.a()).then_some(inner)
    };
    if let Some(inner) = again(n.b()) {
        Some(p.ite(n.a(), inner.b(), n.c()))
    } else {
        let inner = again(n.c())?;
        Some(p.ite(n.a(), n.b(), inner.c()))
    }
}

/// match:  ite(q, x, ite(r, x, y)), ite(q, x, ite(r, y, x)), ite(q, ite(r, x, y), y),
///         ite(q, ite(r, y, x), y)
/// result: ite(q | r, x, y), ite(q | ~r, x, y), ite(q & r, x, y), ite(q & ~r, x, y)
fn merge(p: &mut Pool, n: Node) -> Option<ExprId> {
    let low = p.node(n.c());
    if low.op == Op::Ite && (low.b() == n.b() || low.c() == n.b()) {
        let (cond, y) =
            if low.b() == n.b() { (low.a(), low.c()) } else { (p.not(low.a()), low.b()) };
        let either = p.or(n.a(), cond);
        return Some(p.ite(either, n.b(), y));
    }
    let high = p.node(n.b());
    if high.op == Op::Ite && (high.b() == n.c() || high.c() == n.c()) {
        let (cond, x) =
            if high.c() == n.c() { (high.a(), high.b()) } else { (p.not(high.a()), high.c()) };
        let both = p.and(n.a(), cond);
        return Some(p.ite(both, x, n.c()));
    }
    None
}

/// match:  ite(x = y, x, y) or ite(x = y, y, x)
/// result: y or x
fn equal(p: &mut Pool, n: Node) -> Option<ExprId> {
    let (x, y) = p.two(n.a(), Op::Eq)?;
    let fits = (n.b(), n.c()) == (x, y) || (n.b(), n.c()) == (y, x);
    fits.then(|| n.c())
}

/// match:  ite(c = x, x, y)
/// result: ite(c = x, c, y)
fn equal_constant(p: &mut Pool, n: Node) -> Option<ExprId> {
    let (c, x) = p.two(n.a(), Op::Eq)?;
    (p.is_constant(c) && n.b() == x).then(|| p.ite(n.a(), c, n.c()))
}

/// match:  ite(q, zext(x), zext(y)), from the same width
/// result: zext(ite(q, x, y))
fn zext_both(p: &mut Pool, n: Node) -> Option<ExprId> {
    let (x, y) = (p.one(n.b(), Op::Zext)?, p.one(n.c(), Op::Zext)?);
    (p.width(x) == p.width(y)).then(|| {
        let choice = p.ite(n.a(), x, y);
        p.zext(choice, n.width())
    })
}

/// match:  ite(q, sext(x), sext(y)), from the same width
/// result: sext(ite(q, x, y))
fn sext_both(p: &mut Pool, n: Node) -> Option<ExprId> {
    let (x, y) = (p.one(n.b(), Op::Sext)?, p.one(n.c(), Op::Sext)?);
    (p.width(x) == p.width(y)).then(|| {
        let choice = p.ite(n.a(), x, y);
        p.sext(choice, n.width())
    })
}

/// match:  ite(q, zext(x), c) or ite(q, c, zext(x)), c fitting x
/// result: zext(ite(q, x, c)) or zext(ite(q, c, x)), c truncated
fn zext_constant(p: &mut Pool, n: Node) -> Option<ExprId> {
    let (x, c, x_first) = match (p.one(n.b(), Op::Zext), p.value(n.c())) {
        (Some(x), Some(c)) => (x, c, true),
        _ => (p.one(n.c(), Op::Zext)?, p.value(n.b())?, false),
    };
    let width = p.width(x);
    (c <= int::mask(width)).then(|| {
        let c = p.constant(width, c);
        let choice = if x_first { p.ite(n.a(), x, c) } else { p.ite(n.a(), c, x) };
        p.zext(choice, n.width())
    })
}

/// match:  ite(q, concat(x, y), concat(x, z)) or ite(q, concat(x, z), concat(y, z))
/// result: concat(x, ite(q, y, z)) or concat(ite(q, x, y), z)
fn concat_common(p: &mut Pool, n: Node) -> Option<ExprId> {
    let ((a, b), (c, d)) = (p.two(n.b(), Op::Concat)?, p.two(n.c(), Op::Concat)?);
    if a == c {
        let low = p.ite(n.a(), b, d);
        Some(p.concat(a, low))
    } else if b == d {
        let high = p.ite(n.a(), a, c);
        Some(p.concat(high, b))
    } else {
        None
    }
}
