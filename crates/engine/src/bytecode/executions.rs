//! Counting how often blocks are run, where a searcher wants to know.

use std::rc::Rc;

use super::compile::Compiler;
use super::{Op, Pc, Special};

impl Compiler<'_> {
    /// Leads every way into a block past a count of its executions. That stands behind
    /// all other code, so that nothing else stands elsewhere because of it: a place is a
    /// part of what tells paths apart, and a path is the same whoever counts.
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
            self.emit(Op::Jump { n: 0, target });
        }
    }
}
