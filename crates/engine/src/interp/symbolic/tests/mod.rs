//! Operations on terms against operations on words: each runs once on words and once with
//! some operands symbolic. The results, evaluated under the input that gives the operands
//! those words, must be equal bit for bit, faults included.

mod checks;
mod floats;
mod integers;
mod programs;

use byway_base::{ExprId, FaultKind, Rng};
use byway_expr::{Evaluator, Model, Pool};
use byway_ir::Ty;
use byway_search::Decision;

use super::{Oracle, value_of};
use crate::LongDoubles;
use crate::bytecode::{General, Slot, TypedSlot};
use crate::interp::general as concrete;
use crate::reason::ConcretisationReason;
use crate::stop::{ExecResult, Stop};
use crate::value::Value;

/// Widths around each boundary: bytes, instructions, slots.
const WIDTHS: [u32; 16] = [1, 2, 3, 7, 8, 16, 24, 31, 32, 33, 63, 64, 65, 80, 127, 128];

/// How an operation ended, to compare.
#[derive(PartialEq, Eq, Debug)]
enum End {
    Done,
    Suspended,
    Fault(FaultKind, String),
}

fn end_of(run: ExecResult<()>) -> End {
    match run.map_err(|stop| *stop) {
        Ok(()) => End::Done,
        Err(Stop::Fault { kind, message, .. }) => End::Fault(kind, message),
        Err(Stop::Interrupted) => End::Suspended,
        Err(other) => panic!("neither done nor a fault: {other:?}"),
    }
}

/// Decides by evaluation, up to a number of times; then it suspends.
struct Judge<'a> {
    model: &'a Model,
    patience: usize,
    fixed: Vec<ConcretisationReason>,
}

impl Judge<'_> {
    fn answer(&mut self, pool: &Pool, term: ExprId) -> ExecResult<u128> {
        assert!(!pool.is_constant(term), "asked for what is known");
        if self.patience == 0 {
            return Err(Box::new(Stop::Interrupted));
        }
        self.patience -= 1;
        Ok(Evaluator::new().under(pool, self.model).value(term))
    }
}

impl Oracle for Judge<'_> {
    fn holds(
        &mut self,
        pool: &mut Pool,
        condition: ExprId,
        decision: Decision,
    ) -> ExecResult<bool> {
        assert_eq!((pool.width(condition), decision), (1, Decision::Check));
        Ok(self.answer(pool, condition)? != 0)
    }

    fn narrowed(&mut self, _: &mut Pool, term: ExprId) -> ExprId {
        term
    }

    fn fix(
        &mut self,
        pool: &mut Pool,
        term: ExprId,
        reason: ConcretisationReason,
    ) -> ExecResult<u128> {
        let value = self.answer(pool, term)?;
        self.fixed.push(reason);
        Ok(value)
    }
}

/// Terms, the input they are evaluated under, and a random number generator.
struct Lab {
    pool: Pool,
    model: Model,
    rng: Rng,
    long_doubles: LongDoubles,
}

impl Lab {
    fn new(seed: u64) -> Lab {
        let (pool, model, rng) = (Pool::new(), Model::new(), Rng::new(seed));
        Lab { pool, model, rng, long_doubles: LongDoubles::Symbolic }
    }

    /// A term that evaluates to a word in a slot of `most` bits: an input, or a simple function
    /// of one, and often narrower than the slot.
    fn disguise(&mut self, slot: Slot, word: u64, most: u32) -> ExprId {
        let needed = (64 - word.leading_zeros()).max(1);
        let width = match self.rng.below(3) {
            0 => needed,
            1 => needed + self.rng.below(u64::from(most - needed) + 1) as u32,
            _ => most,
        };
        let key = if self.rng.chance(0.5) { 0 } else { self.rng.next_u64() };
        let input = self.pool.input(&format!("slot{slot}"), 8);
        self.model.set_object(input, (word ^ key).to_le_bytes());
        let bytes: Vec<ExprId> = (0..8).map(|i| self.pool.input_byte(input, i)).collect();
        let all = bytes.into_iter().reduce(|low, high| self.pool.concat(high, low));
        let input = self.pool.extract(all.expect("eight bytes"), 0, width);
        let key = self.pool.constant(width, u128::from(key));
        self.pool.xor(input, key)
    }

    /// Registers with the operands in them, those of `symbolic` as terms.
    fn registers(&mut self, operands: &[(TypedSlot, u128)], symbolic: u32) -> Vec<Value> {
        let mut regs = vec![Value::word(0x5a); 32];
        self.fill(&mut regs, operands, symbolic);
        regs
    }

