//! What `byway replay` works with.

use std::env;
use std::io::{self, IsTerminal};
use std::time::Duration;

use crate::flags::ReplayFlags;
use crate::replay::ReplayConfig;
use crate::rerun::Source;

use super::{Install, cache_dir};

/// How the program of a run is loaded again.
pub(super) fn source(time_limit: Duration) -> Source {
    Source {
        install: Install::find(None),
        cache: cache_dir(),
        clang: env::var_os("BYWAY_CLANG"),
        time_limit,
        progress: io::stderr().is_terminal(),
    }
}

impl ReplayConfig {
    /// Resolves what was typed.
    pub(super) fn resolve(flags: ReplayFlags) -> Self {
        ReplayConfig {
            color: flags.native.color.on(io::stdout().is_terminal()),
            run: flags.run,
            tests: flags.tests,
            jobs: flags.native.jobs.into(),
            time_limit: flags.native.time_limit(),
            sandboxed: !flags.native.no_sandbox,
            compile_limit: Duration::from_secs(flags.native.load_timeout),
            clang: env::var_os("BYWAY_CLANG"),
            source: source(Duration::from_secs(flags.native.load_timeout)),
            binary: flags.binary,
            verdicts: flags.verdicts,
            progress: io::stderr().is_terminal(),
        }
    }
}
