//! Writes a run directory while the run goes on.

use std::fs::{self, File, TryLockError};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use byway_base::TestCase;
use byway_testcase::{atomic, ktest};
use serde::Serialize;

use crate::checkpoint::{CheckpointLog, CheckpointRecord};
use crate::directory::RunDirectory;
use crate::error::{Result, RunDirError};
use crate::learnt::LearntFile;
use crate::lines::RecordAppender;
use crate::record::{
    BranchesRecord, ClockStart, CoverageRecord, FaultRecord, LearntRecord, PathRecord, RunManifest,
    RunSummary, SampleRecord, SittingRecord, TargetsRecord, TestDifference,
};
use crate::run_so_far::RunSoFar;
use crate::test_pack::PackAppender;
use crate::writer_thread::WriterThread;
use crate::{
    BRANCHES, CHECKPOINT, CLOCK, COMBINATIONS, COVERAGE, DIFFERENCES, FAULTS, LEARNT, MANIFEST,
    PATHS, SITTINGS, SUMMARY, TARGETS, TEST_PACK, TESTS, test_name,
};

/// Buffered paths that trigger a flush.
const MAX_BUFFERED_PATHS: usize = 256;

/// Buffered tests that trigger a flush: each is a file, and takes the thread some time.
const MAX_BUFFERED_TESTS: usize = 16;

/// Writes a run directory; a thread of its own does the I/O.
pub struct RunWriter {
    directory: RunDirectory,
    tests: PathBuf,
    /// Paths are buffered because there can be hundreds of thousands per second, and waking
    /// the thread for each costs more than everything else.
    paths: Vec<PathRecord>,
    /// Tests of some of these paths: the file and its contents.
    buffered_tests: Vec<(PathBuf, Vec<u8>)>,
    /// Tests for the pack: the number of the path and the contents.
    packed_tests: Vec<(u64, Vec<u8>)>,
    /// Files that belong to some of these tests: the file and its contents.
    buffered_files: Vec<(PathBuf, Vec<u8>)>,
    /// Further names of some of these tests: the test and the other name.
    buffered_links: Vec<(PathBuf, PathBuf)>,
    /// Tests that were added, also by earlier sittings.
    tests_added: u64,
    /// How many tests are files of their own.
    most_test_files: u64,
    /// Tests that are on the disk, not merely queued.
    tests_written: Arc<AtomicU64>,
    thread: WriterThread<GrowingFiles>,
    /// Its lock keeps two processes from writing one run.
    _lock: File,
    /// The run goes on with what is there.
    is_resumed: bool,
}

struct GrowingFiles {
    pack: PackAppender,
    paths: RecordAppender,
    faults: RecordAppender,
    clock: RecordAppender,
    checkpoints: CheckpointLog,
    learnt: LearntFile,
}

impl RunWriter {
    /// Creates the directory's files. The manifest comes last: where it exists, every file that
    /// exists from the beginning does.
    pub fn create(
        directory: RunDirectory,
        manifest: &RunManifest,
        clock: &ClockStart,
    ) -> Result<Self> {
        let dir = directory.path();
        let tests = dir.join(TESTS);
        fs::create_dir(&tests).map_err(|error| {
            RunDirError::io("make the directory", &tests, &error)
                .with_hint("--output-dir names another directory")
        })?;
        let mut files = GrowingFiles {
            pack: PackAppender::new(dir.join(TEST_PACK))?,
            paths: RecordAppender::create(dir.join(PATHS))?,
            faults: RecordAppender::create(dir.join(FAULTS))?,
            clock: RecordAppender::create(dir.join(CLOCK))?,
            checkpoints: CheckpointLog::new(dir.join(CHECKPOINT))?,
            learnt: LearntFile::new(dir.join(LEARNT), &[]),
        };
        files.clock.add(clock)?;
        let lock = lock(dir)?;
        let writer = RunWriter::new(directory, files, 0, lock)?;
        writer.write_object(MANIFEST, manifest)?;
        Ok(writer)
    }

