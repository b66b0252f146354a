//! Writing a run directory, as the run goes.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use byway_base::TestCase;
use byway_testcase::{atomic, ktest};
use serde::Serialize;

use crate::directory::RunDirectory;
use crate::error::{Result, RunDirError};
use crate::lines::Appender;
use crate::record::{
    BranchesRecord, ClockStart, CoverageRecord, FaultRecord, PathRecord, RunManifest, RunSummary,
    SampleRecord,
};
use crate::writer_thread::WriterThread;
use crate::{BRANCHES, CLOCK, COVERAGE, FAULTS, MANIFEST, PATHS, SUMMARY, TESTS, test_name};

/// How many paths wait at most.
const MOST_WAITING: usize = 256;

/// How many tests wait at most: each takes the scribe some time.
const MOST_TESTS_WAITING: usize = 16;

/// A run directory that is being written.
pub struct RunWriter {
    place: RunDirectory,
    tests: PathBuf,
    /// Paths to be handed over together: there can be hundreds of thousands in a second,
    /// and to wake a thread for each takes longer than all else.
    waiting: Vec<PathRecord>,
    /// The tests of some of them: the files and what goes into them.
    tests_waiting: Vec<(PathBuf, Vec<u8>)>,
    /// How many tests are written, not merely handed over.
    written: Arc<AtomicU64>,
    scribe: WriterThread<Files>,
}

/// The files that grow.
struct Files {
    paths: Appender,
    faults: Appender,
    clock: Appender,
}

impl RunWriter {
    /// Begins a directory. Its manifest comes last: where there is one, every file
    /// that is there from the beginning is there.
    pub fn begin(place: RunDirectory, manifest: &RunManifest, clock: &ClockStart) -> Result<Self> {
        let dir = place.dir();
        let tests = dir.join(TESTS);
        fs::create_dir(&tests).map_err(|error| {
            RunDirError::io("make the directory", &tests, &error)
                .with_hint("--output-dir names another place")
        })?;
        let mut files = Files {
            paths: Appender::create(dir.join(PATHS))?,
            faults: Appender::create(dir.join(FAULTS))?,
            clock: Appender::create(dir.join(CLOCK))?,
        };
        files.clock.add(clock)?;
        let writer = RunWriter {
            scribe: WriterThread::new(files)?,
            waiting: Vec::new(),
            tests_waiting: Vec::new(),
            written: Arc::default(),
            tests,
            place,
        };
        writer.whole(MANIFEST, manifest)?;
        Ok(writer)
    }

    /// The directory.
    pub fn dir(&self) -> &Path {
        self.place.dir()
    }

    /// Leads the link to the last run here.
    pub fn link(&self) {
        self.place.link();
    }

    /// Where the test of that name is.
    pub fn test_path(&self, name: &str) -> PathBuf {
        self.tests.join(name)
    }

    /// Writes a path's test; returns its name. It may wait for [`Writer::hand_over`].
    pub fn test(&mut self, path: u64, test: &TestCase) -> Result<String> {
        let name = test_name(path);
        let file = self.tests.join(&name);
        let bytes = ktest::encode(test).map_err(|error| unwritten(&file, error.into()))?;
        self.tests_waiting.push((file, bytes));
        Ok(name)
    }

    /// Adds a path, whose test comes before it. It may wait for [`Writer::hand_over`].
    pub fn path(&mut self, record: PathRecord) -> Result<()> {
        self.waiting.push(record);
        let few =
            self.waiting.len() < MOST_WAITING && self.tests_waiting.len() < MOST_TESTS_WAITING;
        if few { Ok(()) } else { self.hand_over() }
    }

    /// Hands over what waits: tests first, so that they are there when something speaks
    /// of them.
    pub fn hand_over(&mut self) -> Result<()> {
        if self.waiting.is_empty() && self.tests_waiting.is_empty() {
            return Ok(());
        }
        let paths = std::mem::take(&mut self.waiting);
        let tests = std::mem::take(&mut self.tests_waiting);
        let written = Arc::clone(&self.written);
        self.scribe.hand(move |files| {
            for (file, bytes) in &tests {
                atomic::write(file, bytes).map_err(|error| unwritten(file, error))?;
                written.fetch_add(1, Ordering::Relaxed);
            }
            files.paths.add_all(&paths)
        })
    }

    /// Adds a fault that was not there before.
    pub fn fault(&mut self, record: FaultRecord) -> Result<()> {
        self.hand_over()?;
        self.scribe.hand(move |files| files.faults.add(&record))
    }

    /// Adds how far the run is.
    pub fn sample(&mut self, record: SampleRecord) -> Result<()> {
        self.scribe.hand(move |files| files.clock.add(&record))
    }

    /// Waits until all that was added is there, and tells how many tests are. Nothing
    /// can be added after that.
    pub fn settle(&mut self) -> (u64, Result<()>) {
        let handed = self.hand_over();
        let settled = handed.and(self.scribe.settle());
        (self.written.load(Ordering::Relaxed), settled)
    }

    /// Writes what the run came to.
    pub fn finish(
        &self,
        summary: &RunSummary,
        coverage: &CoverageRecord,
        branches: &BranchesRecord,
    ) -> Result<()> {
        self.whole(COVERAGE, coverage)?;
        self.whole(BRANCHES, branches)?;
        self.whole(SUMMARY, summary)
    }

    /// Takes everything away again: the run could not begin.
    pub fn discard(mut self) {
        // Whatever it was, it goes.
        let _ = self.scribe.settle();
        // What cannot be removed does no harm.
        for name in [MANIFEST, PATHS, FAULTS, CLOCK] {
            let _ = fs::remove_file(self.dir().join(name));
        }
        let _ = fs::remove_dir(&self.tests);
        self.place.discard();
    }

    fn whole(&self, name: &str, record: &impl Serialize) -> Result<()> {
        let path = self.dir().join(name);
        let written = serde_json::to_vec_pretty(record).map_err(Into::into).and_then(|mut text| {
            text.push(b'\n');
            atomic::write(&path, &text)
        });
        written.map_err(|error| RunDirError::io("write", &path, &error))
    }
}

impl Drop for RunWriter {
    /// What waits is not lost because somebody left in haste.
    fn drop(&mut self) {
        // Whoever leaves in haste has a failure of its own to tell.
        let _ = self.hand_over();
    }
}

fn unwritten(file: &Path, error: std::io::Error) -> RunDirError {
    RunDirError::io("write", file, &error)
}
