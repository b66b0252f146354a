//! The plan of a campaign: its runs, each with its own options.

use byway_rundir::{CampaignRecord, PlannedRunRecord};

/// More runs are a mistake.
pub const MAX_RUNS: usize = 1_000;

/// The runs of a campaign, in their order; at least one.
#[derive(Clone, PartialEq, Debug)]
pub struct CampaignPlan {
    /// The value of `--campaign`.
    pub name: String,
    pub runs: Vec<PlannedRun>,
}

/// A run of a campaign.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct PlannedRun {
    pub name: Option<String>,
    /// Its own options, each one word: `--search=dfs`. They replace those of the command line.
    pub options: Vec<String>,
    /// Its part of the campaign's limits; `None` for an equal part of what the others leave.
    pub share: Option<f64>,
}

impl PlannedRun {
    /// So many runs that differ in the seed only; the first has `seed`, if there is one, or else
    /// that of the command line.
    pub fn repeated(self, count: usize, seed: Option<u64>, base_seed: u64) -> Vec<PlannedRun> {
        let one = |number: usize| {
            let mut run = self.clone();
            if number > 0 || seed.is_some() {
                let seed = seed.unwrap_or(base_seed).wrapping_add(number as u64);
                run.options.push(format!("--seed={seed}"));
            }
            run
        };
        (0..count).map(one).collect()
    }

    /// What messages call it.
    pub fn label(&self) -> String {
        match &self.name {
            Some(name) => name.clone(),
            None if self.options.is_empty() => "no options of its own".into(),
            None => {
                let words = self.options.iter().map(|word| word.replacen('=', " ", 1));
                words.collect::<Vec<_>>().join(" ")
            }
        }
    }

    /// Whether it has an option of its own.
    pub fn gives(&self, option: &str) -> bool {
        self.options.iter().any(|word| word.split('=').next() == Some(option))
    }
}

impl CampaignPlan {
    /// What the manifest of the run directory keeps.
    pub fn record(&self) -> CampaignRecord {
        let run = |run: &PlannedRun| PlannedRunRecord {
            name: run.name.clone(),
            options: run.options.clone(),
            share: run.share,
        };
        CampaignRecord { name: self.name.clone(), runs: self.runs.iter().map(run).collect() }
    }

    /// The plan of a run directory.
    pub fn of_record(record: CampaignRecord) -> CampaignPlan {
        let run = |run: PlannedRunRecord| PlannedRun {
            name: run.name,
            options: run.options,
            share: run.share,
        };
        CampaignPlan { name: record.name, runs: record.runs.into_iter().map(run).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repetitions_differ_in_their_seeds() {
        let run = PlannedRun { options: vec!["--search=dfs".into()], ..PlannedRun::default() };
        let labels =
            |runs: Vec<PlannedRun>| -> Vec<String> { runs.iter().map(PlannedRun::label).collect() };
        let runs = run.clone().repeated(3, None, 7);
        let expected = ["--search dfs", "--search dfs --seed 8", "--search dfs --seed 9"];
        assert_eq!(labels(runs), expected);
        let runs = run.clone().repeated(2, Some(u64::MAX), 7);
        assert!(runs[0].gives("--seed") && runs[1].gives("--search") && !run.gives("--seed"));
        let last = format!("--search dfs --seed {}", u64::MAX);
        assert_eq!(labels(runs), [last, "--search dfs --seed 0".into()]);
    }

    #[test]
    fn a_plan_is_read_back() {
        let named = PlannedRun { name: Some("a".into()), share: Some(0.3), ..Default::default() };
        let runs =
            vec![named, PlannedRun { options: vec!["--seed=3".into()], ..Default::default() }];
        let plan = CampaignPlan { name: "c.toml".into(), runs };
        assert_eq!(CampaignPlan::of_record(plan.record()), plan);
    }
}
