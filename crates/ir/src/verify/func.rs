//! Checks of a function: its tables, its blocks, and that each value is defined
//! once and before every use.

use byway_base::entity::{EntityRef, SecondaryMap};
use rustc_hash::FxHashSet;

use super::{ErrorReporter, types};
use crate::analysis::Cfg;
use crate::{
    BlockId, Const, Edge, Function, Inst, Module, Operand, OperandKind, Terminator, Ty, Val,
};

pub(super) fn check(module: &Module, func: &Function, report: ErrorReporter) {
    let mut checker = Checker {
        module,
        func,
        report,
        defs: SecondaryMap::new(),
        consts_used: 0,
        consts_in_order: true,
        ids_exist: true,
    };
    checker.tables();
    if !checker.layout_is_sound() {
        // Without knowing the instructions of each block, all further
        // errors would be noise.
        return;
    }
    checker.code();
    checker.each_value_is_defined();
    if checker.ids_exist {
        checker.constants_are_in_order();
        checker.definitions_dominate_uses();
    }
}

/// The definition of a value: the block (`None` for the function's
/// parameters) and the number of the function's instructions before it.
#[derive(Copy, Clone)]
struct Def {
    block: Option<BlockId>,
    point: usize,
}

struct Checker<'m, 'e> {
    module: &'m Module,
    func: &'m Function,
    report: ErrorReporter<'e>,
    defs: SecondaryMap<Val, Option<Def>>,
    /// One more than the highest number of a constant used so far.
    consts_used: usize,
    consts_in_order: bool,
    /// Whether every value, constant and block mentioned exists.
    ids_exist: bool,
}

impl Checker<'_, '_> {
    fn tables(&mut self) {
        let (module, func) = (self.module, self.func);
        if func.params.iter().enumerate().any(|(i, p)| p.index() != i) {
            self.report.error("the parameters are not v0, v1, ... in this order");
        }
        func.vals.values().chain(&func.rets).for_each(|&ty| self.report.ty(ty));
        let mut seen = FxHashSet::default();
        for (id, c) in &func.consts {
            match c {
                Const::Bits { ty, bits } => {
                    self.report.ty(*ty);
                    if !fits(*bits, *ty) {
                        self.report.error(format!("{id} has bits above the width of {ty}"));
                    }
                }
                Const::Address { symbol, .. } => self.report.symbol(module, *symbol),
            }
            if !seen.insert(c) {
                self.report.error(format!("{id} equals an earlier constant"));
            }
        }
        if func.locs.len() != func.insts.len() {
            let (locs, insts) = (func.locs.len(), func.insts.len());
            self.report.error(format!("{locs} source locations for {insts} instructions"));
        }
        if let Some(scope) = func.scope {
            self.report.exists(scope, &module.debug.scopes);
        }
        self.report.debug_ty(module, func.ty);
    }

    fn layout_is_sound(&mut self) -> bool {
        let mut next = 0;
        for id in self.func.layout() {
            let block = &self.func.blocks[id];
            if block.first.index() != next || block.end < block.first {
                self.report.block = Some(id);
                self.report.error(format!(
                    "its instructions are {} to {}, but {next} is the next in no block",
                    block.first, block.end
                ));
                self.report.block = None;
                return false;
            }
            next = block.end.index();
        }
        if next != self.func.insts.len() {
            self.report
                .error(format!("the blocks hold {next} of {} instructions", self.func.insts.len()));
            return false;
        }
        true
    }

    /// Every block, instruction and terminator by itself.
    fn code(&mut self) {
        for &param in &self.func.params {
            self.define(param, Def { block: None, point: 0 });
        }
        for id in self.func.layout() {
            let block = &self.func.blocks[id];
            self.report.block = Some(id);
            for &param in &block.params {
                self.define(param, Def { block: Some(id), point: block.first.index() });
            }
            if Some(id) == self.func.entry() && !block.params.is_empty() {
                self.report.error("the entry block has parameters");
            }
            for inst_id in block.inst_ids() {
                self.report.inst = Some(inst_id);
                let inst = &self.func.insts[inst_id];
                self.report.loc(self.module, self.func.loc(inst_id));
                let mut exist = true;
                inst.for_each_use(|op| exist &= self.operand_exists(op));
                let def = Def { block: Some(id), point: inst_id.index() + 1 };
                inst.for_each_def(|val| exist &= self.define(val, def));
                if exist {
                    types::check_inst(self.module, self.func, inst, &mut self.report);
                }
                if let Inst::Call { tail: true, dsts, .. } = inst {
                    let last = inst_id.index() + 1 == block.end.index();
                    if !last || !returns_exactly(&block.term, dsts) {
                        self.report.error("a tail call whose results are not returned at once");
                    }
                }
            }
            self.report.inst = None;
            self.report.loc(self.module, block.term_loc);
            self.terminator(&block.term);
        }
        self.report.block = None;
    }

