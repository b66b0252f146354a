//! The statistics of an experiment: averages, confidence intervals and tests of whether two
//! samples differ. Independent of the meaning of the numbers.

mod bootstrap;
mod mann_whitney;
mod normal;
mod ranks;
mod wilcoxon;

pub use bootstrap::{ConfidenceInterval, RESAMPLES, interval};
pub use mann_whitney::{MannWhitney, mann_whitney};
pub use ranks::EQUAL;
pub use wilcoxon::{Wilcoxon, wilcoxon};

/// The mean; `None` if there are no values.
pub fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// The median; `None` if there are no values.
pub fn median(values: &[f64]) -> Option<f64> {
    quantile(values, 0.5)
}

/// The quantile, interpolated linearly (R's type 7); `None` if there are no values.
pub fn quantile(values: &[f64], part: f64) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let place = part.clamp(0.0, 1.0) * (sorted.len().checked_sub(1)?) as f64;
    let (below, above) = (sorted[place.floor() as usize], sorted[place.ceil() as usize]);
    Some(below + (above - below) * place.fract())
}

/// The p-values adjusted for multiple tests by Holm's method, which bounds the probability
/// of any false positive.
pub fn holm(p: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p.len()).collect();
    order.sort_by(|&a, &b| p[a].total_cmp(&p[b]));
    let mut adjusted = vec![0.0; p.len()];
    let mut least: f64 = 0.0;
    for (place, &index) in order.iter().enumerate() {
        least = least.max((p[index] * (p.len() - place) as f64).min(1.0));
        adjusted[index] = least;
    }
    adjusted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mean_median_and_quantiles() {
        assert_eq!(mean(&[1.0, 2.0, 6.0]), Some(3.0));
        assert_eq!(median(&[6.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), Some(2.5));
        assert_eq!(quantile(&[1.0, 2.0, 3.0, 4.0, 5.0], 0.25), Some(2.0));
        assert_eq!(quantile(&[0.0, 10.0], 0.975), Some(9.75));
        assert_eq!((mean(&[]), median(&[])), (None, None));
    }

    #[test]
    fn several_tests_are_held_to_more() {
        // p.adjust(c(0.01, 0.04, 0.03, 0.005), "holm") in R.
        let adjusted = holm(&[0.01, 0.04, 0.03, 0.005]);
        for (got, expected) in adjusted.iter().zip([0.03, 0.06, 0.06, 0.02]) {
            assert!((got - expected).abs() < 1e-12, "{adjusted:?}");
        }
        assert_eq!(holm(&[0.6, 0.9]), [1.0, 1.0]);
        assert!(holm(&[]).is_empty());
    }
}
