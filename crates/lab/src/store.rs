//! Where an experiment's results are kept: a directory with a small file for each run that was
//! measured, the run directories themselves, and the reports.
//!
//! ```text
//! results/KEY.json     what a run came to, written at once or not at all
//! runs/KEY/            its directory, if it is kept
//! builds/KEY.json      which byway made that
//! drafts/KEY/          a run that goes on; what a killed lab left there is removed
//! report.md, report.html
//! lock                 held while a lab works here
//! ```

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use byway_testcase::atomic;

use crate::problem::{Problem, Result};
use crate::result::{Build, Outcome, SCHEMA};

/// A directory of results.
pub struct Store {
    dir: PathBuf,
}

/// Held by the one lab that may work in a directory.
pub struct Lock {
    drafts: PathBuf,
    /// Held until it is closed.
    _file: File,
}

impl Drop for Lock {
    fn drop(&mut self) {
        // What cannot be removed now is when the next lab begins.
        let _ = remove(&self.drafts);
    }
}

impl Store {
    /// The store in this directory.
    pub fn new(dir: PathBuf) -> Store {
        Store { dir }
    }

    /// Makes the directories that are missing.
    pub fn make(&self) -> Result<()> {
        for name in ["results", "runs", "builds"] {
            let dir = self.dir.join(name);
            fs::create_dir_all(&dir).map_err(|error| Problem::io("make", &dir, &error))?;
        }
        Ok(())
    }

    /// Takes the right to work here, and removes what a killed lab left. Fails if another
    /// lab has it.
    pub fn lock(&self) -> Result<Lock> {
        let path = self.dir.join("lock");
        let file = File::create(&path).map_err(|error| Problem::io("make", &path, &error))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let shown = self.dir.display();
                return Err(Problem::new(format!("another lab is at work in '{shown}'"))
                    .hint("--output-dir names another place"));
            }
            Err(TryLockError::Error(error)) => return Err(Problem::io("lock", &path, &error)),
        }
        let drafts = self.dir.join("drafts");
        remove(&drafts)?;
        Ok(Lock { drafts, _file: file })
    }

    /// The result of that key, if it is there.
    pub fn result(&self, key: &str) -> Result<Option<Outcome>> {
        let path = self.result_path(key);
        let text = match fs::read(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(Problem::io("read", &path, &error)),
        };
        let outcome: Outcome = serde_json::from_slice(&text).map_err(|error| {
            Problem::new(format!("'{}' is damaged: {error}", path.display()))
                .hint("without it, the run is made again")
        })?;
        Ok((outcome.schema == SCHEMA).then_some(outcome))
    }

    /// Keeps a result.
    pub fn keep(&self, key: &str, outcome: &Outcome) -> Result<()> {
        let path = self.result_path(key);
        let mut text = serde_json::to_vec(outcome).expect("plain data becomes JSON");
        text.push(b'\n');
        atomic::write(&path, &text).map_err(|error| Problem::io("write", &path, &error))
    }

    fn result_path(&self, key: &str) -> PathBuf {
        self.dir.join("results").join(format!("{key}.json"))
    }

    /// The directory of it all.
    pub fn place(&self) -> &Path {
        &self.dir
    }

    /// Keeps the directory of a run that a byway made.
    pub fn keep_run(&self, key: &str, run: &Path, build: &Build) -> Result<()> {
        let (to, made_by) = (self.run(key), self.build_path(key));
        // It may be there in pieces, from a time before drafts were.
        remove(&to)?;
        let text = serde_json::to_vec(build).expect("plain data becomes JSON");
        atomic::write(&made_by, &text).map_err(|error| Problem::io("write", &made_by, &error))?;
        fs::rename(run, &to).map_err(|error| Problem::io("move", run, &error))
    }

    /// Which byway made a run that is kept; nobody knows if an earlier lab kept it.
    pub fn build_of(&self, key: &str) -> Build {
        let text = fs::read(self.build_path(key)).ok();
        let known = text.and_then(|text| serde_json::from_slice(&text).ok());
        known.unwrap_or_else(|| Build { byway: "unknown".into(), build: "unknown".into() })
    }

    fn build_path(&self, key: &str) -> PathBuf {
        self.dir.join("builds").join(format!("{key}.json"))
    }

    /// Where the directory of a run is kept.
    pub fn run(&self, key: &str) -> PathBuf {
        self.dir.join("runs").join(key)
    }

    /// A new place for a run that goes on.
    pub fn draft(&self, key: &str) -> Result<PathBuf> {
        let dir = self.dir.join("drafts").join(key);
        remove(&dir)?;
        fs::create_dir_all(&dir).map_err(|error| Problem::io("make", &dir, &error))?;
        Ok(dir)
    }

    /// Writes a report; returns where.
    pub fn report(&self, name: &str, text: &str) -> Result<PathBuf> {
        let path = self.dir.join(name);
        atomic::write(&path, text.as_bytes())
            .map_err(|error| Problem::io("write", &path, &error))?;
        Ok(path)
    }
}

/// Removes a directory with all in it, if it is there.
pub fn remove(dir: &Path) -> Result<()> {
    match fs::remove_dir_all(dir) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(Problem::io("remove", dir, &error))
        }
        _ => Ok(()),
    }
}
