//! Runs a command with a time limit and a limit on collected output. The command has its own
//! process group, which is killed when it ends, so that no process it started outlives it.

use std::io::{self, PipeWriter, Read, Write};
use std::os::fd::AsRawFd;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Limits on a command.
#[derive(Copy, Clone, Debug)]
pub struct ChildLimits {
    /// Wall-clock time.
    pub time: Duration,
    /// Bytes kept of each output stream.
    pub output: usize,
}

/// The result of a command.
#[derive(Debug)]
pub struct ChildResult {
    /// The process id.
    pub pid: u32,
    /// How the command ended.
    pub ending: ChildEnding,
    /// The beginning of standard output.
    pub stdout: Vec<u8>,
    /// The beginning of standard error.
    pub stderr: Vec<u8>,
}

/// How a command ended.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum ChildEnding {
    /// By itself, or by a signal.
    Exited(ExitStatus),
    /// Killed at the time limit.
    TimedOut,
    /// Killed because `watch` returned false.
    Stopped,
}

/// Messages of tools that report a problem of the machine, not of their input.
const MACHINE_ERRORS: [&str; 7] = [
    "No space left on device",
    "Disk quota exceeded",
    "Cannot allocate memory",
    "out of memory",
    "Input/output error",
    // A subprocess of a compiler was killed.
    "Killed signal terminated program",
    "unable to execute command",
];

impl ChildResult {
    /// Whether a compiler or linker rejected its input: it exited by itself with an error
    /// message, and not for lack of disk space or memory.
    pub fn is_rejection(&self) -> bool {
        let ChildEnding::Exited(status) = self.ending else { return false };
        let output = String::from_utf8_lossy(&self.stderr);
        let machine = MACHINE_ERRORS.iter().any(|message| output.contains(message));
        status.code().is_some_and(|code| code != 0) && !output.trim().is_empty() && !machine
    }
}

/// The time to wait for output that a surviving process keeps open.
const GRACE: Duration = Duration::from_secs(1);

/// Makes the kernel kill the command when the thread that starts it ends, even if this process
/// is killed.
pub fn die_with_parent(command: &mut Command) {
    let parent = std::process::id();
    // SAFETY: both calls are async-signal-safe; they take and return numbers.
    unsafe {
        command.pre_exec(move || {
            if libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) != 0 {
                return Err(io::Error::last_os_error());
            }
            // The parent may have died before the request.
            match u32::try_from(libc::getppid()) {
                Ok(now) if now == parent => Ok(()),
                _ => Err(io::Error::from_raw_os_error(libc::ESRCH)),
            }
        });
    }
}

/// What an ended process used, together with the processes that it waited for.
#[derive(Copy, Clone, PartialEq, Default, Debug)]
pub struct ResourceUsage {
    /// User and system time.
    pub processor: Duration,
    /// The most resident bytes of one of them.
    pub memory: u64,
}

/// As [`Child::try_wait`], with what the child used. The kernel reports that once: a child that
/// has ended here must not be waited for again.
pub fn try_wait_with_usage(child: &Child) -> io::Result<Option<(ExitStatus, ResourceUsage)>> {
    let mut status = 0;
    // SAFETY: `rusage` consists of integers.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    // SAFETY: both pointers are those of live variables.
    let ended =
        unsafe { libc::wait4(child.id().cast_signed(), &mut status, libc::WNOHANG, &mut usage) };
    match ended {
        0 => Ok(None),
        -1 => Err(io::Error::last_os_error()),
        _ => {
            let time = |it: libc::timeval| {
                Duration::from_secs(it.tv_sec.cast_unsigned())
                    + Duration::from_micros(it.tv_usec.cast_unsigned())
            };
            let processor = time(usage.ru_utime) + time(usage.ru_stime);
            let memory = usage.ru_maxrss.cast_unsigned() << 10;
            Ok(Some((ExitStatus::from_raw(status), ResourceUsage { processor, memory })))
        }
    }
}

/// Runs a command without input. `watch` is called every few milliseconds with the elapsed
/// time, and returns whether to go on.
pub fn run(
    command: &mut Command,
    limits: ChildLimits,
    watch: &mut dyn FnMut(Duration) -> bool,
) -> io::Result<ChildResult> {
    run_on(command.stdin(Stdio::null()), limits, watch)
}

