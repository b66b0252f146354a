//! Instructions executed under each call path: the chain of call sites from the program's
//! start to the innermost function. Counted only for a searcher that requires it.
//!
//! Call paths form a tree. Calls from the same call site under the same call path share a
//! node, on one path of the program or on several.

use std::cell::RefCell;
use std::rc::Rc;

use byway_ir::FuncId;
use rustc_hash::FxHashMap;

use crate::bytecode::Pc;
use crate::state::Frame;

/// The number of a node in the tree.
type CallNode = u32;

/// The node above the program's entry.
const ROOT: CallNode = 0;

/// Counts by call path, shared by the machine and the frontier.
#[derive(Debug, Default)]
pub struct CallPaths {
    tree: RefCell<Tree>,
}

#[derive(Debug, Default)]
struct Tree {
    /// By the caller's node, the operation after the call, and the callee.
    nodes: FxHashMap<(CallNode, Pc, FuncId), CallNode>,
    /// Instructions by node; the root has none.
    instructions: Vec<u64>,
    /// The open calls of the running state that have been resolved: the call's serial number
    /// and its node.
    open: Vec<(u64, CallNode)>,
}

impl CallPaths {
    /// Another state runs next.
    pub fn switch(&self) {
        self.tree.borrow_mut().open.clear();
    }

    /// Counts instructions that the running state executed in its innermost call.
    pub fn count(&self, stack: &[Rc<Frame>], instructions: u64) {
        let mut tree = self.tree.borrow_mut();
        let tree = &mut *tree;
        // If a call is still open, its callers are too.
        while let Some(&(serial, _)) = tree.open.last() {
            match stack.get(tree.open.len() - 1) {
                Some(frame) if frame.serial == serial => break,
                _ => tree.open.pop(),
            };
        }
        for depth in tree.open.len()..stack.len() {
            let parent = tree.open.last().map_or(ROOT, |&(_, node)| node);
            let fresh = tree.instructions.len() as CallNode + 1;
            let node = *tree.nodes.entry(key(parent, stack, depth)).or_insert(fresh);
            if node == fresh {
                tree.instructions.push(0);
            }
            tree.open.push((stack[depth].serial, node));
        }
        if let Some(&(_, node)) = tree.open.last() {
            tree.instructions[node as usize - 1] += instructions;
        }
    }

    /// Instructions executed under the call path of these open calls.
    pub fn instructions(&self, stack: &[Rc<Frame>]) -> u64 {
        let tree = self.tree.borrow();
        let mut node = ROOT;
        for depth in 0..stack.len() {
            match tree.nodes.get(&key(node, stack, depth)) {
                Some(&next) => node = next,
                None => return 0,
            }
        }
        match node {
            ROOT => 0,
            node => tree.instructions[node as usize - 1],
        }
    }
}

fn key(parent: CallNode, stack: &[Rc<Frame>], depth: usize) -> (CallNode, Pc, FuncId) {
    let from = depth.checked_sub(1).map_or(0, |caller| stack[caller].pc);
    (parent, from, stack[depth].func)
}

#[cfg(test)]
mod tests {
    use byway_base::entity::EntityRef;

    use super::*;

    /// Open calls: function and next operation of each.
    fn stack(calls: &[(usize, Pc)]) -> Vec<Rc<Frame>> {
        let frame = |(serial, &(func, pc)): (usize, &(usize, Pc))| {
            Rc::new(Frame {
                func: FuncId::new(func),
                pc,
                serial: serial as u64 + func as u64 * 100,
                regs: Vec::new(),
                locals: Vec::new(),
                variadic: None,
            })
        };
        calls.iter().enumerate().map(frame).collect()
    }

    #[test]
    fn each_chain_of_calls_has_its_own_count() {
        let paths = CallPaths::default();
        paths.count(&stack(&[(0, 4)]), 10);
        paths.count(&stack(&[(0, 4), (1, 2)]), 5);
        paths.count(&stack(&[(0, 4), (1, 7)]), 6);
        paths.count(&stack(&[(0, 9), (2, 7)]), 3);
        paths.switch();
        // The same function from another call site, and from another function.
        paths.count(&stack(&[(0, 9), (1, 0)]), 2);
        paths.count(&stack(&[(0, 9), (2, 8), (1, 1)]), 1);
        for (calls, instructions) in [
            (&[(0, 100)][..], 10),
            (&[(0, 4), (1, 50)], 11),
            (&[(0, 9), (1, 50)], 2),
            (&[(0, 9), (2, 8)], 3),
            (&[(0, 9), (2, 8), (1, 0)], 1),
            (&[(0, 9), (2, 9), (1, 0)], 0),
            (&[], 0),
        ] {
            assert_eq!(paths.instructions(&stack(calls)), instructions, "{calls:?}");
        }
    }
}
