//! A persistent array from object numbers to entries.
//!
//! Numbers are dense, so this is a radix tree of three levels: a root that grows,
//! and two levels below. Nodes are shared between states and copied when one of
//! them writes, so that a fork costs the root and each later change one path. Nodes
//! are small, since most forks change few entries.

use std::rc::Rc;

use rustc_hash::FxHashSet;

const LEAF_BITS: u32 = 4;
const LEAF: usize = 1 << LEAF_BITS;
const MIDDLE: usize = 1 << 5;
/// How many entries lie below one of the root.
const BELOW_ROOT: usize = LEAF * MIDDLE;

type Leaf<T> = [T; LEAF];
type Middle<T> = [Option<Rc<Leaf<T>>>; MIDDLE];

/// A persistent array; entries not set are `T::default()`.
#[derive(Clone)]
pub struct Table<T> {
    root: Vec<Option<Rc<Middle<T>>>>,
}

/// Where an entry lies on each level.
#[inline(always)]
fn split(index: u64) -> (usize, usize, usize) {
    let root = (index / BELOW_ROOT as u64) as usize;
    (root, (index >> LEAF_BITS) as usize % MIDDLE, index as usize % LEAF)
}

impl<T: Clone + Default> Table<T> {
    /// An empty table.
    pub fn new() -> Self {
        Table { root: Vec::new() }
    }

    /// The entry, if one was ever set near it.
    #[inline(always)]
    pub fn get(&self, index: u64) -> Option<&T> {
        let (root, middle, leaf) = split(index);
        let node = self.root.get(root)?.as_ref()?;
        Some(&node[middle].as_ref()?[leaf])
    }

    /// The entry for change, if one was ever set near it.
    #[inline(always)]
    pub fn get_mut(&mut self, index: u64) -> Option<&mut T> {
        let (root, middle, leaf) = split(index);
        let node = Rc::make_mut(self.root.get_mut(root)?.as_mut()?);
        Some(&mut Rc::make_mut(node[middle].as_mut()?)[leaf])
    }

    /// Every entry near one that was set, but for those in nodes that another table
    /// was visited with before; `seen` remembers them.
    pub fn visit<'a>(&'a self, seen: &mut FxHashSet<usize>, mut visit: impl FnMut(&'a T)) {
        for middle in self.root.iter().flatten() {
            if !seen.insert(Rc::as_ptr(middle) as usize) {
                continue;
            }
            for leaf in middle.iter().flatten() {
                if seen.insert(Rc::as_ptr(leaf) as usize) {
                    leaf.iter().for_each(&mut visit);
                }
            }
        }
    }

    /// Sets an entry.
    pub fn set(&mut self, index: u32, value: T) {
        let (root, middle, leaf) = split(u64::from(index));
        if root >= self.root.len() {
            self.root.resize(root + 1, None);
        }
        let node = self.root[root].get_or_insert_with(|| Rc::new([const { None }; MIDDLE]));
        let node = Rc::make_mut(node)[middle]
            .get_or_insert_with(|| Rc::new(std::array::from_fn(|_| T::default())));
        Rc::make_mut(node)[leaf] = value;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_keeps_what_it_had() {
        let mut a = Table::new();
        for i in (0..20_000).step_by(7) {
            a.set(i, i);
        }
        let b = a.clone();
        a.set(14, 99);
        *a.get_mut(21).unwrap() = 98;
        a.set(1_000_000, 5);
        assert_eq!((a.get(14), a.get(21), a.get(1_000_000)), (Some(&99), Some(&98), Some(&5)));
        assert_eq!((b.get(14), b.get(21), b.get(1_000_000)), (Some(&14), Some(&21), None));
        for i in (0..20_000u32).step_by(7).filter(|i| ![14, 21].contains(i)) {
            assert_eq!(a.get(u64::from(i)), Some(&i));
        }
        assert_eq!(a.get(u64::MAX), None);
        assert_eq!(a.get(13), Some(&0));
    }
}
