//! The semantics of operators above 128 bits. Slow and simple: the IR has no such integers;
//! only products and concatenations of many bytes are that wide.

use num_bigint::{BigInt, BigUint};

use crate::node::Node;
use crate::op::Op;

/// All ones of a width.
fn mask(width: u32) -> BigUint {
    (BigUint::from(1u8) << width) - 1u8
}

fn is_negative(value: &BigUint, width: u32) -> bool {
    value.bit(u64::from(width) - 1)
}

fn signed(value: &BigUint, width: u32) -> BigInt {
    let value_signed = BigInt::from(value.clone());
    if is_negative(value, width) { value_signed - (BigInt::from(1) << width) } else { value_signed }
}

fn negated(value: &BigUint, width: u32) -> BigUint {
    ((mask(width) - value) + 1u8) & mask(width)
}

/// The two's complement of a signed value that fits the width.
fn pattern(value: &BigInt, width: u32) -> BigUint {
    let magnitude = value.magnitude() & mask(width);
    if value.sign() == num_bigint::Sign::Minus { negated(&magnitude, width) } else { magnitude }
}

fn bit(value: bool) -> BigUint {
    BigUint::from(u8::from(value))
}

/// A shift amount, if it is less than the width.
fn amount(value: &BigUint, width: u32) -> Option<u32> {
    u32::try_from(value).ok().filter(|&amount| amount < width)
}

/// The value of a node, given its operands' values and the widths of the first two. Never
/// called for float operators: neither floats nor integers converted to them are that wide.
pub(crate) fn apply(node: &Node, values: &[BigUint], widths: [u32; 2]) -> BigUint {
    let width = node.width();
    let cut = |value: BigUint| value & mask(width);
    let a = &values[0];
    let b = || &values[1];
    let less = || signed(a, widths[0]) < signed(b(), widths[0]);
    match node.op {
        Op::Not => mask(width) - a,
        Op::Neg => negated(a, width),
        Op::Add => cut(a + b()),
        Op::Sub => cut(a + negated(b(), width)),
        Op::Mul => cut(a * b()),
        Op::UDiv if *b() == BigUint::ZERO => mask(width),
        Op::UDiv => a / b(),
        Op::URem if *b() == BigUint::ZERO => a.clone(),
        Op::URem => a % b(),
        Op::SDiv if *b() == BigUint::ZERO && is_negative(a, width) => BigUint::from(1u8),
        Op::SDiv if *b() == BigUint::ZERO => mask(width),
        Op::SDiv => pattern(&(signed(a, width) / signed(b(), width)), width),
        Op::SRem if *b() == BigUint::ZERO => a.clone(),
        Op::SRem => pattern(&(signed(a, width) % signed(b(), width)), width),
        Op::Shl => amount(b(), width).map_or(BigUint::ZERO, |by| cut(a << by)),
        Op::LShr => amount(b(), width).map_or(BigUint::ZERO, |by| a >> by),
        Op::AShr => {
            let by = amount(b(), width).unwrap_or(width - 1);
            let ones = if is_negative(a, width) { mask(by) << (width - by) } else { BigUint::ZERO };
            a >> by | ones
        }
        Op::And => a & b(),
        Op::Or => a | b(),
        Op::Xor => a ^ b(),
        Op::Eq => bit(a == b()),
        Op::Ult => bit(a < b()),
        Op::Ule => bit(a <= b()),
        Op::Slt => bit(less()),
        Op::Sle => bit(less() || a == b()),
        Op::Concat => a << widths[1] | b(),
        Op::Extract => cut(a >> node.extra()),
        Op::Zext => a.clone(),
        Op::Sext if is_negative(a, widths[0]) => a | (mask(width - widths[0]) << widths[0]),
        Op::Sext => a.clone(),
        Op::Ite if *a != BigUint::ZERO => values[1].clone(),
        Op::Ite => values[2].clone(),
        _ => unreachable!("{:?} has no wide operands", node.op),
    }
}
