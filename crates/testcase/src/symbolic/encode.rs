//! Encodes concrete program input as the inputs of a test: the inverse of
//! [`ProgramInput::from_test`].
//!
//! Arguments are assigned to options in order. Where several assignments are possible
//! (`--sym-args 0 2 4 --sym-args 0 1 10`), an earlier option takes as many arguments as the
//! later ones can spare.

use byway_base::Input;

use super::program_input::{ALLOCATION, FAILABLE_CALLS};
use super::stream::STREAMS;
use super::{Argument, FailingCall, ProgramInput, StreamChoice, SymbolicInputSpec};

impl SymbolicInputSpec {
    /// Whether any input is symbolic.
    pub fn is_symbolic(&self) -> bool {
        let concrete = |argument: &Argument| matches!(argument, Argument::Concrete(_));
        !self.arguments.iter().all(concrete)
            || !self.variables.is_empty()
            || self.files.is_some()
            || self.stdin.is_some()
            || self.streams.contains(&StreamChoice::Any)
            || self.max_failures > 0
            || self.allocation_failures > 0
    }

    /// The fewest and shortest arguments that the options allow.
    pub fn min_arguments(&self) -> Vec<Vec<u8>> {
        let few = |argument: &Argument| match argument {
            Argument::Concrete(word) => vec![word.clone()],
            Argument::Symbolic(_) => vec![Vec::new()],
            Argument::Several { min, .. } => vec![Vec::new(); *min as usize],
        };
        self.arguments.iter().flat_map(few).collect()
    }

    /// Encodes `input`; the error says why it does not fit the options.
    ///
    /// Contents of files and of standard input keep their length, even if it differs from
    /// the size in the options. Results of `stat` are omitted.
    pub fn encode(&self, input: &ProgramInput) -> Result<Vec<Input>, String> {
        let mut inputs = InputEncoder::default();
        self.encode_arguments(input.arguments.get(1..).unwrap_or_default(), &mut inputs)?;
        self.encode_variables(&input.variables, &mut inputs)?;
        self.encode_files(input, &mut inputs)?;
        match (self.stdin, &input.stdin) {
            (None | Some(0), Some(bytes)) if !bytes.is_empty() => {
                return Err("there is no symbolic standard input (--sym-stdin)".into());
            }
            (None, _) => {}
            (Some(size), bytes) => {
                self.encode_contents("stdin", "stdin", bytes.as_deref(), size, &mut inputs)
            }
        }
        let choices = STREAMS.iter().zip(self.streams).zip(input.streams);
        for ((name, _), of) in choices.filter(|((_, choice), _)| *choice == StreamChoice::Any) {
            inputs.number(&format!("{name}-type"), of.number());
        }
        self.encode_failures(input, &mut inputs)?;
        Ok(inputs.list)
    }

    fn encode_arguments(&self, words: &[Vec<u8>], inputs: &mut InputEncoder) -> Result<(), String> {
        let counts = self.assign(words)?;
        let mut rest = words.iter();
        let mut number = 0;
        for (argument, count) in self.arguments.iter().zip(counts) {
            let taken = rest.by_ref().take(count);
            let length = match *argument {
                Argument::Concrete(_) => {
                    taken.for_each(drop);
                    continue;
                }
                Argument::Symbolic(length) => length,
                Argument::Several { min, max, length } => {
                    if min < max {
                        inputs.number("n_args", count as u32);
                    }
                    length
                }
            };
            for word in taken {
                inputs.text(&format!("arg{number:02}"), word, length);
                number += 1;
            }
        }
        Ok(())
    }

    /// The number of words assigned to each argument.
    fn assign(&self, words: &[Vec<u8>]) -> Result<Vec<usize>, String> {
        // can[i][j]: the arguments from i on can take exactly the words from j on.
        let mut can = vec![vec![false; words.len() + 1]; self.arguments.len() + 1];
        can[self.arguments.len()][words.len()] = true;
        for (i, argument) in self.arguments.iter().enumerate().rev() {
            for j in 0..=words.len() {
                can[i][j] = counts(argument, &words[j..]).any(|count| can[i + 1][j + count]);
            }
        }
        if !can[0][0] {
            return Err(self.why_not(words));
        }
        let mut assigned = Vec::new();
        let mut j = 0;
        for (i, argument) in self.arguments.iter().enumerate() {
            let fitting = counts(argument, &words[j..]).filter(|count| can[i + 1][j + count]);
            let count = fitting.max().unwrap_or(0);
            assigned.push(count);
            j += count;
        }
        Ok(assigned)
    }

    /// Why the words cannot be assigned.
    fn why_not(&self, words: &[Vec<u8>]) -> String {
        let several = |argument: &Argument| match *argument {
            Argument::Several { min, max, .. } => (min as usize, max as usize),
            _ => (1, 1),
        };
        let all = self.arguments.iter().map(several);
        let (min, max) = all.fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
        if !(min..=max).contains(&words.len()) {
            let allowed = match min == max {
                true => format!("{max}"),
                false => format!("{min} to {max}"),
            };
            let ending = if words.len() == 1 { "" } else { "s" };
            let count = words.len();
            return format!("it has {count} argument{ending}, the options allow {allowed}");
        }
        let length = |argument: &Argument| match argument {
            Argument::Concrete(word) => word.len(),
            Argument::Symbolic(length) | Argument::Several { length, .. } => *length as usize,
        };
        let longest = self.arguments.iter().map(length).max().unwrap_or(0);
        match words.iter().position(|word| word.len() > longest) {
            Some(at) => format!(
                "argument {} has {} bytes, the options allow {longest} at most",
                at + 1,
                words[at].len()
            ),
            None => "its arguments do not fit the options in this order".into(),
        }
    }

