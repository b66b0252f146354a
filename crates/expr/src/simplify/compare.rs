//! Unsigned and signed orders. Comparisons that known bits decide never get here: a term whose
//! bits are all known becomes a constant.

use byway_base::{ExprId, int};

use super::with_ite_of_constants;
use crate::node::Node;
use crate::op::Op;
use crate::pool::Pool;

rules! { ULT, k;
    "ult-same" (wide) => same,
        yes: k.ult(k.x(), k.x()),
        no: k.ult(k.x(), k.y());
    "ult-bit" (wide) => ult_bit,
        yes: k.ult(k.x(), k.y()),
        no: k.ult(k.zext(k.x()), k.zext(k.y()));
    "ult-below" => below_constant,
        yes: k.ult(k.x(), k.c(0)),
        no: k.ult(k.c(0), k.x());
    "ult-above" => above_constant,
        yes: k.ult(k.c(0), k.x()),
        no: k.ult(k.x(), k.c(0));
    "ult-zext" (wide) => zext_both,
        yes: k.ult(k.zext(k.x()), k.zext(k.y())),
        no: k.ult(k.zext(k.x()), k.sext(k.y()));
    "ult-sext" (wide) => sext_both,
        yes: k.ult(k.sext(k.x()), k.sext(k.y())),
        no: k.ult(k.sext(k.x()), k.zext(k.y()));
    "ult-zext-constant" => zext_constant,
        yes: k.pick([k.ult(k.zext(k.x()), k.both(0)), k.ult(k.both(0), k.zext(k.x()))]),
        no: k.ult(k.sext(k.x()), k.both(0));
    "ult-same-high" (wide) => same_high,
        yes: k.ult(k.concat(k.x(), k.s()), k.concat(k.x(), k.t())),
        no: k.ult(k.concat(k.x(), k.s()), k.concat(k.y(), k.t()));
    "ult-same-low" (wide) => same_low,
        yes: k.ult(k.concat(k.x(), k.s()), k.concat(k.y(), k.s())),
        no: k.ult(k.concat(k.x(), k.s()), k.concat(k.y(), k.t()));
    "ult-concat-constant" => concat_constant,
        yes: k.ult(k.concat(k.x(), k.s()), k.both(0)),
        no: k.ult(
            k.concat(k.x(), k.s()),
            k.num(k.w() + k.v(), int::cut(k.number(0), k.w()) << k.v() | 1),
        );
    "ult-constant-concat" => constant_concat,
        yes: k.ult(k.both(0), k.concat(k.x(), k.s())),
        no: k.ult(k.num(k.w() + k.v(), k.number(0) << k.v()), k.concat(k.x(), k.s()));
    "ult-ite" => with_ite_of_constants,
        yes: k.pick([
            k.ult(k.c(0), k.ite(k.p(), k.c(1), k.one())),
            k.ult(k.ite(k.p(), k.c(1), k.one()), k.c(0)),
        ]),
        no: k.ult(k.c(0), k.ite(k.p(), k.x(), k.one()));
}

rules! { ULE, k;
    "ule-same" (wide) => same,
        yes: k.bin(Op::Ule, k.x(), k.x()),
        no: k.bin(Op::Ule, k.x(), k.y());
    "ule-bit" (wide) => ule_bit,
        yes: k.bin(Op::Ule, k.x(), k.y()),
        no: k.bin(Op::Ule, k.zext(k.x()), k.zext(k.y()));
    "ule-constant" => weak_to_strict,
        yes: k.pick([k.bin(Op::Ule, k.x(), k.c(0)), k.bin(Op::Ule, k.c(0), k.x())]),
        no: k.bin(Op::Ule, k.x(), k.y());
    "ule-zext" (wide) => zext_both,
        yes: k.bin(Op::Ule, k.zext(k.x()), k.zext(k.y())),
        no: k.bin(Op::Ule, k.zext(k.x()), k.sext(k.y()));
    "ule-sext" (wide) => sext_both,
        yes: k.bin(Op::Ule, k.sext(k.x()), k.sext(k.y())),
        no: k.bin(Op::Ule, k.sext(k.x()), k.zext(k.y()));
    "ule-same-high" (wide) => same_high,
        yes: k.bin(Op::Ule, k.concat(k.x(), k.s()), k.concat(k.x(), k.t())),
        no: k.bin(Op::Ule, k.concat(k.x(), k.s()), k.concat(k.y(), k.t()));
    "ule-same-low" (wide) => same_low,
        yes: k.bin(Op::Ule, k.concat(k.x(), k.s()), k.concat(k.y(), k.s())),
        no: k.bin(Op::Ule, k.concat(k.x(), k.s()), k.concat(k.y(), k.t()));
}

