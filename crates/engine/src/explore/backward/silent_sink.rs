//! The sink of a backward search: its paths are none of the program's.

use super::super::sink::ResultSink;
use super::super::{CheckpointChanges, Control, PathEnd, Totals};

/// Discards everything.
pub(in super::super) struct SilentSink;

impl ResultSink for SilentSink {
    fn path(&mut self, _: PathEnd, _: Vec<u32>, _: &mut Totals) -> Control {
        Control::Continue
    }

    fn checkpoint(&mut self, _: CheckpointChanges, _: &mut Totals) {}

    fn tick(&mut self, _: &mut Totals) -> Control {
        Control::Continue
    }

    fn message(&mut self, _: &str) {}

    fn flush(&mut self, _: &Totals) {}
}
