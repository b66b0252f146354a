//! What code may do when it runs: which memory it reads and writes, which objects it frees, and
//! how it ends. [`ProgramEffects`] sums that up for calls.
//!
//! The functions without a body are described to the points-to analysis
//! ([`ExternalEffect`](super::points_to::ExternalEffect)).
//!
//! | file | content |
//! |---|---|
//! | `ranges.rs` | sets of bytes |
//! | `summaries.rs` | what calls may do |
//! | `endings.rs` | how calls and blocks end |
//! | `surviving.rs` | the control flow without errors, and the sides of branches |

mod endings;
mod ranges;
mod summaries;
mod surviving;

use std::collections::BTreeSet;

use byway_base::entity::{EntityRef, EntitySet, SecondaryMap};

pub use endings::{ERROR_FUNCTIONS, Endings};
pub use ranges::{MemoryRange, RangeSet};
pub use surviving::SurvivingBlocks;

use super::points_to::{AbstractObjectKind, MadeAddress, MemoryAccessKind, ObjectId};
use super::{Cfg, Digraph, PointsTo};
use crate::{BlockId, FuncId, Inst, InstId, Module, Operand, Ty};
use endings::FunctionEndings;
use summaries::FunctionSummaries;

/// What an instruction, a side of a branch, or a call may do.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Effects {
    /// Bytes that it reads.
    pub reads: RangeSet,
    /// Bytes that it writes.
    pub writes: RangeSet,
    /// Bytes that it defines without a write: of objects that it makes or frees, whose lifetime
    /// begins or ends, or that become input.
    pub replaces: RangeSet,
    /// Objects that it frees.
    pub frees: BTreeSet<ObjectId>,
    /// It changes what the environment answers: files read, symbolic input made.
    pub changes_world: bool,
    /// It writes output of the program.
    pub writes_output: bool,
    /// It may end the program, or jump out of its function.
    pub leaves: bool,
}

impl Effects {
    /// Adds the effects of other code. Sets of bytes keep at most `max_ranges` ranges of one
    /// object apart.
    pub fn add(&mut self, other: &Effects, max_ranges: usize) {
        self.reads.add(&other.reads, max_ranges);
        self.writes.add(&other.writes, max_ranges);
        self.replaces.add(&other.replaces, max_ranges);
        self.frees.extend(&other.frees);
        self.changes_world |= other.changes_world;
        self.writes_output |= other.writes_output;
        self.leaves |= other.leaves;
    }

    /// The bytes that have other contents afterwards: written or replaced.
    pub fn definitions(&self) -> impl Iterator<Item = MemoryRange> + '_ {
        self.writes.iter().chain(self.replaces.iter())
    }
}

/// What the functions of a program may do.
pub struct ProgramEffects {
    calls: FunctionSummaries,
    endings: FunctionEndings,
    recursive: EntitySet<FuncId>,
    callers: SecondaryMap<FuncId, Vec<(FuncId, InstId)>>,
    max_ranges: usize,
}

impl ProgramEffects {
    /// Analyses the functions that a call can reach. Of one object, sets of bytes keep at most
    /// `max_ranges` ranges apart.
    pub fn new(module: &Module, points_to: &PointsTo, max_ranges: usize) -> ProgramEffects {
        let endings = FunctionEndings::new(module, points_to);
        let mut callers: SecondaryMap<FuncId, Vec<(FuncId, InstId)>> = SecondaryMap::new();
        let mut edges = Vec::new();
        for (id, func) in module.funcs.iter().filter(|(id, _)| points_to.is_reached(*id)) {
            for inst in func.insts.keys() {
                for &callee in points_to.callees(id, inst) {
                    callers[callee].push((id, inst));
                    edges.push((id.index(), callee.index()));
                }
            }
        }
        edges.sort_unstable();
        edges.dedup();
        let calls = Digraph::new(module.funcs.len(), &edges);
        let groups = calls.components();
        let mut recursive = EntitySet::new();
        for group in groups.iter().filter(|group| calls_itself(&calls, group)) {
            recursive.extend(group.iter().map(|&id| FuncId::new(id)));
        }
        ProgramEffects {
            calls: FunctionSummaries::new(module, points_to, &endings, &calls, &groups, max_ranges),
            endings,
            recursive,
            callers,
            max_ranges,
        }
    }

    /// What calls of a function may do, except to its own local variables.
    pub fn of_call(&self, func: FuncId) -> &Effects {
        self.calls.of_call(func)
    }

    /// Whether a call in a block may end the program, or jump out of its function.
    pub fn may_leave(&self, module: &Module, points_to: &PointsTo, at: (FuncId, BlockId)) -> bool {
        let (func, block) = at;
        let mut insts = module.funcs[func].blocks[block].inst_ids();
        insts.any(|inst| {
            points_to.callees(func, inst).iter().any(|&callee| self.calls.may_leave(callee))
        })
    }

