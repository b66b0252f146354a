//! The instructions. The comments define their semantics; the interpreter, the simplifier
//! and all analyses implement them.
//!
//! Integers wrap modulo 2^width. Flags such as `nsw` never change a result: they
//! only allow a check to report overflow that the source excludes.

use serde::{Deserialize, Serialize};

use crate::{BlockId, FuncId, Operand, Val};

/// An instruction. Operand and result types must agree as the verifier says.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Inst {
    /// `dst = a op b` on integers; all three of one type, except that a shift
    /// amount has the type of `a` too.
    Bin {
        /// The operation.
        op: BinOp,
        /// The result.
        dst: Val,
        /// Left operand.
        a: Operand,
        /// Right operand.
        b: Operand,
        /// The source excludes signed overflow (C's `int` arithmetic).
        nsw: bool,
    },
    /// `dst = op a` on integers, of one type.
    Un {
        /// The operation.
        op: UnOp,
        /// The result.
        dst: Val,
        /// The operand.
        a: Operand,
    },
    /// `dst = a op b` wrapped, and `overflow = 1` if the exact result does not fit.
    Overflow {
        /// The operation.
        op: OverflowOp,
        /// The wrapped result.
        dst: Val,
        /// An `i1`.
        overflow: Val,
        /// Left operand.
        a: Operand,
        /// Right operand.
        b: Operand,
    },
    /// Funnel shift: the concatenation `a:b` shifted left by `amount` modulo the
    /// width, upper half (left); or shifted right, lower half (not left).
    Funnel {
        /// The direction.
        left: bool,
        /// The result.
        dst: Val,
        /// The upper half.
        a: Operand,
        /// The lower half.
        b: Operand,
        /// The amount, of the same type.
        amount: Operand,
    },
    /// `dst = a pred b` as `i1`, on integers or pointers.
    Icmp {
        /// The predicate.
        pred: Icmp,
        /// An `i1`.
        dst: Val,
        /// Left operand.
        a: Operand,
        /// Right operand.
        b: Operand,
    },
    /// `dst = a op b` on floats of one format, rounded to nearest even.
    FBin {
        /// The operation.
        op: FBinOp,
        /// The result.
        dst: Val,
        /// Left operand.
        a: Operand,
        /// Right operand.
        b: Operand,
    },
    /// `dst = op a` on a float.
    FUn {
        /// The operation.
        op: FUnOp,
        /// The result.
        dst: Val,
        /// The operand.
        a: Operand,
    },
    /// `dst = a * b + c`, rounded once.
    Fma {
        /// The result.
        dst: Val,
        /// Left factor.
        a: Operand,
        /// Right factor.
        b: Operand,
        /// The summand.
        c: Operand,
    },
    /// `dst = a pred b` as `i1`, on floats of one format.
    Fcmp {
        /// The predicate.
        pred: Fcmp,
        /// An `i1`.
        dst: Val,
        /// Left operand.
        a: Operand,
        /// Right operand.
        b: Operand,
    },
    /// `dst = 1` if the float's class is in the mask, whose bits are LLVM's
    /// `is.fpclass` bits: signalling NaN, quiet NaN, -inf, -normal, -subnormal,
    /// -0, +0, +subnormal, +normal, +inf.
    FpClass {
        /// An `i1`.
        dst: Val,
        /// The float.
        a: Operand,
        /// The classes asked for.
        mask: u16,
    },
    /// `dst = src` converted; the types are those of the two values.
    Cast {
        /// The conversion.
        op: CastOp,
        /// The result.
        dst: Val,
        /// The operand.
        src: Operand,
    },
    /// `dst = if cond { a } else { b }`, for any type.
    Select {
        /// The result.
        dst: Val,
        /// An `i1`.
        cond: Operand,
        /// If one.
        a: Operand,
        /// If zero.
        b: Operand,
    },
    /// `dst = base + offset + sext(index) * scale`, wrapping at 64 bits: a GEP
    /// folded. `inbounds` is a promise of the source.
    PtrAdd {
        /// A `ptr`.
        dst: Val,
        /// A `ptr`.
        base: Operand,
        /// Constant bytes added.
        offset: i64,
        /// A scaled index added.
        scaled: Option<Scaled>,
        /// The result stays within (or one past) the base's object.
        inbounds: bool,
    },
    /// `dst = *addr`, little endian, `dst`'s type in bytes; excess bits of the
    /// last byte are dropped.
    Load {
        /// The result.
        dst: Val,
        /// A `ptr`.
        addr: Operand,
        /// The alignment the source promised, in bytes.
        align: u32,
        /// Whether the access is volatile.
        volatile: bool,
    },
    /// `*addr = value`; excess bits of the last byte are written as zero.
    Store {
        /// A `ptr`.
        addr: Operand,
        /// The value to write.
        value: Operand,
        /// The alignment the source promised, in bytes.
        align: u32,
        /// Whether the access is volatile.
        volatile: bool,
    },
    /// A fresh object of `size * count` bytes, alive until the function returns
    /// or the stack is restored to before it. Its bytes are zero but count as
    /// uninitialised.
    Alloca {
        /// A `ptr`.
        dst: Val,
        /// Bytes of one element.
        size: u64,
        /// The number of elements; any integer type, unsigned.
        count: Operand,
        /// Its alignment in bytes, a power of two.
        align: u32,
        /// The variable's name in the source; empty if unknown.
        name: Box<str>,
    },
    /// The scope of a local variable begins, and its contents are undefined; or it ends, and
    /// access to it is a fault until it begins again.
    Lifetime {
        /// A `ptr` from [`Inst::Alloca`].
        addr: Operand,
        /// Whether it begins.
        begins: bool,
    },
    /// `dst` = a value that nothing determines: of a variable before it is set. It is zero, and
    /// what it decides is a fault if uninitialised values are reported.
    Undefined {
        /// The result, of any type.
        dst: Val,
        /// The variable's name in the source; empty if unknown.
        name: Box<str>,
    },
    /// `dst` = a mark for [`Inst::StackRestore`].
    StackSave {
        /// A `ptr`.
        dst: Val,
    },
    /// Frees this function's allocas made since the mark.
    StackRestore {
        /// A `ptr` from [`Inst::StackSave`].
        mark: Operand,
    },
    /// Copies `len` bytes; the ranges may overlap if `overlap`, and may always
    /// be equal.
    MemCopy {
        /// A `ptr`.
        dst: Operand,
        /// A `ptr`.
        src: Operand,
        /// An integer, unsigned.
        len: Operand,
        /// `memmove` rather than `memcpy`.
        overlap: bool,
    },
    /// Sets `len` bytes to `byte` (an `i8`).
    MemSet {
        /// A `ptr`.
        dst: Operand,
        /// An `i8`.
        byte: Operand,
        /// An integer, unsigned.
        len: Operand,
    },
    /// A call. Arguments and results are matched by position; the interpreter
    /// tolerates a callee of another type as C programs without prototypes need:
    /// missing arguments are zero, excess ones dropped, widths adapted.
    Call {
        /// The target.
        callee: Callee,
        /// Fixed arguments, then those for `...`.
        args: Box<[Operand]>,
        /// The layout of the variadic arguments; empty if the call
        /// is not variadic.
        varargs: Box<[VarArg]>,
        /// The results.
        dsts: Box<[Val]>,
        /// The source requires a tail call: this function's frame and locals are
        /// gone before the callee starts. The block must end by returning `dsts`.
        tail: bool,
    },
    /// Starts reading this function's variadic arguments: writes the 24-byte
    /// `va_list` of the x86-64 ABI at `list`, pointing into the area that
    /// [`VarArg`] describes.
    VaStart {
        /// A `ptr`.
        list: Operand,
        /// General registers the fixed parameters take.
        general: u8,
        /// Vector registers the fixed parameters take.
        vector: u8,
        /// Bytes of the stack the fixed parameters take.
        stack: u32,
    },
    /// Does nothing and counts as nothing. Its location is that of code which became part of
    /// other values, such as an assignment to a variable without memory: a path that gets here
    /// executes that line.
    Line,
    /// Ends the path as a trap.
    Trap,
    /// Ends the path as unsupported and names the missing feature. Its results
    /// are listed, so that every value keeps one definition.
    Unsupported {
        /// The missing feature, e.g. "instruction callbr".
        what: Box<str>,
        /// The results it would have defined.
        dsts: Box<[Val]>,
    },
}

