//! Where programs run: a sandbox is made for one program, and lent to whoever runs it.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use byway_native::Executable;
use byway_native::sandbox::{Containment, Sandbox, SandboxLayout};

use crate::failure::{Failure, Result};
use crate::native_run;

/// Where runs of one program happen.
pub struct SandboxPool<'a> {
    shown: &'a [PathBuf],
    sandboxed: bool,
    free: Mutex<Vec<Sandbox>>,
}

impl<'a> SandboxPool<'a> {
    /// For a program that is shown these directories.
    pub fn new(shown: &'a [PathBuf], sandboxed: bool) -> Self {
        SandboxPool { shown, sandboxed, free: Mutex::new(Vec::new()) }
    }

    /// Lends a sandbox that was made for the program, or a new one.
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
                    &program.sandbox_spec(self.shown, SandboxLayout::Standard),
                    self.sandboxed,
                    1,
                )?;
                made.pop().ok_or_else(|| Failure::new("no sandbox was made"))?
            }
        };
        let done = work(&mut sandbox);
        free().push(sandbox);
        done
    }
    /// How programs are contained here, in words.
    pub fn containment(&self) -> String {
        let kind = if self.sandboxed { Containment::Namespaces } else { Containment::None };
        kind.to_string()
    }
}
