//! Creates the directory of a run: a new one beside the program, or the one that
//! `--output-dir` names, if it is empty.

use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use crate::error::{Result, RunDirError, reason};

/// Directories beside the program have this name and a number.
const NAME: &str = "byway-out-";
/// The link to the last of them.
const LAST: &str = "byway-last";

/// The directory of a run; empty unless the run goes on.
pub struct RunDirectory {
    path: PathBuf,
    /// It has a number of ours, so `byway-last` should point to it.
    numbered: bool,
    existed: bool,
}

impl RunDirectory {
    /// Creates the directory the user names, or else a numbered one beside the program.
    pub fn create(named: Option<&Path>, program: &Path) -> Result<Self> {
        match named {
            Some(dir) => {
                let existed = dir.exists();
                Ok(RunDirectory { path: create_named(dir)?, numbered: false, existed })
            }
            None => {
                let beside = program.parent().unwrap_or(Path::new(""));
                let path = create_numbered(beside)?;
                Ok(RunDirectory { path, numbered: true, existed: false })
            }
        }
    }

    /// The directory of a run that goes on.
    pub fn existing(path: &Path) -> Self {
        RunDirectory { path: path.to_path_buf(), numbered: false, existed: true }
    }

    /// Relative if the name it was made from was.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Removes the directory if it is empty and this run created it.
    pub fn discard(&self) {
        if !self.existed {
            // A directory that cannot be removed does no harm.
            let _ = fs::remove_dir(&self.path);
        }
    }

    /// Makes `byway-last` a link to a numbered directory. A file of that name that is not a
    /// link stays.
    pub fn link_as_last(&self) {
        let (Some(name), true) = (self.path.file_name(), self.numbered) else { return };
        let link = self.path.with_file_name(LAST);
        if link.symlink_metadata().is_ok_and(|it| !it.is_symlink()) {
            return;
        }
        // Renaming a new link over the old one keeps a link there at all times. The link is a
        // convenience: on a file system without links there is none.
        let partial = self.path.with_file_name(format!(".{LAST}.{}", std::process::id()));
        if symlink(name, &partial).is_ok() && fs::rename(&partial, link).is_err() {
            let _ = fs::remove_file(partial);
        }
    }
}

fn create_named(dir: &Path) -> Result<PathBuf> {
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
            let shown = dir.display();
            Err(RunDirError::new(format!("the output directory '{shown}' is not empty"))
                .with_hint(format!("'{}' is free", next_free(dir).display())))
        }
    }
}

/// The first of `dir-2`, `dir-3`, ... that does not exist.
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

/// Creates the directory with the number after the highest existing one.
fn create_numbered(beside: &Path) -> Result<PathBuf> {
    let listed = if beside.as_os_str().is_empty() { Path::new(".") } else { beside };
    let failed = |error: io::Error| {
        let shown = listed.display();
        let reason = reason(&error);
        RunDirError::new(format!("cannot make an output directory in '{shown}': {reason}"))
            .with_hint("--output-dir names another directory")
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
            // Another run took this number first.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && next < u64::MAX => {}
            Err(error) => return Err(failed(error)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tempfile::TempDir;

    fn name(directory: &RunDirectory) -> String {
        directory.path().file_name().expect("a name").to_string_lossy().into_owned()
    }

    #[test]
    fn numbers_rise_and_the_link_follows() {
        let dir = TempDir::new().expect("a directory");
        let program = dir.path().join("a.c");
        for number in 1..=3 {
            let directory = RunDirectory::create(None, &program).expect("a directory");
            assert_eq!(name(&directory), format!("byway-out-{number}"));
            directory.link_as_last();
            let link = fs::read_link(dir.path().join(LAST)).expect("a link");
            assert_eq!(link, Path::new(&name(&directory)));
        }
        // A removed directory's number is not used again.
        fs::remove_dir(dir.path().join("byway-out-1")).expect("removable");
        let fourth = RunDirectory::create(None, &program).expect("a directory");
        assert_eq!(name(&fourth), "byway-out-4");
        assert_eq!(fs::read_dir(dir.path()).expect("the directory").count(), 4);
    }

    #[test]
    fn a_file_with_the_links_name_stays() {
        let dir = TempDir::new().expect("a directory");
        fs::write(dir.path().join(LAST), "mine").expect("a file");
        let program = dir.path().join("a.c");
        RunDirectory::create(None, &program).expect("a directory").link_as_last();
        assert_eq!(fs::read(dir.path().join(LAST)).expect("the file"), b"mine");
    }

    #[test]
    fn a_named_directory_is_created_or_must_be_empty() {
        let dir = TempDir::new().expect("a directory");
        let create = |dir: &Path| RunDirectory::create(Some(dir), Path::new("a.c"));
        let deep = dir.path().join("deep/down");
        create(&deep).expect("a directory").link_as_last();
        assert_eq!(fs::read_dir(dir.path().join("deep")).expect("it").count(), 1, "no link");
        create(&deep).expect("it is empty");
        fs::write(deep.join("file"), "x").expect("a file");
        fs::create_dir(dir.path().join("deep/down-2")).expect("a directory");
        let refused = create(&deep).err().expect("not empty");
        assert!(refused.to_string().contains("deep/down-3' is free"), "{refused}");
        let file = deep.join("file");
        let refused = create(&file).err().expect("a file");
        assert!(refused.to_string().contains("a file is there"), "{refused}");
        let below = create(&file.join("x")).err();
        assert!(below.expect("below a file").to_string().contains("a file is there"));
    }
}
