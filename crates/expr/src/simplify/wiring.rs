//! Wiring: concatenation, extraction and extension, which move bits and compute none. A word
//! that is split into bytes and reassembled simplifies to itself.
//!
//! Concatenations associate to the right: the left operand is not a concatenation. Zeros on the
//! left are a zero extension.

use byway_base::ExprId;

use super::{integral, of_ite_of_constants};
use crate::node::Node;
use crate::op::Op;
use crate::pool::Pool;

rules! { CONCAT, k;
    "concat-zero" (wide) => concat_zero,
        yes: k.concat(k.c(0), k.s()),
        no: k.concat(k.one(), k.s());
    "concat-right" (wide) => concat_right,
        yes: k.concat(k.concat(k.x(), k.s()), k.y()),
        no: k.concat(k.x(), k.concat(k.s(), k.y()));
    "concat-zext" (wide) => concat_zext,
        yes: k.concat(k.zext(k.x()), k.s()),
        no: k.concat(k.sext(k.x()), k.s());
    "concat-constants" (wide) => concat_constants,
        yes: k.concat(k.c(0), k.concat(k.num(k.v(), k.number(1)), k.x())),
        no: k.concat(k.c(0), k.concat(k.x(), k.s()));
    "concat-constant-zext" (wide) => concat_constant_zext,
        yes: k.concat(k.c(0), k.zext(k.x())),
        no: k.concat(k.c(0), k.sext(k.x()));
    "concat-extracts" (wide) => concat_extracts,
        yes: adjacent(k, 0),
        no: adjacent(k, 1);
    "concat-extracts-right" (wide) => concat_extracts_right,
        yes: {
        let whole = k.variable(0, k.w() + k.v());
        k.concat(k.extract(whole, k.v(), k.w()), k.concat(k.extract(whole, 0, k.v()), k.y()))
    },
        no: {
        let whole = k.variable(0, k.w() + k.v());
        k.concat(k.extract(whole, 0, k.w()), k.concat(k.extract(whole, 0, k.v()), k.y()))
    };
    "concat-ites" (wide) => concat_ites,
        yes: k.concat(k.ite(k.p(), k.x(), k.y()), k.ite(k.p(), k.s(), k.t())),
        no: k.concat(k.ite(k.p(), k.x(), k.y()), k.ite(k.q(), k.s(), k.t()));
    "concat-ite-constants" (wide) => concat_ite_constants,
        yes: k.pick([
            k.concat(k.ite(k.p(), k.c(0), k.c(1)), k.num(k.v(), 1)),
            k.concat(k.num(k.v(), 1), k.ite(k.p(), k.c(0), k.c(1))),
        ]),
        no: k.concat(k.ite(k.p(), k.c(0), k.x()), k.num(k.v(), 1));
    "concat-float-flipped" => integral::flip_sign,
        yes: {
        let (float, bits) = (k.converted(), k.format().bits());
        let upper = k.xor(k.num(16, 0x8000), k.extract(float, bits - 16, 16));
        k.concat(upper, k.extract(float, 0, bits - 16))
    },
        no: {
        let (float, bits) = (k.converted(), k.format().bits());
        let upper = k.xor(k.num(8, 0x80), k.extract(float, bits - 8, 8));
        k.concat(upper, k.extract(float, 0, bits - 16))
    };
}

