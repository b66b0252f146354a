//! Floating-point arithmetic, rounding and conversion.

use byway_ir::{BinOp, CastOp, FBinOp, FUnOp, Fcmp, FunctionBuilder, Icmp, Operand, Ty};

use super::reinterpret::{reinterpret, resize, to_int};
use super::{immediate, lane_ty, map1, map2, map3, zero};
use crate::shape::{FlatValue, Shape};

/// Classes of floats, by the bits of `is.fpclass`.
const SUBNORMAL: u16 = 0x90;
const INFINITE: u16 = 0x204;
/// Zeros, infinities and NaNs: `frexp` gives these exponent zero.
const NO_EXPONENT: u16 = 0x60 | INFINITE | 0x3;

/// See [`super::lower`].
pub(super) fn lower(
    b: &mut FunctionBuilder,
    base: &str,
    args: &[FlatValue],
    ret: &Shape,
) -> Option<Vec<Operand>> {
    if let Some(op) = base.strip_prefix("experimental.constrained.") {
        return constrained(b, op, args, ret).or_else(|| lower(b, op, args, ret));
    }
    if let (Some(op), [x]) = (unary(base), args) {
        return map1(b, x, |b, x| b.fun(op, x));
    }
    if let (Some(op), [x, y]) = (binary(base), args) {
        return map2(b, x, y, |b, x, y| b.fbin(op, x, y));
    }
    match (base, args) {
        ("fma", [x, y, z]) => map3(b, x, y, z, |b, x, y, z| b.fma(x, y, z)),
        ("fmuladd", [x, y, z]) => map3(b, x, y, z, |b, x, y, z| {
            let product = b.fbin(FBinOp::Mul, x, y);
            b.fbin(FBinOp::Add, product, z)
        }),
        // As on x86: multiplying by one quietens a NaN and leaves numbers unchanged.
        ("canonicalize", [x]) => map1(b, x, |b, x| {
            let one = power_of_two(b, x, 0);
            b.fbin(FBinOp::Mul, x, one)
        }),
        ("is.fpclass", [x, mask]) => {
            let mask = immediate(b, mask)? as u16;
            map1(b, x, |b, x| b.fp_class(x, mask))
        }
        ("lrint" | "llrint", [x]) => rounded_to_int(b, FUnOp::RoundEven, x, ret),
        ("lround" | "llround", [x]) => rounded_to_int(b, FUnOp::Round, x, ret),
        ("fptosi.sat", [x]) => cast(b, CastOp::FpToSiSat, x, ret),
        ("fptoui.sat", [x]) => cast(b, CastOp::FpToUiSat, x, ret),
        ("convert.to.fp16", [x]) => map1(b, x, |b, x| {
            let half = b.cast(CastOp::FpConvert, x, Ty::F16);
            to_int(b, half)
        }),
        ("convert.from.fp16", [x]) => {
            let halves = reinterpret(b, &x.leaves, &vec![Ty::F16; x.leaves.len()]).ok()?;
            let ty = lane_ty(ret)?;
            Some(halves.into_iter().map(|h| b.cast(CastOp::FpConvert, h, ty)).collect())
        }
        ("modf", [x]) => {
            let (fractions, wholes): (Vec<_>, Vec<_>) =
                x.leaves.iter().map(|&x| modf(b, x)).unzip();
            Some([fractions, wholes].concat())
        }
        ("frexp", [x]) => {
            let exponent_ty = *ret.leaves().last()?;
            let (fractions, exponents): (Vec<_>, Vec<_>) =
                x.leaves.iter().map(|&x| frexp(b, x, exponent_ty)).unzip();
            Some([fractions, exponents].concat())
        }
        ("powi", [x, n]) => {
            let [n] = n.leaves[..] else { return None };
            map1(b, x, |b, x| powi(b, x, n))
        }
        _ => None,
    }
}

fn unary(base: &str) -> Option<FUnOp> {
    Some(match base {
        "fabs" => FUnOp::Abs,
        "sqrt" => FUnOp::Sqrt,
        "floor" => FUnOp::Floor,
        "ceil" => FUnOp::Ceil,
        "trunc" => FUnOp::Trunc,
        "rint" | "nearbyint" | "roundeven" => FUnOp::RoundEven,
        "round" => FUnOp::Round,
        _ => return None,
    })
}

fn binary(base: &str) -> Option<FBinOp> {
    Some(match base {
        "copysign" => FBinOp::CopySign,
        "minnum" => FBinOp::MinNum,
        "maxnum" => FBinOp::MaxNum,
        "minimum" => FBinOp::Minimum,
        "maximum" => FBinOp::Maximum,
        "minimumnum" => FBinOp::MinimumNum,
        "maximumnum" => FBinOp::MaximumNum,
        _ => return None,
    })
}

