//! The memory of the process, as the system counts it. The engine and the solver do no I/O:
//! they see the process through [`ProcessMemory`].

use std::fmt;
use std::sync::Arc;

/// Measures the memory of this process. Shared by all threads.
pub trait ProcessMemory: Send + Sync + fmt::Debug {
    /// The resident bytes; `None` if the system does not report them.
    fn resident(&self) -> Option<u64>;

    /// Returns memory that the calling thread has freed to the system.
    fn give_back(&self);
}

/// The size that the process must not exceed.
#[derive(Clone, Debug)]
pub struct MemoryGuard {
    /// The process.
    pub process: Arc<dyn ProcessMemory>,
    /// Resident bytes above which a computation is given up.
    pub limit: u64,
}

impl MemoryGuard {
    /// The bytes by which the process may grow.
    pub fn room(&self) -> u64 {
        match self.process.resident() {
            Some(resident) => self.limit.saturating_sub(resident),
            None => u64::MAX,
        }
    }
}
