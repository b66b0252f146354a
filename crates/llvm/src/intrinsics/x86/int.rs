//! Integer operations on lanes, masks of sign bits, and memory.

use byway_ir::{BinOp, FunctionBuilder, Icmp, Operand, Ty, UnOp};

use super::pack::{absolute_difference, sum};
use super::{
    FlatValue, Shape, extend, groups, immediate, lane_ty, map1, map2, map3, masked, reinterpret,
    resize, sign, zero,
};

/// See [`super::lower`].
pub(super) fn lower(
    b: &mut FunctionBuilder,
    op: &str,
    args: &[FlatValue],
    ret: &Shape,
) -> Option<Vec<Operand>> {
    match (op, args) {
        ("pabs.b" | "pabs.w" | "pabs.d", [x]) => map1(b, x, |b, x| b.un(UnOp::Abs, x)),
        ("pavg.b" | "pavg.w", [x, y]) => map2(b, x, y, average),
        ("pmulh.w", [x, y]) => map2(b, x, y, |b, x, y| high_product(b, true, x, y)),
        ("pmulhu.w", [x, y]) => map2(b, x, y, |b, x, y| high_product(b, false, x, y)),
        ("pmul.hr.sw", [x, y]) => map2(b, x, y, rounded_product),
        ("psign.b" | "psign.w" | "psign.d", [x, y]) => map2(b, x, y, with_sign),
        ("pmovmskb" | "movmsk.ps" | "movmsk.pd", [x]) => {
            let bits: Vec<Operand> = x.leaves.iter().map(|&lane| sign(b, lane)).collect();
            let mask = reinterpret(b, &bits, &[Ty::Int(bits.len() as u8)]).ok()?;
            Some(vec![resize(b, *mask.first()?, lane_ty(ret)?.bits())])
        }
        ("pblendvb" | "blendvps" | "blendvpd", [x, y, mask]) => {
            map3(b, x, y, mask, |b, x, y, m| {
                let second = sign(b, m);
                b.select(second, y, x)
            })
        }
        ("ptestz" | "ptestc" | "ptestnzc", [x, y]) => test(b, op, x, y, ret),
        ("mpsadbw", [x, y, at]) => block_differences(b, x, y, at),
        ("phminposuw", [x]) => minimum_position(b, x),
        // One unaligned load; the lanes are bytes.
        ("ldu.dq", [p]) => {
            let [p] = p.leaves[..] else { return None };
            let ty = lane_ty(ret)?;
            let bytes = ty.store_bytes() as i64;
            Some(
                (0..ret.leaf_count() as i64)
                    .map(|i| {
                        let address = b.ptr_add(p, i * bytes, None, false);
                        b.load(ty, address, 1, false)
                    })
                    .collect(),
            )
        }
        ("maskmov.dqu", [x, mask, p]) => {
            let [p] = p.leaves[..] else { return None };
            let bits = mask.leaves.iter().map(|&m| sign(b, m)).collect();
            let mask = FlatValue { shape: Shape::Vector(Ty::BOOL, 16), leaves: bits };
            let pointers: Vec<Operand> =
                (0..x.leaves.len()).map(|i| b.ptr_add(p, i as i64, None, false)).collect();
            masked::stores(b, &pointers, 1, x, &mask)
        }
        _ => None,
    }
}

/// The mean of unsigned lanes, rounded up.
fn average(b: &mut FunctionBuilder, x: Operand, y: Operand) -> Operand {
    let width = b.ty(x).bits();
    let (x, y) = (extend(b, false, x, 2 * width), extend(b, false, y, 2 * width));
    let one = b.int(2 * width, 1);
    let total = b.bin(BinOp::Add, x, y);
    let total = b.bin(BinOp::Add, total, one);
    let mean = b.bin(BinOp::LShr, total, one);
    resize(b, mean, width)
}

/// The upper half of a product.
fn high_product(b: &mut FunctionBuilder, signed: bool, x: Operand, y: Operand) -> Operand {
    let width = b.ty(x).bits();
    let (x, y) = (extend(b, signed, x, 2 * width), extend(b, signed, y, 2 * width));
    let product = b.bin(BinOp::Mul, x, y);
    let amount = b.int(2 * width, i128::from(width));
    let high = b.bin(BinOp::LShr, product, amount);
    resize(b, high, width)
}