    fn encode_variables(
        &self,
        given: &[(Vec<u8>, Vec<u8>)],
        inputs: &mut InputEncoder,
    ) -> Result<(), String> {
        let mut left: Vec<_> = given.iter().collect();
        for (name, length) in &self.variables {
            let found = left.iter().position(|(own, _)| own == name);
            let value = found.map_or(&[][..], |at| &left.remove(at).1);
            let shown = String::from_utf8_lossy(name);
            if value.len() > *length as usize {
                let size = value.len();
                return Err(format!("variable {shown} has {size} bytes, not at most {length}"));
            }
            inputs.text(&format!("env-{shown}"), value, *length);
        }
        match left.first() {
            None => Ok(()),
            Some((name, _)) => {
                let shown = String::from_utf8_lossy(name);
                Err(format!("there is no symbolic variable {shown} (--sym-env)"))
            }
        }
    }

    fn encode_files(&self, input: &ProgramInput, inputs: &mut InputEncoder) -> Result<(), String> {
        let (count, size) = self.files.unwrap_or((0, 0));
        let names: Vec<String> = ('A'..='Z').take(count as usize).map(String::from).collect();
        let known = |name: &String| names.contains(name);
        if let Some(other) = input.files.iter().find(|file| !known(&file.name)) {
            return Err(format!("there is no symbolic file '{}' (--sym-files)", other.name));
        }
        for name in &names {
            let file = input.files.iter().find(|file| file.name == *name);
            let bytes = file.map(|file| &file.bytes[..]);
            self.encode_contents(name, &format!("{name}-data"), bytes, size, inputs);
        }
        Ok(())
    }

    /// Encodes contents, preceded by their size if that is symbolic. Without `bytes` they are
    /// empty if sizes are symbolic, and zeros otherwise.
    fn encode_contents(
        &self,
        stem: &str,
        data: &str,
        bytes: Option<&[u8]>,
        size: u32,
        inputs: &mut InputEncoder,
    ) {
        if size == 0 {
            return;
        }
        let mut contents = bytes.unwrap_or_default().to_vec();
        let length = u32::try_from(contents.len()).unwrap_or(u32::MAX).min(size);
        if self.symbolic_sizes {
            inputs.number(&format!("{stem}-size"), length);
        }
        if self.symbolic_sizes || bytes.is_none() {
            contents.resize(contents.len().max(size as usize), 0);
        }
        inputs.add(data, contents);
    }

    fn encode_failures(
        &self,
        input: &ProgramInput,
        inputs: &mut InputEncoder,
    ) -> Result<(), String> {
        let (allocations, calls): (Vec<&FailingCall>, Vec<&FailingCall>) =
            input.failures.iter().partition(|failure| failure.call == ALLOCATION);
        if let Some(failure) = calls.first().filter(|_| self.max_failures == 0) {
            return Err(format!("{failure} fails, but no call may (--max-fail)"));
        }
        if allocations.len() > self.allocation_failures as usize {
            return Err(format!("{} fails, but no more may (--alloc-failures)", allocations[0]));
        }
        for call in FAILABLE_CALLS.iter().filter(|_| self.max_failures > 0) {
            let failure = calls.iter().find(|failure| failure.call == *call);
            inputs.number(&format!("{call}_fail"), failure.map_or(0, |failure| failure.nth));
        }
        if self.allocation_failures > 0 {
            let number = |index: usize| allocations.get(index).map_or(0u32, |failure| failure.nth);
            let numbers =
                (0..self.allocation_failures as usize).flat_map(|i| number(i).to_le_bytes());
            inputs.add("alloc_fail", numbers.collect());
        }
        Ok(())
    }
}

/// How many of the leading words an argument can take.
fn counts(argument: &Argument, words: &[Vec<u8>]) -> impl Iterator<Item = usize> {
    let fitting = |length: u32| {
        let fits = |word: &&Vec<u8>| word.len() <= length as usize && !word.contains(&0);
        words.iter().take_while(fits).count()
    };
    let (min, max) = match *argument {
        Argument::Concrete(ref word) => (1, usize::from(words.first() == Some(word))),
        Argument::Symbolic(length) => (1, fitting(length).min(1)),
        Argument::Several { min, max, length } => (min as usize, fitting(length).min(max as usize)),
    };
    min..=max
}

/// Collects inputs.
#[derive(Default)]
struct InputEncoder {
    list: Vec<Input>,
}

impl InputEncoder {
    /// Adds an input. A name in use gets a number, as in the engine.
    fn add(&mut self, name: &str, bytes: Vec<u8>) {
        let taken = |name: &str| self.list.iter().any(|input| input.name == name);
        let numbered = (1..).map(|number| format!("{name}_{number}"));
        let mut names = std::iter::once(name.to_string()).chain(numbered);
        let name = names.find(|name| !taken(name)).unwrap_or_default();
        self.list.push(Input { name, bytes });
    }

    fn number(&mut self, name: &str, number: u32) {
        self.add(name, number.to_le_bytes().to_vec());
    }

    fn text(&mut self, name: &str, text: &[u8], length: u32) {
        let mut bytes = text.to_vec();
        bytes.resize(length as usize + 1, 0);
        self.add(name, bytes);
    }
}

#[cfg(test)]
mod tests;
