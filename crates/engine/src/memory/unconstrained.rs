//! Objects of unconstrained input: reserved when a pointer may refer to them, made when they
//! are first accessed. A reserved object has an address and a size, so that pointers to it can be
//! compared, added to and freed, but no contents.

use std::rc::Rc;

use super::address::number_of;
use super::{Memory, Object, ObjectEntry, ObjectKind, Unconstrained};

impl Memory {
    /// Reserves an object, which behaves as one of the heap; `None` if it exceeds the memory
    /// limit.
    pub fn reserve(&mut self, size: u64, align: u64) -> Option<u64> {
        let base = self.allocate(size, align, ObjectKind::Heap, None)?;
        self.unmake(base);
        Some(base)
    }

    /// Drops the contents of an object; the first access makes new ones.
    pub fn unmake(&mut self, base: u64) {
        let account = self.account().clone();
        if let Some(object) = self.live_mut(base) {
            object.unmake(&account);
        }
    }

    /// Gives an object whose contents are missing zeros; the caller writes the others.
    pub fn make(&mut self, base: u64) {
        let Some(old) = self.live(base).filter(|it| it.unconstrained == Unconstrained::Unmade)
        else {
            return;
        };
        let (forks, account) = (self.config.forks, &self.config.account);
        let kind = old.kind.clone();
        let mut object =
            Object::new(old.base, old.size(), kind, old.allocated_at, false, forks, account);
        object.unconstrained = Unconstrained::Made;
        self.table.set(number_of(base) as u32, ObjectEntry::Live(Rc::new(object)));
    }
}
