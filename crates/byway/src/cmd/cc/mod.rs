//! `byway cc` and `byway c++`: a compiler for the build of any project, which keeps bitcode of
//! each source beside its machine code.
//!
//! ```text
//! -c:       clang WORDS;  then each source → bitcode → a section of its object
//! linking:  each source → bitcode → an object with that section alone;  clang OBJECT WORDS
//! others:   clang WORDS
//! ```
//!
//! So clang sees the words of the build, and writes what it would write. Nothing that concerns
//! bitcode fails a build: the section has the reason instead.

mod bitcode;
mod flags;
mod line;
mod options;
mod response_file;

use std::env;
use std::ffi::OsString;
use std::fs;
use std::io::{self, Read as _, Write as _};
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};

use byway_embed::{EmbeddedSource, SECTION, append};
use tempfile::TempDir;

pub use flags::{CcFlags, EXAMPLES};

use crate::failure::{Failure, Result};
use crate::load;
use bitcode::{BitcodeCompiler, SourceInput};
use line::{CompilerLine, CompilerSource, CompilerStage};

/// The language that a link takes for granted.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum CompilerDriver {
    C,
    Cxx,
}

/// The compiler and its words, if the command line is a compiler's: `byway cc ...`, or `byway`
/// under the name of `byway-cc`. Its words are not Byway's, so nothing else may read them. A call
/// for help alone is for Byway.
pub fn compiler_call(arguments: &[OsString]) -> Option<(CompilerDriver, &[OsString])> {
    let (command, words) = arguments.get(1..)?.split_first()?;
    let driver = match command.to_str()? {
        "cc" => CompilerDriver::C,
        "c++" => CompilerDriver::Cxx,
        _ => return None,
    };
    (words != ["--help"]).then_some((driver, words))
}

/// Runs the compiler; returns its exit code.
pub fn compile(driver: CompilerDriver, words: &[OsString]) -> Result<u8> {
    let name = load::compiler_name();
    let clang = load::find_clang(&name)?;
    let flags = env::var("BYWAY_BITCODE_FLAGS").unwrap_or_default();
    let line = CompilerLine::parse(words);
    let directory = env::current_dir().unwrap_or_default();
    let call = NativeCall { clang: &clang, driver, words, lto: line.lto };
    let wants_bitcode = flags.trim() != "none"
        && line.stage != CompilerStage::Other
        && !line.sources.is_empty()
        && !line.is_foreign
        && !line.is_configuration_test(&directory);
    if !wants_bitcode {
        return Err(call.replace_this_process());
    }
    let options = shlex::split(&flags).ok_or_else(|| {
        Failure::new(format!("BYWAY_BITCODE_FLAGS has an unclosed quote: '{flags}'"))
    })?;
    let scratch = TempDir::with_prefix("byway-cc-").map_err(load::no_directory)?;
    // Two compilers read it.
    let input = read_input(&line)?;
    let compiler = BitcodeCompiler {
        clang: &clang,
        driver,
        line: &line,
        options: &options,
        scratch: scratch.path(),
        directory: &directory,
    };
    match line.stage {
        CompilerStage::Linked => {
            let mut section = Vec::new();
            for source in &line.sources {
                embedded(&compiler, source, input.as_deref()).encode(&mut section);
            }
            let object = scratch.path().join("bitcode.o");
            let written = fs::write(&object, append::object_with_section(SECTION, &section));
            let extra = written.is_ok().then_some(object.as_path());
            Ok(code_of(call.run(extra, input.as_deref())?))
        }
        _ => {
            let status = call.run(None, input.as_deref())?;
            if status.success() {
                for source in &line.sources {
                    embed(&compiler, source, &line.object_of(source), input.as_deref());
                }
            }
            Ok(code_of(status))
        }
    }
}

/// Adds a source's bitcode to its object. What is no object of a known format stays as it is.
fn embed(compiler: &BitcodeCompiler, source: &CompilerSource, object: &Path, input: SourceInput) {
    // Not a device, such as /dev/null.
    if !fs::metadata(object).is_ok_and(|it| it.is_file()) {
        return;
    }
    let record = embedded(compiler, source, input);
    // Where this fails, the object has no section, and 'byway extract' reports that.
    let _ = append::append_section(object, SECTION, &record.to_bytes());
}

fn embedded(
    compiler: &BitcodeCompiler,
    source: &CompilerSource,
    input: SourceInput,
) -> EmbeddedSource {
    let path = compiler.directory.join(&source.path);
    EmbeddedSource { source: path.display().to_string(), content: compiler.content(source, input) }
}

/// The contents of standard input, if it is a source.
fn read_input(line: &CompilerLine) -> Result<Option<Vec<u8>>> {
    if !line.sources.iter().any(|source| source.path == "-") {
        return Ok(None);
    }
    let mut text = Vec::new();
    let read = io::stdin().lock().read_to_end(&mut text);
    read.map_err(|error| Failure::io("read", Path::new("standard input"), &error))?;
    Ok(Some(text))
}

/// The call of clang that the build asks for.
struct NativeCall<'a> {
    clang: &'a PathBuf,
    driver: CompilerDriver,
    words: &'a [OsString],
    lto: bool,
}

impl NativeCall<'_> {
    fn command(&self, extra: Option<&Path>) -> Command {
        let mut command = clang(self.clang, self.driver);
        command.args(extra);
        // Else objects would be bitcode for the linker, without a place for ours.
        let end = self.words.iter().position(|word| word == "--").unwrap_or(self.words.len());
        command.args(&self.words[..end]);
        if self.lto {
            command.arg("-fno-lto");
        }
        command.args(&self.words[end..]);
        command
    }

    /// Becomes the compiler; returns only if that fails.
    fn replace_this_process(&self) -> Failure {
        Failure::io("run", self.clang, &self.command(None).exec())
    }

    fn run(&self, extra: Option<&Path>, input: SourceInput) -> Result<ExitStatus> {
        run_with_input(&mut self.command(extra), input)
            .map_err(|error| Failure::io("run", self.clang, &error))
    }
}

fn clang(path: &Path, driver: CompilerDriver) -> Command {
    let mut command = Command::new(path);
    if driver == CompilerDriver::Cxx {
        command.arg("--driver-mode=g++");
    }
    command
}

fn run_with_input(command: &mut Command, input: SourceInput) -> io::Result<ExitStatus> {
    let Some(input) = input else { return command.status() };
    let mut child = command.stdin(Stdio::piped()).spawn()?;
    if let Some(mut pipe) = child.stdin.take() {
        // A compiler that reads no further says why itself.
        let _ = pipe.write_all(input);
    }
    child.wait()
}

/// The exit code, as a shell gives it.
fn code_of(status: ExitStatus) -> u8 {
    let code = status.code().or(status.signal().map(|signal| 128 + signal));
    code.and_then(|code| u8::try_from(code).ok()).unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_compilers_words_are_not_byways() {
        let words = |line: &str| -> Vec<OsString> { line.split(' ').map(OsString::from).collect() };
        let of =
            |line: &str| compiler_call(&words(line)).map(|(driver, rest)| (driver, rest.len()));
        assert_eq!(of("byway cc -c a.c"), Some((CompilerDriver::C, 2)));
        assert_eq!(of("byway c++ --resume"), Some((CompilerDriver::Cxx, 1)));
        assert_eq!(of("byway cc --help"), None);
        assert_eq!(of("byway run a.c"), None);
    }
}
