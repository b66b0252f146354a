//! Intervals by resampling (Efron's percentile bootstrap): how much would a figure have
//! varied, had the seeds been others?
//!
//! The values of each group (the seeds of a program) are drawn again, with replacement, as
//! many as there are; groups stay as they are, because the programs were chosen and not drawn.
//! The interval holds the middle 95 % of the resampled figures. It is rough with few seeds,
//! and undefined with one.

use byway_base::Rng;

use super::quantile;

/// The number of resamples.
pub const RESAMPLES: usize = 2_000;

/// A 95 % interval.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct ConfidenceInterval {
    /// At the 2.5 % quantile.
    pub low: f64,
    /// At the 97.5 % quantile.
    pub high: f64,
}

/// The interval of a figure over groups, each summed up by `of_group`; `None` if no group
/// has two values. The same input gives the same interval.
pub fn interval(
    groups: &[Vec<f64>],
    resamples: usize,
    of_group: impl Fn(&[f64]) -> Option<f64>,
    figure: impl Fn(&[f64]) -> Option<f64>,
) -> Option<ConfidenceInterval> {
    if groups.iter().all(|group| group.len() < 2) {
        return None;
    }
    let mut rng = Rng::new(0);
    let mut drawn = Vec::new();
    let figures: Vec<f64> = (0..resamples)
        .filter_map(|_| {
            let groups = groups.iter().filter_map(|group| {
                drawn.clear();
                let count = group.len() as u64;
                drawn.extend((0..count).map(|_| group[rng.below(count) as usize]));
                of_group(&drawn)
            });
            figure(&groups.collect::<Vec<f64>>())
        })
        .collect();
    Some(ConfidenceInterval { low: quantile(&figures, 0.025)?, high: quantile(&figures, 0.975)? })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::{mean, median};
    use std::slice;

    #[test]
    fn the_interval_is_about_as_wide_as_it_must_be() {
        // The mean of 100 values of which half are 0 and half 1 varies by 0.05.
        let group: Vec<f64> = (0..100).map(|i| f64::from(i % 2)).collect();
        let of = |resamples| {
            interval(slice::from_ref(&group), resamples, mean, mean).expect("an interval")
        };
        let ConfidenceInterval { low, high } = of(4_000);
        assert!((low - 0.402).abs() < 0.02 && (high - 0.598).abs() < 0.02, "{low} {high}");
        assert_eq!(of(100), of(100));
    }

    #[test]
    fn groups_that_do_not_vary_give_a_point() {
        let groups = vec![vec![0.5; 3], vec![0.7; 3]];
        let ConfidenceInterval { low, high } =
            interval(&groups, 50, median, mean).expect("an interval");
        assert!((low - 0.6).abs() < 1e-12 && (high - 0.6).abs() < 1e-12);
        assert_eq!(interval(&[vec![0.5], vec![]], 50, median, mean), None);
    }
}
