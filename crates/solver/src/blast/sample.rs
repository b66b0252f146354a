//! Guesses: inputs made at random, tried by evaluation.
//!
//! Some conditions are hard for a search and easy for chance: that a byte of a digest
//! is zero, say, which one input in 256 makes true, while a circuit of a hundred
//! thousand gates that mix everything teaches nothing. Where a first search found
//! nothing, a bounded number of inputs is tried before it goes on.

use byway_expr::{ByteSet, Evaluator, InputByte, Model, Pool};

use crate::query::{Assignment, Slice};

/// The most inputs that are tried for one query.
const MOST_TRIES: usize = 2_048;

/// The gates of all tries together; one is evaluated in some nanoseconds, since a term
/// has many.
const MOST_GATES: usize = 1 << 28;

/// Where the random numbers begin. They are the same in every run.
const SEED: u64 = 0x9e37_79b9_7f4a_7c15;

/// Makes guesses.
pub struct InputSampler {
    evaluator: Evaluator,
    random: u64,
}

impl InputSampler {
    /// A guesser at its first number.
    pub fn new() -> InputSampler {
        InputSampler { evaluator: Evaluator::new(), random: SEED }
    }

    /// A number below `end`, which is small.
    fn below(&mut self, end: usize) -> usize {
        // Marsaglia's xorshift.
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        (self.random >> 33) as usize % end.max(1)
    }

    /// Bytes under which a slice holds, found by chance: the witness with some bytes
    /// changed, each to a value that the conjuncts on it alone allow.
    pub fn find(
        &mut self,
        pool: &mut Pool,
        slice: &Slice,
        witness: &Model,
        gates: usize,
    ) -> Option<Assignment> {
        let bytes = choices(pool, slice);
        for _ in 0..MOST_TRIES.min(MOST_GATES / gates.max(1)) {
            let mut guess = witness.clone();
            for _ in 0..1 + self.below(bytes.len()) {
                let (at, values) = bytes.get(self.below(bytes.len()))?;
                let value = values[self.below(values.len())];
                guess.set_byte(*at, value);
            }
            if slice.holds(pool, &mut self.evaluator, &guess) {
                return Some(bytes.iter().map(|&(at, _)| (at, guess.byte(at))).collect());
            }
        }
        None
    }
}

/// The bytes that can be changed, and the values of each.
fn choices(pool: &mut Pool, slice: &Slice) -> Vec<(InputByte, Vec<u8>)> {
    let mut sets: Vec<(InputByte, ByteSet)> =
        slice.input_bytes(pool).into_iter().map(|at| (at, ByteSet::ALL)).collect();
    for e in slice.terms() {
        let Some((about, allowed)) = pool.byte_set(e) else { continue };
        if let Ok(found) = sets.binary_search_by_key(&about, |&(at, _)| at) {
            sets[found].1 = sets[found].1.and(allowed);
        }
    }
    let open = |(at, set): (InputByte, ByteSet)| (at, set.values().collect::<Vec<u8>>());
    sets.into_iter().map(open).filter(|(_, values)| values.len() > 1).collect()
}
