//! The processes of a sandbox, and what each does before it is the program. All that
//! runs here after a fork calls nothing but the kernel (see [`super::steps`]).
//!
//! ```text
//! byway ─▶ holder   made once, in new user, mount, network, IPC and host name spaces;
//!   │               builds the world and waits, so that its name spaces stay
//!   └────▶ guide    one per task: enters the holder's name spaces, makes the first
//!            │      process of new process and mount name spaces, and is done
//!            └────▶ first  a child of byway's too. Makes the test's own directories,
//!                     │    waits for the program, ends whatever is left, and waits for
//!                     │    byway to look at what the program kept
//!                     └─▶ the program
//! ```
//!
//! Making a network takes the kernel milliseconds, and this is why there is a holder.
//! The program is not the first process itself, because that one does not die of
//! signals it sends to itself. When the first process dies, the kernel ends the others.

use std::ffi::{CStr, CString};
use std::io::{self, PipeReader, PipeWriter, Read};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};

use super::steps::{Step, errno, perform};
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
    /// The first process is there; its number.
    pub const FIRST: i32 = 2;
    /// The program is there; its number.
    pub const PROGRAM: i32 = 3;
    /// The program has ended, as `wait` tells it.
    pub const ENDED: i32 = 4;
    /// The name spaces could not be entered; the error.
    pub const NOT_ENTERED: i32 = 5;
    /// A step failed; the error. The number of the step follows.
    pub const STEP_FAILED: i32 = 6;
    /// Which step.
    pub const WHICH_STEP: i32 = 7;
    /// The program could not be started; the error.
    pub const NOT_STARTED: i32 = 8;

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
    unsafe { libc::write(to, bytes.as_ptr().cast(), bytes.len()) };
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

/// A process that keeps name spaces, and the world in them.
pub struct Holder {
    pid: libc::pid_t,
    descriptor: OwnedFd,
    /// When this is closed, the process ends, however byway ended.
    _lifeline: PipeWriter,
}

impl Holder {
    /// Makes one that has done these steps.
    pub fn start(steps: &[Step]) -> io::Result<Holder> {
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
        let keep = sorted([teller.as_raw_fd(), waiter.as_raw_fd()]);
        // SAFETY: the child only calls the kernel.
        let pid = unsafe { clone(HELD) };
        if pid == 0 {
            hold(&keep, teller.as_raw_fd(), waiter.as_raw_fd(), &maps, steps);
        }
        if pid < 0 {
            return Err(io::Error::last_os_error());
        }
        drop((teller, waiter));
        let heard = read_message(&mut report)?;
        // SAFETY: the call takes two numbers, and returns a descriptor that nobody has.
        let descriptor = unsafe { libc::syscall(libc::SYS_pidfd_open, pid, 0) };
        match heard {
            Some(Message { word: Message::READY, .. }) if descriptor >= 0 => {
                // SAFETY: as above.
                let descriptor = unsafe { OwnedFd::from_raw_fd(descriptor as RawFd) };
                Ok(Holder { pid, descriptor, _lifeline: lifeline })
            }
            Some(message @ Message { word: Message::STEP_FAILED | Message::NOT_ENTERED, .. }) => {
                let next = read_message(&mut report);
                end(pid);
                Err(refusal(message, next?, steps))
            }
            _ => {
                let error = io::Error::last_os_error();
                end(pid);
                Err(error)
            }
        }
    }
}

