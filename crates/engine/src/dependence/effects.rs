//! What code may do that does not run: the definitions on the side of a branch that a path did
//! not take. [`StaticEffects`] has the analyses of the program and keeps what it was asked for.

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

use byway_base::entity::{EntityRef, EntitySet};
use byway_ir::analysis::effects::{Effects, MemoryRange, SurvivingBlocks};
use byway_ir::analysis::points_to::{AbstractObjectKind, ObjectId, Offsets};
use byway_ir::analysis::{Cfg, PointsTo, ProgramEffects};
use byway_ir::{BlockId, FuncId, Function, Module, Operand, Val};
use rustc_hash::FxHashMap;

use super::memory::Part;
use super::pointer_writes::{FunctionWrites, PointerWrite, WriteSources, values_of};
use crate::intrinsic::Intrinsic;

/// A part of an abstract object that may be defined.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PossibleWrite {
    pub of: (ObjectId, Part),
    pub offsets: Offsets,
    /// The number of bytes; `None` if it is not known.
    pub len: Option<u64>,
}

impl PossibleWrite {
    pub fn bytes(range: MemoryRange) -> PossibleWrite {
        let MemoryRange { object, offsets, len } = range;
        PossibleWrite { of: (object, Part::Bytes), offsets, len }
    }

    fn free(object: ObjectId) -> PossibleWrite {
        PossibleWrite { of: (object, Part::Object), offsets: Offsets::ANY, len: None }
    }
}

/// What code may do.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PossibleEffect {
    pub writes: BTreeSet<PossibleWrite>,
    /// It changes what the environment answers: files read, symbolic input made.
    pub changes_world: bool,
    /// It writes output of the program.
    pub writes_output: bool,
    /// It may end the program, or jump out of its function.
    pub leaves: bool,
}

impl PossibleEffect {
    /// `writes` are the bytes that it may write.
    fn new(effects: &Effects, writes: impl Iterator<Item = PossibleWrite>) -> PossibleEffect {
        let frees = effects.frees.iter().copied().map(PossibleWrite::free);
        PossibleEffect {
            writes: writes.chain(frees).collect(),
            changes_world: effects.changes_world,
            writes_output: effects.writes_output,
            leaves: effects.leaves,
        }
    }

    pub fn add(&mut self, other: &PossibleEffect) {
        self.writes.extend(&other.writes);
        self.changes_world |= other.changes_world;
        self.writes_output |= other.writes_output;
        self.leaves |= other.leaves;
    }
}

/// One side of a branch, up to where all sides meet.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Side {
    /// What it may do, except through pointers.
    pub effect: PossibleEffect,
    /// What it may write through values that it does not define, each with the most that this can be.
    pub through: Vec<(PointerWrite<Val>, Rc<[PossibleWrite]>)>,
    /// The values it defines that are used elsewhere.
    pub values: Vec<Val>,
    /// Every path that takes it ends there, in a fault or excluded.
    pub is_fatal: bool,
}

/// The control flow of a function.
struct Flow {
    cfg: Cfg,
    surviving: SurvivingBlocks,
}

/// What code may do, on demand.
pub struct StaticEffects<'m> {
    module: &'m Module,
    pub points_to: Arc<PointsTo>,
    program: ProgramEffects,
    writes: FunctionWrites,
    unknown: Option<ObjectId>,
    intrinsics: FxHashMap<FuncId, Intrinsic>,
    calls: Vec<OnceCell<PossibleEffect>>,
    flows: RefCell<FxHashMap<FuncId, Rc<Flow>>>,
    sides: RefCell<FxHashMap<(FuncId, BlockId, BlockId), Rc<Side>>>,
}

