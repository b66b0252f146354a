//! Reuses the sandboxes of one program.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use byway_native::Executable;
use byway_native::sandbox::{Containment, Sandbox, SandboxLayout};

use crate::failure::{Failure, Result};
use crate::native_run;

/// The sandboxes of one program that are not in use.
pub struct SandboxPool<'a> {
    visible: &'a [PathBuf],
    sandboxed: bool,
    free: Mutex<Vec<Sandbox>>,
}

impl<'a> SandboxPool<'a> {
    /// The program may read the `visible` paths.
    pub fn new(visible: &'a [PathBuf], sandboxed: bool) -> Self {
        SandboxPool { visible, sandboxed, free: Mutex::new(Vec::new()) }
    }

    /// Runs `work` with a free sandbox, or with a new one.
    pub fn with<T>(
        &self,
        program: &Executable,
        work: impl FnOnce(&mut Sandbox) -> Result<T>,
    ) -> Result<T> {
        let free = || self.free.lock().unwrap_or_else(PoisonError::into_inner);
        let lent = free().pop();
        let mut sandbox = match lent {
            Some(sandbox) => sandbox,
            None => {
                let mut made = native_run::sandboxes(
                    &program.sandbox_spec(self.visible, SandboxLayout::Standard),
                    self.sandboxed,
                    1,
                )?;
                made.pop().ok_or_else(|| Failure::new("no sandbox was created"))?
            }
        };
        let done = work(&mut sandbox);
        free().push(sandbox);
        done
    }

    /// A description of the isolation.
    pub fn containment(&self) -> String {
        let kind = if self.sandboxed { Containment::Namespaces } else { Containment::None };
        kind.to_string()
    }
}
