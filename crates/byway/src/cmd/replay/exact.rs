//! The exact comparison: the program linked with the C library it was explored with, and
//! what the engine says it writes.
//!
//! A difference here is one between the engine and the machine. A difference that shows
//! only elsewhere, on the machine's own C library or on a binary of the user's, is not.

use std::path::Path;

use byway_base::{Outcome, TestCase};
use byway_native::sandbox::{Resource, SandboxLayout};
use byway_native::{BuildError, BuildSpec, Executable, Musl, NativeEnding, NativeRun};
use byway_rundir::RunManifest;

use crate::cmd::replay::verdict::{self, Expected, Verdict};
use crate::cmd::replay::{BUILDING, ReplayConfig};
use crate::failure::{Failure, Result};
use crate::interrupt;
use crate::load;
use crate::rerun::{Circumstances, Rerun, Rerunner, Tester};
use byway_base::quantity::grouped;

/// The program for exact comparison.
pub struct Exact {
    /// With the C library it was explored with.
    pub executable: Executable,
    /// Says what each test writes; `None` if the program is not the explored one any
    /// more.
    rerunner: Option<Rerunner>,
}

/// Whether there is an exact comparison, or why there is none.
pub enum Exactness {
    /// There is.
    Exact(Box<Exact>),
    /// There is none, for this reason.
    Impossible(String),
}

impl Exactness {
    /// Builds the program in this directory. The directory that names of the run are
    /// relative to must be the current one.
    pub fn prepare(
        config: &ReplayConfig,
        manifest: &RunManifest,
        recipe: &BuildSpec,
        dir: &Path,
    ) -> Result<Exactness> {
        let Some(library) = Musl::directory() else {
            return Ok(Exactness::Impossible("musl is not installed (Debian: musl-dev)".into()));
        };
        let (options, headers) = match load::c_options(&config.source.load_config(manifest)) {
            Ok(found) => found,
            Err(why) => return Ok(Exactness::Impossible(first_line(&why.to_string()))),
        };
        let musl = Musl { library, headers, options };
        std::fs::create_dir(dir).map_err(|error| Failure::io("make", dir, &error))?;
        let built = Executable::build_exact(recipe, &musl, dir, &mut || !interrupt::requested());
        let executable = match built {
            Ok(executable) => executable,
            Err(BuildError::Stopped) => return Err(Failure::interrupted_while(BUILDING)),
            Err(other) => return Ok(Exactness::Impossible(other.to_string())),
        };
        let rerunner = Rerunner::load(&config.source, manifest)?;
        Ok(Exactness::Exact(Box::new(Exact { executable, rerunner })))
    }

    /// What there is, if it is exact.
    pub fn exact(&self) -> Option<&Exact> {
        match self {
            Exactness::Exact(exact) => Some(exact),
            Exactness::Impossible(_) => None,
        }
    }

    /// In words.
    pub fn describe(&self) -> String {
        match self {
            Exactness::Impossible(why) => format!("none: {why}"),
            Exactness::Exact(exact) => match exact.rerunner {
                Some(_) => "with musl: exit code, signal and output".into(),
                None => "with musl: exit code and signal (the program has changed)".into(),
            },
        }
    }
}

fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().to_string()
}

impl Exact {
    /// Someone who says what tests write, one after the other; `None` if nobody can.
    pub fn foreteller(&self) -> Option<Tester<'_>> {
        self.rerunner.as_ref().map(Rerunner::tester)
    }
}

