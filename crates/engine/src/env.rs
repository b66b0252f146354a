//! The engine's only way to the world outside.

/// Which clock the program asks for.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Clock {
    /// Time of day since 1970.
    Real,
    /// Time since some start.
    Monotonic,
}

/// The world as a program under test may see it.
pub trait Env {
    /// Writes to standard output (1) or standard error (2).
    /// Returns how many bytes were taken, or an errno value.
    fn write(&mut self, fd: i32, bytes: &[u8]) -> Result<usize, i32>;
    /// Reads from standard input; zero bytes mean its end. Errors are errno values.
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize, i32>;
    /// Seconds and nanoseconds.
    fn now(&mut self, clock: Clock) -> (i64, i64);
    /// Whether the user asked to stop; looked at now and then.
    fn interrupted(&mut self) -> bool {
        false
    }
}
