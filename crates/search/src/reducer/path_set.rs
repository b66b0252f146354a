//! Sets of path numbers, to which ever higher numbers are added, and their intersection.

/// A set of path numbers.
#[derive(Clone, Debug, Default)]
pub(super) struct PathSet {
    /// The number of a block of 64 paths and its bits, not all zero; by ascending number.
    blocks: Vec<(u32, u64)>,
}

impl PathSet {
    /// Adds a number, which is not below any number of the set.
    pub fn push(&mut self, path: u32) {
        let (block, bit) = (path / 64, 1 << (path % 64));
        match self.blocks.last_mut().filter(|last| last.0 == block) {
            Some(last) => last.1 |= bit,
            None => self.blocks.push((block, bit)),
        }
    }

    /// Whether a number is in the set.
    pub fn contains(&self, path: u32) -> bool {
        self.block(path / 64) >> (path % 64) & 1 != 0
    }

    /// The bits of a block.
    fn block(&self, block: u32) -> u64 {
        let Some(first) = self.blocks.first() else { return 0 };
        let Some(distance) = block.checked_sub(first.0) else { return 0 };
        // Sets without gaps are frequent, and need no search.
        match self.blocks.get(distance as usize).filter(|it| it.0 == block) {
            Some(found) => found.1,
            None => {
                let found = self.blocks.binary_search_by_key(&block, |it| it.0);
                found.map_or(0, |at| self.blocks[at].1)
            }
        }
    }

    /// The numbers that are in all sets, as blocks with their bits. `sets` is not empty.
    pub fn intersection<'s>(mut sets: Vec<&'s PathSet>) -> impl Iterator<Item = (u32, u64)> + 's {
        sets.sort_unstable_by_key(|set| set.blocks.len());
        let (smallest, others) = (sets.first().copied(), sets);
        let blocks = smallest.into_iter().flat_map(|set| &set.blocks);
        blocks.filter_map(move |&(block, bits)| {
            let mut common = bits;
            for set in &others[1..] {
                common &= set.block(block);
                if common == 0 {
                    return None;
                }
            }
            Some((block, common))
        })
    }
}

/// The numbers of a block.
pub(super) fn numbers(block: u32, bits: u64) -> impl Iterator<Item = u32> {
    (0..64).filter(move |bit| bits >> bit & 1 != 0).map(move |bit| block * 64 + bit)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use byway_base::Rng;

    use super::*;

    #[test]
    fn it_behaves_as_a_set() {
        let mut rng = Rng::new(1);
        for count in (1..4).cycle().take(200) {
            let density = 1 + rng.below(60);
            let mut draw = || (0..500).filter(|_| rng.below(64) < density).collect();
            let sets: Vec<BTreeSet<u32>> = (0..count).map(|_| draw()).collect();
            let own = sets.iter().map(|all| {
                let mut own = PathSet::default();
                all.iter().for_each(|&path| own.push(path));
                own
            });
            let own: Vec<PathSet> = own.collect();
            for (own, all) in own.iter().zip(&sets) {
                assert!((0..600).all(|path| own.contains(path) == all.contains(&path)));
            }
            let found: Vec<u32> = PathSet::intersection(own.iter().collect())
                .flat_map(|(block, bits)| numbers(block, bits))
                .collect();
            let common = (0..500).filter(|path| sets.iter().all(|set| set.contains(path)));
            assert_eq!(found, common.collect::<Vec<u32>>());
        }
    }
}
