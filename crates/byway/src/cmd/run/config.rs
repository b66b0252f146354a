//! The resolved options of `byway run`.

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use byway_base::Work;
use byway_engine::{
    Config as EngineConfig, ExploreConfig, ExternalCalls, Feasibility, Invocation, Limits,
    LongDoubles, Reduction, TestSelection, UnfinishedTests, UnsetMemory,
};
use byway_native::inputs::InputSource;
use byway_search::SearcherRequirements;
use byway_testcase::symbolic::{self, SymbolicInputSpec};

use super::campaign::{self, Campaign};
use super::flags::{
    ChangeFlags, ExternalCallsFlag, FeasibilityFlag, LongDoubleFlag, ReduceFlag, RunCommandFlags,
    RunFlags, UnfinishedTestsFlag, UnsetMemoryFlag,
};
use super::requirements;
use super::resume::{CompletedLine, ResumedCommand};
use crate::branch_file;
use crate::entry::EntryConfig;
use crate::failure::{Failure, Result};
use crate::load::LoadConfig;
use crate::seeds::{Corpus, SeedSources, symbolic_call};

/// The searcher of `byway run`.
const DEFAULT_SEARCH: &str = "auto";

/// The searcher of `byway run --reduce`: the order of the tasks.
const REDUCED_SEARCH: &str = "bfs";

#[derive(Clone)]
pub struct RunConfig {
    pub load: LoadConfig,
    pub explore: ExploreConfig,
    /// Directories of this machine whose files the program may read.
    pub host_files: Vec<PathBuf>,
    /// The function that paths start in, if it is not `main`.
    pub entry: Option<EntryConfig>,
    /// The initial inputs, if any were given.
    pub seeds: Option<Corpus>,
    /// Runs to learn from; their tests are among the seeds.
    pub learn_from: Vec<PathBuf>,
    /// What random inputs are made of.
    pub random_inputs: Vec<InputSource>,
    /// Whether random inputs run on the engine, though they could run natively.
    pub interprets_inputs: bool,
    /// The number of workers.
    pub jobs: NonZeroUsize,
    /// The searchers; several take turns.
    pub search: Vec<String>,
    /// The searchers that go on if a reduction is given up, unless these are the same.
    pub unreduced: Option<Vec<String>>,
    /// What drops states, if not only limits do.
    pub prune: Option<String>,
    /// The targets, as the user wrote them.
    pub targets: Vec<String>,
    /// The user gave `--feasibility eager` explicitly.
    pub asked_eager: bool,
    /// The run directory, if the user named one.
    pub output: Option<PathBuf>,
    pub tests: TestPolicy,
    /// How many tests are files of their own; the pack has the others.
    pub test_files: u64,
    /// Whether a path with a known fault gives a test, too.
    pub tests_of_known_faults: bool,
    /// Stop after this many tests.
    pub max_tests: Option<u64>,
    /// Stop after this many distinct faults.
    pub max_faults: Option<u64>,
    /// An incomplete exploration without faults has an exit code of its own.
    pub require_complete: bool,
    /// The interval between statistics records.
    pub stats_interval: Duration,
    /// Compare every solver answer with that of a plain backend.
    pub solver_check: bool,
    /// The directory for all queries, if requested.
    pub log_queries: Option<PathBuf>,
    /// The change under test, if there is one.
    pub change: ChangeConfig,
    /// The words after `byway run`, without the run directory; empty for other commands.
    pub command: Vec<OsString>,
    /// The run to go on with, and the words that were given for it.
    pub resume: Option<ResumedCommand>,
    /// The runs, if this is a campaign; the other options are then those of all of them.
    pub campaign: Option<Box<Campaign>>,
}

/// The change under test, as the user named it.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct ChangeConfig {
    /// Lines, as `FILE:LINE` or `FILE:FIRST-LAST`.
    pub changed: Vec<String>,
    /// The revision whose differences from the working tree count.
    pub since: Option<String>,
    /// The files of the old build to compare with; none if there is none.
    pub against: Vec<PathBuf>,
}

