//! The operators of terms, and what holds for each whatever its operands.
//!
//! The set is kept small: what the IR has beyond it is built from these by the
//! derived constructors, so that simplifier, evaluator and solver have few cases.

/// What a term's outermost node is.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Op {
    /// A number.
    Const,
    /// One byte of the symbolic input; 8 bits.
    Input,
    /// The byte that a version of a memory object has at an index; 8 bits.
    Read,
    /// Bitwise complement; on one bit, the negation.
    Not,
    /// Two's complement.
    Neg,
    /// Sum.
    Add,
    /// Difference.
    Sub,
    /// Product.
    Mul,
    /// Unsigned quotient; all ones if the divisor is zero.
    UDiv,
    /// Signed quotient, toward zero; by zero, 1 for a negative dividend and -1 else.
    SDiv,
    /// Unsigned remainder; the dividend if the divisor is zero.
    URem,
    /// Signed remainder with the dividend's sign; the dividend if the divisor is zero.
    SRem,
    /// Shift left; zero if the amount is the width or more.
    Shl,
    /// Shift right, zeros in; zero if the amount is the width or more.
    LShr,
    /// Shift right, sign in; all sign if the amount is the width or more.
    AShr,
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
    /// Equality; one bit.
    Eq,
    /// Unsigned less; one bit.
    Ult,
    /// Unsigned less or equal; one bit.
    Ule,
    /// Signed less; one bit.
    Slt,
    /// Signed less or equal; one bit.
    Sle,
    /// The first operand above the second.
    Concat,
    /// A run of bits of the operand.
    Extract,
    /// Widened with zeros.
    Zext,
    /// Widened with the sign.
    Sext,
    /// The second operand if the first, one bit, is one; else the third.
    Ite,
    /// Float sum. All float operators round to nearest even and work on patterns.
    FAdd,
    /// Float difference.
    FSub,
    /// Float product.
    FMul,
    /// Float quotient.
    FDiv,
    /// Remainder of the quotient toward zero, as C's `fmod`.
    FRem,
    /// Square root.
    FSqrt,
    /// `a * b + c`, rounded once.
    FFma,
    /// To an integral value; see [`crate::RoundTo`].
    FRound,
    /// Float equality: false on NaN, both zeros equal; one bit.
    FEq,
    /// Float less: false on NaN; one bit.
    FLt,
    /// Float less or equal: false on NaN; one bit.
    FLe,
    /// Whether the pattern is a NaN; one bit.
    FIsNan,
    /// Float to signed integer of 32, 64 or 128 bits (of long doubles also 16), toward
    /// zero; only the sign bit set if the float is NaN or out of range.
    FToSi,
    /// Signed integer to the nearest float.
    FFromSi,
    /// Unsigned integer to the nearest float.
    FFromUi,
    /// Float to the format whose patterns are as wide as the result.
    FConvert,
    /// No term: a place in the pool that waits for its next use.
    Dead,
}

impl Op {
    /// How many operators there are.
    pub(crate) const COUNT: usize = Op::Dead as usize + 1;

    /// How many operands are terms.
    pub const fn arity(self) -> usize {
        use Op::*;
        match self {
            Const | Input | Dead => 0,
            Read | Not | Neg | Extract | Zext | Sext | FSqrt | FRound | FIsNan | FToSi
            | FFromSi | FFromUi | FConvert => 1,
            Add | Sub | Mul | UDiv | SDiv | URem | SRem | Shl | LShr | AShr | And | Or | Xor
            | Eq | Ult | Ule | Slt | Sle | Concat | FAdd | FSub | FMul | FDiv | FRem | FEq
            | FLt | FLe => 2,
            Ite | FFma => 3,
        }
    }

    /// Whether the operands can change places. Float sum and product cannot: of
    /// two NaNs the first one wins.
    pub const fn commutes(self) -> bool {
        matches!(self, Op::Add | Op::Mul | Op::And | Op::Or | Op::Xor | Op::Eq | Op::FEq)
    }

    /// Whether it is one of the float operators.
    pub const fn is_float(self) -> bool {
        self as u8 >= Op::FAdd as u8 && self as u8 <= Op::FConvert as u8
    }

    /// Whether the result is the pattern of a float.
    pub const fn gives_float(self) -> bool {
        use Op::*;
        self.is_float() && !matches!(self, FEq | FLt | FLe | FIsNan | FToSi)
    }

    /// Whether the result is one bit for operands of any width.
    pub const fn is_predicate(self) -> bool {
        use Op::*;
        matches!(self, Eq | Ult | Ule | Slt | Sle | FEq | FLt | FLe | FIsNan)
    }

    /// A short name, for printing.
    pub const fn name(self) -> &'static str {
        use Op::*;
        match self {
            Const => "const",
            Input => "input",
            Read => "read",
            Not => "not",
            Neg => "neg",
            Add => "add",
            Sub => "sub",
            Mul => "mul",
            UDiv => "udiv",
            SDiv => "sdiv",
            URem => "urem",
            SRem => "srem",
            Shl => "shl",
            LShr => "lshr",
            AShr => "ashr",
            And => "and",
            Or => "or",
            Xor => "xor",
            Eq => "eq",
            Ult => "ult",
            Ule => "ule",
            Slt => "slt",
            Sle => "sle",
            Concat => "concat",
            Extract => "extract",
            Zext => "zext",
            Sext => "sext",
            Ite => "ite",
            FAdd => "fadd",
            FSub => "fsub",
            FMul => "fmul",
            FDiv => "fdiv",
            FRem => "frem",
            FSqrt => "fsqrt",
            FFma => "ffma",
            FRound => "fround",
            FEq => "feq",
            FLt => "flt",
            FLe => "fle",
            FIsNan => "fisnan",
            FToSi => "ftosi",
            FFromSi => "ffromsi",
            FFromUi => "ffromui",
            FConvert => "fconvert",
            Dead => "dead",
        }
    }

    /// Every operator a term can have.
    pub fn all() -> impl Iterator<Item = Op> {
        use Op::*;
        [
            Const, Input, Read, Not, Neg, Add, Sub, Mul, UDiv, SDiv, URem, SRem, Shl, LShr, AShr,
            And, Or, Xor, Eq, Ult, Ule, Slt, Sle, Concat, Extract, Zext, Sext, Ite, FAdd, FSub,
            FMul, FDiv, FRem, FSqrt, FFma, FRound, FEq, FLt, FLe, FIsNan, FToSi, FFromSi, FFromUi,
            FConvert,
        ]
        .into_iter()
    }
}

/// How [`Op::FRound`] rounds to an integral value.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum RoundTo {
    /// Toward minus infinity.
    Floor,
    /// Toward infinity.
    Ceil,
    /// Toward zero.
    Trunc,
    /// To nearest, ties to even.
    NearestEven,
    /// To nearest, ties away from zero.
    NearestAway,
}

impl RoundTo {
    /// Every direction.
    pub const ALL: [RoundTo; 5] =
        [RoundTo::Floor, RoundTo::Ceil, RoundTo::Trunc, RoundTo::NearestEven, RoundTo::NearestAway];

    pub(crate) fn from_code(code: u32) -> RoundTo {
        Self::ALL[code as usize]
    }
}
