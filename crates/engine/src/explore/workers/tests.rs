//! Tests of workers: traces that lead elsewhere, and the contract of both sinks.

use std::rc::Rc;
use std::sync::Arc;

use byway_base::{Input, InternalErrorKind, Outcome};
use byway_search::reducer::Task;

use super::super::reduce::{MovedTask, Reduction, SharedReduction};
use super::super::{Control, Observer, PathEnd, StopReason, Totals};
use super::exchange::{MovedState, Parcel};
use super::trace::{Trace, TraceEnd};
use super::*;
use crate::reason::UndecidedReason;

const RETURNS: &str = "bwir 1
module \"test\"
func user @main() -> i32 {
b0:
  ret 0:i32
}
";

/// Records all that it receives, and stops after some paths.
#[derive(Default)]
struct Recorder {
    paths: Vec<PathEnd>,
    /// Messages and path numbers, in the order they arrived.
    events: Vec<String>,
    stop_after: Option<usize>,
}

impl Recorder {
    fn control(&self) -> Control {
        match self.stop_after {
            Some(most) if self.paths.len() >= most => Control::Stop,
            _ => Control::Continue,
        }
    }
}

impl Observer for Recorder {
    fn path(&mut self, path: &PathEnd, totals: &Totals) -> Control {
        let covered = (path.newly_covered, totals.coverage.lines);
        self.events.push(format!("path {} {covered:?}", path.number));
        self.paths.push(path.clone());
        self.control()
    }

    fn tick(&mut self, _totals: &Totals) -> Control {
        self.control()
    }

    fn message(&mut self, text: &str) {
        self.events.push(text.into());
    }
}

/// The result of a worker that is given nothing but this parcel. Tasks need a reduction.
fn explore_parcel(parcel: Parcel) -> (WorkerResult, Recorder) {
    let module = byway_ir::text::parse(RETURNS).expect("it parses");
    let mut exchange = Exchange::new(2, 0, 0, None);
    if let [MovedState::Task(_), ..] = parcel[..] {
        exchange.reduction = Some(Arc::new(SharedReduction::new(Reduction::Dgse, &module)));
    }
    exchange.add_idle();
    exchange.queue_unasked(parcel);
    let mut searcher = byway_search::build(&["dfs"]).expect("a searcher");
    let mut recorder = Recorder::default();
    let config = ExploreConfig::default();
    let (mut coordinator, _) = Coordinator::new(&module, &config, 2, &mut recorder);
    let mut sink = LocalSink::new(&mut coordinator);
    let worker = Worker::new(&exchange, 1);
    let mut strategy = SearchStrategy::new(&mut *searcher);
    let solver = |pool: &Pool, direction| make_solver(pool, direction, &options());
    let env = DeterministicEnv::default();
    let result = run_worker(&module, &config, &mut strategy, solver, env, &mut sink, worker);
    (result.expect("it runs"), recorder)
}

pub(super) fn options() -> SolverOptions {
    SolverOptions {
        check: false,
        log: None,
        interrupt: None,
        memory: None,
        on_error: Rc::new(|error| panic!("{error}")),
    }
}

#[test]
fn a_trace_that_leads_elsewhere_is_reported_and_not_explored() {
    let input = Input { name: "x".into(), bytes: vec![1, 2] };
    let wrong = Trace { instructions: 5, digest: 7, inputs: vec![input], ..Trace::default() };
    let end = TraceEnd::Case { case: 0, pending: true };
    let undecided = Trace { end, ..wrong.clone() };
    let parcel = [wrong.encode(), undecided.encode(), b"nonsense".to_vec()];
    let parcel = parcel.map(MovedState::Trace).into();
    let (result, recorder) = explore_parcel(parcel);
    assert_eq!((result.worker.taken, result.worker.diverged), (3, 3));
    let losses = &result.totals.losses;
    assert_eq!(losses.internal_errors.get(&InternalErrorKind::ReplayDiverged), Some(&1));
    assert_eq!(losses.undecided.get(&UndecidedReason::ReplayDiverged), Some(&2));
    let [path] = &recorder.paths[..] else { panic!("{:?}", recorder.paths) };
    assert_eq!(path.outcome.name(), "internal-error");
    assert_eq!(path.test.as_ref().expect("a test").inputs, wrong.inputs);
    assert_eq!(path.digest, 7);
}

