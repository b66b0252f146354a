//! What each process of a sandbox does before it is the program. All of it is done in byway's
//! memory, and calls nothing but the kernel (see [`super::kernel`]).

use std::os::fd::RawFd;
use std::sync::atomic::Ordering;

use super::kernel::{call, start};
use super::limit_resources;
use super::messages::{Message, tell, tell_step};
use super::processes::{HELD, Holding, Way};
use super::steps::perform;

/// The name spaces that each task has anew.
const ANEW: libc::c_int = libc::CLONE_NEWPID | libc::CLONE_NEWNS;
/// The number of the program's process, where one may choose it: as in the runtime's model.
const PROGRAM_PID: libc::pid_t = 1000;
const DEATH_SIGNAL: usize = libc::PR_SET_PDEATHSIG as usize;
const EVERYBODY: usize = -1_isize as usize;

fn sorted<const N: usize>(mut descriptors: [RawFd; N]) -> [RawFd; N] {
    descriptors.sort_unstable();
    descriptors
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
    let with = [pipe as usize, (&raw mut byte) as usize, 1];
    // SAFETY: what is read goes to a byte that lives.
    while unsafe { call(libc::SYS_read, with) } == Err(libc::EINTR) {}
}

/// Makes the world, and waits while byway is there.
pub extern "C" fn hold(holding: &Holding) -> ! {
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

/// Makes the first process in the holder's name spaces.
pub extern "C" fn guide(way: &Way<'_>) -> ! {
    let [stdin, stdout, stderr] = way.standard;
    keep_only(&sorted([way.holder, way.report, way.leave, stdin, stdout, stderr]));
    new_session();
    // SAFETY: the call takes numbers; the new process only calls the kernel, and whoever waits
    // for this one answers for what that needs.
    let first = unsafe {
        call(libc::SYS_setns, [way.holder as usize, HELD as usize])
            // The first process is to be byway's own child.
            .and_then(|_| start(ANEW | libc::CLONE_PARENT, None, &way.stacks.first, first, way))
    };
    way.first.store(first.unwrap_or_else(|errno| -errno), Ordering::Release);
    leave(0);
}

/// Makes the world new, and ends what the program leaves.
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
        start(until_exec, Some(PROGRAM_PID), stack, program, way)
            // Not everywhere may one choose.
            .or_else(|_| start(until_exec, None, stack, program, way))
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
    new_session();
    forget_signals();
    let failed = become_program(way).err().unwrap_or(0);
    tell(way.report, Message::NOT_STARTED, failed);
    leave(127);
}

/// Does not return but with an error.
fn become_program(&Way { start, standard, .. }: &Way<'_>) -> Result<(), i32> {
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
        for (number, descriptor) in standard.into_iter().enumerate() {
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
