//! Decides what an instruction on terms must know: from earlier decisions of the same
//! instruction, from the path condition, or by a fork request, which suspends the instruction.

use byway_base::ExprId;
use byway_expr::{Evaluator, Model, Pool};
use byway_search::{Case, Decision};

use super::symbolic::{Oracle, value_of};
use crate::path_info::{ForkCase, ForkRequest, OTHERWISE, PathInfo};
use crate::reason::ConcretisationReason;
use crate::stop::{ExecResult, Stop, ValueUse};
use crate::value::Value;

/// Evaluates terms under the witness of the running state, each term once.
#[derive(Default)]
pub struct WitnessEvaluator {
    evaluator: Evaluator,
    /// Whether the cache belongs to the current witness and to live terms.
    current: bool,
    /// Whether terms are kept as they are, not narrowed by the path condition.
    keeps_terms: bool,
    /// Objects and lengths that the current instruction decided, in addition to its case.
    pub decided: Vec<Case>,
}

impl WitnessEvaluator {
    /// An evaluator for a machine that keeps terms as they are, or narrows them by the path
    /// condition.
    pub fn new(keeps_terms: bool) -> WitnessEvaluator {
        WitnessEvaluator { keeps_terms, ..WitnessEvaluator::default() }
    }

    /// Whether terms are kept as they are.
    pub fn keeps_terms(&self) -> bool {
        self.keeps_terms
    }

    /// Keeps terms as they are from here on.
    pub fn keep_terms(&mut self) {
        self.keeps_terms = true;
    }

    /// Clears the cache: the witness changed, or terms were collected.
    pub fn forget(&mut self) {
        self.current = false;
    }

    /// The value of a term of up to 128 bits.
    pub fn value(&mut self, pool: &Pool, witness: &Model, term: ExprId) -> u128 {
        if std::mem::replace(&mut self.current, true) {
            self.evaluator.resume(pool, witness).value(term)
        } else {
            self.evaluator.under(pool, witness).value(term)
        }
    }
}

/// Decides conditions of one state.
pub struct Resolver<'a> {
    /// The path of the state.
    pub path: &'a mut PathInfo,
    /// The machine's evaluator, for the state's witness.
    pub evaluator: &'a mut WitnessEvaluator,
}

