//! Quotients and remainders, which are the hardest operators for solvers: narrows or removes
//! them. See [`Op`] for division by zero.

use byway_base::{ExprId, int};

use crate::node::Node;
use crate::op::Op;
use crate::pool::Pool;

rules! { UDIV, k;
    "udiv-zero" => udiv_by_zero,
        yes: k.bin(Op::UDiv, k.x(), k.c(0)),
        no: k.bin(Op::UDiv, k.x(), k.one());
    "udiv-power-of-two" => udiv_by_power,
        yes: k.bin(Op::UDiv, k.x(), k.c(0)),
        no: k.bin(Op::UDiv, k.x(), k.zero());
    "udiv-less" => udiv_less,
        yes: k.bin(Op::UDiv, k.zext(k.x()), k.both(0)),
        no: k.bin(Op::UDiv, k.x(), k.y());
    "udiv-narrow" => udiv_narrow,
        yes: k.bin(Op::UDiv, k.zext(k.x()), k.both(0)),
        no: k.bin(Op::UDiv, k.zext(k.x()), k.num(k.w() + k.v(), 1 << k.w()));
}

rules! { UREM, k;
    "urem-zero" => rem_by_zero,
        yes: k.bin(Op::URem, k.x(), k.c(0)),
        no: k.bin(Op::URem, k.x(), k.one());
    "urem-power-of-two" => urem_by_power,
        yes: k.bin(Op::URem, k.x(), k.c(0)),
        no: k.bin(Op::URem, k.x(), k.zero());
    "urem-less" => urem_less,
        yes: k.bin(Op::URem, k.zext(k.x()), k.both(0)),
        no: k.bin(Op::URem, k.x(), k.y());
    "urem-narrow" => urem_narrow,
        yes: k.bin(Op::URem, k.zext(k.x()), k.both(0)),
        no: k.bin(Op::URem, k.zext(k.x()), k.num(k.w() + k.v(), 1 << k.w()));
    "urem-zext" => urem_zext,
        yes: k.bin(Op::URem, k.zext(k.x()), k.zext(k.y())),
        no: k.bin(Op::URem, k.sext(k.x()), k.zext(k.y()));
}

rules! { SDIV, k;
    "sdiv-zero" => sdiv_by_zero,
        yes: k.bin(Op::SDiv, k.x(), k.c(0)),
        no: k.bin(Op::SDiv, k.x(), k.one());
    "sdiv-one" => sdiv_by_one,
        yes: k.bin(Op::SDiv, k.zext(k.x()), k.both(0)),
        no: k.bin(Op::SDiv, k.x(), k.zero());
    "sdiv-minus-one" => sdiv_by_minus_one,
        yes: k.bin(Op::SDiv, k.x(), k.c(0)),
        no: k.bin(Op::SDiv, k.x(), k.zero());
    "sdiv-non-negative" => unsigned,
        yes: k.bin(Op::SDiv, k.zext(k.x()), k.zext(k.y())),
        no: k.bin(Op::SDiv, k.zext(k.x()), k.sext(k.y()));
    "sdiv-narrow" => signed_narrow,
        yes: k.bin(Op::SDiv, k.sext(k.x()), k.both(0)),
        no: k.bin(Op::SDiv, k.sext(k.x()), k.sext(k.y()));
}

rules! { SREM, k;
    "srem-zero" => rem_by_zero,
        yes: k.bin(Op::SRem, k.x(), k.c(0)),
        no: k.bin(Op::SRem, k.x(), k.one());
    "srem-one" => srem_by_one,
        yes: k.bin(Op::SRem, k.x(), k.c(0)),
        no: k.bin(Op::SRem, k.x(), k.zero());
    "srem-non-negative" => unsigned,
        yes: k.bin(Op::SRem, k.zext(k.x()), k.zext(k.y())),
        no: k.bin(Op::SRem, k.zext(k.x()), k.sext(k.y()));
    "srem-narrow" => signed_narrow,
        yes: k.bin(Op::SRem, k.sext(k.x()), k.both(0)),
        no: k.bin(Op::SRem, k.sext(k.x()), k.sext(k.y()));
}

/// match:  x / 0, unsigned
/// result: all ones
fn udiv_by_zero(p: &mut Pool, n: Node) -> Option<ExprId> {
    (p.value(n.b())? == 0).then(|| p.constant(n.width(), int::mask(n.width())))
}

/// match:  x % 0
/// result: x
fn rem_by_zero(p: &mut Pool, n: Node) -> Option<ExprId> {
    (p.value(n.b())? == 0).then(|| n.a())
}

/// match:  x / 2^k, unsigned
/// result: x >> k
fn udiv_by_power(p: &mut Pool, n: Node) -> Option<ExprId> {
    let c = p.value(n.b())?;
    c.is_power_of_two().then(|| {
        let by = p.constant(n.width(), u128::from(c.trailing_zeros()));
        p.lshr(n.a(), by)
    })
}

