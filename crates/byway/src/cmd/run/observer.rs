//! Observes an exploration: writes every path into the run directory as it ends, reports
//! faults when they are first found, and decides when to stop.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use byway_base::{Outcome, ProcessMemory};
use byway_engine::{
    CheckpointChanges, Control, Exploration, Observer, PathEnd, StopReason, Totals,
    UnfinishedTests, WorkerTotals,
};
use byway_progress::ProgressMode;
use byway_rundir::{
    CheckpointRecord, EndReason, FaultRecord, JobRecord, OutcomeRecord, PathRecord, RunDirError,
    RunSummary, RunWriter, SCHEMA, SampleRecord, SeedCounts, SittingRecord, TotalsRecord,
};
use byway_solver::{Layer, SolverClock};

use crate::cmd::run::config::{RunConfig, TestPolicy};
use crate::cmd::run::faults::{CountedFault, Faults};
use crate::cmd::run::listener::{ListenedPath, RunListener};
use crate::cmd::run::process_memory::ThisProcess;
use crate::cmd::run::progress::{RunProgress, RunProgressLine};
use crate::cmd::run::session::RunSession;
use crate::cmd::run::start::EarlierSittings;
use crate::cmd::run::{ExploredRun, knowledge, process_memory, records};
use crate::console::{self, Style};
use crate::entry::{InputReporter, harness};
use crate::exit;
use crate::failure::{Failure, Result};
use crate::interrupt;
use crate::report::{self, RunDetails};
use byway_base::quantity::plural;

/// Writing the tests of more states than this takes a while.
const MANY_STATES: u64 = 5_000;

/// The maximum delay of writing the record of a path without a test.
const LONGEST_WAIT: Duration = Duration::from_millis(100);

/// Errors of the solver that are not yet printed.
pub type SolverErrors = Arc<Mutex<Vec<String>>>;

pub struct RunObserver<'a> {
    config: &'a RunConfig,
    writer: RunWriter,
    style: Style,
    live: RunProgressLine,
    faults: Faults,
    tests: u64,
    session: RunSession,
    /// Describes inputs, if the run starts in a function.
    inputs: Option<InputReporter<'a>>,
    solver_errors: SolverErrors,
    /// When statistics were last written.
    sampled: Instant,
    /// When path records were last flushed.
    handed_over: Instant,
    process: Arc<dyn ProcessMemory>,
    /// The exploration has begun.
    begun: bool,
    /// The reason to stop the run, if any.
    stop: Option<EndReason>,
    /// The error after which nothing more is written.
    failure: Option<RunDirError>,
    /// The sittings before this one, if the run goes on.
    earlier: Earlier,
    /// The record of this sitting, until the exploration has begun.
    sitting: Option<SittingRecord>,
    /// What shows the run, if Byway's own messages do not.
    listener: Option<Box<dyn RunListener>>,
}

/// What the sittings before this one did.
#[derive(Default)]
struct Earlier {
    totals: TotalsRecord,
    /// Paths by outcome kind.
    paths: BTreeMap<String, u64>,
    /// Truncated paths whose states go on, or are explored again.
    continued: u64,
    max_process_memory: u64,
    unnamed_tests: Vec<(u64, String)>,
    sittings: u64,
}

impl Observer for RunObserver<'_> {
    fn path(&mut self, path: &PathEnd, totals: &Totals) -> Control {
        self.begin();
        let recorded = match self.failure {
            None => self.record(path, totals),
            Some(_) => Ok(()),
        };
        self.stop_on_failure(recorded);
        self.poll(totals)
    }

    fn tick(&mut self, totals: &Totals) -> Control {
        self.poll(totals)
    }

    fn checkpoint(&mut self, changes: CheckpointChanges, totals: &Totals) {
        if self.failure.is_some() {
            return;
        }
        let CheckpointChanges { worker, learnt, shapes, added, removed } = changes;
        let totals = self.totals(totals);
        let record = CheckpointRecord { totals, shapes, added, removed };
        let written = self.writer.add_checkpoint(record).and_then(|()| match learnt {
            Some(learnt) => {
                self.writer.set_learnt(worker as u64, knowledge::records(worker, learnt))
            }
            None => Ok(()),
        });
        self.stop_on_failure(written);
    }

    fn process(&self) -> Option<Arc<dyn ProcessMemory>> {
        Some(Arc::clone(&self.process))
    }

    fn message(&mut self, text: &str) {
        if !self.session.messages.is_new(text) {
            return;
        }
        match &mut self.listener {
            Some(listener) => listener.message(text),
            None => self.say(&format!("byway: {}\n", report::visible(text))),
        }
    }
}

