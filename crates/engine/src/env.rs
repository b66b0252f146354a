//! The engine's only way to the world outside.

/// Which clock the program asks for.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum ClockKind {
    /// Time of day since 1970.
    Real,
    /// Time since some start.
    Monotonic,
}

/// What is known of a file of the host.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct HostFile {
    /// Kind and permissions, as in `st_mode`.
    pub mode: u32,
    /// In bytes.
    pub size: u64,
    /// When its content last changed, in seconds since 1970.
    pub modified: i64,
    /// Its inode's number.
    pub number: u64,
    /// How many names it has.
    pub links: u64,
    /// Its owner, as the program under test sees owners.
    pub user: u32,
    /// Its group, likewise.
    pub group: u32,
}

/// The world as a program under test may see it.
pub trait Env {
    /// Writes to standard output (1) or standard error (2).
    /// Returns how many bytes were taken, or an errno value.
    fn write(&mut self, fd: i32, bytes: &[u8]) -> Result<usize, i32>;
    /// Reads from standard input; zero bytes mean its end. Errors are errno values.
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize, i32>;
    /// Seconds and nanoseconds.
    fn now(&mut self, clock: ClockKind) -> (i64, i64);
    /// Whether the user asked to stop; looked at now and then.
    fn interrupted(&mut self) -> bool {
        false
    }
    /// The bytes of an input that the program asks for in a concrete run, which has to be
    /// so many; `None` for zeros. Inputs are asked for in the order of a test's.
    fn input(&mut self, _name: &str, _size: u64) -> Option<Vec<u8>> {
        None
    }
    /// The files of the host that the program may see, if any.
    fn files(&mut self) -> Option<&mut dyn HostFiles> {
        None
    }
}

/// Files of the host, to be read only. Paths are absolute and lead through no symbolic
/// link; errors are errno values, `ENOENT` for whatever is not shown.
pub trait HostFiles {
    /// What is known of a file.
    fn stat(&mut self, path: &[u8]) -> Result<HostFile, i32>;
    /// Reads from a file; zero bytes mean its end.
    fn read(&mut self, path: &[u8], offset: u64, out: &mut [u8]) -> Result<usize, i32>;
    /// A name in a directory, in an order that stays; `None` past the last.
    fn list(&mut self, path: &[u8], index: u64) -> Result<Option<Vec<u8>>, i32>;
    /// Where a symbolic link leads.
    fn link(&mut self, path: &[u8]) -> Result<Vec<u8>, i32>;
    /// The working directory, if it is shown.
    fn directory(&mut self) -> Result<Vec<u8>, i32>;
}
