//! Operations on floats, for the formats with symbolic operations.

use byway_base::ExprId;
use byway_base::float::Format;
use byway_expr::{Op, Pool, RoundTo};
use byway_ir::{CastOp, FBinOp, FUnOp, Fcmp, Ty};

use super::Oracle;
use super::slots::term;
use crate::bytecode::{General, TypedSlot};
use crate::interp::general::format;
use crate::reason::ConcretisationReason;
use crate::stop::ExecResult;
use crate::value::Value;

/// The slot and the term of the result of an operation on floats; `None` if its format has no
/// symbolic operations.
pub(super) fn result(
    pool: &mut Pool,
    general: &General,
    regs: &[Value],
) -> Option<(TypedSlot, ExprId)> {
    let bit = |slot| TypedSlot { ty: Ty::BOOL, slot };
    Some(match *general {
        General::FBin { op, d, a, b } => {
            let (x, y) = (term(pool, regs, a), term(pool, regs, b));
            (d, fbin(pool, op, format(d.ty), x, y)?)
        }
        General::FUn { op, d, a } => {
            let x = term(pool, regs, a);
            (d, fun(pool, op, format(d.ty), x)?)
        }
        General::Fma { d, a, b, c } => {
            let (x, y) = (term(pool, regs, a), term(pool, regs, b));
            let z = term(pool, regs, c);
            (d, pool.ffma(format(d.ty), x, y, z)?)
        }
        General::Fcmp { pred, d, a, b } => {
            let (x, y) = (term(pool, regs, a), term(pool, regs, b));
            (bit(d), fcmp(pool, pred, format(a.ty), x, y)?)
        }
        General::FpClass { d, a, mask } => {
            let x = term(pool, regs, a);
            (bit(d), pool.fclass(format(a.ty), x, mask)?)
        }
        General::Cast { op, d, a } => {
            let x = term(pool, regs, a);
            (d, cast(pool, op, a.ty, d.ty, x)?)
        }
        _ => return None,
    })
}

/// Whether the result of an operation on floats needs no theory of long doubles: it contains
/// none, or only one converted from an integer or a shorter float. A sign is a bit of any
/// number.
pub(super) fn is_plain(pool: &mut Pool, general: &General, result: ExprId) -> bool {
    let to = match *general {
        General::FBin { op: FBinOp::CopySign, .. }
        | General::FUn { op: FUnOp::Neg | FUnOp::Abs, .. } => return true,
        General::FBin { d, .. } | General::FUn { d, .. } | General::Fma { d, .. } => d.ty,
        General::Cast { d, .. } => d.ty,
        _ => Ty::BOOL,
    };
    match to {
        Ty::F80 => {
            pool.node(result).op() == Op::FConvert || pool.is_integer_float(Format::F80, result)
        }
        _ => !pool.contains_long_double(result),
    }
}

/// Loaded bits, with every long double that contributes to them concretised.
pub fn plain_bits(pool: &mut Pool, oracle: &mut dyn Oracle, bits: ExprId) -> ExecResult<ExprId> {
    if !pool.contains_long_double(bits) {
        return Ok(bits);
    }
    let node = pool.node(bits);
    if node.op().has_float_result() {
        let value = fix(pool, oracle, bits, ConcretisationReason::Float(Format::F80))?;
        return Ok(pool.constant(node.width(), value));
    }
    let mut operands = Vec::with_capacity(node.operands().len());
    for operand in node.operands() {
        operands.push(plain_bits(pool, oracle, operand)?);
    }
    Ok(pool.with_operands(bits, &operands))
}

/// Concretises a float. For one converted from another number, that number is concretised:
/// the solver then needs no theory of floats.
pub(super) fn fix(
    pool: &mut Pool,
    oracle: &mut dyn Oracle,
    bits: ExprId,
    reason: ConcretisationReason,
) -> ExecResult<u128> {
    let node = pool.node(bits);
    if !matches!(node.op(), Op::FConvert | Op::FFromSi | Op::FFromUi) {
        return oracle.fix(pool, bits, reason);
    }
    let mut numbers = Vec::with_capacity(1);
    for operand in node.operands() {
        let value = oracle.fix(pool, operand, reason)?;
        numbers.push(pool.constant(pool.width(operand), value));
    }
    let result = pool.with_operands(bits, &numbers);
    match pool.value(result) {
        Some(value) => Ok(value),
        None => oracle.fix(pool, result, reason),
    }
}

