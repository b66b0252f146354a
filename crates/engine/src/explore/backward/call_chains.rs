//! Which functions a backward search can start in, and how they are called.

use std::collections::VecDeque;

use byway_base::entity::{EntityRef, SecondaryMap};
use byway_ir::analysis::CallGraph;
use byway_ir::{FuncId, Module, Origin};
use rustc_hash::FxHashSet;

/// The calls that lead to the functions of some targets.
pub(in super::super) struct CallChains {
    graph: CallGraph,
    main: Option<FuncId>,
    /// The least number of calls from `main`; `None` if it never calls the function.
    calls: SecondaryMap<FuncId, Option<u32>>,
    /// Functions of the user's code that lead to a target, without `main`: ascending.
    candidates: Vec<FuncId>,
}

impl CallChains {
    /// The chains from `main` to these functions.
    pub fn new(module: &Module, targets: &[FuncId]) -> CallChains {
        let graph = CallGraph::new(module);
        let main = module.func_by_name("main").filter(|&it| !module.funcs[it].is_declaration());
        let mut calls = SecondaryMap::new();
        let mut queue: VecDeque<FuncId> = main.into_iter().collect();
        queue.iter().for_each(|&main| calls[main] = Some(0));
        while let Some(func) = queue.pop_front() {
            let next = calls[func].map(|calls: u32| calls + 1);
            for callee in graph.callees(func) {
                if calls[callee].is_none() {
                    calls[callee] = next;
                    queue.push_back(callee);
                }
            }
        }
        let mut leading: FxHashSet<FuncId> = FxHashSet::default();
        let mut rest = targets.to_vec();
        while let Some(func) = rest.pop() {
            if calls[func].is_some() && leading.insert(func) {
                rest.extend(graph.callers(func));
            }
        }
        let is_candidate = |func: &FuncId| {
            let function = &module.funcs[*func];
            function.origin == Origin::User && !function.variadic && Some(*func) != main
        };
        let mut candidates: Vec<FuncId> = leading.into_iter().filter(is_candidate).collect();
        candidates.sort_unstable_by_key(|func| func.index());
        CallChains { graph, main, calls, candidates }
    }

    /// The functions that paths can start in.
    pub fn candidates(&self) -> &[FuncId] {
        &self.candidates
    }

    /// The least number of calls from `main`.
    pub fn calls_from_main(&self, func: FuncId) -> u32 {
        self.calls[func].unwrap_or(u32::MAX)
    }

    pub fn main(&self) -> Option<FuncId> {
        self.main
    }

    pub fn is_main(&self, func: FuncId) -> bool {
        self.main == Some(func)
    }

    /// The functions that can call this one and that `main` leads to.
    pub fn callers(&self, func: FuncId) -> impl Iterator<Item = FuncId> + '_ {
        self.graph.callers(func).into_iter().filter(|&caller| self.calls[caller].is_some())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chains_lead_from_main_to_the_target() {
        let text = "bwir 1\nmodule \"test\"\n\
            func user @target() {\nb0:\n  ret\n}\n\
            func user @middle() {\nb0:\n  call @target()\n  ret\n}\n\
            func user @unused() {\nb0:\n  call @target()\n  ret\n}\n\
            func user @aside() {\nb0:\n  ret\n}\n\
            func user @main() -> i32 {\nb0:\n  call @middle()\n  call @aside()\n  ret 0:i32\n}\n";
        let module = byway_ir::text::parse(text).expect("it parses");
        let func = |name: &str| module.func_by_name(name).expect("it is there");
        let chains = CallChains::new(&module, &[func("target")]);
        assert_eq!(chains.candidates(), [func("target"), func("middle")]);
        assert_eq!(chains.calls_from_main(func("target")), 2);
        assert_eq!(chains.calls_from_main(func("unused")), u32::MAX);
        let callers: Vec<FuncId> = chains.callers(func("target")).collect();
        assert_eq!(callers, [func("middle")]);
        assert!(chains.is_main(func("main")));
    }
}
