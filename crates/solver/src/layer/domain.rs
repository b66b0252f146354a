//! Decides queries by the domain of a single byte.
//!
//! A condition on one byte is a set of values, and so are the path's constraints on that
//! byte alone. If no conjunct links the byte to others, the intersection of the two sets
//! decides the query. Otherwise an empty intersection is still unsat, and a value that
//! satisfies the linked conjuncts together with the witness's other bytes is still sat.

use byway_base::ExprId;
use byway_expr::{ByteSet, Evaluator, InputByte, Pool};

use crate::backend::SliceAnswer;
use crate::query::{Query, Slice};

/// How many values are tried if the byte is linked to others.
const MAX_TRIED: usize = 16;

/// The answer, if the byte's domain gives it.
pub fn check(
    pool: &mut Pool,
    evaluator: &mut Evaluator,
    query: &Query,
    slice: &Slice,
) -> Option<SliceAnswer> {
    let (byte, wanted) = pool.byte_set(query.condition)?;
    let possible = query.path.domain(byte).and(wanted);
    if possible.is_empty() {
        return Some(SliceAnswer::Unsat(core(pool, slice, byte, wanted)));
    }
    let witness = query.witness?;
    let linked: Vec<ExprId> =
        slice.conjuncts.iter().copied().filter(|&e| pool.byte_set(e).is_none()).collect();
    if linked.is_empty() {
        return by_preference(possible).next().map(|value| SliceAnswer::Sat(vec![(byte, value)]));
    }
    let mut model = witness.clone();
    by_preference(possible).take(MAX_TRIED).find_map(|value| {
        model.set_byte(byte, value);
        let mut evaluation = evaluator.under(pool, &model);
        let holds = linked.iter().all(|&e| evaluation.holds(e));
        holds.then(|| SliceAnswer::Sat(vec![(byte, value)]))
    })
}

/// Conjuncts that exclude all wanted values of the byte.
fn core(pool: &mut Pool, slice: &Slice, byte: InputByte, wanted: ByteSet) -> Vec<ExprId> {
    let mut possible = wanted;
    let mut core = Vec::new();
    for &conjunct in &slice.conjuncts {
        let Some((_, set)) = pool.byte_set(conjunct).filter(|(about, _)| *about == byte) else {
            continue;
        };
        if possible.and(set) != possible {
            possible = possible.and(set);
            core.push(conjunct);
        }
    }
    if possible.is_empty() {
        return core;
    }
    // The domain also contains a learnt fact, which conjuncts on several bytes imply.
    slice.conjuncts.clone()
}

/// The values of a set in the order that makes tests readable: letters, other printable
/// characters, the rest.
fn by_preference(set: ByteSet) -> impl Iterator<Item = u8> {
    const LETTERS: ByteSet = ByteSet::between(b'a', b'z');
    const PRINTABLE: ByteSet = ByteSet::between(b' ', b'~');
    let (printable, rest) = (set.and(PRINTABLE), set.without(PRINTABLE));
    [printable.and(LETTERS), printable.without(LETTERS), rest].into_iter().flat_map(ByteSet::values)
}
