//! The program of a run, as its manifest describes it: how to build it, its environment, and the
//! files it may read.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use byway_native::{BuildError, BuildSpec, ProgramSource, SourceKind};
use byway_rundir::{ByteString, RunManifest};

use crate::checks::CheckSet;
use crate::failure::{Failure, Result};
use crate::hash::Digest;
use crate::load::{self, FileKind, kind_of};

/// Warnings about source files that changed since the run.
pub fn changed_files(manifest: &RunManifest) -> Vec<String> {
    let changed = manifest.program.files.iter().filter(|file| {
        Digest::of_file(&path(&file.path)).is_ok_and(|digest| digest.to_string() != file.hash)
    });
    changed
        .map(|file| {
            let shown = path(&file.given);
            format!(
                "'{}' has changed since the run: lines and outcomes may differ",
                shown.display()
            )
        })
        .collect()
}

/// The native build of the program.
pub fn build_spec(
    manifest: &RunManifest,
    clang: Option<OsString>,
    time_limit: Duration,
) -> Result<BuildSpec> {
    let program = &manifest.program;
    let directory = path(&program.directory);
    if !directory.is_dir() {
        let shown = directory.display();
        return Err(Failure::new(format!(
            "'{shown}', where the run was started, no longer exists"
        )));
    }
    let source = |path: PathBuf| {
        let kind = kind_of(&path)?;
        let path = load::native::bitcode_file(&path, kind, time_limit)?;
        match kind {
            FileKind::C => Ok(ProgramSource { path, kind: SourceKind::C }),
            FileKind::Bitcode | FileKind::LlvmText | FileKind::Native => {
                Ok(ProgramSource { path, kind: SourceKind::Bitcode })
            }
            FileKind::Archive => Ok(ProgramSource { path, kind: SourceKind::Archive }),
            FileKind::Bwir => {
                Err(Failure::new(format!("'{}' cannot be compiled natively", path.display()))
                    .hint("Byway's own IR is for Byway; explore C or bitcode to replay it"))
            }
        }
    };
    // Named as in the run, so that __FILE__ expands to the same text.
    let sources = program.files.iter().map(|file| source(path(&file.given)));
    Ok(BuildSpec {
        sources: sources.collect::<Result<_>>()?,
        directory,
        clang: clang.unwrap_or_else(|| text(&program.compiler.clang)),
        optimise: program.compiler.optimise.clone(),
        options: program.compiler.options.iter().map(text).collect(),
        sanitizers: CheckSet::recorded(&manifest.config.checks)
            .sanitizers
            .into_iter()
            .map(str::to_string)
            .collect(),
        time_limit,
    })
}

/// An error if the run starts in a function: then the program itself runs no test of it.
pub fn require_main(manifest: &RunManifest, command: &str) -> Result<()> {
    let Some(entry) = &manifest.config.entry else { return Ok(()) };
    Err(Failure::new(format!(
        "'byway {command}' runs the program from main, but this run starts in '{}'",
        entry.function
    ))
    .hint("'byway replay' runs its tests, by harnesses that call the function"))
}

/// The absolute path of an executable that the user names.
pub fn executable_path(path: &Path) -> Result<PathBuf> {
    let found = absolute(path)?;
    match found.is_file() {
        true => Ok(found),
        false => Err(Failure::new(format!("'{}' is not a program", path.display()))),
    }
}

/// The canonical path; an error if it does not exist.
pub fn absolute(path: &Path) -> Result<PathBuf> {
    fs::canonicalize(path).map_err(|error| Failure::io("read", path, &error))
}

/// The environment of the program in the run.
pub fn environment(manifest: &RunManifest) -> Vec<Vec<u8>> {
    manifest.program.env.iter().map(|entry| entry.bytes().to_vec()).collect()
}

/// Directories and files of the machine that the program may read.
pub fn visible_paths(manifest: &RunManifest) -> Vec<PathBuf> {
    let directory = path(&manifest.program.directory);
    let absolute = |name: &ByteString| directory.join(path(name));
    manifest.program.host_files.iter().map(absolute).flat_map(fs::canonicalize).collect()
}

/// A string of the manifest.
pub fn text(text: &ByteString) -> OsString {
    OsStr::from_bytes(text.bytes()).to_os_string()
}

/// A path of the manifest.
pub fn path(name: &ByteString) -> PathBuf {
    text(name).into()
}

/// The failure of a native build. `task` names it if the user interrupted it.
pub fn build_failure(error: BuildError, task: &str) -> Failure {
    match error {
        BuildError::Stopped => Failure::interrupted_while(task),
        other => Failure::new(other.to_string()).detail(other.tool_output()),
    }
}
