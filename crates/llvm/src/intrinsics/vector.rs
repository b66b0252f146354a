//! Reductions and permutations of vector lanes.

use byway_ir::{BinOp, FBinOp, FunctionBuilder, Icmp, Operand};

use super::{immediate, int, lane_ty};
use crate::shape::{FlatValue, Shape};

/// See [`super::lower`].
pub(super) fn lower(
    b: &mut FunctionBuilder,
    base: &str,
    args: &[FlatValue],
    ret: &Shape,
) -> Option<Vec<Operand>> {
    if let Some(op) = base.strip_prefix("vector.reduce.") {
        return reduce(b, op, args).map(|x| vec![x]);
    }
    if let Some(n) = base.strip_prefix("vector.interleave").and_then(|n| n.parse().ok()) {
        return interleave(args, n);
    }
    if let Some(n) = base.strip_prefix("vector.deinterleave").and_then(|n| n.parse().ok()) {
        let [x] = args else { return None };
        return deinterleave(&x.leaves, n);
    }
    match (base, args) {
        ("vector.insert", [x, part, at]) => {
            let at = immediate(b, at)? as usize;
            let mut leaves = x.leaves.clone();
            let end = at.checked_add(part.leaves.len())?;
            leaves.get_mut(at..end)?.copy_from_slice(&part.leaves);
            Some(leaves)
        }
        ("vector.extract", [x, at]) => {
            let at = immediate(b, at)? as usize;
            x.leaves.get(at..at.checked_add(ret.leaf_count())?).map(<[_]>::to_vec)
        }
        ("vector.reverse", [x]) => Some(x.leaves.iter().rev().copied().collect()),
        // Older IR counts a negative start from the end of the first vector.
        ("vector.splice", [x, y, at]) => {
            let at = immediate(b, at)? as u32 as i32;
            let start = if at < 0 { x.leaves.len() as i32 + at } else { at };
            splice(x, y, usize::try_from(start).ok()?)
        }
        ("vector.splice.left", [x, y, at]) => splice(x, y, immediate(b, at)? as usize),
        ("vector.splice.right", [x, y, at]) => {
            let start = x.leaves.len().checked_sub(immediate(b, at)? as usize)?;
            splice(x, y, start)
        }
        ("stepvector", []) => {
            let width = lane_ty(ret)?.bits();
            Some((0..ret.leaf_count()).map(|i| b.int(width, i as i128)).collect())
        }
        ("get.active.lane.mask", [first, end]) => {
            let ([first], [end]) = (&first.leaves[..], &end.leaves[..]) else { return None };
            let width = b.ty(*first).bits();
            Some(
                (0..ret.leaf_count())
                    .map(|i| {
                        let i = b.int(width, i as i128);
                        let index = b.bin(BinOp::UAddSat, *first, i);
                        b.icmp(Icmp::Ult, index, *end)
                    })
                    .collect(),
            )
        }
        ("experimental.cttz.elts", [x, _]) => {
            let width = lane_ty(ret)?.bits();
            Some(vec![first_set(b, &x.leaves, width)])
        }
        ("vector.partial.reduce.add", [sums, x]) if !sums.leaves.is_empty() => {
            let mut sums = sums.leaves.clone();
            let lanes = sums.len();
            for (i, &lane) in x.leaves.iter().enumerate() {
                sums[i % lanes] = b.bin(BinOp::Add, sums[i % lanes], lane);
            }
            Some(sums)
        }
        _ => None,
    }
}

/// The index of the first lane that is not zero, or the number of lanes.
fn first_set(b: &mut FunctionBuilder, lanes: &[Operand], width: u32) -> Operand {
    let none = b.int(width, lanes.len() as i128);
    lanes.iter().enumerate().rev().fold(none, |later, (i, &lane)| {
        let lane_width = b.ty(lane).bits();
        let clear = b.int(lane_width, 0);
        let set = b.icmp(Icmp::Ne, lane, clear);
        let here = b.int(width, i as i128);
        b.select(set, here, later)
    })
}

