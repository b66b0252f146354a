//! The operators of terms and their static properties.
//!
//! The set is small: the derived constructors compose further operations of the IR from these
//! operators, so that simplifier, evaluator and solver have few cases.

/// The operator of a node.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Op {
    /// A constant.
    Const,
    /// A byte of the symbolic input; 8 bits.
    Input,
    /// The byte of a memory version at an index; 8 bits.
    Read,
    /// Bitwise complement; logical negation of one bit.
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
    /// Signed quotient, truncated; for a zero divisor, 1 if the dividend is negative, else -1.
    SDiv,
    /// Unsigned remainder; the dividend if the divisor is zero.
    URem,
    /// Signed remainder with the dividend's sign; the dividend if the divisor is zero.
    SRem,
    /// Shift left; zero if the amount is the width or more.
    Shl,
    /// Logical shift right; zero if the amount is the width or more.
    LShr,
    /// Arithmetic shift right; all sign bits if the amount is the width or more.
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
    /// Concatenation, the first operand in the upper bits.
    Concat,
    /// A contiguous range of the operand's bits.
    Extract,
    /// Zero extension.
    Zext,
    /// Sign extension.
    Sext,
    /// If-then-else on a condition of one bit.
    Ite,
    /// Float sum. All float operators work on bit patterns and round to nearest even.
    FAdd,
    /// Float difference.
    FSub,
    /// Float product.
    FMul,
    /// Float quotient.
    FDiv,
    /// Remainder of the truncated quotient, as C's `fmod`.
    FRem,
    /// Square root.
    FSqrt,
    /// `a * b + c`, rounded once.
    FFma,
    /// Rounds to an integral value; see [`crate::RoundTo`].
    FRound,
    /// Float equality: false on NaN, both zeros equal; one bit.
    FEq,
    /// Float less: false on NaN; one bit.
    FLt,
    /// Float less or equal: false on NaN; one bit.
    FLe,
    /// Whether a float is NaN; one bit.
    FIsNan,
    /// Float to signed integer of 32, 64 or 128 bits (long doubles also 16), truncated; only
    /// the sign bit is set if the float is NaN or out of range.
    FToSi,
    /// Signed integer to the nearest float.
    FFromSi,
    /// Unsigned integer to the nearest float.
    FFromUi,
    /// Converts to the float format with bit patterns of the result's width.
    FConvert,
    /// A free slot of the pool.
    Dead,
}

/// How an operator contributes to the cost of solving a condition.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum OpCost {
    /// Constants and input bytes: nothing.
    Leaf,
    /// A circuit that is linear in the width.
    Simple,
    /// Products, quotients and shifts: a circuit that is larger than linear.
    Arithmetic,
    /// An operation on floats.
    Float,
    /// A choice between values, or the byte of a memory at an index.
    Selection,
}

impl Op {
    /// How the operator contributes to the cost of solving a condition.
    pub const fn cost_kind(self) -> OpCost {
        use Op::*;
        match self {
            Const | Input | Dead => OpCost::Leaf,
            Not | Neg | Add | Sub | And | Or | Xor | Eq | Ult | Ule | Slt | Sle | Concat
            | Extract | Zext | Sext => OpCost::Simple,
            Mul | UDiv | SDiv | URem | SRem | Shl | LShr | AShr => OpCost::Arithmetic,
            Ite | Read => OpCost::Selection,
            FAdd | FSub | FMul | FDiv | FRem | FSqrt | FFma | FRound | FEq | FLt | FLe | FIsNan
            | FToSi | FFromSi | FFromUi | FConvert => OpCost::Float,
        }
    }

    /// The number of operators.
    pub(crate) const COUNT: usize = Op::Dead as usize + 1;

    /// The number of operands that are terms.
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

    /// Whether the operands can be swapped. Those of a float sum or product cannot: of two
    /// NaNs, the first determines the result.
    pub const fn commutes(self) -> bool {
        matches!(self, Op::Add | Op::Mul | Op::And | Op::Or | Op::Xor | Op::Eq | Op::FEq)
    }

    /// Whether it is one of the float operators.
    pub const fn is_float(self) -> bool {
        self as u8 >= Op::FAdd as u8 && self as u8 <= Op::FConvert as u8
    }

    /// Whether the result is a float.
    pub const fn has_float_result(self) -> bool {
        use Op::*;
        self.is_float() && !matches!(self, FEq | FLt | FLe | FIsNan | FToSi)
    }

    /// Whether the result has one bit, whatever the operands' width.
    pub const fn is_predicate(self) -> bool {
        use Op::*;
        matches!(self, Eq | Ult | Ule | Slt | Sle | FEq | FLt | FLe | FIsNan)
    }

    /// A short name for printing.
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

    /// All operators that a term can have.
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

/// The rounding mode of [`Op::FRound`].
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
    /// All rounding modes.
    pub const ALL: [RoundTo; 5] =
        [RoundTo::Floor, RoundTo::Ceil, RoundTo::Trunc, RoundTo::NearestEven, RoundTo::NearestAway];

    pub(crate) fn from_code(code: u32) -> RoundTo {
        Self::ALL[code as usize]
    }
}