impl<'a> RunObserver<'a> {
    /// An observer that writes results to `writer`.
    pub fn new(config: &'a RunConfig, mut writer: RunWriter, solver_errors: SolverErrors) -> Self {
        writer.limit_test_files(config.test_files);
        let session = RunSession::default();
        let now = Instant::now();
        RunObserver {
            sampled: now,
            handed_over: now,
            live: RunProgressLine::new(ProgressMode::for_stderr(), session.began()),
            config,
            writer,
            style: Style::new(config.load.color),
            faults: Faults::default(),
            tests: 0,
            session,
            inputs: None,
            solver_errors,
            process: Arc::new(ThisProcess::default()),
            begun: false,
            stop: None,
            failure: None,
            earlier: Earlier::default(),
            sitting: None,
            listener: None,
        }
    }

    /// The run is one of several in this process.
    pub fn within(self, session: RunSession) -> Self {
        let live = RunProgressLine::new(ProgressMode::for_stderr(), session.began());
        RunObserver { live, session, ..self }
    }

    /// The run goes on.
    pub fn after(mut self, earlier: EarlierSittings) -> Self {
        let EarlierSittings { before, totals, is_new_start, sitting } = earlier;
        let paths = TotalsRecord { paths: before.outcomes, ..TotalsRecord::default() };
        let continued = match is_new_start {
            true => paths.truncated_paths(),
            false => {
                let stopped = paths.paths_of("interrupted") + paths.paths_of("out-of-budget");
                stopped.saturating_sub(totals.lost.too_long)
            }
        };
        self.faults = Faults::of_earlier(&before.faults, &before.fault_counts);
        self.tests = before.tests;
        self.sitting = Some(sitting);
        let last = before.last.unwrap_or_default();
        self.earlier = Earlier {
            totals,
            paths: paths.paths,
            continued,
            max_process_memory: last.max_process_memory,
            unnamed_tests: before.unnamed_tests,
            sittings: before.sittings,
        };
        self
    }

    /// Another tool's messages show the run.
    pub fn shown_by(mut self, listener: Option<Box<dyn RunListener>>) -> Self {
        if listener.is_some() {
            self.live = RunProgressLine::new(ProgressMode::Hidden, self.session.began());
        }
        RunObserver { listener, ..self }
    }

    /// The run starts in a function.
    pub fn with_inputs(self, inputs: Option<InputReporter<'a>>) -> Self {
        RunObserver { inputs, ..self }
    }

    /// The run could not begin: removes its directory if that is empty.
    pub fn discard(self) {
        if !self.begun {
            self.writer.discard();
        }
    }

    /// The exploration has begun: it reports something for the first time.
    fn begin(&mut self) {
        if std::mem::replace(&mut self.begun, true) {
            return;
        }
        self.writer.link_as_last();
        let begun = self.sitting.take().map_or(Ok(()), |it| self.writer.begin_sitting(&it));
        self.stop_on_failure(begun);
        let dir = self.writer.dir();
        let begun = self.listener.as_mut().map_or(Ok(()), |listener| listener.begin(dir));
        self.stop_on_failure(begun);
    }

    /// Checks the clock and Ctrl-C.
    fn poll(&mut self, totals: &Totals) -> Control {
        self.begin();
        self.report_solver_errors();
        let now = Instant::now();
        if now - self.handed_over >= LONGEST_WAIT && self.failure.is_none() {
            self.handed_over = now;
            let written = self.writer.flush();
            self.stop_on_failure(written);
        }
        if now - self.sampled >= self.config.stats_interval && self.failure.is_none() {
            self.sampled = now;
            let written = self.sample(totals, None, &[]);
            self.stop_on_failure(written);
        }
        let (tests, faults) = (self.tests, self.faults.distinct());
        let earlier_paths: u64 = self.earlier.paths.values().sum();
        let run = self.session.position;
        self.live.update(now, || RunProgress {
            run,
            states: totals.states,
            paths: totals.path_count() + earlier_paths,
            tests,
            faults,
            lines: totals.coverage.lines,
            lines_total: totals.coverage.lines_total,
            queries: totals.solver.queries,
            targets: (totals.targets.open > 0)
                .then_some((totals.targets.open, totals.targets.nearest)),
        });
        if interrupt::requested() && self.stop.is_none() {
            self.stop = Some(EndReason::Interrupted);
            if let Some(listener) = &mut self.listener {
                listener.interrupted();
            } else if self.config.explore.unfinished_tests == UnfinishedTests::All
                && totals.states > MANY_STATES
            {
                let states = plural(totals.states, "state");
                self.say(&format!(
                    "byway: stopping: {states} left, writing their tests; press Ctrl-C again to end at once\n"
                ));
            }
        }
        match self.stop {
            Some(_) => Control::Stop,
            None => Control::Continue,
        }
    }

