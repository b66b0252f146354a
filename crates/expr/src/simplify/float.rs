//! Floats. NaNs forbid most of what holds of numbers; what is left are comparisons
//! of floats that were widened, or made from integers, exactly.

use std::cmp::Ordering;

use byway_base::ExprId;
use byway_base::float::{self as fp, Format};
use byway_base::int;

use super::either;
use crate::node::{FormatTag, Node};
use crate::op::Op;
use crate::pool::Pool;

rules! { FEQ, k;
    "feq-nan" => compare_nan,
        yes: k.float(Op::FEq, 1, &[nan(k), k.f()]),
        no: k.float(Op::FEq, 1, &[k.f(), k.g()]);
    "feq-widened" => widened,
        yes: k.widened(Op::FEq),
        no: k.float(Op::FEq, 1, &[k.f(), k.g()]);
    "feq-from-int" => feq_from_int,
        yes: k.float(Op::FEq, 1, &[number(k), from_int(k)]),
        no: k.float(Op::FEq, 1, &[k.g(), from_int(k)]);
}

rules! { FLT, k;
    "flt-same" => flt_same,
        yes: k.float(Op::FLt, 1, &[k.f(), k.f()]),
        no: k.float(Op::FLt, 1, &[k.f(), k.g()]);
    "flt-nan" => compare_nan,
        yes: k.float(Op::FLt, 1, &[k.f(), nan(k)]),
        no: k.float(Op::FLt, 1, &[k.f(), k.g()]);
    "flt-widened" => widened,
        yes: k.widened(Op::FLt),
        no: k.float(Op::FLt, 1, &[k.f(), k.g()]);
}

rules! { FLE, k;
    "fle-nan" => compare_nan,
        yes: k.float(Op::FLe, 1, &[nan(k), k.f()]),
        no: k.float(Op::FLe, 1, &[k.f(), k.g()]);
    "fle-widened" => widened,
        yes: k.widened(Op::FLe),
        no: k.float(Op::FLe, 1, &[k.f(), k.g()]);
}

rules! { FISNAN, k;
    "fisnan-from-int" => isnan_from_int,
        yes: k.float(Op::FIsNan, 1, &[from_int(k)]),
        no: k.float(Op::FIsNan, 1, &[k.f()]);
    "fisnan-converted" => isnan_converted,
        yes: {
        let other = k.float(Op::FConvert, 96 - k.format().bits(), &[k.f()]);
        k.float_of(other, Op::FIsNan, 1)
    },
        no: k.float(Op::FIsNan, 1, &[k.f()]);
}

rules! { FTOSI, k;
    "ftosi-from-int" => to_si_from_int,
        yes: k.float(Op::FToSi, 64, &[from_int(k)]),
        no: k.float(Op::FToSi, 64, &[k.f()]);
}

rules! { FFROMSI, k;
    "ffromsi-sext" => from_si_sext,
        yes: k.float(Op::FFromSi, k.format().bits(), &[k.sext_to(k.s(), 64)]),
        no: k.float(Op::FFromSi, k.format().bits(), &[k.s()]);
    "ffromsi-non-negative" => from_si_non_negative,
        yes: k.float(Op::FFromSi, k.format().bits(), &[k.zext_to(k.s(), 64)]),
        no: k.float(Op::FFromSi, k.format().bits(), &[k.s()]);
}

rules! { FFROMUI, k;
    "ffromui-zext" => from_ui_zext,
        yes: k.float(Op::FFromUi, k.format().bits(), &[k.zext_to(k.s(), 64)]),
        no: k.float(Op::FFromUi, k.format().bits(), &[k.s()]);
}

/// Some NaN of the case's format, or some other pattern near one.
fn nan(k: &super::Case) -> ExprId {
    let near = k.format().infinity(false).wrapping_add(k.number(0) & 3).wrapping_sub(1);
    k.num(k.format().bits(), near)
}

/// A small integer as a float, made from an unknown one.
fn from_int(k: &super::Case) -> ExprId {
    k.float(Op::FFromSi, k.format().bits(), &[k.unknown(0, 16)])
}

/// A number as a float: a small integer, or half of one.
fn number(k: &super::Case) -> ExprId {
    let format = k.format();
    let small = fp::from_si(format, int::cut(k.number(0), 17), 17);
    let two = fp::from_ui(format, 2);
    let value = if k.number(1) & 1 == 0 { small } else { fp::div(format, small, two) };
    k.num(format.bits(), value)
}