rules! { EXTRACT, k;
    "extract-all" (wide) => extract_all,
        yes: k.extract(k.x(), 0, k.w()),
        no: k.extract(k.zext(k.x()), 0, k.w());
    "extract-extract" (wide) => extract_extract,
        yes: some_bits(k, k.extract(k.variable(0, k.w() + k.v() + 1), 1, k.w() + k.v())),
        no: some_bits(k, k.variable(0, k.w() + k.v()));
    "extract-concat" (wide) => extract_concat,
        yes: some_bits(k, k.concat(k.x(), k.s())),
        no: some_bits(k, k.zext(k.x()));
    "extract-zext" (wide) => extract_zext,
        yes: some_bits(k, k.zext(k.x())),
        no: some_bits(k, k.sext(k.x()));
    "extract-sext" (wide) => extract_sext,
        yes: some_bits(k, k.sext(k.x())),
        no: some_bits(k, k.zext(k.x()));
    "extract-not" (wide) => extract_not,
        yes: some_bits(k, k.not(k.variable(0, k.w() + k.v()))),
        no: some_bits(k, k.neg(k.variable(0, k.w() + k.v())));
    "extract-bitwise" (wide) => extract_bitwise,
        yes: k.pick([
            some_bits(k, k.and(k.both(1), k.variable(0, k.w() + k.v()))),
            some_bits(k, k.or(k.both(1), k.variable(0, k.w() + k.v()))),
            some_bits(k, k.xor(k.both(1), k.variable(0, k.w() + k.v()))),
        ]),
        no: some_bits(k, k.and(k.variable(0, k.w() + k.v()), k.variable(1, k.w() + k.v())));
    "extract-low-arithmetic" (wide) => extract_low_arithmetic,
        yes: k.pick([
            k.extract(k.add(k.zext(k.x()), k.sext(k.y())), 0, k.w()),
            k.extract(k.sub(k.zext(k.x()), k.sext(k.y())), 0, k.w()),
            k.extract(k.mul(k.zext(k.x()), k.both(0)), 0, k.w()),
        ]),
        no: k.extract(k.add(k.zext(k.x()), k.variable(1, k.w() + k.v())), 0, k.w());
    "extract-low-neg" (wide) => extract_low_neg,
        yes: k.extract(k.neg(k.zext(k.x())), 0, k.w()),
        no: k.extract(k.neg(k.variable(1, k.w() + k.v())), 0, k.w());
    "extract-ite" (wide) => extract_ite,
        yes: some_bits(k, k.ite(k.p(), k.both(1), k.zext(k.x()))),
        no: some_bits(k, k.ite(k.p(), k.variable(1, k.w() + k.v()), k.zext(k.x())));
    "extract-float-sign" => integral::sign_bit,
        yes: {
        let bits = k.format().bits();
        k.pick([
            k.extract(k.float(Op::FFromSi, bits, &[k.s()]), bits - 1, 1),
            k.extract(k.float(Op::FFromUi, bits, &[k.s()]), bits - 1, 1),
            k.extract(k.converted_long_double(), 79, 1),
        ])
    },
        no: k.extract(k.float(Op::FSqrt, k.format().bits(), &[k.f()]), k.format().bits() - 1, 1);
    "extract-float-leading" => integral::leading_bit,
        yes: k.pick([
            k.extract(k.long_double(Op::FFromSi), 63, 1),
            k.extract(k.long_double(Op::FFromUi), 63, 1),
            k.extract(k.converted_long_double(), 63, 1),
        ]),
        no: k.extract(k.long_double(Op::FFromUi), 62, 1);
}

rules! { ZEXT, k;
    "zext-zext" (wide) => zext_zext,
        yes: k.zext(k.zext(k.x())),
        no: k.zext(k.sext(k.x()));
    "zext-ite" (wide) => of_ite_of_constants,
        yes: k.zext(k.ite(k.p(), k.c(0), k.c(1))),
        no: k.zext(k.ite(k.p(), k.c(0), k.x()));
}

rules! { SEXT, k;
    "sext-sext" (wide) => sext_sext,
        yes: k.sext(k.sext(k.x())),
        no: k.sext(k.zext(k.x()));
    "sext-non-negative" (wide) => sext_non_negative,
        yes: k.sext(k.zext(k.x())),
        no: k.sext(k.sext(k.x()));
    "sext-ite" (wide) => of_ite_of_constants,
        yes: k.sext(k.ite(k.p(), k.c(0), k.c(1))),
        no: k.sext(k.ite(k.p(), k.c(0), k.x()));
}

/// Some bits of a term of the sum of both widths, at varying positions.
fn some_bits(k: &super::ExampleBuilder, whole: ExprId) -> ExprId {
    let total = k.w() + k.v();
    let low = (k.number(0) % u128::from(total)) as u32;
    let width = 1 + (k.number(1) % u128::from(total - low)) as u32;
    k.extract(whole, low, width)
}

/// Two bit ranges of one term, with a gap between them.
fn adjacent(k: &super::ExampleBuilder, gap: u32) -> ExprId {
    let whole = k.variable(0, k.w() + k.v() + gap);
    k.concat(k.extract(whole, k.v() + gap, k.w()), k.extract(whole, 0, k.v()))
}

/// match:  concat(0, x)
/// result: zext(x)
fn concat_zero(p: &mut Pool, n: Node) -> Option<ExprId> {
    p.is_zero(n.a()).then(|| p.zext(n.b(), n.width()))
}

