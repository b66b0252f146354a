//! The effect of each assembly instruction on the machine.
//!
//! Flags that an instruction leaves undefined, or that this module does not compute (those
//! of shifts by variable amounts and of rotations), are unknown afterwards; a template that
//! reads an unknown flag is unsupported. So is one with an instruction not listed below.

use byway_ir::{BinOp, CastOp, Icmp, Inst, Ty, UnOp};

use super::condition::Condition;
use super::machine::{AsmMachine, AsmOperand, CpuFlags, int};
use super::register::{ACCUMULATOR, COUNTER, RegisterPart};
use super::template::Statement;
use super::{arithmetic, cpuid};
use crate::lower::limbs::{extend, narrow};

/// Mnemonics that take an optional suffix for the operand width: `b`, `w`, `l` or `q`.
const SIZED: &[&str] = &[
    "mov", "lea", "add", "adc", "sub", "sbb", "cmp", "and", "or", "xor", "test", "not", "neg",
    "inc", "dec", "mul", "imul", "div", "idiv", "shl", "sal", "shr", "sar", "rol", "ror", "shld",
    "shrd", "bsf", "bsr", "tzcnt", "lzcnt", "popcnt", "bswap", "bt", "bts", "btr", "btc", "xchg",
    "xadd", "cmpxchg",
];

/// Executes a statement; `None` if it is not supported.
pub fn step(machine: &mut AsmMachine, statement: &Statement) -> Option<()> {
    let operands: Vec<AsmOperand> =
        statement.operands.iter().map(|operand| machine.resolve(operand)).collect::<Option<_>>()?;
    let name = statement.mnemonic.as_str();
    if operands.is_empty()
        && let Some(done) = without_operands(machine, name)
    {
        return done;
    }
    match (name, &operands[..]) {
        // A prefetch has no visible effect.
        ("prefetcht0" | "prefetcht1" | "prefetcht2" | "prefetchnta" | "prefetchw", [_]) => {
            return Some(());
        }
        ("movabs" | "movabsq", &[from, to]) => {
            let value = machine.read(from, 64);
            return machine.write(to, value);
        }
        _ => {}
    }
    if let (Some(condition), &[to]) =
        (name.strip_prefix("set").and_then(Condition::named), &operands[..])
    {
        let bit = machine.condition(condition)?;
        let byte = extend(machine.b, bit, 8, false);
        return machine.write(to, byte);
    }
    if let (Some(rest), &[from, to]) = (name.strip_prefix("cmov"), &operands[..]) {
        return conditional_move(machine, rest, from, to);
    }
    if let (Some((signed, bits, to_bits)), &[from, to]) = (extending_move(name), &operands[..]) {
        let to_bits = to_bits.or(to.bits()).filter(|&to_bits| bits < to_bits)?;
        let value = machine.read(from, bits);
        let value = extend(machine.b, value, to_bits, signed);
        return machine.write(to, value);
    }
    let (name, suffix) = sized(name)?;
    let bits = suffix.or_else(|| operands.iter().rev().find_map(|operand| operand.bits()))?;
    execute(machine, name, bits, &operands)
}

/// Splits a mnemonic into its base and the width that its suffix gives.
fn sized(name: &str) -> Option<(&str, Option<u32>)> {
    if SIZED.contains(&name) {
        return Some((name, None));
    }
    let (base, letter) = name.split_at_checked(name.len().checked_sub(1)?)?;
    SIZED.contains(&base).then_some((base, Some(width(letter)?)))
}

fn width(letter: &str) -> Option<u32> {
    Some(match letter {
        "b" => 8,
        "w" => 16,
        "l" => 32,
        "q" => 64,
        _ => return None,
    })
}

