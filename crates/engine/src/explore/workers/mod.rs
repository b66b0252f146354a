//! Workers: one exploration shared by any number of threads.
//!
//! ```text
//! worker 0 ─┐  paths that ended, totals                  ┌─→ Observer
//! worker 1 ─┼──────────────────────────→ Coordinator ────┤
//! worker n ─┘                                            └─→ stop
//!    └──────────── Exchange: work as traces, coverage ─────────┘
//! ```
//!
//! A worker is a whole exploration: program, terms, solver, searcher, states. None of it is
//! shared or locked. What moves is a [`trace`]: how to reach a state. The receiver replays it
//! ([`transfer`]), which costs instructions but no queries, and little compared to the subtree
//! behind the state. The first worker starts with the program's entry, the others with
//! nothing. The workers of a reduced exploration share its reducer, and exchange tasks
//! ([`super::reduce`]).
//!
//! Paths are numbered, and coverage is credited, where they arrive: by the [`Coordinator`], on
//! the thread that called. A single worker runs on that thread too and passes its results
//! directly; several run on threads of their own and send theirs through a channel.
//!
//! The set of paths does not depend on the number of workers; of a reduced exploration, the
//! faults, coverage and values do not. With several, the order of paths, and so their numbers,
//! which of two tests covers a line first, and what a limit leaves unexplored, depend on how the
//! threads are scheduled.

mod coordinator;
mod exchange;
mod local_sink;
mod shared_files;
mod sharing;
mod totals;
mod trace;
mod transfer;
mod worker;
mod worker_sink;

pub(super) use coordinator::{Coordinator, WorkerResult, WorkerTargets};
pub(super) use shared_files::SharedFiles;
pub use totals::WorkerTotals;
pub(super) use trace::{Trace, TraceEnd, TraceReader, put};
pub(super) use transfer::saved_trace;
pub(super) use worker::Worker;

use std::num::NonZeroUsize;
use std::rc::Rc;
use std::sync::Mutex;
use std::sync::mpsc;
use std::thread;

use byway_base::quantity::size;
use byway_expr::Pool;
use byway_ir::Module;
use byway_search::{Pruner, Searcher, SearcherRequirements};
use byway_solver::{Solver, SolverOptions};

use super::backward::{self, BackwardPlan, BackwardSearch, Direction, SilentSink};
use super::explorer::Explorer;
use super::reduce::ReducedSearch;
use super::sink::ResultSink;
use super::{Exploration, ExploreConfig, Observer, SearchStrategy};
use crate::bytecode::observation::ObservationLog;
use crate::dependence::PathLog;
use crate::env::HostFiles;
use crate::interp::Machine;
use crate::origin::PathOrigin;
use crate::program::Program;
use crate::random_inputs::InputExecutor;
use crate::{Config, DeterministicEnv, OutputReceiver, PureCall};
use exchange::Exchange;
use local_sink::LocalSink;
use worker_sink::{WorkerReport, WorkerSink};

/// Batches of paths that may wait for the coordinator.
const MAX_WAITING: usize = 16;

/// The memory that a worker needs to explore anything.
const MIN_ROOM: u64 = 16 << 20;

/// A least memory limit is a multiple of this.
const ROUNDED_TO: u64 = 10 << 20;

/// The stack of a worker's thread: as large as a main thread's usually is.
const STACK: usize = 8 << 20;

/// The workers of an exploration: how many, and what each is made of, on its own thread.
pub struct WorkerPool<'a> {
    /// The number of workers.
    pub jobs: NonZeroUsize,
    /// Makes a searcher for each worker.
    pub searcher: &'a (dyn Fn() -> Box<dyn Searcher> + Sync),
    /// Makes a pruner for each worker. `None`: only limits drop states.
    pub pruner: Option<&'a (dyn Fn() -> Box<dyn Pruner> + Sync)>,
    /// Makes the searcher that goes on if a reduction is given up. `None`: the same searcher does.
    pub unreduced: Option<&'a (dyn Fn() -> Box<dyn Searcher> + Sync)>,
    /// The solver options of a worker, by its number.
    pub solver: &'a (dyn Fn(usize) -> SolverOptions + Sync),
    /// The files of the host that are shown to the program.
    pub files: Option<&'a Mutex<dyn HostFiles + Send + 'a>>,
    /// Receives the program's output on all paths. `None`: it is discarded.
    pub output: Option<&'a (dyn OutputReceiver + Sync)>,
    /// Calls pure functions of the host, where [`Config::external_calls`] allows it.
    pub pure_calls: Option<PureCall>,
    /// Makes what runs the random inputs of a worker, by its number, if its searcher mixes them
    /// with states.
    pub executor: Option<&'a MakeExecutor<'a>>,
}

/// Makes what runs the random inputs of a worker, by its number.
pub type MakeExecutor<'a> = dyn Fn(usize) -> Box<dyn InputExecutor + 'a> + Sync + 'a;

