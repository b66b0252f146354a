//! Where the results of a worker go. One contract for a single worker on the calling thread
//! (`LocalSink`) and for a worker on a thread of its own (`WorkerSink`); either way the results
//! reach the coordinator, which numbers paths and credits coverage ([`super::workers`]).

use super::{CheckpointChanges, Control, PathEnd, Totals};

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

    /// As [`super::Observer::checkpoint`], after the paths that were sent before it.
    fn checkpoint(&mut self, changes: CheckpointChanges, totals: &mut Totals);

    /// As [`super::Observer::tick`].
    fn tick(&mut self, totals: &mut Totals) -> Control;

    /// As [`super::Observer::message`].
    fn message(&mut self, text: &str);

    /// Passes on results held back: the worker may be idle for a while.
    fn flush(&mut self, totals: &Totals);
}
