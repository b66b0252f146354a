//! Runs a tool to its end: collects its output, enforces a time limit, reacts to Ctrl-C.

use std::io;
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, ExitStatus};
use std::time::Duration;

use byway_native::child::{self, ChildEnding, ChildLimits};

use crate::interrupt;

/// How a tool ended.
pub enum Ended {
    /// By itself, with this status, having said this.
    Exited(ExitStatus, String),
    /// It was stopped because it took longer than the limit.
    TimedOut,
    /// It was stopped because the user asked for it.
    Interrupted,
}

/// What a tool says beyond this is not kept.
const MAX_WORDS: usize = 16 << 20;

/// Runs a tool without input, its words collected, until it ends or `limit` has
/// passed. `waiting` is called now and then with the elapsed time.
pub fn run(
    command: &mut Command,
    limit: Duration,
    mut waiting: impl FnMut(Duration),
) -> io::Result<Ended> {
    let limits = ChildLimits { time: limit, output: MAX_WORDS };
    let finished = child::run(command, limits, &mut |elapsed| {
        waiting(elapsed);
        !interrupt::requested()
    })?;
    Ok(match finished.ending {
        ChildEnding::Stopped => Ended::Interrupted,
        ChildEnding::TimedOut => Ended::TimedOut,
        ChildEnding::Exited(status) => {
            Ended::Exited(status, String::from_utf8_lossy(&finished.stderr).into_owned())
        }
    })
}

/// A status in words: `exit code 1`, `signal 6 (SIGABRT)`.
pub fn describe(status: ExitStatus) -> String {
    match (status.code(), status.signal()) {
        (Some(code), _) => format!("exit code {code}"),
        (None, Some(signal)) => match signal_name(signal) {
            Some(name) => format!("signal {signal} ({name})"),
            None => format!("signal {signal}"),
        },
        (None, None) => "an unknown status".to_string(),
    }
}

/// The name of the more usual signals.
pub fn signal_name(signal: i32) -> Option<&'static str> {
    Some(match signal {
        libc::SIGABRT => "SIGABRT",
        libc::SIGBUS => "SIGBUS",
        libc::SIGFPE => "SIGFPE",
        libc::SIGILL => "SIGILL",
        libc::SIGKILL => "SIGKILL",
        libc::SIGSEGV => "SIGSEGV",
        libc::SIGTERM => "SIGTERM",
        libc::SIGTRAP => "SIGTRAP",
        libc::SIGXCPU => "SIGXCPU",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Instant;

    fn shell(script: &str, limit: Duration) -> Ended {
        run(Command::new("sh").args(["-c", script]), limit, |_| {}).expect("sh starts")
    }

    #[test]
    fn collects_the_words_and_the_status() {
        match shell("echo said >&2; exit 7", Duration::from_secs(60)) {
            Ended::Exited(status, words) => {
                assert_eq!(describe(status), "exit code 7");
                assert_eq!(words, "said\n");
            }
            _ => panic!("it did not end by itself"),
        }
    }

    #[test]
    fn names_the_signal() {
        match shell("kill -SEGV $$", Duration::from_secs(60)) {
            Ended::Exited(status, _) => assert_eq!(describe(status), "signal 11 (SIGSEGV)"),
            _ => panic!("it did not end by itself"),
        }
    }

    #[test]
    fn stops_what_takes_too_long() {
        let start = Instant::now();
        assert!(matches!(shell("exec sleep 60", Duration::from_millis(100)), Ended::TimedOut));
        assert!(start.elapsed() < Duration::from_secs(30));
    }
}
