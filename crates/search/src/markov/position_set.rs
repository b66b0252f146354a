//! A set of small numbers from which the least and the greatest are taken quickly.
//!
//! A tree of bits: each word of a level says which words of the level below hold anything. So a
//! hundred thousand numbers need three levels, and 64 need one, where taking the least is a
//! single machine instruction.

/// Bits in a word.
const WORD: usize = 64;

/// A set of numbers below a fixed bound.
#[derive(Clone, Debug)]
pub struct PositionSet {
    /// From the numbers themselves to the single word at the root.
    levels: Vec<Vec<u64>>,
}

impl PositionSet {
    /// An empty set for numbers below `bound`.
    pub fn new(bound: usize) -> PositionSet {
        let mut levels = Vec::new();
        let mut words = bound;
        loop {
            words = words.div_ceil(WORD).max(1);
            levels.push(vec![0; words]);
            if words == 1 {
                return PositionSet { levels };
            }
        }
    }

    /// Adds a number; nothing happens if it is in the set.
    pub fn insert(&mut self, number: u32) {
        let mut at = number as usize;
        for level in &mut self.levels {
            let word = &mut level[at / WORD];
            let was_empty = *word == 0;
            *word |= 1 << (at % WORD);
            if !was_empty {
                return;
            }
            at /= WORD;
        }
    }

    /// Removes and returns the least number.
    pub fn pop_first(&mut self) -> Option<u32> {
        self.pop(u64::trailing_zeros)
    }

    /// Removes and returns the greatest number.
    pub fn pop_last(&mut self) -> Option<u32> {
        self.pop(|word| 63 - word.leading_zeros())
    }

    fn pop(&mut self, bit_of: impl Fn(u64) -> u32) -> Option<u32> {
        let mut at = 0;
        for level in self.levels.iter().rev() {
            let word = level[at];
            if word == 0 {
                return None;
            }
            at = at * WORD + bit_of(word) as usize;
        }
        let found = at;
        for level in &mut self.levels {
            let word = &mut level[at / WORD];
            *word &= !(1 << (at % WORD));
            if *word != 0 {
                break;
            }
            at /= WORD;
        }
        Some(found as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use byway_base::Rng;
    use std::collections::BTreeSet;

    #[test]
    fn behaves_like_an_ordered_set() {
        for bound in [1, 63, 64, 65, 4096, 4097, 300_000] {
            let (mut set, mut model) = (PositionSet::new(bound), BTreeSet::new());
            let mut rng = Rng::new(bound as u64);
            for _ in 0..3000 {
                match rng.below(5) {
                    0 => assert_eq!(set.pop_first(), model.pop_first()),
                    1 => assert_eq!(set.pop_last(), model.pop_last()),
                    _ => {
                        let number = rng.below(bound as u64) as u32;
                        set.insert(number);
                        model.insert(number);
                    }
                }
            }
            while let Some(first) = model.pop_first() {
                assert_eq!(set.pop_first(), Some(first));
            }
            assert_eq!((set.pop_first(), set.pop_last()), (None, None));
        }
    }
}
