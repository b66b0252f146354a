//! What does not go together with how a searcher explores, said before anything runs.

use byway_search::SearcherRequirements;

use crate::cmd::run::config::RunConfig;
use crate::console;
use crate::failure::{Failure, Result};

/// Refuses what cannot be done, and says what is done otherwise than it was asked for.
pub fn check(config: &RunConfig, wants: SearcherRequirements) -> Result<()> {
    if wants.random {
        return check_random(config);
    }
    if wants.concolic && config.asked_eager {
        console::say(
            "byway: --feasibility eager is left aside: concolic searchers decide a way when they pick it",
        );
    }
    Ok(())
}

fn check_random(config: &RunConfig) -> Result<()> {
    if config.jobs.get() > 1 {
        return Err(Failure::new("random-testing runs its inputs one after the other")
            .hint("leave out -j, or start several runs, each with a --seed of its own"));
    }
    if config.seeds.is_some() {
        return Err(Failure::new("random-testing draws its inputs, and follows no others")
            .hint("leave out --seed-dir, or choose another searcher"));
    }
    let limits = &config.explore.limits;
    let limited = limits.work.is_some()
        || limits.time.is_some()
        || limits.processor_time.is_some()
        || config.max_tests.is_some()
        || config.max_faults.is_some();
    let patient = config.search.iter().any(|spec| spec.contains(':'));
    if !limited && !patient {
        console::say(
            "byway: random-testing goes on until it is stopped by Ctrl-C: give --max-time, or \
             random-testing:N to stop after N inputs in a row that take no new path",
        );
    }
    Ok(())
}
