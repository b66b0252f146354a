//! Parses `--sym-*` options into a [`SymbolicInputSpec`](super::SymbolicInputSpec).

use super::stream::STREAMS;
use super::{Argument, StreamChoice, SymbolicInputSpec};

/// The options. KLEE accepts them with one dash or two.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(super) enum KleeOption {
    Arg,
    Args,
    Files,
    Stdin,
    Stdout,
    Env,
    Stat,
    Access,
    StreamType,
    Sizes,
    MaxFail,
    FdFail,
    AllocFailures,
    SaveAllWrites,
    EndUnmodelled,
}

const OPTIONS: [(&str, KleeOption); 15] = [
    ("--sym-arg", KleeOption::Arg),
    ("--sym-args", KleeOption::Args),
    ("--sym-files", KleeOption::Files),
    ("--sym-stdin", KleeOption::Stdin),
    ("--sym-stdout", KleeOption::Stdout),
    ("--sym-env", KleeOption::Env),
    ("--sym-stat", KleeOption::Stat),
    ("--sym-access", KleeOption::Access),
    ("--stream-type", KleeOption::StreamType),
    ("--sym-sizes", KleeOption::Sizes),
    ("--max-fail", KleeOption::MaxFail),
    ("--fd-fail", KleeOption::FdFail),
    ("--alloc-failures", KleeOption::AllocFailures),
    ("--save-all-writes", KleeOption::SaveAllWrites),
    ("--end-unmodelled", KleeOption::EndUnmodelled),
];

/// The runtime rejects larger numbers too.
const MAX_ARGUMENTS: u32 = 100;
const MAX_FILES: u32 = 26;
const MAX_BYTES: u32 = 1 << 20;
const MAX_NAME: usize = 48;

pub(super) fn option(word: &[u8]) -> Option<KleeOption> {
    let is = |name: &str| word == name.as_bytes() || word == &name.as_bytes()[1..];
    OPTIONS.into_iter().find(|(name, _)| is(name)).map(|(_, option)| option)
}

pub(super) fn parse(words: &[Vec<u8>]) -> Result<SymbolicInputSpec, String> {
    let mut spec = SymbolicInputSpec::default();
    let mut words = WordIter { rest: words.iter() };
    while let Some(word) = words.rest.next() {
        match option(word) {
            None => spec.arguments.push(Argument::Concrete(word.clone())),
            Some(option) => parse_option(option, &shown(word), &mut words, &mut spec)?,
        }
    }
    let count = |argument: &Argument| match argument {
        Argument::Several { max, .. } => *max,
        _ => 1,
    };
    if spec.arguments.iter().map(count).sum::<u32>() > MAX_ARGUMENTS {
        return Err(format!("more than {MAX_ARGUMENTS} arguments, symbolic ones included"));
    }
    Ok(spec)
}

fn parse_option(
    option: KleeOption,
    name: &str,
    words: &mut WordIter<'_>,
    spec: &mut SymbolicInputSpec,
) -> Result<(), String> {
    match option {
        KleeOption::Arg => {
            let length = words.number(name, "LEN", MAX_BYTES)?;
            spec.arguments.push(Argument::Symbolic(length));
        }
        KleeOption::Args => {
            let min = words.number(name, "MIN", MAX_ARGUMENTS)?;
            let max = words.number(name, "MAX", MAX_ARGUMENTS)?;
            let length = words.number(name, "LEN", MAX_BYTES)?;
            if min > max {
                return Err(format!("'{name} {min} {max} {length}': MIN is above MAX"));
            }
            spec.arguments.push(Argument::Several { min, max, length });
        }
        KleeOption::Files => {
            let count = words.number(name, "N", MAX_FILES)?;
            spec.files = Some((count, words.number(name, "SIZE", MAX_BYTES)?));
        }
        KleeOption::Stdin => spec.stdin = Some(words.number(name, "SIZE", MAX_BYTES)?),
        KleeOption::Env => {
            let variable = words.next(name, "NAME")?;
            if variable.is_empty() || variable.contains(&b'=') || variable.len() > MAX_NAME {
                return Err(format!("'{name} {}': not the name of a variable", shown(variable)));
            }
            let length = words.number(name, "LEN", MAX_BYTES)?;
            spec.variables.push((variable.clone(), length));
        }
        KleeOption::MaxFail => spec.max_failures = words.number(name, "N", MAX_ARGUMENTS)?,
        KleeOption::FdFail => spec.max_failures = 1,
        KleeOption::AllocFailures => {
            spec.allocation_failures = words.number(name, "N", MAX_ARGUMENTS)?;
        }
        KleeOption::Stat => spec.symbolic_status = true,
        KleeOption::Access => {
            spec.symbolic_status = true;
            spec.symbolic_access = true;
        }
        KleeOption::StreamType => {
            let stream = shown(words.next(name, "STREAM")?);
            let of = shown(words.next(name, "TYPE")?);
            let choice = StreamChoice::by_name(&of).ok_or_else(|| {
                format!("'{name} {stream} {of}': the type is pipe, file, tty or any")
            })?;
            if stream != "all" && !STREAMS.contains(&stream.as_str()) {
                let names = "stdin, stdout, stderr or all";
                return Err(format!("'{name} {stream} {of}': the stream is {names}"));
            }
            for (own, choices) in STREAMS.iter().zip(&mut spec.streams) {
                if stream == "all" || stream == *own {
                    *choices = choice;
                }
            }
        }
        KleeOption::Sizes => spec.symbolic_sizes = true,
        KleeOption::EndUnmodelled => spec.end_unmodelled = true,
        // Accepted for KLEE's sake: output is discarded while exploring, and files always
        // keep what the program writes.
        KleeOption::Stdout | KleeOption::SaveAllWrites => {}
    }
    Ok(())
}

