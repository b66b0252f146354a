//! Wilcoxon's signed-rank test: do pairs differ to one side? Here the pairs are programs,
//! each measured under two strategies.
//!
//! Pairs without a difference are left out, as Wilcoxon did. Up to [`EXACT`] pairs the probability
//! is exact: all signs are counted, with ties. Above, it is the normal approximation with
//! corrections for ties and continuity.

use super::{normal, ranks};

/// The largest number of pairs with an exact probability.
const EXACT: usize = 50;

/// The result of the test.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Wilcoxon {
    /// The pairs that differ.
    pub pairs: usize,
    /// The sum of the ranks of differences to the positive side.
    pub w: f64,
    /// The two-sided probability of at least this difference if there is none.
    pub p: f64,
    /// Whether `p` is exact.
    pub exact: bool,
}

/// Judges differences of pairs; `None` if no pair differs.
pub fn wilcoxon(differences: &[f64]) -> Option<Wilcoxon> {
    let differs = |d: &f64| d.abs() > ranks::EQUAL;
    let differences: Vec<f64> = differences.iter().copied().filter(differs).collect();
    if differences.is_empty() {
        return None;
    }
    let sizes: Vec<f64> = differences.iter().map(|d| d.abs()).collect();
    let ranks = ranks::doubled(&sizes);
    let positive = ranks.iter().zip(&differences).filter(|(_, d)| **d > 0.0);
    let sum: usize = positive.map(|(rank, _)| rank).sum();
    let w = sum as f64 / 2.0;
    let exact = differences.len() <= EXACT;
    let p = if exact { counted_out(&ranks, sum) } else { approximated(&ranks, w) };
    Some(Wilcoxon { pairs: differences.len(), w, p, exact })
}

/// The part of all ways to give signs to the ranks in which the positive ones add up to
/// something at least as far from the mean.
fn counted_out(ranks: &[usize], sum: usize) -> f64 {
    let most: usize = ranks.iter().sum();
    let mut ways = vec![0.0; most + 1];
    ways[0] = 1.0;
    for &rank in ranks {
        for s in (rank..=most).rev() {
            ways[s] += ways[s - rank];
        }
    }
    // Twice the distance from the mean, which is half of the sum.
    let distance = |s: usize| (2 * s).abs_diff(most);
    let extreme = ways.iter().enumerate().filter(|(s, _)| distance(*s) >= distance(sum));
    let extreme: f64 = extreme.map(|(_, count)| count).sum();
    extreme / 2f64.powi(ranks.len() as i32)
}

fn approximated(ranks: &[usize], w: f64) -> f64 {
    let n = ranks.len() as f64;
    let variance = n * (n + 1.0) * (2.0 * n + 1.0) / 24.0 - ranks::ties(ranks) / 48.0;
    let distance = ((w - n * (n + 1.0) / 4.0).abs() - 0.5).max(0.0);
    normal::two_sided(distance / variance.sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(got: f64, expected: f64) {
        assert!((got - expected).abs() < 1e-6, "{got}, not {expected}");
    }

    #[test]
    #[allow(clippy::approx_constant)] // a measurement that happens to be 3.14
    fn as_others_compute_it() {
        // Hollander and Wolfe's depression scales, in R: V = 40, p-value = 0.03906.
        let before = [1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30];
        let after = [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29];
        let differences: Vec<f64> = before.iter().zip(after).map(|(b, a)| b - a).collect();
        let test = wilcoxon(&differences).expect("pairs");
        assert_eq!((test.w, test.pairs, test.exact), (40.0, 9, true));
        close(test.p, 0.0390625);
    }

    #[test]
    fn ties_and_zeros() {
        // All to one side: two of the 2^5 assignments, regardless of ties.
        let test = wilcoxon(&[1.0, 1.0, 2.0, 2.0, 0.0, 5.0]).expect("pairs");
        assert_eq!((test.pairs, test.w), (5, 15.0));
        close(test.p, 2.0 / 32.0);
        // Ranks 1.5, 1.5, 3 with signs + - +: 4.5 or more, 1.5 or less in 6 of 8 ways.
        let test = wilcoxon(&[1.0, -1.0, 2.0]).expect("pairs");
        assert_eq!(test.w, 4.5);
        close(test.p, 6.0 / 8.0);
        assert_eq!(wilcoxon(&[0.0, 0.0]), None);
        // As parts of one these differences are not the same to the last bit.
        let rounded = wilcoxon(&[0.3 - 0.2, 0.1 - 0.2, 0.5 - 0.3]).expect("pairs");
        assert_eq!((rounded.w, rounded.p), (test.w, test.p));
        assert_eq!(wilcoxon(&[0.1 + 0.2 - 0.3]), None);
    }

    #[test]
    fn many_pairs_are_approximated_as_others_do() {
        // scipy.stats.wilcoxon(d, correction=True, method="approx").
        let differences: Vec<f64> = (0..60).map(|i| f64::from(i * 37 % 23) - 9.0).collect();
        let test = wilcoxon(&differences).expect("pairs");
        assert!(!test.exact);
        assert_eq!(test.w, 1116.0);
        close(test.p, 0.043_936_68);
    }
}
