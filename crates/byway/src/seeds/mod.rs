//! Reads initial inputs from files: tests, command lines, and files of a fuzzer.
//!
//! ```text
//! DIR/*.ktest   a test, ours or KLEE's         ─┐
//! DIR/*.args    command lines, one a line      ─┼─ [`file`] ──→ byway_engine::Seed
//! DIR/*         contents of standard input, ...─┘
//! ```
//!
//! An unusable file is reported with the reason and skipped; it never ends a run.

mod command_line;
mod concrete_command;
mod file;

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use byway_engine::{Invocation, Seed};
use byway_rundir::{OutcomeRecord, RunReader, test_name};
use byway_testcase::ktest;
use byway_testcase::symbolic::{Argument, SymbolicInputSpec};

use crate::failure::{Failure, Result};
use crate::hash::{Digest, Fingerprint};
use byway_base::quantity::size;
use file::SeedReader;

pub use concrete_command::symbolic_call;

/// The total size of a run's seeds in bytes; they are kept in memory.
const MOST_BYTES: u64 = 1 << 30;

/// The seeds of a run.
#[derive(Clone)]
pub struct Corpus {
    pub directories: Vec<PathBuf>,
    /// Ordered by directory, then by file name.
    pub seeds: Vec<Arc<Seed>>,
    /// Identifies the list of seeds.
    pub digest: Digest,
    pub rejected: Vec<RejectedSeed>,
    /// The number of seeds that were skipped as duplicates.
    pub duplicates: u64,
}

/// A file, or a line of one, that cannot be used as a seed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RejectedSeed {
    /// The file name, with the line number if any.
    pub label: String,
    pub why: SeedProblem,
}

/// Why a seed is rejected.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SeedProblem {
    /// It cannot be read, or is damaged.
    Unreadable(String),
    /// It does not fit the program's options for symbolic input.
    Misfit(String),
}

impl SeedProblem {
    /// The problem in one sentence.
    pub fn reason(&self) -> &str {
        match self {
            SeedProblem::Unreadable(why) | SeedProblem::Misfit(why) => why,
        }
    }

    /// The kind of problem, under which the run counts it.
    pub fn kind(&self) -> &'static str {
        match self {
            SeedProblem::Unreadable(_) => "it cannot be read",
            SeedProblem::Misfit(_) => "it does not fit the options",
        }
    }
}

/// Where seeds are read from.
#[derive(Clone, Debug, Default)]
pub struct SeedSources {
    /// All files of these directories.
    pub directories: Vec<PathBuf>,
    pub files: Vec<PathBuf>,
    /// The tests of these runs that show a fault or cover something new.
    pub runs: Vec<PathBuf>,
}

impl SeedSources {
    pub fn is_empty(&self) -> bool {
        self.directories.is_empty() && self.files.is_empty() && self.runs.is_empty()
    }
}

impl Corpus {
    /// No seeds.
    pub fn empty() -> Corpus {
        Corpus {
            directories: Vec::new(),
            seeds: Vec::new(),
            digest: Digest::of(&[]),
            rejected: Vec::new(),
            duplicates: 0,
        }
    }

    /// Reads the seeds for this invocation. Files of a directory are read in the order of their
    /// names; hidden files and subdirectories are skipped.
    pub fn read(sources: SeedSources, call: &Invocation) -> Result<Corpus> {
        let SeedSources { mut directories, files: named, runs } = sources;
        let spec = spec(call)?;
        let reader = SeedReader { call, spec: &spec };
        let mut corpus = Corpus::empty();
        let mut known = SeenSeeds::default();
        let mut found = Vec::new();
        for directory in &directories {
            found.extend(files(directory)?);
        }
        for file in named {
            file.metadata().map_err(|error| Failure::io("read the seed", &file, &error))?;
            found.push(SeedFile { path: file.clone(), run: None });
            directories.push(file);
        }
        for run in &runs {
            let run = Rc::new(RunReader::open(run)?);
            let names = tests_that_matter(&run)?.into_iter();
            found.extend(names.map(|name| SeedFile::of_run(&run, &name)));
            directories.push(run.dir().join("tests"));
        }
        for file in found {
            for (label, seed) in reader.seeds(&file) {
                corpus.add(label, seed, &mut known);
            }
        }
        corpus.directories = directories;
        corpus.digest = digest(&corpus.seeds);
        Ok(corpus)
    }

    /// The same seeds behind another one, if there is one.
    pub fn after(mut self, first: Option<Seed>) -> Corpus {
        if let Some(first) = first {
            self.seeds.insert(0, Arc::new(first));
            self.digest = digest(&self.seeds);
        }
        self
    }

    fn add(
        &mut self,
        label: String,
        seed: std::result::Result<Seed, SeedProblem>,
        known: &mut SeenSeeds,
    ) {
        match seed.and_then(|seed| known.is_new(&seed).map(|new| (seed, new))) {
            Err(why) => self.rejected.push(RejectedSeed { label, why }),
            Ok((seed, true)) => self.seeds.push(Arc::new(Seed { label, ..seed })),
            Ok((_, false)) => self.duplicates += 1,
        }
    }
}

/// The distinct seeds read so far.
#[derive(Default)]
struct SeenSeeds {
    contents: HashSet<SeedContent>,
    bytes: u64,
}

/// The inputs by name, their order, and the first object.
type SeedContent = (BTreeMap<String, Arc<[u8]>>, Vec<String>, Option<Arc<[u8]>>);