/// The operations that are instructions when they are not constrained.
fn constrained(
    b: &mut FunctionBuilder,
    op: &str,
    args: &[FlatValue],
    ret: &Shape,
) -> Option<Vec<Operand>> {
    match (op, args) {
        ("fadd", [x, y]) => map2(b, x, y, |b, x, y| b.fbin(FBinOp::Add, x, y)),
        ("fsub", [x, y]) => map2(b, x, y, |b, x, y| b.fbin(FBinOp::Sub, x, y)),
        ("fmul", [x, y]) => map2(b, x, y, |b, x, y| b.fbin(FBinOp::Mul, x, y)),
        ("fdiv", [x, y]) => map2(b, x, y, |b, x, y| b.fbin(FBinOp::Div, x, y)),
        ("frem", [x, y]) => map2(b, x, y, |b, x, y| b.fbin(FBinOp::Rem, x, y)),
        ("fptosi", [x]) => cast(b, CastOp::FpToSi, x, ret),
        ("fptoui", [x]) => cast(b, CastOp::FpToUi, x, ret),
        ("sitofp", [x]) => cast(b, CastOp::SiToFp, x, ret),
        ("uitofp", [x]) => cast(b, CastOp::UiToFp, x, ret),
        ("fptrunc" | "fpext", [x]) => cast(b, CastOp::FpConvert, x, ret),
        _ => None,
    }
}

/// A constrained comparison; `fcmps` differs only in the exceptions it raises.
pub(super) fn compare(
    b: &mut FunctionBuilder,
    predicate: &str,
    args: &[FlatValue],
) -> Option<Vec<Operand>> {
    let pred = match predicate {
        "oeq" => Fcmp::Oeq,
        "ogt" => Fcmp::Ogt,
        "oge" => Fcmp::Oge,
        "olt" => Fcmp::Olt,
        "ole" => Fcmp::Ole,
        "one" => Fcmp::One,
        "ord" => Fcmp::Ord,
        "ueq" => Fcmp::Ueq,
        "ugt" => Fcmp::Ugt,
        "uge" => Fcmp::Uge,
        "ult" => Fcmp::Ult,
        "ule" => Fcmp::Ule,
        "une" => Fcmp::Une,
        "uno" => Fcmp::Uno,
        _ => return None,
    };
    let [x, y] = args else { return None };
    map2(b, x, y, |b, x, y| b.fcmp(pred, x, y))
}

fn cast(b: &mut FunctionBuilder, op: CastOp, x: &FlatValue, ret: &Shape) -> Option<Vec<Operand>> {
    let ty = lane_ty(ret)?;
    map1(b, x, |b, x| b.cast(op, x, ty))
}

fn rounded_to_int(
    b: &mut FunctionBuilder,
    op: FUnOp,
    x: &FlatValue,
    ret: &Shape,
) -> Option<Vec<Operand>> {
    let ty = lane_ty(ret)?;
    map1(b, x, |b, x| {
        let rounded = b.fun(op, x);
        b.cast(CastOp::FpToSi, rounded, ty)
    })
}

/// Fraction and whole part, both with the sign of `x`; an infinity has fraction zero.
fn modf(b: &mut FunctionBuilder, x: Operand) -> (Operand, Operand) {
    let whole = b.fun(FUnOp::Trunc, x);
    let rest = b.fbin(FBinOp::Sub, x, whole);
    let infinite = b.fp_class(x, INFINITE);
    let ty = b.ty(x);
    let nothing = zero(b, ty);
    let fraction = b.select(infinite, nothing, rest);
    (b.fbin(FBinOp::CopySign, fraction, x), whole)
}

/// The exponent field of a floating-point format.
struct ExponentFormat {
    /// The position of the lowest exponent bit.
    exponent_at: u32,
    /// The stored exponent of 1.0; the greatest stored exponent is `2 * bias + 1`.
    bias: u128,
    /// Bits that are set in every normal number.
    leading: u128,
}

/// The format of a float type; never called for integers and pointers.
fn format(ty: Ty) -> ExponentFormat {
    let ieee = |exponent_at, bias| ExponentFormat { exponent_at, bias, leading: 0 };
    match ty {
        Ty::F16 => ieee(10, 15),
        Ty::Bf16 => ieee(7, 127),
        Ty::F32 => ieee(23, 127),
        Ty::F80 => ExponentFormat { exponent_at: 64, bias: 16383, leading: 1 << 63 },
        Ty::F128 => ieee(112, 16383),
        Ty::F64 | Ty::Int(_) | Ty::Ptr => ieee(52, 1023),
    }
}

/// 2 to the `n`, in the format of `like`.
fn power_of_two(b: &mut FunctionBuilder, like: Operand, n: u128) -> Operand {
    let ty = b.ty(like);
    let format = format(ty);
    b.bits(ty, ((format.bias + n) << format.exponent_at) | format.leading)
}