/// A product of fixed-point numbers with 15 fraction bits, rounded to nearest.
fn rounded_product(b: &mut FunctionBuilder, x: Operand, y: Operand) -> Operand {
    let (x, y) = (extend(b, true, x, 32), extend(b, true, y, 32));
    let product = b.bin(BinOp::Mul, x, y);
    let (one, fourteen) = (b.int(32, 1), b.int(32, 14));
    let scaled = b.bin(BinOp::AShr, product, fourteen);
    let rounded = b.bin(BinOp::Add, scaled, one);
    let halved = b.bin(BinOp::AShr, rounded, one);
    resize(b, halved, 16)
}

/// `x` negated where `y` is negative, zero where it is zero.
fn with_sign(b: &mut FunctionBuilder, x: Operand, y: Operand) -> Operand {
    let ty = b.ty(x);
    let none = zero(b, ty);
    let negated = b.bin(BinOp::Sub, none, x);
    let negative = b.icmp(Icmp::Slt, y, none);
    let signed = b.select(negative, negated, x);
    let absent = b.icmp(Icmp::Eq, y, none);
    b.select(absent, none, signed)
}

/// `ptestz`: no bit is set in both; `ptestc`: every bit of `y` is set in `x`; `ptestnzc`:
/// neither.
fn test(
    b: &mut FunctionBuilder,
    op: &str,
    x: &FlatValue,
    y: &FlatValue,
    ret: &Shape,
) -> Option<Vec<Operand>> {
    let ty = b.ty(*x.leaves.first()?);
    let (none, ones) = (zero(b, ty), b.bits(ty, u128::MAX));
    let common = map2(b, x, y, |b, x, y| b.bin(BinOp::And, x, y))?;
    let missing = map2(b, x, y, |b, x, y| {
        let outside = b.bin(BinOp::Xor, x, ones);
        b.bin(BinOp::And, outside, y)
    })?;
    let mut any = |lanes: Vec<Operand>| {
        let all = lanes.into_iter().reduce(|x, y| b.bin(BinOp::Or, x, y)).unwrap_or(none);
        (b.icmp(Icmp::Eq, all, none), b.icmp(Icmp::Ne, all, none))
    };
    let (no_common, some_common) = any(common);
    let (no_missing, some_missing) = any(missing);
    let bit = match op {
        "ptestz" => no_common,
        "ptestc" => no_missing,
        _ => b.bin(BinOp::And, some_common, some_missing),
    };
    Some(vec![extend(b, false, bit, lane_ty(ret)?.bits())])
}

/// Sums of absolute differences of four bytes of `y` and eight windows of `x`.
fn block_differences(
    b: &mut FunctionBuilder,
    x: &FlatValue,
    y: &FlatValue,
    at: &FlatValue,
) -> Option<Vec<Operand>> {
    let at = immediate(b, at)? as usize;
    let mut out = Vec::new();
    for (group, (x, y)) in groups(b, x)?.zip(groups(b, y)?).enumerate() {
        let at = at >> (3 * group);
        let (x_start, y_start) = ((at >> 2 & 1) * 4, (at & 3) * 4);
        for i in 0..8 {
            let differences: Vec<Operand> = (0..4)
                .map(|k| absolute_difference(b, x[x_start + i + k], y[y_start + k]))
                .collect();
            out.push(sum(b, &differences, 16));
        }
    }
    Some(out)
}

/// The least unsigned word and its first index, then zeros.
fn minimum_position(b: &mut FunctionBuilder, x: &FlatValue) -> Option<Vec<Operand>> {
    let (&first, rest) = x.leaves.split_first()?;
    let none = b.int(16, 0);
    let mut best = (first, none);
    for (i, &lane) in rest.iter().enumerate() {
        let below = b.icmp(Icmp::Ult, lane, best.0);
        let index = b.int(16, i as i128 + 1);
        best = (b.select(below, lane, best.0), b.select(below, index, best.1));
    }
    let mut out = vec![none; x.leaves.len()];
    out[0] = best.0;
    *out.get_mut(1)? = best.1;
    Some(out)
}
