//! The processes of a sandbox. Code that runs here after a fork makes only system calls (see
//! [`super::steps`]).
//!
//! ```text
//! byway ─▶ holder   once, in new user, mount, network, IPC and UTS namespaces; builds the
//!   │               file system and waits, which keeps its namespaces alive
//!   └────▶ guide    one per task: enters the holder's namespaces, clones the first process of
//!            │      new PID and mount namespaces, and exits
//!            └────▶ first  also a child of byway. Creates the test's private directories,
//!                     │    waits for the program, kills all other processes, and waits until
//!                     │    byway has collected the results
//!                     └─▶ the program
//! ```
//!
//! The holder exists because the kernel takes milliseconds to create a network namespace.
//! The program is not the first process of its namespace because that one ignores signals
//! it sends to itself. When the first process dies, the kernel kills the others.

use std::ffi::{CStr, CString};
use std::io::{self, PipeReader, PipeWriter, Read};
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd, RawFd};

use super::steps::{SetupStep, errno, perform};
use super::{
    SandboxSpec, SandboxTask, file_system, filter, limit_resources, process_ids, resource_limits,
};

/// The program's user and group, as in the runtime's model.
const USER: u32 = 1000;
const GROUP: u32 = 1000;
/// The program's process id in that model; older kernels assign another.
pub const PROGRAM_PID: libc::pid_t = 1000;
/// The descriptor of [`SandboxTask::shared`] in the program.
const SHARED_MEMORY: RawFd = 3;
/// The processes of a sandbox beside the program's.
const OWN_PROCESSES: u64 = 3;

const HELD_NAMESPACES: libc::c_int = libc::CLONE_NEWUSER
    | libc::CLONE_NEWNS
    | libc::CLONE_NEWNET
    | libc::CLONE_NEWIPC
    | libc::CLONE_NEWUTS;
const TASK_NAMESPACES: libc::c_int = libc::CLONE_NEWPID | libc::CLONE_NEWNS;

/// A report of a sandbox process to byway.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Message {
    /// One of the constants below.
    pub code: i32,
    /// A process id, wait status, errno or index, depending on the code.
    pub number: i32,
}

impl Message {
    /// The file system is complete.
    pub const READY: i32 = 1;
    /// The first process runs; its process id.
    pub const FIRST: i32 = 2;
    /// The program runs; its process id.
    pub const PROGRAM: i32 = 3;
    /// The program has ended; its wait status.
    pub const ENDED: i32 = 4;
    /// The namespaces could not be entered; the errno.
    pub const NOT_ENTERED: i32 = 5;
    /// A step failed; the errno. The index of the step follows.
    pub const STEP_FAILED: i32 = 6;
    /// The index of the failed step.
    pub const STEP_INDEX: i32 = 7;
    /// The program could not be executed; the errno.
    pub const NOT_STARTED: i32 = 8;

    /// The size in bytes.
    pub const SIZE: usize = 8;

    /// Decodes a message.
    pub fn decode(bytes: [u8; Message::SIZE]) -> Message {
        let [a, b, c, d, e, f, g, h] = bytes;
        let (code, number) = ([a, b, c, d], [e, f, g, h]);
        Message { code: i32::from_ne_bytes(code), number: i32::from_ne_bytes(number) }
    }
}

/// Sends a message to byway. A failure means that byway is gone, and is ignored.
fn report(to: RawFd, code: i32, number: i32) {
    let mut bytes = [0; Message::SIZE];
    bytes[..4].copy_from_slice(&code.to_ne_bytes());
    bytes[4..].copy_from_slice(&number.to_ne_bytes());
    // SAFETY: pointer and length describe one live array.
    unsafe { libc::write(to, bytes.as_ptr().cast(), bytes.len()) };
}

fn report_step(to: RawFd, (step, errno): (usize, i32)) {
    report(to, Message::STEP_FAILED, errno);
    report(to, Message::STEP_INDEX, step as i32);
}

/// The error for a sandbox or program that could not launch.
pub fn launch_error(message: Message, next: Option<Message>, steps: &[SetupStep]) -> io::Error {
    let error = io::Error::from_raw_os_error(message.number);
    let step = next.and_then(|next| steps.get(usize::try_from(next.number).ok()?));
    let text = match (message.code, step) {
        (Message::NOT_ENTERED, _) => format!("cannot enter its namespaces: {error}"),
        (Message::NOT_STARTED, _) => format!("cannot execute the program: {error}"),
        (_, Some(step)) => format!("{step:?}: {error}"),
        (_, None) => format!("unexpected message from its processes: {error}"),
    };
    io::Error::new(error.kind(), text)
}

/// A process that keeps namespaces, and the file system in them, alive.
pub struct NamespaceHolder {
    pid: libc::pid_t,
    descriptor: OwnedFd,
    /// The holder exits when this closes, even if byway was killed.
    _lifeline: PipeWriter,
}

