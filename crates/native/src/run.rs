//! Runs one test natively and determines how the program ended.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use byway_base::SrcLoc;

use crate::build::{Executable, NativeLinking};
use crate::dir_handle::DirHandle;
pub use crate::report::Remark;
use crate::report::{self, SanitizerError};
use crate::sandbox::{
    self, Resource, Sandbox, SandboxLayout, SandboxLimits, SandboxRun, SandboxSpec, SandboxTask,
};
use byway_testcase::symbolic::InputFile;

/// The exit code of the sanitizers. Programs rarely use it, and the sanitizers' log shows
/// whether it was theirs.
const SANITIZER_EXIT: i32 = 118;
/// Files in the control directory: the test, the status written by the replay library, and
/// the prefix of the sanitizers' logs.
const TEST: &str = "test";
const STATUS: &str = "status";
const LOG: &str = "log";
/// The limit on bytes read of a log; a loop can repeat remarks endlessly.
const MAX_LOG: u64 = 16 << 20;

/// A test to run.
pub struct NativeJob<'a> {
    /// The bytes of the test file.
    pub test: &'a [u8],
    /// The number of leading inputs that the fields below contain; the program reads the others
    /// itself.
    pub consumed_inputs: usize,
    /// The program's name and arguments.
    pub args: &'a [Vec<u8>],
    /// The environment as `NAME=value`. The first entry of a repeated name counts.
    pub env: &'a [Vec<u8>],
    /// The contents of standard input, a pipe.
    pub stdin: &'a [u8],
    /// Files in the working directory.
    pub files: &'a [InputFile],
    /// Wall-clock limit.
    pub time_limit: Duration,
}

/// The result of a test.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NativeRun {
    /// How the program ended.
    pub ending: NativeEnding,
    /// The failed assertion that the program reported before it aborted.
    pub assertion: Option<FailedAssertion>,
    /// Sanitizer findings that did not end the program.
    pub remarks: Vec<Remark>,
    /// The number of inputs of the test that the program had not read when it exited.
    pub unread_inputs: u64,
    /// The beginning of standard output.
    pub stdout: Vec<u8>,
    /// The beginning of standard error.
    pub stderr: Vec<u8>,
}

/// How a native run ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NativeEnding {
    /// By itself, with this exit code.
    Exited(i32),
    /// By this signal.
    Killed(i32),
    /// By a sanitizer.
    Sanitizer(SanitizerReport),
    /// The program reported a fault itself.
    Reported {
        /// The program's message.
        message: String,
        /// The location that the program gave.
        given: Option<SrcLoc>,
        /// The location of the call that reported it.
        at: Option<SrcLoc>,
    },
    /// The program asked for other inputs than the test has, or violated an assumption: it
    /// did not follow the path of the test.
    Diverged(String),
    /// The program needs a feature that native runs lack.
    Unable(String),
    /// The program called an unsupported function.
    Unsupported(String),
    /// The program ended the path silently.
    Excluded,
    /// Killed at the time limit.
    TimedOut,
    /// Killed for exceeding the limit on this resource.
    UsedTooMuch(Resource),
    /// Killed because the caller asked to stop.
    Stopped,
}

/// An error for which a sanitizer ended the program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SanitizerReport {
    /// The sanitizer's name for it, e.g. `heap-buffer-overflow`, `SEGV`, `FPE`.
    pub kind: String,
    /// The innermost location in the program's own code, if it is known.
    pub at: Option<SrcLoc>,
    /// The program jumped to an address without code. The location of the jump is unknown, and
    /// `at` is in a caller.
    pub wild_jump: bool,
}

/// A failed assertion, as the C library reported it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FailedAssertion {
    /// The location of the assertion.
    pub at: SrcLoc,
    /// The condition that did not hold.
    pub expression: String,
}

impl Executable {
    /// The sandbox that this program needs, with these paths visible.
    pub fn sandbox_spec(&self, visible: &[PathBuf], layout: SandboxLayout) -> SandboxSpec {
        let needs_libraries = self.linking == NativeLinking::Dynamic;
        SandboxSpec {
            program: self.path.clone(),
            needs_libraries,
            visible: visible.to_vec(),
            layout,
        }
    }

