//! An instance of the fast path: circuits, and the path whose conjuncts are assumed.
//!
//! The conjuncts are assumptions, so a core comes for free, and taking them back costs
//! nothing. Each brings what it depends on into the part of the circuits that the SAT
//! solver looks at; when it is taken back, what only it brought leaves again.

use byway_base::ExprId;
use byway_expr::{Collected, InputByte, Intervals, Model, Pool, Sweep};

use super::gates::Gates;
use super::sat::{Lit, SearchOutcome, Var};
use super::terms::{Circuits, UnsupportedTerm};
use crate::backend::SliceAnswer;
use crate::budget::Cancellation;
use crate::query::Slice;

/// What a variable takes: what the search knows of it, its gate, its lists of watches with
/// clauses of two, and a literal in some term.
const BYTES_PER_VAR: usize = 256;

/// What a check may take.
#[derive(Copy, Clone, Debug)]
pub struct SearchLimits<'a> {
    /// Effort; see [`BlastInstance::effort`].
    pub effort: u64,
    /// What ends it before that.
    pub cancellation: Cancellation<'a>,
}

/// A query that the instance holds, about to be searched for.
pub struct LoadedQuery<'i> {
    instance: &'i mut BlastInstance,
    assumed: Vec<Lit>,
    bytes: Vec<InputByte>,
    /// How many variables were relevant before the asked term came.
    before: usize,
}

/// Circuits and the conjuncts that are assumed.
pub struct BlastInstance {
    gates: Gates,
    circuits: Circuits,
    held: Vec<AssumedConjunct>,
    /// The variables that are relevant, in the order they became so.
    relevant: Vec<Var>,
    /// The most that were relevant at once.
    most_relevant: usize,
}

/// A conjunct that is assumed.
struct AssumedConjunct {
    conjunct: ExprId,
    lit: Lit,
    /// How many variables were relevant before it came.
    before: usize,
}

impl BlastInstance {
    /// An instance without circuits.
    pub fn new(pool: &Pool) -> BlastInstance {
        BlastInstance {
            gates: Gates::new(),
            circuits: Circuits::new(pool),
            held: Vec::new(),
            relevant: Vec::new(),
            most_relevant: 0,
        }
    }

    /// The effort of all checks so far.
    pub fn effort(&self) -> u64 {
        self.gates.sat.effort()
    }

    /// How many variables it has.
    pub fn vars(&self) -> usize {
        self.gates.sat.vars()
    }

    /// About how many bytes it takes.
    pub fn bytes(&self) -> usize {
        self.vars() * BYTES_PER_VAR + self.gates.sat.clause_bytes()
    }

    /// How many of its variables were of use to one check at most.
    pub fn most_relevant(&self) -> usize {
        self.most_relevant
    }

    /// How many of the first conjuncts are those it holds.
    fn shared(&self, conjuncts: &[ExprId]) -> usize {
        self.held.iter().zip(conjuncts).take_while(|(held, e)| held.conjunct == **e).count()
    }

    /// Takes back all conjuncts but the first.
    fn keep(&mut self, count: usize) {
        self.gates.sat.back_to(count);
        if let Some(first) = self.held.get(count) {
            let before = first.before;
            self.held.truncate(count);
            self.forget(before);
        }
    }

    /// Makes all but the first relevant variables irrelevant.
    fn forget(&mut self, before: usize) {
        for var in self.relevant.drain(before..) {
            self.gates.sat.exclude(var);
        }
    }

