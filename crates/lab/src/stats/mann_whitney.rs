//! The rank test of Mann and Whitney (Wilcoxon's for two samples): do the values of one
//! sample tend to be larger than those of another? No distribution is assumed.
//!
//! Up to [`EXACT`] values the probability is exact: all assignments of the ranks are counted,
//! with ties. Above, it is the normal approximation with corrections for ties and continuity.

use super::{normal, ranks};

/// The largest number of values with an exact probability.
const EXACT: usize = 40;

/// The result of the test.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct MannWhitney {
    /// In how many pairs the first sample's value is larger; a tie is half a pair.
    pub u: f64,
    /// The same as a fraction of all pairs (Vargha and Delaney's A): 0.5 is no difference.
    pub effect: f64,
    /// The two-sided probability that samples of one distribution differ at least as much.
    pub p: f64,
    /// Whether `p` is exact.
    pub exact: bool,
}

/// Compares two samples; `None` if one is empty.
pub fn mann_whitney(one: &[f64], other: &[f64]) -> Option<MannWhitney> {
    if one.is_empty() || other.is_empty() {
        return None;
    }
    let all: Vec<f64> = one.iter().chain(other).copied().collect();
    let ranks = ranks::doubled(&all);
    let sum: usize = ranks[..one.len()].iter().sum();
    let (m, n) = (one.len() as f64, other.len() as f64);
    let u = sum as f64 / 2.0 - m * (m + 1.0) / 2.0;
    let exact = all.len() <= EXACT;
    let p = match exact {
        true => counted_out(&ranks, one.len(), sum),
        false => approximated(&ranks, m, n, u),
    };
    Some(MannWhitney { u, effect: u / (m * n), p, exact })
}

/// The part of all ways to choose `size` of the ranks whose sum is at least as far from
/// the mean as this one.
fn counted_out(ranks: &[usize], size: usize, sum: usize) -> f64 {
    let most: usize = ranks.iter().sum();
    // ways[k][s]: in how many ways k of the ranks seen so far add up to s.
    let mut ways = vec![vec![0.0; most + 1]; size + 1];
    ways[0][0] = 1.0;
    for (seen, &rank) in ranks.iter().enumerate() {
        for k in (1..=size.min(seen + 1)).rev() {
            for s in (rank..=most).rev() {
                ways[k][s] += ways[k - 1][s - rank];
            }
        }
    }
    // Doubled once more, the mean is whole.
    let mean = size * (ranks.len() + 1);
    let far = sum.abs_diff(mean);
    let (mut extreme, mut all) = (0.0, 0.0);
    for (s, count) in ways[size].iter().enumerate() {
        all += count;
        if s.abs_diff(mean) >= far {
            extreme += count;
        }
    }
    extreme / all
}

fn approximated(ranks: &[usize], m: f64, n: f64, u: f64) -> f64 {
    let all = m + n;
    let variance = m * n / 12.0 * (all + 1.0 - ranks::ties(ranks) / (all * (all - 1.0)));
    if variance <= 0.0 {
        return 1.0;
    }
    let distance = ((u - m * n / 2.0).abs() - 0.5).max(0.0);
    normal::two_sided(distance / variance.sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(got: f64, expected: f64) {
        assert!((got - expected).abs() < 1e-6, "{got}, not {expected}");
    }

    #[test]
    fn as_others_compute_it() {
        // Hollander and Wolfe's permeability constants, in R: W = 35, p-value = 0.2544.
        let at_term = [0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46];
        let earlier = [1.15, 0.88, 0.90, 0.74, 1.21];
        let test = mann_whitney(&at_term, &earlier).expect("two samples");
        assert_eq!((test.u, test.exact), (35.0, true));
        close(test.p, 0.254412);
        // The largest difference there can be: 2 / C(6, 3) and 2 / C(10, 5).
        close(mann_whitney(&[1.0, 2.0, 3.0], &[4.0, 5.0, 6.0]).expect("two").p, 0.1);
        let (low, high) = ([1.0, 2.0, 3.0, 4.0, 5.0], [6.0, 7.0, 8.0, 9.0, 10.0]);
        let test = mann_whitney(&high, &low).expect("two");
        assert_eq!((test.u, test.effect), (25.0, 1.0));
        close(test.p, 2.0 / 252.0);
    }

    #[test]
    fn ties_are_counted_out_too() {
        // By hand: of the 6 ways to deal {1, 2.5, 2.5, 4} two each, the sums are 3.5 twice,
        // 5 twice and 6.5 twice; 3.5 is as far out as it gets.
        close(mann_whitney(&[1.0, 2.0], &[2.0, 3.0]).expect("two").p, 4.0 / 6.0);
        close(mann_whitney(&[1.0, 1.0], &[1.0, 1.0]).expect("two").p, 1.0);
    }

    #[test]
    fn large_samples_are_approximated_as_others_do() {
        // scipy.stats.mannwhitneyu(x, y, method="asymptotic").
        let x: Vec<f64> = (0..25).map(|i| f64::from(i * 7 % 11)).collect();
        let y: Vec<f64> = (0..25).map(|i| f64::from(i * 5 % 13 + 1)).collect();
        let test = mann_whitney(&x, &y).expect("two samples");
        assert!(!test.exact);
        assert_eq!(test.u, 215.0);
        close(test.p, 0.059_083_95);
    }

    #[test]
    fn an_empty_sample_has_no_result() {
        assert_eq!(mann_whitney(&[], &[1.0]), None);
        let many = vec![3.0; 30];
        close(mann_whitney(&many, &many).expect("two").p, 1.0);
    }
}
