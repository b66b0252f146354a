//! Which bits of a term depend on undefined bytes: on memory that was never written, or on a
//! variable that was never set.
//!
//! A copy of an undefined value is harmless, and so is arithmetic on it. What counts is where it
//! decides something, and whether the bits that decide are undefined: `(x & 1) == 1` is defined
//! if the lowest bit of `x` is. So undefined bytes are ordinary leaves of terms, and this
//! analysis is made where a term decides: it computes the *mask* of a term's undefined bits, and
//! the term's value with all undefined bits at zero. Where the mask is zero, the value equals
//! the term.
//!
//! The mask is itself a term, since which bits are undefined may depend on the input: the byte
//! of a partly written array at a symbolic index, say. The rules are those of memory checkers:
//! exact for bitwise operations, comparisons, sums and selections; a result of any other
//! operation is wholly undefined if any bit of an operand is.

use byway_base::ExprId;
use rustc_hash::FxHashMap;

use crate::node::Node;
use crate::op::Op;
use crate::pool::Pool;
use crate::support::InputByte;

/// The undefined bits of a term.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Definedness {
    /// A mask as wide as the term: one where a bit is undefined.
    pub undefined: ExprId,
    /// The term with all undefined bytes at zero. It mentions none.
    pub value: ExprId,
}

impl Pool {
    /// An undefined byte that occurs in a term, if any does.
    pub fn undefined_byte(&mut self, e: ExprId) -> Option<InputByte> {
        if !self.has_undefined() {
            return None;
        }
        self.support(e).last().copied().filter(|byte| byte.object.is_undefined())
    }

    /// The undefined bits of a term. The versions of memory that it reads mention none.
    pub fn definedness(&mut self, root: ExprId) -> Definedness {
        let mut done: FxHashMap<ExprId, Definedness> = FxHashMap::default();
        let mut stack = vec![(root, false)];
        while let Some((e, operands_done)) = stack.pop() {
            if done.contains_key(&e) {
                continue;
            }
            let node = self.node(e);
            if !operands_done {
                stack.push((e, true));
                stack.extend(node.operands().map(|operand| (operand, false)));
                continue;
            }
            let operands: Vec<Definedness> = node.operands().map(|o| done[&o]).collect();
            let result = self.definedness_of_node(e, node, &operands);
            done.insert(e, result);
        }
        done[&root]
    }

    fn definedness_of_node(&mut self, e: ExprId, node: Node, ops: &[Definedness]) -> Definedness {
        if ops.is_empty() {
            let undefined = self.as_input(e).is_some_and(|byte| byte.object.is_undefined());
            let (zero, ones) = (self.zero_like(e), self.ones_like(e));
            return match undefined {
                true => Definedness { undefined: ones, value: zero },
                false => Definedness { undefined: zero, value: e },
            };
        }
        let values: Vec<ExprId> = ops.iter().map(|operand| operand.value).collect();
        let value = self.rebuild(node, &values);
        if ops.iter().all(|operand| self.zero_like(operand.undefined) == operand.undefined) {
            return Definedness { undefined: self.zero_like(e), value };
        }
        let undefined = match (node.op, ops) {
            (Op::Not, [a]) => a.undefined,
            (Op::Neg, [a]) => self.smeared_left(a.undefined),
            (Op::Add | Op::Sub, [a, b]) => self.undefined_in_sum(node.op, *a, *b),
            (Op::Mul, [a, b]) => {
                let either = self.or(a.undefined, b.undefined);
                self.smeared_left(either)
            }
            (Op::And | Op::Or, [a, b]) => self.undefined_in_bits(node.op, *a, *b),
            (Op::Xor, [a, b]) => self.or(a.undefined, b.undefined),
            (Op::Shl | Op::LShr | Op::AShr, [a, amount]) => {
                let shifted = self.binary(node.op, a.undefined, amount.value);
                let lost = self.spread(amount.undefined, node.width());
                self.or(shifted, lost)
            }
            (Op::Eq, [a, b]) => self.undefined_in_equality(*a, *b),
            (Op::Ult | Op::Ule | Op::Slt | Op::Sle, [a, b]) => {
                self.undefined_in_order(node.op, *a, *b)
            }
            (Op::Concat, [a, b]) => self.concat(a.undefined, b.undefined),
            (Op::Extract, [a]) => self.extract(a.undefined, node.low(), node.width()),
            (Op::Zext, [a]) => self.zext(a.undefined, node.width()),
            (Op::Sext, [a]) => self.sext(a.undefined, node.width()),
            (Op::Ite, [cond, a, b]) => self.undefined_in_choice(*cond, *a, *b),
            _ => ops.iter().fold(self.zero_like(e), |all, operand| {
                let spread = self.spread(operand.undefined, node.width());
                self.or(all, spread)
            }),
        };
        Definedness { undefined, value }
    }