#[test]
fn an_empty_trace_leads_to_the_start() {
    let (result, recorder) = explore_parcel(vec![MovedState::Trace(Trace::default().encode())]);
    assert_eq!(result.worker.diverged, 0, "{:?}", recorder.paths);
    assert_eq!(recorder.paths[0].outcome, Outcome::Exit(0));
}

/// The input that comes with a task runs again, but is no path.
#[test]
fn a_task_whose_conditions_do_not_occur_is_counted_and_not_run() {
    let moved = |kept| {
        let task = Task { kept, ..Task::default() };
        MovedState::Task(Box::new(MovedTask { task, inputs: Vec::new(), depth: 0 }))
    };
    let (result, recorder) = explore_parcel(vec![moved(vec![7]), moved(Vec::new())]);
    assert_eq!((result.worker.taken, result.worker.diverged), (2, 1));
    let undecided = &result.totals.losses.undecided;
    assert_eq!(undecided.get(&UndecidedReason::ReplayDiverged), Some(&1));
    assert!(result.worker.followed > 0);
    let outcomes: Vec<&Outcome> = recorder.paths.iter().map(|path| &path.outcome).collect();
    assert_eq!(outcomes, [&Outcome::Exit(0)]);
}

fn path(digest: u64) -> PathEnd {
    PathEnd {
        number: 0,
        outcome: Outcome::Exit(0),
        test: None,
        shape: None,
        condition: None,
        branches: None,
        depth: 0,
        instructions: 1,
        digest,
        newly_covered: 0,
        sites: Vec::new(),
        concretised: Default::default(),
        targets: Vec::new(),
        seed: None,
    }
}

/// A worker's calls: `count` paths, each after a message, then ticks until it has to stop.
fn send(sink: &mut dyn ResultSink, count: u64) {
    let mut totals = Totals::default();
    for digest in 1..=count {
        sink.message(&format!("before {digest}"));
        let sites = if digest == 2 { vec![0] } else { Vec::new() };
        sink.path(path(digest), sites, &mut totals);
        *totals.paths.entry("exit").or_default() += 1;
    }
    sink.flush(&totals);
    while sink.tick(&mut totals) == Control::Continue {
        std::thread::yield_now();
    }
}

/// Both sinks fulfil the contract of [`ResultSink`]: every path arrives once, in order, with a
/// number, its coverage and the messages before it; and a stop arrives at the worker.
#[test]
fn both_sinks_fulfil_the_contract() {
    const PATHS: u64 = 300;
    let module = byway_ir::text::parse(RETURNS).expect("it parses");
    let mut config = ExploreConfig::default();
    config.engine.coverage = true;
    let recorder = || Recorder { stop_after: Some(PATHS as usize), ..Recorder::default() };

    let mut local = recorder();
    let (mut coordinator, _) = Coordinator::new(&module, &config, 1, &mut local);
    send(&mut LocalSink::new(&mut coordinator), PATHS);

    let mut remote = recorder();
    let (mut coordinator, exchange) = Coordinator::new(&module, &config, 1, &mut remote);
    thread::scope(|scope| {
        let (sender, receiver) = mpsc::sync_channel(MAX_WAITING);
        let exchange = &exchange;
        scope.spawn(move || send(&mut WorkerSink::new(exchange, 0, sender), PATHS));
        coordinator.listen(exchange, &receiver);
    });
    assert_eq!(exchange.stop_reason(), Some(StopReason::Stopped));

    for recorder in [&local, &remote] {
        let digests: Vec<u64> = recorder.paths.iter().map(|path| path.digest).collect();
        assert_eq!(digests, (1..=PATHS).collect::<Vec<_>>());
        let numbers: Vec<u64> = recorder.paths.iter().map(|path| path.number).collect();
        assert_eq!(numbers, digests);
        for digest in 1..=PATHS {
            let at = |event: &str| recorder.events.iter().position(|e| e.starts_with(event));
            let message = at(&format!("before {digest}")).expect("it arrived");
            assert!(Some(message) < at(&format!("path {digest} ")), "{digest}");
        }
    }
}
