//! Whether a native run ended as predicted.
//!
//! An exit must have the same code. A fault must show natively, as a sanitizer, a signal
//! or the replay library tells, at the same line; of which kind it is there need not be
//! the same to the word, because sanitizers divide them otherwise. Some faults a native
//! run cannot show, or not always: then the test is not comparable, and says why. So is
//! one that ends otherwise where the program found what no native run can be given.

use std::fmt;
use std::fs;
use std::path::Path;

use byway_base::{FaultKind, SrcLoc};
use byway_native::{NativeEnding, NativeRun, SanitizerReport};
use byway_rundir::OutcomeRecord;
use byway_testcase::symbolic::ProgramInput;

use crate::cmd::replay::plan::Planned;
use crate::process::signal_name;

/// What came of a comparison.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It ended as predicted.
    Agrees,
    /// It did not.
    Diverges {
        /// What was predicted.
        predicted: String,
        /// What happened instead.
        happened: String,
    },
    /// It ended as predicted with the C library it was explored with, but not elsewhere.
    AgreesExactly {
        /// What was predicted.
        predicted: String,
        /// What happened elsewhere.
        elsewhere: String,
    },
    /// A native run cannot tell.
    NotComparable {
        /// What was predicted.
        predicted: String,
        /// Why it cannot.
        why: String,
    },
    /// Nothing was predicted.
    NoPrediction,
}

impl Verdict {
    /// A test whose input no native run can be put into does not diverge, whatever
    /// happened.
    pub fn excused_by(self, input: &ProgramInput) -> Verdict {
        let why = match (input.failures.as_slice(), input.file_status.as_slice()) {
            ([], []) => return self,
            ([], _) => {
                "what stat says of its files is input, and natively it says otherwise".into()
            }
            (failures, _) => {
                let calls: Vec<String> = failures.iter().map(ToString::to_string).collect();
                format!("in it {} may fail, which natively succeeds", calls.join(" and "))
            }
        };
        match self {
            Verdict::Diverges { predicted, .. } => Verdict::NotComparable { predicted, why },
            verdict => verdict,
        }
    }
}

/// What a test comes to whose exact comparison came to `exact`, and which came to `other`
/// and ended as `ending` elsewhere: what is wrong there alone is no fault of the engine's,
/// but what a sanitizer finds is wrong everywhere.
pub fn combine(exact: Verdict, other: Verdict, ending: &NativeEnding) -> Verdict {
    match (exact, other) {
        (_, other @ Verdict::Diverges { .. }) if matches!(ending, NativeEnding::Sanitizer(_)) => {
            other
        }
        (Verdict::Agrees, Verdict::Diverges { predicted, happened }) => {
            Verdict::AgreesExactly { predicted, elsewhere: happened }
        }
        (exact, _) => exact,
    }
}

/// How a test should end.
pub struct Expected<'a> {
    outcome: Option<&'a OutcomeRecord>,
    in_library: bool,
    sanitised: bool,
}

impl<'a> Expected<'a> {
    /// Of a test, on a program whose own code the sanitizers watch or do not.
    pub fn new(test: &'a Planned, sanitised: bool) -> Self {
        Expected { outcome: test.outcome.as_ref(), in_library: test.in_library, sanitised }
    }

    /// The verdict that this happened instead.
    pub fn diverged(&self, happened: String) -> Verdict {
        Verdict::Diverges { predicted: self.to_string(), happened }
    }

    /// Whether the program is to exit.
    pub fn is_exit(&self) -> bool {
        matches!(self.outcome, Some(OutcomeRecord::Exit { .. }))
    }

    /// The verdict that no native run can tell.
    pub fn not_comparable(&self, why: impl Into<String>) -> Verdict {
        Verdict::NotComparable { predicted: self.to_string(), why: why.into() }
    }
}

impl fmt::Display for Expected<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.outcome {
            Some(OutcomeRecord::Exit { code }) => write!(f, "exit code {}", code & 0xff),
            Some(OutcomeRecord::Fault { fault, at, .. }) => write!(f, "{fault}{}", place(at)),
            Some(other) => f.write_str(other.name()),
            None => f.write_str("nothing"),
        }
    }
}