/// Decodes `movzbl` and similar: signedness, source width, destination width if written.
fn extending_move(name: &str) -> Option<(bool, u32, Option<u32>)> {
    let signed = name.starts_with("movs");
    let widths = name.strip_prefix("movs").or_else(|| name.strip_prefix("movz"))?;
    let (from, to) = widths.split_at_checked(1)?;
    let to = if to.is_empty() { None } else { Some(width(to)?) };
    Some((signed, width(from)?, to))
}

/// Executes an instruction that takes no operands. The outer `None`: not such a mnemonic;
/// the inner `None`: not supported in this machine state.
fn without_operands(machine: &mut AsmMachine, name: &str) -> Option<Option<()>> {
    match name {
        "nop" | "pause" | "mfence" | "lfence" | "sfence" | "endbr64" | "cld" => {}
        "ud2" | "int3" => machine.b.push(Inst::Trap),
        "cpuid" => return Some(cpuid::cpuid(machine)),
        "clc" => machine.flags.carry = Some(machine.b.bits(Ty::BOOL, 0)),
        "stc" => machine.flags.carry = Some(machine.b.bits(Ty::BOOL, 1)),
        "cmc" => {
            let Some(carry) = machine.flags.carry else { return Some(None) };
            machine.flags.carry = Some(machine.negate(carry));
        }
        "cltd" | "cdq" => return Some(arithmetic::sign_extend_to_data(machine, 32)),
        "cqto" | "cqo" => return Some(arithmetic::sign_extend_to_data(machine, 64)),
        "cwtl" | "cwde" => return Some(widen_accumulator(machine, 16, 32)),
        "cltq" | "cdqe" => return Some(widen_accumulator(machine, 32, 64)),
        _ => return None,
    }
    Some(Some(()))
}

fn widen_accumulator(machine: &mut AsmMachine, from: u32, to: u32) -> Option<()> {
    let value = machine.register(ACCUMULATOR, from);
    let value = extend(machine.b, value, to, true);
    machine.set_register(ACCUMULATOR, value)
}

fn conditional_move(
    machine: &mut AsmMachine,
    rest: &str,
    from: AsmOperand,
    to: AsmOperand,
) -> Option<()> {
    let with_width = || {
        let (name, letter) = rest.split_at_checked(rest.len().checked_sub(1)?)?;
        Some((Condition::named(name)?, Some(width(letter)?)))
    };
    let plain = Condition::named(rest).map(|condition| (condition, None));
    let (condition, suffix) = plain.or_else(with_width)?;
    let bits = suffix.or(to.bits())?;
    let holds = machine.condition(condition)?;
    let (new, old) = (machine.read(from, bits), machine.read(to, bits));
    let value = machine.b.select(holds, new, old);
    machine.write(to, value)
}

