//! Where a run writes its results, and what it goes on with.

use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use byway_engine::{EarlierKnowledge, ResumePoint};
use byway_rundir::{
    ClockStart, RunDirectory, RunManifest, RunReader, RunSoFar, RunWriter, SCHEMA, SampleRecord,
    SittingRecord, TotalsRecord,
};

use super::config::RunConfig;
use super::knowledge;
use super::listener::RunListener;
use super::resume::{self, ResumedCommand};
use crate::failure::Result;
use crate::load::Loaded;

/// A run that is about to begin.
pub struct RunStart {
    pub writer: RunWriter,
    /// What sittings before it did, if there were any.
    pub earlier: Option<EarlierSittings>,
    /// What its searchers and its pruner know already.
    pub knowledge: Vec<EarlierKnowledge>,
    /// What shows the run, if Byway's own messages do not.
    pub listener: Option<Box<dyn RunListener>>,
}

/// The sittings before one.
pub struct EarlierSittings {
    pub before: RunSoFar,
    /// The sums to which this sitting adds.
    pub totals: TotalsRecord,
    /// It explores from the program's start, though states of those before are left.
    pub is_new_start: bool,
    pub sitting: SittingRecord,
}

impl RunStart {
    /// A new run. Creates its directory.
    pub fn create(config: &RunConfig, manifest: &RunManifest, loaded: &Loaded) -> Result<RunStart> {
        let program = config.load.program.first().map_or(Path::new(""), |path| path.as_path());
        // A run to learn from that is damaged leaves no directory behind.
        let knowledge = knowledge::of_runs(&config.learn_from, manifest)?;
        let directory = RunDirectory::create(config.output.as_deref(), program)?;
        let start = RunStart::create_in(directory, manifest, loaded)?;
        Ok(RunStart { knowledge, ..start })
    }

    /// A new run in a directory that is there.
    pub fn create_in(
        directory: RunDirectory,
        manifest: &RunManifest,
        loaded: &Loaded,
    ) -> Result<RunStart> {
        let load_ms = loaded.time.as_millis() as u64;
        let clock = ClockStart { schema: SCHEMA, started_ms: milliseconds_since_1970(), load_ms };
        let writer = RunWriter::create(directory, manifest, &clock)?;
        Ok(RunStart { writer, earlier: None, knowledge: Vec::new(), listener: None })
    }

    /// A run that goes on.
    pub fn resume(
        config: &RunConfig,
        resumed: &ResumedCommand,
        manifest: &RunManifest,
    ) -> Result<RunStart> {
        let before = resume::read(&resumed.run, manifest)?;
        let sitting = sitting(&before, &resumed.options, None);
        RunStart::go_on(config, &resumed.run, before, sitting)
    }

    /// A run that goes on with what was read.
    pub fn go_on(
        config: &RunConfig,
        run: &Path,
        mut before: RunSoFar,
        sitting: SittingRecord,
    ) -> Result<RunStart> {
        let knowledge = knowledge::of_sittings(&mut before, config.jobs.get());
        let writer = RunWriter::resume(RunDirectory::existing(run), &before)?;
        let saved = before.states.as_ref();
        let totals = saved.map_or(TotalsRecord::default(), |saved| saved.totals.clone());
        let earlier = EarlierSittings { before, totals, is_new_start: false, sitting };
        Ok(RunStart { writer, earlier: Some(earlier), knowledge, listener: None })
    }

    /// A run of a campaign, from the program's start. `options` are those given for it, and
    /// `number` is counted from 1.
    ///
    /// It knows what the runs before it covered, but not what their searchers learnt: the runs
    /// are to explore different parts of the program.
    pub fn new_run(
        config: &RunConfig,
        run: &Path,
        options: &[OsString],
        number: u64,
    ) -> Result<RunStart> {
        let reader = RunReader::open(run)?;
        let knowledge = knowledge::of_runs(&config.learn_from, reader.manifest())?;
        let mut before = RunSoFar::read_without_states(&reader)?;
        let writer = RunWriter::start_over(RunDirectory::existing(run), &before)?;
        let last = before.last.as_mut().map(|sample| std::mem::take(&mut sample.totals));
        let totals = last.unwrap_or_default().before_new_start();
        let sitting = sitting(&before, options, Some(number));
        let earlier = EarlierSittings { before, totals, is_new_start: true, sitting };
        Ok(RunStart { writer, earlier: Some(earlier), knowledge, listener: None })
    }

    /// The last statistics of the sittings before.
    pub fn last_sample(&self) -> Option<&SampleRecord> {
        self.earlier.as_ref()?.before.last.as_ref()
    }

    /// What the engine goes on with.
    pub fn point(&mut self) -> Option<Arc<ResumePoint>> {
        self.earlier.as_mut().map(|earlier| resume::point(&mut earlier.before))
    }
}

/// A clock set before 1970 reads as 1970.
fn milliseconds_since_1970() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as u64)
}

/// The record of a sitting; `run` is the number of the campaign's run.
pub fn sitting(before: &RunSoFar, options: &[OsString], run: Option<u64>) -> SittingRecord {
    SittingRecord {
        schema: SCHEMA,
        started_ms: milliseconds_since_1970(),
        options: options.iter().map(|word| word.as_os_str().into()).collect(),
        run,
        cpu_ms: before.last.as_ref().map_or(0, |sample| sample.cpu_ms),
        paths: before.paths.len() as u64,
        states: before.states.as_ref().map(|saved| saved.states.len() as u64),
    }
}
