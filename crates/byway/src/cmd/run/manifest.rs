//! The manifest of a run: everything that influences the result.

use std::env;
use std::path::{Path, PathBuf};
use std::time::Duration;

use byway_engine::{
    ExternalCalls, Feasibility, LongDoubles, Reduction, UnfinishedTests, UnsetMemory,
};
use byway_rundir::{
    ByteString, CompilerRecord, ConfigRecord, LimitRecord, ProgramFile, ProgramRecord, RunManifest,
    SCHEMA,
};

use crate::change::ProgramChange;
use crate::checks::CheckSet;
use crate::cmd::run::config::RunConfig;
use crate::cmd::run::records;
use crate::entry::EntryConfig;
use crate::failure::{Failure, Result};
use crate::hash::Digest;
use crate::load::Loaded;

/// The manifest of a run that is about to begin.
pub fn describe(
    config: &RunConfig,
    loaded: &Loaded,
    change: Option<&ProgramChange>,
) -> Result<RunManifest> {
    let here = env::current_dir()
        .map_err(|error| Failure::io("find the current directory", Path::new("."), &error))?;
    let files = config.load.program.iter().map(PathBuf::as_path).map(file);
    let compiler = &config.load.compiler;
    let invocation = &config.explore.invocation;
    Ok(RunManifest {
        schema: SCHEMA,
        byway: env!("CARGO_PKG_VERSION").into(),
        program: ProgramRecord {
            files: files.collect::<Result<_>>()?,
            directory: here.as_os_str().into(),
            compiler: CompilerRecord {
                clang: compiler.clang.as_os_str().into(),
                optimise: compiler.optimise.clone(),
                options: compiler.options.iter().map(|option| option.as_os_str().into()).collect(),
                aliases: config.load.aliases.iter().map(ToString::to_string).collect(),
            },
            digest: loaded.digest.to_string(),
            args: texts(&invocation.words()),
            env: texts(&invocation.env),
            host_files: host_files(&config.host_files)?,
        },
        config: ConfigRecord {
            against: config.change.against.iter().map(|path| file(path)).collect::<Result<_>>()?,
            ..settings(config, change)
        },
        seed: config.explore.seed,
        command: config.command.iter().map(|word| word.as_os_str().into()).collect(),
        campaign: config.campaign.as_ref().map(|campaign| campaign.plan.clone()),
    })
}

fn texts(bytes: &[Vec<u8>]) -> Vec<ByteString> {
    bytes.iter().map(|bytes| bytes.as_slice().into()).collect()
}

fn file(path: &Path) -> Result<ProgramFile> {
    let failed = |error| Failure::io("read", path, &error);
    Ok(ProgramFile {
        given: path.as_os_str().into(),
        path: std::path::absolute(path).map_err(failed)?.as_os_str().into(),
        hash: Digest::of_file(path).map_err(failed)?.to_string(),
    })
}

/// The canonical paths of the directories.
fn host_files(directories: &[PathBuf]) -> Result<Vec<ByteString>> {
    let real = |directory: &PathBuf| {
        let found = std::fs::canonicalize(directory);
        Ok(found
            .map_err(|e| Failure::io("open the host directory", directory, &e))?
            .as_os_str()
            .into())
    };
    directories.iter().map(real).collect()
}

fn settings(config: &RunConfig, change: Option<&ProgramChange>) -> ConfigRecord {
    let explore = &config.explore;
    let limits = &explore.limits;
    let millis = |time: Option<Duration>| time.map(|time| time.as_millis() as u64);
    let checks = CheckSet {
        engine: explore.engine.checks,
        sanitizers: config.load.compiler.sanitizers.clone(),
    };
    ConfigRecord {
        search: config.search.clone(),
        jobs: config.jobs.get() as u64,
        reduce: explore.reduction.map(|reduction| match reduction {
            Reduction::Dgse => "dgse".into(),
            Reduction::DgseAlways => "dgse-always".into(),
        }),
        prune: config.prune.clone(),
        random_inputs: config.random_inputs.iter().map(|source| source.name().into()).collect(),
        interpret_inputs: config.interprets_inputs,
        feasibility: match explore.feasibility {
            Feasibility::Eager => "eager",
            Feasibility::Lazy => "lazy",
        }
        .into(),
        long_double: match explore.engine.long_doubles {
            LongDoubles::Fixed => "fixed",
            LongDoubles::Symbolic => "symbolic",
        }
        .into(),
        unset_memory: match explore.engine.unset_memory {
            UnsetMemory::Zero => "zero",
            UnsetMemory::Symbolic => "symbolic",
        }
        .into(),
        external_calls: match explore.engine.external_calls {
            ExternalCalls::None => None,
            ExternalCalls::Concrete => Some("concrete".into()),
            ExternalCalls::All => Some("all".into()),
        },
        checks: checks.record(),
        tests: config.tests.name().into(),
        unfinished_tests: match explore.unfinished_tests {
            UnfinishedTests::CoveringNew => "covering-new",
            UnfinishedTests::All => "all",
            UnfinishedTests::None => "none",
        }
        .into(),
        solver_check: config.solver_check,
        limits: LimitRecord {
            max_time_ms: millis(limits.time),
            max_cpu_ms: millis(limits.processor_time),
            max_work: limits.work.map(|work| work.0),
            max_instructions: limits.instructions,
            max_forks: limits.forks,
            max_memory: limits.memory,
            max_states: limits.states.map(|states| states as u64),
            max_depth: limits.depth,
            max_tests: config.max_tests,
            max_faults: config.max_faults,
            max_solver_time_ms: millis(limits.solver_time),
            solver_effort: limits.solver_effort,
            path_instructions: explore.engine.max_instructions,
            path_memory: explore.engine.max_memory,
            path_stack: Some(explore.engine.max_stack),
            path_calls: explore.engine.max_frames,
        },
        targets: config.targets.clone(),
        changed: change.map_or(Vec::new(), ProgramChange::changed),
        after_removed: change.map_or(Vec::new(), ProgramChange::after_removed),
        against: Vec::new(),
        since: config.change.since.clone(),
        seeds: config.seeds.as_ref().map(records::seed_settings),
        entry: config.entry.as_ref().map(EntryConfig::record),
    }
}