/// As [`run`], with a pipe as standard input that contains these bytes.
pub fn run_with_input(
    command: &mut Command,
    input: &[u8],
    limits: ChildLimits,
    watch: &mut dyn FnMut(Duration) -> bool,
) -> io::Result<ChildResult> {
    let (reader, writer) = io::pipe()?;
    fill(writer, input)?;
    run_on(command.stdin(reader), limits, watch)
}

/// Writes bytes into a pipe: as many as it holds at once, so that the command finds them when
/// it starts, and the rest from a thread.
fn fill(mut pipe: PipeWriter, input: &[u8]) -> io::Result<()> {
    // SAFETY: the descriptor is open, and F_GETPIPE_SZ takes no argument.
    let room = unsafe { libc::fcntl(pipe.as_raw_fd(), libc::F_GETPIPE_SZ) };
    let room = usize::try_from(room).unwrap_or(libc::PIPE_BUF);
    let (now, later) = input.split_at(input.len().min(room));
    pipe.write_all(now)?;
    if !later.is_empty() {
        let later = later.to_vec();
        // It fails when the reader is gone.
        thread::spawn(move || drop(pipe.write_all(&later)));
    }
    Ok(())
}

fn run_on(
    command: &mut Command,
    limits: ChildLimits,
    watch: &mut dyn FnMut(Duration) -> bool,
) -> io::Result<ChildResult> {
    let mut child =
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0).spawn()?;
    let stdout = child.stdout.take().map(|pipe| Collector::start(pipe, limits.output));
    let stderr = child.stderr.take().map(|pipe| Collector::start(pipe, limits.output));
    let watched = wait(&child, limits.time, watch);
    kill_group(&child);
    let status = child.wait()?;
    let ending = watched?.unwrap_or(ChildEnding::Exited(status));
    let collected = |collector: Option<Collector>| collector.map_or(Vec::new(), Collector::finish);
    Ok(ChildResult {
        pid: child.id(),
        ending,
        stdout: collected(stdout),
        stderr: collected(stderr),
    })
}

/// Waits until the command has ended, which returns `None`, or must be killed. It stays a
/// zombie, so that its process id is not reused.
fn wait(
    child: &Child,
    limit: Duration,
    watch: &mut dyn FnMut(Duration) -> bool,
) -> io::Result<Option<ChildEnding>> {
    let start = Instant::now();
    let mut pause = Duration::from_micros(500);
    while !has_ended(child)? {
        let elapsed = start.elapsed();
        if !watch(elapsed) {
            return Ok(Some(ChildEnding::Stopped));
        }
        if elapsed >= limit {
            return Ok(Some(ChildEnding::TimedOut));
        }
        thread::sleep(pause);
        pause = (pause * 5 / 4).min(Duration::from_millis(20));
    }
    Ok(None)
}

fn has_ended(child: &Child) -> io::Result<bool> {
    let options = libc::WEXITED | libc::WNOHANG | libc::WNOWAIT;
    // SAFETY: siginfo_t is plain data for which zero is valid, and waitid writes only to
    // it; si_pid may be read afterwards, and is zero if the child runs.
    let (result, pid) = unsafe {
        let mut info: libc::siginfo_t = std::mem::zeroed();
        let result = libc::waitid(libc::P_PID, child.id(), &mut info, options);
        (result, info.si_pid())
    };
    match result {
        0 => Ok(pid != 0),
        _ => Err(io::Error::last_os_error()),
    }
}

/// Kills the process group of the command, which must not have been waited for.
fn kill_group(child: &Child) {
    if let Ok(group) = libc::pid_t::try_from(child.id()) {
        // SAFETY: kill takes two numbers, and the group is the child's own.
        unsafe { libc::kill(-group, libc::SIGKILL) };
    }
}

/// Reads a pipe to its end on a thread, and keeps the beginning.
struct Collector {
    kept: Arc<Mutex<Vec<u8>>>,
    done: Receiver<()>,
}

