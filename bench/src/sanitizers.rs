//! Clang's sanitizers on the same program and the same input: the judge of what Byway reports.
//!
//! A program is built twice, with the address, leak and undefined-behaviour sanitizers and with
//! the memory sanitizer. Arguments and results need not be initialised
//! (`-fno-sanitize-memory-param-retval`): Byway reports a value where it decides something, not
//! where it is passed on.
//!
//! The leak sanitizer takes any word on the stack for a pointer, also what functions that have
//! returned left there. So the builds overwrite the stack when `main` has returned
//! (`scrub_stack.c`).

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use crate::process::{self, ProcessStatus};
use crate::toolchain::Level;

const COMPILE_LIMIT: Duration = Duration::from_secs(120);
/// Programs take milliseconds; a report with symbols takes longer on a busy machine.
const RUN_LIMIT: Duration = Duration::from_secs(60);

const SCRUB_STACK: &str = include_str!("scrub_stack.c");

/// The flags of the two builds.
const BUILDS: [&[&str]; 2] = [
    &["-fsanitize=address,undefined", "-fno-sanitize-recover=all"],
    &["-fsanitize=memory", "-fno-sanitize-memory-param-retval"],
];

const OPTIONS: [(&str, &str); 2] = [
    ("ASAN_OPTIONS", "detect_leaks=1:detect_stack_use_after_return=1:allocator_may_return_null=1"),
    ("UBSAN_OPTIONS", "print_stacktrace=0"),
];

/// What sanitizers say, and the names of faults by which Byway may report the same.
const REPORTS: &[(&str, &[&str])] = &[
    ("use-of-uninitialized-value", &["uninitialised-read"]),
    ("detected memory leaks", &["leak"]),
    ("param-overlap", &["overlap"]),
    ("buffer-overflow", BOUNDS),
    ("buffer-underflow", BOUNDS),
    ("negative-size-param", BOUNDS),
    ("heap-use-after-free", &["use-after-free"]),
    ("stack-use-after-return", &["use-after-return"]),
    ("stack-use-after-scope", &["use-after-scope"]),
    ("attempting double-free", &["double-free"]),
    ("attempting free on address", &["invalid-free"]),
    ("SEGV", SIGNALS),
    ("FPE", &["division-by-zero", "division-overflow"]),
    ("stack-overflow", &["stack-exhausted"]),
    ("signed integer overflow", &["signed-overflow"]),
    ("left shift of", &["invalid-shift", "signed-overflow"]),
    ("cannot be represented in type", &["signed-overflow", "division-overflow"]),
    ("division by zero", &["division-by-zero"]),
    ("out of bounds for type", BOUNDS),
    ("insufficient space for an object", BOUNDS),
    ("misaligned address", &["misaligned"]),
    ("outside the range of representable values", &["float-cast-overflow"]),
    ("variable length array bound", &["vla-bound"]),
    ("unreachable program point", &["unreachable"]),
    ("not a valid value for type", &["invalid-value"]),
    // The headers of glibc declare arguments so, those of musl do not.
    ("declared to never be null", &["unexpected-null", "null-dereference"]),
    ("null pointer returned from function", &["unexpected-null"]),
    ("to null pointer", &["pointer-overflow", "null-dereference"]),
    ("offset to 0x", &["pointer-overflow"]),
    ("pointer index expression", &["pointer-overflow"]),
    ("null pointer", &["null-dereference"]),
    ("incorrect function type", &["function-type"]),
    ("passing zero to", &["invalid-builtin"]),
    // The words of a shift differ by what is wrong with it.
    ("shift", &["invalid-shift"]),
];

const BOUNDS: &[&str] = &["out-of-bounds", "array-index"];

/// An access that the processor refuses.
const SIGNALS: &[&str] = &[
    "null-dereference",
    "wild-pointer",
    "out-of-bounds",
    "write-to-constant",
    "bad-function-pointer",
    // `free` reads what it frees.
    "invalid-free",
];

/// A report of a sanitizer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SanitizerFinding {
    /// The line of the program to blame; `None` if no frame is the program's.
    pub line: Option<u32>,
    /// Its kind, in the sanitizer's words.
    pub what: String,
    /// The names of faults that mean the same.
    pub same_as: &'static [&'static str],
}

/// A program built with both groups of sanitizers.
pub struct SanitizedProgram {
    source_name: String,
    executables: Vec<PathBuf>,
}

