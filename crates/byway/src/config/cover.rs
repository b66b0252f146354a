//! What `byway cover` works with.

use std::env;
use std::io::{self, IsTerminal};
use std::time::Duration;

use crate::cover::{Compiler, CoverConfig};
use crate::flags::{CompilerFlag, CoverFlags, PartialTestsFlag};

impl CoverConfig {
    /// Resolves what was typed.
    pub(super) fn resolve(flags: CoverFlags) -> Self {
        CoverConfig {
            color: flags.native.color.on(io::stdout().is_terminal()),
            run: flags.run,
            tests: flags.tests,
            partial_tests: flags.partial_tests == PartialTestsFlag::Keep,
            output: flags.output_dir,
            build: flags.coverage_build,
            notes: flags.notes,
            sources: flags.source_dir,
            files: flags.files,
            compiler: match flags.compiler {
                CompilerFlag::Any => Compiler::Any,
                CompilerFlag::Gcc => Compiler::Gcc,
                CompilerFlag::Clang => Compiler::Clang,
            },
            jobs: flags.native.jobs.into(),
            time_limit: flags.native.time_limit(),
            sandboxed: !flags.native.no_sandbox,
            compile_limit: Duration::from_secs(flags.native.load_timeout),
            clang: env::var_os("BYWAY_CLANG"),
            progress: io::stderr().is_terminal(),
        }
    }
}
