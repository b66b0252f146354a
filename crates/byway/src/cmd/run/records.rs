//! The engine's results as records of the run directory.
//!
//! `byway_rundir` knows neither engine nor solver, so that programs which only read run
//! directories need neither; the conversions are here.

use std::collections::BTreeMap;
use std::fmt::Display;

use byway_engine::{
    BackwardTotals, BranchCoverage, CampaignTotals, Coverage, LineCoverage, LocatedReward,
    MarkovRewards, NamedBlock, ReductionTotals, SideCoverage, StopReason, TargetTotals,
    WorkerTotals,
};
use byway_rundir::{
    BackwardCounts, BlockRecord, BlockRewardRecord, BranchRecord, BranchesRecord, CampaignCounts,
    CoverageCounts, CoverageRecord, EndReason, JobRecord, LayerRecord, LineRecord, LossesRecord,
    MarkovRecord, NextBlockRecord, RandomCounts, ReductionCounts, RetryCounts, SCHEMA, SeedCounts,
    SeedSettings, SharesRecord, SideRecord, SliceRecord, SolverRecord, TargetCounts, TotalsRecord,
};
use byway_search::{MemberShare, PortfolioShares};
use byway_solver::{Layer, Statistics};

use crate::seeds::Corpus;

/// What a greedy searcher knows.
pub fn markov(rewards: &MarkovRewards) -> MarkovRecord {
    let report = &rewards.report;
    MarkovRecord {
        tests: report.tests,
        test_cost: report.test_cost,
        solved: report.solved,
        path_cost: report.path_cost,
        blocks: report.blocks as u64,
        uncovered: report.uncovered as u64,
        start_reward: report.start_reward,
        highest: rewards.highest.iter().map(block_reward).collect(),
    }
}

fn block_reward(located: &LocatedReward) -> BlockRewardRecord {
    let LocatedReward { block: at, reward, next } = located;
    let next = next
        .as_ref()
        .map(|(probability, at)| NextBlockRecord { block: block(at), probability: *probability });
    BlockRewardRecord {
        block: block(at),
        reward: reward.reward,
        covered: reward.is_covered,
        executions: reward.executions,
        path_cost: reward.path_cost,
        next,
    }
}

fn block(block: &NamedBlock) -> BlockRecord {
    let NamedBlock { function, block, at } = block.clone();
    BlockRecord { function, number: block.as_u32(), at }
}

pub fn ended(why: StopReason) -> EndReason {
    match why {
        StopReason::Done => EndReason::Done,
        StopReason::Work => EndReason::MaxWork,
        StopReason::Instructions => EndReason::MaxInstructions,
        StopReason::Seeds => EndReason::Seeds,
        StopReason::Time => EndReason::MaxTime,
        StopReason::ProcessorTime => EndReason::MaxCpu,
        StopReason::Stopped => EndReason::Interrupted,
        StopReason::Targets => EndReason::Targets,
    }
}

pub fn totals(totals: &byway_engine::Totals) -> TotalsRecord {
    let (random, retries) = (&totals.random, &totals.retries);
    TotalsRecord {
        work: totals.work.0,
        instructions: totals.instructions,
        followed: totals.followed,
        paths: totals.paths.iter().map(|(&kind, &n)| (kind.to_string(), n)).collect(),
        forks: totals.forks,
        forks_by: totals.forks_by.iter().map(|(&kind, &n)| (kind.to_string(), n)).collect(),
        states: totals.states,
        pending: totals.pending,
        max_states: totals.max_states,
        memory: totals.memory,
        max_memory: totals.max_memory,
        memory_shortages: totals.memory_shortages,
        solver: solver(&totals.solver),
        coverage: coverage_counts(totals.coverage),
        lost: losses(&totals.losses),
        random: (random.drawn > 0).then_some(RandomCounts {
            drawn: random.drawn,
            repeated: random.repeated,
            followed: (random.cost > 0).then_some(random.followed),
            diverged: random.diverged,
        }),
        retries: (retries.attempts > 0)
            .then_some(RetryCounts { attempts: retries.attempts, decided: retries.decided }),
        targets: (totals.targets != TargetTotals::default()).then_some(TargetCounts {
            open: totals.targets.open,
            nearest: totals.targets.nearest,
            unreachable: totals.targets.unreachable,
        }),
        backward: backward(&totals.backward),
        reduction: reduction(&totals.reduction),
        campaign: (totals.campaign != CampaignTotals::default()).then_some(CampaignCounts {
            restarts: totals.campaign.restarts,
            repeated: totals.campaign.repeated,
            ..CampaignCounts::default()
        }),
    }
}

fn reduction(totals: &ReductionTotals) -> Option<ReductionCounts> {
    let counts = ReductionCounts {
        tasks: totals.tasks,
        redundant: totals.redundant,
        infeasible: totals.infeasible,
        repeated: totals.repeated,
        missed_goals: totals.missed_goals,
        unknown: totals.unknown.iter().map(|(it, &n)| (it.name().to_string(), n)).collect(),
        estimated_paths: totals.estimated_paths,
        is_abandoned: totals.is_abandoned,
    };
    (counts != ReductionCounts::default()).then_some(counts)
}

fn backward(totals: &BackwardTotals) -> Option<BackwardCounts> {
    let BackwardTotals { origins, kept, followed, refuted, work } = *totals;
    (origins > 0).then_some(BackwardCounts { origins, kept, followed, refuted, work: work.0 })
}

