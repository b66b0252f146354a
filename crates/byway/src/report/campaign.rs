//! The runs of a campaign, in `byway stats`.

use byway_base::quantity::{grouped, plural};
use byway_rundir::{CampaignRecord, PlannedRunRecord, SittingRecord};

use crate::report::visible;

/// What happened in a run of a campaign.
#[derive(Copy, Clone, Default)]
struct RunTally {
    sittings: u64,
    paths: u64,
}

/// Lists the runs of a campaign that has so many paths.
pub fn render_campaign(plan: &CampaignRecord, sittings: &[SittingRecord], paths: u64) -> String {
    let runs = progress(plan.runs.len(), sittings, paths);
    let begun = runs.iter().filter(|run| run.sittings > 0).count();
    let name = visible(&plan.name);
    let mut text = format!(
        "  {:<13} {name}; {begun} of {} begun\n",
        "campaign",
        plural(runs.len() as u64, "run")
    );
    for (number, (planned, run)) in (1..).zip(plan.runs.iter().zip(&runs)) {
        let sittings = match run.sittings {
            0 => continue,
            1 => String::new(),
            count => format!(", in {} sittings", grouped(count)),
        };
        let paths = plural(run.paths, "new path");
        text += &format!("    {number}{}: {paths}{sittings}\n", label(planned));
    }
    text
}

/// The sittings and new paths of each run. The first sitting has no record; it is of run 1.
fn progress(count: usize, sittings: &[SittingRecord], paths: u64) -> Vec<RunTally> {
    let mut runs = vec![RunTally::default(); count];
    let later = sittings.iter().map(|sitting| (sitting.run.unwrap_or(1), sitting.paths));
    let mut begun: Vec<(u64, u64)> = [(1, 0)].into_iter().chain(later).collect();
    begun.push((0, paths));
    for pair in begun.windows(2) {
        let [(run, before), (_, after)] = pair else { continue };
        let index = usize::try_from(*run).unwrap_or(0).wrapping_sub(1);
        if let Some(run) = runs.get_mut(index) {
            run.sittings += 1;
            run.paths += after.saturating_sub(*before);
        }
    }
    runs
}

fn label(run: &PlannedRunRecord) -> String {
    match run.label().as_str() {
        "" => String::new(),
        label => format!(" ({})", visible(label)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_counted_for_the_run_that_found_them() {
        let planned = |option: &str| PlannedRunRecord {
            name: None,
            options: vec![option.into()],
            share: None,
        };
        let plan = CampaignRecord {
            name: "c.toml".into(),
            runs: ["--search=dfs", "--search=bfs", "--seed=3"].map(planned).to_vec(),
        };
        let sitting = |run, paths| SittingRecord {
            schema: 1,
            started_ms: 0,
            options: Vec::new(),
            run,
            cpu_ms: 0,
            paths,
            states: None,
        };
        let sittings = [sitting(Some(2), 10), sitting(Some(2), 12), sitting(Some(9), 13)];
        let expected = "  campaign      c.toml; 2 of 3 runs begun\n    1 (--search dfs): 10 new paths\n    \
                        2 (--search bfs): 3 new paths, in 2 sittings\n";
        assert_eq!(render_campaign(&plan, &sittings, 20), expected);
    }
}
