//! Executes general operations on terms. Operations on floats are in `float.rs`; those that
//! terms cannot express concretise their operands and compute with words.

use byway_base::ExprId;
use byway_base::int::{self, DivError};
use byway_expr::Pool;
use byway_ir::{BinOp, CastOp, Icmp, OverflowOp, UnOp};

use super::ops::{known_bit, select};
use super::slots::{set, term, term_of, value_of};
use super::{Oracle, float, keeps};
use crate::LongDoubles;
use crate::bytecode::{General, TypedSlot};
use crate::interp::general as concrete;
use crate::stop::{ExecResult, ValueUse};
use crate::value::Value;

/// Executes a general operation.
pub fn general(
    pool: &mut Pool,
    oracle: &mut dyn Oracle,
    long_doubles: LongDoubles,
    general: &General,
    regs: &mut [Value],
) -> ExecResult<()> {
    match *general {
        General::Bin { op, d, a, b } => {
            let (x, y) = (term(pool, regs, a), term(pool, regs, b));
            let result = bin(pool, oracle, op, x, y)?;
            let result = of_wide(pool, oracle, long_doubles, a, result)?;
            set(pool, regs, d, result);
        }
        General::Un { op, d, a } => {
            let x = term(pool, regs, a);
            let result = un(pool, op, x);
            set(pool, regs, d, result);
        }
        General::Overflow { op, d, overflow: flag, a, b } => {
            let (x, y) = (term(pool, regs, a), term(pool, regs, b));
            let (result, overflows) = overflow(pool, op, x, y);
            set(pool, regs, d, result);
            regs[flag as usize] = value_of(pool, overflows);
        }
        General::Funnel { left, d, a, b, amount } => {
            let (x, y) = (term(pool, regs, a), term(pool, regs, b));
            let by = term(pool, regs, amount);
            let result =
                if left { pool.funnel_left(x, y, by) } else { pool.funnel_right(x, y, by) };
            set(pool, regs, d, result);
        }
        General::Icmp { pred, d, a, b } => {
            let (x, y) = (term(pool, regs, a), term(pool, regs, b));
            let holds = icmp(pool, pred, x, y);
            let holds = of_wide(pool, oracle, long_doubles, a, holds)?;
            regs[d as usize] = value_of(pool, holds);
        }
        General::PtrIndex { d, base, index, scale } => {
            let steps = term(pool, regs, index);
            let steps = match index.ty.is_wide() {
                true => pool.extract(steps, 0, 64),
                false => pool.sext(steps, 64),
            };
            let base = term_of(pool, regs[base as usize], 64);
            let scale = pool.constant(64, i128::from(scale) as u128);
            let offset = pool.mul(steps, scale);
            let at = pool.add(base, offset);
            regs[d as usize] = value_of(pool, at);
        }
        General::Select { d, c, a, b } => {
            let which = known_bit(pool, oracle, regs[c as usize]);
            let low = select(pool, regs, which, a.slot, b.slot);
            let high = d.ty.is_wide().then(|| select(pool, regs, which, a.slot + 1, b.slot + 1));
            regs[d.slot as usize] = low;
            if let Some(high) = high {
                regs[d.slot as usize + 1] = high;
            }
        }
        General::Cast { op: CastOp::Sext, d, a } => {
            let x = term(pool, regs, a);
            let result = pool.sext(x, d.ty.bits());
            set(pool, regs, d, result);
        }
        General::Cast {
            op: CastOp::Trunc | CastOp::Zext | CastOp::Bitcast | CastOp::PtrToInt | CastOp::IntToPtr,
            d,
            a,
        } => {
            let x = term(pool, regs, a);
            let result = pool.resize(x, d.ty.bits());
            let result = of_wide(pool, oracle, long_doubles, a, result)?;
            set(pool, regs, d, result);
        }
        General::Cast { op: CastOp::Freeze, d, a } => {
            let x = term(pool, regs, a);
            let frozen = pool.definedness(x).value;
            set(pool, regs, d, frozen);
        }
        General::FBin { .. }
        | General::FUn { .. }
        | General::Fma { .. }
        | General::Fcmp { .. }
        | General::FpClass { .. }
        | General::Cast { .. } => floats(pool, oracle, long_doubles, general, regs)?,
    }
    Ok(())
}

/// The operand of a cast to an integer. If it is as wide as a long double, its bits may be
/// those of one, which is then concretised unless long doubles are symbolic.
fn of_wide(
    pool: &mut Pool,
    oracle: &mut dyn Oracle,
    long_doubles: LongDoubles,
    operand: TypedSlot,
    result: ExprId,
) -> ExecResult<ExprId> {
    match long_doubles {
        LongDoubles::Fixed if operand.ty.is_wide() => float::plain_bits(pool, oracle, result),
        _ => Ok(result),
    }
}

/// Executes an operation on floats: on terms if the format has symbolic operations and the
/// configuration allows it, else on concretised operands.
fn floats(
    pool: &mut Pool,
    oracle: &mut dyn Oracle,
    long_doubles: LongDoubles,
    general: &General,
    regs: &mut [Value],
) -> ExecResult<()> {
    let result = float::result(pool, general, regs);
    let wanted = |pool: &mut Pool, result| {
        long_doubles == LongDoubles::Symbolic || float::is_plain(pool, general, result)
    };
    if let Some((d, result)) = result.filter(|&(_, result)| wanted(pool, result)) {
        set(pool, regs, d, result);
        return Ok(());
    }
    let (operands, reason) = float::operands(general);
    let mut words = Vec::with_capacity(operands.len());
    for &place in &operands {
        let symbolic = term(pool, regs, place);
        words.push(match pool.value(symbolic) {
            Some(number) => number,
            None => float::fix(pool, oracle, symbolic, reason)?,
        });
    }
    // The path is constrained to these words, so every other read of the slots may use them.
    for (place, bits) in operands.into_iter().zip(words) {
        concrete::write(regs, place, bits);
    }
    concrete::run(general, regs)
}

