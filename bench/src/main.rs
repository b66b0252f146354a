//! Benchmarks and large differential tests, run by `./dev bench`.

#![forbid(unsafe_code)]

mod build;
mod check_cost;
mod checks;
mod compare;
mod coreutils;
mod coverage;
mod defects;
mod dgse;
mod directed;
mod entry;
mod exec_stats;
mod explore;
mod fork;
mod greedy;
mod growth;
mod gsl;
mod homi;
mod instructions;
mod interp;
mod jobs;
mod limits;
mod load;
mod memory;
mod micro;
mod mutation;
mod native_runs;
mod parallel;
mod parsers;
mod paths;
mod picks;
mod process;
mod processor_clock;
mod projects;
mod reach;
mod record;
mod resume;
mod run_metrics;
mod sanitizers;
mod seeds;
mod semantics;
mod setup;
mod simulate;
mod solve;
mod sources;
mod suite;
mod sym;
mod toolchain;

use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

/// Measures Byway and compares it with native runs. Usually run as `./dev bench NAME ...`.
#[derive(Parser, Debug)]
#[command(
    name = "byway-bench",
    subcommand_value_name = "NAME",
    subcommand_help_heading = "Benchmarks",
    after_help = "\
Each benchmark has --help, and --record to keep its result in bench/results.
$BYWAY names the byway to measure (default: the one beside this executable)."
)]
struct BenchCommand {
    #[command(subcommand)]
    benchmark: Option<Benchmark>,
}

#[derive(Subcommand, Debug)]
enum Benchmark {
    /// Whether Byway behaves as the machine does: thousands of C programs
    Semantics(semantics::SemanticsOptions),
    /// Which of the repository's tests exercises each instruction
    Coverage(coverage::CoverageOptions),
    /// Whether an exploration finds everything there is, in every mode
    Explore(explore::ExploreOptions),
    /// Whether the verdicts of `byway reach` are right
    Reach(reach::ReachOptions),
    /// Whether all paths of random programs are found
    Paths(paths::PathsOptions),
    /// Whether the tests of symbolic arguments and files show what all inputs do
    Sym(sym::SymOptions),
    /// Whether Byway finds what clang's sanitizers find in programs with planted defects
    Defects(defects::DefectsOptions),
    /// How fast programs run
    Interp(interp::InterpOptions),
    /// How fast small programs are explored to the end, compared with KLEE
    Micro(micro::MicroOptions),
    /// What dependence guided exploration skips, and whether anything is lost
    Dgse(dgse::DgseOptions),
    /// How much work it takes to reach a line, with every searcher
    Directed(directed::DirectedOptions),
    /// What a check costs that is on by default
    Checks(check_cost::CheckCostOptions),
    /// What a fork costs, in time and in memory
    Fork(fork::ForkOptions),
    /// Whether a run stays within its --max-memory
    Memory(memory::MemoryOptions),
    /// Whether a run that is killed again and again finds what one run finds
    Resume(resume::ResumeOptions),
    /// Whether small memory limits hold, whatever a program needs memory for
    Limits(limits::LimitsOptions),
    /// How fast costs grow with each dimension of a program and of a run
    Growth(growth::GrowthOptions),
    /// How fast a large program loads
    Load(load::LoadOptions),
    /// How much faster several workers explore than one
    Jobs(jobs::JobsOptions),
    /// How long searchers take to choose among up to a million states
    Picks(picks::PicksOptions),
    /// How far strategies are from the optimum on random Markov chains
    Simulate(simulate::SimulateOptions),
    /// How fast logged queries are answered
    Solve(solve::SolveOptions),
    /// Whether more symbolic input costs coverage: parsers on 8 to 128 bytes
    Parsers(parsers::ParsersOptions),
    /// GNU Coreutils under Byway and natively
    Coreutils(coreutils::CoreutilsOptions),
    /// What tests of single functions find in libraries
    Entry(entry::EntryOptions),
    /// Whether greedy takes the better of random tests and solving
    Greedy(greedy::GreedyOptions),
    /// How much of numeric functions strategies cover
    Gsl(gsl::GslOptions),
    /// Whether dropping states by what was learnt covers more with little memory
    Homi(homi::HomiBenchOptions),
    /// How fast inputs run natively, and whether the engine agrees
    NativeRuns(native_runs::NativeRunsOptions),
    /// Whether projects with build systems of their own become explorable
    Projects(projects::ProjectsOptions),
    /// Which searcher's tests kill the most mutants
    Mutation(mutation::MutationOptions),
}

fn main() -> ExitCode {
    let Some(benchmark) = BenchCommand::parse().benchmark else {
        return match BenchCommand::command().print_help() {
            Ok(()) => ExitCode::SUCCESS,
            Err(_) => ExitCode::from(2),
        };
    };
    match run(benchmark) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("byway-bench: {error}");
            ExitCode::from(2)
        }
    }
}

