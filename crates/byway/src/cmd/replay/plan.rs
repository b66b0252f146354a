//! What a run's directory says about its tests: which there are, how each should end,
//! and how to compile the program they are for.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use byway_base::TestCase;
use byway_native::{BuildSpec, NativeJob, ProgramSource, SourceKind};
use byway_rundir::{ByteString, OutcomeRecord, RunManifest, RunReader};
use byway_testcase::ktest;
use byway_testcase::symbolic::ProgramInput;

use crate::failure::{Failure, Result, reason};
use crate::hash::Digest;
use crate::load::{Kind, kind_of};

/// A test of the run.
pub struct Planned {
    /// The number of its path.
    pub number: u64,
    /// The name of its file.
    pub name: String,
    /// How its path ended; `None` if the run was killed before it could say.
    pub outcome: Option<OutcomeRecord>,
    /// Whether its fault happened in the C library, called by the line to blame.
    pub in_library: bool,
    /// How many instructions its path took, as far as it went.
    pub instructions: Option<u64>,
}

/// So many instructions are run of a test of whose path nothing is known, and more than
/// its path took of one that has ended.
const LEEWAY: u64 = 10_000_000;

impl Planned {
    /// Whether its path came to an end of its own, and was not cut off by a limit, by the
    /// end of the run, or by whoever stopped it.
    pub fn has_ended(&self) -> bool {
        self.outcome.as_ref().is_some_and(|outcome| !outcome.is_truncated())
    }

    /// How many instructions of it are run again: as many as its path took if that was cut
    /// off, since it may never end. One that ended will do so again, a bit later at most.
    pub fn instruction_limit(&self) -> u64 {
        match (self.instructions, self.has_ended()) {
            (Some(taken), false) => taken,
            (Some(taken), true) => taken.saturating_mul(2).saturating_add(LEEWAY),
            (None, _) => LEEWAY,
        }
    }
}

/// A test, read: what a native run of it takes.
pub struct Loaded {
    /// Its inputs.
    pub inputs: TestCase,
    bytes: Vec<u8>,
    env: Vec<Vec<u8>>,
    /// What they mean.
    pub input: ProgramInput,
}

impl Loaded {
    /// Reads a test of a program that has this environment beside the test's own.
    pub fn read(file: &Path, env: &[Vec<u8>]) -> std::result::Result<Loaded, String> {
        let inputs = ktest::read(file).map_err(|error| reason(&error))?;
        let input = ProgramInput::from_test(&inputs)?;
        let bytes = fs::read(file).map_err(|error| reason(&error))?;
        let variables = input.variables.iter();
        let variables = variables.map(|(name, value)| [name, b"=".as_slice(), value].concat());
        let env = env.iter().cloned().chain(variables).collect();
        Ok(Loaded { inputs, bytes, env, input })
    }

    /// The test, to be run within this time.
    pub fn job(&self, time_limit: Duration) -> NativeJob<'_> {
        NativeJob {
            test: &self.bytes,
            consumed_inputs: self.input.consumed_inputs,
            args: &self.input.arguments,
            env: &self.env,
            stdin: self.input.stdin.as_deref().unwrap_or_default(),
            files: &self.input.files,
            time_limit,
        }
    }
}