/// match:  concat(concat(x, y), z)
/// result: concat(x, concat(y, z))
fn concat_right(p: &mut Pool, n: Node) -> Option<ExprId> {
    let (x, y) = p.two(n.a(), Op::Concat)?;
    let low = p.concat(y, n.b());
    Some(p.concat(x, low))
}

/// match:  concat(zext(x), y)
/// result: zext(concat(x, y))
fn concat_zext(p: &mut Pool, n: Node) -> Option<ExprId> {
    let x = p.one(n.a(), Op::Zext)?;
    let both = p.concat(x, n.b());
    Some(p.zext(both, n.width()))
}

/// match:  concat(c, concat(d, x))
/// result: concat(cd, x)
fn concat_constants(p: &mut Pool, n: Node) -> Option<ExprId> {
    let (d, x) = p.two(n.b(), Op::Concat)?;
    (p.is_constant(n.a()) && p.is_constant(d)).then(|| {
        let both = p.concat(n.a(), d);
        p.concat(both, x)
    })
}

/// match:  concat(c, zext(x))
/// result: concat(c0, x)
fn concat_constant_zext(p: &mut Pool, n: Node) -> Option<ExprId> {
    let x = p.one(n.b(), Op::Zext)?;
    p.is_constant(n.a()).then(|| {
        let zeros = p.constant(p.width(n.b()) - p.width(x), 0);
        let high = p.concat(n.a(), zeros);
        p.concat(high, x)
    })
}

/// The combined bit range, if the first is directly above the second in the same term.
fn joined(p: &mut Pool, high: ExprId, low: ExprId) -> Option<ExprId> {
    let (a, b) = (p.node(high), p.node(low));
    let fits = a.op == Op::Extract
        && b.op == Op::Extract
        && a.a() == b.a()
        && a.low() == b.low() + b.width();
    fits.then(|| p.extract(b.a(), b.low(), a.width() + b.width()))
}

/// match:  concat(x[h:m], x[m-1:l])
/// result: x[h:l]
fn concat_extracts(p: &mut Pool, n: Node) -> Option<ExprId> {
    joined(p, n.a(), n.b())
}

/// match:  concat(x[h:m], concat(x[m-1:l], y))
/// result: concat(x[h:l], y)
fn concat_extracts_right(p: &mut Pool, n: Node) -> Option<ExprId> {
    let (middle, y) = p.two(n.b(), Op::Concat)?;
    let high = joined(p, n.a(), middle)?;
    Some(p.concat(high, y))
}

/// match:  concat(ite(q, x, y), ite(q, z, t))
/// result: ite(q, concat(x, z), concat(y, t))
fn concat_ites(p: &mut Pool, n: Node) -> Option<ExprId> {
    let (a, b) = (p.node(n.a()), p.node(n.b()));
    (a.op == Op::Ite && b.op == Op::Ite && a.a() == b.a()).then(|| {
        let (yes, no) = (p.concat(a.b(), b.b()), p.concat(a.c(), b.c()));
        p.ite(a.a(), yes, no)
    })
}

/// match:  concat(ite(q, c, d), e) or concat(e, ite(q, c, d)), all constants
/// result: ite(q, concat(c, e), concat(d, e)), or ite(q, concat(e, c), concat(e, d))
fn concat_ite_constants(p: &mut Pool, n: Node) -> Option<ExprId> {
    super::with_ite_of_constants(p, n)
}

/// match:  x[all]
/// result: x
fn extract_all(p: &mut Pool, n: Node) -> Option<ExprId> {
    (n.width() == p.width(n.a())).then(|| n.a())
}

/// match:  x[..][..]
/// result: x[..]
fn extract_extract(p: &mut Pool, n: Node) -> Option<ExprId> {
    let inner = p.node(n.a());
    (inner.op == Op::Extract).then(|| p.extract(inner.a(), inner.low() + n.low(), n.width()))
}

/// match:  concat(x, y)[..]
/// result: bits of x, of y, or of both joined
fn extract_concat(p: &mut Pool, n: Node) -> Option<ExprId> {
    let (x, y) = p.two(n.a(), Op::Concat)?;
    let (low, end, at) = (n.low(), n.low() + n.width(), p.width(y));
    Some(if end <= at {
        p.extract(y, low, n.width())
    } else if low >= at {
        p.extract(x, low - at, n.width())
    } else {
        let (high, low) = (p.extract(x, 0, end - at), p.extract(y, low, at - low));
        p.concat(high, low)
    })
}