fn execute(machine: &mut AsmMachine, name: &str, bits: u32, operands: &[AsmOperand]) -> Option<()> {
    match (name, operands) {
        ("mov", &[from, to]) => {
            let value = machine.read(from, bits);
            machine.write(to, value)
        }
        ("lea", &[AsmOperand::Memory(address), to]) => {
            let address = machine.b.cast(CastOp::PtrToInt, address, int(64));
            let value = narrow(machine.b, address, bits);
            machine.write(to, value)
        }
        ("xchg", &[one, other]) => {
            let (a, b) = (machine.read(one, bits), machine.read(other, bits));
            machine.write(one, b)?;
            machine.write(other, a)
        }
        ("xadd", &[from, to]) => {
            let (a, old) = (machine.read(from, bits), machine.read(to, bits));
            let sum = arithmetic::add(machine, old, a, None);
            machine.write(from, old)?;
            machine.write(to, sum)
        }
        ("cmpxchg", &[from, to]) => compare_and_exchange(machine, bits, from, to),
        ("add" | "adc" | "sub" | "sbb" | "cmp", &[from, to]) => sum(machine, name, bits, from, to),
        ("and" | "or" | "xor" | "test", &[from, to]) => logic(machine, name, bits, from, to),
        ("not" | "neg" | "inc" | "dec" | "bswap", &[operand]) => {
            unary(machine, name, bits, operand)
        }
        ("bsf" | "bsr" | "tzcnt" | "lzcnt" | "popcnt", &[from, to]) => {
            count(machine, name, bits, from, to)
        }
        ("bt" | "bts" | "btr" | "btc", &[index, to]) => bit_test(machine, name, bits, index, to),
        ("mul", &[factor]) => arithmetic::multiply_accumulator(machine, bits, factor, false),
        ("imul", &[factor]) => arithmetic::multiply_accumulator(machine, bits, factor, true),
        ("imul", &[factor, to]) => arithmetic::multiply(machine, bits, factor, to, to),
        ("imul", &[one, other, to]) => arithmetic::multiply(machine, bits, one, other, to),
        ("div", &[divisor]) => arithmetic::divide(machine, bits, divisor, false),
        ("idiv", &[divisor]) => arithmetic::divide(machine, bits, divisor, true),
        ("shl" | "sal" | "shr" | "sar" | "rol" | "ror", &[to]) => {
            let one = AsmOperand::Immediate(machine.b.bits(int(64), 1));
            arithmetic::shift(machine, name, bits, one, to)
        }
        ("shl" | "sal" | "shr" | "sar" | "rol" | "ror", &[amount, to]) => {
            arithmetic::shift(machine, name, bits, amount, to)
        }
        ("shld" | "shrd", &[from, to]) => {
            let counter = AsmOperand::Register(COUNTER, RegisterPart::Low(8));
            arithmetic::double_shift(machine, name, bits, counter, from, to)
        }
        ("shld" | "shrd", &[amount, from, to]) => {
            arithmetic::double_shift(machine, name, bits, amount, from, to)
        }
        _ => None,
    }
}

fn sum(
    machine: &mut AsmMachine,
    name: &str,
    bits: u32,
    from: AsmOperand,
    to: AsmOperand,
) -> Option<()> {
    let (b, a) = (machine.read(from, bits), machine.read(to, bits));
    let carry = machine.flags.carry;
    let result = match name {
        "add" => arithmetic::add(machine, a, b, None),
        "adc" => arithmetic::add(machine, a, b, Some(carry?)),
        "sbb" => arithmetic::subtract(machine, a, b, Some(carry?)),
        _ => arithmetic::subtract(machine, a, b, None),
    };
    if name == "cmp" { Some(()) } else { machine.write(to, result) }
}

fn logic(
    machine: &mut AsmMachine,
    name: &str,
    bits: u32,
    from: AsmOperand,
    to: AsmOperand,
) -> Option<()> {
    let (b, a) = (machine.read(from, bits), machine.read(to, bits));
    let op = match name {
        "or" => BinOp::Or,
        "xor" => BinOp::Xor,
        _ => BinOp::And,
    };
    let result = machine.b.bin(op, a, b);
    let clear = machine.b.bits(Ty::BOOL, 0);
    machine.flags = arithmetic::flags_of(machine, result, Some(clear), Some(clear));
    if name == "test" { Some(()) } else { machine.write(to, result) }
}

fn unary(machine: &mut AsmMachine, name: &str, bits: u32, operand: AsmOperand) -> Option<()> {
    let value = machine.read(operand, bits);
    let constant = |machine: &mut AsmMachine, bits_of: u128| machine.b.bits(int(bits), bits_of);
    let carry = machine.flags.carry;
    let result = match name {
        "not" => {
            let ones = constant(machine, u128::MAX);
            machine.b.bin(BinOp::Xor, value, ones)
        }
        "bswap" if bits >= 32 => machine.b.un(UnOp::Bswap, value),
        "neg" => {
            let zero = constant(machine, 0);
            arithmetic::subtract(machine, zero, value, None)
        }
        // `inc` and `dec` leave the carry unchanged.
        "inc" => {
            let one = constant(machine, 1);
            let result = arithmetic::add(machine, value, one, None);
            machine.flags.carry = carry;
            result
        }
        "dec" => {
            let one = constant(machine, 1);
            let result = arithmetic::subtract(machine, value, one, None);
            machine.flags.carry = carry;
            result
        }
        _ => return None,
    };
    machine.write(operand, result)
}

