//! Sandboxes and temporary directories, with errors that say how to allow them.

use byway_native::sandbox::{Sandbox, SandboxSpec};
use tempfile::TempDir;

use crate::failure::{Failure, Result, reason};

/// A temporary directory for the files of one command.
pub fn scratch_dir() -> Result<TempDir> {
    TempDir::with_prefix("byway-").map_err(|error| no_directory(&error))
}

fn no_directory(error: &std::io::Error) -> Failure {
    Failure::io("make a directory in", &std::env::temp_dir(), error)
        .hint("TMPDIR names the directory for temporary files")
}

/// Creates `count` sandboxes. If namespaces are not allowed, this fails unless the user turned
/// the sandbox off: a test may make the program delete files.
pub fn sandboxes(spec: &SandboxSpec, sandboxed: bool, count: usize) -> Result<Vec<Sandbox>> {
    (0..count).map(|_| sandbox(spec.clone(), sandboxed)).collect()
}

fn sandbox(spec: SandboxSpec, sandboxed: bool) -> Result<Sandbox> {
    if !sandboxed {
        return Sandbox::unconfined(spec).map_err(|error| no_directory(&error));
    }
    Sandbox::new(spec).map_err(|error| {
        Failure::new("this system allows no sandbox, and a test may do harm without one")
            .detail(reason(&error))
            .hint(
                "allow user namespaces (sysctl user.max_user_namespaces, \
                 kernel.unprivileged_userns_clone), or run without isolation: --no-sandbox",
            )
    })
}