/// The location of one variadic C argument in the area that a call passes: the
/// register save area of the x86-64 ABI (six general registers of 8 bytes, eight
/// vector registers of 16), then the stack arguments.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct VarArg {
    /// Its offset in the area, a multiple of 8.
    pub offset: u32,
    /// The number of consecutive operands of the call it covers, packed (the
    /// lanes of a vector).
    pub operands: u32,
    /// `Some(n)`: the one operand is a pointer to `n` bytes that are copied.
    pub by_value: Option<u64>,
}

impl VarArg {
    /// The offset of the stack arguments, after the register save area: a
    /// multiple of every alignment up to [`VarArg::MAX_ALIGN`].
    pub const STACK: u32 = 192;
    /// The alignment of the area.
    pub const MAX_ALIGN: u32 = 64;
    /// The offset of the vector registers.
    pub const VECTORS: u32 = 48;
}

/// An index times a constant.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Scaled {
    /// Any integer type; sign-extended (or truncated) to 64 bits.
    pub index: Operand,
    /// Bytes per step.
    pub scale: i64,
}

/// The target of a call.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Callee {
    /// A function by name.
    Direct(FuncId),
    /// Through a pointer.
    Indirect(Operand),
}

/// Integer operations with two operands.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum BinOp {
    /// Sum.
    Add,
    /// Difference.
    Sub,
    /// Product.
    Mul,
    /// Unsigned quotient; a zero divisor is a fault.
    UDiv,
    /// Signed quotient toward zero; a zero divisor or an overflow is a fault.
    SDiv,
    /// Unsigned remainder; a zero divisor is a fault.
    URem,
    /// Signed remainder, sign of the dividend; faults as `SDiv`.
    SRem,
    /// Shift left. An amount of the width or more gives what the x86 instruction
    /// gives (the amount modulo 64 for widths above 32 and up to 64, else modulo
    /// 32, then the result cut to the width; modulo 128 above 64 bits); a check
    /// can report it.
    Shl,
    /// Shift right, zeros in. Too large an amount: as `Shl`.
    LShr,
    /// Shift right, sign in. Too large an amount: as `Shl`.
    AShr,
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
    /// Signed minimum.
    SMin,
    /// Signed maximum.
    SMax,
    /// Unsigned minimum.
    UMin,
    /// Unsigned maximum.
    UMax,
    /// Signed sum, clamped.
    SAddSat,
    /// Unsigned sum, clamped.
    UAddSat,
    /// Signed difference, clamped.
    SSubSat,
    /// Unsigned difference, clamped at zero.
    USubSat,
    /// Signed shift left, clamped.
    SShlSat,
    /// Unsigned shift left, clamped.
    UShlSat,
}

