//! What code may do that does not run: the definitions on the side of a branch that a path did
//! not take. [`StaticEffects`] computes it from the points-to analysis when asked.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

use byway_base::entity::{EntityRef, EntitySet};
use byway_ir::analysis::points_to::{
    AbstractObjectKind, MadeAddress, MemoryAccessKind, ObjectId, Offsets,
};
use byway_ir::analysis::{Cfg, Digraph, DomTree, PointsTo};
use byway_ir::{BlockId, FuncId, Function, Inst, InstId, Module, Operand, Terminator, Val};
use rustc_hash::FxHashMap;

use super::memory::Part;
use crate::intrinsic::Intrinsic;

/// A part of an abstract object that may be defined.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PossibleWrite {
    pub of: (ObjectId, Part),
    pub offsets: Offsets,
    /// The number of bytes; `None` if it is not known.
    pub len: Option<u64>,
}

/// What code may do.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Effect {
    pub writes: BTreeSet<PossibleWrite>,
    /// It writes where the analysis does not know.
    pub writes_anywhere: bool,
    /// It changes what the environment answers: files read, symbolic input made.
    pub changes_world: bool,
    /// It may end the program, or jump out of its function.
    pub leaves: bool,
}

impl Effect {
    pub fn add(&mut self, other: &Effect) {
        self.writes.extend(&other.writes);
        self.writes_anywhere |= other.writes_anywhere;
        self.changes_world |= other.changes_world;
        self.leaves |= other.leaves;
    }
}

/// One side of a branch, up to where all sides meet.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Side {
    /// What it may do.
    pub effect: Effect,
    /// The values it defines that are used elsewhere.
    pub values: Vec<Val>,
    /// Every path that takes it ends there, in a fault or excluded.
    pub is_fatal: bool,
}

/// The control flow of a function.
struct Flow {
    cfg: Cfg,
    /// The blocks that a path can enter and not fail.
    survives: Vec<bool>,
    postdominators: DomTree,
    effects: Vec<Effect>,
}

/// How calls of a function can end.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
struct Ends {
    returns: bool,
    leaves: bool,
}

/// What code may do, on demand.
pub struct StaticEffects<'m> {
    module: &'m Module,
    pub points_to: Arc<PointsTo>,
    intrinsics: FxHashMap<FuncId, Intrinsic>,
    ends: Vec<Ends>,
    /// The effects of calls of each function.
    summaries: Vec<Rc<Effect>>,
    flows: RefCell<FxHashMap<FuncId, Rc<Flow>>>,
    sides: RefCell<FxHashMap<(FuncId, BlockId, BlockId), Rc<Side>>>,
}

