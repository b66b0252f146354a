//! Sums with carries, long multiplication and division, shifts.

use byway_ir::{BinOp, Icmp, Inst, Operand, OverflowOp, Terminator};

use super::machine::{Flags, Machine, Place, int};
use super::register::{ACCUMULATOR, DATA, Part};
use crate::intrinsics::const_bits;
use crate::lower::limbs::{extend, narrow};

/// The flags of a result.
pub fn flags_of(
    machine: &mut Machine,
    result: Operand,
    carry: Option<Operand>,
    overflow: Option<Operand>,
) -> Flags {
    let zero = Some(machine.is_zero(result));
    let sign = Some(machine.is_negative(result));
    Flags { carry, overflow, zero, sign }
}

/// `a + b`, and one more with the carry; sets all flags.
pub fn add(machine: &mut Machine, a: Operand, b: Operand, carry: Option<Operand>) -> Operand {
    let (mut result, mut out) = machine.b.overflow(OverflowOp::UAdd, a, b);
    if let Some(carry) = carry {
        let one = extend(machine.b, carry, machine.b.ty(a).bits(), false);
        let (sum, more) = machine.b.overflow(OverflowOp::UAdd, result, one);
        result = sum;
        out = machine.b.bin(BinOp::Or, out, more);
    }
    // The sum overflows if its sign is neither operand's.
    let from_a = machine.b.bin(BinOp::Xor, a, result);
    let from_b = machine.b.bin(BinOp::Xor, b, result);
    set_flags(machine, result, out, from_a, from_b);
    result
}

/// `a - b`, and one less with the borrow; sets all flags.
pub fn subtract(machine: &mut Machine, a: Operand, b: Operand, carry: Option<Operand>) -> Operand {
    let (mut result, mut out) = machine.b.overflow(OverflowOp::USub, a, b);
    if let Some(carry) = carry {
        let one = extend(machine.b, carry, machine.b.ty(a).bits(), false);
        let (difference, more) = machine.b.overflow(OverflowOp::USub, result, one);
        result = difference;
        out = machine.b.bin(BinOp::Or, out, more);
    }
    // The difference overflows if the operands' signs differ and it has not a's.
    let from_a = machine.b.bin(BinOp::Xor, a, result);
    let from_b = machine.b.bin(BinOp::Xor, a, b);
    set_flags(machine, result, out, from_a, from_b);
    result
}

/// The flags of a sum; it overflowed if both of these are negative.
fn set_flags(machine: &mut Machine, result: Operand, carry: Operand, one: Operand, other: Operand) {
    let both = machine.b.bin(BinOp::And, one, other);
    let overflow = machine.is_negative(both);
    machine.flags = flags_of(machine, result, Some(carry), Some(overflow));
}

/// The upper half of a value of twice the width.
fn upper_half(machine: &mut Machine, value: Operand, bits: u32) -> Operand {
    let amount = machine.b.bits(int(2 * bits), bits.into());
    let shifted = machine.b.bin(BinOp::LShr, value, amount);
    narrow(machine.b, shifted, bits)
}

/// Puts a pair of halves where long multiplication has its result: `%rdx:%rax` and the
/// like; of bytes, `%ah:%al`.
fn set_pair(machine: &mut Machine, low: Operand, high: Operand) -> Option<()> {
    machine.set_register(ACCUMULATOR, low)?;
    if machine.b.ty(high).bits() == 8 {
        return machine.write(Place::Register(ACCUMULATOR, Part::High), high);
    }
    machine.set_register(DATA, high)
}

/// The accumulator times a factor, in twice the width.
pub fn multiply_accumulator(
    machine: &mut Machine,
    bits: u32,
    factor: Place,
    signed: bool,
) -> Option<()> {
    let (a, b) = (machine.register(ACCUMULATOR, bits), machine.read(factor, bits));
    let (low, high) = long_product(machine, a, b, signed);
    set_pair(machine, low, high)
}

/// `to = one * other`, cut to the width.
pub fn multiply(
    machine: &mut Machine,
    bits: u32,
    one: Place,
    other: Place,
    to: Place,
) -> Option<()> {
    let (a, b) = (machine.read(one, bits), machine.read(other, bits));
    let (low, _) = long_product(machine, a, b, true);
    machine.write(to, low)
}

/// Both halves of a product. Carry and overflow say whether the upper one counts.
fn long_product(machine: &mut Machine, a: Operand, b: Operand, signed: bool) -> (Operand, Operand) {
    let bits = machine.b.ty(a).bits();
    let (wide_a, wide_b) =
        (extend(machine.b, a, 2 * bits, signed), extend(machine.b, b, 2 * bits, signed));
    let product = machine.b.bin(BinOp::Mul, wide_a, wide_b);
    let low = narrow(machine.b, product, bits);
    let again = extend(machine.b, low, 2 * bits, signed);
    let exceeds = machine.b.icmp(Icmp::Ne, again, product);
    machine.flags = Flags { carry: Some(exceeds), overflow: Some(exceeds), zero: None, sign: None };
    (low, upper_half(machine, product, bits))
}

