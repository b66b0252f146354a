//! Bitcode to Byway's IR, by the child process `byway-llvm`.

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use byway_ir::{Module, cache};

use byway_base::quantity;

use crate::console;
use crate::failure::{Failure, Result, reason};
use crate::load::compile::ANNOUNCE_AFTER;
use crate::load::config::LoadConfig;
use crate::load::inputs::{FileKind, ProgramInputFile};
use crate::load::install::Installed;
use crate::process::{self, Ended};

/// The input of the child process.
pub struct LowerJob<'a> {
    pub installed: &'a Installed,
    /// The user's bitcode.
    pub files: &'a [PathBuf],
    /// The files as the user named them, for messages.
    pub inputs: &'a [ProgramInputFile],
    /// The time limit is in here.
    pub config: &'a LoadConfig,
}

/// The lowered program.
pub struct LowerResult {
    pub module: Module,
    /// The encoded program, for the cache.
    pub bytes: Vec<u8>,
    /// Warnings of the child.
    pub warnings: Vec<String>,
}

impl LowerJob<'_> {
    /// Runs the child, which writes the program to the file `out`.
    pub fn run(&self, out: &Path) -> Result<LowerResult> {
        let mut command = Command::new(&self.installed.llvm);
        command.arg("--out").arg(out);
        for (file, input) in self.files.iter().zip(self.inputs) {
            let compiled = input.kind == FileKind::C;
            command.arg(if compiled { "--compiled" } else { "--user" }).arg(file);
        }
        command.arg("--libc").arg(&self.installed.libc);
        command.arg("--runtime").arg(&self.installed.runtime);
        // Whether an entry point is required depends on the command.
        command.arg("--allow-missing-main");
        let mut announced = false;
        let words = run_reader(command, &self.names(), self.config.time_limit, |elapsed| {
            if self.config.progress && !announced && elapsed > ANNOUNCE_AFTER {
                announced = true;
                console::say(&format!("byway: loading {}", self.names()));
            }
        })?
        .map_err(|words| self.complaint(&words))?;
        let bytes = fs::read(out).map_err(|error| {
            let names = self.names();
            Failure::new(format!("'byway-llvm' wrote no output for {names}: {}", reason(&error)))
        })?;
        let module = cache::decode(&bytes).map_err(|error| {
            Failure::new(format!("cannot read the output of 'byway-llvm': {error}"))
                .hint("byway and byway-llvm have different versions; './dev' builds both")
        })?;
        Ok(LowerResult { module, bytes, warnings: warnings_in(&words) })
    }

    /// The error that the child reports, without its name and those of temporary files.
    fn complaint(&self, words: &str) -> Failure {
        let mut text = words.trim().to_string();
        for (file, input) in self.files.iter().zip(self.inputs) {
            text = text.replace(&*file.to_string_lossy(), &input.path.to_string_lossy());
        }
        let (first, rest) = text.split_once('\n').unwrap_or((&text, ""));
        let named = self.inputs.iter().any(|i| text.contains(&*i.path.to_string_lossy()));
        let message = match (strip(first), named) {
            ("", _) => format!("{} cannot be loaded", self.names()),
            (first, true) => first.to_string(),
            (first, false) => format!("{first} (in {})", self.names()),
        };
        Failure::new(message).detail(rest)
    }

    fn names(&self) -> String {
        let names: Vec<String> =
            self.inputs.iter().take(3).map(|i| format!("'{}'", i.path.display())).collect();
        let more = if self.inputs.len() > names.len() { ", ..." } else { "" };
        format!("{}{more}", names.join(", "))
    }
}

/// Runs the child on files with these names. What it says: warnings, or as an `Err` within, why it
/// failed.
pub fn run_reader(
    mut command: Command,
    names: &str,
    limit: Duration,
    waiting: impl FnMut(Duration),
) -> Result<std::result::Result<String, String>> {
    let reader = PathBuf::from(command.get_program());
    let ended = process::run(&mut command, limit, waiting)
        .map_err(|error| Failure::io("run", &reader, &error))?;
    match ended {
        Ended::Exited(status, words) if status.success() => Ok(Ok(words)),
        Ended::Exited(status, words) if status.signal().is_some() => {
            let how = process::describe(status);
            Err(Failure::new(format!("LLVM crashed with {how} on {names}"))
                .detail(last_lines(&words, 3))
                .hint("the bitcode is damaged, or triggers a bug in LLVM"))
        }
        Ended::Exited(_, words) => Ok(Err(words)),
        Ended::Interrupted => Err(Failure::interrupted_while("loading")),
        Ended::TimedOut => {
            let limit = quantity::time(limit);
            Err(Failure::new(format!("loading {names} took over {limit}"))
                .hint("raise --load-timeout"))
        }
    }
}

/// The warnings of the child.
pub fn warnings_in(words: &str) -> Vec<String> {
    words.lines().map(|line| strip(line).to_string()).collect()
}

/// A line without the prefix `byway-llvm: `.
pub fn strip(line: &str) -> &str {
    let line = line.strip_prefix("byway-llvm: ").unwrap_or(line);
    line.strip_prefix("error: ").or_else(|| line.strip_prefix("warning: ")).unwrap_or(line)
}

fn last_lines(text: &str, count: usize) -> String {
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(count)..].join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_prefix_of_the_child_is_removed() {
        assert_eq!(strip("byway-llvm: error: bad"), "bad");
        assert_eq!(strip("warning: odd"), "odd");
        assert_eq!(strip("bad"), "bad");
    }

    #[test]
    fn the_last_lines() {
        assert_eq!(last_lines("a\nb\nc\n", 2), "b\nc");
        assert_eq!(last_lines("a", 2), "a");
    }
}
