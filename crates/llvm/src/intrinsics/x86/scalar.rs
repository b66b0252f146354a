//! Scalar operations, and instructions without an effect here: fences and cache hints in a
//! program with one thread, and cycle counters, which do not advance.

use byway_ir::{BinOp, CastOp, FunctionBuilder, Operand, OverflowOp, Ty};

use super::{FlatValue, Shape, extend, resize, zero};

/// The polynomial of the `crc32` instruction (Castagnoli), bits reversed.
const CASTAGNOLI: i128 = 0x82f6_3b78;

/// See [`super::lower`].
pub(super) fn lower(
    b: &mut FunctionBuilder,
    op: &str,
    args: &[FlatValue],
    ret: &Shape,
) -> Option<Vec<Operand>> {
    match (op, args) {
        (
            "sse2.pause" | "sse2.lfence" | "sse2.mfence" | "sse.sfence" | "sse2.clflush"
            | "clflushopt" | "clwb" | "mmx.emms" | "avx.vzeroall" | "avx.vzeroupper",
            _,
        ) => Some(Vec::new()),
        ("rdtsc" | "rdtscp" | "rdpmc", _) => {
            Some(ret.leaves().into_iter().map(|ty| zero(b, ty)).collect())
        }
        // The mode is always the initial one.
        ("sse.stmxcsr", [p]) => {
            let mode = b.int(32, 0x1f80);
            b.store(*p.leaves.first()?, mode, 4, false);
            Some(Vec::new())
        }
        ("addcarry.32" | "addcarry.64", [c, x, y]) => {
            carry(b, OverflowOp::UAdd, *c.leaves.first()?, *x.leaves.first()?, *y.leaves.first()?)
        }
        ("subborrow.32" | "subborrow.64", [c, x, y]) => {
            carry(b, OverflowOp::USub, *c.leaves.first()?, *x.leaves.first()?, *y.leaves.first()?)
        }
        (
            "sse42.crc32.32.8" | "sse42.crc32.32.16" | "sse42.crc32.32.32" | "sse42.crc32.64.64",
            [crc, data],
        ) => crc32(b, *crc.leaves.first()?, *data.leaves.first()?),
        _ => None,
    }
}

/// `x op y op c` and the carry out, where any non-zero byte `c` counts as a carry in.
fn carry(
    b: &mut FunctionBuilder,
    op: OverflowOp,
    c: Operand,
    x: Operand,
    y: Operand,
) -> Option<Vec<Operand>> {
    let none = b.int(8, 0);
    let carry_in = b.icmp(byway_ir::Icmp::Ne, c, none);
    let carry_in = extend(b, false, carry_in, b.ty(x).bits());
    let (partial, first) = b.overflow(op, x, y);
    let (total, second) = b.overflow(op, partial, carry_in);
    let carry_out = b.bin(BinOp::Or, first, second);
    let carry_out = b.cast(CastOp::Zext, carry_out, Ty::Int(8));
    Some(vec![carry_out, total])
}

/// One step of the checksum for each bit of the data, lowest first.
fn crc32(b: &mut FunctionBuilder, crc: Operand, data: Operand) -> Option<Vec<Operand>> {
    let (result_width, bits) = (b.ty(crc).bits(), b.ty(data).bits());
    let crc = resize(b, crc, 32);
    // The first 32 bits of the data enter at once, the rest after 32 steps.
    let mut state = resize(b, crc, bits.max(32));
    let width = b.ty(state).bits();
    let data = resize(b, data, width);
    state = b.bin(BinOp::Xor, state, data);
    let (one, none) = (b.int(width, 1), b.int(width, 0));
    let polynomial = b.int(width, CASTAGNOLI);
    for _ in 0..bits {
        let odd = b.cast(CastOp::Trunc, state, Ty::BOOL);
        let shifted = b.bin(BinOp::LShr, state, one);
        let term = b.select(odd, polynomial, none);
        state = b.bin(BinOp::Xor, shifted, term);
    }
    let state = resize(b, state, 32);
    Some(vec![resize(b, state, result_width)])
}
