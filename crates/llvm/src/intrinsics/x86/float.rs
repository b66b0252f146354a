//! Floating-point operations on lanes. Minimum and maximum have the processor's semantics,
//! not IEEE's: with a NaN, or two zeros, they return their second operand.

use byway_ir::{CastOp, FBinOp, FUnOp, Fcmp, FunctionBuilder, Operand};

use super::{
    FlatValue, Shape, extend, groups, immediate, lane_ty, map1, map2, same_lanes, spread, zero,
};

/// See [`super::lower`].
pub(super) fn lower(
    b: &mut FunctionBuilder,
    op: &str,
    args: &[FlatValue],
    ret: &Shape,
) -> Option<Vec<Operand>> {
    match (op, args) {
        ("min.ps" | "min.pd", [x, y]) => map2(b, x, y, |b, x, y| pick(b, Fcmp::Olt, x, y)),
        ("max.ps" | "max.pd", [x, y]) => map2(b, x, y, |b, x, y| pick(b, Fcmp::Ogt, x, y)),
        ("min.ss" | "min.sd", [x, y]) => first(b, x, y, |b, x, y| pick(b, Fcmp::Olt, x, y)),
        ("max.ss" | "max.sd", [x, y]) => first(b, x, y, |b, x, y| pick(b, Fcmp::Ogt, x, y)),
        ("cmp.ps" | "cmp.pd", [x, y, pred]) => {
            let pred = predicate(immediate(b, pred)?);
            same_lanes(x, y)?;
            x.leaves.iter().zip(&y.leaves).map(|(&x, &y)| mask(b, pred, x, y)).collect()
        }
        ("cmp.ss" | "cmp.sd", [x, y, pred]) => {
            let pred = predicate(immediate(b, pred)?);
            let lane = mask(b, pred, *x.leaves.first()?, *y.leaves.first()?)?;
            first(b, x, y, |_, _, _| lane)
        }
        ("addsub.ps" | "addsub.pd", [x, y]) => {
            let mut odd = true;
            map2(b, x, y, |b, x, y| {
                odd = !odd;
                b.fbin(if odd { FBinOp::Add } else { FBinOp::Sub }, x, y)
            })
        }
        ("dpps" | "dppd", [x, y, control]) => dot(b, x, y, control),
        ("insertps", [x, y, control]) => insert(b, x, y, control),
        ("round.ps" | "round.pd", [x, mode]) => {
            let mode = rounding(immediate(b, mode)?);
            map1(b, x, |b, x| b.fun(mode, x))
        }
        ("round.ss" | "round.sd", [x, y, mode]) => {
            let mode = rounding(immediate(b, mode)?);
            first(b, x, y, |b, _, y| b.fun(mode, y))
        }
        ("cvtps2dq" | "cvtpd2dq" | "cvt.ps2dq" | "cvt.pd2dq", [x]) => to_ints(b, x, ret, true),
        ("cvttps2dq" | "cvttpd2dq" | "cvtt.ps2dq" | "cvtt.pd2dq", [x]) => to_ints(b, x, ret, false),
        ("cvtss2si" | "cvtss2si64" | "cvtsd2si" | "cvtsd2si64", [x]) => to_int(b, x, ret, true),
        ("cvttss2si" | "cvttss2si64" | "cvttsd2si" | "cvttsd2si64", [x]) => {
            to_int(b, x, ret, false)
        }
        ("cvtpd2ps", [x]) => {
            let ty = lane_ty(ret)?;
            let lanes = map1(b, x, |b, x| b.cast(CastOp::FpConvert, x, ty))?;
            padded(b, lanes, ret)
        }
        ("cvtsd2ss", [x, y]) => {
            let ty = lane_ty(ret)?;
            let lane = b.cast(CastOp::FpConvert, *y.leaves.first()?, ty);
            let mut lanes = x.leaves.clone();
            *lanes.first_mut()? = lane;
            Some(lanes)
        }
        _ => ordered_comparison(b, op, args, ret),
    }
}

/// `x` if the comparison holds, else `y`.
fn pick(b: &mut FunctionBuilder, pred: Fcmp, x: Operand, y: Operand) -> Operand {
    let holds = b.fcmp(pred, x, y);
    b.select(holds, x, y)
}

/// `f` on the first lanes; the others are those of `x`.
fn first(
    b: &mut FunctionBuilder,
    x: &FlatValue,
    y: &FlatValue,
    f: impl FnOnce(&mut FunctionBuilder, Operand, Operand) -> Operand,
) -> Option<Vec<Operand>> {
    let mut lanes = x.leaves.clone();
    let lane = lanes.first_mut()?;
    *lane = f(b, *lane, *y.leaves.first()?);
    Some(lanes)
}

/// All ones where the comparison holds, in the bits of a float.
fn mask(b: &mut FunctionBuilder, pred: Fcmp, x: Operand, y: Operand) -> Option<Operand> {
    let holds = b.fcmp(pred, x, y);
    let ty = b.ty(x);
    spread(b, holds, ty)
}

