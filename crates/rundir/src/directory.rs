//! Where a run's directory is made: a new one beside the program, or the one the
//! user names, as long as nothing would be mixed up with what is in it.

use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use crate::error::{Result, RunDirError, reason};

/// What directories beside the program are called, with a number behind.
const NAME: &str = "byway-out-";
/// The link to the last of them.
const LAST: &str = "byway-last";

/// A directory for a run, made and empty.
pub struct RunDirectory {
    dir: PathBuf,
    /// Whether we chose it, so that a link should lead to it.
    numbered: bool,
    /// Whether it was there before.
    found: bool,
}

impl RunDirectory {
    /// The directory the user names; else a fresh one beside the program.
    pub fn make(wanted: Option<&Path>, program: &Path) -> Result<Self> {
        match wanted {
            Some(dir) => {
                let found = dir.exists();
                Ok(RunDirectory { dir: named(dir)?, numbered: false, found })
            }
            None => {
                let beside = program.parent().unwrap_or(Path::new(""));
                Ok(RunDirectory { dir: fresh(beside)?, numbered: true, found: false })
            }
        }
    }

    /// The directory.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Removes the directory if it is empty again and was not there before.
    pub fn discard(&self) {
        if !self.found {
            // What cannot be removed does no harm.
            let _ = fs::remove_dir(&self.dir);
        }
    }

    /// Leads the link to the last run here. A file that is no link is left alone.
    pub fn link(&self) {
        let (Some(name), true) = (self.dir.file_name(), self.numbered) else { return };
        let link = self.dir.with_file_name(LAST);
        if link.symlink_metadata().is_ok_and(|it| !it.is_symlink()) {
            return;
        }
        // Made under another name first, so that there is always one. It is a
        // convenience: a file system without links has none.
        let partial = self.dir.with_file_name(format!(".{LAST}.{}", std::process::id()));
        if symlink(name, &partial).is_ok() && fs::rename(&partial, link).is_err() {
            let _ = fs::remove_file(partial);
        }
    }
}

fn named(dir: &Path) -> Result<PathBuf> {
    fs::create_dir_all(dir).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists | io::ErrorKind::NotADirectory => RunDirError::new(format!(
            "'{}' cannot be the output directory: a file is there",
            dir.display()
        )),
        _ => RunDirError::io("make the output directory", dir, &error),
    })?;
    let mut entries = fs::read_dir(dir).map_err(|error| RunDirError::io("read", dir, &error))?;
    match entries.next() {
        None => Ok(dir.to_path_buf()),
        Some(_) => {
            Err(RunDirError::new(format!("the output directory '{}' is not empty", dir.display()))
                .with_hint(format!("'{}' is free", next_free(dir).display())))
        }
    }
}

/// The first directory of the name with a number behind that is not there.
fn next_free(dir: &Path) -> PathBuf {
    let name = dir.components().next_back().map_or(Default::default(), |part| part.as_os_str());
    let numbered = |number: u32| {
        let mut name = name.to_os_string();
        name.push(format!("-{number}"));
        match dir.parent() {
            Some(parent) => parent.join(name),
            None => PathBuf::from(name),
        }
    };
    (2..).map(numbered).find(|path| path.symlink_metadata().is_err()).unwrap_or_default()
}

/// Makes the directory with the number after the highest that is there.
fn fresh(beside: &Path) -> Result<PathBuf> {
    let listed = if beside.as_os_str().is_empty() { Path::new(".") } else { beside };
    let failed = |error: io::Error| {
        let shown = listed.display();
        RunDirError::new(format!(
            "no output directory can be made in '{shown}': {}",
            reason(&error)
        ))
        .with_hint("--output-dir names another place")
    };
    let number = |name: &str| name.strip_prefix(NAME)?.parse::<u64>().ok();
    let entries = fs::read_dir(listed).map_err(failed)?.flatten();
    let highest = entries.filter_map(|entry| number(entry.file_name().to_str()?)).max();
    let mut next = highest.unwrap_or(0);
    loop {
        next = next.saturating_add(1);
        let dir = beside.join(format!("{NAME}{next}"));
        match fs::create_dir(&dir) {
            Ok(()) => return Ok(dir),
            // Another run was quicker.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && next < u64::MAX => {}
            Err(error) => return Err(failed(error)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tempfile::TempDir;

    fn name(place: &RunDirectory) -> String {
        place.dir().file_name().expect("a name").to_string_lossy().into_owned()
    }

    #[test]
    fn numbers_rise_and_the_link_follows() {
        let dir = TempDir::new().expect("a directory");
        let program = dir.path().join("a.c");
        for number in 1..=3 {
            let place = RunDirectory::make(None, &program).expect("a place");
            assert_eq!(name(&place), format!("byway-out-{number}"));
            place.link();
            let link = fs::read_link(dir.path().join(LAST)).expect("a link");
            assert_eq!(link, Path::new(&name(&place)));
        }
        // Results are not overwritten because older ones were removed.
        fs::remove_dir(dir.path().join("byway-out-1")).expect("removable");
        assert_eq!(name(&RunDirectory::make(None, &program).expect("a place")), "byway-out-4");
        assert_eq!(fs::read_dir(dir.path()).expect("the directory").count(), 4);
    }

    #[test]
    fn a_file_called_like_the_link_stays() {
        let dir = TempDir::new().expect("a directory");
        fs::write(dir.path().join(LAST), "mine").expect("a file");
        RunDirectory::make(None, &dir.path().join("a.c")).expect("a place").link();
        assert_eq!(fs::read(dir.path().join(LAST)).expect("the file"), b"mine");
    }

    #[test]
    fn a_named_directory_is_made_or_must_be_empty() {
        let dir = TempDir::new().expect("a directory");
        let deep = dir.path().join("deep/down");
        let place = RunDirectory::make(Some(&deep), Path::new("a.c")).expect("a place");
        place.link();
        assert_eq!(fs::read_dir(dir.path().join("deep")).expect("it").count(), 1, "no link");
        RunDirectory::make(Some(&deep), Path::new("a.c")).expect("it is empty");
        fs::write(deep.join("file"), "x").expect("a file");
        fs::create_dir(dir.path().join("deep/down-2")).expect("a directory");
        let refused = RunDirectory::make(Some(&deep), Path::new("a.c")).err().expect("not empty");
        assert!(refused.to_string().contains("deep/down-3' is free"), "{refused}");
        let file = deep.join("file");
        let refused = RunDirectory::make(Some(&file), Path::new("a.c")).err().expect("a file");
        assert!(refused.to_string().contains("a file is there"), "{refused}");
        let below = RunDirectory::make(Some(&file.join("x")), Path::new("a.c")).err();
        assert!(below.expect("below a file").to_string().contains("a file is there"));
    }
}
