//! Decides whether a native run ended as predicted.
//!
//! An exit must have the same code. A fault must be reported natively by a sanitizer, a signal
//! or the replay library, at the same line; its kind need not match exactly, because
//! sanitizers classify faults differently. Some faults cannot be shown natively, or not
//! always: such a test is not comparable, with a reason. The same holds for a test whose
//! input contains conditions that no native run can reproduce.

use std::fmt;
use std::fs;
use std::path::Path;

use byway_base::{FaultKind, SrcLoc, TestCase};
use byway_engine::UNSET_PREFIX;
use byway_native::{NativeEnding, NativeRun, SanitizerReport, UNINITIALISED};
use byway_rundir::OutcomeRecord;
use byway_testcase::symbolic::ProgramInput;

use crate::native_run::RunTest;
use crate::process::signal_name;

/// The result of a comparison.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The test ended as predicted.
    Agrees,
    /// The test ended differently.
    Diverges { predicted: String, happened: String },
    /// The test ended as predicted with the C library of the exploration, but not on the second
    /// program, where `elsewhere` happened.
    AgreesExactly { predicted: String, elsewhere: String },
    /// A native run can neither confirm nor refute the prediction.
    NotComparable { predicted: String, why: String },
    /// The native run exceeded its time limit.
    TimedOut { predicted: String },
    /// The run recorded no outcome, or none that can be compared.
    NoPrediction,
}

impl Verdict {
    /// Turns a divergence into "not comparable" if the input contains failing system calls, `stat`
    /// results or types of streams that a native run does not reproduce.
    pub fn excused_by(self, input: &ProgramInput) -> Verdict {
        let streams: Vec<String> = input.unusual_streams().collect();
        let calls: Vec<String> = input.failures.iter().map(ToString::to_string).collect();
        let why = if !calls.is_empty() {
            format!("calls that fail in this test succeed natively: {}", calls.join(", "))
        } else if !input.file_status.is_empty() {
            "its input contains results of stat, which differ natively".into()
        } else if !streams.is_empty() {
            format!("{}; natively the streams are pipes", streams.join(", "))
        } else {
            return self;
        };
        self.excused(why)
    }

    /// Turns a divergence into "not comparable" if the test chooses the contents of memory that
    /// is not set (`--unset-memory symbolic`).
    pub fn excused_by_unset_memory(self, test: &TestCase) -> Verdict {
        match test.inputs.iter().any(|input| input.name.starts_with(UNSET_PREFIX)) {
            true => self.excused("memory that is not set has other contents natively".into()),
            false => self,
        }
    }

    /// Whether the native run did not end as predicted.
    pub fn differs(&self) -> bool {
        matches!(self, Verdict::Diverges { .. } | Verdict::TimedOut { .. })
    }

    /// Turns a divergence into "not comparable" if the path depends on calls that fail in the
    /// model and may succeed natively.
    pub fn excused_by_model(self, not_modelled: &[String]) -> Verdict {
        match not_modelled {
            [] => self,
            calls => self.excused(format!("not modelled faithfully: {}", calls.join(", "))),
        }
    }

    fn excused(self, why: String) -> Verdict {
        match self {
            Verdict::Diverges { predicted, .. } | Verdict::TimedOut { predicted } => {
                Verdict::NotComparable { predicted, why }
            }
            verdict => verdict,
        }
    }
}

/// Combines the exact verdict with the one on the second program, where the test ended as
/// `ending`. A difference on the second program alone is no error of the engine, unless a
/// sanitizer found it.
pub fn combine(exact: Verdict, other: Verdict, ending: &NativeEnding) -> Verdict {
    match (exact, other) {
        (_, other @ Verdict::Diverges { .. }) if matches!(ending, NativeEnding::Sanitizer(_)) => {
            other
        }
        (Verdict::Agrees, Verdict::Diverges { predicted, happened }) => {
            Verdict::AgreesExactly { predicted, elsewhere: happened }
        }
        (Verdict::Agrees, Verdict::TimedOut { predicted }) => {
            Verdict::AgreesExactly { predicted, elsewhere: TIMED_OUT.into() }
        }
        (exact, _) => exact,
    }
}

/// The predicted outcome of a test.
pub struct Expected<'a> {
    outcome: Option<&'a OutcomeRecord>,
    in_library: bool,
    coverage: SanitizerCoverage,
}

/// How much of the program's own code the sanitizers watch.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct SanitizerCoverage {
    /// The address sanitizer is in all of it.
    pub addresses: bool,
    /// All of it is C, into which clang inserted its checks of undefined behaviour.
    pub behaviour: bool,
}