/// The predicate with this number; the upper half of the numbers differs only in the
/// exceptions raised.
fn predicate(number: u128) -> Fcmp {
    match number & 15 {
        0 => Fcmp::Oeq,
        1 => Fcmp::Olt,
        2 => Fcmp::Ole,
        3 => Fcmp::Uno,
        4 => Fcmp::Une,
        5 => Fcmp::Uge,
        6 => Fcmp::Ugt,
        7 => Fcmp::Ord,
        8 => Fcmp::Ueq,
        9 => Fcmp::Ult,
        10 => Fcmp::Ule,
        11 => Fcmp::False,
        12 => Fcmp::One,
        13 => Fcmp::Oge,
        14 => Fcmp::Ogt,
        _ => Fcmp::True,
    }
}

/// `comieq.ss` and similar: compares the first lanes to an integer result. With a NaN, only
/// `neq` holds.
fn ordered_comparison(
    b: &mut FunctionBuilder,
    op: &str,
    args: &[FlatValue],
    ret: &Shape,
) -> Option<Vec<Operand>> {
    let (op, _) = op.split_once('.')?;
    let pred = match op.strip_prefix('u').unwrap_or(op).strip_prefix("comi")? {
        "eq" => Fcmp::Oeq,
        "lt" => Fcmp::Olt,
        "le" => Fcmp::Ole,
        "gt" => Fcmp::Ogt,
        "ge" => Fcmp::Oge,
        "neq" => Fcmp::Une,
        _ => return None,
    };
    let [x, y] = args else { return None };
    let holds = b.fcmp(pred, *x.leaves.first()?, *y.leaves.first()?);
    Some(vec![extend(b, false, holds, lane_ty(ret)?.bits())])
}

/// The rounding mode of a control byte; bit 2 selects the current mode.
fn rounding(control: u128) -> FUnOp {
    match control & 7 {
        1 => FUnOp::Floor,
        2 => FUnOp::Ceil,
        3 => FUnOp::Trunc,
        _ => FUnOp::RoundEven,
    }
}

fn to_ints(
    b: &mut FunctionBuilder,
    x: &FlatValue,
    ret: &Shape,
    round: bool,
) -> Option<Vec<Operand>> {
    let ty = lane_ty(ret)?;
    let lanes = map1(b, x, |b, x| {
        let x = if round { b.fun(FUnOp::RoundEven, x) } else { x };
        b.cast(CastOp::FpToSi, x, ty)
    })?;
    padded(b, lanes, ret)
}

fn to_int(
    b: &mut FunctionBuilder,
    x: &FlatValue,
    ret: &Shape,
    round: bool,
) -> Option<Vec<Operand>> {
    let lane = *x.leaves.first()?;
    let only = FlatValue { shape: Shape::Scalar(b.ty(lane)), leaves: vec![lane] };
    to_ints(b, &only, ret, round)
}

/// Appends zeros up to the number of lanes of the result.
fn padded(b: &mut FunctionBuilder, mut lanes: Vec<Operand>, ret: &Shape) -> Option<Vec<Operand>> {
    let ty = lane_ty(ret)?;
    let none = zero(b, ty);
    lanes.resize(ret.leaf_count().max(lanes.len()), none);
    Some(lanes)
}

/// The dot product: the upper bits of the control select the products, the lower bits the
/// lanes that receive the sum. Products are summed pairwise.
fn dot(
    b: &mut FunctionBuilder,
    x: &FlatValue,
    y: &FlatValue,
    control: &FlatValue,
) -> Option<Vec<Operand>> {
    let control = immediate(b, control)?;
    let ty = b.ty(*x.leaves.first()?);
    let none = zero(b, ty);
    let mut out = Vec::new();
    for (x, y) in groups(b, x)?.zip(groups(b, y)?) {
        let products: Vec<Operand> = x
            .iter()
            .zip(y)
            .enumerate()
            .map(|(i, (&x, &y))| match control >> (4 + i) & 1 {
                1 => b.fbin(FBinOp::Mul, x, y),
                _ => none,
            })
            .collect();
        let mut sums = products;
        while sums.len() > 1 {
            sums = sums.chunks_exact(2).map(|p| b.fbin(FBinOp::Add, p[0], p[1])).collect();
        }
        let sum = *sums.first()?;
        out.extend((0..x.len()).map(|i| if control >> i & 1 == 1 { sum } else { none }));
    }
    Some(out)
}

/// Inserts one lane of `y` into `x`, then clears the lanes selected by the control.
fn insert(
    b: &mut FunctionBuilder,
    x: &FlatValue,
    y: &FlatValue,
    control: &FlatValue,
) -> Option<Vec<Operand>> {
    let control = immediate(b, control)? as usize;
    let mut lanes = x.leaves.clone();
    *lanes.get_mut(control >> 4 & 3)? = *y.leaves.get(control >> 6 & 3)?;
    let ty = lane_ty(&x.shape)?;
    let none = zero(b, ty);
    for (i, lane) in lanes.iter_mut().enumerate() {
        if control >> i & 1 == 1 {
            *lane = none;
        }
    }
    Some(lanes)
}
