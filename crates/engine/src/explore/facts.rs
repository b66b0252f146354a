//! StateMetrics about states that searchers can ask for: where a state goes next, how far it is
//! from uncovered code, and what was counted while others ran.

use std::rc::Rc;

use byway_base::Work;
use byway_base::entity::EntityRef;
use byway_ir::analysis::{DistanceGraph, Distances, ProgramPoint};
use byway_ir::{BlockId, FuncId, Module};
use byway_search::{Delta, SearcherRequirements};
use rustc_hash::FxHashSet;

use super::Explorer;
use crate::bytecode::{ByteOp, Code, Pc, Special};
use crate::call_paths::CallPaths;
use crate::coverage::{Tracker, straight_from};
use crate::program::Program;
use crate::state::{Frame, State};

/// Distances are measured again once coverage has grown, but not before so much work
/// has been done since for every block of the program and every state there is: what
/// measuring and weighing all states anew takes stays a small part of a run.
const WORK_PER_MEASURED: u64 = 10;

/// What is kept for searchers beside the states.
#[derive(Default)]
pub(super) struct StateMetrics {
    call_paths: Option<Rc<CallPaths>>,
    coverage: Option<Uncovered>,
    /// The sites that some state came by, by their numbers.
    seen: Vec<bool>,
}

/// How far it is to what no state has come to.
struct Uncovered {
    graph: DistanceGraph,
    distances: Distances,
    epoch: u64,
    /// Whether states came to something new since.
    is_stale: bool,
    /// When it was measured.
    at: Work,
}

impl StateMetrics {
    /// What was asked for.
    pub fn new(module: &Module, sites: usize, wants: SearcherRequirements) -> StateMetrics {
        let coverage = wants.distances.then(|| {
            let graph = DistanceGraph::new(module);
            let distances = graph.to([]);
            Uncovered { graph, distances, epoch: 0, is_stale: true, at: Work::ZERO }
        });
        let call_paths = wants.call_paths.then(Rc::default);
        StateMetrics { call_paths, coverage, seen: vec![false; sites] }
    }

    /// The counts of call paths, if they are kept.
    pub fn call_paths(&self) -> Option<&Rc<CallPaths>> {
        self.call_paths.as_ref()
    }

    /// How often distances were measured.
    pub fn epoch(&self) -> u64 {
        self.coverage.as_ref().map_or(0, |coverage| coverage.epoch)
    }

    /// Others came to something new.
    pub fn grow_stale(&mut self) {
        if let Some(coverage) = &mut self.coverage {
            coverage.is_stale = true;
        }
    }

    /// A state came by a site.
    pub fn see(&mut self, site: u32) {
        if let Some(seen) = self.seen.get_mut(site as usize) {
            *seen = true;
        }
    }

    /// Whether a state begins with a site that none came by.
    pub fn is_at_uncovered(&self, program: &Program, state: &State) -> bool {
        let Some(top) = state.stack.last() else { return false };
        let code = program.code(top.func);
        match code.ops.get(next_pc(code, top, state) as usize) {
            Some(&ByteOp::Cover { site, .. }) => self.seen.get(site as usize) == Some(&false),
            _ => false,
        }
    }

    /// How far a state is from what no state has come to, that included.
    pub fn distance(&self, program: &Program, state: &State) -> Option<u64> {
        let coverage = self.coverage.as_ref()?;
        let (top, callers) = state.stack.split_last()?;
        let code = program.code(top.func);
        let here = point(program, top, next_pc(code, top, state));
        let behind_calls = callers.iter().rev().map(|caller| {
            let call = point(program, caller, caller.pc.saturating_sub(1));
            ProgramPoint { inst: call.inst + 1, ..call }
        });
        let points = std::iter::once(here).chain(behind_calls);
        Some(1 + coverage.distances.along(&coverage.graph, points)?)
    }

    fn measure(&mut self, program: &Program, tracker: &Tracker, now: Work) {
        let Some(coverage) = &mut self.coverage else { return };
        coverage.distances = coverage.graph.to(uncovered(program, tracker));
        coverage.epoch += 1;
        coverage.is_stale = false;
        coverage.at = now;
    }
}