/// Splits `x` into a fraction in [0.5, 1) and a power of two. Zeros, infinities and NaNs
/// are returned unchanged, with power zero.
fn frexp(b: &mut FunctionBuilder, x: Operand, exponent_ty: Ty) -> (Operand, Operand) {
    let ty = b.ty(x);
    let width = ty.bits();
    let ExponentFormat { exponent_at, bias, .. } = format(ty);

    // First scale a subnormal number to a normal one.
    let lift = u128::from(exponent_at) + 1;
    let factor = power_of_two(b, x, lift);
    let lifted = b.fbin(FBinOp::Mul, x, factor);
    let subnormal = b.fp_class(x, SUBNORMAL);
    let normal = b.select(subnormal, lifted, x);

    let bits = to_int(b, normal);
    let at = b.int(width, i128::from(exponent_at));
    let stored = b.bin(BinOp::LShr, bits, at);
    let mask = 2 * bias + 1;
    let stored_mask = b.bits(Ty::Int(width as u8), mask);
    let stored = b.bin(BinOp::And, stored, stored_mask);
    let stored = resize(b, stored, exponent_ty.bits());
    let unlifted = b.int(exponent_ty.bits(), bias as i128 - 1);
    let raised = b.int(exponent_ty.bits(), (bias + lift) as i128 - 1);
    let offset = b.select(subnormal, raised, unlifted);
    let exponent = b.bin(BinOp::Sub, stored, offset);

    let others = b.bits(Ty::Int(width as u8), !(mask << exponent_at));
    let half = b.bits(Ty::Int(width as u8), (bias - 1) << exponent_at);
    let fraction = b.bin(BinOp::And, bits, others);
    let fraction = b.bin(BinOp::Or, fraction, half);
    let fraction = b.cast(CastOp::Bitcast, fraction, ty);

    let none = b.fp_class(x, NO_EXPONENT);
    let no_power = zero(b, exponent_ty);
    (b.select(none, x, fraction), b.select(none, no_power, exponent))
}

/// `x` to an integer power by repeated squaring, with the multiplications in the order of
/// the compiler's support library, so that the result is rounded the same.
fn powi(b: &mut FunctionBuilder, x: Operand, n: Operand) -> Operand {
    let (ty, n_ty) = (b.ty(x), b.ty(n));
    let one = power_of_two(b, x, 0);
    let (head, square, done) = (b.create_block(), b.create_block(), b.create_block());
    let power = b.block_param(head, ty);
    let result = b.block_param(head, ty);
    let rest = b.block_param(head, n_ty);
    b.jump(head, &[x, one, n]);

    b.switch_to(head);
    let odd = b.cast(CastOp::Trunc, rest, Ty::BOOL);
    let product = b.fbin(FBinOp::Mul, result, power);
    let result = b.select(odd, product, result);
    let two = b.int(n_ty.bits(), 2);
    let halved = b.bin(BinOp::SDiv, rest, two);
    let none = zero(b, n_ty);
    let finished = b.icmp(Icmp::Eq, halved, none);
    b.branch(finished, done, square);

    b.switch_to(square);
    let squared = b.fbin(FBinOp::Mul, power, power);
    b.jump(head, &[squared, result, halved]);

    b.switch_to(done);
    let negative = b.icmp(Icmp::Slt, n, none);
    let inverse = b.fbin(FBinOp::Div, one, result);
    b.select(negative, inverse, result)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Arg, count, lowered};
    use super::*;
    use byway_ir::Inst;

    const F64: Shape = Shape::Scalar(Ty::F64);

    #[test]
    fn fmuladd_rounds_twice_and_fma_once() {
        let args = || [Arg::Var(F64), Arg::Var(F64), Arg::Var(F64)];
        let insts = lowered("llvm.fmuladd.f64", &args(), &F64).unwrap();
        assert!(matches!(
            insts[..],
            [Inst::FBin { op: FBinOp::Mul, .. }, Inst::FBin { op: FBinOp::Add, .. }]
        ));
        let insts = lowered("llvm.fma.f64", &args(), &F64).unwrap();
        assert!(matches!(insts[..], [Inst::Fma { .. }]));
    }

    #[test]
    fn constrained_operations_are_lowered_like_plain_ones() {
        let name = "llvm.experimental.constrained.sqrt.f64";
        let insts = lowered(name, &[Arg::Var(F64)], &F64).unwrap();
        assert!(matches!(insts[..], [Inst::FUn { op: FUnOp::Sqrt, .. }]));
        let flag = Shape::Scalar(Ty::BOOL);
        let name = "llvm.experimental.constrained.fcmps.f64:ult";
        let insts = lowered(name, &[Arg::Var(F64), Arg::Var(F64)], &flag).unwrap();
        assert!(matches!(insts[..], [Inst::Fcmp { pred: Fcmp::Ult, .. }]));
        let name = "llvm.experimental.constrained.fcmp.f64";
        assert!(lowered(name, &[Arg::Var(F64), Arg::Var(F64)], &flag).is_err());
    }

    #[test]
    fn frexp_splits_every_format() {
        for ty in [Ty::F16, Ty::Bf16, Ty::F32, Ty::F64, Ty::F80, Ty::F128] {
            let x = Shape::Scalar(ty);
            let ret = Shape::Struct(vec![x.clone(), Shape::Scalar(Ty::Int(32))]);
            let insts = lowered("llvm.frexp.f64.i32", &[Arg::Var(x)], &ret).unwrap();
            assert_eq!(count(&insts, |i| matches!(i, Inst::FpClass { .. })), 2);
        }
    }
}