/// Folds the lanes in order, which matters for `fadd` and `fmul`; their start value comes
/// before the first lane.
fn reduce(b: &mut FunctionBuilder, op: &str, args: &[FlatValue]) -> Option<Operand> {
    let float = match op {
        "fadd" => Some(FBinOp::Add),
        "fmul" => Some(FBinOp::Mul),
        "fmin" => Some(FBinOp::MinNum),
        "fmax" => Some(FBinOp::MaxNum),
        "fminimum" => Some(FBinOp::Minimum),
        "fmaximum" => Some(FBinOp::Maximum),
        _ => None,
    };
    let lanes: Vec<Operand> = args.iter().flat_map(|a| a.leaves.iter().copied()).collect();
    let (&first, rest) = lanes.split_first()?;
    if let Some(op) = float {
        return Some(rest.iter().fold(first, |x, &y| b.fbin(op, x, y)));
    }
    let op = match op {
        "add" => BinOp::Add,
        "mul" => BinOp::Mul,
        "and" => BinOp::And,
        "or" => BinOp::Or,
        "xor" => BinOp::Xor,
        _ => int::binary(op)?,
    };
    Some(rest.iter().fold(first, |x, &y| b.bin(op, x, y)))
}

fn splice(x: &FlatValue, y: &FlatValue, start: usize) -> Option<Vec<Operand>> {
    let both = [&x.leaves[..], &y.leaves].concat();
    both.get(start..start.checked_add(x.leaves.len())?).map(<[_]>::to_vec)
}

/// The first lane of each vector, then the second of each, and so on.
fn interleave(args: &[FlatValue], n: usize) -> Option<Vec<Operand>> {
    let lanes = args.first()?.leaves.len();
    if args.len() != n || args.iter().any(|a| a.leaves.len() != lanes) {
        return None;
    }
    Some((0..lanes).flat_map(|i| args.iter().map(move |a| a.leaves[i])).collect())
}

fn deinterleave(lanes: &[Operand], n: usize) -> Option<Vec<Operand>> {
    if n == 0 || !lanes.len().is_multiple_of(n) {
        return None;
    }
    Some((0..n).flat_map(|first| lanes.iter().skip(first).step_by(n).copied()).collect())
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Arg, block, lanes, lowered};
    use super::*;
    use byway_ir::{Inst, Ty};

    #[test]
    fn an_ordered_sum_begins_with_the_start_value() {
        let (f, v) = (Shape::Scalar(Ty::F32), Shape::Vector(Ty::F32, 3));
        let mut b = block(&[Ty::F32; 4]);
        let (start, vector) = (lanes(&b, 0..1), lanes(&b, 1..4));
        let args =
            [FlatValue { shape: f, leaves: start.clone() }, FlatValue { shape: v, leaves: vector }];
        lower(&mut b, "vector.reduce.fadd", &args, &Shape::Scalar(Ty::F32)).unwrap();
        b.ret(&[]);
        let f = b.finish();
        assert_eq!(f.insts.len(), 3);
        let Inst::FBin { a, .. } = f.insts.values().next().unwrap() else { panic!() };
        assert_eq!(*a, start[0]);
    }

    #[test]
    fn permutations_emit_no_instructions() {
        let v = Shape::Vector(Ty::Int(8), 4);
        let twice = Shape::Vector(Ty::Int(8), 8);
        let at = Arg::Imm(Ty::Int(64), 4);
        let args = [Arg::Var(twice.clone()), Arg::Var(v.clone()), at];
        assert_eq!(lowered("llvm.vector.insert.v8i8.v4i8", &args, &twice), Ok(Vec::new()));
        let beyond = [Arg::Var(twice.clone()), Arg::Imm(Ty::Int(64), 6)];
        assert!(lowered("llvm.vector.extract.v4i8.v8i8", &beyond, &v).is_err());
    }

    #[test]
    fn deinterleaving_undoes_interleaving() {
        let b = block(&[Ty::Int(8); 6]);
        let all = lanes(&b, 0..6);
        let parts = deinterleave(&all, 2).unwrap();
        assert_eq!(parts, [all[0], all[2], all[4], all[1], all[3], all[5]]);
        let flat = |leaves: &[Operand]| FlatValue {
            shape: Shape::Vector(Ty::Int(8), 3),
            leaves: leaves.to_vec(),
        };
        assert_eq!(interleave(&[flat(&parts[..3]), flat(&parts[3..])], 2).unwrap(), all);
    }
}
