//! Runs a process to its end or to a time limit, with its input given and its
//! output collected.

use std::io::{self, Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use byway_native::child::{ResourceUsage, die_with_parent, try_wait_with_usage};

/// How a process ended.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum ProcessStatus {
    /// By itself, with this exit code.
    Code(i32),
    /// By this signal.
    Signal(i32),
    /// It was still running at the time limit, and was killed.
    TimedOut,
}

impl std::fmt::Display for ProcessStatus {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ProcessStatus::Code(code) => write!(f, "exit code {code}"),
            ProcessStatus::Signal(signal) => write!(f, "signal {signal}"),
            ProcessStatus::TimedOut => write!(f, "time limit"),
        }
    }
}

/// What a finished process left.
pub struct ProcessResult {
    /// How it ended.
    pub status: ProcessStatus,
    /// What it wrote to standard output, up to [`OUTPUT_LIMIT`] bytes.
    pub stdout: Vec<u8>,
    /// What it wrote to standard error, likewise.
    pub stderr: Vec<u8>,
    /// Wall time from start to end.
    pub time: Duration,
}

impl ProcessResult {
    /// Standard error as text.
    pub fn stderr_text(&self) -> String {
        String::from_utf8_lossy(&self.stderr).into_owned()
    }
}

/// Bytes of output kept; what comes after is read and dropped.
const OUTPUT_LIMIT: usize = 16 << 20;

/// Runs a command. An error means that it could not be started.
pub fn run(command: &mut Command, stdin: &[u8], limit: Duration) -> Result<ProcessResult, String> {
    run_with_usage(command, stdin, limit).map(|(ended, _)| ended)
}

/// As [`run`], with the processor time and memory of the process; zero at the time limit.
pub fn run_with_usage(
    command: &mut Command,
    stdin: &[u8],
    limit: Duration,
) -> Result<(ProcessResult, ResourceUsage), String> {
    let program = command.get_program().to_string_lossy().into_owned();
    let start = Instant::now();
    // A stopped benchmark leaves no exploration running.
    die_with_parent(command);
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|e| format!("cannot start {program}: {e}"))?;
    let pipes = child.stdin.take().zip(child.stdout.take()).zip(child.stderr.take());
    let ((mut to_child, stdout), stderr) = pipes.ok_or("pipes were not made")?;

    // A program need not read its input, so writing it must not hold us up.
    let input = stdin.to_vec();
    thread::spawn(move || drop(to_child.write_all(&input)));
    let stdout = collect(stdout);
    let stderr = collect(stderr);

    let deadline = start + limit;
    let remaining = || deadline.saturating_duration_since(Instant::now());
    let (Ok(stdout), Ok(stderr)) =
        (stdout.recv_timeout(remaining()), stderr.recv_timeout(remaining()))
    else {
        kill(&mut child);
        let ended = ProcessResult {
            status: ProcessStatus::TimedOut,
            stdout: Vec::new(),
            stderr: Vec::new(),
            time: start.elapsed(),
        };
        return Ok((ended, ResourceUsage::default()));
    };
    let (status, usage) =
        wait(&mut child, deadline).map_err(|e| format!("cannot wait for {program}: {e}"))?;
    Ok((ProcessResult { status, stdout, stderr, time: start.elapsed() }, usage))
}

/// Runs a command that should just work: a compiler, a downloader. The error is
/// what it wrote to standard error.
pub fn succeed(command: &mut Command, limit: Duration) -> Result<ProcessResult, String> {
    let ended = run(command, b"", limit)?;
    match ended.status {
        ProcessStatus::Code(0) => Ok(ended),
        ProcessStatus::TimedOut => {
            Err(format!("{} did not end in {limit:?}", command.get_program().to_string_lossy()))
        }
        status => Err(format!("{status}: {}", ended.stderr_text().trim())),
    }
}

/// The duration of a process in seconds.
pub struct ProcessTimes {
    /// Wall time.
    pub wall: f64,
    /// Processor time.
    pub cpu: f64,
}

/// Runs an exploration, which must end with exit code 0, or 1 if it found faults.
pub fn explore(command: &mut Command, limit: Duration) -> Result<ProcessTimes, String> {
    let before = cpu_seconds_of_children();
    let ended = run(command, b"", limit)?;
    match ended.status {
        ProcessStatus::Code(0 | 1) => Ok(ProcessTimes {
            wall: ended.time.as_secs_f64(),
            cpu: cpu_seconds_of_children() - before,
        }),
        status => Err(format!("byway ended with {status}: {}", ended.stderr_text().trim())),
    }
}

