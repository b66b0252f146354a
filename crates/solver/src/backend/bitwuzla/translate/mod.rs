//! Translates Byway's terms to Bitwuzla's.
//!
//! Every term is translated once, for all instances, and the translation is cached until
//! the pool collects the term. A term of one bit becomes a Bool, and is converted to a
//! bit-vector only where an operator needs one.
//!
//! A memory read is expanded to a selection over the bytes that its index can reach by
//! structure alone. Constraints of the path are deliberately ignored: a translation is valid
//! on every path, and an unsat core depends only on the conjuncts it names. If that reaches
//! too many bytes, the caller expands the query's terms itself and translates the result.
//!
//! A float can have two translations, one per [`TermSort`]; `float` relates them.

mod float;
mod side_constraint;

use byway_base::ExprId;
use byway_expr::expand::TooManyLeaves;
use byway_expr::{Collected, ExprMap, InputByte, Intervals, Node, Op, Pool, Sweep, TermSort};
use rustc_hash::FxHashMap;

pub use self::side_constraint::{SideConstraint, SideConstraints};
use super::terms::{Kind, SmtTerm, TermFactory};

/// A term translated to one sort.
#[derive(Clone)]
pub struct Translation {
    /// A Bool if the sort is a bit-vector of one bit.
    pub term: SmtTerm,
    /// What must be asserted along with it.
    pub constraints: SideConstraints,
}

/// The cache of translated terms.
pub struct Translator {
    terms: TermFactory,
    bit_vectors: ExprMap<Translation>,
    floats: ExprMap<Translation>,
    inputs: FxHashMap<InputByte, SmtTerm>,
    /// From the structure of terms alone; holds no assumption of any path.
    intervals: Intervals,
    translated: u64,
}

impl Translator {
    /// A translator with an empty cache.
    pub fn new(pool: &Pool, terms: &TermFactory) -> Translator {
        Translator {
            terms: terms.clone(),
            bit_vectors: ExprMap::for_pool(pool),
            floats: ExprMap::for_pool(pool),
            inputs: FxHashMap::default(),
            intervals: Intervals::new(pool),
            translated: 0,
        }
    }

    /// The number of cached translations.
    pub fn cached(&self) -> usize {
        self.bit_vectors.len() + self.floats.len()
    }

    /// The number of translations made so far.
    pub fn translated(&self) -> u64 {
        self.translated
    }

    /// Translates a term of one bit to a Bool.
    pub fn assertion(&mut self, pool: &mut Pool, e: ExprId) -> Result<Translation, TooManyLeaves> {
        debug_assert_eq!(pool.width(e), 1);
        self.define(pool, e)?;
        Ok(self.translation(pool, e, TermSort::BitVector).clone())
    }

    /// The constant of an input byte, if a translated term contains it.
    pub fn input(&self, at: InputByte) -> Option<&SmtTerm> {
        self.inputs.get(&at)
    }

    fn translation(&self, pool: &Pool, e: ExprId, sort: TermSort) -> &Translation {
        let table = match sort {
            TermSort::BitVector => &self.bit_vectors,
            TermSort::Float => &self.floats,
        };
        table.get(pool, e).expect("operands are translated first")
    }

    fn is_translated(&self, pool: &Pool, (e, sort): (ExprId, TermSort)) -> bool {
        match sort {
            TermSort::BitVector => self.bit_vectors.contains(pool, e),
            TermSort::Float => self.floats.contains(pool, e),
        }
    }

    /// Translates a term and its operands, bottom-up.
    fn define(&mut self, pool: &mut Pool, root: ExprId) -> Result<(), TooManyLeaves> {
        let mut stack = vec![(root, TermSort::BitVector)];
        let mut operands = Vec::new();
        while let Some(&(e, sort)) = stack.last() {
            if self.is_translated(pool, (e, sort)) {
                stack.pop();
                continue;
            }
            operands.clear();
            self.operands(pool, e, sort, &mut operands)?;
            let before = stack.len();
            stack.extend(operands.iter().copied().filter(|&x| !self.is_translated(pool, x)));
            if stack.len() > before {
                continue;
            }
            let constraints = SideConstraint::all(
                operands.iter().map(|&(e, sort)| &self.translation(pool, e, sort).constraints),
            );
            let translation = self.translate(pool, e, sort, &operands, constraints);
            self.translated += 1;
            match sort {
                TermSort::BitVector => self.bit_vectors.insert(pool, e, translation),
                TermSort::Float => self.floats.insert(pool, e, translation),
            };
            stack.pop();
        }
        Ok(())
    }

