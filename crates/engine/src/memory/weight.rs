//! What memory costs. All states of an exploration share a [`Scale`], on which each
//! object and each page lies once for every copy there is of it: states that share one
//! share its weight, too.

use std::cell::Cell;
use std::rc::Rc;

/// What an object costs beside its bytes: what is known of it, its place in the table,
/// and what the allocator adds. A stated rule, the same on every machine; without it, a
/// program that asks for one byte again and again would find no end.
pub const OBJECT_COST: u64 = 256;

/// What it costs to remember an object that is no more. The program does not pay for it.
pub const TOMB_COST: u64 = 96;

/// Adds up weights.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Scale(Rc<Cell<u64>>);

impl Scale {
    /// The bytes of all that lies on it.
    pub fn total(&self) -> u64 {
        self.0.get()
    }

    /// Puts so many bytes on it.
    pub fn weigh(&self, bytes: u64) -> Weight {
        self.0.set(self.0.get().saturating_add(bytes));
        Weight { scale: self.clone(), bytes }
    }
}

/// A weight that lies on a scale as long as it lives.
#[derive(PartialEq, Eq, Debug)]
pub struct Weight {
    scale: Scale,
    bytes: u64,
}

impl Weight {
    /// Another one on the same scale.
    pub fn of(&self, bytes: u64) -> Weight {
        self.scale.weigh(bytes)
    }
}

impl Clone for Weight {
    fn clone(&self) -> Weight {
        self.of(self.bytes)
    }
}

impl Drop for Weight {
    fn drop(&mut self) {
        self.scale.0.set(self.scale.0.get().saturating_sub(self.bytes));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_weigh_again_and_lie_no_longer_than_they_live() {
        let scale = Scale::default();
        let one = scale.weigh(100);
        let two = one.clone();
        assert_eq!(scale.total(), 200);
        let three = two.of(50);
        assert_eq!(scale.total(), 250);
        drop((one, two, three));
        assert_eq!(scale.total(), 0);
    }
}
