//! The sink of a worker on its own thread: results go to the coordinator in batches, through
//! a channel of limited capacity, so that a worker waits for the observer instead of filling
//! memory.

use std::sync::mpsc::SyncSender;
use std::time::{Duration, Instant};

use super::super::sink::ResultSink;
use super::super::{CheckpointChanges, Control, PathEnd, Totals};
use super::exchange::Exchange;

/// Paths in a full batch.
const BATCH: usize = 128;

/// The longest time that a tick holds back totals and smaller batches.
const INTERVAL: Duration = Duration::from_millis(20);

/// A batch of results.
pub(super) struct WorkerReport {
    /// The number of the worker.
    pub worker: usize,
    /// Paths that ended, each with the sites that its test is the first of this worker to
    /// cover.
    pub paths: Vec<(PathEnd, Vec<u32>)>,
    pub messages: Vec<String>,
    /// A checkpoint, after these paths.
    pub checkpoint: Option<CheckpointChanges>,
    /// The worker's totals.
    pub totals: Totals,
}

/// The sink of one of several workers.
pub(super) struct WorkerSink<'a> {
    exchange: &'a Exchange,
    worker: usize,
    sender: SyncSender<WorkerReport>,
    paths: Vec<(PathEnd, Vec<u32>)>,
    messages: Vec<String>,
    checkpoint: Option<CheckpointChanges>,
    sent_at: Instant,
}

impl<'a> WorkerSink<'a> {
    pub fn new(exchange: &'a Exchange, worker: usize, sender: SyncSender<WorkerReport>) -> Self {
        WorkerSink {
            exchange,
            worker,
            sender,
            paths: Vec::new(),
            messages: Vec::new(),
            checkpoint: None,
            sent_at: Instant::now(),
        }
    }

    fn control(&self) -> Control {
        if self.exchange.is_stopped() { Control::Stop } else { Control::Continue }
    }
}

impl ResultSink for WorkerSink<'_> {
    fn path(&mut self, path: PathEnd, sites: Vec<u32>, totals: &mut Totals) -> Control {
        self.paths.push((path, sites));
        if self.paths.len() >= BATCH {
            self.flush(totals);
        }
        self.control()
    }

    fn checkpoint(&mut self, changes: CheckpointChanges, totals: &mut Totals) {
        self.checkpoint = Some(changes);
        self.flush(totals);
    }

    fn tick(&mut self, totals: &mut Totals) -> Control {
        if self.sent_at.elapsed() >= INTERVAL {
            self.flush(totals);
        }
        self.control()
    }

    fn message(&mut self, text: &str) {
        self.messages.push(text.into());
    }

    fn flush(&mut self, totals: &Totals) {
        self.sent_at = Instant::now();
        // Sending fails only if the coordinator is gone, and all workers with it.
        let _ = self.sender.send(WorkerReport {
            worker: self.worker,
            paths: std::mem::take(&mut self.paths),
            messages: std::mem::take(&mut self.messages),
            checkpoint: self.checkpoint.take(),
            totals: totals.clone(),
        });
    }
}
