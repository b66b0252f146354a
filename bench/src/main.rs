//! Benchmarks and large differential tests, run by `./dev bench`.

mod build;
mod checks;
mod compare;
mod coreutils;
mod coverage;
mod exec_stats;
mod explore;
mod fork;
mod instructions;
mod interp;
mod jobs;
mod load;
mod memory;
mod micro;
mod mutation;
mod options;
mod paths;
mod picks;
mod pool;
mod process;
mod record;
mod semantics;
mod setup;
mod solve;
mod sources;
mod suite;
mod sym;
mod toolchain;

use std::process::ExitCode;

use options::Options;

const HELP: &str = "\
byway-bench: what Byway is measured by. Usually run as `./dev bench NAME ...`.

  semantics   does Byway do what the machine does? thousands of C programs
  coverage    which of the repository's tests exercises each instruction
  explore     does an exploration find what is there, whichever way it goes about it?
  paths       are the paths of random programs found to the last?
  sym         do the tests of symbolic arguments and files show what all inputs do?
  interp      how fast programs run
  micro       how fast small programs are explored to the end, beside KLEE
  fork        what a fork costs, in time and in memory
  memory      does a run keep to the memory it was given?
  load        how fast a large program loads
  jobs        how much faster several workers explore than one
  picks       how long searchers take to choose among up to a million states
  solve       how fast logged queries are answered
  coreutils   GNU Coreutils under Byway and natively
  mutation    whose tests kill the most mutants

Each knows --help, and --record to keep its result in bench/results.
$BYWAY names the byway to measure (default: the one beside this executable).";

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1);
    let command = args.next().unwrap_or_default();
    let options = Options::new(args.collect());
    match run(&command, options) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("byway-bench: {error}");
            ExitCode::from(2)
        }
    }
}

/// Runs a command; whether its result is as it should be.
fn run(command: &str, mut options: Options) -> Result<bool, String> {
    type Command = fn(Options) -> Result<bool, String>;
    let (help, main): (&str, Command) = match command {
        "semantics" => (semantics::HELP, semantics::main),
        "coverage" => (coverage::HELP, coverage::main),
        "explore" => (explore::HELP, explore::main),
        "paths" => (paths::HELP, paths::main),
        "sym" => (sym::HELP, sym::main),
        "picks" => (picks::HELP, picks::main),
        "coreutils" => (coreutils::HELP, coreutils::main),
        "interp" => (interp::HELP, interp::main),
        "micro" => (micro::HELP, micro::main),
        "fork" => (fork::HELP, fork::main),
        "memory" => (memory::HELP, memory::main),
        "load" => (load::HELP, load::main),
        "jobs" => (jobs::HELP, jobs::main),
        "mutation" => (mutation::HELP, mutation::main),
        "solve" => (solve::HELP, solve::main),
        "" | "help" | "--help" | "-h" => {
            println!("{HELP}");
            return Ok(true);
        }
        other => return Err(format!("there is no `{other}`; try --help")),
    };
    if options.flag("--help") || options.flag("-h") {
        println!("{help}");
        return Ok(true);
    }
    main(options)
}
