//! Counts of mutants by fate.

use std::collections::BTreeMap;

use byway_base::MutationOperator;
use serde::Serialize;

use crate::cmd::mutate::judge::Fate;
use crate::cmd::mutate::points::Mutant;

/// The number of mutants by fate. The names are keys of `--json`.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Score {
    pub mutants: u64,
    /// Rejected by the compiler.
    pub not_compiled: u64,
    /// Not built for another reason.
    pub not_made: u64,
    /// Compiled to the same code as the program.
    pub equivalent: u64,
    /// Compiled to the same code as another mutant.
    pub duplicate: u64,
    /// Not reached by any test.
    pub not_reached: u64,
    /// Reached, but not killed by any test.
    pub survived: u64,
    /// Distinguished from the program by a test.
    pub killed: u64,
    /// Not judged because of an interrupt.
    pub not_judged: u64,
}

impl Score {
    fn add(&mut self, fate: &Fate) {
        self.mutants += 1;
        *match fate {
            Fate::NotCompiled => &mut self.not_compiled,
            Fate::NotMade(_) => &mut self.not_made,
            Fate::Equivalent => &mut self.equivalent,
            Fate::Duplicate(_) => &mut self.duplicate,
            Fate::NotReached => &mut self.not_reached,
            Fate::Survived(_) => &mut self.survived,
            Fate::Killed { .. } => &mut self.killed,
            Fate::NotJudged => &mut self.not_judged,
        } += 1;
    }

    /// The number of mutants that tests could have killed.
    pub fn judged(&self) -> u64 {
        self.not_reached + self.survived + self.killed
    }
}

/// The scores of all mutants, and by operator.
pub fn scores(mutants: &[Mutant], fates: &[Fate]) -> (Score, BTreeMap<MutationOperator, Score>) {
    let (mut total, mut kinds) = (Score::default(), BTreeMap::<_, Score>::new());
    for (mutant, fate) in mutants.iter().zip(fates) {
        total.add(fate);
        kinds.entry(mutant.mutation.operator).or_default().add(fate);
    }
    (total, kinds)
}
