//! Where tests run: in sandboxes, unless the user does without.

use std::path::PathBuf;

use byway_native::Executable;
use byway_native::sandbox::{Sandbox, SandboxLayout, SandboxSpec};

use crate::failure::{Failure, Result, reason};

/// Where tests of a program run, one after the other.
pub struct Place {
    /// For the program as it is compared exactly, if it is: one of each layout.
    pub exact: Option<(Sandbox, Sandbox)>,
    /// For the program elsewhere.
    pub other: Sandbox,
}

/// So many places for tests of these programs, which are shown these directories.
pub fn places(
    exact: Option<&Executable>,
    other: &Executable,
    shown: &[PathBuf],
    sandboxed: bool,
    count: usize,
) -> Result<Vec<Place>> {
    let laid_out = |program: &Executable, layout| {
        sandboxes(&program.sandbox_spec(shown, layout), sandboxed, count)
    };
    let exact: Vec<Option<(Sandbox, Sandbox)>> = match exact {
        None => (0..count).map(|_| None).collect(),
        Some(program) => {
            let usual = laid_out(program, SandboxLayout::Standard)?;
            usual.into_iter().zip(laid_out(program, SandboxLayout::Varied)?).map(Some).collect()
        }
    };
    let others = laid_out(other, SandboxLayout::Standard)?;
    Ok(exact.into_iter().zip(others).map(|(exact, other)| Place { exact, other }).collect())
}

/// So many places for tests of the program of this world. Whoever wants a sandbox and
/// cannot have one is refused: a test may tell a program to delete files.
pub fn sandboxes(world: &SandboxSpec, sandboxed: bool, count: usize) -> Result<Vec<Sandbox>> {
    (0..count).map(|_| sandbox(world.clone(), sandboxed)).collect()
}

fn sandbox(world: SandboxSpec, sandboxed: bool) -> Result<Sandbox> {
    match sandboxed {
        true => Sandbox::new(world).map_err(|error| {
            Failure::new("this system allows no sandbox, and a test may do harm without one")
                .detail(reason(&error))
                .hint(
                    "user namespaces must be allowed (sysctl user.max_user_namespaces, \
                     kernel.unprivileged_userns_clone); --no-sandbox runs the tests all the same",
                )
        }),
        false => Sandbox::unconfined(world).map_err(|error| {
            Failure::io("make a directory in", &std::env::temp_dir(), &error)
                .hint("TMPDIR names the place for temporary files")
        }),
    }
}
