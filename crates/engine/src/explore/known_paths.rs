//! Paths that are reported once, however often they run.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rustc_hash::FxHashSet;

use super::ResumePoint;

/// The digests of paths that ended. All workers share them.
#[derive(Clone, Default)]
pub(super) struct KnownPaths(Arc<Mutex<FxHashSet<u64>>>);

impl KnownPaths {
    /// The paths that an earlier exploration found.
    pub fn of(point: &ResumePoint) -> KnownPaths {
        let keys = point.paths.iter().map(|&(digest, is_cut)| path_key(digest, is_cut));
        KnownPaths(Arc::new(Mutex::new(keys.collect())))
    }

    /// Adds a path by its digest; returns whether no worker ran it before.
    pub fn add(&self, digest: u64) -> bool {
        self.lock().insert(digest)
    }

    /// The number of paths so far.
    pub fn len(&self) -> usize {
        self.lock().len()
    }

    /// The panic of another worker ends the exploration; until then its data serve.
    fn lock(&self) -> MutexGuard<'_, FxHashSet<u64>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a path is known by. One that is cut short has the digest of its longer continuations
/// that decide nothing more.
pub(super) fn path_key(digest: u64, is_cut_short: bool) -> u64 {
    digest ^ u64::from(is_cut_short)
}