impl Explorer<'_, '_, '_> {
    /// Measures distances for the first time, if they are wanted.
    pub(super) fn prepare_facts(&mut self) {
        self.machine.call_paths = self.frontier.facts.call_paths().cloned();
        let now = self.work();
        self.frontier.facts.measure(self.machine.program, &self.machine.coverage, now);
    }

    /// Brings what is kept up to date with what happened.
    pub(super) fn update_facts(&mut self, delta: &Delta) {
        let Some(coverage) = &mut self.frontier.facts.coverage else { return };
        coverage.is_stale |= !delta.new_coverage.is_empty();
        if !coverage.is_stale {
            return;
        }
        let (blocks, then) = (coverage.graph.blocks(), coverage.at);
        let measured = (blocks + self.frontier.len()) as u64;
        let now = self.work();
        if now.since(then) >= Work(measured * WORK_PER_MEASURED) {
            self.frontier.facts.measure(self.machine.program, &self.machine.coverage, now);
        }
    }
}

/// The blocks of the user's code that no state has come to.
fn uncovered(program: &Program, tracker: &Tracker) -> Vec<(FuncId, BlockId)> {
    let mut reached: FxHashSet<(FuncId, BlockId)> = FxHashSet::default();
    for (number, site) in program.sites().iter().enumerate() {
        if tracker.is_seen(number as u32) && !reached.contains(&(site.func, site.to)) {
            let func = &program.module.funcs[site.func];
            reached.extend(straight_from(func, site.to).into_iter().map(|b| (site.func, b)));
        }
    }
    let users = program.module.funcs.iter().filter(|&(id, _)| program.is_user(id));
    let blocks = users.flat_map(|(id, func)| func.blocks.keys().map(move |block| (id, block)));
    blocks.filter(|block| !reached.contains(block)).collect()
}

/// The operation a state begins with when it runs. Where it waits with a branch whose
/// side is decided, that is where the side leads.
pub(super) fn next_pc(code: &Code, top: &Frame, state: &State) -> Pc {
    if !state.path.suspended {
        return top.pc;
    }
    let at = top.pc.saturating_sub(1);
    match state.path.answers.last() {
        Some(&(_, way)) => way_ahead(code, at, way as usize),
        None => at,
    }
}

/// Where an operation leads that goes a way of those it asks about; where it is not a
/// branch, it is run again.
pub(super) fn way_ahead(code: &Code, at: Pc, way: usize) -> Pc {
    match code.ops[at as usize] {
        ByteOp::Branch { then, otherwise, .. }
        | ByteOp::BranchEq { then, otherwise, .. }
        | ByteOp::BranchUlt { then, otherwise, .. }
        | ByteOp::BranchSlt { then, otherwise, .. } => {
            if way == 0 {
                then
            } else {
                otherwise
            }
        }
        ByteOp::Switch { index, .. } => code.switches[index as usize].target(way),
        _ => at,
    }
}

/// Where an operation stands in the IR.
fn point(program: &Program, frame: &Frame, pc: Pc) -> ProgramPoint {
    let code = program.code(frame.func);
    let at = pc as usize;
    let block = code.block_at(pc);
    let first = &program.module.funcs[frame.func].blocks[block];
    let inst = match (code.insts.get(at).copied().flatten(), code.ops.get(at)) {
        (Some(inst), _) => inst.index() - first.first.index(),
        // On the way into the block.
        (
            None,
            Some(ByteOp::Cover { .. } | ByteOp::Jump { n: 0, .. } | ByteOp::MoveJump { n: 0, .. }),
        ) => 0,
        (None, Some(&ByteOp::Special { index })) if counts(code, index) => 0,
        (None, _) => first.end.index() - first.first.index(),
    };
    ProgramPoint { func: frame.func, block, inst: inst as u32 }
}

/// Whether a special operation counts an execution of its block.
fn counts(code: &Code, index: u32) -> bool {
    matches!(code.special.get(index as usize), Some(Special::Execution { .. }))
}
