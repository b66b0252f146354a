//! Sums over several workers.

use std::collections::BTreeMap;
use std::time::Duration;

use super::super::{Losses, SeedTotals, Totals};

/// Counts of one of several workers.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct WorkerTotals {
    /// Paths that ended.
    pub paths: u64,
    /// Instructions executed, without those of `followed`.
    pub instructions: u64,
    /// Forks.
    pub forks: u64,
    /// Solver queries.
    pub queries: u64,
    /// States given to other workers.
    pub given: u64,
    /// States taken from other workers.
    pub taken: u64,
    /// Instructions to replay the states taken.
    pub followed: u64,
    /// States taken that the replay did not reach: a bug in Byway.
    pub diverged: u64,
    /// Time spent waiting for work.
    pub idle: Duration,
}

/// Sums the totals of workers. Coverage is left out, and maxima are those of the largest
/// worker.
pub(super) fn sum<'a>(workers: impl IntoIterator<Item = &'a Totals>) -> Totals {
    workers.into_iter().enumerate().fold(Totals::default(), |mut all, (index, one)| {
        let is_first = index == 0;
        // Destructured without `..`, so a new field cannot be forgotten.
        let Totals {
            work,
            instructions,
            followed,
            paths,
            forks,
            forks_by,
            states,
            pending,
            max_states,
            memory,
            max_memory,
            memory_shortages,
            solver,
            coverage: _,
            losses,
            seeds,
            random,
            retries,
            targets,
            backward,
            reduction,
            campaign,
        } = one;
        all.work += *work;
        all.instructions += instructions;
        all.followed += followed;
        add(&mut all.paths, paths);
        all.forks += forks;
        add(&mut all.forks_by, forks_by);
        all.states += states;
        all.pending += pending;
        all.max_states = all.max_states.max(*max_states);
        all.memory += memory;
        all.max_memory = all.max_memory.max(*max_memory);
        all.memory_shortages += memory_shortages;
        all.solver.add(solver);
        add_lost(&mut all.losses, losses);
        add_seeds(&mut all.seeds, seeds);
        all.random.drawn += random.drawn;
        all.random.repeated += random.repeated;
        all.random.cost += random.cost;
        all.random.followed += random.followed;
        all.random.diverged += random.diverged;
        all.campaign.restarts += campaign.restarts;
        all.campaign.repeated += campaign.repeated;
        all.retries.attempts += retries.attempts;
        all.retries.decided += retries.decided;
        all.backward.add(backward);
        all.reduction.add(reduction);
        // A worker that has not heard of a closed target counts it as open.
        all.targets.open = if is_first { targets.open } else { all.targets.open.min(targets.open) };
        let nearest = [all.targets.nearest, targets.nearest].into_iter().flatten().min();
        all.targets.nearest = nearest;
        all.targets.unreachable += targets.unreachable;
        all
    })
}

fn add<K: Ord + Clone>(all: &mut BTreeMap<K, u64>, one: &BTreeMap<K, u64>) {
    one.iter().for_each(|(name, count)| *all.entry(name.clone()).or_default() += count);
}

fn add_lost(all: &mut Losses, one: &Losses) {
    let Losses {
        dropped,
        undecided,
        diverged,
        concretised,
        unsupported,
        internal_errors,
        warnings,
        unfinished,
        untested,
        too_long,
        failed_allocations,
    } = one;
    add(&mut all.dropped, dropped);
    add(&mut all.undecided, undecided);
    all.diverged += diverged;
    add(&mut all.concretised, concretised);
    add(&mut all.unsupported, unsupported);
    add(&mut all.internal_errors, internal_errors);
    add(&mut all.warnings, warnings);
    all.unfinished += unfinished;
    all.untested += untested;
    all.too_long += too_long;
    all.failed_allocations += failed_allocations;
}

fn add_seeds(all: &mut SeedTotals, one: &SeedTotals) {
    let SeedTotals { taken, ended, left, paths, resized, unmatched } = one;
    all.taken += taken;
    all.ended += ended;
    add(&mut all.left, left);
    all.paths += paths;
    all.resized += resized;
    all.unmatched += unmatched;
}
