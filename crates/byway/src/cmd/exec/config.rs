//! The resolved options of `byway exec`.

use std::path::PathBuf;

use byway_engine::{Config as EngineConfig, Invocation};

use super::flags::ExecFlags;
use crate::failure::Result;
use crate::load::LoadConfig;

pub struct ExecConfig {
    pub load: LoadConfig,
    pub engine: EngineConfig,
    pub invocation: Invocation,
    /// Directories of this machine whose files the program may read.
    pub host_files: Vec<PathBuf>,
    /// Whether to print statistics.
    pub stats: bool,
    /// Whether to check the points-to analysis.
    pub check_points_to: bool,
}

impl ExecConfig {
    pub fn resolve(flags: ExecFlags) -> Result<Self> {
        let checks = flags.checks.resolve();
        Ok(ExecConfig {
            engine: EngineConfig {
                checks: checks.engine,
                max_instructions: flags.max_instructions,
                max_memory: flags.max_program_memory,
                max_stack: flags.max_stack,
                max_frames: flags.max_call_depth,
                ..EngineConfig::default()
            },
            invocation: flags.invocation.resolve(&flags.load.program, &flags.args)?,
            host_files: flags.invocation.host_files,
            stats: flags.stats,
            check_points_to: flags.check_points_to,
            load: LoadConfig::resolve(flags.load)?.with_sanitizers(checks.sanitizers),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use byway_engine::Checks;
    use clap::Parser;

    #[derive(Parser)]
    struct ExecCommandLine {
        #[command(flatten)]
        flags: ExecFlags,
    }

    fn exec(args: &[&str]) -> Result<ExecConfig> {
        let words = ["byway", "a.c"].iter().chain(args);
        ExecConfig::resolve(ExecCommandLine::parse_from(words).flags)
    }

    #[test]
    fn checks_accumulate() {
        let config = exec(&["--checks", "shift,alignment"]).expect("good flags");
        let expected = Checks { shift: true, alignment: true, ..Checks::default() };
        assert_eq!(config.engine.checks, expected);
        let all = exec(&["--checks", "all"]).expect("good flags").engine.checks;
        assert!(all.alignment && all.uninitialised && all.signed_overflow && all.shift);
        assert_eq!(exec(&[]).expect("good flags").engine, EngineConfig::default());
    }

    #[test]
    fn old_spellings_keep_their_meaning() {
        let old = ["--check", "shift", "--max-memory", "1MiB", "--max-depth", "7"];
        let new = ["--checks", "shift", "--max-program-memory", "1MiB", "--max-call-depth", "7"];
        let engine = |args: &[&str]| exec(args).expect("good flags").engine;
        assert_eq!(engine(&old), engine(&new));
        assert_eq!((engine(&new).max_memory, engine(&new).max_frames), (1 << 20, 7));
    }

    #[test]
    fn the_program_gets_its_name_and_arguments() {
        let config = exec(&["--env", "A=b=c", "--", "-x"]).expect("good flags");
        assert_eq!(config.invocation.args, [b"a.c".to_vec(), b"-x".to_vec()]);
        assert_eq!(config.invocation.env, [b"A=b=c".to_vec()]);
        let config = exec(&["--argv0", "cut", "--", "-x"]).expect("good flags");
        assert_eq!(config.invocation.args, [b"cut".to_vec(), b"-x".to_vec()]);
    }

    #[test]
    fn an_unset_variable_is_left_out() {
        let config = exec(&["--env", "BYWAY_SURELY_NOT_SET"]).expect("good flags");
        assert!(config.invocation.env.is_empty());
    }

    #[test]
    fn compiler_options_are_split_as_a_shell_does() {
        let config = exec(&["-I", "x", "--cflags", "-std=c99 -DA='b c'"]).expect("good flags");
        assert_eq!(config.load.compiler.options, ["-Ix", "-std=c99", "-DA=b c"]);
        assert!(exec(&["--cflags", "-DA='b"]).is_err());
    }

    #[test]
    fn a_variable_needs_a_name() {
        assert!(exec(&["--env", "=x"]).is_err());
    }
}
