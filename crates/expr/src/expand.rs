//! Expands symbolic reads to selections.
//!
//! No solver sees an [`Op::Read`]: before a query is solved, each read becomes a tree of
//! if-then-else terms over the bytes that its index can reach. The tree tests one bit of the
//! index at a time, from the highest undetermined one; bits that are known, or constant
//! throughout the index's interval, are not tested. Equal subtrees merge. Writes above the
//! base become conditions on top, newest first, except those that cannot alias.

use std::collections::BTreeMap;

use byway_base::ExprId;

use crate::contents::BaseContents;
use crate::interval::{Interval, Intervals};
use crate::known::KnownBits;
use crate::memory::MemoryVersion;
use crate::node::Node;
use crate::op::Op;
use crate::pool::{ExprMap, Pool};

/// The highest number of bytes that one selection may choose from, without ranges of zeros.
pub const MAX_LEAVES: u64 = 1 << 17;

/// The size of the pool is looked at once for this many bytes of a selection.
const LEAVES_PER_SIZE_CHECK: u64 = 1 << 12;

/// Ranges of at least this many bytes are compared with the sparse contents at once.
const SPARSE: u64 = 256;

/// A read whose index can reach more bytes than a selection may choose from, or than there is
/// memory for ([`Pool::limit_expansions`]). The caller splits the index's range or concretises
/// it, and counts that.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct TooManyLeaves {
    /// The term with operator [`Op::Read`].
    pub read: ExprId,
    /// The read's index.
    pub index: ExprId,
    /// The interval that the index was assumed to lie in.
    pub reach: Interval,
}

impl std::fmt::Display for TooManyLeaves {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "a read at a symbolic offset can reach more than {MAX_LEAVES} bytes, {} to {}",
            self.reach.lo, self.reach.hi
        )
    }
}

impl std::error::Error for TooManyLeaves {}

/// Builds one selection.
struct SelectionBuilder<'a> {
    base: &'a BaseContents,
    /// Bytes written at constant offsets, below all writes at symbolic offsets.
    written: BTreeMap<u64, ExprId>,
    /// The first offset beyond the base and all constant writes.
    end: u64,
    index: ExprId,
    known: KnownBits,
    leaves: u64,
}

impl SelectionBuilder<'_> {
    /// Selects from the bytes from `lo` to `hi`; `None` if there are too many.
    fn choose(&mut self, pool: &mut Pool, lo: u64, hi: u64) -> Option<ExprId> {
        if lo >= self.end {
            // All bytes from here on are zero.
            return Some(pool.constant(8, 0));
        }
        if lo == hi {
            self.leaves += 1;
            let is_too_large = self.leaves > MAX_LEAVES
                || self.leaves.is_multiple_of(LEAVES_PER_SIZE_CHECK)
                    && pool.is_too_large_to_expand();
            return (!is_too_large).then(|| self.byte(pool, lo));
        }
        if hi - lo >= SPARSE && self.is_absent(lo, hi) {
            return Some(pool.constant(8, 0));
        }
        // All bits above this one are equal in `lo` and `hi`.
        let bit = 63 - (lo ^ hi).leading_zeros();
        let split = hi >> bit << bit;
        if self.known.zeros >> bit & 1 != 0 {
            return self.choose(pool, lo, split - 1);
        }
        if self.known.ones >> bit & 1 != 0 {
            return self.choose(pool, split, hi);
        }
        let low = self.choose(pool, lo, split - 1)?;
        let high = self.choose(pool, split, hi)?;
        let cond = pool.extract(self.index, bit, 1);
        Some(pool.ite(cond, high, low))
    }

    fn is_absent(&self, lo: u64, hi: u64) -> bool {
        self.base.is_absent(lo, hi) && self.written.range(lo..=hi).next().is_none()
    }

    fn byte(&self, pool: &mut Pool, offset: u64) -> ExprId {
        if let Some(&written) = self.written.get(&offset) {
            return written;
        }
        match self.base.symbolic_at(offset) {
            Some(term) => term,
            None => pool.constant(8, u128::from(self.base.concrete_at(offset))),
        }
    }
}

