//! Unit propagation over watch lists.

use super::clauses::ClauseId;
use super::lit::Lit;
use super::{AssignmentReason, SatSolver};

/// A clause in the watch list of one of its two watched literals. The clause need not be
/// visited while the blocker, another of its literals, is true.
#[derive(Copy, Clone, Debug)]
pub struct ClauseWatch {
    clause: u32,
    blocker: Lit,
}

/// Marks a binary clause, whose other literal is the blocker.
const BINARY: u32 = u32::MAX;

impl ClauseWatch {
    pub fn binary(other: Lit) -> ClauseWatch {
        ClauseWatch { clause: BINARY, blocker: other }
    }

    pub fn clause(at: ClauseId, blocker: Lit) -> ClauseWatch {
        ClauseWatch { clause: at.0, blocker }
    }

    /// The clause, unless it is binary.
    pub fn long(&self) -> Option<ClauseId> {
        (self.clause != BINARY).then_some(ClauseId(self.clause))
    }

    /// The watch of a clause that was moved in the arena.
    pub fn moved(self, at: ClauseId) -> ClauseWatch {
        ClauseWatch { clause: at.0, ..self }
    }
}

/// A clause whose literals are all false.
#[derive(Copy, Clone, Debug)]
pub enum Conflict {
    Binary(Lit, Lit),
    Clause(ClauseId),
}

impl SatSolver {
    /// Propagates all pending literals.
    pub(super) fn propagate(&mut self) -> Option<Conflict> {
        while let Some(lit) = self.repropagate.pop() {
            // It may have been undone since.
            if self.val(lit) > 0
                && let Some(conflict) = self.propagate_one(lit)
            {
                return Some(conflict);
            }
        }
        while let Some(&lit) = self.trail.get(self.head) {
            self.head += 1;
            if let Some(conflict) = self.propagate_one(lit) {
                return Some(conflict);
            }
        }
        None
    }

    fn propagate_one(&mut self, lit: Lit) -> Option<Conflict> {
        let falsified = !lit;
        let mut list = std::mem::take(&mut self.watches[falsified.index()]);
        self.effort += 1 + list.len() as u64;
        let mut conflict = None;
        let (mut read, mut kept) = (0, 0);
        'watches: while let Some(&watch) = list.get(read) {
            read += 1;
            let value = self.val(watch.blocker);
            list[kept] = watch;
            if value > 0 {
                kept += 1;
                continue;
            }
            let Some(at) = watch.long() else {
                kept += 1;
                if value < 0 {
                    conflict = Some(Conflict::Binary(falsified, watch.blocker));
                    break;
                }
                self.imply(watch.blocker, AssignmentReason::Binary(falsified));
                continue;
            };
            let words = self.clauses.words_mut(at);
            if words[0] == falsified.word() {
                words.swap(0, 1);
            }
            let first = Lit::from_word(words[0]);
            let watch = ClauseWatch::clause(at, first);
            let value = self.values[first.index()];
            if value > 0 {
                list[kept] = watch;
                kept += 1;
                continue;
            }
            for other in 2..words.len() {
                let lit = Lit::from_word(words[other]);
                if self.values[lit.index()] >= 0 {
                    words.swap(1, other);
                    self.watches[lit.index()].push(watch);
                    continue 'watches;
                }
            }
            list[kept] = watch;
            kept += 1;
            if value < 0 {
                conflict = Some(Conflict::Clause(at));
                break;
            }
            self.imply(first, AssignmentReason::Clause(at));
        }
        list.copy_within(read.., kept);
        list.truncate(kept + list.len() - read);
        self.watches[falsified.index()] = list;
        conflict
    }

    /// Assigns an implied literal, if its variable is relevant.
    #[inline]
    fn imply(&mut self, lit: Lit, reason: AssignmentReason) {
        if self.relevant[lit.var().index()] {
            self.assign(lit, reason);
        }
    }
}