    /// Goes on with a run that ended, of which [`RunSoFar`] was read.
    pub fn resume(directory: RunDirectory, before: &RunSoFar) -> Result<Self> {
        let lock = lock(directory.path())?;
        RunWriter::reopen(directory, before, lock)
    }

    /// Goes on with a run at the program's start. Removes the states that are left: a reader that
    /// found them with the record of the new sitting would take them for its states.
    pub fn start_over(directory: RunDirectory, before: &RunSoFar) -> Result<Self> {
        let lock = lock(directory.path())?;
        CheckpointLog::remove_all(&directory.path().join(CHECKPOINT))?;
        RunWriter::reopen(directory, before, lock)
    }

    fn reopen(directory: RunDirectory, before: &RunSoFar, lock: File) -> Result<Self> {
        let dir = directory.path();
        let files = GrowingFiles {
            pack: PackAppender::new(dir.join(TEST_PACK))?,
            paths: RecordAppender::reopen(dir.join(PATHS))?,
            faults: RecordAppender::replace(dir.join(FAULTS), &before.faults)?,
            clock: RecordAppender::reopen(dir.join(CLOCK))?,
            checkpoints: CheckpointLog::new(dir.join(CHECKPOINT))?,
            learnt: LearntFile::new(dir.join(LEARNT), &before.learnt),
        };
        let mut writer = RunWriter::new(directory, files, before.tests, lock)?;
        writer.is_resumed = true;
        remove_partial_files(&writer.tests);
        Ok(writer)
    }

    fn new(
        directory: RunDirectory,
        files: GrowingFiles,
        tests_written: u64,
        lock: File,
    ) -> Result<Self> {
        Ok(RunWriter {
            thread: WriterThread::new(files)?,
            paths: Vec::new(),
            buffered_tests: Vec::new(),
            packed_tests: Vec::new(),
            buffered_files: Vec::new(),
            buffered_links: Vec::new(),
            tests_added: tests_written,
            most_test_files: u64::MAX,
            tests_written: Arc::new(tests_written.into()),
            tests: directory.path().join(TESTS),
            _lock: lock,
            is_resumed: false,
            directory,
        })
    }

