//! Lexical elements of SMT-LIB.

use byway_base::float::Format;
use num_bigint::BigUint;

use crate::extended::theory_widths;
use crate::op::{Op, RoundTo};

/// A bit-vector literal.
pub(super) fn literal(value: &BigUint, width: u32) -> String {
    if width.is_multiple_of(4) {
        format!("#x{:0>1$}", value.to_str_radix(16), width as usize / 4)
    } else {
        format!("#b{:0>1$}", value.to_str_radix(2), width as usize)
    }
}

/// The symbol of an operator that takes its operands in order and has no indices.
pub(super) fn operator(op: Op) -> &'static str {
    match op {
        Op::Not => "bvnot",
        Op::Neg => "bvneg",
        Op::Add => "bvadd",
        Op::Sub => "bvsub",
        Op::Mul => "bvmul",
        Op::UDiv => "bvudiv",
        Op::SDiv => "bvsdiv",
        Op::URem => "bvurem",
        Op::SRem => "bvsrem",
        Op::Shl => "bvshl",
        Op::LShr => "bvlshr",
        Op::AShr => "bvashr",
        Op::And => "bvand",
        Op::Or => "bvor",
        Op::Xor => "bvxor",
        Op::Eq => "=",
        Op::Ult => "bvult",
        Op::Ule => "bvule",
        Op::Slt => "bvslt",
        Op::Sle => "bvsle",
        Op::Concat => "concat",
        Op::FAdd => "fp.add RNE",
        Op::FSub => "fp.sub RNE",
        Op::FMul => "fp.mul RNE",
        Op::FDiv => "fp.div RNE",
        Op::FSqrt => "fp.sqrt RNE",
        Op::FFma => "fp.fma RNE",
        Op::FEq => "fp.eq",
        Op::FLt => "fp.lt",
        Op::FLe => "fp.leq",
        Op::FIsNan => "fp.isNaN",
        _ => unreachable!("{op:?} is more than one word"),
    }
}

/// The rounding mode of a rounding to an integral value.
pub(super) fn mode(to: RoundTo) -> &'static str {
    match to {
        RoundTo::Floor => "RTN",
        RoundTo::Ceil => "RTP",
        RoundTo::Trunc => "RTZ",
        RoundTo::NearestEven => "RNE",
        RoundTo::NearestAway => "RNA",
    }
}

/// The widths of exponent and significand, including the leading bit.
pub(super) fn widths(format: Format) -> String {
    let [exponent, significand] = theory_widths(format);
    format!("{exponent} {significand}")
}

/// The sort of a float format.
pub(super) fn sort(format: Format) -> String {
    format!("(_ FloatingPoint {})", widths(format))
}

/// A name with all characters replaced that a quoted symbol cannot contain, and the hash sign,
/// which is used to distinguish objects of the same name.
pub fn symbol(name: &str) -> String {
    let fits = |c: char| !c.is_control() && !"|\\#".contains(c);
    name.chars().map(|c| if fits(c) { c } else { '_' }).collect()
}
