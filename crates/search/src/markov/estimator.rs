//! Transition probabilities estimated from counts.

/// How the transition probabilities of a state are estimated from what was observed there.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub enum Estimator {
    /// `(#(s,t) + 1) / (#s + n)` for a state with `n` successors: every successor counts as
    /// observed once more than it was.
    #[default]
    Laplace,
    /// Successors that were never observed share the probability that the next observation is
    /// a new one, which is estimated by the share of the successors observed exactly once. The
    /// number of these is kept between a half and the number of observations minus a half, so
    /// that neither the observed nor the unobserved become impossible. Without observations, or
    /// if all successors were observed, like Laplace.
    GoodTuring,
}

impl Estimator {
    /// Calls `each` with the probability of each successor, in their order. Returns the
    /// probability that the execution ends in the state, so that no sum of differences is
    /// rounded to zero.
    ///
    /// `visits` is at least the sum of `counts`; executions that end in the state account for
    /// the rest.
    pub fn probabilities(self, visits: u64, counts: &[u64], mut each: impl FnMut(f64)) -> f64 {
        let taken: u64 = counts.iter().sum();
        let ended = visits.saturating_sub(taken) as f64;
        let all = taken as f64 + ended + counts.len() as f64;
        if counts.is_empty() {
            return 1.0;
        }
        let unseen = counts.iter().filter(|&&count| count == 0).count();
        match self {
            Estimator::GoodTuring if taken > 0 && unseen > 0 => {
                let once = counts.iter().filter(|&&count| count == 1).count() as f64;
                let new = once.clamp(0.5, taken as f64 - 0.5) / taken as f64;
                // The probability of going on is Laplace's.
                let goes_on = (taken + counts.len() as u64) as f64 / all;
                for &count in counts {
                    each(match count {
                        0 => goes_on * new / unseen as f64,
                        _ => goes_on * (1.0 - new) * count as f64 / taken as f64,
                    });
                }
            }
            _ => counts.iter().for_each(|&count| each((count + 1) as f64 / all)),
        }
        ended / all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn estimate(estimator: Estimator, visits: u64, counts: &[u64]) -> (Vec<f64>, f64) {
        let mut found = Vec::new();
        let ends = estimator.probabilities(visits, counts, |p| found.push(p));
        assert!((found.iter().sum::<f64>() + ends - 1.0).abs() < 1e-12, "{found:?} {ends}");
        (found, ends)
    }

    #[test]
    fn laplace_adds_one_to_every_count() {
        let laplace = |visits, counts: &[u64]| estimate(Estimator::Laplace, visits, counts);
        assert_eq!(laplace(0, &[0, 0]), (vec![0.5, 0.5], 0.0));
        assert_eq!(laplace(8, &[8, 0]), (vec![0.9, 0.1], 0.0));
        assert_eq!(laplace(8, &[4, 2]), (vec![0.5, 0.3], 0.2));
        assert_eq!(laplace(3, &[]), (vec![], 1.0));
    }

    #[test]
    fn good_turing_gives_the_unseen_what_was_seen_once() {
        let turing = |visits, counts: &[u64]| estimate(Estimator::GoodTuring, visits, counts);
        assert_eq!(turing(0, &[0, 0]), (vec![0.5, 0.5], 0.0));
        // One of eight observations was the only one of its kind.
        assert_eq!(turing(8, &[7, 1, 0, 0]).0, [0.765625, 0.109375, 0.0625, 0.0625]);
        // No kind was seen once, or only such.
        assert_eq!(turing(8, &[8, 0]).0, [0.9375, 0.0625]);
        assert_eq!(turing(1, &[1, 0]).0, [0.5, 0.5]);
        assert_eq!(turing(4, &[3, 1]).0, [4.0 / 6.0, 2.0 / 6.0]);
        assert_eq!(turing(12, &[8, 0]).1, 4.0 / 14.0);
    }
}
