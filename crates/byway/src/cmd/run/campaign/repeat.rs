//! Runs of a campaign that are repeated.

use byway_rundir::PlannedRunRecord;

/// More runs in a campaign are a mistake.
pub const MAX_RUNS: usize = 1_000;

/// So many runs that differ in the seed only. The first has `seed`, or else that of the command
/// line.
pub fn repeated(
    run: &PlannedRunRecord,
    count: usize,
    seed: Option<u64>,
    base_seed: u64,
) -> Vec<PlannedRunRecord> {
    let one = |number: usize| {
        let mut run = run.clone();
        if count > 1 || seed.is_some() {
            let seed = seed.unwrap_or(base_seed).wrapping_add(number as u64);
            run.options.push(format!("--seed={seed}"));
        }
        run
    };
    (0..count).map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repetitions_differ_in_their_seeds() {
        let run = PlannedRunRecord { options: vec!["--search=dfs".into()], ..Default::default() };
        let labels = |count, seed| -> Vec<String> {
            repeated(&run, count, seed, 7).iter().map(PlannedRunRecord::label).collect()
        };
        assert_eq!(labels(2, None), ["--search dfs --seed 7", "--search dfs --seed 8"]);
        assert_eq!(labels(1, None), ["--search dfs"]);
        let last = format!("--search dfs --seed {}", u64::MAX);
        assert_eq!(labels(2, Some(u64::MAX)), [last, "--search dfs --seed 0".into()]);
        let run = &repeated(&run, 2, None, 7)[1];
        assert!(run.gives("--seed") && run.gives("--search") && !run.gives("--see"));
    }
}
