//! Statistics of terms for search strategies: the operators of a condition, which predict the
//! cost of solving it, and the equalities of input bytes with constants that it states.

use std::collections::VecDeque;

use byway_base::ExprId;
use rustc_hash::FxHashSet;

use crate::op::Op;
use crate::pool::{Pool, WalkScope};
use crate::support::InputByte;

/// The bytes of two numbers of 64 bits.
const MOST_EQUALITIES: usize = 16;

/// The number of nodes by operator, counting shared nodes once.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OperatorCounts {
    counts: [u32; Op::COUNT],
}

impl OperatorCounts {
    /// The number of nodes with an operator.
    pub fn of(&self, op: Op) -> u32 {
        self.counts[op as usize]
    }

    /// All operators that occur, with their counts.
    pub fn iter(&self) -> impl Iterator<Item = (Op, u32)> + '_ {
        Op::all().map(|op| (op, self.of(op))).filter(|&(_, count)| count != 0)
    }

    /// The number of all nodes.
    pub fn total(&self) -> u32 {
        self.counts.iter().sum()
    }
}

/// An equality, or inequality, of an input byte and a constant.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct EqualityAtom {
    /// The byte compared.
    pub input: InputByte,
    /// The value it is compared with.
    pub constant: u8,
}

struct Counting {
    seen: FxHashSet<ExprId>,
    counts: OperatorCounts,
}

impl Pool {
    /// Counts the operators of some terms.
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

    /// Whether a condition states that an input has a constant value, or that one or both of two
    /// inputs have. Equality with a number of several bytes is that of all of its bytes.
    pub fn is_core_condition(&self, condition: ExprId) -> bool {
        let (mut open, mut equalities) = (vec![condition], 0);
        while let Some(e) = open.pop() {
            let node = self.node(e);
            match node.op {
                Op::And | Op::Or if node.width == 1 => open.extend(node.operands()),
                _ if self.as_equality_atom(e).is_some() => equalities += 1,
                _ => return false,
            }
            if equalities + open.len() > MOST_EQUALITIES {
                return false;
            }
        }
        true
    }

    /// Counts the operators of a term, at most `limit` of them: those nearest to the root.
    pub fn count_operators_within(&self, term: ExprId, limit: usize) -> OperatorCounts {
        let mut counts = OperatorCounts { counts: [0; Op::COUNT] };
        let mut seen = FxHashSet::from_iter([term]);
        let mut queue = VecDeque::from([term]);
        while let Some(next) = queue.pop_front() {
            counts.counts[self.op(next) as usize] += 1;
            for operand in self.node(next).operands() {
                if seen.len() < limit && seen.insert(operand) {
                    queue.push_back(operand);
                }
            }
        }
        counts
    }

    /// The atom, if the term is an equality of an input byte and a constant.
    pub fn as_equality_atom(&self, e: ExprId) -> Option<EqualityAtom> {
        let node = self.node(e);
        if node.op != Op::Eq {
            return None;
        }
        let constant = self.value(node.a())? as u8;
        Some(EqualityAtom { input: self.as_input(node.b())?, constant })
    }

    /// The equality atoms of a conjunct: the conjunct itself, or those under its logical
    /// connectives.
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
