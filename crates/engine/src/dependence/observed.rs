//! Which code a reduction observes: all of it, or what a change can affect.

use std::cell::RefCell;

use byway_base::entity::EntitySet;
use byway_ir::{BlockId, FuncId, InstId, Module, Val};
use rustc_hash::{FxHashMap, FxHashSet};

use super::changed::ChangedCode;
use super::effects::StaticEffects;
use super::slice::{ForwardSlice, forward_slice};
use crate::Checks;

/// The code whose behaviours are explored.
pub enum ObservedCode {
    All,
    /// The forward slice of a change.
    Affected(Box<AffectedCode>),
}

/// The forward slice of a change, and what leads there.
pub struct AffectedCode {
    slice: ForwardSlice,
    /// Functions whose calls may execute affected code.
    funcs: EntitySet<FuncId>,
    /// Blocks that may execute affected code.
    blocks: FxHashSet<(FuncId, BlockId)>,
    /// Whether affected code writes output.
    has_output: bool,
    /// Whether a side of the branch at the end of a block contains such blocks.
    sides: RefCell<FxHashMap<(FuncId, BlockId), bool>>,
}

impl ObservedCode {
    /// What to observe of a program, or of a change to it.
    pub fn new(
        module: &Module,
        effects: &StaticEffects,
        checks: Checks,
        changed: Option<&ChangedCode>,
    ) -> ObservedCode {
        match changed {
            Some(code) => {
                ObservedCode::Affected(Box::new(AffectedCode::new(module, effects, checks, code)))
            }
            None => ObservedCode::All,
        }
    }

    /// Whether an instruction is observed.
    pub fn inst(&self, func: FuncId, inst: InstId) -> bool {
        match self {
            ObservedCode::All => true,
            ObservedCode::Affected(code) => code.slice.insts.contains(&(func, inst)),
        }
    }

    /// Whether any output of the program is observed.
    pub fn observes_output(&self) -> bool {
        match self {
            ObservedCode::All => true,
            ObservedCode::Affected(code) => code.has_output,
        }
    }

    /// Whether it is observed that a block begins, with these parameters.
    pub fn block(&self, func: FuncId, block: BlockId, params: &[Val]) -> bool {
        match self {
            ObservedCode::All => true,
            ObservedCode::Affected(code) => {
                code.slice.blocks.contains(&(func, block))
                    || params.iter().any(|&param| code.slice.vals.contains(&(func, param)))
            }
        }
    }

    /// Whether the branch at the end of a block is observed: it is affected, or one of its sides
    /// leads to affected code.
    pub fn branch(&self, effects: &StaticEffects, func: FuncId, block: BlockId) -> bool {
        match self {
            ObservedCode::All => true,
            ObservedCode::Affected(code) => {
                code.slice.ends.contains(&(func, block)) || code.leads(effects, func, block)
            }
        }
    }

    /// Whether the decisions of an instruction are observed: it is affected, or it may call
    /// affected code.
    pub fn decision(&self, effects: &StaticEffects, func: FuncId, inst: InstId) -> bool {
        let calls_it = || match self {
            ObservedCode::All => true,
            ObservedCode::Affected(code) => {
                let callees = effects.points_to.callees(func, inst);
                callees.iter().any(|&callee| code.funcs.contains(callee))
            }
        };
        self.inst(func, inst) || calls_it()
    }
}

impl AffectedCode {
    fn new(
        module: &Module,
        effects: &StaticEffects,
        checks: Checks,
        code: &ChangedCode,
    ) -> AffectedCode {
        let slice = forward_slice(module, effects, checks, code);
        let mut blocks: FxHashSet<(FuncId, BlockId)> = &slice.blocks | &slice.ends;
        let mut callers: FxHashMap<FuncId, Vec<(FuncId, BlockId)>> = FxHashMap::default();
        for (id, func) in &module.funcs {
            for (block_id, block) in &func.blocks {
                for inst in block.inst_ids() {
                    for &callee in effects.points_to.callees(id, inst) {
                        callers.entry(callee).or_default().push((id, block_id));
                    }
                    if slice.insts.contains(&(id, inst)) {
                        blocks.insert((id, block_id));
                    }
                }
            }
        }
        let mut funcs = EntitySet::new();
        let mut open: Vec<FuncId> = blocks.iter().map(|&(func, _)| func).collect();
        while let Some(func) = open.pop() {
            if funcs.insert(func) {
                for &(caller, block) in callers.get(&func).into_iter().flatten() {
                    blocks.insert((caller, block));
                    open.push(caller);
                }
            }
        }
        let writes = |&(func, inst): &(FuncId, InstId)| {
            let callees = effects.points_to.callees(func, inst).iter();
            let mut intrinsics = callees.filter_map(|&callee| effects.intrinsic(callee));
            intrinsics.any(|it| it.memory_effect().writes_output)
        };
        let has_output = slice.insts.iter().any(writes);
        AffectedCode { slice, funcs, blocks, has_output, sides: RefCell::default() }
    }

    /// Whether a side of the branch at the end of a block may execute affected code.
    fn leads(&self, effects: &StaticEffects, func: FuncId, block: BlockId) -> bool {
        if !self.funcs.contains(func) {
            return false;
        }
        let mut sides = self.sides.borrow_mut();
        *sides.entry((func, block)).or_insert_with(|| {
            let beside = effects.blocks_beside(func, block);
            beside.iter().any(|it| self.blocks.contains(&(func, it)))
        })
    }
}
