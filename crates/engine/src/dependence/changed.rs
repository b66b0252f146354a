//! Code that a change touches directly.

use std::collections::BTreeSet;

use byway_ir::{BlockId, FuncId, InstId, LocId, Module};
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

/// The instructions of a program that a change touches.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ChangedCode {
    insts: FxHashSet<(FuncId, InstId)>,
    terms: FxHashSet<(FuncId, BlockId)>,
    /// Blocks before or in which code was removed: what it defined is not known.
    removed: FxHashSet<(FuncId, BlockId)>,
}

impl ChangedCode {
    /// Finds the code of lines, wherever it was inlined.
    pub fn new(module: &Module, lines: &ChangedLines) -> ChangedCode {
        let mut code = ChangedCode::default();
        for (id, func) in &module.funcs {
            for (block_id, block) in &func.blocks {
                let has_line = |loc: Option<LocId>, of: &BTreeSet<(String, u32)>| {
                    let mut next = loc;
                    while let Some(loc) = next {
                        let at = &module.debug.locs[loc];
                        let path = normalised_path(&module.debug.files[at.file].path());
                        if of.contains(&(path, at.line)) {
                            return true;
                        }
                        next = at.inlined_at;
                    }
                    false
                };
                let locs = block.inst_ids().map(|inst| func.loc(inst)).chain([block.term_loc]);
                if locs.into_iter().any(|loc| has_line(loc, &lines.after_removed)) {
                    code.removed.insert((id, block_id));
                }
                let changed = block.inst_ids().filter(|&it| has_line(func.loc(it), &lines.changed));
                code.insts.extend(changed.map(|inst| (id, inst)));
                if has_line(block.term_loc, &lines.changed) {
                    code.terms.insert((id, block_id));
                }
            }
        }
        code
    }

    /// Whether no code is touched.
    pub fn is_empty(&self) -> bool {
        self.insts.is_empty() && self.terms.is_empty() && self.removed.is_empty()
    }
}