rules! { SLT, k;
    "slt-same" (wide) => same,
        yes: k.bin(Op::Slt, k.x(), k.x()),
        no: k.bin(Op::Slt, k.x(), k.y());
    "slt-bit" (wide) => slt_bit,
        yes: k.bin(Op::Slt, k.x(), k.y()),
        no: k.bin(Op::Slt, k.zext(k.x()), k.zext(k.y()));
    "slt-same-sign" => unsigned,
        yes: k.bin(Op::Slt, k.zext(k.x()), k.zext(k.y())),
        no: k.bin(Op::Slt, k.zext(k.x()), k.sext(k.y()));
    "slt-below" => below_constant,
        yes: k.bin(Op::Slt, k.x(), k.c(0)),
        no: k.bin(Op::Slt, k.c(0), k.x());
    "slt-above" => above_constant,
        yes: k.bin(Op::Slt, k.c(0), k.x()),
        no: k.bin(Op::Slt, k.x(), k.c(0));
    "slt-zero" => slt_zero,
        yes: k.bin(Op::Slt, k.x(), k.c(0)),
        no: k.bin(Op::Slt, k.x(), k.one());
    "slt-minus-one" => minus_one_slt,
        yes: k.bin(Op::Slt, k.c(0), k.x()),
        no: k.bin(Op::Slt, k.zero(), k.x());
    "slt-sext" (wide) => sext_both,
        yes: k.bin(Op::Slt, k.sext(k.x()), k.sext(k.y())),
        no: k.bin(Op::Slt, k.sext(k.x()), k.zext(k.y()));
    "slt-sext-constant" => sext_constant,
        yes: k.pick([
            k.bin(Op::Slt, k.sext(k.x()), k.both(0)),
            k.bin(Op::Slt, k.both(0), k.sext(k.x())),
        ]),
        no: k.bin(Op::Slt, k.zext(k.x()), k.both(0));
    "slt-same-high" (wide) => same_high,
        yes: k.bin(Op::Slt, k.concat(k.x(), k.s()), k.concat(k.x(), k.t())),
        no: k.bin(Op::Slt, k.concat(k.x(), k.s()), k.concat(k.y(), k.t()));
    "slt-same-low" (wide) => same_low,
        yes: k.bin(Op::Slt, k.concat(k.x(), k.s()), k.concat(k.y(), k.s())),
        no: k.bin(Op::Slt, k.concat(k.x(), k.s()), k.concat(k.y(), k.t()));
    "slt-ite" => with_ite_of_constants,
        yes: k.pick([
            k.bin(Op::Slt, k.c(0), k.ite(k.p(), k.c(1), k.one())),
            k.bin(Op::Slt, k.ite(k.p(), k.c(1), k.one()), k.c(0)),
        ]),
        no: k.bin(Op::Slt, k.c(0), k.ite(k.p(), k.x(), k.one()));
}

rules! { SLE, k;
    "sle-same" (wide) => same,
        yes: k.bin(Op::Sle, k.x(), k.x()),
        no: k.bin(Op::Sle, k.x(), k.y());
    "sle-bit" (wide) => sle_bit,
        yes: k.bin(Op::Sle, k.x(), k.y()),
        no: k.bin(Op::Sle, k.zext(k.x()), k.zext(k.y()));
    "sle-same-sign" => unsigned,
        yes: k.bin(Op::Sle, k.zext(k.x()), k.zext(k.y())),
        no: k.bin(Op::Sle, k.zext(k.x()), k.sext(k.y()));
    "sle-constant" => weak_to_strict,
        yes: k.pick([k.bin(Op::Sle, k.x(), k.c(0)), k.bin(Op::Sle, k.c(0), k.x())]),
        no: k.bin(Op::Sle, k.x(), k.y());
    "sle-sext" (wide) => sext_both,
        yes: k.bin(Op::Sle, k.sext(k.x()), k.sext(k.y())),
        no: k.bin(Op::Sle, k.sext(k.x()), k.zext(k.y()));
    "sle-same-high" (wide) => same_high,
        yes: k.bin(Op::Sle, k.concat(k.x(), k.s()), k.concat(k.x(), k.t())),
        no: k.bin(Op::Sle, k.concat(k.x(), k.s()), k.concat(k.y(), k.t()));
    "sle-same-low" (wide) => same_low,
        yes: k.bin(Op::Sle, k.concat(k.x(), k.s()), k.concat(k.y(), k.s())),
        no: k.bin(Op::Sle, k.concat(k.x(), k.s()), k.concat(k.y(), k.t()));
}

