//! The directory of an experiment's results: a small file for each measured run, the run
//! directories, and the reports.
//!
//! ```text
//! results/KEY.json     the result of a run, written atomically
//! runs/KEY/            its run directory, if it is kept
//! builds/KEY.json      the byway that wrote it
//! drafts/KEY/          a run in progress; the next lab removes those of a killed one
//! report.md, report.html
//! lock                 locked by the lab that writes here
//! ```

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use byway_testcase::atomic;

use crate::error::{LabError, Result};
use crate::result::{BywayBuild, CellResult, SCHEMA};

/// The directory of results.
pub struct ResultStore {
    dir: PathBuf,
}

/// Held by the one lab that may write to the store.
pub struct StoreLock {
    drafts: PathBuf,
    /// Closing it releases the lock.
    _file: File,
}

impl Drop for StoreLock {
    fn drop(&mut self) {
        // The next lab removes what cannot be removed now.
        let _ = remove(&self.drafts);
    }
}

impl ResultStore {
    pub fn new(dir: PathBuf) -> ResultStore {
        ResultStore { dir }
    }

    /// Creates the directories that do not exist.
    pub fn create(&self) -> Result<()> {
        for name in ["results", "runs", "builds"] {
            let dir = self.dir.join(name);
            fs::create_dir_all(&dir).map_err(|error| LabError::io("make", &dir, &error))?;
        }
        Ok(())
    }

    /// Locks the store and removes the drafts of a killed lab. Fails if another lab holds the
    /// lock.
    pub fn lock(&self) -> Result<StoreLock> {
        let path = self.dir.join("lock");
        let file = File::create(&path).map_err(|error| LabError::io("make", &path, &error))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let shown = self.dir.display();
                return Err(LabError::new(format!("another lab is running in '{shown}'"))
                    .hint("--output-dir names another directory"));
            }
            Err(TryLockError::Error(error)) => return Err(LabError::io("lock", &path, &error)),
        }
        let drafts = self.dir.join("drafts");
        remove(&drafts)?;
        Ok(StoreLock { drafts, _file: file })
    }

    /// The result with this key, if there is one of this version.
    pub fn result(&self, key: &str) -> Result<Option<CellResult>> {
        let path = self.result_path(key);
        let text = match fs::read(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(LabError::io("read", &path, &error)),
        };
        let result: CellResult = serde_json::from_slice(&text).map_err(|error| {
            LabError::new(format!("'{}' is damaged: {error}", path.display()))
                .hint("remove it to execute the run again")
        })?;
        Ok((result.schema == SCHEMA).then_some(result))
    }

    /// Stores a result.
    pub fn keep(&self, key: &str, result: &CellResult) -> Result<()> {
        let path = self.result_path(key);
        let mut text = serde_json::to_vec(result).expect("plain data becomes JSON");
        text.push(b'\n');
        atomic::write(&path, &text).map_err(|error| LabError::io("write", &path, &error))
    }

    fn result_path(&self, key: &str) -> PathBuf {
        self.dir.join("results").join(format!("{key}.json"))
    }

    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Moves a run directory into the store, and records the byway that wrote it.
    pub fn keep_run(&self, key: &str, run: &Path, build: &BywayBuild) -> Result<()> {
        let (to, made_by) = (self.run(key), self.build_path(key));
        // Labs without drafts could leave an incomplete one.
        remove(&to)?;
        let text = serde_json::to_vec(build).expect("plain data becomes JSON");
        atomic::write(&made_by, &text).map_err(|error| LabError::io("write", &made_by, &error))?;
        fs::rename(run, &to).map_err(|error| LabError::io("move", run, &error))
    }

    /// The byway that wrote a stored run; labs of older versions did not record it.
    pub fn build_of(&self, key: &str) -> BywayBuild {
        let text = fs::read(self.build_path(key)).ok();
        let known = text.and_then(|text| serde_json::from_slice(&text).ok());
        known.unwrap_or_else(|| BywayBuild { byway: "unknown".into(), build: "unknown".into() })
    }

    fn build_path(&self, key: &str) -> PathBuf {
        self.dir.join("builds").join(format!("{key}.json"))
    }

    /// The path of a stored run directory.
    pub fn run(&self, key: &str) -> PathBuf {
        self.dir.join("runs").join(key)
    }

    /// Creates the directory of a run in progress.
    pub fn draft(&self, key: &str) -> Result<PathBuf> {
        let dir = self.dir.join("drafts").join(key);
        remove(&dir)?;
        fs::create_dir_all(&dir).map_err(|error| LabError::io("make", &dir, &error))?;
        Ok(dir)
    }

    /// Writes a report and returns its path.
    pub fn report(&self, name: &str, text: &str) -> Result<PathBuf> {
        let path = self.dir.join(name);
        atomic::write(&path, text.as_bytes())
            .map_err(|error| LabError::io("write", &path, &error))?;
        Ok(path)
    }
}

/// Removes a directory and its contents, if it exists.
pub fn remove(dir: &Path) -> Result<()> {
    match fs::remove_dir_all(dir) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(LabError::io("remove", dir, &error))
        }
        _ => Ok(()),
    }
}
