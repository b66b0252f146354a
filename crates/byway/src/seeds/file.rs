//! Reads the seeds in one file of a seed directory.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

use byway_base::Input;
use byway_engine::{Invocation, Seed};
use byway_testcase::ktest;
use byway_testcase::symbolic::{self, ProgramInput, SymbolicInputSpec};

use super::command_line::{self, CommandLine};
use super::{SeedFile, SeedProblem};
use crate::failure::reason;

/// The extension of files with command lines.
const COMMAND_LINES: &str = "args";
/// The maximum size of a seed file.
const MOST_BYTES: u64 = 1 << 20;

/// A seed without its label, or the problem with it.
type SeedResult = Result<Seed, SeedProblem>;

/// Reads seed files for one program.
pub struct SeedReader<'a> {
    pub call: &'a Invocation,
    pub spec: &'a SymbolicInputSpec,
}

impl SeedReader<'_> {
    /// The seeds in a file, with their labels.
    pub fn seeds(&self, file: &SeedFile) -> Vec<(String, SeedResult)> {
        let path = file.path.as_path();
        let label = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        match path.extension().and_then(OsStr::to_str) {
            Some(ktest::EXTENSION) => vec![(label, self.test(file))],
            Some(COMMAND_LINES) => self.command_lines(path, &label),
            _ => vec![(label, self.contents(path))],
        }
    }

    /// A test contains the bytes of inputs by name and in order. A test that was made with other
    /// options is converted to this run's options.
    fn test(&self, file: &SeedFile) -> SeedResult {
        if file.run.is_none() {
            regular(&file.path)?;
        }
        let read = file.test().and_then(|bytes| Ok(ktest::decode(&bytes)?));
        let test = read.map_err(|error| SeedProblem::Unreadable(reason(&error)))?;
        let words = self.call.words();
        let foreign = test.args.iter().skip(1).any(|word| symbolic::is_option(word))
            && test.args.get(1..) != words.get(1..);
        if !foreign {
            return Ok(ordered(symbolic::with_own_names(test.inputs), 0));
        }
        let found = ProgramInput::from_test(&test).map_err(SeedProblem::Unreadable)?;
        let mut inputs = self.spec.encode(&found).map_err(SeedProblem::Misfit)?;
        // Inputs that the program declares itself have the same names under any options.
        let converted = inputs.len();
        inputs.extend(test.inputs.into_iter().skip(found.consumed_inputs));
        Ok(ordered(symbolic::with_own_names(inputs), converted))
    }

    fn command_lines(&self, path: &Path, label: &str) -> Vec<(String, SeedResult)> {
        let text = match contents(path, MOST_BYTES) {
            Ok(text) => text,
            Err(why) => return vec![(label.to_string(), Err(why))],
        };
        let lines = text.split(|&byte| byte == b'\n').zip(1..);
        let seeds = lines.filter_map(|(line, number)| {
            let seed = match command_line::parse(line) {
                Ok(None) => return None,
                Ok(Some(line)) => self.command_line(path, line),
                Err(why) => Err(SeedProblem::Unreadable(why)),
            };
            Some((format!("{label}:{number}"), seed))
        });
        seeds.collect()
    }

    fn command_line(&self, path: &Path, line: CommandLine) -> SeedResult {
        let stdin = match &line.stdin {
            None => None,
            Some(name) => {
                let beside = path.parent().unwrap_or(Path::new("")).join(name);
                let most = self.spec.stdin.map_or(MOST_BYTES, u64::from);
                let wrong = |why: SeedProblem| {
                    let why = why.reason();
                    SeedProblem::Unreadable(format!("its input '{}': {why}", name.display()))
                };
                Some(contents(&beside, most).map_err(wrong)?)
            }
        };
        self.seed_for(ProgramInput { arguments: line.arguments, stdin, ..ProgramInput::default() })
    }

    /// The file's bytes as standard input, as file A, or as the first object that the program
    /// declares.
    fn contents(&self, path: &Path) -> SeedResult {
        let arguments = self.spec.min_arguments();
        let input = ProgramInput { arguments, ..ProgramInput::default() };
        if let Some(size @ 1..) = self.spec.stdin {
            let stdin = Some(contents(path, size.into())?);
            return self.seed_for(ProgramInput { stdin, ..input });
        }
        if let Some((1.., size @ 1..)) = self.spec.files {
            let file =
                symbolic::InputFile { name: "A".into(), bytes: contents(path, size.into())? };
            return self.seed_for(ProgramInput { files: vec![file], ..input });
        }
        if self.spec.is_symbolic() {
            let why = "there is no symbolic standard input or file (--sym-stdin, --sym-files); \
                       put command lines into a *.args file";
            return Err(SeedProblem::Misfit(why.into()));
        }
        let first = Some(contents(path, MOST_BYTES)?.into());
        Ok(Seed { first, ..Seed::default() })
    }

    /// The seed for an input whose arguments lack the program's name.
    fn seed_for(&self, mut input: ProgramInput) -> SeedResult {
        input.arguments.insert(0, Vec::new());
        self.spec.encode(&input).map(seed).map_err(SeedProblem::Misfit)
    }
}

pub fn seed(inputs: Vec<Input>) -> Seed {
    let input = |input: Input| (input.name, Arc::from(input.bytes));
    Seed::named(inputs.into_iter().map(input))
}

/// A seed whose inputs, except the first `by_name`, also match inputs of other names.
fn ordered(inputs: Vec<Input>, by_name: usize) -> Seed {
    let names = inputs.iter().skip(by_name).map(|input| &input.name);
    let order = names.filter(|name| !symbolic::is_klees_own(name)).cloned().collect();
    Seed { order, ..seed(inputs) }
}

/// An error unless it is a regular file: a device could be endless.
fn regular(path: &Path) -> Result<(), SeedProblem> {
    let unreadable = |error: io::Error| SeedProblem::Unreadable(reason(&error));
    match path.metadata().map_err(unreadable)?.is_file() {
        true => Ok(()),
        false => Err(SeedProblem::Unreadable("not a file".into())),
    }
}

/// The first `most + 1` bytes of a file; the extra byte shows that it is longer.
fn contents(path: &Path, most: u64) -> Result<Vec<u8>, SeedProblem> {
    regular(path)?;
    let mut bytes = Vec::new();
    let file = File::open(path);
    file.and_then(|file| file.take(most + 1).read_to_end(&mut bytes))
        .map_err(|error| SeedProblem::Unreadable(reason(&error)))?;
    Ok(bytes)
}
