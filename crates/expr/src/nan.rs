//! The bit pattern of a float operator's result if the result is NaN.
//!
//! The theory of floats has a single NaN; these terms restore its bit pattern. Single and
//! double precision follow SSE: the first NaN operand, made quiet. The extended format follows
//! x87: the NaN with the larger significand, made quiet, or the default NaN if an operand is
//! an invalid pattern.

use byway_base::ExprId;
use byway_base::float::Format;

use crate::node::Node;
use crate::op::Op;
use crate::pool::Pool;

impl Pool {
    /// The bits of a float operator's result if the result is NaN.
    pub fn nan_bits(&mut self, e: ExprId) -> ExprId {
        let node = self.node(e);
        debug_assert!(node.op.has_float_result());
        let format = node.format();
        match node.op {
            Op::FConvert => self.converted_nan(format, node.float_format(), node.a()),
            // Integers are never NaN; any pattern will do.
            Op::FFromSi | Op::FFromUi => self.default_nan(format),
            _ if format == Format::F80 => self.x87_nan(&node),
            _ => self.sse_nan(&node),
        }
    }

    fn default_nan(&mut self, format: Format) -> ExprId {
        self.constant(format.bits(), format.default_nan())
    }

    /// A NaN with its quiet bit set.
    fn quieted(&mut self, format: Format, nan: ExprId) -> ExprId {
        let quiet = self.constant(format.bits(), 1 << (format.precision() - 2));
        self.or(quiet, nan)
    }

    /// Whether a float is NaN.
    fn nan(&mut self, format: Format, e: ExprId) -> ExprId {
        self.make_float(Op::FIsNan, format, 1, &[e])
    }

    /// The first NaN operand, made quiet; otherwise the default NaN.
    fn sse_nan(&mut self, node: &Node) -> ExprId {
        let format = node.format();
        let default = self.default_nan(format);
        node.operands().rev().fold(default, |otherwise, operand| {
            let quieted = self.quieted(format, operand);
            let nan = self.nan(format, operand);
            self.ite(nan, quieted, otherwise)
        })
    }

    fn x87_nan(&mut self, node: &Node) -> ExprId {
        let operands: Vec<ExprId> = node.operands().collect();
        match operands[..] {
            [a] => self.x87_nan_of(a, a),
            [a, b] => self.x87_nan_of(a, b),
            // As for a product followed by a sum.
            _ => {
                let format = node.format();
                let product =
                    self.make_float(Op::FMul, format, format.bits(), &[node.a(), node.b()]);
                self.x87_nan_of(product, node.c())
            }
        }
    }

    /// The NaN operand, or the one with the larger significand (the positive one of equals),
    /// made quiet; the default NaN if none is NaN or one is invalid.
    fn x87_nan_of(&mut self, a: ExprId, b: ExprId) -> ExprId {
        let format = Format::F80;
        let below_leading = format.precision() - 1;
        let (a_nan, b_nan) = (self.nan(format, a), self.nan(format, b));
        let (a_rest, b_rest) =
            (self.extract(a, 0, below_leading), self.extract(b, 0, below_leading));
        let (less, at_most) = (self.ult(a_rest, b_rest), self.ule(a_rest, b_rest));
        let negative = self.sign(a);
        let second_wins = self.ite(negative, at_most, less);
        let b_chosen = self.and(b_nan, second_wins);
        let a_is_number = self.not(a_nan);
        let b_chosen = self.or(a_is_number, b_chosen);
        let chosen = self.ite(b_chosen, b, a);
        let chosen = self.quieted(format, chosen);
        let default = self.default_nan(format);
        let some = self.or(a_nan, b_nan);
        let (a_invalid, b_invalid) = (self.is_invalid(format, a), self.is_invalid(format, b));
        let invalid = self.or(a_invalid, b_invalid);
        let valid = self.not(invalid);
        let kept = self.and(some, valid);
        self.ite(kept, chosen, default)
    }

    /// A NaN in another format: quiet, with the upper bits of its payload.
    fn converted_nan(&mut self, from: Format, to: Format, a: ExprId) -> ExprId {
        let (stored, target) = (from.precision() - 1, to.precision() - 1);
        let sign = self.sign(a);
        let above = to.bits() - 1 - target;
        // All ones: the exponent, and the leading bit if it is stored.
        let above = self.constant(above, u128::MAX);
        let payload = if target > stored {
            let payload = self.extract(a, 0, stored);
            let zeros = self.constant(target - stored, 0);
            self.concat(payload, zeros)
        } else {
            self.extract(a, stored - target, target)
        };
        let quiet = self.constant(target, 1 << (target - 1));
        let payload = self.or(quiet, payload);
        let magnitude = self.concat(above, payload);
        let converted = self.concat(sign, magnitude);
        let invalid = self.is_invalid(from, a);
        let default = self.default_nan(to);
        self.ite(invalid, default, converted)
    }
}
