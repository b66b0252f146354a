//! Equality. An equality with a constant is pushed through invertible operators, and split into
//! equalities of bytes.

use byway_base::{ExprId, int};

use super::{either, integral};
use crate::node::Node;
use crate::op::Op;
use crate::pool::Pool;

rules! { EQ, k;
    "eq-same" (wide) => same,
        yes: k.eq(k.x(), k.x()),
        no: k.eq(k.x(), k.y());
    "eq-bit" => bit_constant,
        yes: k.eq(k.c(0), k.x()),
        no: k.eq(k.num(k.w() + 1, 1), k.zext_to(k.x(), k.w() + 1));
    "eq-constant-add" => constant_add,
        yes: k.eq(k.c(0), k.add(k.c(1), k.x())),
        no: k.eq(k.c(0), k.add(k.x(), k.y()));
    "eq-constant-sub" => constant_sub,
        yes: k.eq(k.c(0), k.sub(k.c(1), k.x())),
        no: k.eq(k.c(0), k.sub(k.y(), k.c(1)));
    "eq-constant-neg" => constant_neg,
        yes: k.eq(k.c(0), k.neg(k.x())),
        no: k.eq(k.x(), k.neg(k.y()));
    "eq-constant-not" (wide) => constant_not,
        yes: k.eq(k.c(0), k.not(k.x())),
        no: k.eq(k.x(), k.not(k.y()));
    "eq-constant-xor" (wide) => constant_xor,
        yes: k.eq(k.c(0), k.xor(k.c(1), k.x())),
        no: k.eq(k.c(0), k.xor(k.x(), k.y()));
    "eq-constant-mul" => constant_mul,
        yes: k.eq(k.c(0), k.mul(k.c(1), k.x())),
        no: k.eq(k.c(0), k.mul(k.zero(), k.x()));
    "eq-constant-concat" (wide) => constant_concat,
        yes: k.eq(k.both(0), k.concat(k.x(), k.s())),
        no: k.eq(k.y(), k.x());
    "eq-constant-zext" (wide) => constant_zext,
        yes: k.eq(k.both(0), k.zext(k.x())),
        no: k.eq(k.both(0), k.sext(k.x()));
    "eq-constant-sext" => constant_sext,
        yes: k.eq(k.both(0), k.sext(k.x())),
        no: k.eq(k.both(0), k.zext(k.x()));
    "eq-constant-ite" (wide) => constant_ite,
        yes: k.pick([
            k.eq(k.c(0), k.ite(k.p(), k.c(1), k.x())),
            k.eq(k.c(0), k.ite(k.p(), k.x(), k.c(1))),
        ]),
        no: k.eq(k.c(0), k.ite(k.p(), k.x(), k.y()));
    "eq-zero-sub" => zero_sub,
        yes: k.eq(k.c(0), k.sub(k.x(), k.y())),
        no: k.eq(k.one(), k.sub(k.x(), k.y()));
    "eq-zero-xor" => zero_xor,
        yes: k.eq(k.c(0), k.xor(k.x(), k.y())),
        no: k.eq(k.one(), k.xor(k.x(), k.y()));
    "eq-zero-or" => zero_or,
        yes: k.eq(k.c(0), k.or(k.x(), k.y())),
        no: k.eq(k.one(), k.or(k.x(), k.y()));
    "eq-ones-and" => ones_and,
        yes: k.eq(k.c(0), k.and(k.x(), k.y())),
        no: k.eq(k.zero(), k.and(k.x(), k.y()));
    "eq-zero-udiv" => zero_udiv,
        yes: k.eq(k.c(0), k.bin(Op::UDiv, k.x(), k.c(1))),
        no: k.eq(k.zero(), k.bin(Op::UDiv, k.x(), k.zero()));
    "eq-nots" (wide) => nots,
        yes: k.eq(k.not(k.x()), k.not(k.y())),
        no: k.eq(k.not(k.x()), k.neg(k.y()));
    "eq-add-same" (wide) => add_same,
        yes: k.pick([
            k.eq(k.add(k.x(), k.y()), k.add(k.x(), k.z())),
            k.eq(k.add(k.x(), k.y()), k.add(k.z(), k.x())),
            k.eq(k.add(k.y(), k.x()), k.add(k.x(), k.z())),
            k.eq(k.add(k.y(), k.x()), k.add(k.z(), k.x())),
        ]),
        no: k.eq(k.add(k.x(), k.y()), k.sub(k.x(), k.z()));
    "eq-add-itself" (wide) => add_itself,
        yes: k.eq(k.x(), k.add(k.x(), k.y())),
        no: k.eq(k.z(), k.add(k.x(), k.y()));
    "eq-add-constants" => add_constants,
        yes: k.eq(k.add(k.c(0), k.x()), k.add(k.c(1), k.y())),
        no: k.eq(k.add(k.c(0), k.x()), k.add(k.z(), k.y()));
    "eq-sext" (wide) => sext_both,
        yes: k.eq(k.sext(k.x()), k.sext(k.y())),
        no: k.eq(k.sext(k.x()), k.zext(k.y()));
    "eq-parts" (wide) => parts,
        yes: k.pick([
            k.eq(k.concat(k.x(), k.s()), k.concat(k.y(), k.t())),
            k.eq(k.concat(k.x(), k.s()), k.concat(k.t(), k.y())),
            k.eq(k.zext(k.x()), k.concat(k.t(), k.y())),
            k.eq(k.zext_to(k.s(), k.w() + k.v()), k.zext(k.x())),
        ]),
        no: k.eq(k.concat(k.x(), k.s()), k.sext_to(k.t(), k.w() + k.v()));
    "eq-ite-same" (wide) => ite_same,
        yes: k.pick([
            k.eq(k.x(), k.ite(k.p(), k.x(), k.y())),
            k.eq(k.x(), k.ite(k.p(), k.y(), k.x())),
        ]),
        no: k.eq(k.z(), k.ite(k.p(), k.x(), k.y()));
    "eq-float-integer" => integral::equals_integer,
        yes: k.eq(k.small_float(), k.float(Op::FFromSi, k.format().bits(), &[k.variable(0, 9)])),
        no: k.eq(k.g(), k.float(Op::FFromSi, k.format().bits(), &[k.variable(0, 9)]));
    "eq-float-widened" => integral::equals_widened,
        yes: k.equals_widened(),
        no: k.eq(k.small_float(), k.f());
    "eq-float-choice" => integral::equals_choice,
        yes: {
        let integer = k.float(Op::FFromUi, k.format().bits(), &[k.variable(0, 5)]);
        k.eq(k.small_float(), k.ite(k.p(), k.negative(integer), integer))
    },
        no: k.eq(k.small_float(), k.ite(k.p(), k.g(), k.f()));
}

