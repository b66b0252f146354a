//! How calls end: whether they return, end the program, or are errors.

use byway_base::entity::{EntitySet, SecondaryMap};

use super::super::PointsTo;
use super::super::points_to::CallEnding;
use crate::{BlockId, FuncId, Function, Inst, InstId, Module, Terminator};

/// Functions whose call is an error of the program.
pub const ERROR_FUNCTIONS: [&str; 9] = [
    "__assert_fail",
    "__assert",
    "__assert_rtn",
    "abort",
    "__VERIFIER_error",
    "reach_error",
    "klee_report_error",
    "klee_abort",
    "__assert_perror_fail",
];

/// How calls of a function, or executions of a block, can end other than by an error.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Endings {
    /// It can return to its caller, or to the next block.
    pub returns: bool,
    /// It can end the program, or jump out of its function.
    pub leaves: bool,
}

impl Endings {
    const RETURNS: Endings = Endings { returns: true, leaves: false };
    const LEAVES: Endings = Endings { returns: false, leaves: true };
    const ERROR: Endings = Endings { returns: false, leaves: false };

    /// Whether it always ends in an error.
    pub fn is_error(self) -> bool {
        self == Endings::ERROR
    }

    /// Whether it never returns, and need not be an error.
    pub fn only_leaves(self) -> bool {
        self == Endings::LEAVES
    }
}

/// How calls of each function of a program can end.
pub struct FunctionEndings {
    functions: SecondaryMap<FuncId, Endings>,
}

impl FunctionEndings {
    pub fn new(module: &Module, points_to: &PointsTo) -> FunctionEndings {
        let mut endings = FunctionEndings { functions: SecondaryMap::new() };
        for (id, func) in module.funcs.iter().filter(|(_, func)| func.is_declaration()) {
            endings.functions[id] = match points_to.effect(id).ending {
                _ if ERROR_FUNCTIONS.contains(&func.name.as_str()) => Endings::ERROR,
                CallEnding::Returns => Endings::RETURNS,
                CallEnding::Leaves => Endings::LEAVES,
                CallEnding::Fails => Endings::ERROR,
            };
        }
        // Functions with a body are taken not to return until a path is found.
        let mut is_changed = true;
        while is_changed {
            is_changed = false;
            for (id, func) in &module.funcs {
                // A handler of the signal that `abort` raises could leave it, which is rare.
                if func.is_declaration() || func.name == "abort" || !points_to.is_reached(id) {
                    continue;
                }
                let found = endings.of_body(points_to, id, func);
                is_changed |= std::mem::replace(&mut endings.functions[id], found) != found;
            }
        }
        endings
    }

    /// How calls of a function can end.
    pub fn of_function(&self, func: FuncId) -> Endings {
        self.functions[func]
    }

    /// How a block can end.
    pub fn of_block(
        &self,
        points_to: &PointsTo,
        id: FuncId,
        func: &Function,
        block: BlockId,
    ) -> Endings {
        for inst in func.blocks[block].inst_ids() {
            let endings = match &func.insts[inst] {
                Inst::Trap | Inst::Unsupported { .. } => Endings::ERROR,
                Inst::Call { .. } => self.of_call(points_to, id, inst),
                _ => Endings::RETURNS,
            };
            if !endings.returns {
                return endings;
            }
        }
        match func.blocks[block].term {
            Terminator::Unreachable => Endings::ERROR,
            _ => Endings::RETURNS,
        }
    }

    fn of_call(&self, points_to: &PointsTo, func: FuncId, inst: InstId) -> Endings {
        let callees = points_to.callees(func, inst);
        // A call that is not analysed returns.
        let mut all = Endings { returns: callees.is_empty(), leaves: false };
        for &callee in callees {
            all.returns |= self.functions[callee].returns;
            all.leaves |= self.functions[callee].leaves;
        }
        all
    }

    fn of_body(&self, points_to: &PointsTo, id: FuncId, func: &Function) -> Endings {
        let mut all = Endings::default();
        let (mut seen, mut open) = (EntitySet::new(), Vec::from_iter(func.entry()));
        while let Some(block) = open.pop() {
            if !seen.insert(block) {
                continue;
            }
            for inst in func.blocks[block].inst_ids() {
                if let Inst::Call { .. } = func.insts[inst] {
                    all.leaves |= self.of_call(points_to, id, inst).leaves;
                }
            }
            if self.of_block(points_to, id, func, block).returns {
                let term = &func.blocks[block].term;
                all.returns |= matches!(term, Terminator::Return(_));
                term.for_each_edge(|edge| open.push(edge.block));
            }
        }
        all
    }
}
