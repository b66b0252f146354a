//! Symbolic reads as selections.
//!
//! No solver sees a [`Op::Read`]: before a query goes to one, each read becomes a
//! tree of choices over the bytes its index can reach. The tree asks for one bit of
//! the index at a time, from the highest that is not settled; bits that are known, or
//! the same throughout the index's interval, are not asked for. Equal halves are one,
//! since a choice between equals is none. Writes above the base are choices on top,
//! newest first, save those that surely went elsewhere.

use byway_base::ExprId;
use rustc_hash::FxHashMap;

use crate::interval::{Interval, Intervals};
use crate::known::KnownBits;
use crate::memory::{BaseContents, MemoryVersion};
use crate::node::Node;
use crate::op::Op;
use crate::pool::{ExprMap, Pool};

/// The most bytes one selection chooses from.
pub const MOST_LEAVES: u64 = 4096;

/// A read whose index reaches more bytes than a selection may choose from. The
/// caller splits the index's range, or settles for one value, and counts that.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct TooManyLeaves {
    /// The read.
    pub read: ExprId,
    /// Its index.
    pub index: ExprId,
    /// What the index was taken to reach.
    pub reach: Interval,
}

impl std::fmt::Display for TooManyLeaves {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "a read at a symbolic offset can reach more than {MOST_LEAVES} bytes, {} to {}",
            self.reach.lo, self.reach.hi
        )
    }
}

impl std::error::Error for TooManyLeaves {}

/// A selection in the making.
struct SelectionBuilder<'a> {
    base: &'a BaseContents,
    /// Bytes written at numbers, with no write at a symbolic offset beneath.
    written: FxHashMap<u64, ExprId>,
    /// From here on there is neither a byte of the base nor one written.
    end: u64,
    index: ExprId,
    known: KnownBits,
    leaves: u64,
}

impl SelectionBuilder<'_> {
    /// The byte chosen among those from `lo` to `hi`; `None` if there are too many.
    fn choose(&mut self, pool: &mut Pool, lo: u64, hi: u64) -> Option<ExprId> {
        if lo >= self.end {
            // Nothing but zeros from here on.
            return Some(pool.constant(8, 0));
        }
        if lo == hi {
            self.leaves += 1;
            return (self.leaves <= MOST_LEAVES).then(|| self.byte(pool, lo));
        }
        // All bits above this one are the same in `lo` and `hi`.
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
    /// A read as a selection, right wherever its index lies in the interval. The
    /// bytes it selects may contain reads again.
    pub fn expand(&mut self, read: ExprId, reach: Interval) -> Result<ExprId, TooManyLeaves> {
        let Some((version, index)) = self.as_read(read) else { return Ok(read) };
        let known = self.known(index);
        let too_many = TooManyLeaves { read, index, reach };
        let meet = |e: ExprId| match self.value(e) {
            Some(value) => reach.contains(value),
            None => !self.known(e).contradicts(known),
        };
        // From the newest write down to the base: first those that stand over a write
        // at a symbolic offset and must stay in order, then those that do not.
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
        let mut written = FxHashMap::default();
        for (i, value) in settled.into_iter().rev() {
            let offset = self.value(i).unwrap_or(0) as u64;
            written.insert(offset, value);
        }
        let (lo, hi) = (reach.lo as u64, reach.hi.min(u128::from(u64::MAX)) as u64);
        let past_writes = written.keys().map(|&at| at.saturating_add(1)).max();
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

/// Rewrites terms so that no read is left in them. For one query: it must not outlive
/// a collection.
pub struct Expander {
    /// Terms and what they became.
    done: ExprMap<ExprId>,
    /// Reads and the selections they became, which may have reads in them still.
    selected: ExprMap<ExprId>,
}

impl Expander {
    /// Nothing rewritten yet.
    pub fn new(pool: &Pool) -> Expander {
        Expander { done: ExprMap::for_pool(pool), selected: ExprMap::for_pool(pool) }
    }

    /// The term with every read expanded, equal to it wherever the assumptions of the
    /// intervals hold. The same assumptions must hold at every call.
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
            } else if let Some(&selection) = self.selected.get(pool, e) {
                // On the stack above this read, and so done by now.
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
                self.selected.insert(pool, e, selection);
                stack.push(selection);
            }
        }
        Ok(self.done.get(pool, root).copied().unwrap_or(root))
    }

    /// The node with its operands as they became.
    fn rebuilt(&self, pool: &mut Pool, node: Node, e: ExprId) -> ExprId {
        let operands: Vec<ExprId> =
            node.operands().map(|x| self.done.get(pool, x).copied().unwrap_or(x)).collect();
        if node.operands().eq(operands.iter().copied()) {
            return e;
        }
        pool.rebuild(node, &operands)
    }
}
