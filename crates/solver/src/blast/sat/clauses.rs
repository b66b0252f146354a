//! The clause arena: clauses of three and more literals, contiguous in memory. Binary clauses
//! exist only in the watch lists.

use super::lit::Lit;

/// The offset of a clause in the arena.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct ClauseId(pub u32);

/// The arena. A clause is a word with its length and flags, a word with its number of levels,
/// and its literals.
#[derive(Default)]
pub struct Clauses {
    words: Vec<u32>,
    learnt: Vec<ClauseId>,
    deleted_words: usize,
}

const HEADER: usize = 2;
const LEARNT: u32 = 1 << 31;
const USED: u32 = 1 << 30;
const DELETED: u32 = 1 << 29;
const LENGTH: u32 = DELETED - 1;

impl Clauses {
    /// Adds a clause; `levels` is the LBD of a learnt one.
    pub fn add(&mut self, lits: &[Lit], levels: Option<u32>) -> ClauseId {
        let at = ClauseId(self.words.len() as u32);
        let flags = if levels.is_some() { LEARNT | USED } else { 0 };
        self.words.push(lits.len() as u32 | flags);
        self.words.push(levels.unwrap_or(0));
        self.words.extend(lits.iter().map(|lit| lit.word()));
        if levels.is_some() {
            self.learnt.push(at);
        }
        at
    }

    #[inline(always)]
    fn range(&self, at: ClauseId) -> std::ops::Range<usize> {
        let start = at.0 as usize + HEADER;
        start..start + (self.words[at.0 as usize] & LENGTH) as usize
    }

    /// The literals, as words.
    #[inline(always)]
    pub fn words(&self, at: ClauseId) -> &[u32] {
        &self.words[self.range(at)]
    }

    /// The literals, as words; may be reordered.
    #[inline(always)]
    pub fn words_mut(&mut self, at: ClauseId) -> &mut [u32] {
        let range = self.range(at);
        &mut self.words[range]
    }

    /// Marks a clause that took part in a conflict.
    #[inline]
    pub fn mark_used(&mut self, at: ClauseId) {
        self.words[at.0 as usize] |= USED;
    }

    /// Memory in bytes, with the watches: a clause has at least five words and two watches
    /// of two words each, so its size is doubled.
    pub fn bytes(&self) -> usize {
        2 * self.words.capacity() * size_of::<u32>()
    }

    /// The number of learnt clauses.
    pub fn learnt(&self) -> usize {
        self.learnt.len()
    }

    /// Deletes half of the learnt clauses that have more than two levels, are unlocked and
    /// took part in no conflict since the last reduction; clauses of many levels first.
    pub fn reduce(&mut self, locked: impl Fn(ClauseId) -> bool) {
        let mut unused = Vec::new();
        for &at in &self.learnt {
            let header = &mut self.words[at.0 as usize];
            let used = *header & USED != 0;
            let length = *header & LENGTH;
            *header &= !USED;
            let levels = self.words[at.0 as usize + 1];
            if !used && levels > 2 && !locked(at) {
                unused.push((levels, length, at));
            }
        }
        unused.sort_unstable_by(|a, b| b.cmp(a));
        unused.truncate(unused.len().div_ceil(2));
        for &(_, length, at) in &unused {
            self.words[at.0 as usize] |= DELETED;
            self.deleted_words += length as usize + HEADER;
        }
        let words = &self.words;
        self.learnt.retain(|at| words[at.0 as usize] & DELETED == 0);
    }

    /// Whether a clause is deleted but not yet compacted away.
    #[inline]
    pub fn is_deleted(&self, at: ClauseId) -> bool {
        self.words[at.0 as usize] & DELETED != 0
    }

    /// Whether enough is deleted to make compaction worthwhile.
    pub fn needs_compaction(&self) -> bool {
        4 * self.deleted_words > self.words.len()
    }

    /// Removes deleted clauses. The returned function maps old offsets to new ones.
    pub fn compact(&mut self) -> impl Fn(ClauseId) -> ClauseId + use<> {
        let mut old = std::mem::take(&mut self.words);
        self.words.reserve(old.len() - self.deleted_words);
        let mut at = 0;
        while at < old.len() {
            let size = (old[at] & LENGTH) as usize + HEADER;
            if old[at] & DELETED == 0 {
                let new = self.words.len() as u32;
                self.words.extend_from_slice(&old[at..at + size]);
                old[at + 1] = new;
            }
            at += size;
        }
        self.deleted_words = 0;
        let moved = move |ClauseId(at): ClauseId| ClauseId(old[at as usize + 1]);
        self.learnt.iter_mut().for_each(|at| *at = moved(*at));
        moved
    }
}
