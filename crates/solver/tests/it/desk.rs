//! A desk to write queries at by hand.

use byway_base::ExprId;
use byway_expr::{Evaluator, Model, PathCondition, Pool};
use byway_solver::{Answer, Budget, Core, Query, Solver};

/// A pool, a path, and words of input bytes to build on.
pub struct Desk {
    pub pool: Pool,
    pub path: PathCondition,
}

impl Desk {
    pub fn new() -> Desk {
        Desk { pool: Pool::new(), path: PathCondition::new() }
    }

    /// A word of some bytes of an input object of its own.
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
        asked: ExprId,
        witness: Option<&Model>,
    ) -> Answer {
        self.ask_within(solver, asked, witness, Budget::UNLIMITED)
    }

    pub fn ask_within(
        &mut self,
        solver: &mut dyn Solver,
        asked: ExprId,
        witness: Option<&Model>,
        budget: Budget,
    ) -> Answer {
        let query = Query { path: &self.path, asked, witness };
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

/// x * y = a product of two primes, and neither is one.
pub fn factoring(desk: &mut Desk) -> (ExprId, ExprId, ExprId) {
    let (x, y) = (desk.word("x", 4), desk.word("y", 4));
    let (wide_x, wide_y) = (desk.pool.zext(x, 64), desk.pool.zext(y, 64));
    let product = desk.pool.mul(wide_x, wide_y);
    let hard = desk.equals(product, 2147483647 * 2147483629);
    let (x_one, y_one) = (desk.below(x, 2), desk.below(y, 2));
    let (x_more, y_more) = (desk.pool.not(x_one), desk.pool.not(y_one));
    desk.assume(x_more);
    desk.assume(y_more);
    (x, y, hard)
}
