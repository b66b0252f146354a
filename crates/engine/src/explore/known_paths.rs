//! Paths that are reported once, however often they run.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rustc_hash::FxHashSet;

/// The digests of paths that ended. All workers share them.
#[derive(Clone, Default)]
pub(super) struct KnownPaths(Arc<Mutex<FxHashSet<u64>>>);

impl KnownPaths {
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