/// match:  zext(x)[..]
/// result: bits of x, zeros, or both
fn extract_zext(p: &mut Pool, n: Node) -> Option<ExprId> {
    let x = p.one(n.a(), Op::Zext)?;
    let (low, width) = (n.low(), p.width(x));
    Some(if low >= width {
        p.constant(n.width(), 0)
    } else if low + n.width() <= width {
        p.extract(x, low, n.width())
    } else {
        let kept = p.extract(x, low, width - low);
        p.zext(kept, n.width())
    })
}

/// match:  sext(x)[..]
/// result: bits of x, its sign repeated, or both
fn extract_sext(p: &mut Pool, n: Node) -> Option<ExprId> {
    let x = p.one(n.a(), Op::Sext)?;
    let width = p.width(x);
    let low = n.low().min(width - 1);
    Some(if n.low() + n.width() <= width {
        p.extract(x, low, n.width())
    } else {
        let kept = p.extract(x, low, width - low);
        p.sext(kept, n.width())
    })
}

/// match:  (~x)[..]
/// result: ~(x[..])
fn extract_not(p: &mut Pool, n: Node) -> Option<ExprId> {
    let x = p.one(n.a(), Op::Not)?;
    let bits = p.extract(x, n.low(), n.width());
    Some(p.not(bits))
}

/// match:  (c op x)[..], op bitwise
/// result: c[..] op x[..]
fn extract_bitwise(p: &mut Pool, n: Node) -> Option<ExprId> {
    let inner = p.node(n.a());
    let fits = matches!(inner.op, Op::And | Op::Or | Op::Xor) && p.is_constant(inner.a());
    fits.then(|| {
        let c = p.extract(inner.a(), n.low(), n.width());
        let x = p.extract(inner.b(), n.low(), n.width());
        p.binary(inner.op, c, x)
    })
}

/// Whether extracting bits of a term costs nothing.
fn is_wiring(p: &Pool, e: ExprId) -> bool {
    matches!(p.op(e), Op::Const | Op::Concat | Op::Zext | Op::Sext | Op::Extract)
}

/// match:  (x op y)[low bits], op a sum, difference or product, x and y wiring
/// result: x[low bits] op y[low bits]
fn extract_low_arithmetic(p: &mut Pool, n: Node) -> Option<ExprId> {
    let inner = p.node(n.a());
    let fits = n.low() == 0
        && matches!(inner.op, Op::Add | Op::Sub | Op::Mul)
        && is_wiring(p, inner.a())
        && is_wiring(p, inner.b());
    fits.then(|| {
        let (x, y) = (p.extract(inner.a(), 0, n.width()), p.extract(inner.b(), 0, n.width()));
        p.binary(inner.op, x, y)
    })
}

/// match:  (-x)[low bits], x wiring
/// result: -(x[low bits])
fn extract_low_neg(p: &mut Pool, n: Node) -> Option<ExprId> {
    let x = p.one(n.a(), Op::Neg)?;
    (n.low() == 0 && is_wiring(p, x)).then(|| {
        let low = p.extract(x, 0, n.width());
        p.neg(low)
    })
}

/// match:  ite(q, x, y)[..], x and y wiring
/// result: ite(q, x[..], y[..])
fn extract_ite(p: &mut Pool, n: Node) -> Option<ExprId> {
    let choice = p.node(n.a());
    let fits = choice.op == Op::Ite && is_wiring(p, choice.b()) && is_wiring(p, choice.c());
    fits.then(|| {
        let x = p.extract(choice.b(), n.low(), n.width());
        let y = p.extract(choice.c(), n.low(), n.width());
        p.ite(choice.a(), x, y)
    })
}

/// match:  zext(zext(x))
/// result: zext(x)
fn zext_zext(p: &mut Pool, n: Node) -> Option<ExprId> {
    let x = p.one(n.a(), Op::Zext)?;
    Some(p.zext(x, n.width()))
}

/// match:  sext(sext(x))
/// result: sext(x)
fn sext_sext(p: &mut Pool, n: Node) -> Option<ExprId> {
    let x = p.one(n.a(), Op::Sext)?;
    Some(p.sext(x, n.width()))
}

/// match:  sext(x), x known to be non-negative
/// result: zext(x)
fn sext_non_negative(p: &mut Pool, n: Node) -> Option<ExprId> {
    p.is_non_negative(n.a()).then(|| p.zext(n.a(), n.width()))
}
