//! The code that a change touches.

use std::collections::BTreeSet;

use byway_ir::{BlockId, FuncId, Function, GlobalId, InstId, LocId, Module};
use rustc_hash::FxHashSet;

use crate::target_index::normalised_path;

/// The lines of a change, each a path and a number, as [`crate::NamedTarget::lines`] has them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ChangedLines {
    /// Lines that are new or different.
    pub changed: BTreeSet<(String, u32)>,
    /// The first lines with code behind code that was removed.
    pub after_removed: BTreeSet<(String, u32)>,
}

/// The code of a program that a change touches.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ChangedCode {
    pub(super) insts: FxHashSet<(FuncId, InstId)>,
    /// Blocks whose branch or return is touched.
    pub(super) ends: FxHashSet<(FuncId, BlockId)>,
    /// Blocks in front of which code was removed. What it defined is not known, so the change
    /// affects all that follows.
    pub(super) after_removed: FxHashSet<(FuncId, BlockId)>,
    /// Globals whose initial value is touched.
    pub(super) globals: FxHashSet<GlobalId>,
}

impl ChangedCode {
    /// Finds the code of lines, wherever it was inlined. The line of a function's definition
    /// stands for all its code, and that of a global's declaration for its initial value.
    pub fn new(module: &Module, lines: &ChangedLines) -> ChangedCode {
        let mut code = ChangedCode::default();
        for (id, func) in &module.funcs {
            code.add_function(module, lines, (id, func));
        }
        for (id, global) in &module.globals {
            if has_line(module, global.loc, &lines.changed) {
                code.globals.insert(id);
            }
        }
        code
    }

    /// A change of one instruction.
    pub fn of_inst(func: FuncId, inst: InstId) -> ChangedCode {
        ChangedCode { insts: FxHashSet::from_iter([(func, inst)]), ..ChangedCode::default() }
    }

    /// A change of the branch at the end of a block.
    pub fn of_branch(func: FuncId, block: BlockId) -> ChangedCode {
        ChangedCode { ends: FxHashSet::from_iter([(func, block)]), ..ChangedCode::default() }
    }

    fn add_function(
        &mut self,
        module: &Module,
        lines: &ChangedLines,
        (id, func): (FuncId, &Function),
    ) {
        let definition = func.scope.map(|scope| &module.debug.scopes[scope]);
        let is_redefined = definition.is_some_and(|it| {
            let path = normalised_path(&module.debug.files[it.file].path());
            lines.changed.contains(&(path, it.line))
        });
        let is_changed = |loc| is_redefined || has_line(module, loc, &lines.changed);
        for (block_id, block) in &func.blocks {
            let changed = block.inst_ids().filter(|&inst| is_changed(func.loc(inst)));
            self.insts.extend(changed.map(|inst| (id, inst)));
            if is_changed(block.term_loc) {
                self.ends.insert((id, block_id));
            }
            let mut locs = block.inst_ids().map(|inst| func.loc(inst)).chain([block.term_loc]);
            if locs.any(|loc| has_line(module, loc, &lines.after_removed)) {
                self.after_removed.insert((id, block_id));
            }
        }
    }

    /// Whether no code is touched.
    pub fn is_empty(&self) -> bool {
        self.insts.is_empty()
            && self.ends.is_empty()
            && self.after_removed.is_empty()
            && self.globals.is_empty()
    }
}

/// Whether a location, or one where it was inlined, is on one of these lines.
fn has_line(module: &Module, loc: Option<LocId>, lines: &BTreeSet<(String, u32)>) -> bool {
    let locs = std::iter::successors(loc, |&loc| module.debug.locs[loc].inlined_at);
    let mut locs = locs.map(|loc| &module.debug.locs[loc]);
    // Numbers are compared first: most paths need not be built.
    locs.any(|at| {
        lines.iter().any(|(_, line)| *line == at.line)
            && lines.contains(&(normalised_path(&module.debug.files[at.file].path()), at.line))
    })
}
