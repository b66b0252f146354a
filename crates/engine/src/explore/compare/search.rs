//! The search for inputs: first for all endings of each build, then for the combinations of two.

use std::collections::VecDeque;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Instant;

use byway_base::{ExprId, Input, Outcome, TestCase, Work};
use byway_expr::{Added, InputObject, Model, Pool};
use byway_search::reducer::{ConditionId, Task};
use byway_solver::Solver;
use rustc_hash::FxHashSet;

use super::super::budget::RunBudget;
use super::super::clock::RunClock;
use super::super::feasibility::{Decided, FeasibilityChecker};
use super::super::reduce::Conditions;
use super::super::{Control, ExploreConfig, Feasibility, StopReason};
use super::build::{BuildPath, BuildRunner};
use super::endings::{BuildEndings, Ending, EndingKind};
use super::totals::{CombinationStop, CombinationTotals};
use super::{CombinedEndings, CombinedTest};
use crate::path_info::PathInfo;

/// The builds by their index.
const OLD: usize = 0;
const NEW: usize = 1;

/// A search in progress.
pub(super) struct CombinationSearch<'p, 'e, 'c> {
    builds: [BuildRunner<'p, 'e>; 2],
    /// The terms of both builds.
    pool: Pool,
    conditions: Conditions,
    endings: [BuildEndings; 2],
    /// Tasks of the reducers, each of the build with this index.
    tasks: VecDeque<(usize, Task)>,
    /// The pairs of kinds that an input showed.
    shown: FxHashSet<(u32, u32)>,
    /// The pairs of endings that need no further input.
    decided: FxHashSet<(usize, usize)>,
    feasibility: FeasibilityChecker,
    budget: RunBudget,
    config: &'c ExploreConfig,
    tests: Vec<CombinedTest>,
    totals: CombinationTotals,
    tick: &'c mut dyn FnMut(&CombinationTotals) -> Control,
}

/// How an input ended on both builds.
#[derive(Clone)]
struct PairRun {
    /// The endings by their numbers; `None` for one that shows nothing.
    endings: [Option<usize>; 2],
    /// The conditions that led to the fault of a build, or excluded it.
    failures: [Option<Vec<ConditionId>>; 2],
    /// A build that an assumption of the program excludes the input from.
    excluded: Option<usize>,
    /// The inputs that the builds asked for.
    asked: Vec<Input>,
    /// The instructions of the build that took more.
    instructions: u64,
}

impl PairRun {
    /// The conditions by which a build excludes the input.
    fn exclusion(&self) -> Option<&[ConditionId]> {
        self.failures[self.excluded?].as_deref()
    }
}

impl<'p, 'e, 'c> CombinationSearch<'p, 'e, 'c> {
    pub fn new(
        builds: [BuildRunner<'p, 'e>; 2],
        pool: Pool,
        config: &'c ExploreConfig,
        solver: Box<dyn Solver>,
        tick: &'c mut dyn FnMut(&CombinationTotals) -> Control,
    ) -> Self {
        let conditions = Conditions::new(Arc::clone(builds[NEW].reduction()));
        CombinationSearch {
            builds,
            pool,
            conditions,
            endings: Default::default(),
            tasks: VecDeque::new(),
            shown: FxHashSet::default(),
            decided: FxHashSet::default(),
            feasibility: FeasibilityChecker::new(solver, Feasibility::Eager),
            budget: RunBudget::new(config, 1, RunClock::new(Instant::now(), &config.limits)),
            config,
            tests: Vec::new(),
            totals: CombinationTotals::default(),
            tick,
        }
    }

    pub fn run(mut self, tests: &[Vec<Input>]) -> CombinedEndings {
        for (number, inputs) in tests.iter().enumerate() {
            if self.is_stopped() {
                break;
            }
            self.run_test(number, inputs);
        }
        let mut combined = [0, 0];
        loop {
            self.complete_endings();
            let known = self.endings.each_ref().map(BuildEndings::len);
            if self.is_stopped() || known == combined {
                break;
            }
            self.combine(combined);
            combined = known;
        }
        CombinedEndings { tests: self.tests, totals: self.totals }
    }

