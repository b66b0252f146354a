//! Derives the counts of all arcs from those of the instrumented ones: the counts into a block
//! and out of it are equal. A call that does not return violates this. gcc adds an arc for
//! each such call; clang does not, so there the code after the call may count as executed.

use super::notes::NotedFunction;

/// The entry block.
const ENTRY: usize = 0;

/// Execution counts of the blocks and arcs of a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BlockCounts {
    pub blocks: Vec<u64>,
    /// In the order of the notes.
    pub arcs: Vec<u64>,
}

/// The arcs into or out of a block.
#[derive(Clone, Default)]
struct BlockArcs {
    arcs: Vec<usize>,
    /// The number of arcs whose count is unknown.
    unknown: usize,
    /// Of the known counts.
    sum: i128,
}

impl BlockCounts {
    /// Derives the counts; `None` if the number of counters does not match.
    pub fn solve(function: &NotedFunction, counters: &[u64]) -> Option<BlockCounts> {
        let counted = function.arcs.iter().filter(|arc| arc.counted).count();
        if counted != counters.len() {
            return None;
        }
        let mut solver = FlowSolver::new(function);
        let numbers = (0..function.arcs.len()).filter(|&arc| function.arcs[arc].counted);
        for (arc, &count) in numbers.zip(counters) {
            solver.set(arc, i128::from(count));
        }
        solver.settle();
        Some(solver.finish())
    }
}

struct FlowSolver<'a> {
    function: &'a NotedFunction,
    arcs: Vec<Option<i128>>,
    into: Vec<BlockArcs>,
    out_of: Vec<BlockArcs>,
    /// Blocks with an arc whose count has become known.
    changed: Vec<usize>,
}

impl<'a> FlowSolver<'a> {
    fn new(function: &'a NotedFunction) -> FlowSolver<'a> {
        let blocks = function.blocks.len();
        let mut into = vec![BlockArcs::default(); blocks];
        let mut out_of = vec![BlockArcs::default(); blocks];
        for (number, arc) in function.arcs.iter().enumerate() {
            for side in [&mut out_of[arc.from], &mut into[arc.to]] {
                side.arcs.push(number);
                side.unknown += 1;
            }
        }
        let changed = (0..blocks).collect();
        FlowSolver { function, arcs: vec![None; function.arcs.len()], into, out_of, changed }
    }

    fn set(&mut self, number: usize, count: i128) {
        let arc = self.function.arcs[number];
        self.arcs[number] = Some(count);
        for side in [&mut self.out_of[arc.from], &mut self.into[arc.to]] {
            side.unknown -= 1;
            side.sum = side.sum.saturating_add(count);
        }
        self.changed.extend([arc.from, arc.to]);
    }

    /// The count of a block, once it is known.
    fn count(&self, block: usize) -> Option<i128> {
        let (into, out_of) = (&self.into[block], &self.out_of[block]);
        if out_of.unknown == 0 && !out_of.arcs.is_empty() {
            Some(out_of.sum)
        } else if into.unknown == 0 && block != ENTRY {
            // Unreachable code that the compiler kept has no arcs into it: its count is zero.
            Some(into.sum)
        } else {
            None
        }
    }

    /// Derives every arc that is the only unknown one into or out of a block.
    fn settle(&mut self) {
        while let Some(block) = self.changed.pop() {
            let Some(count) = self.count(block) else { continue };
            for missing in [self.missing(&self.out_of[block]), self.missing(&self.into[block])] {
                // A self-loop is missing in both directions.
                if let Some((arc, sum)) = missing.filter(|&(arc, _)| self.arcs[arc].is_none()) {
                    self.set(arc, count.saturating_sub(sum));
                }
            }
        }
    }

    /// The only unknown arc, and the sum of the others.
    fn missing(&self, side: &BlockArcs) -> Option<(usize, i128)> {
        let arc = side.arcs.iter().copied().find(|&arc| self.arcs[arc].is_none())?;
        (side.unknown == 1).then_some((arc, side.sum))
    }

    fn finish(self) -> BlockCounts {
        // Calls that do not return can make a derived count negative.
        let sound = |count: i128| u64::try_from(count).unwrap_or(0);
        let blocks = 0..self.function.blocks.len();
        BlockCounts {
            blocks: blocks.map(|block| sound(self.count(block).unwrap_or(0))).collect(),
            arcs: self.arcs.iter().map(|count| sound(count.unwrap_or(0))).collect(),
        }
    }
}
