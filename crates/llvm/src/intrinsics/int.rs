//! Integer arithmetic and bit manipulation.

use byway_ir::{BinOp, CastOp, FunctionBuilder, Icmp, Operand, OverflowOp, Ty, UnOp};

use super::{lane_ty, map1, map2, map3};
use crate::shape::{FlatValue, Shape};

/// See [`super::lower`].
pub(super) fn lower(
    b: &mut FunctionBuilder,
    base: &str,
    args: &[FlatValue],
    ret: &Shape,
) -> Option<Vec<Operand>> {
    if let (Some(op), [x, y]) = (binary(base), args) {
        return map2(b, x, y, |b, x, y| b.bin(op, x, y));
    }
    // The flag of `abs`, `ctlz` and `cttz` makes the result poison for one input; the
    // operations of the IR are defined for every input.
    if let (Some(op), [x] | [x, _]) = (unary(base), args) {
        return map1(b, x, |b, x| b.un(op, x));
    }
    if let (Some(op), [x, y]) = (with_overflow(base), args) {
        super::same_lanes(x, y)?;
        let lanes = x.leaves.iter().zip(&y.leaves);
        let (mut results, flags): (Vec<_>, Vec<_>) =
            lanes.map(|(&x, &y)| b.overflow(op, x, y)).unzip();
        results.extend(flags);
        return Some(results);
    }
    match (base, args) {
        ("fshl", [x, y, z]) => map3(b, x, y, z, |b, x, y, z| b.funnel(true, x, y, z)),
        ("fshr", [x, y, z]) => map3(b, x, y, z, |b, x, y, z| b.funnel(false, x, y, z)),
        ("scmp", [x, y]) => {
            let ty = lane_ty(ret)?;
            map2(b, x, y, |b, x, y| {
                let (above, below) = (b.icmp(Icmp::Sgt, x, y), b.icmp(Icmp::Slt, x, y));
                three_way(b, above, below, ty)
            })
        }
        ("ucmp", [x, y]) => {
            let ty = lane_ty(ret)?;
            map2(b, x, y, |b, x, y| {
                let (above, below) = (b.icmp(Icmp::Ugt, x, y), b.icmp(Icmp::Ult, x, y));
                three_way(b, above, below, ty)
            })
        }
        _ => None,
    }
}

/// The operation of an intrinsic with two operands.
pub fn binary(base: &str) -> Option<BinOp> {
    Some(match base {
        "smin" => BinOp::SMin,
        "smax" => BinOp::SMax,
        "umin" => BinOp::UMin,
        "umax" => BinOp::UMax,
        "sadd.sat" => BinOp::SAddSat,
        "uadd.sat" => BinOp::UAddSat,
        "ssub.sat" => BinOp::SSubSat,
        "usub.sat" => BinOp::USubSat,
        "sshl.sat" => BinOp::SShlSat,
        "ushl.sat" => BinOp::UShlSat,
        _ => return None,
    })
}

/// The operation of an intrinsic with one operand (and flags).
pub fn unary(base: &str) -> Option<UnOp> {
    Some(match base {
        "abs" => UnOp::Abs,
        "ctpop" => UnOp::Ctpop,
        "ctlz" => UnOp::Ctlz,
        "cttz" => UnOp::Cttz,
        "bswap" => UnOp::Bswap,
        "bitreverse" => UnOp::BitReverse,
        _ => return None,
    })
}

/// The operation of an intrinsic that reports overflow.
pub fn with_overflow(base: &str) -> Option<OverflowOp> {
    Some(match base.strip_suffix(".with.overflow")? {
        "sadd" => OverflowOp::SAdd,
        "uadd" => OverflowOp::UAdd,
        "ssub" => OverflowOp::SSub,
        "usub" => OverflowOp::USub,
        "smul" => OverflowOp::SMul,
        "umul" => OverflowOp::UMul,
        _ => return None,
    })
}

/// 1 if above, -1 if below, else 0.
pub fn three_way(b: &mut FunctionBuilder, above: Operand, below: Operand, ty: Ty) -> Operand {
    let above = b.cast(CastOp::Zext, above, ty);
    let below = b.cast(CastOp::Zext, below, ty);
    b.bin(BinOp::Sub, above, below)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Arg, count, lowered};
    use super::*;
    use byway_ir::Inst;

    const V4: Shape = Shape::Vector(Ty::Int(32), 4);

    #[test]
    fn vectors_are_lowered_lane_by_lane() {
        let insts = lowered("llvm.smax.v4i32", &[Arg::Var(V4), Arg::Var(V4)], &V4).unwrap();
        assert_eq!(count(&insts, |i| matches!(i, Inst::Bin { op: BinOp::SMax, .. })), 4);
    }

    #[test]
    fn the_flag_of_ctlz_is_ignored() {
        let i32_ = Shape::Scalar(Ty::Int(32));
        let args = [Arg::Var(i32_.clone()), Arg::Imm(Ty::BOOL, 1)];
        let insts = lowered("llvm.ctlz.i32", &args, &i32_).unwrap();
        assert!(matches!(insts[..], [Inst::Un { op: UnOp::Ctlz, .. }]));
    }

    #[test]
    fn overflow_gives_results_then_flags() {
        let flags = Shape::Vector(Ty::BOOL, 4);
        let ret = Shape::Struct(vec![V4, flags]);
        let name = "llvm.sadd.with.overflow.v4i32";
        let insts = lowered(name, &[Arg::Var(V4), Arg::Var(V4)], &ret).unwrap();
        assert_eq!(insts.len(), 4);
    }

    #[test]
    fn a_wrong_result_type_is_rejected() {
        let i8_ = Shape::Scalar(Ty::Int(8));
        let args = [Arg::Var(Shape::Scalar(Ty::Int(32)))];
        assert_eq!(lowered("llvm.ctpop.i32", &args, &i8_), Err("intrinsic llvm.ctpop.i32".into()));
    }
}
