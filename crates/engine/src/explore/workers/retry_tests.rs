//! Tests of undecided states: they are tried again with more effort while there is budget.

use byway_base::Work;
use byway_expr::{Collected, Sweep};
use byway_search::build;
use byway_solver::{Answer, Query, QueryBudget, SolverClock, Statistics, UnknownReason};

use super::super::{Control, Feasibility, Limits, Observer, PathEnd, RetryTotals, Totals};
use super::*;
use crate::reason::UndecidedReason;

/// Answers only queries that may cost at least this multiple of the usual effort.
struct Reluctant {
    solver: Box<dyn Solver>,
    least: u128,
}

impl Solver for Reluctant {
    fn check(&mut self, pool: &mut Pool, query: &Query, budget: QueryBudget) -> Answer {
        match budget.effort_by_size {
            Some(times) if u128::from(times) < self.least => Answer::Unknown(UnknownReason::Effort),
            _ => self.solver.check(pool, query, budget),
        }
    }

    fn statistics(&self) -> &Statistics {
        self.solver.statistics()
    }

    fn clock(&self) -> SolverClock {
        self.solver.clock()
    }
}

impl Sweep for Reluctant {
    fn sweep(&mut self, collected: &Collected) {
        self.solver.sweep(collected);
    }
}

/// Counts the paths that end.
#[derive(Default)]
struct Counter(usize);

impl Observer for Counter {
    fn path(&mut self, path: &PathEnd, _totals: &Totals) -> Control {
        self.0 += usize::from(path.test.is_some());
        Control::Continue
    }

    fn tick(&mut self, _totals: &Totals) -> Control {
        Control::Continue
    }

    fn message(&mut self, _text: &str) {}
}

/// Branches on one byte of input, after an assumption that zero violates.
fn program(assumes: bool) -> String {
    let (assumption, holds) = match assumes {
        true => ("  v2:i1 = icmp ne v1, 0:i8\n  v3:i64 = zext v2\n  call @__byway_assume(v3)\n", 4),
        false => ("", 2),
    };
    format!(
        "bwir 1
module \"test\"
func user @__byway_symbolic(v0:ptr, v1:i64, v2:ptr)
func user @__byway_assume(v0:i64)
global user @name size 2 align 1 constant = {{
  x\"7800\"
}}
func user @main() -> i32 {{
b0:
  v0:ptr = alloca 1 x 1:i64, align 1
  call @__byway_symbolic(v0, 1:i64, @name)
  v1:i8 = load v0, align 1
{assumption}  v{holds}:i1 = icmp eq v1, 7:i8
  br v{holds}, b1, b2
b1:
  ret 1:i32
b2:
  ret 0:i32
}}
"
    )
}

/// The paths with tests, and the totals, of an exploration with a reluctant solver.
fn explored(text: &str, search: &str, least: u128, config: &ExploreConfig) -> (usize, Totals) {
    let module = byway_ir::text::parse(text).expect("it parses");
    let mut searcher = build(&[search]).expect("a searcher");
    let mut strategy = SearchStrategy::new(&mut *searcher);
    let mut counter = Counter::default();
    let (mut coordinator, exchange) = Coordinator::new(&module, config, 1, &mut counter);
    let mut sink = LocalSink::new(&mut coordinator);
    let solver = |pool: &Pool, direction| {
        let solver = make_solver(pool, direction, &super::tests::options())?;
        Ok(Box::new(Reluctant { solver, least }) as Box<dyn Solver>)
    };
    let worker = Worker::new(&exchange, 0);
    let env = DeterministicEnv::default();
    let result = run_worker(&module, config, &mut strategy, solver, env, &mut sink, worker);
    let totals = result.expect("it runs").totals;
    (counter.0, totals)
}

#[test]
fn a_state_that_needs_more_effort_is_decided_in_the_end() {
    for feasibility in [Feasibility::Eager, Feasibility::Lazy] {
        for search in ["dfs", "random-path", "auto", "sgs:1", "generational"] {
            for assumes in [false, true] {
                let config = ExploreConfig { feasibility, ..ExploreConfig::default() };
                let (paths, totals) = explored(&program(assumes), search, 16, &config);
                let decided = 1 + u64::from(assumes);
                assert_eq!(paths, 2, "{search} {feasibility:?} {assumes}");
                // Each state needs a second attempt, with four times the effort, and a third.
                let retries = RetryTotals { attempts: 2 * decided, decided };
                assert_eq!(totals.retries, retries, "{search} {feasibility:?} {assumes}");
                assert_eq!(totals.losses, Default::default());
            }
        }
    }
}

#[test]
fn a_hopeless_state_is_a_loss_once_its_attempts_are_used_up() {
    let config = ExploreConfig::default();
    let (paths, totals) = explored(&program(false), "auto", u128::MAX, &config);
    assert_eq!((paths, totals.retries), (1, RetryTotals { attempts: 2, decided: 0 }));
    assert_eq!(totals.losses.undecided.get(&UndecidedReason::Effort), Some(&1));
    assert_eq!(totals.losses.unfinished, 0);
}

#[test]
fn attempts_end_with_the_budget_and_respect_the_users_limit() {
    let limited = Limits { time: Some(std::time::Duration::from_millis(50)), ..Limits::default() };
    let config = ExploreConfig { limits: limited, ..ExploreConfig::default() };
    let (_, totals) = explored(&program(false), "dfs", u128::MAX, &config);
    assert!(totals.retries.attempts > 3, "{:?}", totals.retries);
    assert_eq!(totals.losses.undecided.get(&UndecidedReason::Effort), Some(&1));
    let limits = Limits { solver_effort: Some(0), work: Some(Work(1_000_000)), ..limited };
    let config = ExploreConfig { limits, ..ExploreConfig::default() };
    let (_, totals) = explored(&program(false), "dfs", u128::MAX, &config);
    assert_eq!(totals.retries, RetryTotals::default());
}
