//! Operations of the IR that are not operators of terms, composed of those.
//!
//! Each computes the function of the same name in `byway_base::int`.

use byway_base::ExprId;

use crate::op::Op;
use crate::pool::Pool;

impl Pool {
    /// Inequality, as one bit.
    pub fn ne(&mut self, a: ExprId, b: ExprId) -> ExprId {
        let same = self.eq(a, b);
        self.not(same)
    }

    /// Whether a term is not zero, as one bit.
    pub fn is_nonzero(&mut self, a: ExprId) -> ExprId {
        let zero = self.zero_like(a);
        self.ne(a, zero)
    }

    /// Zero, of a term's width.
    pub fn zero_like(&mut self, a: ExprId) -> ExprId {
        let width = self.width(a);
        self.constant(width, 0)
    }

    /// All ones, of a term's width.
    pub fn ones_like(&mut self, a: ExprId) -> ExprId {
        let width = self.width(a);
        let zero = self.constant(width, 0);
        self.not(zero)
    }

    /// The smallest signed value of a width: the sign bit alone.
    fn signed_min(&mut self, width: u32) -> ExprId {
        let one = self.constant(width, 1);
        let by = self.constant(width, u128::from(width - 1));
        self.shl(one, by)
    }

    /// The sign bit.
    pub fn sign(&mut self, a: ExprId) -> ExprId {
        let width = self.width(a);
        self.extract(a, width - 1, 1)
    }

    /// Unsigned minimum.
    pub fn umin(&mut self, a: ExprId, b: ExprId) -> ExprId {
        let less = self.ult(b, a);
        self.ite(less, b, a)
    }

    /// Unsigned maximum.
    pub fn umax(&mut self, a: ExprId, b: ExprId) -> ExprId {
        let less = self.ult(a, b);
        self.ite(less, b, a)
    }

    /// Signed minimum.
    pub fn smin(&mut self, a: ExprId, b: ExprId) -> ExprId {
        let less = self.slt(b, a);
        self.ite(less, b, a)
    }

    /// Signed maximum.
    pub fn smax(&mut self, a: ExprId, b: ExprId) -> ExprId {
        let less = self.slt(a, b);
        self.ite(less, b, a)
    }

    /// Whether signed addition overflows.
    pub fn sadd_overflows(&mut self, a: ExprId, b: ExprId) -> ExprId {
        let sum = self.add(a, b);
        let (x, y) = (self.xor(a, sum), self.xor(b, sum));
        let both = self.and(x, y);
        self.sign(both)
    }

    /// Whether unsigned addition overflows.
    pub fn uadd_overflows(&mut self, a: ExprId, b: ExprId) -> ExprId {
        // b > max - a; unlike a comparison of the sum, it makes a constant's bound explicit.
        let room = self.not(a);
        self.ult(room, b)
    }

    /// Whether signed subtraction overflows.
    pub fn ssub_overflows(&mut self, a: ExprId, b: ExprId) -> ExprId {
        let difference = self.sub(a, b);
        let (x, y) = (self.xor(a, b), self.xor(a, difference));
        let both = self.and(x, y);
        self.sign(both)
    }

    /// Whether unsigned subtraction overflows.
    pub fn usub_overflows(&mut self, a: ExprId, b: ExprId) -> ExprId {
        self.ult(a, b)
    }

    /// Whether signed multiplication overflows.
    pub fn smul_overflows(&mut self, a: ExprId, b: ExprId) -> ExprId {
        let width = self.width(a);
        let (x, y) = (self.sext(a, 2 * width), self.sext(b, 2 * width));
        let exact = self.mul(x, y);
        let low = self.extract(exact, 0, width);
        let restored = self.sext(low, 2 * width);
        self.ne(restored, exact)
    }

    /// Whether unsigned multiplication overflows.
    pub fn umul_overflows(&mut self, a: ExprId, b: ExprId) -> ExprId {
        let width = self.width(a);
        let (x, y) = (self.zext(a, 2 * width), self.zext(b, 2 * width));
        let exact = self.mul(x, y);
        let high = self.extract(exact, width, width);
        self.is_nonzero(high)
    }

    /// Whether `a * 2^amount` overflows, with `a` signed.
    pub fn sshl_overflows(&mut self, a: ExprId, amount: ExprId) -> ExprId {
        self.shl_overflows(a, amount, Op::AShr)
    }

    /// Whether `a * 2^amount` overflows, with `a` unsigned.
    pub fn ushl_overflows(&mut self, a: ExprId, amount: ExprId) -> ExprId {
        self.shl_overflows(a, amount, Op::LShr)
    }

    /// Shifts left and back and compares. The total shift gives zero for an amount of the
    /// width or more, so that only zero survives it, as it should.
    fn shl_overflows(&mut self, a: ExprId, amount: ExprId, back: Op) -> ExprId {
        let shifted = self.shl(a, amount);
        let restored = self.binary(back, shifted, amount);
        self.ne(restored, a)
    }

    /// The bound that a signed result saturates to: the minimum if `a` is negative, otherwise
    /// the maximum.
    fn bound_by_sign(&mut self, a: ExprId) -> ExprId {
        let min = self.signed_min(self.width(a));
        let max = self.not(min);
        let negative = self.sign(a);
        self.ite(negative, min, max)
    }

    /// Saturating signed addition.
    pub fn sadd_sat(&mut self, a: ExprId, b: ExprId) -> ExprId {
        let (over, bound, sum) = (self.sadd_overflows(a, b), self.bound_by_sign(a), self.add(a, b));
        self.ite(over, bound, sum)
    }