fn bin(
    pool: &mut Pool,
    oracle: &mut dyn Oracle,
    op: BinOp,
    a: ExprId,
    b: ExprId,
) -> ExecResult<ExprId> {
    match op {
        BinOp::UDiv | BinOp::URem => divisor(pool, oracle, b)?,
        BinOp::SDiv | BinOp::SRem => {
            divisor(pool, oracle, b)?;
            quotient_fits(pool, oracle, a, b)?;
        }
        _ => {}
    }
    Ok(match op {
        BinOp::Add => pool.add(a, b),
        BinOp::Sub => pool.sub(a, b),
        BinOp::Mul => pool.mul(a, b),
        BinOp::UDiv => pool.udiv(a, b),
        BinOp::SDiv => pool.sdiv(a, b),
        BinOp::URem => pool.urem(a, b),
        BinOp::SRem => pool.srem(a, b),
        BinOp::Shl => {
            let by = shift_amount(pool, b);
            pool.shl(a, by)
        }
        BinOp::LShr => {
            let by = shift_amount(pool, b);
            pool.lshr(a, by)
        }
        BinOp::AShr => {
            let by = shift_amount(pool, b);
            pool.ashr(a, by)
        }
        BinOp::And => pool.and(a, b),
        BinOp::Or => pool.or(a, b),
        BinOp::Xor => pool.xor(a, b),
        BinOp::SMin => pool.smin(a, b),
        BinOp::SMax => pool.smax(a, b),
        BinOp::UMin => pool.umin(a, b),
        BinOp::UMax => pool.umax(a, b),
        BinOp::SAddSat => pool.sadd_sat(a, b),
        BinOp::UAddSat => pool.uadd_sat(a, b),
        BinOp::SSubSat => pool.ssub_sat(a, b),
        BinOp::USubSat => pool.usub_sat(a, b),
        BinOp::SShlSat => pool.sshl_sat(a, b),
        BinOp::UShlSat => pool.ushl_sat(a, b),
    })
}

/// Faults if a divisor can be zero.
fn divisor(pool: &mut Pool, oracle: &mut dyn Oracle, b: ExprId) -> ExecResult<()> {
    let b = oracle.defined(pool, b, ValueUse::Divisor)?;
    let nonzero = pool.is_nonzero(b);
    match keeps(pool, oracle, nonzero)? {
        true => Ok(()),
        false => Err(concrete::division_fault(DivError::Zero)),
    }
}

/// Faults if the smallest number can be divided by minus one.
fn quotient_fits(pool: &mut Pool, oracle: &mut dyn Oracle, a: ExprId, b: ExprId) -> ExecResult<()> {
    let width = pool.width(a);
    let least = pool.constant(width, int::signed_min(width));
    let minus_one = pool.ones_like(b);
    let (is_least, is_minus_one) = (pool.eq(a, least), pool.eq(b, minus_one));
    let both = pool.and(is_least, is_minus_one);
    let fits = pool.not(both);
    match keeps(pool, oracle, fits)? {
        true => Ok(()),
        false => Err(concrete::division_fault(DivError::Overflow)),
    }
}

/// The amount that an x86 shift shifts by; see `byway_base::int::shl`. If it is still the width
/// or more, the shift of terms yields what is left of the register after truncation: zero, or
/// copies of the sign.
fn shift_amount(pool: &mut Pool, amount: ExprId) -> ExprId {
    let width = pool.width(amount);
    let most = pool.constant(width, u128::from(width.next_power_of_two().max(32) - 1));
    pool.and(amount, most)
}

fn un(pool: &mut Pool, op: UnOp, a: ExprId) -> ExprId {
    match op {
        UnOp::Ctpop => pool.ctpop(a),
        UnOp::Ctlz => pool.ctlz(a),
        UnOp::Cttz => pool.cttz(a),
        UnOp::Bswap => pool.bswap(a),
        UnOp::BitReverse => pool.bitreverse(a),
        UnOp::Abs => pool.abs(a),
    }
}

/// The wrapped result, and whether the exact result overflows.
fn overflow(pool: &mut Pool, op: OverflowOp, a: ExprId, b: ExprId) -> (ExprId, ExprId) {
    match op {
        OverflowOp::SAdd => (pool.add(a, b), pool.sadd_overflows(a, b)),
        OverflowOp::UAdd => (pool.add(a, b), pool.uadd_overflows(a, b)),
        OverflowOp::SSub => (pool.sub(a, b), pool.ssub_overflows(a, b)),
        OverflowOp::USub => (pool.sub(a, b), pool.usub_overflows(a, b)),
        OverflowOp::SMul => (pool.mul(a, b), pool.smul_overflows(a, b)),
        OverflowOp::UMul => (pool.mul(a, b), pool.umul_overflows(a, b)),
    }
}

fn icmp(pool: &mut Pool, pred: Icmp, a: ExprId, b: ExprId) -> ExprId {
    match pred {
        Icmp::Eq => pool.eq(a, b),
        Icmp::Ne => pool.ne(a, b),
        Icmp::Ult => pool.ult(a, b),
        Icmp::Ule => pool.ule(a, b),
        Icmp::Ugt => pool.ult(b, a),
        Icmp::Uge => pool.ule(b, a),
        Icmp::Slt => pool.slt(a, b),
        Icmp::Sle => pool.sle(a, b),
        Icmp::Sgt => pool.slt(b, a),
        Icmp::Sge => pool.sle(b, a),
    }
}
