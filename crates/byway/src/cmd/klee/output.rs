//! The output directory: `klee-out-N` beside the program, and the link `klee-last`.

use std::fs;
use std::io::ErrorKind;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use super::absolute;
use super::settings::KleeSettings;
use crate::failure::{Failure, Result};

/// A directory for the results of one run, as an absolute path.
#[derive(Debug)]
pub struct OutputDirectory(PathBuf);

impl OutputDirectory {
    /// Creates the directory that was named, or else a numbered one beside the program. As in
    /// KLEE, it must not exist.
    pub fn create(settings: &KleeSettings) -> Result<OutputDirectory> {
        create(settings).map(OutputDirectory)
    }

    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Removes the directory of a run that could not begin.
    pub fn remove_if_unused(&self) {
        let has_run = self.0.join("manifest.json").exists();
        // What cannot be removed does no harm.
        let _ = if has_run { Ok(()) } else { fs::remove_dir_all(&self.0) };
    }
}

fn create(settings: &KleeSettings) -> Result<PathBuf> {
    match &settings.output {
        Some(named) => {
            let directory = absolute(named)?;
            fs::create_dir(&directory).map_err(|error| cannot_create(&directory, &error))?;
            Ok(directory)
        }
        None if settings.program == Path::new("-") => create_numbered(&absolute(Path::new("."))?),
        None => {
            let program = absolute(&settings.program)?;
            create_numbered(program.parent().unwrap_or(Path::new("/")))
        }
    }
}

fn create_numbered(beside: &Path) -> Result<PathBuf> {
    for number in 0_u32.. {
        let name = format!("klee-out-{number}");
        let directory = beside.join(&name);
        match fs::create_dir(&directory) {
            Ok(()) => {
                link_as_last(beside, &name);
                return Ok(directory);
            }
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(cannot_create(&directory, &error)),
        }
    }
    Err(Failure::new(format!("all numbers of klee-out-N are in use in '{}'", beside.display())))
}

/// The link is a convenience: on a file system without links there is none, and a file of that name
/// stays.
fn link_as_last(beside: &Path, name: &str) {
    let link = beside.join("klee-last");
    if link.symlink_metadata().is_ok_and(|it| it.is_symlink()) {
        // If it stays, the new link fails.
        let _ = fs::remove_file(&link);
    }
    let _ = symlink(name, link);
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
            let created = create(&settings).expect("a directory");
            assert_eq!(created, folder.path().join(format!("klee-out-{number}")));
            let last = fs::read_link(folder.path().join("klee-last")).expect("a link");
            assert_eq!(last, Path::new(&format!("klee-out-{number}")));
        }
        let named = KleeSettings { output: Some(folder.path().join("klee-out-1")), ..settings };
        let failure = create(&named).expect_err("it exists");
        assert!(failure.to_string().contains("cannot create"), "{failure}");
    }
}