/// match:  x = x
/// result: 1
fn same(p: &mut Pool, n: Node) -> Option<ExprId> {
    (n.a() == n.b()).then(|| p.boolean(true))
}

/// match:  1 = q or 0 = q, of one bit
/// result: q or ~q
fn bit_constant(p: &mut Pool, n: Node) -> Option<ExprId> {
    let c = p.value(n.a())?;
    (p.width(n.a()) == 1).then(|| if c == 1 { n.b() } else { p.not(n.b()) })
}

/// match:  c = d + x
/// result: c - d = x
fn constant_add(p: &mut Pool, n: Node) -> Option<ExprId> {
    let (c, (d, x)) = (p.value(n.a())?, p.constant_and(n.b(), Op::Add)?);
    let width = p.width(x);
    let c = p.constant(width, int::sub(c, d, width));
    Some(p.eq(c, x))
}

/// match:  c = d - x
/// result: d - c = x
fn constant_sub(p: &mut Pool, n: Node) -> Option<ExprId> {
    let (c, (d, x)) = (p.value(n.a())?, p.constant_and(n.b(), Op::Sub)?);
    let width = p.width(x);
    let c = p.constant(width, int::sub(d, c, width));
    Some(p.eq(c, x))
}

/// match:  c = -x
/// result: -c = x
fn constant_neg(p: &mut Pool, n: Node) -> Option<ExprId> {
    let (c, x) = (p.value(n.a())?, p.one(n.b(), Op::Neg)?);
    let width = p.width(x);
    let c = p.constant(width, int::sub(0, c, width));
    Some(p.eq(c, x))
}

/// match:  c = ~x
/// result: ~c = x
fn constant_not(p: &mut Pool, n: Node) -> Option<ExprId> {
    let x = p.one(n.b(), Op::Not)?;
    p.is_constant(n.a()).then(|| {
        let c = p.not(n.a());
        p.eq(c, x)
    })
}

