//! The world as explored programs see it: the same on every path and in every run.

use crate::{Clock, Env};

/// Takes all output, has no input, and its clocks stand still.
pub struct StillWorld;

/// A day in 2020.
const NOON: i64 = 1_600_000_000;

impl Env for StillWorld {
    fn write(&mut self, _fd: i32, bytes: &[u8]) -> Result<usize, i32> {
        Ok(bytes.len())
    }

    fn read(&mut self, _buffer: &mut [u8]) -> Result<usize, i32> {
        Ok(0)
    }

    fn now(&mut self, clock: Clock) -> (i64, i64) {
        match clock {
            Clock::Real => (NOON, 0),
            Clock::Monotonic => (1, 0),
        }
    }
}
