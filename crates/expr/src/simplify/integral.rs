//! Floats with integral values: converted from an integer that the format represents exactly, or
//! constants without a fraction. Their comparisons, sums and products are computed on integers
//! as long as nothing is rounded, which needs no theory of floats. Parsers of decimal constants
//! profit most: they accumulate digits as integers and combine them in a float that is wide
//! enough.

use byway_base::ExprId;
use byway_base::float::{self as fp, Format};
use byway_base::int;

use crate::node::Node;
use crate::op::Op;
use crate::pool::Pool;

/// The integer value of a float.
#[derive(Copy, Clone)]
struct IntegralFloat {
    term: ExprId,
    width: u32,
    signed: bool,
}

impl IntegralFloat {
    /// The number of bits that represent it as a signed integer.
    fn signed_width(self) -> u32 {
        self.width + u32::from(!self.signed)
    }

    fn widened(self, p: &mut Pool, width: u32) -> ExprId {
        if self.signed { p.sext(self.term, width) } else { p.zext(self.term, width) }
    }
}

/// The integer that equals a float exactly; none for a negative zero.
fn exact_integer(p: &mut Pool, format: Format, e: ExprId) -> Option<IntegralFloat> {
    if let Some(bits) = p.value(e) {
        return integral_constant(p, format, bits);
    }
    let node = p.node(e);
    let signed = match node.op {
        Op::FFromSi => true,
        Op::FFromUi => false,
        _ => return None,
    };
    let (term, width) = (node.a(), p.width(node.a()));
    (width - u32::from(signed) <= format.precision()).then_some(IntegralFloat {
        term,
        width,
        signed,
    })
}

/// The depth to which integral values are searched.
const MAX_DEPTH: u32 = 6;

/// The integer value of a float, where zero may have a sign. Looks through negations,
/// if-then-else and products.
fn integer_value(p: &mut Pool, format: Format, e: ExprId, depth: u32) -> Option<IntegralFloat> {
    if let Some(whole) = exact_integer(p, format, e) {
        return Some(whole);
    }
    let depth = depth.checked_sub(1)?;
    let node = p.node(e);
    match node.op {
        Op::Const if p.value(e) == Some(format.zero(true)) => integral_constant(p, format, 0),
        Op::Xor if p.value(node.a()) == Some(format.sign_bit()) => {
            let x = integer_value(p, format, node.b(), depth)?;
            let width = x.signed_width() + 1;
            let widened = x.widened(p, width);
            Some(IntegralFloat { term: p.neg(widened), width, signed: true })
        }
        Op::Ite => {
            let x = integer_value(p, format, node.b(), depth)?;
            let y = integer_value(p, format, node.c(), depth)?;
            let (x, y, signed) = common_width(p, x, y);
            let term = p.ite(node.a(), x, y);
            Some(IntegralFloat { term, width: p.width(term), signed })
        }
        Op::FMul => {
            let (x, y) = (
                integer_value(p, format, node.a(), depth)?,
                integer_value(p, format, node.b(), depth)?,
            );
            let (signed, width) = (x.signed || y.signed, x.signed_width() + y.signed_width());
            let (a, b) = (x.widened(p, width), y.widened(p, width));
            Some(IntegralFloat { term: p.mul(a, b), width, signed })
        }
        _ => None,
    }
    .filter(|whole| whole.width - u32::from(whole.signed) <= format.precision())
}

/// The largest magnitude of an integer converted from a term.
const MAX_MAGNITUDE: u128 = 1 << 64;

fn integral_constant(p: &mut Pool, format: Format, bits: u128) -> Option<IntegralFloat> {
    let value = fp::to_si(format, bits, 128);
    let magnitude = (value as i128).unsigned_abs();
    if magnitude > MAX_MAGNITUDE || fp::from_si(format, value, 128) != bits {
        return None;
    }
    let signed = (value as i128) < 0;
    let width = (u128::BITS - magnitude.leading_zeros()).max(1) + u32::from(signed);
    Some(IntegralFloat { term: p.constant(width, int::cut(value, width)), width, signed })
}

