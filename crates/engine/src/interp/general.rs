//! Executes rare or wide pure operations, on bit patterns of up to 128 bits.

use std::cmp::Ordering;

use byway_base::FaultKind;
use byway_base::float::{self, Format};
use byway_base::int::{self, DivError};
use byway_ir::{BinOp, CastOp, FBinOp, FUnOp, Fcmp, Icmp, OverflowOp, Ty, UnOp};

use crate::bytecode::{Check, General, Slot, TypedSlot};
use crate::stop::{ExecResult, Stop, fault, symbolic};
use crate::value::Value;

/// The bits of a scalar.
#[inline]
pub fn read(regs: &[Value], place: TypedSlot) -> ExecResult<u128> {
    let low = regs[place.slot as usize];
    if low.expr.is_some() {
        return Err(symbolic());
    }
    if !place.ty.is_wide() {
        return Ok(u128::from(low.bits));
    }
    let high = regs[place.slot as usize + 1];
    if high.expr.is_some() {
        return Err(symbolic());
    }
    Ok(u128::from(low.bits) | u128::from(high.bits) << 64)
}

/// Writes the bits of a scalar.
pub fn write(regs: &mut [Value], place: TypedSlot, bits: u128) {
    regs[place.slot as usize] = Value::word(bits as u64);
    if place.ty.is_wide() {
        regs[place.slot as usize + 1] = Value::word((bits >> 64) as u64);
    }
}

fn write_bool(regs: &mut [Value], slot: Slot, value: bool) {
    regs[slot as usize] = Value::word(u64::from(value));
}

/// The format of a float type.
pub(super) fn format(ty: Ty) -> Format {
    match ty {
        Ty::F16 => Format::Half,
        Ty::Bf16 => Format::Bf16,
        Ty::F32 => Format::F32,
        Ty::F80 => Format::F80,
        Ty::F128 => Format::F128,
        Ty::F64 | Ty::Int(_) | Ty::Ptr => Format::F64,
    }
}

/// The fault of an undefined division.
#[cold]
pub fn division_fault(error: DivError) -> Box<Stop> {
    match error {
        DivError::Zero => fault(FaultKind::DivisionByZero, "division by zero"),
        DivError::Overflow => fault(
            FaultKind::DivisionOverflow,
            "the quotient of the smallest integer and -1 does not fit its type",
        ),
    }
}

/// Executes a pure operation on concrete operands.
pub fn run(general: &General, regs: &mut [Value]) -> ExecResult<()> {
    match *general {
        General::Bin { op, d, a, b } => {
            let result = bin(op, read(regs, a)?, read(regs, b)?, d.ty.bits());
            write(regs, d, result.map_err(division_fault)?);
        }
        General::Un { op, d, a } => {
            let bits = un(op, read(regs, a)?, d.ty.bits());
            write(regs, d, bits);
        }
        General::Overflow { op, d, overflow: flag, a, b } => {
            let (bits, over) = overflow(op, read(regs, a)?, read(regs, b)?, d.ty.bits());
            write(regs, d, bits);
            write_bool(regs, flag, over);
        }
        General::Funnel { left, d, a, b, amount } => {
            let shift = if left { int::funnel_left } else { int::funnel_right };
            let bits = shift(read(regs, a)?, read(regs, b)?, read(regs, amount)?, d.ty.bits());
            write(regs, d, bits);
        }
        General::Icmp { pred, d, a, b } => {
            let holds = icmp(pred, read(regs, a)?, read(regs, b)?, a.ty.bits());
            write_bool(regs, d, holds);
        }
        General::FBin { op, d, a, b } => {
            let bits = fbin(op, format(d.ty), read(regs, a)?, read(regs, b)?);
            write(regs, d, bits);
        }
        General::FUn { op, d, a } => {
            let bits = fun(op, format(d.ty), read(regs, a)?);
            write(regs, d, bits);
        }
        General::Fma { d, a, b, c } => {
            let bits = float::fma(format(d.ty), read(regs, a)?, read(regs, b)?, read(regs, c)?);
            write(regs, d, bits);
        }
        General::Fcmp { pred, d, a, b } => {
            let order = float::compare(format(a.ty), read(regs, a)?, read(regs, b)?);
            write_bool(regs, d, fcmp(pred, order));
        }
        General::FpClass { d, a, mask } => {
            let class = float::classify(format(a.ty), read(regs, a)?);
            write_bool(regs, d, class & mask != 0);
        }
        General::Cast { op, d, a } => {
            let bits = cast(op, a.ty, d.ty, read(regs, a)?);
            write(regs, d, bits);
        }
        General::PtrIndex { d, base, index, scale } => {
            let steps = int::sext(read(regs, index)?, index.ty.bits(), 128) as u64;
            let base = read(regs, TypedSlot { ty: Ty::Ptr, slot: base })? as u64;
            let at = base.wrapping_add(steps.wrapping_mul(scale as u64));
            regs[d as usize] = Value::word(at);
        }
        General::Select { d, c, a, b } => {
            let cond = read(regs, TypedSlot { ty: Ty::BOOL, slot: c })?;
            let bits = read(regs, if cond != 0 { a } else { b })?;
            write(regs, d, bits);
        }
    }
    Ok(())
}

