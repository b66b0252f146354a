//! Which cases the control flow of a program forces, for searchers that compare the branches
//! on two paths.

use std::cell::RefCell;

use byway_ir::analysis::{Cfg, DomTree};
use byway_ir::{FuncId, Module, Terminator};
use byway_search::{Case, Location, Site};
use rustc_hash::FxHashMap;

/// Dominators of the functions that searchers asked about.
#[derive(Default)]
pub(super) struct ControlFlow {
    functions: RefCell<FxHashMap<FuncId, (Cfg, DomTree)>>,
}

impl ControlFlow {
    /// Whether every path through the function to block `then` takes `case` at `site`. Always
    /// false for sites other than two-way branches.
    pub fn is_forced(&self, module: &Module, site: Site, case: Case, then: Location) -> bool {
        let func = &module.funcs[site.location.func];
        if site.location.func != then.func || site.inst.is_some() {
            return false;
        }
        let from = site.location.block;
        let to = match &func.blocks[from].term {
            Terminator::Branch { then, .. } if case == Case::TRUE => then.block,
            Terminator::Branch { otherwise, .. } => otherwise.block,
            _ => return false,
        };
        let mut functions = self.functions.borrow_mut();
        let (cfg, dominators) = functions.entry(then.func).or_insert_with(|| {
            let cfg = Cfg::new(func);
            let dominators = cfg.dominators();
            (cfg, dominators)
        });
        // The edge is the only entry to its block, apart from back edges: the block dominates
        // `then` exactly if the edge does.
        dominators.dominates(to, then.block)
            && cfg.preds(to).filter(|&pred| pred == from).count() == 1
            && cfg.preds(to).all(|pred| pred == from || dominators.dominates(to, pred))
    }
}
