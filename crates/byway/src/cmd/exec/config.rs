//! What `byway exec` works with.

use std::path::PathBuf;

use byway_engine::{Config as EngineConfig, Invocation};

use super::flags::ExecFlags;
use crate::failure::Result;
use crate::flags::{checks, first_file, invocation};
use crate::load::LoadConfig;

/// What `byway exec` works with.
pub struct ExecConfig {
    /// How to come by the program.
    pub load: LoadConfig,
    /// How to run it.
    pub engine: EngineConfig,
    /// What to start it with.
    pub invocation: Invocation,
    /// Directories of this machine whose files it may read.
    pub host_files: Vec<PathBuf>,
    /// Whether to say what the run took.
    pub stats: bool,
}

impl ExecConfig {
    /// Resolves what was typed.
    pub fn resolve(flags: ExecFlags) -> Result<Self> {
        Ok(ExecConfig {
            engine: EngineConfig {
                checks: checks(&flags.check),
                max_instructions: flags.max_instructions,
                max_memory: flags.max_memory,
                max_frames: flags.max_depth,
                ..EngineConfig::default()
            },
            invocation: invocation(
                flags.argv0.as_deref().unwrap_or(first_file(&flags.load.program)),
                &flags.args,
                &flags.env,
            )?,
            host_files: flags.host_files,
            stats: flags.stats,
            load: LoadConfig::resolve(flags.load)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use byway_engine::Checks;
    use clap::Parser;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        flags: ExecFlags,
    }

    fn exec(args: &[&str]) -> Result<ExecConfig> {
        let words = ["byway", "a.c"].iter().chain(args);
        ExecConfig::resolve(Line::parse_from(words).flags)
    }

    #[test]
    fn checks_add_up() {
        let config = exec(&["--check", "shift,alignment"]).expect("good flags");
        let expected = Checks { shift: true, alignment: true, ..Checks::default() };
        assert_eq!(config.engine.checks, expected);
        let all = exec(&["--check", "all"]).expect("good flags").engine.checks;
        assert!(all.alignment && all.uninitialised && all.signed_overflow && all.shift);
        assert_eq!(exec(&[]).expect("good flags").engine, EngineConfig::default());
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