    /// Saturating unsigned addition.
    pub fn uadd_sat(&mut self, a: ExprId, b: ExprId) -> ExprId {
        let (over, max, sum) = (self.uadd_overflows(a, b), self.ones_like(a), self.add(a, b));
        self.ite(over, max, sum)
    }

    /// Saturating signed subtraction.
    pub fn ssub_sat(&mut self, a: ExprId, b: ExprId) -> ExprId {
        let over = self.ssub_overflows(a, b);
        let (bound, difference) = (self.bound_by_sign(a), self.sub(a, b));
        self.ite(over, bound, difference)
    }

    /// Saturating unsigned subtraction.
    pub fn usub_sat(&mut self, a: ExprId, b: ExprId) -> ExprId {
        let (over, zero, difference) = (self.ult(a, b), self.zero_like(a), self.sub(a, b));
        self.ite(over, zero, difference)
    }

    /// Saturating signed shift left, also for amounts of the width or more.
    pub fn sshl_sat(&mut self, a: ExprId, amount: ExprId) -> ExprId {
        let over = self.sshl_overflows(a, amount);
        let (bound, shifted) = (self.bound_by_sign(a), self.shl(a, amount));
        self.ite(over, bound, shifted)
    }

    /// Saturating unsigned shift left, also for amounts of the width or more.
    pub fn ushl_sat(&mut self, a: ExprId, amount: ExprId) -> ExprId {
        let over = self.ushl_overflows(a, amount);
        let (max, shifted) = (self.ones_like(a), self.shl(a, amount));
        self.ite(over, max, shifted)
    }

    /// The upper half of `a:b` shifted left by `amount` modulo the width.
    pub fn funnel_left(&mut self, a: ExprId, b: ExprId, amount: ExprId) -> ExprId {
        let width = self.width(a);
        let both = self.concat(a, b);
        let by = self.funnel_amount(amount);
        let shifted = self.shl(both, by);
        self.extract(shifted, width, width)
    }

    /// The lower half of `a:b` shifted right by `amount` modulo the width.
    pub fn funnel_right(&mut self, a: ExprId, b: ExprId, amount: ExprId) -> ExprId {
        let width = self.width(a);
        let both = self.concat(a, b);
        let by = self.funnel_amount(amount);
        let shifted = self.lshr(both, by);
        self.extract(shifted, 0, width)
    }

    /// The amount modulo its width, twice as wide. The modulus is computed in at least three
    /// bits, because an amount of one or two bits cannot represent its width.
    fn funnel_amount(&mut self, amount: ExprId) -> ExprId {
        let width = self.width(amount);
        let wide = (2 * width).max(3);
        let amount = self.zext(amount, wide);
        let modulus = self.constant(wide, u128::from(width));
        let remainder = self.urem(amount, modulus);
        self.extract(remainder, 0, 2 * width)
    }

    /// The number of ones, by pairwise addition of ever wider counts.
    pub fn ctpop(&mut self, a: ExprId) -> ExprId {
        let width = self.width(a);
        let mut counts: Vec<ExprId> = (0..width).map(|i| self.extract(a, i, 1)).collect();
        let mut lane = 1;
        while counts.len() > 1 {
            lane += 1;
            counts = counts
                .chunks(2)
                .map(|pair| {
                    let first = self.zext(pair[0], lane);
                    match pair.get(1) {
                        Some(&second) => {
                            let second = self.zext(second, lane);
                            self.add(first, second)
                        }
                        None => first,
                    }
                })
                .collect();
        }
        self.resize(counts[0], width)
    }

    /// Truncation or zero extension.
    pub fn resize(&mut self, a: ExprId, width: u32) -> ExprId {
        if self.width(a) > width { self.extract(a, 0, width) } else { self.zext(a, width) }
    }

    /// The number of leading zeros; the width for zero.
    pub fn ctlz(&mut self, a: ExprId) -> ExprId {
        let width = self.width(a);
        self.first_one(a, 0..width, |bit| width - 1 - bit)
    }

    /// The number of trailing zeros; the width for zero.
    pub fn cttz(&mut self, a: ExprId) -> ExprId {
        let width = self.width(a);
        self.first_one(a, (0..width).rev(), |bit| bit)
    }

    /// `number(bit)` for the last of `bits` that is one; the width if none is.
    fn first_one(
        &mut self,
        a: ExprId,
        bits: impl Iterator<Item = u32>,
        number: impl Fn(u32) -> u32,
    ) -> ExprId {
        let width = self.width(a);
        let none = self.constant(width, u128::from(width));
        bits.fold(none, |otherwise, bit| {
            let is_one = self.extract(a, bit, 1);
            let here = self.constant(width, u128::from(number(bit)));
            self.ite(is_one, here, otherwise)
        })
    }

    /// Reverses the bytes; the width must be a multiple of 8.
    pub fn bswap(&mut self, a: ExprId) -> ExprId {
        self.reverse(a, 8)
    }

    /// Reverses the bits.
    pub fn bitreverse(&mut self, a: ExprId) -> ExprId {
        self.reverse(a, 1)
    }

    /// Reverses parts of equal width.
    fn reverse(&mut self, a: ExprId, part: u32) -> ExprId {
        let parts = self.width(a) / part;
        let top = self.extract(a, (parts - 1) * part, part);
        (0..parts - 1).rev().fold(top, |low, i| {
            let next = self.extract(a, i * part, part);
            self.concat(next, low)
        })
    }

    /// Absolute value; the minimum is its own.
    pub fn abs(&mut self, a: ExprId) -> ExprId {
        let (negative, positive) = (self.sign(a), self.neg(a));
        self.ite(negative, positive, a)
    }
}
