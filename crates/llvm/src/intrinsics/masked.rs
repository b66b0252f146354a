//! Memory operations with a mask: a lane whose bit is clear must not access memory, so
//! each access is in a conditional block of its own.

use byway_ir::{Edge, FunctionBuilder, Operand, Terminator};

use super::{const_bits, same_lanes};
use crate::shape::{FlatValue, Shape};

/// See [`super::lower`].
pub(super) fn lower(
    b: &mut FunctionBuilder,
    base: &str,
    args: &[FlatValue],
    _ret: &Shape,
) -> Option<Vec<Operand>> {
    let op = base.strip_prefix("masked.")?;
    // Older IR passes the alignment as a constant before the mask.
    let (align, args): (u32, Vec<&FlatValue>) = match args {
        [x, align, mask, rest] if op != "store" && op != "scatter" => {
            (align_of(b, align)?, vec![x, mask, rest])
        }
        [x, y, align, mask] => (align_of(b, align)?, vec![x, y, mask]),
        _ => (1, args.iter().collect()),
    };
    let [x, y, z] = args[..] else { return None };
    match op {
        "load" => {
            let pointers = consecutive(b, x, z)?;
            loads(b, &pointers, align, y, z)
        }
        "gather" => loads(b, &x.leaves, align, y, z),
        "store" => {
            let pointers = consecutive(b, y, x)?;
            stores(b, &pointers, align, x, z)
        }
        "scatter" => stores(b, &y.leaves, align, x, z),
        "expandload" => {
            let [mut pointer] = x.leaves[..] else { return None };
            same_lanes(y, z)?;
            let mut out = Vec::new();
            for (&bit, &otherwise) in y.leaves.iter().zip(&z.leaves) {
                let bytes = stride(b, otherwise)?;
                let [value, next] = when(b, bit, [otherwise, pointer], |b| {
                    let ty = b.ty(otherwise);
                    [b.load(ty, pointer, 1, false), b.ptr_add(pointer, bytes, None, false)]
                });
                out.push(value);
                pointer = next;
            }
            Some(out)
        }
        "compressstore" => {
            let [mut pointer] = y.leaves[..] else { return None };
            same_lanes(x, z)?;
            for (&value, &bit) in x.leaves.iter().zip(&z.leaves) {
                let bytes = stride(b, value)?;
                let [next] = when(b, bit, [pointer], |b| {
                    b.store(pointer, value, 1, false);
                    [b.ptr_add(pointer, bytes, None, false)]
                });
                pointer = next;
            }
            Some(Vec::new())
        }
        _ => None,
    }
}

fn align_of(b: &FunctionBuilder, arg: &FlatValue) -> Option<u32> {
    let bytes = u32::try_from(super::immediate(b, arg)?).ok()?;
    Some(bytes.max(1))
}

/// Bytes from one lane of a vector in memory to the next. Lanes that are not whole bytes
/// are packed and cannot be accessed separately.
fn stride(b: &FunctionBuilder, lane: Operand) -> Option<i64> {
    let bits = b.ty(lane).bits();
    bits.is_multiple_of(8).then_some(i64::from(bits / 8))
}

/// The addresses of the lanes of a vector in memory.
fn consecutive(
    b: &mut FunctionBuilder,
    base: &FlatValue,
    like: &FlatValue,
) -> Option<Vec<Operand>> {
    let [base] = base.leaves[..] else { return None };
    let bytes = stride(b, *like.leaves.first()?)?;
    Some((0..like.leaves.len()).map(|i| b.ptr_add(base, i as i64 * bytes, None, false)).collect())
}

fn loads(
    b: &mut FunctionBuilder,
    pointers: &[Operand],
    align: u32,
    mask: &FlatValue,
    otherwise: &FlatValue,
) -> Option<Vec<Operand>> {
    same_lanes(mask, otherwise)?;
    if pointers.len() != mask.leaves.len() {
        return None;
    }
    let align = lane_align(b, align, otherwise)?;
    let lanes = pointers.iter().zip(&mask.leaves).zip(&otherwise.leaves);
    let values = lanes.map(|((&pointer, &bit), &other)| {
        let ty = b.ty(other);
        let [value] = when(b, bit, [other], |b| [b.load(ty, pointer, align, false)]);
        value
    });
    Some(values.collect())
}

pub(super) fn stores(
    b: &mut FunctionBuilder,
    pointers: &[Operand],
    align: u32,
    values: &FlatValue,
    mask: &FlatValue,
) -> Option<Vec<Operand>> {
    same_lanes(mask, values)?;
    if pointers.len() != mask.leaves.len() {
        return None;
    }
    let align = lane_align(b, align, values)?;
    for ((&pointer, &bit), &value) in pointers.iter().zip(&mask.leaves).zip(&values.leaves) {
        when(b, bit, [], |b| {
            b.store(pointer, value, align, false);
            []
        });
    }
    Some(Vec::new())
}

/// The alignment of every lane, given the alignment of the first.
fn lane_align(b: &FunctionBuilder, align: u32, lanes: &FlatValue) -> Option<u32> {
    let bytes = stride(b, *lanes.leaves.first()?)? as u32;
    Some(align.min(1 << bytes.trailing_zeros()))
}

/// The values of `then` if the bit is set, else those of `otherwise`.
fn when<const N: usize>(
    b: &mut FunctionBuilder,
    bit: Operand,
    otherwise: [Operand; N],
    then: impl FnOnce(&mut FunctionBuilder) -> [Operand; N],
) -> [Operand; N] {
    match const_bits(b, bit) {
        Some(0) => return otherwise,
        Some(_) => return then(b),
        None => {}
    }
    let (access, join) = (b.create_block(), b.create_block());
    let results = otherwise.map(|op| {
        let ty = b.ty(op);
        b.block_param(join, ty)
    });
    b.terminate(Terminator::Branch {
        cond: bit,
        then: Edge { block: access, args: Box::default() },
        otherwise: Edge { block: join, args: otherwise.into() },
    });
    b.switch_to(access);
    let values = then(b);
    b.jump(join, &values);
    b.switch_to(join);
    results
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Arg, count, lowered};
    use super::*;
    use byway_ir::{Inst, Ty};

    #[test]
    fn each_lane_has_its_own_access() {
        let (v, mask) = (Shape::Vector(Ty::Int(32), 4), Shape::Vector(Ty::BOOL, 4));
        let pointer = Shape::Scalar(Ty::Ptr);
        let args = [Arg::Var(pointer.clone()), Arg::Var(mask.clone()), Arg::Var(v.clone())];
        let insts = lowered("llvm.masked.load.v4i32.p0", &args, &v).unwrap();
        assert_eq!(count(&insts, |i| matches!(i, Inst::Load { .. })), 4);
        let align = Arg::Imm(Ty::Int(32), 4);
        let args = [Arg::Var(v), Arg::Var(pointer), align, Arg::Var(mask)];
        let insts = lowered("llvm.masked.store.v4i32.p0", &args, &Shape::Void).unwrap();
        assert_eq!(count(&insts, |i| matches!(i, Inst::Store { align: 4, .. })), 4);
    }

    #[test]
    fn packed_bits_are_unsupported() {
        let v = Shape::Vector(Ty::BOOL, 8);
        let args = [Arg::Var(Shape::Scalar(Ty::Ptr)), Arg::Var(v.clone()), Arg::Var(v.clone())];
        assert!(lowered("llvm.masked.load.v8i1.p0", &args, &v).is_err());
    }
}
