//! From a test to what its program found: arguments, environment, files, standard
//! input, and what no native run can be given.
//!
//! The inputs that options stand for come first in a test, in the order in which
//! `runtime/src/symbolic_input.c` makes them; what the program asks for itself
//! follows. Tests of KLEE's hold further objects in between (what `stat` says, the
//! symbolic standard output, the version of its model), which are recognised and
//! left out.

use std::collections::HashSet;
use std::fmt;

use byway_base::{Input, TestCase};

use super::status::Status;
use super::{Argument, Wishes, is_option};

/// What the program of a test found when it started.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Situation {
    /// Its arguments, its name first.
    pub arguments: Vec<Vec<u8>>,
    /// Variables of its environment that were symbolic, by name and value.
    pub variables: Vec<(Vec<u8>, Vec<u8>)>,
    /// Its standard input, if that was symbolic; it is empty else.
    pub stdin: Option<Vec<u8>>,
    /// The symbolic files in its directory.
    pub files: Vec<File>,
    /// What `stat` said of files, where that was symbolic: of which, and what.
    pub status: Vec<(String, Status)>,
    /// The system calls that fail if the program makes them.
    pub failures: Vec<Failure>,
    /// How many inputs of the test are told by all this. The others are those the
    /// program asks for itself.
    pub told: usize,
    /// Whether options were given at all, so that there is something symbolic in it.
    pub symbolic: bool,
    /// Whether the path ended before all of its input was made; what is missing is
    /// taken to be as small as it can be.
    pub unfinished: bool,
}

/// A file in the program's directory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct File {
    /// Its name: `A`, `B`, ...
    pub name: String,
    /// What it holds.
    pub bytes: Vec<u8>,
}

/// A system call that fails.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// Its name.
    pub call: &'static str,
    /// Which call of that name it is; the first is 1.
    pub which: u32,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "call {} of {}", self.which, self.call)
    }
}

/// The calls that may fail, in the order of their inputs.
pub(super) const FAILING: [&str; 5] = ["read", "write", "close", "ftruncate", "getcwd"];

impl Situation {
    /// Of a test. The error says how the test contradicts its own words.
    pub fn of(test: &TestCase) -> Result<Situation, String> {
        let mut situation = Situation {
            arguments: test.args.iter().take(1).cloned().collect(),
            ..Situation::default()
        };
        let words = test.args.get(1..).unwrap_or_default();
        // Words without an option are arguments, however many.
        if !words.iter().any(|word| is_option(word)) {
            situation.arguments.extend_from_slice(words);
            return Ok(situation);
        }
        let mut reader = Reader::new(&test.inputs);
        let wishes = Wishes::read(words)?;
        situation.symbolic = true;
        reader.arguments(&wishes, &mut situation)?;
        reader.files(&wishes, &mut situation)?;
        reader.stdin(&wishes, &mut situation)?;
        reader.failures(&wishes, &mut situation)?;
        situation.unfinished = reader.missing.is_some();
        situation.told = reader.finish()?;
        Ok(situation)
    }
}

/// The inputs of a test, of which those that options stand for are taken by name.
struct Reader<'a> {
    inputs: &'a [Input],
    /// Which of them have been taken.
    taken: Vec<bool>,
    /// The names that have been asked for: a name that comes again gets a number.
    asked: HashSet<String>,
    /// The first input that was asked for and is not there.
    missing: Option<String>,
    /// Whether the test is one of KLEE's.
    klee: bool,
}

/// The last input that KLEE's model makes; no other test has it.
const KLEES_LAST: &str = "model_version";
/// What KLEE's names of what `stat` says end in.
const STATUS_SUFFIX: &str = "-stat";

impl<'a> Reader<'a> {
    fn new(inputs: &'a [Input]) -> Self {
        let klee = inputs.iter().any(|input| input.name == KLEES_LAST);
        let taken = vec![false; inputs.len()];
        Reader { inputs, taken, asked: HashSet::new(), missing: None, klee }
    }

    fn arguments(&mut self, wishes: &Wishes, situation: &mut Situation) -> Result<(), String> {
        let mut count = 0;
        for argument in &wishes.arguments {
            let (many, length) = match *argument {
                Argument::Given(ref word) => {
                    situation.arguments.push(word.clone());
                    continue;
                }
                Argument::Symbolic(length) => (1, length),
                Argument::Several { least, most, length } => {
                    (self.between(least, most, "n_args")?, length)
                }
            };
            for _ in 0..many {
                let argument = self.text(&format!("arg{count:02}"), length)?;
                situation.arguments.push(argument);
                count += 1;
            }
        }
        for (name, length) in &wishes.variables {
            let value = self.text(&format!("env-{}", String::from_utf8_lossy(name)), *length)?;
            situation.variables.push((name.clone(), value));
        }
        Ok(())
    }

