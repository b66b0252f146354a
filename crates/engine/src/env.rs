//! The engine's only access to the host.

use crate::pure_functions::PureFunction;

/// A clock of the program.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum ClockKind {
    /// Time since 1970.
    Real,
    /// Time since an arbitrary start.
    Monotonic,
}

/// Metadata of a file of the host.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct HostFile {
    /// Kind and permissions, as in `st_mode`.
    pub mode: u32,
    /// Its size in bytes.
    pub size: u64,
    /// The time of its last change, in seconds since 1970.
    pub modified: i64,
    /// Its inode number.
    pub number: u64,
    /// The number of its hard links.
    pub links: u64,
    /// Its owner's id, as the program sees it.
    pub user: u32,
    /// Its group's id, as the program sees it.
    pub group: u32,
}

/// The environment of the program under test.
pub trait Env {
    /// Writes to standard output (1) or standard error (2).
    /// Returns the number of bytes written, or an errno value.
    fn write(&mut self, fd: i32, bytes: &[u8]) -> Result<usize, i32>;
    /// Reads from standard input; zero bytes at its end. Errors are errno values.
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize, i32>;
    /// The time in seconds and nanoseconds.
    fn now(&mut self, clock: ClockKind) -> (i64, i64);
    /// Whether the user interrupted the run; polled regularly.
    fn interrupted(&mut self) -> bool {
        false
    }
    /// The next input of a concrete run, of exactly `size` bytes; `None` for zeros. Inputs are
    /// requested in the order of a test's inputs.
    fn input(&mut self, _name: &str, _size: u64) -> Option<Vec<u8>> {
        None
    }
    /// The result of a pure function of the host; `None` if the host has none, or the call failed.
    fn call_pure(&mut self, _function: &PureFunction, _args: &[u64]) -> Option<u64> {
        None
    }
    /// The files of the host that the program can read, if any.
    fn files(&mut self) -> Option<&mut dyn HostFiles> {
        None
    }
}

/// Read-only files of the host. Paths are absolute and contain no symbolic links; errors are
/// errno values, `ENOENT` for a file that is not shown.
pub trait HostFiles {
    /// The metadata of a file.
    fn stat(&mut self, path: &[u8]) -> Result<HostFile, i32>;
    /// Reads from a file; zero bytes at its end.
    fn read(&mut self, path: &[u8], offset: u64, out: &mut [u8]) -> Result<usize, i32>;
    /// A name of a directory, in a stable order; `None` past the last.
    fn list(&mut self, path: &[u8], index: u64) -> Result<Option<Vec<u8>>, i32>;
    /// The target of a symbolic link.
    fn link(&mut self, path: &[u8]) -> Result<Vec<u8>, i32>;
    /// The path of the working directory.
    fn directory(&mut self) -> Result<Vec<u8>, i32>;
}
