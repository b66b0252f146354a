//! Random inputs, tested by evaluation.
//!
//! Some conditions are hard to search for and easy to sample: one input in 256 makes a given
//! byte of a digest zero, whereas conflicts in a circuit of a hundred thousand gates that mix
//! everything teach nothing. If a first search fails, a bounded number of inputs is tried:
//! half as many after each failure, so that queries without a likely solution do not spend most
//! of their time here.

use byway_expr::{ByteSet, Evaluator, InputByte, Model, Pool};

use crate::query::{Assignment, Slice};

/// The highest and the lowest number of inputs tried for one query.
const MAX_SAMPLES: usize = 2_048;
const MIN_SAMPLES: usize = 32;

/// Gates whose evaluation takes as long as the search takes to visit a watch; measured, with
/// terms of a dozen gates each.
const GATES_PER_EFFORT: u64 = 16;

/// The highest number of gates times samples. Evaluating a gate takes some nanoseconds at most,
/// since a term has many gates.
const MAX_GATES: usize = 1 << 28;

/// The fixed seed: samples are the same in every run.
const SEED: u64 = 0x9e37_79b9_7f4a_7c15;

/// Samples inputs with a random generator of its own.
pub struct InputSampler {
    evaluator: Evaluator,
    random: u64,
    /// The number of inputs tried for the next query.
    samples: usize,
    effort: u64,
}

impl InputSampler {
    pub fn new() -> InputSampler {
        InputSampler { evaluator: Evaluator::new(), random: SEED, samples: MAX_SAMPLES, effort: 0 }
    }

    /// The effort of all samples so far, in watches visited.
    pub fn effort(&self) -> u64 {
        self.effort
    }

    /// Gives back the memory of evaluations.
    pub fn clear_scratch(&mut self) {
        self.evaluator = Evaluator::new();
    }

    /// A random number below `bound`, which must be small.
    fn below(&mut self, bound: usize) -> usize {
        // Marsaglia's xorshift.
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        (self.random >> 33) as usize % bound.max(1)
    }

    /// Bytes that satisfy a slice. Each sample is the witness with some bytes changed to
    /// values that the conjuncts on that byte alone allow.
    pub fn find(
        &mut self,
        pool: &mut Pool,
        slice: &Slice,
        witness: &Model,
        gates: usize,
    ) -> Option<Assignment> {
        let bytes = choices(pool, slice);
        for _ in 0..self.samples.min(MAX_GATES / gates.max(1)) {
            self.effort += 1 + gates as u64 / GATES_PER_EFFORT;
            let mut sample = witness.clone();
            for _ in 0..1 + self.below(bytes.len()) {
                let (at, values) = bytes.get(self.below(bytes.len()))?;
                let value = values[self.below(values.len())];
                sample.set_byte(*at, value);
            }
            if slice.holds(pool, &mut self.evaluator, &sample) {
                self.samples = MAX_SAMPLES;
                return Some(bytes.iter().map(|&(at, _)| (at, sample.byte(at))).collect());
            }
        }
        self.samples = (self.samples / 2).max(MIN_SAMPLES);
        None
    }
}

/// The bytes with more than one possible value, and these values.
fn choices(pool: &mut Pool, slice: &Slice) -> Vec<(InputByte, Vec<u8>)> {
    let mut sets: Vec<(InputByte, ByteSet)> =
        slice.input_bytes(pool).into_iter().map(|at| (at, ByteSet::ALL)).collect();
    for e in slice.terms() {
        let Some((byte, allowed)) = pool.byte_set(e) else { continue };
        if let Ok(found) = sets.binary_search_by_key(&byte, |&(at, _)| at) {
            sets[found].1 = sets[found].1.and(allowed);
        }
    }
    let values = |(at, set): (InputByte, ByteSet)| (at, set.values().collect::<Vec<u8>>());
    sets.into_iter().map(values).filter(|(_, values)| values.len() > 1).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The effort of five attempts on a query: two bytes differ by one, and by another number.
    fn efforts(other: u128) -> Vec<u64> {
        let mut pool = Pool::new();
        let input = pool.input("x", 2);
        let (a, b) = (pool.input_byte(input, 0), pool.input_byte(input, 1));
        let difference = pool.sub(a, b);
        let mut equals = |value| {
            let number = pool.constant(8, value);
            pool.eq(difference, number)
        };
        let slice = Slice { conjuncts: vec![equals(1)], condition: equals(other) };
        let mut sampler = InputSampler::new();
        let mut effort_of = |_| {
            let before = sampler.effort();
            let found = sampler.find(&mut pool, &slice, &Model::new(), 1_000);
            assert_eq!(found.is_some(), other == 1);
            sampler.effort() - before
        };
        (0..10).map(&mut effort_of).collect()
    }

    #[test]
    fn samples_are_charged_and_get_fewer_with_each_failure() {
        let failing = efforts(2);
        let per_sample = 1 + 1_000 / GATES_PER_EFFORT;
        assert_eq!(failing[0], MAX_SAMPLES as u64 * per_sample);
        assert_eq!(failing[1], failing[0] / 2);
        assert_eq!(failing[9], MIN_SAMPLES as u64 * per_sample);
        assert!(efforts(1).into_iter().all(|effort| effort < failing[0]));
    }
}
