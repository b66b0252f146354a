//! Byway's terms as Bitwuzla's.
//!
//! Every term is translated once and kept, whatever instances it is asserted in,
//! until the pool collects it. TermFactory of one bit are Bools, and become bit-vectors
//! only where bits are wanted.
//!
//! A read of memory is expanded to a selection over the bytes that the structure of
//! its index lets it reach. What a path says of the index is left out on purpose: a
//! translation holds on every path, and an unsat core made with it needs nothing
//! that it does not name. Where that makes too many bytes, the caller expands the
//! query's terms itself and translates those.
//!
//! Floats have two faces, the pattern and the number; `float` says how they meet.

mod float;
mod side_constraint;

use byway_base::ExprId;
use byway_expr::expand::TooManyLeaves;
use byway_expr::{Collected, ExprMap, InputByte, Intervals, Node, Op, Pool, Sweep, TermSort};
use rustc_hash::FxHashMap;

pub use self::side_constraint::{SideConstraint, SideConstraints};
use super::terms::{Kind, SmtTerm, TermFactory};

/// A face of a term.
#[derive(Clone)]
struct Translation {
    term: SmtTerm,
    ties: SideConstraints,
}

/// A term of one bit, to be asserted.
pub struct SmtAssertion {
    /// The term, a Bool.
    pub term: SmtTerm,
    /// What must be asserted along with it.
    pub ties: SideConstraints,
}

/// All that was translated so far.
pub struct Translator {
    terms: TermFactory,
    patterns: ExprMap<Translation>,
    numbers: ExprMap<Translation>,
    inputs: FxHashMap<InputByte, SmtTerm>,
    /// What the structure of terms shows; no assumption of any path.
    intervals: Intervals,
    translated: u64,
}

impl Translator {
    /// Nothing translated yet.
    pub fn new(pool: &Pool, terms: &TermFactory) -> Translator {
        Translator {
            terms: terms.clone(),
            patterns: ExprMap::for_pool(pool),
            numbers: ExprMap::for_pool(pool),
            inputs: FxHashMap::default(),
            intervals: Intervals::new(pool),
            translated: 0,
        }
    }

    /// How many faces of terms are kept.
    pub fn kept(&self) -> usize {
        self.patterns.len() + self.numbers.len()
    }

    /// How many faces of terms were translated.
    pub fn translated(&self) -> u64 {
        self.translated
    }

    /// A term of one bit as something to assert.
    pub fn assertion(&mut self, pool: &mut Pool, e: ExprId) -> Result<SmtAssertion, TooManyLeaves> {
        debug_assert_eq!(pool.width(e), 1);
        self.define(pool, e)?;
        let Translation { term, ties } = self.entry(pool, e, TermSort::BitVector).clone();
        Ok(SmtAssertion { term, ties })
    }

    /// The unknown that stands for an input byte, if a translated term has it.
    pub fn input(&self, at: InputByte) -> Option<&SmtTerm> {
        self.inputs.get(&at)
    }

    fn entry(&self, pool: &Pool, e: ExprId, sort: TermSort) -> &Translation {
        let table = match sort {
            TermSort::BitVector => &self.patterns,
            TermSort::Float => &self.numbers,
        };
        table.get(pool, e).expect("what a term needs is translated before it")
    }

    fn has(&self, pool: &Pool, (e, sort): (ExprId, TermSort)) -> bool {
        match sort {
            TermSort::BitVector => self.patterns.contains(pool, e),
            TermSort::Float => self.numbers.contains(pool, e),
        }
    }

