//! Coverage of inputs by the program that gcc compiled for gcov.

use std::collections::BTreeMap;
use std::fs;
use std::process::Command;
use std::time::Duration;

use serde::Deserialize;

use super::programs::BuiltPrograms;
use crate::process;
use crate::setup::{BenchSetup, WorkDir};

/// The longest run of the program on one input.
const LONGEST_RUN: Duration = Duration::from_secs(10);
const GCOV_LIMIT: Duration = Duration::from_secs(60);

/// Lines of the parser's own files that some input executes, and all of them.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct CoveredLines {
    pub covered: usize,
    pub all: usize,
}

impl CoveredLines {
    /// The covered part.
    pub fn part(self) -> f64 {
        self.covered as f64 / self.all.max(1) as f64
    }
}

/// Runs a program on inputs and returns what they cover of its parser.
pub fn measure(
    setup: &BenchSetup,
    built: &BuiltPrograms,
    program: &str,
    inputs: &[Vec<u8>],
) -> Result<CoveredLines, String> {
    let folder = setup.folder("gcov")?;
    for input in inputs {
        let mut command = Command::new(built.gcov(program));
        // Counts go to this folder, not to the one in which the program was compiled.
        command.env("GCOV_PREFIX", folder.path()).env("GCOV_PREFIX_STRIP", "99");
        process::run(&mut command, input, LONGEST_RUN)?;
    }
    read(built, program, &folder)
}

/// Reads the counts of all runs.
fn read(built: &BuiltPrograms, program: &str, folder: &WorkDir) -> Result<CoveredLines, String> {
    let from = built.gcov(program);
    let from = from.parent().ok_or("no folder of gcov's builds")?;
    let unreadable = |error| format!("cannot read {}: {error}", from.display());
    let mut command = Command::new("gcov");
    command.args(["--json-format", "--stdout"]).current_dir(folder.path());
    let mut has_notes = false;
    for entry in fs::read_dir(from).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let is_own = stem.rsplit_once('-').is_some_and(|(name, _)| name == program);
        if is_own && path.extension().is_some_and(|extension| extension == "gcno") {
            let notes = format!("{stem}.gcno");
            fs::copy(&path, folder.file(&notes)).map_err(unreadable)?;
            command.arg(notes);
            has_notes = true;
        }
    }
    if !has_notes {
        return Err(format!("gcov has no notes of {program}"));
    }
    let printed = process::succeed(&mut command, GCOV_LIMIT)?;
    count(&printed.stdout, program)
}

/// What gcov prints for an object file.
#[derive(Deserialize)]
struct ObjectRecord {
    files: Vec<GcovFile>,
}

#[derive(Deserialize)]
struct GcovFile {
    file: String,
    lines: Vec<GcovLine>,
}

#[derive(Deserialize)]
struct GcovLine {
    line_number: u32,
    count: u64,
}

/// Counts lines of the folder that has the name of the program.
fn count(printed: &[u8], program: &str) -> Result<CoveredLines, String> {
    let folder = format!("{program}/");
    let mut lines: BTreeMap<(String, u32), bool> = BTreeMap::new();
    for object in serde_json::Deserializer::from_slice(printed).into_iter::<ObjectRecord>() {
        let object = object.map_err(|error| format!("cannot read what gcov prints: {error}"))?;
        for file in object.files.into_iter().filter(|file| file.file.starts_with(&folder)) {
            for line in file.lines {
                let is_covered = lines.entry((file.file.clone(), line.line_number)).or_default();
                *is_covered |= line.count > 0;
            }
        }
    }
    let covered = lines.values().filter(|&&is_covered| is_covered).count();
    Ok(CoveredLines { covered, all: lines.len() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_the_parser_count_once() {
        let line = |number, count| format!("{{\"line_number\": {number}, \"count\": {count}}}");
        let file = |name, lines: [String; 2]| {
            format!("{{\"file\": \"{name}\", \"lines\": [{}]}}", lines.join(","))
        };
        let object = |files: [String; 2]| format!("{{\"files\": [{}]}}\n", files.join(","));
        let printed = object([
            file("yajl/a.c", [line(1, 0), line(2, 5)]),
            file("input.h", [line(1, 1), line(2, 1)]),
        ]) + &object([
            file("yajl/a.h", [line(1, 0), line(1, 3)]),
            file("yajl/a.c", [line(1, 0), line(2, 0)]),
        ]);
        let counted = count(printed.as_bytes(), "yajl").expect("lines");
        assert_eq!(counted, CoveredLines { covered: 2, all: 3 });
        assert!(count(b"{", "yajl").is_err());
    }
}
