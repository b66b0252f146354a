//! An instance of the bit-blaster: circuits, and the assumed conjuncts of one path.
//!
//! Conjuncts are assumptions of the SAT solver, so that cores come for free and retracting
//! a conjunct costs nothing. Assuming a conjunct makes the variables of its circuit relevant
//! to the SAT solver; retracting it makes those irrelevant that no other conjunct needs.

use byway_base::ExprId;
use byway_expr::{Collected, InputByte, Intervals, Model, Pool, Sweep};

use super::gates::Gates;
use super::sat::{Lit, SearchOutcome, Var};
use super::terms::{Circuits, UnsupportedTerm};
use crate::backend::SliceAnswer;
use crate::budget::Cancellation;
use crate::query::Slice;

/// Memory of a variable: its search state, its gate, its watch lists with binary clauses,
/// and a literal in some term.
const BYTES_PER_VAR: usize = 256;

/// The limits of a search.
#[derive(Copy, Clone, Debug)]
pub struct SearchLimits<'a> {
    /// In the unit of [`BlastInstance::effort`].
    pub effort: u64,
    pub cancellation: Cancellation<'a>,
}

/// A query whose circuits are built, ready to be searched.
pub struct LoadedQuery<'i> {
    instance: &'i mut BlastInstance,
    assumptions: Vec<Lit>,
    bytes: Vec<InputByte>,
    /// The number of relevant variables without the condition.
    relevant_before: usize,
}

/// Circuits and the assumed conjuncts.
pub struct BlastInstance {
    gates: Gates,
    circuits: Circuits,
    assumed: Vec<AssumedConjunct>,
    /// The relevant variables, in the order in which they became relevant.
    relevant: Vec<Var>,
    max_relevant: usize,
}

struct AssumedConjunct {
    conjunct: ExprId,
    lit: Lit,
    /// The number of relevant variables without this conjunct and the later ones.
    relevant_before: usize,
}

impl BlastInstance {
    pub fn new(pool: &Pool) -> BlastInstance {
        BlastInstance {
            gates: Gates::new(),
            circuits: Circuits::new(pool),
            assumed: Vec::new(),
            relevant: Vec::new(),
            max_relevant: 0,
        }
    }

    /// Limits the memory that further circuits and their search may take, in bytes; returns the
    /// number of variables up to which they are built.
    pub fn limit_bytes(&mut self, bytes: u64) -> usize {
        let vars = usize::try_from(bytes).unwrap_or(usize::MAX) / (4 * BYTES_PER_VAR);
        self.circuits.max_vars = self.vars().saturating_add(vars);
        self.circuits.max_vars
    }

    /// The effort of all searches so far, in watches visited.
    pub fn effort(&self) -> u64 {
        self.gates.sat.effort()
    }

    /// The number of variables.
    pub fn vars(&self) -> usize {
        self.gates.sat.vars()
    }

    /// Approximate memory in bytes.
    pub fn bytes(&self) -> usize {
        self.vars() * BYTES_PER_VAR + self.gates.sat.clause_bytes()
    }

    /// The highest number of variables that were relevant to one query.
    pub fn max_relevant(&self) -> usize {
        self.max_relevant
    }

    /// The length of the prefix of `conjuncts` that is assumed.
    fn shared_prefix(&self, conjuncts: &[ExprId]) -> usize {
        self.assumed.iter().zip(conjuncts).take_while(|(a, e)| a.conjunct == **e).count()
    }

    /// Retracts all but the first `count` conjuncts.
    fn keep(&mut self, count: usize) {
        self.gates.sat.backtrack(count);
        if let Some(first) = self.assumed.get(count) {
            let relevant_before = first.relevant_before;
            self.assumed.truncate(count);
            self.keep_relevant(relevant_before);
        }
    }

    /// Makes all but the first `count` relevant variables irrelevant.
    fn keep_relevant(&mut self, count: usize) {
        for var in self.relevant.drain(count..) {
            self.gates.sat.exclude(var);
        }
    }

