//! The subpaths there are: the last few ways a path went, each sequence under one number.
//! What `sgs` counts picks by, and what `cgs` calls contexts.

use byway_base::entity::{EntityRef, PrimaryMap, entity_impl};
use rustc_hash::FxHashMap;

use crate::{Case, Site};

/// A subpath.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SubpathId(u32);
entity_impl!(SubpathId, "p");

/// A way gone at a site.
#[derive(Copy, Clone, PartialEq, Eq, Hash)]
pub struct TakenCaseId(u32);
entity_impl!(TakenCaseId, "w");

/// Every subpath that was ever met. None is forgotten, since how often each was picked
/// counts for ever.
pub struct Subpaths {
    /// How many ways at the most.
    length: usize,
    steps: FxHashMap<(Site, Case), TakenCaseId>,
    ways: PrimaryMap<SubpathId, Box<[TakenCaseId]>>,
    known: FxHashMap<Box<[TakenCaseId]>, SubpathId>,
    /// Where a step leads from a subpath: what makes going on cheap.
    next: FxHashMap<(SubpathId, TakenCaseId), SubpathId>,
}

impl Subpaths {
    /// None but that of a path that has not forked.
    pub fn new(length: usize) -> Subpaths {
        let mut subpaths = Subpaths {
            length,
            steps: FxHashMap::default(),
            ways: PrimaryMap::new(),
            known: FxHashMap::default(),
            next: FxHashMap::default(),
        };
        subpaths.number(Box::default());
        subpaths
    }

    /// That of a path that has not forked.
    pub fn start() -> SubpathId {
        SubpathId::new(0)
    }

    /// The subpath of a path that was at one and then went that way.
    pub fn after(&mut self, before: SubpathId, site: Site, case: Case) -> SubpathId {
        let fresh = TakenCaseId::new(self.steps.len());
        let step = *self.steps.entry((site, case)).or_insert(fresh);
        if let Some(&known) = self.next.get(&(before, step)) {
            return known;
        }
        let ways = &self.ways[before];
        let kept = &ways[ways.len().saturating_sub(self.length - 1)..];
        let ways = kept.iter().copied().chain([step]).collect();
        let after = self.number(ways);
        self.next.insert((before, step), after);
        after
    }

    /// The subpath without its last way.
    pub fn without_last(&mut self, subpath: SubpathId) -> SubpathId {
        let ways = &self.ways[subpath];
        let shorter = ways[..ways.len().saturating_sub(1)].into();
        self.number(shorter)
    }

    /// The last ways of it, so many at the most, in the order they were gone.
    pub fn last_ways(&self, subpath: SubpathId, most: usize) -> &[TakenCaseId] {
        let ways = &self.ways[subpath];
        &ways[ways.len().saturating_sub(most)..]
    }

    fn number(&mut self, ways: Box<[TakenCaseId]>) -> SubpathId {
        if let Some(&known) = self.known.get(&ways) {
            return known;
        }
        let number = self.ways.push(ways.clone());
        self.known.insert(ways, number);
        number
    }
}