    /// Translates a term and all that it needs, operands first.
    fn define(&mut self, pool: &mut Pool, root: ExprId) -> Result<(), TooManyLeaves> {
        let mut stack = vec![(root, TermSort::BitVector)];
        let mut needs = Vec::new();
        while let Some(&(e, sort)) = stack.last() {
            if self.has(pool, (e, sort)) {
                stack.pop();
                continue;
            }
            needs.clear();
            self.needs(pool, e, sort, &mut needs)?;
            let waiting = stack.len();
            stack.extend(needs.iter().copied().filter(|&need| !self.has(pool, need)));
            if stack.len() > waiting {
                continue;
            }
            let ties =
                SideConstraint::all(needs.iter().map(|&(e, sort)| &self.entry(pool, e, sort).ties));
            let entry = self.translate(pool, e, sort, &needs, ties);
            self.translated += 1;
            match sort {
                TermSort::BitVector => self.patterns.insert(pool, e, entry),
                TermSort::Float => self.numbers.insert(pool, e, entry),
            };
            stack.pop();
        }
        Ok(())
    }

    /// The faces that a face is made of.
    fn needs(
        &mut self,
        pool: &mut Pool,
        e: ExprId,
        sort: TermSort,
        needs: &mut Vec<(ExprId, TermSort)>,
    ) -> Result<(), TooManyLeaves> {
        if sort == TermSort::BitVector && pool.op(e) == Op::Read {
            let (_, index) = pool.as_read(e).expect("it is a read");
            let reach = self.intervals.of(pool, index);
            needs.push((pool.expand(e, reach)?, TermSort::BitVector));
        } else {
            pool.sort_operands(e, sort, needs);
        }
        Ok(())
    }

    fn translate(
        &mut self,
        pool: &mut Pool,
        e: ExprId,
        sort: TermSort,
        needs: &[(ExprId, TermSort)],
        ties: SideConstraints,
    ) -> Translation {
        let node = pool.node(e);
        match sort {
            TermSort::Float => Translation { term: self.number(pool, e, &node, needs), ties },
            TermSort::BitVector if node.op() == Op::Read => {
                let (selection, sort) = needs[0];
                self.entry(pool, selection, sort).clone()
            }
            TermSort::BitVector if node.op().gives_float() => {
                self.tied_pattern(pool, e, needs[1].0, ties)
            }
            TermSort::BitVector => Translation { term: self.pattern(pool, e, &node), ties },
        }
    }

    fn pattern(&mut self, pool: &Pool, e: ExprId, node: &Node) -> SmtTerm {
        match node.op() {
            Op::Const => self.constant(pool, e),
            Op::Input => {
                let at = pool.as_input(e).expect("it is an input byte");
                self.input_byte(pool, at)
            }
            Op::FToSi => self.to_signed(pool, node),
            op if op.is_float() => self.predicate(pool, node),
            _ if node.width() == 1 => self.boolean_operation(pool, node),
            _ => self.operation(pool, node),
        }
    }

    fn constant(&self, pool: &Pool, e: ExprId) -> SmtTerm {
        let width = pool.width(e);
        match pool.value(e) {
            Some(value) if width == 1 => self.terms.boolean(value != 0),
            Some(value) if width <= 64 => self.terms.number(width, value as u64),
            _ => {
                let value = pool.value_wide(e).expect("a constant has a value");
                self.terms.wide_number(width, &format!("{value:x}"))
            }
        }
    }

    fn input_byte(&mut self, pool: &Pool, at: InputByte) -> SmtTerm {
        let terms = &self.terms;
        let unknown = self.inputs.entry(at).or_insert_with(|| {
            let name = &pool.input_object(at.object).name;
            terms.unknown(8, &format!("{name}[{}]", at.byte))
        });
        unknown.clone()
    }

    /// A term of one bit as a Bool.
    fn bool_of(&self, pool: &Pool, e: ExprId) -> &SmtTerm {
        &self.entry(pool, e, TermSort::BitVector).term
    }

    /// A term as a bit-vector.
    fn bits_of(&self, pool: &Pool, e: ExprId) -> SmtTerm {
        let term = &self.entry(pool, e, TermSort::BitVector).term;
        if pool.width(e) > 1 {
            return term.clone();
        }
        let (one, zero) = (self.terms.number(1, 1), self.terms.number(1, 0));
        self.terms.apply(Kind::Ite, &[term, &one, &zero])
    }

