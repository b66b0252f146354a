//! Random tests beside solved paths, with an executor that runs inputs concretely.

use std::num::NonZeroUsize;
use std::sync::Arc;

use byway_base::{Input, Rng};
use byway_engine::{
    ConcreteRun, ConcreteRuns, ExecutedInputs, InputExecutor, Losses, NovelInput, Seed, WorkerPool,
    coverage_sites, explore_in_jobs,
};
use byway_ir::Module;
use byway_search::markov::{ChainSite, ChainState, Estimator, ExpectedRewards, ProgramChain};

use super::*;

/// Figure 1 of the paper, with the edge from 4 to 8: a random input goes through 1, 3, 5 and 8.
const FIGURE_1: &str = "
func user @main() -> i32 {
b0:
  v0:ptr = alloca 1 x 4:i64, align 4
  call @__byway_symbolic(v0, 4:i64, @name)
  v1:i32 = load v0, align 4
  v2:i1 = icmp eq v1, 7:i32
  br v2, b1, b2
b1:
  jump b2
b2:
  v3:i1 = icmp eq v1, 8:i32
  br v3, b3, b4
b3:
  jump b7
b4:
  v4:i1 = icmp eq v1, 9:i32
  br v4, b5, b7
b5:
  v5:i1 = icmp eq v1, 10:i32
  br v5, b6, b7
b6:
  jump b7
b7:
  ret 0:i32
}
";

fn module(text: &str) -> Module {
    let module = byway_ir::text::parse(&format!("bwir 1\nmodule \"test\"\n{DOORS}{text}"))
        .unwrap_or_else(|error| panic!("{error}\n{text}"));
    byway_ir::verify(&module).unwrap_or_else(|error| panic!("{error:?}"));
    module
}

fn chain(module: &Module) -> ProgramChain {
    let sites = coverage_sites(module).into_iter();
    let sites = sites.map(|it| ChainSite { func: it.func, from: it.from, to: it.to }).collect();
    ProgramChain::new(module, sites, module.func_by_name("main"))
}

/// Runs inputs of 64 bytes that are drawn, or always the same.
struct Executor<'m> {
    runs: ConcreteRuns<'m>,
    rng: Rng,
    fixed: Option<Vec<u8>>,
}

impl<'m> Executor<'m> {
    fn new(module: &'m Module, fixed: Option<Vec<u8>>) -> Executor<'m> {
        let ExploreConfig { engine, invocation, .. } = config(Feasibility::Lazy);
        let runs = ConcreteRuns::new(module, &engine, invocation, 1_000_000).expect("a program");
        Executor { runs, rng: Rng::new(1), fixed }
    }
}

impl InputExecutor for Executor<'_> {
    fn run(
        &mut self,
        count: u64,
        _: &[Vec<Input>],
        _: &mut dyn FnMut() -> bool,
    ) -> Result<ExecutedInputs, String> {
        let mut executed = ExecutedInputs::default();
        let (rng, fixed, mut left) = (&mut self.rng, &self.fixed, count);
        self.runs.run(None, |last: Option<ConcreteRun>| {
            if let Some(run) = last {
                executed.runs += 1;
                executed.cost += 10_000;
                if !run.new_sites.is_empty() {
                    executed.novel.push(NovelInput {
                        seed: Arc::new(Seed::drawn(&run.inputs)),
                        sites: run.new_sites,
                        is_new_fault: false,
                    });
                }
            }
            left = left.checked_sub(1)?;
            let drawn = || (0..8).flat_map(|_| rng.next_u64().to_le_bytes()).collect();
            Some(fixed.clone().unwrap_or_else(drawn))
        })?;
        executed.executions = self.runs.take_executions();
        Ok(executed)
    }
}

fn explored(module: &Module, search: &str, jobs: usize) -> (Exploration, Vec<PathEnd>) {
    let workers = WorkerPool {
        jobs: NonZeroUsize::new(jobs).expect("some"),
        searcher: &|| byway_search::build(&[search]).expect("a searcher"),
        pruner: None,
        unreduced: None,
        output: None,
        pure_calls: None,
        executor: Some(&|_| Box::new(Executor::new(module, None))),
        solver: &|_| byway_solver::SolverOptions {
            check: true,
            log: None,
            interrupt: None,
            memory: None,
            on_error: std::rc::Rc::new(|trouble| panic!("{trouble}")),
        },
        files: None,
    };
    let mut paths = Paths::default();
    let mut config = config(Feasibility::Lazy);
    // Beyond what any test here needs, so that one that would never end fails.
    config.limits.work = Some(Work(5_000_000_000));
    let done = explore_in_jobs(module, &config, &workers, &mut paths).expect("it runs");
    (done, paths.ended)
}

