//! Checks before the run that the options suit the searchers.

use byway_search::SearcherRequirements;

use crate::cmd::run::config::{RunConfig, TestPolicy};
use crate::console;
use crate::failure::{Failure, Result};

/// An error if there are no such searchers or no such pruner, or if they cannot work with the
/// options.
pub fn check_searchers(config: &RunConfig) -> Result<()> {
    let searcher = byway_search::build(&config.search).map_err(|error| {
        Failure::new(error.to_string()).hint("'byway help run' lists the searchers")
    })?;
    check(config, searcher.requirements())?;
    check_pruner(config, searcher.requirements())
}

/// An error if the searchers cannot work with the options; prints a warning if they ignore one.
pub fn check(config: &RunConfig, requirements: SearcherRequirements) -> Result<()> {
    check_comparison(config)?;
    if config.explore.reduction.is_some() {
        check_reduction(config, requirements)?;
    }
    if requirements.random {
        return check_random(config);
    }
    if requirements.concolic && config.asked_eager {
        console::say("byway: ignoring `--feasibility eager`: concolic searchers decide lazily");
    }
    Ok(())
}

/// An error if the pruner cannot work with the options; prints a warning if nothing ends the run.
pub fn check_pruner(config: &RunConfig, searcher: SearcherRequirements) -> Result<()> {
    let Some(text) = &config.prune else { return Ok(()) };
    let pruner = byway_search::pruner::build_pruner(text)
        .map_err(|error| Failure::new(error).hint("'byway help run' lists the pruners"))?;
    if searcher.random {
        return Err(Failure::new("--prune has nothing to drop: random-testing keeps no states"));
    }
    if pruner.requirements().restarts {
        if config.explore.reduction.is_some() {
            return Err(Failure::new(format!(
                "--prune {text} begins again from the start, which --reduce makes redundant"
            ))
            .hint("use --prune random:FRACTION, or omit one of the two options"));
        }
        if !has_limit(config) {
            console::say(
                "byway: a run that drops states begins again until a limit ends it: set --max-time",
            );
        }
    }
    Ok(())
}

/// An error if a run with these options cannot go on later.
pub fn check_resumable(config: &RunConfig) -> Result<()> {
    check_sittings(config, "--resume")
}

/// An error if a run with these options cannot be one of a campaign.
pub fn check_campaign(config: &RunConfig) -> Result<()> {
    check_sittings(config, "--campaign")
}

/// An error if the option, which needs several sittings, does not work with the others.
fn check_sittings(config: &RunConfig, option: &str) -> Result<()> {
    let is_random =
        byway_search::build(&config.search).is_ok_and(|searcher| searcher.requirements().random);
    let why = if is_random {
        "random-testing, which keeps no states"
    } else if config.change.has_lines() {
        "--since and --changed"
    } else if config.explore.reduction.is_some() {
        "--reduce"
    } else if !config.targets.is_empty() {
        "--target"
    } else if !config.change.against.is_empty() {
        "--against"
    } else {
        return Ok(());
    };
    Err(Failure::new(format!("{option} does not work with {why}")))
}

/// Whether anything but the last path ends the run.
fn has_limit(config: &RunConfig) -> bool {
    let limits = &config.explore.limits;
    limits.work.is_some()
        || limits.time.is_some()
        || limits.processor_time.is_some()
        || config.max_tests.is_some()
        || config.max_faults.is_some()
}

/// An error if the searchers go backward from targets and there are none.
pub fn check_targets(config: &RunConfig, has_none: bool) -> Result<()> {
    let is_backward =
        byway_search::build(&config.search).is_ok_and(|searcher| searcher.requirements().backward);
    match has_none && is_backward {
        true => Err(Failure::new("ccbse and mix-ccbse search backward from a target")
            .hint("name one with --target FILE:LINE, or choose another searcher")),
        false => Ok(()),
    }
}

/// An error if tests cannot be run on another build with these options.
fn check_comparison(config: &RunConfig) -> Result<()> {
    let why = if config.change.against.is_empty() {
        return Ok(());
    } else if config.entry.is_some() {
        "an entry: the function of the other build may have other arguments"
    } else if config.tests == TestPolicy::None {
        "--no-tests: it runs the tests on both builds"
    } else {
        return Ok(());
    };
    Err(Failure::new(format!("--against does not work with {why}"))
        .hint("omit one of the two options"))
}

/// An error if paths cannot be skipped with these options.
fn check_reduction(config: &RunConfig, requirements: SearcherRequirements) -> Result<()> {
    let SearcherRequirements { random, random_tests, concolic, backward, .. } = requirements;
    let why = if random || random_tests || concolic || backward {
        "a searcher that chooses inputs or goes backward from targets"
    } else if config.seeds.is_some() {
        "seeds"
    } else if config.entry.is_some() {
        "an entry with unconstrained input"
    } else if config.explore.engine.checks.leak {
        "the check for leaks, which depends on all that a path did"
    } else {
        return Ok(());
    };
    let option = match &config.change {
        it if it.since.is_some() => "--since",
        it if it.has_lines() => "--changed",
        _ => "--reduce",
    };
    Err(Failure::new(format!("{option} does not work with {why}"))
        .hint("omit one of the two options"))
}

fn check_random(config: &RunConfig) -> Result<()> {
    if config.jobs.get() > 1 {
        return Err(Failure::new("random-testing supports only one worker")
            .hint("omit -j, or start several runs with different --seed values"));
    }
    if config.seeds.is_some() {
        return Err(Failure::new("random-testing cannot start from seeds")
            .hint("omit --seed-dir, or choose another searcher"));
    }
    let has_own_limit = config.search.iter().any(|spec| spec.contains(':'));
    if !has_limit(config) && !has_own_limit {
        console::say(
            "byway: random-testing does not stop by itself: set --max-time, or use \
             random-testing:N to stop after N successive inputs without a new path",
        );
    }
    Ok(())
}
