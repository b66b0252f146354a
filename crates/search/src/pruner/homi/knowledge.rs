//! What Homi has learnt, as tables of numbers.
//!
//! A row begins with its kind: the time left of the current run; the parameters of a run; or a
//! promising test, as the run that gave it, its conditions, and the sites it covers. Conditions
//! are known by their structure, so they mean the same in another version of the program; sites
//! do not.

use super::evidence::TestOfRun;
use super::learning::{RunParameters, SamplingMethod};
use super::options::HomiOptions;
use crate::{ConditionHash, TestEvidence};

const CURRENT: u64 = 0;
const RUN: u64 = 1;
const TEST: u64 = 2;

const METHODS: [Option<SamplingMethod>; 4] = [
    None,
    Some(SamplingMethod::Explore),
    Some(SamplingMethod::Exploit),
    Some(SamplingMethod::ReverseExploit),
];

/// What was learnt in some runs.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct LearntRuns {
    /// The parameters of the runs.
    pub runs: Vec<RunParameters>,
    /// Their promising tests.
    pub tests: Vec<TestOfRun>,
    /// How much of the last run is left.
    pub left: u64,
}

impl LearntRuns {
    /// The rows of a table. Only of runs with a promising test, and of the last, weights matter.
    pub fn rows(&self) -> Vec<Vec<u64>> {
        let mut rows = vec![vec![CURRENT, self.left]];
        for (number, run) in self.runs.iter().enumerate() {
            let method = METHODS.iter().position(|&it| it == run.method).unwrap_or(0) as u64;
            let mut row = vec![RUN, method, run.fraction as u64, run.length as u64];
            let is_last = number + 1 == self.runs.len();
            if is_last || self.tests.iter().any(|test| test.run == number) {
                let weights = run.weights.iter();
                row.extend(weights.flat_map(|&(condition, it)| [condition.0, it.to_bits()]));
            }
            rows.push(row);
        }
        for TestOfRun { run, evidence } in &self.tests {
            let mut row = vec![TEST, *run as u64, evidence.conditions.len() as u64];
            row.extend(evidence.conditions.iter().map(|condition| condition.0));
            row.extend(&evidence.covered);
            rows.push(row);
        }
        rows
    }

    /// Reads a table. What is damaged is left out.
    pub fn read(rows: &[Vec<u64>], options: &HomiOptions) -> LearntRuns {
        let mut all = LearntRuns::default();
        for row in rows {
            match row[..] {
                // The options may have been given anew.
                [CURRENT, left] => all.left = left.min(options.longest),
                [RUN, method, fraction, length, ref weights @ ..] => {
                    all.runs.push(read_run(method, fraction, length, weights, options));
                }
                [TEST, run, conditions, ref numbers @ ..] => {
                    let run = usize::try_from(run).ok().filter(|&run| run < all.runs.len());
                    let conditions = usize::try_from(conditions).ok();
                    let parts = conditions.and_then(|count| numbers.split_at_checked(count));
                    if let (Some(run), Some((conditions, covered))) = (run, parts) {
                        let conditions = conditions.iter().map(|&it| ConditionHash(it)).collect();
                        let evidence = TestEvidence { conditions, covered: covered.to_vec() };
                        all.tests.push(TestOfRun { run, evidence });
                    }
                }
                _ => {}
            }
        }
        all
    }
}

/// The parameters of a run. Options may differ from those it had: the steps of ranges, too.
fn read_run(
    method: u64,
    fraction: u64,
    length: u64,
    weights: &[u64],
    options: &HomiOptions,
) -> RunParameters {
    let step = |number: u64, steps: u32| number.min(u64::from(steps) - 1) as usize;
    let (weights, _) = weights.as_chunks::<2>();
    let weight = |&[condition, bits]: &[u64; 2]| (ConditionHash(condition), f64::from_bits(bits));
    RunParameters {
        method: METHODS.get(method as usize).copied().flatten(),
        weights: weights.iter().map(weight).filter(|(_, it)| it.abs() <= 1.0).collect(),
        fraction: step(fraction, options.fractions),
        length: step(length, options.lengths),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn learnt() -> LearntRuns {
        let run = |method, weights: &[(u64, f64)], fraction| RunParameters {
            method,
            weights: weights.iter().map(|&(id, it)| (ConditionHash(id), it)).collect(),
            fraction,
            length: 3,
        };
        let test = |run, ids: &[u64], covered: &[u64]| TestOfRun {
            run,
            evidence: TestEvidence {
                conditions: ids.iter().map(|&id| ConditionHash(id)).collect(),
                covered: covered.to_vec(),
            },
        };
        LearntRuns {
            runs: vec![
                run(None, &[], 0),
                run(METHODS[1], &[(7, 0.5), (u64::MAX, -1.0)], 2),
                run(METHODS[3], &[(9, 0.25)], 1),
            ],
            tests: vec![test(1, &[7, 8], &[5, 0, 1]), test(0, &[], &[2])],
            left: 42,
        }
    }

    #[test]
    fn a_table_is_read_as_it_was_written() {
        assert_eq!(LearntRuns::read(&learnt().rows(), &HomiOptions::default()), learnt());
    }

    #[test]
    fn weights_of_fruitless_runs_are_left_out() {
        let mut all = learnt();
        all.tests.remove(0);
        let read = LearntRuns::read(&all.rows(), &HomiOptions::default());
        assert_eq!(read.runs.iter().map(|run| run.weights.len()).collect::<Vec<_>>(), [0, 0, 1]);
    }

    #[test]
    fn damage_is_left_out() {
        let rows = [
            vec![],
            vec![RUN],
            vec![RUN, 99, 99, 99, 1, f64::NAN.to_bits(), 2],
            vec![TEST, 1, 0],
            vec![TEST, 0, 5, 1],
            vec![TEST, 0, u64::MAX],
            vec![77],
        ];
        let read = LearntRuns::read(&rows, &HomiOptions::default());
        let run = RunParameters { fraction: 2, length: 3, ..RunParameters::default() };
        assert_eq!(read, LearntRuns { runs: vec![run], tests: Vec::new(), left: 0 });
    }
}
