//! A lineage: an instance that holds the conjuncts of one path, each on a level of
//! its own, so that it can go on with any path that begins in the same way.

use byway_base::ExprId;
use byway_expr::expand::TooManyLeaves;
use byway_expr::{Collected, Pool};

use super::Verdict;
use super::bitwuzla::{Instance, Outcome, Setup, Term, Terms, Translator};
use crate::budget::Budget;
use crate::query::Slice;

/// An instance and the conjuncts it holds.
pub struct Lineage {
    instance: Instance,
    held: Vec<(ExprId, Term)>,
    /// Conjuncts that were taken back; what was learned of them is dead weight.
    dropped: usize,
}

impl Lineage {
    /// A lineage that holds nothing.
    pub fn new(terms: &Terms, setup: &Setup) -> Lineage {
        Lineage { instance: Instance::new(terms, setup), held: Vec::new(), dropped: 0 }
    }

    /// How many conjuncts it holds.
    pub fn len(&self) -> usize {
        self.held.len()
    }

    /// How many conjuncts were taken back so far.
    pub fn dropped(&self) -> usize {
        self.dropped
    }

    /// The effort of all checks so far.
    pub fn effort(&self) -> u64 {
        self.instance.effort()
    }

    /// How many of the first conjuncts are those it holds.
    pub fn shared(&self, conjuncts: &[ExprId]) -> usize {
        self.held.iter().zip(conjuncts).take_while(|((held, _), wanted)| held == *wanted).count()
    }

    /// Takes back all conjuncts but the first.
    fn keep(&mut self, count: usize) {
        let surplus = self.held.len() - count;
        if surplus > 0 {
            self.instance.pop(surplus);
            self.held.truncate(count);
            self.dropped += surplus;
        }
    }

    /// Checks a slice, and holds its conjuncts afterwards.
    pub fn check(
        &mut self,
        pool: &mut Pool,
        translator: &mut Translator,
        slice: &Slice,
        budget: Budget,
    ) -> Result<Verdict, TooManyLeaves> {
        let asked = translator.assertion(pool, slice.asked)?;
        self.keep(self.shared(&slice.conjuncts));
        for &conjunct in &slice.conjuncts[self.held.len()..] {
            let term = translator.assertion(pool, conjunct)?;
            self.instance.push(&term);
            self.held.push((conjunct, term));
        }
        self.instance.push(&asked);
        let verdict = match self.instance.check(budget) {
            Outcome::Sat => {
                let bytes = slice.bytes(pool).into_iter();
                let unknowns = bytes.filter_map(|at| Some((at, translator.input(at)?)));
                Verdict::Sat(
                    unknowns.map(|(at, term)| (at, self.instance.value(term) as u8)).collect(),
                )
            }
            Outcome::Unsat => Verdict::Unsat(self.core()),
            Outcome::Unknown(why) => Verdict::Unknown(why),
        };
        self.instance.pop(1);
        Ok(verdict)
    }

    fn core(&mut self) -> Vec<ExprId> {
        let core = self.instance.core();
        let named = self.held.iter().filter(|(_, term)| core.contains(term));
        named.map(|&(conjunct, _)| conjunct).collect()
    }

    /// Takes back conjuncts whose ids will soon name other terms, and what is above.
    pub fn sweep(&mut self, collected: &Collected) {
        self.keep(self.held.iter().take_while(|&&(e, _)| collected.is_alive(e)).count());
    }
}