impl<'a> Expected<'a> {
    /// The prediction of a test, to be compared with runs under such sanitizers.
    pub fn new(test: &'a RunTest, coverage: SanitizerCoverage) -> Self {
        Expected { outcome: test.outcome.as_ref(), in_library: test.in_library, coverage }
    }

    /// The verdict that something else happened.
    pub fn diverged(&self, happened: String) -> Verdict {
        Verdict::Diverges { predicted: self.to_string(), happened }
    }

    /// Whether only MemorySanitizer can show the predicted fault.
    pub fn is_uninitialised(&self) -> bool {
        let kind = FaultKind::UninitialisedRead.name();
        matches!(self.outcome, Some(OutcomeRecord::Fault { fault, .. }) if fault == kind)
    }

    /// Whether the program is predicted to exit.
    pub fn is_exit(&self) -> bool {
        matches!(self.outcome, Some(OutcomeRecord::Exit { .. }))
    }

    /// The verdict that a native run cannot decide.
    pub fn not_comparable(&self, why: impl Into<String>) -> Verdict {
        Verdict::NotComparable { predicted: self.to_string(), why: why.into() }
    }
}

impl fmt::Display for Expected<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.outcome {
            Some(OutcomeRecord::Exit { code }) => write!(f, "exit code {}", code & 0xff),
            Some(OutcomeRecord::Fault { fault, at, .. }) => write!(f, "{fault}{}", location(at)),
            Some(other) => f.write_str(other.name()),
            None => f.write_str("nothing"),
        }
    }
}

/// Compares a native run with the prediction.
pub fn compare(expected: &Expected<'_>, run: &NativeRun) -> Verdict {
    match expected.outcome {
        Some(OutcomeRecord::Exit { .. } | OutcomeRecord::Fault { .. })
            if run.ending == NativeEnding::TimedOut =>
        {
            Verdict::TimedOut { predicted: expected.to_string() }
        }
        Some(OutcomeRecord::Exit { code }) => compare_exit(expected, *code, run),
        Some(OutcomeRecord::Fault { fault, message, at, .. }) => match FaultKind::by_name(fault) {
            Some(kind) => {
                let at = at.as_ref().filter(|at| at.line != 0);
                compare_fault(expected, kind, message, at, run)
            }
            None => {
                expected.not_comparable("a kind of fault that this version of byway does not know")
            }
        },
        _ => Verdict::NoPrediction,
    }
}

fn compare_exit(expected: &Expected<'_>, code: i32, run: &NativeRun) -> Verdict {
    match &run.ending {
        NativeEnding::Unable(why) => expected.not_comparable(why),
        // A parent process sees the low eight bits.
        NativeEnding::Exited(native) if *native == code & 0xff => match run.unread_inputs {
            0 => Verdict::Agrees,
            left => expected.diverged(format!(
                "{}, but it did not read {left} of the test's inputs",
                describe(run)
            )),
        },
        _ => expected.diverged(describe(run)),
    }
}

const OTHER_USE: &str = "MemorySanitizer reports another use of uninitialised memory first";
const NO_LINE: &str = "it occurs natively, but its line is unknown";

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
    match (evidence(kind, message, run).or_trap_of_check(kind, run), at) {
        (Evidence::Enough, _) | (Evidence::At(_) | Evidence::Somewhere, None) => Verdict::Agrees,
        (Evidence::Somewhere, Some(_)) => expected.not_comparable(NO_LINE),
        (Evidence::At(lines), Some(at)) => match lines.iter().any(|line| same_line(line, at)) {
            true => Verdict::Agrees,
            // The caller's frame is lost, unless a sanitizer checked before the call.
            false if kind == FaultKind::BadFunctionPointer => expected.not_comparable(NO_LINE),
            false if kind == FaultKind::UninitialisedRead => expected.not_comparable(OTHER_USE),
            false => excused(),
        },
        (Evidence::None, _) => excused(),
    }
}

/// Why no native run shows faults of this kind, if so.
fn never_shown(kind: FaultKind) -> Option<&'static str> {
    match kind {
        FaultKind::BadJump => Some("native runs do not check the target of a jump"),
        FaultKind::Leak => {
            Some("to search for leaks the sanitizer traces the program, which the sandbox refuses")
        }
        FaultKind::OutOfMemory => Some("a native run has another amount of memory"),
        _ => None,
    }
}

/// How a run shows a fault.
enum Evidence {
    /// At one of these lines.
    At(Vec<SrcLoc>),
    /// At a line that is not known.
    Somewhere,
    /// Clearly enough without a line.
    Enough,
    /// Not at all.
    None,
}

