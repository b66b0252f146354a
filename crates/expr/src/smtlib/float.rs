//! Floats in SMT-LIB: operations, and bits constrained to equal their result.

use std::fmt::Write;

use byway_base::ExprId;
use byway_base::float::{self as fp, Format};
use byway_base::int;
use num_bigint::BigUint;

use super::{ScriptWriter, text};
use crate::extended::{theory_bits, theory_widths};
use crate::node::Node;
use crate::op::Op;
use crate::term_sort::{FloatShape, TermSort};

impl ScriptWriter<'_> {
    fn float(&self, e: ExprId) -> &str {
        &self.names[&(e, TermSort::Float)]
    }

    fn floats(&self, node: &Node) -> String {
        node.operands().map(|e| self.float(e)).collect::<Vec<_>>().join(" ")
    }

    /// Defines a term as a float.
    pub(super) fn define_float(&mut self, e: ExprId, node: &Node) -> String {
        self.has_floats = true;
        let format = node.float_format();
        let text = match self.pool.float_shape(e) {
            FloatShape::Computed => self.operation(node),
            FloatShape::Negated(x) => format!("(fp.neg {})", self.float(x)),
            FloatShape::Absolute(x) => format!("(fp.abs {})", self.float(x)),
            FloatShape::Ite(c, x, y) => {
                format!("(ite {} {} {})", self.boolean(c), self.float(x), self.float(y))
            }
            FloatShape::Bits => {
                let bits = self.pool.theory_layout(e);
                format!("((_ to_fp {}) {})", text::widths(format), self.bits(bits))
            }
        };
        self.define_name('f', &text::sort(format), &text)
    }

    fn operation(&self, node: &Node) -> String {
        let widths = text::widths(node.float_format());
        match node.op {
            Op::FFromSi => format!("((_ to_fp {widths}) RNE {})", self.bits(node.a())),
            Op::FFromUi => format!("((_ to_fp_unsigned {widths}) RNE {})", self.bits(node.a())),
            Op::FConvert => format!("((_ to_fp {widths}) RNE {})", self.float(node.a())),
            Op::FRound => {
                let mode = text::mode(node.round_to());
                format!("(fp.roundToIntegral {mode} {})", self.float(node.a()))
            }
            Op::FRem => self.remainder(node),
            op => format!("({} {})", text::operator(op), self.floats(node)),
        }
    }

    /// C's `fmod` from IEEE's remainder, which rounds the quotient to nearest: takes the
    /// remainder of the magnitudes, adds the divisor if it is negative, and applies the
    /// dividend's sign.
    fn remainder(&self, node: &Node) -> String {
        let (x, y) = (self.float(node.a()), self.float(node.b()));
        let zero = format!("(_ +zero {})", text::widths(node.format()));
        format!(
            "(let ((y (fp.abs {y}))) (let ((r (fp.rem (fp.abs {x}) y))) \
             (let ((m (fp.abs (ite (fp.lt r {zero}) (fp.add RNE r y) r)))) \
             (ite (fp.isNegative {x}) (fp.neg m) m))))"
        )
    }

    /// A float predicate, or a conversion to an integer.
    pub(super) fn float_predicate(&mut self, node: &Node) -> String {
        self.has_floats = true;
        if node.op != Op::FToSi {
            return format!("({} {})", text::operator(node.op), self.floats(node));
        }
        let (format, width) = (node.format(), node.width());
        let x = self.float(node.a());
        let least = fp::from_si(format, int::signed_min(width), width);
        let literal = |bits: u128| {
            let [exponent, significand] = theory_widths(format);
            let bits = BigUint::from(theory_bits(format, bits));
            let bits = text::literal(&bits, exponent + significand);
            format!("((_ to_fp {}) {bits})", text::widths(format))
        };
        let (least, end) = (literal(least), literal(fp::neg(format, least)));
        let indefinite = text::literal(&BigUint::from(int::signed_min(width)), width);
        format!(
            "(let ((r (fp.roundToIntegral RTZ {x}))) (ite (and (fp.leq {least} r) \
             (fp.lt r {end})) ((_ fp.to_sbv {width}) RTZ {x}) {indefinite}))"
        )
    }

    /// Declares the bits of a computed float and constrains them to equal it.
    pub(super) fn define_float_bits(&mut self, e: ExprId, node: &Node) -> String {
        let nan = self.pool.nan_bits(e);
        let nan = self.bits(nan);
        let float = self.float(e).to_string();
        let format = node.float_format();
        let widths = text::widths(format);
        let name = format!("p{}", self.names.len());
        let _ = writeln!(self.body, "(declare-const {name} (_ BitVec {}))", format.bits());
        // A stored leading bit is set exactly if the exponent is not zero.
        let equal = match format {
            Format::F80 => format!(
                "(and (= ((_ to_fp {widths}) (concat ((_ extract 79 64) {name}) ((_ extract 62 0) \
                 {name}))) {float}) (= ((_ extract 63 63) {name}) (bvnot (bvcomp \
                 ((_ extract 78 64) {name}) (_ bv0 15)))))"
            ),
            _ => format!("(= ((_ to_fp {widths}) {name}) {float})"),
        };
        let _ = writeln!(self.body, "(assert (ite (fp.isNaN {float}) (= {name} {nan}) {equal}))");
        name
    }
}
