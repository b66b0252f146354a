//! The exponent of a cost: the slope of its logarithm against that of the size.

/// The sizes that count, the largest ones: small ones show what does not grow.
const FITTED: usize = 4;

/// The exponent of costs at ascending sizes, by least squares on the largest sizes.
///
/// `fixed` is what the smallest run costs, and is subtracted. What then remains below
/// `resolution` counts as that much, so that noise has exponent 0, and a cost that rises from
/// noise seems to grow no faster than it does.
pub fn exponent(costs: &[(u64, f64)], fixed: f64, resolution: f64) -> f64 {
    let largest = &costs[costs.len().saturating_sub(FITTED)..];
    let points: Vec<(f64, f64)> = largest
        .iter()
        .map(|&(size, cost)| ((size as f64).ln(), (cost - fixed).max(resolution).ln()))
        .collect();
    let count = points.len() as f64;
    let mean_x = points.iter().map(|point| point.0).sum::<f64>() / count;
    let mean_y = points.iter().map(|point| point.1).sum::<f64>() / count;
    let covariance: f64 = points.iter().map(|(x, y)| (x - mean_x) * (y - mean_y)).sum();
    let variance: f64 = points.iter().map(|(x, _)| (x - mean_x).powi(2)).sum();
    match variance > 0.0 {
        true => covariance / variance,
        false => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Costs at seven sizes, each twice the one before.
    fn costs(cost: impl Fn(f64) -> f64) -> Vec<(u64, f64)> {
        (0..7).map(|doublings| 1000 << doublings).map(|size| (size, cost(size as f64))).collect()
    }

    #[test]
    fn powers_have_their_exponents() {
        for power in [0.0, 0.5, 1.0, 2.0, 3.0] {
            let found = exponent(&costs(|size| 3.0 * size.powf(power)), 0.0, 1e-9);
            assert!((found - power).abs() < 1e-9, "{power}: {found}");
        }
    }

    #[test]
    fn the_fixed_cost_does_not_count() {
        let with_fixed = costs(|size| 5e5 + size * size / 1e3);
        assert!((exponent(&with_fixed, 5e5, 1e-9) - 2.0).abs() < 1e-9);
        assert!(exponent(&with_fixed, 0.0, 1e-9) < 1.9);
    }

    #[test]
    fn noise_changes_little() {
        // A tenth up and down in turn.
        let noisy = |size: f64| size * if size.log2().floor() % 2.0 == 0.0 { 1.1 } else { 0.9 };
        let found = exponent(&costs(noisy), 0.0, 1e-9);
        assert!((found - 1.0).abs() < 0.15, "{found}");
    }

    #[test]
    fn what_stays_below_the_resolution_is_flat() {
        assert_eq!(exponent(&costs(|size| 1.0 + size / 1e7), 1.0, 0.05), 0.0);
        // A cost that was below it until the last size shows.
        let sudden = exponent(&costs(|size| if size > 33_000.0 { 10.0 } else { 1.0 }), 1.0, 0.05);
        assert!(sudden > 2.0, "{sudden}");
    }

    #[test]
    fn few_sizes_are_enough() {
        assert_eq!(exponent(&[], 0.0, 1.0), 0.0);
        assert_eq!(exponent(&[(8, 5.0)], 0.0, 1.0), 0.0);
        assert!((exponent(&[(8, 5.0), (16, 10.0)], 0.0, 1.0) - 1.0).abs() < 1e-9);
    }
}
