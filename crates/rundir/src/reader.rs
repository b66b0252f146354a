//! Reads a run directory, also that of a killed run.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use byway_testcase::ktest;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::error::{Result, RunDirError};
use crate::lines::RecordLines;
use crate::record::{
    BranchesRecord, ClockStart, CoverageRecord, EndReason, FaultCount, FaultRecord, LearntRecord,
    OutcomeRecord, PathRecord, RunManifest, RunSummary, SampleRecord, SittingRecord, TargetsRecord,
    TestDifference,
};
use crate::test_pack::TestPack;
use crate::{
    BRANCHES, CLOCK, COVERAGE, DIFFERENCES, FAULTS, LEARNT, MANIFEST, PATHS, SCHEMA, SITTINGS,
    SUMMARY, TARGETS, TEST_PACK, TESTS, test_name,
};

/// Reads the files of one run directory, each when it is asked for.
pub struct RunReader {
    dir: PathBuf,
    manifest: RunManifest,
    /// The tests that are no files of their own, once they were looked for.
    pack: OnceLock<Result<Option<TestPack>>>,
}

/// The first and the last line of the clock file.
#[derive(Serialize)]
pub struct ClockData {
    /// Written when the run begins.
    pub start: ClockStart,
    /// `None` if the run was killed before its first sample.
    pub last: Option<SampleRecord>,
}

impl RunReader {
    /// Opens a run directory. Fails if it has no manifest, or one of a newer version.
    pub fn open(dir: &Path) -> Result<Self> {
        let metadata = fs::metadata(dir).map_err(|error| RunDirError::io("read", dir, &error))?;
        let manifest = match metadata.is_dir() {
            true => read_object(&dir.join(MANIFEST))?,
            false => None,
        };
        let shown = dir.display();
        let manifest = manifest.ok_or_else(|| {
            RunDirError::new(format!("'{shown}' is not a run directory: it has no {MANIFEST}"))
                .with_hint("'byway run' prints the directory it writes")
        })?;
        Ok(RunReader { dir: dir.to_path_buf(), manifest, pack: OnceLock::new() })
    }

    /// The run whose directory of tests this is, if it is one.
    pub fn of_tests(dir: &Path) -> Result<Option<Self>> {
        let is_named_so = dir.file_name().is_some_and(|name| name == TESTS);
        match dir.parent().filter(|run| is_named_so && RunReader::is_at(run)) {
            Some(run) => RunReader::open(run).map(Some),
            None => Ok(None),
        }
    }

    /// Whether the directory has a manifest.
    pub fn is_at(dir: &Path) -> bool {
        dir.join(MANIFEST).exists()
    }

    /// Whether a run directory has tests that are no files of their own.
    pub fn has_pack(dir: &Path) -> bool {
        dir.join(TEST_PACK).is_file()
    }

    /// Whether the directory's run has ended, as opposed to being killed or still running.
    pub fn has_ended(dir: &Path) -> bool {
        dir.join(SUMMARY).is_file()
    }

    /// The path that was opened.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Program and configuration of the run.
    pub fn manifest(&self) -> &RunManifest {
        &self.manifest
    }

    /// The path of the test with this file name, also if it is in the pack and there is no such
    /// file.
    pub fn test_path(&self, name: &str) -> PathBuf {
        self.dir.join(TESTS).join(name)
    }