impl ChangeConfig {
    /// Whether only a part of the program is explored.
    pub fn has_lines(&self) -> bool {
        self.since.is_some() || !self.changed.is_empty()
    }
}

/// Which paths get a test.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum TestPolicy {
    /// Every path that has an input.
    All,
    /// Paths that cover new code or show a new fault.
    CoveringNew,
    None,
}

impl TestPolicy {
    /// The name in the run manifest.
    pub fn name(self) -> &'static str {
        match self {
            TestPolicy::All => "all",
            TestPolicy::CoveringNew => "covering-new",
            TestPolicy::None => "none",
        }
    }
}

impl RunConfig {
    /// Resolves the options of `byway run`.
    pub fn resolve_command(flags: RunCommandFlags, line: CompletedLine) -> Result<Self> {
        let name = flags.resume.campaign.as_deref();
        let plan = campaign::plan(name, &line, flags.run.seed)?;
        let searches = !flags.run.search.is_empty();
        let mut config = RunConfig::resolve_options(flags)?;
        if line.resume.is_some() {
            requirements::check_resumable(&config)?;
        }
        if let Some(plan) = plan {
            let campaign = Campaign::resolve(plan, &config, &line, searches)?;
            config.campaign = Some(Box::new(campaign));
        }
        Ok(RunConfig { command: line.command, resume: line.resume, ..config })
    }

    /// Resolves the options of one run, except those that go on with another or make a campaign.
    pub fn resolve_options(flags: RunCommandFlags) -> Result<Self> {
        let RunCommandFlags { resume, change, mut run } = flags;
        let ChangeFlags { changed, since, against } = change;
        let change = ChangeConfig { changed, since, against };
        if change.has_lines() {
            run.reduce = Some(ReduceFlag::Dgse);
        }
        let mut config = RunConfig { change, ..RunConfig::resolve(run)? };
        if !config.change.against.is_empty() {
            // The report of differences names the files of tests.
            config.test_files = u64::MAX;
        }
        let interval = resume.checkpoint_interval;
        let has_checkpoints = !interval.is_zero() && requirements::check_resumable(&config).is_ok();
        config.explore.checkpoint_interval = has_checkpoints.then_some(interval);
        Ok(config)
    }