/// Seconds of processor time that processes waited for so far have taken, their
/// own children included. On a busy machine this says more than wall time.
pub fn cpu_seconds_of_children() -> f64 {
    /// Linux counts these in hundredths of a second, whatever the kernel's clock.
    const TICKS_PER_SECOND: f64 = 100.0;
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The name, in parentheses, may contain spaces; the state comes after it.
    let fields = stat.rsplit_once(')').map_or("", |(_, rest)| rest).split_whitespace();
    let ticks = fields.skip(13).take(2).filter_map(|field| field.parse::<f64>().ok());
    ticks.sum::<f64>() / TICKS_PER_SECOND
}

/// Reads a pipe to its end in a thread of its own, and sends what came.
fn collect(mut pipe: impl Read + Send + 'static) -> mpsc::Receiver<Vec<u8>> {
    let (send, receive) = mpsc::channel();
    thread::spawn(move || {
        let mut kept = Vec::new();
        let mut buffer = [0; 1 << 16];
        while let Ok(n @ 1..) = pipe.read(&mut buffer) {
            let room = OUTPUT_LIMIT - kept.len();
            kept.extend_from_slice(&buffer[..n.min(room)]);
        }
        drop(send.send(kept));
    });
    receive
}

/// Waits for a process that has closed its output, so is about to end.
fn wait(child: &mut Child, deadline: Instant) -> io::Result<(ProcessStatus, ResourceUsage)> {
    loop {
        if let Some((status, usage)) = try_wait_with_usage(child)? {
            let by_signal = || status.signal().map(ProcessStatus::Signal);
            let status = status
                .code()
                .map(ProcessStatus::Code)
                .or_else(by_signal)
                .unwrap_or(ProcessStatus::Code(0));
            return Ok((status, usage));
        }
        if Instant::now() > deadline {
            kill(child);
            return Ok((ProcessStatus::TimedOut, ResourceUsage::default()));
        }
        thread::sleep(Duration::from_micros(200));
    }
}

fn kill(child: &mut Child) {
    // It may have ended in the meantime; then there is nothing to kill.
    drop(child.kill());
    drop(child.wait());
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command
    }

    #[test]
    fn output_and_code_come_back() {
        let ended = run(&mut shell("cat; echo err >&2; exit 7"), b"in", Duration::from_secs(10));
        let ended = ended.expect("sh runs");
        assert_eq!(ended.status, ProcessStatus::Code(7));
        assert_eq!(ended.stdout, b"in");
        assert_eq!(ended.stderr, b"err\n");
    }

    #[test]
    fn a_signal_is_no_exit_code() {
        let ended = run(&mut shell("kill -6 $$"), b"", Duration::from_secs(10)).expect("sh runs");
        assert_eq!(ended.status, ProcessStatus::Signal(6));
    }

    #[test]
    fn processor_time_of_children_is_counted() {
        let before = cpu_seconds_of_children();
        let busy = "i=0; while [ $i -lt 100000 ]; do i=$((i + 1)); done";
        run(&mut shell(busy), b"", Duration::from_secs(60)).expect("sh runs");
        assert!(cpu_seconds_of_children() > before);
    }

    #[test]
    fn usage_is_that_of_one_process() {
        let usage = |script: &str| {
            let ended = run_with_usage(&mut shell(script), b"", Duration::from_secs(60));
            ended.expect("sh runs").1
        };
        let busy = "i=0; while [ $i -lt 100000 ]; do i=$((i + 1)); done";
        let (busy, idle) = (usage(busy), usage("true"));
        assert!(busy.processor > idle.processor, "{busy:?} {idle:?}");
        // A shell takes a few hundred kilobytes at least, and not gigabytes.
        assert!((100 << 10..1 << 30).contains(&idle.memory), "{idle:?}");
    }

    #[test]
    fn an_endless_process_is_stopped() {
        let ended = run(&mut shell("exec sleep 100"), b"", Duration::from_millis(50));
        assert_eq!(ended.expect("sh runs").status, ProcessStatus::TimedOut);
    }

    #[test]
    fn a_process_that_closes_its_output_and_stays_is_stopped() {
        let mut command = shell("exec sleep 100 >&- 2>&-");
        let ended = run(&mut command, b"", Duration::from_millis(50)).expect("sh runs");
        assert_eq!(ended.status, ProcessStatus::TimedOut);
    }
}
