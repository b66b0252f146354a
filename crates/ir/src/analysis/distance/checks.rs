//! Edges behind failed checks of a sanitizer.
//!
//! A check branches to a block that reports it and ends there. The path that takes this branch ends
//! with a fault, but compiled without the check the program continues on the other branch. So the
//! reporting block leads there too: what lies behind is not out of reach.

use byway_base::entity::EntityRef;

use super::CallEffect;
use crate::analysis::callgraph::known_target;
use crate::{BlockId, FuncId, Function, Inst, Terminator};

/// Adds an edge from each block that reports a failed check to the blocks where the function
/// continues if the check passes. `first` is the node of the function's first block.
pub(super) fn add_edges_behind_checks(
    func: &Function,
    first: usize,
    effect: &impl Fn(FuncId) -> CallEffect,
    edges: &mut Vec<(usize, usize)>,
) {
    let reports = |inst: &Inst| match inst {
        Inst::Call { callee, .. } => {
            known_target(func, *callee).is_some_and(|it| effect(it) == CallEffect::ReportsCheck)
        }
        _ => false,
    };
    let is_report = |block: BlockId| {
        let data = &func.blocks[block];
        matches!(data.term, Terminator::Unreachable)
            && data.inst_ids().any(|inst| reports(&func.insts[inst]))
    };
    let reporting: Vec<bool> = func.blocks.keys().map(is_report).collect();
    if !reporting.contains(&true) {
        return;
    }
    for block in func.blocks.values() {
        let (mut failed, mut passed) = (Vec::new(), Vec::new());
        block.term.for_each_edge(|edge| match reporting[edge.block.index()] {
            true => failed.push(edge.block),
            false => passed.push(edge.block),
        });
        let ends = |from: BlockId, to: BlockId| (first + from.index(), first + to.index());
        for &from in &failed {
            edges.extend(passed.iter().map(|&to| ends(from, to)));
        }
    }
}
