//! The processes of a sandbox. They run in byway's memory until one of them is the program
//! (see [`super::kernel`]); what each does there is in [`super::roles`].
//!
//! ```text
//! byway ─▶ holder   made once, in new user, mount, network, IPC and host name spaces;
//!   │               builds the world and waits, so that its name spaces stay
//!   └────▶ guide    one per task, for which byway waits: enters the holder's name spaces,
//!            │      makes the first process of new process and mount name spaces, and is done
//!            └────▶ first  a child of byway's too. Makes the test's own directories,
//!                     │    waits for the program, ends whatever is left, and waits for
//!                     │    byway to look at what the program kept
//!                     └─▶ the program
//! ```
//!
//! Making a network takes the kernel milliseconds, and this is why there is a holder.
//! The program is not the first process itself, because that one does not die of
//! signals it sends to itself. When the first process dies, the kernel ends the others
//! before byway hears of it: then nobody uses its memory any more.
//!
//! The program cannot look into that memory through the first process, which has rights in
//! the name spaces that the program lacks.

use std::ffi::{CStr, CString};
use std::io::{self, PipeReader, PipeWriter};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::sync::atomic::{AtomicI32, Ordering};

use super::kernel::{Stack, call, start};
use super::messages::{Message, read_message, refusal};
use super::roles::{guide, hold};
use super::steps::Step;
use super::{Task, World, filter, resource_limits, world};

/// Who the program is, and its process: as in the runtime's model.
const USER: u32 = 1000;
const GROUP: u32 = 1000;
/// How many processes of a sandbox are not the program's.
const OWN_PROCESSES: u64 = 3;

/// The name spaces that a holder keeps.
pub const HELD: libc::c_int = libc::CLONE_NEWUSER
    | libc::CLONE_NEWNS
    | libc::CLONE_NEWNET
    | libc::CLONE_NEWIPC
    | libc::CLONE_NEWUTS;

/// A child of ours, ended with all that depends on it when this is dropped. What it runs on
/// and with must be dropped later.
pub struct Process {
    pid: libc::pid_t,
}

impl Process {
    /// Its number.
    pub fn pid(&self) -> libc::pid_t {
        self.pid
    }

    /// Waits until it has ended by itself.
    pub fn wait(self) {
        self.reap();
        std::mem::forget(self);
    }

    fn reap(&self) {
        let mut status = 0;
        let interrupted = || io::Error::last_os_error().kind() == io::ErrorKind::Interrupted;
        // SAFETY: waitpid writes to the number alone.
        while unsafe { libc::waitpid(self.pid, &mut status, 0) } < 0 && interrupted() {}
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // SAFETY: kill takes two numbers; the child has not been waited for.
        unsafe { libc::kill(self.pid, libc::SIGKILL) };
        self.reap();
    }
}

/// A process that keeps name spaces, and the world in them.
pub struct Holder {
    _process: Process,
    descriptor: OwnedFd,
    /// When this is closed, the process ends, however byway ended.
    _lifeline: PipeWriter,
    _holding: Box<Holding>,
    /// What the processes of a task run on, one after the other.
    stacks: Stacks,
}

/// What each of them runs on.
pub struct Stacks {
    guide: Stack,
    pub first: Stack,
    pub program: Stack,
}

/// What a holder needs.
pub struct Holding {
    stack: Stack,
    pub maps: [Step; 3],
    pub steps: Vec<Step>,
    pub report: RawFd,
    pub wait: RawFd,
}

impl Holder {
    /// Makes one that has done these steps.
    pub fn start(steps: Vec<Step>) -> io::Result<Holder> {
        let (mut report, teller) = io::pipe()?;
        let (waiter, lifeline) = io::pipe()?;
        // SAFETY: both calls only return a number.
        let (user, group) = unsafe { (libc::geteuid(), libc::getegid()) };
        let map = |name: &CStr, text: String| Step::Write(name.into(), text.into_bytes());
        let maps = [
            map(c"/proc/self/setgroups", "deny".into()),
            map(c"/proc/self/uid_map", format!("{USER} {user} 1")),
            map(c"/proc/self/gid_map", format!("{GROUP} {group} 1")),
        ];
        let (stack, report_to, wait) = (Stack::new()?, teller.as_raw_fd(), waiter.as_raw_fd());
        let holding = Box::new(Holding { stack, maps, steps, report: report_to, wait });
        let stacks = Stacks { guide: Stack::new()?, first: Stack::new()?, program: Stack::new()? };
        // SAFETY: it only calls the kernel, and all it needs is dropped after it.
        let pid = undisturbed(|| unsafe { start(HELD, None, &holding.stack, hold, &*holding) });
        let process = Process { pid: pid.map_err(io::Error::from_raw_os_error)? };
        drop((teller, waiter));
        match read_message(&mut report)? {
            Some(Message { word: Message::READY, .. }) => {}
            Some(message) => {
                return Err(refusal(message, read_message(&mut report)?, &holding.steps));
            }
            None => return Err(io::Error::other("the process that holds the world died")),
        }
        // SAFETY: the call takes two numbers, and returns a descriptor that nobody has.
        let descriptor = unsafe {
            let number = call(libc::SYS_pidfd_open, [process.pid as usize, 0]);
            OwnedFd::from_raw_fd(number.map_err(io::Error::from_raw_os_error)? as RawFd)
        };
        Ok(Holder { _process: process, descriptor, _lifeline: lifeline, _holding: holding, stacks })
    }
}

