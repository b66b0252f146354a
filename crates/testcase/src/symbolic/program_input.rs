//! Decodes a test into the arguments, environment, files and standard input of its program,
//! and into conditions that no native run can reproduce.
//!
//! The inputs that options stand for come first in a test, in the order in which
//! `runtime/src/symbolic_input.c` creates them; inputs that the program creates itself
//! follow. KLEE's tests hold further objects in between (results of `stat`, symbolic
//! standard output, the version of its model), which are recognised and skipped.

use std::collections::HashSet;
use std::fmt;

use byway_base::{Input, TestCase};

use super::status::FileStatus;
use super::stream::{self, STREAMS};
use super::{Argument, StreamChoice, StreamType, SymbolicInputSpec, is_option, klee};

/// The input that a test gives to its program.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ProgramInput {
    /// The program's name and its arguments.
    pub arguments: Vec<Vec<u8>>,
    /// Symbolic environment variables: names and values.
    pub variables: Vec<(Vec<u8>, Vec<u8>)>,
    /// Standard input if it was symbolic; otherwise it is empty.
    pub stdin: Option<Vec<u8>>,
    /// The symbolic files in the working directory.
    pub files: Vec<InputFile>,
    /// Symbolic results of `stat`, by file name.
    pub file_status: Vec<(String, FileStatus)>,
    /// What standard input, output and error are.
    pub streams: [StreamType; 3],
    /// The system calls that fail.
    pub failures: Vec<FailingCall>,
    /// The number of the test's inputs that are decoded here. They come first; the program
    /// creates the others itself.
    pub consumed_inputs: usize,
    /// Whether the test's arguments contain options for symbolic input.
    pub has_options: bool,
    /// The path ended before all of its input was created. Missing input is filled in with
    /// the smallest values.
    pub incomplete: bool,
}

/// A file in the program's working directory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InputFile {
    /// `A`, `B`, ...
    pub name: String,
    /// Its contents.
    pub bytes: Vec<u8>,
}

/// A call that the test makes fail.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FailingCall {
    /// The name of the call.
    pub call: &'static str,
    /// Counts calls of that name from 1.
    pub nth: u32,
}

impl fmt::Display for FailingCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "call {} of {}", self.nth, self.call)
    }
}

/// System calls that may fail, in the order of their inputs.
pub(super) const FAILABLE_CALLS: [&str; 5] = ["read", "write", "close", "ftruncate", "getcwd"];

/// The name of [`FailingCall::call`] for `malloc` and its relatives, which are counted together.
pub(super) const ALLOCATION: &str = "malloc and its relatives";

impl ProgramInput {
    /// Decodes a test. The error says how its inputs contradict its options.
    pub fn from_test(test: &TestCase) -> Result<ProgramInput, String> {
        let mut input = ProgramInput {
            arguments: test.args.iter().take(1).cloned().collect(),
            ..ProgramInput::default()
        };
        let words = test.args.get(1..).unwrap_or_default();
        // Words without an option are arguments, however many.
        if !words.iter().any(|word| is_option(word)) {
            input.arguments.extend_from_slice(words);
            return Ok(input);
        }
        let inputs = klee::with_own_names(test.inputs.clone());
        // By the names that KLEE gave: those of its tools are recognised by their spelling.
        let last_of_model = klee::last_of_model(&test.inputs);
        let mut decoder = InputDecoder::new(&inputs, last_of_model);
        let spec = SymbolicInputSpec::parse(words)?;
        input.has_options = true;
        decoder.arguments(&spec, &mut input)?;
        decoder.files(&spec, &mut input)?;
        decoder.stdin(&spec, &mut input)?;
        decoder.streams(&spec, &mut input)?;
        decoder.failures(&spec, &mut input)?;
        input.incomplete = decoder.missing.is_some();
        input.consumed_inputs = decoder.finish()?;
        Ok(input)
    }
}

impl ProgramInput {
    /// The standard streams, in words, that are no pipes: `standard input is a terminal`.
    pub fn unusual_streams(&self) -> impl Iterator<Item = String> {
        stream::unusual(self.streams)
    }
}

