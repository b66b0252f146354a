//! What a path has decided, and what it knows of its input.

use std::collections::BTreeMap;
use std::rc::Rc;

use byway_base::ExprId;
use byway_expr::{InputId, Model, PathCondition, Pool, Roots};
use byway_search::{Case, Decision};
use rustc_hash::FxHashSet;

use crate::reason::ConcretisationReason;
use crate::seeds::PathSeeds;

/// What an instruction must know before it can go on: which way the path goes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ForkRequest {
    /// What is decided.
    pub decision: Decision,
    /// The term the answer is filed under.
    pub key: ExprId,
    /// The ways; just one of them holds for any input.
    pub cases: Vec<ForkCase>,
}

/// One way a path can go.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct ForkCase {
    /// Which.
    pub case: Case,
    /// The inputs that go it.
    pub condition: ExprId,
}

/// The way that is none of those that have a number of their own.
pub const OTHERWISE: Case = Case(u64::MAX);

/// What a path has decided, and what it knows of its input.
#[derive(Clone, Debug)]
pub struct PathInfo {
    /// What its decisions say of the input.
    pub condition: PathCondition,
    /// An input that takes it. Bytes never set are zero.
    pub witness: Model,
    /// The seeds that follow it. The bytes of the first are its witness.
    pub seeds: PathSeeds,
    /// Its symbolic objects, in the order they were made.
    pub inputs: Rc<Vec<InputId>>,
    /// What tests of it make true where they can.
    pub preferences: Rc<Vec<ExprId>>,
    /// How many of these the witness was made to fulfil, where possible.
    pub preferences_applied: usize,
    /// The answers given to the instruction at hand: which of the ways, by their place
    /// in the question. It runs again from its start once an answer is there, so they
    /// are kept until it is through. One term may be asked about twice, as a check and
    /// as a choice of objects, say, which number their cases differently: the place of
    /// "it holds" is the same.
    pub answers: Vec<(ExprId, u32)>,
    /// Whether the instruction at hand waits for an answer.
    pub suspended: bool,
    /// The ways of its question that it stands for, if the instruction at hand was asked
    /// before: others go the rest.
    pub case_group: Option<Rc<Vec<usize>>>,
    /// The condition that is not known to be possible, for a pending state.
    pub pending: Option<ExprId>,
    /// Whether the program lets the path fork.
    pub forking: bool,
    /// Forks behind it.
    pub depth: u32,
    /// A digest of its decisions.
    pub digest: u64,
    /// Instructions behind it.
    pub instructions: u64,
    /// How many of these when it last came by a site that no path had come by.
    pub new_coverage_at: Option<u64>,
    /// What the solver spent on its queries.
    pub effort: u64,
    /// Values fixed to one of several, by what for.
    pub concretised: Rc<BTreeMap<ConcretisationReason, u64>>,
    /// Whether following its witness from the start may not lead here again: the program
    /// acts on values of an earlier witness that nothing holds it to, or was held to one
    /// after so many others.
    pub unrepeatable: bool,
    /// The program's exit code, if it ended with a symbolic one.
    pub exit_code: Option<ExprId>,
    /// Sites of the user's code that it came by and no test covers yet: a bit each.
    pub covered: Rc<Vec<u64>>,
}

impl Default for PathInfo {
    fn default() -> PathInfo {
        PathInfo {
            condition: PathCondition::new(),
            witness: Model::new(),
            seeds: PathSeeds::default(),
            inputs: Rc::default(),
            preferences: Rc::default(),
            preferences_applied: 0,
            answers: Vec::new(),
            suspended: false,
            case_group: None,
            pending: None,
            forking: true,
            depth: 0,
            digest: 0,
            instructions: 0,
            new_coverage_at: None,
            effort: 0,
            concretised: Rc::default(),
            unrepeatable: false,
            exit_code: None,
            covered: Rc::default(),
        }
    }
}

impl PathInfo {
    /// The answer to a question of the instruction at hand, if it was given.
    pub fn answer(&self, key: ExprId) -> Option<usize> {
        self.answers.iter().find(|(asked, _)| *asked == key).map(|&(_, way)| way as usize)
    }

