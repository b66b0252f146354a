//! The x87 extended format, `long double` on x86, in terms of the theory of floats.
//!
//! Its bit patterns store the leading bit of the significand, which IEEE's formats omit. Some
//! patterns therefore have no IEEE counterpart: with a zero exponent, a leading one means the
//! same as with an exponent of one (a pseudo-denormal); with any other exponent, a leading
//! zero is *invalid* and treated as a NaN. No operation produces either.

use byway_base::ExprId;
use byway_base::float::Format;

use crate::pool::Pool;

/// Bits of the exponent.
const EXPONENT: u32 = 15;
/// Bits below the leading one; also the leading one's position.
const FRACTION: u32 = 63;

/// Widths of the exponent and of the significand with its leading bit, as in the theory of
/// floats.
pub fn theory_widths(format: Format) -> [u32; 2] {
    let stored_leading = u32::from(format == Format::F80);
    [format.bits() - format.precision() - stored_leading, format.precision()]
}

/// A bit pattern in the theory's layout, which has no leading bit. The pattern must be one
/// that an operation produces.
pub fn theory_bits(format: Format, bits: u128) -> u128 {
    match format {
        Format::F80 => bits >> (FRACTION + 1) << FRACTION | bits & ((1 << FRACTION) - 1),
        _ => bits,
    }
}

impl Pool {
    /// Whether a float is an invalid pattern.
    pub(crate) fn is_invalid(&mut self, format: Format, a: ExprId) -> ExprId {
        if format != Format::F80 || self.op(a).has_float_result() {
            return self.boolean(false);
        }
        let exponent = self.extract(a, FRACTION + 1, EXPONENT);
        let leading = self.extract(a, FRACTION, 1);
        let zero = self.constant(EXPONENT, 0);
        let no_exponent = self.eq(zero, exponent);
        let valid = self.or(no_exponent, leading);
        self.not(valid)
    }

    /// Whether a term is built from a computed long double. Looks only a few operators deep;
    /// terms of the engine have none below that matter to it.
    pub fn contains_long_double(&self, e: ExprId) -> bool {
        const DEPTH: u32 = 5;
        self.contains_long_double_within(e, DEPTH)
    }

    fn contains_long_double_within(&self, e: ExprId, depth: u32) -> bool {
        let node = self.node(e);
        let operands = node.op.is_float() && node.format() == Format::F80;
        let result = node.op.has_float_result() && node.float_format() == Format::F80;
        if operands || result {
            return true;
        }
        depth > 0 && node.operands().any(|e| self.contains_long_double_within(e, depth - 1))
    }

    /// A term with other operands of the same widths.
    pub fn with_operands(&mut self, e: ExprId, operands: &[ExprId]) -> ExprId {
        debug_assert!(
            self.node(e).operands().zip(operands).all(|(a, &b)| self.width(a) == self.width(b))
        );
        let node = self.node(e);
        self.rebuild(node, operands)
    }

    /// The bits of a float in the theory's layout: without the leading bit if the format
    /// stores it, otherwise unchanged.
    pub(crate) fn theory_layout(&mut self, e: ExprId) -> ExprId {
        if self.node(e).float_format() != Format::F80 {
            return e;
        }
        let sign = self.sign(e);
        let exponent = self.extract(e, FRACTION + 1, EXPONENT);
        let leading = self.extract(e, FRACTION, 1);
        let fraction = self.extract(e, 0, FRACTION);
        let zero = self.constant(EXPONENT, 0);
        let no_exponent = self.eq(zero, exponent);
        let least = self.zext(leading, EXPONENT);
        let exponent = self.ite(no_exponent, least, exponent);
        let magnitude = self.concat(exponent, fraction);
        let number = self.concat(sign, magnitude);
        let invalid = self.is_invalid(Format::F80, e);
        let nan = self.constant(1 + EXPONENT + FRACTION, u128::MAX);
        self.ite(invalid, nan, number)
    }
}