/// All that a task needs once it is on its way.
pub struct Start {
    pub steps: Vec<Step>,
    pub program: CString,
    pub args: Words,
    pub env: Words,
    pub home: CString,
    pub limits: Vec<(libc::__rlimit_resource_t, libc::rlim_t)>,
    pub filter: Vec<libc::sock_filter>,
}

impl Start {
    /// Of a task in a world.
    pub fn new(world: &World, task: &Task<'_>) -> io::Result<Start> {
        let mut limits = resource_limits(&task.limits);
        if counts_per_name_space() {
            let most = u64::from(task.limits.processes) + OWN_PROCESSES;
            limits.push((libc::RLIMIT_NPROC, most));
        }
        Ok(Start {
            steps: world::prepare(world, task)?,
            program: world::text(world::program_inside(world))?,
            args: Words::new(task.args)?,
            env: Words::new(task.env)?,
            home: world::text(world::HOME)?,
            limits,
            filter: filter::filter(),
        })
    }
}

/// Whether the kernel counts processes per user and name space: since 5.14. Before, all
/// of a user's processes count, and a limit would hit at once.
fn counts_per_name_space() -> bool {
    let release = std::fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    let mut numbers = release.split(['.', '-']).map(|part| part.parse::<u32>().unwrap_or(0));
    (numbers.next(), numbers.next()) >= (Some(5), Some(14))
}

/// Texts as `execve` takes them.
pub struct Words {
    pub pointers: Vec<*const libc::c_char>,
    _texts: Vec<CString>,
}

impl Words {
    fn new(words: &[Vec<u8>]) -> io::Result<Words> {
        let texts = words.iter().map(|word| CString::new(word.as_slice()));
        let texts: Vec<CString> = texts.collect::<Result<_, _>>()?;
        let end = [std::ptr::null()];
        let pointers = texts.iter().map(|text| text.as_ptr()).chain(end).collect();
        Ok(Words { pointers, _texts: texts })
    }
}

/// The ends of pipes that the processes of a task have.
pub struct Ends {
    /// Where they report.
    pub report: PipeWriter,
    /// Closed when the first process may end.
    pub leave: PipeReader,
    /// The program's standard input.
    pub stdin: PipeReader,
    /// The program's standard output.
    pub stdout: PipeWriter,
    /// The program's standard error.
    pub stderr: PipeWriter,
}

/// A task on its way: what its processes have.
pub struct Way<'a> {
    pub start: &'a Start,
    pub stacks: &'a Stacks,
    pub holder: RawFd,
    pub report: RawFd,
    pub leave: RawFd,
    pub standard: [RawFd; 3],
    /// What became of the first process: its number, or why there is none, negative.
    pub first: AtomicI32,
}

impl<'a> Way<'a> {
    /// Of a task, one at a time.
    pub fn new(holder: &'a mut Holder, start: &'a Start, ends: &Ends) -> Way<'a> {
        Way {
            start,
            stacks: &holder.stacks,
            holder: holder.descriptor.as_raw_fd(),
            report: ends.report.as_raw_fd(),
            leave: ends.leave.as_raw_fd(),
            standard: [ends.stdin.as_raw_fd(), ends.stdout.as_raw_fd(), ends.stderr.as_raw_fd()],
            first: AtomicI32::new(-libc::ECHILD),
        }
    }

    /// Sends it on its way: its first process, which is to be dropped before this.
    pub fn launch(&self) -> io::Result<Process> {
        let stack = &self.stacks.guide;
        // SAFETY: it only calls the kernel, and nothing happens here until it has ended.
        let guide = undisturbed(|| unsafe { start(libc::CLONE_VFORK, None, stack, guide, self) });
        Process { pid: guide.map_err(io::Error::from_raw_os_error)? }.wait();
        match self.first.load(Ordering::Acquire) {
            pid @ 1.. => Ok(Process { pid }),
            failed => {
                let number = failed.saturating_neg();
                Err(refusal(Message { word: Message::NOT_ENTERED, number }, None, &[]))
            }
        }
    }
}

/// Does this while no signal is taken. Else a process that was just made might run a handler
/// of byway's, in byway's memory.
fn undisturbed<T>(act: impl FnOnce() -> T) -> T {
    // SAFETY: the sets live; zero is a valid value for them.
    unsafe {
        let (mut all, mut old): (libc::sigset_t, libc::sigset_t) = std::mem::zeroed();
        libc::sigfillset(&mut all);
        libc::pthread_sigmask(libc::SIG_SETMASK, &all, &mut old);
        let result = act();
        libc::pthread_sigmask(libc::SIG_SETMASK, &old, std::ptr::null_mut());
        result
    }
}
