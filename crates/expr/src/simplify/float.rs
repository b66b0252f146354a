//! Floats. NaNs invalidate most rules of arithmetic; most of the remaining ones are about floats
//! that were widened, or exactly converted from integers; see [`super::integral`].

use byway_base::ExprId;
use byway_base::float as fp;
use byway_base::int;

use super::{integral, of_ite_of_constants};
use crate::node::Node;
use crate::op::Op;
use crate::pool::Pool;

rules! { FADD, k;
    "fadd-integers" => integral::integer_arithmetic,
        yes: of_integers(k, Op::FAdd),
        no: k.float(Op::FAdd, k.format().bits(), &[k.f(), from_int(k)]);
}

rules! { FSUB, k;
    "fsub-integers" => integral::integer_arithmetic,
        yes: of_integers(k, Op::FSub),
        no: k.float(Op::FSub, k.format().bits(), &[from_int(k), k.f()]);
}

rules! { FMUL, k;
    "fmul-one" => integral::times_one,
        yes: k.float(Op::FMul, k.format().bits(), &[one(k), k.converted()]),
        no: k.float(Op::FMul, k.format().bits(), &[one(k), k.f()]);
    "fmul-minus-one" => integral::times_minus_one,
        yes: k.float(Op::FMul, k.format().bits(), &[from_int(k), minus_one(k)]),
        no: k.float(Op::FMul, k.format().bits(), &[k.f(), minus_one(k)]);
    "fmul-signs" => integral::times_signs,
        yes: k.float(Op::FMul, k.format().bits(), &[signs(k), from_int(k)]),
        no: {
        let two = k.num(k.format().bits(), fp::from_ui(k.format(), 2));
        k.float(Op::FMul, k.format().bits(), &[from_int(k), k.ite(k.variable(3, 1), two, one(k))])
    };
    "fmul-integers" => integral::integer_arithmetic,
        yes: of_integers(k, Op::FMul),
        no: k.float(Op::FMul, k.format().bits(), &[from_int(k), from_int(k)]);
}

rules! { FROUND, k;
    "fround-integer" => integral::round_integer,
        yes: k.rounded(from_int(k)),
        no: k.rounded(k.f());
}

rules! { FCONVERT, k;
    "fconvert-of-choice" => of_ite_of_constants,
        yes: k.float(Op::FConvert, k.other_format().bits(), &[signs(k)]),
        no: k.float(Op::FConvert, k.other_format().bits(), &[k.f()]);
    "fconvert-from-int" => integral::convert_integer,
        yes: k.float(Op::FConvert, k.other_format().bits(), &[from_int(k)]),
        no: k.float(Op::FConvert, k.other_format().bits(), &[k.f()]);
    "fconvert-twice" => integral::convert_twice,
        yes: k.converted_twice(),
        no: k.float(Op::FConvert, k.other_format().bits(), &[k.f()]);
}

rules! { FEQ, k;
    "feq-nan" => compare_nan,
        yes: k.float(Op::FEq, 1, &[nan(k), k.f()]),
        no: k.float(Op::FEq, 1, &[k.f(), k.g()]);
    "feq-widened" => integral::widened,
        yes: k.widened(Op::FEq),
        no: k.float(Op::FEq, 1, &[k.f(), k.g()]);
    "feq-integers" => integral::compare_integers,
        yes: compared_integers(k, Op::FEq),
        no: k.float(Op::FEq, 1, &[k.g(), from_int(k)]);
    "feq-negated" => integral::compare_negated,
        yes: k.float(Op::FEq, 1, &[number(k), k.negated()]),
        no: k.float(Op::FEq, 1, &[number(k), k.f()]);
}

rules! { FLT, k;
    "flt-same" => flt_same,
        yes: k.float(Op::FLt, 1, &[k.f(), k.f()]),
        no: k.float(Op::FLt, 1, &[k.f(), k.g()]);
    "flt-nan" => compare_nan,
        yes: k.float(Op::FLt, 1, &[k.f(), nan(k)]),
        no: k.float(Op::FLt, 1, &[k.f(), k.g()]);
    "flt-widened" => integral::widened,
        yes: k.widened(Op::FLt),
        no: k.float(Op::FLt, 1, &[k.f(), k.g()]);
    "flt-integers" => integral::compare_integers,
        yes: compared_integers(k, Op::FLt),
        no: k.float(Op::FLt, 1, &[from_int(k), k.g()]);
    "flt-negated" => integral::compare_negated,
        yes: k.pick([
            k.float(Op::FLt, 1, &[number(k), k.negated()]),
            k.float(Op::FLt, 1, &[k.negated(), number(k)]),
        ]),
        no: k.float(Op::FLt, 1, &[k.g(), k.negated()]);
}