/// Compares.
pub fn compare(expected: &Expected<'_>, run: &NativeRun) -> Verdict {
    match expected.outcome {
        Some(OutcomeRecord::Exit { code }) => compare_exit(expected, *code, run),
        Some(OutcomeRecord::Fault { fault, message, at, .. }) => match FaultKind::by_name(fault) {
            Some(kind) => {
                let at = at.as_ref().filter(|at| at.line != 0);
                compare_fault(expected, kind, message, at, run)
            }
            None => expected.not_comparable("a fault this byway does not know"),
        },
        _ => Verdict::NoPrediction,
    }
}

fn compare_exit(expected: &Expected<'_>, code: i32, run: &NativeRun) -> Verdict {
    match &run.ending {
        NativeEnding::Unable(why) => expected.not_comparable(why),
        // What a parent process sees of an exit code.
        NativeEnding::Exited(native) if *native == code & 0xff => match run.unread_inputs {
            0 => Verdict::Agrees,
            left => expected.diverged(format!(
                "{}, but it had not asked for {left} of the test's inputs",
                describe(run)
            )),
        },
        _ => expected.diverged(describe(run)),
    }
}

const NO_LINE: &str = "it shows natively, but not at which line";

fn compare_fault(
    expected: &Expected<'_>,
    kind: FaultKind,
    message: &str,
    at: Option<&SrcLoc>,
    run: &NativeRun,
) -> Verdict {
    if let Some(why) = never_shown(kind) {
        return expected.not_comparable(why);
    }
    if let NativeEnding::Unable(why) = &run.ending {
        return expected.not_comparable(why);
    }
    let excused = || match excuse(expected, kind, message) {
        Some(why) => expected.not_comparable(why),
        None => expected.diverged(describe(run)),
    };
    match (evidence(kind, message, run), at) {
        (Evidence::Enough, _) | (Evidence::At(_) | Evidence::Somewhere, None) => Verdict::Agrees,
        (Evidence::Somewhere, Some(_)) => expected.not_comparable(NO_LINE),
        (Evidence::At(lines), Some(at)) => match lines.iter().any(|line| same_line(line, at)) {
            true => Verdict::Agrees,
            // The frame that called is lost, unless a sanitizer looked before the call.
            false if kind == FaultKind::BadFunctionPointer => expected.not_comparable(NO_LINE),
            false => excused(),
        },
        (Evidence::None, _) => excused(),
    }
}

/// Why no native run shows a fault of this kind, if none does.
fn never_shown(kind: FaultKind) -> Option<&'static str> {
    match kind {
        FaultKind::UninitialisedRead => Some("a native run does not notice uninitialised memory"),
        FaultKind::BadJump => Some("natively nothing is checked where a jump ends"),
        FaultKind::OutOfMemory => Some("a native run has another amount of memory"),
        _ => None,
    }
}

/// How a run shows a fault of some kind.
enum Evidence {
    /// At one of these lines.
    At(Vec<SrcLoc>),
    /// At a line that is not known.
    Somewhere,
    /// In a way that needs no line.
    Enough,
    /// Not at all.
    None,
}

