//! What solving a path costs, predicted from its constraint.
//!
//! As in the paper, the cost is a weighted sum of the operators. The weights are fitted to the
//! efforts measured so far by recursive least squares, which needs one small matrix and no
//! history. Effort is counted in steps of the solver, so equal runs learn equal weights.

use crate::OperatorProfile;

/// The figures of a profile, and a constant.
const WEIGHTS: usize = OperatorProfile::FIGURES + 1;

/// What is assumed before anything was measured: most queries are easy, but operators that
/// bit-blasting multiplies are not.
const PRIOR: [f64; WEIGHTS] = [0.1, 5.0, 50.0, 0.5, 0.01, 1.0];

/// The variance of the prior relative to that of a measurement: large, so that a few
/// measurements outweigh it.
const PRIOR_VARIANCE: f64 = 1e6;

/// The least cost of a query.
const LEAST: f64 = 1.0;

/// Predicts the effort for a constraint.
#[derive(Clone, Debug)]
pub struct SolvingCost {
    weights: [f64; WEIGHTS],
    /// The inverse of the weighted squares of all measured profiles.
    covariance: [[f64; WEIGHTS]; WEIGHTS],
}

impl Default for SolvingCost {
    fn default() -> SolvingCost {
        let mut covariance = [[0.0; WEIGHTS]; WEIGHTS];
        for (at, row) in covariance.iter_mut().enumerate() {
            row[at] = PRIOR_VARIANCE;
        }
        SolvingCost { weights: PRIOR, covariance }
    }
}

impl SolvingCost {
    /// Its weights and what they are fitted to.
    pub fn numbers(&self) -> impl Iterator<Item = f64> + '_ {
        self.weights.iter().chain(self.covariance.as_flattened()).copied()
    }

    /// As [`numbers`](Self::numbers) gave them; `None` if these are not such numbers.
    pub fn of_numbers(numbers: &[f64]) -> Option<SolvingCost> {
        let (weights, rows) = numbers.split_first_chunk::<WEIGHTS>()?;
        let (rows, rest) = rows.as_chunks::<WEIGHTS>();
        let covariance = <[_; WEIGHTS]>::try_from(rows).ok()?;
        let is_valid = rest.is_empty() && numbers.iter().all(|number| number.is_finite());
        is_valid.then_some(SolvingCost { weights: *weights, covariance })
    }

    /// The effort that solving a constraint is expected to take.
    pub fn predict(&self, profile: OperatorProfile) -> f64 {
        let sum: f64 = scaled(profile).iter().zip(self.weights).map(|(x, w)| x * w).sum();
        sum.max(LEAST)
    }

    /// Learns what solving a constraint took. Large constraints count less, relative to their
    /// size: their efforts vary in proportion.
    pub fn learn(&mut self, profile: OperatorProfile, effort: f64) {
        let figures = scaled(profile);
        let size: f64 = figures.iter().sum();
        let variance = size * size;
        let gain: [f64; WEIGHTS] = std::array::from_fn(|row| dot(&self.covariance[row], &figures));
        let divisor = variance + dot(&gain, &figures);
        let error = effort - dot(&self.weights, &figures);
        for row in 0..WEIGHTS {
            self.weights[row] += gain[row] * error / divisor;
            for column in 0..WEIGHTS {
                self.covariance[row][column] -= gain[row] * gain[column] / divisor;
            }
        }
    }
}

/// The figures of a profile, and a one for the constant part of the cost.
fn scaled(profile: OperatorProfile) -> [f64; WEIGHTS] {
    let figures = profile.figures();
    std::array::from_fn(|at| figures.get(at).copied().unwrap_or(1.0))
}

fn dot(a: &[f64; WEIGHTS], b: &[f64; WEIGHTS]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use byway_base::Rng;

    #[test]
    fn weights_are_those_of_the_measurements() {
        let (mut cost, mut rng) = (SolvingCost::default(), Rng::new(3));
        let mut profile = || OperatorProfile {
            simple: rng.below(50) as u32,
            arithmetic: rng.below(5) as u32,
            float: rng.below(3) as u32,
            selection: rng.below(20) as u32,
            depth: rng.below(100) as u32,
        };
        let effort = |it: OperatorProfile| {
            let [simple, arithmetic, float, selection, depth] = it.figures();
            2.0 * simple + 300.0 * arithmetic + 40.0 * float + selection + 0.5 * depth + 7.0
        };
        for _ in 0..400 {
            let profile = profile();
            cost.learn(profile, effort(profile));
        }
        for _ in 0..50 {
            let profile = profile();
            let (predicted, actual) = (cost.predict(profile), effort(profile));
            assert!((predicted - actual).abs() <= 0.02 * actual, "{predicted} {actual}");
        }
    }

    #[test]
    fn it_is_made_of_its_numbers() {
        let mut cost = SolvingCost::default();
        let profile = OperatorProfile { simple: 3, float: 2, ..OperatorProfile::default() };
        cost.learn(profile, 100.0);
        let mut numbers: Vec<f64> = cost.numbers().collect();
        let same = SolvingCost::of_numbers(&numbers).expect("its own numbers");
        assert_eq!(same.predict(profile), cost.predict(profile));
        assert!(SolvingCost::of_numbers(&numbers[1..]).is_none());
        numbers[7] = f64::NAN;
        assert!(SolvingCost::of_numbers(&numbers).is_none());
    }

    #[test]
    fn nothing_costs_less_than_a_step() {
        let mut cost = SolvingCost::default();
        let profile = OperatorProfile { simple: 3, ..OperatorProfile::default() };
        (0..100).for_each(|_| cost.learn(profile, 0.0));
        assert_eq!(cost.predict(profile), LEAST);
        assert!(cost.predict(OperatorProfile { float: u32::MAX, ..profile }).is_finite());
    }
}
