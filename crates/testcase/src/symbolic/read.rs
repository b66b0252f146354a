//! Words into wishes.

use super::{Argument, Wishes};

/// The options; one dash is as good as two.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(super) enum Opt {
    Arg,
    Args,
    Files,
    Stdin,
    Stdout,
    Env,
    Stat,
    Sizes,
    MaxFail,
    FdFail,
    SaveAllWrites,
    EndUnmodelled,
}

const OPTIONS: [(&str, Opt); 12] = [
    ("--sym-arg", Opt::Arg),
    ("--sym-args", Opt::Args),
    ("--sym-files", Opt::Files),
    ("--sym-stdin", Opt::Stdin),
    ("--sym-stdout", Opt::Stdout),
    ("--sym-env", Opt::Env),
    ("--sym-stat", Opt::Stat),
    ("--sym-sizes", Opt::Sizes),
    ("--max-fail", Opt::MaxFail),
    ("--fd-fail", Opt::FdFail),
    ("--save-all-writes", Opt::SaveAllWrites),
    ("--end-unmodelled", Opt::EndUnmodelled),
];

/// More of them makes no sense, and the runtime refuses it.
const MOST_ARGUMENTS: u32 = 100;
const MOST_FILES: u32 = 26;
const MOST_BYTES: u32 = 1 << 20;
const LONGEST_NAME: usize = 48;

pub(super) fn option(word: &[u8]) -> Option<Opt> {
    let is = |name: &str| word == name.as_bytes() || word == &name.as_bytes()[1..];
    OPTIONS.into_iter().find(|(name, _)| is(name)).map(|(_, option)| option)
}

pub(super) fn read(words: &[Vec<u8>]) -> Result<Wishes, String> {
    let mut wishes = Wishes::default();
    let mut words = Words { rest: words.iter() };
    while let Some(word) = words.rest.next() {
        match option(word) {
            None => wishes.arguments.push(Argument::Given(word.clone())),
            Some(option) => read_option(option, &shown(word), &mut words, &mut wishes)?,
        }
    }
    let least = |argument: &Argument| match argument {
        Argument::Several { most, .. } => *most,
        _ => 1,
    };
    if wishes.arguments.iter().map(least).sum::<u32>() > MOST_ARGUMENTS {
        return Err(format!("more than {MOST_ARGUMENTS} arguments beside symbolic ones"));
    }
    Ok(wishes)
}

fn read_option(
    option: Opt,
    name: &str,
    words: &mut Words<'_>,
    wishes: &mut Wishes,
) -> Result<(), String> {
    match option {
        Opt::Arg => {
            let length = words.number(name, "LEN", MOST_BYTES)?;
            wishes.arguments.push(Argument::Symbolic(length));
        }
        Opt::Args => {
            let least = words.number(name, "MIN", MOST_ARGUMENTS)?;
            let most = words.number(name, "MAX", MOST_ARGUMENTS)?;
            let length = words.number(name, "LEN", MOST_BYTES)?;
            if least > most {
                return Err(format!("'{name} {least} {most} {length}': MIN is above MAX"));
            }
            wishes.arguments.push(Argument::Several { least, most, length });
        }
        Opt::Files => {
            let count = words.number(name, "N", MOST_FILES)?;
            wishes.files = Some((count, words.number(name, "SIZE", MOST_BYTES)?));
        }
        Opt::Stdin => wishes.stdin = Some(words.number(name, "SIZE", MOST_BYTES)?),
        Opt::Env => {
            let variable = words.next(name, "NAME")?;
            if variable.is_empty() || variable.contains(&b'=') || variable.len() > LONGEST_NAME {
                return Err(format!("'{name} {}': no name of a variable", shown(variable)));
            }
            let length = words.number(name, "LEN", MOST_BYTES)?;
            wishes.variables.push((variable.clone(), length));
        }
        Opt::MaxFail => wishes.failures = words.number(name, "N", MOST_ARGUMENTS)?,
        Opt::FdFail => wishes.failures = 1,
        Opt::Stat => wishes.status = true,
        Opt::Sizes => wishes.sizes = true,
        Opt::EndUnmodelled => wishes.end_unmodelled = true,
        // Output goes nowhere while paths are explored, and files keep what is written.
        Opt::Stdout | Opt::SaveAllWrites => {}
    }
    Ok(())
}

fn shown(word: &[u8]) -> String {
    String::from_utf8_lossy(word).into_owned()
}

struct Words<'a> {
    rest: std::slice::Iter<'a, Vec<u8>>,
}

impl<'a> Words<'a> {
    fn next(&mut self, option: &str, what: &str) -> Result<&'a Vec<u8>, String> {
        self.rest.next().ok_or_else(|| format!("'{option}' lacks its {what}"))
    }

    fn number(&mut self, option: &str, what: &str, most: u32) -> Result<u32, String> {
        let word = shown(self.next(option, what)?);
        match word.parse::<u32>() {
            Ok(number) if number <= most => Ok(number),
            Ok(_) => Err(format!("'{option}': {word} is too large for {what}, at most {most}")),
            Err(_) => Err(format!("'{option}': '{word}' is no number for {what}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(words: &str) -> Result<Wishes, String> {
        let words: Vec<Vec<u8>> = words.split_whitespace().map(|w| w.as_bytes().to_vec()).collect();
        super::read(&words)
    }

    #[test]
    fn arguments_keep_their_order() {
        let wishes = read("-c --sym-arg 3 x -sym-args 0 2 4 y").expect("good words");
        let expected = [
            Argument::Given(b"-c".to_vec()),
            Argument::Symbolic(3),
            Argument::Given(b"x".to_vec()),
            Argument::Several { least: 0, most: 2, length: 4 },
            Argument::Given(b"y".to_vec()),
        ];
        assert_eq!(wishes.arguments, expected);
    }

    #[test]
    fn everything_else() {
        let words = "--sym-files 2 8 --sym-stdin 4 --sym-stdout --sym-env HOME 5 --sym-stat \
                     --sym-sizes --max-fail 1 --end-unmodelled";
        let expected = Wishes {
            arguments: vec![],
            variables: vec![(b"HOME".to_vec(), 5)],
            files: Some((2, 8)),
            stdin: Some(4),
            sizes: true,
            status: true,
            failures: 1,
            end_unmodelled: true,
        };
        assert_eq!(read(words), Ok(expected));
        let failing = Wishes { failures: 1, ..Wishes::default() };
        assert_eq!(read("--fd-fail -save-all-writes"), Ok(failing));
    }

    #[test]
    fn what_is_wrong_is_said() {
        let wrong = |words: &str| read(words).expect_err("bad words");
        assert_eq!(wrong("--sym-arg"), "'--sym-arg' lacks its LEN");
        assert_eq!(wrong("--sym-arg x"), "'--sym-arg': 'x' is no number for LEN");
        assert_eq!(wrong("--sym-args 2 1 4"), "'--sym-args 2 1 4': MIN is above MAX");
        assert_eq!(wrong("--sym-files 27 1"), "'--sym-files': 27 is too large for N, at most 26");
        assert_eq!(wrong("--sym-env A=B 1"), "'--sym-env A=B': no name of a variable");
        assert!(wrong("a --sym-args 0 100 1").contains("more than 100 arguments"));
    }
}