/// Integer operations with one operand.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum UnOp {
    /// Number of ones.
    Ctpop,
    /// Leading zeros; the width for zero.
    Ctlz,
    /// Trailing zeros; the width for zero.
    Cttz,
    /// Bytes reversed; the width is a multiple of 16.
    Bswap,
    /// Bits reversed.
    BitReverse,
    /// Absolute value; the minimum stays itself.
    Abs,
}

/// Operations that also report overflow.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum OverflowOp {
    /// Signed sum.
    SAdd,
    /// Unsigned sum.
    UAdd,
    /// Signed difference.
    SSub,
    /// Unsigned difference.
    USub,
    /// Signed product.
    SMul,
    /// Unsigned product.
    UMul,
}

/// Integer comparisons.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[allow(missing_docs)] // the usual names of the predicates
pub enum Icmp {
    Eq,
    Ne,
    Ult,
    Ule,
    Ugt,
    Uge,
    Slt,
    Sle,
    Sgt,
    Sge,
}

/// Float comparisons. `O..` are false and `U..` true if an operand is NaN.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[allow(missing_docs)] // the usual names of the predicates
pub enum Fcmp {
    False,
    Oeq,
    Ogt,
    Oge,
    Olt,
    Ole,
    One,
    Ord,
    Ueq,
    Ugt,
    Uge,
    Ult,
    Ule,
    Une,
    Uno,
    True,
}