/// Executes a check on concrete operands.
pub fn check(check: &Check, regs: &[Value]) -> ExecResult<()> {
    match *check {
        Check::Aligned { addr, align } => {
            let at = read(regs, TypedSlot { ty: Ty::Ptr, slot: addr })?;
            if at % u128::from(align) != 0 {
                let message = format!("address {at:#x} is not a multiple of {align}");
                return Err(fault(FaultKind::Misaligned, message));
            }
        }
        Check::SignedOverflow { op, a, b } => {
            let width = a.ty.bits();
            let (x, y) = (read(regs, a)?, read(regs, b)?);
            let (sign, overflows) = match op {
                BinOp::Add => ("+", int::sadd_overflow(x, y, width).1),
                BinOp::Sub => ("-", int::ssub_overflow(x, y, width).1),
                BinOp::Mul => ("*", int::smul_overflow(x, y, width).1),
                BinOp::Shl => ("<<", int::sshl_overflow(x, y, width).1),
                _ => return Ok(()),
            };
            if overflows {
                let (x, y) = (int::signed(x, width), int::signed(y, width));
                let message = format!("{x} {sign} {y} does not fit a signed {width}-bit integer");
                return Err(fault(FaultKind::SignedOverflow, message));
            }
        }
        Check::Shift { amount, width } => {
            let by = read(regs, amount)?;
            if by >= u128::from(width) {
                let by = int::signed(by, amount.ty.bits());
                let message = format!("shift of a {width}-bit integer by {by}");
                return Err(fault(FaultKind::InvalidShift, message));
            }
        }
    }
    Ok(())
}

fn bin(op: BinOp, a: u128, b: u128, width: u32) -> Result<u128, DivError> {
    Ok(match op {
        BinOp::Add => int::add(a, b, width),
        BinOp::Sub => int::sub(a, b, width),
        BinOp::Mul => int::mul(a, b, width),
        BinOp::UDiv => return int::udiv(a, b),
        BinOp::SDiv => return int::sdiv(a, b, width),
        BinOp::URem => return int::urem(a, b),
        BinOp::SRem => return int::srem(a, b, width),
        BinOp::Shl => int::shl(a, b, width),
        BinOp::LShr => int::lshr(a, b, width),
        BinOp::AShr => int::ashr(a, b, width),
        BinOp::And => a & b,
        BinOp::Or => a | b,
        BinOp::Xor => a ^ b,
        BinOp::SMin => int::smin(a, b, width),
        BinOp::SMax => int::smax(a, b, width),
        BinOp::UMin => int::umin(a, b),
        BinOp::UMax => int::umax(a, b),
        BinOp::SAddSat => int::sadd_sat(a, b, width),
        BinOp::UAddSat => int::uadd_sat(a, b, width),
        BinOp::SSubSat => int::ssub_sat(a, b, width),
        BinOp::USubSat => int::usub_sat(a, b),
        BinOp::SShlSat => int::sshl_sat(a, b, width),
        BinOp::UShlSat => int::ushl_sat(a, b, width),
    })
}

fn un(op: UnOp, a: u128, width: u32) -> u128 {
    match op {
        UnOp::Ctpop => int::ctpop(a, width),
        UnOp::Ctlz => int::ctlz(a, width),
        UnOp::Cttz => int::cttz(a, width),
        UnOp::Bswap => int::bswap(a, width),
        UnOp::BitReverse => int::bitreverse(a, width),
        UnOp::Abs => int::abs(a, width),
    }
}

