//! The values that single bytes can have. A condition on one byte is a set of its values, and
//! so is what the path says of that byte alone: where nothing links the byte to others, the
//! two decide the query. Where something does, an empty intersection still does, and so does
//! a value under which the rest holds with the other bytes as the witness has them.

use byway_base::ExprId;
use byway_expr::{ByteSet, Evaluator, InputByte, Pool};

use crate::backend::SliceAnswer;
use crate::query::{Query, Slice};

/// How many values are tried where other bytes are linked to the one.
const MOST_TRIED: usize = 16;

/// The answer, if single bytes give it.
pub fn check(
    pool: &mut Pool,
    evaluator: &mut Evaluator,
    query: &Query,
    slice: &Slice,
) -> Option<SliceAnswer> {
    let (byte, asked) = pool.byte_set(query.condition)?;
    let left = query.path.domain(byte).and(asked);
    if left.is_empty() {
        return Some(SliceAnswer::Unsat(core(pool, slice, byte, asked)));
    }
    let witness = query.witness?;
    let linked: Vec<ExprId> =
        slice.conjuncts.iter().copied().filter(|&e| pool.byte_set(e).is_none()).collect();
    if linked.is_empty() {
        return in_order(left).next().map(|value| SliceAnswer::Sat(vec![(byte, value)]));
    }
    let mut model = witness.clone();
    in_order(left).take(MOST_TRIED).find_map(|value| {
        model.set_byte(byte, value);
        let mut evaluation = evaluator.under(pool, &model);
        let holds = linked.iter().all(|&e| evaluation.holds(e));
        holds.then(|| SliceAnswer::Sat(vec![(byte, value)]))
    })
}

/// Conjuncts that leave the byte none of the asked values.
fn core(pool: &mut Pool, slice: &Slice, byte: InputByte, asked: ByteSet) -> Vec<ExprId> {
    let mut left = asked;
    let mut core = Vec::new();
    for &conjunct in &slice.conjuncts {
        let Some((_, set)) = pool.byte_set(conjunct).filter(|(about, _)| *about == byte) else {
            continue;
        };
        if left.and(set) != left {
            left = left.and(set);
            core.push(conjunct);
        }
    }
    if left.is_empty() {
        return core;
    }
    // Something that follows from conjuncts on several bytes takes part.
    slice.conjuncts.clone()
}

/// The values of a set in the order people like to see them in a test: letters, what else
/// can be read, the rest.
fn in_order(set: ByteSet) -> impl Iterator<Item = u8> {
    const LETTERS: ByteSet = ByteSet::between(b'a', b'z');
    const READABLE: ByteSet = ByteSet::between(b' ', b'~');
    let (readable, rest) = (set.and(READABLE), set.without(READABLE));
    [readable.and(LETTERS), readable.without(LETTERS), rest].into_iter().flat_map(ByteSet::values)
}
