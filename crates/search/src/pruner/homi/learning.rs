//! What the promising tests teach: a distribution of the weight of each feature, of the fraction
//! to drop, and of the length of the next run.

use byway_base::{Rng, logarithm};
use rustc_hash::{FxHashMap, FxHashSet};

use super::evidence::{TestOfRun, conditions};
use super::options::HomiOptions;
use crate::ConditionHash;

/// How a run drops states.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct RunParameters {
    /// How its weights were chosen; `None` for the first run, which has none.
    pub method: Option<SamplingMethod>,
    /// The conditions that count, each with what it adds to the score of a state whose path has it.
    pub weights: Vec<(ConditionHash, f64)>,
    /// The fraction of the states to drop: an index of [`HomiOptions::drop_fractions`].
    pub fraction: usize,
    /// An index of [`HomiOptions::run_lengths`].
    pub length: usize,
}

/// How weights are drawn.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum SamplingMethod {
    /// Uniformly.
    Explore,
    /// From the learnt distributions.
    Exploit,
    /// As far as possible from a draw of the learnt distributions.
    ReverseExploit,
}

/// The distribution of one weight.
#[derive(Copy, Clone, PartialEq, Debug)]
pub enum WeightDistribution {
    /// Uniform between -1 and 1: nothing is known of the feature.
    Uniform,
    /// Normal, restricted to -1 to 1.
    Normal {
        /// The mean of the weights that led to promising tests.
        mean: f64,
        /// Their standard deviation.
        deviation: f64,
    },
}

impl WeightDistribution {
    /// That of the weights of a feature in the runs that gave promising tests.
    pub fn of(weights: &[f64]) -> WeightDistribution {
        if weights.is_empty() {
            return WeightDistribution::Uniform;
        }
        let count = weights.len() as f64;
        let mean = weights.iter().sum::<f64>() / count;
        let variance = weights.iter().map(|weight| (weight - mean).powi(2)).sum::<f64>() / count;
        WeightDistribution::Normal { mean, deviation: variance.sqrt() }
    }

    /// Draws a weight between -1 and 1.
    pub fn sample(self, rng: &mut Rng) -> f64 {
        match self {
            WeightDistribution::Uniform => uniform(rng),
            // The mean is between -1 and 1 and the deviation at most 1, so that more than a
            // third of the draws are in range.
            WeightDistribution::Normal { mean, deviation } => loop {
                let weight = mean + deviation * standard_normal(rng);
                if (-1.0..=1.0).contains(&weight) {
                    return weight;
                }
            },
        }
    }
}

/// What was learnt from the tests so far.
#[derive(Clone, PartialEq, Debug)]
pub struct Learnt {
    /// The features and the distribution of the weight of each.
    pub features: Vec<(ConditionHash, WeightDistribution)>,
    /// How many promising tests each fraction gave.
    fractions: Vec<u64>,
    /// How many promising tests each length of a run gave.
    lengths: Vec<u64>,
}

impl Learnt {
    /// Learns from promising tests of runs with these parameters.
    pub fn from(tests: &[TestOfRun], runs: &[RunParameters], options: &HomiOptions) -> Learnt {
        let mut fractions = vec![0; options.fractions as usize];
        let mut lengths = vec![0; options.lengths as usize];
        for test in tests {
            fractions[runs[test.run].fraction] += 1;
            lengths[runs[test.run].length] += 1;
        }
        // A run counts once, however many of its tests are promising: the weights are a set.
        let mut weights: FxHashMap<ConditionHash, Vec<f64>> = FxHashMap::default();
        let mut counted = FxHashSet::default();
        for test in tests.iter().filter(|test| counted.insert(test.run)) {
            for &(condition, weight) in &runs[test.run].weights {
                weights.entry(condition).or_default().push(weight);
            }
        }
        let distribution = |condition| {
            let weights = weights.get(&condition).map_or(&[][..], |weights| &weights[..]);
            (condition, WeightDistribution::of(weights))
        };
        Learnt {
            features: conditions(tests).into_iter().map(distribution).collect(),
            fractions,
            lengths,
        }
    }

    /// Draws the parameters of the next run.
    pub fn sample(
        &self,
        method: SamplingMethod,
        options: &HomiOptions,
        rng: &mut Rng,
    ) -> RunParameters {
        let farthest: Vec<f64> = match method {
            SamplingMethod::ReverseExploit => (0..options.draws).map(|_| uniform(rng)).collect(),
            SamplingMethod::Explore | SamplingMethod::Exploit => Vec::new(),
        };
        let features = self.features.iter();
        let weights = features.map(|&(condition, distribution)| {
            let weight = match method {
                SamplingMethod::Explore => uniform(rng),
                SamplingMethod::Exploit => distribution.sample(rng),
                SamplingMethod::ReverseExploit => {
                    farthest_from(distribution.sample(rng), &farthest)
                }
            };
            (condition, weight)
        });
        let weights = weights.collect();
        let mut pick = |counts: &[u64]| match method {
            SamplingMethod::Explore => rng.below(counts.len() as u64) as usize,
            SamplingMethod::Exploit | SamplingMethod::ReverseExploit => by_frequency(counts, rng),
        };
        let (fraction, length) = (pick(&self.fractions), pick(&self.lengths));
        RunParameters { method: Some(method), weights, fraction, length }
    }
}

/// The number that is farthest from `weight`.
fn farthest_from(weight: f64, numbers: &[f64]) -> f64 {
    let distance = |number: &f64| (number - weight).abs();
    numbers.iter().copied().max_by(|a, b| distance(a).total_cmp(&distance(b))).unwrap_or(weight)
}

