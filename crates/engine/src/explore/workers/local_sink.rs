//! The sink of a single worker: results go to the coordinator directly, on its thread.

use super::super::sink::ResultSink;
use super::super::{CheckpointChanges, Control, PathEnd, Totals};
use super::coordinator::Coordinator;

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

    fn checkpoint(&mut self, changes: CheckpointChanges, totals: &mut Totals) {
        totals.coverage = self.coordinator.coverage();
        self.coordinator.observer.checkpoint(changes, totals);
    }

    fn tick(&mut self, totals: &mut Totals) -> Control {
        totals.coverage = self.coordinator.coverage();
        self.coordinator.observer.tick(totals)
    }

    fn message(&mut self, text: &str) {
        self.coordinator.observer.message(text);
    }

    fn flush(&mut self, _totals: &Totals) {}
}
