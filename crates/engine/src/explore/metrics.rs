//! Metrics of states for searchers: the next program point, the distances to uncovered code
//! and to targets, and instruction counts per call path. [`StateMetrics`] owns what they need beside the states.

use std::rc::Rc;

use byway_base::Work;
use byway_base::entity::EntityRef;
use byway_ir::analysis::{DistanceGraph, Distances, ProgramPoint};
use byway_ir::{BlockId, FuncId, Module};
use byway_search::SearcherRequirements;
use byway_search::markov::ProgramChain;
use rustc_hash::FxHashSet;

use super::targets::{Target, TargetDistances};
use crate::bytecode::{ByteOp, Code, Pc, Special};
use crate::call_paths::CallPaths;
use crate::coverage::{Tracker, straight_from};
use crate::intrinsic::Intrinsic;
use crate::program::Program;
use crate::state::{Frame, State};

/// Work per block and per live state between two measurements of distances, so that
/// measuring and reordering all states stays a small part of a run.
const WORK_PER_MEASURED: u64 = 10;

/// Data behind the metrics of states.
#[derive(Default)]
pub(super) struct StateMetrics {
    call_paths: Option<Rc<CallPaths>>,
    coverage: Option<Uncovered>,
    pub(super) targets: TargetDistances,
    /// Which coverage sites some state reached, by number.
    seen: Vec<bool>,
    /// The program as a Markov chain, if a searcher requires it.
    pub(super) chain: Option<Box<ProgramChain>>,
}

/// Distances to blocks that no state has reached.
struct Uncovered {
    graph: Rc<DistanceGraph>,
    distances: Distances,
    epoch: u64,
    /// Whether coverage has grown since the last measurement.
    is_stale: bool,
    /// The work done at the last measurement.
    at: Work,
}

impl StateMetrics {
    /// The metrics that a searcher and these targets require.
    pub fn new(
        module: &Module,
        sites: usize,
        requirements: SearcherRequirements,
        targets: &[Target],
    ) -> StateMetrics {
        let effect = |func: FuncId| {
            Intrinsic::by_name(&module.funcs[func].name)
                .map_or_else(Default::default, Intrinsic::effect)
        };
        let has_targets = !targets.is_empty();
        let graph = (requirements.distances || has_targets)
            .then(|| Rc::new(DistanceGraph::new(module, effect)));
        let coverage = graph.clone().filter(|_| requirements.distances).map(|graph| {
            let distances = graph.to([]);
            Uncovered { graph, distances, epoch: 0, is_stale: true, at: Work::ZERO }
        });
        let call_paths = requirements.call_paths.then(Rc::default);
        let targets = match graph.filter(|_| has_targets) {
            Some(graph) => {
                TargetDistances::new(graph, targets, requirements.distances_in_functions)
            }
            None => TargetDistances::default(),
        };
        StateMetrics { call_paths, coverage, targets, seen: vec![false; sites], chain: None }
    }

    /// Instructions by call path, if a searcher requires them.
    pub fn call_paths(&self) -> Option<&Rc<CallPaths>> {
        self.call_paths.as_ref()
    }

    /// The number of measurements of distances.
    pub fn epoch(&self) -> u64 {
        self.coverage.as_ref().map_or(0, |coverage| coverage.epoch)
    }

    /// Another worker covered something new.
    pub fn mark_stale(&mut self) {
        if let Some(coverage) = &mut self.coverage {
            coverage.is_stale = true;
        }
    }

    /// A state reached a site.
    pub fn mark_reached(&mut self, site: u32) {
        if let Some(seen) = self.seen.get_mut(site as usize) {
            *seen = true;
        }
    }

    /// Whether a state continues at a site that no state has reached.
    pub fn is_at_uncovered(&self, program: &Program, state: &State) -> bool {
        let Some(top) = state.stack.last() else { return false };
        let code = program.code(top.func);
        match code.ops.get(next_pc(code, top, state) as usize) {
            Some(&ByteOp::Cover { site, .. }) => self.seen.get(site as usize) == Some(&false),
            _ => false,
        }
    }

    /// The distance of a state to a block that no state has reached; at least one.
    pub fn distance(&self, program: &Program, state: &State) -> Option<u64> {
        let coverage = self.coverage.as_ref()?;
        let points = points(program, state);
        Some(1 + coverage.distances.along(&coverage.graph, points)?)
    }

    /// Measures distances, if a searcher requires them.
    pub fn measure(&mut self, program: &Program, tracker: &Tracker, now: Work) {
        let Some(coverage) = &mut self.coverage else { return };
        coverage.distances = coverage.graph.to(uncovered(program, tracker));
        coverage.epoch += 1;
        coverage.is_stale = false;
        coverage.at = now;
    }