    /// Runs a test in a sandbox created from [`Executable::sandbox_spec`]. `watch` is called
    /// repeatedly and returns whether to go on.
    pub fn run(
        &self,
        job: &NativeJob<'_>,
        sandbox: &mut Sandbox,
        watch: &mut dyn FnMut() -> bool,
    ) -> io::Result<NativeRun> {
        self.run_and_inspect(job, sandbox, watch, &mut |_| Ok(()))
    }

    /// As [`Executable::run`]; `inspect` receives the working directory if the program ended
    /// by itself or by a signal (see [`sandbox::LeftDirs::work`]).
    pub fn run_and_inspect(
        &self,
        job: &NativeJob<'_>,
        sandbox: &mut Sandbox,
        watch: &mut dyn FnMut() -> bool,
        inspect: &mut dyn FnMut(Option<DirHandle>) -> io::Result<()>,
    ) -> io::Result<NativeRun> {
        let control = sandbox.control_dir();
        let path = |name: &str| control.join(name).display().to_string();
        let mut env = environment(job.env);
        env.extend([
            format!("BYWAY_TEST={}", path(TEST)).into_bytes(),
            format!("BYWAY_TEST_SKIP={}", job.consumed_inputs).into_bytes(),
            format!("BYWAY_REPLAY_STATUS={}", path(STATUS)).into_bytes(),
            format!("ASAN_OPTIONS={}", asan_options(&path(LOG))).into_bytes(),
            format!("UBSAN_OPTIONS=log_path='{}'", path(LOG)).into_bytes(),
            format!("MSAN_OPTIONS=symbolize=0:exitcode={SANITIZER_EXIT}:log_path='{}'", path(LOG))
                .into_bytes(),
        ]);
        let task = SandboxTask {
            args: job.args,
            env: &env,
            stdin: job.stdin,
            files: job.files,
            control_files: &[InputFile { name: TEST.into(), bytes: job.test.to_vec() }],
            shared: None,
            limits: SandboxLimits { time: job.time_limit, ..SandboxLimits::default() },
        };
        let (mut status, mut logs) = (String::new(), Vec::new());
        let ran = sandbox.run(&task, watch, &mut |left| {
            let dir = &left.control;
            status = read_text(dir, STATUS.as_ref())?;
            for name in dir.names()? {
                // Its extension is the id of the process that wrote it.
                if let Some(pid) = pid_of_log(&name) {
                    logs.push((pid, read_text(dir, &name)?));
                }
            }
            inspect(left.work)
        })?;
        let log = logs.into_iter().find_map(|(pid, log)| (pid == ran.pid).then_some(log));
        Ok(self.evaluate(ran, &sandbox.program(), &log.unwrap_or_default(), &status))
    }

    fn evaluate(&self, ran: SandboxRun, program: &Path, log: &str, status: &str) -> NativeRun {
        let report::SanitizerLog { error, remarks } = report::parse(log);
        let error = error.map(|error| self.locate(&error, program));
        let explained = |plain: NativeEnding| {
            reported_ending(status, error.as_ref())
                .or_else(|| error.clone().map(NativeEnding::Sanitizer))
                .unwrap_or(plain)
        };
        let ending = match ran.ending {
            sandbox::SandboxEnding::Stopped => NativeEnding::Stopped,
            sandbox::SandboxEnding::TimedOut => NativeEnding::TimedOut,
            sandbox::SandboxEnding::UsedTooMuch(resource) => NativeEnding::UsedTooMuch(resource),
            sandbox::SandboxEnding::Exited(code) => explained(exited(code, &remarks)),
            sandbox::SandboxEnding::Killed(signal) => explained(NativeEnding::Killed(signal)),
        };
        let left = status.lines().find_map(|line| line.strip_prefix("left ")?.parse().ok());
        NativeRun {
            ending,
            assertion: assertion(&ran.stderr),
            remarks,
            unread_inputs: left.unwrap_or(0),
            stdout: ran.stdout,
            stderr: ran.stderr,
        }
    }

