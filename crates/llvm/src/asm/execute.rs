//! What each instruction does to the machine.
//!
//! Flags that an instruction leaves undefined, or that are not worked out here (those of
//! shifts by variable amounts and of rotations), are unknown afterwards; a text that goes
//! on to use them is refused. So is any instruction that is not in the lists below.

use byway_ir::{BinOp, CastOp, Icmp, Inst, Ty, UnOp};

use super::condition::Condition;
use super::machine::{Flags, Machine, Place, int};
use super::register::{ACCUMULATOR, COUNTER, Part};
use super::template::Statement;
use super::{arithmetic, cpuid};
use crate::lower::limbs::{extend, narrow};

/// Instructions that may have the letter of a width behind their names.
const SIZED: &[&str] = &[
    "mov", "lea", "add", "adc", "sub", "sbb", "cmp", "and", "or", "xor", "test", "not", "neg",
    "inc", "dec", "mul", "imul", "div", "idiv", "shl", "sal", "shr", "sar", "rol", "ror", "shld",
    "shrd", "bsf", "bsr", "tzcnt", "lzcnt", "popcnt", "bswap", "bt", "bts", "btr", "btc", "xchg",
    "xadd", "cmpxchg",
];

/// Carries out a statement; `None` if it is not understood.
pub fn step(machine: &mut Machine, statement: &Statement) -> Option<()> {
    let places: Vec<Place> =
        statement.operands.iter().map(|written| machine.place(written)).collect::<Option<_>>()?;
    let name = statement.mnemonic.as_str();
    if places.is_empty()
        && let Some(done) = plain(machine, name)
    {
        return done;
    }
    match (name, &places[..]) {
        // To fetch memory early does nothing that could be seen.
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
        (name.strip_prefix("set").and_then(Condition::named), &places[..])
    {
        let bit = machine.condition(condition)?;
        let byte = extend(machine.b, bit, 8, false);
        return machine.write(to, byte);
    }
    if let (Some(rest), &[from, to]) = (name.strip_prefix("cmov"), &places[..]) {
        return conditional_move(machine, rest, from, to);
    }
    if let (Some((signed, bits, to_bits)), &[from, to]) = (extending_move(name), &places[..]) {
        let to_bits = to_bits.or(to.bits()).filter(|&to_bits| bits < to_bits)?;
        let value = machine.read(from, bits);
        let value = extend(machine.b, value, to_bits, signed);
        return machine.write(to, value);
    }
    let (name, suffix) = sized(name)?;
    let bits = suffix.or_else(|| places.iter().rev().find_map(|place| place.bits()))?;
    execute(machine, name, bits, &places)
}

/// A name without the letter of a width, and the width.
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

/// `movzbl` and its kind: whether signed, from which width, to which.
fn extending_move(name: &str) -> Option<(bool, u32, Option<u32>)> {
    let signed = name.starts_with("movs");
    let widths = name.strip_prefix("movs").or_else(|| name.strip_prefix("movz"))?;
    let (from, to) = widths.split_at_checked(1)?;
    let to = if to.is_empty() { None } else { Some(width(to)?) };
    Some((signed, width(from)?, to))
}

/// Instructions without operands.
fn plain(machine: &mut Machine, name: &str) -> Option<Option<()>> {
    match name {
        "nop" | "pause" | "mfence" | "lfence" | "sfence" | "endbr64" | "cld" => {}
        "ud2" | "int3" => machine.b.push(Inst::Trap),
        "cpuid" => return Some(cpuid::cpuid(machine)),
        "clc" => machine.flags.carry = Some(machine.b.bits(Ty::BOOL, 0)),
        "stc" => machine.flags.carry = Some(machine.b.bits(Ty::BOOL, 1)),
        "cmc" => {
            let Some(carry) = machine.flags.carry else { return Some(None) };
            machine.flags.carry = Some(machine.opposite(carry));
        }
        "cltd" | "cdq" => return Some(arithmetic::spread_sign(machine, 32)),
        "cqto" | "cqo" => return Some(arithmetic::spread_sign(machine, 64)),
        "cwtl" | "cwde" => return Some(widen_accumulator(machine, 16, 32)),
        "cltq" | "cdqe" => return Some(widen_accumulator(machine, 32, 64)),
        _ => return None,
    }
    Some(Some(()))
}

fn widen_accumulator(machine: &mut Machine, from: u32, to: u32) -> Option<()> {
    let value = machine.register(ACCUMULATOR, from);
    let value = extend(machine.b, value, to, true);
    machine.set_register(ACCUMULATOR, value)
}

fn conditional_move(machine: &mut Machine, rest: &str, from: Place, to: Place) -> Option<()> {
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

fn execute(machine: &mut Machine, name: &str, bits: u32, places: &[Place]) -> Option<()> {
    match (name, places) {
        ("mov", &[from, to]) => {
            let value = machine.read(from, bits);
            machine.write(to, value)
        }
        ("lea", &[Place::Memory(address), to]) => {
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
        ("not" | "neg" | "inc" | "dec" | "bswap", &[place]) => unary(machine, name, bits, place),
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
            let one = Place::Immediate(machine.b.bits(int(64), 1));
            arithmetic::shift(machine, name, bits, one, to)
        }
        ("shl" | "sal" | "shr" | "sar" | "rol" | "ror", &[amount, to]) => {
            arithmetic::shift(machine, name, bits, amount, to)
        }
        ("shld" | "shrd", &[from, to]) => {
            let counter = Place::Register(COUNTER, Part::Low(8));
            arithmetic::double_shift(machine, name, bits, counter, from, to)
        }
        ("shld" | "shrd", &[amount, from, to]) => {
            arithmetic::double_shift(machine, name, bits, amount, from, to)
        }
        _ => None,
    }
}

fn sum(machine: &mut Machine, name: &str, bits: u32, from: Place, to: Place) -> Option<()> {
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

fn logic(machine: &mut Machine, name: &str, bits: u32, from: Place, to: Place) -> Option<()> {
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

fn unary(machine: &mut Machine, name: &str, bits: u32, place: Place) -> Option<()> {
    let value = machine.read(place, bits);
    let constant = |machine: &mut Machine, bits_of: u128| machine.b.bits(int(bits), bits_of);
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
        // These two leave the carry as it is.
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
    machine.write(place, result)
}

/// Searches and counts of bits. Of zero, `bsf` and `bsr` leave the destination as it is:
/// all processors do, and some manuals say so.
fn count(machine: &mut Machine, name: &str, bits: u32, from: Place, to: Place) -> Option<()> {
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
            Flags { carry: Some(none), zero, ..Flags::default() }
        }
        "popcnt" => {
            let clear = Some(machine.b.bits(Ty::BOOL, 0));
            Flags { carry: clear, overflow: clear, sign: clear, zero: Some(none) }
        }
        _ => Flags { zero: Some(none), ..Flags::default() },
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

fn bit_test(machine: &mut Machine, name: &str, bits: u32, index: Place, to: Place) -> Option<()> {
    // Beyond the operand, a register's index reaches into neighbouring memory.
    if let (Place::Memory(_), Place::Register(..)) = (to, index) {
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
    machine.flags = Flags { carry: Some(machine.opposite(clear)), zero, ..Flags::default() };
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

fn compare_and_exchange(machine: &mut Machine, bits: u32, from: Place, to: Place) -> Option<()> {
    let (new, old) = (machine.read(from, bits), machine.read(to, bits));
    let expected = machine.register(ACCUMULATOR, bits);
    arithmetic::subtract(machine, expected, old, None);
    let equal = machine.b.icmp(Icmp::Eq, expected, old);
    let stored = machine.b.select(equal, new, old);
    machine.write(to, stored)?;
    // If they were equal, the accumulator is not written at all: its upper half stays.
    let before = machine.register(ACCUMULATOR, 64);
    machine.set_register(ACCUMULATOR, old)?;
    let after = machine.register(ACCUMULATOR, 64);
    let kept = machine.b.select(equal, before, after);
    machine.set_register(ACCUMULATOR, kept)
}
