//! The exact comparison: the program is linked with the C library it was explored with, and
//! its output is compared with that of a rerun on the engine.
//!
//! A difference here is one between the engine and the machine. A difference that occurs only
//! with the machine's own C library, or with the user's executable, is not.

use std::path::Path;

use byway_base::{Outcome, TestCase};
use byway_native::sandbox::{Resource, SandboxLayout};
use byway_native::{BuildError, BuildSpec, Executable, Musl, NativeEnding, NativeRun};
use byway_rundir::RunManifest;

use super::verdict::{self, Expected, Verdict};
use super::{BUILDING, ReplayConfig};
use crate::failure::{Failure, Result};
use crate::interrupt;
use crate::load;
use crate::rerun::{ExploredProgram, Rerun, RerunConditions, Rerunner};
use byway_base::quantity::grouped;

/// The program for the exact comparison.
pub struct ExactProgram {
    /// Linked with the C library of the exploration.
    pub executable: Executable,
    /// Predicts the output of each test; `None` if the program changed since the run.
    explored: Option<ExploredProgram>,
}

/// The exact comparison, or the reason why there is none.
pub enum ExactComparison {
    Possible(Box<ExactProgram>),
    Impossible(String),
}

impl ExactComparison {
    /// Builds the program in `dir`. The current directory must be that of the run.
    pub fn prepare(
        config: &ReplayConfig,
        manifest: &RunManifest,
        spec: &BuildSpec,
        dir: &Path,
    ) -> Result<ExactComparison> {
        let Some(library) = Musl::directory() else {
            return Ok(ExactComparison::Impossible(
                "musl is not installed (Debian: musl-dev)".into(),
            ));
        };
        // The same program without the checks that clang inserted: none of them fails in a test
        // that exits, and this C library has no handlers for them.
        let load_config = config.loader.load_config(manifest).with_sanitizers(Vec::new());
        let (options, headers) = match load::c_options(&load_config) {
            Ok(found) => found,
            Err(why) => return Ok(ExactComparison::Impossible(first_line(&why.to_string()))),
        };
        let musl = Musl { library, headers, options };
        std::fs::create_dir(dir).map_err(|error| Failure::io("make", dir, &error))?;
        let built = Executable::build_exact(spec, &musl, dir, &mut || !interrupt::requested());
        let executable = match built {
            Ok(executable) => executable,
            Err(BuildError::Stopped) => return Err(Failure::interrupted_while(BUILDING)),
            Err(other) => return Ok(ExactComparison::Impossible(other.to_string())),
        };
        let explored = ExploredProgram::load(&config.loader, manifest)?;
        if let Some(function) = explored.as_ref().and_then(ExploredProgram::glibc_variant) {
            return Ok(ExactComparison::Impossible(format!(
                "the program was compiled against glibc's headers, and musl's {function} differs"
            )));
        }
        Ok(ExactComparison::Possible(Box::new(ExactProgram { executable, explored })))
    }

    /// The program, if the comparison is possible.
    pub fn program(&self) -> Option<&ExactProgram> {
        match self {
            ExactComparison::Possible(exact) => Some(exact),
            ExactComparison::Impossible(_) => None,
        }
    }

    /// A description for the table.
    pub fn describe(&self) -> String {
        match self {
            ExactComparison::Impossible(why) => format!("none: {why}"),
            ExactComparison::Possible(exact) => match exact.explored {
                Some(_) => "with musl: exit code, signal and output".into(),
                None => "with musl: exit code and signal (the program has changed)".into(),
            },
        }
    }
}

fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().to_string()
}

impl ExactProgram {
    /// Reruns tests on the engine, on one thread; `None` if the program changed.
    pub fn engine(&self) -> Option<Rerunner<'_>> {
        self.explored.as_ref().map(ExploredProgram::rerunner)
    }
}