impl SanitizedProgram {
    /// Compiles `source`; the executables go into `folder`.
    pub fn build(
        source: &Path,
        level: Level,
        flags: &[String],
        folder: &Path,
    ) -> Result<SanitizedProgram, String> {
        let clang = std::env::var_os("BYWAY_CLANG").unwrap_or_else(|| "clang-22".into());
        let source_name = source.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let scrub = folder.join("scrub_stack.c");
        std::fs::write(&scrub, SCRUB_STACK).map_err(|e| format!("cannot write {scrub:?}: {e}"))?;
        let build = |(index, sanitizers): (usize, &&[&str])| {
            let executable = folder.join(format!("{source_name}.sanitized{index}"));
            let mut command = Command::new(&clang);
            command.args(["-g", "-w", "-fuse-ld=lld", level.flag()]).args(flags).args(*sanitizers);
            // A tail call would hide the line that makes it.
            command.arg("-fno-optimize-sibling-calls");
            command.arg("-o").arg(&executable).arg(source).arg(&scrub);
            command.args(["-Wl,--wrap=main", "-lm"]);
            process::succeed(&mut command, COMPILE_LIMIT).map(|_| executable)
        };
        let executables = BUILDS.iter().enumerate().map(build).collect::<Result<_, _>>()?;
        Ok(SanitizedProgram { source_name, executables })
    }

    /// Runs both builds with these arguments and this standard input.
    pub fn run(&self, args: &[OsString], stdin: &[u8]) -> Result<Vec<SanitizerFinding>, String> {
        let mut findings = Vec::new();
        for executable in &self.executables {
            let mut command = Command::new(executable);
            command.env_clear().envs(OPTIONS).envs(std::env::var_os("PATH").map(|it| ("PATH", it)));
            let ended = process::run(command.args(args), stdin, RUN_LIMIT)?;
            let text = ended.stderr_text();
            match finding(&text, &self.source_name) {
                Some(found) => findings.push(found?),
                None if matches!(ended.status, ProcessStatus::Code(_)) => {}
                None => return Err(format!("natively: {}: {}", ended.status, text.trim())),
            }
        }
        Ok(findings)
    }
}

impl SanitizerFinding {
    /// Whether a fault of Byway, by its kind and line, is the same.
    pub fn is(&self, kind: &str, line: Option<u32>) -> bool {
        self.is_kind(kind) && (self.line.is_none() || self.line == line)
    }

    /// Whether a fault of Byway is of the same kind.
    pub fn is_kind(&self, kind: &str) -> bool {
        self.same_as.contains(&kind)
    }
}

/// The report in what a program wrote to standard error. Fails for one of an unknown kind.
fn finding(text: &str, source: &str) -> Option<Result<SanitizerFinding, String>> {
    let place = format!("{source}:");
    let line_in = |text: &str| {
        let (_, rest) = text.split_once(&place)?;
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        rest[..digits].parse().ok()
    };
    let (what, line) = match text.lines().find_map(|line| line.split_once(": runtime error: ")) {
        Some((at, what)) => (what, line_in(&format!("{at}:"))),
        None => {
            let mut reports = text
                .lines()
                .enumerate()
                .filter(|(_, line)| line.contains("ERROR: ") || line.contains("WARNING: "));
            let (at, what) =
                reports.find_map(|(at, line)| Some((at, line.split_once("Sanitizer: ")?.1)))?;
            let frames = text.lines().skip(at).filter(|line| line.trim_start().starts_with('#'));
            (what, frames.filter_map(line_in).next())
        }
    };
    let known = REPORTS.iter().find(|(words, _)| what.contains(words));
    Some(match known {
        Some((_, same_as)) => Ok(SanitizerFinding { line, what: what.to_owned(), same_as }),
        None => Err(format!("an unknown report of a sanitizer: {what}")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Option<(Option<u32>, &'static str)> {
        let found = finding(text, "program.c")?.expect("a known report");
        Some((found.line, found.same_as[0]))
    }

    #[test]
    fn reports_of_all_sanitizers_are_understood() {
        let undefined = "/tmp/a/program.c:12:5: runtime error: signed integer overflow: 1 + 2\n";
        assert_eq!(found(undefined), Some((Some(12), "signed-overflow")));
        let address = "==1==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x1\n\
                       READ of size 1\n    #0 0x1 in strlen (/tmp/x+0x1)\n\
                       \u{20}   #1 0x2 in defect /tmp/a/program.c:34:7\n\
                       \u{20}   #2 0x3 in main /tmp/a/program.c:50:5\n";
        assert_eq!(found(address), Some((Some(34), "out-of-bounds")));
        let memory = "==2==WARNING: MemorySanitizer: use-of-uninitialized-value\n\
                      \u{20}   #0 0x1 in main /tmp/a/program.c:9:1\n";
        assert_eq!(found(memory), Some((Some(9), "uninitialised-read")));
        let leak = "==3==ERROR: LeakSanitizer: detected memory leaks\n\nDirect leak of 7 byte(s)\n\
                    \u{20}   #0 0x1 in malloc (/tmp/x+0x1)\n\
                    \u{20}   #1 0x2 in defect /tmp/a/program.c:20:3\n";
        assert_eq!(found(leak), Some((Some(20), "leak")));
        assert_eq!(found("some words\n"), None);
        assert!(
            finding("==1==ERROR: AddressSanitizer: unheard-of\n", "program.c").unwrap().is_err()
        );
    }
}
