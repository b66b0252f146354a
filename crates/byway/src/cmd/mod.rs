//! The commands: each folder holds what can be typed, what that resolves to, and what it does.

pub mod cover;
pub mod exec;
pub mod ir;
pub mod lab;
pub mod minimize;
pub mod mutate;
pub mod replay;
pub mod run;
pub mod show;
pub mod stats;

use clap::{Parser, Subcommand};

use crate::failure::Result;
use crate::load::VARIABLES;

const OVERVIEW: &str = "\
Examples:
  byway run maze.c                 explore a C program; write a test for each path
  byway show byway-last 1          show the first of these tests
  byway exec hello.c               run a C program, once, as it is
  byway ir --function main hello.c show what byway makes of a function

'byway help run' and the like tell more.

Exit codes:
  0    done, and nothing found that is wrong ('exec' passes on the program's own code)
  1    the program has a fault
  2    byway could not work: bad input, bad option, C that does not compile
  101  a bug in byway itself
  130  stopped by Ctrl-C";

/// Explores the paths of programs compiled to LLVM bitcode, finds the inputs that
/// reach them, and says where they break.
#[derive(Parser, Debug)]
#[command(name = "byway", version, after_help = OVERVIEW)]
#[command(disable_help_subcommand = false, subcommand_required = true)]
pub struct Flags {
    /// What to do.
    #[command(subcommand)]
    pub command: CommandFlags,
}

/// The commands.
#[derive(Subcommand, Debug)]
pub enum CommandFlags {
    /// Explore the paths of a program; report faults, write tests
    #[command(after_help = format!(
        "{}\n\n{}\n\n{VARIABLES}", run::examples(), run::EXIT_CODES
    ))]
    Run(Box<run::RunFlags>),
    /// Run a run's tests on the program compiled natively, and compare
    #[command(after_help = replay::EXAMPLES)]
    Replay(replay::ReplayFlags),
    /// Measure what a run's tests cover of the sources, and tell why not the rest
    #[command(after_help = cover::EXAMPLES)]
    Cover(cover::CoverFlags),
    /// Find the few tests of a run that cover what all of them do
    #[command(after_help = minimize::EXAMPLES)]
    Minimize(minimize::MinimizeFlags),
    /// Compare strategies: run an experiment and report it
    #[command(after_help = lab::EXAMPLES)]
    Lab(lab::LabFlags),
    /// Measure how many small changes of the program a run's tests notice
    #[command(after_help = mutate::EXAMPLES)]
    Mutate(Box<mutate::MutateFlags>),
    /// Print a test for people
    #[command(after_help = show::EXAMPLES)]
    Show(show::ShowFlags),
    /// Print what a run came to
    #[command(after_help = stats::EXAMPLES)]
    Stats(stats::StatsFlags),
    /// Run a program and report its first fault
    #[command(after_help = format!("{}\n\n{}\n\n{VARIABLES}", exec::EXAMPLES, exec::EXIT_CODES))]
    Exec(exec::ExecFlags),
    /// Print a program in byway's IR
    #[command(after_help = format!("{}\n\n{VARIABLES}", ir::EXAMPLES))]
    Ir(ir::IrFlags),
}

/// Carries out what was typed; returns the exit code.
pub fn carry_out(flags: Flags) -> Result<u8> {
    match flags.command {
        CommandFlags::Run(flags) => run::run(&run::RunConfig::resolve(*flags)?),
        CommandFlags::Replay(flags) => replay::replay(&replay::ReplayConfig::resolve(flags)),
        CommandFlags::Cover(flags) => cover::cover(&cover::CoverConfig::resolve(flags)),
        CommandFlags::Minimize(flags) => {
            minimize::minimize(&minimize::MinimizeConfig::resolve(flags))
        }
        CommandFlags::Lab(flags) => lab::lab(&lab::LabConfig::resolve(flags)),
        CommandFlags::Mutate(flags) => mutate::mutate(&mutate::MutateConfig::resolve(*flags)?),
        CommandFlags::Show(flags) => show::show(&show::ShowConfig::resolve(flags)),
        CommandFlags::Stats(flags) => stats::stats(&stats::StatsConfig::resolve(flags)),
        CommandFlags::Exec(flags) => exec::exec(&exec::ExecConfig::resolve(flags)?),
        CommandFlags::Ir(flags) => ir::ir(&ir::IrConfig::resolve(flags)?),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_definition_is_sound() {
        Flags::command().debug_assert();
    }

    #[test]
    fn the_programs_arguments_follow_two_dashes() {
        let flags = Flags::parse_from(["byway", "exec", "a.c", "b.c", "--", "-x", "c"]);
        let CommandFlags::Exec(exec) = flags.command else { panic!("exec was asked for") };
        assert_eq!(exec.load.program.len(), 2);
        assert_eq!(exec.args, ["-x", "c"]);
    }

    #[test]
    fn the_compilers_options_are_written_as_for_the_compiler() {
        let flags = Flags::parse_from([
            "byway",
            "exec",
            "-Iinc",
            "-DX=1",
            "-O2",
            "--cflags",
            "-std=c99 -w",
            "a.c",
        ]);
        let CommandFlags::Exec(exec) = flags.command else { panic!("exec was asked for") };
        assert_eq!(exec.load.include, ["inc"]);
        assert_eq!(exec.load.define, ["X=1"]);
        assert_eq!(exec.load.optimise, "2");
        assert_eq!(exec.load.cflags, ["-std=c99 -w"]);
    }
}
