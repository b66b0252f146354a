//! `byway ktest-gen`: makes a test of concrete input, such as a fuzzer's.

use std::ffi::OsString;
use std::fs::{self, Metadata};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use clap::Args;

use super::STDOUT_SIZE;
use super::test_builder::{MAX_FILES, TestBuilder};
use crate::exit;
use crate::failure::{Failure, Result};

pub const HELP: &str = "\
Usage: ktest-gen [ARGUMENT | OPTION]...

Makes a test of concrete input: a program's arguments, files and standard input. The test
can be a seed ('byway run --seed-dir', KLEE's --seed-file), and klee-replay runs it.

Options:
  --bout-file FILE   Write the test to this file (default: file.bout)
  --sym-stdin FILE   The contents of standard input
  --sym-stdout FILE  The contents of standard output: its first 1024 bytes
  --sym-file FILE    The contents of a file of the program, A for the first, B for the next.
                     May be repeated; shorter files are filled up with zeros

Every other word is an argument of the program. Options may have one dash or two.

Examples:
  ktest-gen --bout-file crash.ktest --sym-stdin crash.txt
  ktest-gen -n A --sym-file words.txt --bout-file seeds/words.ktest

Exit codes:
  0    written
  2    a file cannot be read or written, or a bad option
";

#[derive(Args, Debug)]
pub struct KtestGenFlags {
    /// Arguments of the program, and options
    #[arg(value_name = "WORD", trailing_var_arg = true, allow_hyphen_values = true)]
    pub words: Vec<OsString>,
}

/// A file with input, and what `stat` says of it.
type ReadFile = (Vec<u8>, Metadata);

/// What the words ask for.
#[derive(Default)]
struct Request {
    arguments: Vec<Vec<u8>>,
    files: Vec<PathBuf>,
    stdin: Option<PathBuf>,
    stdout: Option<PathBuf>,
    output: Option<PathBuf>,
}

/// Writes the test.
pub fn ktest_gen(flags: KtestGenFlags) -> Result<u8> {
    if let Some(code) = super::help_asked(&flags.words, HELP)? {
        return Ok(code);
    }
    let request = parse(flags.words)?;
    let mut test = TestBuilder::default();
    let mut args = vec![b"ktest-gen".to_vec()];
    let mut option =
        |words: &[&str]| args.extend(words.iter().map(|word| word.as_bytes().to_vec()));
    for argument in &request.arguments {
        option(&["-sym-arg", &argument.len().to_string()]);
        test.argument([argument.as_slice(), b"\0"].concat());
    }
    let files: Vec<ReadFile> =
        request.files.iter().map(|path| read(path)).collect::<Result<_>>()?;
    if let Some(size) = files.iter().map(|(bytes, _)| bytes.len()).max() {
        option(&["-sym-files", &files.len().to_string(), &size.to_string()]);
        for (index, (mut bytes, status)) in files.into_iter().enumerate() {
            bytes.resize(size, 0);
            test.file(index, bytes, Some(&status));
        }
    }
    if let Some(path) = &request.stdin {
        let (bytes, status) = read(path)?;
        option(&["-sym-stdin", &bytes.len().to_string()]);
        test.stream("stdin", bytes, Some(&status));
    }
    if let Some(path) = &request.stdout {
        let (mut bytes, status) = read(path)?;
        bytes.resize(STDOUT_SIZE, 0);
        option(&["-sym-stdout"]);
        test.stream("stdout", bytes, Some(&status));
    }
    test.write(args, request.output.as_deref().unwrap_or(Path::new("file.bout")))?;
    Ok(exit::SUCCESS)
}

fn parse(words: Vec<OsString>) -> Result<Request> {
    let mut request = Request::default();
    let mut words = words.into_iter();
    while let Some(word) = words.next() {
        let bytes = word.as_bytes();
        let name = bytes.strip_prefix(b"-").map(|rest| rest.strip_prefix(b"-").unwrap_or(rest));
        let once = match name {
            Some(b"sym-stdin") => Some(&mut request.stdin),
            Some(b"sym-stdout") => Some(&mut request.stdout),
            Some(b"bout-file") => Some(&mut request.output),
            Some(b"sym-file") => None,
            _ => {
                request.arguments.push(word.into_vec());
                continue;
            }
        };
        let shown = word.display();
        let value = words.next().map(PathBuf::from);
        let value = value.ok_or_else(|| Failure::new(format!("'{shown}' is missing its FILE")))?;
        match once {
            None => request.files.push(value),
            Some(Some(_)) => return Err(Failure::new(format!("'{shown}' is given twice"))),
            Some(file) => *file = Some(value),
        }
    }
    match request.files.len() <= MAX_FILES {
        true => Ok(request),
        false => Err(Failure::new(format!("a test has at most {MAX_FILES} files"))),
    }
}

fn read(path: &Path) -> Result<ReadFile> {
    let status = fs::metadata(path).map_err(|error| Failure::io("read", path, &error))?;
    if !status.is_file() {
        return Err(Failure::new(format!("'{}' is not a regular file", path.display())));
    }
    let bytes = fs::read(path).map_err(|error| Failure::io("read", path, &error))?;
    Ok((bytes, status))
}
