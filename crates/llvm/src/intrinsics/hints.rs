//! Intrinsics that compute nothing: hints to the optimiser, queries about the machine with
//! a fixed result, and traps.

use byway_ir::{BinOp, CastOp, FunctionBuilder, Inst, Operand, Scaled, Ty};

use super::{immediate, map1, zero};
use crate::shape::{FlatValue, Shape};

/// See [`super::lower`].
pub(super) fn lower(
    b: &mut FunctionBuilder,
    base: &str,
    args: &[FlatValue],
    ret: &Shape,
) -> Option<Vec<Operand>> {
    match base {
        "assume"
        | "sideeffect"
        | "var.annotation"
        | "invariant.end"
        | "prefetch"
        | "clear_cache"
        | "pseudoprobe"
        | "experimental.noalias.scope.decl"
        | "reset.fpenv"
        | "reset.fpmode"
        | "fake.use" => Some(Vec::new()),

        "donothing" => {
            b.line();
            Some(Vec::new())
        }

        "trap" | "debugtrap" | "ubsantrap" => {
            b.push(Inst::Trap);
            Some(Vec::new())
        }

        // The result is the first argument.
        "expect"
        | "expect.with.probability"
        | "annotation"
        | "ptr.annotation"
        | "launder.invariant.group"
        | "strip.invariant.group"
        | "arithmetic.fence"
        | "threadlocal.address" => args.first().map(|x| x.leaves.clone()),

        "objectsize" => {
            let [_, min, ..] = args else { return None };
            let unknown = if immediate(b, min)? & 1 == 1 { 0 } else { -1 };
            let [ty] = ret.leaves()[..] else { return None };
            Some(vec![b.int(ty.bits(), unknown)])
        }

        // Optional sanitiser checks are enabled; nothing is known to be constant; cycle
        // counters do not advance; there is no frame to inspect.
        "allow.runtime.check" | "allow.ubsan.check" => Some(vec![b.int(1, 1)]),
        "is.constant"
        | "readcyclecounter"
        | "readsteadycounter"
        | "returnaddress"
        | "frameaddress"
        | "addressofreturnaddress"
        | "invariant.start" => Some(ret.leaves().into_iter().map(|ty| zero(b, ty)).collect()),

        // To nearest, the only rounding mode.
        "get.rounding" => Some(vec![b.int(32, 1)]),
        "set.rounding" => match args {
            [mode] if immediate(b, mode) == Some(1) => Some(Vec::new()),
            _ => None,
        },

        "ptrmask" => {
            let [pointer, mask] = args else { return None };
            super::map2(b, pointer, mask, ptrmask)
        }
        "load.relative" => {
            let [base, offset] = args else { return None };
            let offset = *offset.leaves.first()?;
            map1(b, base, |b, base| load_relative(b, base, offset))
        }
        _ => None,
    }
}

/// Clears bits of an address. Computed as `p + ((p & mask) - p)`, so that the result keeps
/// the provenance of `p`.
fn ptrmask(b: &mut FunctionBuilder, pointer: Operand, mask: Operand) -> Operand {
    let address = b.cast(CastOp::PtrToInt, pointer, Ty::Int(64));
    let mask = super::reinterpret::resize(b, mask, 64);
    let masked = b.bin(BinOp::And, address, mask);
    let index = b.bin(BinOp::Sub, masked, address);
    b.ptr_add(pointer, 0, Some(Scaled { index, scale: 1 }), false)
}

/// The address given by an entry of a table of 32-bit offsets from the table's start.
fn load_relative(b: &mut FunctionBuilder, base: Operand, offset: Operand) -> Operand {
    let entry = b.ptr_add(base, 0, Some(Scaled { index: offset, scale: 1 }), true);
    let index = b.load(Ty::Int(32), entry, 4, false);
    b.ptr_add(base, 0, Some(Scaled { index, scale: 1 }), false)
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Arg, lowered};
    use super::*;

    #[test]
    fn object_sizes_are_unknown() {
        let ret = Shape::Scalar(Ty::Int(64));
        let args = |min| {
            [
                Arg::Var(Shape::Scalar(Ty::Ptr)),
                Arg::Imm(Ty::BOOL, min),
                Arg::Imm(Ty::BOOL, 0),
                Arg::Imm(Ty::BOOL, 0),
            ]
        };
        for min in [0, 1] {
            assert_eq!(lowered("llvm.objectsize.i64.p0", &args(min), &ret), Ok(Vec::new()));
        }
    }

    #[test]
    fn traps_are_lowered_and_unknown_intrinsics_are_named() {
        assert_eq!(lowered("llvm.trap", &[], &Shape::Void), Ok(vec![Inst::Trap]));
        let unknown = lowered("llvm.eh.typeid.for.p0", &[], &Shape::Scalar(Ty::Int(32)));
        assert_eq!(unknown, Err("intrinsic llvm.eh.typeid.for.p0".into()));
    }
}
