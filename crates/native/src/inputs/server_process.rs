//! The server's process, in a sandbox that a thread supervises.

use std::io;
use std::os::fd::{AsFd, BorrowedFd};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crate::sandbox::{Sandbox, SandboxEnding, SandboxLimits, SandboxRun, SandboxTask};

/// Longer than any session; each run has a limit of its own.
const FOR_EVER: Duration = Duration::from_secs(1 << 32);

/// A server that runs.
pub struct ServerProcess {
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<(Sandbox, io::Result<SandboxRun>)>>,
}

impl ServerProcess {
    /// Starts the server, which maps the memory of this file.
    pub fn start(
        mut sandbox: Sandbox,
        memory: BorrowedFd<'_>,
        limits: SandboxLimits,
    ) -> io::Result<ServerProcess> {
        let memory = memory.try_clone_to_owned()?;
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = Arc::clone(&stop);
        let serve = move || {
            let task = SandboxTask {
                args: &[b"inputs".to_vec()],
                env: &[],
                stdin: b"",
                files: &[],
                control_files: &[],
                shared: Some(memory.as_fd()),
                limits: SandboxLimits { time: FOR_EVER, ..limits },
            };
            let mut watch = || !stopped.load(Ordering::Relaxed);
            let ran = sandbox.run(&task, &mut watch, &mut |_| Ok(()));
            (sandbox, ran)
        };
        let thread = thread::Builder::new().name("native runs".into()).spawn(serve)?;
        Ok(ServerProcess { stop, thread: Some(thread) })
    }

    /// Whether the server has ended.
    pub fn has_ended(&self) -> bool {
        self.thread.as_ref().is_none_or(JoinHandle::is_finished)
    }

    /// Kills the server unless it has ended. Returns the sandbox, and how the server ended.
    pub fn end(mut self) -> io::Result<(Sandbox, SandboxEnding)> {
        self.stop.store(true, Ordering::Relaxed);
        let thread = self.thread.take().ok_or(io::ErrorKind::NotFound)?;
        let joined = thread.join().map_err(|_| io::Error::other("the supervisor failed"))?;
        let (sandbox, ran) = joined;
        Ok((sandbox, ran?.ending))
    }
}

impl Drop for ServerProcess {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            drop(thread.join());
        }
    }
}
