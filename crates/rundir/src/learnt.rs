//! `learnt.jsonl`: what searchers and pruners have learnt, by worker.
//!
//! The file is replaced as a whole with each checkpoint of a worker. It outlives the checkpoints,
//! since a later run may learn from it.

use std::collections::BTreeMap;
use std::path::PathBuf;

use byway_testcase::atomic;

use crate::error::{Result, RunDirError};
use crate::lines::put_lines;
use crate::record::LearntRecord;

/// Writes the file of a run.
pub struct LearntFile {
    path: PathBuf,
    by_job: BTreeMap<u64, Vec<LearntRecord>>,
}

impl LearntFile {
    /// The file at this path, with what the sittings before have learnt.
    pub fn new(path: PathBuf, before: &[LearntRecord]) -> LearntFile {
        let mut by_job: BTreeMap<u64, Vec<LearntRecord>> = BTreeMap::new();
        for record in before {
            by_job.entry(record.job).or_default().push(record.clone());
        }
        LearntFile { path, by_job }
    }

    /// Replaces what a worker has learnt, and writes the file.
    pub fn set(&mut self, job: u64, learnt: Vec<LearntRecord>) -> Result<()> {
        if learnt.is_empty() && !self.by_job.contains_key(&job) {
            return Ok(());
        }
        self.by_job.insert(job, learnt);
        let mut lines = Vec::new();
        let records: Vec<&LearntRecord> = self.by_job.values().flatten().collect();
        let written =
            put_lines(&mut lines, &records).and_then(|()| atomic::write(&self.path, &lines));
        written.map_err(|error| RunDirError::io("write", &self.path, &error))
    }
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;

    use super::*;
    use crate::lines::RecordLines;

    fn record(job: u64, name: &str) -> LearntRecord {
        LearntRecord { job, name: name.into(), rows: vec![vec![job, 7], vec![u64::MAX]] }
    }

    fn read(path: &std::path::Path) -> Vec<LearntRecord> {
        let lines = RecordLines::open(path.to_path_buf()).expect("the file");
        lines.collect::<Result<_>>().expect("whole lines")
    }

    #[test]
    fn a_worker_replaces_its_own_part() {
        let dir = TempDir::new().expect("a directory");
        let path = dir.path().join("learnt.jsonl");
        let mut file = LearntFile::new(path.clone(), &[record(1, "sgs:1"), record(0, "homi")]);
        file.set(2, Vec::new()).expect("written");
        assert!(!path.exists(), "there is nothing new");
        file.set(1, vec![record(1, "cgs:5")]).expect("written");
        assert_eq!(read(&path), [record(0, "homi"), record(1, "cgs:5")]);
        file.set(0, Vec::new()).expect("written");
        assert_eq!(read(&path), [record(1, "cgs:5")]);
    }
}