    /// Resolves the options of an exploration.
    pub fn resolve(flags: RunFlags) -> Result<Self> {
        let limits = Limits {
            work: flags.max_work.map(Work),
            instructions: flags.max_instructions,
            forks: flags.max_forks,
            shares: flags.shares.resolve(),
            seeds_only: flags.only_seeds,
            seed_time: flags.seed_time,
            time: flags.max_time,
            processor_time: flags.max_cpu,
            processor_time_from: Duration::ZERO,
            states: flags.max_states.map(|n| usize::try_from(n).unwrap_or(usize::MAX)),
            depth: flags.max_depth,
            memory: Some(flags.max_memory),
            solver_effort: flags.max_solver_effort,
            solver_time: flags.max_solver_time,
        };
        let tests = match (flags.no_tests, flags.only_covering_new) {
            (true, _) => TestPolicy::None,
            (false, true) => TestPolicy::CoveringNew,
            (false, false) => TestPolicy::All,
        };
        let invocation = flags.invocation.resolve(&flags.load.program, &flags.args)?;
        let invocation = with_symbolic(invocation, flags.symbolic.words)?;
        let (invocation, own_seed) = match flags.zest {
            true => symbolic_call(&invocation).map(|(call, seed)| (call, Some(seed)))?,
            false => (invocation, None),
        };
        let sources = SeedSources {
            directories: flags.seed_dir,
            files: flags.seed_file,
            runs: flags.learn_from.clone(),
        };
        let seeds = match sources.is_empty() {
            true if own_seed.is_some() => Some(Corpus::empty()),
            true if flags.only_seeds => {
                return Err(Failure::new("--only-seeds has no seeds to follow")
                    .hint("--seed-dir and --seed-file name them"));
            }
            true => None,
            false => Some(Corpus::read(sources, &invocation)?),
        };
        let seeds = seeds.map(|corpus| corpus.after(own_seed));
        // Unknown searchers are rejected when the run begins.
        let reduction = flags.reduce.map(|reduce| match reduce {
            ReduceFlag::Dgse => Reduction::Dgse,
            ReduceFlag::DgseAlways => Reduction::DgseAlways,
        });
        let is_default = flags.search.is_empty() && reduction == Some(Reduction::Dgse);
        let unreduced = is_default.then(|| vec![DEFAULT_SEARCH.to_string()]);
        let search = match (flags.search.is_empty(), reduction) {
            (true, None) => vec![DEFAULT_SEARCH.to_string()],
            (true, Some(_)) => vec![REDUCED_SEARCH.to_string()],
            (false, _) => flags.search,
        };
        let search = with_ties(search, flags.ties.as_deref())?;
        let requirements = byway_search::build(&search)
            .map_or(SearcherRequirements::default(), |it| it.requirements());
        let checks = flags.checks.resolve();
        let entry = flags.entry.resolve();
        let explore = ExploreConfig {
            engine: EngineConfig {
                checks: checks.engine,
                max_instructions: flags.max_path_instructions,
                max_memory: flags.max_program_memory,
                max_stack: flags.max_stack,
                max_frames: flags.max_call_depth,
                coverage: true,
                long_doubles: match flags.long_double {
                    LongDoubleFlag::Fixed => LongDoubles::Fixed,
                    LongDoubleFlag::Symbolic => LongDoubles::Symbolic,
                },
                unset_memory: match flags.unset_memory {
                    UnsetMemoryFlag::Zero => UnsetMemory::Zero,
                    UnsetMemoryFlag::Symbolic => UnsetMemory::Symbolic,
                },
                external_calls: match flags.external_calls {
                    ExternalCallsFlag::None => ExternalCalls::None,
                    ExternalCallsFlag::Concrete => ExternalCalls::Concrete,
                    ExternalCallsFlag::All => ExternalCalls::All,
                },
                unconstrained: entry.as_ref().map(|entry| entry.options).unwrap_or_default(),
                pin_seeds: flags.pin_seeds,
                replay_path: flags.replay_path.as_deref().map(branch_file::read).transpose()?,
                ..EngineConfig::default()
            },
            invocation,
            feasibility: match (flags.feasibility, requirements.concolic) {
                (Some(FeasibilityFlag::Lazy), _) | (_, true) => Feasibility::Lazy,
                (Some(FeasibilityFlag::Eager) | None, false) => Feasibility::Eager,
            },
            tests: match tests {
                TestPolicy::All => TestSelection::All,
                TestPolicy::CoveringNew => TestSelection::CoveringNew,
                TestPolicy::None => TestSelection::Faults,
            },
            unfinished_tests: match flags.unfinished_tests {
                UnfinishedTestsFlag::CoveringNew => UnfinishedTests::CoveringNew,
                UnfinishedTestsFlag::All => UnfinishedTests::All,
                UnfinishedTestsFlag::None => UnfinishedTests::None,
            },
            limits,
            seeds: seeds.as_ref().map_or(Vec::new(), |corpus| corpus.seeds.clone()),
            seed: flags.seed,
            reduction,
            ..ExploreConfig::default()
        };
        Ok(RunConfig {
            explore,
            host_files: flags.invocation.host_files,
            entry,
            seeds,
            learn_from: flags.learn_from,
            random_inputs: flags.random_inputs.into_iter().map(InputSource::from).collect(),
            interprets_inputs: flags.interpret_inputs,
            jobs: NonZeroUsize::new(flags.jobs.into()).unwrap_or(NonZeroUsize::MIN),
            search,
            unreduced,
            prune: flags.prune,
            targets: flags.target,
            asked_eager: flags.feasibility == Some(FeasibilityFlag::Eager),
            output: flags.output_dir,
            tests,
            test_files: flags.test_files,
            tests_of_known_faults: true,
            max_tests: flags.max_tests,
            max_faults: flags.max_faults,
            require_complete: flags.require_complete,
            stats_interval: flags.stats_interval,
            solver_check: flags.solver_check,
            log_queries: flags.log_queries,
            change: ChangeConfig::default(),
            command: Vec::new(),
            resume: None,
            campaign: None,
            load: LoadConfig::resolve(flags.load)?.with_sanitizers(checks.sanitizers),
        })
    }
}

