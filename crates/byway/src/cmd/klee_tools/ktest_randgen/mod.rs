//! `byway ktest-randgen`: makes a test of random input for options for symbolic input.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};
use std::process;
use std::time::{SystemTime, UNIX_EPOCH};

use byway_base::Rng;
use byway_testcase::symbolic::{Argument, SymbolicInputSpec};
use clap::Args;

use super::STDOUT_SIZE;
use super::test_builder::TestBuilder;
use crate::exit;
use crate::failure::{Failure, Result};

pub const HELP: &str = "\
Usage: ktest-randgen SEED [OPTION]...

Makes a test of random input for options for symbolic input. The same SEED gives the same
input; 0 stands for a seed from the time.

Options:
  --bout-file FILE          Write the test to this file (default: random.bout)
  --sym-arg LEN             An argument of at most LEN bytes
  --sym-args MIN MAX LEN    MIN to MAX arguments of at most LEN bytes
  --sym-files N SIZE        N files A, B, ... of SIZE bytes
  --sym-stdin SIZE          Standard input of SIZE bytes
  --sym-stdout              Standard output

Options may have one dash or two.

Example:
  ktest-randgen 100 --sym-args 0 2 2 --sym-files 1 8 --bout-file seeds/random.ktest

Exit codes:
  0    written
  2    the test cannot be written, or a bad option
";

#[derive(Args, Debug)]
pub struct KtestRandgenFlags {
    /// The seed, and options
    #[arg(value_name = "WORD", trailing_var_arg = true, allow_hyphen_values = true)]
    pub words: Vec<OsString>,
}

/// Writes the test.
pub fn ktest_randgen(flags: KtestRandgenFlags) -> Result<u8> {
    if let Some(code) = super::help_asked(&flags.words, HELP)? {
        return Ok(code);
    }
    let mut words = flags.words.into_iter();
    let seed = words.next().unwrap_or_default();
    let mut random = Rng::new(parse_seed(&seed)?);
    let (words, output) = split_output(words.map(OsString::into_vec).collect())?;
    let spec = SymbolicInputSpec::parse(&words).map_err(Failure::new)?;
    refuse_others(&spec)?;
    let mut test = TestBuilder::default();
    arguments(&spec, &mut random, &mut test);
    let (count, size) = spec.files.unwrap_or((0, 0));
    for index in 0..count as usize {
        test.file(index, bytes(&mut random, size as usize), None);
    }
    if let Some(size) = spec.stdin {
        test.stream("stdin", bytes(&mut random, size as usize), None);
    }
    if words.iter().any(|word| word == b"--sym-stdout" || word == b"-sym-stdout") {
        test.stream("stdout", bytes(&mut random, STDOUT_SIZE), None);
    }
    let args = [b"ktest-randgen".to_vec()].into_iter().chain(words).collect();
    test.write(args, output.as_deref().unwrap_or(Path::new("random.bout")))?;
    Ok(exit::SUCCESS)
}

fn parse_seed(word: &OsString) -> Result<u64> {
    let seed = word.to_str().and_then(|text| text.parse().ok()).ok_or_else(|| {
        Failure::new(format!("'{}' is not a number for SEED", word.display()))
            .hint("the seed comes first: ktest-randgen 100 --sym-arg 4")
    })?;
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Ok(if seed == 0 { now.as_nanos() as u64 ^ u64::from(process::id()) } else { seed })
}

/// Takes the output's option out of the words.
fn split_output(mut words: Vec<Vec<u8>>) -> Result<(Vec<Vec<u8>>, Option<PathBuf>)> {
    let is_output = |word: &Vec<u8>| word == b"--bout-file" || word == b"-bout-file";
    let mut output = None;
    while let Some(at) = words.iter().position(is_output) {
        if at + 1 == words.len() {
            return Err(Failure::new("'--bout-file' is missing its FILE"));
        }
        let file = words.drain(at..at + 2).next_back();
        output = file.map(|file| PathBuf::from(OsString::from_vec(file)));
    }
    Ok((words, output))
}

fn refuse_others(spec: &SymbolicInputSpec) -> Result<()> {
    let supported = SymbolicInputSpec {
        arguments: spec.arguments.clone(),
        files: spec.files,
        stdin: spec.stdin,
        ..SymbolicInputSpec::default()
    };
    let concrete = spec.arguments.iter().find_map(|argument| match argument {
        Argument::Concrete(word) => Some(OsString::from_vec(word.clone())),
        Argument::Symbolic(_) | Argument::Several { .. } => None,
    });
    match concrete {
        Some(word) => Err(Failure::new(format!("unexpected option '{}'", word.display()))),
        None if *spec != supported => {
            Err(Failure::new("ktest-randgen makes arguments, files and standard streams only"))
        }
        None => Ok(()),
    }
}

fn arguments(spec: &SymbolicInputSpec, random: &mut Rng, test: &mut TestBuilder) {
    for argument in &spec.arguments {
        let (count, length) = match *argument {
            Argument::Concrete(_) => continue,
            Argument::Symbolic(length) => (1, length),
            Argument::Several { min, max, length } => {
                let count = min + random.below(u64::from(max - min) + 1) as u32;
                // There is no object for a number that is fixed.
                if min < max {
                    test.number("n_args", count);
                }
                (count, length)
            }
        };
        for _ in 0..count {
            // Shorter ones are as likely as longer ones.
            let used = random.below(u64::from(length) + 1) as usize;
            let mut argument = bytes(random, used);
            argument.resize(length as usize + 1, 0);
            test.argument(argument);
        }
    }
}

/// Bytes other than zero, which would end an argument.
fn bytes(random: &mut Rng, count: usize) -> Vec<u8> {
    (0..count).map(|_| random.below(255) as u8 + 1).collect()
}