/// match:  x % 2^k, unsigned
/// result: the low k bits of x, zero-extended
fn urem_by_power(p: &mut Pool, n: Node) -> Option<ExprId> {
    let c = p.value(n.b())?;
    c.is_power_of_two().then(|| match c.trailing_zeros() {
        0 => p.constant(n.width(), 0),
        bits => {
            let low = p.extract(n.a(), 0, bits);
            p.zext(low, n.width())
        }
    })
}

/// Whether the left operand is known to be less than the right one.
fn known_less(p: &Pool, n: Node) -> bool {
    n.width <= 64 && p.known(n.a()).highest(n.width()) < p.known(n.b()).lowest()
}

/// match:  x / y, unsigned, x known to be less than y
/// result: 0
fn udiv_less(p: &mut Pool, n: Node) -> Option<ExprId> {
    known_less(p, n).then(|| p.constant(n.width(), 0))
}

/// match:  x % y, unsigned, x known to be less than y
/// result: x
fn urem_less(p: &mut Pool, n: Node) -> Option<ExprId> {
    known_less(p, n).then(|| n.a())
}

/// The operand of a zero-extended dividend, and a constant divisor that is not zero and fits
/// the operand's width.
fn narrowed(p: &Pool, n: Node) -> Option<(ExprId, u128)> {
    let (x, c) = (p.one(n.a(), Op::Zext)?, p.value(n.b())?);
    (c != 0 && c <= int::mask(p.width(x))).then_some((x, c))
}

/// match:  zext(x) / c, c not zero and fitting x
/// result: zext(x / c)
fn udiv_narrow(p: &mut Pool, n: Node) -> Option<ExprId> {
    let (x, c) = narrowed(p, n)?;
    let divisor = p.constant(p.width(x), c);
    let quotient = p.udiv(x, divisor);
    Some(p.zext(quotient, n.width()))
}

/// match:  zext(x) % c, c not zero and fitting x
/// result: zext(x % c)
fn urem_narrow(p: &mut Pool, n: Node) -> Option<ExprId> {
    let (x, c) = narrowed(p, n)?;
    let divisor = p.constant(p.width(x), c);
    let remainder = p.urem(x, divisor);
    Some(p.zext(remainder, n.width()))
}

/// match:  zext(x) % zext(y), unsigned, of the same width
/// result: zext(x % y)
fn urem_zext(p: &mut Pool, n: Node) -> Option<ExprId> {
    let (x, y) = (p.one(n.a(), Op::Zext)?, p.one(n.b(), Op::Zext)?);
    (p.width(x) == p.width(y)).then(|| {
        let remainder = p.urem(x, y);
        p.zext(remainder, n.width())
    })
}

/// match:  x / 0, signed
/// result: ite(x < 0, 1, -1)
fn sdiv_by_zero(p: &mut Pool, n: Node) -> Option<ExprId> {
    (p.value(n.b())? == 0).then(|| {
        let negative = p.sign(n.a());
        let (one, ones) = (p.constant(n.width(), 1), p.constant(n.width(), int::mask(n.width())));
        p.ite(negative, one, ones)
    })
}

/// match:  x / 1, signed; more than one bit, since 1 is -1 in one bit
/// result: x
fn sdiv_by_one(p: &mut Pool, n: Node) -> Option<ExprId> {
    (p.value(n.b())? == 1 && n.width > 1).then(|| n.a())
}

/// match:  x / -1, signed
/// result: -x
fn sdiv_by_minus_one(p: &mut Pool, n: Node) -> Option<ExprId> {
    (p.value(n.b())? == int::mask(n.width())).then(|| p.neg(n.a()))
}

/// match:  x % 1 or x % -1, signed
/// result: 0
fn srem_by_one(p: &mut Pool, n: Node) -> Option<ExprId> {
    let c = p.value(n.b())?;
    (c == 1 || c == int::mask(n.width())).then(|| p.constant(n.width(), 0))
}

/// match:  x / y or x % y, signed, both known to be non-negative
/// result: the same, unsigned
fn unsigned(p: &mut Pool, n: Node) -> Option<ExprId> {
    let op = if n.op == Op::SDiv { Op::UDiv } else { Op::URem };
    let both = p.is_non_negative(n.a()) && p.is_non_negative(n.b());
    both.then(|| p.binary(op, n.a(), n.b()))
}

/// match:  sext(x) / c or sext(x) % c, c not 0 nor -1 and fitting x with its sign
/// result: sext(x / c) or sext(x % c)
fn signed_narrow(p: &mut Pool, n: Node) -> Option<ExprId> {
    let (x, c) = (p.one(n.a(), Op::Sext)?, p.value(n.b())?);
    let width = p.width(x);
    let cut = int::cut(c, width);
    if c == 0 || c == int::mask(n.width()) || int::sext(cut, width, n.width()) != c {
        return None;
    }
    let divisor = p.constant(width, cut);
    let result = p.binary(n.op, x, divisor);
    Some(p.sext(result, n.width()))
}
