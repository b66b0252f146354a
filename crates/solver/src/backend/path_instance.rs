//! A lineage: an instance that holds the conjuncts of one path, each on a level of
//! its own, so that it can go on with any path that begins in the same way. A tie
//! stands on the level below the first term that needs it, where it stays when the
//! term is taken back: a sibling of the term will need it too.

use std::rc::Rc;

use byway_base::ExprId;
use byway_expr::expand::TooManyLeaves;
use byway_expr::{Collected, Pool};
use rustc_hash::FxHashSet;

use super::SliceAnswer;
use super::bitwuzla::{
    BitwuzlaInstance, InstanceOptions, SatResult, SideConstraint, SmtAssertion, SmtTerm,
    TermFactory, Translator,
};
use crate::budget::QueryBudget;
use crate::query::Slice;

/// What an instance takes that holds nothing, and what each conjunct adds that it ever
/// held: rewritten, as gates, as clauses.
const BYTES_PER_INSTANCE: usize = 1 << 20;
const BYTES_PER_CONJUNCT: usize = 4096;

/// An instance and the conjuncts it holds.
pub struct PathInstance {
    instance: BitwuzlaInstance,
    held: Vec<AssertionLevel>,
    /// The ties that are there, by their addresses.
    tied: FxHashSet<*const SideConstraint>,
    /// The ties below all levels.
    ground: Vec<Rc<SideConstraint>>,
    /// Conjuncts that were taken back; what was learned of them is dead weight.
    dropped: usize,
}

/// A level of the instance.
struct AssertionLevel {
    conjunct: ExprId,
    term: SmtTerm,
    /// The ties on it. That they are kept here keeps their addresses from being used
    /// again.
    ties: Vec<Rc<SideConstraint>>,
}

impl PathInstance {
    /// A lineage that holds nothing.
    pub fn new(terms: &TermFactory, setup: &InstanceOptions) -> PathInstance {
        PathInstance {
            instance: BitwuzlaInstance::new(terms, setup),
            held: Vec::new(),
            tied: FxHashSet::default(),
            ground: Vec::new(),
            dropped: 0,
        }
    }

    /// How many conjuncts it holds.
    pub fn len(&self) -> usize {
        self.held.len()
    }

    /// How many conjuncts were taken back so far.
    pub fn dropped(&self) -> usize {
        self.dropped
    }

    /// About how many bytes it takes. What was taken back stays in its tables.
    pub fn bytes(&self) -> usize {
        BYTES_PER_INSTANCE + (self.held.len() + self.dropped) * BYTES_PER_CONJUNCT
    }

    /// The effort of all checks so far.
    pub fn effort(&self) -> u64 {
        self.instance.effort()
    }

    /// How many of the first conjuncts are those it holds.
    pub fn shared(&self, conjuncts: &[ExprId]) -> usize {
        self.held.iter().zip(conjuncts).take_while(|(level, e)| level.conjunct == **e).count()
    }

    /// Takes back all conjuncts but the first.
    fn keep(&mut self, count: usize) {
        let surplus = self.held.len() - count;
        if surplus > 0 {
            self.instance.pop(surplus);
            for tie in self.held.drain(count..).flat_map(|level| level.ties) {
                self.tied.remove(&Rc::as_ptr(&tie));
            }
            self.dropped += surplus;
        }
    }

    /// Asserts something on a new level, and before it the ties it needs.
    fn push(&mut self, SmtAssertion { term, ties }: SmtAssertion) -> SmtTerm {
        let mut waiting: Vec<Rc<SideConstraint>> = ties.into_iter().collect();
        while let Some(tie) = waiting.pop() {
            if !self.tied.insert(Rc::as_ptr(&tie)) {
                continue;
            }
            if let Some(term) = &tie.term {
                self.instance.assert(term);
            }
            waiting.extend(tie.below.iter().cloned());
            self.held.last_mut().map_or(&mut self.ground, |level| &mut level.ties).push(tie);
        }
        self.instance.push(&term);
        term
    }

    /// Checks a slice, and holds its conjuncts afterwards.
    pub fn check(
        &mut self,
        pool: &mut Pool,
        translator: &mut Translator,
        slice: &Slice,
        budget: QueryBudget,
    ) -> Result<SliceAnswer, TooManyLeaves> {
        let condition = translator.assertion(pool, slice.condition)?;
        self.keep(self.shared(&slice.conjuncts));
        for &conjunct in &slice.conjuncts[self.held.len()..] {
            let assertion = translator.assertion(pool, conjunct)?;
            let term = self.push(assertion);
            self.held.push(AssertionLevel { conjunct, term, ties: Vec::new() });
        }
        self.push(condition);
        let verdict = match self.instance.check(budget) {
            SatResult::Sat => {
                let bytes = slice.input_bytes(pool).into_iter();
                let unknowns = bytes.filter_map(|at| Some((at, translator.input(at)?)));
                SliceAnswer::Sat(
                    unknowns.map(|(at, term)| (at, self.instance.value(term) as u8)).collect(),
                )
            }
            SatResult::Unsat => SliceAnswer::Unsat(self.core()),
            SatResult::Unknown(why) => SliceAnswer::Unknown(why),
        };
        self.instance.pop(1);
        Ok(verdict)
    }

    fn core(&mut self) -> Vec<ExprId> {
        let core = self.instance.core();
        let named = self.held.iter().filter(|level| core.contains(&level.term));
        named.map(|level| level.conjunct).collect()
    }

    /// Takes back conjuncts whose ids will soon name other terms, and what is above.
    pub fn sweep(&mut self, collected: &Collected) {
        self.keep(self.held.iter().take_while(|level| collected.is_alive(level.conjunct)).count());
    }
}