/// Takes the inputs that options stand for from a test, by name.
struct InputDecoder<'a> {
    inputs: &'a [Input],
    /// By input, whether it was taken.
    taken: Vec<bool>,
    /// Names used so far. A repeated name gets a number, as in the engine.
    used_names: HashSet<String>,
    /// The first input that the options require and the test lacks.
    missing: Option<String>,
    /// KLEE wrote the test.
    klee: bool,
    /// The last object of KLEE's model.
    last_of_model: Option<usize>,
}

impl<'a> InputDecoder<'a> {
    /// `last_of_model`: of KLEE's model, if it wrote the test.
    fn new(inputs: &'a [Input], last_of_model: Option<usize>) -> Self {
        let klee = last_of_model.is_some();
        let taken = vec![false; inputs.len()];
        let used_names = HashSet::new();
        InputDecoder { inputs, taken, used_names, missing: None, klee, last_of_model }
    }

    fn arguments(
        &mut self,
        spec: &SymbolicInputSpec,
        input: &mut ProgramInput,
    ) -> Result<(), String> {
        let mut count = 0;
        for argument in &spec.arguments {
            let (many, length) = match *argument {
                Argument::Concrete(ref word) => {
                    input.arguments.push(word.clone());
                    continue;
                }
                Argument::Symbolic(length) => (1, length),
                Argument::Several { min, max, length } => {
                    (self.between(min, max, "n_args")?, length)
                }
            };
            for _ in 0..many {
                let argument = self.text(&format!("arg{count:02}"), length)?;
                input.arguments.push(argument);
                count += 1;
            }
        }
        for (name, length) in &spec.variables {
            let value = self.text(&format!("env-{}", String::from_utf8_lossy(name)), *length)?;
            input.variables.push((name.clone(), value));
        }
        Ok(())
    }

    fn files(&mut self, spec: &SymbolicInputSpec, input: &mut ProgramInput) -> Result<(), String> {
        let (count, size) = spec.files.unwrap_or((0, 0));
        for name in ('A'..='Z').take(count as usize) {
            let name = name.to_string();
            let bytes = self.contents(spec, &format!("{name}-data"), &name, size)?;
            let object = format!("{name}-data{}", klee::STATUS);
            let status = match self.klee {
                // Always present, with the size the structure has in KLEE.
                true => self.inputs.iter().find(|it| it.name == object).map(|it| it.bytes.clone()),
                false if spec.symbolic_status => Some(self.take(&object, FileStatus::SIZE)?),
                false => None,
            };
            let min_links = if self.klee { 0 } else { 1 };
            let status = status.and_then(|bytes| FileStatus::read(&bytes, min_links));
            input.file_status.extend(status.map(|status| (name.clone(), status)));
            input.files.push(InputFile { name, bytes });
        }
        Ok(())
    }

    fn stdin(&mut self, spec: &SymbolicInputSpec, input: &mut ProgramInput) -> Result<(), String> {
        let size = match spec.stdin {
            Some(size @ 1..) => size,
            // KLEE's older versions make standard input symbolic along with files.
            _ if self.klee => match self.inputs.iter().find(|input| input.name == "stdin") {
                Some(input) => input.bytes.len() as u32,
                None => return Ok(()),
            },
            _ => return Ok(()),
        };
        input.stdin = Some(self.contents(spec, "stdin", "stdin", size)?);
        Ok(())
    }

    fn streams(
        &mut self,
        spec: &SymbolicInputSpec,
        input: &mut ProgramInput,
    ) -> Result<(), String> {
        for ((name, choice), of) in STREAMS.iter().zip(spec.streams).zip(&mut input.streams) {
            *of = match choice {
                StreamChoice::Fixed(fixed) => fixed,
                StreamChoice::Any => {
                    let last = StreamType::COUNT - 1;
                    StreamType::by_number(self.between(0, last, &format!("{name}-type"))?)
                }
            };
        }
        Ok(())
    }

    fn failures(
        &mut self,
        spec: &SymbolicInputSpec,
        input: &mut ProgramInput,
    ) -> Result<(), String> {
        for call in FAILABLE_CALLS.into_iter().filter(|_| spec.max_failures > 0) {
            let nth = number(&self.take(&format!("{call}_fail"), 4)?);
            if let Ok(nth @ 1..) = u32::try_from(nth) {
                input.failures.push(FailingCall { call, nth });
            }
        }
        if spec.allocation_failures > 0 {
            let bytes = self.take("alloc_fail", 4 * spec.allocation_failures)?;
            let mut last = 0;
            // A number that is not above the one before is never reached.
            for nth in bytes.chunks_exact(4).map(number) {
                match u32::try_from(nth) {
                    Ok(nth) if nth > last => last = nth,
                    _ => break,
                }
                input.failures.push(FailingCall { call: ALLOCATION, nth: last });
            }
        }
        Ok(())
    }