    /// The translations that a translation is built from.
    fn operands(
        &mut self,
        pool: &mut Pool,
        e: ExprId,
        sort: TermSort,
        operands: &mut Vec<(ExprId, TermSort)>,
    ) -> Result<(), TooManyLeaves> {
        if sort == TermSort::BitVector && pool.op(e) == Op::Read {
            let (_, index) = pool.as_read(e).expect("it is a read");
            let reach = self.intervals.of(pool, index);
            operands.push((pool.expand(e, reach)?, TermSort::BitVector));
        } else {
            pool.sort_operands(e, sort, operands);
        }
        Ok(())
    }

    fn translate(
        &mut self,
        pool: &mut Pool,
        e: ExprId,
        sort: TermSort,
        operands: &[(ExprId, TermSort)],
        constraints: SideConstraints,
    ) -> Translation {
        let node = pool.node(e);
        match sort {
            TermSort::Float => {
                Translation { term: self.float(pool, e, &node, operands), constraints }
            }
            TermSort::BitVector if node.op() == Op::Read => {
                let (selection, sort) = operands[0];
                self.translation(pool, selection, sort).clone()
            }
            TermSort::BitVector if node.op().has_float_result() => {
                self.constrained_bits(pool, e, operands[1].0, constraints)
            }
            TermSort::BitVector => {
                Translation { term: self.bit_vector(pool, e, &node), constraints }
            }
        }
    }

    fn bit_vector(&mut self, pool: &Pool, e: ExprId, node: &Node) -> SmtTerm {
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
            Some(value) if width <= 64 => self.terms.value(width, value as u64),
            _ => {
                let value = pool.value_wide(e).expect("a constant has a value");
                self.terms.wide_value(width, &format!("{value:x}"))
            }
        }
    }

    fn input_byte(&mut self, pool: &Pool, at: InputByte) -> SmtTerm {
        let terms = &self.terms;
        let constant = self.inputs.entry(at).or_insert_with(|| {
            let name = &pool.input_object(at.object).name;
            terms.fresh_constant(8, &format!("{name}[{}]", at.byte))
        });
        constant.clone()
    }

    /// A translated term of one bit, as a Bool.
    fn bool_of(&self, pool: &Pool, e: ExprId) -> &SmtTerm {
        &self.translation(pool, e, TermSort::BitVector).term
    }

    /// A translated term as a bit-vector.
    fn bits_of(&self, pool: &Pool, e: ExprId) -> SmtTerm {
        let term = &self.translation(pool, e, TermSort::BitVector).term;
        if pool.width(e) > 1 {
            return term.clone();
        }
        let (one, zero) = (self.terms.value(1, 1), self.terms.value(1, 0));
        self.terms.apply(Kind::Ite, &[term, &one, &zero])
    }

    /// An operator with a result of one bit, as a Bool.
    fn boolean_operation(&self, pool: &Pool, node: &Node) -> SmtTerm {
        let on_bits = node.operands().all(|e| pool.width(e) == 1);
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
            Op::Eq if on_bits => as_bools(Kind::Equal),
            Op::Eq | Op::Ult | Op::Ule | Op::Slt | Op::Sle => self.operation(pool, node),
            _ => {
                let bit = self.operation(pool, node);
                self.terms.apply(Kind::Equal, &[&bit, &self.terms.value(1, 1)])
            }
        }
    }

    /// An operator on bit-vectors.
    fn operation(&self, pool: &Pool, node: &Node) -> SmtTerm {
        let operands: Vec<ExprId> = node.operands().collect();
        let added_bits = || u64::from(node.width() - pool.width(operands[0]));
        let indexed = |kind, indices: &[u64]| {
            self.terms.apply_indexed(kind, &[&self.bits_of(pool, operands[0])], indices)
        };
        match node.op() {
            Op::Extract => {
                let low = u64::from(node.low());
                indexed(Kind::BvExtract, &[low + u64::from(node.width()) - 1, low])
            }
            Op::Zext => indexed(Kind::BvZeroExtend, &[added_bits()]),
            Op::Sext => indexed(Kind::BvSignExtend, &[added_bits()]),
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
        self.bit_vectors.sweep(collected);
        self.floats.sweep(collected);
        self.intervals.sweep(collected);
    }
}

/// Bitwuzla's kind for a bit-vector operator.
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