    /// An operator that gives one bit, as a Bool.
    fn boolean_operation(&self, pool: &Pool, node: &Node) -> SmtTerm {
        let of_bits = node.operands().all(|e| pool.width(e) == 1);
        let as_bools = |kind| {
            let operands: Vec<&SmtTerm> = node.operands().map(|e| self.bool_of(pool, e)).collect();
            self.terms.apply(kind, &operands)
        };
        match node.op() {
            Op::Not => as_bools(Kind::Not),
            Op::And => as_bools(Kind::And),
            Op::Or => as_bools(Kind::Or),
            Op::Xor => as_bools(Kind::Xor),
            Op::Ite => as_bools(Kind::Ite),
            Op::Eq if of_bits => as_bools(Kind::Equal),
            Op::Eq | Op::Ult | Op::Ule | Op::Slt | Op::Sle => self.operation(pool, node),
            _ => {
                let bit = self.operation(pool, node);
                self.terms.apply(Kind::Equal, &[&bit, &self.terms.number(1, 1)])
            }
        }
    }

    /// An operator on bit-vectors.
    fn operation(&self, pool: &Pool, node: &Node) -> SmtTerm {
        let operands: Vec<ExprId> = node.operands().collect();
        let grown = || u64::from(node.width() - pool.width(operands[0]));
        let indexed = |kind, indices: &[u64]| {
            self.terms.apply_indexed(kind, &[&self.bits_of(pool, operands[0])], indices)
        };
        match node.op() {
            Op::Extract => {
                let low = u64::from(node.low());
                indexed(Kind::BvExtract, &[low + u64::from(node.width()) - 1, low])
            }
            Op::Zext => indexed(Kind::BvZeroExtend, &[grown()]),
            Op::Sext => indexed(Kind::BvSignExtend, &[grown()]),
            Op::Ite => {
                let (yes, no) = (self.bits_of(pool, operands[1]), self.bits_of(pool, operands[2]));
                self.terms.apply(Kind::Ite, &[self.bool_of(pool, operands[0]), &yes, &no])
            }
            op => {
                let operands: Vec<SmtTerm> =
                    operands.iter().map(|&e| self.bits_of(pool, e)).collect();
                self.terms.apply(bit_vector_kind(op), &operands.iter().collect::<Vec<_>>())
            }
        }
    }
}

impl Sweep for Translator {
    fn sweep(&mut self, collected: &Collected) {
        self.patterns.sweep(collected);
        self.numbers.sweep(collected);
        self.intervals.sweep(collected);
    }
}

/// Bitwuzla's name for an operator on bit-vectors.
fn bit_vector_kind(op: Op) -> Kind {
    match op {
        Op::Not => Kind::BvNot,
        Op::Neg => Kind::BvNeg,
        Op::Add => Kind::BvAdd,
        Op::Sub => Kind::BvSub,
        Op::Mul => Kind::BvMul,
        Op::UDiv => Kind::BvUdiv,
        Op::SDiv => Kind::BvSdiv,
        Op::URem => Kind::BvUrem,
        Op::SRem => Kind::BvSrem,
        Op::Shl => Kind::BvShl,
        Op::LShr => Kind::BvShr,
        Op::AShr => Kind::BvAshr,
        Op::And => Kind::BvAnd,
        Op::Or => Kind::BvOr,
        Op::Xor => Kind::BvXor,
        Op::Eq => Kind::Equal,
        Op::Ult => Kind::BvUlt,
        Op::Ule => Kind::BvUle,
        Op::Slt => Kind::BvSlt,
        Op::Sle => Kind::BvSle,
        Op::Concat => Kind::BvConcat,
        op => unreachable!("{op:?} is translated elsewhere"),
    }
}