impl NamespaceHolder {
    /// Starts a holder that has carried out these steps.
    pub fn start(steps: &[SetupStep]) -> io::Result<NamespaceHolder> {
        let (mut reports, report_end) = io::pipe()?;
        let (lifeline_end, lifeline) = io::pipe()?;
        // SAFETY: both calls only return a number.
        let (user, group) = unsafe { (libc::geteuid(), libc::getegid()) };
        let map = |name: &CStr, text: String| SetupStep::Write(name.into(), text.into_bytes());
        let maps = [
            map(c"/proc/self/setgroups", "deny".into()),
            map(c"/proc/self/uid_map", format!("{USER} {user} 1")),
            map(c"/proc/self/gid_map", format!("{GROUP} {group} 1")),
        ];
        let keep = sorted([report_end.as_raw_fd(), lifeline_end.as_raw_fd()]);
        // SAFETY: the child makes only system calls.
        let pid = unsafe { clone(HELD_NAMESPACES) };
        if pid == 0 {
            hold(&keep, report_end.as_raw_fd(), lifeline_end.as_raw_fd(), &maps, steps);
        }
        if pid < 0 {
            return Err(io::Error::last_os_error());
        }
        drop((report_end, lifeline_end));
        let first = read_message(&mut reports)?;
        // SAFETY: the call takes two numbers and returns a new descriptor.
        let descriptor = unsafe { libc::syscall(libc::SYS_pidfd_open, pid, 0) };
        match first {
            Some(Message { code: Message::READY, .. }) if descriptor >= 0 => {
                // SAFETY: the descriptor is new and owned here alone.
                let descriptor = unsafe { OwnedFd::from_raw_fd(descriptor as RawFd) };
                Ok(NamespaceHolder { pid, descriptor, _lifeline: lifeline })
            }
            Some(message @ Message { code: Message::STEP_FAILED | Message::NOT_ENTERED, .. }) => {
                let next = read_message(&mut reports);
                kill(pid);
                Err(launch_error(message, next?, steps))
            }
            _ => {
                let error = io::Error::last_os_error();
                kill(pid);
                Err(error)
            }
        }
    }
}

impl Drop for NamespaceHolder {
    fn drop(&mut self) {
        kill(self.pid);
    }
}

/// Reads a message; `None` once all writers have closed the pipe.
pub fn read_message(from: &mut PipeReader) -> io::Result<Option<Message>> {
    let mut bytes = [0; Message::SIZE];
    match from.read_exact(&mut bytes) {
        Ok(()) => Ok(Some(Message::decode(bytes))),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(None),
        Err(error) => Err(error),
    }
}

/// Kills a child of ours and waits for it.
pub fn kill(pid: libc::pid_t) {
    // SAFETY: kill takes two numbers; the id is the child's until it is waited for.
    unsafe { libc::kill(pid, libc::SIGKILL) };
    wait(pid);
}

/// Waits for a child of ours and returns its wait status.
pub fn wait(pid: libc::pid_t) -> i32 {
    let mut status = 0;
    // SAFETY: waitpid writes to `status` only.
    while unsafe { libc::waitpid(pid, &mut status, 0) } < 0 && errno() == libc::EINTR {}
    status
}

/// All data that the processes of a task need, prepared before the fork.
pub struct LaunchSpec {
    steps: Vec<SetupStep>,
    program: CString,
    args: CStringArray,
    env: CStringArray,
    home: CString,
    limits: Vec<(libc::__rlimit_resource_t, libc::rlim_t)>,
    id_limit: Option<Vec<u8>>,
    filter: Vec<libc::sock_filter>,
}

impl LaunchSpec {
    /// Prepares a task.
    pub fn new(spec: &SandboxSpec, task: &SandboxTask<'_>) -> io::Result<LaunchSpec> {
        let mut limits = resource_limits(&task.limits);
        // Older kernels count all of a user's processes, so that any limit could be exceeded at
        // once.
        if process_ids::kernel_is_at_least((5, 14)) {
            // One more than allowed, so that the supervisor can see that the limit is exceeded.
            let limit = u64::from(task.limits.processes) + OWN_PROCESSES + 1;
            limits.push((libc::RLIMIT_NPROC, limit));
        }
        Ok(LaunchSpec {
            steps: file_system::prepare(spec, task)?,
            program: file_system::text(file_system::program_inside(spec))?,
            args: CStringArray::new(task.args)?,
            env: CStringArray::new(task.env)?,
            home: file_system::text(file_system::HOME)?,
            limits,
            id_limit: process_ids::limit(task.limits.processes),
            filter: filter::filter(),
        })
    }

    /// The steps that create the task's private directories.
    pub fn steps(&self) -> &[SetupStep] {
        &self.steps
    }
}

