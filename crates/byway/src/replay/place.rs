//! Where tests run: in sandboxes, unless the user does without.

use std::path::PathBuf;

use byway_testcase::native::Executable;
use byway_testcase::sandbox::{Sandbox, World};

use crate::failure::{Failure, Result, reason};

/// Where tests of a program run, one after the other.
pub struct Place {
    /// For the program as it is compared exactly, if it is.
    pub exact: Option<Sandbox>,
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
    let place = |_| {
        let exact = exact.map(|program| sandbox(program.world(shown), sandboxed)).transpose()?;
        Ok(Place { exact, other: sandbox(other.world(shown), sandboxed)? })
    };
    (0..count).map(place).collect()
}

/// A place for tests of the program of this world. Whoever wants a sandbox and cannot have
/// one is refused: a test may tell a program to delete files.
pub fn sandbox(world: World, sandboxed: bool) -> Result<Sandbox> {
    match sandboxed {
        true => Sandbox::new(world).map_err(|error| {
            Failure::new("this system allows no sandbox, and a test may do harm without one")
                .detail(reason(&error))
                .hint(
                    "user name spaces must be allowed (sysctl user.max_user_namespaces, \
                     kernel.unprivileged_userns_clone); --no-sandbox runs the tests all the same",
                )
        }),
        false => Sandbox::open(world).map_err(|error| {
            Failure::io("make a directory in", &std::env::temp_dir(), &error)
                .hint("TMPDIR names the place for temporary files")
        }),
    }
}
