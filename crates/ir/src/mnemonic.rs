//! The name of each operation in the text form and in messages. One table for each
//! kind of operation, used by the printer and the parser.

use crate::{BinOp, CastOp, FBinOp, FUnOp, Fcmp, Icmp, Inst, Origin, OverflowOp, Terminator, UnOp};

macro_rules! mnemonics {
    ($($ty:ident { $($variant:ident $name:literal)* })*) => { $(
        impl $ty {
            /// All variants.
            pub const ALL: &[$ty] = &[$($ty::$variant),*];

            /// Its name in the text form.
            pub fn mnemonic(self) -> &'static str {
                match self { $($ty::$variant => $name),* }
            }

            /// The inverse of `mnemonic`.
            pub fn from_mnemonic(name: &str) -> Option<Self> {
                match name { $($name => Some($ty::$variant),)* _ => None }
            }
        }
    )* };
}

mnemonics! {
    BinOp {
        Add "add" Sub "sub" Mul "mul" UDiv "udiv" SDiv "sdiv" URem "urem" SRem "srem"
        Shl "shl" LShr "lshr" AShr "ashr" And "and" Or "or" Xor "xor"
        SMin "smin" SMax "smax" UMin "umin" UMax "umax"
        SAddSat "sadd.sat" UAddSat "uadd.sat" SSubSat "ssub.sat" USubSat "usub.sat"
        SShlSat "sshl.sat" UShlSat "ushl.sat"
    }
    UnOp {
        Ctpop "ctpop" Ctlz "ctlz" Cttz "cttz" Bswap "bswap" BitReverse "bitreverse" Abs "abs"
    }
    OverflowOp {
        SAdd "sadd.overflow" UAdd "uadd.overflow" SSub "ssub.overflow" USub "usub.overflow"
        SMul "smul.overflow" UMul "umul.overflow"
    }
    Icmp {
        Eq "eq" Ne "ne" Ult "ult" Ule "ule" Ugt "ugt" Uge "uge"
        Slt "slt" Sle "sle" Sgt "sgt" Sge "sge"
    }
    Fcmp {
        False "false" Oeq "oeq" Ogt "ogt" Oge "oge" Olt "olt" Ole "ole" One "one" Ord "ord"
        Ueq "ueq" Ugt "ugt" Uge "uge" Ult "ult" Ule "ule" Une "une" Uno "uno" True "true"
    }
    FBinOp {
        Add "fadd" Sub "fsub" Mul "fmul" Div "fdiv" Rem "frem"
        MinNum "fminnum" MaxNum "fmaxnum" Minimum "fminimum" Maximum "fmaximum"
        MinimumNum "fminimumnum" MaximumNum "fmaximumnum" CopySign "fcopysign"
    }
    FUnOp {
        Neg "fneg" Abs "fabs" Sqrt "fsqrt" Floor "ffloor" Ceil "fceil" Trunc "ftrunc"
        RoundEven "froundeven" Round "fround"
    }
    CastOp {
        Trunc "trunc" Zext "zext" Sext "sext" FpToSi "fptosi" FpToUi "fptoui"
        FpToSiSat "fptosi.sat" FpToUiSat "fptoui.sat" SiToFp "sitofp" UiToFp "uitofp"
        FpConvert "fpconvert" PtrToInt "ptrtoint" IntToPtr "inttoptr" Bitcast "bitcast"
        Freeze "freeze"
    }
    Origin { User "user" Libc "libc" Runtime "runtime" }
}

impl Inst {
    /// The first word of the instruction in the text form: the operation, or the family
    /// (`icmp`) if a second word follows.
    pub fn mnemonic(&self) -> &'static str {
        match self {
            Inst::Bin { op, .. } => op.mnemonic(),
            Inst::Un { op, .. } => op.mnemonic(),
            Inst::Overflow { op, .. } => op.mnemonic(),
            Inst::Funnel { left: true, .. } => "fshl",
            Inst::Funnel { left: false, .. } => "fshr",
            Inst::Icmp { .. } => "icmp",
            Inst::FBin { op, .. } => op.mnemonic(),
            Inst::FUn { op, .. } => op.mnemonic(),
            Inst::Fma { .. } => "fma",
            Inst::Fcmp { .. } => "fcmp",
            Inst::FpClass { .. } => "fpclass",
            Inst::Cast { op, .. } => op.mnemonic(),
            Inst::Select { .. } => "select",
            Inst::PtrAdd { .. } => "ptradd",
            Inst::Load { .. } => "load",
            Inst::Store { .. } => "store",
            Inst::Alloca { .. } => "alloca",
            Inst::Lifetime { begins: true, .. } => "scope.begin",
            Inst::Lifetime { begins: false, .. } => "scope.end",
            Inst::Undefined { .. } => "undefined",
            Inst::StackSave { .. } => "stacksave",
            Inst::StackRestore { .. } => "stackrestore",
            Inst::MemCopy { overlap: false, .. } => "memcpy",
            Inst::MemCopy { overlap: true, .. } => "memmove",
            Inst::MemSet { .. } => "memset",
            Inst::Call { .. } => "call",
            Inst::VaStart { .. } => "vastart",
            Inst::Line => "line",
            Inst::Trap => "trap",
            Inst::Unsupported { .. } => "unsupported",
        }
    }
}

impl Terminator {
    /// The first word of the terminator in the text form.
    pub fn mnemonic(&self) -> &'static str {
        match self {
            Terminator::Jump(_) => "jump",
            Terminator::Branch { .. } => "br",
            Terminator::Switch { .. } => "switch",
            Terminator::IndirectJump { .. } => "indirectjump",
            Terminator::Return(_) => "ret",
            Terminator::Unreachable => "unreachable",
        }
    }
}
