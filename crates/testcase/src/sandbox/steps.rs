//! What a new process does before it is the program: a list made beforehand, done by
//! system calls alone.
//!
//! Until it is the program, a process may neither allocate nor lock (see [`super::kernel`]).
//! So everything a step needs is in it, and doing it is [`perform`], which only calls the
//! kernel.

use std::ffi::{CStr, CString};

use super::kernel::call;

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
    match step {
        Step::Directory(path, mode) => match on(libc::SYS_mkdir, path, *mode as usize) {
            // The mask of whoever runs us must not take rights from it.
            Ok(()) => on(libc::SYS_chmod, path, *mode as usize),
            Err(libc::EEXIST) => Ok(()),
            Err(errno) => Err(errno),
        },
        Step::Remove(path) => on(libc::SYS_rmdir, path, 0),
        Step::File(path, bytes, mode) => {
            let flags = libc::O_WRONLY | libc::O_CREAT | libc::O_EXCL;
            write_file(path, flags, bytes, *mode)?;
            on(libc::SYS_chmod, path, *mode as usize)
        }
        Step::Write(path, bytes) => write_file(path, libc::O_WRONLY, bytes, 0),
        Step::Link(to, at) => on(libc::SYS_symlink, to, address(at)),
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
            on(libc::SYS_pivot_root, new, address(old))?;
            on(libc::SYS_chdir, c"/", 0)
        }
        Step::Detach(at) => {
            on(libc::SYS_umount2, at, libc::MNT_DETACH as usize)?;
            on(libc::SYS_rmdir, at, 0)
        }
        Step::ReadOnly => read_only(),
        // SAFETY: the pointer and length are of one live slice.
        Step::Name(name) => unsafe {
            call(libc::SYS_sethostname, [name.as_ptr() as usize, name.len()]).map(drop)
        },
    }
}

fn address(text: &CStr) -> usize {
    text.as_ptr() as usize
}

/// A call on a path, and with a number or another path.
fn on(number: libc::c_long, path: &CStr, other: usize) -> Result<(), i32> {
    // SAFETY: paths end in a zero, and calls like this write to no memory of ours.
    unsafe { call(number, [address(path), other]) }.map(drop)
}

fn mount(
    from: Option<&CStr>,
    at: &CStr,
    kind: Option<&CStr>,
    flags: libc::c_ulong,
    options: Option<&CStr>,
) -> Result<(), i32> {
    let [from, kind, options] = [from, kind, options].map(|text| text.map_or(0, address));
    let with = [from, address(at), kind, flags as usize, options];
    // SAFETY: texts end in a zero, and the kernel takes null for those that are missing.
    unsafe { call(libc::SYS_mount, with) }.map(drop)
}

fn write_file(path: &CStr, flags: i32, bytes: &[u8], mode: libc::mode_t) -> Result<(), i32> {
    let flags = flags | libc::O_CLOEXEC;
    // SAFETY: the path ends in a zero.
    let file = unsafe { call(libc::SYS_open, [address(path), flags as usize, mode as usize])? };
    let written = write_all(file, bytes);
    // SAFETY: the descriptor is ours.
    let closed = unsafe { call(libc::SYS_close, [file]) };
    written.and(closed.map(drop))
}

fn write_all(file: usize, bytes: &[u8]) -> Result<(), i32> {
    let mut rest = bytes;
    while !rest.is_empty() {
        // SAFETY: the pointer and length are of one live slice.
        match unsafe { call(libc::SYS_write, [file, rest.as_ptr() as usize, rest.len()])? } {
            0 => return Err(libc::EIO),
            count => rest = rest.get(count..).unwrap_or(&[]),
        }
    }
    Ok(())
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
const RECURSIVE: usize = 0x8000;

fn read_only() -> Result<(), i32> {
    let attributes = MountAttributes {
        set: MOUNT_READ_ONLY | MOUNT_NO_SUID,
        clear: 0,
        propagation: 0,
        user_namespace: 0,
    };
    let with = [
        libc::AT_FDCWD as usize,
        address(c"/"),
        RECURSIVE,
        (&raw const attributes) as usize,
        size_of::<MountAttributes>(),
    ];
    // SAFETY: the attributes live, and their size is told.
    unsafe { call(libc::SYS_mount_setattr, with) }.map(drop)
}