    /// The contents of the test with this file name: those of its file, or from the pack.
    pub fn read_test(&self, name: &str) -> io::Result<Vec<u8>> {
        match ktest::read_bytes(&self.test_path(name)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let number = number_of(name).filter(|&number| test_name(number) == name);
                let pack = self.pack().map_err(|error| io::Error::other(error.message()))?;
                let packed = pack.zip(number).and_then(|(pack, number)| pack.read(number));
                packed.unwrap_or(Err(error))
            }
            read => read,
        }
    }

    /// The names of the tests, by the numbers of their paths.
    pub fn test_names(&self) -> Result<BTreeMap<u64, String>> {
        let mut names = self.test_files()?;
        if let Some(pack) = self.pack()? {
            for number in pack.numbers() {
                names.entry(number).or_insert_with(|| test_name(number));
            }
        }
        Ok(names)
    }

    /// The numbers of the tests that are in the pack and no files of their own.
    pub fn packed_tests(&self) -> Result<Vec<u64>> {
        let files = self.test_files()?;
        let numbers = self.pack()?.into_iter().flat_map(TestPack::numbers);
        Ok(numbers.filter(|number| !files.contains_key(number)).collect())
    }

    fn pack(&self) -> Result<Option<&TestPack>> {
        let pack = self.pack.get_or_init(|| TestPack::open(&self.dir.join(TEST_PACK)));
        pack.as_ref().map(Option::as_ref).map_err(Clone::clone)
    }

    /// The names of the tests that are files, by the numbers of their paths.
    fn test_files(&self) -> Result<BTreeMap<u64, String>> {
        let dir = self.dir.join(TESTS);
        let entries = fs::read_dir(&dir).map_err(|error| RunDirError::io("read", &dir, &error))?;
        let numbered = |name: String| number_of(&name).map(|number| (number, name));
        let names = entries.flatten().filter_map(|entry| entry.file_name().into_string().ok());
        Ok(names.filter_map(numbered).collect())
    }

    /// The paths, in the order they ended.
    pub fn paths(&self) -> Result<impl Iterator<Item = Result<PathRecord>> + use<>> {
        RecordLines::open(self.dir.join(PATHS))
    }

    /// The distinct faults, in the order they were found.
    pub fn faults(&self) -> Result<Vec<FaultRecord>> {
        RecordLines::open(self.dir.join(FAULTS))?.collect()
    }

    /// What searchers and pruners have learnt; empty if nothing was kept.
    pub fn learnt(&self) -> Result<Vec<LearntRecord>> {
        self.lines_if_any(LEARNT)
    }

    /// When the run went on after it had ended; empty if it never did.
    pub fn sittings(&self) -> Result<Vec<SittingRecord>> {
        self.lines_if_any(SITTINGS)
    }

    /// Coverage by line; `None` if the run has not ended.
    pub fn coverage(&self) -> Result<Option<CoverageRecord>> {
        read_object(&self.dir.join(COVERAGE))
    }

    /// Coverage by branch; `None` if the run has not ended, or an older byway wrote it.
    pub fn branches(&self) -> Result<Option<BranchesRecord>> {
        read_object(&self.dir.join(BRANCHES))
    }

    /// The verdicts on targets; `None` if the run has no targets or has not ended.
    pub fn targets(&self) -> Result<Option<TargetsRecord>> {
        read_object(&self.dir.join(TARGETS))
    }

    /// The tests on which the program differs from that of `--against`, or that could not be
    /// compared; empty if there was none.
    pub fn differences(&self) -> Result<Vec<TestDifference>> {
        self.lines_if_any(DIFFERENCES)
    }

    fn lines_if_any<T: DeserializeOwned>(&self, name: &str) -> Result<Vec<T>> {
        let path = self.dir.join(name);
        match path.exists() {
            true => RecordLines::open(path)?.collect(),
            false => Ok(Vec::new()),
        }
    }

    /// The first and the last line of the clock file.
    pub fn clock(&self) -> Result<ClockData> {
        let (start, samples) = self.clock_lines()?;
        let last = samples.last().transpose()?;
        let last = last.map(serde_json::from_value).transpose();
        Ok(ClockData { start, last: last.map_err(|error| self.damaged_clock(&error))? })
    }

    /// The statistics over time, in order.
    pub fn samples(&self) -> Result<Vec<SampleRecord>> {
        let (_, samples) = self.clock_lines()?;
        let sample = |line: Result<Value>| {
            serde_json::from_value(line?).map_err(|error| self.damaged_clock(&error))
        };
        samples.map(sample).collect()
    }

    fn clock_lines(&self) -> Result<(ClockStart, RecordLines<Value>)> {
        let mut lines = RecordLines::<Value>::open(self.dir.join(CLOCK))?;
        let start = lines.next().transpose()?;
        let start = start.ok_or_else(|| self.damaged_clock(&"it is empty"))?;
        let start = serde_json::from_value(start).map_err(|error| self.damaged_clock(&error))?;
        Ok((start, lines))
    }

    fn damaged_clock(&self, error: &dyn std::fmt::Display) -> RunDirError {
        RunDirError::new(format!("'{}' is damaged: {error}", self.dir.join(CLOCK).display()))
    }

    /// The summary of a run that has ended; an error if it has not.
    pub fn ended_summary(&self) -> Result<RunSummary> {
        let path = self.dir.join(SUMMARY);
        read_object(&path)?.ok_or_else(|| {
            RunDirError::new(format!("the run has not ended: there is no '{}'", path.display()))
        })
    }

    /// The summary. For a run that has not ended it is put together from the other files:
    /// paths, tests and faults up to the last, everything else as of the last sample. Without
    /// a sample, the instructions are those of all paths and the other sums are zero.
    pub fn summary(&self) -> Result<RunSummary> {
        match read_object(&self.dir.join(SUMMARY))? {
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
            if let OutcomeRecord::Fault { id, .. } = record.outcome {
                *counts.entry(id).or_default() += 1;
            }
        }
        let fault = |fault: FaultRecord| FaultCount {
            // The line of its path may be the incomplete one.
            count: counts.get(&fault.id).copied().unwrap_or(1),
            id: fault.id,
            kind: fault.kind,
            at: fault.at,
        };
        Ok(RunSummary {
            schema: SCHEMA,
            ended: EndReason::CutShort,
            complete: false,
            // A test is written before the line that names it.
            tests: self.test_names()?.len() as u64,
            faults: self.faults()?.into_iter().map(fault).collect(),
            totals,
            seeds: None,
            shares: Vec::new(),
            markov: None,
            differences: None,
        })
    }
}