/// Divides the pair of accumulator and data register. A quotient that does not fit traps,
/// as a division by zero faults.
pub fn divide(machine: &mut Machine, bits: u32, divisor: Place, signed: bool) -> Option<()> {
    let divisor = machine.read(divisor, bits);
    let dividend = pair(machine, bits);
    let divisor = extend(machine.b, divisor, 2 * bits, signed);
    let (over, rest) = if signed { (BinOp::SDiv, BinOp::SRem) } else { (BinOp::UDiv, BinOp::URem) };
    let quotient = machine.b.bin(over, dividend, divisor);
    let low = narrow(machine.b, quotient, bits);
    let again = extend(machine.b, low, 2 * bits, signed);
    let fits = machine.b.icmp(Icmp::Eq, again, quotient);
    trap_unless(machine, fits);
    let remainder = machine.b.bin(rest, dividend, divisor);
    let remainder = narrow(machine.b, remainder, bits);
    machine.flags = Flags::default();
    set_pair(machine, low, remainder)
}

/// What division divides, in twice the width.
fn pair(machine: &mut Machine, bits: u32) -> Operand {
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

fn trap_unless(machine: &mut Machine, condition: Operand) {
    let (go_on, stop) = (machine.b.create_block(), machine.b.create_block());
    machine.b.branch(condition, go_on, stop);
    machine.b.switch_to(stop);
    machine.b.push(Inst::Trap);
    machine.b.terminate(Terminator::Unreachable);
    machine.b.switch_to(go_on);
}

/// Fills the data register with the accumulator's sign.
pub fn spread_sign(machine: &mut Machine, bits: u32) -> Option<()> {
    let value = machine.register(ACCUMULATOR, bits);
    let amount = machine.b.bits(int(bits), (bits - 1).into());
    let sign = machine.b.bin(BinOp::AShr, value, amount);
    machine.set_register(DATA, sign)
}

/// The amount of a shift: its low bits, as many as the processor looks at.
fn amount(machine: &mut Machine, place: Place, bits: u32) -> Operand {
    let byte = machine.read(place, 8);
    let mask = machine.b.bits(int(8), if bits == 64 { 63 } else { 31 });
    let amount = match const_bits(machine.b, byte) {
        Some(number) => machine.b.bits(int(8), number & if bits == 64 { 63 } else { 31 }),
        None => machine.b.bin(BinOp::And, byte, mask),
    };
    extend(machine.b, amount, bits, false)
}

/// Shifts and rotations by an amount.
pub fn shift(machine: &mut Machine, name: &str, bits: u32, by: Place, to: Place) -> Option<()> {
    let value = machine.read(to, bits);
    let by = amount(machine, by, bits);
    if matches!(name, "rol" | "ror") {
        let result = machine.b.funnel(name == "rol", value, value, by);
        machine.flags = Flags::default();
        return machine.write(to, result);
    }
    let (op, signed) = match name {
        "shr" => (BinOp::LShr, false),
        "sar" => (BinOp::AShr, true),
        _ => (BinOp::Shl, false),
    };
    // Amounts of up to 31 count for narrow values, too.
    let width = bits.max(32);
    let (wide, wide_by) =
        (extend(machine.b, value, width, signed), extend(machine.b, by, width, false));
    let shifted = machine.b.bin(op, wide, wide_by);
    let result = narrow(machine.b, shifted, bits);
    machine.flags = shift_flags(machine, op, value, by, result);
    machine.write(to, result)
}

/// The flags of a shift by a constant: the carry is the bit that went out last.
fn shift_flags(
    machine: &mut Machine,
    op: BinOp,
    value: Operand,
    by: Operand,
    result: Operand,
) -> Flags {
    let bits = machine.b.ty(value).bits();
    let by = match const_bits(machine.b, by).and_then(|by| u32::try_from(by).ok()) {
        // By nothing, flags stay as they are.
        Some(0) => return machine.flags,
        Some(by) if by <= bits => by,
        _ => return Flags::default(),
    };
    let last = if op == BinOp::Shl { bits - by } else { by - 1 };
    let last = machine.b.bits(int(bits), last.into());
    let out = machine.b.bin(BinOp::LShr, value, last);
    let carry = narrow(machine.b, out, 1);
    flags_of(machine, result, Some(carry), None)
}

/// `shld` and `shrd`: shifts in the bits of another register.
pub fn double_shift(
    machine: &mut Machine,
    name: &str,
    bits: u32,
    by: Place,
    from: Place,
    to: Place,
) -> Option<()> {
    let (value, filling) = (machine.read(to, bits), machine.read(from, bits));
    let by = amount(machine, by, bits);
    let result = match name {
        "shld" => machine.b.funnel(true, value, filling, by),
        _ => machine.b.funnel(false, filling, value, by),
    };
    machine.flags = Flags::default();
    machine.write(to, result)
}