rules! { FLE, k;
    "fle-nan" => compare_nan,
        yes: k.float(Op::FLe, 1, &[nan(k), k.f()]),
        no: k.float(Op::FLe, 1, &[k.f(), k.g()]);
    "fle-widened" => integral::widened,
        yes: k.widened(Op::FLe),
        no: k.float(Op::FLe, 1, &[k.f(), k.g()]);
    "fle-integers" => integral::compare_integers,
        yes: compared_integers(k, Op::FLe),
        no: k.float(Op::FLe, 1, &[from_int(k), k.g()]);
    "fle-negated" => integral::compare_negated,
        yes: k.pick([
            k.float(Op::FLe, 1, &[number(k), k.negated()]),
            k.float(Op::FLe, 1, &[k.negated(), number(k)]),
        ]),
        no: k.float(Op::FLe, 1, &[k.g(), k.negated()]);
}

rules! { FISNAN, k;
    "fisnan-from-int" => isnan_from_int,
        yes: k.float(Op::FIsNan, 1, &[from_int(k)]),
        no: k.float(Op::FIsNan, 1, &[k.f()]);
    "fisnan-converted" => isnan_converted,
        yes: {
        let other = k.float(Op::FConvert, k.other_format().bits(), &[k.f()]);
        k.float_of(other, Op::FIsNan, 1)
    },
        no: k.float(Op::FIsNan, 1, &[k.f()]);
}

rules! { FTOSI, k;
    "ftosi-from-int" => integral::to_si_from_int,
        yes: k.pick([
            k.float(Op::FToSi, 64, &[from_int(k)]),
            k.float(Op::FToSi, 32, &[wide_integer(k)]),
        ]),
        no: k.float(Op::FToSi, 64, &[k.f()]);
}

rules! { FFROMSI, k;
    "ffromsi-of-choice" => of_ite_of_constants,
        yes: k.float(Op::FFromSi, k.format().bits(), &[k.ite(k.variable(3, 1), k.c(0), k.c(1))]),
        no: k.float(Op::FFromSi, k.format().bits(), &[k.x()]);
    "ffromsi-sext" => from_si_sext,
        yes: k.float(Op::FFromSi, k.format().bits(), &[k.sext_to(k.s(), 64)]),
        no: k.float(Op::FFromSi, k.format().bits(), &[k.s()]);
    "ffromsi-narrow-sum" => integral::from_narrow_sum,
        yes: {
        let digit = k.add(k.num(64, k.number(0) % 99), k.zext_to(k.variable(0, 7), 64));
        k.float(Op::FFromSi, k.format().bits(), &[digit])
    },
        no: k.float(Op::FFromSi, k.format().bits(), &[k.add(k.num(64, 1), k.variable(0, 64))]);
    "ffromsi-non-negative" => from_si_non_negative,
        yes: k.float(Op::FFromSi, k.format().bits(), &[k.zext_to(k.s(), 64)]),
        no: k.float(Op::FFromSi, k.format().bits(), &[k.s()]);
}

rules! { FFROMUI, k;
    "ffromui-of-choice" => of_ite_of_constants,
        yes: k.float(Op::FFromUi, k.format().bits(), &[k.ite(k.variable(3, 1), k.c(0), k.c(1))]),
        no: k.float(Op::FFromUi, k.format().bits(), &[k.x()]);
    "ffromui-zext" => from_ui_zext,
        yes: k.float(Op::FFromUi, k.format().bits(), &[k.zext_to(k.s(), 64)]),
        no: k.float(Op::FFromUi, k.format().bits(), &[k.s()]);
}

/// A NaN of the example's format, or a pattern near one.
fn nan(k: &super::ExampleBuilder) -> ExprId {
    let near = k.format().infinity(false).wrapping_add(k.number(0) & 3).wrapping_sub(1);
    k.num(k.format().bits(), near)
}

