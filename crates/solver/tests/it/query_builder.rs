//! Builds queries by hand.

use byway_base::ExprId;
use byway_expr::{Evaluator, Model, PathCondition, Pool};
use byway_solver::{Answer, Core, Query, QueryBudget, Solver};

/// A pool and a path condition, with shorthands for terms.
pub struct QueryBuilder {
    pub pool: Pool,
    pub path: PathCondition,
}

impl QueryBuilder {
    pub fn new() -> QueryBuilder {
        QueryBuilder { pool: Pool::new(), path: PathCondition::new() }
    }

    /// A word made of all bytes of a new input object.
    pub fn word(&mut self, name: &str, bytes: u32) -> ExprId {
        let object = self.pool.input(name, bytes);
        let mut word = self.pool.input_byte(object, 0);
        for byte in 1..bytes {
            let next = self.pool.input_byte(object, byte);
            word = self.pool.concat(next, word);
        }
        word
    }

    pub fn below(&mut self, e: ExprId, bound: u128) -> ExprId {
        let bound = self.pool.constant(self.pool.width(e), bound);
        self.pool.ult(e, bound)
    }

    pub fn equals(&mut self, e: ExprId, value: u128) -> ExprId {
        let value = self.pool.constant(self.pool.width(e), value);
        self.pool.eq(e, value)
    }

    pub fn assume(&mut self, e: ExprId) {
        self.path.add(&mut self.pool, e);
    }

    pub fn ask(
        &mut self,
        solver: &mut dyn Solver,
        condition: ExprId,
        witness: Option<&Model>,
    ) -> Answer {
        self.ask_within(solver, condition, witness, QueryBudget::UNLIMITED)
    }

    pub fn ask_within(
        &mut self,
        solver: &mut dyn Solver,
        condition: ExprId,
        witness: Option<&Model>,
        budget: QueryBudget,
    ) -> Answer {
        let query = Query { path: &self.path, condition, witness };
        solver.check(&mut self.pool, &query, budget)
    }

    pub fn value(&self, model: &Model, e: ExprId) -> u128 {
        Evaluator::new().under(&self.pool, model).value(e)
    }
}

pub fn sat(answer: Answer) -> Model {
    match answer {
        Answer::Sat(model) => model,
        answer => panic!("{answer:?}"),
    }
}

pub fn unsat(answer: Answer) -> Core {
    match answer {
        Answer::Unsat(core) => core,
        answer => panic!("{answer:?}"),
    }
}

/// x * y is a product of two primes, and neither is one.
pub fn factoring(builder: &mut QueryBuilder) -> (ExprId, ExprId, ExprId) {
    let (x, y) = (builder.word("x", 4), builder.word("y", 4));
    let (wide_x, wide_y) = (builder.pool.zext(x, 64), builder.pool.zext(y, 64));
    let product = builder.pool.mul(wide_x, wide_y);
    let hard = builder.equals(product, 2147483647 * 2147483629);
    let (x_one, y_one) = (builder.below(x, 2), builder.below(y, 2));
    let (x_more, y_more) = (builder.pool.not(x_one), builder.pool.not(y_one));
    builder.assume(x_more);
    builder.assume(y_more);
    (x, y, hard)
}
