//! `--campaign`: several runs of one program in one run directory.
//!
//! ```text
//! file ──[`read`]──┐
//! name ──[`ready`]─┼─▶ plan ─▶ Campaign: the options of each run ─▶ run, run, ... ─▶ summary
//! manifest ────────┘               [`budget`]: the limits of each ──┘
//! ```
//!
//! Each run explores from the program's start and knows what the runs before it covered and which
//! paths ended. To the run directory, runs are sittings of one run: so a path counts once, and
//! `--resume` goes on with a campaign as with any run.

mod budget;
mod next_run;
mod options;
mod read;
mod ready;
mod repeat;

use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::time::Instant;

use byway_base::quantity::{percent, plural, time};
use byway_rundir::{CampaignRecord, EndReason, PlannedRunRecord, RunSummary};
use cpu_time::ProcessTime;

use super::config::RunConfig;
use super::resume::{CompletedLine, ResumedCommand};
use super::session::RunSession;
use super::start::RunStart;
use super::{ExploredRun, explore_from, manifest, prepare, process_memory, requirements};
use crate::console;
use crate::failure::{Failure, Result};
use crate::report;
use budget::{Amounts, CampaignBudget, RunDemand};
use next_run::NextRun;
pub use ready::help;

/// A campaign with the options of each run.
#[derive(Clone)]
pub struct Campaign {
    pub plan: CampaignRecord,
    /// The options of the runs; their shared limits are set when they begin.
    runs: Vec<RunConfig>,
    budget: CampaignBudget,
}

/// The plan of the campaign that a command line names or goes on with. `seed` is that of the
/// command line.
pub fn plan(name: Option<&str>, line: &CompletedLine, seed: u64) -> Result<Option<CampaignRecord>> {
    if let Some(record) = &line.campaign {
        return Ok(Some(record.clone()));
    }
    let Some(name) = name else { return Ok(None) };
    if let Some(ready) = ready::find(name, seed) {
        return ready.map(Some);
    }
    let path = Path::new(name);
    if !name.ends_with(".toml") && !path.exists() {
        return Err(ready::unknown(name));
    }
    let text = fs::read_to_string(path).map_err(|error| Failure::io("read", path, &error))?;
    let runs = read::read(name, &text, seed)?;
    Ok(Some(CampaignRecord { name: name.into(), runs }))
}

impl Campaign {
    /// Resolves the options of each run. `base` are those of all, and `searches` is whether the
    /// command line has `--search`.
    pub fn resolve(
        plan: CampaignRecord,
        base: &RunConfig,
        line: &CompletedLine,
        searches: bool,
    ) -> Result<Campaign> {
        requirements::check_campaign(base)?;
        let whole = budget::shared_of(&base.explore.limits);
        let is_ready = ready::find(&plan.name, 0).is_some();
        if is_ready && whole.iter().all(Option::is_none) {
            return Err(Failure::new(format!("--campaign {} needs a limit to share", plan.name))
                .hint("set --max-time, --max-cpu or --max-work for all its runs together"));
        }
        if searches && line.resume.is_none() && plan.runs.iter().all(|run| run.gives("--search")) {
            return Err(Failure::new(format!(
                "--search has no effect: every run of '{}' has its own",
                plan.name
            ))
            .hint("omit --search"));
        }
        let whole = match &line.resume {
            None => whole,
            Some(resumed) => next_run::limits(resumed, whole)?,
        };
        let mut runs = Vec::new();
        let mut demands = Vec::new();
        for (index, run) in plan.runs.iter().enumerate() {
            let resolved = resolve_run(run, base, line);
            let mut config = resolved.map_err(|why| why.within(&title(&plan, index)))?;
            demands.push(RunDemand::new(run, budget::shared_of(&config.explore.limits)));
            let directory = config.log_queries.take();
            config.log_queries = directory.map(|it| it.join(format!("run-{}", index + 1)));
            runs.push(config);
        }
        let budget = CampaignBudget::new(whole, demands);
        for (index, config) in runs.iter_mut().enumerate() {
            let limits = budget.limits(index, Amounts::default());
            budget::set_shared(&mut config.explore.limits, limits);
        }
        Ok(Campaign { plan, runs, budget })
    }

    /// An error if a run cannot work with its options.
    fn check(&self) -> Result<()> {
        for (index, config) in self.runs.iter().enumerate() {
            let checked = requirements::check_campaign(config)
                .and_then(|()| requirements::check_searchers(config))
                .and_then(|()| requirements::check_targets(config, true));
            checked.map_err(|why| why.within(&title(&self.plan, index)))?;
        }
        Ok(())
    }

    /// The options of a run that begins when so much of the limits is used.
    fn run_after(&self, index: usize, used: Amounts) -> RunConfig {
        let mut config = self.runs[index].clone();
        let limits = &mut config.explore.limits;
        budget::set_shared(limits, self.budget.limits(index, used));
        limits.processor_time_from = ProcessTime::now().as_duration();
        config
    }

