//! A lineage: an instance that holds the conjuncts of one path, each on a level of
//! its own, so that it can go on with any path that begins in the same way. A tie
//! stands on the lowest level that needs it, and nowhere else.

use std::rc::Rc;

use byway_base::ExprId;
use byway_expr::expand::TooManyLeaves;
use byway_expr::{Collected, Pool};
use rustc_hash::FxHashSet;

use super::Verdict;
use super::bitwuzla::{Assertion, Instance, Outcome, Setup, Term, Terms, Tie, Translator};
use crate::budget::Budget;
use crate::query::Slice;

/// An instance and the conjuncts it holds.
pub struct Lineage {
    instance: Instance,
    held: Vec<(ExprId, Level)>,
    /// The ties of all levels, by their addresses, which the levels keep from being
    /// used again.
    tied: FxHashSet<*const Tie>,
    /// Conjuncts that were taken back; what was learned of them is dead weight.
    dropped: usize,
}

/// What a level of the instance holds.
struct Level {
    term: Term,
    /// The ties that no lower level has.
    ties: Vec<Rc<Tie>>,
}

impl Lineage {
    /// A lineage that holds nothing.
    pub fn new(terms: &Terms, setup: &Setup) -> Lineage {
        Lineage {
            instance: Instance::new(terms, setup),
            held: Vec::new(),
            tied: FxHashSet::default(),
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
            for (_, level) in self.held.split_off(count) {
                self.forget_ties(level);
            }
            self.dropped += surplus;
        }
    }

    /// Asserts something on a new level, with all of its ties that are missing.
    fn push(&mut self, assertion: Assertion) -> Level {
        let Assertion { term, ties } = assertion;
        self.instance.push(&term);
        let mut level = Level { term, ties: Vec::new() };
        let mut waiting: Vec<Rc<Tie>> = ties.into_iter().collect();
        while let Some(tie) = waiting.pop() {
            if !self.tied.insert(Rc::as_ptr(&tie)) {
                continue;
            }
            if let Some(term) = &tie.term {
                self.instance.assert(term);
            }
            waiting.extend(tie.below.iter().cloned());
            level.ties.push(tie);
        }
        level
    }

    /// Takes back the newest level, which is no conjunct's.
    fn pop(&mut self, level: Level) {
        self.instance.pop(1);
        self.forget_ties(level);
    }

    fn forget_ties(&mut self, level: Level) {
        for tie in level.ties {
            self.tied.remove(&Rc::as_ptr(&tie));
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
            let assertion = translator.assertion(pool, conjunct)?;
            let level = self.push(assertion);
            self.held.push((conjunct, level));
        }
        let level = self.push(asked);
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
        self.pop(level);
        Ok(verdict)
    }

    fn core(&mut self) -> Vec<ExprId> {
        let core = self.instance.core();
        let named = self.held.iter().filter(|(_, level)| core.contains(&level.term));
        named.map(|&(conjunct, _)| conjunct).collect()
    }

    /// Takes back conjuncts whose ids will soon name other terms, and what is above.
    pub fn sweep(&mut self, collected: &Collected) {
        self.keep(self.held.iter().take_while(|&&(e, _)| collected.is_alive(e)).count());
    }
}