impl Collector {
    fn start(mut pipe: impl Read + Send + 'static, limit: usize) -> Self {
        let kept = Arc::new(Mutex::new(Vec::new()));
        let (finished, done) = channel();
        let mine = Arc::clone(&kept);
        thread::spawn(move || {
            let mut buffer = [0; 8192];
            // Output before a read error is kept.
            while let Ok(count @ 1..) = pipe.read(&mut buffer) {
                let mut kept = mine.lock().unwrap_or_else(PoisonError::into_inner);
                let room = limit.saturating_sub(kept.len());
                kept.extend_from_slice(&buffer[..count.min(room)]);
            }
            // Fails only if the receiver is gone.
            let _ = finished.send(());
        });
        Collector { kept, done }
    }

    fn finish(self) -> Vec<u8> {
        let _ = self.done.recv_timeout(GRACE);
        std::mem::take(&mut *self.kept.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: ChildLimits = ChildLimits { time: Duration::from_secs(60), output: 1000 };

    fn shell(script: &str, limits: ChildLimits) -> ChildResult {
        run(Command::new("sh").args(["-c", script]), limits, &mut |_| true).expect("sh starts")
    }

    #[test]
    fn collects_the_words_and_the_status() {
        let finished = shell("echo out; echo err >&2; exit 7", LIMITS);
        let ChildEnding::Exited(status) = finished.ending else { panic!("{finished:?}") };
        assert_eq!(status.code(), Some(7));
        assert_eq!((finished.stdout, finished.stderr), (b"out\n".to_vec(), b"err\n".to_vec()));
    }

    #[test]
    fn a_rejection_is_an_error_message_about_the_input() {
        let refused = |script| shell(script, LIMITS).is_rejection();
        assert!(refused("echo 'a.c:1: error: no' >&2; exit 1"));
        assert!(!refused("true"));
        assert!(!refused("exit 1"));
        assert!(!refused("echo 'error: a.o: No space left on device' >&2; exit 1"));
        assert!(!refused("echo 'gcc: fatal error: Killed signal terminated program' >&2; exit 1"));
        assert!(!refused("echo 'half a wo' >&2; kill -9 $$"));
        let hurry = ChildLimits { time: Duration::from_millis(20), ..LIMITS };
        assert!(!shell("echo error >&2; sleep 60", hurry).is_rejection());
    }

    #[test]
    fn output_is_limited_and_does_not_block_the_writer() {
        let finished = shell("head -c 1000000 /dev/zero; echo done >&2", LIMITS);
        assert_eq!(finished.stdout.len(), 1000);
        assert_eq!(finished.stderr, b"done\n");
    }

    #[test]
    fn input_is_available_from_the_start_and_ends() {
        let with = |input: &[u8], script: &str| {
            let mut command = Command::new("sh");
            let finished =
                run_with_input(command.args(["-c", script]), input, LIMITS, &mut |_| true);
            finished.expect("sh starts").stdout
        };
        assert_eq!(
            with(b"one\ntwo\n", "cat; test -p /dev/stdin && echo pipe"),
            b"one\ntwo\npipe\n"
        );
        assert_eq!(with(b"", "cat"), b"");
        let large = vec![b'x'; 1 << 20];
        assert_eq!(with(&large, "wc -c"), b"1048576\n");
        assert_eq!(with(&large, "echo done"), b"done\n");
    }

    #[test]
    fn a_timeout_kills_the_process_group() {
        let start = Instant::now();
        let limits = ChildLimits { time: Duration::from_millis(100), ..LIMITS };
        let finished = shell("sleep 60 & sleep 60; wait", limits);
        assert_eq!(finished.ending, ChildEnding::TimedOut);
        assert!(start.elapsed() < Duration::from_secs(30));
    }

    #[test]
    fn does_not_wait_for_background_processes() {
        let start = Instant::now();
        let finished = shell("setsid sleep 5 & echo said", LIMITS);
        assert_eq!(finished.stdout, b"said\n");
        assert!(start.elapsed() < Duration::from_secs(4));
    }

    #[test]
    fn stops_when_the_watcher_says_so() {
        let mut asked = 0;
        let mut watch = |_| {
            asked += 1;
            asked < 3
        };
        let finished = run(Command::new("sleep").arg("60"), LIMITS, &mut watch);
        assert_eq!(finished.expect("sleep starts").ending, ChildEnding::Stopped);
    }
}
