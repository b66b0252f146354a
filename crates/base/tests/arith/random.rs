//! Deterministic random numbers and float patterns.

use byway_base::float::Format;
use byway_base::int::mask;

/// A xorshift generator.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn word(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    pub fn below(&mut self, bound: u64) -> u64 {
        (self.word() >> 11) % bound
    }

    pub fn wide(&mut self) -> u128 {
        (self.word() as u128) << 64 | self.word() as u128
    }

    /// Integers of all magnitudes, including runs of ones and zeros.
    pub fn integer(&mut self, width: u32) -> u128 {
        let shift = self.below(width as u64) as u32;
        let value = match self.below(4) {
            0 => self.wide(),
            1 => self.wide() & mask(width) >> shift,
            2 => !0 << shift,
            _ => (1 << shift) + self.below(3) as u128,
        };
        let offset = if self.below(8) == 0 { 1 } else { 0 };
        (if self.below(2) == 0 { value } else { 0u128.wrapping_sub(value) }).wrapping_add(offset)
            & mask(width)
    }

    /// Valid patterns of a format: special ones, and numbers around one, around
    /// the borders of the exponent range and anywhere.
    pub fn float(&mut self, format: Format) -> u128 {
        let precision = format.precision();
        let bias = format.max_exponent() as u64;
        let exponent = match self.below(8) {
            0 => 0,
            1 => 2 * bias + 1,
            2 => self.below(2 * bias + 2),
            3 => self.below(precision as u64 + 4).min(2 * bias),
            4 => (2 * bias).saturating_sub(self.below(4)),
            5 => bias + self.below(precision as u64 + 4).min(bias),
            _ => bias - 4 + self.below(8),
        };
        let fraction = match self.below(6) {
            0 => 0,
            1 => mask(precision - 1),
            2 => 1 << self.below(precision as u64 - 1),
            3 => mask(precision - 1) & !0 << self.below(precision as u64 - 1),
            _ => self.wide() & mask(precision - 1),
        };
        let sign = if self.below(2) == 0 { 0 } else { format.sign_bit() };
        if format == Format::F80 {
            let leading = if exponent == 0 { 0 } else { 1 << 63 };
            sign | (exponent as u128) << 64 | leading | fraction
        } else {
            sign | (exponent as u128) << (precision - 1) | fraction
        }
    }
}
