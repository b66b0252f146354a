//! The branches that a path took, in order: all conditional branches that it executed, and those
//! among them at which it forked.
//!
//! States that forked share what they have in common, in blocks of bits, so that a trace costs a
//! state what it took since its last fork. Recorded only if [`crate::Config::trace_branches`] or
//! [`crate::Config::replay_path`] asks for it.

use std::sync::Arc;

/// The words of a shared block.
const WORDS: usize = 32;

/// The decisions of a shared block.
const PER_BLOCK: u64 = WORDS as u64 * 64;

/// The branches of a path.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct BranchTrace {
    /// Every conditional branch executed.
    pub executed: BranchDecisions,
    /// The branches at which the path forked.
    pub forked: BranchDecisions,
}

/// A sequence of decisions: whether the condition of a branch held.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct BranchDecisions {
    /// The full blocks, the last one first.
    full: Option<Arc<DecisionBlock>>,
    /// The bits behind them.
    tail: Vec<u64>,
    len: u64,
}

#[derive(PartialEq, Eq, Debug)]
struct DecisionBlock {
    earlier: Option<Arc<DecisionBlock>>,
    words: [u64; WORDS],
}

/// Frees a chain without recursion: it may be long.
impl Drop for DecisionBlock {
    fn drop(&mut self) {
        let mut next = self.earlier.take();
        while let Some(block) = next.and_then(Arc::into_inner) {
            let mut block = block;
            next = block.earlier.take();
        }
    }
}

impl BranchDecisions {
    /// The number of decisions.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Adds a decision.
    pub fn push(&mut self, holds: bool) {
        let bit = self.len % 64;
        if bit == 0 {
            if let Ok(words) = <[u64; WORDS]>::try_from(self.tail.as_slice()) {
                let earlier = self.full.take();
                self.full = Some(Arc::new(DecisionBlock { earlier, words }));
                self.tail.clear();
            }
            self.tail.push(0);
        }
        if let Some(last) = self.tail.last_mut() {
            *last |= u64::from(holds) << bit;
        }
        self.len += 1;
    }

    /// The decisions, in order.
    pub fn iter(&self) -> impl Iterator<Item = bool> + '_ {
        let mut blocks = Vec::with_capacity((self.len / PER_BLOCK) as usize);
        let mut next = self.full.as_deref();
        while let Some(block) = next {
            blocks.push(&block.words);
            next = block.earlier.as_deref();
        }
        let words = blocks.into_iter().rev().flatten().chain(&self.tail);
        let bits = words.flat_map(|&word| (0..64).map(move |bit| word >> bit & 1 != 0));
        bits.take(self.len as usize)
    }
}

impl FromIterator<bool> for BranchDecisions {
    fn from_iter<T: IntoIterator<Item = bool>>(decisions: T) -> BranchDecisions {
        let mut all = BranchDecisions::default();
        decisions.into_iter().for_each(|holds| all.push(holds));
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decisions_are_kept_in_order_and_shared() {
        let decision = |n: u64| n.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 63 != 0;
        for len in [0, 1, 63, 64, 65, PER_BLOCK - 1, PER_BLOCK, PER_BLOCK + 1, 5 * PER_BLOCK + 7] {
            let mut all: BranchDecisions = (0..len).map(decision).collect();
            assert_eq!(all.len(), len);
            let copy = all.clone();
            all.push(true);
            assert!(copy.iter().eq((0..len).map(decision)), "{len}");
            assert!(all.iter().eq((0..len).map(decision).chain([true])), "{len}");
        }
    }

    #[test]
    fn a_long_trace_is_freed() {
        let all: BranchDecisions = (0..200_000 * PER_BLOCK).map(|_| false).collect();
        drop(all);
    }
}