/// The number of the path whose test has this file name.
fn number_of(name: &str) -> Option<u64> {
    let path = Path::new(name);
    let number = path.file_stem()?.to_str()?.parse().ok()?;
    (path.extension()? == ktest::EXTENSION).then_some(number)
}

/// Reads a file that is one JSON object; `None` if it does not exist.
fn read_object<T: DeserializeOwned>(path: &Path) -> Result<Option<T>> {
    let text = match fs::read(path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(RunDirError::io("read", path, &error)),
    };
    let shown = path.display();
    let damaged =
        |error: serde_json::Error| RunDirError::new(format!("'{shown}' is damaged: {error}"));
    // The version decides the fields, so it is read first: a newer file is reported as newer,
    // not as damaged.
    let record: Value = serde_json::from_slice(&text).map_err(damaged)?;
    match record.get("schema").and_then(Value::as_u64) {
        Some(schema) if schema == u64::from(SCHEMA) => {}
        Some(schema) if schema > u64::from(SCHEMA) => {
            return Err(RunDirError::new(format!(
                "'{shown}' has version {schema}, but this byway reads version {SCHEMA}"
            ))
            .with_hint("a newer byway wrote it: use that one, or update this one"));
        }
        _ => {
            let message = format!("'{shown}' is damaged: it has no \"schema\"");
            return Err(RunDirError::new(message));
        }
    }
    serde_json::from_slice(&text).map(Some).map_err(damaged)
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;

    use super::*;

    fn directory(files: &[(&str, &str)]) -> TempDir {
        let dir = TempDir::new().expect("a directory");
        fs::create_dir(dir.path().join(TESTS)).expect("a directory");
        for (name, text) in files {
            fs::write(dir.path().join(name), text).expect("writable");
        }
        dir
    }

    const PROGRAM: &str = r#""program":{"files":[],"directory":"/","compiler":{"clang":"clang",
        "optimise":"0","options":[]},"digest":"0","args":[],"env":[]},"config":{"search":["dfs"],
        "feasibility":"eager","checks":[],"tests":"all","solver_check":false,"limits":{
        "path_memory":1,"path_calls":1}},"seed":0"#;

    fn manifest(more: &str) -> String {
        format!("{{\"schema\":1,\"byway\":\"0\",{more}{PROGRAM}}}")
    }

    #[test]
    fn a_newer_version_is_reported_as_newer_and_not_as_damaged() {
        let dir = directory(&[(MANIFEST, r#"{"schema": 2, "what": "is new"}"#)]);
        let error = RunReader::open(dir.path()).err().expect("too new");
        assert!(error.message().contains("has version 2, but this byway reads version 1"));
        assert!(error.hint().is_some_and(|hint| hint.contains("a newer byway")), "{error}");
        let dir = directory(&[(MANIFEST, r#"{"schema": 0}"#)]);
        let error = RunReader::open(dir.path()).err().expect("no version");
        assert!(error.message().contains("is damaged"), "{error}");
    }

    #[test]
    fn fields_of_later_versions_are_ignored() {
        let dir = directory(&[(MANIFEST, &manifest("\"later\":{\"x\":1},"))]);
        let run = RunReader::open(dir.path()).expect("a run");
        assert_eq!(run.manifest().config.search, ["dfs"]);
        assert_eq!((run.manifest().config.jobs, run.manifest().seed), (1, 0));
    }

    #[test]
    fn a_killed_run_is_summarised_from_its_other_files() {
        let path = |number: u64, outcome: &str| {
            format!(
                "{{\"path\":{number},\"test\":null,\"outcome\":{outcome},\"depth\":1,\
                 \"instructions\":10,\"digest\":\"0\",\"newly_covered\":0}}\n"
            )
        };
        let paths = path(1, r#"{"kind":"exit","code":0}"#)
            + &path(2, r#"{"kind":"out-of-budget"}"#)
            + "{\"path\":3,";
        let dir = directory(&[
            (MANIFEST, &manifest("")),
            (PATHS, &paths),
            (FAULTS, ""),
            (CLOCK, "{\"schema\":1,\"started_ms\":1,\"load_ms\":2}\n{\"elapsed_ms\":"),
        ]);
        let run = RunReader::open(dir.path()).expect("a run");
        assert!(!RunReader::has_ended(dir.path()) && run.ended_summary().is_err());
        let summary = run.summary().expect("a summary");
        assert_eq!((summary.ended, summary.complete), (EndReason::CutShort, false));
        assert_eq!((summary.totals.path_count(), summary.totals.truncated_paths()), (2, 1));
        assert_eq!(summary.totals.instructions, 20);
        assert!(run.samples().expect("no samples").is_empty());
    }

    #[test]
    fn fuzz_rundir() {
        let dir = directory(&[(MANIFEST, &manifest(""))]);
        let seeds = [
            manifest(""),
            r#"{"path":1,"test":null,"outcome":{"kind":"exit","code":0},"depth":1,"instructions":10,
            "digest":"0","newly_covered":0}"#
                .replace('\n', ""),
            "{\"schema\":1,\"started_ms\":1,\"load_ms\":2}\n{\"elapsed_ms\":3}\n".into(),
        ];
        byway_fuzz::Fuzz::new("rundir", seeds).run(|input| {
            for name in [PATHS, FAULTS, CLOCK] {
                fs::write(dir.path().join(name), input).expect("writable");
            }
            let run = RunReader::open(dir.path()).expect("a run");
            let paths = match run.paths() {
                Ok(paths) => paths
                    .map(|path| path.map_or_else(|e| e.to_string(), |_| "path".into()))
                    .collect(),
                Err(error) => error.to_string(),
            };
            let faults = run.faults().map_or_else(|error| error.to_string(), |_| "faults".into());
            let summary =
                run.summary().map_or_else(|error| error.to_string(), |_| "summary".into());
            let clock = run.clock().map_or_else(|error| error.to_string(), |_| "clock".into());
            fs::write(dir.path().join(MANIFEST), input).expect("writable");
            let opened =
                RunReader::open(dir.path()).map_or_else(|e| e.to_string(), |_| "a run".into());
            fs::write(dir.path().join(MANIFEST), manifest("")).expect("writable");
            [paths, faults, summary, clock, opened].join("; ")
        });
    }
}
