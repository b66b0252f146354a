//! A concrete command line as a seed (`--zest`): its arguments, the files that they name and standard
//! input become symbolic, with the values that they have as the first path's.

use std::fs::{self, File};
use std::io::Read;
use std::os::fd::AsFd;
use std::path::Path;

use byway_engine::{Invocation, Seed};
use byway_testcase::symbolic::{self, InputFile, ProgramInput, SymbolicInputSpec};

use super::file;
use crate::failure::{Failure, Result};

/// The largest file or input that becomes symbolic.
const MOST_BYTES: u64 = 1 << 20;

/// The names of the model's files.
const FILE_NAMES: std::ops::RangeInclusive<char> = 'A'..='Z';

/// A call with symbolic input of the shape of a concrete one, and the seed that is that call.
pub fn symbolic_call(call: &Invocation) -> Result<(Invocation, Seed)> {
    let words = call.args.get(1..).unwrap_or_default();
    if !call.options.is_empty() || words.iter().any(|word| symbolic::is_option(word)) {
        return Err(Failure::new("--zest makes the arguments symbolic itself")
            .hint("give the program's arguments as for an ordinary run"));
    }
    let stdin = standard_input().map_err(|error| Failure::io("read", Path::new("-"), &error))?;
    symbolic_input(call, stdin)
}

/// As [`symbolic_call`], with this standard input.
fn symbolic_input(call: &Invocation, stdin: Vec<u8>) -> Result<(Invocation, Seed)> {
    let mut input = ProgramInput::default();
    let mut options: Vec<Vec<u8>> = Vec::new();
    let option = |words: &[&str]| words.iter().map(|word| word.as_bytes().to_vec()).collect();
    let mut names = FILE_NAMES;
    for word in call.args.get(1..).unwrap_or_default() {
        let contents = contents_named(word)?;
        match contents.and_then(|bytes| Some((names.next()?.to_string(), bytes))) {
            Some((name, bytes)) => {
                options.push(name.clone().into_bytes());
                input.arguments.push(name.clone().into_bytes());
                input.files.push(InputFile { name, bytes });
            }
            None => {
                let words: Vec<Vec<u8>> = option(&["--sym-arg", &word.len().to_string()]);
                options.extend(words);
                input.arguments.push(word.clone());
            }
        }
    }
    let sizes = input.files.iter().map(|file| file.bytes.len());
    let (least, most) = (sizes.clone().min(), sizes.max());
    if let Some(most) = most {
        let count = input.files.len().to_string();
        let words: Vec<Vec<u8>> = option(&["--sym-files", &count, &most.to_string()]);
        options.extend(words);
        if least != Some(most) {
            options.push(b"--sym-sizes".to_vec());
        }
    }
    if !stdin.is_empty() {
        let words: Vec<Vec<u8>> = option(&["--sym-stdin", &stdin.len().to_string()]);
        options.extend(words);
        input.stdin = Some(stdin);
    }
    input.arguments.insert(0, call.args.first().cloned().unwrap_or_default());
    let spec = SymbolicInputSpec::parse(&options).map_err(Failure::new)?;
    let inputs = spec.encode(&input).map_err(Failure::new)?;
    let seed = Seed { label: "the command line".into(), ..file::seed(inputs) };
    let args = call.args.iter().take(1).cloned().collect();
    Ok((Invocation { args, options, ..call.clone() }, seed))
}

/// The contents of the regular file that an argument names; `None` if it names none, or an empty
/// one.
fn contents_named(word: &[u8]) -> Result<Option<Vec<u8>>> {
    use std::os::unix::ffi::OsStrExt;
    let path = Path::new(std::ffi::OsStr::from_bytes(word));
    let Some(status) = fs::metadata(path).ok().filter(|it| it.is_file() && it.len() > 0) else {
        return Ok(None);
    };
    if status.len() > MOST_BYTES {
        let (name, most) = (path.display(), byway_base::quantity::size(MOST_BYTES));
        return Err(Failure::new(format!("'{name}' has more than {most}: it cannot be symbolic")));
    }
    let bytes = fs::read(path).map_err(|error| Failure::io("read", path, &error))?;
    Ok(Some(bytes).filter(|bytes| !bytes.is_empty()))
}

/// The contents of standard input, if that is a regular file: others may be endless.
fn standard_input() -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let file = File::from(std::io::stdin().as_fd().try_clone_to_owned()?);
    if file.metadata()?.is_file() {
        file.take(MOST_BYTES).read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(args: &[&str]) -> Invocation {
        let args = args.iter().map(|word| word.as_bytes().to_vec()).collect();
        Invocation { args, ..Invocation::default() }
    }

    fn text(words: &[Vec<u8>]) -> String {
        let words = words.iter().map(|word| String::from_utf8_lossy(word).into_owned());
        words.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn arguments_keep_their_lengths() {
        let (symbolic, seed) =
            symbolic_input(&call(&["prog", "-n", "", "no/such/file"]), vec![]).expect("a call");
        assert_eq!(text(&symbolic.args), "prog");
        assert_eq!(text(&symbolic.options), "--sym-arg 2 --sym-arg 0 --sym-arg 12");
        assert_eq!(seed.inputs["arg00"][..], b"-n\0"[..]);
        assert_eq!(seed.inputs["arg02"][..], b"no/such/file\0"[..]);
    }

    #[test]
    fn files_and_standard_input_are_symbolic() {
        let folder = tempfile::TempDir::new().expect("a directory");
        let name = |file: &str| folder.path().join(file).to_string_lossy().into_owned();
        fs::write(name("one"), "abc").expect("a file");
        fs::write(name("two"), "defg").expect("a file");
        let given = call(&["prog", &name("one"), "-x", &name("two")]);
        let (symbolic, seed) = symbolic_input(&given, b"in".to_vec()).expect("a call");
        let options = "A --sym-arg 2 B --sym-files 2 4 --sym-sizes --sym-stdin 2";
        assert_eq!(text(&symbolic.options), options);
        assert_eq!(seed.inputs["A-size"][..], 3u32.to_le_bytes()[..]);
        assert_eq!(seed.inputs["B-data"][..], b"defg"[..]);
        assert!(symbolic_call(&call(&["prog", "--sym-arg", "3"])).is_err());
    }
}
