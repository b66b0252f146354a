//! Reading a run directory, also one whose run was killed.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use byway_testcase::ktest;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::error::{Result, RunDirError};
use crate::lines::Records;
use crate::record::{
    BranchesRecord, ClockStart, CoverageRecord, EndReason, FaultCount, FaultRecord, PathRecord,
    RunManifest, RunSummary, SampleRecord,
};
use crate::{BRANCHES, CLOCK, COVERAGE, FAULTS, MANIFEST, PATHS, SCHEMA, SUMMARY, TESTS};

/// A run directory.
pub struct RunReader {
    dir: PathBuf,
    manifest: RunManifest,
}

/// What the clock file says.
#[derive(Serialize)]
pub struct ClockData {
    /// How it began.
    pub start: ClockStart,
    /// The last sample.
    pub last: Option<SampleRecord>,
}

impl RunReader {
    /// Opens a run directory.
    pub fn open(dir: &Path) -> Result<Self> {
        let metadata = fs::metadata(dir).map_err(|error| RunDirError::io("read", dir, &error))?;
        let manifest = match metadata.is_dir() {
            true => whole(&dir.join(MANIFEST))?,
            false => None,
        };
        let shown = dir.display();
        let manifest = manifest.ok_or_else(|| {
            RunDirError::new(format!(
                "'{shown}' is not a run directory: there is no {MANIFEST} in it"
            ))
            .with_hint("'byway run' says where it writes")
        })?;
        Ok(RunReader { dir: dir.to_path_buf(), manifest })
    }

    /// Whether a directory looks like one.
    pub fn is_at(dir: &Path) -> bool {
        dir.join(MANIFEST).exists()
    }

    /// The directory.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// What was explored, and how.
    pub fn manifest(&self) -> &RunManifest {
        &self.manifest
    }

    /// Where the test of that name is.
    pub fn test_path(&self, name: &str) -> PathBuf {
        self.dir.join(TESTS).join(name)
    }

    /// The tests that are there as files, by their numbers.
    pub fn test_files(&self) -> Result<BTreeMap<u64, String>> {
        let dir = self.dir.join(TESTS);
        let entries = fs::read_dir(&dir).map_err(|error| RunDirError::io("read", &dir, &error))?;
        let numbered = |name: String| {
            let path = Path::new(&name);
            let number = path.file_stem()?.to_str()?.parse().ok()?;
            (path.extension()? == ktest::EXTENSION).then_some((number, name))
        };
        let names = entries.flatten().filter_map(|entry| entry.file_name().into_string().ok());
        Ok(names.filter_map(numbered).collect())
    }

    /// The paths that ended, in that order.
    pub fn paths(&self) -> Result<impl Iterator<Item = Result<PathRecord>> + use<>> {
        Records::open(self.dir.join(PATHS))
    }

    /// The distinct faults, in the order they were found.
    pub fn faults(&self) -> Result<Vec<FaultRecord>> {
        Records::open(self.dir.join(FAULTS))?.collect()
    }

    /// The coverage by line; `None` if the run was cut short.
    pub fn coverage(&self) -> Result<Option<CoverageRecord>> {
        whole(&self.dir.join(COVERAGE))
    }

    /// The branches; `None` if the run was cut short, or made by a byway that did not
    /// keep them.
    pub fn branches(&self) -> Result<Option<BranchesRecord>> {
        whole(&self.dir.join(BRANCHES))
    }

    /// What the clock file says.
    pub fn clock(&self) -> Result<ClockData> {
        let path = self.dir.join(CLOCK);
        let mut records = Records::<Value>::open(path.clone())?;
        let damaged = |error: serde_json::Error| {
            RunDirError::new(format!("'{}' is damaged: {error}", path.display()))
        };
        let start = records.next().transpose()?.ok_or_else(|| {
            RunDirError::new(format!("'{}' is damaged: it is empty", path.display()))
        })?;
        let start = serde_json::from_value(start).map_err(damaged)?;
        let last = records.last().transpose()?;
        let last = last.map(serde_json::from_value).transpose().map_err(damaged)?;
        Ok(ClockData { start, last })
    }

    /// What the run came to. For one that was cut short it is put together from what
    /// there is: paths, tests and faults to the last, the rest as of the last sample. If there
    /// is none, the instructions are those of all paths, and the rest is nothing.
    pub fn summary(&self) -> Result<RunSummary> {
        match whole(&self.dir.join(SUMMARY))? {
            Some(summary) => Ok(summary),
            None => self.reconstruct(),
        }
    }

    fn reconstruct(&self) -> Result<RunSummary> {
        let sampled = self.clock()?.last.map(|sample| sample.totals);
        let nothing_sampled = sampled.is_none();
        let mut totals = sampled.unwrap_or_default();
        let mut counts: BTreeMap<u64, u64> = BTreeMap::new();
        totals.paths.clear();
        for record in self.paths()? {
            let record = record?;
            if nothing_sampled {
                totals.instructions += record.instructions;
            }
            *totals.paths.entry(record.outcome.name().to_string()).or_default() += 1;
            if let crate::OutcomeRecord::Fault { id, .. } = record.outcome {
                *counts.entry(id).or_default() += 1;
            }
        }
        let fault = |fault: FaultRecord| FaultCount {
            // Its path's line may be the one that is torn.
            count: counts.get(&fault.id).copied().unwrap_or(1),
            id: fault.id,
            kind: fault.kind,
            at: fault.at,
        };
        Ok(RunSummary {
            schema: SCHEMA,
            ended: EndReason::CutShort,
            complete: false,
            // Tests are written before the lines that speak of them.
            tests: self.test_files()?.len() as u64,
            faults: self.faults()?.into_iter().map(fault).collect(),
            totals,
            seeds: None,
            shares: Vec::new(),
        })
    }
}

/// A file of one record; `None` if it is not there.
fn whole<T: DeserializeOwned>(path: &Path) -> Result<Option<T>> {
    let text = match fs::read(path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(RunDirError::io("read", path, &error)),
    };
    let shown = path.display();
    let damaged =
        |error: serde_json::Error| RunDirError::new(format!("'{shown}' is damaged: {error}"));
    // The version first: what else is there depends on it. It is not `T` at once, so
    // that a later version is called that, and not damaged.
    let record: Value = serde_json::from_slice(&text).map_err(damaged)?;
    match record.get("schema").and_then(Value::as_u64) {
        Some(schema) if schema == u64::from(SCHEMA) => {}
        Some(schema) => {
            return Err(RunDirError::new(format!(
                "'{shown}' has version {schema}, but this byway reads version {SCHEMA}"
            )));
        }
        None => {
            return Err(RunDirError::new(format!("'{shown}' is damaged: it has no \"schema\"")));
        }
    }
    serde_json::from_slice(&text).map(Some).map_err(damaged)
}