/// Float operations with two operands.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum FBinOp {
    /// Sum.
    Add,
    /// Difference.
    Sub,
    /// Product.
    Mul,
    /// Quotient.
    Div,
    /// Remainder of the quotient toward zero, as C's `fmod`.
    Rem,
    /// C's `fmin`: the other operand if one is NaN.
    MinNum,
    /// C's `fmax`: the other operand if one is NaN.
    MaxNum,
    /// IEEE 754-2019 minimum: NaN if one is NaN, -0 below +0.
    Minimum,
    /// IEEE 754-2019 maximum.
    Maximum,
    /// IEEE 754-2019 minimumNumber: a number if one is, -0 below +0.
    MinimumNum,
    /// IEEE 754-2019 maximumNumber.
    MaximumNum,
    /// Magnitude of the first, sign of the second.
    CopySign,
}

/// Float operations with one operand.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum FUnOp {
    /// Sign flipped, NaN included.
    Neg,
    /// Sign cleared.
    Abs,
    /// Square root, correctly rounded.
    Sqrt,
    /// Toward -inf, to an integral value.
    Floor,
    /// Toward +inf.
    Ceil,
    /// Toward zero.
    Trunc,
    /// To nearest, ties to even (`rint`, `nearbyint`, `roundeven`).
    RoundEven,
    /// To nearest, ties away from zero.
    Round,
}

/// Conversions.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum CastOp {
    /// Integer to a narrower one.
    Trunc,
    /// Integer to a wider one, zeros in.
    Zext,
    /// Integer to a wider one, sign in.
    Sext,
    /// Float to integer toward zero, signed. Out of range or NaN: the x86 value,
    /// only the sign bit set (of 32 bits for widths below 32, then cut; the x87
    /// format has a 16-bit conversion too, and quad precision clamps). The header
    /// of `byway_base::float::cast` has the details.
    FpToSi,
    /// Float to integer toward zero, unsigned. Out of range: what x86 code gives.
    FpToUi,
    /// As `FpToSi`, but clamped, NaN to zero.
    FpToSiSat,
    /// As `FpToUi`, but clamped, NaN to zero.
    FpToUiSat,
    /// Signed integer to the nearest float.
    SiToFp,
    /// Unsigned integer to the nearest float.
    UiToFp,
    /// Float to another format, either way, to nearest.
    FpConvert,
    /// Pointer to integer, cut or zero-extended.
    PtrToInt,
    /// Integer to pointer, cut or zero-extended.
    IntToPtr,
    /// The same bits as another type of the same width.
    Bitcast,
    /// The same value of the same type, with zero in place of undefined bits.
    Freeze,
}

/// An edge to a block, with the arguments for its parameters.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Edge {
    /// The target block.
    pub block: BlockId,
    /// One per parameter of the block, all read before any is written.
    pub args: Box<[Operand]>,
}

/// How a block ends.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Terminator {
    /// Continues at another block.
    Jump(Edge),
    /// A conditional branch on an `i1`.
    Branch {
        /// An `i1`.
        cond: Operand,
        /// If one.
        then: Edge,
        /// If zero.
        otherwise: Edge,
    },
    /// A multi-way branch on an integer.
    Switch {
        /// The integer.
        value: Operand,
        /// Values and their edges; no value twice.
        cases: Box<[(u128, Edge)]>,
        /// If none matches.
        default: Edge,
    },
    /// A jump to a label by its address; any other address is a fault.
    IndirectJump {
        /// A `ptr`.
        addr: Operand,
        /// The labels it can jump to.
        targets: Box<[Edge]>,
    },
    /// Returns these values.
    Return(Box<[Operand]>),
    /// Unreachable in a correct program; reaching it is a fault.
    Unreachable,
}
