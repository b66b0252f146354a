//! The float formats, and unpacked floats.
//!
//! [`Unpacked`] represents floats of all formats: sign, exponent and a
//! significand aligned to the top of 128 bits. Every soft operation unpacks its
//! operands, computes exactly or with a sticky bit below the precision, and
//! rounds once in [`Format::round`].

/// A float format. Patterns of a format are `u128` with the bits above
/// [`Format::bits`] zero.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Format {
    /// IEEE half precision.
    Half,
    /// The upper half of a single: 8 bits of precision.
    Bf16,
    /// IEEE single precision.
    F32,
    /// IEEE double precision.
    F64,
    /// The x87 extended format, whose leading significand bit is stored.
    F80,
    /// IEEE quadruple precision.
    F128,
}

/// The class of a pattern.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum FloatClass {
    Zero,
    Finite,
    Infinite,
    Nan,
    /// An F80 pattern that no operation produces and that every x87 operation
    /// rejects: a leading significand bit of zero under a non-zero exponent.
    Invalid,
}

/// A float split into class, sign, exponent and significand.
#[derive(Copy, Clone, Debug)]
pub(super) struct Unpacked {
    pub negative: bool,
    pub class: FloatClass,
    /// The value is `significand / 2^127 * 2^exponent`, if finite.
    pub exponent: i32,
    /// The highest bit is set if finite or NaN. For NaN the next one distinguishes quiet
    /// from signalling and the rest is the payload.
    pub significand: u128,
}

/// The bit of an unpacked NaN's significand that marks it as quiet.
const QUIET: u128 = 1 << 126;

impl Unpacked {
    pub const fn zero(negative: bool) -> Self {
        Self { negative, class: FloatClass::Zero, exponent: 0, significand: 0 }
    }

    pub const fn infinity(negative: bool) -> Self {
        Self { negative, class: FloatClass::Infinite, exponent: 0, significand: 0 }
    }

    pub const fn is_nan(&self) -> bool {
        matches!(self.class, FloatClass::Nan | FloatClass::Invalid)
    }

    pub const fn is_quiet(&self) -> bool {
        self.significand & QUIET != 0
    }
}

/// `value >> amount`, the lowest bit set if any bit was lost.
#[inline(always)]
pub(super) const fn shift_right_sticky(value: u128, amount: u32) -> u128 {
    if amount == 0 {
        value
    } else if amount < 128 {
        value >> amount | (value << (128 - amount) != 0) as u128
    } else {
        (value != 0) as u128
    }
}

impl Format {
    /// Width of a pattern.
    #[inline(always)]
    pub const fn bits(self) -> u32 {
        match self {
            Format::Half | Format::Bf16 => 16,
            Format::F32 => 32,
            Format::F64 => 64,
            Format::F80 => 80,
            Format::F128 => 128,
        }
    }

    /// Bits of the significand, the leading one included.
    #[inline(always)]
    pub const fn precision(self) -> u32 {
        match self {
            Format::Half => 11,
            Format::Bf16 => 8,
            Format::F32 => 24,
            Format::F64 => 53,
            Format::F80 => 64,
            Format::F128 => 113,
        }
    }

    /// The exponent of the largest finite numbers; also the bias of the stored
    /// exponent.
    #[inline(always)]
    pub const fn max_exponent(self) -> i32 {
        match self {
            Format::Half => 15,
            Format::Bf16 | Format::F32 => 127,
            Format::F64 => 1023,
            Format::F80 | Format::F128 => 16383,
        }
    }

    /// The exponent of the smallest normal number.
    #[inline(always)]
    pub const fn min_exponent(self) -> i32 {
        1 - self.max_exponent()
    }

    /// Bits stored below the exponent.
    #[inline(always)]
    const fn stored_bits(self) -> u32 {
        self.precision() - if matches!(self, Format::F80) { 0 } else { 1 }
    }

    /// The stored exponent of infinities and NaNs.
    #[inline(always)]
    const fn top_exponent(self) -> u32 {
        2 * self.max_exponent() as u32 + 1
    }

    /// The sign bit alone.
    #[inline(always)]
    pub const fn sign_bit(self) -> u128 {
        1 << (self.bits() - 1)
    }

    /// The NaN that x86 returns for an operation without a result: negative, quiet,
    /// without payload.
    #[inline(always)]
    pub const fn default_nan(self) -> u128 {
        self.assemble(true, self.top_exponent(), 0b11 << (self.precision() - 2))
    }

