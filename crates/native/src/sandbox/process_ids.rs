//! The limit on process ids in a sandbox, which bounds its number of processes at any time.
//!
//! `RLIMIT_NPROC` does that too, but not for root: the kernel exempts user 0 of the machine,
//! also in a user namespace that maps it to another user. Without a limit, a program that
//! forks in a loop creates thousands of processes before the supervisor runs again.
//!
//! Since Linux 6.14, each PID namespace has its own `pid_max`. On older kernels the setting is
//! the machine's and must not be touched.

use std::os::fd::RawFd;

/// Once a namespace has used this many ids, the kernel does not reuse those below.
const RESERVED_IDS: u32 = 300;

/// The contents of `pid_max` that allow a little more than this many processes, so that the
/// supervisor can see that the limit is exceeded; `None` if the kernel does not support it.
///
/// At most `processes + RESERVED_IDS` processes exist at a time.
pub fn limit(processes: u32) -> Option<Vec<u8>> {
    let value = processes.saturating_add(RESERVED_IDS + 1);
    kernel_is_at_least((6, 14)).then(|| value.to_string().into_bytes())
}

/// Whether this version of Linux, or a later one, runs.
pub fn kernel_is_at_least(version: (u32, u32)) -> bool {
    let release = std::fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    let mut numbers = release.split(['.', '-']).map(|part| part.parse::<u32>().unwrap_or(0));
    (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0)) >= version
}

const FSCONFIG_CMD_CREATE: libc::c_uint = 6;

/// Sets the limit of this process's PID namespace. Async-signal-safe.
///
/// Writes through a procfs that is mounted nowhere, because the program's is read-only. Where
/// a container does not allow another procfs, the supervisor alone enforces the limit.
pub fn apply(limit: &[u8]) {
    // SAFETY: the calls take numbers, strings that end in a zero, null where it is allowed, and
    // a live slice with its length.
    unsafe {
        let context = libc::syscall(libc::SYS_fsopen, c"proc".as_ptr(), 0) as RawFd;
        let none = std::ptr::null::<libc::c_char>();
        libc::syscall(libc::SYS_fsconfig, context, FSCONFIG_CMD_CREATE, none, none, 0);
        let procfs = libc::syscall(libc::SYS_fsmount, context, 0, 0) as RawFd;
        let setting = libc::openat(procfs, c"sys/kernel/pid_max".as_ptr(), libc::O_WRONLY);
        libc::write(setting, limit.as_ptr().cast(), limit.len());
        for descriptor in [setting, procfs, context] {
            libc::close(descriptor);
        }
    }
}