/// Bit searches and bit counts. For a zero source, `bsf` and `bsr` leave the destination
/// unchanged: every processor does, and AMD's manual documents it.
fn count(
    machine: &mut AsmMachine,
    name: &str,
    bits: u32,
    from: AsmOperand,
    to: AsmOperand,
) -> Option<()> {
    let value = machine.read(from, bits);
    let op = match name {
        "bsf" | "tzcnt" => UnOp::Cttz,
        "bsr" | "lzcnt" => UnOp::Ctlz,
        _ => UnOp::Ctpop,
    };
    let mut result = machine.b.un(op, value);
    let none = machine.is_zero(value);
    machine.flags = match name {
        "tzcnt" | "lzcnt" => {
            let zero = Some(machine.is_zero(result));
            CpuFlags { carry: Some(none), zero, ..CpuFlags::default() }
        }
        "popcnt" => {
            let clear = Some(machine.b.bits(Ty::BOOL, 0));
            CpuFlags { carry: clear, overflow: clear, sign: clear, zero: Some(none) }
        }
        _ => CpuFlags { zero: Some(none), ..CpuFlags::default() },
    };
    if name == "bsr" {
        let last = machine.b.bits(int(bits), (bits - 1).into());
        result = machine.b.bin(BinOp::Xor, result, last);
    }
    if matches!(name, "bsf" | "bsr") {
        let old = machine.read(to, bits);
        result = machine.b.select(none, old, result);
    }
    machine.write(to, result)
}

fn bit_test(
    machine: &mut AsmMachine,
    name: &str,
    bits: u32,
    index: AsmOperand,
    to: AsmOperand,
) -> Option<()> {
    // With a register index, the bit may lie in memory outside of the operand.
    if let (AsmOperand::Memory(_), AsmOperand::Register(..)) = (to, index) {
        return None;
    }
    let (index, value) = (machine.read(index, bits), machine.read(to, bits));
    let modulus = machine.b.bits(int(bits), (bits - 1).into());
    let index = machine.b.bin(BinOp::And, index, modulus);
    let one = machine.b.bits(int(bits), 1);
    let mask = machine.b.bin(BinOp::Shl, one, index);
    let bit = machine.b.bin(BinOp::And, value, mask);
    let clear = machine.is_zero(bit);
    let zero = machine.flags.zero;
    machine.flags = CpuFlags { carry: Some(machine.negate(clear)), zero, ..CpuFlags::default() };
    let result = match name {
        "bts" => machine.b.bin(BinOp::Or, value, mask),
        "btc" => machine.b.bin(BinOp::Xor, value, mask),
        "btr" => {
            let set = machine.b.bin(BinOp::Or, value, mask);
            machine.b.bin(BinOp::Xor, set, mask)
        }
        _ => return Some(()),
    };
    machine.write(to, result)
}

fn compare_and_exchange(
    machine: &mut AsmMachine,
    bits: u32,
    from: AsmOperand,
    to: AsmOperand,
) -> Option<()> {
    let (new, old) = (machine.read(from, bits), machine.read(to, bits));
    let expected = machine.register(ACCUMULATOR, bits);
    arithmetic::subtract(machine, expected, old, None);
    let equal = machine.b.icmp(Icmp::Eq, expected, old);
    let stored = machine.b.select(equal, new, old);
    machine.write(to, stored)?;
    // If they are equal, the accumulator is not written, so its upper half is kept.
    let before = machine.register(ACCUMULATOR, 64);
    machine.set_register(ACCUMULATOR, old)?;
    let after = machine.register(ACCUMULATOR, 64);
    let kept = machine.b.select(equal, before, after);
    machine.set_register(ACCUMULATOR, kept)
}
