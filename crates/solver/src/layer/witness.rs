//! Evaluation under inputs that are already there: the witness of the path itself,
//! and the models of the latest queries, which often were about a sibling.

use std::collections::VecDeque;

use byway_expr::{Evaluator, Model, Pool};

use crate::query::{Assignment, Query, Slice};

/// How many models are tried. Each costs an evaluation of the asked term, and a few such
/// evaluations cost as much as the fast path.
const MODELS: usize = 2;

/// The latest models, the newest first.
#[derive(Default)]
pub struct Recent {
    models: VecDeque<Model>,
}

/// Whether the path's own witness already does what is asked.
pub fn own(pool: &Pool, evaluator: &mut Evaluator, query: &Query) -> Option<Model> {
    let witness = query.witness?;
    evaluator.under(pool, witness).holds(query.asked).then(|| witness.clone())
}

impl Recent {
    /// What a recent model says of the slice's bytes, if all of the slice holds under
    /// it.
    pub fn find(
        &mut self,
        pool: &mut Pool,
        evaluator: &mut Evaluator,
        slice: &Slice,
    ) -> Option<Assignment> {
        let found = self.models.iter().position(|model| slice.holds(pool, evaluator, model))?;
        let model = self.models.remove(found)?;
        let bytes = slice.bytes(pool);
        let assignment = bytes.into_iter().map(|byte| (byte, model.byte(byte))).collect();
        self.models.push_front(model);
        Some(assignment)
    }

    /// Remembers a model.
    pub fn add(&mut self, model: Model) {
        self.models.truncate(MODELS - 1);
        self.models.push_front(model);
    }
}
