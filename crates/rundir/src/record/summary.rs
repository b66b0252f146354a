//! `summary.json`: the result of a run. Its totals are also in every line of `clock.jsonl`.

use std::collections::BTreeMap;

use byway_base::SrcLoc;
use serde::{Deserialize, Serialize};

use super::path::TRUNCATED;
use super::{DifferencesRecord, MarkovRecord, SeedCounts, SharesRecord};

/// `summary.json`, written when a run ends.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct RunSummary {
    /// [`SCHEMA`](crate::SCHEMA).
    pub schema: u32,
    /// Why the run ended.
    pub ended: EndReason,
    /// Every path was explored, and nothing was lost.
    pub complete: bool,
    /// Test files written.
    pub tests: u64,
    /// The distinct faults, by number.
    pub faults: Vec<FaultCount>,
    /// Sums over the run.
    pub totals: TotalsRecord,
    /// What happened to the seeds, if the run had any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seeds: Option<SeedCounts>,
    /// How the members of each composite searcher shared the work.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shares: Vec<SharesRecord>,
    /// What a greedy searcher knows at the end, if there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub markov: Option<MarkovRecord>,
    /// How the program differs from the build of `--against`, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub differences: Option<DifferencesRecord>,
}

/// Why a run ended.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EndReason {
    /// No state was left.
    Done,
    /// It reached `--max-work`.
    MaxWork,
    /// It reached `--max-instructions`.
    MaxInstructions,
    /// The seeds have been followed, and `--only-seeds` asked for nothing else.
    Seeds,
    /// It reached `--max-time`.
    MaxTime,
    /// It reached `--max-cpu`.
    MaxCpu,
    /// It reached `--max-tests`.
    MaxTests,
    /// It reached `--max-faults`.
    MaxFaults,
    /// A test reaches each `--target`.
    Targets,
    /// The user stopped it.
    Interrupted,
    /// The run directory could no longer be written.
    WriteFailed,
    /// It was killed, or is still running. Readers report this; no file contains it.
    CutShort,
}

impl EndReason {
    /// Its name in `summary.json`.
    pub fn name(self) -> &'static str {
        match self {
            EndReason::Done => "done",
            EndReason::MaxWork => "max-work",
            EndReason::MaxInstructions => "max-instructions",
            EndReason::Seeds => "seeds",
            EndReason::MaxTime => "max-time",
            EndReason::MaxCpu => "max-cpu",
            EndReason::MaxTests => "max-tests",
            EndReason::MaxFaults => "max-faults",
            EndReason::Targets => "targets",
            EndReason::Interrupted => "interrupted",
            EndReason::WriteFailed => "write-failed",
            EndReason::CutShort => "cut-short",
        }
    }
}

/// A distinct fault and its frequency.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FaultCount {
    /// Its number in `faults.jsonl`.
    pub id: u64,
    /// The name of its kind.
    pub kind: String,
    /// The line to blame, if known.
    pub at: Option<SrcLoc>,
    /// Paths that ended with it.
    pub count: u64,
}

/// Sums over a run.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct TotalsRecord {
    /// In units of `--max-work`.
    pub work: u64,
    /// Instructions executed.
    pub instructions: u64,
    /// Of these, instructions that replayed an input up to the branch it was solved for.
    #[serde(default)]
    pub followed: u64,
    /// Paths by outcome kind.
    pub paths: BTreeMap<String, u64>,
    /// States that split.
    pub forks: u64,
    /// The same by what was decided: `branch`, `switch`, `call`, `jump`, `object`, `block`, `size`,
    /// `check` or `choice`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub forks_by: BTreeMap<String, u64>,
    /// Live states.
    pub states: u64,
    /// Of these, states whose feasibility is undecided.
    pub pending: u64,
    /// The most states alive at once.
    pub max_states: u64,
    /// Accounted bytes of states, terms and solver.
    pub memory: u64,
    /// The maximum of `memory`.
    pub max_memory: u64,
    /// How often the process itself reached the memory limit.
    #[serde(default)]
    pub memory_shortages: u64,
    /// The solver's counters.
    pub solver: SolverRecord,
    /// Coverage by the tests.
    pub coverage: CoverageCounts,
    /// What was not explored.
    pub lost: LossesRecord,
    /// Random inputs, if any were run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub random: Option<RandomCounts>,
    /// Undecided states that were tried again, if there were any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retries: Option<RetryCounts>,
    /// Targets, if there are any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub targets: Option<TargetCounts>,
    /// The backward search, if there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub backward: Option<BackwardCounts>,
    /// The reduction, if paths were skipped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reduction: Option<ReductionCounts>,
    /// The runs, if the exploration began again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub campaign: Option<CampaignCounts>,
}

impl TotalsRecord {
    /// All paths that ended.
    pub fn path_count(&self) -> u64 {
        self.paths.values().sum()
    }

    /// Paths whose outcome has this kind.
    pub fn paths_of(&self, kind: &str) -> u64 {
        self.paths.get(kind).copied().unwrap_or(0)
    }

