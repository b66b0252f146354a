//! The normal distribution, for samples too large for exact probabilities.

use std::f64::consts::PI;

/// The two-sided probability of at least `z` standard deviations from the mean.
pub fn two_sided(z: f64) -> f64 {
    let x = z.abs() / 2f64.sqrt();
    if x < 2.0 { 1.0 - near(x) } else { far(x) }
}

/// The error function near zero, by its power series: each term is the last times
/// `2 x² / (2 n + 1)`, all of one sign.
fn near(x: f64) -> f64 {
    let (mut term, mut sum, mut n) = (x, x, 1.0);
    while term > sum * 1e-17 {
        term *= 2.0 * x * x / (2.0 * n + 1.0);
        sum += term;
        n += 1.0;
    }
    2.0 / PI.sqrt() * (-x * x).exp() * sum
}

/// The complement of the error function far from zero, by its continued fraction,
/// from the inside out: `1 / (x + (1/2) / (x + (2/2) / (x + ...)))`.
fn far(x: f64) -> f64 {
    let fraction = (1..=80).rev().fold(x, |inner, n| x + f64::from(n) / 2.0 / inner);
    (-x * x).exp() / PI.sqrt() / fraction
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tails_are_those_of_tables() {
        for (z, expected) in [
            (0.0, 1.0),
            (1.0, 0.317_310_507_862_914),
            (1.959_963_984_540_054, 0.05),
            (-2.575_829_303_548_901, 0.01),
            (3.0, 0.002_699_796_063_260),
            (6.0, 1.973_175_290_075_4e-9),
        ] {
            let got = two_sided(z);
            assert!((got - expected).abs() <= expected * 1e-9, "{z}: {got}, not {expected}");
        }
    }

    #[test]
    fn both_ways_to_compute_meet() {
        let (here, there) = (1.0 - near(2.0), far(2.0));
        assert!((here - there).abs() < 1e-12, "{here} {there}");
    }
}
