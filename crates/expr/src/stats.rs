//! What search strategies ask of terms: how many operators of each kind a condition
//! has, for the cost of solving it, and which equalities of an input byte with a
//! number it states.

use byway_base::ExprId;
use rustc_hash::FxHashSet;

use crate::op::Op;
use crate::pool::{Pool, WalkScope};
use crate::support::InputByte;

/// How many operators of each kind some terms have, shared ones counted once.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OperatorCounts {
    counts: [u32; Op::COUNT],
}

impl OperatorCounts {
    /// How often an operator occurs.
    pub fn of(&self, op: Op) -> u32 {
        self.counts[op as usize]
    }

    /// All operators that occur.
    pub fn iter(&self) -> impl Iterator<Item = (Op, u32)> + '_ {
        Op::all().map(|op| (op, self.of(op))).filter(|&(_, count)| count != 0)
    }

    /// How many nodes there are in all.
    pub fn total(&self) -> u32 {
        self.counts.iter().sum()
    }
}

/// The statement that an input byte has a value, or that it has not.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct EqualityAtom {
    /// The byte.
    pub input: InputByte,
    /// The value.
    pub constant: u8,
}

struct Counting {
    seen: FxHashSet<ExprId>,
    counts: OperatorCounts,
}

impl Pool {
    /// The operators of some terms.
    pub fn count_operators(&self, terms: impl IntoIterator<Item = ExprId>) -> OperatorCounts {
        let counts = OperatorCounts { counts: [0; Op::COUNT] };
        let mut counting = Counting { seen: FxHashSet::default(), counts };
        for e in terms {
            self.walk(
                e,
                WalkScope::Memory,
                &mut counting,
                |c, e| c.seen.contains(&e),
                |c, e| {
                    c.seen.insert(e);
                    c.counts.counts[self.op(e) as usize] += 1;
                },
            );
        }
        counting.counts
    }

    /// The atom a term is, if it is an equality of an input byte with a number.
    pub fn as_equality_atom(&self, e: ExprId) -> Option<EqualityAtom> {
        let node = self.node(e);
        if node.op != Op::Eq {
            return None;
        }
        let constant = self.value(node.a())? as u8;
        Some(EqualityAtom { input: self.as_input(node.b())?, constant })
    }

    /// The equality atoms of a conjunct: the conjunct itself, or those it joins by
    /// and, or.
    pub fn equality_atoms(&self, conjunct: ExprId) -> Vec<EqualityAtom> {
        let mut atoms = Vec::new();
        let mut stack = vec![conjunct];
        while let Some(e) = stack.pop() {
            let node = self.node(e);
            match node.op {
                Op::And | Op::Or if node.width == 1 => stack.extend(node.operands().rev()),
                _ => atoms.extend(self.as_equality_atom(e)),
            }
        }
        atoms
    }
}
