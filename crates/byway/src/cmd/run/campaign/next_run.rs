//! What `--resume` goes on with in a campaign: a run that was cut short, or the one after it.

use byway_rundir::{EndReason, RunManifest, RunReader, RunSoFar, RunSummary};

use super::budget::SharedLimits;
use super::{Campaign, title};
use crate::cmd::run::resume::{self, ResumedCommand};
use crate::cmd::run::start::{RunStart, sitting};
use crate::console;
use crate::failure::Result;
use byway_base::quantity::plural;

/// The run of a campaign that begins or goes on, by its index.
pub struct NextRun {
    pub index: usize,
    pub start: RunStart,
}

/// The options of the limits that a campaign shares, in the order of [`SharedLimits`].
const OPTIONS: [&str; 3] = ["--max-time", "--max-cpu", "--max-work"];

/// The limits of a campaign that goes on: those given now, or what it has left of its own. If
/// nothing is left they count anew, as for any run that goes on.
pub fn limits(resumed: &ResumedCommand, whole: SharedLimits) -> Result<SharedLimits> {
    let last = RunReader::open(&resumed.run)?.clock()?.last.unwrap_or_default();
    let used = [last.elapsed_ms * 1000, last.cpu_ms * 1000, last.totals.work];
    Ok(std::array::from_fn(|which| {
        let whole = whole[which]?;
        let left = whole.saturating_sub(used[which]);
        Some(if left == 0 || resumed.gives(OPTIONS[which]) { whole } else { left })
    }))
}

/// The run with which a campaign goes on.
pub fn find(
    campaign: &Campaign,
    resumed: &ResumedCommand,
    manifest: &RunManifest,
) -> Result<NextRun> {
    let dir = &resumed.run;
    let reader = RunReader::open(dir)?;
    resume::check_same(dir, reader.manifest(), manifest)?;
    let count = campaign.plan.runs.len();
    let latest = reader.sittings()?.iter().rev().find_map(|sitting| sitting.run).unwrap_or(1);
    let latest = (usize::try_from(latest).unwrap_or(usize::MAX).max(1) - 1).min(count - 1);
    let next = match RunReader::has_ended(dir) {
        false => Some(latest),
        true => after(&reader.summary()?, latest, count),
    };
    let index = next.ok_or_else(|| resume::no_states(dir))?;
    let given = campaign.given(index, Some(resumed));
    let config = &campaign.runs[index];
    let name = title(&campaign.plan, index);
    if index == latest {
        let before = RunSoFar::read(&reader)?;
        if before.states.is_some() {
            console::say(&format!("byway: {name}: {}", resume::description(&before)));
            let sitting = sitting(&before, &given, Some(index as u64 + 1));
            return Ok(NextRun { index, start: RunStart::go_on(config, dir, before, sitting)? });
        }
    }
    let start = RunStart::new_run(config, dir, &given, index as u64 + 1)?;
    let known = start.earlier.as_ref().map_or(0, |earlier| earlier.before.paths.len() as u64);
    let known = plural(known, "path");
    console::say(&format!("byway: {name}: exploring from the program's start; {known} known"));
    Ok(NextRun { index, start })
}

/// The index of the run with which a campaign goes on that ended in run `latest`: this one if it
/// was cut short or is the last one with a limit. `None` if nothing is left.
pub fn after(summary: &RunSummary, latest: usize, count: usize) -> Option<usize> {
    let is_last = latest + 1 == count;
    match summary.ended {
        _ if summary.complete => None,
        EndReason::Done if is_last => None,
        EndReason::Done | EndReason::MaxTime | EndReason::MaxCpu | EndReason::MaxWork
            if !is_last =>
        {
            Some(latest + 1)
        }
        _ => Some(latest),
    }
}