fn overflow(op: OverflowOp, a: u128, b: u128, width: u32) -> (u128, bool) {
    match op {
        OverflowOp::SAdd => int::sadd_overflow(a, b, width),
        OverflowOp::UAdd => int::uadd_overflow(a, b, width),
        OverflowOp::SSub => int::ssub_overflow(a, b, width),
        OverflowOp::USub => int::usub_overflow(a, b, width),
        OverflowOp::SMul => int::smul_overflow(a, b, width),
        OverflowOp::UMul => int::umul_overflow(a, b, width),
    }
}

fn icmp(pred: Icmp, a: u128, b: u128, width: u32) -> bool {
    match pred {
        Icmp::Eq => a == b,
        Icmp::Ne => a != b,
        Icmp::Ult => a < b,
        Icmp::Ule => a <= b,
        Icmp::Ugt => a > b,
        Icmp::Uge => a >= b,
        Icmp::Slt => int::slt(a, b, width),
        Icmp::Sle => int::sle(a, b, width),
        Icmp::Sgt => int::slt(b, a, width),
        Icmp::Sge => int::sle(b, a, width),
    }
}

fn fbin(op: FBinOp, format: Format, a: u128, b: u128) -> u128 {
    match op {
        FBinOp::Add => float::add(format, a, b),
        FBinOp::Sub => float::sub(format, a, b),
        FBinOp::Mul => float::mul(format, a, b),
        FBinOp::Div => float::div(format, a, b),
        FBinOp::Rem => float::rem(format, a, b),
        FBinOp::MinNum => float::min_num(format, a, b),
        FBinOp::MaxNum => float::max_num(format, a, b),
        FBinOp::Minimum => float::minimum(format, a, b),
        FBinOp::Maximum => float::maximum(format, a, b),
        FBinOp::MinimumNum => float::minimum_num(format, a, b),
        FBinOp::MaximumNum => float::maximum_num(format, a, b),
        FBinOp::CopySign => float::copysign(format, a, b),
    }
}

fn fun(op: FUnOp, format: Format, a: u128) -> u128 {
    match op {
        FUnOp::Neg => float::neg(format, a),
        FUnOp::Abs => float::abs(format, a),
        FUnOp::Sqrt => float::sqrt(format, a),
        FUnOp::Floor => float::floor(format, a),
        FUnOp::Ceil => float::ceil(format, a),
        FUnOp::Trunc => float::trunc(format, a),
        FUnOp::RoundEven => float::round_even(format, a),
        FUnOp::Round => float::round(format, a),
    }
}

fn fcmp(pred: Fcmp, order: Option<Ordering>) -> bool {
    use Ordering::{Equal, Greater, Less};
    match pred {
        Fcmp::False => false,
        Fcmp::Oeq => order == Some(Equal),
        Fcmp::Ogt => order == Some(Greater),
        Fcmp::Oge => matches!(order, Some(Greater | Equal)),
        Fcmp::Olt => order == Some(Less),
        Fcmp::Ole => matches!(order, Some(Less | Equal)),
        Fcmp::One => matches!(order, Some(Less | Greater)),
        Fcmp::Ord => order.is_some(),
        Fcmp::Ueq => matches!(order, None | Some(Equal)),
        Fcmp::Ugt => matches!(order, None | Some(Greater)),
        Fcmp::Uge => matches!(order, None | Some(Greater | Equal)),
        Fcmp::Ult => matches!(order, None | Some(Less)),
        Fcmp::Ule => matches!(order, None | Some(Less | Equal)),
        Fcmp::Une => order != Some(Equal),
        Fcmp::Uno => order.is_none(),
        Fcmp::True => true,
    }
}

fn cast(op: CastOp, from: Ty, to: Ty, a: u128) -> u128 {
    let width = to.bits();
    match op {
        CastOp::Trunc | CastOp::PtrToInt | CastOp::IntToPtr => int::trunc(a, width),
        CastOp::Zext | CastOp::Bitcast | CastOp::Freeze => a,
        CastOp::Sext => int::sext(a, from.bits(), width),
        CastOp::FpToSi => float::to_si(format(from), a, width),
        CastOp::FpToUi => float::to_ui(format(from), a, width),
        CastOp::FpToSiSat => float::to_si_sat(format(from), a, width),
        CastOp::FpToUiSat => float::to_ui_sat(format(from), a, width),
        CastOp::SiToFp => float::from_si(format(to), a, from.bits()),
        CastOp::UiToFp => float::from_ui(format(to), a),
        CastOp::FpConvert => float::convert(format(from), format(to), a),
    }
}
