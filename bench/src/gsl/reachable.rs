//! The code of a function, and what it can reach, by line.

use std::collections::BTreeMap;

use byway_base::entity::EntitySet;
use byway_ir::analysis::CallGraph;
use byway_ir::{FuncId, Module, Origin};
use byway_rundir::CoverageRecord;

/// The instructions on each line of some functions, by file.
pub struct ReachableCode {
    lines: BTreeMap<String, BTreeMap<u32, u64>>,
}

/// How much of it tests execute.
#[derive(Copy, Clone, Default)]
pub struct ReachedShares {
    /// Instructions on lines that some test executes, as a part of all.
    pub instructions: f64,
    /// Lines that some test executes, as a part of all.
    pub lines: f64,
}

impl ReachableCode {
    /// The code of one function.
    pub fn of(module: &Module, func: FuncId) -> ReachableCode {
        let mut code = ReachableCode { lines: BTreeMap::new() };
        code.add(module, func);
        code
    }

    /// The code that a function can reach by calls. Calls through pointers are left out: GSL has
    /// them only for the handler of errors.
    pub fn with_callees(module: &Module, func: FuncId) -> ReachableCode {
        let calls = CallGraph::new(module);
        let mut reached = EntitySet::new();
        let mut open = vec![func];
        while let Some(func) = open.pop() {
            if module.funcs[func].origin == Origin::User && reached.insert(func) {
                let taken = if calls.calls_indirectly(func) { calls.address_taken() } else { &[] };
                let called = calls.callees(func).into_iter();
                open.extend(called.filter(|callee| taken.binary_search(callee).is_err()));
            }
        }
        let mut code = ReachableCode { lines: BTreeMap::new() };
        module.funcs.keys().filter(|&id| reached.contains(id)).for_each(|id| code.add(module, id));
        code
    }

    fn add(&mut self, module: &Module, id: FuncId) {
        let func = &module.funcs[id];
        for block in func.blocks.values() {
            let locs = block.inst_ids().map(|inst| func.loc(inst)).chain([block.term_loc]);
            for loc in locs.flatten().map(|loc| &module.debug.locs[loc]) {
                let file = self.lines.entry(module.debug.files[loc.file].path()).or_default();
                *file.entry(loc.line).or_default() += 1;
            }
        }
    }

    /// The number of instructions.
    pub fn instructions(&self) -> u64 {
        self.lines.values().flat_map(|lines| lines.values()).sum()
    }

    /// What a run's tests execute of it.
    pub fn shares(&self, coverage: &CoverageRecord) -> ReachedShares {
        let (mut instructions, mut lines) = (0, 0);
        for (file, own) in &self.lines {
            for line in coverage.files.get(file).into_iter().flatten() {
                if let Some(count) = own.get(&line.line).filter(|_| line.first_path.is_some()) {
                    instructions += count;
                    lines += 1;
                }
            }
        }
        let all_lines: usize = self.lines.values().map(BTreeMap::len).sum();
        ReachedShares {
            instructions: instructions as f64 / self.instructions().max(1) as f64,
            lines: f64::from(lines) / all_lines.max(1) as f64,
        }
    }
}