    /// Stops the run if a write failed. Nothing more is written, because the last line may be
    /// incomplete.
    fn stop_on_failure(&mut self, written: byway_rundir::Result<()>) {
        if let Err(failure) = written {
            self.failure.get_or_insert(failure);
            self.stop = Some(EndReason::WriteFailed);
        }
    }

    fn record(&mut self, path: &PathEnd, totals: &Totals) -> byway_rundir::Result<()> {
        let fault = match &path.outcome {
            Outcome::Fault(fault) => Some((fault.as_ref(), self.faults.count(fault))),
            _ => None,
        };
        let new = fault.is_some_and(|(_, found)| found.new);
        let shape = self.inputs.as_ref().zip(path.shape.as_deref());
        let tree = shape.map(|(inputs, shape)| inputs.tree(shape));
        let test = match &path.test {
            Some(test) if self.wants_test(path, new) => {
                if let (Some((inputs, shape)), Some(tree)) = (shape, &tree) {
                    let name = harness::file_name(&byway_rundir::test_name(path.number));
                    self.writer.add_harness(&name, inputs.harness(shape, path.number, tree));
                }
                let must_be_file = new || shape.is_some();
                self.writer.add_test(path.number, test, must_be_file).map(Some)
            }
            _ => Ok(None),
        };
        self.tests += u64::from(matches!(test, Ok(Some(_))));
        // A fault is reported even if it cannot be written.
        let name = test.as_ref().ok().and_then(|name| name.clone());
        if let Some((fault, CountedFault { id, new: true })) = fault {
            let mut record = FaultRecord::new(id, fault, path.number, name.clone());
            record.under_constrained = self.inputs.is_some();
            if self.listener.is_none() {
                self.report_fault(fault, path, tree.as_deref(), name.as_deref());
            }
            self.faults.record(record);
        }
        test?;
        if let Some(record) = self.faults.records().last()
            && new
        {
            self.writer.add_fault(record.clone())?;
        }
        if let Some(listener) = &mut self.listener {
            let fault = fault.map(|(fault, found)| (fault, found.new));
            let ended = ListenedPath { end: path, fault, test: name.as_deref() };
            if listener.path(&ended, &mut self.writer)? == Control::Stop {
                self.stop.get_or_insert(EndReason::MaxFaults);
            }
        }
        self.writer.add_path(PathRecord {
            path: path.number,
            test: name,
            outcome: OutcomeRecord::new(&path.outcome, fault.map_or(0, |(_, found)| found.id)),
            depth: path.depth,
            instructions: path.instructions,
            work: Some(self.earlier.totals.work + totals.work.0),
            digest: path.digest,
            newly_covered: path.newly_covered,
            covers: path.sites.clone(),
            concretised: records::by_text(&path.concretised),
            seed: path.seed.clone(),
        })?;
        if self.config.max_tests.is_some_and(|max| self.tests >= max) {
            self.stop.get_or_insert(EndReason::MaxTests);
        }
        if self.config.max_faults.is_some_and(|max| self.faults.distinct() >= max) {
            self.stop.get_or_insert(EndReason::MaxFaults);
        }
        Ok(())
    }

    fn wants_test(&self, path: &PathEnd, new_fault: bool) -> bool {
        let enough = self.config.max_tests.is_some_and(|max| self.tests >= max);
        !path.targets.is_empty()
            || !enough
                && match self.config.tests {
                    TestPolicy::All => {
                        self.config.tests_of_known_faults
                            || new_fault
                            || !matches!(path.outcome, Outcome::Fault(_))
                    }
                    TestPolicy::CoveringNew => path.newly_covered > 0 || new_fault,
                    TestPolicy::None => false,
                }
    }