/// Compares a test that was to exit. `run` runs it once more, because a program that
/// does not repeat itself cannot be compared, nor one that tells how files are laid out.
/// The engine runs no more than `limit` instructions of it.
pub fn compare(
    foreteller: Option<&Tester<'_>>,
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
    let (Some(foreteller), Verdict::Agrees | Verdict::Diverges { .. }) = (foreteller, &plain)
    else {
        return Ok(Some(plain));
    };
    let again = |circumstances| foreteller.run(test, circumstances, limit);
    let rerun = again(Circumstances::Same)?;
    if rerun.outcome == Outcome::Interrupted {
        return Ok(None);
    }
    let happened = match (plain, difference(&rerun, &native)) {
        (Verdict::Agrees, None) => return Ok(Some(Verdict::Agrees)),
        (Verdict::Diverges { happened, .. }, _) => happened,
        (_, Some(difference)) => difference,
        (other, None) => return Ok(Some(other)),
    };
    if is_refused_by_sandbox(&native) {
        return Ok(Some(expected.not_comparable(READ_ONLY)));
    }
    let too_much = native.ending == NativeEnding::UsedTooMuch(Resource::Memory);
    if too_much && depends_on(Circumstances::LessMemory, &again, &rerun)? {
        return Ok(Some(expected.not_comparable(MEMORY)));
    }
    if depends_on(Circumstances::Later(LATER), &again, &rerun)? {
        return Ok(Some(expected.not_comparable("what it does depends on the time")));
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

/// Nearly two years: enough for another date in every field.
const LATER: i64 = 50_000_000;

/// Whether a test does something else in other circumstances.
fn depends_on(
    other: Circumstances,
    again: &impl Fn(Circumstances) -> Result<Rerun>,
    rerun: &Rerun,
) -> Result<bool> {
    let then = again(other)?;
    let wrote = |it: &Rerun| (it.stdout.clone(), it.stderr.clone());
    // Who takes all the memory there is may end the same way, sooner.
    let sooner = other == Circumstances::LessMemory && then.instructions != rerun.instructions;
    Ok(sooner || then.outcome != rerun.outcome || wrote(&then) != wrote(rerun))
}

const MEMORY: &str = "it takes all the memory there is, and natively there is less";
const NOT_REPEATED: &str = "two native runs differ, too: in addresses, random numbers or the like";
const LAID_OUT: &str = "it tells what every file system has in its own way: numbers of inodes, \
                        the order of names, what is in the root";
const READ_ONLY: &str =
    "it writes where the model has another's file, and the sandbox a read-only one";

/// Whether the program tells of an error that only the sandbox makes: what belongs to
/// another user in the model may belong to nobody else in it, and is read-only instead.
fn is_refused_by_sandbox(native: &NativeRun) -> bool {
    let words = b"Read-only file system";
    native.stderr.windows(words.len()).any(|window| window == words)
}

fn is_same(one: &NativeRun, other: &NativeRun) -> bool {
    one.ending == other.ending && one.stdout == other.stdout && one.stderr == other.stderr
}

/// How what was written differs from what the engine wrote.
fn difference(rerun: &Rerun, native: &NativeRun) -> Option<String> {
    if rerun.outcome == Outcome::OutOfBudget {
        let taken = grouped(rerun.instructions);
        return Some(format!("run again on the engine, it is cut off after {taken} instructions"));
    }
    if !rerun.on_path {
        return Some("run again on the engine, it asks for other inputs than the test's".into());
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

/// So many bytes show what differs.
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
            covered: vec![],
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
    fn differences_are_shown_where_they_begin() {
        assert_eq!(difference(&rerun(b"a\n", b"b"), &native(b"a\n", b"b")), None);
        let told = |one: (&[u8], &[u8]), other: (&[u8], &[u8])| {
            difference(&rerun(one.0, one.1), &native(other.0, other.1)).expect("a difference")
        };
        assert_eq!(
            told((b"same\x00x", b""), (b"same\x00yz", b"")),
            r#"standard output from byte 5 on is "yz", not "x""#
        );
        assert_eq!(
            told((b"", b"more\n"), (b"", b"")),
            r#"standard error from byte 0 on is nothing, not "more\n""#
        );
        let long = told((b"", b""), (&[b'x'; 100], b""));
        assert!(long.contains(&format!("\"{}...\"", "x".repeat(EXCERPT))), "{long}");
        let off = Rerun { on_path: false, ..rerun(b"", b"") };
        assert!(difference(&off, &native(b"", b"")).is_some());
        let endless = Rerun { outcome: Outcome::OutOfBudget, ..rerun(b"", b"") };
        let said = difference(&endless, &native(b"", b"")).expect("a difference");
        assert_eq!(said, "run again on the engine, it is cut off after 1 instructions");
    }
}
