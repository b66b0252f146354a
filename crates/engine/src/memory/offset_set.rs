//! A set of offsets of an object: bits in blocks, so that a few offsets of a large object cost
//! little.

use std::collections::BTreeMap;
use std::ops::Range;

/// Offsets per block.
const BLOCK: u64 = 1024;
const WORDS: usize = BLOCK as usize / 64;

/// A set of offsets. An absent block is empty.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct OffsetSet {
    blocks: BTreeMap<u64, [u64; WORDS]>,
}

impl OffsetSet {
    /// Whether an offset is in the set.
    pub fn contains(&self, at: u64) -> bool {
        let word = |block: &[u64; WORDS]| block[(at % BLOCK) as usize / 64];
        self.blocks.get(&(at / BLOCK)).is_some_and(|block| word(block) >> (at % 64) & 1 == 1)
    }

    /// Adds a range of offsets.
    pub fn insert(&mut self, range: Range<u64>) {
        let mut at = range.start;
        while at < range.end {
            let end = range.end.min((at / BLOCK + 1) * BLOCK);
            let block = self.blocks.entry(at / BLOCK).or_default();
            if end - at == BLOCK {
                *block = [u64::MAX; WORDS];
            } else {
                (at..end).for_each(|at| block[(at % BLOCK) as usize / 64] |= 1 << (at % 64));
            }
            at = end;
        }
    }

    /// Its offsets, ascending.
    pub fn iter(&self) -> impl Iterator<Item = u64> + '_ {
        self.blocks.iter().flat_map(|(&block, words)| {
            let is_set = move |i: &u64| words[*i as usize / 64] >> (i % 64) & 1 == 1;
            (0..BLOCK).filter(is_set).map(move |i| block * BLOCK + i)
        })
    }

    /// About the bytes that it takes.
    pub fn bytes(&self) -> u64 {
        self.blocks.len() as u64 * (BLOCK / 8 + 16)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use byway_base::Rng;
    use std::collections::BTreeSet;

    #[test]
    fn it_agrees_with_a_set_of_numbers() {
        let mut rng = Rng::new(7);
        let (mut offsets, mut expected) = (OffsetSet::default(), BTreeSet::new());
        for _ in 0..50 {
            let start = rng.below(1 << 14);
            let range = start..start + rng.below(3000);
            offsets.insert(range.clone());
            expected.extend(range);
            assert!(offsets.iter().eq(expected.iter().copied()));
            let at = rng.below(1 << 14);
            assert_eq!(offsets.contains(at), expected.contains(&at));
        }
    }
}
