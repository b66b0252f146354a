//! The environment of explored programs: the same on every path and in every run.

use crate::{ClockKind, Env, HostFiles, PureCall, PureFunction};

/// An environment that has no input, and whose clocks stand still. It can show files of the host,
/// if `files` gives the same answer each time.
#[derive(Default)]
pub struct DeterministicEnv<'a> {
    /// The files shown to the program.
    pub files: Option<&'a mut dyn HostFiles>,
    /// Receives the program's output; otherwise it is discarded.
    pub output: Option<&'a dyn OutputReceiver>,
    /// Calls pure functions of the host. Their results are the same in every run.
    pub pure_calls: Option<PureCall>,
}

/// Receives what the program writes to standard output (1) and standard error (2), on all paths,
/// as they run.
pub trait OutputReceiver {
    /// The program has written these bytes.
    fn receive(&self, fd: i32, bytes: &[u8]);
}

/// The real-time clock, in seconds: a day in 2020.
const NOW: i64 = 1_600_000_000;

impl Env for DeterministicEnv<'_> {
    fn write(&mut self, fd: i32, bytes: &[u8]) -> Result<usize, i32> {
        if let Some(output) = self.output {
            output.receive(fd, bytes);
        }
        Ok(bytes.len())
    }

    fn read(&mut self, _buffer: &mut [u8]) -> Result<usize, i32> {
        Ok(0)
    }

    fn now(&mut self, clock: ClockKind) -> (i64, i64) {
        match clock {
            ClockKind::Real => (NOW, 0),
            ClockKind::Monotonic => (1, 0),
        }
    }

    fn call_pure(&mut self, function: &PureFunction, args: &[u64]) -> Option<u64> {
        self.pure_calls.and_then(|call| call(function, args))
    }

    fn files(&mut self) -> Option<&mut dyn HostFiles> {
        // Not `as_deref_mut`: a reference to a trait object is invariant behind `&mut`.
        match &mut self.files {
            Some(files) => Some(&mut **files),
            None => None,
        }
    }
}
