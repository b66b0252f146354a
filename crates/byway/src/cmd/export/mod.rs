//! `byway export`: makes files of a run's tests that are in its pack.

mod flags;

use std::fs;
use std::path::Path;

use byway_base::quantity::plural;
use byway_progress::{JobProgress, ProgressMode};
use byway_rundir::RunReader;
use byway_testcase::atomic;

pub use flags::{EXAMPLES, ExportFlags};

use crate::console::say;
use crate::exit;
use crate::failure::{Failure, Result, reason};
use crate::interrupt;

/// `byway export`: makes files of a run's tests that are in its pack.
pub fn export(flags: &ExportFlags) -> Result<u8> {
    let run = RunReader::open(&flags.run)?;
    let mut names = run.test_names()?;
    if let Some(missing) = flags.numbers.iter().find(|number| !names.contains_key(number)) {
        let shown = flags.run.display();
        return Err(Failure::new(format!("'{shown}' has no test {missing}")));
    }
    if !flags.numbers.is_empty() {
        names.retain(|number, _| flags.numbers.contains(number));
    }
    if let Some(directory) = &flags.to {
        fs::create_dir_all(directory).map_err(|error| Failure::io("make", directory, &error))?;
    }
    let mut progress = JobProgress::new(ProgressMode::for_stderr(), "exporting", names.len());
    let (mut written, mut damaged) = (0, Vec::new());
    for name in names.values() {
        if interrupt::requested() {
            return Err(Failure::interrupted_while("exporting tests"));
        }
        let file = flags.to.as_ref().map_or_else(|| run.test_path(name), |dir| dir.join(name));
        if !file.exists() {
            match run.read_test(name) {
                Ok(bytes) => {
                    write(&file, &bytes)?;
                    written += 1;
                }
                Err(error) => damaged.push(format!("{name}: {}", reason(&error))),
            }
        }
        progress.finished(String::new);
    }
    drop(progress);
    let directory = flags.to.clone().unwrap_or_else(|| run.dir().join("tests"));
    say(&format!("byway: {} written to {}", plural(written, "test"), directory.display()));
    match damaged.first() {
        None => Ok(exit::SUCCESS),
        Some(first) => {
            let tests = plural(damaged.len() as u64, "test");
            Err(Failure::new(format!("{tests} could not be read: the first is {first}")))
        }
    }
}

fn write(file: &Path, bytes: &[u8]) -> Result<()> {
    atomic::write(file, bytes).map_err(|error| Failure::io("write", file, &error))
}
