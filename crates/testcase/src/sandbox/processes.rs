//! The processes of a sandbox, and what each does before it is the program. All of them
//! run in byway's memory and call nothing but the kernel (see [`super::kernel`]).
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
use std::io::{self, PipeReader, PipeWriter, Read};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::sync::atomic::{AtomicI32, Ordering};

use super::kernel::{Stack, call, call_again, start, start_as};
use super::steps::{Step, perform};
use super::{Task, World, filter, limit_resources, resource_limits, world};

/// Who the program is, and its process: as in the runtime's model.
const USER: u32 = 1000;
const GROUP: u32 = 1000;
/// The number of the program's process, where the kernel lets one choose it.
pub const PROGRAM_PID: libc::pid_t = 1000;
/// How many processes of a sandbox are not the program's.
const OWN_PROCESSES: u64 = 3;

const HELD: libc::c_int = libc::CLONE_NEWUSER
    | libc::CLONE_NEWNS
    | libc::CLONE_NEWNET
    | libc::CLONE_NEWIPC
    | libc::CLONE_NEWUTS;
const ANEW: libc::c_int = libc::CLONE_NEWPID | libc::CLONE_NEWNS;

/// What a process on the way says: a word and a number.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Message {
    /// Which of the constants below.
    pub word: i32,
    /// More about it.
    pub number: i32,
}

impl Message {
    /// The world is there.
    pub const READY: i32 = 1;
    /// The program is there; its number.
    pub const PROGRAM: i32 = 2;
    /// The program has ended, as `wait` tells it.
    pub const ENDED: i32 = 3;
    /// The name spaces could not be entered; the error.
    pub const NOT_ENTERED: i32 = 4;
    /// A step failed; the error. The number of the step follows.
    pub const STEP_FAILED: i32 = 5;
    /// Which step.
    pub const WHICH_STEP: i32 = 6;
    /// The program could not be started; the error.
    pub const NOT_STARTED: i32 = 7;

    /// Its bytes.
    pub const SIZE: usize = 8;

    /// Reads one.
    pub fn read(bytes: [u8; Message::SIZE]) -> Message {
        let [a, b, c, d, e, f, g, h] = bytes;
        let (word, number) = ([a, b, c, d], [e, f, g, h]);
        Message { word: i32::from_ne_bytes(word), number: i32::from_ne_bytes(number) }
    }
}

/// Says something to byway; nobody is left to tell if that fails.
fn tell(to: RawFd, word: i32, number: i32) {
    let mut bytes = [0; Message::SIZE];
    bytes[..4].copy_from_slice(&word.to_ne_bytes());
    bytes[4..].copy_from_slice(&number.to_ne_bytes());
    // SAFETY: the pointer and length are of one live array.
    let _ = unsafe { call(libc::SYS_write, [to as usize, bytes.as_ptr() as usize, bytes.len()]) };
}

fn tell_step(to: RawFd, (step, errno): (usize, i32)) {
    tell(to, Message::STEP_FAILED, errno);
    tell(to, Message::WHICH_STEP, step as i32);
}

/// Why a sandbox, or a program in it, could not be had.
pub fn refusal(message: Message, next: Option<Message>, steps: &[Step]) -> io::Error {
    let error = io::Error::from_raw_os_error(message.number);
    let step = next.and_then(|next| steps.get(usize::try_from(next.number).ok()?));
    let text = match (message.word, step) {
        (Message::NOT_ENTERED, _) => format!("its name spaces cannot be entered: {error}"),
        (Message::NOT_STARTED, _) => format!("the program cannot be started: {error}"),
        (_, Some(step)) => format!("{step:?}: {error}"),
        (_, None) => format!("its processes do not talk as they should: {error}"),
    };
    io::Error::new(error.kind(), text)
}

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

struct Stacks {
    guide: Stack,
    first: Stack,
    program: Stack,
}

/// What a holder needs.
struct Holding {
    stack: Stack,
    maps: [Step; 3],
    steps: Vec<Step>,
    report: RawFd,
    wait: RawFd,
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
        let pid = undisturbed(|| unsafe { start(HELD, &holding.stack, hold, &*holding) });
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

/// Reads a message; `None` if nobody is left who could send one.
pub fn read_message(from: &mut PipeReader) -> io::Result<Option<Message>> {
    let mut bytes = [0; Message::SIZE];
    match from.read_exact(&mut bytes) {
        Ok(()) => Ok(Some(Message::read(bytes))),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(None),
        Err(error) => Err(error),
    }
}

/// All that a task needs once it is on its way.
pub struct Start {
    steps: Vec<Step>,
    program: CString,
    args: Words,
    env: Words,
    home: CString,
    limits: Vec<(libc::__rlimit_resource_t, libc::rlim_t)>,
    filter: Vec<libc::sock_filter>,
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

