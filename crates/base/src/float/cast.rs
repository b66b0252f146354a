//! Conversions between floats and integers, and between float formats.
//!
//! C does not define the conversion of a float outside the integer's range; the results here
//! are those of compiled x86-64 code. The conversion instructions work on signed
//! integers of 32 and 64 bits (x87 also 16) and convert an out-of-range operand or
//! NaN to the "indefinite" integer, with only the sign bit set. Other widths use
//! the next wider instruction that covers every value of the target and truncate its result:
//! an unsigned 32-bit integer the 64-bit one. Unsigned 64-bit integers, which no
//! instruction covers, are combined from two halves of the range; see
//! [`to_ui`]. Widths above 64, where compiled code calls a library, behave as if
//! there were a 128-bit instruction. F128 is implemented in libraries, whose functions have
//! the widths of the instructions, also for unsigned integers, and clamp.

use super::format::{FloatClass, Format};
use super::soft;
use crate::int;

/// A float truncated toward zero.
struct Truncated {
    negative: bool,
    /// `None`: NaN, infinite or above 128 bits.
    magnitude: Option<u128>,
}

impl Truncated {
    #[inline(always)]
    fn of(format: Format, a: u128) -> Self {
        let x = format.unpack(a);
        let magnitude = match (x.class, x.exponent) {
            (FloatClass::Zero, _) | (FloatClass::Finite, ..0) => Some(0),
            (FloatClass::Finite, exponent @ 0..=127) => Some(x.significand >> (127 - exponent)),
            _ => None,
        };
        Self { negative: x.negative, magnitude }
    }

    /// As a signed integer, if it fits.
    #[inline(always)]
    fn signed(&self, width: u32) -> Option<u128> {
        let magnitude = self.magnitude?;
        let limit = int::signed_max(width) + self.negative as u128;
        (magnitude <= limit)
            .then(|| if self.negative { int::sub(0, magnitude, width) } else { magnitude })
    }

    /// As an unsigned integer, if it fits.
    #[inline(always)]
    fn unsigned(&self, width: u32) -> Option<u128> {
        self.magnitude.filter(|&m| m <= int::mask(width) && (!self.negative || m == 0))
    }

    /// The result of the conversion instruction of this width.
    #[inline(always)]
    fn signed_or_indefinite(&self, width: u32) -> u128 {
        self.signed(width).unwrap_or(int::signed_min(width))
    }
}

/// The width of the narrowest conversion instruction of at least this width.
#[inline(always)]
fn instruction_width(format: Format, width: u32) -> u32 {
    let narrowest = if matches!(format, Format::F80) { 16 } else { 32 };
    width.next_power_of_two().max(narrowest)
}

/// The value of a single or double, if the format is one of them and a conversion
/// to `i64` is all that is needed.
#[inline(always)]
fn small(format: Format, a: u128) -> Option<i64> {
    let value = match format {
        Format::F32 => f32::from_bits(a as u32) as f64,
        Format::F64 => f64::from_bits(a as u64),
        _ => return None,
    };
    // Strictly within 32 bits, so that every instruction agrees.
    (value > -2147483648.0 && value < 2147483648.0).then_some(value as i64)
}

/// Float to signed integer, toward zero. Out of range or NaN: the indefinite
/// integer of the instruction that compiled code uses, truncated to the width.
#[inline]
pub fn to_si(format: Format, a: u128, width: u32) -> u128 {
    match small(format, a) {
        Some(value) => int::cut(value as u128, width),
        None => to_si_any(format, a, width),
    }
}

fn to_si_any(format: Format, a: u128, width: u32) -> u128 {
    let wide = instruction_width(format, width);
    let value = match format {
        Format::F128 => to_si_sat(format, a, wide),
        _ => Truncated::of(format, a).signed_or_indefinite(wide),
    };
    int::cut(value, width)
}

