//! Supervises a task: writes its input, reads its output, checks its time and resources, and
//! kills it when a limit is exceeded.

use std::io::{self, PipeReader, PipeWriter, Read, Write};
use std::os::fd::{AsRawFd, RawFd};
use std::path::Path;
use std::time::{Duration, Instant};

use super::file_system::HOME;
use super::processes::{self, LaunchSpec, Message, NamespaceHolder, TaskPipes};
use super::usage;
use super::{CONTROL_DIR, LeftDirs, Resource, SandboxEnding, SandboxRun, SandboxTask};
use crate::dir_handle::DirHandle;

/// The time before the first check of limits, and the longest time between two checks.
const FIRST_CHECK: Duration = Duration::from_millis(4);
const MAX_CHECK_INTERVAL: Duration = Duration::from_millis(20);
/// The time to read remaining output after the program has ended.
const GRACE: Duration = Duration::from_secs(1);

/// Runs a task to its end.
pub fn run(
    holder: &NamespaceHolder,
    launch: &LaunchSpec,
    task: &SandboxTask<'_>,
    watch: &mut dyn FnMut() -> bool,
    collect: &mut dyn FnMut(LeftDirs) -> io::Result<()>,
) -> io::Result<SandboxRun> {
    let (report, report_end) = io::pipe()?;
    let (leave_end, leave) = io::pipe()?;
    let (stdin_end, stdin) = io::pipe()?;
    let (stdout, stdout_end) = io::pipe()?;
    let (stderr, stderr_end) = io::pipe()?;
    for descriptor in [stdin.as_raw_fd(), stdout.as_raw_fd(), stderr.as_raw_fd()] {
        set_nonblocking(descriptor)?;
    }
    let mut streams = Streams {
        stdin: Some(stdin),
        input: task.stdin,
        stdout: OutputPipe::new(stdout, task.limits.output),
        stderr: OutputPipe::new(stderr, task.limits.output),
    };
    // The program finds its input when it starts.
    streams.feed();
    let pipes = TaskPipes {
        report: report_end,
        leave: leave_end,
        stdin: stdin_end,
        stdout: stdout_end,
        stderr: stderr_end,
        shared: task.shared,
    };
    let guide = processes::launch(holder, launch, &pipes)?;
    drop(pipes);
    let mut supervisor =
        Supervisor { report, streams, began: Instant::now(), first: None, pid: 0, failed: None };
    let ended = supervisor.follow(task, watch);
    processes::wait(guide);
    let ended = supervisor.conclude(ended, launch, collect);
    drop(leave);
    if let Some(first) = supervisor.first {
        match ended {
            Ok(SandboxEnding::Exited(_) | SandboxEnding::Killed(_)) => drop(processes::wait(first)),
            _ => processes::kill(first),
        }
    }
    supervisor.streams.drain();
    let (stdout, stderr) = (supervisor.streams.stdout.kept, supervisor.streams.stderr.kept);
    Ok(SandboxRun { ending: ended?, pid: supervisor.pid, stdout, stderr })
}

/// Why supervision ended.
enum TaskEnd {
    /// The program ended with this wait status.
    Program(i32),
    /// The program must be killed.
    Kill(SandboxEnding),
    /// All processes of the task closed the report pipe.
    Silence,
}

struct Supervisor<'a> {
    report: PipeReader,
    streams: Streams<'a>,
    began: Instant,
    /// The first process of the task's PID namespace.
    first: Option<libc::pid_t>,
    /// The program's process id, as the program sees it.
    pid: u32,
    /// The first error message, and the message after it.
    failed: Option<(Message, Option<Message>)>,
}

impl Supervisor<'_> {
    /// Supervises until the task has ended or must be killed.
    fn follow(
        &mut self,
        task: &SandboxTask<'_>,
        watch: &mut dyn FnMut() -> bool,
    ) -> io::Result<TaskEnd> {
        let mut pause = FIRST_CHECK;
        let mut next_check = self.began + pause;
        loop {
            let wait = next_check.saturating_duration_since(Instant::now());
            if self.streams.wait(self.report.as_raw_fd(), wait)? {
                match processes::read_message(&mut self.report)? {
                    None => return Ok(TaskEnd::Silence),
                    Some(Message { code: Message::ENDED, number }) => {
                        return Ok(TaskEnd::Program(number));
                    }
                    Some(Message { code: Message::FIRST, number }) => self.first = Some(number),
                    Some(Message { code: Message::PROGRAM, number }) => {
                        self.pid = number.unsigned_abs();
                    }
                    Some(message) => self.note(message),
                }
            }
            if Instant::now() < next_check {
                continue;
            }
            if !watch() {
                return Ok(TaskEnd::Kill(SandboxEnding::Stopped));
            }
            if self.began.elapsed() >= task.limits.time {
                return Ok(TaskEnd::Kill(SandboxEnding::TimedOut));
            }
            if let Some(resource) = self.overused(task) {
                return Ok(TaskEnd::Kill(SandboxEnding::UsedTooMuch(resource)));
            }
            pause = (pause * 5 / 4).min(MAX_CHECK_INTERVAL);
            next_check = Instant::now() + pause;
        }
    }

    fn note(&mut self, message: Message) {
        match &mut self.failed {
            None => self.failed = Some((message, None)),
            Some((_, next)) => *next = next.or(Some(message)),
        }
    }

    fn overused(&self, task: &SandboxTask<'_>) -> Option<Resource> {
        let first = u32::try_from(self.first?).ok()?;
        let limits = &task.limits;
        let usage = usage::of_descendants(first, limits.processes);
        if usage.processes > limits.processes {
            Some(Resource::Processes)
        } else if usage.memory > limits.memory {
            Some(Resource::Memory)
        } else {
            None
        }
    }

    /// How the program ended. Collects the directories it leaves.
    fn conclude(
        &self,
        ended: io::Result<TaskEnd>,
        launch: &LaunchSpec,
        collect: &mut dyn FnMut(LeftDirs) -> io::Result<()>,
    ) -> io::Result<SandboxEnding> {
        let status = match (ended?, self.failed) {
            (TaskEnd::Kill(ending), _) => return Ok(ending),
            (_, Some((message, next))) => {
                return Err(processes::launch_error(message, next, launch.steps()));
            }
            (TaskEnd::Silence, None) => {
                return Err(io::Error::other("the first process of the sandbox died"));
            }
            (TaskEnd::Program(status), None) => status,
        };
        if let Some(first) = self.first {
            let root = DirHandle::root_of(first)?;
            let open = |path: &str| root.below(Path::new(path));
            collect(LeftDirs { control: open(CONTROL_DIR)?, work: open(HOME).ok() })?;
        }
        Ok(match libc::WIFEXITED(status) {
            true => SandboxEnding::Exited(libc::WEXITSTATUS(status)),
            false => SandboxEnding::Killed(libc::WTERMSIG(status)),
        })
    }
}

