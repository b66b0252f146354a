//! Where the results of all workers arrive. [`Coordinator`] owns the numbers of paths, the
//! coverage report and the observer.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Duration;

use byway_ir::Module;
use byway_search::PortfolioShares;
use byway_solver::SolverClock;

use super::super::known_paths::KnownPaths;
use super::super::reduce::SharedReduction;
use super::super::{
    Control, Exploration, ExploreConfig, MarkovRewards, Observer, PathEnd, PrecedingFault,
    StopReason, TargetOutcome, Totals,
};
use super::exchange::{Exchange, SiteSet};
use super::totals::{self, WorkerTotals};
use super::worker_sink::WorkerReport;
use crate::bytecode::value_log::RecordedValues;
use crate::coverage::{BranchCoverage, Coverage, CoverageReport, Tracker, user_sites};

/// The longest time between two calls of the observer.
const TICK: Duration = Duration::from_millis(50);

/// Numbers paths, credits coverage, and informs the observer.
pub(in super::super) struct Coordinator<'a> {
    pub observer: &'a mut dyn Observer,
    report: CoverageReport,
    /// Which sites the tests of all workers cover.
    tracker: Tracker,
    paths: u64,
    targets: Vec<TargetOutcome>,
    /// The latest totals of each worker.
    workers: Vec<Totals>,
    /// The totals of all workers.
    totals: Totals,
}

/// What one worker returns.
pub(in super::super) struct WorkerResult {
    pub totals: Totals,
    pub stop_reason: StopReason,
    pub branches: Vec<BranchCoverage>,
    pub solver_clock: SolverClock,
    pub worker: WorkerTotals,
    pub portfolio_shares: Vec<PortfolioShares>,
    pub markov: Option<MarkovRewards>,
    pub targets: WorkerTargets,
    pub values: Option<RecordedValues>,
}

/// What a worker knows of the targets, by their number; empty lists if nothing.
#[derive(Default)]
pub(in super::super) struct WorkerTargets {
    /// Whether a path of the control flow graph leads there from the start.
    pub reachable: Vec<bool>,
    /// Whether a state that is left may still reach it.
    pub pending: Vec<bool>,
    /// A fault that ended a path before it.
    pub preceding_faults: Vec<Option<PrecedingFault>>,
}

impl<'a> Coordinator<'a> {
    /// A coordinator and the exchange of its workers.
    pub fn new(
        module: &Module,
        config: &ExploreConfig,
        workers: usize,
        observer: &'a mut dyn Observer,
    ) -> (Coordinator<'a>, Exchange) {
        let sites = if config.engine.coverage { user_sites(module) } else { Vec::new() };
        let process = observer.process();
        let mut coordinator = Coordinator {
            observer,
            report: CoverageReport::new(module, &sites),
            tracker: Tracker::new(sites.len()),
            paths: config.resume.as_ref().map_or(0, |point| point.last_path),
            targets: vec![TargetOutcome::default(); config.targets.len()],
            workers: vec![Totals::default(); workers],
            totals: Totals::default(),
        };
        let covered = config.resume.iter().flat_map(|point| point.covered_of(sites.len()));
        for (site, path) in covered {
            coordinator.tracker.credit_one(site);
            coordinator.report.credit(&[site], path);
        }
        let targets = config.targets.len();
        let mut exchange = Exchange::new(workers, sites.len(), targets, process);
        let reduction = config.reduction.map(|it| SharedReduction::new(it, module));
        exchange.reduction = reduction.map(Arc::new);
        if let Some(point) = &config.resume {
            exchange.paths = KnownPaths::of(point);
        }
        (coordinator, exchange)
    }

    /// Numbers a path, credits the sites that its test covers, and reports it. Brings the
    /// coverage in `totals` up to date.
    pub fn accept(&mut self, path: PathEnd, sites: Vec<u32>, totals: &mut Totals) -> Control {
        let path = self.number(path, sites, None);
        totals.coverage = self.report.totals();
        self.observer.path(&path, totals)
    }

    /// `credited` are the sites that other workers should know to be covered.
    fn number(
        &mut self,
        mut path: PathEnd,
        mut sites: Vec<u32>,
        credited: Option<&SiteSet>,
    ) -> PathEnd {
        self.paths += 1;
        path.number = self.paths;
        sites.retain(|&site| self.tracker.credit_one(site));
        if let Some(credited) = credited {
            sites.iter().for_each(|&site| credited.add(site));
        }
        path.targets.retain(|&target| {
            let result = self.targets.get_mut(target as usize);
            result.is_some_and(|it| it.path.replace(it.path.unwrap_or(path.number)).is_none())
        });
        path.newly_covered = self.report.credit(&sites, self.paths);
        path.sites = sites;
        path
    }

