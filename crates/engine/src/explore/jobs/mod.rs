//! Several workers that share one exploration.
//!
//! ```text
//! worker 0 ─┐  News: paths that ended, sums          ┌─→ Observer
//! worker 1 ─┼───────────────────────────→ coordinator┤
//! worker n ─┘                                        └─→ stop
//!    └──────────── Exchange: work as traces, coverage ──────────┘
//! ```
//!
//! A worker is a whole exploration on a thread of its own: program, terms, solver,
//! searcher, states; none of it is shared, and nothing of it is locked. What moves is a
//! [`trace`]: how to come to a state. The receiver goes there by itself ([`moving`]),
//! which costs instructions but no queries, and little beside what the subtree behind the
//! state takes. The first worker begins with the program's start, the others with nothing.
//!
//! Paths are numbered, and what a test covers anew is decided, where they arrive: by the
//! one who coordinates, on the thread that called.
//!
//! The set of paths is that of a single worker. Their order, and so their numbers, which of
//! two tests covers a line first, and what a limit leaves unexplored, depend on how the
//! threads are scheduled.

mod exchange;
mod member;
mod moving;
mod remote;
mod totals;
mod trace;

pub(super) use member::Worker;
pub use totals::WorkerTotals;

use std::num::NonZeroUsize;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use byway_ir::Module;
use byway_search::{PortfolioShares, Searcher};
use byway_solver::SolverClock;

use super::{
    Control, Exploration, ExploreConfig, Observer, StopReason, Totals, explore, explore_for, sides,
};
use crate::Config;
use crate::coverage::{CoverageReport, Tracker};
use crate::env::{HostFile, HostFiles};
use crate::program::Program;
use exchange::Exchange;
use remote::{News, WorkerSink};

/// So many batches of paths wait to be told at the most.
const WAITING: usize = 16;

/// The observer hears something at least this often.
const TICK: Duration = Duration::from_millis(50);

/// What a main thread usually has.
const STACK: usize = 8 << 20;

/// Who explores: what each of several workers is made with, on its own thread.
pub struct WorkerPool<'a> {
    /// How many there are.
    pub jobs: NonZeroUsize,
    /// Makes a searcher for each.
    pub searcher: &'a (dyn Fn() -> Box<dyn Searcher> + Sync),
    /// How each wants its solver, by its number.
    pub solver: &'a (dyn Fn(usize) -> byway_solver::SolverOptions + Sync),
    /// The files of the host that are shown to the program.
    pub files: Option<&'a Mutex<dyn HostFiles + Send + 'a>>,
}

/// Explores a program as [`explore`] does, with several workers; one alone works on the
/// thread that called, and gives the same result each time.
pub fn explore_in_jobs(
    module: &Module,
    config: &ExploreConfig,
    team: &WorkerPool,
    observer: &mut dyn Observer,
) -> Result<Exploration, String> {
    let jobs = team.jobs.get();
    if jobs > 1 && (team.searcher)().requirements().random {
        return Err("random inputs are run by one job alone".to_string());
    }
    if jobs == 1 {
        let mut files = team.files.map(Shown);
        let files = files.as_mut().map(|files| files as &mut dyn HostFiles);
        let options = (team.solver)(0);
        return explore(module, config, &mut *(team.searcher)(), options, files, observer);
    }
    let (report, tracker) = {
        let program = Program::new(module, &Config { forks: true, ..config.engine.clone() })
            .map_err(|feature| feature.to_string())?;
        let sites = program.sites();
        (CoverageReport::new(module, sites), Tracker::new(sites.len()))
    };
    let exchange = Exchange::new(jobs, tracker.len());
    thread::scope(|scope| {
        let _alarm = Alarm(&exchange);
        let (sender, receiver) = mpsc::sync_channel(WAITING);
        let mut workers = Vec::new();
        for number in 0..jobs {
            let (exchange, sender) = (&exchange, sender.clone());
            let config = share_of(config, number, jobs);
            let work = move || work(module, &config, team, exchange, number, sender);
            let spawned = thread::Builder::new()
                .name(format!("job {}", number + 1))
                .stack_size(STACK)
                .spawn_scoped(scope, work);
            match spawned {
                Ok(worker) => workers.push(worker),
                Err(error) => return Err(format!("job {} cannot begin: {error}", number + 1)),
            }
        }
        drop(sender);
        let mut coordinator = Coordinator {
            exchange: &exchange,
            observer,
            report,
            tracker,
            workers: vec![Totals::default(); jobs],
            totals: Totals::default(),
            paths: 0,
        };
        coordinator.listen(&receiver);
        let mut ended = Vec::new();
        for worker in workers {
            match worker.join() {
                Ok(explored) => ended.push(explored?),
                // All it told was told on; it goes on as if it had happened here.
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        Ok(coordinator.finish(ended))
    })
}

/// What one of several workers may use: the first has the seeds, and memory is split.
fn share_of(config: &ExploreConfig, number: usize, jobs: usize) -> ExploreConfig {
    let mut own = config.clone();
    own.limits.memory = config.limits.memory.map(|max| max / jobs as u64);
    if number > 0 {
        own.seeds.clear();
    }
    own
}

/// The work of one worker, from beginning to end.
fn work(
    module: &Module,
    config: &ExploreConfig,
    team: &WorkerPool,
    exchange: &Exchange,
    number: usize,
    sender: mpsc::SyncSender<News>,
) -> Result<Exploration, String> {
    let _alarm = Alarm(exchange);
    let mut searcher = (team.searcher)();
    let mut files = team.files.map(Shown);
    let files = files.as_mut().map(|files| files as &mut dyn HostFiles);
    let options = (team.solver)(number);
    let mut desk = WorkerSink::new(exchange, number, sender);
    let member = Worker::new(exchange, number);
    explore_for(module, config, &mut *searcher, options, files, &mut desk, Some(member))
}

/// Tells the others when a thread leaves, be it by an error or a panic, so that nobody
/// waits for it.
struct Alarm<'a>(&'a Exchange);

impl Drop for Alarm<'_> {
    fn drop(&mut self) {
        self.0.leave();
    }
}

