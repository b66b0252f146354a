//! Translates floats.
//!
//! A float can have two sorts (see [`TermSort`]). Where the bits of a computed float are
//! needed, they are a fresh constant with a side constraint: as a float it equals the
//! computed one or, since the theory has a single NaN, it has the NaN pattern that the
//! machine produces.

use byway_base::ExprId;
use byway_base::float::{self as fp, Format};
use byway_base::int;
use byway_expr::{FloatShape, Node, Op, Pool, RoundTo, TermSort, theory_bits, theory_widths};

use super::super::terms::{Kind, RoundingMode, SmtTerm};
use super::{SideConstraint, SideConstraints, Translation, Translator};

impl Translator {
    fn float_of(&self, pool: &Pool, e: ExprId) -> &SmtTerm {
        &self.translation(pool, e, TermSort::Float).term
    }

    fn floats_of<'a>(&'a self, pool: &'a Pool, node: &Node) -> Vec<&'a SmtTerm> {
        node.operands().map(|e| self.float_of(pool, e)).collect()
    }

    /// A term as a floating-point term. Plain bits are converted from the theory's layout.
    pub(super) fn float(
        &self,
        pool: &Pool,
        e: ExprId,
        node: &Node,
        operands: &[(ExprId, TermSort)],
    ) -> SmtTerm {
        match pool.float_shape(e) {
            FloatShape::Computed => self.float_operation(pool, node),
            FloatShape::Negated(x) => self.terms.apply(Kind::FpNeg, &[self.float_of(pool, x)]),
            FloatShape::Absolute(x) => self.terms.apply(Kind::FpAbs, &[self.float_of(pool, x)]),
            FloatShape::Ite(c, x, y) => {
                let (x, y) = (self.float_of(pool, x), self.float_of(pool, y));
                self.terms.apply(Kind::Ite, &[self.bool_of(pool, c), x, y])
            }
            FloatShape::Bits => {
                let bits = self.bits_of(pool, operands[0].0);
                self.as_float(node.float_format(), &bits)
            }
        }
    }

    fn as_float(&self, format: Format, bits: &SmtTerm) -> SmtTerm {
        self.terms.apply_indexed(Kind::FpToFpFromBv, &[bits], &sizes(format))
    }

    fn literal(&self, format: Format, bits: u128) -> SmtTerm {
        let width: u32 = theory_widths(format).iter().sum();
        let digits = format!("{:x}", theory_bits(format, bits));
        self.as_float(format, &self.terms.wide_value(width, &digits))
    }

    fn float_operation(&self, pool: &Pool, node: &Node) -> SmtTerm {
        let operand = || node.operands().next().expect("a float operator has operands");
        let nearest = self.terms.rounding(RoundingMode::NearestEven);
        let rounded = |kind| {
            let mut operands = vec![&nearest];
            operands.extend(self.floats_of(pool, node));
            self.terms.apply(kind, &operands)
        };
        let from_integer = |kind, widen| {
            // Bitwuzla's encoding of the conversion needs more than one bit.
            let mut bits = self.bits_of(pool, operand());
            if pool.width(operand()) == 1 {
                bits = self.terms.apply_indexed(widen, &[&bits], &[1]);
            }
            self.terms.apply_indexed(kind, &[&nearest, &bits], &sizes(node.format()))
        };
        match node.op() {
            Op::FAdd => rounded(Kind::FpAdd),
            Op::FSub => rounded(Kind::FpSub),
            Op::FMul => rounded(Kind::FpMul),
            Op::FDiv => rounded(Kind::FpDiv),
            Op::FSqrt => rounded(Kind::FpSqrt),
            Op::FFma => rounded(Kind::FpFma),
            Op::FRem => self.remainder(pool, node),
            Op::FRound => {
                let mode = self.terms.rounding(rounding_mode(node.round_to()));
                self.terms.apply(Kind::FpRti, &[&mode, self.float_of(pool, operand())])
            }
            Op::FFromSi => from_integer(Kind::FpToFpFromSbv, Kind::BvSignExtend),
            Op::FFromUi => from_integer(Kind::FpToFpFromUbv, Kind::BvZeroExtend),
            Op::FConvert => {
                let number = self.float_of(pool, operand());
                let sizes = sizes(node.float_format());
                self.terms.apply_indexed(Kind::FpToFpFromFp, &[&nearest, number], &sizes)
            }
            op => unreachable!("{op:?} gives no float"),
        }
    }

