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
pub enum Face {
    /// As a bit-vector, or a boolean if it has one bit.
    Pattern,
    /// As a number of the theory of floats.
    Number,
}

/// How a term is best seen as a number. What is made of computed numbers stays among
/// numbers, and needs no pattern.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum NumberShape {
    /// The result of an operator of floats.
    Computed,
    /// A computed number with its sign flipped.
    Negated(ExprId),
    /// A computed number with its sign cleared.
    Absolute(ExprId),
    /// A choice, by a boolean, that has a computed number in it.
    Choice(ExprId, ExprId, ExprId),
    /// A pattern and nothing more; see [`Pool::theory_pattern`].
    Pattern,
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
    pub fn number_shape(&self, e: ExprId) -> NumberShape {
        let node = self.node(e);
        let computed = |e: ExprId| self.op(e).gives_float();
        let sign = node.number_format().sign_bit();
        let operands: Vec<ExprId> = node.operands().collect();
        match (node.op, &operands[..]) {
            (op, _) if op.gives_float() => NumberShape::Computed,
            (Op::Xor, &[c, x]) if computed(x) && self.value(c) == Some(sign) => {
                NumberShape::Negated(x)
            }
            (Op::And, &[c, x]) if computed(x) && self.value(c) == Some(sign - 1) => {
                NumberShape::Absolute(x)
            }
            (Op::Ite, &[c, x, y]) if computed(x) || computed(y) => NumberShape::Choice(c, x, y),
            _ => NumberShape::Pattern,
        }
    }

    /// The faces that a face is made of; an operator's in the order of its operands. A
    /// computed float's pattern is made of its number and of the pattern it has as NaN.
    pub fn face_needs(&mut self, e: ExprId, face: Face, needs: &mut Vec<(ExprId, Face)>) {
        let node = self.node(e);
        let takes_numbers = node.op.is_float() && !matches!(node.op, Op::FFromSi | Op::FFromUi);
        let taken = if takes_numbers { Face::Number } else { Face::Pattern };
        let operands = node.operands().map(|operand| (operand, taken));
        match face {
            Face::Pattern if node.op.gives_float() => {
                needs.extend([(e, Face::Number), (self.nan_pattern(e), Face::Pattern)]);
            }
            Face::Pattern => needs.extend(operands),
            Face::Number => match self.number_shape(e) {
                NumberShape::Computed => needs.extend(operands),
                NumberShape::Negated(x) | NumberShape::Absolute(x) => {
                    needs.push((x, Face::Number));
                }
                NumberShape::Choice(c, x, y) => {
                    needs.extend([(c, Face::Pattern), (x, Face::Number), (y, Face::Number)]);
                }
                NumberShape::Pattern => needs.push((self.theory_pattern(e), Face::Pattern)),
            },
        }
    }
}