    fn say(&mut self, text: &str) {
        self.live.clear();
        console::say_raw(text);
    }

    fn report_fault(
        &mut self,
        fault: &byway_base::Fault,
        path: &PathEnd,
        tree: Option<&[String]>,
        test: Option<&str>,
    ) {
        let mut text = report::render_fault(fault, self.style);
        match (&path.test, tree) {
            (_, Some(tree)) => text += &report::render_tree(tree, self.style),
            (Some(input), None) => text += &report::render_input(input, self.style),
            (None, None) => {}
        }
        if self.inputs.is_some() {
            let note = self.style.note("under-constrained");
            text += &format!(
                "{note}: whether a caller passes this input is unknown; --assume says what none does\n"
            );
        }
        if let Some(name) = test {
            let file = self.writer.test_path(name);
            text += &format!("{}: {}\n", self.style.note("test"), file.display());
        }
        self.say(&format!("{text}\n"));
    }

    fn report_solver_errors(&mut self) {
        let mut pending = self.solver_errors.lock().unwrap_or_else(PoisonError::into_inner);
        let solver_errors = std::mem::take(&mut *pending);
        drop(pending);
        for error in solver_errors {
            let head = self.style.error("byway: error");
            self.say(&format!("{head}: {}\n", error.trim_end()));
        }
    }

    fn sample(
        &mut self,
        totals: &Totals,
        solver: Option<&SolverClock>,
        jobs: &[WorkerTotals],
    ) -> byway_rundir::Result<()> {
        let millis = |time: Duration| time.as_secs_f64() * 1e3;
        let by_layer = |clock: &SolverClock| {
            let layers = Layer::ALL.into_iter().zip(clock.layers);
            let named = layers.map(|(layer, time)| (layer.name().to_string(), millis(time)));
            named.chain([("between".to_string(), millis(clock.between()))]).collect()
        };
        let sample = SampleRecord {
            elapsed_ms: self.session.elapsed().as_millis() as u64,
            cpu_ms: self.session.cpu_ms(),
            process_memory: process_memory::resident(),
            max_process_memory: self.most_resident(),
            tests: self.tests,
            faults: self.faults.distinct(),
            totals: self.totals(totals),
            solver_ms: solver.map(by_layer),
            jobs: jobs.iter().map(records::job).collect(),
        };
        if let Some(listener) = &mut self.listener {
            listener.sample(&sample)?;
        }
        self.writer.add_sample(sample)
    }

    /// The sums of all sittings.
    fn totals(&self, totals: &Totals) -> TotalsRecord {
        let mut all = records::totals(totals);
        if self.earlier.sittings == 0 {
            return all;
        }
        let earlier = &self.earlier;
        all.add_earlier(&earlier.totals);
        for (kind, count) in &earlier.paths {
            *all.paths.entry(kind.clone()).or_default() += count;
        }
        let campaign = all.campaign.get_or_insert_default();
        campaign.continued = earlier.continued;
        campaign.sittings = earlier.sittings + 1;
        all
    }

    fn most_resident(&self) -> u64 {
        self.earlier.max_process_memory.max(process_memory::most_resident())
    }

