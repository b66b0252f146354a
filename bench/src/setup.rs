//! What every benchmark needs: the repository, the compiler, byway, a directory for files.

use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use crate::toolchain::Toolchain;

/// The set-up of a benchmark.
pub struct BenchSetup {
    pub toolchain: Toolchain,
    /// The root of the repository.
    pub root: PathBuf,
    byway: PathBuf,
    work: WorkDir,
}

impl BenchSetup {
    /// Finds everything; files go below `keep` and stay, or below a folder that
    /// is removed at the end.
    pub fn new(keep: Option<PathBuf>) -> Result<Self, String> {
        match keep {
            Some(dir) => BenchSetup::in_dir(WorkDir::kept(dir)?),
            None => BenchSetup::in_dir(WorkDir::of_process(&std::env::temp_dir())?),
        }
    }

    /// Like [`BenchSetup::new`], with files in memory where the system offers that: for
    /// measuring programs that write thousands of them. How fast a disk's file
    /// system makes files depends on how many were removed minutes ago.
    pub fn in_memory() -> Result<Self, String> {
        let memory = PathBuf::from("/dev/shm");
        let parent = if memory.is_dir() { memory } else { std::env::temp_dir() };
        BenchSetup::in_dir(WorkDir::of_process(&parent)?)
    }

    fn in_dir(work: WorkDir) -> Result<Self, String> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().ok_or("no repository")?;
        let toolchain = Toolchain::find(work.path())?;
        Ok(BenchSetup { toolchain, root: root.to_owned(), byway: find_byway()?, work })
    }

    /// A command that runs byway.
    pub fn byway(&self) -> Command {
        Command::new(&self.byway)
    }

    /// A new empty folder. It disappears with what is returned, unless files
    /// are kept.
    pub fn folder(&self, name: &str) -> Result<WorkDir, String> {
        let name: String =
            name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
        match self.work.guard {
            Some(_) => WorkDir::temporary(self.work.path(), &format!("{name}-")),
            None => WorkDir::kept(self.work.file(&name)),
        }
    }

    /// The user's cache directory for Byway.
    pub fn cache(&self) -> Result<PathBuf, String> {
        if let Some(dir) = std::env::var_os("BYWAY_CACHE") {
            return Ok(dir.into());
        }
        let base = std::env::var_os("XDG_CACHE_HOME")
            .map(PathBuf::from)
            .or_else(|| std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".cache")));
        base.map(|dir| dir.join("byway"))
            .ok_or_else(|| "neither $BYWAY_CACHE, $XDG_CACHE_HOME nor $HOME is set".to_owned())
    }
}

/// A directory for files of a benchmark, removed on drop unless the user keeps files.
pub struct WorkDir {
    /// The absolute path.
    path: PathBuf,
    /// Removes the directory; `None` for one that is kept.
    guard: Option<TempDir>,
}

impl WorkDir {
    fn kept(path: PathBuf) -> Result<Self, String> {
        create_dir(&path)?;
        let path = path.canonicalize().map_err(|e| format!("{}: {e}", path.display()))?;
        Ok(WorkDir { path, guard: None })
    }

    /// The directory of this process. A benchmark stopped by a signal leaves its directory, often
    /// in memory and large, so the next one removes it.
    fn of_process(parent: &Path) -> Result<Self, String> {
        for entry in std::fs::read_dir(parent).into_iter().flatten().flatten() {
            let name = entry.file_name();
            let owner = name.to_str().and_then(owner_process);
            if owner.is_some_and(|id| !Path::new("/proc").join(id.to_string()).exists()) {
                drop(std::fs::remove_dir_all(entry.path()));
            }
        }
        WorkDir::temporary(parent, &format!("{PREFIX}{}-", std::process::id()))
    }

    fn temporary(parent: &Path, prefix: &str) -> Result<Self, String> {
        let make = || TempDir::with_prefix_in(prefix, parent.canonicalize()?);
        let guard =
            make().map_err(|e| format!("cannot make a folder in {}: {e}", parent.display()))?;
        Ok(WorkDir { path: guard.path().to_owned(), guard: Some(guard) })
    }

    /// The directory itself.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// A file in the directory.
    pub fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }
}

/// The names of directories in which benchmarks work: this, the process id, a random part.
const PREFIX: &str = "byway-bench-";

/// The process whose directory has this name.
fn owner_process(directory: &str) -> Option<u32> {
    directory.strip_prefix(PREFIX)?.split_once('-')?.0.parse().ok()
}

/// `$BYWAY`, else the executable beside this one.
fn find_byway() -> Result<PathBuf, String> {
    if let Some(path) = std::env::var_os("BYWAY") {
        return Ok(path.into());
    }
    let own = std::env::current_exe().map_err(|e| format!("cannot find myself: {e}"))?;
    let beside = own.with_file_name("byway");
    if beside.exists() {
        Ok(beside)
    } else {
        Err(format!("no {}: build byway first, or set $BYWAY", beside.display()))
    }
}

/// Makes a folder and those above it.
pub fn create_dir(path: &Path) -> Result<(), String> {
    std::fs::create_dir_all(path).map_err(|e| format!("cannot make {}: {e}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directories_of_ended_processes_are_removed() {
        let parent = tempfile::tempdir().expect("a directory");
        let make = |name: String| {
            let path = parent.path().join(name);
            create_dir(&path.join("run")).expect("a directory");
            path
        };
        // Linux has no process ids above four million.
        let ended = make("byway-bench-4999999-x".into());
        let kept = [make(format!("byway-bench-{}-x", std::process::id())), make("other".into())];
        let own = WorkDir::of_process(parent.path()).expect("a directory");
        assert!(own.path().is_dir() && !ended.exists() && kept.iter().all(|path| path.exists()));
    }
}
