//! Interned subpaths: the last few cases that a path took, each sequence under one id. The
//! groups of `sgs` and the contexts of `cgs`.

use byway_base::entity::{EntityRef, PrimaryMap, entity_impl};
use rustc_hash::FxHashMap;

use crate::{Case, Site, knowledge};

/// An interned sequence of taken cases.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SubpathId(u32);
entity_impl!(SubpathId, "p");

/// A case taken at a site.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TakenCaseId(u32);
entity_impl!(TakenCaseId, "c");

/// All subpaths met so far. None is ever removed, because their pick counts stay valid.
pub struct Subpaths {
    /// The most cases of a subpath.
    length: usize,
    taken: PrimaryMap<TakenCaseId, (Site, Case)>,
    taken_ids: FxHashMap<(Site, Case), TakenCaseId>,
    cases: PrimaryMap<SubpathId, Box<[TakenCaseId]>>,
    ids: FxHashMap<Box<[TakenCaseId]>, SubpathId>,
    /// Caches `after`, so that extending a known subpath is one lookup.
    next: FxHashMap<(SubpathId, TakenCaseId), SubpathId>,
}

impl Subpaths {
    /// Subpaths of at most `length` cases; at first only the empty one.
    pub fn new(length: usize) -> Subpaths {
        let mut subpaths = Subpaths {
            length,
            taken: PrimaryMap::new(),
            taken_ids: FxHashMap::default(),
            cases: PrimaryMap::new(),
            ids: FxHashMap::default(),
            next: FxHashMap::default(),
        };
        subpaths.intern(Box::default());
        subpaths
    }

    /// The most cases of a subpath.
    pub fn length(&self) -> usize {
        self.length
    }

    /// The empty subpath, of a path that has not forked.
    pub fn start() -> SubpathId {
        SubpathId::new(0)
    }

    /// The subpath after taking `case` at `site` from a path with subpath `before`.
    pub fn after(&mut self, before: SubpathId, site: Site, case: Case) -> SubpathId {
        let taken = self.taken((site, case));
        if let Some(&known) = self.next.get(&(before, taken)) {
            return known;
        }
        let cases = &self.cases[before];
        let kept = &cases[cases.len().saturating_sub(self.length - 1)..];
        let cases = kept.iter().copied().chain([taken]).collect();
        let after = self.intern(cases);
        self.next.insert((before, taken), after);
        after
    }

    /// The subpath without its last case.
    pub fn without_last(&mut self, subpath: SubpathId) -> SubpathId {
        let cases = &self.cases[subpath];
        let shorter = cases[..cases.len().saturating_sub(1)].into();
        self.intern(shorter)
    }

    /// The last `most` cases of a subpath, oldest first.
    pub fn last_cases(&self, subpath: SubpathId, most: usize) -> &[TakenCaseId] {
        let cases = &self.cases[subpath];
        &cases[cases.len().saturating_sub(most)..]
    }

    /// All subpaths.
    pub fn ids(&self) -> impl Iterator<Item = SubpathId> + use<> {
        (0..self.cases.len()).map(SubpathId::new)
    }

    /// Appends the cases of a part of a subpath to a row of knowledge.
    pub fn store(&self, cases: &[TakenCaseId], row: &mut Vec<u64>) {
        cases.iter().for_each(|&taken| knowledge::put_case(row, self.taken[taken]));
    }

    /// The cases of a subpath, oldest first.
    pub fn cases(&self, subpath: SubpathId) -> &[TakenCaseId] {
        &self.cases[subpath]
    }

    /// What was [stored](Self::store); `None` if it is damaged, or longer than subpaths are.
    pub fn recall(&mut self, row: &[u64]) -> Option<Box<[TakenCaseId]>> {
        let cases = knowledge::read_cases(row).filter(|cases| cases.len() <= self.length)?;
        Some(cases.into_iter().map(|case| self.taken(case)).collect())
    }

    fn taken(&mut self, case: (Site, Case)) -> TakenCaseId {
        *self.taken_ids.entry(case).or_insert_with(|| self.taken.push(case))
    }

    /// The id of a sequence of cases.
    pub fn intern(&mut self, cases: Box<[TakenCaseId]>) -> SubpathId {
        if let Some(&known) = self.ids.get(&cases) {
            return known;
        }
        let id = self.cases.push(cases.clone());
        self.ids.insert(cases, id);
        id
    }
}
