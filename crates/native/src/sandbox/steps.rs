//! What a new process does before it is the program: a list made beforehand, done by
//! system calls alone.
//!
//! Between fork and exec nothing may allocate or lock, because another thread may have
//! held a lock at the fork. So everything a step needs is in it, and doing it is
//! [`perform`], which only calls the kernel.

use std::ffi::{CStr, CString};

/// One thing to do.
#[derive(Debug)]
pub enum Step {
    /// Make a directory; it may be there already.
    Directory(CString, libc::mode_t),
    /// Remove a directory.
    Remove(CString),
    /// Make a file that holds these bytes.
    File(CString, Vec<u8>, libc::mode_t),
    /// Write to a file that is there, in one piece.
    Write(CString, Vec<u8>),
    /// Make a link: what it says, and where it is.
    Link(CString, CString),
    /// Keep mounts of this name space to itself.
    Private,
    /// Mount an empty file system in memory, with these options.
    Memory(CString, CString),
    /// Mount a view of the processes, if the kernel allows it.
    Processes(CString),
    /// Let a place be seen at another, with all that is mounted there.
    Bind(CString, CString),
    /// Make the first directory the root, and the old root visible as the second, which
    /// is inside the first.
    Root(CString, CString),
    /// Take away a mount and its directory.
    Detach(CString),
    /// Let nothing that is mounted now be changed.
    ReadOnly,
    /// Name the machine.
    Name(Vec<u8>),
}

/// Does them in order; the error is the number of the step that failed, and why.
pub fn perform(steps: &[Step]) -> Result<(), (usize, i32)> {
    for (index, step) in steps.iter().enumerate() {
        done(step).map_err(|errno| (index, errno))?;
    }
    Ok(())
}

/// Does a step.
fn done(step: &Step) -> Result<(), i32> {
    // SAFETY: every pointer is to memory that the step owns and that is as long as the
    // call is told, or null where the call allows it.
    unsafe {
        match step {
            Step::Directory(path, mode) => match check(libc::mkdir(path.as_ptr(), *mode)) {
                // The mask of whoever runs us must not take rights from it.
                Ok(()) => check(libc::chmod(path.as_ptr(), *mode)),
                Err(libc::EEXIST) => Ok(()),
                Err(errno) => Err(errno),
            },
            Step::Remove(path) => check(libc::rmdir(path.as_ptr())),
            Step::File(path, bytes, mode) => {
                let flags = libc::O_WRONLY | libc::O_CREAT | libc::O_EXCL;
                write_file(path, flags, bytes, *mode)?;
                check(libc::chmod(path.as_ptr(), *mode))
            }
            Step::Write(path, bytes) => write_file(path, libc::O_WRONLY, bytes, 0),
            Step::Link(to, at) => check(libc::symlink(to.as_ptr(), at.as_ptr())),
            Step::Private => mount(None, c"/", None, libc::MS_REC | libc::MS_PRIVATE, None),
            Step::Memory(at, options) => {
                let flags = libc::MS_NOSUID | libc::MS_NODEV;
                mount(Some(c"tmpfs"), at, Some(c"tmpfs"), flags, Some(options))
            }
            Step::Processes(at) => {
                let flags = libc::MS_NOSUID | libc::MS_NODEV | libc::MS_NOEXEC | libc::MS_RDONLY;
                // In a container whose own view is masked it is refused; what is there
                // already then stays.
                let _ = mount(Some(c"proc"), at, Some(c"proc"), flags, None);
                Ok(())
            }
            Step::Bind(from, at) => mount(Some(from), at, None, libc::MS_BIND | libc::MS_REC, None),
            Step::Root(new, old) => {
                check(libc::syscall(libc::SYS_pivot_root, new.as_ptr(), old.as_ptr()))?;
                check(libc::chdir(c"/".as_ptr()))
            }
            Step::Detach(at) => {
                check(libc::umount2(at.as_ptr(), libc::MNT_DETACH))?;
                check(libc::rmdir(at.as_ptr()))
            }
            Step::ReadOnly => read_only(),
            Step::Name(name) => check(libc::sethostname(name.as_ptr().cast(), name.len())),
        }
    }
}

/// Whether a call succeeded.
fn check<T: TryInto<i64>>(result: T) -> Result<(), i32> {
    match result.try_into() {
        Ok(0..) => Ok(()),
        _ => Err(errno()),
    }
}

/// Why the last call failed.
pub fn errno() -> i32 {
    // SAFETY: the pointer is to this thread's own variable.
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
    // SAFETY: texts end in a zero, and the kernel takes null for those that are missing.
    check(unsafe {
        libc::mount(pointer(from), at.as_ptr(), pointer(kind), flags, pointer(options).cast())
    })
}

fn write_file(path: &CStr, flags: i32, bytes: &[u8], mode: libc::mode_t) -> Result<(), i32> {
    // SAFETY: the path ends in a zero; the pointer and length are of one live slice.
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

/// What `mount_setattr` is told; the kernel's `struct mount_attr`.
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
    // SAFETY: the attributes live, and their size is told.
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