/// A null-terminated array of strings for `execve`.
struct CStringArray {
    pointers: Vec<*const libc::c_char>,
    /// Owns the strings.
    _texts: Vec<CString>,
}

impl CStringArray {
    fn new(words: &[Vec<u8>]) -> io::Result<CStringArray> {
        let texts = words.iter().map(|word| CString::new(word.as_slice()));
        let texts: Vec<CString> = texts.collect::<Result<_, _>>()?;
        let end = [std::ptr::null()];
        let pointers = texts.iter().map(|text| text.as_ptr()).chain(end).collect();
        Ok(CStringArray { pointers, _texts: texts })
    }
}

/// The ends of pipes that the processes of a task use.
#[allow(missing_docs)] // the standard streams explain themselves
pub struct TaskPipes<'a> {
    /// For messages.
    pub report: PipeWriter,
    /// Closed by byway when the first process may exit.
    pub leave: PipeReader,
    pub stdin: PipeReader,
    pub stdout: PipeWriter,
    pub stderr: PipeWriter,
    /// Memory that the program shares with byway.
    pub shared: Option<BorrowedFd<'a>>,
}

/// Starts a task. Returns the guide's process id, which must be waited for.
pub fn launch(
    holder: &NamespaceHolder,
    launch: &LaunchSpec,
    pipes: &TaskPipes<'_>,
) -> io::Result<libc::pid_t> {
    let fds = TaskDescriptors {
        holder: holder.descriptor.as_raw_fd(),
        report: pipes.report.as_raw_fd(),
        leave: pipes.leave.as_raw_fd(),
        standard_streams: [
            pipes.stdin.as_raw_fd(),
            pipes.stdout.as_raw_fd(),
            pipes.stderr.as_raw_fd(),
        ],
        shared: pipes.shared.map(|shared| shared.as_raw_fd()),
    };
    let [stdin, stdout, stderr] = fds.standard_streams;
    // The report is listed twice if nothing is shared, which does no harm.
    let shared = fds.shared.unwrap_or(fds.report);
    let keep = sorted([fds.holder, fds.report, fds.leave, stdin, stdout, stderr, shared]);
    // SAFETY: the child makes only system calls.
    match unsafe { clone(0) } {
        0 => guide(&keep, &fds, launch),
        pid @ 1.. => Ok(pid),
        _ => Err(io::Error::last_os_error()),
    }
}

/// The descriptors that the processes of a task use.
struct TaskDescriptors {
    holder: RawFd,
    report: RawFd,
    leave: RawFd,
    standard_streams: [RawFd; 3],
    shared: Option<RawFd>,
}

fn sorted<const N: usize>(mut descriptors: [RawFd; N]) -> [RawFd; N] {
    descriptors.sort_unstable();
    descriptors
}

/// Clones this process, as `fork` does.
///
/// # Safety
///
/// The new process may make only system calls: another thread may have held any lock.
unsafe fn clone(flags: libc::c_int) -> libc::pid_t {
    let flags = libc::c_long::from(flags | libc::SIGCHLD);
    // SAFETY: without a stack of its own the child uses a copy of ours; null pointers mean
    // that no process ids are written.
    unsafe { libc::syscall(libc::SYS_clone, flags, 0, 0, 0, 0) as libc::pid_t }
}