    /// C's `fmod` from IEEE's remainder, which rounds the quotient to nearest: takes the
    /// remainder of the magnitudes, adds the divisor if it is negative (exact, because the
    /// result is representable), and applies the dividend's sign.
    fn remainder(&self, pool: &Pool, node: &Node) -> SmtTerm {
        let terms = &self.terms;
        let [x, y] = self.floats_of(pool, node)[..] else {
            unreachable!("a remainder has two operands")
        };
        let nearest = terms.rounding(RoundingMode::NearestEven);
        let zero = self.literal(node.format(), 0);
        let (x_size, y_size) = (terms.apply(Kind::FpAbs, &[x]), terms.apply(Kind::FpAbs, &[y]));
        let rest = terms.apply(Kind::FpRem, &[&x_size, &y_size]);
        let more = terms.apply(Kind::FpAdd, &[&nearest, &rest, &y_size]);
        let below = terms.apply(Kind::FpLt, &[&rest, &zero]);
        let size = terms.apply(Kind::Ite, &[&below, &more, &rest]);
        let size = terms.apply(Kind::FpAbs, &[&size]);
        let negated = terms.apply(Kind::FpNeg, &[&size]);
        let negative = terms.apply(Kind::FpIsNeg, &[x]);
        terms.apply(Kind::Ite, &[&negative, &negated, &size])
    }

    pub(super) fn predicate(&self, pool: &Pool, node: &Node) -> SmtTerm {
        let kind = match node.op() {
            Op::FEq => Kind::FpEqual,
            Op::FLt => Kind::FpLt,
            Op::FLe => Kind::FpLeq,
            Op::FIsNan => Kind::FpIsNan,
            op => unreachable!("{op:?} is no predicate of floats"),
        };
        self.terms.apply(kind, &self.floats_of(pool, node))
    }

    /// Rounds toward zero; gives the machine's result where the theory leaves it undefined.
    pub(super) fn to_signed(&self, pool: &Pool, node: &Node) -> SmtTerm {
        let terms = &self.terms;
        let (format, width) = (node.format(), node.width());
        let x = self.floats_of(pool, node)[0];
        let least = fp::from_si(format, int::signed_min(width), width);
        let (least, end) =
            (self.literal(format, least), self.literal(format, fp::neg(format, least)));
        let toward_zero = terms.rounding(RoundingMode::Zero);
        let whole = terms.apply(Kind::FpRti, &[&toward_zero, x]);
        let above = terms.apply(Kind::FpLeq, &[&least, &whole]);
        let below = terms.apply(Kind::FpLt, &[&whole, &end]);
        let fits = terms.apply(Kind::And, &[&above, &below]);
        let bits = terms.apply_indexed(Kind::FpToSbv, &[&toward_zero, x], &[u64::from(width)]);
        let indefinite = terms.wide_value(width, &format!("{:x}", int::signed_min(width)));
        terms.apply(Kind::Ite, &[&fits, &bits, &indefinite])
    }

    /// The bits of a computed float: a fresh constant with a side constraint.
    pub(super) fn constrained_bits(
        &self,
        pool: &Pool,
        e: ExprId,
        nan: ExprId,
        constraints: SideConstraints,
    ) -> Translation {
        let terms = &self.terms;
        let node = pool.node(e);
        let format = node.float_format();
        let number = self.float_of(pool, e);
        let pattern = terms.fresh_constant(format.bits(), "pattern");
        let is_nan = terms.apply(Kind::FpIsNan, &[number]);
        let as_nan = terms.apply(Kind::Equal, &[&pattern, &self.bits_of(pool, nan)]);
        let as_float = match format {
            Format::F80 => self.extended_is(&pattern, number),
            _ => terms.apply(Kind::Equal, &[&self.as_float(format, &pattern), number]),
        };
        let constraint = terms.apply(Kind::Ite, &[&is_nan, &as_nan, &as_float]);
        Translation { term: pattern, constraints: SideConstraint::new(constraint, constraints) }
    }

    /// Whether a pattern that stores the leading bit is the one that operations produce for
    /// a float: the bit is set exactly if the exponent is not zero.
    fn extended_is(&self, pattern: &SmtTerm, number: &SmtTerm) -> SmtTerm {
        let terms = &self.terms;
        let bits = |high, low| terms.apply_indexed(Kind::BvExtract, &[pattern], &[high, low]);
        let without = terms.apply(Kind::BvConcat, &[&bits(79, 64), &bits(62, 0)]);
        let equal = terms.apply(Kind::Equal, &[&self.as_float(Format::F80, &without), number]);
        let subnormal = terms.apply(Kind::Equal, &[&bits(78, 64), &terms.value(15, 0)]);
        let no_leading = terms.apply(Kind::Equal, &[&bits(63, 63), &terms.value(1, 0)]);
        let leading = terms.apply(Kind::Equal, &[&subnormal, &no_leading]);
        terms.apply(Kind::And, &[&equal, &leading])
    }
}

/// The widths of exponent and significand, as the theory counts them.
fn sizes(format: Format) -> [u64; 2] {
    theory_widths(format).map(u64::from)
}

fn rounding_mode(to: RoundTo) -> RoundingMode {
    match to {
        RoundTo::Floor => RoundingMode::Down,
        RoundTo::Ceil => RoundingMode::Up,
        RoundTo::Trunc => RoundingMode::Zero,
        RoundTo::NearestEven => RoundingMode::NearestEven,
        RoundTo::NearestAway => RoundingMode::NearestAway,
    }
}
