//! Known bits: for every term of up to 64 bits, the bits that are zero for all inputs and
//! those that are one. Computed when the term is built, from the known bits of its operands,
//! so that they are a function of the term alone.

use byway_base::int;

use crate::node::Node;
use crate::op::Op;
use crate::pool::Pool;

/// Bits that are constant for all inputs. Terms above 64 bits have no known bits.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct KnownBits {
    /// Bits that are always zero.
    pub zeros: u64,
    /// Bits that are always one.
    pub ones: u64,
}

fn mask(width: u32) -> u64 {
    int::mask(width.min(64)) as u64
}

impl KnownBits {
    /// No bit is known.
    pub const UNKNOWN: KnownBits = KnownBits { zeros: 0, ones: 0 };

    fn exactly(value: u64, width: u32) -> KnownBits {
        KnownBits { zeros: !value & mask(width), ones: value }
    }

    fn boolean(value: Option<bool>) -> KnownBits {
        value.map_or(KnownBits::UNKNOWN, |value| KnownBits::exactly(u64::from(value), 1))
    }

    /// The top `count` bits are zero.
    fn high_zeros(count: u32, width: u32) -> KnownBits {
        let low = if count >= width { 0 } else { mask(width - count) };
        KnownBits { zeros: mask(width) & !low, ones: 0 }
    }

    /// The low `count` bits are zero.
    fn low_zeros(count: u32, width: u32) -> KnownBits {
        let zeros = if count >= width { mask(width) } else { (1 << count) - 1 };
        KnownBits { zeros, ones: 0 }
    }

    fn and_also(self, other: KnownBits) -> KnownBits {
        KnownBits { zeros: self.zeros | other.zeros, ones: self.ones | other.ones }
    }

    /// The smallest unsigned value.
    pub fn lowest(self) -> u64 {
        self.ones
    }

    /// The largest unsigned value; all 64 bits for terms above 64 bits.
    pub fn highest(self, width: u32) -> u64 {
        !self.zeros & mask(width)
    }

    /// The value, if all bits are known.
    pub fn constant(self, width: u32) -> Option<u64> {
        (width <= 64 && self.zeros | self.ones == mask(width)).then_some(self.ones)
    }

    /// Whether no value satisfies both.
    pub fn contradicts(self, other: KnownBits) -> bool {
        self.zeros & other.ones | self.ones & other.zeros != 0
    }

    /// Whether the sign bit is zero.
    pub(crate) fn is_non_negative(self, width: u32) -> bool {
        width <= 64 && self.zeros >> (width - 1) & 1 != 0
    }

    fn trailing_zeros(self, width: u32) -> u32 {
        self.zeros.trailing_ones().min(width)
    }

    fn leading_zeros(self, width: u32) -> u32 {
        (self.zeros << (64 - width)).leading_ones().min(width)
    }

    /// The known bits of a sum. Adds with every unknown bit and carry as zero, and again as
    /// one; a bit is known if both sums and the operands agree.
    fn sum(a: KnownBits, b: KnownBits, carry: bool, width: u32) -> KnownBits {
        let carry = u64::from(carry);
        let low = a.ones.wrapping_add(b.ones).wrapping_add(carry);
        let high = (!a.zeros).wrapping_add(!b.zeros).wrapping_add(carry);
        let carry_zero = !(high ^ a.zeros ^ b.zeros);
        let carry_one = low ^ a.ones ^ b.ones;
        let known =
            (a.zeros | a.ones) & (b.zeros | b.ones) & (carry_zero | carry_one) & mask(width);
        KnownBits { zeros: !low & known, ones: low & known }
    }

    fn flipped(self) -> KnownBits {
        KnownBits { zeros: self.ones, ones: self.zeros }
    }

