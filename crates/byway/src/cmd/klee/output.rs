//! The output directory: `klee-out-N` beside the program, and the link `klee-last`.

use std::fs;
use std::io::ErrorKind;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use super::absolute;
use super::settings::KleeSettings;
use crate::failure::{Failure, Result};

/// A directory for the results of one run.
#[derive(PartialEq, Eq, Debug)]
pub struct OutputDirectory {
    /// An absolute path.
    path: PathBuf,
    /// Whether its name has a number, so that there is a link to the last one.
    is_numbered: bool,
}

impl OutputDirectory {
    /// Creates the directory that was named, or else a numbered one beside the program. As in
    /// KLEE, it must not exist.
    pub fn create(settings: &KleeSettings) -> Result<OutputDirectory> {
        match &settings.output {
            Some(named) => {
                let path = absolute(named)?;
                fs::create_dir(&path).map_err(|error| cannot_create(&path, &error))?;
                Ok(OutputDirectory { path, is_numbered: false })
            }
            None if settings.program == Path::new("-") => {
                create_numbered(&absolute(Path::new("."))?)
            }
            None => {
                let program = absolute(&settings.program)?;
                create_numbered(program.parent().unwrap_or(Path::new("/")))
            }
        }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Makes the link to it; the run is about to begin. The link is a convenience: on a file system
    /// without links there is none, and a file of that name stays.
    pub fn link_as_last(&self) {
        if !self.is_numbered {
            return;
        }
        let link = self.path.with_file_name("klee-last");
        if link.symlink_metadata().is_ok_and(|it| it.is_symlink()) {
            // If it stays, the new link fails.
            let _ = fs::remove_file(&link);
        }
        let _ = symlink(self.path.file_name().unwrap_or_default(), link);
    }

    /// Removes the directory of a run that could not begin.
    pub fn remove_if_unused(&self) {
        let has_run = self.path.join("manifest.json").exists();
        // What cannot be removed does no harm.
        let _ = if has_run { Ok(()) } else { fs::remove_dir_all(&self.path) };
    }
}

fn create_numbered(beside: &Path) -> Result<OutputDirectory> {
    for number in 0_u32.. {
        let path = beside.join(format!("klee-out-{number}"));
        match fs::create_dir(&path) {
            Ok(()) => return Ok(OutputDirectory { path, is_numbered: true }),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(cannot_create(&path, &error)),
        }
    }
    Err(Failure::new(format!("all numbers of klee-out-N are in use in '{}'", beside.display())))
}

fn cannot_create(directory: &Path, error: &std::io::Error) -> Failure {
    let shown = directory.display();
    Failure::new(format!("cannot create \"{shown}\": {}", crate::failure::reason(error)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tempfile::TempDir;

    #[test]
    fn numbers_begin_with_zero_and_the_link_follows() {
        let folder = TempDir::new().expect("a directory");
        let settings =
            KleeSettings { program: folder.path().join("a.bc"), ..KleeSettings::default() };
        for number in 0..3 {
            let created = OutputDirectory::create(&settings).expect("a directory");
            assert_eq!(created.path(), folder.path().join(format!("klee-out-{number}")));
            created.link_as_last();
            let last = fs::read_link(folder.path().join("klee-last")).expect("a link");
            assert_eq!(last, Path::new(&format!("klee-out-{number}")));
        }
        // A run that could not begin leaves the link as it is.
        OutputDirectory::create(&settings).expect("a directory").remove_if_unused();
        let last = fs::read_link(folder.path().join("klee-last")).expect("a link");
        assert_eq!(last, Path::new("klee-out-2"));
        let named = KleeSettings { output: Some(folder.path().join("klee-out-1")), ..settings };
        let failure = OutputDirectory::create(&named).expect_err("it exists");
        assert!(failure.to_string().contains("cannot create"), "{failure}");
    }
}