/// The tests of a run by their numbers, or those of them that are wanted.
pub fn tests(run: &RunReader, wanted: Option<&[u64]>) -> Result<Vec<Planned>> {
    let in_library: BTreeMap<u64, bool> = run
        .faults()?
        .iter()
        .map(|fault| (fault.id, fault.stack.first().is_some_and(|frame| !frame.user)))
        .collect();
    let mut tests = BTreeMap::new();
    for record in run.paths()? {
        let record = record?;
        let Some(name) = record.test else { continue };
        let in_library = match record.outcome {
            OutcomeRecord::Fault { id, .. } => in_library.get(&id).copied().unwrap_or(false),
            _ => false,
        };
        let (number, instructions) = (record.path, Some(record.instructions));
        let outcome = Some(record.outcome);
        tests.insert(number, Planned { number, name, outcome, in_library, instructions });
    }
    for (number, name) in run.test_files()? {
        let unsaid =
            || Planned { number, name, outcome: None, in_library: false, instructions: None };
        tests.entry(number).or_insert_with(unsaid);
    }
    if let Some(wanted) = wanted {
        let wanted: BTreeSet<u64> = wanted.iter().copied().collect();
        if let Some(missing) = wanted.iter().find(|number| !tests.contains_key(number)) {
            let shown = run.dir().display();
            return Err(Failure::new(format!("'{shown}' has no test {missing}")));
        }
        tests.retain(|number, _| wanted.contains(number));
    }
    Ok(tests.into_values().collect())
}

/// What is no longer as it was when the run was made, in words.
pub fn changes(manifest: &RunManifest) -> Vec<String> {
    let changed = manifest.program.files.iter().filter(|file| {
        Digest::of_file(&path(&file.path)).is_ok_and(|digest| digest.to_string() != file.hash)
    });
    changed
        .map(|file| {
            let shown = path(&file.given);
            format!("'{}' has changed since the run: lines and endings may differ", shown.display())
        })
        .collect()
}

/// How to compile the program.
pub fn recipe(
    manifest: &RunManifest,
    clang: Option<OsString>,
    time_limit: Duration,
) -> Result<BuildSpec> {
    let program = &manifest.program;
    let directory = path(&program.directory);
    if !directory.is_dir() {
        let shown = directory.display();
        return Err(Failure::new(format!("'{shown}', where the run was started, is not there")));
    }
    let source = |path: PathBuf| match kind_of(&path)? {
        Kind::C => Ok(ProgramSource { path, kind: SourceKind::C }),
        Kind::Bitcode | Kind::LlvmText => Ok(ProgramSource { path, kind: SourceKind::Bitcode }),
        Kind::Archive => Ok(ProgramSource { path, kind: SourceKind::Archive }),
        Kind::Bwir => {
            Err(Failure::new(format!("'{}' cannot be compiled natively", path.display()))
                .hint("Byway's own IR is for Byway; explore C or bitcode to replay it"))
        }
    };
    // As they were named, so that they say the same of themselves (__FILE__).
    let sources = program.files.iter().map(|file| source(path(&file.given)));
    Ok(BuildSpec {
        sources: sources.collect::<Result<_>>()?,
        directory,
        clang: clang.unwrap_or_else(|| text(&program.compiler.clang)),
        optimise: program.compiler.optimise.clone(),
        options: program.compiler.options.iter().map(text).collect(),
        time_limit,
    })
}

/// The user's own program.
pub fn binary(path: &Path) -> Result<PathBuf> {
    let found = absolute(path)?;
    match found.is_file() {
        true => Ok(found),
        false => Err(Failure::new(format!("'{}' is not a program", path.display()))),
    }
}

/// The path from the root on.
pub fn absolute(path: &Path) -> Result<PathBuf> {
    fs::canonicalize(path).map_err(|error| Failure::io("read", path, &error))
}

/// The environment the program was given.
pub fn environment(manifest: &RunManifest) -> Vec<Vec<u8>> {
    manifest.program.env.iter().map(|entry| entry.bytes().to_vec()).collect()
}

/// The directories of the machine that it may read.
pub fn shown(manifest: &RunManifest) -> Vec<PathBuf> {
    let directory = path(&manifest.program.directory);
    let absolute = |shown: &ByteString| directory.join(path(shown));
    manifest.program.host_files.iter().map(absolute).flat_map(fs::canonicalize).collect()
}

/// A text of the manifest as the system has it.
pub fn text(text: &ByteString) -> OsString {
    OsStr::from_bytes(text.bytes()).to_os_string()
}

/// A name of the manifest as a path.
pub fn path(name: &ByteString) -> PathBuf {
    text(name).into()
}