/// Float to unsigned integer, toward zero. Negative numbers in the range of the
/// signed instruction wrap. Beyond that, for 64 (and 128) bits: SSE code
/// combines the conversions of `x` and `x - 2^63` and gives the indefinite
/// integer; x87 code converts one of them and gives zero for NaN and from 2^64
/// on, else the indefinite integer.
#[inline]
pub fn to_ui(format: Format, a: u128, width: u32) -> u128 {
    match small(format, a) {
        Some(value) => int::cut(value as u128, width),
        None => to_ui_any(format, a, width),
    }
}

fn to_ui_any(format: Format, a: u128, width: u32) -> u128 {
    let has_unsigned = match format {
        Format::F128 => matches!(width, 32 | 64 | 128),
        _ => matches!(width, 64 | 128),
    };
    if !has_unsigned {
        return int::cut(to_si_any(format, a, width + 1), width);
    }
    let whole = Truncated::of(format, a);
    match whole.unsigned(width).or_else(|| whole.signed(width)) {
        _ if format == Format::F128 => to_ui_sat(format, a, width),
        Some(value) => value,
        None if format == Format::F80 && (!whole.negative || super::is_nan(format, a)) => 0,
        None => int::signed_min(width),
    }
}

/// Float to signed integer, toward zero, clamped; NaN gives zero.
pub fn to_si_sat(format: Format, a: u128, width: u32) -> u128 {
    let whole = Truncated::of(format, a);
    match whole.signed(width) {
        Some(value) => value,
        None if super::is_nan(format, a) => 0,
        None if whole.negative => int::signed_min(width),
        None => int::signed_max(width),
    }
}

/// Float to unsigned integer, toward zero, clamped; NaN gives zero.
pub fn to_ui_sat(format: Format, a: u128, width: u32) -> u128 {
    let whole = Truncated::of(format, a);
    match whole.unsigned(width) {
        Some(value) => value,
        None if whole.negative || super::is_nan(format, a) => 0,
        None => int::mask(width),
    }
}

/// Signed integer to the nearest float.
#[inline]
pub fn from_si(format: Format, value: u128, width: u32) -> u128 {
    let value = int::signed(value, width);
    match format {
        Format::F32 if width <= 64 => (value as i64 as f32).to_bits() as u128,
        Format::F64 if width <= 64 => (value as i64 as f64).to_bits() as u128,
        Format::F32 => (value as f32).to_bits() as u128,
        Format::F64 => (value as f64).to_bits() as u128,
        _ => from_magnitude(format, value < 0, value.unsigned_abs()),
    }
}

/// Unsigned integer to the nearest float.
#[inline]
pub fn from_ui(format: Format, value: u128) -> u128 {
    let narrow = value >> 64 == 0;
    match format {
        Format::F32 if narrow => (value as u64 as f32).to_bits() as u128,
        Format::F64 if narrow => (value as u64 as f64).to_bits() as u128,
        Format::F32 => (value as f32).to_bits() as u128,
        Format::F64 => (value as f64).to_bits() as u128,
        _ => from_magnitude(format, false, value),
    }
}

#[inline(never)]
fn from_magnitude(format: Format, negative: bool, magnitude: u128) -> u128 {
    match format {
        Format::F80 => soft::from_magnitude(Format::F80, negative, magnitude),
        _ => soft::from_magnitude(format, negative, magnitude),
    }
}

/// Float to another format, either way, to nearest. NaNs become quiet and keep
/// the upper bits of their payload.
#[inline]
pub fn convert(from: Format, to: Format, a: u128) -> u128 {
    #[inline(never)]
    fn soft(from: Format, to: Format, a: u128) -> u128 {
        match (from, to) {
            (Format::F80, Format::F64) => Format::F64.pack(Format::F80.unpack(a)),
            (Format::F64, Format::F80) => Format::F80.pack(Format::F64.unpack(a)),
            _ => to.pack(from.unpack(a)),
        }
    }
    match (from, to) {
        (Format::F32, Format::F64) if !super::is_nan(from, a) => {
            (f32::from_bits(a as u32) as f64).to_bits() as u128
        }
        (Format::F64, Format::F32) if !super::is_nan(from, a) => {
            (f64::from_bits(a as u64) as f32).to_bits() as u128
        }
        _ => soft(from, to, a),
    }
}
