//! From what a program is to find to the inputs that say so: the way back of
//! [`Situation::of`].
//!
//! Arguments are laid over the options in their order. Where options leave a choice
//! (`--sym-args 0 2 4 --sym-args 0 1 10`), a group takes as many arguments as it can
//! hold and the groups behind it can do without.

use byway_base::Input;

use super::situation::FAILING;
use super::{Argument, Situation, Wishes};

impl Wishes {
    /// Whether anything is input by these.
    pub fn are_symbolic(&self) -> bool {
        let given = |argument: &Argument| matches!(argument, Argument::Given(_));
        !self.arguments.iter().all(given)
            || !self.variables.is_empty()
            || self.files.is_some()
            || self.stdin.is_some()
            || self.failures > 0
    }

    /// The fewest and shortest arguments these allow.
    pub fn fewest_arguments(&self) -> Vec<Vec<u8>> {
        let few = |argument: &Argument| match argument {
            Argument::Given(word) => vec![word.clone()],
            Argument::Symbolic(_) => vec![Vec::new()],
            Argument::Several { least, .. } => vec![Vec::new(); *least as usize],
        };
        self.arguments.iter().flat_map(few).collect()
    }

    /// The inputs by which a program finds this; an error says what is in the way.
    ///
    /// Contents of files and of standard input keep their length: where the options
    /// mean another, the input has other bytes than its option says. What `stat` says
    /// of files is left out.
    pub fn encode(&self, situation: &Situation) -> Result<Vec<Input>, String> {
        let mut inputs = Inputs::default();
        self.encode_arguments(situation.arguments.get(1..).unwrap_or_default(), &mut inputs)?;
        self.encode_variables(&situation.variables, &mut inputs)?;
        self.encode_files(situation, &mut inputs)?;
        match (self.stdin, &situation.stdin) {
            (None | Some(0), Some(bytes)) if !bytes.is_empty() => {
                return Err("there is no symbolic standard input (--sym-stdin)".into());
            }
            (None, _) => {}
            (Some(size), bytes) => {
                self.encode_contents("stdin", "stdin", bytes.as_deref(), size, &mut inputs)
            }
        }
        self.encode_failures(situation, &mut inputs)?;
        Ok(inputs.list)
    }

    fn encode_arguments(&self, words: &[Vec<u8>], inputs: &mut Inputs) -> Result<(), String> {
        let counts = self.lay(words)?;
        let mut rest = words.iter();
        let mut number = 0;
        for (argument, count) in self.arguments.iter().zip(counts) {
            let taken = rest.by_ref().take(count);
            let length = match *argument {
                Argument::Given(_) => {
                    taken.for_each(drop);
                    continue;
                }
                Argument::Symbolic(length) => length,
                Argument::Several { least, most, length } => {
                    if least < most {
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

    /// How many words each of the arguments stands for.
    fn lay(&self, words: &[Vec<u8>]) -> Result<Vec<usize>, String> {
        // Whether the arguments from one on can stand for the words from one on.
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
        let mut laid = Vec::new();
        let mut j = 0;
        for (i, argument) in self.arguments.iter().enumerate() {
            let fitting = counts(argument, &words[j..]).filter(|count| can[i + 1][j + count]);
            let count = fitting.max().unwrap_or(0);
            laid.push(count);
            j += count;
        }
        Ok(laid)
    }

    /// What keeps words from being the arguments.
    fn why_not(&self, words: &[Vec<u8>]) -> String {
        let several = |argument: &Argument| match *argument {
            Argument::Several { least, most, .. } => (least as usize, most as usize),
            _ => (1, 1),
        };
        let all = self.arguments.iter().map(several);
        let (least, most) = all.fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
        if !(least..=most).contains(&words.len()) {
            let allowed = match (least, most) {
                (same, most) if same == most => format!("{most}"),
                _ => format!("{least} to {most}"),
            };
            let ending = if words.len() == 1 { "" } else { "s" };
            let count = words.len();
            return format!("it has {count} argument{ending}, the options allow {allowed}");
        }
        let length = |argument: &Argument| match argument {
            Argument::Given(word) => word.len(),
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
        inputs: &mut Inputs,
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

    fn encode_files(&self, situation: &Situation, inputs: &mut Inputs) -> Result<(), String> {
        let (count, size) = self.files.unwrap_or((0, 0));
        let names: Vec<String> = ('A'..='Z').take(count as usize).map(String::from).collect();
        let known = |name: &String| names.contains(name);
        if let Some(other) = situation.files.iter().find(|file| !known(&file.name)) {
            return Err(format!("there is no symbolic file '{}' (--sym-files)", other.name));
        }
        for name in &names {
            let file = situation.files.iter().find(|file| file.name == *name);
            let bytes = file.map(|file| &file.bytes[..]);
            self.encode_contents(name, &format!("{name}-data"), bytes, size, inputs);
        }
        Ok(())
    }

    /// Contents, and how many they are where that is input; if nobody said what they
    /// are, none or zeros.
    fn encode_contents(
        &self,
        stem: &str,
        data: &str,
        bytes: Option<&[u8]>,
        size: u32,
        inputs: &mut Inputs,
    ) {
        if size == 0 {
            return;
        }
        let mut contents = bytes.unwrap_or_default().to_vec();
        let length = u32::try_from(contents.len()).unwrap_or(u32::MAX).min(size);
        if self.sizes {
            inputs.number(&format!("{stem}-size"), length);
        }
        if self.sizes || bytes.is_none() {
            contents.resize(contents.len().max(size as usize), 0);
        }
        inputs.add(data, contents);
    }

    fn encode_failures(&self, situation: &Situation, inputs: &mut Inputs) -> Result<(), String> {
        if self.failures == 0 {
            return match situation.failures.first() {
                None => Ok(()),
                Some(failure) => Err(format!("{failure} is to fail, and none may (--max-fail)")),
            };
        }
        for call in FAILING {
            let failure = situation.failures.iter().find(|failure| failure.call == call);
            inputs.number(&format!("{call}_fail"), failure.map_or(0, |failure| failure.which));
        }
        Ok(())
    }
}

/// How many of the first words an argument can stand for.
fn counts(argument: &Argument, words: &[Vec<u8>]) -> impl Iterator<Item = usize> {
    let fitting = |length: u32| {
        let fits = |word: &&Vec<u8>| word.len() <= length as usize && !word.contains(&0);
        words.iter().take_while(fits).count()
    };
    let (least, most) = match *argument {
        Argument::Given(ref word) => (1, usize::from(words.first() == Some(word))),
        Argument::Symbolic(length) => (1, fitting(length).min(1)),
        Argument::Several { least, most, length } => {
            (least as usize, fitting(length).min(most as usize))
        }
    };
    least..=most
}

/// Inputs in the making.
#[derive(Default)]
struct Inputs {
    list: Vec<Input>,
}

impl Inputs {
    /// A name that is taken gets a number, as the engine does it.
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