/// Two integers extended to a common width, and whether they are signed there.
fn common_width(p: &mut Pool, a: IntegralFloat, b: IntegralFloat) -> (ExprId, ExprId, bool) {
    let signed = a.signed || b.signed;
    let width = match signed {
        true => a.signed_width().max(b.signed_width()),
        false => a.width.max(b.width),
    };
    (a.widened(p, width), b.widened(p, width), signed)
}

/// match:  float(x) compared with float(y), or with a constant; integers that the format
///         represents exactly
/// result: the comparison of the integers at a common width, or with an adjacent integer, or
///         a constant
pub(super) fn compare_integers(p: &mut Pool, n: Node) -> Option<ExprId> {
    let format = n.format();
    let (a, b) =
        (integer_value(p, format, n.a(), MAX_DEPTH), integer_value(p, format, n.b(), MAX_DEPTH));
    match (a, b) {
        (Some(a), Some(b)) => {
            let (a, b, signed) = common_width(p, a, b);
            Some(match (n.op, signed) {
                (Op::FEq, _) => p.eq(a, b),
                (Op::FLt, true) => p.slt(a, b),
                (Op::FLt, false) => p.ult(a, b),
                (_, true) => p.sle(a, b),
                (_, false) => p.ule(a, b),
            })
        }
        (None, Some(_)) => {
            let c = p.value(n.a())?;
            compare_non_integer(p, n, c, true)
        }
        (Some(_), None) => {
            let c = p.value(n.b())?;
            compare_non_integer(p, n, c, false)
        }
        (None, None) => None,
    }
}

/// Compares an integer with a constant that is none: with the next integer in the direction that
/// preserves the result, or constant if that integer is out of range.
fn compare_non_integer(p: &mut Pool, n: Node, c: u128, left: bool) -> Option<ExprId> {
    let format = n.format();
    if fp::is_nan(format, c) {
        return None;
    }
    let down = matches!(n.op, Op::FLt) == left;
    let next = if down { fp::floor(format, c) } else { fp::ceil(format, c) };
    // Adding zero removes the sign of a zero.
    let next = fp::add(format, next, 0);
    let unequal = fp::compare(format, next, c)?.is_ne();
    if n.op == Op::FEq && unequal {
        return Some(p.boolean(false));
    }
    if integral_constant(p, format, next).is_none() {
        let negative = c & format.sign_bit() != 0;
        return Some(p.boolean(n.op != Op::FEq && negative == left));
    }
    let next = p.constant(format.bits(), next);
    let operands = if left { [next, n.b()] } else { [n.a(), next] };
    let rounded = Node::new(n.op, 1, &operands).with_format(n.format);
    compare_integers(p, rounded)
}

/// match:  float(x) + float(y), - or *, integers whose result the format represents exactly
/// result: float(x + y)
///
/// The operands of a product must be unsigned: otherwise a zero result could be negative. A
/// zero sum is negative only if both operands are negative zeros.
pub(super) fn integer_arithmetic(p: &mut Pool, n: Node) -> Option<ExprId> {
    let format = n.format();
    if p.is_constant(n.a()) && p.is_constant(n.b()) {
        return None;
    }
    let plain = |p: &mut Pool, e| exact_integer(p, format, e);
    let (a, b) = match n.op {
        Op::FMul => (plain(p, n.a())?, plain(p, n.b())?),
        Op::FAdd if plain(p, n.a()).is_none() => {
            (integer_value(p, format, n.a(), MAX_DEPTH)?, plain(p, n.b())?)
        }
        _ => (plain(p, n.a())?, integer_value(p, format, n.b(), MAX_DEPTH)?),
    };
    let signed = n.op == Op::FSub || a.signed || b.signed;
    let width = match n.op {
        Op::FMul if signed => return None,
        Op::FMul => a.width + b.width,
        _ if signed => a.signed_width().max(b.signed_width()) + 1,
        _ => a.width.max(b.width) + 1,
    };
    if width - u32::from(signed) > format.precision() {
        return None;
    }
    let (x, y) = (a.widened(p, width), b.widened(p, width));
    let result = match n.op {
        Op::FAdd => p.add(x, y),
        Op::FSub => p.sub(x, y),
        _ => p.mul(x, y),
    };
    let from = if signed { Op::FFromSi } else { Op::FFromUi };
    Some(p.make_float(from, format, format.bits(), &[result]))
}