impl<'m> StaticEffects<'m> {
    /// Analyses a program. Its points-to analysis is shared by all workers.
    pub fn new(module: &'m Module, points_to: Arc<PointsTo>) -> StaticEffects<'m> {
        let declared = module.funcs.iter().filter(|(_, func)| func.is_declaration());
        let intrinsics =
            declared.filter_map(|(id, func)| Some((id, Intrinsic::by_name(&func.name)?))).collect();
        let mut effects = StaticEffects {
            module,
            points_to,
            intrinsics,
            ends: Vec::new(),
            summaries: Vec::new(),
            flows: RefCell::default(),
            sides: RefCell::default(),
        };
        effects.find_ends();
        effects.summarise();
        effects
    }

    /// Where the sides of the branch at the end of a block meet; `None` if only after the
    /// function returns.
    pub fn meeting_point(&self, func: FuncId, block: BlockId) -> Option<BlockId> {
        self.flow(func).postdominators.idom(block)
    }

    /// The side of the branch at the end of a block that begins with `succ`.
    pub fn side(&self, func: FuncId, block: BlockId, succ: BlockId) -> Rc<Side> {
        let key = (func, block, succ);
        if let Some(side) = self.sides.borrow().get(&key) {
            return Rc::clone(side);
        }
        let side = Rc::new(self.find_side(func, block, succ));
        self.sides.borrow_mut().insert(key, Rc::clone(&side));
        side
    }

    /// The blocks on any side of the branch at the end of a block, those of failing paths included.
    pub fn blocks_beside(&self, func: FuncId, block: BlockId) -> EntitySet<BlockId> {
        let flow = self.flow(func);
        let meet = flow.postdominators.idom(block);
        let (mut blocks, mut open) = (EntitySet::new(), Vec::from_iter(flow.cfg.succs(block)));
        while let Some(at) = open.pop() {
            if Some(at) != meet && blocks.insert(at) {
                open.extend(flow.cfg.succs(at));
            }
        }
        blocks
    }

    /// What calls of a function may do.
    pub fn of_call(&self, func: FuncId) -> &Effect {
        &self.summaries[func.index()]
    }

    /// The engine's function of this number.
    pub fn intrinsic(&self, func: FuncId) -> Option<Intrinsic> {
        self.intrinsics.get(&func).copied()
    }

    fn find_side(&self, func: FuncId, block: BlockId, succ: BlockId) -> Side {
        let flow = self.flow(func);
        let meet = flow.postdominators.idom(block);
        let mut side = Side { is_fatal: !flow.survives[succ.index()], ..Side::default() };
        if side.is_fatal || Some(succ) == meet {
            return side;
        }
        let mut blocks = EntitySet::new();
        let mut open = vec![succ];
        blocks.insert(succ);
        while let Some(at) = open.pop() {
            side.effect.add(&flow.effects[at.index()]);
            for next in flow.cfg.succs(at) {
                if Some(next) != meet && flow.survives[next.index()] && !blocks.contains(next) {
                    blocks.insert(next);
                    open.push(next);
                }
            }
        }
        side.values = values_used_outside(&self.module.funcs[func], &blocks);
        side
    }

    fn flow(&self, func: FuncId) -> Rc<Flow> {
        if let Some(flow) = self.flows.borrow().get(&func) {
            return Rc::clone(flow);
        }
        let flow = Rc::new(self.find_flow(func));
        self.flows.borrow_mut().insert(func, Rc::clone(&flow));
        flow
    }

    fn find_flow(&self, func: FuncId) -> Flow {
        let body = &self.module.funcs[func];
        let cfg = Cfg::new(body);
        let count = body.blocks.len();
        let ends = |block: BlockId| self.block_ends(func, block);
        let fails = |block: BlockId| ends(block) == Some(Ends { returns: false, leaves: false });
        let leaves = |block: BlockId| ends(block) == Some(Ends { returns: false, leaves: true });
        let mut survives = vec![false; count];
        let is_end = |&block: &BlockId| !fails(block);
        let mut open: Vec<BlockId> = cfg.path_ends().into_iter().filter(is_end).collect();
        open.extend(cfg.reverse_post_order().iter().copied().filter(|&it| leaves(it)));
        let exits = open.clone();
        while let Some(block) = open.pop() {
            if !std::mem::replace(&mut survives[block.index()], true) {
                open.extend(cfg.preds(block).filter(|&it| cfg.is_reachable(it) && !fails(it)));
            }
        }
        let mut edges: Vec<(usize, usize)> = exits.iter().map(|it| (count, it.index())).collect();
        for &block in cfg.reverse_post_order() {
            let next = cfg.succs(block).filter(|it| survives[it.index()]);
            let next = next.filter(|_| survives[block.index()] && !leaves(block));
            edges.extend(next.map(|next| (next.index(), block.index())));
        }
        let postdominators = DomTree::new(&Digraph::new(count + 1, &edges), count, count);
        let effects = body.blocks.keys().map(|block| self.block_effect(func, block)).collect();
        Flow { cfg, survives, postdominators, effects }
    }

    /// How a block ends a path; `None` if it need not.
    fn block_ends(&self, func: FuncId, block: BlockId) -> Option<Ends> {
        let body = &self.module.funcs[func];
        for inst in body.blocks[block].inst_ids() {
            match &body.insts[inst] {
                Inst::Trap | Inst::Unsupported { .. } => {
                    return Some(Ends { returns: false, leaves: false });
                }
                Inst::Call { .. } => {
                    let ends = self.call_ends(func, inst);
                    if !ends.returns {
                        return Some(ends);
                    }
                }
                _ => {}
            }
        }
        let is_end = matches!(body.blocks[block].term, Terminator::Unreachable);
        is_end.then_some(Ends { returns: false, leaves: false })
    }

    fn call_ends(&self, func: FuncId, inst: InstId) -> Ends {
        let callees = self.points_to.callees(func, inst);
        // A call that is not analysed returns.
        let mut all = Ends { returns: callees.is_empty(), leaves: false };
        for &callee in callees {
            let ends = self.ends[callee.index()];
            all.returns |= ends.returns;
            all.leaves |= ends.leaves;
        }
        all
    }

    /// Finds the functions that never return, and those that may end the program.
    fn find_ends(&mut self) {
        let of = |(id, func): (FuncId, &Function)| match self.intrinsics.get(&id) {
            Some(Intrinsic::Exit | Intrinsic::Longjmp | Intrinsic::BuiltinLongjmp) => {
                Ends { returns: false, leaves: true }
            }
            Some(Intrinsic::AssertFail | Intrinsic::Unsupported | Intrinsic::Exclude) => {
                Ends { returns: false, leaves: false }
            }
            // Functions are taken not to return until a path is found.
            _ => Ends { returns: func.is_declaration(), leaves: false },
        };
        self.ends = self.module.funcs.iter().map(of).collect();
        loop {
            let mut is_changed = false;
            for (id, func) in &self.module.funcs {
                if func.is_declaration() || func.name == "abort" || !self.points_to.is_reached(id) {
                    continue;
                }
                let ends = self.ends_of(id, func);
                is_changed |= std::mem::replace(&mut self.ends[id.index()], ends) != ends;
            }
            if !is_changed {
                return;
            }
        }
    }

    fn ends_of(&self, id: FuncId, func: &Function) -> Ends {
        let mut ends = Ends { returns: false, leaves: false };
        let (mut seen, mut open) = (EntitySet::new(), Vec::from_iter(func.entry()));
        while let Some(block) = open.pop() {
            if seen.contains(block) {
                continue;
            }
            seen.insert(block);
            for inst in func.blocks[block].inst_ids() {
                if matches!(func.insts[inst], Inst::Call { .. }) {
                    ends.leaves |= self.call_ends(id, inst).leaves;
                }
            }
            if self.block_ends(id, block).is_some() {
                continue;
            }
            let term = &func.blocks[block].term;
            ends.returns |= matches!(term, Terminator::Return(_));
            term.for_each_edge(|edge| open.push(edge.block));
        }
        ends
    }

    /// Sums up the effects of calls, callees first.
    fn summarise(&mut self) {
        let module = self.module;
        let count = module.funcs.len();
        let mut edges = Vec::new();
        for (id, func) in module.funcs.iter().filter(|(id, _)| self.points_to.is_reached(*id)) {
            for inst in func.insts.keys() {
                let callees = self.points_to.callees(id, inst).iter();
                edges.extend(callees.map(|callee| (id.index(), callee.index())));
            }
        }
        let graph = Digraph::new(count, &edges);
        self.summaries = vec![Rc::default(); count];
        for component in graph.components() {
            let mut all = Effect::default();
            for &index in &component {
                let id = FuncId::new(index);
                if self.points_to.is_reached(id) {
                    let blocks = module.funcs[id].blocks.keys();
                    blocks.for_each(|block| all.add(&self.block_effect(id, block)));
                    all.leaves |= self.ends[index].leaves;
                }
            }
            if let [only] = component[..] {
                // Its local variables are gone when it returns.
                all.writes.retain(|it| !self.is_local_to(it.of.0, FuncId::new(only)));
            }
            let all = Rc::new(all);
            component.iter().for_each(|&index| self.summaries[index] = Rc::clone(&all));
        }
    }

    fn is_local_to(&self, object: ObjectId, func: FuncId) -> bool {
        match self.points_to.objects()[object].kind {
            AbstractObjectKind::Local(of, _) | AbstractObjectKind::Variadic(of) => of == func,
            _ => false,
        }
    }

    fn block_effect(&self, func: FuncId, block: BlockId) -> Effect {
        let mut all = Effect::default();
        let body = &self.module.funcs[func];
        for inst in body.blocks[block].inst_ids() {
            self.add_effect(func, inst, &mut all);
        }
        all
    }

    fn add_effect(&self, func: FuncId, inst: InstId, all: &mut Effect) {
        for access in self.points_to.accesses(self.module, func, inst) {
            if access.kind == MemoryAccessKind::Write {
                all.writes_anywhere |= !self.points_to.is_complete(&access.locations);
                let write = |it: &byway_ir::analysis::points_to::AbstractLocation| PossibleWrite {
                    of: (it.object, Part::Bytes),
                    offsets: it.offsets,
                    len: access.len,
                };
                all.writes.extend(access.locations.iter().map(write));
            }
        }
        let Inst::Call { args, .. } = &self.module.funcs[func].insts[inst] else { return };
        for &callee in self.points_to.callees(func, inst) {
            if let Some(intrinsic) = self.intrinsic(callee) {
                all.changes_world |= changes_world(intrinsic);
                if frees(intrinsic)
                    && let Some(&freed) = args.first()
                {
                    all.writes.extend(self.freed_by(func, freed));
                }
            }
            if let Some(summary) = self.summaries.get(callee.index()) {
                all.add(summary);
            }
        }
    }

    /// The objects that a call frees.
    pub fn freed_by(&self, func: FuncId, pointer: Operand) -> Vec<PossibleWrite> {
        let freed = self.points_to.of_operand(self.module, func, pointer);
        let write =
            |object| PossibleWrite { of: (object, Part::Object), offsets: Offsets::ANY, len: None };
        freed.into_iter().map(|it| write(it.object)).collect()
    }
}

/// Whether an engine's function ends the life of the object that its first argument points to.
pub fn frees(intrinsic: Intrinsic) -> bool {
    let moves = matches!(intrinsic.made_address(), MadeAddress::Moved(_));
    moves || matches!(intrinsic, Intrinsic::Free | Intrinsic::Unmap)
}

/// Whether the results of an engine's function depend on the calls before it.
pub fn changes_world(intrinsic: Intrinsic) -> bool {
    matches!(
        intrinsic,
        Intrinsic::Read
            | Intrinsic::Clock
            | Intrinsic::HostStat
            | Intrinsic::HostRead
            | Intrinsic::HostList
            | Intrinsic::HostLink
            | Intrinsic::HostDirectory
            | Intrinsic::Symbolic
            | Intrinsic::Forking
    )
}

/// The values defined in some blocks of a function that are used in others.
fn values_used_outside(func: &Function, blocks: &EntitySet<BlockId>) -> Vec<Val> {
    let mut defined = EntitySet::new();
    for (_, block) in func.blocks.iter().filter(|(id, _)| blocks.contains(*id)) {
        block.params.iter().for_each(|&val| _ = defined.insert(val));
        let insts = block.inst_ids().map(|inst| &func.insts[inst]);
        insts.for_each(|inst| inst.for_each_def(|val| _ = defined.insert(val)));
    }
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
