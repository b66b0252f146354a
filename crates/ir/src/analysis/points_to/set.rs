//! Sets of small numbers as sorted blocks of 64 bits: most sets hold few numbers, a few hold
//! thousands, and a union is one merge.

/// A set of numbers.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct SparseSet {
    /// The number of a block and its bits, not all zero; by ascending number.
    blocks: Vec<(u32, u64)>,
}

impl SparseSet {
    /// What an operation on it costs.
    pub fn blocks(&self) -> usize {
        self.blocks.len()
    }

    pub fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    /// Adds a number; false if it was there.
    pub fn insert(&mut self, number: u32) -> bool {
        match self.blocks.binary_search_by_key(&(number / 64), |block| block.0) {
            Ok(at) => {
                let before = self.blocks[at].1;
                self.blocks[at].1 |= bit(number);
                before != self.blocks[at].1
            }
            Err(at) => {
                self.blocks.insert(at, (number / 64, bit(number)));
                true
            }
        }
    }

    /// The numbers, ascending.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.blocks.iter().flat_map(|&(block, bits)| {
            (0..64).filter(move |i| bits >> i & 1 != 0).map(move |i| block * 64 + i)
        })
    }

    /// Adds all numbers of another set, and those that are new to `new` as well. False if
    /// there are none.
    pub fn add_all(&mut self, other: &SparseSet, new: &mut SparseSet) -> bool {
        let added = other.minus(self);
        if added.is_empty() {
            return false;
        }
        *self = self.union(&added);
        *new = if new.is_empty() { added } else { new.union(&added) };
        true
    }

    /// The numbers that are in one of the two sets.
    pub fn union(&self, other: &SparseSet) -> SparseSet {
        self.merge(other, |a, b| a | b)
    }

    /// The numbers that are in exactly one of the two sets.
    pub fn difference(&self, other: &SparseSet) -> SparseSet {
        self.merge(other, |a, b| a ^ b)
    }

    /// The numbers that are not in the other set.
    pub fn minus(&self, other: &SparseSet) -> SparseSet {
        let mut at = 0;
        let mut blocks = Vec::new();
        for &(block, bits) in &self.blocks {
            at += other.blocks[at..].partition_point(|it| it.0 < block);
            let known = other.blocks.get(at).filter(|it| it.0 == block).map_or(0, |it| it.1);
            if bits & !known != 0 {
                blocks.push((block, bits & !known));
            }
        }
        SparseSet { blocks }
    }

    fn merge(&self, other: &SparseSet, op: impl Fn(u64, u64) -> u64) -> SparseSet {
        let mut blocks = Vec::with_capacity(self.blocks.len() + other.blocks.len());
        let (mut a, mut b) = (self.blocks.as_slice(), other.blocks.as_slice());
        while let (Some(&x), Some(&y)) = (a.first(), b.first()) {
            let bits = op(if x.0 <= y.0 { x.1 } else { 0 }, if y.0 <= x.0 { y.1 } else { 0 });
            if bits != 0 {
                blocks.push((x.0.min(y.0), bits));
            }
            a = &a[usize::from(x.0 <= y.0)..];
            b = &b[usize::from(y.0 <= x.0)..];
        }
        blocks.extend(a.iter().chain(b).filter(|it| op(it.1, 0) != 0));
        SparseSet { blocks }
    }
}

impl FromIterator<u32> for SparseSet {
    fn from_iter<I: IntoIterator<Item = u32>>(numbers: I) -> Self {
        let mut set = SparseSet::default();
        for number in numbers {
            set.insert(number);
        }
        set
    }
}

fn bit(number: u32) -> u64 {
    1 << (number % 64)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    impl SparseSet {
        fn len(&self) -> usize {
            self.blocks.iter().map(|(_, bits)| bits.count_ones() as usize).sum()
        }

        fn contains(&self, number: u32) -> bool {
            let found = self.blocks.binary_search_by_key(&(number / 64), |block| block.0);
            found.is_ok_and(|at| self.blocks[at].1 & bit(number) != 0)
        }
    }

    proptest! {
        #[test]
        fn it_behaves_as_a_set(
            a in prop::collection::btree_set(0..400u32, 0..40),
            b in prop::collection::btree_set(0..400u32, 0..40),
        ) {
            let (x, y): (SparseSet, SparseSet) =
                (a.iter().copied().collect(), b.iter().copied().collect());
            let numbers = |set: &SparseSet| set.iter().collect::<BTreeSet<u32>>();
            prop_assert_eq!(x.len(), a.len());
            prop_assert_eq!(numbers(&x.union(&y)), a.union(&b).copied().collect());
            prop_assert_eq!(numbers(&x.minus(&y)), a.difference(&b).copied().collect());
            prop_assert_eq!(
                numbers(&x.difference(&y)),
                a.symmetric_difference(&b).copied().collect()
            );
            let (mut sum, mut new) = (x.clone(), SparseSet::default());
            prop_assert_eq!(sum.add_all(&y, &mut new), !b.is_subset(&a));
            prop_assert_eq!(numbers(&sum), a.union(&b).copied().collect());
            prop_assert_eq!(numbers(&new), b.difference(&a).copied().collect());
            for number in 0..400 {
                prop_assert_eq!(x.contains(number), a.contains(&number));
            }
        }
    }
}