impl Evidence {
    /// Adds the trap that stands for the report of a check, as in bitcode compiled with
    /// `-fsanitize-trap`.
    fn or_trap_of_check(self, kind: FaultKind, run: &NativeRun) -> Evidence {
        match &run.ending {
            NativeEnding::Sanitizer(report) if is_behaviour(kind) && report.kind == "ILL" => {
                either(self, located(report))
            }
            _ => self,
        }
    }
}

/// How a run shows a fault of this kind.
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
        FaultKind::OutOfBounds => {
            either(sanitizer(&is_memory_error), remarked(&["out of bounds", "insufficient space"]))
        }
        FaultKind::UseAfterFree
        | FaultKind::UseAfterReturn
        | FaultKind::UseAfterScope
        | FaultKind::DoubleFree
        | FaultKind::InvalidFree
        | FaultKind::WildPointer
        | FaultKind::WriteToConstant => sanitizer(&is_memory_error),
        FaultKind::NullDereference => {
            either(sanitizer(&is_memory_error), remarked(&["null pointer"]))
        }
        FaultKind::DivisionByZero | FaultKind::DivisionOverflow => {
            either(sanitizer(&|kind| kind == "FPE"), remarked(&["division"]))
        }
        FaultKind::SignedOverflow => remarked(&["integer overflow", "cannot be represented"]),
        FaultKind::InvalidShift => remarked(&["shift"]),
        FaultKind::Misaligned => remarked(&["misaligned", "alignment"]),
        FaultKind::ArrayIndex => either(sanitizer(&is_memory_error), remarked(&["out of bounds"])),
        FaultKind::PointerOverflow => {
            remarked(&["to null pointer", "overflowed to", "produced null"])
        }
        FaultKind::UnsignedOverflow => remarked(&["unsigned integer overflow"]),
        FaultKind::FloatCastOverflow => remarked(&["range of representable values"]),
        FaultKind::ImplicitConversion => remarked(&["implicit conversion"]),
        FaultKind::InvalidValue => remarked(&["not a valid value"]),
        FaultKind::InvalidBuiltin => remarked(&["passing zero", "assumption is violated"]),
        FaultKind::MissingReturn => remarked(&["end of a value-returning function"]),
        FaultKind::VlaBound => remarked(&["variable length array"]),
        FaultKind::UnexpectedNull => remarked(&["null pointer"]),
        FaultKind::FunctionType => remarked(&["incorrect function type"]),
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
            // A jump into the stack is reported as a stack overflow.
            let is_bad_call = |kind: &str| is_memory_error(kind) || kind == "stack-overflow";
            either(sanitizer(&is_bad_call), remarked(&["incorrect function type"]))
        }
        FaultKind::StackExhausted => match sanitizer(&|kind| kind == "stack-overflow") {
            Evidence::None => Evidence::None,
            // Any call of the recursion may exceed the stack.
            _ => Evidence::Enough,
        },
        FaultKind::Overlap => sanitizer(&|kind| kind.ends_with("-param-overlap")),
        FaultKind::UninitialisedRead => sanitizer(&|kind| kind == UNINITIALISED),
        FaultKind::BadJump | FaultKind::OutOfMemory | FaultKind::Leak => Evidence::None,
    }
}

/// Whether a native run goes on after such a fault, unless clang inserted a check for it.
fn is_behaviour(kind: FaultKind) -> bool {
    matches!(
        kind,
        FaultKind::SignedOverflow
            | FaultKind::UnsignedOverflow
            | FaultKind::InvalidShift
            | FaultKind::Misaligned
            | FaultKind::ArrayIndex
            | FaultKind::PointerOverflow
            | FaultKind::FloatCastOverflow
            | FaultKind::ImplicitConversion
            | FaultKind::InvalidValue
            | FaultKind::InvalidBuiltin
            | FaultKind::MissingReturn
            | FaultKind::VlaBound
            | FaultKind::UnexpectedNull
            | FaultKind::FunctionType
            | FaultKind::Unreachable
    )
}

const TIMED_OUT: &str = "it did not end in time (--timeout allows more)";

/// Whether this name of the address sanitizer stands for a memory error.
fn is_memory_error(kind: &str) -> bool {
    !["FPE", "ABRT", "ILL", "TRAP", "unreachable", "stack-overflow"].contains(&kind)
}

fn located(report: &SanitizerReport) -> Evidence {
    match &report.at {
        Some(at) if !report.wild_jump => Evidence::At(vec![at.clone()]),
        _ => Evidence::Somewhere,
    }
}

/// Combines two pieces of evidence; a known line takes precedence.
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