    /// Takes a decision into the digest. Which decisions are taken in depends on the
    /// path alone, not on how the exploration came to it.
    pub fn note(&mut self, place: u64, case: Case) {
        let mixed = (self.digest ^ place).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mixed = (mixed ^ (mixed >> 29) ^ case.0).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        self.digest = mixed ^ (mixed >> 32);
    }

    /// A fresh symbolic object. A name that is taken gets a number. Seeds fill it in.
    pub fn new_input(&mut self, pool: &mut Pool, name: &str, size: u32) -> InputId {
        let taken = |name: &str| self.inputs.iter().any(|&i| &*pool.input_object(i).name == name);
        let mut own = name.to_string();
        let mut number = 0;
        while taken(&own) {
            number += 1;
            own = format!("{name}_{number}");
        }
        let input = pool.input(&own, size);
        self.seeds.fill(input, &own, size, self.inputs.len());
        if let Some(first) = self.seeds.first() {
            self.witness = first.model.clone();
        }
        Rc::make_mut(&mut self.inputs).push(input);
        input
    }

    /// New seeds fill in the inputs there are.
    pub fn fill_inputs(&mut self, pool: &Pool) {
        for (place, &input) in self.inputs.iter().enumerate() {
            let object = pool.input_object(input);
            self.seeds.fill(input, &object.name, object.size, place);
        }
        if let Some(first) = self.seeds.first() {
            self.witness = first.model.clone();
        }
    }

    /// Whether the program prefers something since the witness was last chosen for it.
    /// A seed is a witness that somebody else has chosen.
    pub fn has_new_preferences(&self) -> bool {
        self.seeds.is_empty() && self.preferences_applied < self.preferences.len()
    }

    /// Counts a symbolic value fixed to one value.
    pub fn count_concretised(&mut self, reason: ConcretisationReason) {
        *Rc::make_mut(&mut self.concretised).entry(reason).or_default() += 1;
    }

    /// It comes by a site that no test covers yet; tells whether for the first time.
    pub fn cover(&mut self, site: u32) -> bool {
        let (word, bit) = (site as usize / 64, 1 << (site % 64));
        if self.covered.get(word).is_some_and(|w| w & bit != 0) {
            return false;
        }
        let covered = Rc::make_mut(&mut self.covered);
        if covered.len() <= word {
            covered.resize(word + 1, 0);
        }
        covered[word] |= bit;
        true
    }

    /// The sites it came by, among those no test covered at the time.
    pub fn sites(&self) -> impl Iterator<Item = u32> + '_ {
        self.covered.iter().enumerate().flat_map(|(word, &bits)| {
            let rest = std::iter::successors(Some(bits), |&bits| Some(bits & bits.wrapping_sub(1)));
            let lowest = rest.take_while(|&bits| bits != 0).map(u64::trailing_zeros);
            lowest.map(move |bit| word as u32 * 64 + bit)
        })
    }

    /// The answer to the only question that the instruction at hand asks, if it was given.
    pub fn only_answer(&self) -> Option<usize> {
        self.answers.first().map(|&(_, way)| way as usize)
    }

    /// The instruction at hand goes this of the ways it asked about.
    pub fn answered(&mut self, key: ExprId, way: usize) {
        if self.answers.capacity() == 0 {
            // Mostly there is no other, and who waits should not hold room for more.
            self.answers = Vec::with_capacity(1);
        }
        self.answers.push((key, way as u32));
    }

    /// Keeps its terms alive in a collection; `seen` remembers what states share.
    pub fn mark(&self, roots: &mut Roots, seen: &mut FxHashSet<usize>) {
        self.condition.mark(roots, seen);
        self.seeds.mark(roots);
        self.preferences.iter().for_each(|&e| roots.keep(e));
        self.answers.iter().for_each(|&(e, _)| roots.keep(e));
        self.pending.iter().for_each(|&e| roots.keep(e));
    }
}
