//! Floats in SMT-LIB: numbers, and patterns tied to them.

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
    fn number(&self, e: ExprId) -> &str {
        &self.names[&(e, TermSort::Float)]
    }

    fn numbers(&self, node: &Node) -> String {
        node.operands().map(|e| self.number(e)).collect::<Vec<_>>().join(" ")
    }

    /// Defines a term as a number.
    pub(super) fn spell_number(&mut self, e: ExprId, node: &Node) -> String {
        self.has_floats = true;
        let format = node.number_format();
        let text = match self.pool.float_shape(e) {
            FloatShape::Computed => self.operation(node),
            FloatShape::Negated(x) => format!("(fp.neg {})", self.number(x)),
            FloatShape::Absolute(x) => format!("(fp.abs {})", self.number(x)),
            FloatShape::Ite(c, x, y) => {
                format!("(ite {} {} {})", self.boolean(c), self.number(x), self.number(y))
            }
            FloatShape::Bits => {
                let bits = self.pool.theory_pattern(e);
                format!("((_ to_fp {}) {})", text::widths(format), self.bits(bits))
            }
        };
        self.name('f', &text::sort(format), &text)
    }

    fn operation(&self, node: &Node) -> String {
        let widths = text::widths(node.number_format());
        match node.op {
            Op::FFromSi => format!("((_ to_fp {widths}) RNE {})", self.bits(node.a())),
            Op::FFromUi => format!("((_ to_fp_unsigned {widths}) RNE {})", self.bits(node.a())),
            Op::FConvert => format!("((_ to_fp {widths}) RNE {})", self.number(node.a())),
            Op::FRound => {
                let mode = text::mode(node.round_to());
                format!("(fp.roundToIntegral {mode} {})", self.number(node.a()))
            }
            Op::FRem => self.remainder(node),
            op => format!("({} {})", text::operator(op), self.numbers(node)),
        }
    }

    /// C's `fmod` out of IEEE's remainder, which rounds the quotient to nearest: of
    /// magnitudes, with one divisor added where it came out negative; then the
    /// dividend's sign.
    fn remainder(&self, node: &Node) -> String {
        let (x, y) = (self.number(node.a()), self.number(node.b()));
        let zero = format!("(_ +zero {})", text::widths(node.format()));
        format!(
            "(let ((y (fp.abs {y}))) (let ((r (fp.rem (fp.abs {x}) y))) \
             (let ((m (fp.abs (ite (fp.lt r {zero}) (fp.add RNE r y) r)))) \
             (ite (fp.isNegative {x}) (fp.neg m) m))))"
        )
    }

    /// A predicate of floats, or an integer made from one.
    pub(super) fn float_predicate(&mut self, node: &Node) -> String {
        self.has_floats = true;
        if node.op != Op::FToSi {
            return format!("({} {})", text::operator(node.op), self.numbers(node));
        }
        let (format, width) = (node.format(), node.width());
        let x = self.number(node.a());
        let least = fp::from_si(format, int::signed_min(width), width);
        let literal = |bits: u128| {
            let [exponent, significand] = theory_widths(format);
            let bits = BigUint::from(theory_bits(format, bits));
            let pattern = text::number(&bits, exponent + significand);
            format!("((_ to_fp {}) {pattern})", text::widths(format))
        };
        let (least, end) = (literal(least), literal(fp::neg(format, least)));
        let indefinite = text::number(&BigUint::from(int::signed_min(width)), width);
        format!(
            "(let ((r (fp.roundToIntegral RTZ {x}))) (ite (and (fp.leq {least} r) \
             (fp.lt r {end})) ((_ fp.to_sbv {width}) RTZ {x}) {indefinite}))"
        )
    }

    /// Declares the pattern of a computed float and ties it to the number.
    pub(super) fn spell_float_pattern(&mut self, e: ExprId, node: &Node) -> String {
        let nan = self.pool.nan_pattern(e);
        let nan = self.bits(nan);
        let number = self.number(e).to_string();
        let format = node.number_format();
        let widths = text::widths(format);
        let name = format!("p{}", self.names.len());
        let _ = writeln!(self.body, "(declare-const {name} (_ BitVec {}))", format.bits());
        // A stored leading bit is one just where the exponent is not zero.
        let equal = match format {
            Format::F80 => format!(
                "(and (= ((_ to_fp {widths}) (concat ((_ extract 79 64) {name}) ((_ extract 62 0) \
                 {name}))) {number}) (= ((_ extract 63 63) {name}) (bvnot (bvcomp \
                 ((_ extract 78 64) {name}) (_ bv0 15)))))"
            ),
            _ => format!("(= ((_ to_fp {widths}) {name}) {number})"),
        };
        let _ = writeln!(self.body, "(assert (ite (fp.isNaN {number}) (= {name} {nan}) {equal}))");
        name
    }
}
