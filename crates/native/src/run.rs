//! One test, run natively, and what came of it.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use byway_base::SrcLoc;

use crate::build::{Executable, Linking};
use crate::held::Dir;
pub use crate::report::Remark;
use crate::report::{self, Error};
use crate::sandbox::{self, Layout, Limits, Ran, Resource, Sandbox, Task, World};
use byway_testcase::symbolic::File;

/// How the sanitizers end a program; its own exit codes rarely look like it, and their
/// log says whether it was them.
const SANITIZER_EXIT: i32 = 118;
/// What is in the directory that the program does not know of: the test, what the
/// library tells, and what the sanitizers do.
const TEST: &str = "test";
const STATUS: &str = "status";
const LOG: &str = "log";
/// No more of a log is read; the error ends it, and a loop remarks without end.
const MAX_LOG: u64 = 16 << 20;

/// A test to run.
pub struct Job<'a> {
    /// The test, as its file has it.
    pub test: &'a [u8],
    /// How many of its inputs the program does not ask for itself: they come first, and
    /// are told by what follows here.
    pub told: usize,
    /// The program's arguments, its name first.
    pub args: &'a [Vec<u8>],
    /// Its environment, as `NAME=value`; of a name that comes twice, the first counts.
    pub env: &'a [Vec<u8>],
    /// What it finds on standard input, a pipe.
    pub stdin: &'a [u8],
    /// The files in its directory.
    pub files: &'a [File],
    /// How long it may take.
    pub time_limit: Duration,
}

/// What came of a test.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NativeRun {
    /// How the program ended.
    pub ending: Ending,
    /// The assertion that failed, if it told of one before it aborted.
    pub assertion: Option<Assertion>,
    /// What a sanitizer found on the way without ending it.
    pub remarks: Vec<Remark>,
    /// How many inputs of the test it had not asked for when it exited.
    pub inputs_left: u64,
    /// The beginning of what it wrote to standard output.
    pub stdout: Vec<u8>,
    /// The beginning of what it wrote to standard error.
    pub stderr: Vec<u8>,
}

/// How a native run ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ending {
    /// By itself, with this code.
    Exited(i32),
    /// By this signal.
    Killed(i32),
    /// By a sanitizer.
    Sanitizer(SanitizerReport),
    /// The program reported a fault itself.
    Reported {
        /// In these words.
        message: String,
        /// At this place, by its own account.
        given: Option<SrcLoc>,
        /// The line that reported it.
        at: Option<SrcLoc>,
    },
    /// The program asked for other inputs than the test has, or broke an assumption: it
    /// is not on the path of the test.
    LeftPath(String),
    /// The program asked for what a native run cannot do.
    Unable(String),
    /// The program itself called something unsupported.
    Unsupported(String),
    /// The program ended the path silently.
    Excluded,
    /// It was killed because its time was up.
    TimedOut,
    /// It was killed because it used more of this than it may.
    UsedTooMuch(Resource),
    /// It was killed because whoever runs it asked to stop.
    Stopped,
}

/// An error that a sanitizer ended the program for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SanitizerReport {
    /// The sanitizer's name for it, e.g. `heap-buffer-overflow`, `SEGV`, `FPE`.
    pub kind: String,
    /// The innermost line of the program's own code, if it is known.
    pub at: Option<SrcLoc>,
    /// Whether the program had jumped to where no code is: then the line that did it is
    /// not known, and `at` is a caller's.
    pub lost: bool,
}

/// An assertion that failed, as the C library told.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Assertion {
    /// Where.
    pub at: SrcLoc,
    /// What should have held.
    pub expression: String,
}

impl Executable {
    /// What a sandbox for this program has to hold, beside these directories.
    pub fn world(&self, shown: &[PathBuf], layout: Layout) -> World {
        let libraries = self.linking == Linking::Dynamic;
        World { program: self.path.clone(), libraries, shown: shown.to_vec(), layout }
    }

