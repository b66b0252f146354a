//! Where tests run: in sandboxes, unless the user does without.

use byway_testcase::sandbox::{Sandbox, World};

use crate::failure::{Failure, Result, reason};

/// So many places for tests of the program of this world. Whoever wants a sandbox and
/// cannot have one is refused: a test may tell a program to delete files.
pub fn sandboxes(world: &World, sandboxed: bool, count: usize) -> Result<Vec<Sandbox>> {
    let sandbox = |_| match sandboxed {
        true => Sandbox::new(world.clone()).map_err(|error| {
            Failure::new("this system allows no sandbox, and a test may do harm without one")
                .detail(reason(&error))
                .hint(
                    "user name spaces must be allowed (sysctl user.max_user_namespaces, \
                     kernel.unprivileged_userns_clone); --no-sandbox runs the tests all the same",
                )
        }),
        false => Sandbox::open(world.clone()).map_err(|error| {
            Failure::io("make a directory in", &std::env::temp_dir(), &error)
                .hint("TMPDIR names the place for temporary files")
        }),
    };
    (0..count).map(sandbox).collect()
}