    fn terminator(&mut self, term: &Terminator) {
        let mut exist = true;
        term.for_each_use(|op| exist &= self.operand_exists(op));
        if exist {
            types::check_terminator(self.func, term, &mut self.report);
        }
        term.for_each_edge(|edge| self.edge(edge, exist));
    }

    fn edge(&mut self, edge: &Edge, operands_exist: bool) {
        let Edge { block, args } = edge;
        if !self.report.exists(*block, &self.func.blocks) {
            self.ids_exist = false;
            return;
        }
        if Some(*block) == self.func.entry() {
            self.report.error(format!("an edge leads to the entry block {block}"));
        }
        let params = &self.func.blocks[*block].params;
        if params.len() != args.len() {
            let (given, taken) = (args.len(), params.len());
            self.report.error(format!("{given} arguments for {block}, which takes {taken}"));
        } else if operands_exist {
            for (&param, &arg) in params.iter().zip(args) {
                // A parameter that does not exist is reported at its block.
                let wanted = self.func.vals.get(param).copied();
                let given = self.func.operand_ty(arg);
                if let Some(wanted) = wanted.filter(|&w| w != given) {
                    self.report.error(format!(
                        "the argument for {param} of {block} is {given}, not {wanted}"
                    ));
                }
            }
        }
    }

    fn operand_exists(&mut self, op: Operand) -> bool {
        let exists = match op.kind() {
            OperandKind::Val(v) => self.report.exists(v, &self.func.vals),
            OperandKind::Const(c) => {
                self.consts_in_order &= c.index() <= self.consts_used;
                self.consts_used = self.consts_used.max(c.index().saturating_add(1));
                self.report.exists(c, &self.func.consts)
            }
        };
        self.ids_exist &= exists;
        exists
    }

    fn define(&mut self, val: Val, def: Def) -> bool {
        if !self.report.exists(val, &self.func.vals) {
            self.ids_exist = false;
            return false;
        }
        if self.defs[val].replace(def).is_some() {
            self.report.error(format!("{val} is defined a second time"));
        }
        true
    }

    fn each_value_is_defined(&mut self) {
        for val in self.func.vals.keys() {
            if self.defs[val].is_none() {
                self.report.error(format!("{val} is not defined"));
            }
        }
    }

    fn constants_are_in_order(&mut self) {
        if !self.consts_in_order || self.consts_used != self.func.consts.len() {
            self.report.error("the constants are not numbered by their first use");
        }
    }

    fn definitions_dominate_uses(&mut self) {
        let cfg = Cfg::new(self.func);
        let dominators = cfg.dominators();
        for &id in cfg.reverse_post_order() {
            let block = &self.func.blocks[id];
            self.report.block = Some(id);
            let check = |op: Operand, point: usize, report: &mut ErrorReporter| {
                let Some(val) = op.as_val() else { return };
                // A value without a definition is reported already.
                let Some(def) = self.defs[val] else { return };
                let dominates = match def.block {
                    None => true,
                    Some(b) if b == id => def.point <= point,
                    Some(b) => dominators.dominates(b, id),
                };
                if !dominates {
                    report.error(format!("{val} is used where it is not yet defined"));
                }
            };
            for inst in block.inst_ids() {
                self.report.inst = Some(inst);
                let report = &mut self.report;
                self.func.insts[inst].for_each_use(|op| check(op, inst.index(), report));
            }
            self.report.inst = None;
            block.term.for_each_use(|op| check(op, block.end.index(), &mut self.report));
        }
        self.report.block = None;
    }
}

/// Whether no bit lies above the type's width.
pub(super) fn fits(bits: u128, ty: Ty) -> bool {
    ty.bits() >= 128 || bits >> ty.bits() == 0
}

fn returns_exactly(term: &Terminator, vals: &[Val]) -> bool {
    let Terminator::Return(values) = term else { return false };
    values.iter().map(|op| op.as_val()).eq(vals.iter().map(|&val| Some(val)))
}