    /// Runs a test in a sandbox that was made for this program's [`Executable::world`].
    /// `watch` is asked now and then whether to go on.
    pub fn run(
        &self,
        job: &Job<'_>,
        sandbox: &mut Sandbox,
        watch: &mut dyn FnMut() -> bool,
    ) -> io::Result<NativeRun> {
        self.run_and_look(job, sandbox, watch, &mut |_| Ok(()))
    }

    /// As [`Executable::run`]; `look` is given the directory the program worked in, if it
    /// ended by itself or by a signal (see [`sandbox::Left::work`]).
    pub fn run_and_look(
        &self,
        job: &Job<'_>,
        sandbox: &mut Sandbox,
        watch: &mut dyn FnMut() -> bool,
        look: &mut dyn FnMut(Option<Dir>) -> io::Result<()>,
    ) -> io::Result<NativeRun> {
        let kept = sandbox.kept();
        let place = |name: &str| kept.join(name).display().to_string();
        let mut env = environment(job.env);
        env.extend([
            format!("BYWAY_TEST={}", place(TEST)).into_bytes(),
            format!("BYWAY_TEST_SKIP={}", job.told).into_bytes(),
            format!("BYWAY_REPLAY_STATUS={}", place(STATUS)).into_bytes(),
            format!("ASAN_OPTIONS={}", asan_options(&place(LOG))).into_bytes(),
            format!("UBSAN_OPTIONS=log_path='{}'", place(LOG)).into_bytes(),
        ]);
        let task = Task {
            args: job.args,
            env: &env,
            stdin: job.stdin,
            files: job.files,
            kept: &[File { name: TEST.into(), bytes: job.test.to_vec() }],
            limits: Limits { time: job.time_limit, ..Limits::default() },
        };
        let (mut status, mut logs) = (String::new(), Vec::new());
        let ran = sandbox.run(&task, watch, &mut |left| {
            let dir = &left.kept;
            status = read_text(dir, STATUS.as_ref())?;
            for name in dir.names()? {
                // Named after the process that wrote it.
                if let Some(pid) = log_of(&name) {
                    logs.push((pid, read_text(dir, &name)?));
                }
            }
            look(left.work)
        })?;
        let log = logs.into_iter().find_map(|(pid, log)| (pid == ran.pid).then_some(log));
        Ok(self.judge(ran, &sandbox.program(), &log.unwrap_or_default(), &status))
    }

    fn judge(&self, ran: Ran, program: &Path, log: &str, status: &str) -> NativeRun {
        let report::Log { error, remarks } = report::read(log);
        let error = error.map(|error| self.locate(&error, program));
        let by_itself = |plain: Ending| {
            told(status, error.as_ref())
                .or_else(|| error.clone().map(Ending::Sanitizer))
                .unwrap_or(plain)
        };
        let ending = match ran.ending {
            sandbox::Ending::Stopped => Ending::Stopped,
            sandbox::Ending::TimedOut => Ending::TimedOut,
            sandbox::Ending::UsedTooMuch(resource) => Ending::UsedTooMuch(resource),
            sandbox::Ending::Exited(code) => by_itself(exited(code, &remarks)),
            sandbox::Ending::Killed(signal) => by_itself(Ending::Killed(signal)),
        };
        let left = status.lines().find_map(|line| line.strip_prefix("left ")?.parse().ok());
        NativeRun {
            ending,
            assertion: assertion(&ran.stderr),
            remarks,
            inputs_left: left.unwrap_or(0),
            stdout: ran.stdout,
            stderr: ran.stderr,
        }
    }

    fn locate(&self, error: &Error, program: &Path) -> SanitizerReport {
        let program = program.to_string_lossy();
        let frames = error.frames.iter().flatten();
        let mut own: Vec<u64> =
            frames.filter(|(module, _)| *module == program).map(|(_, offset)| *offset).collect();
        // A breakpoint is reported from behind it.
        if let ("TRAP", Some(offset)) = (error.kind.as_str(), own.first_mut()) {
            *offset = offset.saturating_sub(1);
        }
        SanitizerReport {
            kind: error.kind.clone(),
            at: self.symbols.as_ref().and_then(|symbols| symbols.first_place(&own)),
            lost: matches!(error.frames.first(), Some(None)),
        }
    }
}

