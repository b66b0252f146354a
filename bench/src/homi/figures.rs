//! The figures of a run.

use std::path::Path;

use byway_rundir::{RunDirError, RunReader, RunSummary, SampleRecord};

/// The figures of one run.
#[derive(Copy, Clone, PartialEq, Debug, Default)]
pub struct HomiFigures {
    /// Branch sides of the user's code that tests take, and all sides.
    pub sides: [u64; 2],
    /// Lines of the user's code that tests execute, and all lines.
    pub lines: [u64; 2],
    /// The most states alive at once.
    pub most_states: u64,
    /// The mean of the states alive at each sample.
    pub mean_states: f64,
    /// Paths that are neither truncated nor excluded.
    pub paths: u64,
    /// States that the pruner dropped.
    pub pruned: u64,
    /// States dropped for memory.
    pub for_memory: u64,
    pub tests: u64,
    /// Runs from the program's start.
    pub runs: u64,
    /// The peak memory of the process in bytes.
    pub process_memory: u64,
}

impl HomiFigures {
    /// Reads the directory of a run that has ended.
    pub fn read(dir: &Path) -> Result<Self, String> {
        let read = || {
            let run = RunReader::open(dir)?;
            Ok(HomiFigures::new(&run.ended_summary()?, &run.samples()?))
        };
        read().map_err(|error: RunDirError| error.to_string())
    }

    fn new(summary: &RunSummary, samples: &[SampleRecord]) -> Self {
        let totals = &summary.totals;
        let dropped = |limit| totals.lost.dropped.get(limit).copied().unwrap_or(0);
        let coverage = totals.coverage;
        let states: u64 = samples.iter().map(|sample| sample.totals.states).sum();
        HomiFigures {
            sides: [coverage.branches, coverage.branches_total].map(u64::from),
            lines: [coverage.lines, coverage.lines_total].map(u64::from),
            most_states: totals.max_states,
            mean_states: states as f64 / samples.len().max(1) as f64,
            paths: totals.path_count() - totals.paths_of("excluded") - totals.truncated_paths(),
            pruned: dropped("pruned"),
            for_memory: dropped("max-memory"),
            tests: summary.tests,
            runs: 1 + totals.campaign.map_or(0, |campaign| campaign.restarts),
            process_memory: samples.iter().map(|it| it.max_process_memory).max().unwrap_or(0),
        }
    }
}

/// The mean of a figure over several runs.
pub fn mean(runs: &[HomiFigures], figure: impl Fn(&HomiFigures) -> f64) -> f64 {
    runs.iter().map(figure).sum::<f64>() / runs.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_taken_from_summary_and_samples() {
        let recorded = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/lab/tests/recorded");
        let run = RunReader::open(&recorded).expect("a recorded run");
        let mut summary = run.ended_summary().expect("a summary");
        summary.totals.lost.dropped.insert("pruned".into(), 7);
        summary.totals.campaign.get_or_insert_default().restarts = 4;
        let mut samples = vec![SampleRecord::default(), SampleRecord::default()];
        samples[0].totals.states = 5;
        samples[1].max_process_memory = 9;
        let figures = HomiFigures::new(&summary, &samples);
        assert_eq!((figures.pruned, figures.for_memory, figures.runs), (7, 0, 5));
        assert_eq!((figures.mean_states, figures.process_memory), (2.5, 9));
        assert_eq!((figures.most_states, figures.tests), (11, 8));
        assert!(figures.sides[0] > 0 && figures.sides[0] <= figures.sides[1]);
        let other = HomiFigures { pruned: 8, ..figures };
        assert_eq!(mean(&[figures, other], |it| it.pruned as f64), 7.5);
        assert_eq!(mean(&[], |it| it.pruned as f64), 0.0);
    }
}
