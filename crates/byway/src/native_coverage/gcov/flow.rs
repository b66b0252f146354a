//! From the counters of some arcs to how often every arc was taken: as much flows into a
//! block as out of it. A call that does not return breaks that rule: gcc notes an arc for
//! every such call, clang does not, and there what follows the call may count as run.

use super::notes::Function;

/// The block that functions begin with.
const ENTRY: usize = 0;

/// How often blocks and arcs of a function were run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Flow {
    /// By block.
    pub blocks: Vec<u64>,
    /// By arc, in the order of the notes.
    pub arcs: Vec<u64>,
}

/// The arcs of a block, and what is known of them.
#[derive(Clone, Default)]
struct Side {
    arcs: Vec<usize>,
    unknown: usize,
    sum: i128,
}

impl Flow {
    /// Computes it; `None` if the counters are not those of this function.
    pub fn solve(function: &Function, counters: &[u64]) -> Option<Flow> {
        let counted = function.arcs.iter().filter(|arc| arc.counted).count();
        if counted != counters.len() {
            return None;
        }
        let mut solver = Solver::new(function);
        let numbers = (0..function.arcs.len()).filter(|&arc| function.arcs[arc].counted);
        for (arc, &count) in numbers.zip(counters) {
            solver.set(arc, i128::from(count));
        }
        solver.settle();
        Some(solver.finish())
    }
}

struct Solver<'a> {
    function: &'a Function,
    arcs: Vec<Option<i128>>,
    into: Vec<Side>,
    out_of: Vec<Side>,
    /// Blocks of which something has become known.
    changed: Vec<usize>,
}

impl<'a> Solver<'a> {
    fn new(function: &'a Function) -> Solver<'a> {
        let blocks = function.blocks.len();
        let mut into = vec![Side::default(); blocks];
        let mut out_of = vec![Side::default(); blocks];
        for (number, arc) in function.arcs.iter().enumerate() {
            for side in [&mut out_of[arc.from], &mut into[arc.to]] {
                side.arcs.push(number);
                side.unknown += 1;
            }
        }
        let changed = (0..blocks).collect();
        Solver { function, arcs: vec![None; function.arcs.len()], into, out_of, changed }
    }

    fn set(&mut self, number: usize, count: i128) {
        let arc = self.function.arcs[number];
        self.arcs[number] = Some(count);
        for side in [&mut self.out_of[arc.from], &mut self.into[arc.to]] {
            side.unknown -= 1;
            side.sum += count;
        }
        self.changed.extend([arc.from, arc.to]);
    }

    /// How often a block was run, as soon as that is known.
    fn count(&self, block: usize) -> Option<i128> {
        let (into, out_of) = (&self.into[block], &self.out_of[block]);
        if out_of.unknown == 0 && !out_of.arcs.is_empty() {
            Some(out_of.sum)
        } else if into.unknown == 0 && block != ENTRY {
            // Nothing leads into code that the compiler left though it cannot run.
            Some(into.sum)
        } else {
            None
        }
    }

    /// Finds every arc that is the only unknown one on its side of a block.
    fn settle(&mut self) {
        while let Some(block) = self.changed.pop() {
            let Some(count) = self.count(block) else { continue };
            for missing in [self.missing(&self.out_of[block]), self.missing(&self.into[block])] {
                // An arc from a block to itself is missing on both sides.
                if let Some((arc, sum)) = missing.filter(|&(arc, _)| self.arcs[arc].is_none()) {
                    self.set(arc, count - sum);
                }
            }
        }
    }

    /// The only unknown arc on a side, and the sum of the others.
    fn missing(&self, side: &Side) -> Option<(usize, i128)> {
        let arc = side.arcs.iter().copied().find(|&arc| self.arcs[arc].is_none())?;
        (side.unknown == 1).then_some((arc, side.sum))
    }

    fn finish(self) -> Flow {
        // Where calls did not return, the rule gives what cannot be: less than nothing.
        let sound = |count: i128| u64::try_from(count).unwrap_or(0);
        let blocks = 0..self.function.blocks.len();
        Flow {
            blocks: blocks.map(|block| sound(self.count(block).unwrap_or(0))).collect(),
            arcs: self.arcs.iter().map(|count| sound(count.unwrap_or(0))).collect(),
        }
    }
}
