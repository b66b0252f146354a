//! Bitcasts between lists of lanes.

use byway_ir::{BinOp, CastOp, FunctionBuilder, Operand, Ty};

/// The bits of `leaves`, read as values of the types `to`. Little endian: the first
/// lane holds the lowest bits. The widths must add up to the same total.
pub fn reinterpret(
    b: &mut FunctionBuilder,
    leaves: &[Operand],
    to: &[Ty],
) -> Result<Vec<Operand>, String> {
    let from: Vec<Ty> = leaves.iter().map(|&l| b.ty(l)).collect();
    if from == to {
        return Ok(leaves.to_vec());
    }
    let total = |tys: &[Ty]| tys.iter().map(|ty| u64::from(ty.bits())).sum::<u64>();
    if total(&from) != total(to) {
        return Err(format!("bitcast from {} to {} bits", total(&from), total(to)));
    }
    // Lanes of equal widths need neither shifts nor conversions to integers.
    if from.iter().zip(to).all(|(f, t)| f.bits() == t.bits()) {
        return Ok(leaves.iter().zip(to).map(|(&leaf, &ty)| same_width(b, leaf, ty)).collect());
    }
    let sources = bit_ranges(leaves.iter().map(|&leaf| to_int(b, leaf)).zip(&from));
    Ok(bit_ranges(to.iter().zip(to))
        .iter()
        .map(|&(&ty, low, end)| gather(b, &sources, ty, low, end))
        .collect())
}

/// Assigns each item the range of bits it covers.
fn bit_ranges<'a, T>(items: impl Iterator<Item = (T, &'a Ty)>) -> Vec<(T, u64, u64)> {
    let mut low = 0;
    items
        .map(|(item, ty)| {
            let start = low;
            low += u64::from(ty.bits());
            (item, start, low)
        })
        .collect()
}

/// Assembles bits `low..end` from the integers that cover them.
fn gather(
    b: &mut FunctionBuilder,
    sources: &[(Operand, u64, u64)],
    ty: Ty,
    low: u64,
    end: u64,
) -> Operand {
    let width = (end - low) as u32;
    let first = sources.partition_point(|&(_, _, source_end)| source_end <= low);
    let mut whole = None;
    for &(source, source_low, source_end) in &sources[first..] {
        if source_low >= end {
            break;
        }
        let from = low.max(source_low);
        let bits = end.min(source_end) - from;
        let piece = shift(b, BinOp::LShr, source, from - source_low);
        let piece = resize(b, piece, bits as u32);
        let piece = resize(b, piece, width);
        let piece = shift(b, BinOp::Shl, piece, from - low);
        whole = Some(match whole {
            Some(rest) => b.bin(BinOp::Or, rest, piece),
            None => piece,
        });
    }
    let whole = whole.unwrap_or_else(|| b.int(width, 0));
    same_width(b, whole, ty)
}

fn shift(b: &mut FunctionBuilder, op: BinOp, value: Operand, amount: u64) -> Operand {
    if amount == 0 {
        return value;
    }
    let width = b.ty(value).bits();
    let amount = b.int(width, i128::from(amount));
    b.bin(op, value, amount)
}

/// Truncates or zero-extends an integer to a width.
pub(super) fn resize(b: &mut FunctionBuilder, value: Operand, width: u32) -> Operand {
    let old = b.ty(value).bits();
    match old.cmp(&width) {
        std::cmp::Ordering::Equal => value,
        std::cmp::Ordering::Less => b.cast(CastOp::Zext, value, Ty::Int(width as u8)),
        std::cmp::Ordering::Greater => b.cast(CastOp::Trunc, value, Ty::Int(width as u8)),
    }
}

/// The bits of a value as an integer.
pub(super) fn to_int(b: &mut FunctionBuilder, value: Operand) -> Operand {
    let width = b.ty(value).bits();
    same_width(b, value, Ty::Int(width as u8))
}

/// The bits of a value as another type of the same width.
fn same_width(b: &mut FunctionBuilder, value: Operand, to: Ty) -> Operand {
    match (b.ty(value), to) {
        (from, to) if from == to => value,
        (Ty::Ptr, Ty::Int(_)) => b.cast(CastOp::PtrToInt, value, to),
        (Ty::Int(_), Ty::Ptr) => b.cast(CastOp::IntToPtr, value, to),
        // Between floats and pointers: by way of an integer.
        (Ty::Ptr, _) | (_, Ty::Ptr) => {
            let int = to_int(b, value);
            same_width(b, int, to)
        }
        _ => b.cast(CastOp::Bitcast, value, to),
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{block, count, lanes};
    use super::*;
    use byway_ir::Inst;

    fn check(from: &[Ty], to: &[Ty]) -> Vec<Inst> {
        let mut b = block(from);
        let leaves = lanes(&b, 0..from.len());
        let out = reinterpret(&mut b, &leaves, to).unwrap();
        assert_eq!(out.iter().map(|&o| b.ty(o)).collect::<Vec<_>>(), to);
        b.ret(&[]);
        b.finish().insts.values().cloned().collect()
    }

    #[test]
    fn equal_types_need_no_instructions() {
        assert!(check(&[Ty::F32; 4], &[Ty::F32; 4]).is_empty());
    }

    #[test]
    fn equal_widths_are_one_cast_per_lane() {
        let insts = check(&[Ty::F32; 4], &[Ty::Int(32); 4]);
        assert_eq!(count(&insts, |i| matches!(i, Inst::Cast { op: CastOp::Bitcast, .. })), 4);
        assert_eq!(insts.len(), 4);
        let insts = check(&[Ty::Ptr], &[Ty::Int(64)]);
        assert!(matches!(insts[..], [Inst::Cast { op: CastOp::PtrToInt, .. }]));
    }

    #[test]
    fn one_to_many_shifts_and_truncates() {
        let insts = check(&[Ty::Int(64)], &[Ty::Int(16); 4]);
        assert_eq!(count(&insts, |i| matches!(i, Inst::Bin { op: BinOp::LShr, .. })), 3);
        assert_eq!(count(&insts, |i| matches!(i, Inst::Cast { op: CastOp::Trunc, .. })), 4);
        assert_eq!(insts.len(), 7);
    }

    #[test]
    fn many_to_one_extends_and_combines() {
        let insts = check(&[Ty::BOOL; 8], &[Ty::Int(8)]);
        assert_eq!(count(&insts, |i| matches!(i, Inst::Bin { op: BinOp::Or, .. })), 7);
        assert_eq!(count(&insts, |i| matches!(i, Inst::Cast { op: CastOp::Zext, .. })), 8);
        assert_eq!(insts.len(), 7 + 8 + 7);
    }

    #[test]
    fn unaligned_lanes_and_wide_totals() {
        check(&[Ty::Int(24), Ty::Int(24)], &[Ty::Int(16), Ty::Int(16), Ty::Int(16)]);
        check(&[Ty::Int(128), Ty::Int(128)], &[Ty::F32; 8]);
        check(&[Ty::F80], &[Ty::Int(80)]);
        check(&[Ty::Ptr, Ty::Ptr], &[Ty::Int(128)]);
        check(&[Ty::F64], &[Ty::Ptr]);
        check(&[Ty::BOOL; 64], &[Ty::Int(64)]);
    }

    #[test]
    fn different_total_widths_are_rejected() {
        let mut b = block(&[Ty::Int(8)]);
        let leaves = lanes(&b, 0..1);
        assert!(reinterpret(&mut b, &leaves, &[Ty::Int(16)]).is_err());
    }
}
