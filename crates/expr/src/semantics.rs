//! The semantics of every operator on values of up to 128 bits. Constant folding and the
//! evaluator share this function, which relies on `byway_base` for all arithmetic that is
//! easy to get wrong.

use std::cmp::Ordering;

use byway_base::float;
use byway_base::int::{self, DivError};

use crate::node::Node;
use crate::op::{Op, RoundTo};

/// The value of a node, given its operands' values and the widths of the first two, all of at
/// most 128 bits. The node must not be a leaf.
#[inline]
pub(crate) fn apply(node: &Node, values: [u128; 3], widths: [u32; 2]) -> u128 {
    let [a, b, c] = values;
    let width = node.width();
    match node.op {
        Op::Not => int::cut(!a, width),
        Op::Neg => int::sub(0, a, width),
        Op::Add => int::add(a, b, width),
        Op::Sub => int::sub(a, b, width),
        Op::Mul => int::mul(a, b, width),
        Op::UDiv => int::udiv(a, b).unwrap_or(int::mask(width)),
        Op::URem => int::urem(a, b).unwrap_or(a),
        Op::SDiv => int::sdiv(a, b, width).unwrap_or_else(|error| match error {
            DivError::Zero if int::signed(a, width) < 0 => 1,
            DivError::Zero => int::mask(width),
            DivError::Overflow => a,
        }),
        Op::SRem => int::srem(a, b, width).unwrap_or_else(|error| match error {
            DivError::Zero => a,
            DivError::Overflow => 0,
        }),
        Op::Shl if b >= u128::from(width) => 0,
        Op::Shl => int::cut(a << b, width),
        Op::LShr if b >= u128::from(width) => 0,
        Op::LShr => a >> b,
        Op::AShr => {
            let amount = b.min(u128::from(width - 1));
            int::from_signed(int::signed(a, width) >> amount, width)
        }
        Op::And => a & b,
        Op::Or => a | b,
        Op::Xor => a ^ b,
        Op::Eq => u128::from(a == b),
        Op::Ult => u128::from(a < b),
        Op::Ule => u128::from(a <= b),
        Op::Slt => u128::from(int::slt(a, b, widths[0])),
        Op::Sle => u128::from(int::sle(a, b, widths[0])),
        Op::Concat => a << widths[1] | b,
        Op::Extract => int::cut(a >> node.extra(), width),
        Op::Zext => a,
        Op::Sext => int::sext(a, widths[0], width),
        Op::Ite => {
            if a != 0 {
                b
            } else {
                c
            }
        }
        Op::Const | Op::Input | Op::Read | Op::Dead => unreachable!("a leaf has no operands"),
        _ => apply_float(node, values, widths[0]),
    }
}

fn apply_float(node: &Node, [a, b, c]: [u128; 3], operand_width: u32) -> u128 {
    let format = node.format();
    let order = || float::compare(format, a, b);
    match node.op {
        Op::FAdd => float::add(format, a, b),
        Op::FSub => float::sub(format, a, b),
        Op::FMul => float::mul(format, a, b),
        Op::FDiv => float::div(format, a, b),
        Op::FRem => float::rem(format, a, b),
        Op::FSqrt => float::sqrt(format, a),
        Op::FFma => float::fma(format, a, b, c),
        Op::FRound => match node.round_to() {
            RoundTo::Floor => float::floor(format, a),
            RoundTo::Ceil => float::ceil(format, a),
            RoundTo::Trunc => float::trunc(format, a),
            RoundTo::NearestEven => float::round_even(format, a),
            RoundTo::NearestAway => float::round(format, a),
        },
        Op::FEq => u128::from(order() == Some(Ordering::Equal)),
        Op::FLt => u128::from(order() == Some(Ordering::Less)),
        Op::FLe => u128::from(matches!(order(), Some(Ordering::Less | Ordering::Equal))),
        Op::FIsNan => u128::from(float::is_nan(format, a)),
        Op::FToSi => float::to_si(format, a, node.width()),
        Op::FFromSi => float::from_si(format, a, operand_width),
        Op::FFromUi => float::from_ui(format, a),
        Op::FConvert => float::convert(format, node.float_format(), a),
        _ => unreachable!("{:?} is no float operator", node.op),
    }
}