/// match:  x < x or x <= x
/// result: 0 or 1
fn same(p: &mut Pool, n: Node) -> Option<ExprId> {
    let weak = matches!(n.op, Op::Ule | Op::Sle);
    (n.a() == n.b()).then(|| p.boolean(weak))
}

fn are_bits(p: &Pool, n: Node) -> bool {
    p.width(n.a()) == 1
}

/// match:  x < y unsigned, of one bit
/// result: ~x & y
fn ult_bit(p: &mut Pool, n: Node) -> Option<ExprId> {
    are_bits(p, n).then(|| {
        let x = p.not(n.a());
        p.and(x, n.b())
    })
}

/// match:  x <= y unsigned, of one bit
/// result: ~x | y
fn ule_bit(p: &mut Pool, n: Node) -> Option<ExprId> {
    are_bits(p, n).then(|| {
        let x = p.not(n.a());
        p.or(x, n.b())
    })
}

/// match:  x < y signed, of one bit: 1 is -1
/// result: x & ~y
fn slt_bit(p: &mut Pool, n: Node) -> Option<ExprId> {
    are_bits(p, n).then(|| {
        let y = p.not(n.b());
        p.and(n.a(), y)
    })
}

/// match:  x <= y signed, of one bit
/// result: x | ~y
fn sle_bit(p: &mut Pool, n: Node) -> Option<ExprId> {
    are_bits(p, n).then(|| {
        let y = p.not(n.b());
        p.or(n.a(), y)
    })
}

/// The least and the greatest value of an order.
fn bounds(op: Op, width: u32) -> (u128, u128) {
    match op {
        Op::Slt | Op::Sle => (int::signed_min(width), int::signed_max(width)),
        _ => (0, int::mask(width)),
    }
}

/// match:  x < c, c the least value, its successor, or the greatest value
/// result: 0, x = least, ~(x = greatest)
fn below_constant(p: &mut Pool, n: Node) -> Option<ExprId> {
    let (c, width) = (p.value(n.b())?, p.width(n.a()));
    let (least, greatest) = bounds(n.op, width);
    if c == least {
        Some(p.boolean(false))
    } else if c == int::add(least, 1, width) {
        let least = p.constant(width, least);
        Some(p.eq(least, n.a()))
    } else if c == greatest {
        Some(p.ne(n.b(), n.a()))
    } else {
        None
    }
}

/// match:  c < x, c the greatest value, its predecessor, or the least value
/// result: 0, x = greatest, ~(x = least)
fn above_constant(p: &mut Pool, n: Node) -> Option<ExprId> {
    let (c, width) = (p.value(n.a())?, p.width(n.a()));
    let (least, greatest) = bounds(n.op, width);
    if c == greatest {
        Some(p.boolean(false))
    } else if c == int::sub(greatest, 1, width) {
        let greatest = p.constant(width, greatest);
        Some(p.eq(greatest, n.b()))
    } else if c == least {
        Some(p.ne(n.a(), n.b()))
    } else {
        None
    }
}

/// match:  x <= c or c <= x
/// result: x < c + 1 or c - 1 < x; 1 if that bound does not exist
fn weak_to_strict(p: &mut Pool, n: Node) -> Option<ExprId> {
    let strict = if n.op == Op::Ule { Op::Ult } else { Op::Slt };
    let width = p.width(n.a());
    let (least, greatest) = bounds(n.op, width);
    if let Some(c) = p.value(n.b()) {
        if c == greatest {
            return Some(p.boolean(true));
        }
        let next = p.constant(width, int::add(c, 1, width));
        return Some(p.binary(strict, n.a(), next));
    }
    let c = p.value(n.a())?;
    if c == least {
        return Some(p.boolean(true));
    }
    let previous = p.constant(width, int::sub(c, 1, width));
    Some(p.binary(strict, previous, n.b()))
}

/// match:  zext(x) < zext(y) unsigned
/// result: x < y, at the larger width
fn zext_both(p: &mut Pool, n: Node) -> Option<ExprId> {
    let (x, y) = (p.one(n.a(), Op::Zext)?, p.one(n.b(), Op::Zext)?);
    let width = p.width(x).max(p.width(y));
    let (x, y) = (p.zext(x, width), p.zext(y, width));
    Some(p.binary(n.op, x, y))
}

/// match:  sext(x) < sext(y), signed or unsigned
/// result: x < y, at the larger width
fn sext_both(p: &mut Pool, n: Node) -> Option<ExprId> {
    let (x, y) = (p.one(n.a(), Op::Sext)?, p.one(n.b(), Op::Sext)?);
    let width = p.width(x).max(p.width(y));
    let (x, y) = (p.sext(x, width), p.sext(y, width));
    Some(p.binary(n.op, x, y))
}