    pub fn coverage(&self) -> Coverage {
        self.report.totals()
    }

    /// Receives the reports of workers on other threads until all are gone.
    pub(super) fn listen(&mut self, exchange: &Exchange, receiver: &Receiver<WorkerReport>) {
        loop {
            let control = match receiver.recv_timeout(TICK) {
                Ok(report) => self.receive(exchange, report),
                Err(RecvTimeoutError::Timeout) => self.observer.tick(&self.totals),
                Err(RecvTimeoutError::Disconnected) => return,
            };
            if control == Control::Stop && !exchange.is_stopped() {
                exchange.stop(StopReason::Stopped);
            }
        }
    }

    fn receive(&mut self, exchange: &Exchange, report: WorkerReport) -> Control {
        self.workers[report.worker] = report.totals;
        self.add_up();
        report.messages.iter().for_each(|text| self.observer.message(text));
        let mut control = match report.paths.is_empty() {
            true => self.observer.tick(&self.totals),
            false => Control::Continue,
        };
        for (path, sites) in report.paths {
            let path = self.number(path, sites, Some(&exchange.credited));
            self.totals.coverage = self.report.totals();
            if self.observer.path(&path, &self.totals) == Control::Stop {
                control = Control::Stop;
            }
        }
        if let Some(changes) = report.checkpoint {
            self.observer.checkpoint(changes, &self.totals);
        }
        control
    }

    fn add_up(&mut self) {
        let sums = totals::sum(&self.workers);
        self.totals = Totals {
            coverage: self.report.totals(),
            max_states: self.totals.max_states.max(sums.max_states).max(sums.states),
            max_memory: self.totals.max_memory.max(sums.max_memory).max(sums.memory),
            ..sums
        };
    }

    /// The result of all workers.
    pub fn finish(mut self, exchange: &Exchange, mut results: Vec<WorkerResult>) -> Exploration {
        let recorded = results.iter_mut().filter_map(|worker| worker.values.take());
        let values = recorded.reduce(|mut all, other| {
            all.add(other);
            all
        });
        self.workers = results.iter().map(|worker| worker.totals.clone()).collect();
        self.add_up();
        let mut clock = SolverClock::default();
        results.iter().for_each(|worker| clock.add(&worker.solver_clock));
        let own_reason = results.first().map(|worker| worker.stop_reason);
        let stop_reason = exchange.stop_reason().or(own_reason).unwrap_or(StopReason::Done);
        let is_single = results.len() == 1;
        for found in results.iter().map(|worker| &worker.targets) {
            let WorkerTargets { reachable, pending, preceding_faults } = found;
            for (target, &reachable) in self.targets.iter_mut().zip(reachable) {
                target.is_statically_unreachable = !reachable;
            }
            for (target, &pending) in self.targets.iter_mut().zip(pending) {
                target.is_pending |= pending && target.path.is_none();
            }
            for (target, fault) in self.targets.iter_mut().zip(preceding_faults) {
                if target.path.is_none() && target.preceding_fault.is_none() {
                    target.preceding_fault.clone_from(fault);
                }
            }
        }
        // States that were on their way to another worker are in no frontier.
        if !is_single && stop_reason != StopReason::Done {
            self.targets.iter_mut().for_each(|target| target.is_pending |= target.path.is_none());
        }
        Exploration {
            stop_reason,
            lines: self.report.lines(),
            branches: self.branches(&results),
            solver_clock: clock,
            portfolio_shares: sum_of_shares(&results),
            markov: results.first().and_then(|first| first.markov.clone()),
            jobs: match is_single {
                true => Vec::new(),
                false => results.into_iter().map(|result| result.worker).collect(),
            },
            targets: self.targets,
            totals: self.totals,
            values,
        }
    }

    /// The branch statistics of all workers, with the paths that cover each side first.
    fn branches(&self, results: &[WorkerResult]) -> Vec<BranchCoverage> {
        let mut branches = results.first().map_or(Vec::new(), |first| first.branches.clone());
        for other in results.iter().skip(1) {
            branches.iter_mut().zip(&other.branches).for_each(|(sum, other)| sum.add(other));
        }
        for side in branches.iter_mut().flat_map(|branch| &mut branch.sides) {
            side.first_path = self.report.first_path(side.site);
        }
        branches
    }
}

/// How the searchers of all workers shared the work.
fn sum_of_shares(results: &[WorkerResult]) -> Vec<PortfolioShares> {
    let mut sum = results.first().map_or(Vec::new(), |first| first.portfolio_shares.clone());
    for other in results.iter().skip(1) {
        sum.iter_mut().zip(&other.portfolio_shares).for_each(|(sum, other)| sum.add(other));
    }
    sum
}
