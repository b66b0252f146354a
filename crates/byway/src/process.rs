//! Running a tool to its end: its words are collected, a time limit holds, and
//! Ctrl-C is heard.

use std::io::{self, Read};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

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

/// Runs a tool without input, its output collected, until it ends or `limit`
/// has passed. Now and then `waiting` is told for how long it has run.
pub fn run(
    command: &mut Command,
    limit: Duration,
    mut waiting: impl FnMut(Duration),
) -> io::Result<Ended> {
    let mut child =
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn()?;
    let pipe = child.stderr.take();
    let reader = thread::spawn(move || {
        let mut words = Vec::new();
        if let Some(mut pipe) = pipe {
            // What was read before an error still tells the most.
            let _ = pipe.read_to_end(&mut words);
        }
        words
    });
    let start = Instant::now();
    let mut pause = Duration::from_millis(1);
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        let elapsed = start.elapsed();
        if interrupt::requested() {
            stop(&mut child);
            return Ok(Ended::Interrupted);
        }
        if elapsed >= limit {
            stop(&mut child);
            return Ok(Ended::TimedOut);
        }
        waiting(elapsed);
        thread::sleep(pause);
        pause = (pause * 5 / 4).min(Duration::from_millis(20));
    };
    // A tool that shares our terminal dies of the same Ctrl-C.
    if interrupt::requested() {
        return Ok(Ended::Interrupted);
    }
    let words = reader.join().unwrap_or_default();
    Ok(Ended::Exited(status, String::from_utf8_lossy(&words).into_owned()))
}

fn stop(child: &mut Child) {
    // Both fail only if the child has ended meanwhile.
    let _ = child.kill();
    let _ = child.wait();
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

fn signal_name(signal: i32) -> Option<&'static str> {
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