    fn files(&mut self, wishes: &Wishes, situation: &mut Situation) -> Result<(), String> {
        let (count, size) = wishes.files.unwrap_or((0, 0));
        for name in ('A'..='Z').take(count as usize) {
            let name = name.to_string();
            let bytes = self.contents(wishes, &format!("{name}-data"), &name, size)?;
            let object = format!("{name}-data{STATUS_SUFFIX}");
            let status = match self.klee {
                // Always there, and of whatever size the structure had.
                true => self.inputs.iter().find(|it| it.name == object).map(|it| it.bytes.clone()),
                false if wishes.status => Some(self.take(&object, Status::SIZE)?),
                false => None,
            };
            let least_links = if self.klee { 0 } else { 1 };
            let status = status.and_then(|bytes| Status::read(&bytes, least_links));
            situation.status.extend(status.map(|status| (name.clone(), status)));
            situation.files.push(File { name, bytes });
        }
        Ok(())
    }

    fn stdin(&mut self, wishes: &Wishes, situation: &mut Situation) -> Result<(), String> {
        let size = match wishes.stdin {
            Some(size @ 1..) => size,
            // KLEE's older versions make it symbolic along with files.
            _ if self.klee => match self.inputs.iter().find(|input| input.name == "stdin") {
                Some(input) => input.bytes.len() as u32,
                None => return Ok(()),
            },
            _ => return Ok(()),
        };
        situation.stdin = Some(self.contents(wishes, "stdin", "stdin", size)?);
        Ok(())
    }

    fn failures(&mut self, wishes: &Wishes, situation: &mut Situation) -> Result<(), String> {
        if wishes.failures == 0 {
            return Ok(());
        }
        for call in FAILING {
            let which = number(&self.take(&format!("{call}_fail"), 4)?);
            if let Ok(which @ 1..) = u32::try_from(which) {
                situation.failures.push(Failure { call, which });
            }
        }
        Ok(())
    }

    /// Contents of at most so many bytes, of which an input may tell how many they are.
    fn contents(
        &mut self,
        wishes: &Wishes,
        data: &str,
        stem: &str,
        most: u32,
    ) -> Result<Vec<u8>, String> {
        let size = match wishes.sizes {
            true => self.between(0, most, &format!("{stem}-size"))?,
            false => most,
        };
        let mut bytes = self.take(data, most)?;
        bytes.truncate(size as usize);
        Ok(bytes)
    }

    /// A text of at most so many bytes: it ends at the first zero.
    fn text(&mut self, name: &str, most: u32) -> Result<Vec<u8>, String> {
        let mut bytes = self.take(name, most + 1)?;
        let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
        bytes.truncate(end.min(most as usize));
        Ok(bytes)
    }

    /// A number from the first to the last; where that leaves no choice, it is no input.
    fn between(&mut self, first: u32, last: u32, name: &str) -> Result<u32, String> {
        if first >= last {
            return Ok(first);
        }
        let Some(bytes) = self.find(name, 4)? else { return Ok(first) };
        let value = u32::try_from(number(&bytes)).ok();
        let value = value.filter(|value| (first..=last).contains(value));
        value.ok_or_else(|| format!("input '{name}' is not from {first} to {last}"))
    }

    /// The bytes of an input, or as many zeros.
    fn take(&mut self, name: &str, size: u32) -> Result<Vec<u8>, String> {
        Ok(self.find(name, size)?.unwrap_or_else(|| vec![0; size as usize]))
    }

    /// The bytes of an input; none if the path ended before it was made.
    fn find(&mut self, name: &str, size: u32) -> Result<Option<Vec<u8>>, String> {
        // No input has no bytes.
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
            return Err(format!("input '{name}' has {length} bytes, but its option means {size}"));
        }
        self.taken[at] = true;
        Ok(Some(bytes.clone()))
    }

    /// What the next input of that name is called.
    fn own_name(&mut self, name: &str) -> String {
        let numbered = (1..).map(|number| format!("{name}_{number}"));
        let mut names = std::iter::once(name.to_string()).chain(numbered);
        let own = names.find(|own| !self.asked.contains(own)).unwrap_or_default();
        self.asked.insert(own.clone());
        own
    }

    /// How many inputs at the beginning of the test are told. The program's own follow
    /// those, and there are none if its path ended before.
    fn finish(mut self) -> Result<usize, String> {
        if self.klee {
            self.leave_out_klees_own();
        }
        let told = self.taken.iter().position(|taken| !taken).unwrap_or(self.taken.len());
        if let (Some(missing), Some(other)) = (&self.missing, self.inputs.get(told)) {
            return Err(format!("input '{missing}' is missing, but there is '{}'", other.name));
        }
        match self.taken[told..].iter().position(|&taken| taken) {
            None => Ok(told),
            Some(later) => Err(format!(
                "input '{}' comes before '{}', which options stand for",
                self.inputs[told].name,
                self.inputs[told + later].name
            )),
        }
    }

    fn leave_out_klees_own(&mut self) {
        let Some(last) = self.inputs.iter().position(|input| input.name == KLEES_LAST) else {
            return;
        };
        for (input, taken) in self.inputs[..=last].iter().zip(&mut self.taken) {
            let name = input.name.as_str();
            *taken |= name == KLEES_LAST || name == "stdout" || name.ends_with(STATUS_SUFFIX);
        }
    }
}

/// A number as C has it; inputs of four bytes only.
fn number(bytes: &[u8]) -> i32 {
    bytes.try_into().map_or(0, i32::from_le_bytes)
}

#[cfg(test)]
mod tests;
