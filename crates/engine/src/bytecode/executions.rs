//! Counters of executions: of blocks, for searchers that require them, and of coverage sites, for
//! concrete runs of random inputs.

use std::rc::Rc;

use super::compile::FunctionCompiler;
use super::{ByteOp, Pc, Special};

impl FunctionCompiler<'_> {
    /// Counts the executions of a coverage site, if they are counted.
    pub(super) fn count_site(&mut self, site: u32) {
        if let Some(count) = self.context.site_counter(site) {
            self.special(Special::Execution { count: Rc::clone(count) });
        }
    }

    /// Routes every jump to a block through a counter. The counters come after all other code,
    /// so that no other operation moves: positions identify paths, and counting must not
    /// change them.
    pub(super) fn count_executions(&mut self) {
        self.loc = None;
        self.inst = None;
        let entry = self.func.entry();
        for block in self.func.blocks.keys() {
            let here = self.code.ops.len() as Pc;
            let target = match Some(block) == entry {
                true => std::mem::replace(&mut self.code.start, here),
                false => self.starts[block],
            };
            self.starts[block] = here;
            self.code.blocks.push((here, block));
            let count = Rc::default();
            self.code.executions.push(Rc::clone(&count));
            self.special(Special::Execution { count });
            self.emit(ByteOp::Jump { n: 0, target });
        }
    }
}