/// match:  c = d ^ x
/// result: c ^ d = x
fn constant_xor(p: &mut Pool, n: Node) -> Option<ExprId> {
    let (d, x) = p.two(n.b(), Op::Xor)?;
    (p.is_constant(n.a()) && p.is_constant(d)).then(|| {
        let c = p.xor(n.a(), d);
        p.eq(c, x)
    })
}

/// match:  c = d * x, d odd
/// result: c * d^-1 = x
fn constant_mul(p: &mut Pool, n: Node) -> Option<ExprId> {
    let (c, (d, x)) = (p.value(n.a())?, p.constant_and(n.b(), Op::Mul)?);
    if d & 1 == 0 {
        return None;
    }
    // Each Newton step doubles the number of correct bits; d itself has 3.
    let inverse =
        (0..6).fold(d, |i: u128, _| i.wrapping_mul(2u128.wrapping_sub(d.wrapping_mul(i))));
    let width = p.width(x);
    let c = p.constant(width, int::cut(c.wrapping_mul(inverse), width));
    Some(p.eq(c, x))
}

/// match:  c = concat(x, y)
/// result: the conjunction of the parts' equalities
fn constant_concat(p: &mut Pool, n: Node) -> Option<ExprId> {
    let (x, y) = p.two(n.b(), Op::Concat)?;
    p.is_constant(n.a()).then(|| {
        let (high, low) = p.split_at(n.a(), p.width(y));
        let (high, low) = (p.eq(high, x), p.eq(low, y));
        p.and(high, low)
    })
}

/// match:  c = zext(x)
/// result: c = x, c truncated; 0 if the truncated bits are not zero
fn constant_zext(p: &mut Pool, n: Node) -> Option<ExprId> {
    let x = p.one(n.b(), Op::Zext)?;
    p.is_constant(n.a()).then(|| {
        let (high, low) = p.split_at(n.a(), p.width(x));
        let zero = p.zero_like(high);
        let (high, low) = (p.eq(high, zero), p.eq(low, x));
        p.and(high, low)
    })
}

/// match:  c = sext(x)
/// result: c = x, c truncated; 0 if c is no sign extension
fn constant_sext(p: &mut Pool, n: Node) -> Option<ExprId> {
    let (c, x) = (p.value(n.a())?, p.one(n.b(), Op::Sext)?);
    let (narrow, wide) = (p.width(x), p.width(n.a()));
    let cut = int::cut(c, narrow);
    if int::sext(cut, narrow, wide) != c {
        return Some(p.boolean(false));
    }
    let cut = p.constant(narrow, cut);
    Some(p.eq(cut, x))
}

/// match:  c = ite(q, d, x) or c = ite(q, x, d)
/// result: q | c = x if c is d, else ~q & c = x; with ~q for q in the second form
fn constant_ite(p: &mut Pool, n: Node) -> Option<ExprId> {
    let choice = p.node(n.b());
    if choice.op != Op::Ite || !p.is_constant(n.a()) {
        return None;
    }
    let (cond, d, x) = if p.is_constant(choice.b()) {
        (choice.a(), choice.b(), choice.c())
    } else if p.is_constant(choice.c()) {
        let opposite = p.not(choice.a());
        (opposite, choice.c(), choice.b())
    } else {
        return None;
    };
    let rest = p.eq(n.a(), x);
    Some(if d == n.a() {
        p.or(cond, rest)
    } else {
        let otherwise = p.not(cond);
        p.and(otherwise, rest)
    })
}

fn zero_with(p: &Pool, n: Node, op: Op) -> Option<(ExprId, ExprId)> {
    (p.value(n.a())? == 0).then(|| p.two(n.b(), op))?
}

/// match:  0 = x - y
/// result: x = y
fn zero_sub(p: &mut Pool, n: Node) -> Option<ExprId> {
    let (x, y) = zero_with(p, n, Op::Sub)?;
    Some(p.eq(x, y))
}

/// match:  0 = x ^ y
/// result: x = y
fn zero_xor(p: &mut Pool, n: Node) -> Option<ExprId> {
    let (x, y) = zero_with(p, n, Op::Xor)?;
    Some(p.eq(x, y))
}

/// match:  0 = x | y
/// result: 0 = x & 0 = y
fn zero_or(p: &mut Pool, n: Node) -> Option<ExprId> {
    let (x, y) = zero_with(p, n, Op::Or)?;
    let (x, y) = (p.eq(n.a(), x), p.eq(n.a(), y));
    Some(p.and(x, y))
}

