//! Narrowing with saturation, horizontal sums and byte shuffles: operations that mix
//! lanes within each 128 bits.

use byway_ir::{BinOp, CastOp, FBinOp, FunctionBuilder, Icmp, Operand, Ty};

use super::{FlatValue, extend, groups, map2, reinterpret, resize, sign, zero};

/// See [`super::lower`].
pub(super) fn lower(b: &mut FunctionBuilder, op: &str, args: &[FlatValue]) -> Option<Vec<Operand>> {
    let [x, y] = args else { return None };
    match op {
        "packsswb" | "packssdw" => pack(b, x, y, true),
        "packuswb" | "packusdw" => pack(b, x, y, false),
        "phadd.w" | "phadd.d" => pairs(b, x, y, |b, x, y| b.bin(BinOp::Add, x, y)),
        "phsub.w" | "phsub.d" => pairs(b, x, y, |b, x, y| b.bin(BinOp::Sub, x, y)),
        "phadd.sw" => pairs(b, x, y, |b, x, y| b.bin(BinOp::SAddSat, x, y)),
        "phsub.sw" => pairs(b, x, y, |b, x, y| b.bin(BinOp::SSubSat, x, y)),
        "hadd.ps" | "hadd.pd" => pairs(b, x, y, |b, x, y| b.fbin(FBinOp::Add, x, y)),
        "hsub.ps" | "hsub.pd" => pairs(b, x, y, |b, x, y| b.fbin(FBinOp::Sub, x, y)),
        "pshuf.b" => shuffle(b, x, y),
        "psad.bw" => {
            let differences = absolute_differences(b, x, y)?;
            Some(differences.chunks(8).map(|part| sum(b, part, 64)).collect())
        }
        // Products of adjacent lanes, summed in twice the width. Only a sum of two
        // products of the most negative word overflows, and it wraps.
        "pmadd.wd" => {
            let products = map2(b, x, y, |b, x, y| {
                let (x, y) = (extend(b, true, x, 32), extend(b, true, y, 32));
                b.bin(BinOp::Mul, x, y)
            })?;
            neighbours(b, &products, BinOp::Add)
        }
        "pmadd.ub.sw" => {
            let products = map2(b, x, y, |b, x, y| {
                let (x, y) = (extend(b, false, x, 16), extend(b, true, y, 16));
                b.bin(BinOp::Mul, x, y)
            })?;
            neighbours(b, &products, BinOp::SAddSat)
        }
        _ => None,
    }
}

/// Narrows the signed lanes of both vectors to half their width, with saturation to a
/// signed or unsigned result.
fn pack(
    b: &mut FunctionBuilder,
    x: &FlatValue,
    y: &FlatValue,
    signed: bool,
) -> Option<Vec<Operand>> {
    let width = b.ty(*x.leaves.first()?).bits();
    let half = width / 2;
    let (low, high) = if signed {
        (-(1i128 << (half - 1)), (1i128 << (half - 1)) - 1)
    } else {
        (0, (1i128 << half) - 1)
    };
    let (low, high) = (b.int(width, low), b.int(width, high));
    let mut out = Vec::new();
    for (x, y) in groups(b, x)?.zip(groups(b, y)?) {
        for &lane in x.iter().chain(y) {
            let lane = b.bin(BinOp::SMax, lane, low);
            let lane = b.bin(BinOp::SMin, lane, high);
            out.push(b.cast(CastOp::Trunc, lane, Ty::Int(half as u8)));
        }
    }
    Some(out)
}

/// `f` on pairs of adjacent lanes, first of one vector, then of the other.
fn pairs(
    b: &mut FunctionBuilder,
    x: &FlatValue,
    y: &FlatValue,
    mut f: impl FnMut(&mut FunctionBuilder, Operand, Operand) -> Operand,
) -> Option<Vec<Operand>> {
    let mut out = Vec::new();
    for (x, y) in groups(b, x)?.zip(groups(b, y)?) {
        for pair in x.chunks_exact(2).chain(y.chunks_exact(2)) {
            out.push(f(b, pair[0], pair[1]));
        }
    }
    Some(out)
}

fn neighbours(b: &mut FunctionBuilder, lanes: &[Operand], op: BinOp) -> Option<Vec<Operand>> {
    Some(lanes.chunks_exact(2).map(|pair| b.bin(op, pair[0], pair[1])).collect())
}

/// Selects each byte by an index; zero if the index has its sign bit set. The table is one
/// 128-bit integer, shifted so that the selected byte is lowest.
fn shuffle(
    b: &mut FunctionBuilder,
    table: &FlatValue,
    indices: &FlatValue,
) -> Option<Vec<Operand>> {
    let (three, mask) = (b.int(8, 3), b.int(8, 15));
    let none = zero(b, Ty::Int(8));
    let mut out = Vec::new();
    for (table, indices) in groups(b, table)?.zip(groups(b, indices)?) {
        let table = *reinterpret(b, table, &[Ty::Int(128)]).ok()?.first()?;
        for &index in indices {
            let position = b.bin(BinOp::And, index, mask);
            let bits = b.bin(BinOp::Shl, position, three);
            let bits = resize(b, bits, 128);
            let byte = b.bin(BinOp::LShr, table, bits);
            let byte = resize(b, byte, 8);
            let cleared = sign(b, index);
            out.push(b.select(cleared, none, byte));
        }
    }
    Some(out)
}

/// `|x - y|` of unsigned lanes.
pub(super) fn absolute_differences(
    b: &mut FunctionBuilder,
    x: &FlatValue,
    y: &FlatValue,
) -> Option<Vec<Operand>> {
    map2(b, x, y, absolute_difference)
}

/// `|x - y|`, both unsigned.
pub(super) fn absolute_difference(b: &mut FunctionBuilder, x: Operand, y: Operand) -> Operand {
    let above = b.icmp(Icmp::Ugt, x, y);
    let (forth, back) = (b.bin(BinOp::Sub, x, y), b.bin(BinOp::Sub, y, x));
    b.select(above, forth, back)
}

/// The sum of unsigned lanes in a wider type.
pub(super) fn sum(b: &mut FunctionBuilder, lanes: &[Operand], width: u32) -> Operand {
    let wide: Vec<Operand> = lanes.iter().map(|&x| extend(b, false, x, width)).collect();
    match wide.split_first() {
        Some((&first, rest)) => rest.iter().fold(first, |x, &y| b.bin(BinOp::Add, x, y)),
        None => b.int(width, 0),
    }
}
