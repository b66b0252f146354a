//! Shifts of all lanes of a vector by one amount. Unlike in C, an amount of at least the
//! width is defined: it shifts all bits out.

use byway_ir::{BinOp, FunctionBuilder, Icmp, Operand, Ty};

use super::{FlatValue, const_bits, map1, reinterpret, resize, zero};

/// See [`super::lower`].
pub(super) fn lower(b: &mut FunctionBuilder, op: &str, args: &[FlatValue]) -> Option<Vec<Operand>> {
    let [x, amount] = args else { return None };
    let (op, by_vector) = match op {
        "psll.w" | "psll.d" | "psll.q" => (BinOp::Shl, true),
        "psrl.w" | "psrl.d" | "psrl.q" => (BinOp::LShr, true),
        "psra.w" | "psra.d" => (BinOp::AShr, true),
        "pslli.w" | "pslli.d" | "pslli.q" => (BinOp::Shl, false),
        "psrli.w" | "psrli.d" | "psrli.q" => (BinOp::LShr, false),
        "psrai.w" | "psrai.d" => (BinOp::AShr, false),
        _ => return None,
    };
    let width = b.ty(*x.leaves.first()?).bits();
    let amount = if by_vector {
        low_64_bits(b, amount)?
    } else {
        let [amount] = amount.leaves[..] else { return None };
        resize(b, amount, 64)
    };
    shift(b, op, x, width, amount)
}

/// The shift amount: the lower half of its register, for any lane type.
fn low_64_bits(b: &mut FunctionBuilder, x: &FlatValue) -> Option<Operand> {
    let lanes = 64 / b.ty(*x.leaves.first()?).bits() as usize;
    reinterpret(b, x.leaves.get(..lanes)?, &[Ty::Int(64)]).ok()?.first().copied()
}

fn shift(
    b: &mut FunctionBuilder,
    op: BinOp,
    x: &FlatValue,
    width: u32,
    amount: Operand,
) -> Option<Vec<Operand>> {
    let last = b.int(64, i128::from(width) - 1);
    if let Some(known) = const_bits(b, amount) {
        if op != BinOp::AShr && known >= u128::from(width) {
            return map1(b, x, |b, _| b.int(width, 0));
        }
        let amount = b.int(width, known.min(u128::from(width) - 1) as i128);
        return map1(b, x, |b, x| b.bin(op, x, amount));
    }
    let clamped = b.bin(BinOp::UMin, amount, last);
    let clamped = resize(b, clamped, width);
    if op == BinOp::AShr {
        return map1(b, x, |b, x| b.bin(op, x, clamped));
    }
    let beyond = b.icmp(Icmp::Ugt, amount, last);
    map1(b, x, |b, x| {
        let shifted = b.bin(op, x, clamped);
        let ty = b.ty(x);
        let none = zero(b, ty);
        b.select(beyond, none, shifted)
    })
}