impl SeenSeeds {
    /// Adds a seed, unless an equal one is known; an error if the total size is exceeded.
    fn is_new(&mut self, seed: &Seed) -> std::result::Result<bool, SeedProblem> {
        let all = seed.inputs.values().chain(&seed.first);
        let bytes = all.map(|bytes| bytes.len() as u64).sum::<u64>();
        let content = (seed.inputs.clone(), seed.order.clone(), seed.first.clone());
        if self.contents.contains(&content) {
            return Ok(false);
        }
        if self.bytes + bytes > MOST_BYTES {
            let most = size(MOST_BYTES);
            return Err(SeedProblem::Misfit(format!("the seeds before it already have {most}")));
        }
        self.bytes += bytes;
        Ok(self.contents.insert(content))
    }
}

/// The symbolic inputs of this invocation.
fn spec(call: &Invocation) -> Result<SymbolicInputSpec> {
    let words = call.words();
    let words = words.get(1..).unwrap_or_default();
    if call.options.is_empty() {
        let arguments = words.iter().cloned().map(Argument::Concrete).collect();
        return Ok(SymbolicInputSpec { arguments, ..SymbolicInputSpec::default() });
    }
    SymbolicInputSpec::parse(words).map_err(Failure::new)
}

/// A file with seeds.
struct SeedFile {
    path: PathBuf,
    /// The run whose test it is, if it may be in the run's pack.
    run: Option<Rc<RunReader>>,
}

impl SeedFile {
    fn of_run(run: &Rc<RunReader>, name: &str) -> SeedFile {
        SeedFile { path: run.test_path(name), run: Some(Rc::clone(run)) }
    }

    /// The contents of a test.
    fn test(&self) -> io::Result<Vec<u8>> {
        match &self.run {
            Some(run) => {
                run.read_test(&self.path.file_name().unwrap_or_default().to_string_lossy())
            }
            None => ktest::read_bytes(&self.path),
        }
    }
}

/// The files of a directory, sorted by name; if it has the tests of a run, all of them.
fn files(directory: &Path) -> Result<Vec<SeedFile>> {
    let packed = packed_tests(directory)?;
    if packed.is_empty() {
        let files = directory_files(directory)?.into_iter();
        return Ok(files.map(|path| SeedFile { path, run: None }).collect());
    }
    let files = directory_files(directory).unwrap_or_default().into_iter();
    let files = files.map(|path| SeedFile { path, run: None });
    let mut files: Vec<SeedFile> = files.chain(packed).collect();
    files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(files)
}

/// The tests in the pack of the run whose directory of tests this is.
fn packed_tests(directory: &Path) -> Result<Vec<SeedFile>> {
    let Some(run) = RunReader::of_tests(directory)? else { return Ok(Vec::new()) };
    let run = Rc::new(run);
    let numbers = run.packed_tests()?.into_iter();
    Ok(numbers.map(|number| SeedFile::of_run(&run, &test_name(number))).collect())
}

fn directory_files(directory: &Path) -> Result<Vec<PathBuf>> {
    let failed = |error| Failure::io("read the seeds in", directory, &error);
    let mut files = Vec::new();
    let mut below = None;
    for entry in fs::read_dir(directory).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let hidden = path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."));
        if path.is_dir() {
            below = Some(path).filter(|_| !hidden).or(below);
        } else if !hidden {
            files.push(path);
        }
    }
    files.sort();
    match (files.is_empty(), below) {
        (false, _) => Ok(files),
        (true, below) => {
            let failure = Failure::new(format!("'{}' contains no seeds", directory.display()));
            Err(match below {
                Some(below) => failure.hint(format!(
                    "subdirectories are not searched; name one, as in '--seed-dir {}'",
                    below.display()
                )),
                None => failure.hint("it should contain seed files: see docs/seeds.md"),
            })
        }
    }
}

/// The tests of a run that show a fault, or were the first to cover something.
fn tests_that_matter(run: &RunReader) -> Result<Vec<String>> {
    let mut names = Vec::new();
    for path in run.paths()? {
        let path = path?;
        let matters =
            !path.covers.is_empty() || matches!(path.outcome, OutcomeRecord::Fault { .. });
        names.extend(path.test.filter(|_| matters));
    }
    Ok(names)
}

fn digest(seeds: &[Arc<Seed>]) -> Digest {
    let mut hash = Fingerprint::new();
    for seed in seeds {
        hash.bytes(seed.label.as_bytes());
        for (name, bytes) in &seed.inputs {
            hash.bytes(name.as_bytes());
            hash.bytes(bytes);
        }
        seed.order.iter().for_each(|name| hash.bytes(name.as_bytes()));
        hash.bytes(seed.first.as_deref().unwrap_or_default());
    }
    hash.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_must_fit_into_memory_together() {
        let mut known = SeenSeeds { bytes: MOST_BYTES - 4, ..SeenSeeds::default() };
        let seed = |text: &[u8]| Seed { first: Some(text.into()), ..Seed::default() };
        assert_eq!(known.is_new(&seed(b"abc")), Ok(true));
        assert_eq!(known.is_new(&seed(b"abc")), Ok(false));
        assert_eq!(known.is_new(&seed(b"d")), Ok(true));
        let why = known.is_new(&seed(b"e")).expect_err("no room");
        assert_eq!(why.reason(), "the seeds before it already have 1.0 GiB");
    }
}