    /// Whether the search ends here. Reports progress.
    fn is_stopped(&mut self) -> bool {
        if self.totals.stopped.is_some() {
            return true;
        }
        let instructions = self.builds.iter().map(|build| build.instructions).sum();
        let work = Work::of_instructions(instructions)
            + Work::of_solver_calls(self.feasibility.backend_queries());
        self.budget.check(0, || work);
        if (self.tick)(&self.totals) == Control::Stop {
            self.budget.stop(StopReason::Stopped);
        }
        let objects: u64 = self.builds.iter().map(BuildRunner::memory).sum();
        let memory = self.pool.bytes() as u64 + objects;
        let is_full = self.config.limits.memory.is_some_and(|limit| memory >= limit);
        self.totals.stopped = match self.budget.stop_reason() {
            Some(reason) => Some(CombinationStop::Run(reason)),
            None => is_full.then_some(CombinationStop::Memory),
        };
        self.totals.stopped.is_some()
    }

    /// Runs a known input. If a build asks for more and assumes something of that, the input is
    /// completed so that the assumptions hold.
    fn run_test(&mut self, number: usize, inputs: &[Input]) {
        self.totals.tests += 1;
        let Some(mut run) = self.run_inputs(inputs, None) else { return };
        let mut path: Option<PathInfo> = None;
        while let Some(failure) = run.exclusion()
            && run.asked.len() > inputs.len()
            && !self.is_stopped()
        {
            let before = match path.take() {
                Some(path) => Some(path),
                None => self.path_of_bytes(inputs),
            };
            let holds = self.none_of(failure);
            let Some(next) = before.and_then(|before| self.under(&before, holds)) else { return };
            let all = self.inputs_of(&next.witness);
            path = Some(next);
            let Some(next) = self.run_inputs(&all, None) else { return };
            run = next;
        }
        if path.is_some() && run.excluded.is_none() {
            self.totals.extended += 1;
            self.keep_test(run, Some(number));
        }
    }

    /// A path on which inputs have these bytes.
    fn path_of_bytes(&mut self, inputs: &[Input]) -> Option<PathInfo> {
        let mut path = PathInfo::default();
        for Input { name, bytes } in inputs {
            let object = self.pool.input(name, bytes.len() as u32);
            path.witness.set_object(object, bytes.as_slice());
            for (at, &value) in (0..).zip(bytes) {
                let byte = self.pool.input_byte(object, at);
                let value = self.pool.constant(8, value.into());
                let equal = self.pool.eq(byte, value);
                if path.condition.add(&mut self.pool, equal) == Added::False {
                    return None;
                }
            }
        }
        Some(path)
    }

    /// Runs inputs for the endings that no input reached so far.
    fn complete_endings(&mut self) {
        while let Some((build, task)) = self.tasks.pop_front() {
            let task = self.builds[build].reducer().update(task);
            let Some(task) = task else { continue };
            if self.is_stopped() {
                return;
            }
            let demand = self.conditions.demand(&mut self.pool, &task);
            let Some(path) = self.path_with(&task.kept, Model::new()) else {
                self.totals.infeasible += 1;
                continue;
            };
            if let Some(path) = self.under(&path, demand) {
                self.totals.completed += 1;
                self.run_witness(&path.witness, Some((build, &task)));
            }
        }
    }

    /// Runs inputs for the pairs of endings of which one is new: behind the first `combined` ones of
    /// its build.
    fn combine(&mut self, combined: [usize; 2]) {
        let order = self.endings[NEW].by_conditions();
        let is_fault = |&new: &usize| !self.endings[NEW].get(new).kind.is_exit();
        let faults: Vec<usize> = order.iter().copied().filter(is_fault).collect();
        for old in 0..self.endings[OLD].len() {
            // If an exit of the new build has the same conditions, all inputs lead to it, but for
            // those that fail there.
            let exit = self.endings[NEW].exit_under(&self.endings[OLD].get(old).conditions);
            let possible = if exit.is_some() { &faults } else { &order };
            let is_new = |&new: &usize| old >= combined[OLD] || new >= combined[NEW];
            let others = exit.into_iter().chain(possible.iter().copied());
            let others: Vec<usize> =
                others.filter(|new| is_new(new) && self.is_wanted(old, *new)).collect();
            self.combine_with(old, &others);
            if self.totals.stopped.is_some() {
                return;
            }
        }
    }