/// Our ends of the program's standard streams.
struct Streams<'a> {
    stdin: Option<PipeWriter>,
    input: &'a [u8],
    stdout: OutputPipe,
    stderr: OutputPipe,
}

impl Streams<'_> {
    /// Transfers data until a report arrives, which returns true, or the time is up.
    fn wait(&mut self, report: RawFd, time: Duration) -> io::Result<bool> {
        let entry = |fd: Option<RawFd>, events| libc::pollfd {
            // poll ignores negative descriptors.
            fd: fd.unwrap_or(-1),
            events,
            revents: 0,
        };
        let mut list = [
            entry(Some(report), libc::POLLIN),
            entry(self.stdin.as_ref().map(AsRawFd::as_raw_fd), libc::POLLOUT),
            entry(self.stdout.descriptor(), libc::POLLIN),
            entry(self.stderr.descriptor(), libc::POLLIN),
        ];
        // Rounded up: a timeout of zero would spin.
        let milliseconds = time.as_millis() as libc::c_int + 1;
        // SAFETY: the pointer and the length describe one live array.
        let ready = unsafe { libc::poll(list.as_mut_ptr(), list.len() as u64, milliseconds) };
        if ready < 0 {
            let error = io::Error::last_os_error();
            return match error.kind() {
                io::ErrorKind::Interrupted => Ok(false),
                _ => Err(error),
            };
        }
        let [report, stdin, stdout, stderr] = list.map(|entry| entry.revents != 0);
        if stdin {
            self.feed();
        }
        if stdout {
            self.stdout.read();
        }
        if stderr {
            self.stderr.read();
        }
        Ok(report)
    }

    /// Writes as much as fits. Closes the pipe when all is written or the reader is gone.
    fn feed(&mut self) {
        while let Some(pipe) = &mut self.stdin {
            match pipe.write(self.input) {
                Ok(count) if count > 0 => self.input = &self.input[count..],
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return,
                _ => self.stdin = None,
            }
            if self.input.is_empty() {
                self.stdin = None;
            }
        }
    }

    /// Reads the remaining output.
    fn drain(&mut self) {
        let until = Instant::now() + GRACE;
        self.stdin = None;
        loop {
            let got_some = self.stdout.read() | self.stderr.read();
            let at_end = self.stdout.pipe.is_none() && self.stderr.pipe.is_none();
            if at_end || Instant::now() >= until {
                return;
            }
            if !got_some {
                // A process of another task may briefly hold a copy of the pipe.
                std::thread::sleep(Duration::from_micros(100));
            }
        }
    }
}

/// An output stream of the program; its beginning is kept.
struct OutputPipe {
    pipe: Option<PipeReader>,
    kept: Vec<u8>,
    limit: usize,
}

impl OutputPipe {
    fn new(pipe: PipeReader, limit: usize) -> Self {
        OutputPipe { pipe: Some(pipe), kept: Vec::new(), limit }
    }

    fn descriptor(&self) -> Option<RawFd> {
        self.pipe.as_ref().map(AsRawFd::as_raw_fd)
    }

    /// Reads one buffer of available output, so that endless output cannot delay the time
    /// limit. Returns whether there was any.
    fn read(&mut self) -> bool {
        let mut buffer = [0; 1 << 16];
        let Some(pipe) = &mut self.pipe else { return false };
        match pipe.read(&mut buffer) {
            Ok(count) if count > 0 => {
                let room = self.limit.saturating_sub(self.kept.len());
                self.kept.extend_from_slice(&buffer[..count.min(room)]);
                return true;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
            _ => self.pipe = None,
        }
        false
    }
}

fn set_nonblocking(descriptor: RawFd) -> io::Result<()> {
    // SAFETY: the descriptor is open, and the calls take numbers only.
    let result = unsafe {
        let flags = libc::fcntl(descriptor, libc::F_GETFL);
        libc::fcntl(descriptor, libc::F_SETFL, flags | libc::O_NONBLOCK)
    };
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}