    /// The run goes on: adds the record of it, and removes the files that mark it as ended.
    pub fn begin_sitting(&self, sitting: &SittingRecord) -> Result<()> {
        let path = self.dir().join(SITTINGS);
        let mut sittings = match path.exists() {
            true => RecordAppender::reopen(path)?,
            false => RecordAppender::create(path)?,
        };
        sittings.add(sitting)?;
        for name in [SUMMARY, COVERAGE, BRANCHES] {
            let path = self.dir().join(name);
            match fs::remove_file(&path) {
                Err(error) if error.kind() != ErrorKind::NotFound => {
                    return Err(RunDirError::io("remove", &path, &error));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// The path of the run directory.
    pub fn dir(&self) -> &Path {
        self.directory.path()
    }

    /// Whether the run can go on from a checkpoint.
    pub fn has_checkpoint(&self) -> bool {
        self.dir().join(CHECKPOINT).is_dir()
    }

    /// Makes `byway-last` a link to this run; see [`RunDirectory::link_as_last`].
    pub fn link_as_last(&self) {
        self.directory.link_as_last();
    }

    /// The path of the test with this file name.
    pub fn test_path(&self, name: &str) -> PathBuf {
        self.tests.join(name)
    }

    /// Only the first tests become files; the pack has the others. By default, all are files.
    pub fn limit_test_files(&mut self, most: u64) {
        self.most_test_files = most;
    }

    /// Buffers the test of a path, until the next [`flush`](Self::flush); returns its file name.
    /// It becomes a file of its own if it must, or if it is among the first.
    pub fn add_test(&mut self, path: u64, test: &TestCase, must_be_file: bool) -> Result<String> {
        let name = test_name(path);
        let file = self.tests.join(&name);
        let bytes = ktest::encode(test).map_err(|error| not_written(&file, error.into()))?;
        match must_be_file || self.tests_added < self.most_test_files {
            true => self.buffered_tests.push((file, bytes)),
            false => self.packed_tests.push((path, bytes)),
        }
        self.tests_added += 1;
        Ok(name)
    }

    /// Buffers the harness of a test, before the test; `name` is its file name.
    pub fn add_harness(&mut self, name: &str, text: String) {
        self.add_file(self.tests.join(name), text.into_bytes());
    }

    /// Buffers a file that belongs to a test, before the test.
    pub fn add_file(&mut self, file: PathBuf, bytes: Vec<u8>) {
        self.buffered_files.push((file, bytes));
    }

    /// Gives the test with this file name another path, too.
    pub fn link_test(&mut self, name: &str, other: PathBuf) {
        self.buffered_links.push((self.tests.join(name), other));
    }

    /// Buffers a path, whose test is added before it, and flushes when enough has gathered.
    pub fn add_path(&mut self, record: PathRecord) -> Result<()> {
        self.paths.push(record);
        let full = self.paths.len() >= MAX_BUFFERED_PATHS
            || self.buffered_tests.len() >= MAX_BUFFERED_TESTS;
        if full { self.flush() } else { Ok(()) }
    }

    /// Queues what is buffered for writing: tests first, so that a test exists before a line
    /// names it.
    pub fn flush(&mut self) -> Result<()> {
        let is_empty = self.paths.is_empty()
            && self.buffered_tests.is_empty()
            && self.packed_tests.is_empty()
            && self.buffered_files.is_empty();
        if is_empty {
            return Ok(());
        }
        let paths = std::mem::take(&mut self.paths);
        let tests = std::mem::take(&mut self.buffered_tests);
        let packed = std::mem::take(&mut self.packed_tests);
        let others = std::mem::take(&mut self.buffered_files);
        let links = std::mem::take(&mut self.buffered_links);
        let written = Arc::clone(&self.tests_written);
        self.thread.submit(move |files| {
            for (file, bytes) in &others {
                atomic::write(file, bytes).map_err(|error| not_written(file, error))?;
            }
            for (file, bytes) in &tests {
                atomic::write(file, bytes).map_err(|error| not_written(file, error))?;
                written.fetch_add(1, Ordering::Relaxed);
            }
            files.pack.add_all(&packed)?;
            written.fetch_add(packed.len() as u64, Ordering::Relaxed);
            for (test, other) in &links {
                // On a file system without links, a copy.
                fs::hard_link(test, other)
                    .or_else(|_| fs::copy(test, other).map(drop))
                    .map_err(|error| not_written(other, error))?;
            }
            files.paths.add_all(&paths)
        })
    }

    /// Adds a fault found for the first time.
    pub fn add_fault(&mut self, record: FaultRecord) -> Result<()> {
        self.flush()?;
        self.thread.submit(move |files| files.faults.add(&record))
    }

    /// Adds a line of statistics.
    pub fn add_sample(&mut self, record: SampleRecord) -> Result<()> {
        self.thread.submit(move |files| files.clock.add(&record))
    }

    /// Adds a checkpoint, after what was added before it.
    pub fn add_checkpoint(&mut self, record: CheckpointRecord) -> Result<()> {
        self.flush()?;
        self.thread.submit(move |files| {
            // What the checkpoint refers to reaches the disk before it does.
            files.paths.sync_file_system()?;
            files.checkpoints.add(record)
        })
    }

    /// Replaces what the searcher and the pruner of a worker have learnt.
    pub fn set_learnt(&mut self, job: u64, learnt: Vec<LearntRecord>) -> Result<()> {
        self.thread.submit(move |files| files.learnt.set(job, learnt))
    }

    /// Removes the checkpoints if no state is left; and tests that no path names, as their paths
    /// have ended again.
    pub fn end_checkpoints(&mut self, unnamed_tests: Vec<(u64, String)>) -> Result<()> {
        self.flush()?;
        let tests = self.tests.clone();
        self.thread.submit(move |files| {
            if !files.checkpoints.is_empty() {
                return Ok(());
            }
            for (_, name) in &unnamed_tests {
                let file = tests.join(name);
                match fs::remove_file(&file) {
                    // It is in the pack.
                    Err(error) if error.kind() == ErrorKind::NotFound => {}
                    removed => removed.map_err(|error| RunDirError::io("remove", &file, &error))?,
                }
            }
            let numbers = unnamed_tests.iter().map(|&(number, _)| number);
            files.pack.remove(&numbers.collect::<Vec<_>>())?;
            files.checkpoints.remove()
        })
    }

    /// Waits until everything added is written; returns how many tests are. Nothing can be
    /// added afterwards.
    pub fn close(&mut self) -> (u64, Result<()>) {
        let flushed = self.flush();
        let closed = flushed.and(self.thread.close());
        (self.tests_written.load(Ordering::Relaxed), closed)
    }

    /// Writes the files that mark a run as ended.
    pub fn finish(
        &self,
        summary: &RunSummary,
        coverage: &CoverageRecord,
        branches: &BranchesRecord,
    ) -> Result<()> {
        self.write_object(COVERAGE, coverage)?;
        self.write_object(BRANCHES, branches)?;
        self.write_object(SUMMARY, summary)
    }

    /// Removes what [`create`](Self::create) made: the run could not begin.
    pub fn discard(mut self) {
        // The files are removed, so an error in writing them does not matter.
        let _ = self.thread.close();
        if self.is_resumed {
            return;
        }
        // A file that cannot be removed does no harm.
        for name in [MANIFEST, PATHS, FAULTS, CLOCK, TEST_PACK] {
            let _ = fs::remove_file(self.dir().join(name));
        }
        let _ = fs::remove_dir(&self.tests);
        self.directory.discard();
    }

    fn write_object(&self, name: &str, record: &impl Serialize) -> Result<()> {
        write_object(self.dir(), name, record)
    }
}

/// Locks a run directory until the file is closed. On a file system without locks, it does
/// nothing.
fn lock(dir: &Path) -> Result<File> {
    let path = dir.join(PATHS);
    let file = File::open(&path).map_err(|error| RunDirError::io("read", &path, &error))?;
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => {
            let dir = dir.display();
            Err(RunDirError::new(format!("the run in '{dir}' is still going on")))
        }
        Ok(()) | Err(TryLockError::Error(_)) => Ok(file),
    }
}

/// Removes tests that a killed process did not write to the end.
fn remove_partial_files(tests: &Path) {
    for entry in fs::read_dir(tests).into_iter().flatten().flatten() {
        if atomic::is_partial(&entry.path()) {
            // A file that cannot be removed does no harm.
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Writes the verdicts on the targets of a run, or replaces them.
pub fn write_targets(run: &Path, record: &TargetsRecord) -> Result<()> {
    write_object(run, TARGETS, record)
}

/// Writes the tests of an ended run on which two builds differ, and its summary again, which has
/// their sums.
pub fn write_differences(run: &Path, summary: &RunSummary, tests: &[TestDifference]) -> Result<()> {
    RecordAppender::create(run.join(DIFFERENCES))?.add_all(tests)?;
    write_object(run, SUMMARY, summary)
}

/// Writes an input that combines how two builds end; returns its path in the run directory.
pub fn write_combination(run: &Path, number: u64, test: &TestCase) -> Result<String> {
    let place = format!("{COMBINATIONS}/{}", test_name(number));
    let file = run.join(&place);
    let folder = run.join(COMBINATIONS);
    fs::create_dir_all(&folder).map_err(|error| not_written(&folder, error))?;
    ktest::write(&file, test).map_err(|error| not_written(&file, error))?;
    Ok(place)
}

/// Writes a file that is one JSON object.
fn write_object(dir: &Path, name: &str, record: &impl Serialize) -> Result<()> {
    let path = dir.join(name);
    let written = serde_json::to_vec_pretty(record).map_err(Into::into).and_then(|mut text| {
        text.push(b'\n');
        atomic::write(&path, &text)
    });
    written.map_err(|error| not_written(&path, error))
}

impl Drop for RunWriter {
    /// Buffered records are still written when an error makes the owner return early.
    fn drop(&mut self) {
        // The owner reports its own error.
        let _ = self.flush();
    }
}

fn not_written(file: &Path, error: std::io::Error) -> RunDirError {
    RunDirError::io("write", file, &error)
}
