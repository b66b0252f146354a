//! Shifts. Those by a constant become concatenations and extractions.

use byway_base::{ExprId, int};

use crate::node::Node;
use crate::op::Op;
use crate::pool::Pool;

rules! { SHL, k;
    "shl-zero" => shift_of_zero,
        yes: k.bin(Op::Shl, k.c(0), k.x()),
        no: k.bin(Op::Shl, k.one(), k.x());
    "shl-far" => shift_far,
        yes: k.bin(Op::Shl, k.x(), k.bin(Op::Or, k.c(0), k.y())),
        no: k.bin(Op::Shl, k.x(), k.y());
    "shl-add" => shl_add,
        yes: k.bin(Op::Shl, k.add(k.c(0), k.x()), k.c(1)),
        no: k.bin(Op::Shl, k.add(k.x(), k.y()), k.c(1));
    "shl-wiring" => shl_wiring,
        yes: k.bin(Op::Shl, k.x(), k.c(0)),
        no: k.bin(Op::Shl, k.x(), k.y());
}

rules! { LSHR, k;
    "lshr-zero" => shift_of_zero,
        yes: k.bin(Op::LShr, k.c(0), k.x()),
        no: k.bin(Op::LShr, k.one(), k.x());
    "lshr-far" => shift_far,
        yes: k.bin(Op::LShr, k.x(), k.bin(Op::Or, k.c(0), k.y())),
        no: k.bin(Op::LShr, k.x(), k.y());
    "lshr-wiring" => lshr_wiring,
        yes: k.bin(Op::LShr, k.x(), k.c(0)),
        no: k.bin(Op::LShr, k.x(), k.y());
}

rules! { ASHR, k;
    "ashr-zero" => shift_of_zero,
        yes: k.bin(Op::AShr, k.c(0), k.x()),
        no: k.bin(Op::AShr, k.one(), k.x());
    "ashr-wiring" => ashr_wiring,
        yes: k.bin(Op::AShr, k.x(), k.c(0)),
        no: k.bin(Op::AShr, k.x(), k.y());
    "ashr-non-negative" => ashr_non_negative,
        yes: k.bin(Op::AShr, k.zext(k.x()), k.zext(k.y())),
        no: k.bin(Op::AShr, k.x(), k.y());
}

/// match:  0 shifted
/// result: 0
fn shift_of_zero(p: &mut Pool, n: Node) -> Option<ExprId> {
    (p.value(n.a())? == 0).then(|| n.a())
}

/// match:  x << y or x >> y, unsigned, y known to be at least the width
/// result: 0
fn shift_far(p: &mut Pool, n: Node) -> Option<ExprId> {
    let least = match p.value(n.b()) {
        Some(amount) => amount,
        None => u128::from(p.known(n.b()).lowest()),
    };
    (least >= u128::from(n.width)).then(|| p.constant(n.width(), 0))
}

/// The shift amount, if it is a constant below the width.
fn amount(p: &Pool, n: Node) -> Option<u32> {
    p.value(n.b()).filter(|&by| by < u128::from(n.width)).map(|by| by as u32)
}

/// match:  (c + x) << k
/// result: (c << k) + (x << k)
fn shl_add(p: &mut Pool, n: Node) -> Option<ExprId> {
    let (by, (c, x)) = (amount(p, n)?, p.constant_and(n.a(), Op::Add)?);
    let high = p.constant(n.width(), int::cut(c << by, n.width()));
    let low = p.shl(x, n.b());
    Some(p.add(high, low))
}

/// match:  x << k
/// result: the low bits of x above k zeros
fn shl_wiring(p: &mut Pool, n: Node) -> Option<ExprId> {
    let by = amount(p, n)?;
    if by == 0 {
        return Some(n.a());
    }
    let kept = p.extract(n.a(), 0, n.width() - by);
    let zeros = p.constant(by, 0);
    Some(p.concat(kept, zeros))
}

/// match:  x >> k, unsigned
/// result: the high bits of x, zero-extended
fn lshr_wiring(p: &mut Pool, n: Node) -> Option<ExprId> {
    let by = amount(p, n)?;
    let kept = p.extract(n.a(), by, n.width() - by);
    Some(p.zext(kept, n.width()))
}

/// match:  x >> k, signed
/// result: the high bits of x, at least the sign bit, sign-extended
fn ashr_wiring(p: &mut Pool, n: Node) -> Option<ExprId> {
    let by = p.value(n.b())?.min(u128::from(n.width - 1)) as u32;
    let kept = p.extract(n.a(), by, n.width() - by);
    Some(p.sext(kept, n.width()))
}

/// match:  x >> y, signed, x known to be non-negative
/// result: x >> y, unsigned
fn ashr_non_negative(p: &mut Pool, n: Node) -> Option<ExprId> {
    p.is_non_negative(n.a()).then(|| p.lshr(n.a(), n.b()))
}
