//! The structural hash of terms, and the order that it defines.
//!
//! Terms with equal hashes are almost always equal; if not, the first operands that differ
//! decide. Since terms are hash-consed, operands differ exactly if their ids do, so the
//! comparison is a loop and needs no stack.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

use byway_base::ExprId;
use num_bigint::BigUint;
use rustc_hash::FxHasher;

use super::{InputId, Pool};
use crate::memory::VersionId;
use crate::node::Node;
use crate::op::Op;

/// Adds a word to a hash. Folding the high half of the product makes every bit of the word
/// affect every bit of the result in two steps.
#[inline(always)]
pub(crate) fn mix(hash: u64, word: u64) -> u64 {
    let product = u128::from(hash ^ word.wrapping_mul(0xd6e8_feb8_6659_fd93))
        * u128::from(0x9e37_79b9_7f4a_7c15_u64);
    (product >> 64) as u64 ^ product as u64
}

pub(super) fn wide_hash(width: u32, value: &BigUint) -> u64 {
    let start = mix(Op::Const as u64 + 1, u64::from(width));
    value.iter_u64_digits().fold(start, mix)
}

/// The hash of a string.
fn text_hash(text: &str) -> u64 {
    let mut hasher = FxHasher::default();
    text.hash(&mut hasher);
    hasher.finish()
}

impl Pool {
    pub(super) fn structural_hash(&self, node: &Node) -> u64 {
        let head = u64::from(node.width) | (node.format as u64) << 16;
        let mut hash = mix(node.op as u64 + 1, head);
        match node.op {
            // Only for constants of up to 64 bits; see `wide_hash`.
            Op::Const => mix(hash, u64::from(node.args[0]) | u64::from(node.args[1]) << 32),
            Op::Input => {
                let object = self.input_object(InputId(node.args[0]));
                hash = mix(hash, text_hash(&object.name));
                mix(hash, u64::from(object.size) << 32 | u64::from(node.args[1]))
            }
            Op::Read => {
                let version = VersionId::from_word(node.extra());
                mix(mix(hash, self.hash_of(node.a())), self.versions.hash_of(version))
            }
            op => {
                for operand in node.operands() {
                    hash = mix(hash, self.hash_of(operand));
                }
                if op.arity() == 1 { mix(hash, u64::from(node.extra())) } else { hash }
            }
        }
    }

    /// Whether `a` precedes `b` among the operands of a commutative operator.
    #[inline]
    pub(super) fn in_order(&self, a: ExprId, b: ExprId) -> bool {
        a != b && self.compare_structure(a, b) == Ordering::Less
    }

    /// Compares terms by structure, independently of ids; constants come first.
    pub(crate) fn compare_structure(&self, a: ExprId, b: ExprId) -> Ordering {
        if a == b {
            return Ordering::Equal;
        }
        let number = |e| self.op(e) != Op::Const;
        let by_hash = |e| (number(e), self.hash_of(e));
        by_hash(a).cmp(&by_hash(b)).then_with(|| self.compare_in_depth(a, b))
    }

    /// Compares terms with equal hashes.
    #[cold]
    fn compare_in_depth(&self, mut a: ExprId, mut b: ExprId) -> Ordering {
        loop {
            let (x, y) = (self.node(a), self.node(b));
            let head = |n: &Node| (n.op, n.format as u8, n.width);
            let heads = head(&x).cmp(&head(&y));
            if heads != Ordering::Equal {
                return heads;
            }
            if let Some((down_a, down_b)) = x.operands().zip(y.operands()).find(|(p, q)| p != q) {
                (a, b) = (down_a, down_b);
                continue;
            }
            return match x.op {
                Op::Const => self.value_wide(a).cmp(&self.value_wide(b)),
                Op::Input => {
                    let key = |n: &Node| {
                        let object = self.input_object(InputId(n.args[0]));
                        (object.name.clone(), object.size, n.args[1])
                    };
                    key(&x).cmp(&key(&y))
                }
                Op::Read => {
                    let version = |n: &Node| VersionId::from_word(n.extra());
                    match self.versions.compare(version(&x), version(&y)) {
                        Ok(order) => order,
                        Err((down_a, down_b)) => {
                            (a, b) = (down_a, down_b);
                            continue;
                        }
                    }
                }
                _ => x.extra().cmp(&y.extra()),
            };
        }
    }
}
