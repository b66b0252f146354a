//! What every measurement needs: the repository, the compiler, byway, a place
//! for files.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::toolchain::Toolchain;

/// The set-up of one run.
pub struct Lab {
    /// The compiler.
    pub toolchain: Toolchain,
    /// The root of the repository.
    pub root: PathBuf,
    byway: PathBuf,
    work: PathBuf,
    keep: bool,
    folders: AtomicUsize,
}

impl Lab {
    /// Finds everything; files go below `keep` and stay, or below a folder that
    /// is removed at the end.
    pub fn new(keep: Option<PathBuf>) -> Result<Self, String> {
        let kept = keep.is_some();
        Lab::below(keep.unwrap_or_else(|| temporary(&std::env::temp_dir())), kept)
    }

    /// Like [`Lab::new`], with files in memory where the system offers that: for
    /// measuring programs that write thousands of them. How fast a disk's file
    /// system makes files depends on how many were removed minutes ago.
    pub fn in_memory() -> Result<Self, String> {
        let memory = PathBuf::from("/dev/shm");
        let parent = if memory.is_dir() { memory } else { std::env::temp_dir() };
        Lab::below(temporary(&parent), false)
    }

    fn below(work: PathBuf, keep: bool) -> Result<Self, String> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().ok_or("no repository")?;
        create_dir(&work)?;
        Ok(Lab {
            toolchain: Toolchain::find(&work)?,
            root: root.to_owned(),
            byway: find_byway()?,
            work: work.canonicalize().map_err(|e| format!("{}: {e}", work.display()))?,
            keep,
            folders: AtomicUsize::new(0),
        })
    }

    /// A command that runs byway.
    pub fn byway(&self) -> Command {
        Command::new(&self.byway)
    }

    /// A new empty folder. It disappears with what is returned, unless files
    /// are kept.
    pub fn folder(&self, name: &str) -> Result<Folder, String> {
        let name: String =
            name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
        let number = self.folders.fetch_add(1, Ordering::Relaxed);
        let name = if self.keep { name } else { format!("{number}-{name}") };
        let path = self.work.join(name);
        create_dir(&path)?;
        Ok(Folder { path, keep: self.keep })
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

impl Drop for Lab {
    fn drop(&mut self) {
        if !self.keep {
            // A folder left behind in the temporary directory harms nobody.
            drop(std::fs::remove_dir_all(&self.work));
        }
    }
}

/// A folder for the files of one program.
pub struct Folder {
    path: PathBuf,
    keep: bool,
}

impl Folder {
    /// The folder itself.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// A file in the folder.
    pub fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        if !self.keep {
            drop(std::fs::remove_dir_all(&self.path));
        }
    }
}

/// A folder of this process.
fn temporary(parent: &Path) -> PathBuf {
    parent.join(format!("byway-bench-{}", std::process::id()))
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
