//! Presents a run in the terms of another tool.

use std::path::Path;

use byway_base::Fault;
use byway_engine::{Control, Exploration, OutputReceiver, PathEnd};
use byway_rundir::{Result, RunSummary, RunWriter, SampleRecord};

/// Receives what a run finds, in the place of Byway's own messages and summary. An error stops the
/// run, as one in writing the run directory does.
pub trait RunListener {
    /// The exploration begins.
    fn begin(&mut self, dir: &Path) -> Result<()>;

    /// A path ended. What belongs to its test is written through `writer`.
    fn path(&mut self, path: &ListenedPath, writer: &mut RunWriter) -> Result<Control>;

    /// A message of the program or the engine, when it is first sent.
    fn message(&mut self, text: &str);

    /// Statistics, at intervals and at the end.
    fn sample(&mut self, sample: &SampleRecord) -> Result<()>;

    /// The user pressed Ctrl-C.
    fn interrupted(&mut self);

    /// The exploration has ended, and everything is written.
    fn finish(&mut self, dir: &Path, summary: &RunSummary, explored: &Exploration) -> Result<()>;

    /// Receives the program's output; `None` discards it.
    fn output(&self) -> Option<&'static (dyn OutputReceiver + Sync)> {
        None
    }
}

/// A path that ended.
pub struct ListenedPath<'a> {
    pub end: &'a PathEnd,
    /// The fault, and whether it is the first at its location.
    pub fault: Option<(&'a Fault, bool)>,
    /// The name of its test in the run directory, if it has one.
    pub test: Option<&'a str>,
}
