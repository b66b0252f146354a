//! Intrinsics of x86: those that clang emits for the vector headers up to SSE4.2, and a few
//! scalar ones. Operations on groups of 128 bits accept wider vectors too, so the AVX2
//! forms of the same name are also supported.
//!
//! Not supported: approximations whose bits the manual does not define (`rcp`, `rsqrt`),
//! changes of the floating-point mode, and the string comparisons of SSE4.2.

mod float;
mod int;
mod pack;
mod scalar;
mod shift;

use byway_ir::{CastOp, FunctionBuilder, Operand, Ty};

use super::reinterpret::resize;
use super::{
    const_bits, immediate, lane_ty, map1, map2, map3, masked, reinterpret, same_lanes, zero,
};
use crate::shape::{FlatValue, Shape};

/// See [`super::lower`]; `op` is the name after `llvm.x86.`.
pub(super) fn lower(
    b: &mut FunctionBuilder,
    op: &str,
    args: &[FlatValue],
    ret: &Shape,
) -> Option<Vec<Operand>> {
    scalar::lower(b, op, args, ret).or_else(|| {
        let (set, op) = op.split_once('.')?;
        let known = ["sse", "sse2", "sse3", "ssse3", "sse41", "avx", "avx2"];
        if !known.contains(&set) {
            return None;
        }
        // `pshuf.b.128` and `pshuf.b` differ in the registers used, not in meaning.
        let op = op.strip_suffix(".128").or_else(|| op.strip_suffix(".256")).unwrap_or(op);
        pack::lower(b, op, args)
            .or_else(|| shift::lower(b, op, args))
            .or_else(|| int::lower(b, op, args, ret))
            .or_else(|| float::lower(b, op, args, ret))
    })
}

/// The lanes in groups of 128 bits, on which most wide operations work separately.
/// `None` if the lanes do not fill whole groups.
fn groups<'a>(b: &FunctionBuilder, x: &'a FlatValue) -> Option<std::slice::Chunks<'a, Operand>> {
    let per_group = 128 / b.ty(*x.leaves.first()?).bits() as usize;
    (per_group > 0 && x.leaves.len().is_multiple_of(per_group)).then(|| x.leaves.chunks(per_group))
}

/// Sign- or zero-extends an integer to a width.
fn extend(b: &mut FunctionBuilder, signed: bool, x: Operand, width: u32) -> Operand {
    let op = if signed { CastOp::Sext } else { CastOp::Zext };
    b.cast(op, x, Ty::Int(width as u8))
}

/// All ones or all zeros, from an `i1`.
fn spread(b: &mut FunctionBuilder, bit: Operand, ty: Ty) -> Option<Operand> {
    let ones = b.cast(CastOp::Sext, bit, Ty::Int(ty.bits() as u8));
    reinterpret(b, &[ones], &[ty]).ok()?.first().copied()
}

/// The sign bit of a lane of any type, as an `i1`.
fn sign(b: &mut FunctionBuilder, x: Operand) -> Operand {
    let x = super::reinterpret::to_int(b, x);
    let width = b.ty(x).bits();
    let none = b.int(width, 0);
    b.icmp(byway_ir::Icmp::Slt, x, none)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Arg, count, lowered};
    use super::*;
    use byway_ir::{BinOp, Inst};

    #[test]
    fn signed_saturation_clamps_at_both_ends() {
        let (words, bytes) = (Shape::Vector(Ty::Int(16), 8), Shape::Vector(Ty::Int(8), 16));
        let name = "llvm.x86.sse2.packsswb.128";
        let insts = lowered(name, &[Arg::Var(words.clone()), Arg::Var(words)], &bytes).unwrap();
        assert_eq!(count(&insts, |i| matches!(i, Inst::Bin { op: BinOp::SMax, .. })), 16);
        assert_eq!(count(&insts, |i| matches!(i, Inst::Bin { op: BinOp::SMin, .. })), 16);
        assert_eq!(count(&insts, |i| matches!(i, Inst::Cast { op: CastOp::Trunc, .. })), 16);
    }

    #[test]
    fn sums_of_differences_fill_two_lanes() {
        let (bytes, sums) = (Shape::Vector(Ty::Int(8), 16), Shape::Vector(Ty::Int(64), 2));
        let args = [Arg::Var(bytes.clone()), Arg::Var(bytes)];
        let insts = lowered("llvm.x86.sse2.psad.bw", &args, &sums).unwrap();
        assert_eq!(count(&insts, |i| matches!(i, Inst::Bin { op: BinOp::Add, .. })), 14);
    }

    #[test]
    fn wide_forms_work_group_by_group() {
        let v = Shape::Vector(Ty::Int(8), 32);
        let args = [Arg::Var(v.clone()), Arg::Var(v.clone())];
        let insts = lowered("llvm.x86.avx2.pshuf.b", &args, &v).unwrap();
        assert_eq!(count(&insts, |i| matches!(i, Inst::Select { .. })), 32);
    }

    #[test]
    fn approximations_are_unsupported() {
        let v = Shape::Vector(Ty::F32, 4);
        assert!(lowered("llvm.x86.sse.rcp.ps", &[Arg::Var(v.clone())], &v).is_err());
    }

    #[test]
    fn scalar_operations_keep_the_other_lanes() {
        let v = Shape::Vector(Ty::F64, 2);
        let args = [Arg::Var(v.clone()), Arg::Var(v.clone())];
        let insts = lowered("llvm.x86.sse2.min.sd", &args, &v).unwrap();
        assert_eq!(insts.len(), 2);
    }
}
