//! Lowering of LLVM's intrinsics to IR instructions.
//!
//! Vectors are already decomposed into lanes, so an operation on a vector is one
//! instruction (or a short sequence) per lane. Each family of intrinsics has a module,
//! which returns `None` for a name it does not know. This part does not depend on LLVM: an
//! intrinsic is given by its name, its arguments and the shape of its result.
//!
//! Rules where LLVM leaves a choice:
//!
//! * `fmuladd` rounds twice, since x86-64 without FMA does;
//! * rounding is to nearest, ties to even, and constrained operations are the plain
//!   ones: exceptions and other rounding modes are not modelled;
//! * arguments that make a result poison (a zero for `ctlz`) get the natural result;
//! * hints for the optimiser (`assume`, `expect`) are ignored.
//!
//! The caller lowers intrinsics that correspond to instructions of the IR (`memcpy`,
//! `va_start`, `stacksave`, `lifetime`) or to calls of libm ([`libm_function`]).

mod float;
mod hints;
pub mod int;
mod masked;
mod name;
mod reinterpret;
mod vector;
mod x86;

#[cfg(test)]
pub(crate) mod testing;

use byway_ir::{Const, FunctionBuilder, Operand, OperandKind, Ty};

use crate::shape::{FlatValue, Shape};
pub use name::{base, libm_function};
pub use reinterpret::reinterpret;

/// Appends the instructions of the intrinsic `name` to the current block and returns the
/// scalars of its result. Masked memory operations end the current block and leave the
/// builder in a new one.
///
/// `args` are the arguments without metadata. The predicate of a constrained comparison is
/// metadata, so it follows the name after a colon:
/// `llvm.experimental.constrained.fcmp.f64:olt`.
///
/// The error names an unsupported intrinsic.
pub fn lower(
    b: &mut FunctionBuilder,
    name: &str,
    args: &[FlatValue],
    ret: &Shape,
) -> Result<Vec<Operand>, String> {
    let base = name::base(name);
    let result = match (base.strip_prefix("x86."), base) {
        (Some(op), _) => x86::lower(b, op, args, ret),
        (None, "experimental.constrained.fcmp" | "experimental.constrained.fcmps") => {
            name::predicate(name).and_then(|predicate| float::compare(b, predicate, args))
        }
        _ => int::lower(b, base, args, ret)
            .or_else(|| float::lower(b, base, args, ret))
            .or_else(|| hints::lower(b, base, args, ret))
            .or_else(|| vector::lower(b, base, args, ret))
            .or_else(|| masked::lower(b, base, args, ret)),
    };
    // A result of another shape would make the function invalid; it can only come from
    // a declaration with a wrong type for the intrinsic.
    result
        .filter(|leaves| {
            let tys = ret.leaves();
            leaves.len() == tys.len() && leaves.iter().zip(tys).all(|(&l, ty)| b.ty(l) == ty)
        })
        .ok_or_else(|| format!("intrinsic {name}"))
}

/// The bits of an operand that is a constant.
pub fn const_bits(b: &FunctionBuilder, op: Operand) -> Option<u128> {
    match op.kind() {
        OperandKind::Const(c) => match b.func().consts[c] {
            Const::Bits { bits, .. } => Some(bits),
            Const::Address { .. } => None,
        },
        OperandKind::Val(_) => None,
    }
}

/// The bits of an argument that is a scalar constant (an `immarg`).
fn immediate(b: &FunctionBuilder, arg: &FlatValue) -> Option<u128> {
    match arg.leaves[..] {
        [op] => const_bits(b, op),
        _ => None,
    }
}

/// An all-zero value of any type: zero, +0.0 or null.
fn zero(b: &mut FunctionBuilder, ty: Ty) -> Operand {
    b.bits(ty, 0)
}

/// `f` on every lane.
fn map1(
    b: &mut FunctionBuilder,
    x: &FlatValue,
    mut f: impl FnMut(&mut FunctionBuilder, Operand) -> Operand,
) -> Option<Vec<Operand>> {
    Some(x.leaves.iter().map(|&x| f(b, x)).collect())
}

/// `f` on every pair of lanes.
fn map2(
    b: &mut FunctionBuilder,
    x: &FlatValue,
    y: &FlatValue,
    mut f: impl FnMut(&mut FunctionBuilder, Operand, Operand) -> Operand,
) -> Option<Vec<Operand>> {
    same_lanes(x, y)?;
    Some(x.leaves.iter().zip(&y.leaves).map(|(&x, &y)| f(b, x, y)).collect())
}

/// `f` on every triple of lanes.
fn map3(
    b: &mut FunctionBuilder,
    x: &FlatValue,
    y: &FlatValue,
    z: &FlatValue,
    mut f: impl FnMut(&mut FunctionBuilder, Operand, Operand, Operand) -> Operand,
) -> Option<Vec<Operand>> {
    same_lanes(x, y)?;
    same_lanes(x, z)?;
    let lanes = x.leaves.iter().zip(&y.leaves).zip(&z.leaves);
    Some(lanes.map(|((&x, &y), &z)| f(b, x, y, z)).collect())
}

fn same_lanes(x: &FlatValue, y: &FlatValue) -> Option<()> {
    (x.leaves.len() == y.leaves.len()).then_some(())
}

/// The type of a result whose leaves are all of one type.
fn lane_ty(ret: &Shape) -> Option<Ty> {
    match ret {
        Shape::Scalar(ty) | Shape::Vector(ty, _) => Some(*ty),
        _ => None,
    }
}