/// What the library told, if that is what ended the program.
fn told(status: &str, error: Option<&SanitizerReport>) -> Option<Ending> {
    status.lines().find_map(|line| {
        if let Some(report) = line.strip_prefix("reported\t") {
            let mut fields = report.splitn(3, '\t');
            let line = fields.next().and_then(|line| line.parse().ok()).unwrap_or(0);
            let file = fields.next().unwrap_or("").to_string();
            let message = fields.next().unwrap_or("").to_string();
            let given = (!file.is_empty()).then_some(SrcLoc { file, line, column: 0 });
            return Some(Ending::Reported { message, given, at: error.and_then(|e| e.at.clone()) });
        }
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "diverged" => Some(Ending::LeftPath(rest.into())),
            "unable" => Some(Ending::Unable(rest.into())),
            "unsupported" => Some(Ending::Unsupported(rest.into())),
            "excluded" => Some(Ending::Excluded),
            _ => None,
        }
    })
}

/// The ending of a program of which neither the library nor the address sanitizer told.
fn exited(code: i32, remarks: &[Remark]) -> Ending {
    match remarks.last() {
        Some(last) if code == SANITIZER_EXIT && last.what.contains("unreachable") => {
            let (kind, at) = ("unreachable".into(), Some(last.at.clone()));
            Ending::Sanitizer(SanitizerReport { kind, at, lost: false })
        }
        _ => Ending::Exited(code),
    }
}

/// The program's environment: of a name that comes twice, the first.
fn environment(entries: &[Vec<u8>]) -> Vec<Vec<u8>> {
    let mut names = HashSet::new();
    let mut kept = Vec::new();
    for entry in entries {
        let end = entry.iter().position(|&byte| byte == b'=').filter(|&end| end > 0);
        if end.is_some_and(|end| names.insert(&entry[..end])) {
            kept.push(entry.clone());
        }
    }
    kept
}

/// The process that wrote a log, by the name of the file; `None` if it is none.
fn log_of(name: &OsStr) -> Option<u32> {
    let (stem, pid) = name.to_str()?.split_once('.')?;
    if stem == LOG { pid.parse().ok() } else { None }
}

fn asan_options(log: &str) -> String {
    let fixed = "symbolize=0:detect_leaks=0:allocator_may_return_null=1:detect_odr_violation=0:\
                 detect_stack_use_after_return=1:redzone=512:print_legend=0:\
                 handle_abort=1:handle_sigill=1:handle_sigtrap=1";
    format!("{fixed}:exitcode={SANITIZER_EXIT}:log_path='{log}'")
}

/// What a file says; nothing if it is not there, or is a link or another thing that the
/// program itself may have made.
fn read_text(dir: &Dir, name: &OsStr) -> io::Result<String> {
    let none = [io::ErrorKind::NotFound, io::ErrorKind::InvalidInput];
    match dir.read(name, MAX_LOG) {
        Ok(bytes) => Ok(String::from_utf8_lossy(&bytes).into_owned()),
        Err(error) if none.contains(&error.kind()) => Ok(String::new()),
        Err(error) if error.raw_os_error() == Some(libc::ELOOP) => Ok(String::new()),
        Err(error) => Err(error),
    }
}

/// Finds ``program: file.c:12: int main(void): Assertion `x' failed.`` on standard error.
fn assertion(stderr: &[u8]) -> Option<Assertion> {
    let text = String::from_utf8_lossy(stderr);
    let (before, rest) = text.rsplit_once(": Assertion `")?;
    let (expression, _) = rest.split_once("' failed.")?;
    let line = before.lines().next_back()?;
    // The function's signature may hold colons too, but no number between two of them.
    let words: Vec<&str> = line.split(':').collect();
    let at = words.iter().position(|word| word.parse::<u32>().is_ok()).filter(|&at| at > 0)?;
    let file = words[..at].join(":");
    let file = file.split_once(": ").map_or(file.as_str(), |(_, file)| file).to_string();
    let line = words[at].parse().ok()?;
    Some(Assertion { at: SrcLoc { file, line, column: 0 }, expression: expression.into() })
}

#[cfg(test)]
mod tests;