    fn locate(&self, error: &SanitizerError, program: &Path) -> SanitizerReport {
        let program = program.to_string_lossy();
        let frames = error.frames.iter().flatten();
        let mut own: Vec<u64> =
            frames.filter(|(module, _)| *module == program).map(|(_, offset)| *offset).collect();
        // The address of a breakpoint is the one after it.
        if let ("TRAP", Some(offset)) = (error.kind.as_str(), own.first_mut()) {
            *offset = offset.saturating_sub(1);
        }
        SanitizerReport {
            kind: error.kind.clone(),
            at: self.symbols.as_ref().and_then(|symbols| symbols.first_location(&own)),
            wild_jump: matches!(error.frames.first(), Some(None)),
        }
    }
}

/// The ending that the replay library reported, if it ended the program.
fn reported_ending(status: &str, error: Option<&SanitizerReport>) -> Option<NativeEnding> {
    status.lines().find_map(|line| {
        if let Some(report) = line.strip_prefix("reported\t") {
            let mut fields = report.splitn(3, '\t');
            let line = fields.next().and_then(|line| line.parse().ok()).unwrap_or(0);
            let file = fields.next().unwrap_or("").to_string();
            let message = fields.next().unwrap_or("").to_string();
            let given = (!file.is_empty()).then_some(SrcLoc { file, line, column: 0 });
            return Some(NativeEnding::Reported {
                message,
                given,
                at: error.and_then(|e| e.at.clone()),
            });
        }
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "diverged" => Some(NativeEnding::Diverged(rest.into())),
            "unable" => Some(NativeEnding::Unable(rest.into())),
            "unsupported" => Some(NativeEnding::Unsupported(rest.into())),
            "excluded" => Some(NativeEnding::Excluded),
            _ => None,
        }
    })
}

/// The ending of a program that exited without a report of the replay library or the address
/// sanitizer.
fn exited(code: i32, remarks: &[Remark]) -> NativeEnding {
    match remarks.last() {
        Some(last) if code == SANITIZER_EXIT && last.what.contains("unreachable") => {
            let (kind, at) = ("unreachable".into(), Some(last.at.clone()));
            NativeEnding::Sanitizer(SanitizerReport { kind, at, wild_jump: false })
        }
        _ => NativeEnding::Exited(code),
    }
}

/// Keeps the first entry of each name.
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

/// The id of the process that wrote a log, by its file name; `None` for other files.
fn pid_of_log(name: &OsStr) -> Option<u32> {
    let (stem, pid) = name.to_str()?.split_once('.')?;
    if stem == LOG { pid.parse().ok() } else { None }
}

fn asan_options(log: &str) -> String {
    let fixed = "symbolize=0:detect_leaks=0:allocator_may_return_null=1:detect_odr_violation=0:\
                 detect_stack_use_after_return=1:redzone=512:print_legend=0:\
                 handle_abort=1:handle_sigill=1:handle_sigtrap=1";
    format!("{fixed}:exitcode={SANITIZER_EXIT}:log_path='{log}'")
}

/// The text of a file; empty if it does not exist, or if it is a link or another object that
/// the program may have created.
fn read_text(dir: &DirHandle, name: &OsStr) -> io::Result<String> {
    let none = [io::ErrorKind::NotFound, io::ErrorKind::InvalidInput];
    match dir.read(name, MAX_LOG) {
        Ok(bytes) => Ok(String::from_utf8_lossy(&bytes).into_owned()),
        Err(error) if none.contains(&error.kind()) => Ok(String::new()),
        Err(error) if error.raw_os_error() == Some(libc::ELOOP) => Ok(String::new()),
        Err(error) => Err(error),
    }
}

/// Finds ``program: file.c:12: int main(void): Assertion `x' failed.`` on standard error.
fn assertion(stderr: &[u8]) -> Option<FailedAssertion> {
    let text = String::from_utf8_lossy(stderr);
    let (before, rest) = text.rsplit_once(": Assertion `")?;
    let (expression, _) = rest.split_once("' failed.")?;
    let line = before.lines().next_back()?;
    // The function's signature may contain colons too, but no number between two of them.
    let words: Vec<&str> = line.split(':').collect();
    let at = words.iter().position(|word| word.parse::<u32>().is_ok()).filter(|&at| at > 0)?;
    let file = words[..at].join(":");
    let file = file.split_once(": ").map_or(file.as_str(), |(_, file)| file).to_string();
    let line = words[at].parse().ok()?;
    Some(FailedAssertion { at: SrcLoc { file, line, column: 0 }, expression: expression.into() })
}

#[cfg(test)]
mod tests;