    /// Whether a function can be called while it runs.
    pub fn is_recursive(&self, func: FuncId) -> bool {
        self.recursive.contains(func)
    }

    /// The calls that can reach a function.
    pub fn callers(&self, func: FuncId) -> &[(FuncId, InstId)] {
        &self.callers[func]
    }

    /// The paths through a function that do not end in an error.
    pub fn surviving_blocks(
        &self,
        module: &Module,
        points_to: &PointsTo,
        func: FuncId,
        cfg: &Cfg,
    ) -> SurvivingBlocks {
        SurvivingBlocks::new(module, points_to, &self.endings, func, cfg)
    }

    /// The effects of a block, with everything it calls.
    pub fn of_block(
        &self,
        module: &Module,
        points_to: &PointsTo,
        func: FuncId,
        block: BlockId,
    ) -> Effects {
        let (mut all, mut callees) = (Effects::default(), Vec::new());
        for inst in module.funcs[func].blocks[block].inst_ids() {
            all.add(&self.of_inst(module, points_to, func, inst), self.max_ranges);
            callees.extend(points_to.callees(func, inst));
        }
        all.add(&self.calls.of_calls(&callees), self.max_ranges);
        all
    }

    /// The effects of an instruction itself, not of functions with a body that it calls.
    pub fn of_inst(
        &self,
        module: &Module,
        points_to: &PointsTo,
        func: FuncId,
        inst: InstId,
    ) -> Effects {
        let mut effects = Effects::default();
        for access in points_to.accesses(module, func, inst) {
            let set = match access.kind {
                MemoryAccessKind::Read => &mut effects.reads,
                MemoryAccessKind::Write => &mut effects.writes,
            };
            for at in access.locations {
                let len = access.len;
                let range = MemoryRange { object: at.object, offsets: at.offsets, len };
                set.insert(range, self.max_ranges);
            }
        }
        add_implied(module, points_to, func, inst, self.max_ranges, &mut effects);
        effects
    }
}

/// Whether functions that all reach each other can be called while they run.
fn calls_itself(calls: &Digraph, group: &[usize]) -> bool {
    match *group {
        [id] => calls.succs(id).any(|it| it == id),
        _ => true,
    }
}

/// Adds what an instruction does beyond the accesses that the points-to analysis lists.
fn add_implied(
    module: &Module,
    points_to: &PointsTo,
    func: FuncId,
    inst: InstId,
    max_ranges: usize,
    effects: &mut Effects,
) {
    match &module.funcs[func].insts[inst] {
        // The contents are undefined from here on.
        Inst::Lifetime { addr, .. } => {
            for at in points_to.of_operand(module, func, *addr) {
                let len = points_to.objects()[at.object].size;
                let range = MemoryRange { object: at.object, offsets: at.offsets, len };
                effects.replaces.insert(range, max_ranges);
            }
        }
        Inst::Call { args, .. } => {
            add_external(module, points_to, (func, inst), args, max_ranges, effects);
        }
        _ => {}
    }
}

/// Adds what the functions without a body do that a call can reach.
fn add_external(
    module: &Module,
    points_to: &PointsTo,
    (func, inst): (FuncId, InstId),
    args: &[Operand],
    max_ranges: usize,
    effects: &mut Effects,
) {
    let body = &module.funcs[func];
    let mut replace = |object| effects.replaces.insert(MemoryRange::whole(object), max_ranges);
    for &callee in points_to.callees(func, inst) {
        if !module.funcs[callee].is_declaration() {
            continue;
        }
        let effect = points_to.effect(callee);
        let is_known = !effect.reads.is_empty() || !effect.writes.is_empty();
        match effect.makes {
            // A function without a known effect can change what its arguments point to:
            // whether it exists, if not its contents.
            MadeAddress::None if !is_known => {
                for &arg in args.iter().filter(|&&arg| body.operand_ty(arg) == Ty::Ptr) {
                    let locations = points_to.of_operand(module, func, arg);
                    locations.iter().for_each(|at| replace(at.object));
                }
            }
            MadeAddress::InputGlobals => {
                for (object, content) in points_to.objects() {
                    if let AbstractObjectKind::Global(_) = content.kind {
                        replace(object);
                    }
                }
            }
            _ => {}
        }
        if let Some(&freed) = effect.frees.and_then(|index| args.get(index)) {
            let locations = points_to.of_operand(module, func, freed);
            effects.frees.extend(locations.iter().map(|at| at.object));
        }
        effects.changes_world |= effect.changes_world;
        effects.writes_output |= effect.writes_output;
    }
    if let Some(object) = points_to.object_of(AbstractObjectKind::Heap(func, inst)) {
        replace(object);
    }
}
