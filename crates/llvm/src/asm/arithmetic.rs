//! Addition and subtraction with carry, double-width multiplication and division, shifts.

use byway_ir::{BinOp, Icmp, Inst, Operand, OverflowOp, Terminator};

use super::machine::{AsmMachine, AsmOperand, CpuFlags, int};
use super::register::{ACCUMULATOR, DATA, RegisterPart};
use crate::intrinsics::const_bits;
use crate::lower::limbs::{extend, narrow};

/// The flags of a result: zero and sign follow from its value.
pub fn flags_of(
    machine: &mut AsmMachine,
    result: Operand,
    carry: Option<Operand>,
    overflow: Option<Operand>,
) -> CpuFlags {
    let zero = Some(machine.is_zero(result));
    let sign = Some(machine.is_negative(result));
    CpuFlags { carry, overflow, zero, sign }
}

/// `a + b`, plus the carry if given; sets all flags.
pub fn add(machine: &mut AsmMachine, a: Operand, b: Operand, carry: Option<Operand>) -> Operand {
    let (mut result, mut out) = machine.b.overflow(OverflowOp::UAdd, a, b);
    if let Some(carry) = carry {
        let one = extend(machine.b, carry, machine.b.ty(a).bits(), false);
        let (sum, more) = machine.b.overflow(OverflowOp::UAdd, result, one);
        result = sum;
        out = machine.b.bin(BinOp::Or, out, more);
    }
    // A sum overflows if its sign differs from the signs of both operands.
    let from_a = machine.b.bin(BinOp::Xor, a, result);
    let from_b = machine.b.bin(BinOp::Xor, b, result);
    set_flags(machine, result, out, from_a, from_b);
    result
}

/// `a - b`, minus the borrow if given; sets all flags.
pub fn subtract(
    machine: &mut AsmMachine,
    a: Operand,
    b: Operand,
    carry: Option<Operand>,
) -> Operand {
    let (mut result, mut out) = machine.b.overflow(OverflowOp::USub, a, b);
    if let Some(carry) = carry {
        let one = extend(machine.b, carry, machine.b.ty(a).bits(), false);
        let (difference, more) = machine.b.overflow(OverflowOp::USub, result, one);
        result = difference;
        out = machine.b.bin(BinOp::Or, out, more);
    }
    // A difference overflows if the operands' signs differ and its sign is not a's.
    let from_a = machine.b.bin(BinOp::Xor, a, result);
    let from_b = machine.b.bin(BinOp::Xor, a, b);
    set_flags(machine, result, out, from_a, from_b);
    result
}

/// Sets the flags of a sum or difference, which overflowed if `one` and `other` are both
/// negative.
fn set_flags(
    machine: &mut AsmMachine,
    result: Operand,
    carry: Operand,
    one: Operand,
    other: Operand,
) {
    let both = machine.b.bin(BinOp::And, one, other);
    let overflow = machine.is_negative(both);
    machine.flags = flags_of(machine, result, Some(carry), Some(overflow));
}

/// The upper half of a value of twice the width.
fn upper_half(machine: &mut AsmMachine, value: Operand, bits: u32) -> Operand {
    let amount = machine.b.bits(int(2 * bits), bits.into());
    let shifted = machine.b.bin(BinOp::LShr, value, amount);
    narrow(machine.b, shifted, bits)
}

/// Writes a double-width result to `%rdx:%rax`, `%edx:%eax` or `%dx:%ax`; for bytes, to
/// `%ah:%al`.
fn set_pair(machine: &mut AsmMachine, low: Operand, high: Operand) -> Option<()> {
    machine.set_register(ACCUMULATOR, low)?;
    if machine.b.ty(high).bits() == 8 {
        return machine.write(AsmOperand::Register(ACCUMULATOR, RegisterPart::High), high);
    }
    machine.set_register(DATA, high)
}

/// Multiplies the accumulator by a factor, to a double-width result.
pub fn multiply_accumulator(
    machine: &mut AsmMachine,
    bits: u32,
    factor: AsmOperand,
    signed: bool,
) -> Option<()> {
    let (a, b) = (machine.register(ACCUMULATOR, bits), machine.read(factor, bits));
    let (low, high) = long_product(machine, a, b, signed);
    set_pair(machine, low, high)
}

/// `to = one * other`, truncated to the width.
pub fn multiply(
    machine: &mut AsmMachine,
    bits: u32,
    one: AsmOperand,
    other: AsmOperand,
    to: AsmOperand,
) -> Option<()> {
    let (a, b) = (machine.read(one, bits), machine.read(other, bits));
    let (low, _) = long_product(machine, a, b, true);
    machine.write(to, low)
}

/// Both halves of a product. Carry and overflow are set if the lower half loses bits.
fn long_product(
    machine: &mut AsmMachine,
    a: Operand,
    b: Operand,
    signed: bool,
) -> (Operand, Operand) {
    let bits = machine.b.ty(a).bits();
    let (wide_a, wide_b) =
        (extend(machine.b, a, 2 * bits, signed), extend(machine.b, b, 2 * bits, signed));
    let product = machine.b.bin(BinOp::Mul, wide_a, wide_b);
    let low = narrow(machine.b, product, bits);
    let extended = extend(machine.b, low, 2 * bits, signed);
    let exceeds = machine.b.icmp(Icmp::Ne, extended, product);
    machine.flags =
        CpuFlags { carry: Some(exceeds), overflow: Some(exceeds), zero: None, sign: None };
    (low, upper_half(machine, product, bits))
}

