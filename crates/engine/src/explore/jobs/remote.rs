//! The desk of a worker: what it finds goes to whoever coordinates, in batches, and by a
//! channel that holds only so many, so that a worker waits for who writes results rather
//! than memory fills up with them.

use std::sync::mpsc::SyncSender;
use std::time::{Duration, Instant};

use byway_ir::Module;

use super::super::desk::ResultSink;
use super::super::{Control, Coverage, LineCoverage, PathEnd, Totals};
use super::exchange::Exchange;
use crate::coverage::CoverageSite;

/// So many paths are sent at once.
const BATCH: usize = 128;

/// Sums, and fewer paths, are sent this often.
const INTERVAL: Duration = Duration::from_millis(20);

/// What a worker tells.
pub struct News {
    /// Which worker.
    pub worker: usize,
    /// Paths that ended, each with the sites that its test is the first of this worker
    /// to cover.
    pub paths: Vec<(PathEnd, Vec<u32>)>,
    /// What the program said.
    pub messages: Vec<String>,
    /// The worker's sums.
    pub totals: Totals,
}

/// The desk of a worker.
pub struct WorkerSink<'a> {
    exchange: &'a Exchange,
    worker: usize,
    sender: SyncSender<News>,
    paths: Vec<(PathEnd, Vec<u32>)>,
    messages: Vec<String>,
    credited: Vec<u32>,
    sent: Instant,
}

impl<'a> WorkerSink<'a> {
    /// For this worker.
    pub fn new(exchange: &'a Exchange, worker: usize, sender: SyncSender<News>) -> Self {
        WorkerSink {
            exchange,
            worker,
            sender,
            paths: Vec::new(),
            messages: Vec::new(),
            credited: Vec::new(),
            sent: Instant::now(),
        }
    }

    fn flow(&self) -> Control {
        if self.exchange.is_stopped() { Control::Stop } else { Control::Continue }
    }
}

impl ResultSink for WorkerSink<'_> {
    fn begin(&mut self, _module: &Module, _sites: &[CoverageSite]) {}

    fn credit(&mut self, sites: Vec<u32>, _path: u64) -> u32 {
        self.credited = sites;
        0
    }

    fn path(&mut self, path: PathEnd, totals: &Totals) -> Control {
        self.paths.push((path, std::mem::take(&mut self.credited)));
        if self.paths.len() >= BATCH {
            self.flush(totals);
        }
        self.flow()
    }

    fn tick(&mut self, totals: &Totals) -> Control {
        if self.sent.elapsed() >= INTERVAL {
            self.flush(totals);
        }
        self.flow()
    }

    fn message(&mut self, text: &str) {
        self.messages.push(text.into());
    }

    fn flush(&mut self, totals: &Totals) {
        self.sent = Instant::now();
        // Nobody listens any more only if whoever coordinates is gone, with all of us.
        let _ = self.sender.send(News {
            worker: self.worker,
            paths: std::mem::take(&mut self.paths),
            messages: std::mem::take(&mut self.messages),
            totals: totals.clone(),
        });
    }

    fn coverage(&self) -> Coverage {
        Coverage::default()
    }

    fn lines(&self) -> Vec<LineCoverage> {
        Vec::new()
    }

    fn first_path(&self, _site: usize) -> Option<u64> {
        None
    }
}