    /// The pattern of an infinity.
    #[inline(always)]
    pub const fn infinity(self, negative: bool) -> u128 {
        self.assemble(negative, self.top_exponent(), 1 << (self.precision() - 1))
    }

    /// The pattern of a zero.
    #[inline(always)]
    pub const fn zero(self, negative: bool) -> u128 {
        if negative { self.sign_bit() } else { 0 }
    }

    /// The pattern of a stored exponent and a significand of `precision` bits,
    /// whose leading bit only F80 stores.
    #[inline(always)]
    const fn assemble(self, negative: bool, exponent: u32, significand: u128) -> u128 {
        let stored = self.stored_bits();
        let fraction = significand & (u128::MAX >> (128 - stored));
        self.zero(negative) | (exponent as u128) << stored | fraction
    }

    /// Unpacks a pattern. Pseudo-denormals of F80 (a leading bit of one
    /// under exponent zero) have the value x87 gives them.
    #[inline(always)]
    pub(super) const fn unpack(self, bits: u128) -> Unpacked {
        let stored = self.stored_bits();
        let negative = bits & self.sign_bit() != 0;
        let exponent = (bits >> stored) as u32 & self.top_exponent();
        let fraction = bits << (128 - stored);
        // As if the leading bit were stored, at the top.
        let leading = 1u128 << 127;
        let explicit = matches!(self, Format::F80);
        let below = if explicit { fraction & !leading } else { fraction >> 1 };
        let invalid = explicit && exponent != 0 && fraction & leading == 0;
        if invalid {
            Unpacked {
                negative,
                class: FloatClass::Invalid,
                exponent: 0,
                significand: leading | QUIET,
            }
        } else if exponent == self.top_exponent() {
            if below == 0 {
                Unpacked::infinity(negative)
            } else {
                Unpacked {
                    negative,
                    class: FloatClass::Nan,
                    exponent: 0,
                    significand: leading | below,
                }
            }
        } else if exponent != 0 {
            Unpacked {
                negative,
                class: FloatClass::Finite,
                exponent: exponent as i32 - self.max_exponent(),
                significand: leading | below,
            }
        } else {
            let significand = if explicit { fraction } else { below };
            if significand == 0 {
                return Unpacked::zero(negative);
            }
            let shift = significand.leading_zeros();
            Unpacked {
                negative,
                class: FloatClass::Finite,
                exponent: self.min_exponent() - shift as i32,
                significand: significand << shift,
            }
        }
    }

    /// The pattern nearest to `significand / 2^127 * 2^exponent`, ties to even.
    /// The significand's highest bit is set; its lowest bits may be sticky, as
    /// long as they lie two or more below the precision.
    #[inline(always)]
    pub(super) const fn round(self, negative: bool, exponent: i32, significand: u128) -> u128 {
        let (mut exponent, mut significand) = (exponent, significand);
        if exponent < self.min_exponent() {
            significand = shift_right_sticky(significand, (self.min_exponent() - exponent) as u32);
            exponent = self.min_exponent();
        }
        let dropped = 128 - self.precision();
        let half = 1u128 << (dropped - 1);
        let rest = significand & (2 * half - 1);
        let mut kept = significand >> dropped;
        kept += (rest > half || rest == half && kept & 1 != 0) as u128;
        if kept >> self.precision() != 0 {
            kept >>= 1;
            exponent += 1;
        }
        if exponent > self.max_exponent() {
            return self.infinity(negative);
        }
        // Without its leading bit the number is subnormal, whose stored exponent
        // is one less than that of the smallest normal.
        let normal = kept >> (self.precision() - 1) != 0;
        let stored = if normal { exponent + self.max_exponent() } else { 0 };
        self.assemble(negative, stored as u32, kept)
    }

    /// The pattern of an unpacked float, rounded; NaNs become quiet and lose the
    /// payload bits that do not fit.
    #[inline(always)]
    pub(super) const fn pack(self, x: Unpacked) -> u128 {
        match x.class {
            FloatClass::Zero => self.zero(x.negative),
            FloatClass::Finite => self.round(x.negative, x.exponent, x.significand),
            FloatClass::Infinite => self.infinity(x.negative),
            FloatClass::Nan => {
                let kept = (x.significand | QUIET) >> (128 - self.precision());
                self.assemble(x.negative, self.top_exponent(), kept)
            }
            FloatClass::Invalid => self.default_nan(),
        }
    }
}
