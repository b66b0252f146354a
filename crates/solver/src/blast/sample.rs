//! Random inputs, tested by evaluation.
//!
//! Some conditions are hard to search for and easy to sample: one input in 256 makes a given
//! byte of a digest zero, whereas conflicts in a circuit of a hundred thousand gates that mix
//! everything teach nothing. If a first search fails, a bounded number of inputs is tried.

use byway_expr::{ByteSet, Evaluator, InputByte, Model, Pool};

use crate::query::{Assignment, Slice};

/// The highest number of inputs tried for one query.
const MAX_SAMPLES: usize = 2_048;

/// The highest number of gates times samples. Evaluating a gate takes some nanoseconds at most,
/// since a term has many gates.
const MAX_GATES: usize = 1 << 28;

/// The fixed seed: samples are the same in every run.
const SEED: u64 = 0x9e37_79b9_7f4a_7c15;

/// Samples inputs with a random generator of its own.
pub struct InputSampler {
    evaluator: Evaluator,
    random: u64,
}

impl InputSampler {
    pub fn new() -> InputSampler {
        InputSampler { evaluator: Evaluator::new(), random: SEED }
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
        for _ in 0..MAX_SAMPLES.min(MAX_GATES / gates.max(1)) {
            let mut sample = witness.clone();
            for _ in 0..1 + self.below(bytes.len()) {
                let (at, values) = bytes.get(self.below(bytes.len()))?;
                let value = values[self.below(values.len())];
                sample.set_byte(*at, value);
            }
            if slice.holds(pool, &mut self.evaluator, &sample) {
                return Some(bytes.iter().map(|&(at, _)| (at, sample.byte(at))).collect());
            }
        }
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
