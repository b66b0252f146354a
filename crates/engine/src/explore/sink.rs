//! Where results go: one contract for an exploration on the calling thread ([`LocalSink`])
//! and for a worker on a thread of its own ([`super::workers::WorkerSink`]). Either way they
//! reach the [`Coordinator`], which numbers paths and credits coverage.

use super::workers::Coordinator;
use super::{Control, PathEnd, Totals};

/// Receives the results of one worker.
///
/// Paths arrive in order at the coordinator, each once, with the messages sent before it. A
/// sink may hold results back until [`ResultSink::flush`]. After the observer has returned
/// [`Control::Stop`], some later call returns it too.
pub(super) trait ResultSink {
    /// A path ended. `path` has no number yet; `sites` are the coverage sites that its test
    /// is the first of this worker to cover. Brings the coverage in `totals` up to date, if
    /// the sink knows it.
    fn path(&mut self, path: PathEnd, sites: Vec<u32>, totals: &mut Totals) -> Control;

    /// As [`super::Observer::tick`].
    fn tick(&mut self, totals: &mut Totals) -> Control;

    /// As [`super::Observer::message`].
    fn message(&mut self, text: &str);

    /// Passes on results held back: the worker may be idle for a while.
    fn flush(&mut self, totals: &Totals);

    /// As [`super::Observer::resident`]; `None` if others share the process.
    fn resident(&mut self) -> Option<u64> {
        None
    }

    /// As [`super::Observer::give_back`].
    fn give_back(&mut self) -> Option<u64> {
        None
    }
}

/// The sink of the only worker, on the thread of the coordinator. Holds nothing back.
pub(super) struct LocalSink<'a, 'o> {
    coordinator: &'a mut Coordinator<'o>,
}

impl<'a, 'o> LocalSink<'a, 'o> {
    pub fn new(coordinator: &'a mut Coordinator<'o>) -> Self {
        LocalSink { coordinator }
    }
}

impl ResultSink for LocalSink<'_, '_> {
    fn path(&mut self, path: PathEnd, sites: Vec<u32>, totals: &mut Totals) -> Control {
        self.coordinator.accept(path, sites, totals)
    }

    fn tick(&mut self, totals: &mut Totals) -> Control {
        totals.coverage = self.coordinator.coverage();
        self.coordinator.observer.tick(totals)
    }

    fn message(&mut self, text: &str) {
        self.coordinator.observer.message(text);
    }

    fn flush(&mut self, _totals: &Totals) {}

    fn resident(&mut self) -> Option<u64> {
        self.coordinator.observer.resident()
    }

    fn give_back(&mut self) -> Option<u64> {
        self.coordinator.observer.give_back()
    }
}
