//! Byway's side of a task: feeds the program, keeps what it says, looks at the clock and
//! at what it uses, and ends it when it must.

use std::io::{self, PipeReader, PipeWriter, Read, Write};
use std::os::fd::{AsRawFd, RawFd};
use std::path::Path;
use std::time::{Duration, Instant};

use super::processes::{self, Ends, Holder, Message, Start};
use super::usage;
use super::world::HOME;
use super::{Ending, KEPT, Left, Ran, Resource, Task};
use crate::held::Dir;

/// How long the program is left alone before its use is looked at for the first time, and
/// how long at most from one look to the next.
const FIRST_LOOK: Duration = Duration::from_millis(4);
const LAST_LOOK: Duration = Duration::from_millis(20);
/// How long the last words of a program may take to arrive once it is dead.
const GRACE: Duration = Duration::from_secs(1);

/// Runs a task.
pub fn run(
    holder: &Holder,
    start: &Start,
    task: &Task<'_>,
    watch: &mut dyn FnMut() -> bool,
    collect: &mut dyn FnMut(Left) -> io::Result<()>,
) -> io::Result<Ran> {
    let (report, report_end) = io::pipe()?;
    let (leave_end, leave) = io::pipe()?;
    let (stdin_end, stdin) = io::pipe()?;
    let (stdout, stdout_end) = io::pipe()?;
    let (stderr, stderr_end) = io::pipe()?;
    for descriptor in [stdin.as_raw_fd(), stdout.as_raw_fd(), stderr.as_raw_fd()] {
        never_block(descriptor)?;
    }
    let mut streams = Streams {
        stdin: Some(stdin),
        input: task.stdin,
        stdout: Words::new(stdout, task.limits.output),
        stderr: Words::new(stderr, task.limits.output),
    };
    // So that the program finds it there from its start.
    streams.feed();
    let ends = Ends {
        report: report_end,
        leave: leave_end,
        stdin: stdin_end,
        stdout: stdout_end,
        stderr: stderr_end,
    };
    let guide = processes::launch(holder, start, &ends)?;
    drop(ends);
    let mut supervisor =
        Supervisor { report, streams, began: Instant::now(), first: None, pid: 0, failed: None };
    let ended = supervisor.follow(task, watch);
    processes::wait(guide);
    let ended = supervisor.conclude(ended, start, collect);
    drop(leave);
    if let Some(first) = supervisor.first {
        match ended {
            Ok(Ending::Exited(_) | Ending::Killed(_)) => drop(processes::wait(first)),
            _ => processes::end(first),
        }
    }
    supervisor.streams.drain();
    let (stdout, stderr) = (supervisor.streams.stdout.kept, supervisor.streams.stderr.kept);
    Ok(Ran { ending: ended?, pid: supervisor.pid, stdout, stderr })
}

/// How a task ended, or that its processes said no more.
enum End {
    Program(i32),
    By(Ending),
    Silence,
}

struct Supervisor<'a> {
    report: PipeReader,
    streams: Streams<'a>,
    began: Instant,
    /// The first process of the task.
    first: Option<libc::pid_t>,
    /// The program's, as it knows it itself.
    pid: u32,
    /// What went wrong, and the message after it.
    failed: Option<(Message, Option<Message>)>,
}

