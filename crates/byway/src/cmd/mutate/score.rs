//! What became of all mutants, counted.

use std::collections::BTreeMap;

use byway_base::MutationOperator;
use serde::Serialize;

use crate::cmd::mutate::judge::Fate;
use crate::cmd::mutate::points::Mutant;

/// How many mutants had which fate.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Score {
    /// All.
    pub mutants: u64,
    /// Those the compiler refuses.
    pub not_compiled: u64,
    /// Those that could not be made a program otherwise.
    pub not_made: u64,
    /// Those that are the program again.
    pub equivalent: u64,
    /// Those that are another mutant again.
    pub duplicate: u64,
    /// Those that no test comes by.
    pub not_reached: u64,
    /// Those that tests come by in vain.
    pub survived: u64,
    /// Those that a test tells from the program.
    pub killed: u64,
    /// Those of which it is not known, because the user stopped it.
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

    /// Those that could have been killed, as far as it is known.
    pub fn judged(&self) -> u64 {
        self.not_reached + self.survived + self.killed
    }
}

/// The scores of all mutants, and of each kind of change that there is.
pub fn scores(mutants: &[Mutant], fates: &[Fate]) -> (Score, BTreeMap<MutationOperator, Score>) {
    let (mut total, mut kinds) = (Score::default(), BTreeMap::<_, Score>::new());
    for (mutant, fate) in mutants.iter().zip(fates) {
        total.add(fate);
        kinds.entry(mutant.mutation.operator).or_default().add(fate);
    }
    (total, kinds)
}