/// match:  zext(x) < c or c < zext(x), unsigned
/// result: the same comparison of x; constant if c is out of x's range
fn zext_constant(p: &mut Pool, n: Node) -> Option<ExprId> {
    if let (Some(x), Some(c)) = (p.one(n.a(), Op::Zext), p.value(n.b())) {
        let width = p.width(x);
        if c > int::mask(width) {
            return Some(p.boolean(true));
        }
        let c = p.constant(width, c);
        return Some(p.ult(x, c));
    }
    let (c, x) = (p.value(n.a())?, p.one(n.b(), Op::Zext)?);
    let width = p.width(x);
    if c > int::mask(width) {
        return Some(p.boolean(false));
    }
    let c = p.constant(width, c);
    Some(p.ult(c, x))
}

/// match:  sext(x) < c or c < sext(x), signed
/// result: the same comparison of x; constant if c is out of x's range
fn sext_constant(p: &mut Pool, n: Node) -> Option<ExprId> {
    let (x, c, x_is_left) = match (p.one(n.a(), Op::Sext), p.value(n.b())) {
        (Some(x), Some(c)) => (x, c, true),
        _ => (p.one(n.b(), Op::Sext)?, p.value(n.a())?, false),
    };
    let (width, wide) = (p.width(x), p.width(n.a()));
    let cut = int::cut(c, width);
    if int::sext(cut, width, wide) != c {
        // All values of x lie on one side of the constant.
        let number_is_positive = int::signed(c, wide) >= 0;
        return Some(p.boolean(number_is_positive == x_is_left));
    }
    let c = p.constant(width, cut);
    Some(if x_is_left { p.slt(x, c) } else { p.slt(c, x) })
}

/// match:  concat(x, y) < concat(x, z), for any order
/// result: y < z unsigned
fn same_high(p: &mut Pool, n: Node) -> Option<ExprId> {
    let ((a, y), (b, z)) = (p.two(n.a(), Op::Concat)?, p.two(n.b(), Op::Concat)?);
    let op = match n.op {
        Op::Slt => Op::Ult,
        Op::Sle => Op::Ule,
        op => op,
    };
    (a == b).then(|| p.binary(op, y, z))
}

/// match:  concat(x, z) < concat(y, z), for any order
/// result: x < y
fn same_low(p: &mut Pool, n: Node) -> Option<ExprId> {
    let ((x, a), (y, b)) = (p.two(n.a(), Op::Concat)?, p.two(n.b(), Op::Concat)?);
    (a == b).then(|| p.binary(n.op, x, y))
}

/// match:  concat(x, y) < c, the low bits of c zero
/// result: x < the high bits of c
fn concat_constant(p: &mut Pool, n: Node) -> Option<ExprId> {
    let ((x, y), c) = (p.two(n.a(), Op::Concat)?, p.value(n.b())?);
    (int::cut(c, p.width(y)) == 0).then(|| {
        let high = p.constant(p.width(x), c >> p.width(y));
        p.ult(x, high)
    })
}

/// match:  c < concat(x, y), the low bits of c ones
/// result: the high bits of c < x
fn constant_concat(p: &mut Pool, n: Node) -> Option<ExprId> {
    let (c, (x, y)) = (p.value(n.a())?, p.two(n.b(), Op::Concat)?);
    (int::cut(c, p.width(y)) == int::mask(p.width(y))).then(|| {
        let high = p.constant(p.width(x), c >> p.width(y));
        p.ult(high, x)
    })
}

/// match:  x < y or x <= y, signed, both signs known and equal
/// result: the same, unsigned
fn unsigned(p: &mut Pool, n: Node) -> Option<ExprId> {
    let op = if n.op == Op::Slt { Op::Ult } else { Op::Ule };
    let width = p.width(n.a());
    let negative = |e| {
        let known = width <= 64 && p.known(e).ones >> (width - 1) & 1 != 0;
        known || p.value(e).is_some_and(|value| value >> (width - 1) != 0)
    };
    let same =
        p.is_non_negative(n.a()) && p.is_non_negative(n.b()) || negative(n.a()) && negative(n.b());
    same.then(|| p.binary(op, n.a(), n.b()))
}

/// match:  x < 0, signed
/// result: the sign of x
fn slt_zero(p: &mut Pool, n: Node) -> Option<ExprId> {
    (p.value(n.b())? == 0).then(|| p.sign(n.a()))
}

/// match:  -1 < x, signed
/// result: the sign of x, negated
fn minus_one_slt(p: &mut Pool, n: Node) -> Option<ExprId> {
    (p.value(n.a())? == int::mask(p.width(n.a()))).then(|| {
        let sign = p.sign(n.b());
        p.not(sign)
    })
}