impl Resolver<'_> {
    /// The value of a term under the witness.
    pub fn witnessed(&mut self, pool: &Pool, term: ExprId) -> u128 {
        self.evaluator.value(pool, &self.path.witness, term)
    }

    /// A value narrowed by the path condition: concrete if only one is possible.
    pub fn known(&mut self, pool: &mut Pool, value: Value) -> Value {
        match value.expr {
            Some(term) => {
                let narrowed = self.narrowed(pool, term);
                value_of(pool, narrowed)
            }
            None => value,
        }
    }

    /// Whether a condition holds; the caller names the two cases.
    pub fn choose(
        &mut self,
        pool: &mut Pool,
        condition: ExprId,
        decision: Decision,
        (yes, no): (Case, Case),
    ) -> ExecResult<bool> {
        let condition = self.defined(pool, condition, ValueUse::Decision)?;
        if let Some(holds) = pool.value(condition) {
            return Ok(holds != 0);
        }
        if let Some(index) = self.path.answer(condition) {
            return Ok(index == 0);
        }
        if let Some(holds) = self.path.condition.decide(pool, condition) {
            return Ok(holds);
        }
        let key = condition;
        // A condition on one byte that is not decided cannot be narrowed further.
        let condition = match pool.support(key).len() {
            1 => key,
            _ => self.narrowed(pool, key),
        };
        if let Some(holds) = pool.value(condition) {
            return Ok(holds != 0);
        }
        let opposite = pool.not(condition);
        let cases =
            vec![ForkCase { case: yes, condition }, ForkCase { case: no, condition: opposite }];
        Err(Box::new(Stop::Fork(ForkRequest { decision, key, cases, value_of: None })))
    }

    /// The witness's value of a term, or a range of them around it, among many: the path continues
    /// where `here` holds, as it does for the witness.
    pub fn choose_value(
        &mut self,
        pool: &mut Pool,
        term: ExprId,
        here: ExprId,
        decision: Decision,
        case: Case,
    ) -> ExecResult<()> {
        match self.choose(pool, here, decision, (case, OTHERWISE)) {
            Ok(_) => Ok(()),
            Err(mut stop) => {
                if let Stop::Fork(request) = &mut *stop {
                    request.value_of = Some(term);
                }
                Err(stop)
            }
        }
    }

    /// Selects one of several cases; returns its index.
    pub fn pick(
        &mut self,
        pool: &mut Pool,
        decision: Decision,
        key: ExprId,
        cases: impl FnOnce(&mut Pool) -> Vec<ForkCase>,
    ) -> ExecResult<usize> {
        if let Some(index) = self.path.answer(key) {
            return Ok(index);
        }
        let cases = cases(pool);
        // If the path condition implies a case, it is the case of the witness.
        let own = cases.iter().position(|case| self.witnessed(pool, case.condition) != 0);
        match own
            .filter(|&own| self.path.condition.decide(pool, cases[own].condition) == Some(true))
        {
            Some(own) => Ok(own),
            None => Err(Box::new(Stop::Fork(ForkRequest { decision, key, cases, value_of: None }))),
        }
    }

    /// Forks by the value of a term: the path continues with the witness's value, and every
    /// other value is explored too.
    pub fn each(&mut self, pool: &mut Pool, term: ExprId, decision: Decision) -> ExecResult<u128> {
        let term = self.defined(pool, term, ValueUse::Decision)?;
        if let Some(value) = pool.value(term) {
            return Ok(value);
        }
        let value = self.witnessed(pool, term);
        let number = pool.constant(pool.width(term), value);
        let equal = pool.eq(term, number);
        self.choose_value(pool, term, equal, decision, Case(value as u64))?;
        self.evaluator.decided.push(Case(value as u64));
        Ok(value)
    }
}

impl Oracle for Resolver<'_> {
    fn narrowed(&mut self, pool: &mut Pool, term: ExprId) -> ExprId {
        match self.evaluator.keeps_terms {
            true => term,
            false => self.path.condition.narrow(pool, term),
        }
    }

    fn holds(
        &mut self,
        pool: &mut Pool,
        condition: ExprId,
        decision: Decision,
    ) -> ExecResult<bool> {
        self.choose(pool, condition, decision, (Case::TRUE, Case::FALSE))
    }

    fn defined(&mut self, pool: &mut Pool, term: ExprId, used_as: ValueUse) -> ExecResult<ExprId> {
        let Some(byte) = pool.undefined_byte(term) else { return Ok(term) };
        let of = pool.definedness(term);
        let none = pool.zero_like(of.undefined);
        let defined = pool.eq(of.undefined, none);
        let is_defined = match pool.value(defined) {
            Some(holds) => holds != 0,
            None => self.holds(pool, defined, Decision::Check)?,
        };
        if is_defined {
            return Ok(of.value);
        }
        let source = pool.input_object(byte.object).name.clone();
        Err(Box::new(Stop::Uninitialised { used_as, source }))
    }

    fn fix(
        &mut self,
        pool: &mut Pool,
        term: ExprId,
        reason: ConcretisationReason,
    ) -> ExecResult<u128> {
        let term = self.defined(pool, term, ValueUse::Decision)?;
        if let Some(value) = pool.value(term) {
            return Ok(value);
        }
        let narrowed = self.narrowed(pool, term);
        if let Some(value) = pool.value(narrowed) {
            return Ok(value);
        }
        let value = self.witnessed(pool, narrowed);
        let number = pool.constant(pool.width(term), value);
        let equal = pool.eq(narrowed, number);
        if self.path.condition.decide(pool, equal) != Some(true) {
            // The witness satisfies it, so the path stays feasible.
            self.path.condition.add(pool, equal);
            self.path.seeds.hold(equal);
            self.path.count_concretised(reason);
        }
        Ok(value)
    }
}