    /// Makes a term a circuit, and relevant all that it depends on.
    fn bring(
        &mut self,
        pool: &mut Pool,
        intervals: &mut Intervals,
        e: ExprId,
    ) -> Result<Lit, UnsupportedTerm> {
        let first_new = self.gates.sat.vars();
        let lit = self.circuits.literal(&mut self.gates, pool, intervals, e);
        let Gates { sat, .. } = &mut self.gates;
        // What is new is relevant already; what it is made of may not be.
        let new = (first_new..sat.vars()).map(|var| Var(var as u32));
        let begin = self.relevant.len();
        self.relevant.extend(new);
        let root = lit.map_or(Lit::TRUE, |lit| lit).var();
        if root.index() != 0 && !sat.is_relevant(root) {
            sat.include(root);
            self.relevant.push(root);
        }
        let mut next = begin;
        while let Some(&var) = self.relevant.get(next) {
            next += 1;
            let late = var.index() < first_new;
            for at in 0..self.gates.inputs(var).len() {
                let input = self.gates.inputs(var)[at];
                if late {
                    self.gates.sat.look_again(input);
                }
                if !self.gates.sat.is_relevant(input) {
                    self.gates.sat.include(input);
                    self.relevant.push(input);
                }
            }
        }
        lit
    }

    /// Makes circuits of a slice, and holds its conjuncts afterwards.
    pub fn pose(
        &mut self,
        pool: &mut Pool,
        intervals: &mut Intervals,
        slice: &Slice,
        witness: Option<&Model>,
    ) -> Result<LoadedQuery<'_>, UnsupportedTerm> {
        self.keep(self.shared(&slice.conjuncts));
        for at in self.held.len()..slice.conjuncts.len() {
            let (conjunct, before) = (slice.conjuncts[at], self.relevant.len());
            match self.bring(pool, intervals, conjunct) {
                Ok(lit) => self.held.push(AssumedConjunct { conjunct, lit, before }),
                Err(unfit) => {
                    self.forget(before);
                    return Err(unfit);
                }
            }
        }
        let before = self.relevant.len();
        let condition = match self.bring(pool, intervals, slice.condition) {
            Ok(condition) => condition,
            Err(unfit) => {
                self.forget(before);
                return Err(unfit);
            }
        };
        self.most_relevant = self.most_relevant.max(self.relevant.len());
        let bytes = slice.input_bytes(pool);
        for &at in &bytes {
            let value = witness.map_or(0, |witness| witness.byte(at));
            for (bit, lit) in self.circuits.input(at).into_iter().flatten().enumerate() {
                self.gates.sat.set_phase(lit.var(), value >> bit & 1 != 0);
            }
        }
        let assumed = self.held.iter().map(|held| held.lit).chain([condition]).collect();
        Ok(LoadedQuery { instance: self, assumed, bytes, before })
    }
}

impl LoadedQuery<'_> {
    /// How many variables the query is about.
    pub fn relevant(&self) -> usize {
        self.instance.relevant.len()
    }

    /// Searches, from where the last search ended. `None` if what is allowed was not
    /// enough.
    pub fn search(
        &mut self,
        witness: Option<&Model>,
        allowed: SearchLimits,
    ) -> Option<SliceAnswer> {
        let BlastInstance { gates, circuits, held, .. } = &mut *self.instance;
        match gates.sat.search(&self.assumed, allowed.effort, allowed.cancellation) {
            SearchOutcome::Unknown => None,
            SearchOutcome::Unsat(core) => {
                let named = held.iter().filter(|held| core.contains(&held.lit));
                Some(SliceAnswer::Unsat(named.map(|held| held.conjunct).collect()))
            }
            SearchOutcome::Sat => {
                let byte = |&at| {
                    let given = witness.map_or(0, |witness| witness.byte(at));
                    let bits = circuits.input(at)?.iter().enumerate().map(|(bit, &lit)| {
                        let given = given >> bit & 1 != 0;
                        u8::from(gates.sat.value(lit).unwrap_or(given)) << bit
                    });
                    Some((at, bits.sum()))
                };
                Some(SliceAnswer::Sat(self.bytes.iter().filter_map(byte).collect()))
            }
        }
    }
}

impl Drop for LoadedQuery<'_> {
    /// The asked term is taken back.
    fn drop(&mut self) {
        self.instance.forget(self.before);
    }
}

impl Sweep for BlastInstance {
    /// Takes back conjuncts whose ids will soon name other terms, and what is above.
    fn sweep(&mut self, collected: &Collected) {
        let alive = |held: &&AssumedConjunct| collected.is_alive(held.conjunct);
        self.keep(self.held.iter().take_while(alive).count());
        self.circuits.sweep(collected);
    }
}