/// A small integer variable, converted to a float.
fn from_int(k: &super::ExampleBuilder) -> ExprId {
    k.float(Op::FFromSi, k.format().bits(), &[k.variable(0, 16)])
}

/// An integer of either sign, as wide as the format represents exactly, as a float. Only a few
/// bits are variable: the exactness of the rounding is hard to prove for many.
fn wide_integer(k: &super::ExampleBuilder) -> ExprId {
    let op = if k.number(0) & 1 == 0 { Op::FFromSi } else { Op::FFromUi };
    let signed = u32::from(op == Op::FFromSi);
    let below = k.format().precision() + signed - 6;
    let integer = k.concat(k.variable(1, 6), k.num(below, k.number(1)));
    k.float(op, k.format().bits(), &[integer])
}

/// One or minus one, depending on a variable bit.
fn signs(k: &super::ExampleBuilder) -> ExprId {
    k.ite(k.variable(3, 1), minus_one(k), one(k))
}

fn one(k: &super::ExampleBuilder) -> ExprId {
    k.num(k.format().bits(), fp::from_ui(k.format(), 1))
}

fn minus_one(k: &super::ExampleBuilder) -> ExprId {
    let format = k.format();
    k.num(format.bits(), fp::neg(format, fp::from_ui(format, 1)))
}

/// A comparison of an integer variable with another, or with a constant, in either order.
fn compared_integers(k: &super::ExampleBuilder, op: Op) -> ExprId {
    let (x, y) = (from_int(k), wide_integer(k));
    let flipped = k.negative(k.float(Op::FMul, k.format().bits(), &[signs(k), x]));
    let any = k.num(k.format().bits(), k.number(0) << 40 ^ k.number(1));
    k.pick([
        k.float(op, 1, &[number(k), x]),
        k.float(op, 1, &[x, number(k)]),
        k.float(op, 1, &[any, y]),
        k.float(op, 1, &[y, any]),
        k.float(op, 1, &[x, y]),
        k.float(op, 1, &[number(k), flipped]),
    ])
}

/// An operator on two integers, or on one and a constant, signed or unsigned. Narrow ones, since
/// rules on products are hard to prove.
fn of_integers(k: &super::ExampleBuilder, op: Op) -> ExprId {
    let bits = k.format().bits();
    let narrow = k.float(Op::FFromUi, bits, &[k.variable(0, 3)]);
    let other = k.float(Op::FFromUi, bits, &[k.variable(1, 4)]);
    let (signed, five) = (from_int(k), k.num(bits, fp::from_ui(k.format(), 5)));
    k.pick([
        k.float(op, bits, &[narrow, other]),
        k.float(op, bits, &[five, narrow]),
        k.float(op, bits, &[signed, other]),
        k.float(op, bits, &[narrow, signed]),
        k.float(op, bits, &[signed, number(k)]),
        k.float(op, bits, &[k.float(Op::FMul, bits, &[signs(k), narrow]), other]),
        k.float(op, bits, &[other, k.float(Op::FMul, bits, &[signs(k), narrow])]),
    ])
}

/// A constant float: a small integer, or half of one.
fn number(k: &super::ExampleBuilder) -> ExprId {
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

/// match:  isnan(float(x)), x an integer
/// result: 0
fn isnan_from_int(p: &mut Pool, n: Node) -> Option<ExprId> {
    matches!(p.op(n.a()), Op::FFromSi | Op::FFromUi).then(|| p.boolean(false))
}

/// match:  isnan(x) of a converted float x
/// result: isnan of the unconverted one
fn isnan_converted(p: &mut Pool, n: Node) -> Option<ExprId> {
    let inner = p.node(n.a());
    (inner.op == Op::FConvert)
        .then(|| p.make(Node::new(Op::FIsNan, 1, &[inner.a()]).with_format(inner.format)))
}

/// match:  float(sext(x)), signed
/// result: float(x)
fn from_si_sext(p: &mut Pool, n: Node) -> Option<ExprId> {
    let x = p.one(n.a(), Op::Sext)?;
    Some(p.rebuild(n, &[x]))
}

/// match:  float(x), signed, x known to be non-negative
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