/// match:  -1 = x & y
/// result: -1 = x & -1 = y
fn ones_and(p: &mut Pool, n: Node) -> Option<ExprId> {
    let (x, y) = p.two(n.b(), Op::And)?;
    (p.value(n.a())? == int::mask(p.width(x))).then(|| {
        let (x, y) = (p.eq(n.a(), x), p.eq(n.a(), y));
        p.and(x, y)
    })
}

/// match:  0 = x / c unsigned, c not zero
/// result: x < c
fn zero_udiv(p: &mut Pool, n: Node) -> Option<ExprId> {
    let (x, c) = zero_with(p, n, Op::UDiv)?;
    (p.value(c)? != 0).then(|| p.ult(x, c))
}

/// match:  ~x = ~y
/// result: x = y
fn nots(p: &mut Pool, n: Node) -> Option<ExprId> {
    let (x, y) = (p.one(n.a(), Op::Not)?, p.one(n.b(), Op::Not)?);
    Some(p.eq(x, y))
}

/// match:  x + y = x + z, in any operand order
/// result: y = z
fn add_same(p: &mut Pool, n: Node) -> Option<ExprId> {
    let ((a, b), (c, d)) = (p.two(n.a(), Op::Add)?, p.two(n.b(), Op::Add)?);
    let (y, z) = if a == c {
        (b, d)
    } else if a == d {
        (b, c)
    } else if b == c {
        (a, d)
    } else if b == d {
        (a, c)
    } else {
        return None;
    };
    Some(p.eq(y, z))
}

/// match:  x = x + y
/// result: 0 = y
fn add_itself(p: &mut Pool, n: Node) -> Option<ExprId> {
    let y = either(n, |x, sum| match p.two(sum, Op::Add)? {
        (a, y) if a == x => Some(y),
        (y, a) if a == x => Some(y),
        _ => None,
    })?;
    let zero = p.zero_like(y);
    Some(p.eq(zero, y))
}

/// match:  c + x = d + y
/// result: (c - d) + x = y
fn add_constants(p: &mut Pool, n: Node) -> Option<ExprId> {
    let ((c, x), (d, y)) = (p.constant_and(n.a(), Op::Add)?, p.constant_and(n.b(), Op::Add)?);
    // Independent of the operand order: the constant goes to the structurally smaller term.
    let width = p.width(x);
    let (c, x, d, y) = if p.compare_structure(x, y).is_le() { (c, x, d, y) } else { (d, y, c, x) };
    let c = p.constant(width, int::sub(c, d, width));
    let sum = p.add(c, x);
    Some(p.eq(sum, y))
}

/// match:  sext(x) = sext(y)
/// result: x = y, at the larger width
fn sext_both(p: &mut Pool, n: Node) -> Option<ExprId> {
    let (x, y) = (p.one(n.a(), Op::Sext)?, p.one(n.b(), Op::Sext)?);
    let width = p.width(x).max(p.width(y));
    let (x, y) = (p.sext(x, width), p.sext(y, width));
    Some(p.eq(x, y))
}

/// match:  two concatenations or extensions
/// result: equalities of their parts, split where the first is joined, or the second if the
///         first is an extension
fn parts(p: &mut Pool, n: Node) -> Option<ExprId> {
    let joint = |e| {
        let node = p.node(e);
        match node.op {
            Op::Concat => Some(p.width(node.b())),
            Op::Zext => Some(p.width(node.a())),
            _ => None,
        }
    };
    let (a, b) = (joint(n.a())?, joint(n.b())?);
    let at = if p.op(n.a()) == Op::Concat {
        a
    } else if p.op(n.b()) == Op::Concat {
        b
    } else {
        a.max(b)
    };
    let ((x, y), (z, t)) = (p.split_at(n.a(), at), p.split_at(n.b(), at));
    let (high, low) = (p.eq(x, z), p.eq(y, t));
    Some(p.and(high, low))
}

/// match:  x = ite(q, x, y) or x = ite(q, y, x)
/// result: q | x = y or ~q | x = y
fn ite_same(p: &mut Pool, n: Node) -> Option<ExprId> {
    let (cond, x, y) = either(n, |x, b| {
        let choice = p.node(b);
        let fits = choice.op == Op::Ite && (choice.b() == x || choice.c() == x);
        fits.then(|| (choice, x, if choice.b() == x { choice.c() } else { choice.b() }))
    })?;
    let taken = if cond.b() == x { cond.a() } else { p.not(cond.a()) };
    let rest = p.eq(x, y);
    Some(p.or(taken, rest))
}