    /// Contents of at most `max` bytes; an input may give their actual size.
    fn contents(
        &mut self,
        spec: &SymbolicInputSpec,
        data: &str,
        stem: &str,
        max: u32,
    ) -> Result<Vec<u8>, String> {
        let size = match spec.symbolic_sizes {
            true => self.between(0, max, &format!("{stem}-size"))?,
            false => max,
        };
        let mut bytes = self.take(data, max)?;
        bytes.truncate(size as usize);
        Ok(bytes)
    }

    /// A string of at most `max` bytes that ends at the first zero.
    fn text(&mut self, name: &str, max: u32) -> Result<Vec<u8>, String> {
        let mut bytes = self.take(name, max + 1)?;
        let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
        bytes.truncate(end.min(max as usize));
        Ok(bytes)
    }

    /// A number from `first` to `last`. If only one is possible, there is no input for it.
    fn between(&mut self, first: u32, last: u32, name: &str) -> Result<u32, String> {
        if first >= last {
            return Ok(first);
        }
        let Some(bytes) = self.find(name, 4)? else { return Ok(first) };
        let value = u32::try_from(number(&bytes)).ok();
        let value = value.filter(|value| (first..=last).contains(value));
        value.ok_or_else(|| format!("input '{name}' is not from {first} to {last}"))
    }

    /// The bytes of an input; zeros if it is missing.
    fn take(&mut self, name: &str, size: u32) -> Result<Vec<u8>, String> {
        Ok(self.find(name, size)?.unwrap_or_else(|| vec![0; size as usize]))
    }

    /// The bytes of an input; `None` if the path ended before it was created.
    fn find(&mut self, name: &str, size: u32) -> Result<Option<Vec<u8>>, String> {
        // The runtime creates no empty inputs.
        if size == 0 {
            return Ok(Some(Vec::new()));
        }
        let name = self.own_name(name);
        let Some(at) = self.inputs.iter().position(|input| input.name == name) else {
            self.missing.get_or_insert(name);
            return Ok(None);
        };
        let bytes = &self.inputs[at].bytes;
        if bytes.len() != size as usize {
            let length = bytes.len();
            return Err(format!(
                "input '{name}' has {length} bytes, but its option asks for {size}"
            ));
        }
        self.taken[at] = true;
        Ok(Some(bytes.clone()))
    }

    /// The name of the next input that is asked for as `name`.
    fn own_name(&mut self, name: &str) -> String {
        let numbered = (1..).map(|number| format!("{name}_{number}"));
        let mut names = std::iter::once(name.to_string()).chain(numbered);
        let own = names.find(|own| !self.used_names.contains(own)).unwrap_or_default();
        self.used_names.insert(own.clone());
        own
    }

    /// The number of leading inputs that were taken. The program's own inputs follow them;
    /// there are none if the path ended before.
    fn finish(mut self) -> Result<usize, String> {
        if self.klee {
            self.skip_klees_own();
        }
        let consumed = self.taken.iter().position(|taken| !taken).unwrap_or(self.taken.len());
        if let (Some(missing), Some(other)) = (&self.missing, self.inputs.get(consumed)) {
            return Err(format!("input '{missing}' is missing, but there is '{}'", other.name));
        }
        match self.taken[consumed..].iter().position(|&taken| taken) {
            None => Ok(consumed),
            Some(later) => Err(format!(
                "input '{}' comes before '{}', which an option stands for",
                self.inputs[consumed].name,
                self.inputs[consumed + later].name
            )),
        }
    }

    fn skip_klees_own(&mut self) {
        let Some(last) = self.last_of_model else { return };
        for (input, taken) in self.inputs[..=last].iter().zip(&mut self.taken) {
            *taken |= klee::is_klees_own(&input.name);
        }
    }
}

/// A C `int`; zero if the input is not four bytes long.
fn number(bytes: &[u8]) -> i32 {
    bytes.try_into().map_or(0, i32::from_le_bytes)
}

#[cfg(test)]
mod tests;
