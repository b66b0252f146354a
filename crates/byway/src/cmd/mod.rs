//! The commands: each folder holds what can be typed, what that resolves to, and what it does.

pub mod cc;
pub mod cover;
pub mod exec;
pub mod export;
pub mod extract;
pub mod install_links;
pub mod ir;
pub mod klee;
pub mod klee_tools;
pub mod lab;
pub mod minimize;
pub mod mutate;
pub mod reach;
pub mod replay;
pub mod run;
pub mod show;
pub mod simulate;
pub mod stats;
pub mod triage;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use klee_tools::{klee_replay, klee_stats, ktest_gen, ktest_randgen, ktest_tool};

use crate::checks;
use crate::failure::Result;
use crate::load::VARIABLES;

const OVERVIEW: &str = "\
Examples:
  byway run maze.c                  explore a C program; write a test for each path
  byway show byway-last 1           print the first of these tests
  byway reach --target f.c:20 f.c   find an input that reaches a line, or show that none does
  byway replay byway-last           check the tests on a native build
  byway cover byway-last            measure the coverage of the tests
  byway exec hello.c                run a C program once, with all checks of 'run'
  byway ir --function main hello.c  print a function in Byway's IR
  CC='byway cc' ./configure && make build a project, to explore its programs

'byway help COMMAND' describes a command.

KLEE's tools are commands, too, and links to byway ('byway install-links'): ktest-tool,
klee-stats, klee-replay, ktest-gen and ktest-randgen.

Exit codes:
  0    success, and no fault found ('exec' returns the program's own exit code)
  1    the program has a fault
  2    bad input, bad option, C that does not compile, or a full disk
  3    the program needs a feature that Byway does not support ('run': on every path)
  4    'exec' reached the instruction limit (--max-instructions)
  5    'run' found no fault, but its exploration is incomplete (--require-complete), or
       'reach' left a target undecided
  101  a bug in Byway
  130  stopped by Ctrl-C";

/// Explores the paths of programs compiled to LLVM bitcode, generates an input for each
/// path, and reports faults.
#[derive(Parser, Debug)]
#[command(name = "byway", version, after_help = OVERVIEW)]
#[command(disable_help_subcommand = false, subcommand_required = true)]
pub struct Flags {
    #[command(subcommand)]
    pub command: CommandFlags,
}

#[derive(Subcommand, Debug)]
pub enum CommandFlags {
    /// Explore the paths of a program; report faults and write tests
    #[command(after_help = format!(
        "{}\n\n{}\n\n{}\n\n{VARIABLES}", run::examples(), checks::help(), run::EXIT_CODES
    ))]
    Run(Box<run::RunCommandFlags>),
    /// Find inputs that reach lines or functions, or show that none does
    #[command(after_help = format!(
        "{}\n\n{}\n\n{}\n\n{VARIABLES}", reach::examples(), checks::help(), reach::EXIT_CODES
    ))]
    Reach(Box<reach::ReachFlags>),
    /// Decide which warnings of a static analyser are true
    #[command(after_help = format!(
        "{}\n\n{}\n\n{}\n\n{VARIABLES}", triage::EXAMPLES, checks::help(), triage::EXIT_CODES
    ))]
    Triage(Box<triage::TriageFlags>),
    /// Run the tests of a run on a native build, and compare the results
    #[command(after_help = replay::EXAMPLES)]
    Replay(replay::ReplayFlags),
    /// Measure the source coverage of a run's tests, and explain what is not covered
    #[command(after_help = cover::EXAMPLES)]
    Cover(cover::CoverFlags),
    /// Select few tests of a run that cover as much as all of them
    #[command(after_help = minimize::EXAMPLES)]
    Minimize(minimize::MinimizeFlags),
    /// Measure how many mutants of the program a run's tests kill
    #[command(after_help = mutate::EXAMPLES)]
    Mutate(Box<mutate::MutateFlags>),
    /// Compare search strategies: make the runs of an experiment and report them
    #[command(after_help = lab::EXAMPLES)]
    Lab(lab::LabFlags),
    /// Compare strategies with the optimum on small Markov chains
    #[command(after_help = simulate::EXAMPLES)]
    Simulate(simulate::SimulateFlags),
    /// Print a test
    #[command(after_help = show::EXAMPLES)]
    Show(show::ShowFlags),
    /// Make files of the tests of a run that are in its pack
    #[command(after_help = export::EXAMPLES)]
    Export(export::ExportFlags),
    /// Print the summary of a run
    #[command(after_help = stats::EXAMPLES)]
    Stats(stats::StatsFlags),
    /// Run a program once, on concrete input, and report a fault if it has one
    #[command(after_help = format!(
        "{}\n\n{}\n\n{}\n\n{VARIABLES}", exec::EXAMPLES, checks::help(), exec::EXIT_CODES
    ))]
    Exec(exec::ExecFlags),
    /// Explore a program with KLEE's command line, output directory and messages
    #[command(disable_help_flag = true)]
    Klee(klee::KleeFlags),
    /// Compile C natively and keep bitcode beside the machine code, for any build
    #[command(after_help = cc::EXAMPLES)]
    Cc(cc::CcFlags),
    /// The same for C++
    #[command(name = "c++", after_help = cc::EXAMPLES)]
    Cxx(cc::CcFlags),
    /// Write the bitcode of a program that 'byway cc' built
    #[command(after_help = format!("{}\n\n{VARIABLES}", extract::EXAMPLES))]
    Extract(extract::ExtractFlags),
    /// Print a program in Byway's IR
    #[command(after_help = format!("{}\n\n{VARIABLES}", ir::EXAMPLES))]
    Ir(ir::IrFlags),
    /// Make links under which byway acts as KLEE's tools
    #[command(after_help = install_links::EXAMPLES)]
    InstallLinks(install_links::InstallLinksFlags),
    /// Print the objects of tests, or write them to files
    #[command(hide = true, infer_long_args = true, after_help = ktest_tool::EXAMPLES)]
    KtestTool(ktest_tool::KtestToolFlags),
    /// Print the statistics of runs of 'klee' as a table
    #[command(hide = true, infer_long_args = true, after_help = klee_stats::help())]
    KleeStats(klee_stats::KleeStatsFlags),
    /// Run a native program on tests with symbolic arguments and files
    #[command(hide = true, infer_long_args = true, after_help = klee_replay::EXAMPLES)]
    KleeReplay(klee_replay::KleeReplayFlags),
    /// Make a test of concrete input
    #[command(hide = true, disable_help_flag = true, override_help = ktest_gen::HELP)]
    KtestGen(ktest_gen::KtestGenFlags),
    /// Make a test of random input
    #[command(hide = true, disable_help_flag = true, override_help = ktest_randgen::HELP)]
    KtestRandgen(ktest_randgen::KtestRandgenFlags),
}