impl Pool {
    /// A read as a selection, valid if its index lies in the interval. The selections bytes may
    /// contain reads again.
    pub fn expand(&mut self, read: ExprId, reach: Interval) -> Result<ExprId, TooManyLeaves> {
        let Some((version, index)) = self.as_read(read) else { return Ok(read) };
        let known = self.known(index);
        let too_many = TooManyLeaves { read, index, reach };
        if self.is_too_large_to_expand() {
            return Err(too_many);
        }
        let meet = |e: ExprId| match self.value(e) {
            Some(value) => reach.contains(value),
            None => !self.known(e).contradicts(known),
        };
        // From the newest write to the base: first the writes above one at a symbolic offset,
        // which must stay in order, then the others.
        let mut writes = Vec::new();
        let mut at = version;
        let base = loop {
            match self.version(at) {
                MemoryVersion::Write { index: written, value, previous } => {
                    if meet(*written) {
                        writes.push((*written, *value));
                    }
                    at = *previous;
                }
                MemoryVersion::Base(base) => break base.clone(),
                MemoryVersion::Dead => unreachable!("{at:?} was collected"),
            }
        };
        let last_symbolic = writes.iter().rposition(|&(i, _)| !self.is_constant(i));
        let settled = writes.split_off(last_symbolic.map_or(0, |at| at + 1));
        let mut written = BTreeMap::new();
        for (i, value) in settled.into_iter().rev() {
            let offset = self.value(i).unwrap_or(0) as u64;
            written.insert(offset, value);
        }
        let (lo, hi) = (reach.lo as u64, reach.hi.min(u128::from(u64::MAX)) as u64);
        let past_writes = written.last_key_value().map(|(&at, _)| at.saturating_add(1));
        let end = base.size().max(past_writes.unwrap_or(0));
        let mut selection = SelectionBuilder { base: &base, written, end, index, known, leaves: 0 };
        let mut result = selection.choose(self, lo, hi).ok_or(too_many)?;
        for (i, value) in writes.into_iter().rev() {
            let hit = self.eq(i, index);
            result = self.ite(hit, value, result);
        }
        Ok(result)
    }
}

/// Rewrites terms so that they contain no reads. Serves one query: it must not outlive a
/// collection.
pub struct Expander {
    /// Finished terms.
    done: ExprMap<ExprId>,
    /// The selections of reads, which may still contain reads.
    selections: ExprMap<ExprId>,
}

impl Expander {
    /// An expander for the pool's current generation.
    pub fn new(pool: &Pool) -> Expander {
        Expander { done: ExprMap::for_pool(pool), selections: ExprMap::for_pool(pool) }
    }

    /// The term with every read expanded, equal to it if the assumptions of the intervals
    /// hold. Every call must have the same assumptions.
    pub fn term(
        &mut self,
        pool: &mut Pool,
        intervals: &mut Intervals,
        root: ExprId,
    ) -> Result<ExprId, TooManyLeaves> {
        let mut stack = vec![root];
        while let Some(&e) = stack.last() {
            if self.done.contains(pool, e) {
                stack.pop();
                continue;
            }
            let node = pool.node(e);
            let waiting = stack.len();
            stack.extend(node.operands().filter(|&x| !self.done.contains(pool, x)));
            if stack.len() > waiting {
                continue;
            }
            if node.op != Op::Read {
                let rebuilt = self.rebuilt(pool, node, e);
                self.done.insert(pool, e, rebuilt);
                stack.pop();
            } else if let Some(&selection) = self.selections.get(pool, e) {
                // It was on the stack above this read, so it is finished.
                let result = self.done.get(pool, selection).copied().unwrap_or(selection);
                self.done.insert(pool, e, result);
                stack.pop();
            } else {
                let reach = intervals.of(pool, node.a());
                let read = self.rebuilt(pool, node, e);
                let selection = pool.expand(read, reach).map_err(|_| TooManyLeaves {
                    read: e,
                    index: node.a(),
                    reach,
                })?;
                self.selections.insert(pool, e, selection);
                stack.push(selection);
            }
        }
        Ok(self.done.get(pool, root).copied().unwrap_or(root))
    }

    /// The node with finished operands.
    fn rebuilt(&self, pool: &mut Pool, node: Node, e: ExprId) -> ExprId {
        let operands: Vec<ExprId> =
            node.operands().map(|x| self.done.get(pool, x).copied().unwrap_or(x)).collect();
        if node.operands().eq(operands.iter().copied()) {
            return e;
        }
        pool.rebuild(node, &operands)
    }
}
