//! What the workers of a reduced exploration share: the reducer, the numbers of conditions, and
//! which paths were reported.
//!
//! # Why several workers skip nothing that one would run
//!
//! The reducer sees the paths of all workers and gives each task that it suggests to one of them: the
//! one whose path suggested it. A task stays with its worker or moves to another
//! ([`super::transfer`]), so some worker takes it, and drops it only if an input for it does not
//! exist or a path that ran already shows all that it could. It does not matter which worker ran
//! that path: its tasks are in the hands of some worker as well. So when no worker has a task
//! left, each case in each list of each path is taken, or impossible, as with one worker.
//!
//! Two workers may run tasks at the same time of which one path would have been enough: then
//! there are a few more paths than with one worker.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use byway_ir::Module;
use byway_ir::analysis::PointsTo;
use byway_search::reducer::{Dgse, Reducer};

use super::super::known_paths::KnownPaths;
use super::Reduction;
use super::conditions::ConditionNumbers;

/// The reduction of all workers.
pub struct SharedReduction {
    pub(in super::super) points_to: Arc<PointsTo>,
    reducer: Mutex<Box<dyn Reducer + Send>>,
    numbers: Mutex<ConditionNumbers>,
    pub(in super::super) paths: KnownPaths,
    is_abandoned: AtomicBool,
}

impl SharedReduction {
    /// Analyses a program.
    pub fn new(reduction: Reduction, module: &Module) -> SharedReduction {
        let reducer: Box<dyn Reducer + Send> = match reduction {
            Reduction::Dgse | Reduction::DgseAlways => Box::new(Dgse::default()),
        };
        SharedReduction {
            points_to: Arc::new(crate::points_to(module)),
            reducer: Mutex::new(reducer),
            numbers: Mutex::default(),
            paths: KnownPaths::default(),
            is_abandoned: AtomicBool::new(false),
        }
    }

    pub(in super::super) fn reducer(&self) -> MutexGuard<'_, Box<dyn Reducer + Send>> {
        lock(&self.reducer)
    }

    pub(super) fn numbers(&self) -> MutexGuard<'_, ConditionNumbers> {
        lock(&self.numbers)
    }

    /// Whether all paths are explored from here on.
    pub(super) fn is_abandoned(&self) -> bool {
        self.is_abandoned.load(Ordering::Acquire)
    }

    pub(super) fn abandon(&self) {
        self.is_abandoned.store(true, Ordering::Release);
    }
}

/// The panic of another worker ends the exploration; until then its data serve.
fn lock<T>(data: &Mutex<T>) -> MutexGuard<'_, T> {
    data.lock().unwrap_or_else(PoisonError::into_inner)
}