    /// All ones in `width` bits if any bit of a mask is set, else zero.
    fn spread(&mut self, mask: ExprId, width: u32) -> ExprId {
        let zero = self.zero_like(mask);
        let none = self.eq(mask, zero);
        let any = self.not(none);
        self.sext(any, width)
    }

    /// A mask with all bits set from its lowest one upwards: a carry goes to the left only.
    fn smeared_left(&mut self, mask: ExprId) -> ExprId {
        let negated = self.neg(mask);
        self.or(mask, negated)
    }

    /// The least value that a term can have, unsigned: its undefined bits are zero.
    fn least(&mut self, a: Definedness) -> ExprId {
        let defined = self.not(a.undefined);
        self.and(a.value, defined)
    }

    /// The greatest value that a term can have, unsigned: its undefined bits are one.
    fn greatest(&mut self, a: Definedness) -> ExprId {
        self.or(a.value, a.undefined)
    }

    /// A bit of a sum or difference is undefined if one of an operand is, or a carry that
    /// depends on undefined bits reaches it: then it differs between the two extreme results.
    fn undefined_in_sum(&mut self, op: Op, a: Definedness, b: Definedness) -> ExprId {
        let (least_b, greatest_b) = match op {
            Op::Add => (self.least(b), self.greatest(b)),
            _ => (self.greatest(b), self.least(b)),
        };
        let (least_a, greatest_a) = (self.least(a), self.greatest(a));
        let least = self.binary(op, least_a, least_b);
        let greatest = self.binary(op, greatest_a, greatest_b);
        let carried = self.xor(least, greatest);
        let either = self.or(a.undefined, b.undefined);
        self.or(either, carried)
    }

    /// A zero decides a conjunction and a one a disjunction, whatever the other bit is.
    fn undefined_in_bits(&mut self, op: Op, a: Definedness, b: Definedness) -> ExprId {
        let (open_a, open_b) = match op {
            Op::And => (a.value, b.value),
            _ => (self.not(a.value), self.not(b.value)),
        };
        let both = self.and(a.undefined, b.undefined);
        let by_a = self.and(a.undefined, open_b);
        let by_b = self.and(open_a, b.undefined);
        let one = self.or(by_a, by_b);
        self.or(both, one)
    }

    /// Values that differ in a defined bit are different, whatever the other bits are.
    fn undefined_in_equality(&mut self, a: Definedness, b: Definedness) -> ExprId {
        let either = self.or(a.undefined, b.undefined);
        let defined = self.not(either);
        let difference = self.xor(a.value, b.value);
        let difference = self.and(difference, defined);
        let zero = self.zero_like(either);
        let all_defined = self.eq(either, zero);
        let some_undefined = self.not(all_defined);
        let may_be_equal = self.eq(difference, zero);
        self.and(some_undefined, may_be_equal)
    }

    /// An order is defined if it is the same for the extreme values of both sides.
    fn undefined_in_order(&mut self, op: Op, a: Definedness, b: Definedness) -> ExprId {
        let signed = matches!(op, Op::Slt | Op::Sle);
        let unsigned_op = if matches!(op, Op::Ult | Op::Slt) { Op::Ult } else { Op::Ule };
        let (a, b) = match signed {
            true => (self.sign_flipped(a), self.sign_flipped(b)),
            false => (a, b),
        };
        let (least_a, greatest_a) = (self.least(a), self.greatest(a));
        let (least_b, greatest_b) = (self.least(b), self.greatest(b));
        let may_hold = self.binary(unsigned_op, least_a, greatest_b);
        let must_hold = self.binary(unsigned_op, greatest_a, least_b);
        self.xor(may_hold, must_hold)
    }

    /// The term with its highest bit inverted, which turns signed order into unsigned order.
    fn sign_flipped(&mut self, a: Definedness) -> Definedness {
        let width = self.width(a.value);
        let highest = self.extract(a.value, width - 1, 1);
        let inverted = self.not(highest);
        let value = match width {
            1 => inverted,
            _ => {
                let rest = self.extract(a.value, 0, width - 1);
                self.concat(inverted, rest)
            }
        };
        Definedness { value, ..a }
    }

    /// A choice by an undefined condition is defined in the bits that both sides share.
    fn undefined_in_choice(&mut self, cond: Definedness, a: Definedness, b: Definedness) -> ExprId {
        let chosen = self.ite(cond.value, a.undefined, b.undefined);
        let difference = self.xor(a.value, b.value);
        let either = self.or(a.undefined, b.undefined);
        let open = self.or(difference, either);
        self.ite(cond.undefined, open, chosen)
    }
}

#[cfg(test)]
mod tests;