    /// Runs inputs for the pairs of an ending of the old build with endings of the new build,
    /// in the order of their conditions: a condition that contradicts those before it excludes
    /// all endings that begin so.
    fn combine_with(&mut self, old: usize, others: &[usize]) {
        if others.is_empty() {
            return;
        }
        let Ending { conditions, witness, .. } = self.endings[OLD].get(old).clone();
        let Some(base) = self.path_with(&conditions, witness) else { return };
        let mut paths: Vec<(ConditionId, PathInfo)> = Vec::new();
        let mut left = others;
        while let Some((&new, rest)) = left.split_first() {
            left = rest;
            // An input for an ending before this one may have shown the pair.
            if !self.is_wanted(old, new) {
                continue;
            }
            if self.is_stopped() {
                return;
            }
            let wanted = Rc::clone(&self.endings[NEW].get(new).conditions);
            let known = paths.iter().zip(&*wanted).take_while(|(own, it)| own.0 == **it).count();
            paths.truncate(known);
            for &condition in &wanted[known..] {
                let before = paths.last().map_or(&base, |(_, path)| path).clone();
                let term = self.conditions.term(condition);
                let Some(path) = term.and_then(|term| self.under(&before, term)) else {
                    let excluded = &wanted[..=paths.len()];
                    let endings = &self.endings[NEW];
                    left = &rest[rest
                        .partition_point(|&it| endings.get(it).conditions.starts_with(excluded))..];
                    break;
                };
                paths.push((condition, path));
            }
            if paths.len() == wanted.len() {
                let path = paths.last().map_or(&base, |(_, path)| path).clone();
                self.run_pair(old, new, path);
            }
        }
    }

    /// Whether an input for a pair of endings may show something.
    fn is_wanted(&self, old: usize, new: usize) -> bool {
        if self.decided.contains(&(old, new)) {
            return false;
        }
        let (old, new) = (self.endings[OLD].get(old), self.endings[NEW].get(new));
        let is_exit = old.kind.is_exit() && new.kind.is_exit();
        let is_same = old.kind.is_same(&new.kind);
        let compares_output = (is_exit || is_same) && (old.has_output || new.has_output);
        let compares_terms = is_exit && (old.kind.is_symbolic() || new.kind.is_symbolic());
        compares_output
            || !is_same
                && (compares_terms || !self.shown.contains(&(old.kind_number, new.kind_number)))
    }

    /// Runs an input for a pair of endings. `path` has the conditions of both.
    fn run_pair(&mut self, old: usize, new: usize, mut path: PathInfo) {
        let pair = [old, new];
        let mut failures: Vec<Vec<ConditionId>> = Vec::new();
        for (endings, number) in self.endings.iter().zip(pair) {
            failures.extend(endings.get(number).failures.iter().cloned());
        }
        loop {
            for failure in failures.drain(..) {
                let excluded = self.none_of(&failure);
                let Some(other) = self.under(&path, excluded) else { return };
                path = other;
            }
            if let Some(term) = self.exit_codes_differ(pair)
                && let Some(other) = self.under(&path, term)
            {
                path = other;
            }
            self.totals.combined += 1;
            let Some(run) = self.run_witness(&path.witness, None) else { return };
            for build in [OLD, NEW] {
                if run.endings[build] != Some(pair[build])
                    && let Some(failure) = &run.failures[build]
                {
                    self.endings[build].prevent(pair[build], failure.clone());
                    failures.push(failure.clone());
                }
            }
            if failures.is_empty() {
                let is_reached = run.endings == pair.map(Some);
                self.totals.diverged += u64::from(!is_reached);
                self.decided.insert((old, new));
                return;
            }
        }
    }

    /// The condition that two exit codes differ; `None` if they are constants.
    fn exit_codes_differ(&mut self, pair: [usize; 2]) -> Option<ExprId> {
        let kinds = [OLD, NEW].map(|build| self.endings[build].get(pair[build]).kind.clone());
        if !kinds.iter().any(EndingKind::is_symbolic) {
            return None;
        }
        let mut low_byte = |kind: &EndingKind| match kind {
            EndingKind::Exit(code) => Some(self.pool.constant(8, (*code).into())),
            EndingKind::SymbolicExit(term) => Some(self.pool.extract(*term, 0, 8)),
            EndingKind::Fault(..) => None,
        };
        let (old, new) = (low_byte(&kinds[OLD])?, low_byte(&kinds[NEW])?);
        let equal = self.pool.eq(old, new);
        Some(self.pool.not(equal))
    }

    /// The condition that not all of these hold.
    fn none_of(&mut self, failure: &[ConditionId]) -> ExprId {
        let task = Task { excluded: vec![failure.to_vec()], ..Task::default() };
        self.conditions.demand(&mut self.pool, &task)
    }

    /// A path with these conditions; `None` if they contradict each other.
    fn path_with(&mut self, conditions: &[ConditionId], witness: Model) -> Option<PathInfo> {
        let mut path = PathInfo { witness, ..PathInfo::default() };
        for term in conditions.iter().filter_map(|&it| self.conditions.term(it)) {
            if path.condition.add(&mut self.pool, term) == Added::False {
                return None;
            }
        }
        Some(path)
    }