    /// Measures distances again if coverage has grown and enough work was done since.
    pub fn update(&mut self, program: &Program, tracker: &Tracker, growth: Growth) {
        let Some(coverage) = &mut self.coverage else { return };
        coverage.is_stale |= growth.has_new_coverage;
        if !coverage.is_stale {
            return;
        }
        let measured = (coverage.graph.blocks() + growth.states) as u64;
        if growth.work.since(coverage.at) >= Work(measured * WORK_PER_MEASURED) {
            self.measure(program, tracker, growth.work);
        }
    }
}

/// What an update of the metrics depends on.
pub(super) struct Growth {
    /// Whether the last round covered something new.
    pub has_new_coverage: bool,
    /// The number of live states.
    pub states: usize,
    /// The work done so far.
    pub work: Work,
}

/// The blocks of the user's code that no state has reached.
fn uncovered(program: &Program, tracker: &Tracker) -> Vec<ProgramPoint> {
    let mut reached: FxHashSet<(FuncId, BlockId)> = FxHashSet::default();
    for (number, site) in program.sites().iter().enumerate() {
        if tracker.is_seen(number as u32) && !reached.contains(&(site.func, site.to)) {
            let func = &program.module.funcs[site.func];
            reached.extend(straight_from(func, site.to).into_iter().map(|b| (site.func, b)));
        }
    }
    let users = program.module.funcs.iter().filter(|&(id, _)| program.is_user(id));
    let blocks = users.flat_map(|(id, func)| func.blocks.keys().map(move |block| (id, block)));
    let unreached = blocks.filter(|block| !reached.contains(block));
    unreached.map(|(func, block)| ProgramPoint { func, block, inst: 0 }).collect()
}

/// The point where a state continues, then the return points of its open calls, innermost first.
pub(super) fn points(program: &Program, state: &State) -> impl Iterator<Item = ProgramPoint> {
    let top = state.stack.last();
    let here = top.map(|top| point(program, top, next_pc(program.code(top.func), top, state)));
    here.into_iter().chain(behind_calls(program, state))
}

/// The same for a state that ended with a fault: first the point of the fault.
pub(super) fn points_at_fault(program: &Program, state: &State) -> Vec<ProgramPoint> {
    let here = state.stack.last().map(|top| point(program, top, top.pc.saturating_sub(1)));
    here.into_iter().chain(behind_calls(program, state)).collect()
}

fn behind_calls(program: &Program, state: &State) -> impl Iterator<Item = ProgramPoint> {
    state.stack.iter().rev().skip(1).map(|caller| {
        let call = point(program, caller, caller.pc.saturating_sub(1));
        ProgramPoint { inst: call.inst + 1, ..call }
    })
}

/// The operation that a state continues with. For a state suspended at a branch whose case is
/// decided, this is the target of the case.
pub(super) fn next_pc(code: &Code, top: &Frame, state: &State) -> Pc {
    if !state.path.suspended {
        return top.pc;
    }
    let at = top.pc.saturating_sub(1);
    match state.path.answers.last() {
        Some(&(_, index)) => case_target(code, at, index as usize),
        None => at,
    }
}

/// The target of a case of a branch or switch; any other operation runs again itself.
pub(super) fn case_target(code: &Code, at: Pc, index: usize) -> Pc {
    match code.ops[at as usize] {
        ByteOp::Branch { then, otherwise, .. }
        | ByteOp::BranchEq { then, otherwise, .. }
        | ByteOp::BranchUlt { then, otherwise, .. }
        | ByteOp::BranchSlt { then, otherwise, .. } => {
            if index == 0 {
                then
            } else {
                otherwise
            }
        }
        ByteOp::Switch { index: table, .. } => code.switches[table as usize].target(index),
        _ => at,
    }
}

/// The program point of an operation.
fn point(program: &Program, frame: &Frame, pc: Pc) -> ProgramPoint {
    let code = program.code(frame.func);
    let at = pc as usize;
    let block = code.block_at(pc);
    let first = &program.module.funcs[frame.func].blocks[block];
    let inst = match (code.insts.get(at).copied().flatten(), code.ops.get(at)) {
        (Some(inst), _) => inst.index() - first.first.index(),
        // An edge into the block.
        (
            None,
            Some(ByteOp::Cover { .. } | ByteOp::Jump { n: 0, .. } | ByteOp::MoveJump { n: 0, .. }),
        ) => 0,
        (None, Some(&ByteOp::Special { index })) => match &code.special[index as usize] {
            Special::Execution { .. } | Special::RecordValue { .. } => 0,
            Special::Watch { watch, .. } => watch.point.inst as usize,
            _ => first.end.index() - first.first.index(),
        },
        (None, _) => first.end.index() - first.first.index(),
    };
    ProgramPoint { func: frame.func, block, inst: inst as u32 }
}