/// Whether a run shows a fault of this kind.
fn evidence(kind: FaultKind, message: &str, run: &NativeRun) -> Evidence {
    let sanitizer = |accepted: &dyn Fn(&str) -> bool| match &run.ending {
        NativeEnding::Sanitizer(report) if accepted(&report.kind) => located(report),
        _ => Evidence::None,
    };
    let remarked = |words: &[&str]| {
        let about = run.remarks.iter().filter(|it| words.iter().any(|word| it.what.contains(word)));
        let lines: Vec<SrcLoc> = about.map(|remark| remark.at.clone()).collect();
        if lines.is_empty() { Evidence::None } else { Evidence::At(lines) }
    };
    match kind {
        FaultKind::OutOfBounds => either(sanitizer(&is_memory_error), remarked(&["out of bounds"])),
        FaultKind::UseAfterFree
        | FaultKind::UseAfterReturn
        | FaultKind::DoubleFree
        | FaultKind::InvalidFree
        | FaultKind::NullDereference
        | FaultKind::WildPointer
        | FaultKind::WriteToConstant => sanitizer(&is_memory_error),
        FaultKind::DivisionByZero | FaultKind::DivisionOverflow => {
            either(sanitizer(&|kind| kind == "FPE"), remarked(&["division"]))
        }
        FaultKind::SignedOverflow => remarked(&["integer overflow", "cannot be represented"]),
        FaultKind::InvalidShift => remarked(&["shift"]),
        FaultKind::Misaligned => remarked(&["misaligned"]),
        FaultKind::Unreachable => sanitizer(&|kind| kind == "unreachable"),
        FaultKind::Trap => sanitizer(&|kind| kind == "ILL" || kind == "TRAP"),
        FaultKind::Abort => aborted(run),
        FaultKind::AssertFailed => match (aborted(run), &run.assertion) {
            (Evidence::None, _) | (_, None) => Evidence::None,
            (it, Some(assertion)) => either(it, Evidence::At(vec![assertion.at.clone()])),
        },
        FaultKind::KilledBySignal => signalled(message, run),
        FaultKind::Reported => match &run.ending {
            NativeEnding::Reported { given, at, .. } => {
                Evidence::At(given.iter().chain(at).cloned().collect())
            }
            _ => Evidence::None,
        },
        FaultKind::BadFunctionPointer => {
            // Jumping onto the stack looks like running out of it.
            let is_bad_call = |kind: &str| is_memory_error(kind) || kind == "stack-overflow";
            either(sanitizer(&is_bad_call), remarked(&["incorrect function type"]))
        }
        FaultKind::StackExhausted => match sanitizer(&|kind| kind == "stack-overflow") {
            Evidence::None => Evidence::None,
            // Any call of the recursion may be the one too many.
            _ => Evidence::Enough,
        },
        FaultKind::UninitialisedRead | FaultKind::BadJump | FaultKind::OutOfMemory => {
            Evidence::None
        }
    }
}

/// Whether the address sanitizer calls so what has to do with memory.
fn is_memory_error(kind: &str) -> bool {
    !["FPE", "ABRT", "ILL", "TRAP", "unreachable", "stack-overflow"].contains(&kind)
}

fn located(report: &SanitizerReport) -> Evidence {
    match &report.at {
        Some(at) if !report.wild_jump => Evidence::At(vec![at.clone()]),
        _ => Evidence::Somewhere,
    }
}

/// What either shows; a line that is known is worth more than one that is not.
fn either(one: Evidence, other: Evidence) -> Evidence {
    match (one, other) {
        (Evidence::None, it) | (it, Evidence::None) => it,
        (Evidence::At(mut lines), Evidence::At(more)) => {
            lines.extend(more);
            Evidence::At(lines)
        }
        (Evidence::At(lines), _) | (_, Evidence::At(lines)) => Evidence::At(lines),
        (it, _) => it,
    }
}

fn aborted(run: &NativeRun) -> Evidence {
    match &run.ending {
        NativeEnding::Sanitizer(report) if report.kind == "ABRT" => located(report),
        NativeEnding::Killed(libc::SIGABRT) => Evidence::Somewhere,
        _ => Evidence::None,
    }
}

/// The engine's message ends in the signal's number.
fn signalled(message: &str, run: &NativeRun) -> Evidence {
    let number = message.split_whitespace().next_back().and_then(|word| word.parse::<i32>().ok());
    let name = number.and_then(signal_name).map(|name| name.trim_start_matches("SIG"));
    match &run.ending {
        NativeEnding::Killed(signal) if number == Some(*signal) => Evidence::Enough,
        NativeEnding::Sanitizer(report) if name == Some(&report.kind) => located(report),
        _ => Evidence::None,
    }
}

/// Objects that the address sanitizer does not put a guard around, as the engine calls
/// them.
const UNWATCHED: [&str; 3] =
    ["the variadic arguments", "variadic argument", "the program's arguments and environment"];