    /// The options given for a run, in addition to those of the campaign.
    fn given(&self, index: usize, resumed: Option<&ResumedCommand>) -> Vec<OsString> {
        let own = self.plan.runs[index].options.iter().map(OsString::from);
        own.chain(resumed.into_iter().flat_map(|resumed| resumed.options.clone())).collect()
    }
}

/// The options of a run.
fn resolve_run(
    run: &PlannedRunRecord,
    base: &RunConfig,
    line: &CompletedLine,
) -> Result<RunConfig> {
    let mut flags = options::parse(line.words_of_run(&run.options)).map_err(Failure::new)?;
    // The seeds were read for the campaign.
    flags.run.seed_dir.clear();
    flags.run.learn_from.clear();
    let config = RunConfig::resolve_options(flags)?;
    let mut config = RunConfig { seeds: base.seeds.clone(), output: base.output.clone(), ..config };
    config.explore.seeds = base.explore.seeds.clone();
    config.learn_from = base.learn_from.clone();
    Ok(config)
}

/// What messages call a run.
fn title(plan: &CampaignRecord, index: usize) -> String {
    let label = plan.runs.get(index).map_or(String::new(), PlannedRunRecord::label);
    let label = match label.as_str() {
        "" => label,
        _ => format!(" ({})", report::visible(&label)),
    };
    format!("run {} of {}{label}", index + 1, plan.runs.len())
}

/// Explores a program in the runs of a campaign; the exit code reports whether faults were found.
pub fn run(config: &RunConfig, campaign: &Campaign) -> Result<u8> {
    campaign.check()?;
    let program = prepare(config)?;
    let manifest = manifest::describe(config, &program.loaded, None)?;
    let resumed = config.resume.as_ref();
    let NextRun { mut index, mut start } = match resumed {
        None => NextRun { index: 0, start: RunStart::create(config, &manifest, &program.loaded)? },
        Some(resumed) => next_run::find(campaign, resumed, &manifest)?,
    };
    let count = campaign.runs.len();
    let mut session = RunSession::default();
    let earlier_work = start.earlier.as_ref().map_or(0, |earlier| earlier.totals.work);
    let mut used = used_since(&session, 0);
    loop {
        session.position = Some((index + 1, count));
        let before = RunCounts::before(&start);
        let limited = campaign.run_after(index, used);
        let explored = explore_from(start, &limited, &program, &[], None, session)?;
        let title = title(&campaign.plan, index);
        console::say(&format!("byway: {title}: {}", before.line(&explored)));
        used = used_since(&explored.session, explored.summary.totals.work - earlier_work);
        let is_last = index + 1 == count || campaign.budget.is_used_up(used);
        if is_last || ends_campaign(&explored.summary) {
            console::say_raw(&explored.report);
            say_what_is_left(&explored, index, count);
            return Ok(explored.exit_code);
        }
        // The next run measures the memory of the process.
        process_memory::return_free();
        index += 1;
        let given = campaign.given(index, resumed);
        start = RunStart::new_run(&campaign.runs[index], &explored.dir, &given, index as u64 + 1)?;
        session = explored.session;
    }
}

/// What this process has used of the limits, with so much work.
fn used_since(session: &RunSession, work: u64) -> Amounts {
    let time = budget::micros(session.began().elapsed());
    [time, budget::micros(ProcessTime::now().as_duration()), work]
}

/// Whether no other run follows one that ended so.
fn ends_campaign(summary: &RunSummary) -> bool {
    let ends = matches!(
        summary.ended,
        EndReason::Interrupted
            | EndReason::WriteFailed
            | EndReason::MaxTests
            | EndReason::MaxFaults
    );
    summary.complete || ends
}

/// Says what `--resume` would do.
fn say_what_is_left(explored: &ExploredRun, index: usize, count: usize) {
    let rest = next_run::after(&explored.summary, index, count);
    let what = match (explored.has_checkpoint, rest) {
        (_, Some(next)) if next != index => format!("begins run {} of {count}", next + 1),
        (true, Some(_)) => format!("goes on with the states left by run {}", index + 1),
        _ => return,
    };
    let dir = explored.dir.display();
    console::say(&format!("byway: 'byway run --resume {dir}' {what}"));
}

/// What the runs before one had found.
struct RunCounts {
    paths: u64,
    tests: u64,
    began: Instant,
}

impl RunCounts {
    fn before(start: &RunStart) -> RunCounts {
        let before = start.earlier.as_ref().map(|earlier| &earlier.before);
        RunCounts {
            paths: before.map_or(0, |before| before.paths.len() as u64),
            tests: before.map_or(0, |before| before.tests),
            began: Instant::now(),
        }
    }

    /// What a run added.
    fn line(&self, explored: &ExploredRun) -> String {
        let summary = &explored.summary;
        let paths = summary.totals.path_count().saturating_sub(self.paths);
        let tests = summary.tests.saturating_sub(self.tests);
        let coverage = summary.totals.coverage;
        let lines = match coverage.lines_total {
            0 => String::new(),
            all => format!(", {} of lines", percent(coverage.lines.into(), all.into())),
        };
        format!(
            "{}, {}{lines}, {}",
            plural(paths, "new path"),
            plural(tests, "test"),
            time(self.began.elapsed())
        )
    }
}
