//! Operations of the hot loop, mapped to the general operations they abbreviate.
//!
//! An operation without a width is computed at the width of its wider operand: above that,
//! both are zero.

use byway_expr::Pool;
use byway_ir::{BinOp, CastOp, FBinOp, Icmp, Ty};

use super::slots::{bits_needed, term_of, value_of};
use super::{Oracle, general};
use crate::LongDoubles;
use crate::bytecode::{ByteOp, General, Slot, TypedSlot};
use crate::stop::ExecResult;
use crate::value::Value;

/// Executes a pure operation of the hot loop, from [`ByteOp::Add`] to [`ByteOp::PtrIndex`];
/// does nothing for any other.
pub fn simple(
    pool: &mut Pool,
    oracle: &mut dyn Oracle,
    op: ByteOp,
    regs: &mut [Value],
) -> ExecResult<()> {
    match op {
        ByteOp::Select { d, c, a, b } => {
            let which = known_bit(pool, oracle, regs[c as usize]);
            regs[d as usize] = select(pool, regs, which, a, b);
            Ok(())
        }
        ByteOp::PtrOffset { d, base, offset } => {
            let base = term_of(pool, regs[base as usize], 64);
            let offset = pool.constant(64, i128::from(offset) as u128);
            let at = pool.add(base, offset);
            regs[d as usize] = value_of(pool, at);
            Ok(())
        }
        _ => match spelled_out(pool, op, regs) {
            // None of these operates on long doubles.
            Some(meaning) => general(pool, oracle, LongDoubles::default(), &meaning, regs),
            None => Ok(()),
        },
    }
}

/// A bit, if the path condition decides it.
pub(super) fn known_bit(pool: &mut Pool, oracle: &mut dyn Oracle, bit: Value) -> Value {
    if bit.expr.is_none() {
        return bit;
    }
    let bit = term_of(pool, bit, 1);
    let known = oracle.narrowed(pool, bit);
    value_of(pool, known)
}

/// Selects the content of one of two slots by a bit, without a fork.
pub(super) fn select(pool: &mut Pool, regs: &[Value], which: Value, a: Slot, b: Slot) -> Value {
    let (a, b) = (regs[a as usize], regs[b as usize]);
    if which.expr.is_none() {
        return if which.bits != 0 { a } else { b };
    }
    let width = bits_needed(pool, a).max(bits_needed(pool, b));
    let which = term_of(pool, which, 1);
    let (a, b) = (term_of(pool, a, width), term_of(pool, b, width));
    let chosen = pool.ite(which, a, b);
    value_of(pool, chosen)
}

/// An integer of some width in a slot.
fn int(width: u32, slot: Slot) -> TypedSlot {
    TypedSlot { ty: Ty::Int(width as u8), slot }
}

/// The general operation that an operation abbreviates, if any.
fn spelled_out(pool: &Pool, op: ByteOp, regs: &[Value]) -> Option<General> {
    let needed = |slot: Slot| bits_needed(pool, regs[slot as usize]);
    let bin = |op, width, d, a, b| General::Bin {
        op,
        d: int(width, d),
        a: int(width, a),
        b: int(width, b),
    };
    let sized = |op, w: u8, d, a, b| bin(op, u32::from(w), d, a, b);
    let unsized_bin = |op, d, a, b| bin(op, needed(a).max(needed(b)), d, a, b);
    let icmp = |pred, width, d, a, b| General::Icmp { pred, d, a: int(width, a), b: int(width, b) };
    let sized_icmp = |pred, w: u8, d, a, b| icmp(pred, u32::from(w), d, a, b);
    let unsized_icmp = |pred, d, a, b| icmp(pred, needed(a).max(needed(b)), d, a, b);
    let double = |slot| TypedSlot { ty: Ty::F64, slot };
    let fbin = |op, d, a, b| General::FBin { op, d: double(d), a: double(a), b: double(b) };
    Some(match op {
        ByteOp::Add { w, d, a, b } => sized(BinOp::Add, w, d, a, b),
        ByteOp::Sub { w, d, a, b } => sized(BinOp::Sub, w, d, a, b),
        ByteOp::Mul { w, d, a, b } => sized(BinOp::Mul, w, d, a, b),
        // Above the narrower operand the result is zero.
        ByteOp::And { d, a, b } => bin(BinOp::And, needed(a).min(needed(b)), d, a, b),
        ByteOp::Or { d, a, b } => unsized_bin(BinOp::Or, d, a, b),
        ByteOp::Xor { d, a, b } => unsized_bin(BinOp::Xor, d, a, b),
        ByteOp::Shl { w, d, a, b } => sized(BinOp::Shl, w, d, a, b),
        ByteOp::LShr { w, d, a, b } => sized(BinOp::LShr, w, d, a, b),
        ByteOp::AShr { w, d, a, b } => sized(BinOp::AShr, w, d, a, b),
        ByteOp::UDiv { d, a, b } => unsized_bin(BinOp::UDiv, d, a, b),
        ByteOp::URem { d, a, b } => unsized_bin(BinOp::URem, d, a, b),
        ByteOp::SDiv { w, d, a, b } => sized(BinOp::SDiv, w, d, a, b),
        ByteOp::SRem { w, d, a, b } => sized(BinOp::SRem, w, d, a, b),
        ByteOp::Eq { d, a, b } => unsized_icmp(Icmp::Eq, d, a, b),
        ByteOp::Ne { d, a, b } => unsized_icmp(Icmp::Ne, d, a, b),
        ByteOp::Ult { d, a, b } => unsized_icmp(Icmp::Ult, d, a, b),
        ByteOp::Ule { d, a, b } => unsized_icmp(Icmp::Ule, d, a, b),
        ByteOp::Slt { w, d, a, b } => sized_icmp(Icmp::Slt, w, d, a, b),
        ByteOp::Sle { w, d, a, b } => sized_icmp(Icmp::Sle, w, d, a, b),
        ByteOp::FAdd { d, a, b } => fbin(FBinOp::Add, d, a, b),
        ByteOp::FSub { d, a, b } => fbin(FBinOp::Sub, d, a, b),
        ByteOp::FMul { d, a, b } => fbin(FBinOp::Mul, d, a, b),
        ByteOp::FDiv { d, a, b } => fbin(FBinOp::Div, d, a, b),
        ByteOp::Trunc { w, d, a } => {
            General::Cast { op: CastOp::Trunc, d: int(u32::from(w), d), a: int(needed(a), a) }
        }
        ByteOp::Sext { from, to, d, a } => {
            General::Cast { op: CastOp::Sext, d: int(u32::from(to), d), a: int(u32::from(from), a) }
        }
        ByteOp::PtrIndex { w, d, base, index, scale } => {
            General::PtrIndex { d, base, index: int(u32::from(w), index), scale: i64::from(scale) }
        }
        _ => return None,
    })
}