    /// Builds a term's circuit and makes all variables in it relevant; none, if the term is
    /// unsupported.
    fn include(
        &mut self,
        pool: &mut Pool,
        intervals: &mut Intervals,
        e: ExprId,
    ) -> Result<Lit, UnsupportedTerm> {
        let first_new = self.gates.sat.vars();
        let lit = self.circuits.literal(&mut self.gates, pool, intervals, e);
        let Gates { sat, .. } = &mut self.gates;
        // New variables are relevant already; the older inputs of their gates may not be.
        let relevant_before = self.relevant.len();
        self.relevant.extend((first_new..sat.vars()).map(|var| Var(var as u32)));
        let root = lit.unwrap_or(Lit::TRUE).var();
        if root != Lit::TRUE.var() && !sat.is_relevant(root) {
            sat.include(root);
            self.relevant.push(root);
        }
        let mut next = relevant_before;
        while let Some(&var) = self.relevant.get(next) {
            next += 1;
            let is_old = var.index() < first_new;
            for at in 0..self.gates.inputs(var).len() {
                let input = self.gates.inputs(var)[at];
                if is_old {
                    self.gates.sat.propagate_again(input);
                }
                if !self.gates.sat.is_relevant(input) {
                    self.gates.sat.include(input);
                    self.relevant.push(input);
                }
            }
        }
        if lit.is_err() {
            self.keep_relevant(relevant_before);
        }
        lit
    }

    /// Builds the circuits of a slice and assumes its conjuncts, which stay assumed.
    pub fn load(
        &mut self,
        pool: &mut Pool,
        intervals: &mut Intervals,
        slice: &Slice,
        witness: Option<&Model>,
    ) -> Result<LoadedQuery<'_>, UnsupportedTerm> {
        self.keep(self.shared_prefix(&slice.conjuncts));
        for &conjunct in &slice.conjuncts[self.assumed.len()..] {
            let relevant_before = self.relevant.len();
            let lit = self.include(pool, intervals, conjunct)?;
            self.assumed.push(AssumedConjunct { conjunct, lit, relevant_before });
        }
        let relevant_before = self.relevant.len();
        let condition = self.include(pool, intervals, slice.condition)?;
        self.max_relevant = self.max_relevant.max(self.relevant.len());
        let bytes = slice.input_bytes(pool);
        for &at in &bytes {
            let value = witness.map_or(0, |witness| witness.byte(at));
            for (bit, lit) in self.circuits.input(at).into_iter().flatten().enumerate() {
                self.gates.sat.set_phase(lit.var(), value >> bit & 1 != 0);
            }
        }
        let assumptions = self.assumed.iter().map(|a| a.lit).chain([condition]).collect();
        Ok(LoadedQuery { instance: self, assumptions, bytes, relevant_before })
    }
}

impl LoadedQuery<'_> {
    /// The number of variables that the query depends on.
    pub fn relevant(&self) -> usize {
        self.instance.relevant.len()
    }

    /// Searches from where the last search ended. `None` if a limit was reached.
    pub fn search(&mut self, witness: Option<&Model>, limits: SearchLimits) -> Option<SliceAnswer> {
        let BlastInstance { gates, circuits, assumed, .. } = &mut *self.instance;
        match gates.sat.search(&self.assumptions, limits.effort, limits.cancellation) {
            SearchOutcome::Unknown => None,
            SearchOutcome::Unsat(core) => {
                let in_core = assumed.iter().filter(|a| core.contains(&a.lit));
                Some(SliceAnswer::Unsat(in_core.map(|a| a.conjunct).collect()))
            }
            SearchOutcome::Sat => {
                let byte = |&at| {
                    let default = witness.map_or(0, |witness| witness.byte(at));
                    let bits = circuits.input(at)?.iter().enumerate().map(|(bit, &lit)| {
                        let default = default >> bit & 1 != 0;
                        u8::from(gates.sat.value(lit).unwrap_or(default)) << bit
                    });
                    Some((at, bits.sum()))
                };
                Some(SliceAnswer::Sat(self.bytes.iter().filter_map(byte).collect()))
            }
        }
    }
}

impl Drop for LoadedQuery<'_> {
    /// Retracts the condition.
    fn drop(&mut self) {
        self.instance.keep_relevant(self.relevant_before);
    }
}

impl Sweep for BlastInstance {
    /// Retracts the first conjunct that was collected, and all after it.
    fn sweep(&mut self, collected: &Collected) {
        let alive = |a: &&AssumedConjunct| collected.is_alive(a.conjunct);
        self.keep(self.assumed.iter().take_while(alive).count());
        self.circuits.sweep(collected);
    }
}