    /// Puts operands into registers, those of `symbolic` as terms.
    fn fill(&mut self, regs: &mut [Value], operands: &[(TypedSlot, u128)], symbolic: u32) {
        for (i, &(place, bits)) in operands.iter().enumerate() {
            concrete::write(regs, place, bits);
            if symbolic >> i & 1 == 0 {
                continue;
            }
            // One half of a wide operand may be concrete.
            let halves = if place.ty.is_wide() { 1 + self.rng.below(3) } else { 1 };
            for (slot, most) in slots(place) {
                if halves >> (slot - place.slot) & 1 == 1 {
                    let term = self.disguise(slot, regs[slot as usize].bits, most);
                    regs[slot as usize] = value_of(&self.pool, term);
                }
            }
        }
    }

    /// The word that a value evaluates to. It must fit a slot of `most` bits; a constant must
    /// not be a term.
    fn word(&self, value: Value, most: u32) -> u64 {
        let Some(term) = value.expr else { return value.bits };
        assert!(self.pool.width(term) <= most, "{} bits for {most}", self.pool.width(term));
        assert!(!self.pool.is_constant(term));
        Evaluator::new().under(&self.pool, &self.model).value(term) as u64
    }

    /// Runs an operation with an increasing number of decisions, until it ends. A suspended
    /// operation must not change anything. Returns what was concretised.
    fn patiently(
        &mut self,
        regs: &mut [Value],
        mut run: impl FnMut(&mut Pool, &mut dyn Oracle, &mut [Value]) -> ExecResult<()>,
    ) -> (End, Vec<ConcretisationReason>) {
        let before = regs.to_vec();
        for patience in 0.. {
            let mut judge = Judge { model: &self.model, patience, fixed: Vec::new() };
            let end = end_of(run(&mut self.pool, &mut judge, regs));
            if end == End::Done {
                return (end, judge.fixed);
            }
            assert_eq!(regs, before, "changed, and then {end:?}");
            if end != End::Suspended {
                return (end, judge.fixed);
            }
        }
        unreachable!("patience grows without end")
    }

    /// Runs an operation on words and with every choice of symbolic operands, and compares.
    /// Returns what was concretised.
    fn agree(
        &mut self,
        general: &General,
        operands: &[(TypedSlot, u128)],
        results: &[TypedSlot],
    ) -> Vec<ConcretisationReason> {
        let mut expected = self.registers(operands, 0);
        let expected_end = end_of(concrete::run(general, &mut expected));
        let mut all_fixed = Vec::new();
        let long_doubles = self.long_doubles;
        for symbolic in 1..1 << operands.len() {
            let mut regs = self.registers(operands, symbolic);
            let (end, fixed) = self.patiently(&mut regs, |pool, oracle, regs| {
                super::general(pool, oracle, long_doubles, general, regs)
            });
            assert_eq!(end, expected_end, "{general:?} of {operands:x?}");
            all_fixed.extend(fixed);
            if end != End::Done {
                continue;
            }
            // The operands keep their values, even if concretised.
            let places = operands.iter().map(|&(place, _)| place).chain(results.iter().copied());
            for (slot, most) in places.flat_map(slots) {
                let (got, wanted) = (self.word(regs[slot as usize], most), expected[slot as usize]);
                assert_eq!(got, wanted.bits, "slot {slot} of {general:?} of {operands:x?}");
            }
        }
        all_fixed
    }

    /// A number of a width: often a boundary value, else any.
    fn number(&mut self, width: u32) -> u128 {
        let any = u128::from(self.rng.next_u64()) << 64 | u128::from(self.rng.next_u64());
        let sign = 1u128 << (width - 1);
        let number = match self.rng.below(12) {
            0 => 0,
            1 => 1,
            2 => u128::MAX,
            3 => sign,
            4 => sign - 1,
            5 => sign + 1,
            6 => u128::from(width) + u128::from(self.rng.below(3)) - 1,
            7 => 1 << self.rng.below(u64::from(width)),
            8 => u128::from(self.rng.below(200)),
            9 => any >> self.rng.below(u64::from(width)),
            _ => any,
        };
        byway_base::int::cut(number, width)
    }
}

/// The slots of a scalar and the width of each.
fn slots(place: TypedSlot) -> Vec<(Slot, u32)> {
    match place.ty.bits() {
        width @ ..=64 => vec![(place.slot, width)],
        width => vec![(place.slot, 64), (place.slot + 1, width - 64)],
    }
}

/// An integer in a slot.
fn int(width: u32, slot: Slot) -> TypedSlot {
    TypedSlot { ty: Ty::Int(width as u8), slot }
}

/// Disjoint slots of operands and results.
const A: Slot = 0;
const B: Slot = 2;
const C: Slot = 4;
const D: Slot = 10;
const FLAG: Slot = 12;
