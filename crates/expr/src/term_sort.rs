//! The two sorts a term can have in an SMT solver: a bit-vector, as in this crate, and for
//! float operations a number of the theory of floats.
//!
//! Float operators take and return floats. A result's bits are needed only where an operator
//! on bit-vectors uses them; a fresh bit-vector constant then stands for them, constrained to
//! equal the float or, since the theory has a single NaN, [`Pool::nan_bits`].

use byway_base::ExprId;
use byway_base::float::Format;

use crate::node::Node;
use crate::op::Op;
use crate::pool::Pool;

/// The sort of a translated term.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum TermSort {
    /// A bit-vector, or a Bool if it has one bit.
    BitVector,
    /// A number of the theory of floats.
    Float,
}

/// How to translate a term to a float. Sign operations and selections of computed floats stay
/// floats and need no bits.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum FloatShape {
    /// The result of a float operator.
    Computed,
    /// A computed float with its sign flipped.
    Negated(ExprId),
    /// A computed float with its sign cleared.
    Absolute(ExprId),
    /// An if-then-else with a computed float in it.
    Ite(ExprId, ExprId, ExprId),
    /// A plain bit pattern; see [`Pool::theory_layout`].
    Bits,
}

impl Node {
    /// The float format of the result: the one with bit patterns of the term's width.
    pub fn float_format(&self) -> Format {
        match self.width() {
            32 => Format::F32,
            80 => Format::F80,
            _ => Format::F64,
        }
    }
}

impl Pool {
    /// How to translate a term of a float's width to a float.
    pub fn float_shape(&self, e: ExprId) -> FloatShape {
        let node = self.node(e);
        let computed = |e: ExprId| self.op(e).has_float_result();
        let sign = node.float_format().sign_bit();
        let operands: Vec<ExprId> = node.operands().collect();
        match (node.op, &operands[..]) {
            (op, _) if op.has_float_result() => FloatShape::Computed,
            (Op::Xor, &[c, x]) if computed(x) && self.value(c) == Some(sign) => {
                FloatShape::Negated(x)
            }
            (Op::And, &[c, x]) if computed(x) && self.value(c) == Some(sign - 1) => {
                FloatShape::Absolute(x)
            }
            (Op::Ite, &[c, x, y]) if computed(x) || computed(y) => FloatShape::Ite(c, x, y),
            _ => FloatShape::Bits,
        }
    }

    /// The translations that a translation is built from; an operator's in the order of its
    /// operands. The bits of a computed float are built from the float and its bits as a NaN.
    pub fn sort_operands(
        &mut self,
        e: ExprId,
        sort: TermSort,
        needs: &mut Vec<(ExprId, TermSort)>,
    ) {
        let node = self.node(e);
        let takes_numbers = node.op.is_float() && !matches!(node.op, Op::FFromSi | Op::FFromUi);
        let taken = if takes_numbers { TermSort::Float } else { TermSort::BitVector };
        let operands = node.operands().map(|operand| (operand, taken));
        match sort {
            TermSort::BitVector if node.op.has_float_result() => {
                needs.extend([(e, TermSort::Float), (self.nan_bits(e), TermSort::BitVector)]);
            }
            TermSort::BitVector => needs.extend(operands),
            TermSort::Float => match self.float_shape(e) {
                FloatShape::Computed => needs.extend(operands),
                FloatShape::Negated(x) | FloatShape::Absolute(x) => {
                    needs.push((x, TermSort::Float));
                }
                FloatShape::Ite(c, x, y) => {
                    needs.extend([
                        (c, TermSort::BitVector),
                        (x, TermSort::Float),
                        (y, TermSort::Float),
                    ]);
                }
                FloatShape::Bits => needs.push((self.theory_layout(e), TermSort::BitVector)),
            },
        }
    }
}