/// Compares a test that is predicted to exit. `run` runs it natively. A test that differs is
/// run again, also with another file system layout: a program that is not deterministic, or
/// whose output depends on the layout, cannot be compared. The engine executes at most
/// `limit` instructions.
pub fn compare(
    engine: Option<&Rerunner<'_>>,
    expected: &Expected<'_>,
    test: &TestCase,
    limit: u64,
    run: &mut dyn FnMut(SandboxLayout) -> Result<NativeRun>,
) -> Result<Option<Verdict>> {
    let native = run(SandboxLayout::Standard)?;
    if native.ending == NativeEnding::Stopped {
        return Ok(None);
    }
    let plain = verdict::compare(expected, &native);
    let (Some(engine), Verdict::Agrees | Verdict::Diverges { .. } | Verdict::TimedOut { .. }) =
        (engine, &plain)
    else {
        return Ok(Some(plain));
    };
    let rerun_in = |conditions| engine.run(test, conditions, limit);
    let rerun = rerun_in(RerunConditions::Same)?;
    if rerun.outcome == Outcome::Interrupted {
        return Ok(None);
    }
    let happened = match (plain, difference(&rerun, &native)) {
        (Verdict::Agrees, None) => return Ok(Some(Verdict::Agrees)),
        (Verdict::Diverges { happened, .. }, _) => happened,
        (timed_out @ Verdict::TimedOut { .. }, _) => {
            let on_time = RerunConditions::ClockAhead(CLOCK_AHEAD);
            return Ok(Some(match depends_on(on_time, &rerun_in, &rerun)? {
                true => expected.not_comparable(ON_TIME),
                false => timed_out,
            }));
        }
        (_, Some(difference)) => difference,
        (other, None) => return Ok(Some(other)),
    };
    if failed_in_sandbox_only(&native) {
        return Ok(Some(expected.not_comparable(READ_ONLY)));
    }
    let too_much = native.ending == NativeEnding::UsedTooMuch(Resource::Memory);
    if too_much && depends_on(RerunConditions::HalfMemory, &rerun_in, &rerun)? {
        return Ok(Some(expected.not_comparable(MEMORY)));
    }
    if depends_on(RerunConditions::ClockAhead(CLOCK_AHEAD), &rerun_in, &rerun)? {
        return Ok(Some(expected.not_comparable(ON_TIME)));
    }
    for (layout, why) in
        [(SandboxLayout::Standard, NOT_REPEATED), (SandboxLayout::Varied, LAID_OUT)]
    {
        let again = run(layout)?;
        if again.ending == NativeEnding::Stopped {
            return Ok(None);
        }
        if !is_same(&native, &again) {
            return Ok(Some(expected.not_comparable(why)));
        }
    }
    Ok(Some(expected.diverged(happened)))
}

/// Seconds, nearly two years: every field of the date differs.
const CLOCK_AHEAD: i64 = 50_000_000;

/// Whether a test behaves differently under other conditions.
fn depends_on(
    other: RerunConditions,
    rerun_in: &impl Fn(RerunConditions) -> Result<Rerun>,
    rerun: &Rerun,
) -> Result<bool> {
    let changed = rerun_in(other)?;
    let wrote = |it: &Rerun| (it.stdout.clone(), it.stderr.clone());
    // A program that uses all memory may end the same way, but sooner.
    let sooner = other == RerunConditions::HalfMemory && changed.instructions != rerun.instructions;
    Ok(sooner || changed.outcome != rerun.outcome || wrote(&changed) != wrote(rerun))
}

const ON_TIME: &str = "its behaviour depends on the time";
const MEMORY: &str = "it uses all available memory, and a native run has less";
const NOT_REPEATED: &str = "two native runs differ as well: addresses, random numbers or the like";
const LAID_OUT: &str = "its output depends on the file system: inode numbers, order of names, \
                        entries of the root directory";
const READ_ONLY: &str = "it writes to a file of another user, which is read-only in the sandbox";

