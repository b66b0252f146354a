//! Constants: values of up to 64 bits are stored in the node, wider ones in a table.

use byway_base::{ExprId, int};
use num_bigint::BigUint;

use super::Pool;
use crate::node::{FormatTag, MAX_WIDTH, Node};
use crate::op::Op;

/// Constants above 64 bits, each owned by one node.
#[derive(Default)]
pub(super) struct WideConstants {
    numbers: Vec<BigUint>,
    free: Vec<u32>,
}

impl WideConstants {
    pub fn get(&self, place: u32) -> &BigUint {
        &self.numbers[place as usize]
    }

    pub fn add(&mut self, value: BigUint) -> u32 {
        match self.free.pop() {
            Some(place) => {
                self.numbers[place as usize] = value;
                place
            }
            None => {
                self.numbers.push(value);
                self.numbers.len() as u32 - 1
            }
        }
    }

    pub fn remove(&mut self, place: u32) {
        self.numbers[place as usize] = BigUint::ZERO;
        self.free.push(place);
    }
}

impl Pool {
    /// A constant, truncated to the width.
    pub fn constant(&mut self, width: u32, value: u128) -> ExprId {
        let value = if width < 128 { int::cut(value, width) } else { value };
        if width > 64 {
            return self.make_wide(width, BigUint::from(value));
        }
        self.make(Node {
            op: Op::Const,
            format: FormatTag::None,
            width: width as u16,
            args: [value as u32, (value >> 32) as u32, 0],
        })
    }

    /// A constant of any width, truncated to it.
    pub(crate) fn constant_wide(&mut self, width: u32, value: &BigUint) -> ExprId {
        assert!((1..=MAX_WIDTH).contains(&width), "no term has {width} bits");
        let value = value & ((BigUint::from(1u8) << width) - 1u8);
        match u128::try_from(&value) {
            Ok(value) => self.constant(width, value),
            Err(_) => self.make_wide(width, value),
        }
    }

    /// A constant of one bit.
    pub fn boolean(&mut self, value: bool) -> ExprId {
        self.constant(1, u128::from(value))
    }

    /// The value of a constant of up to 128 bits; `None` for any other term.
    #[inline]
    pub fn value(&self, e: ExprId) -> Option<u128> {
        let node = self.node(e);
        if node.op != Op::Const {
            return None;
        }
        if node.width <= 64 {
            return Some(u128::from(node.args[0]) | u128::from(node.args[1]) << 32);
        }
        if node.width > 128 {
            return None;
        }
        u128::try_from(self.wide.get(node.args[0])).ok()
    }

    /// The value of a constant; `None` for any other term.
    pub fn value_wide(&self, e: ExprId) -> Option<BigUint> {
        let node = self.node(e);
        if node.op != Op::Const {
            return None;
        }
        if node.width <= 64 {
            self.value(e).map(BigUint::from)
        } else {
            Some(self.wide.get(node.args[0]).clone())
        }
    }

    /// Whether a term is a constant.
    pub fn is_constant(&self, e: ExprId) -> bool {
        self.op(e) == Op::Const
    }
}