/// match:  float(x), x an integer that the format represents exactly, to another format
/// result: float(x) in that format
pub(super) fn convert_integer(p: &mut Pool, n: Node) -> Option<ExprId> {
    let inner = p.node(n.a());
    if !matches!(inner.op, Op::FFromSi | Op::FFromUi) {
        return None;
    }
    exact_integer(p, n.format(), n.a())?;
    let to = n.float_format();
    Some(p.make_float(inner.op, to, to.bits(), &[inner.a()]))
}

/// match:  round(float(x)), x an integer that the format represents exactly
/// result: float(x)
pub(super) fn round_integer(p: &mut Pool, n: Node) -> Option<ExprId> {
    exact_integer(p, n.format(), n.a()).map(|_| n.a())
}

/// match:  int(float(x)), x an integer that the format represents exactly
/// result: x, or the indefinite integer if it does not fit
pub(super) fn to_si_from_int(p: &mut Pool, n: Node) -> Option<ExprId> {
    let x = integer_value(p, n.format(), n.a(), MAX_DEPTH)?;
    let width = n.width();
    if x.signed_width() <= width {
        return Some(x.widened(p, width));
    }
    let kept = p.extract(x.term, 0, width);
    let wide = x.signed_width();
    let (all, back) = (x.widened(p, wide), p.sext(kept, wide));
    let fits = p.eq(all, back);
    let indefinite = p.constant(width, int::signed_min(width));
    Some(p.ite(fits, kept, indefinite))
}

/// match:  a comparison of widened floats, or of one and a constant
/// result: the comparison of the narrower floats
pub(super) fn widened(p: &mut Pool, n: Node) -> Option<ExprId> {
    let format = n.format();
    let source = |p: &Pool, e| {
        let node = p.node(e);
        let wider = node.op == Op::FConvert && node.format().precision() < format.precision();
        wider.then(|| node.format())
    };
    let sources = [source(p, n.a()), source(p, n.b())];
    let narrow = sources.into_iter().flatten().max_by_key(|format| format.precision())?;
    let narrowed = |p: &mut Pool, e| {
        if let Some(bits) = p.value(e) {
            let less = fp::convert(format, narrow, bits);
            let exact = fp::convert(narrow, format, less) == bits;
            return exact.then(|| p.constant(narrow.bits(), less));
        }
        let from = source(p, e)?;
        let inner = p.one(e, Op::FConvert)?;
        p.fconvert(from, narrow, inner)
    };
    let (a, b) = (narrowed(p, n.a())?, narrowed(p, n.b())?);
    Some(p.make_float(n.op, narrow, 1, &[a, b]))
}

/// match:  a widened float, converted to another format
/// result: the direct conversion; to the original format, the float itself with NaNs made
///         quiet
pub(super) fn convert_twice(p: &mut Pool, n: Node) -> Option<ExprId> {
    let inner = p.node(n.a());
    if inner.op != Op::FConvert || inner.format().precision() > n.format().precision() {
        return None;
    }
    let (x, from, to) = (inner.a(), inner.format(), n.float_format());
    if from != to {
        return p.fconvert(from, to, x);
    }
    if p.op(x).has_float_result() {
        return Some(x);
    }
    let quiet = p.constant(from.bits(), 1 << (from.precision() - 2));
    let (nan, quieted) = (p.fis_nan(from, x)?, p.or(quiet, x));
    Some(p.ite(nan, quieted, x))
}

/// match:  x * 1, x a computed float, which is never a signalling NaN
/// result: x
pub(super) fn times_one(p: &mut Pool, n: Node) -> Option<ExprId> {
    let format = n.format();
    let one = fp::from_ui(format, 1);
    let (x, _) = super::either(n, |a, b| Some((b, p.value(a).filter(|&a| a == one)?)))?;
    p.op(x).has_float_result().then_some(x)
}