    /// The steps that make the world new.
    pub fn steps(&self) -> &[Step] {
        &self.steps
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
struct Words {
    pointers: Vec<*const libc::c_char>,
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
    start: &'a Start,
    stacks: &'a Stacks,
    holder: RawFd,
    report: RawFd,
    leave: RawFd,
    standard: [RawFd; 3],
    /// What became of the first process: its number, or why there is none, negative.
    first: AtomicI32,
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
        let guide = undisturbed(|| unsafe { start(libc::CLONE_VFORK, stack, guide, self) });
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

fn sorted<const N: usize>(mut descriptors: [RawFd; N]) -> [RawFd; N] {
    descriptors.sort_unstable();
    descriptors
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

/// Closes all descriptors but these: those of other threads' tasks would keep their pipes
/// open.
fn keep_only(descriptors: &[RawFd]) {
    let close = |first: u32, last: u32| {
        // SAFETY: the call takes three numbers; nobody here uses what it closes.
        let _ = unsafe { call(libc::SYS_close_range, [first as usize, last as usize, 0]) };
    };
    let mut next = 0;
    for &kept in descriptors {
        let kept = kept.unsigned_abs();
        if kept > next {
            close(next, kept - 1);
        }
        next = kept + 1;
    }
    close(next, u32::MAX);
}

fn close(descriptor: RawFd) {
    // SAFETY: the call takes a number; nobody here uses what it closes.
    let _ = unsafe { call(libc::SYS_close, [descriptor as usize]) };
}

/// Leaves the session of who started us: Ctrl-C is for byway, which ends the program in its
/// own way.
fn new_session() {
    // SAFETY: the call takes nothing. It fails for who has one already.
    let _ = unsafe { call(libc::SYS_setsid, []) };
}

fn leave(code: i32) -> ! {
    loop {
        // SAFETY: it ends the process, and nothing else.
        let _ = unsafe { call(libc::SYS_exit_group, [code as usize]) };
    }
}

/// Whether the other end of a pipe, to which nobody writes, is closed.
fn is_closed(pipe: RawFd) -> bool {
    let mut entry = libc::pollfd { fd: pipe, events: libc::POLLIN, revents: 0 };
    // SAFETY: the entry lives, and is the only one.
    unsafe { call(libc::SYS_poll, [(&raw mut entry) as usize, 1, 0]) == Ok(1) }
}

/// Waits until it is.
fn wait_for(pipe: RawFd) {
    let mut byte = 0_u8;
    // SAFETY: what is read goes to a byte that lives.
    let _ = unsafe { call_again(libc::SYS_read, [pipe as usize, (&raw mut byte) as usize, 1]) };
}

extern "C" fn hold(holding: &Holding) -> ! {
    let &Holding { report, wait, .. } = holding;
    keep_only(&sorted([report, wait]));
    new_session();
    if let Err((_, errno)) = perform(&holding.maps) {
        tell(report, Message::NOT_ENTERED, errno);
        leave(1);
    }
    match perform(&holding.steps) {
        Ok(()) => tell(report, Message::READY, 0),
        Err(failure) => {
            tell_step(report, failure);
            leave(1);
        }
    }
    close(report);
    wait_for(wait);
    leave(0);
}

extern "C" fn guide(way: &Way<'_>) -> ! {
    let [stdin, stdout, stderr] = way.standard;
    keep_only(&sorted([way.holder, way.report, way.leave, stdin, stdout, stderr]));
    new_session();
    // SAFETY: the call takes numbers; the new process only calls the kernel, and whoever waits
    // for this one answers for what that needs.
    let first = unsafe {
        call(libc::SYS_setns, [way.holder as usize, HELD as usize])
            // The first process is to be byway's own child.
            .and_then(|_| start(ANEW | libc::CLONE_PARENT, &way.stacks.first, first, way))
    };
    way.first.store(first.unwrap_or_else(|errno| -errno), Ordering::Release);
    leave(0);
}

extern "C" fn first(way: &Way<'_>) -> ! {
    // SAFETY: the call takes numbers.
    let _ = unsafe { call(libc::SYS_prctl, [DEATH_SIGNAL, libc::SIGKILL as usize]) };
    if is_closed(way.leave) {
        // Byway died before it would have been heard.
        leave(1);
    }
    // The program can then not reach it: without handlers, the first process of a
    // name space takes no signals from inside.
    forget_signals();
    close(way.holder);
    if let Err(failure) = perform(&way.start.steps) {
        tell_step(way.report, failure);
        leave(1);
    }
    let (until_exec, stack) = (libc::CLONE_VFORK, &way.stacks.program);
    // SAFETY: it only calls the kernel, and nothing happens here until it is the program.
    let pid = unsafe {
        start_as(PROGRAM_PID, until_exec, stack, program, way)
            // Older kernels do not let one choose.
            .or_else(|_| start(until_exec, stack, program, way))
    };
    let pid = pid.unwrap_or_else(|errno| {
        tell(way.report, Message::NOT_STARTED, errno);
        leave(1)
    });
    tell(way.report, Message::PROGRAM, pid);
    for descriptor in way.standard {
        close(descriptor);
    }
    let mut status = 0;
    while wait_for_any(&mut status) != Ok(pid) {}
    // Whoever is left; again, because some may have been just about to fork.
    let mut ignored = 0;
    loop {
        // SAFETY: the call takes numbers, which mean all but this process.
        let _ = unsafe { call(libc::SYS_kill, [EVERYBODY, libc::SIGKILL as usize]) };
        if wait_for_any(&mut ignored) == Err(libc::ECHILD) {
            break;
        }
    }
    tell(way.report, Message::ENDED, status);
    wait_for(way.leave);
    leave(0);
}

const EVERYBODY: usize = -1_isize as usize;
const DEATH_SIGNAL: usize = libc::PR_SET_PDEATHSIG as usize;

/// Waits for some child; its number.
fn wait_for_any(status: &mut i32) -> Result<libc::pid_t, i32> {
    // SAFETY: the call writes to the number alone.
    let pid = unsafe { call(libc::SYS_wait4, [EVERYBODY, status as *mut i32 as usize, 0, 0]) };
    pid.map(|pid| pid as libc::pid_t)
}

const LAST_SIGNAL: usize = 64;

/// Nothing is caught, ignored or blocked any more.
fn forget_signals() {
    // The kernel's `struct sigaction` and set of signals, which begins it.
    let default = [0_u64; 4];
    let (at, size) = (default.as_ptr() as usize, size_of::<u64>());
    // SAFETY: what is read lives, and nothing is written.
    unsafe {
        for signal in 1..=LAST_SIGNAL {
            let _ = call(libc::SYS_rt_sigaction, [signal, at, 0, size]);
        }
        let _ = call(libc::SYS_rt_sigprocmask, [libc::SIG_SETMASK as usize, at, 0, size]);
    }
}

extern "C" fn program(way: &Way<'_>) -> ! {
    let start = way.start;
    new_session();
    forget_signals();
    let failed = become_program(way, start).err().unwrap_or(0);
    tell(way.report, Message::NOT_STARTED, failed);
    leave(127);
}

/// Does not return but with an error.
fn become_program(way: &Way<'_>, start: &Start) -> Result<(), i32> {
    let filter = libc::sock_fprog {
        len: start.filter.len() as u16,
        filter: start.filter.as_ptr().cast_mut(),
    };
    let (no_new_rights, filtered) =
        (libc::PR_SET_NO_NEW_PRIVS as usize, libc::PR_SET_SECCOMP as usize);
    let mode = libc::SECCOMP_MODE_FILTER as usize;
    let (args, env) = (start.args.pointers.as_ptr(), start.env.pointers.as_ptr());
    // SAFETY: the calls take numbers, and pointers to what lives until the process is
    // another: texts that end in a zero, lists of them that end in a null pointer.
    unsafe {
        for (number, descriptor) in way.standard.into_iter().enumerate() {
            call(libc::SYS_dup2, [descriptor as usize, number])?;
        }
        call(libc::SYS_umask, [0o022])?;
        call(libc::SYS_chdir, [start.home.as_ptr() as usize])?;
        limit_resources(&start.limits);
        call(libc::SYS_prctl, [no_new_rights, 1, 0, 0, 0])?;
        call(libc::SYS_prctl, [filtered, mode, (&raw const filter) as usize])?;
        call(libc::SYS_execve, [start.program.as_ptr() as usize, args as usize, env as usize])?;
    }
    Ok(())
}
