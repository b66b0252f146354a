//! 256-bit numbers: the operations that products of two significands need.

use super::format::shift_right_sticky;

/// An unsigned number of 256 bits.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct U256 {
    pub high: u128,
    pub low: u128,
}

impl U256 {
    pub const fn is_zero(self) -> bool {
        self.high == 0 && self.low == 0
    }

    /// The full product.
    pub const fn product(a: u128, b: u128) -> Self {
        const HALF: u128 = u64::MAX as u128;
        let (a1, a0) = (a >> 64, a & HALF);
        let (b1, b0) = (b >> 64, b & HALF);
        let low = a0 * b0;
        let middle = a1 * b0 + (low >> 64);
        let other = a0 * b1 + (middle & HALF);
        Self { high: a1 * b1 + (middle >> 64) + (other >> 64), low: other << 64 | (low & HALF) }
    }

    /// Shifted right, the lowest bit set if any bit was lost.
    pub const fn shift_right_sticky(self, amount: u32) -> Self {
        if amount == 0 {
            self
        } else if amount < 128 {
            let lost = self.low << (128 - amount) != 0;
            let low = self.low >> amount | self.high << (128 - amount);
            Self { high: self.high >> amount, low: low | lost as u128 }
        } else {
            let low = shift_right_sticky(self.high, amount - 128) | (self.low != 0) as u128;
            Self { high: 0, low }
        }
    }

    pub const fn leading_zeros(self) -> u32 {
        if self.high != 0 { self.high.leading_zeros() } else { 128 + self.low.leading_zeros() }
    }

    /// Shifted left by an amount below 256.
    pub const fn shift_left(self, amount: u32) -> Self {
        if amount == 0 {
            self
        } else if amount < 128 {
            let carried = self.low >> (128 - amount);
            Self { high: self.high << amount | carried, low: self.low << amount }
        } else {
            Self { high: self.low << (amount - 128), low: 0 }
        }
    }

    pub const fn wrapping_add(self, other: Self) -> Self {
        let (low, carry) = self.low.overflowing_add(other.low);
        Self { high: self.high.wrapping_add(other.high).wrapping_add(carry as u128), low }
    }

    pub const fn wrapping_sub(self, other: Self) -> Self {
        let (low, borrow) = self.low.overflowing_sub(other.low);
        Self { high: self.high.wrapping_sub(other.high).wrapping_sub(borrow as u128), low }
    }

    /// The upper half, its lowest bit set if the lower half is not zero.
    pub const fn high_sticky(self) -> u128 {
        self.high | (self.low != 0) as u128
    }
}