/// Closes all other descriptors: copies of the pipes of other threads' tasks would keep those
/// open.
fn keep_only(descriptors: &[RawFd]) {
    let close = |first: u32, last: u32| {
        // SAFETY: the call takes three numbers; this process does not use what it closes.
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

fn exit(code: i32) -> ! {
    // SAFETY: it only ends the process.
    unsafe { libc::_exit(code) }
}

fn hold(
    keep: &[RawFd],
    reports: RawFd,
    lifeline: RawFd,
    maps: &[SetupStep],
    steps: &[SetupStep],
) -> ! {
    keep_only(keep);
    // SAFETY: the calls take numbers, or a pointer to a live byte.
    unsafe {
        libc::setsid();
        if let Err((_, errno)) = perform(maps) {
            report(reports, Message::NOT_ENTERED, errno);
            exit(1);
        }
        match perform(steps) {
            Ok(()) => report(reports, Message::READY, 0),
            Err(failure) => {
                report_step(reports, failure);
                exit(1);
            }
        }
        libc::close(reports);
        let mut byte = 0_u8;
        while libc::read(lifeline, (&raw mut byte).cast(), 1) < 0 && errno() == libc::EINTR {}
        exit(0);
    }
}

fn guide(keep: &[RawFd], fds: &TaskDescriptors, launch: &LaunchSpec) -> ! {
    keep_only(keep);
    // SAFETY: the calls take numbers; the new process makes only system calls.
    unsafe {
        // Ctrl-C is for byway, which then kills the program.
        libc::setsid();
        if libc::setns(fds.holder, HELD_NAMESPACES) < 0 {
            report(fds.report, Message::NOT_ENTERED, errno());
            exit(1);
        }
        // The first process becomes a child of byway.
        match clone(TASK_NAMESPACES | libc::CLONE_PARENT) {
            0 => first(fds, launch),
            pid @ 1.. => {
                report(fds.report, Message::FIRST, pid);
                exit(0);
            }
            _ => {
                report(fds.report, Message::NOT_ENTERED, errno());
                exit(1);
            }
        }
    }
}

fn first(fds: &TaskDescriptors, launch: &LaunchSpec) -> ! {
    // SAFETY: the calls take numbers, or pointers to live variables; the new process makes
    // only system calls.
    unsafe {
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
        // Protects it from the program: without handlers, the first process of a namespace
        // ignores signals from inside.
        reset_signals();
        libc::close(fds.holder);
        if let Err(failure) = perform(&launch.steps) {
            report_step(fds.report, failure);
            exit(1);
        }
        let pid = match clone_as(PROGRAM_PID) {
            // Older kernels do not support it.
            -1 => clone(0),
            pid => pid,
        };
        match pid {
            0 => program(fds, launch),
            1.. => report(fds.report, Message::PROGRAM, pid),
            _ => {
                report(fds.report, Message::NOT_STARTED, errno());
                exit(1);
            }
        }
        for descriptor in fds.standard_streams.into_iter().chain(fds.shared) {
            libc::close(descriptor);
        }
        let mut status = 0;
        while libc::waitpid(-1, &mut status, 0) != pid {}
        // Kills all remaining processes. Repeated, because some may have been forking.
        let mut ignored = 0;
        loop {
            libc::kill(-1, libc::SIGKILL);
            if libc::waitpid(-1, &mut ignored, 0) < 0 && errno() == libc::ECHILD {
                break;
            }
        }
        report(fds.report, Message::ENDED, status);
        let mut byte = 0_u8;
        while libc::read(fds.leave, (&raw mut byte).cast(), 1) < 0 && errno() == libc::EINTR {}
        exit(0);
    }
}

/// The kernel's `struct clone_args`, up to the fields used here.
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

/// As [`clone`], with a chosen process id.
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
    // SAFETY: the arguments are alive, their size is passed, and they point to one number.
    unsafe { libc::syscall(libc::SYS_clone3, &raw const arguments, size) as libc::pid_t }
}

const LAST_SIGNAL: i32 = 64;

/// Resets all handlers to the default and unblocks all signals.
fn reset_signals() {
    // SAFETY: the calls take numbers and a live set, for which zero is a valid value.
    unsafe {
        for signal in 1..=LAST_SIGNAL {
            libc::signal(signal, libc::SIG_DFL);
        }
        let mut none: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&mut none);
        libc::sigprocmask(libc::SIG_SETMASK, &none, std::ptr::null_mut());
    }
}

fn program(fds: &TaskDescriptors, launch: &LaunchSpec) -> ! {
    // SAFETY: the calls take numbers and pointers to data that lives until exec: strings that
    // end in a zero, arrays of them that end in a null pointer.
    unsafe {
        libc::setsid();
        reset_signals();
        for (number, descriptor) in (0..).zip(fds.standard_streams) {
            libc::dup2(descriptor, number);
        }
        // The report's own number may be that of the shared memory.
        let reports = libc::fcntl(fds.report, libc::F_DUPFD_CLOEXEC, SHARED_MEMORY + 1);
        if let Some(shared) = fds.shared {
            share(shared);
        }
        libc::umask(0o022);
        let entered = libc::chdir(launch.home.as_ptr()) == 0;
        limit_resources(&launch.limits);
        if let Some(limit) = &launch.id_limit {
            process_ids::apply(limit);
        }
        let filter = libc::sock_fprog {
            len: launch.filter.len() as u16,
            filter: launch.filter.as_ptr().cast_mut(),
        };
        if entered
            && libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0
            && libc::prctl(libc::PR_SET_SECCOMP, libc::SECCOMP_MODE_FILTER, &raw const filter) == 0
        {
            let (args, env) = (&launch.args.pointers, &launch.env.pointers);
            libc::execve(launch.program.as_ptr(), args.as_ptr(), env.as_ptr());
        }
        report(reports, Message::NOT_STARTED, errno());
        exit(127);
    }
}

/// Gives a descriptor the number at which the program expects its shared memory, and keeps it
/// open in the program. Async-signal-safe.
pub fn share(descriptor: RawFd) {
    // SAFETY: the calls take numbers only.
    unsafe {
        if descriptor == SHARED_MEMORY {
            libc::fcntl(descriptor, libc::F_SETFD, 0);
        } else {
            libc::dup2(descriptor, SHARED_MEMORY);
        }
    }
}