    /// [Truncated](crate#truncated-paths) paths.
    pub fn truncated_paths(&self) -> u64 {
        TRUNCATED.iter().map(|kind| self.paths_of(kind)).sum()
    }

    /// Adds the sums of the sittings before this one. Paths are counted separately; what is
    /// alive, in memory or covered is as of now.
    pub fn add_earlier(&mut self, earlier: &TotalsRecord) {
        self.work += earlier.work;
        self.instructions += earlier.instructions;
        self.followed += earlier.followed;
        self.forks += earlier.forks;
        add_counts(&mut self.forks_by, &earlier.forks_by);
        self.max_states = self.max_states.max(earlier.max_states);
        self.max_memory = self.max_memory.max(earlier.max_memory);
        self.memory_shortages += earlier.memory_shortages;
        self.solver.add(&earlier.solver);
        self.lost.add_earlier(&earlier.lost);
        if self.random.is_none() {
            self.random = earlier.random;
        } else if let (Some(random), Some(earlier)) = (&mut self.random, earlier.random) {
            random.drawn += earlier.drawn;
            random.repeated += earlier.repeated;
            random.diverged += earlier.diverged;
            let followed = random.followed.into_iter().chain(earlier.followed);
            random.followed = followed.reduce(|all, one| all + one);
        }
        if let Some(earlier) = earlier.retries {
            let retries = self.retries.get_or_insert_default();
            retries.attempts += earlier.attempts;
            retries.decided += earlier.decided;
        }
        if let Some(earlier) = earlier.campaign {
            let campaign = self.campaign.get_or_insert_default();
            campaign.restarts += earlier.restarts;
            campaign.repeated += earlier.repeated;
        }
    }

    /// The sums of the runs before one that begins at the program's start. It meets again
    /// whatever they did not explore: of their losses, those of paths that ended remain, as a
    /// path that ends again is not counted again.
    pub fn before_new_start(self) -> TotalsRecord {
        let LossesRecord { concretised, unsupported, internal_errors, warnings, .. } = self.lost;
        let kept = LossesRecord { concretised, unsupported, internal_errors, ..Default::default() };
        let lost = LossesRecord { warnings, ..kept };
        TotalsRecord { lost, ..self }
    }

    /// Whether the explored paths are all there are.
    pub fn nothing_lost(&self) -> bool {
        let continued = self.campaign.map_or(0, |counts| counts.continued);
        let whole = |kind: &String| {
            matches!(kind.as_str(), "exit" | "fault" | "excluded")
                || TRUNCATED.contains(&kind.as_str()) && self.truncated_paths() == continued
        };
        self.random.is_none_or(|counts| counts.followed.is_some() && counts.diverged == 0)
            && self.lost == LossesRecord::default()
            && self.paths.keys().all(whole)
    }
}

/// Targets and the states that could not reach them.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[allow(missing_docs)] // as in `byway_engine::TargetTotals`
pub struct TargetCounts {
    pub open: u64,
    pub nearest: Option<u64>,
    pub unreachable: u64,
}

/// Random inputs run.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[allow(missing_docs)] // as in `byway_engine::RandomTotals`
pub struct RandomCounts {
    pub drawn: u64,
    pub repeated: u64,
    /// `None` if there was nothing but random tests.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub followed: Option<u64>,
    #[serde(default)]
    pub diverged: u64,
}

/// Attempts at states that the solver had given up on.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[allow(missing_docs)] // as in `byway_engine::RetryTotals`
pub struct RetryCounts {
    pub attempts: u64,
    pub decided: u64,
}

