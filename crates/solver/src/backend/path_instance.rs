//! An instance that has asserted the conjuncts of one path, each on a level of its own, so
//! that it can continue with any path that has a prefix in common.
//!
//! A side constraint is asserted on the level below the first term that needs it, where it
//! stays when the term is popped: a sibling of the term will need it too.

use std::rc::Rc;

use byway_base::ExprId;
use byway_expr::expand::TooManyLeaves;
use byway_expr::{Collected, Pool};
use rustc_hash::FxHashSet;

use super::SliceAnswer;
use super::bitwuzla::{
    BitwuzlaInstance, InstanceOptions, SatResult, SideConstraint, SmtTerm, TermFactory,
    Translation, Translator,
};
use crate::budget::QueryBudget;
use crate::query::Slice;

/// Memory of an instance without assertions, and of each conjunct it ever asserted: the
/// rewritten term, its gates and clauses.
const BYTES_PER_INSTANCE: usize = 1 << 20;
const BYTES_PER_CONJUNCT: usize = 4096;

/// An instance and the conjuncts that it has asserted.
pub struct PathInstance {
    instance: BitwuzlaInstance,
    levels: Vec<AssertionLevel>,
    /// The asserted side constraints, by their addresses.
    constrained: FxHashSet<*const SideConstraint>,
    /// The side constraints below all levels.
    ground: Vec<Rc<SideConstraint>>,
    /// Conjuncts popped so far; their terms and learnt clauses stay in memory.
    popped: usize,
}

struct AssertionLevel {
    conjunct: ExprId,
    term: SmtTerm,
    /// The side constraints on this level. Holding them prevents their addresses from being
    /// reused.
    constraints: Vec<Rc<SideConstraint>>,
}

impl PathInstance {
    pub fn new(terms: &TermFactory, options: &InstanceOptions) -> PathInstance {
        PathInstance {
            instance: BitwuzlaInstance::new(terms, options),
            levels: Vec::new(),
            constrained: FxHashSet::default(),
            ground: Vec::new(),
            popped: 0,
        }
    }

    /// The number of asserted conjuncts.
    pub fn len(&self) -> usize {
        self.levels.len()
    }

    /// The number of conjuncts popped so far.
    pub fn popped(&self) -> usize {
        self.popped
    }

    /// Approximate memory in bytes, including that of popped conjuncts.
    pub fn bytes(&self) -> usize {
        BYTES_PER_INSTANCE + (self.levels.len() + self.popped) * BYTES_PER_CONJUNCT
    }

    /// The effort of all checks so far.
    pub fn effort(&self) -> u64 {
        self.instance.effort()
    }

    /// The length of the prefix of `conjuncts` that is asserted.
    pub fn shared_prefix(&self, conjuncts: &[ExprId]) -> usize {
        self.levels.iter().zip(conjuncts).take_while(|(level, e)| level.conjunct == **e).count()
    }

    /// Pops all but the first `count` conjuncts.
    fn keep(&mut self, count: usize) {
        let surplus = self.levels.len() - count;
        if surplus > 0 {
            self.instance.pop(surplus);
            for constraint in self.levels.drain(count..).flat_map(|level| level.constraints) {
                self.constrained.remove(&Rc::as_ptr(&constraint));
            }
            self.popped += surplus;
        }
    }

    /// Asserts a term on a new level, and its side constraints on the level below.
    fn push(&mut self, Translation { term, constraints }: Translation) -> SmtTerm {
        let mut pending: Vec<Rc<SideConstraint>> = constraints.into_iter().collect();
        while let Some(constraint) = pending.pop() {
            if !self.constrained.insert(Rc::as_ptr(&constraint)) {
                continue;
            }
            if let Some(term) = &constraint.term {
                self.instance.assert(term);
            }
            pending.extend(constraint.requires.iter().cloned());
            self.levels
                .last_mut()
                .map_or(&mut self.ground, |level| &mut level.constraints)
                .push(constraint);
        }
        self.instance.push(&term);
        term
    }

    /// Checks a slice; its conjuncts stay asserted.
    pub fn check(
        &mut self,
        pool: &mut Pool,
        translator: &mut Translator,
        slice: &Slice,
        budget: QueryBudget,
    ) -> Result<SliceAnswer, TooManyLeaves> {
        let condition = translator.assertion(pool, slice.condition)?;
        self.keep(self.shared_prefix(&slice.conjuncts));
        for &conjunct in &slice.conjuncts[self.levels.len()..] {
            let assertion = translator.assertion(pool, conjunct)?;
            let term = self.push(assertion);
            self.levels.push(AssertionLevel { conjunct, term, constraints: Vec::new() });
        }
        self.push(condition);
        let answer = match self.instance.check(budget) {
            SatResult::Sat => {
                let bytes = slice.input_bytes(pool).into_iter();
                let constants = bytes.filter_map(|at| Some((at, translator.input(at)?)));
                SliceAnswer::Sat(
                    constants.map(|(at, term)| (at, self.instance.value(term) as u8)).collect(),
                )
            }
            SatResult::Unsat => SliceAnswer::Unsat(self.core()),
            SatResult::Unknown(reason) => SliceAnswer::Unknown(reason),
        };
        self.instance.pop(1);
        Ok(answer)
    }

    fn core(&mut self) -> Vec<ExprId> {
        let core = self.instance.core();
        let in_core = self.levels.iter().filter(|level| core.contains(&level.term));
        in_core.map(|level| level.conjunct).collect()
    }

    /// Pops the first conjunct that was collected, and all above it.
    pub fn sweep(&mut self, collected: &Collected) {
        let alive = |level: &&AssertionLevel| collected.is_alive(level.conjunct);
        self.keep(self.levels.iter().take_while(alive).count());
    }
}