/// Explores a program from its entry with one worker, on the thread that calls. `files` are
/// shown to the program. The error is one sentence about why it cannot start.
pub fn explore(
    module: &Module,
    config: &ExploreConfig,
    mut strategy: SearchStrategy,
    solver: SolverOptions,
    files: Option<&mut dyn HostFiles>,
    observer: &mut dyn Observer,
) -> Result<Exploration, String> {
    let (mut coordinator, exchange) = Coordinator::new(module, config, 1, observer);
    let worker = Worker::new(&exchange, 0);
    let mut sink = LocalSink::new(&mut coordinator);
    let solver = |pool: &Pool, direction| make_solver(pool, direction, &solver);
    let env = DeterministicEnv { files, ..DeterministicEnv::default() };
    let result = run_worker(module, config, &mut strategy, solver, env, &mut sink, worker)?;
    Ok(coordinator.finish(&exchange, vec![result]))
}

/// Explores a program as [`explore`] does, with any number of workers. One alone works on the
/// thread that calls, and gives the same result each time.
pub fn explore_in_jobs(
    module: &Module,
    config: &ExploreConfig,
    pool: &WorkerPool,
    observer: &mut dyn Observer,
) -> Result<Exploration, String> {
    let workers = pool.jobs.get();
    if workers == 1 {
        let (mut coordinator, exchange) = Coordinator::new(module, config, 1, observer);
        let mut sink = LocalSink::new(&mut coordinator);
        let result = pool.run(module, config, &mut sink, Worker::new(&exchange, 0))?;
        return Ok(coordinator.finish(&exchange, vec![result]));
    }
    if (pool.searcher)().requirements().random {
        return Err("random inputs are run by one job alone".to_string());
    }
    let (mut coordinator, exchange) = Coordinator::new(module, config, workers, observer);
    thread::scope(|scope| {
        let _leave = LeaveOnDrop(&exchange);
        let (sender, receiver) = mpsc::sync_channel::<WorkerReport>(MAX_WAITING);
        let mut threads = Vec::new();
        for number in 0..workers {
            let (exchange, sender) = (&exchange, sender.clone());
            let config = share_of(config, number);
            let run = move || {
                let _leave = LeaveOnDrop(exchange);
                let mut sink = WorkerSink::new(exchange, number, sender);
                pool.run(module, &config, &mut sink, Worker::new(exchange, number))
            };
            let spawned = thread::Builder::new()
                .name(format!("job {}", number + 1))
                .stack_size(STACK)
                .spawn_scoped(scope, run);
            match spawned {
                Ok(thread) => threads.push(thread),
                Err(error) => return Err(format!("cannot start job {}: {error}", number + 1)),
            }
        }
        drop(sender);
        coordinator.listen(&exchange, &receiver);
        let mut results = Vec::new();
        for thread in threads {
            match thread.join() {
                Ok(result) => results.push(result?),
                // Its reports were passed on; the panic continues here.
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        Ok(coordinator.finish(&exchange, results))
    })
}

impl WorkerPool<'_> {
    /// Makes one worker and runs it.
    fn run(
        &self,
        module: &Module,
        config: &ExploreConfig,
        sink: &mut dyn ResultSink,
        worker: Worker,
    ) -> Result<WorkerResult, String> {
        let mut searcher = (self.searcher)();
        let mut pruner = self.pruner.map(|pruner| pruner());
        let mut unreduced = self.unreduced.map(|searcher| searcher());
        let mut strategy = SearchStrategy::new(&mut *searcher);
        strategy.unreduced = unreduced.as_mut().map(|searcher| &mut **searcher as _);
        if let Some(pruner) = &mut pruner {
            strategy.pruner = Some(&mut **pruner);
        }
        if let Some(make) = self.executor.filter(|_| strategy.requirements().random_tests) {
            strategy.executor = Some(make(worker.number() as usize));
        }
        let mut files = self.files.map(SharedFiles);
        let files = files.as_mut().map(|files| files as &mut dyn HostFiles);
        let output = self.output.map(|output| output as &dyn OutputReceiver);
        let env = DeterministicEnv { files, output, pure_calls: self.pure_calls };
        let options = (self.solver)(worker.number() as usize);
        let solver = |pool: &Pool, direction| make_solver(pool, direction, &options);
        run_worker(module, config, &mut strategy, solver, env, sink, worker)
    }
}

/// Runs one worker from beginning to end.
fn run_worker(
    module: &Module,
    config: &ExploreConfig,
    strategy: &mut SearchStrategy,
    solver: impl Fn(&Pool, Direction) -> Result<Box<dyn Solver>, String>,
    mut env: DeterministicEnv,
    sink: &mut dyn ResultSink,
    worker: Worker,
) -> Result<WorkerResult, String> {
    strategy.recall(&config.knowledge, worker.number() as usize);
    let requirements = strategy.requirements();
    // Every worker has it, though only the first searches backward: traces name positions in the
    // code, and watches are part of the code.
    let plan = (requirements.backward && !config.targets.is_empty())
        .then(|| BackwardPlan::new(module, &config.targets));
    let mut program = lay_out(module, config, requirements, plan.as_ref())?;
    let reduction = worker.exchange.reduction.clone().map(|it| (it, PathLog::new(module)));
    if let Some((_, log)) = &reduction {
        program.observe(Rc::clone(log) as Rc<dyn ObservationLog>);
    }
    let mut machine = Machine::new(&program, &config.engine, &mut env);
    machine.exploring = true;
    let forward_solver = solver(&machine.pool, Direction::Forward)?;
    let start = PathOrigin::Entry(&config.invocation)
        .start(&mut machine)
        .map_err(|feature| feature.to_string())?;
    check_memory_limit(&worker, config.limits.memory)?;
    // Objects of a program keep terms, so the backward search has a program of its own.
    let backward_program = match &plan {
        Some(plan) if worker.is_first() => {
            Some(lay_out(&plan.module, config, requirements, Some(plan))?)
        }
        _ => None,
    };
    let backward_config = backward::config_of(config);
    let (mut backward_env, mut silent) = (DeterministicEnv::default(), SilentSink);
    let exchange = Exchange::new(1, program.sites().len(), config.targets.len(), None);
    let mut explorer = Explorer::new(machine, config, requirements, forward_solver, sink, worker);
    explorer.reduced =
        reduction.map(|(shared, log)| Box::new(ReducedSearch::new(shared, config, &program, log)));
    if let (Some(plan), Some(program)) = (&plan, &backward_program)
        && let Some(searcher) = strategy.searcher.backward_searcher()
    {
        let mut machine = Machine::new(program, &config.engine, &mut backward_env);
        machine.exploring = true;
        let solver = solver(&machine.pool, Direction::Backward)?;
        let (requirements, worker) = (searcher.requirements(), Worker::new(&exchange, 0));
        let backward =
            Explorer::new(machine, &backward_config, requirements, solver, &mut silent, worker);
        let search = BackwardSearch::new(backward, searcher, plan, config.seed);
        explorer.backward = search.map(Box::new);
    }
    let result = explorer.explore(Box::new(start), config, strategy);
    Ok(WorkerResult { portfolio_shares: strategy.searcher.portfolio_shares(), ..result })
}

/// Lays out a program for exploration, with watches at the targets and where a backward search
/// needs them.
fn lay_out<'m>(
    module: &'m Module,
    config: &ExploreConfig,
    requirements: SearcherRequirements,
    plan: Option<&BackwardPlan>,
) -> Result<Program<'m>, String> {
    let mut program = Program::new(module, &Config { forks: true, ..config.engine.clone() })
        .map_err(|feature| feature.to_string())?;
    program.count_executions(requirements.executions);
    if requirements.random_tests {
        program.count_sites();
    }
    let targets = config.targets.iter().flat_map(|target| target.points.iter().copied());
    let watched: Vec<_> = targets.chain(plan.into_iter().flat_map(BackwardPlan::points)).collect();
    program.watch(&watched);
    Ok(program)
}