fn solver(statistics: &Statistics) -> SolverRecord {
    let unknown = [
        ("effort", statistics.unknown_effort),
        ("time", statistics.unknown_time),
        ("large", statistics.unknown_large),
        ("memory", statistics.unknown_memory),
        ("leaves", statistics.unknown_leaves),
        ("wrong-model", statistics.wrong_models),
        ("other", statistics.unknown_other),
    ];
    let unknown = unknown.into_iter().filter(|(_, count)| *count > 0);
    let layer = |layer: Layer| {
        let count = statistics.layer(layer);
        LayerRecord { name: layer.name().into(), asked: count.asked, answered: count.answered }
    };
    SolverRecord {
        queries: statistics.queries,
        sat: statistics.sat,
        unsat: statistics.unsat,
        unknown: unknown.map(|(reason, count)| (reason.to_string(), count)).collect(),
        confirmed: statistics.confirmed,
        disagreements: statistics.disagreements,
        layers: Layer::ALL.map(layer).to_vec(),
        conjuncts: statistics.conjuncts,
        conjuncts_kept: statistics.conjuncts_kept,
        effort: statistics.effort,
        translated: statistics.translated,
        instances: statistics.instances,
        conjuncts_shared: statistics.conjuncts_shared,
        conjuncts_asserted: statistics.conjuncts_asserted,
    }
}

fn coverage_counts(coverage: Coverage) -> CoverageCounts {
    CoverageCounts {
        lines: coverage.lines,
        lines_total: coverage.lines_total,
        branches: coverage.branches,
        branches_total: coverage.branches_total,
    }
}

/// Counts by the texts of their reasons.
pub fn by_text<K: Display>(counts: &BTreeMap<K, u64>) -> BTreeMap<String, u64> {
    counts.iter().map(|(reason, &count)| (reason.to_string(), count)).collect()
}

fn losses(lost: &byway_engine::Losses) -> LossesRecord {
    let dropped = lost.dropped.iter().map(|(limit, &n)| (limit.name().to_string(), n));
    let internal_errors = lost.internal_errors.iter().map(|(kind, &n)| (kind.name().into(), n));
    LossesRecord {
        dropped: dropped.collect(),
        undecided: by_text(&lost.undecided),
        diverged: lost.diverged,
        concretised: by_text(&lost.concretised),
        unsupported: by_text(&lost.unsupported),
        internal_errors: internal_errors.collect(),
        warnings: lost.warnings.clone(),
        unfinished: lost.unfinished,
        untested: lost.untested,
        too_long: lost.too_long,
        failed_allocations: lost.failed_allocations,
    }
}

/// Lines by file and number.
pub fn coverage(lines: &[LineCoverage]) -> CoverageRecord {
    let mut files: BTreeMap<String, Vec<LineRecord>> = BTreeMap::new();
    for of in lines {
        let (branches, taken) = of.branches;
        let record = LineRecord { line: of.at.line, first_path: of.first_path, branches, taken };
        files.entry(of.at.file.clone()).or_default().push(record);
    }
    files.values_mut().for_each(|lines| lines.sort_by_key(|line| line.line));
    CoverageRecord { schema: SCHEMA, files }
}

/// Branches by file, line and column; those without a line are left out.
pub fn branches(branches: &[BranchCoverage]) -> BranchesRecord {
    let side = |of: &SideCoverage| SideRecord {
        side: of.side.clone(),
        first_path: of.first_path,
        reached: of.reached,
        infeasible: of.untaken.infeasible,
        undecided: of.untaken.undecided,
        dropped: of.untaken.dropped,
        waiting: of.untaken.waiting,
    };
    let mut files: BTreeMap<String, Vec<BranchRecord>> = BTreeMap::new();
    for of in branches.iter().filter(|of| of.at.line != 0) {
        let record = BranchRecord {
            line: of.at.line,
            column: of.at.column,
            function: of.function.clone(),
            sides: of.sides.iter().map(side).collect(),
        };
        files.entry(of.at.file.clone()).or_default().push(record);
    }
    // The sort is stable: branches at one position, such as a macro's, keep the
    // program's order.
    files.values_mut().for_each(|branches| branches.sort_by_key(|it| (it.line, it.column)));
    BranchesRecord { schema: SCHEMA, files }
}

pub fn job(job: &WorkerTotals) -> JobRecord {
    JobRecord {
        paths: job.paths,
        instructions: job.instructions,
        forks: job.forks,
        queries: job.queries,
        given: job.given,
        taken: job.taken,
        followed: job.followed,
        diverged: job.diverged,
        idle_ms: job.idle.as_millis() as u64,
    }
}

pub fn shares(shares: &PortfolioShares) -> SharesRecord {
    let slice = |shares: &Vec<MemberShare>| SliceRecord {
        work: shares.iter().map(|share| share.work.0).collect(),
        gained: shares.iter().map(|share| share.gained).collect(),
    };
    SharesRecord {
        search: shares.name.clone(),
        members: shares.members.clone(),
        width: shares.width.0,
        slices: shares.slices.iter().map(slice).collect(),
    }
}

pub fn seed_settings(corpus: &Corpus) -> SeedSettings {
    SeedSettings {
        directories: corpus.directories.iter().map(|dir| dir.as_os_str().into()).collect(),
        count: corpus.seeds.len() as u64,
        digest: corpus.digest.to_string(),
    }
}

pub fn seed_counts(corpus: &Corpus, totals: &byway_engine::SeedTotals) -> SeedCounts {
    let mut unused = BTreeMap::new();
    for refused in &corpus.rejected {
        *unused.entry(refused.why.kind().to_string()).or_default() += 1;
    }
    SeedCounts {
        taken: totals.taken,
        ended: totals.ended,
        paths: totals.paths,
        resized: totals.resized,
        unmatched: totals.unmatched,
        left: by_text(&totals.left),
        unused,
        doubles: corpus.duplicates,
    }
}