    /// Writes the summary; prints it only if that fails.
    pub fn finish(mut self, explored: &Exploration) -> Result<ExploredRun> {
        let elapsed = self.session.elapsed();
        self.report_solver_errors();
        if self.failure.is_none() {
            let clock = Some(&explored.solver_clock);
            let sampled = self.sample(&explored.totals, clock, &explored.jobs);
            self.stop_on_failure(sampled);
        }
        if self.failure.is_none() && explored.stop_reason == StopReason::Done {
            let unnamed = std::mem::take(&mut self.earlier.unnamed_tests);
            let ended = self.writer.end_checkpoints(unnamed);
            self.stop_on_failure(ended);
        }
        let (tests, closed) = self.writer.close();
        self.stop_on_failure(closed);
        self.tests = tests;
        let coverage = records::coverage(&explored.lines);
        let summary = self.summary(explored);
        let branches = records::branches(&explored.branches);
        let finished = self.writer.finish(&summary, &coverage, &branches);
        self.stop_on_failure(finished);
        if let Some(listener) = &mut self.listener {
            let shown = listener.finish(self.writer.dir(), &summary, explored);
            self.stop_on_failure(shown);
        }
        let summary = self.summary(explored);

        let jobs: Vec<JobRecord> = explored.jobs.iter().map(records::job).collect();
        let facts = RunDetails {
            dir: self.writer.dir(),
            program: None,
            coverage: Some(&coverage),
            faults: self.faults.records(),
            elapsed: Some(elapsed),
            sampled: true,
            process_memory: Some(self.most_resident()),
            solver_ms: None,
            jobs: &jobs,
            shares: &[],
        };
        let mut text = report::render_run(&summary, &facts, self.style);
        for (message, count) in self.session.messages.repeated() {
            let times = plural(count, "time");
            text += &format!("byway: reported {times}:  {}\n", report::visible(message));
        }
        let code = exit_code(&summary, self.config.require_complete);
        if code == exit::INCOMPLETE {
            text += &report::render_incomplete(&summary);
        }
        let has_checkpoint = self.writer.has_checkpoint();
        if has_checkpoint && self.session.position.is_none() {
            let dir = self.writer.dir().display();
            text += &format!("byway: 'byway run --resume {dir}' goes on with the states left\n");
        }
        self.live.clear();
        match self.failure {
            Some(failure) => {
                console::say_raw(&text);
                Err(not_written(failure, self.writer.dir(), self.tests))
            }
            None => Ok(ExploredRun {
                exit_code: code,
                dir: self.writer.dir().to_path_buf(),
                summary,
                targets: explored.targets.clone(),
                report: text,
                has_checkpoint,
                session: self.session,
            }),
        }
    }

    /// What became of the seeds. A run that goes on with states has followed them before.
    fn seeds(&self, explored: &Exploration) -> Option<SeedCounts> {
        let corpus = self.config.seeds.as_ref()?;
        let counts = records::seed_counts(corpus, &explored.totals.seeds);
        (self.config.resume.is_none() || counts.taken > 0).then_some(counts)
    }

    fn summary(&self, explored: &Exploration) -> RunSummary {
        let totals = self.totals(&explored.totals);
        let ended = match (explored.stop_reason, self.stop) {
            (_, Some(EndReason::WriteFailed)) => EndReason::WriteFailed,
            // A stop request after the last state has no effect.
            (StopReason::Done, _) if totals.nothing_lost() => EndReason::Done,
            (why, stop) => stop.unwrap_or(records::ended(why)),
        };
        RunSummary {
            schema: SCHEMA,
            ended,
            complete: ended == EndReason::Done && totals.nothing_lost(),
            tests: self.tests,
            faults: self.faults.counts(),
            totals,
            seeds: self.seeds(explored),
            shares: explored.portfolio_shares.iter().map(records::shares).collect(),
            markov: explored.markov.as_ref().map(records::markov),
            differences: None,
        }
    }
}

/// The results could not be written to the end.
fn not_written(failure: RunDirError, dir: &Path, tests: u64) -> Failure {
    let kept = format!("the results written so far are in '{}'", dir.display());
    if !failure.is_disk_full() {
        return Failure::from(failure).hint(kept);
    }
    let tests = plural(tests, "test");
    Failure::new(format!("no space left on the disk of '{}' ({tests} written)", dir.display()))
        .detail(failure.message())
        .hint(format!("{kept}; free some space, or name a directory elsewhere with --output-dir"))
}

/// Whether every path ended at an unsupported feature: then nothing is known about the program.
fn is_all_unsupported(paths: &BTreeMap<String, u64>) -> bool {
    !paths.is_empty() && paths.iter().all(|(kind, &count)| kind == "unsupported" || count == 0)
}

fn exit_code(summary: &RunSummary, require_complete: bool) -> u8 {
    let internal_errors = !summary.totals.lost.internal_errors.is_empty();
    if internal_errors || summary.totals.solver.disagreements > 0 {
        exit::BUG
    } else if summary.ended == EndReason::Interrupted {
        exit::INTERRUPTED
    } else if !summary.faults.is_empty() {
        exit::FAULT
    } else if is_all_unsupported(&summary.totals.paths) {
        exit::UNSUPPORTED
    } else if require_complete && !summary.complete {
        exit::INCOMPLETE
    } else {
        exit::SUCCESS
    }
}