impl Flags {
    /// Parses a command line. Where a run goes on, an option given now replaces an earlier one.
    pub fn parse_line(line: &run::CompletedLine) -> std::result::Result<Flags, clap::Error> {
        let goes_on = line.resume.is_some();
        let parser = Flags::command().mut_subcommand("run", |run| run.args_override_self(goes_on));
        let mut matches = parser.try_get_matches_from(&line.words)?;
        Flags::from_arg_matches_mut(&mut matches)
    }
}

/// Executes the command; returns the exit code.
pub fn execute(flags: Flags, line: run::CompletedLine) -> Result<u8> {
    match flags.command {
        CommandFlags::Run(flags) => run::run(&run::RunConfig::resolve_command(*flags, line)?),
        CommandFlags::Reach(flags) => reach::reach(&reach::ReachConfig::resolve(*flags)?),
        CommandFlags::Triage(flags) => triage::triage(triage::TriageConfig::resolve(*flags)?),
        CommandFlags::Replay(flags) => replay::replay(&replay::ReplayConfig::resolve(flags)),
        CommandFlags::Cover(flags) => cover::cover(&cover::CoverConfig::resolve(flags)),
        CommandFlags::Minimize(flags) => {
            minimize::minimize(&minimize::MinimizeConfig::resolve(flags))
        }
        CommandFlags::Lab(flags) => lab::lab(&lab::LabConfig::resolve(flags)),
        CommandFlags::Mutate(flags) => mutate::mutate(&mutate::MutateConfig::resolve(*flags)?),
        CommandFlags::Simulate(flags) => {
            simulate::simulate(&simulate::SimulateConfig::resolve(flags)?)
        }
        CommandFlags::Show(flags) => show::show(&show::ShowConfig::resolve(flags)),
        CommandFlags::Export(flags) => export::export(&flags),
        CommandFlags::Stats(flags) => stats::stats(&stats::StatsConfig::resolve(flags)),
        CommandFlags::Exec(flags) => exec::exec(&exec::ExecConfig::resolve(flags)?),
        CommandFlags::Klee(flags) => Ok(klee::klee(flags.words)),
        CommandFlags::Cc(flags) => cc::compile(cc::CompilerDriver::C, &flags.arguments),
        CommandFlags::Cxx(flags) => cc::compile(cc::CompilerDriver::Cxx, &flags.arguments),
        CommandFlags::Extract(flags) => extract::extract(&extract::ExtractConfig::resolve(flags)?),
        CommandFlags::Ir(flags) => ir::ir(&ir::IrConfig::resolve(flags)?),
        CommandFlags::InstallLinks(flags) => install_links::install_links(&flags),
        CommandFlags::KtestTool(flags) => ktest_tool::ktest_tool(&flags),
        CommandFlags::KleeStats(flags) => klee_stats::klee_stats(&flags),
        CommandFlags::KleeReplay(flags) => klee_replay::klee_replay(&flags),
        CommandFlags::KtestGen(flags) => ktest_gen::ktest_gen(flags),
        CommandFlags::KtestRandgen(flags) => ktest_randgen::ktest_randgen(flags),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clap_accepts_the_definition() {
        Flags::command().debug_assert();
    }

    #[test]
    fn arguments_of_the_program_follow_two_dashes() {
        let flags = Flags::parse_from(["byway", "exec", "a.c", "b.c", "--", "-x", "c"]);
        let CommandFlags::Exec(exec) = flags.command else { panic!("expected exec") };
        assert_eq!(exec.load.program.len(), 2);
        assert_eq!(exec.args, ["-x", "c"]);
    }

    #[test]
    fn compiler_options_have_the_compilers_syntax() {
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
        let CommandFlags::Exec(exec) = flags.command else { panic!("expected exec") };
        assert_eq!(exec.load.include, ["inc"]);
        assert_eq!(exec.load.define, ["X=1"]);
        assert_eq!(exec.load.optimise, "2");
        assert_eq!(exec.load.cflags, ["-std=c99 -w"]);
    }
}