/// match:  float(x) * -1
/// result: float(x) with its sign flipped
pub(super) fn times_minus_one(p: &mut Pool, n: Node) -> Option<ExprId> {
    let format = n.format();
    let minus_one = fp::neg(format, fp::from_ui(format, 1));
    let (x, _) = super::either(n, |a, b| Some((b, p.value(a).filter(|&a| a == minus_one)?)))?;
    matches!(p.op(x), Op::FFromSi | Op::FFromUi).then(|| p.fneg(format, x))
}

/// match:  x * ite(q, 1, -1)
/// result: ite(q, x * 1, x * -1)
pub(super) fn times_signs(p: &mut Pool, n: Node) -> Option<ExprId> {
    let format = n.format();
    let one = fp::from_ui(format, 1);
    let is_sign = |p: &Pool, e| p.value(e).is_some_and(|bits| fp::abs(format, bits) == one);
    let left = p.ite_of_constants(n.a()).is_some();
    let (choice, x) = if left { (n.a(), n.b()) } else { (n.b(), n.a()) };
    let (cond, c, d) = p.ite_of_constants(choice)?;
    if !is_sign(p, c) || !is_sign(p, d) {
        return None;
    }
    let product = |p: &mut Pool, c| {
        let operands = if left { [c, x] } else { [x, c] };
        p.rebuild(n, &operands)
    };
    let (c, d) = (product(p, c), product(p, d));
    Some(p.ite(cond, c, d))
}

/// match:  c compared with the negation of x
/// result: x compared with -c
pub(super) fn compare_negated(p: &mut Pool, n: Node) -> Option<ExprId> {
    let format = n.format();
    let sign = format.sign_bit();
    let (c, negated, left) = match (p.value(n.a()), p.value(n.b())) {
        (Some(c), None) => (c, n.b(), true),
        (None, Some(c)) => (c, n.a(), false),
        _ => return None,
    };
    let (flipped, x) = p.constant_and(negated, Op::Xor)?;
    if flipped != sign {
        return None;
    }
    let c = p.constant(format.bits(), c ^ sign);
    let operands = if left { [x, c] } else { [c, x] };
    Some(p.make(Node::new(n.op, 1, &operands).with_format(n.format)))
}

/// match:  c = float(x) as bits, x an integer that the format represents exactly
/// result: c = x as integers; 0 if c is no integer
pub(super) fn equals_integer(p: &mut Pool, n: Node) -> Option<ExprId> {
    let (c, made) = super::either(n, |a, b| Some((p.value(a)?, b)))?;
    let node = p.node(made);
    if !matches!(node.op, Op::FFromSi | Op::FFromUi) {
        return None;
    }
    let x = exact_integer(p, node.format(), made)?;
    let Some(c) = integral_constant(p, node.format(), c) else { return Some(p.boolean(false)) };
    let (c, x, _) = common_width(p, c, x);
    Some(p.eq(c, x))
}

/// match:  c = x as bits, c not NaN and x widened
/// result: the equality of the narrower floats; 0 if c is not representable there
pub(super) fn equals_widened(p: &mut Pool, n: Node) -> Option<ExprId> {
    let (c, made) = super::either(n, |a, b| Some((p.value(a)?, b)))?;
    let node = p.node(made);
    if node.op != Op::FConvert {
        return None;
    }
    let (from, to) = (node.format(), node.float_format());
    if from.precision() > to.precision() || fp::is_nan(to, c) {
        return None;
    }
    let narrow = fp::convert(to, from, c);
    if fp::convert(from, to, narrow) != c {
        return Some(p.boolean(false));
    }
    let narrow = p.constant(from.bits(), narrow);
    Some(p.eq(narrow, node.a()))
}

