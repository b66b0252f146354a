//! Constructors of float terms: operators over bit patterns, for single, double and x87
//! extended precision.
//!
//! A constructor returns `None` for a format without terms (half, bfloat, quad) and for
//! integers above 128 bits; the engine then concretises the operands and counts that. Results
//! are bit-identical to those of `byway_base::float`, including NaNs. Operations that only
//! move or test bits are no float operators: sign operations are bit operations, and classes
//! are comparisons of bit patterns.

use byway_base::ExprId;
use byway_base::float::{self as fp, Format};
use byway_base::int;

use crate::node::{FormatTag, Node};
use crate::op::{Op, RoundTo};
use crate::pool::Pool;

macro_rules! operations {
    ($($(#[$doc:meta])* $name:ident($($arg:ident),+) $op:ident;)*) => {
        impl Pool {
            $(
                $(#[$doc])*
                pub fn $name(&mut self, format: Format, $($arg: ExprId),+) -> Option<ExprId> {
                    self.float_operation(Op::$op, format, &[$($arg),+])
                }
            )*
        }
    };
}

operations! {
    /// Sum.
    fadd(a, b) FAdd;
    /// Difference.
    fsub(a, b) FSub;
    /// Product.
    fmul(a, b) FMul;
    /// Quotient.
    fdiv(a, b) FDiv;
    /// Remainder of the truncated quotient, as C's `fmod`.
    frem(a, b) FRem;
    /// Square root.
    fsqrt(a) FSqrt;
    /// `a * b + c`, rounded once.
    ffma(a, b, c) FFma;
    /// Equality: false on NaN, both zeros equal.
    feq(a, b) FEq;
    /// Less: false on NaN.
    flt(a, b) FLt;
    /// Less or equal: false on NaN.
    fle(a, b) FLe;
}

impl Pool {
    /// Makes a node of a float operator. The format must be one that has terms.
    pub(crate) fn make_float(
        &mut self,
        op: Op,
        format: Format,
        width: u32,
        operands: &[ExprId],
    ) -> ExprId {
        let tag = FormatTag::new(format).expect("a format that has terms");
        self.make(Node::new(op, width, operands).with_format(tag))
    }

    fn float_operation(&mut self, op: Op, format: Format, args: &[ExprId]) -> Option<ExprId> {
        FormatTag::new(format)?;
        debug_assert!(args.iter().all(|&e| self.width(e) == format.bits()));
        let width = if op.is_predicate() { 1 } else { format.bits() };
        Some(self.make_float(op, format, width, args))
    }

    /// Rounds to an integral value.
    pub fn fround(&mut self, format: Format, to: RoundTo, a: ExprId) -> Option<ExprId> {
        let tag = FormatTag::new(format)?;
        let node = Node::with_extra(Op::FRound, format.bits(), a, to as u32);
        Some(self.make(node.with_format(tag)))
    }

    /// Flips the sign, also of NaNs; for every format.
    pub fn fneg(&mut self, format: Format, a: ExprId) -> ExprId {
        let sign = self.constant(format.bits(), format.sign_bit());
        self.xor(sign, a)
    }

    /// Clears the sign, also of NaNs; for every format.
    pub fn fabs(&mut self, format: Format, a: ExprId) -> ExprId {
        let rest = self.constant(format.bits(), format.sign_bit() - 1);
        self.and(rest, a)
    }

    /// The magnitude of `a` with the sign of `b`; for every format.
    pub fn fcopysign(&mut self, format: Format, a: ExprId, b: ExprId) -> ExprId {
        let magnitude = self.extract(a, 0, format.bits() - 1);
        let sign = self.sign(b);
        self.concat(sign, magnitude)
    }

    /// Whether a float is NaN. For a computed float, this is a float operator; for a plain bit
    /// pattern, a comparison, which needs no theory of floats.
    pub fn fis_nan(&mut self, format: Format, a: ExprId) -> Option<ExprId> {
        FormatTag::new(format)?;
        if self.is_integer_float(format, a) {
            return Some(self.boolean(false));
        }
        if self.op(a).has_float_result() {
            return self.float_operation(Op::FIsNan, format, &[a]);
        }
        let magnitude = self.fabs(format, a);
        let infinity = self.constant(format.bits(), format.infinity(false));
        let above = self.ult(infinity, magnitude);
        let invalid = self.is_invalid(format, a);
        Some(self.or(above, invalid))
    }

    /// Whether at least one of two floats is NaN.
    pub fn funordered(&mut self, format: Format, a: ExprId, b: ExprId) -> Option<ExprId> {
        let (a, b) = (self.fis_nan(format, a)?, self.fis_nan(format, b)?);
        Some(self.or(a, b))
    }

    /// C's `fmin`; see `byway_base::float::min_num`.
    pub fn fmin_num(&mut self, format: Format, a: ExprId, b: ExprId) -> Option<ExprId> {
        let (nan, less) = (self.fis_nan(format, a)?, self.flt(format, b, a)?);
        let second = self.or(nan, less);
        Some(self.ite(second, b, a))
    }

    /// C's `fmax`; see `byway_base::float::min_num`.
    pub fn fmax_num(&mut self, format: Format, a: ExprId, b: ExprId) -> Option<ExprId> {
        let (nan, less) = (self.fis_nan(format, a)?, self.flt(format, a, b)?);
        let second = self.or(nan, less);
        Some(self.ite(second, b, a))
    }

    /// IEEE 754-2019 minimum: NaN if an operand is NaN; -0 is less than +0.
    pub fn fminimum(&mut self, format: Format, a: ExprId, b: ExprId) -> Option<ExprId> {
        let negative = self.sign(a);
        self.ordered_choice(format, a, b, (a, b), negative)
    }

    /// IEEE 754-2019 maximum: NaN if an operand is NaN; -0 is less than +0.
    pub fn fmaximum(&mut self, format: Format, a: ExprId, b: ExprId) -> Option<ExprId> {
        let negative = self.sign(a);
        let positive = self.not(negative);
        self.ordered_choice(format, a, b, (b, a), positive)
    }

    /// The first of `chosen` if a < b, the second if b < a, a NaN if an operand is; if they are
    /// equal, the first operand if `first`.
    fn ordered_choice(
        &mut self,
        format: Format,
        a: ExprId,
        b: ExprId,
        chosen: (ExprId, ExprId),
        first: ExprId,
    ) -> Option<ExprId> {
        let (less, greater) = (self.flt(format, a, b)?, self.flt(format, b, a)?);
        let (nan, sum) = (self.funordered(format, a, b)?, self.fadd(format, a, b)?);
        let equal = self.ite(first, a, b);
        let above = self.ite(greater, chosen.1, equal);
        let ordered = self.ite(less, chosen.0, above);
        Some(self.ite(nan, sum, ordered))
    }

    /// IEEE 754-2019 minimumNumber: ignores a NaN operand; -0 is less than +0.
    pub fn fminimum_num(&mut self, format: Format, a: ExprId, b: ExprId) -> Option<ExprId> {
        let both = self.fminimum(format, a, b)?;
        self.a_number_if_one_is(format, a, b, both)
    }

    /// IEEE 754-2019 maximumNumber: ignores a NaN operand; -0 is less than +0.
    pub fn fmaximum_num(&mut self, format: Format, a: ExprId, b: ExprId) -> Option<ExprId> {
        let both = self.fmaximum(format, a, b)?;
        self.a_number_if_one_is(format, a, b, both)
    }

    fn a_number_if_one_is(
        &mut self,
        format: Format,
        a: ExprId,
        b: ExprId,
        both: ExprId,
    ) -> Option<ExprId> {
        let (a_nan, b_nan) = (self.fis_nan(format, a)?, self.fis_nan(format, b)?);
        let differ = self.xor(a_nan, b_nan);
        let number = self.ite(a_nan, b, a);
        Some(self.ite(differ, number, both))
    }

    /// Whether a float's class is in the mask; see `byway_base::float::classify` for its bits.
    pub fn fclass(&mut self, format: Format, a: ExprId, mask: u16) -> Option<ExprId> {
        FormatTag::new(format)?;
        let width = format.bits();
        let magnitude = self.fabs(format, a);
        let negative = self.sign(a);
        let positive = self.not(negative);
        let number = |p: &mut Pool, value: u128| p.constant(width, value);
        let infinity = number(self, format.infinity(false));
        let quiet = number(self, format.infinity(false) | 1 << (format.precision() - 2));
        let least_normal = number(self, 1 << (format.precision() - 1));
        let zero = number(self, 0);
        let nan = self.ult(infinity, magnitude);
        let is_quiet = self.ule(quiet, magnitude);
        let loud = self.not(is_quiet);
        let loud = self.and(nan, loud);
        let invalid = self.is_invalid(format, a);
        let loud = self.or(loud, invalid);
        let infinite = self.eq(infinity, magnitude);
        let below_infinity = self.ult(magnitude, infinity);
        let from_normal = self.ule(least_normal, magnitude);
        let normal = self.and(from_normal, below_infinity);
        let valid = self.not(invalid);
        let normal = self.and(normal, valid);
        let is_zero = self.eq(zero, magnitude);
        let below_normal = self.not(from_normal);
        let not_zero = self.not(is_zero);
        let subnormal = self.and(below_normal, not_zero);
        // Each class, with the mask bits of its negative and positive members.
        let signed = [(infinite, 2, 9), (normal, 3, 8), (subnormal, 4, 7), (is_zero, 5, 6)];
        let in_mask = |bit: u32| mask >> bit & 1 != 0;
        let mut any = self.boolean(false);
        for (class, bit) in [(loud, 0), (is_quiet, 1)] {
            if in_mask(bit) {
                any = self.or(any, class);
            }
        }
        for (class, minus, plus) in signed {
            let member = match (in_mask(minus), in_mask(plus)) {
                (true, true) => class,
                (true, false) => self.and(class, negative),
                (false, true) => self.and(class, positive),
                (false, false) => continue,
            };
            any = self.or(any, member);
        }
        Some(any)
    }

    /// Converts to a signed integer, truncating; x86 behaviour out of range and for NaN.
    pub fn fto_si(&mut self, format: Format, a: ExprId, width: u32) -> Option<ExprId> {
        FormatTag::new(format)?;
        let narrowest = if format == Format::F80 { 16 } else { 32 };
        let instruction = width.next_power_of_two().max(narrowest);
        if instruction > 128 {
            return None;
        }
        let rounded = self.make_float(Op::FToSi, format, instruction, &[a]);
        Some(self.extract(rounded, 0, width))
    }

    /// Converts to an unsigned integer, truncating; x86 behaviour out of range.
    pub fn fto_ui(&mut self, format: Format, a: ExprId, width: u32) -> Option<ExprId> {
        if !matches!(width, 64 | 128) {
            let wider = self.fto_si(format, a, width + 1)?;
            return Some(self.extract(wider, 0, width));
        }
        // A value in the upper half of the range is reduced by the half, which is exact,
        // converted, and raised again.
        let half = self.power_of_two(format, width - 1);
        let sign = self.constant(width, int::signed_min(width));
        let low = self.fto_si(format, a, width)?;
        let rest = self.fsub(format, a, half)?;
        let high = self.fto_si(format, rest, width)?;
        let high = self.xor(sign, high);
        if format == Format::F80 {
            // Compiled x87 code tests only whether the value is below the upper half, not
            // whether it is in range.
            let is_low = self.flt(format, a, half)?;
            return Some(self.ite(is_low, low, high));
        }
        let end = self.power_of_two(format, width);
        let (is_high, fits) = (self.fle(format, half, a)?, self.flt(format, a, end)?);
        let high = self.ite(fits, high, sign);
        Some(self.ite(is_high, high, low))
    }

    /// A power of two as a float; infinity if it is out of range.
    fn power_of_two(&mut self, format: Format, exponent: u32) -> ExprId {
        let half = fp::from_ui(format, 1 << (exponent - 1));
        let bits = fp::add(format, half, half);
        self.constant(format.bits(), bits)
    }

    /// Converts to a signed integer, truncating and saturating; NaN becomes zero.
    pub fn fto_si_sat(&mut self, format: Format, a: ExprId, width: u32) -> Option<ExprId> {
        let rounded = self.fto_si(format, a, width)?;
        let limit = if width == 1 {
            self.one_as_float(format)
        } else {
            self.power_of_two(format, width - 1)
        };
        let minus_limit = self.fneg(format, limit);
        let min = self.constant(width, int::signed_min(width));
        let max = self.constant(width, int::signed_max(width));
        let zero = self.constant(width, 0);
        let (below, above) = (self.flt(format, a, minus_limit)?, self.fle(format, limit, a)?);
        let nan = self.fis_nan(format, a)?;
        let clamped = self.ite(above, max, rounded);
        let clamped = self.ite(below, min, clamped);
        Some(self.ite(nan, zero, clamped))
    }

    /// Converts to an unsigned integer, truncating and saturating; NaN becomes zero.
    pub fn fto_ui_sat(&mut self, format: Format, a: ExprId, width: u32) -> Option<ExprId> {
        let rounded = self.fto_ui(format, a, width)?;
        let end = self.power_of_two(format, width);
        let max = self.constant(width, int::mask(width));
        let zero = self.constant(width, 0);
        let float_zero = self.constant(format.bits(), 0);
        let (above, from_zero) = (self.fle(format, end, a)?, self.fle(format, float_zero, a)?);
        let clamped = self.ite(above, max, rounded);
        Some(self.ite(from_zero, clamped, zero))
    }

    fn one_as_float(&mut self, format: Format) -> ExprId {
        self.constant(format.bits(), fp::from_ui(format, 1))
    }

    /// Converts a signed integer, rounding to nearest.
    pub fn ffrom_si(&mut self, format: Format, a: ExprId) -> Option<ExprId> {
        self.float_from(Op::FFromSi, format, a)
    }

    /// Converts an unsigned integer, rounding to nearest.
    pub fn ffrom_ui(&mut self, format: Format, a: ExprId) -> Option<ExprId> {
        self.float_from(Op::FFromUi, format, a)
    }

    fn float_from(&mut self, op: Op, format: Format, a: ExprId) -> Option<ExprId> {
        FormatTag::new(format)?;
        (self.width(a) <= 128).then(|| self.make_float(op, format, format.bits(), &[a]))
    }

    /// Converts to another format.
    pub fn fconvert(&mut self, from: Format, to: Format, a: ExprId) -> Option<ExprId> {
        FormatTag::new(from)?;
        FormatTag::new(to)?;
        if from == to {
            return Some(a);
        }
        Some(self.make_float(Op::FConvert, from, to.bits(), &[a]))
    }
}
