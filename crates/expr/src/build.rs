//! The constructors of terms, one per operator. Each passes a node to the pool, which
//! simplifies it. Widths are checked in debug builds only: a mismatch is a bug of the caller.
//!
//! Division and shifts are total, as in SMT-LIB; see [`Op`]. The engine checks for a zero
//! divisor first, and reduces a shift amount as the machine does.

use byway_base::ExprId;

use crate::node::Node;
use crate::op::Op;
use crate::pool::Pool;

macro_rules! binary {
    ($($(#[$doc:meta])* $name:ident $op:ident;)*) => {
        impl Pool {
            $(
                $(#[$doc])*
                pub fn $name(&mut self, a: ExprId, b: ExprId) -> ExprId {
                    self.binary(Op::$op, a, b)
                }
            )*
        }
    };
}

binary! {
    /// Sum.
    add Add;
    /// Difference.
    sub Sub;
    /// Product.
    mul Mul;
    /// Unsigned quotient; all ones if the divisor is zero.
    udiv UDiv;
    /// Signed quotient, truncated; for a zero divisor, 1 if the dividend is negative, else -1.
    sdiv SDiv;
    /// Unsigned remainder; the dividend if the divisor is zero.
    urem URem;
    /// Signed remainder with the dividend's sign; the dividend if the divisor is zero.
    srem SRem;
    /// Shift left; zero if the amount is the width or more.
    shl Shl;
    /// Logical shift right; zero if the amount is the width or more.
    lshr LShr;
    /// Arithmetic shift right; all sign bits if the amount is the width or more.
    ashr AShr;
    /// Bitwise and.
    and And;
    /// Bitwise or.
    or Or;
    /// Bitwise exclusive or.
    xor Xor;
    /// Equality, as one bit.
    eq Eq;
    /// Unsigned less, as one bit.
    ult Ult;
    /// Unsigned less or equal, as one bit.
    ule Ule;
    /// Signed less, as one bit.
    slt Slt;
    /// Signed less or equal, as one bit.
    sle Sle;
}

impl Pool {
    /// Applies an operator with two operands of the same width: arithmetic, bitwise, shift or
    /// comparison.
    pub fn binary(&mut self, op: Op, a: ExprId, b: ExprId) -> ExprId {
        let width = self.width(a);
        debug_assert!(op.arity() == 2 && !op.is_float() && op != Op::Concat);
        debug_assert_eq!(width, self.width(b), "{op:?}");
        let width = if op.is_predicate() { 1 } else { width };
        self.make(Node::new(op, width, &[a, b]))
    }

    /// Bitwise complement; logical negation of one bit.
    pub fn not(&mut self, a: ExprId) -> ExprId {
        self.make(Node::new(Op::Not, self.width(a), &[a]))
    }

    /// Two's complement.
    pub fn neg(&mut self, a: ExprId) -> ExprId {
        self.make(Node::new(Op::Neg, self.width(a), &[a]))
    }

    /// Concatenation, `high` in the upper bits.
    pub fn concat(&mut self, high: ExprId, low: ExprId) -> ExprId {
        let width = self.width(high) + self.width(low);
        self.make(Node::new(Op::Concat, width, &[high, low]))
    }

    /// The `width` bits from bit `low` upwards.
    pub fn extract(&mut self, a: ExprId, low: u32, width: u32) -> ExprId {
        debug_assert!(low + width <= self.width(a));
        self.make(Node::with_extra(Op::Extract, width, a, low))
    }

    /// Zero extension; the term itself if it already has the width.
    pub fn zext(&mut self, a: ExprId, width: u32) -> ExprId {
        debug_assert!(width >= self.width(a));
        if width == self.width(a) { a } else { self.make(Node::new(Op::Zext, width, &[a])) }
    }

    /// Sign extension; the term itself if it already has the width.
    pub fn sext(&mut self, a: ExprId, width: u32) -> ExprId {
        debug_assert!(width >= self.width(a));
        if width == self.width(a) { a } else { self.make(Node::new(Op::Sext, width, &[a])) }
    }

    /// `a` if `cond`, of one bit, is true; otherwise `b`.
    pub fn ite(&mut self, cond: ExprId, a: ExprId, b: ExprId) -> ExprId {
        debug_assert_eq!(self.width(cond), 1);
        debug_assert_eq!(self.width(a), self.width(b));
        self.make(Node::new(Op::Ite, self.width(a), &[cond, a, b]))
    }

    /// The node with other operands of the same widths.
    pub(crate) fn rebuild(&mut self, node: Node, operands: &[ExprId]) -> ExprId {
        let mut node = node;
        for (word, operand) in node.args.iter_mut().zip(operands) {
            *word = operand.0.get();
        }
        self.make(node)
    }
}