/// match:  c = ite(q, x, y) as bits, x and y floats with integral values
/// result: ite(q, c = x, c = y)
pub(super) fn equals_choice(p: &mut Pool, n: Node) -> Option<ExprId> {
    let (c, choice) = super::either(n, |a, b| p.is_constant(a).then_some((a, b)))?;
    let node = p.node(choice);
    if node.op != Op::Ite || !matches!(node.width(), 32 | 64 | 80) {
        return None;
    }
    let integer = |p: &mut Pool, e| integer_value(p, node.float_format(), e, MAX_DEPTH).is_some();
    if !has_computed_float(p, choice) || !integer(p, choice) {
        return None;
    }
    let (a, b) = (p.eq(c, node.b()), p.eq(c, node.c()));
    Some(p.ite(node.a(), a, b))
}

/// Whether an operand of an if-then-else is a computed float, or the negation of one.
fn has_computed_float(p: &Pool, choice: ExprId) -> bool {
    let float = |e| {
        let flipped = p.constant_and(e, Op::Xor).map(|(_, x)| x);
        p.op(flipped.unwrap_or(e)).has_float_result()
    };
    let node = p.node(choice);
    float(node.b()) || float(node.c())
}

/// match:  the sign bit of a float converted from an integer or from a shorter float
/// result: the sign of the integer or of the shorter float
pub(super) fn sign_bit(p: &mut Pool, n: Node) -> Option<ExprId> {
    let node = p.node(n.a());
    let is_sign = n.width() == 1 && n.low() == node.width() - 1;
    match node.op {
        _ if !is_sign => None,
        Op::FFromUi => Some(p.boolean(false)),
        Op::FFromSi => Some(p.sign(node.a())),
        // The conversion of an invalid pattern loses its sign.
        Op::FConvert if node.format() != Format::F80 => Some(p.sign(node.a())),
        _ => None,
    }
}

/// match:  the stored leading bit of a long double converted from an integer or from a shorter
///         float
/// result: whether the integer or the shorter float is not zero
pub(super) fn leading_bit(p: &mut Pool, n: Node) -> Option<ExprId> {
    let node = p.node(n.a());
    if (n.width(), n.low(), node.width()) != (1, 63, 80) {
        return None;
    }
    let magnitude = match node.op {
        Op::FFromSi | Op::FFromUi => node.a(),
        Op::FConvert => p.extract(node.a(), 0, p.width(node.a()) - 1),
        _ => return None,
    };
    let zero = p.constant(p.width(magnitude), 0);
    Some(p.ne(zero, magnitude))
}

/// match:  float(c + zext(x)), signed, with more bits than the sum needs
/// result: float of the same sum at fewer bits
pub(super) fn from_narrow_sum(p: &mut Pool, n: Node) -> Option<ExprId> {
    let (c, widened) = p.constant_and(n.a(), Op::Add)?;
    let x = p.one(widened, Op::Zext)?;
    let width = p.width(n.a());
    let magnitude = int::signed(c, width).unsigned_abs();
    let needed = p.width(x).max(u128::BITS - magnitude.leading_zeros()) + 2;
    if needed >= width {
        return None;
    }
    let (c, x) = (p.constant(needed, int::cut(c, needed)), p.zext(x, needed));
    let sum = p.add(c, x);
    Some(p.rebuild(n, &[sum]))
}

/// match:  a float split in two, the sign flipped in the upper part, concatenated
/// result: the float with its sign flipped
pub(super) fn flip_sign(p: &mut Pool, n: Node) -> Option<ExprId> {
    let (flipped, upper) = p.constant_and(n.a(), Op::Xor)?;
    let (upper, lower) = (p.node(upper), p.node(n.b()));
    if upper.op != Op::Extract || lower.op != Op::Extract || upper.a() != lower.a() {
        return None;
    }
    let of = upper.a();
    let is_float = p.op(of).has_float_result() || p.op(of) == Op::Ite;
    let all = n.width() == p.width(of) && lower.low() == 0;
    if !is_float || !all || upper.low() != lower.width() {
        return None;
    }
    let flipped = p.constant(n.width(), flipped << lower.width());
    Some(p.xor(flipped, of))
}

impl Pool {
    /// Whether a float is, by its structure, an integer that the format represents exactly, so
    /// that comparisons and conversions need no theory of floats.
    pub fn is_integer_float(&mut self, format: Format, e: ExprId) -> bool {
        integer_value(self, format, e, MAX_DEPTH).is_some()
    }
}