/// Why a native run may not have shown this fault, if there is a reason.
fn excuse(expected: &Expected<'_>, kind: FaultKind, message: &str) -> Option<&'static str> {
    let in_memory = matches!(
        kind,
        FaultKind::OutOfBounds
            | FaultKind::UseAfterFree
            | FaultKind::UseAfterReturn
            | FaultKind::NullDereference
            | FaultKind::WildPointer
            | FaultKind::WriteToConstant
    );
    if !in_memory {
        None
    } else if !expected.sanitised {
        Some("not all of the program's code is watched by sanitizers")
    } else if kind == FaultKind::WildPointer {
        Some("at that address a native run may have memory")
    } else if UNWATCHED.iter().any(|object| message.contains(object)) {
        Some("sanitizers do not watch such memory")
    } else if message.contains("a mapping of") {
        Some("sanitizers do not watch mapped pages")
    } else if distance(message).is_some_and(|bytes| bytes > GUARD) {
        Some("so far off, a native run may meet other memory")
    } else if is_unaligned(message) {
        Some("sanitizers take an unaligned access for good that begins inside its object")
    } else if expected.in_library {
        Some("it happens in the C library, which is another one natively")
    } else {
        None
    }
}

/// How many bytes around an object the address sanitizer always guards.
const GUARD: u64 = 16;

/// How far from its object an access is, by the engine's message: `... 8 bytes past the
/// end of ...`, `... 4 bytes before ...`; `None` where it begins inside.
fn distance(message: &str) -> Option<u64> {
    let end = message.find(" past the end of ").or_else(|| message.find(" before "))?;
    let mut words = message[..end].split_whitespace();
    let unit = words.next_back()?;
    let number = words.next_back()?.parse().ok()?;
    unit.starts_with("byte").then_some(number)
}

/// Whether an access begins at an odd place inside its object, by the engine's message:
/// `read of 8 bytes at offset 3 of a heap object of 10 bytes`.
fn is_unaligned(message: &str) -> bool {
    let number = |text: &str| text.split(' ').next().and_then(|word| word.parse::<u64>().ok());
    let parts = message.split_once(" of ").zip(message.split_once(" at offset "));
    let size = message.rsplit_once(" of ").and_then(|(_, size)| number(size));
    match (parts.map(|((_, length), (_, offset))| (number(length), number(offset))), size) {
        (Some((Some(length @ (2 | 4 | 8 | 16)), Some(offset))), Some(size)) => {
            offset < size && offset % length != 0
        }
        _ => false,
    }
}

/// Whether two places are on the same line; a file may be known by a longer or a shorter
/// path.
fn same_line(a: &SrcLoc, b: &SrcLoc) -> bool {
    a.line == b.line && same_file(Path::new(&a.file), Path::new(&b.file))
}

fn same_file(a: &Path, b: &Path) -> bool {
    let name = |path: &Path| path.file_name().map(|name| name.to_os_string());
    a.ends_with(b)
        || b.ends_with(a)
        || name(a) == name(b)
            && match (fs::canonicalize(a), fs::canonicalize(b)) {
                (Ok(a), Ok(b)) => a == b,
                // One of them is not there, such as what a program names itself.
                _ => true,
            }
}

/// What happened, in words.
fn describe(run: &NativeRun) -> String {
    match &run.ending {
        NativeEnding::Exited(code) => format!("exit code {code}"),
        NativeEnding::Killed(signal) => match signal_name(*signal) {
            Some(name) => format!("signal {signal} ({name})"),
            None => format!("signal {signal}"),
        },
        NativeEnding::Sanitizer(report) => match (&run.assertion, report.kind.as_str()) {
            (Some(assertion), "ABRT") => format!("assertion failed at {}", assertion.at),
            _ => format!("{}{}", report.kind, place(&report.at)),
        },
        NativeEnding::Reported { message, given, at } => {
            format!("reported '{message}'{}", place(if given.is_some() { given } else { at }))
        }
        NativeEnding::Diverged(why) => format!("it left the path: {why}"),
        NativeEnding::Unable(why) => format!("it could not run: {why}"),
        NativeEnding::Unsupported(what) => format!("it called something unsupported: {what}"),
        NativeEnding::Excluded => "it ended the path silently".into(),
        NativeEnding::TimedOut => "it did not end in time (--timeout allows more)".into(),
        NativeEnding::UsedTooMuch(resource) => format!("it used too much: {resource}"),
        NativeEnding::Stopped => "it was stopped".into(),
    }
}

fn place(at: &Option<SrcLoc>) -> String {
    at.as_ref().map_or(String::new(), |at| format!(" at {}:{}", at.file, at.line))
}

#[cfg(test)]
mod tests;
