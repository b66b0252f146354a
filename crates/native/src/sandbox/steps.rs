//! The steps of a new process before it executes the program: a list prepared before the
//! fork, carried out by system calls alone.
//!
//! Between fork and exec only async-signal-safe calls are allowed: allocating or locking
//! could deadlock, because another thread may have held a lock at the fork. So each step owns
//! all the data it needs, and [`perform`] makes only system calls.

use std::ffi::{CStr, CString};

/// One system call, or a few.
#[derive(Debug)]
pub enum SetupStep {
    /// Create a directory unless it exists.
    Directory(CString, libc::mode_t),
    /// Remove a directory.
    Remove(CString),
    /// Create a file with these contents.
    File(CString, Vec<u8>, libc::mode_t),
    /// Write to an existing file.
    Write(CString, Vec<u8>),
    /// Create a symbolic link: its target, then its path.
    Link(CString, CString),
    /// Stop the propagation of mounts to other namespaces.
    Private,
    /// Mount a tmpfs with these options.
    Memory(CString, CString),
    /// Mount procfs, if the kernel allows it.
    Processes(CString),
    /// Bind-mount the first path at the second, with its submounts.
    Bind(CString, CString),
    /// Make the first directory the root, and mount the old root at the second, which is inside
    /// the first.
    Root(CString, CString),
    /// Unmount a directory and remove it.
    Detach(CString),
    /// Make all mounts read-only.
    ReadOnly,
    /// Set the host name.
    Name(Vec<u8>),
}

/// Carries out the steps in order. The error is the index of the failed step and its errno.
pub fn perform(steps: &[SetupStep]) -> Result<(), (usize, i32)> {
    for (index, step) in steps.iter().enumerate() {
        perform_step(step).map_err(|errno| (index, errno))?;
    }
    Ok(())
}

fn perform_step(step: &SetupStep) -> Result<(), i32> {
    // SAFETY: every pointer refers to memory that the step owns, with the length passed
    // along, or is null where the call allows it.
    unsafe {
        match step {
            SetupStep::Directory(path, mode) => match check(libc::mkdir(path.as_ptr(), *mode)) {
                // Independent of the umask.
                Ok(()) => check(libc::chmod(path.as_ptr(), *mode)),
                Err(libc::EEXIST) => Ok(()),
                Err(errno) => Err(errno),
            },
            SetupStep::Remove(path) => check(libc::rmdir(path.as_ptr())),
            SetupStep::File(path, bytes, mode) => {
                let flags = libc::O_WRONLY | libc::O_CREAT | libc::O_EXCL;
                write_file(path, flags, bytes, *mode)?;
                check(libc::chmod(path.as_ptr(), *mode))
            }
            SetupStep::Write(path, bytes) => write_file(path, libc::O_WRONLY, bytes, 0),
            SetupStep::Link(to, at) => check(libc::symlink(to.as_ptr(), at.as_ptr())),
            SetupStep::Private => mount(None, c"/", None, libc::MS_REC | libc::MS_PRIVATE, None),
            SetupStep::Memory(at, options) => {
                let flags = libc::MS_NOSUID | libc::MS_NODEV;
                mount(Some(c"tmpfs"), at, Some(c"tmpfs"), flags, Some(options))
            }
            SetupStep::Processes(at) => {
                let flags = libc::MS_NOSUID | libc::MS_NODEV | libc::MS_NOEXEC | libc::MS_RDONLY;
                // A container with a masked procfs does not allow it; then the procfs that is
                // mounted already stays.
                let _ = mount(Some(c"proc"), at, Some(c"proc"), flags, None);
                Ok(())
            }
            SetupStep::Bind(from, at) => {
                mount(Some(from), at, None, libc::MS_BIND | libc::MS_REC, None)
            }
            SetupStep::Root(new, old) => {
                check(libc::syscall(libc::SYS_pivot_root, new.as_ptr(), old.as_ptr()))?;
                check(libc::chdir(c"/".as_ptr()))
            }
            SetupStep::Detach(at) => {
                check(libc::umount2(at.as_ptr(), libc::MNT_DETACH))?;
                check(libc::rmdir(at.as_ptr()))
            }
            SetupStep::ReadOnly => read_only(),
            SetupStep::Name(name) => check(libc::sethostname(name.as_ptr().cast(), name.len())),
        }
    }
}

/// The result of a system call, with its errno.
fn check<T: TryInto<i64>>(result: T) -> Result<(), i32> {
    match result.try_into() {
        Ok(0..) => Ok(()),
        _ => Err(errno()),
    }
}

/// The errno of the last call.
pub fn errno() -> i32 {
    // SAFETY: the pointer refers to this thread's own variable.
    unsafe { *libc::__errno_location() }
}

fn mount(
    from: Option<&CStr>,
    at: &CStr,
    kind: Option<&CStr>,
    flags: libc::c_ulong,
    options: Option<&CStr>,
) -> Result<(), i32> {
    let pointer = |text: Option<&CStr>| text.map_or(std::ptr::null(), CStr::as_ptr);
    // SAFETY: the strings end in a zero, and the kernel accepts null for absent ones.
    check(unsafe {
        libc::mount(pointer(from), at.as_ptr(), pointer(kind), flags, pointer(options).cast())
    })
}

fn write_file(path: &CStr, flags: i32, bytes: &[u8], mode: libc::mode_t) -> Result<(), i32> {
    // SAFETY: the path ends in a zero; pointer and length describe one live slice.
    unsafe {
        let file = libc::open(path.as_ptr(), flags | libc::O_CLOEXEC, libc::c_uint::from(mode));
        check(file)?;
        let mut rest = bytes;
        while !rest.is_empty() {
            match libc::write(file, rest.as_ptr().cast(), rest.len()) {
                written @ 1.. => rest = &rest[written as usize..],
                _ => {
                    let why = errno();
                    libc::close(file);
                    return Err(why);
                }
            }
        }
        check(libc::close(file))
    }
}

/// The kernel's `struct mount_attr`.
#[repr(C)]
struct MountAttributes {
    set: u64,
    clear: u64,
    propagation: u64,
    user_namespace: u64,
}

const MOUNT_READ_ONLY: u64 = 1;
const MOUNT_NO_SUID: u64 = 2;
const RECURSIVE: libc::c_uint = 0x8000;

fn read_only() -> Result<(), i32> {
    let attributes = MountAttributes {
        set: MOUNT_READ_ONLY | MOUNT_NO_SUID,
        clear: 0,
        propagation: 0,
        user_namespace: 0,
    };
    // SAFETY: the attributes are alive, and their size is passed.
    check(unsafe {
        libc::syscall(
            libc::SYS_mount_setattr,
            libc::AT_FDCWD,
            c"/".as_ptr(),
            RECURSIVE,
            &raw const attributes,
            size_of::<MountAttributes>(),
        )
    })
}