/// An index, drawn in proportion to its count; uniformly if all are 0.
fn by_frequency(counts: &[u64], rng: &mut Rng) -> usize {
    let total: u64 = counts.iter().sum();
    if total == 0 {
        return rng.below(counts.len() as u64) as usize;
    }
    let mut left = rng.below(total);
    let is_reached = |&count: &u64| match left.checked_sub(count) {
        Some(rest) => {
            left = rest;
            false
        }
        None => true,
    };
    counts.iter().position(is_reached).unwrap_or(0)
}

/// A number between -1 and 1.
fn uniform(rng: &mut Rng) -> f64 {
    2.0 * rng.unit() - 1.0
}

/// Marsaglia's polar method. It gives two numbers; one is discarded.
fn standard_normal(rng: &mut Rng) -> f64 {
    loop {
        let (x, y) = (uniform(rng), uniform(rng));
        let square = x * x + y * y;
        if square > 0.0 && square < 1.0 {
            return x * (-2.0 * logarithm::ln(square) / square).sqrt();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TestEvidence;

    fn test(run: usize, ids: &[u64]) -> TestOfRun {
        let conditions = ids.iter().map(|&id| ConditionHash(id)).collect();
        TestOfRun { run, evidence: TestEvidence { conditions, covered: vec![1] } }
    }

    fn run(weights: &[(u64, f64)], fraction: usize, length: usize) -> RunParameters {
        let weights = weights.iter().map(|&(id, weight)| (ConditionHash(id), weight)).collect();
        RunParameters { method: None, weights, fraction, length }
    }

    #[test]
    fn weights_of_runs_with_promising_tests_are_learnt() {
        let runs = [
            run(&[], 0, 3),
            run(&[(1, 0.5), (2, -0.5)], 1, 0),
            run(&[(1, 1.0)], 1, 2),
            run(&[(1, -1.0), (3, 0.25)], 2, 1),
        ];
        // The last run gave nothing; the second counts once in the weights, twice elsewhere.
        let tests = [test(0, &[1, 2]), test(1, &[2, 4]), test(1, &[1]), test(2, &[3])];
        let learnt = Learnt::from(&tests, &runs, &HomiOptions::default());
        let expected = [
            (1, WeightDistribution::Normal { mean: 0.75, deviation: 0.25 }),
            (2, WeightDistribution::Normal { mean: -0.5, deviation: 0.0 }),
            (4, WeightDistribution::Uniform),
            (3, WeightDistribution::Uniform),
        ];
        assert_eq!(learnt.features, expected.map(|(id, it)| (ConditionHash(id), it)));
        assert_eq!(
            (&learnt.fractions[..], &learnt.lengths[..]),
            (&[1, 3, 0][..], &[2, 0, 1, 1][..])
        );
    }

    #[test]
    fn weights_stay_between_minus_one_and_one() {
        let mut rng = Rng::new(7);
        for weights in [&[][..], &[-1.0], &[1.0, 1.0, 0.9], &[-1.0, 1.0], &[0.2, 0.4]] {
            let distribution = WeightDistribution::of(weights);
            for _ in 0..2_000 {
                assert!((-1.0..=1.0).contains(&distribution.sample(&mut rng)), "{weights:?}");
            }
        }
    }

    #[test]
    fn samples_have_the_mean_and_deviation_of_their_distribution() {
        let mut rng = Rng::new(3);
        let distribution = WeightDistribution::Normal { mean: 0.2, deviation: 0.1 };
        let samples: Vec<f64> = (0..20_000).map(|_| distribution.sample(&mut rng)).collect();
        let WeightDistribution::Normal { mean, deviation } = WeightDistribution::of(&samples)
        else {
            panic!("there are samples")
        };
        assert!((mean - 0.2).abs() < 0.005 && (deviation - 0.1).abs() < 0.005);
    }

    #[test]
    fn methods_exploit_reverse_and_explore() {
        let options = HomiOptions::default();
        let runs = [run(&[(1, 0.9)], 2, 3), run(&[(1, 0.9)], 2, 3)];
        let learnt = Learnt::from(&[test(0, &[1]), test(1, &[1, 2])], &runs, &options);
        let mut rng = Rng::new(5);
        let mut samples = |method| -> Vec<RunParameters> {
            (0..300).map(|_| learnt.sample(method, &options, &mut rng)).collect()
        };
        for sample in samples(SamplingMethod::Exploit) {
            assert_eq!((sample.weights[0].1, sample.fraction, sample.length), (0.9, 2, 3));
        }
        for sample in samples(SamplingMethod::ReverseExploit) {
            assert!(sample.weights[0].1 < -0.5);
            assert_eq!((sample.fraction, sample.length), (2, 3));
        }
        let explored = samples(SamplingMethod::Explore);
        let mean = explored.iter().map(|it| it.weights[0].1).sum::<f64>() / 300.0;
        assert!(mean.abs() < 0.15, "{mean}");
        for index in 0..3 {
            let count = explored.iter().filter(|it| it.fraction == index).count();
            assert!((60..140).contains(&count), "{count}");
        }
    }

    #[test]
    fn options_are_drawn_in_proportion_to_their_counts() {
        let mut rng = Rng::new(11);
        let mut drawn = [0; 3];
        (0..4_000).for_each(|_| drawn[by_frequency(&[1, 0, 3], &mut rng)] += 1);
        assert_eq!(drawn[1], 0);
        assert!((850..1150).contains(&drawn[0]), "{drawn:?}");
    }
}
