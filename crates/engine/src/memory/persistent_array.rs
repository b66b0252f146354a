//! A persistent array, indexed by object or page numbers.
//!
//! Numbers are dense, so this is a radix tree of three levels: a root that grows, and two
//! levels below. Nodes are shared between states and copied on write, so that a fork copies
//! the root and each later change one path of nodes. Nodes are small, since most forks change
//! few entries.

use std::rc::Rc;

use rustc_hash::FxHashSet;

const LEAF_BITS: u32 = 4;
const LEAF: usize = 1 << LEAF_BITS;
const MIDDLE: usize = 1 << 5;
/// Entries below one element of the root.
const BELOW_ROOT: usize = LEAF * MIDDLE;

type Leaf<T> = [T; LEAF];
type Middle<T> = [Option<Rc<Leaf<T>>>; MIDDLE];

/// A persistent array; the default entry is `T::default()`.
#[derive(Clone)]
pub struct PersistentArray<T> {
    root: Vec<Option<Rc<Middle<T>>>>,
}

/// The index at each level.
#[inline(always)]
fn split(index: u64) -> (usize, usize, usize) {
    let root = (index / BELOW_ROOT as u64) as usize;
    (root, (index >> LEAF_BITS) as usize % MIDDLE, index as usize % LEAF)
}

impl<T: Clone + Default> PersistentArray<T> {
    /// An empty table.
    pub fn new() -> Self {
        PersistentArray { root: Vec::new() }
    }

    /// The entry, if its leaf exists.
    #[inline(always)]
    pub fn get(&self, index: u64) -> Option<&T> {
        let (root, middle, leaf) = split(index);
        let node = self.root.get(root)?.as_ref()?;
        Some(&node[middle].as_ref()?[leaf])
    }

    /// The entry for writing, if its leaf exists.
    #[inline(always)]
    pub fn get_mut(&mut self, index: u64) -> Option<&mut T> {
        let (root, middle, leaf) = split(index);
        let node = Rc::make_mut(self.root.get_mut(root)?.as_mut()?);
        Some(&mut Rc::make_mut(node[middle].as_mut()?)[leaf])
    }

    /// Every entry of existing leaves, with its index, in ascending order.
    pub fn entries(&self) -> impl Iterator<Item = (u64, &T)> + '_ {
        let nodes = (0u64..).step_by(BELOW_ROOT).zip(&self.root);
        nodes.filter_map(|(at, node)| Some((at, node.as_ref()?))).flat_map(|(at, node)| {
            let leaves = (at..).step_by(LEAF).zip(&**node);
            let leaves = leaves.filter_map(|(at, leaf)| Some((at, leaf.as_ref()?)));
            leaves.flat_map(|(at, leaf)| (at..).zip(&**leaf))
        })
    }

    /// Visits every entry of existing leaves, except in the nodes in `seen`; adds the visited
    /// nodes to `seen`.
    pub fn visit<'a>(&'a self, seen: &mut FxHashSet<usize>, mut visit: impl FnMut(&'a T)) {
        for middle in self.root.iter().flatten() {
            if !is_new(middle, seen) {
                continue;
            }
            for leaf in middle.iter().flatten() {
                if is_new(leaf, seen) {
                    leaf.iter().for_each(&mut visit);
                }
            }
        }
    }

    /// Bytes of its nodes, except those in `seen`; adds the counted nodes to `seen`.
    pub fn node_bytes(&self, seen: &mut FxHashSet<usize>) -> u64 {
        let mut bytes = self.root.capacity() * size_of::<usize>();
        for middle in self.root.iter().flatten() {
            if is_new(middle, seen) {
                let leaves = middle.iter().flatten().filter(|leaf| is_new(leaf, seen));
                bytes += size_of::<Middle<T>>() + leaves.count() * size_of::<Leaf<T>>();
            }
        }
        bytes as u64
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

/// Adds `shared` to `seen`; returns whether it was new. A value with a single owner is always
/// new and is not added.
pub fn is_new<T>(shared: &Rc<T>, seen: &mut FxHashSet<usize>) -> bool {
    Rc::strong_count(shared) == 1 || seen.insert(Rc::as_ptr(shared) as *const u8 as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_are_independent() {
        let mut a = PersistentArray::new();
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
        let set: Vec<(u64, u32)> =
            b.entries().map(|(i, &value)| (i, value)).filter(|&(_, value)| value != 0).collect();
        assert!(set.iter().copied().eq((7..20_000).step_by(7).map(|i| (u64::from(i), i))));
        assert_eq!(a.get(u64::MAX), None);
        assert_eq!(a.get(13), Some(&0));
    }
}