/// Whom workers tell: numbers paths, and tells whoever watches.
struct Coordinator<'a> {
    exchange: &'a Exchange,
    observer: &'a mut dyn Observer,
    report: CoverageReport,
    /// Which sites the tests of all workers cover.
    tracker: Tracker,
    /// The latest sums of each worker.
    workers: Vec<Totals>,
    /// The sums of all.
    totals: Totals,
    paths: u64,
}

impl Coordinator<'_> {
    /// Until all workers are gone.
    fn listen(&mut self, receiver: &Receiver<News>) {
        loop {
            let flow = match receiver.recv_timeout(TICK) {
                Ok(news) => self.hear(news),
                Err(RecvTimeoutError::Timeout) => self.observer.tick(&self.totals),
                Err(RecvTimeoutError::Disconnected) => return,
            };
            if flow == Control::Stop && !self.exchange.is_stopped() {
                self.exchange.stop(StopReason::Stopped);
            }
        }
    }

    fn hear(&mut self, news: News) -> Control {
        self.workers[news.worker] = news.totals;
        self.add_up();
        news.messages.iter().for_each(|text| self.observer.message(text));
        let mut flow = Control::Continue;
        if news.paths.is_empty() {
            flow = self.observer.tick(&self.totals);
        }
        for (mut path, sites) in news.paths {
            self.paths += 1;
            path.number = self.paths;
            path.newly_covered = self.credit(sites);
            if self.observer.path(&path, &self.totals) == Control::Stop {
                flow = Control::Stop;
            }
        }
        flow
    }

    /// The test of the path at hand covers sites, some of which are news to all.
    fn credit(&mut self, mut sites: Vec<u32>) -> u32 {
        sites.retain(|&site| self.tracker.credit_one(site));
        sites.iter().for_each(|&site| self.exchange.credited.add(site));
        let new = self.report.credit(&sites, self.paths);
        if new > 0 {
            self.totals.coverage = self.report.totals();
        }
        new
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

    /// What all of them came to.
    fn finish(mut self, ended: Vec<Exploration>) -> Exploration {
        self.workers = ended.iter().map(|worker| worker.totals.clone()).collect();
        self.add_up();
        let mut clock = SolverClock::default();
        ended.iter().for_each(|worker| clock.add(&worker.solver_clock));
        Exploration {
            stop_reason: self.exchange.why().unwrap_or(StopReason::Done),
            lines: self.report.lines(),
            branches: sides::sum(&ended, &self.report),
            solver_clock: clock,
            portfolio_shares: sum_of_ledgers(&ended),
            jobs: ended.into_iter().flat_map(|worker| worker.jobs).collect(),
            totals: self.totals,
        }
    }
}