fn shown(word: &[u8]) -> String {
    String::from_utf8_lossy(word).into_owned()
}

/// The words not parsed yet.
struct WordIter<'a> {
    rest: std::slice::Iter<'a, Vec<u8>>,
}

impl<'a> WordIter<'a> {
    fn next(&mut self, option: &str, what: &str) -> Result<&'a Vec<u8>, String> {
        self.rest.next().ok_or_else(|| format!("'{option}' is missing its {what}"))
    }

    fn number(&mut self, option: &str, what: &str, max: u32) -> Result<u32, String> {
        let word = shown(self.next(option, what)?);
        match word.parse::<u32>() {
            Ok(number) if number <= max => Ok(number),
            Ok(_) => Err(format!("'{option}': {word} is too large for {what}, at most {max}")),
            Err(_) => Err(format!("'{option}': '{word}' is not a number for {what}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::StreamType;
    use super::*;

    fn parse(words: &str) -> Result<SymbolicInputSpec, String> {
        let words: Vec<Vec<u8>> = words.split_whitespace().map(|w| w.as_bytes().to_vec()).collect();
        super::parse(&words)
    }

    #[test]
    fn arguments_keep_their_order() {
        let spec = parse("-c --sym-arg 3 x -sym-args 0 2 4 y").expect("good words");
        let expected = [
            Argument::Concrete(b"-c".to_vec()),
            Argument::Symbolic(3),
            Argument::Concrete(b"x".to_vec()),
            Argument::Several { min: 0, max: 2, length: 4 },
            Argument::Concrete(b"y".to_vec()),
        ];
        assert_eq!(spec.arguments, expected);
    }

    #[test]
    fn all_other_options_are_parsed() {
        let words = "--sym-files 2 8 --sym-stdin 4 --sym-stdout --sym-env HOME 5 --sym-stat \
                     --sym-sizes --max-fail 1 --alloc-failures 2 --end-unmodelled --sym-access \
                     --stream-type all tty --stream-type stdin any";
        let expected = SymbolicInputSpec {
            arguments: vec![],
            variables: vec![(b"HOME".to_vec(), 5)],
            files: Some((2, 8)),
            stdin: Some(4),
            symbolic_sizes: true,
            symbolic_status: true,
            symbolic_access: true,
            streams: [
                StreamChoice::Any,
                StreamChoice::Fixed(StreamType::Terminal),
                StreamChoice::Fixed(StreamType::Terminal),
            ],
            max_failures: 1,
            allocation_failures: 2,
            end_unmodelled: true,
        };
        assert_eq!(parse(words), Ok(expected));
        let failing = SymbolicInputSpec { max_failures: 1, ..SymbolicInputSpec::default() };
        assert_eq!(parse("--fd-fail -save-all-writes"), Ok(failing));
    }

    #[test]
    fn errors_name_the_option() {
        let wrong = |words: &str| parse(words).expect_err("bad words");
        assert_eq!(wrong("--sym-arg"), "'--sym-arg' is missing its LEN");
        assert_eq!(wrong("--sym-arg x"), "'--sym-arg': 'x' is not a number for LEN");
        assert_eq!(wrong("--sym-args 2 1 4"), "'--sym-args 2 1 4': MIN is above MAX");
        assert_eq!(wrong("--sym-files 27 1"), "'--sym-files': 27 is too large for N, at most 26");
        assert_eq!(wrong("--sym-env A=B 1"), "'--sym-env A=B': not the name of a variable");
        assert_eq!(
            wrong("--stream-type stdin door"),
            "'--stream-type stdin door': the type is pipe, file, tty or any"
        );
        assert_eq!(
            wrong("--stream-type log any"),
            "'--stream-type log any': the stream is stdin, stdout, stderr or all"
        );
        assert!(wrong("a --sym-args 0 100 1").contains("more than 100 arguments"));
    }
}