impl Drop for Holder {
    fn drop(&mut self) {
        end(self.pid);
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

/// Ends a child of ours and all that depends on it.
pub fn end(pid: libc::pid_t) {
    // SAFETY: kill takes two numbers; the child has not been waited for.
    unsafe { libc::kill(pid, libc::SIGKILL) };
    wait(pid);
}

/// Waits until a child of ours has ended.
pub fn wait(pid: libc::pid_t) -> i32 {
    let mut status = 0;
    // SAFETY: waitpid writes to the number alone.
    while unsafe { libc::waitpid(pid, &mut status, 0) } < 0 && errno() == libc::EINTR {}
    status
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

/// Sends a task on its way. The guide's number, which is to be waited for.
pub fn launch(holder: &Holder, start: &Start, ends: &Ends) -> io::Result<libc::pid_t> {
    let way = Way {
        holder: holder.descriptor.as_raw_fd(),
        report: ends.report.as_raw_fd(),
        leave: ends.leave.as_raw_fd(),
        standard: [ends.stdin.as_raw_fd(), ends.stdout.as_raw_fd(), ends.stderr.as_raw_fd()],
    };
    let [stdin, stdout, stderr] = way.standard;
    let keep = sorted([way.holder, way.report, way.leave, stdin, stdout, stderr]);
    // SAFETY: the child only calls the kernel.
    match unsafe { clone(0) } {
        0 => guide(&keep, &way, start),
        pid @ 1.. => Ok(pid),
        _ => Err(io::Error::last_os_error()),
    }
}

/// The descriptors of the processes of a task.
struct Way {
    holder: RawFd,
    report: RawFd,
    leave: RawFd,
    standard: [RawFd; 3],
}

fn sorted<const N: usize>(mut descriptors: [RawFd; N]) -> [RawFd; N] {
    descriptors.sort_unstable();
    descriptors
}

/// Makes a process that goes on from here, as `fork` does.
///
/// # Safety
///
/// The new process may only call the kernel: another thread may have held any lock.
unsafe fn clone(flags: libc::c_int) -> libc::pid_t {
    let flags = libc::c_long::from(flags | libc::SIGCHLD);
    // SAFETY: without a stack of its own, the child has a copy of ours; the null pointers
    // say that nothing is to be written anywhere.
    unsafe { libc::syscall(libc::SYS_clone, flags, 0, 0, 0, 0) as libc::pid_t }
}

/// Closes all descriptors but these: those of other threads' tasks would keep their pipes
/// open.
fn keep_only(descriptors: &[RawFd]) {
    let close = |first: u32, last: u32| {
        // SAFETY: the call takes three numbers; nobody here uses what it closes.
        unsafe { libc::syscall(libc::SYS_close_range, first, last, 0) };
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

fn leave(code: i32) -> ! {
    // SAFETY: it ends the process, and nothing else.
    unsafe { libc::_exit(code) }
}

fn hold(keep: &[RawFd], report: RawFd, wait: RawFd, maps: &[Step], steps: &[Step]) -> ! {
    keep_only(keep);
    // SAFETY: the calls take numbers; what is read goes to a byte that lives.
    unsafe {
        libc::setsid();
        if let Err((_, errno)) = perform(maps) {
            tell(report, Message::NOT_ENTERED, errno);
            leave(1);
        }
        match perform(steps) {
            Ok(()) => tell(report, Message::READY, 0),
            Err(failure) => {
                tell_step(report, failure);
                leave(1);
            }
        }
        libc::close(report);
        let mut byte = 0_u8;
        while libc::read(wait, (&raw mut byte).cast(), 1) < 0 && errno() == libc::EINTR {}
        leave(0);
    }
}

fn guide(keep: &[RawFd], way: &Way, start: &Start) -> ! {
    keep_only(keep);
    // SAFETY: the calls take numbers; the new process only calls the kernel.
    unsafe {
        // Ctrl-C is for byway, which ends the program in its own way.
        libc::setsid();
        if libc::setns(way.holder, HELD) < 0 {
            tell(way.report, Message::NOT_ENTERED, errno());
            leave(1);
        }
        // The first process is to be byway's own child.
        match clone(ANEW | libc::CLONE_PARENT) {
            0 => first(way, start),
            pid @ 1.. => {
                tell(way.report, Message::FIRST, pid);
                leave(0);
            }
            _ => {
                tell(way.report, Message::NOT_ENTERED, errno());
                leave(1);
            }
        }
    }
}

fn first(way: &Way, start: &Start) -> ! {
    // SAFETY: the calls take numbers, or pointers to what lives here; the new process
    // only calls the kernel.
    unsafe {
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
        // The program can then not reach it: without handlers, the first process of a
        // name space takes no signals from inside.
        forget_signals();
        libc::close(way.holder);
        if let Err(failure) = perform(&start.steps) {
            tell_step(way.report, failure);
            leave(1);
        }
        let pid = match clone_as(PROGRAM_PID) {
            // Older kernels do not let one choose.
            -1 => clone(0),
            pid => pid,
        };
        match pid {
            0 => program(way, start),
            1.. => tell(way.report, Message::PROGRAM, pid),
            _ => {
                tell(way.report, Message::NOT_STARTED, errno());
                leave(1);
            }
        }
        for descriptor in way.standard {
            libc::close(descriptor);
        }
        let mut status = 0;
        while libc::waitpid(-1, &mut status, 0) != pid {}
        // Whoever is left; again, because some may have been just about to fork.
        let mut ignored = 0;
        loop {
            libc::kill(-1, libc::SIGKILL);
            if libc::waitpid(-1, &mut ignored, 0) < 0 && errno() == libc::ECHILD {
                break;
            }
        }
        tell(way.report, Message::ENDED, status);
        let mut byte = 0_u8;
        while libc::read(way.leave, (&raw mut byte).cast(), 1) < 0 && errno() == libc::EINTR {}
        leave(0);
    }
}

/// What `clone3` is told, as far as it is used here; the kernel's `struct clone_args`.
#[repr(C)]
#[derive(Default)]
struct CloneArguments {
    flags: u64,
    pidfd: u64,
    child_tid: u64,
    parent_tid: u64,
    exit_signal: u64,
    stack: u64,
    stack_size: u64,
    tls: u64,
    set_tid: u64,
    set_tid_size: u64,
}

/// As [`clone`], with a number for the new process.
///
/// # Safety
///
/// As for [`clone`].
unsafe fn clone_as(pid: libc::pid_t) -> libc::pid_t {
    let arguments = CloneArguments {
        exit_signal: libc::SIGCHLD as u64,
        set_tid: (&raw const pid) as u64,
        set_tid_size: 1,
        ..CloneArguments::default()
    };
    let size = size_of::<CloneArguments>();
    // SAFETY: the arguments live, their size is told, and they point to one number.
    unsafe { libc::syscall(libc::SYS_clone3, &raw const arguments, size) as libc::pid_t }
}

const LAST_SIGNAL: i32 = 64;

/// Nothing is caught, ignored or blocked any more.
fn forget_signals() {
    // SAFETY: the calls take numbers, and a set that lives; zero is a valid value for it.
    unsafe {
        for signal in 1..=LAST_SIGNAL {
            libc::signal(signal, libc::SIG_DFL);
        }
        let mut none: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&mut none);
        libc::sigprocmask(libc::SIG_SETMASK, &none, std::ptr::null_mut());
    }
}

fn program(way: &Way, start: &Start) -> ! {
    // SAFETY: the calls take numbers, and pointers to what lives until the process is
    // another: texts that end in a zero, lists of them that end in a null pointer.
    unsafe {
        libc::setsid();
        forget_signals();
        for (number, descriptor) in (0..).zip(way.standard) {
            libc::dup2(descriptor, number);
        }
        libc::umask(0o022);
        let entered = libc::chdir(start.home.as_ptr()) == 0;
        limit_resources(&start.limits);
        let filter = libc::sock_fprog {
            len: start.filter.len() as u16,
            filter: start.filter.as_ptr().cast_mut(),
        };
        if entered
            && libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0
            && libc::prctl(libc::PR_SET_SECCOMP, libc::SECCOMP_MODE_FILTER, &raw const filter) == 0
        {
            let (args, env) = (&start.args.pointers, &start.env.pointers);
            libc::execve(start.program.as_ptr(), args.as_ptr(), env.as_ptr());
        }
        tell(way.report, Message::NOT_STARTED, errno());
        leave(127);
    }
}
