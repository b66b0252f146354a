//! Executes optional checks on terms.

use byway_base::FaultKind;
use byway_expr::Pool;
use byway_ir::BinOp;

use super::slots::{term, term_of};
use super::{Oracle, keeps};
use crate::bytecode::Check;
use crate::stop::{ExecResult, fault};
use crate::value::Value;

/// Executes a check. The messages contain no operand values: a path has many, and its test
/// shows one.
pub fn check(
    pool: &mut Pool,
    oracle: &mut dyn Oracle,
    check: &Check,
    regs: &[Value],
) -> ExecResult<()> {
    let (rule, kind, message) = match *check {
        Check::Aligned { addr, align } => {
            let at = term_of(pool, regs[addr as usize], 64);
            let unit = pool.constant(64, u128::from(align));
            let rest = pool.urem(at, unit);
            let zero = pool.zero_like(rest);
            let message = format!("the address is not a multiple of {align}");
            (pool.eq(rest, zero), FaultKind::Misaligned, message)
        }
        Check::SignedOverflow { op, a, b } => {
            let (x, y) = (term(pool, regs, a), term(pool, regs, b));
            let (what, overflows) = match op {
                BinOp::Add => ("sum", pool.sadd_overflows(x, y)),
                BinOp::Sub => ("difference", pool.ssub_overflows(x, y)),
                BinOp::Mul => ("product", pool.smul_overflows(x, y)),
                BinOp::Shl => ("result of <<", pool.sshl_overflows(x, y)),
                _ => return Ok(()),
            };
            let width = a.ty.bits();
            let message = format!("the {what} does not fit a signed {width}-bit integer");
            (pool.not(overflows), FaultKind::SignedOverflow, message)
        }
        Check::Shift { amount, width } => {
            let by = term(pool, regs, amount);
            // The amount has the type of the shifted value, which can represent its width.
            let end = pool.constant(amount.ty.bits(), u128::from(width));
            let message =
                format!("shift of a {width}-bit integer by {width} or more, or by less than zero");
            (pool.ult(by, end), FaultKind::InvalidShift, message)
        }
    };
    // An undefined operand is reported where it decides something.
    let rule = match pool.undefined_byte(rule) {
        None => rule,
        Some(_) => {
            let of = pool.definedness(rule);
            pool.or(of.value, of.undefined)
        }
    };
    match keeps(pool, oracle, rule)? {
        true => Ok(()),
        false => Err(fault(kind, message)),
    }
}