/// Runs a benchmark and returns whether its result is as it should be.
fn run(benchmark: Benchmark) -> Result<bool, String> {
    match benchmark {
        Benchmark::Semantics(options) => semantics::main(options),
        Benchmark::Coverage(options) => coverage::main(options),
        Benchmark::Explore(options) => explore::main(options),
        Benchmark::Reach(options) => reach::main(options),
        Benchmark::Paths(options) => paths::main(options),
        Benchmark::Sym(options) => sym::main(options),
        Benchmark::Defects(options) => defects::main(options),
        Benchmark::Interp(options) => interp::main(options),
        Benchmark::Micro(options) => micro::main(options),
        Benchmark::Dgse(options) => dgse::main(options),
        Benchmark::Directed(options) => directed::main(options),
        Benchmark::Entry(options) => entry::main(options),
        Benchmark::Checks(options) => check_cost::main(options),
        Benchmark::Fork(options) => fork::main(options),
        Benchmark::Memory(options) => memory::main(options),
        Benchmark::Limits(options) => limits::main(options),
        Benchmark::Growth(options) => growth::main(options),
        Benchmark::Resume(options) => resume::main(options),
        Benchmark::Load(options) => load::main(options),
        Benchmark::Jobs(options) => jobs::main(options),
        Benchmark::Picks(options) => picks::main(options),
        Benchmark::Simulate(options) => simulate::main(options),
        Benchmark::Solve(options) => solve::main(options),
        Benchmark::Parsers(options) => parsers::main(options),
        Benchmark::Coreutils(options) => coreutils::main(options),
        Benchmark::Greedy(options) => greedy::main(options),
        Benchmark::Gsl(options) => gsl::main(options),
        Benchmark::Homi(options) => homi::main(options),
        Benchmark::NativeRuns(options) => native_runs::main(options),
        Benchmark::Projects(options) => projects::main(options),
        Benchmark::Mutation(options) => mutation::main(options),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<BenchCommand, clap::Error> {
        BenchCommand::try_parse_from(["byway-bench"].into_iter().chain(line.split_whitespace()))
    }

    #[test]
    fn the_command_line_is_consistent() {
        BenchCommand::command().debug_assert();
    }

    #[test]
    fn documented_spellings_are_understood() {
        for line in [
            "",
            "semantics --quick --only faults",
            "semantics --only torture --filter 20000112 --opt -O2 --keep /tmp/t",
            "semantics --only csmith --seeds 4000..5000",
            "semantics --only programs,csmith,torture --seeds 1..561 --checks all",
            "explore --quick",
            "explore --only=switch",
            "reach --quick",
            "reach --brute-force --only checksum",
            "paths --count 40",
            "paths --only 1234 --keep-failures /tmp/failures",
            "sym",
            "defects --count 300",
            "defects --filter leak --keep /tmp/defects",
            "defects --only 17 --print",
            "dgse soundness --count 2000 --record",
            "dgse soundness --only 1234 --keep-failures /tmp/failures",
            "dgse soundness --file tests/sym/dates.c",
            "dgse programs --only dates,json --no-mutation",
            "coverage",
            "micro --runs 3 --search dfs --search bfs",
            "checks --filter sort --runs 1",
            "checks --check uninitialised --count",
            "jobs --jobs 4",
            "resume --kills 3 --search bfs --jobs 1",
            "limits --only malloc --limits 100,500 --jobs 1 --time 5",
            "growth --only switch --runs 1",
            "simulate --chains 5 --runs 10 --seed 2",
            "solve --most 2500 /dev/shm/queries/cut /dev/shm/queries/wc",
            "solve --family --parts",
            "parsers --programs cjson,yajl --sizes 6,16 --bin /old/byway --max-time 10s",
            "parsers --check --jobs 2",
            "parsers --beside-afl --programs lua --sizes 16 --search greedy",
            "parsers --max-work 2M --search dfs",
            "coreutils exec --tools sort,cut",
            "coreutils exec --checks all",
            "coreutils run --only cut --time 60 --keep /tmp/runs",
            "coreutils cover --seeds 3",
            "coreutils cover --tools cut --search dfs --search random-path+bfs --work 20000000",
            "greedy --only both --max-cpu 3s --seeds 1",
            "homi --seconds 60 --programs grep,sort --seeds 1 --jobs 1",
            "native-runs --part throughput --time 5 --corpus /tmp/afl --export /tmp/corpus",
            "native-runs --part agreement --only maze --inputs 5 --jobs 1",
            "mutation --tools cut --cpu 5 --sample 20 --tests 50 --dir /tmp/m",
        ] {
            assert!(parse(line).is_ok(), "{line}: {:?}", parse(line).err());
        }
    }

    #[test]
    fn mistakes_are_reported() {
        for (line, part) in [
            ("nothing", "nothing"),
            ("paths --job 3", "--job"),
            ("paths --jobs many", "many"),
            ("semantics --opt -O7", "-O0, -O1 or -O2"),
            ("semantics --seeds 5", "--seeds"),
            ("parsers --max-work 2M --max-time 5s", "cannot be used with"),
            ("parsers --sizes 0", "--sizes"),
            ("homi --seconds 0", "--seconds"),
            ("homi --programs awk", "gawk"),
            ("coreutils", "exec"),
            ("coreutils cover --time 5s --work 5", "cannot be used with"),
            ("coreutils cover --work 0", "--work"),
            ("coreutils run --time soon", "soon"),
            ("coreutils cover --seeds ,", "--seeds"),
        ] {
            let Err(error) = parse(line) else { panic!("'{line}' is accepted") };
            let error = error.to_string();
            assert!(error.contains(part), "{line}: {error}");
        }
    }
}
