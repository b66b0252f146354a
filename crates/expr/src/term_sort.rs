//! The two faces of a term, for whoever hands terms to a solver: the pattern, which is
//! all that this crate knows, and the number that a theory of floats computes with.
//!
//! Operators of floats take numbers and hand them on among themselves. A result's
//! pattern is needed only where bits are wanted. It is then an unknown that equals the
//! number or, as the theory knows but one NaN, [`Pool::nan_pattern`] where that is NaN.

use byway_base::ExprId;
use byway_base::float::Format;

use crate::node::Node;
use crate::op::Op;
use crate::pool::Pool;

/// How a term is looked at.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum TermSort {
    /// As a bit-vector, or a boolean if it has one bit.
    BitVector,
    /// As a number of the theory of floats.
    Float,
}

/// How a term is best seen as a number. What is made of computed numbers stays among
/// numbers, and needs no pattern.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum FloatShape {
    /// The result of an operator of floats.
    Computed,
    /// A computed number with its sign flipped.
    Negated(ExprId),
    /// A computed number with its sign cleared.
    Absolute(ExprId),
    /// A choice, by a boolean, that has a computed number in it.
    Ite(ExprId, ExprId, ExprId),
    /// A pattern and nothing more; see [`Pool::theory_pattern`].
    Bits,
}

impl Node {
    /// The format of a term as a number: that of an operator's result, or the one
    /// whose patterns are as wide.
    pub fn number_format(&self) -> Format {
        match self.width() {
            32 => Format::F32,
            80 => Format::F80,
            _ => Format::F64,
        }
    }
}

impl Pool {
    /// How a term of a float's width is best seen as a number.
    pub fn float_shape(&self, e: ExprId) -> FloatShape {
        let node = self.node(e);
        let computed = |e: ExprId| self.op(e).gives_float();
        let sign = node.number_format().sign_bit();
        let operands: Vec<ExprId> = node.operands().collect();
        match (node.op, &operands[..]) {
            (op, _) if op.gives_float() => FloatShape::Computed,
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

    /// The faces that a face is made of; an operator's in the order of its operands. A
    /// computed float's pattern is made of its number and of the pattern it has as NaN.
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
            TermSort::BitVector if node.op.gives_float() => {
                needs.extend([(e, TermSort::Float), (self.nan_pattern(e), TermSort::BitVector)]);
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
                FloatShape::Bits => needs.push((self.theory_pattern(e), TermSort::BitVector)),
            },
        }
    }
}
