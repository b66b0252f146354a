//! The environment of the program under test: standard streams, clocks, and the files in
//! directories that the user names. Nothing else of this machine is visible.

pub mod files;
pub mod pure_call;
pub mod snapshot;

use std::io;
use std::path::PathBuf;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use byway_engine::{ClockKind, Env, HostFiles};

use crate::failure;
use crate::host::files::HostDirectories;
use crate::interrupt;

/// The result of a file operation; the error is an errno value.
type FileResult<T> = std::result::Result<T, i32>;

/// The process's own standard streams and clock.
///
/// Reads and writes are unbuffered: the program's libc has its own buffers, and reading ahead would
/// take input from the next reader of the stream.
pub struct Host {
    start: Instant,
    files: HostDirectories,
}

impl Host {
    /// Starts the monotonic clock, and gives access to the files below `directories`.
    pub fn new(directories: &[PathBuf]) -> failure::Result<Self> {
        Ok(Host { start: Instant::now(), files: HostDirectories::new(directories)? })
    }
}

impl Env for Host {
    fn write(&mut self, fd: i32, bytes: &[u8]) -> Result<usize, i32> {
        if fd != libc::STDOUT_FILENO && fd != libc::STDERR_FILENO {
            return Err(libc::EBADF);
        }
        // SAFETY: the pointer and length come from one live slice.
        retry(|| unsafe { libc::write(fd, bytes.as_ptr().cast(), bytes.len()) })
    }

    fn read(&mut self, buffer: &mut [u8]) -> Result<usize, i32> {
        // SAFETY: the pointer and length come from one live, writable slice.
        retry(|| unsafe {
            libc::read(libc::STDIN_FILENO, buffer.as_mut_ptr().cast(), buffer.len())
        })
    }

    fn now(&mut self, clock: ClockKind) -> (i64, i64) {
        let elapsed = match clock {
            // A clock set before 1970 reads as 1970.
            ClockKind::Real => SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default(),
            ClockKind::Monotonic => self.start.elapsed(),
        };
        (elapsed.as_secs() as i64, elapsed.subsec_nanos().into())
    }

    fn interrupted(&mut self) -> bool {
        interrupt::requested()
    }

    fn files(&mut self) -> Option<&mut dyn HostFiles> {
        Some(&mut self.files)
    }
}

/// Repeats a system call that a signal interrupted, unless the user asked to stop.
fn retry(mut call: impl FnMut() -> isize) -> Result<usize, i32> {
    loop {
        if let Ok(done) = usize::try_from(call()) {
            return Ok(done);
        }
        let errno = io::Error::last_os_error().raw_os_error().unwrap_or(libc::EIO);
        if errno != libc::EINTR || interrupt::requested() {
            return Err(errno);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_standard_streams_can_be_written() {
        assert_eq!(Host::new(&[]).unwrap().write(3, b"x"), Err(libc::EBADF));
        assert_eq!(Host::new(&[]).unwrap().write(0, b"x"), Err(libc::EBADF));
    }

    #[test]
    fn the_monotonic_clock_does_not_go_back() {
        let mut host = Host::new(&[]).unwrap();
        let before = host.now(ClockKind::Monotonic);
        assert!(host.now(ClockKind::Monotonic) >= before);
        assert!(host.now(ClockKind::Real).0 > 0);
    }
}
