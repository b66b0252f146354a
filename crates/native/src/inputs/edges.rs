//! What the counters of a program count.

use byway_base::entity::EntityRef;
use byway_ir::{BlockId, FuncId, Module};

/// An edge of the control flow within a function of the user's code, or the function's entry.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct CountedEdge {
    /// The function.
    pub func: FuncId,
    /// The block that the edge leaves; `None` for the function's entry. Where the lowering made
    /// several blocks of one, this is the first.
    pub from: Option<BlockId>,
    /// The block that the edge leads to.
    pub to: BlockId,
}

/// The edges of a program, one per counter.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EdgeTable {
    edges: Vec<CountedEdge>,
}

impl EdgeTable {
    /// Reads the list that `byway-llvm` writes: a line for each counter, with the numbers of the
    /// function, of the block that the edge leaves, and of the block that it leads to.
    pub fn parse(text: &str) -> Result<EdgeTable, String> {
        let number = |word: &str| word.parse::<u32>().ok().map(|number| number as usize);
        let edge = |line: &str| {
            let mut words = line.split(' ');
            let (func, from, to) = (words.next()?, words.next()?, words.next()?);
            let from = match from {
                "-" => None,
                block => Some(BlockId::new(number(block)?)),
            };
            let edge = CountedEdge {
                func: FuncId::new(number(func)?),
                from,
                to: BlockId::new(number(to)?),
            };
            words.next().is_none().then_some(edge)
        };
        let edges: Option<Vec<CountedEdge>> = text.lines().map(edge).collect();
        edges.map(|edges| EdgeTable { edges }).ok_or_else(|| "a line is no edge".into())
    }

    /// The edges in the order of their counters.
    pub fn edges(&self) -> &[CountedEdge] {
        &self.edges
    }

    /// Whether every edge is between blocks of the module, so that the table belongs to it.
    pub fn suits(&self, module: &Module) -> bool {
        self.edges.iter().all(|edge| {
            module.funcs.get(edge.func).is_some_and(|func| {
                let exists = |block: BlockId| block.index() < func.blocks.len();
                exists(edge.to) && edge.from.is_none_or(exists)
            })
        })
    }

    /// How often each block was executed, from the counts of a run or of many: the sum over the
    /// edges that lead to it. Blocks that were not executed are omitted.
    pub fn blocks<T: Copy + Into<u64>>(&self, counts: &[T]) -> Vec<((FuncId, BlockId), u64)> {
        let mut blocks: Vec<((FuncId, BlockId), u64)> = Vec::new();
        let counted = self.edges.iter().zip(counts).map(|(edge, &count)| (edge, count.into()));
        let mut executed: Vec<_> = counted.filter(|(_, count)| *count != 0).collect();
        executed.sort_by_key(|(edge, _)| (edge.func, edge.to));
        for (edge, count) in executed {
            match blocks.last_mut() {
                Some((block, sum)) if *block == (edge.func, edge.to) => *sum += count,
                _ => blocks.push(((edge.func, edge.to), count)),
            }
        }
        blocks
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_sums_over_edges() {
        let table = EdgeTable::parse("3 - 0\n3 0 1\n3 1 1\n2 - 0\n").expect("a table");
        assert_eq!(table.edges()[1].from, Some(BlockId::new(0)));
        let block = |func, block| (FuncId::new(func), BlockId::new(block));
        assert_eq!(table.blocks(&[1u32, 1, 5, 0]), [(block(3, 0), 1), (block(3, 1), 6)]);
        assert!(!table.suits(&Module::default()));
    }

    #[test]
    fn other_lines_are_refused() {
        for text in ["3 0", "3 - 0 1", "x - 0", "1 -1 0", "\n", "1 - 4294967296"] {
            assert!(EdgeTable::parse(text).is_err(), "{text:?}");
        }
    }
}