impl Supervisor<'_> {
    /// Watches until the task has ended or must be ended.
    fn follow(&mut self, task: &Task<'_>, watch: &mut dyn FnMut() -> bool) -> io::Result<End> {
        let mut pause = FIRST_LOOK;
        let mut next_look = self.began + pause;
        loop {
            let wait = next_look.saturating_duration_since(Instant::now());
            if self.streams.wait(self.report.as_raw_fd(), wait)? {
                match processes::read_message(&mut self.report)? {
                    None => return Ok(End::Silence),
                    Some(Message { word: Message::ENDED, number }) => {
                        return Ok(End::Program(number));
                    }
                    Some(Message { word: Message::FIRST, number }) => self.first = Some(number),
                    Some(Message { word: Message::PROGRAM, number }) => {
                        self.pid = number.unsigned_abs();
                    }
                    Some(message) => self.note(message),
                }
            }
            if Instant::now() < next_look {
                continue;
            }
            if !watch() {
                return Ok(End::By(Ending::Stopped));
            }
            if self.began.elapsed() >= task.limits.time {
                return Ok(End::By(Ending::TimedOut));
            }
            if let Some(resource) = self.overused(task) {
                return Ok(End::By(Ending::UsedTooMuch(resource)));
            }
            pause = (pause * 5 / 4).min(LAST_LOOK);
            next_look = Instant::now() + pause;
        }
    }

    fn note(&mut self, message: Message) {
        match &mut self.failed {
            None => self.failed = Some((message, None)),
            Some((_, next)) => *next = next.or(Some(message)),
        }
    }

    fn overused(&self, task: &Task<'_>) -> Option<Resource> {
        let first = u32::try_from(self.first?).ok()?;
        let limits = &task.limits;
        let usage = usage::below(first, limits.processes);
        if usage.processes > limits.processes {
            Some(Resource::Processes)
        } else if usage.memory > limits.memory {
            Some(Resource::Memory)
        } else {
            None
        }
    }

    /// How the program ended; looks at what it kept.
    fn conclude(
        &self,
        ended: io::Result<End>,
        start: &Start,
        collect: &mut dyn FnMut(Left) -> io::Result<()>,
    ) -> io::Result<Ending> {
        let status = match (ended?, self.failed) {
            (End::By(ending), _) => return Ok(ending),
            (_, Some((message, next))) => {
                return Err(processes::refusal(message, next, start.steps()));
            }
            (End::Silence, None) => {
                return Err(io::Error::other("the sandbox's first process died"));
            }
            (End::Program(status), None) => status,
        };
        if let Some(first) = self.first {
            let root = Dir::root_of(first)?;
            let seen = |place: &str| root.below(Path::new(place));
            collect(Left { kept: seen(KEPT)?, work: seen(HOME).ok() })?;
        }
        Ok(match libc::WIFEXITED(status) {
            true => Ending::Exited(libc::WEXITSTATUS(status)),
            false => Ending::Killed(libc::WTERMSIG(status)),
        })
    }
}

/// The program's standard streams, as seen from here.
struct Streams<'a> {
    stdin: Option<PipeWriter>,
    input: &'a [u8],
    stdout: Words,
    stderr: Words,
}

impl Streams<'_> {
    /// Moves what can be moved until something is reported, which is `true`, or the time
    /// is up.
    fn wait(&mut self, report: RawFd, time: Duration) -> io::Result<bool> {
        let entry = |fd: Option<RawFd>, events| libc::pollfd {
            // One that is negative is passed over.
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
        // A millisecond too long is better than no pause at all.
        let milliseconds = time.as_millis() as libc::c_int + 1;
        // SAFETY: the list lives, and its length is told.
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
            self.stdout.listen();
        }
        if stderr {
            self.stderr.listen();
        }
        Ok(report)
    }

    /// Writes what fits, and closes the pipe when all is written or nobody reads.
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

    /// Hears the last words.
    fn drain(&mut self) {
        let until = Instant::now() + GRACE;
        self.stdin = None;
        loop {
            let heard = self.stdout.listen() | self.stderr.listen();
            let over = self.stdout.pipe.is_none() && self.stderr.pipe.is_none();
            if over || Instant::now() >= until {
                return;
            }
            if !heard {
                // A process of another task may have the pipe for an instant.
                std::thread::sleep(Duration::from_micros(100));
            }
        }
    }
}

/// A stream of the program's, of which the beginning is kept.
struct Words {
    pipe: Option<PipeReader>,
    kept: Vec<u8>,
    most: usize,
}

impl Words {
    fn new(pipe: PipeReader, most: usize) -> Self {
        Words { pipe: Some(pipe), kept: Vec::new(), most }
    }

    fn descriptor(&self) -> Option<RawFd> {
        self.pipe.as_ref().map(AsRawFd::as_raw_fd)
    }

    /// Reads what is there, up to a limit: whoever talks without end must not keep us
    /// from looking at the clock. Whether there was something.
    fn listen(&mut self) -> bool {
        let mut buffer = [0; 1 << 16];
        let Some(pipe) = &mut self.pipe else { return false };
        match pipe.read(&mut buffer) {
            Ok(count) if count > 0 => {
                let room = self.most.saturating_sub(self.kept.len());
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

fn never_block(descriptor: RawFd) -> io::Result<()> {
    // SAFETY: the descriptor is open, and the calls take numbers.
    let result = unsafe {
        let flags = libc::fcntl(descriptor, libc::F_GETFL);
        libc::fcntl(descriptor, libc::F_SETFL, flags | libc::O_NONBLOCK)
    };
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}