/// The operands of an operation on floats, and the reason if they must be fixed: the format
/// without symbolic operations.
pub(super) fn operands(general: &General) -> (Vec<TypedSlot>, ConcretisationReason) {
    let (places, format) = match *general {
        General::FBin { a, b, .. } | General::Fcmp { a, b, .. } => (vec![a, b], format(a.ty)),
        General::FUn { a, .. } | General::FpClass { a, .. } => (vec![a], format(a.ty)),
        General::Fma { a, b, c, .. } => (vec![a, b, c], format(a.ty)),
        General::Cast { d, a, .. } => match (format(d.ty), format(a.ty)) {
            (Format::F32 | Format::F64 | Format::F80, of) | (of, _) => (vec![a], of),
        },
        _ => (Vec::new(), Format::F64),
    };
    (places, ConcretisationReason::Float(format))
}

fn fbin(pool: &mut Pool, op: FBinOp, format: Format, a: ExprId, b: ExprId) -> Option<ExprId> {
    match op {
        FBinOp::Add => pool.fadd(format, a, b),
        FBinOp::Sub => pool.fsub(format, a, b),
        FBinOp::Mul => pool.fmul(format, a, b),
        FBinOp::Div => pool.fdiv(format, a, b),
        FBinOp::Rem => pool.frem(format, a, b),
        FBinOp::MinNum => pool.fmin_num(format, a, b),
        FBinOp::MaxNum => pool.fmax_num(format, a, b),
        FBinOp::Minimum => pool.fminimum(format, a, b),
        FBinOp::Maximum => pool.fmaximum(format, a, b),
        FBinOp::MinimumNum => pool.fminimum_num(format, a, b),
        FBinOp::MaximumNum => pool.fmaximum_num(format, a, b),
        FBinOp::CopySign => Some(pool.fcopysign(format, a, b)),
    }
}

fn fun(pool: &mut Pool, op: FUnOp, format: Format, a: ExprId) -> Option<ExprId> {
    match op {
        FUnOp::Neg => Some(pool.fneg(format, a)),
        FUnOp::Abs => Some(pool.fabs(format, a)),
        FUnOp::Sqrt => pool.fsqrt(format, a),
        FUnOp::Floor => pool.fround(format, RoundTo::Floor, a),
        FUnOp::Ceil => pool.fround(format, RoundTo::Ceil, a),
        FUnOp::Trunc => pool.fround(format, RoundTo::Trunc, a),
        FUnOp::RoundEven => pool.fround(format, RoundTo::NearestEven, a),
        FUnOp::Round => pool.fround(format, RoundTo::NearestAway, a),
    }
}

/// The unordered predicates are the negations of the ordered ones: comparisons of terms are
/// false for NaN.
fn fcmp(pool: &mut Pool, pred: Fcmp, format: Format, a: ExprId, b: ExprId) -> Option<ExprId> {
    let ordered = match pred {
        Fcmp::False | Fcmp::True => pool.boolean(false),
        Fcmp::Oeq | Fcmp::Une => pool.feq(format, a, b)?,
        Fcmp::Ogt | Fcmp::Ule => pool.flt(format, b, a)?,
        Fcmp::Oge | Fcmp::Ult => pool.fle(format, b, a)?,
        Fcmp::Olt | Fcmp::Uge => pool.flt(format, a, b)?,
        Fcmp::Ole | Fcmp::Ugt => pool.fle(format, a, b)?,
        Fcmp::One | Fcmp::Ueq => {
            let (less, greater) = (pool.flt(format, a, b)?, pool.flt(format, b, a)?);
            pool.or(less, greater)
        }
        Fcmp::Uno => return pool.funordered(format, a, b),
        Fcmp::Ord => {
            let unordered = pool.funordered(format, a, b)?;
            return Some(pool.not(unordered));
        }
    };
    Some(match pred {
        Fcmp::Une | Fcmp::Ule | Fcmp::Ult | Fcmp::Uge | Fcmp::Ugt | Fcmp::Ueq | Fcmp::True => {
            pool.not(ordered)
        }
        _ => ordered,
    })
}

fn cast(pool: &mut Pool, op: CastOp, from: Ty, to: Ty, a: ExprId) -> Option<ExprId> {
    let width = to.bits();
    match op {
        CastOp::FpToSi => pool.fto_si(format(from), a, width),
        CastOp::FpToUi => pool.fto_ui(format(from), a, width),
        CastOp::FpToSiSat => pool.fto_si_sat(format(from), a, width),
        CastOp::FpToUiSat => pool.fto_ui_sat(format(from), a, width),
        CastOp::SiToFp => pool.ffrom_si(format(to), a),
        CastOp::UiToFp => pool.ffrom_ui(format(to), a),
        CastOp::FpConvert => pool.fconvert(format(from), format(to), a),
        CastOp::Trunc
        | CastOp::Zext
        | CastOp::Sext
        | CastOp::Bitcast
        | CastOp::PtrToInt
        | CastOp::IntToPtr
        | CastOp::Freeze => None,
    }
}
