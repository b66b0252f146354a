//! The natural logarithm, from additions, multiplications and divisions alone.
//!
//! The C library's may differ in the last bit from one processor to another, and whatever is
//! drawn with its help would differ with it.

/// Terms of the series. The argument of the series is at most 0.1716, so the first term that is
/// left out is smaller than 2^-64.
const TERMS: u32 = 13;

/// The natural logarithm of a positive, finite number.
pub fn ln(x: f64) -> f64 {
    let (fraction, exponent) = split(x);
    let series = ln_near_one((fraction - 1.0) / (fraction + 1.0));
    f64::from(exponent) * std::f64::consts::LN_2 + series
}

/// The natural logarithm of one plus a number greater than -1; exact to the last bits for small
/// numbers, too.
pub fn ln_1p(x: f64) -> f64 {
    match x.abs() < 0.25 {
        true => ln_near_one(x / (2.0 + x)),
        false => ln(1.0 + x),
    }
}

/// ln((1 + s) / (1 - s)).
fn ln_near_one(s: f64) -> f64 {
    let square = s * s;
    let mut sum = 0.0;
    for term in (0..TERMS).rev() {
        sum = sum * square + 1.0 / f64::from(2 * term + 1);
    }
    2.0 * s * sum
}

/// A number as a fraction between √½ and √2, and a power of two.
fn split(x: f64) -> (f64, i32) {
    const FRACTION_BITS: u32 = 52;
    const ONE: u64 = 1023;
    // Subnormal numbers have fewer bits.
    let (x, shifted) = match x < f64::MIN_POSITIVE {
        true => (x * (1u64 << 54) as f64, 54),
        false => (x, 0),
    };
    let bits = x.to_bits();
    let fraction = f64::from_bits(bits & ((1 << FRACTION_BITS) - 1) | ONE << FRACTION_BITS);
    let exponent = (bits >> FRACTION_BITS) as i32 - ONE as i32 - shifted;
    match fraction > std::f64::consts::SQRT_2 {
        true => (fraction / 2.0, exponent + 1),
        false => (fraction, exponent),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rng;

    fn is_close(own: f64, other: f64) -> bool {
        (own - other).abs() <= 4.0 * f64::EPSILON * other.abs().max(f64::MIN_POSITIVE)
    }

    #[test]
    fn it_is_that_of_the_c_library() {
        let mut rng = Rng::new(5);
        for _ in 0..20_000 {
            let unit = rng.unit();
            let wide = f64::from_bits(rng.next_u64() >> 2).max(f64::from_bits(1));
            for x in [unit, 1.0 + unit / 1e6, 1.0 - unit / 1e9, wide] {
                if x > 0.0 && x.is_finite() {
                    // Beside one, the logarithm is as small as the rounding of its argument.
                    let least = 2.0 * f64::EPSILON * (x - 1.0).abs().min(1.0);
                    assert!(is_close(ln(x), x.ln()) || (ln(x) - x.ln()).abs() <= least, "{x}");
                }
            }
            for x in [-unit, unit * 10.0, unit / 1e10, -unit / 1e300] {
                assert!(is_close(ln_1p(x), x.ln_1p()), "{x}");
            }
        }
    }

    #[test]
    fn ends_of_the_range() {
        assert_eq!((ln(1.0), ln_1p(0.0)), (0.0, 0.0));
        assert!(is_close(ln(f64::MAX), f64::MAX.ln()));
        assert!(is_close(ln(f64::from_bits(1)), f64::from_bits(1).ln()));
    }
}