/// The searchers, with `--ties` applied to each `sgs`.
fn with_ties(specs: Vec<String>, ties: Option<&str>) -> Result<Vec<String>> {
    let Some(ties) = ties else { return Ok(specs) };
    byway_search::with_tie_breaker(&specs, ties).map_err(|error| Failure::new(error.to_string()))
}

/// The invocation with options for symbolic input: first those among the arguments, in their order,
/// then those given as flags.
fn with_symbolic(mut invocation: Invocation, flags: Vec<Vec<u8>>) -> Result<Invocation> {
    if invocation.args.iter().skip(1).any(|word| symbolic::is_option(word)) {
        invocation.options = invocation.args.split_off(1);
    }
    invocation.options.extend(flags);
    match SymbolicInputSpec::parse(&invocation.options) {
        Ok(_) => Ok(invocation),
        Err(why) => Err(Failure::new(why).hint("'byway help run' shows the syntax")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser, Debug)]
    struct RunCommandLine {
        #[command(flatten)]
        flags: RunFlags,
    }

    fn run(args: &[&str]) -> RunConfig {
        let words = ["byway", "a.c"].iter().chain(args);
        let flags = RunCommandLine::try_parse_from(words).expect("good flags").flags;
        RunConfig::resolve(flags).expect("good flags")
    }

    #[test]
    fn a_work_limit_sets_no_time_limit() {
        let config = run(&["--max-work", "1M", "--seed", "7"]);
        assert_eq!(config.explore.limits.work, Some(Work(1_000_000)));
        assert_eq!((config.explore.limits.time, config.explore.limits.solver_time), (None, None));
        assert_eq!(config.explore.seed, 7);
        assert_eq!(config.search, ["auto"]);
    }

    #[test]
    fn several_searchers_are_kept_in_order() {
        assert_eq!(run(&["--search", "dfs", "--search", "bfs"]).search, ["dfs", "bfs"]);
    }

    #[test]
    fn symbolic_input_keeps_its_order() {
        let words = |invocation: &Invocation| {
            let all = invocation.args.iter().chain(&invocation.options);
            all.map(|word| String::from_utf8_lossy(word).into_owned()).collect::<Vec<_>>().join(" ")
        };
        let flags = ["--sym-args", "0", "2", "4", "--sym-stdin=8", "--sym-arg", "3"];
        let config = run(&flags);
        let expected = "a.c --sym-args 0 2 4 --sym-stdin 8 --sym-arg 3";
        assert_eq!(words(&config.explore.invocation), expected);
        let config = run(&["--sym-stdin", "8", "--", "-c", "-sym-arg", "3", "x"]);
        assert_eq!(words(&config.explore.invocation), "a.c -c -sym-arg 3 x --sym-stdin 8");
        assert_eq!(config.explore.invocation.args.len(), 1);
        assert_eq!(run(&["--", "-c"]).explore.invocation.args.len(), 2);
    }

    #[test]
    fn flags_select_the_test_policy() {
        assert_eq!(run(&[]).tests, TestPolicy::All);
        assert_eq!(run(&["--only-covering-new"]).tests, TestPolicy::CoveringNew);
        assert_eq!(run(&["--no-tests"]).tests, TestPolicy::None);
        let both = ["byway", "a.c", "--no-tests", "--only-covering-new"];
        assert!(RunCommandLine::try_parse_from(both).is_err());
    }

    #[test]
    fn units_are_parsed() {
        let config = run(&[
            "--max-time",
            "1m30s",
            "--max-cpu",
            "9s",
            "--max-memory",
            "1GiB",
            "--checks",
            "shift",
        ]);
        assert_eq!(config.explore.limits.time, Some(Duration::from_secs(90)));
        assert_eq!(config.explore.limits.processor_time, Some(Duration::from_secs(9)));
        assert_eq!(config.explore.limits.memory, Some(1 << 30));
        assert!(config.explore.engine.checks.shift);
    }
}