#[test]
fn figure_1_has_the_rewards_of_the_paper() {
    let module = module(FIGURE_1);
    let chain = chain(&module);
    let mut rewards = ExpectedRewards::new(chain.successors(), Estimator::Laplace);
    let of = |rewards: &ExpectedRewards, block: u32| {
        (rewards.reward(ChainState::from_u32(block - 1)) * 1e9).round() / 1e9
    };
    rewards.update(|_| {});
    assert_eq!(of(&rewards, 1), 4.875);

    let mut executor = Executor::new(&module, Some(vec![0; 64]));
    for test in 1..=8 {
        let executed = executor.run(1, &[], &mut || true).expect("it runs");
        let mut counted = vec![0; chain.sites().len()];
        executed.executions.iter().for_each(|&(site, count)| counted[site as usize] = count);
        chain.transitions(&counted, |from, to, count| {
            rewards.count_transition(from, to, count).expect("a transition");
        });
        let executions = chain.executions(&counted);
        assert_eq!(executions, [1, 0, 1, 0, 1, 0, 0, 1]);
        let covered = (0..8).filter(|&at| executions[at as usize] > 0);
        covered.for_each(|at| rewards.cover(ChainState::from_u32(at)));
        rewards.update(|_| {});
        if test == 1 {
            let found = [1, 2, 4, 6].map(|block| of(&rewards, block));
            assert_eq!(found, [1.0, 1.666666667, 1.0, 1.5]);
        }
    }
    assert_eq!([1, 2].map(|block| of(&rewards, block)), [0.335, 1.235]);
    // The numbers that the paper prints, 0.24 and 1.14, are those after block 4 was covered too.
    rewards.cover(ChainState::from_u32(3));
    rewards.update(|_| {});
    assert_eq!([1, 2].map(|block| of(&rewards, block)), [0.235, 1.135]);
}

#[test]
fn every_path_is_explored_once_whatever_finds_it() {
    let module = module(FIGURE_1);
    let (_, expected) = explored(&module, "bfs", 1);
    let digests = |paths: &[PathEnd]| paths.iter().map(|path| path.digest).collect::<Vec<_>>();
    let sorted = |paths: &[PathEnd]| {
        let mut all = digests(paths);
        all.sort_unstable();
        all
    };
    for search in ["greedy", "greedy:solving", "greedy:good-turing", "portfolio(bfs, greedy)"] {
        let (done, paths) = explored(&module, search, 1);
        assert_eq!(sorted(&paths), sorted(&expected), "{search}");
        assert_eq!(done.totals.losses, Losses::default(), "{search}");
        assert_eq!(done.totals.random.diverged, 0, "{search}");
        let (_, again) = explored(&module, search, 1);
        assert_eq!(digests(&again), digests(&paths), "{search} is repeatable");
    }
    let (done, paths) = explored(&module, "greedy", 2);
    assert_eq!(sorted(&paths), sorted(&expected));
    assert!(done.totals.random.drawn > 0);
}

/// A byte decides a branch, and 64 bits that no solver can choose another one behind it.
const BOTH: &str = "
func user @main() -> i32 {
b0:
  v0:ptr = alloca 1 x 16:i64, align 8
  call @__byway_symbolic(v0, 16:i64, @name)
  v1:i64 = load v0, align 8
  v2:ptr = ptradd v0, 8
  v3:i64 = load v2, align 8
  v4:i1 = icmp eq v1, 0x123456789abcdef:i64
  br v4, b1, b3
b1:
  v5:i64 = and v3, 7:i64
  v6:i1 = icmp eq v5, 3:i64
  br v6, b2, b3
b2:
  ret 1:i32
b3:
  ret 0:i32
}
";

#[test]
fn random_tests_alone_cover_what_chance_does() {
    let module = module(BOTH);
    let (done, paths) = explored(&module, "greedy:random", 1);
    assert_eq!((paths.len(), done.totals.solver.queries), (1, 0));
    assert!(done.totals.random.drawn > 1000);
    let (_, paths) = explored(&module, "greedy", 1);
    assert_eq!(paths.len(), 3);
    let report = done.markov.expect("a report");
    assert_eq!(report.report.blocks, 4);
    assert!(report.highest.iter().all(|block| block.block.function == "main"));
}

/// Two bytes decide branches that chance covers at once. No byte leads to b5: no square is 2 modulo 4.
const NOTHING_LEFT_TO_COVER: &str = "
func user @main() -> i32 {
b0:
  v0:ptr = alloca 1 x 2:i64, align 1
  call @__byway_symbolic(v0, 2:i64, @name)
  v1:i8 = load v0, align 1
  v2:ptr = ptradd v0, 1
  v3:i8 = load v2, align 1
  v4:i1 = icmp ult v1, 100:i8
  br v4, b1, b2
b1:
  jump b2
b2:
  v5:i1 = icmp ult v3, 100:i8
  br v5, b3, b4
b3:
  jump b4
b4:
  v6:i8 = mul v1, v1
  v7:i8 = and v6, 3:i8
  v8:i1 = icmp eq v7, 2:i8
  br v8, b5, b6
b5:
  ret 1:i32
b6:
  ret 0:i32
}
";

#[test]
fn chance_does_not_hold_up_paths_to_covered_blocks() {
    let module = module(NOTHING_LEFT_TO_COVER);
    let (done, paths) = explored(&module, "greedy", 1);
    assert_eq!((paths.len(), done.totals.losses), (4, Losses::default()));
    assert!(done.totals.work < Work(100_000_000), "{:?}", done.totals.work);
}