impl<'m> StaticEffects<'m> {
    /// Analyses a program. Its points-to analysis is shared by all workers.
    pub fn new(module: &'m Module, points_to: Arc<PointsTo>) -> StaticEffects<'m> {
        let declared = module.funcs.iter().filter(|(_, func)| func.is_declaration());
        let intrinsics =
            declared.filter_map(|(id, func)| Some((id, Intrinsic::by_name(&func.name)?))).collect();
        StaticEffects {
            module,
            program: ProgramEffects::new(module, &points_to, usize::MAX),
            writes: FunctionWrites::default(),
            unknown: points_to.object_of(AbstractObjectKind::Unknown),
            points_to,
            intrinsics,
            calls: vec![OnceCell::new(); module.funcs.len()],
            flows: RefCell::default(),
            sides: RefCell::default(),
        }
    }

    /// Where the sides of the branch at the end of a block meet; `None` if only after the
    /// function returns.
    pub fn meeting_point(&self, func: FuncId, block: BlockId) -> Option<BlockId> {
        self.flow(func).surviving.postdominators().idom(block)
    }

    /// The side of the branch at the end of a block that begins with `succ`.
    pub fn side(&self, func: FuncId, block: BlockId, succ: BlockId) -> Rc<Side> {
        cached(&self.sides, (func, block, succ), || self.find_side(func, block, succ))
    }

    /// Whether a path may end on the side of the branch at the end of a block that begins with
    /// `succ`.
    pub fn may_end(&self, func: FuncId, block: BlockId, succ: BlockId) -> bool {
        let flow = self.flow(func);
        let blocks = flow.surviving.side(&flow.cfg, block, succ);
        let leaves = |at| self.program.may_leave(self.module, &self.points_to, (func, at));
        !flow.surviving.contains(succ) || blocks.iter().any(leaves)
    }

    /// The blocks on any side of the branch at the end of a block, those of failing paths included.
    pub fn blocks_beside(&self, func: FuncId, block: BlockId) -> EntitySet<BlockId> {
        let flow = self.flow(func);
        let meet = self.meeting_point(func, block);
        let (mut blocks, mut open) = (EntitySet::new(), Vec::from_iter(flow.cfg.succs(block)));
        while let Some(at) = open.pop() {
            if Some(at) != meet && blocks.insert(at) {
                open.extend(flow.cfg.succs(at));
            }
        }
        blocks
    }

    /// What calls of a function may do.
    pub fn of_call(&self, func: FuncId) -> &PossibleEffect {
        let find = || {
            let effects = self.program.of_call(func);
            PossibleEffect::new(effects, effects.writes.iter().map(PossibleWrite::bytes))
        };
        self.calls[func.index()].get_or_init(find)
    }

    /// Whether a write is to bytes that the analysis does not know.
    pub fn is_anywhere(&self, write: &PossibleWrite) -> bool {
        Some(write.of.0) == self.unknown
    }

    /// The engine's function of this number.
    pub fn intrinsic(&self, func: FuncId) -> Option<Intrinsic> {
        self.intrinsics.get(&func).copied()
    }

    fn find_side(&self, func: FuncId, block: BlockId, succ: BlockId) -> Side {
        let flow = self.flow(func);
        let blocks = flow.surviving.side(&flow.cfg, block, succ);
        let mut effects = Effects::default();
        for at in self.module.funcs[func].blocks.keys().filter(|&at| blocks.contains(at)) {
            let of_block = self.program.of_block(self.module, &self.points_to, func, at);
            effects.add(&of_block, usize::MAX);
        }
        let sources = WriteSources {
            module: self.module,
            points_to: &self.points_to,
            program: &self.program,
        };
        let writes = self.writes.of_blocks(sources, func, &blocks);
        Side {
            effect: PossibleEffect::new(&effects, writes.others.into_iter()),
            through: writes.through.into_iter().collect(),
            values: values_used_outside(&self.module.funcs[func], &blocks),
            is_fatal: !flow.surviving.contains(succ),
        }
    }

    fn flow(&self, func: FuncId) -> Rc<Flow> {
        cached(&self.flows, func, || {
            let cfg = Cfg::new(&self.module.funcs[func]);
            let surviving = self.program.surviving_blocks(self.module, &self.points_to, func, &cfg);
            Flow { cfg, surviving }
        })
    }

    /// The objects that a call frees.
    pub fn freed_by(&self, func: FuncId, pointer: Operand) -> Vec<PossibleWrite> {
        let freed = self.points_to.of_operand(self.module, func, pointer);
        freed.into_iter().map(|it| PossibleWrite::free(it.object)).collect()
    }
}

/// The entry of a table, found when it is first asked for.
fn cached<K: Eq + std::hash::Hash, V>(
    table: &RefCell<FxHashMap<K, Rc<V>>>,
    key: K,
    find: impl FnOnce() -> V,
) -> Rc<V> {
    if let Some(known) = table.borrow().get(&key) {
        return Rc::clone(known);
    }
    let found = Rc::new(find());
    table.borrow_mut().insert(key, Rc::clone(&found));
    found
}

/// Whether an engine's function ends the life of the object that its first argument points to.
pub fn frees(intrinsic: Intrinsic) -> bool {
    intrinsic.memory_effect().frees.is_some()
}

/// Whether the results of an engine's function depend on the calls before it.
pub fn changes_world(intrinsic: Intrinsic) -> bool {
    intrinsic.memory_effect().changes_world
}

/// The values defined in some blocks of a function that are used in others.
fn values_used_outside(func: &Function, blocks: &EntitySet<BlockId>) -> Vec<Val> {
    let defined = values_of(func, blocks);
    let mut used = BTreeSet::new();
    let mut note = |op: Operand| used.extend(op.as_val().filter(|&val| defined.contains(val)));
    for (_, block) in func.blocks.iter().filter(|(id, _)| !blocks.contains(*id)) {
        for inst in block.inst_ids() {
            func.insts[inst].for_each_use(&mut note);
        }
        block.term.for_each_use(&mut note);
        block.term.for_each_edge(|edge| edge.args.iter().for_each(|&arg| note(arg)));
    }
    used.into_iter().collect()
}