/// Makes the solver of a worker. Only the queries of the program itself are logged.
fn make_solver(
    pool: &Pool,
    direction: Direction,
    options: &SolverOptions,
) -> Result<Box<dyn Solver>, String> {
    let mut options = options.clone();
    options.log = options.log.filter(|_| direction == Direction::Forward);
    byway_solver::solver(pool, options).map_err(|error| format!("cannot log queries: {error}"))
}

/// Refuses a memory limit that leaves no room beside what the process takes already.
fn check_memory_limit(worker: &Worker, limit: Option<u64>) -> Result<(), String> {
    let (Some(process), Some(limit)) = (worker.process(), limit) else { return Ok(()) };
    let room = MIN_ROOM * worker.count() as u64;
    if process.resident().is_none_or(|taken| limit >= taken + room) {
        return Ok(());
    }
    process.give_back();
    let taken = process.resident().unwrap_or(0);
    let least = taken + room;
    if limit >= least {
        return Ok(());
    }
    Err(format!(
        "a memory limit of {} is too small: the process takes {} before it explores; \
         the least limit for this program is about {} MiB",
        size(limit),
        size(taken),
        least.div_ceil(ROUNDED_TO) * (ROUNDED_TO >> 20),
    ))
}

/// The configuration of one of several workers: the first has the seeds.
fn share_of(config: &ExploreConfig, number: usize) -> ExploreConfig {
    let mut own = config.clone();
    if number > 0 {
        own.seeds.clear();
    }
    own
}

/// Tells the other workers when a thread ends, even by an error or a panic, so that none waits
/// for it.
struct LeaveOnDrop<'a>(&'a Exchange);

impl Drop for LeaveOnDrop<'_> {
    fn drop(&mut self) {
        self.0.leave();
    }
}

#[cfg(test)]
mod retry_tests;
#[cfg(test)]
mod tests;