/// How the searchers of all workers shared the work.
fn sum_of_ledgers(ended: &[Exploration]) -> Vec<PortfolioShares> {
    let mut sum = ended.first().map_or(Vec::new(), |first| first.portfolio_shares.clone());
    for other in ended.iter().skip(1) {
        sum.iter_mut().zip(&other.portfolio_shares).for_each(|(sum, other)| sum.add(other));
    }
    sum
}

/// Files of the host that several workers look at, one at a time.
struct Shown<'a>(&'a Mutex<dyn HostFiles + Send + 'a>);

impl Shown<'_> {
    fn ask<T>(&self, ask: impl FnOnce(&mut dyn HostFiles) -> T) -> T {
        ask(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl HostFiles for Shown<'_> {
    fn stat(&mut self, path: &[u8]) -> Result<HostFile, i32> {
        self.ask(|files| files.stat(path))
    }

    fn read(&mut self, path: &[u8], offset: u64, out: &mut [u8]) -> Result<usize, i32> {
        self.ask(|files| files.read(path, offset, out))
    }

    fn list(&mut self, path: &[u8], index: u64) -> Result<Option<Vec<u8>>, i32> {
        self.ask(|files| files.list(path, index))
    }

    fn link(&mut self, path: &[u8]) -> Result<Vec<u8>, i32> {
        self.ask(|files| files.link(path))
    }

    fn directory(&mut self) -> Result<Vec<u8>, i32> {
        self.ask(|files| files.directory())
    }
}

#[cfg(test)]
mod tests {
    use super::trace::{Trace, TraceBranch};
    use super::*;
    use crate::reason::UndecidedReason;
    use byway_base::{Input, InternalErrorKind, Outcome};

    /// Keeps all it is told.
    #[derive(Default)]
    struct Everything(Vec<super::super::PathEnd>);

    impl Observer for Everything {
        fn path(&mut self, path: &super::super::PathEnd, _totals: &Totals) -> Control {
            self.0.push(path.clone());
            Control::Continue
        }

        fn tick(&mut self, _totals: &Totals) -> Control {
            Control::Continue
        }

        fn message(&mut self, _text: &str) {}
    }

    /// A worker that is given nothing but this.
    fn given(parcel: Vec<Vec<u8>>) -> (Exploration, Everything) {
        let text = "bwir 1\nmodule \"test\"\nfunc user @main() -> i32 {\nb0:\n  ret 0:i32\n}\n";
        let module = byway_ir::text::parse(text).expect("it parses");
        let exchange = Exchange::new(1, 0);
        exchange.lay_out(parcel);
        let mut searcher = byway_search::build(&["dfs"]).expect("a searcher");
        let options = byway_solver::SolverOptions {
            check: false,
            log: None,
            interrupt: None,
            on_error: std::rc::Rc::new(|_| {}),
        };
        let mut told = Everything::default();
        let mut desk = super::super::desk::LocalSink::new(&mut told);
        let member = Worker::new(&exchange, 1);
        let config = ExploreConfig::default();
        let explored =
            explore_for(&module, &config, &mut *searcher, options, None, &mut desk, Some(member));
        (explored.expect("it runs"), told)
    }

    #[test]
    fn a_trace_that_leads_elsewhere_is_told_and_not_explored() {
        let input = Input { name: "x".into(), bytes: vec![1, 2] };
        let wrong = Trace { instructions: 5, digest: 7, inputs: vec![input], ..Trace::default() };
        let way = Some(TraceBranch { number: 0, pending: true });
        let undecided = Trace { way, ..wrong.clone() };
        let (done, told) = given(vec![wrong.encode(), undecided.encode(), b"nonsense".to_vec()]);
        assert_eq!((done.jobs[0].taken, done.jobs[0].diverged), (3, 3));
        let losses = &done.totals.losses;
        assert_eq!(losses.internal_errors.get(&InternalErrorKind::ReplayDiverged), Some(&1));
        assert_eq!(losses.undecided.get(&UndecidedReason::ReplayDiverged), Some(&2));
        let [path] = &told.0[..] else { panic!("{:?}", told.0) };
        assert_eq!(path.outcome.name(), "internal-error");
        assert_eq!(path.test.as_ref().expect("a test").inputs, wrong.inputs);
        assert_eq!(path.digest, 7);
    }

    #[test]
    fn a_trace_of_nothing_leads_to_the_start() {
        let (done, told) = given(vec![Trace::default().encode()]);
        // The place of the start is that of main.
        assert_eq!(done.jobs[0].diverged, 0, "{:?}", told.0);
        assert_eq!(told.0[0].outcome, Outcome::Exit(0));
    }
}