/// match:  a comparison with a NaN
/// result: 0
fn compare_nan(p: &mut Pool, n: Node) -> Option<ExprId> {
    let is_nan = |e| p.value(e).is_some_and(|bits| fp::is_nan(n.format(), bits));
    (is_nan(n.a()) || is_nan(n.b())).then(|| p.boolean(false))
}

/// match:  x < x
/// result: 0
fn flt_same(p: &mut Pool, n: Node) -> Option<ExprId> {
    (n.a() == n.b()).then(|| p.boolean(false))
}

/// match:  a comparison of doubles made from singles, or of one and a number that
///         is a single
/// result: the comparison of the singles
fn widened(p: &mut Pool, n: Node) -> Option<ExprId> {
    if n.format != FormatTag::Double {
        return None;
    }
    let narrow = |p: &mut Pool, e| {
        if let Some(bits) = p.value(e) {
            let single = fp::convert(Format::F64, Format::F32, bits);
            let exact = fp::convert(Format::F32, Format::F64, single) == bits;
            return exact.then(|| p.constant(32, single));
        }
        p.one(e, Op::FConvert)
    };
    let (a, b) = (narrow(p, n.a())?, narrow(p, n.b())?);
    Some(p.make(Node::new(n.op, 1, &[a, b]).with_format(FormatTag::Single)))
}

/// The integer a float was made from, and whether it is signed, if the format
/// holds all integers of its width.
fn exact_integer(p: &Pool, e: ExprId) -> Option<(ExprId, bool)> {
    let node = p.node(e);
    let signed = match node.op {
        Op::FFromSi => true,
        Op::FFromUi => false,
        _ => return None,
    };
    let bits = p.width(node.a()) - u32::from(signed);
    (bits <= node.format().precision()).then(|| (node.a(), signed))
}

/// match:  c = float(x), x an integer that the format holds exactly
/// result: c = x as integers; 0 if c is no such integer
fn feq_from_int(p: &mut Pool, n: Node) -> Option<ExprId> {
    let (c, made) = either(n, |a, b| Some((p.value(a)?, b)))?;
    let (x, signed) = exact_integer(p, made)?;
    let (format, width) = (n.format(), p.width(x));
    let whole = fp::to_si(format, c, 128);
    let cut = int::cut(whole, width);
    let fits = if signed { int::sext(cut, width, 128) } else { cut } == whole;
    let back = fp::from_si(format, whole, 128);
    let exact = fp::compare(format, back, c) == Some(Ordering::Equal);
    if !fits || !exact {
        return Some(p.boolean(false));
    }
    let c = p.constant(width, cut);
    Some(p.eq(c, x))
}

/// match:  whether float(x) of an integer x is NaN
/// result: 0
fn isnan_from_int(p: &mut Pool, n: Node) -> Option<ExprId> {
    matches!(p.op(n.a()), Op::FFromSi | Op::FFromUi).then(|| p.boolean(false))
}

/// match:  whether a float of the other format is NaN
/// result: whether it was before the conversion
fn isnan_converted(p: &mut Pool, n: Node) -> Option<ExprId> {
    let inner = p.node(n.a());
    (inner.op == Op::FConvert)
        .then(|| p.make(Node::new(Op::FIsNan, 1, &[inner.a()]).with_format(inner.format)))
}

/// match:  int(float(x)), x an integer that the format holds exactly and the result
///         has room for
/// result: x, widened
fn to_si_from_int(p: &mut Pool, n: Node) -> Option<ExprId> {
    let (x, signed) = exact_integer(p, n.a())?;
    let room = n.width() - u32::from(!signed);
    (p.width(x) <= room).then(|| if signed { p.sext(x, n.width()) } else { p.zext(x, n.width()) })
}

/// match:  float(sext(x)), signed
/// result: float(x)
fn from_si_sext(p: &mut Pool, n: Node) -> Option<ExprId> {
    let x = p.one(n.a(), Op::Sext)?;
    Some(p.rebuild(n, &[x]))
}

/// match:  float(x), signed, x surely not negative
/// result: float(x), unsigned
fn from_si_non_negative(p: &mut Pool, n: Node) -> Option<ExprId> {
    p.is_non_negative(n.a()).then(|| p.make(Node { op: Op::FFromUi, ..n }))
}

/// match:  float(zext(x)), unsigned
/// result: float(x)
fn from_ui_zext(p: &mut Pool, n: Node) -> Option<ExprId> {
    let x = p.one(n.a(), Op::Zext)?;
    Some(p.rebuild(n, &[x]))
}
