//! One test, run natively, and what came of it.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Command, ExitStatus};
use std::time::Duration;

use byway_base::SrcLoc;

use crate::child::{self, Finished, How, Limits};
use crate::native::build::Executable;
pub use crate::native::report::Remark;
use crate::native::report::{self, Error};
use crate::symbolic::File;

/// How the sanitizers end a program; its own exit codes rarely look like it, and their
/// log says whether it was them.
const SANITIZER_EXIT: i32 = 118;
/// A megabyte of each stream tells enough.
const MAX_OUTPUT: usize = 1 << 20;
/// Deep recursion must not be a fault natively where it is none to Byway: sanitized
/// frames are large, Byway's limit is on their number.
const STACK: libc::rlim_t = 512 << 20;
/// Nobody wants a disk full of what a program wrote by mistake.
const LARGEST_FILE: libc::rlim_t = 256 << 20;

/// A test to run.
pub struct Job<'a> {
    /// The file of the test.
    pub test: &'a Path,
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
    /// Runs a test in a directory of its own, which has to be empty and is not tidied.
    /// `watch` is asked now and then whether to go on.
    pub fn run(
        &self,
        job: &Job<'_>,
        dir: &Path,
        watch: &mut dyn FnMut() -> bool,
    ) -> io::Result<NativeRun> {
        let (work, status, log) = (dir.join("work"), dir.join("status"), dir.join("log"));
        fs::create_dir(&work)?;
        for file in job.files {
            put_file(&work.join(&file.name), &file.bytes)?;
        }
        let mut command = Command::new(&self.path);
        command.current_dir(&work).env_clear();
        // The last of a name would stay.
        for entry in job.env.iter().rev() {
            if let Some(at) = entry.iter().position(|&byte| byte == b'=').filter(|&at| at > 0) {
                command.env(OsStr::from_bytes(&entry[..at]), OsStr::from_bytes(&entry[at + 1..]));
            }
        }
        command.env("BYWAY_TEST", job.test).env("BYWAY_TEST_SKIP", job.told.to_string());
        command.env("BYWAY_REPLAY_STATUS", &status);
        command.env("ASAN_OPTIONS", asan_options(&log));
        command.env("UBSAN_OPTIONS", format!("log_path='{}'", log.display()));
        let mut args = job.args.iter().map(|arg| OsStr::from_bytes(arg));
        if let Some(name) = args.next() {
            command.arg0(name);
        }
        command.args(args);
        limit_resources(&mut command);

        let limits = Limits { time: job.time_limit, output: MAX_OUTPUT };
        let finished = child::run_with_input(&mut command, job.stdin, limits, &mut |_| watch())?;
        let log = read_text(&log.with_extension(finished.pid.to_string()))?;
        let status = read_text(&status)?;
        Ok(self.judge(finished, &log, &status))
    }

    fn judge(&self, finished: Finished, log: &str, status: &str) -> NativeRun {
        let report::Log { error, remarks } = report::read(log);
        let error = error.map(|error| self.locate(&error));
        let ending = match finished.how {
            How::Stopped => Ending::Stopped,
            How::TimedOut => Ending::TimedOut,
            How::Exited(exit) => told(status, error.as_ref())
                .or_else(|| error.map(Ending::Sanitizer))
                .unwrap_or_else(|| plain_ending(exit, &remarks)),
        };
        let left = status.lines().find_map(|line| line.strip_prefix("left ")?.parse().ok());
        NativeRun {
            ending,
            assertion: assertion(&finished.stderr),
            remarks,
            inputs_left: left.unwrap_or(0),
            stdout: finished.stdout,
            stderr: finished.stderr,
        }
    }

    fn locate(&self, error: &Error) -> SanitizerReport {
        let program = self.symbols.program().to_string_lossy();
        let frames = error.frames.iter().flatten();
        let mut own: Vec<u64> =
            frames.filter(|(module, _)| *module == program).map(|(_, offset)| *offset).collect();
        // A breakpoint is reported from behind it.
        if let ("TRAP", Some(offset)) = (error.kind.as_str(), own.first_mut()) {
            *offset = offset.saturating_sub(1);
        }
        SanitizerReport {
            kind: error.kind.clone(),
            at: self.symbols.first_place(&own),
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
fn plain_ending(exit: ExitStatus, remarks: &[Remark]) -> Ending {
    match (exit.code(), exit.signal(), remarks.last()) {
        (Some(SANITIZER_EXIT), _, Some(last)) if last.what.contains("unreachable") => {
            let (kind, at) = ("unreachable".into(), Some(last.at.clone()));
            Ending::Sanitizer(SanitizerReport { kind, at, lost: false })
        }
        (Some(code), ..) => Ending::Exited(code),
        (None, signal, _) => Ending::Killed(signal.unwrap_or(0)),
    }
}

fn asan_options(log: &Path) -> String {
    let fixed = "symbolize=0:detect_leaks=0:allocator_may_return_null=1:detect_odr_violation=0:\
                 detect_stack_use_after_return=1:redzone=512:print_legend=0:\
                 handle_abort=1:handle_sigill=1:handle_sigtrap=1";
    format!("{fixed}:exitcode={SANITIZER_EXIT}:log_path='{}'", log.display())
}

fn limit_resources(command: &mut Command) {
    // SAFETY: between fork and exec only getrlimit and setrlimit are called, which may be.
    unsafe {
        command.pre_exec(|| {
            for (resource, wanted) in [
                (libc::RLIMIT_CORE, 0),
                (libc::RLIMIT_STACK, STACK),
                (libc::RLIMIT_FSIZE, LARGEST_FILE),
            ] {
                let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
                if libc::getrlimit(resource, &mut limit) == 0 {
                    limit.rlim_cur = wanted.min(limit.rlim_max);
                    libc::setrlimit(resource, &limit);
                }
            }
            Ok(())
        });
    }
}

/// Makes a file with the permissions that a symbolic one has.
fn put_file(path: &Path, bytes: &[u8]) -> io::Result<()> {
    fs::write(path, bytes)?;
    fs::set_permissions(path, fs::Permissions::from_mode(0o644))
}

/// What a file says; nothing if it is not there.
fn read_text(path: &Path) -> io::Result<String> {
    match fs::read(path) {
        Ok(bytes) => Ok(String::from_utf8_lossy(&bytes).into_owned()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(String::new()),
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