    /// A path under one more condition, with an input that satisfies all; `None` if there is none,
    /// or the solver finds none, which is counted.
    fn under(&mut self, path: &PathInfo, condition: ExprId) -> Option<PathInfo> {
        let mut path = PathInfo { pending: Some(condition), ..path.clone() };
        match self.feasibility.decide(&mut self.pool, &mut path, self.budget.query()) {
            Decided::Feasible => return Some(path),
            Decided::Infeasible => self.totals.infeasible += 1,
            Decided::Undecided(_) => self.totals.undecided += 1,
        }
        None
    }

    /// Runs a new input on both builds, for a task of one of them if there is one, and keeps it as
    /// a test unless a build excludes it.
    fn run_witness(&mut self, witness: &Model, task: Option<(usize, &Task)>) -> Option<PairRun> {
        let inputs = self.inputs_of(witness);
        let run = self.run_inputs(&inputs, task)?;
        if run.excluded.is_none() {
            self.keep_test(run.clone(), None);
        }
        Some(run)
    }

    /// All inputs that a build has asked for, with these bytes.
    fn inputs_of(&self, witness: &Model) -> Vec<Input> {
        let input = |(id, object): (_, &InputObject)| {
            let mut bytes = witness.object(id).to_vec();
            bytes.resize(object.size as usize, 0);
            Input { name: object.name.to_string(), bytes }
        };
        self.pool.input_objects().map(input).collect()
    }

    fn keep_test(&mut self, run: PairRun, completes: Option<usize>) {
        let test = TestCase { args: self.config.invocation.words(), inputs: run.asked };
        self.tests.push(CombinedTest { test, instructions: run.instructions, completes });
    }

    /// Runs an input on both builds; what it lacks is zeros.
    fn run_inputs(&mut self, inputs: &[Input], task: Option<(usize, &Task)>) -> Option<PairRun> {
        let (pool, conditions) = (&mut self.pool, &mut self.conditions);
        let [old_build, new_build] = &mut self.builds;
        let new = new_build.run(inputs, pool, conditions)?;
        let old = old_build.run(inputs, pool, conditions)?;
        let is_own = |it: &&Input| new.inputs.iter().any(|own| own.name == it.name);
        let others = old.inputs.iter().filter(|it| !is_own(it));
        let asked: Vec<Input> = new.inputs.iter().chain(others).cloned().collect();
        let paths = [old, new];
        let endings = [OLD, NEW].map(|build| self.add_path(build, &paths[build], task));
        if let [Some(old), Some(new)] = endings {
            self.note_pair(old, new, &paths);
        }
        let instructions = paths.iter().map(|path| path.instructions).max().unwrap_or(0);
        let failures = paths.each_ref().map(BuildPath::failure);
        let is_excluded = |build: &usize| paths[*build].outcome == Outcome::Excluded;
        let excluded = [OLD, NEW].into_iter().find(is_excluded);
        Some(PairRun { endings, failures, excluded, asked, instructions })
    }

    /// Adds the ending of a build, and the tasks that it suggests.
    fn add_path(
        &mut self,
        build: usize,
        path: &BuildPath,
        task: Option<(usize, &Task)>,
    ) -> Option<usize> {
        let own = task.filter(|(of, _)| *of == build).map(|(_, task)| task.clone());
        let tasks = self.builds[build].reducer().add_path(&path.trace, &own.unwrap_or_default());
        self.tasks.extend(tasks.into_iter().map(|task| (build, task)));
        self.totals.limited += path.limited;
        let Some(kind) = EndingKind::of(&path.outcome, path.exit_code) else {
            self.totals.unfinished += u64::from(path.outcome != Outcome::Excluded);
            return None;
        };
        let conditions = path.ending.iter().map(|&it| path.trace.decisions[it].taken).collect();
        Some(self.endings[build].add(kind, conditions, path.has_output, &path.witness))
    }

    /// An input showed a pair of endings. Other inputs of the pair may have other exit codes.
    fn note_pair(&mut self, old: usize, new: usize, paths: &[BuildPath; 2]) {
        let kinds = [self.endings[OLD].get(old), self.endings[NEW].get(new)];
        self.shown.insert((kinds[OLD].kind_number, kinds[NEW].kind_number));
        let is_symbolic = kinds.iter().any(|ending| ending.kind.is_symbolic());
        if !is_symbolic || paths[OLD].outcome != paths[NEW].outcome {
            self.decided.insert((old, new));
        }
    }
}