/// Whether the program reports an error that only occurs in the sandbox: files of another user
/// in the model are read-only in the sandbox, which has a single user.
fn failed_in_sandbox_only(native: &NativeRun) -> bool {
    let words = b"Read-only file system";
    native.stderr.windows(words.len()).any(|window| window == words)
}

fn is_same(one: &NativeRun, other: &NativeRun) -> bool {
    one.ending == other.ending && one.stdout == other.stdout && one.stderr == other.stderr
}

/// How the native output differs from the engine's.
fn difference(rerun: &Rerun, native: &NativeRun) -> Option<String> {
    if rerun.outcome == Outcome::OutOfBudget {
        let taken = grouped(rerun.instructions);
        return Some(format!("a rerun on the engine is truncated after {taken} instructions"));
    }
    if !rerun.on_path {
        return Some("a rerun on the engine asks for other inputs than the test has".into());
    }
    let streams = [
        ("standard output", &rerun.stdout, &native.stdout),
        ("standard error", &rerun.stderr, &native.stderr),
    ];
    streams.into_iter().find_map(|(name, predicted, happened)| {
        let at = first_difference(predicted, happened)?;
        let (predicted, happened) = (excerpt(predicted, at), excerpt(happened, at));
        Some(format!("{name} from byte {at} on is {happened}, not {predicted}"))
    })
}

fn first_difference(one: &[u8], other: &[u8]) -> Option<usize> {
    let same = one.iter().zip(other).take_while(|(a, b)| a == b).count();
    (same < one.len() || same < other.len()).then_some(same)
}

/// The length of excerpts in bytes.
const EXCERPT: usize = 32;

fn excerpt(bytes: &[u8], at: usize) -> String {
    match &bytes[at..] {
        [] => "nothing".into(),
        rest if rest.len() <= EXCERPT => format!("\"{}\"", rest.escape_ascii()),
        rest => format!("\"{}...\"", rest[..EXCERPT].escape_ascii()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rerun(stdout: &[u8], stderr: &[u8]) -> Rerun {
        Rerun {
            outcome: Outcome::Exit(0),
            instructions: 1,
            stdout: stdout.to_vec(),
            stderr: stderr.to_vec(),
            on_path: true,
            missing_input: None,
            covered: vec![],
            not_modelled: vec![],
        }
    }

    fn native(stdout: &[u8], stderr: &[u8]) -> NativeRun {
        NativeRun {
            ending: NativeEnding::Exited(0),
            assertion: None,
            remarks: vec![],
            unread_inputs: 0,
            stdout: stdout.to_vec(),
            stderr: stderr.to_vec(),
        }
    }

    #[test]
    fn differences_are_shown_from_their_first_byte() {
        assert_eq!(difference(&rerun(b"a\n", b"b"), &native(b"a\n", b"b")), None);
        let shown = |one: (&[u8], &[u8]), other: (&[u8], &[u8])| {
            difference(&rerun(one.0, one.1), &native(other.0, other.1)).expect("a difference")
        };
        assert_eq!(
            shown((b"same\x00x", b""), (b"same\x00yz", b"")),
            r#"standard output from byte 5 on is "yz", not "x""#
        );
        assert_eq!(
            shown((b"", b"more\n"), (b"", b"")),
            r#"standard error from byte 0 on is nothing, not "more\n""#
        );
        let long = shown((b"", b""), (&[b'x'; 100], b""));
        assert!(long.contains(&format!("\"{}...\"", "x".repeat(EXCERPT))), "{long}");
        let off = Rerun { on_path: false, ..rerun(b"", b"") };
        assert!(difference(&off, &native(b"", b"")).is_some());
        let endless = Rerun { outcome: Outcome::OutOfBudget, ..rerun(b"", b"") };
        let shown = difference(&endless, &native(b"", b"")).expect("a difference");
        assert_eq!(shown, "a rerun on the engine is truncated after 1 instructions");
    }
}