/// Counts of an exploration in several runs.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[allow(missing_docs)] // as in `byway_engine::CampaignTotals`
pub struct CampaignCounts {
    pub restarts: u64,
    pub repeated: u64,
    /// Truncated paths of earlier sittings whose states went on.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub continued: u64,
    /// Sittings, if the run went on after it had ended.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub sittings: u64,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// Counts of a backward search.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[allow(missing_docs)] // as in `byway_engine::BackwardTotals`
pub struct BackwardCounts {
    pub origins: u64,
    pub kept: u64,
    pub followed: u64,
    pub refuted: u64,
    pub work: u64,
}

/// Counts of a reduction.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[allow(missing_docs)] // as in `byway_engine::ReductionTotals`
pub struct ReductionCounts {
    pub tasks: u64,
    pub redundant: u64,
    pub infeasible: u64,
    pub repeated: u64,
    pub missed_goals: u64,
    /// Paths whose dependences are not known, by reason.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub unknown: BTreeMap<String, u64>,
    pub estimated_paths: u64,
    /// The reduction skipped too few paths, so all were explored.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_abandoned: bool,
}

/// The solver's counters.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[allow(missing_docs)] // as in `byway_solver::Statistics`
pub struct SolverRecord {
    pub queries: u64,
    pub sat: u64,
    pub unsat: u64,
    /// Queries answered "unknown", by reason.
    pub unknown: BTreeMap<String, u64>,
    /// Answers that a bare backend confirmed (`--solver-check`).
    pub confirmed: u64,
    /// Answers that a bare backend contradicted.
    pub disagreements: u64,
    /// The layers, in the order a query passes them.
    pub layers: Vec<LayerRecord>,
    pub conjuncts: u64,
    pub conjuncts_kept: u64,
    pub effort: u64,
    pub translated: u64,
    pub instances: u64,
    pub conjuncts_shared: u64,
    pub conjuncts_asserted: u64,
}

impl SolverRecord {
    fn add(&mut self, other: &SolverRecord) {
        self.queries += other.queries;
        self.sat += other.sat;
        self.unsat += other.unsat;
        add_counts(&mut self.unknown, &other.unknown);
        self.confirmed += other.confirmed;
        self.disagreements += other.disagreements;
        for layer in &other.layers {
            match self.layers.iter_mut().find(|it| it.name == layer.name) {
                Some(own) => {
                    own.asked += layer.asked;
                    own.answered += layer.answered;
                }
                None => self.layers.push(layer.clone()),
            }
        }
        self.conjuncts += other.conjuncts;
        self.conjuncts_kept += other.conjuncts_kept;
        self.effort += other.effort;
        self.translated += other.translated;
        self.instances += other.instances;
        self.conjuncts_shared += other.conjuncts_shared;
        self.conjuncts_asserted += other.conjuncts_asserted;
    }

    /// Queries that reached the layer of this name.
    pub fn asked(&self, layer: &str) -> u64 {
        self.layers.iter().find(|it| it.name == layer).map_or(0, |layer| layer.asked)
    }
}

/// How many queries reached a layer of the solver, and how many it answered.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[allow(missing_docs)] // the line above describes them
pub struct LayerRecord {
    pub name: String,
    pub asked: u64,
    pub answered: u64,
}

/// How much of the user's code the tests cover.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[allow(missing_docs)] // as in `byway_engine::Coverage`
pub struct CoverageCounts {
    pub lines: u32,
    pub lines_total: u32,
    pub branches: u32,
    pub branches_total: u32,
}

/// What was not explored, and why.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct LossesRecord {
    /// States dropped, by limit.
    pub dropped: BTreeMap<String, u64>,
    /// States the solver could not decide, by reason.
    pub undecided: BTreeMap<String, u64>,
    /// Inputs that did not reach the branch they were solved for.
    #[serde(default)]
    pub diverged: u64,
    /// Symbolic values fixed to one value, by their use.
    pub concretised: BTreeMap<String, u64>,
    /// Missing features that ended a path, by name.
    pub unsupported: BTreeMap<String, u64>,
    /// Bugs of Byway that ended a path, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub internal_errors: BTreeMap<String, u64>,
    /// Calls answered with "not implemented", by name.
    pub warnings: BTreeMap<String, u64>,
    /// States alive when the run stopped.
    pub unfinished: u64,
    /// Decided states, unfinished or dropped, that gave no test (`--unfinished-tests`).
    #[serde(default)]
    pub untested: u64,
    /// Paths that reached `--max-path-instructions`.
    #[serde(default)]
    pub too_long: u64,
    /// Allocations of the program that failed because of the memory limit.
    #[serde(default)]
    pub failed_allocations: u64,
}

impl LossesRecord {
    /// Adds the losses of earlier sittings. The states that these left alive went on; one that the
    /// solver could not decide is tried again.
    fn add_earlier(&mut self, earlier: &LossesRecord) {
        add_counts(&mut self.dropped, &earlier.dropped);
        self.diverged += earlier.diverged;
        add_counts(&mut self.concretised, &earlier.concretised);
        add_counts(&mut self.unsupported, &earlier.unsupported);
        add_counts(&mut self.internal_errors, &earlier.internal_errors);
        for (name, &count) in &earlier.warnings {
            let own = self.warnings.entry(name.clone()).or_default();
            *own = count.max(*own);
        }
        self.too_long += earlier.too_long;
        self.failed_allocations += earlier.failed_allocations;
    }
}

fn add_counts(counts: &mut BTreeMap<String, u64>, more: &BTreeMap<String, u64>) {
    for (name, count) in more {
        *counts.entry(name.clone()).or_default() += count;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unsupported_paths_are_not_truncated() {
        let kinds = ["exit", "fault", "excluded", "unsupported", "dropped", "out-of-budget"];
        let paths = kinds.iter().chain(&["interrupted"]).map(|kind| (kind.to_string(), 1));
        let totals = TotalsRecord { paths: paths.collect(), ..Default::default() };
        assert_eq!((totals.truncated_paths(), totals.path_count()), (3, 7));
        assert!(!totals.nothing_lost());
    }

    #[test]
    fn end_reasons_are_named_as_in_the_file() {
        for reason in [EndReason::Done, EndReason::MaxCpu, EndReason::WriteFailed] {
            assert_eq!(serde_json::to_value(reason).expect("JSON"), reason.name());
        }
    }
}
