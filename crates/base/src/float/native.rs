//! Single and double precision, computed by the processor.
//!
//! Rust does not define which NaN an operation returns, and the compiler may
//! swap operands; so whenever a result is NaN, its pattern is computed here by
//! the rule of the SSE instructions: the first operand that is NaN, made quiet,
//! else the default NaN, which is negative.

macro_rules! native {
    ($name:ident, $float:ident, $bits:ident, $what:literal) => {
        #[doc = $what]
        #[doc = "precision, on bit patterns."]
        pub mod $name {
            use std::cmp::Ordering;

            const QUIET: $bits = 1 << ($float::MANTISSA_DIGITS - 2);
            /// Negative and quiet, without payload.
            const DEFAULT_NAN: $bits = $float::NEG_INFINITY.to_bits() | QUIET;

            const fn is_nan(a: $bits) -> bool {
                a << 1 > $float::INFINITY.to_bits() << 1
            }

            /// The NaN of an operation on these operands.
            #[cold]
            fn nan_of(operands: &[$bits]) -> $bits {
                let nan = operands.iter().find(|&&a| is_nan(a));
                nan.map_or(DEFAULT_NAN, |a| a | QUIET)
            }

            #[inline(always)]
            fn binary(a: $bits, b: $bits, op: impl Fn($float, $float) -> $float) -> $bits {
                let result = op($float::from_bits(a), $float::from_bits(b));
                if result.is_nan() { nan_of(&[a, b]) } else { result.to_bits() }
            }

            #[inline(always)]
            fn unary(a: $bits, op: impl Fn($float) -> $float) -> $bits {
                binary(a, a, |x, _| op(x))
            }

            /// Sum.
            #[inline]
            pub fn add(a: $bits, b: $bits) -> $bits {
                binary(a, b, |x, y| x + y)
            }

            /// Difference.
            #[inline]
            pub fn sub(a: $bits, b: $bits) -> $bits {
                binary(a, b, |x, y| x - y)
            }

            /// Product.
            #[inline]
            pub fn mul(a: $bits, b: $bits) -> $bits {
                binary(a, b, |x, y| x * y)
            }

            /// Quotient.
            #[inline]
            pub fn div(a: $bits, b: $bits) -> $bits {
                binary(a, b, |x, y| x / y)
            }

            /// Remainder of the quotient toward zero, exact, with the sign of `a`.
            #[inline]
            pub fn rem(a: $bits, b: $bits) -> $bits {
                binary(a, b, |x, y| x % y)
            }

            /// Square root.
            #[inline]
            pub fn sqrt(a: $bits) -> $bits {
                unary(a, $float::sqrt)
            }

            /// Toward minus infinity, to an integral value.
            #[inline]
            pub fn floor(a: $bits) -> $bits {
                unary(a, $float::floor)
            }

            /// Toward infinity, to an integral value.
            #[inline]
            pub fn ceil(a: $bits) -> $bits {
                unary(a, $float::ceil)
            }

            /// Toward zero, to an integral value.
            #[inline]
            pub fn trunc(a: $bits) -> $bits {
                unary(a, $float::trunc)
            }

            /// To the nearest integral value, ties to even.
            #[inline]
            pub fn round_even(a: $bits) -> $bits {
                unary(a, $float::round_ties_even)
            }

            /// To the nearest integral value, ties away from zero.
            #[inline]
            pub fn round(a: $bits) -> $bits {
                unary(a, $float::round)
            }

            /// `a * b + c`, rounded once. Among NaNs the first wins, as with the
            /// processor's own instruction.
            #[inline]
            pub fn fma(a: $bits, b: $bits, c: $bits) -> $bits {
                let [x, y, z] = [a, b, c].map($float::from_bits);
                let result = x.mul_add(y, z);
                if result.is_nan() { nan_of(&[a, b, c]) } else { result.to_bits() }
            }

            /// The order of two floats; `None` if one is NaN.
            #[inline]
            pub fn compare(a: $bits, b: $bits) -> Option<Ordering> {
                $float::from_bits(a).partial_cmp(&$float::from_bits(b))
            }
        }
    };
}

native!(single, f32, u32, "Single");
native!(double, f64, u64, "Double");