    /// The known bits of a node.
    pub(crate) fn of_node(pool: &Pool, node: &Node) -> KnownBits {
        let width = node.width();
        let operand_width = match node.op.arity() {
            0 => width,
            _ => pool.width(node.a()),
        };
        if width > 64 || operand_width > 64 {
            return KnownBits::UNKNOWN;
        }
        let a = || pool.known(node.a());
        let b = || pool.known(node.b());
        match node.op {
            Op::Const => {
                let value = u64::from(node.args[0]) | u64::from(node.args[1]) << 32;
                KnownBits::exactly(value, width)
            }
            Op::Not => a().flipped(),
            Op::Neg => KnownBits::sum(KnownBits::exactly(0, width), a().flipped(), true, width),
            Op::Add => KnownBits::sum(a(), b(), false, width),
            Op::Sub => KnownBits::sum(a(), b().flipped(), true, width),
            Op::Mul => product(a(), b(), width),
            Op::UDiv if b().ones != 0 => KnownBits::high_zeros(a().leading_zeros(width), width),
            Op::URem => {
                let of_divisor = if b().ones != 0 { b().leading_zeros(width) } else { 0 };
                KnownBits::high_zeros(a().leading_zeros(width).max(of_divisor), width)
            }
            Op::Shl | Op::LShr | Op::AShr => shifted(node.op, a(), b(), width),
            Op::And => KnownBits { zeros: a().zeros | b().zeros, ones: a().ones & b().ones },
            Op::Or => KnownBits { zeros: a().zeros & b().zeros, ones: a().ones | b().ones },
            Op::Xor => {
                let (a, b) = (a(), b());
                KnownBits {
                    zeros: a.zeros & b.zeros | a.ones & b.ones,
                    ones: a.zeros & b.ones | a.ones & b.zeros,
                }
            }
            Op::Eq => KnownBits::boolean(a().contradicts(b()).then_some(false)),
            Op::Ult => KnownBits::boolean(less(a(), b(), operand_width)),
            Op::Ule => KnownBits::boolean(less(b(), a(), operand_width).map(|less| !less)),
            Op::Slt => KnownBits::boolean(signed_less(a(), b(), operand_width)),
            Op::Sle => KnownBits::boolean(signed_less(b(), a(), operand_width).map(|less| !less)),
            Op::Concat => {
                let (high, low, by) = (a(), b(), pool.width(node.b()));
                KnownBits { zeros: high.zeros << by | low.zeros, ones: high.ones << by | low.ones }
            }
            Op::Extract => KnownBits {
                zeros: a().zeros >> node.extra() & mask(width),
                ones: a().ones >> node.extra() & mask(width),
            },
            Op::Zext => a().and_also(KnownBits::high_zeros(width - operand_width, width)),
            Op::Sext => {
                let fill = mask(width) & !mask(operand_width);
                let filled =
                    |bits: u64| if bits >> (operand_width - 1) & 1 != 0 { fill } else { 0 };
                let a = a();
                KnownBits { zeros: a.zeros | filled(a.zeros), ones: a.ones | filled(a.ones) }
            }
            Op::Ite => {
                let (b, c) = (b(), pool.known(node.c()));
                KnownBits { zeros: b.zeros & c.zeros, ones: b.ones & c.ones }
            }
            _ => KnownBits::UNKNOWN,
        }
    }
}

fn product(a: KnownBits, b: KnownBits, width: u32) -> KnownBits {
    let trailing = a.trailing_zeros(width) + b.trailing_zeros(width);
    let used = (width - a.leading_zeros(width)) + (width - b.leading_zeros(width));
    KnownBits::low_zeros(trailing.min(width), width)
        .and_also(KnownBits::high_zeros(width.saturating_sub(used), width))
}

fn shifted(op: Op, a: KnownBits, by: KnownBits, width: u32) -> KnownBits {
    if let Some(by) = by.constant(width).filter(|&by| by < u64::from(width)) {
        let sign = |bits: u64| bits >> (width - 1) & 1 != 0;
        let fill = mask(width) & !(mask(width) >> by);
        let right = |bits: u64, filled: bool| bits >> by | if filled { fill } else { 0 };
        return match op {
            Op::Shl => KnownBits {
                zeros: (a.zeros << by | ((1 << by) - 1)) & mask(width),
                ones: a.ones << by & mask(width),
            },
            Op::LShr => KnownBits { zeros: right(a.zeros, true), ones: right(a.ones, false) },
            _ => KnownBits {
                zeros: right(a.zeros, sign(a.zeros)),
                ones: right(a.ones, sign(a.ones)),
            },
        };
    }
    match op {
        Op::Shl => KnownBits::low_zeros(a.trailing_zeros(width), width),
        Op::LShr => KnownBits::high_zeros(a.leading_zeros(width), width),
        _ => {
            let ones = a.flipped().leading_zeros(width);
            let zeros = KnownBits::high_zeros(a.leading_zeros(width), width);
            zeros.and_also(KnownBits::high_zeros(ones, width).flipped())
        }
    }
}

fn less(a: KnownBits, b: KnownBits, width: u32) -> Option<bool> {
    if a.highest(width) < b.lowest() {
        Some(true)
    } else if a.lowest() >= b.highest(width) {
        Some(false)
    } else {
        None
    }
}

fn signed_less(a: KnownBits, b: KnownBits, width: u32) -> Option<bool> {
    // Flipping the sign bit maps the signed order to the unsigned one.
    let flip = |k: KnownBits| {
        let sign = 1 << (width - 1);
        KnownBits { zeros: k.zeros & !sign | k.ones & sign, ones: k.ones & !sign | k.zeros & sign }
    };
    less(flip(a), flip(b), width)
}
