//! Clauses of three literals and more, one behind the other in one piece of memory.
//! Clauses of two live in the watch lists alone.

use super::lit::Lit;

/// A clause's place.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct ClauseId(pub u32);

/// All clauses. Each is a word with its length and flags, a word with its number of
/// levels, and its literals.
#[derive(Default)]
pub struct Clauses {
    words: Vec<u32>,
    learnt: Vec<ClauseId>,
    wasted: usize,
}

const HEADER: usize = 2;
const LEARNT: u32 = 1 << 31;
const USED: u32 = 1 << 30;
const DELETED: u32 = 1 << 29;
const LENGTH: u32 = DELETED - 1;

impl Clauses {
    /// Adds a clause; a learnt one comes with the number of levels it spans.
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

    /// The literals, as words, to be reordered.
    #[inline(always)]
    pub fn words_mut(&mut self, at: ClauseId) -> &mut [u32] {
        let range = self.range(at);
        &mut self.words[range]
    }

    /// Notes that a clause took part in a conflict.
    #[inline]
    pub fn mark_used(&mut self, at: ClauseId) {
        self.words[at.0 as usize] |= USED;
    }

    /// The bytes of all clauses. A clause has five words or more, and two watches of two
    /// words each: with these it counts twice.
    pub fn bytes(&self) -> usize {
        2 * self.words.capacity() * size_of::<u32>()
    }

    /// How many learnt clauses there are.
    pub fn learnt(&self) -> usize {
        self.learnt.len()
    }

    /// Deletes half of the learnt clauses that span more than two levels, were of no
    /// use since the last time and are not locked; those of many levels first.
    pub fn reduce(&mut self, locked: impl Fn(ClauseId) -> bool) {
        let mut idle = Vec::new();
        for &at in &self.learnt {
            let header = &mut self.words[at.0 as usize];
            let used = *header & USED != 0;
            let length = *header & LENGTH;
            *header &= !USED;
            let levels = self.words[at.0 as usize + 1];
            if !used && levels > 2 && !locked(at) {
                idle.push((levels, length, at));
            }
        }
        idle.sort_unstable_by(|a, b| b.cmp(a));
        idle.truncate(idle.len().div_ceil(2));
        for &(_, length, at) in &idle {
            self.words[at.0 as usize] |= DELETED;
            self.wasted += length as usize + HEADER;
        }
        let words = &self.words;
        self.learnt.retain(|at| words[at.0 as usize] & DELETED == 0);
    }

    /// Whether a clause was deleted, and not yet swept up.
    #[inline]
    pub fn is_deleted(&self, at: ClauseId) -> bool {
        self.words[at.0 as usize] & DELETED != 0
    }

    /// Whether so much is deleted that it is worth to move the rest together.
    pub fn is_wasteful(&self) -> bool {
        4 * self.wasted > self.words.len()
    }

    /// Moves all clauses together. What comes back gives a clause's new place.
    pub fn compact(&mut self) -> impl Fn(ClauseId) -> ClauseId + use<> {
        let mut old = std::mem::take(&mut self.words);
        self.words.reserve(old.len() - self.wasted);
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
        self.wasted = 0;
        let moved = move |ClauseId(at): ClauseId| ClauseId(old[at as usize + 1]);
        self.learnt.iter_mut().for_each(|at| *at = moved(*at));
        moved
    }
}