/// Divides the double-width value in the data register and the accumulator. A quotient
/// that does not fit traps; a division by zero is a fault of the IR's division.
pub fn divide(
    machine: &mut AsmMachine,
    bits: u32,
    divisor: AsmOperand,
    signed: bool,
) -> Option<()> {
    let divisor = machine.read(divisor, bits);
    let dividend = dividend(machine, bits);
    let divisor = extend(machine.b, divisor, 2 * bits, signed);
    let (division, remainder) =
        if signed { (BinOp::SDiv, BinOp::SRem) } else { (BinOp::UDiv, BinOp::URem) };
    let quotient = machine.b.bin(division, dividend, divisor);
    let low = narrow(machine.b, quotient, bits);
    let extended = extend(machine.b, low, 2 * bits, signed);
    let fits = machine.b.icmp(Icmp::Eq, extended, quotient);
    trap_unless(machine, fits);
    let remainder = machine.b.bin(remainder, dividend, divisor);
    let remainder = narrow(machine.b, remainder, bits);
    machine.flags = CpuFlags::default();
    set_pair(machine, low, remainder)
}

/// The double-width dividend.
fn dividend(machine: &mut AsmMachine, bits: u32) -> Operand {
    if bits == 8 {
        return machine.register(ACCUMULATOR, 16);
    }
    let (low, high) = (machine.register(ACCUMULATOR, bits), machine.register(DATA, bits));
    let low = extend(machine.b, low, 2 * bits, false);
    let high = extend(machine.b, high, 2 * bits, false);
    let amount = machine.b.bits(int(2 * bits), bits.into());
    let high = machine.b.bin(BinOp::Shl, high, amount);
    machine.b.bin(BinOp::Or, high, low)
}

fn trap_unless(machine: &mut AsmMachine, condition: Operand) {
    let (pass, trap) = (machine.b.create_block(), machine.b.create_block());
    machine.b.branch(condition, pass, trap);
    machine.b.switch_to(trap);
    machine.b.push(Inst::Trap);
    machine.b.terminate(Terminator::Unreachable);
    machine.b.switch_to(pass);
}

/// Sign-extends the accumulator into the data register (`cltd`, `cqto`).
pub fn sign_extend_to_data(machine: &mut AsmMachine, bits: u32) -> Option<()> {
    let value = machine.register(ACCUMULATOR, bits);
    let amount = machine.b.bits(int(bits), (bits - 1).into());
    let sign = machine.b.bin(BinOp::AShr, value, amount);
    machine.set_register(DATA, sign)
}

/// A shift amount, masked as the processor does: modulo 64 for 64-bit operands, else 32.
fn amount(machine: &mut AsmMachine, operand: AsmOperand, bits: u32) -> Operand {
    let byte = machine.read(operand, 8);
    let mask = machine.b.bits(int(8), if bits == 64 { 63 } else { 31 });
    let amount = match const_bits(machine.b, byte) {
        Some(number) => machine.b.bits(int(8), number & if bits == 64 { 63 } else { 31 }),
        None => machine.b.bin(BinOp::And, byte, mask),
    };
    extend(machine.b, amount, bits, false)
}

/// Shifts and rotations.
pub fn shift(
    machine: &mut AsmMachine,
    name: &str,
    bits: u32,
    by: AsmOperand,
    to: AsmOperand,
) -> Option<()> {
    let value = machine.read(to, bits);
    let by = amount(machine, by, bits);
    if matches!(name, "rol" | "ror") {
        let result = machine.b.funnel(name == "rol", value, value, by);
        machine.flags = CpuFlags::default();
        return machine.write(to, result);
    }
    let (op, signed) = match name {
        "shr" => (BinOp::LShr, false),
        "sar" => (BinOp::AShr, true),
        _ => (BinOp::Shl, false),
    };
    // The amount of a narrow shift may reach 31, so it is done in 32 bits.
    let width = bits.max(32);
    let (wide, wide_by) =
        (extend(machine.b, value, width, signed), extend(machine.b, by, width, false));
    let shifted = machine.b.bin(op, wide, wide_by);
    let result = narrow(machine.b, shifted, bits);
    machine.flags = shift_flags(machine, op, value, by, result);
    machine.write(to, result)
}

/// The flags of a shift by a constant: the carry is the last bit shifted out.
fn shift_flags(
    machine: &mut AsmMachine,
    op: BinOp,
    value: Operand,
    by: Operand,
    result: Operand,
) -> CpuFlags {
    let bits = machine.b.ty(value).bits();
    let by = match const_bits(machine.b, by).and_then(|by| u32::try_from(by).ok()) {
        // A shift by zero leaves the flags unchanged.
        Some(0) => return machine.flags,
        Some(by) if by <= bits => by,
        _ => return CpuFlags::default(),
    };
    let last = if op == BinOp::Shl { bits - by } else { by - 1 };
    let last = machine.b.bits(int(bits), last.into());
    let out = machine.b.bin(BinOp::LShr, value, last);
    let carry = narrow(machine.b, out, 1);
    flags_of(machine, result, Some(carry), None)
}

/// `shld` and `shrd`: the vacated bits come from another operand.
pub fn double_shift(
    machine: &mut AsmMachine,
    name: &str,
    bits: u32,
    by: AsmOperand,
    from: AsmOperand,
    to: AsmOperand,
) -> Option<()> {
    let (value, filling) = (machine.read(to, bits), machine.read(from, bits));
    let by = amount(machine, by, bits);
    let result = match name {
        "shld" => machine.b.funnel(true, value, filling, by),
        _ => machine.b.funnel(false, filling, value, by),
    };
    machine.flags = CpuFlags::default();
    machine.write(to, result)
}
