//! A persistent array from object numbers to entries.
//!
//! Numbers are dense, so this is a radix tree of three levels: a root that grows,
//! and two levels of 64. Nodes are shared between states and copied when one of
//! them writes, so that a fork costs the root and each later change one path.

use std::rc::Rc;

use rustc_hash::FxHashSet;

const BITS: u32 = 6;
const FANOUT: usize = 1 << BITS;

type Leaf<T> = [T; FANOUT];
type Middle<T> = [Option<Rc<Leaf<T>>>; FANOUT];

/// A persistent array; entries not set are `T::default()`.
#[derive(Clone)]
pub struct Table<T> {
    root: Vec<Option<Rc<Middle<T>>>>,
}

fn split(index: u32) -> (usize, usize, usize) {
    let index = index as usize;
    (index >> (2 * BITS), (index >> BITS) % FANOUT, index % FANOUT)
}

impl<T: Clone + Default> Table<T> {
    /// An empty table.
    pub fn new() -> Self {
        Table { root: Vec::new() }
    }

    /// The entry, if one was ever set near it.
    #[inline(always)]
    pub fn get(&self, index: u64) -> Option<&T> {
        let root = (index >> (2 * BITS)) as usize;
        let middle = self.root.get(root)?.as_ref()?;
        let leaf = middle[(index >> BITS) as usize % FANOUT].as_ref()?;
        Some(&leaf[index as usize % FANOUT])
    }

    /// The entry for change, if one was ever set near it.
    #[inline(always)]
    pub fn get_mut(&mut self, index: u64) -> Option<&mut T> {
        let root = (index >> (2 * BITS)) as usize;
        let middle = Rc::make_mut(self.root.get_mut(root)?.as_mut()?);
        let leaf = Rc::make_mut(middle[(index >> BITS) as usize % FANOUT].as_mut()?);
        Some(&mut leaf[index as usize % FANOUT])
    }

    /// Every entry near one that was set, but for those in nodes that another table
    /// was visited with before; `seen` remembers them.
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

    /// The bytes of its nodes, but for those that another table was counted with before;
    /// `seen` remembers them.
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
        let (root, middle, leaf) = split(index);
        if root >= self.root.len() {
            self.root.resize(root + 1, None);
        }
        let node = self.root[root].get_or_insert_with(|| Rc::new([const { None }; FANOUT]));
        let node = Rc::make_mut(node)[middle]
            .get_or_insert_with(|| Rc::new(std::array::from_fn(|_| T::default())));
        Rc::make_mut(node)[leaf] = value;
    }
}

/// Whether something was not seen before; what nobody shares need not be remembered.
pub fn is_new<T>(shared: &Rc<T>, seen: &mut FxHashSet<usize>) -> bool {
    Rc::strong_count(shared) == 1 || seen.insert(Rc::as_ptr(shared) as *const u8 as usize)
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
