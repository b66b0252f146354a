//! Reads at symbolic offsets of large objects.
//!
//! A read becomes a selection over the bytes that its offset can reach, which must not be too
//! many. If they are, the path forks by block: the object is divided into the largest aligned
//! blocks, each a power of two in size, whose selection is small enough. Ranges of zeros count
//! for nothing, so a sparse object has few blocks, or is not divided at all. Writes need no
//! blocks: each is one entry in the list of writes, wherever it goes.

use byway_base::ExprId;
use byway_expr::Interval;
use byway_search::{Case, Decision};

use super::access::SymbolicMemory;
use crate::memory::symbolic::contents;
use crate::stop::ExecResult;

/// The weight of the contents that one read may select from; see [`byway_expr::BaseContents::weight`].
const MOST_CHOICES: u64 = 1 << 16;
/// Objects of this size are never divided, whatever they contain.
const NEVER_DIVIDED: u64 = MOST_CHOICES / 8;
/// The alignment of windows, so that reads of the same range are the same term.
const WINDOW_ALIGN: u64 = 4096;

impl SymbolicMemory<'_, '_> {
    /// The part of an object that `len` bytes at a symbolic offset are read from, if it is not
    /// the whole object; the offset is known to be in bounds.
    pub(super) fn window(
        &mut self,
        base: u64,
        offset: ExprId,
        len: u64,
    ) -> ExecResult<Option<(u64, u64)>> {
        let object = self.memory.live(base).expect("the object was found a moment ago");
        if object.size() <= NEVER_DIVIDED {
            return Ok(None);
        }
        self.need_room_for_version(base)?;
        let object = self.memory.live(base).expect("it still is");
        let contents = contents(self.pool, object).value;
        let contents = self.pool.base_of(contents);
        let last = contents.size() - 1;
        // Only every second, fourth, ... byte is selected if low bits of the offset are zero.
        let stride = (!self.pool.known(offset).zeros).trailing_zeros().min(4);
        let is_light = |lo: u64, hi: u64| contents.weight(lo, hi) >> stride <= MOST_CHOICES;
        if is_light(0, last) {
            return Ok(None);
        }
        let (first, end) = block(self.witnessed(offset), &is_light);
        let Interval { lo, hi } = self.interval(offset);
        let (lo, hi) = (lo as u64, (hi as u64).min(last));
        let within_block = first <= lo && hi <= end;
        if !within_block && is_light(lo, hi + len - 1) {
            let aligned = (lo / WINDOW_ALIGN * WINDOW_ALIGN, (hi + len - 1) | (WINDOW_ALIGN - 1));
            return Ok(Some(aligned));
        }
        let case = Case(first);
        if !within_block {
            let here = self.within(offset, first, end);
            self.resolver.choose_value(self.pool, offset, here, Decision::Block, case)?;
        }
        self.resolver.evaluator.decided.push(case);
        Ok(Some((first, end.saturating_add(len - 1))))
    }
}

/// The block that contains an offset: the largest aligned one that is light. Which one it is does
/// not depend on which of its offsets is given.
fn block(at: u64, is_light: &impl Fn(u64, u64) -> bool) -> (u64, u64) {
    let aligned = |bits: u32| (at >> bits << bits, at | ((1 << bits) - 1));
    let blocks = (0..u64::BITS).map(aligned);
    blocks.take_while(|&(lo, hi)| is_light(lo, hi)).last().unwrap_or((at, at))
}