/// The engine's message ends with the signal number.
fn signalled(message: &str, run: &NativeRun) -> Evidence {
    let number = message.split_whitespace().next_back().and_then(|word| word.parse::<i32>().ok());
    let name = number.and_then(signal_name).map(|name| name.trim_start_matches("SIG"));
    match &run.ending {
        NativeEnding::Killed(signal) if number == Some(*signal) => Evidence::Enough,
        NativeEnding::Sanitizer(report) if name == Some(&report.kind) => located(report),
        _ => Evidence::None,
    }
}

/// Objects without guard zones of the address sanitizer, by the engine's names.
const UNGUARDED: [&str; 3] =
    ["the variadic arguments", "variadic argument", "the program's arguments and environment"];

/// Why a native run may not show this fault, if there is a reason.
fn excuse(expected: &Expected<'_>, kind: FaultKind, message: &str) -> Option<&'static str> {
    let in_memory = matches!(
        kind,
        FaultKind::OutOfBounds
            | FaultKind::UseAfterFree
            | FaultKind::UseAfterReturn
            | FaultKind::UseAfterScope
            | FaultKind::NullDereference
            | FaultKind::WildPointer
            | FaultKind::WriteToConstant
    );
    if kind == FaultKind::StackExhausted {
        Some("a native run has a stack of another size")
    } else if is_behaviour(kind) && !expected.coverage.behaviour {
        Some("clang checks for it in C sources only, and part of the program is bitcode")
    } else if kind == FaultKind::UninitialisedRead && expected.in_library {
        Some("it occurs in the C library, and natively that is a different one")
    } else if !in_memory {
        None
    } else if !expected.coverage.addresses {
        Some("not all of the program's code is compiled with sanitizers")
    } else if kind == FaultKind::WildPointer {
        Some("a native run may have memory at that address")
    } else if UNGUARDED.iter().any(|object| message.contains(object)) {
        Some("sanitizers do not guard such memory")
    } else if message.contains("a mapping of") {
        Some("sanitizers do not guard mapped pages")
    } else if distance(message).is_some_and(|bytes| bytes > GUARD) {
        Some("so far from its object a native run may access another one")
    } else if is_unaligned(message) {
        Some("sanitizers accept an unaligned access that begins inside its object")
    } else if expected.in_library {
        Some("it occurs in the C library, and natively that is a different one")
    } else {
        None
    }
}

/// The bytes around an object that the address sanitizer always guards.
const GUARD: u64 = 16;

/// The distance of an access from its object, parsed from the engine's message: `... 8 bytes
/// past the end of ...`, `... 4 bytes before ...`; `None` if it begins inside.
fn distance(message: &str) -> Option<u64> {
    let end = message.find(" past the end of ").or_else(|| message.find(" before "))?;
    let mut words = message[..end].split_whitespace();
    let unit = words.next_back()?;
    let number = words.next_back()?.parse().ok()?;
    unit.starts_with("byte").then_some(number)
}

/// Whether an access begins unaligned inside its object, by the engine's message:
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

/// Whether two locations are on the same line. The paths may differ in length.
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
                // A file that does not exist, such as a name from a #line directive.
                _ => true,
            }
}

/// The ending of a run as text.
fn describe(run: &NativeRun) -> String {
    match &run.ending {
        NativeEnding::Exited(code) => format!("exit code {code}"),
        NativeEnding::Killed(signal) => match signal_name(*signal) {
            Some(name) => format!("signal {signal} ({name})"),
            None => format!("signal {signal}"),
        },
        NativeEnding::Sanitizer(report) => match (&run.assertion, report.kind.as_str()) {
            (Some(assertion), "ABRT") => format!("assertion failed at {}", assertion.at),
            _ => format!("{}{}", report.kind, location(&report.at)),
        },
        NativeEnding::Reported { message, given, at } => {
            format!("reported '{message}'{}", location(if given.is_some() { given } else { at }))
        }
        NativeEnding::Diverged(why) => format!("it left the path: {why}"),
        NativeEnding::Unable(why) => format!("it could not run: {why}"),
        NativeEnding::Unsupported(what) => format!("it called an unsupported function: {what}"),
        NativeEnding::Excluded => "it ended the path silently".into(),
        NativeEnding::TimedOut => TIMED_OUT.into(),
        NativeEnding::UsedTooMuch(resource) => format!("it used too much: {resource}"),
        NativeEnding::Stopped => "it was stopped".into(),
    }
}

fn location(at: &Option<SrcLoc>) -> String {
    at.as_ref().map_or(String::new(), |at| format!(" at {}:{}", at.file, at.line))
}

#[cfg(test)]
mod tests;
