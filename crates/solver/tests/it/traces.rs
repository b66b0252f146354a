//! Random traces of use: paths that grow, fork and die, collections in between, limits
//! of all sizes. Every answer is compared with a bare backend's, and the same trace
//! must do the same again.

use std::cell::RefCell;
use std::rc::Rc;

use crate::common::Generator;
use byway_expr::{Added, Evaluator, Model, PathCondition, Pool, Roots};
use byway_solver::{
    Answer, Layer, Query, QueryBudget, Solver, SolverOptions, Statistics, UnknownReason, solver,
};

#[derive(Clone)]
struct State {
    path: PathCondition,
    witness: Model,
}

struct Trace {
    pool: Pool,
    solver: Box<dyn Solver>,
    generator: Generator,
    states: Vec<State>,
    /// The limit of all queries; without it each has its own.
    budget: Option<QueryBudget>,
    /// Everything that was answered.
    said: Vec<String>,
}

impl Trace {
    fn new(
        seed: u64,
        check: bool,
        budget: Option<QueryBudget>,
    ) -> (Trace, Rc<RefCell<Vec<String>>>) {
        let pool = Pool::new();
        let troubles = Rc::new(RefCell::new(Vec::new()));
        let heard = troubles.clone();
        let options = SolverOptions {
            check,
            log: None,
            interrupt: None,
            on_error: Rc::new(move |trouble| heard.borrow_mut().push(trouble.to_string())),
        };
        let solver = solver(&pool, options).unwrap();
        let start = State { path: PathCondition::new(), witness: Model::new() };
        let trace = Trace {
            pool,
            solver,
            generator: Generator::new(seed, 6),
            states: vec![start],
            budget,
            said: Vec::new(),
        };
        (trace, troubles)
    }

    fn step(&mut self) {
        match self.generator.random.below(20) {
            0 => self.collect(),
            1 if self.states.len() > 3 => {
                let at = self.generator.random.below(self.states.len());
                self.states.swap_remove(at);
            }
            _ => self.branch(),
        }
    }

    /// Both sides of a condition, as an engine would: the witness takes one side, and
    /// the solver is asked for the other.
    fn branch(&mut self) {
        let at = self.generator.random.below(self.states.len());
        let state = self.states[at].clone();
        let condition = self.generator.condition(&mut self.pool, 2);
        let opposite = self.pool.not(condition);
        let mut evaluator = Evaluator::new();
        let holds = evaluator.under(&self.pool, &state.witness).holds(condition);
        let (own, other) = if holds { (condition, opposite) } else { (opposite, condition) };
        let budget = self.budget.unwrap_or_else(|| match self.generator.random.below(6) {
            0 => QueryBudget::effort(self.generator.random.below(4) as u64),
            _ => QueryBudget::UNLIMITED,
        });
        let with_witness = !self.generator.random.chance(8);
        let query = Query {
            path: &state.path,
            condition: other,
            witness: with_witness.then_some(&state.witness),
        };
        let answer = self.solver.check(&mut self.pool, &query, budget);
        self.said.push(match &answer {
            Answer::Sat(model) => {
                let object = self.pool.input("in", 6);
                format!("sat {:?}", model.object(object))
            }
            Answer::Unsat(core) => format!("unsat {}", core.conjuncts.len()),
            Answer::Unknown(why) => {
                assert_eq!(*why, UnknownReason::Effort);
                "unknown".into()
            }
        });
        let path = &mut self.states[at].path;
        match answer {
            Answer::Unsat(_) if self.generator.random.chance(2) => path.learn(&mut self.pool, own),
            _ => assert_ne!(path.add(&mut self.pool, own), Added::False),
        }
        if let Answer::Sat(witness) = answer {
            let mut path = state.path;
            assert_ne!(path.add(&mut self.pool, other), Added::False);
            if self.states.len() < 12 {
                self.states.push(State { path, witness });
            }
        }
    }

    fn collect(&mut self) {
        let (mut roots, mut seen) = (Roots::default(), Default::default());
        self.states.iter().for_each(|state| state.path.mark(&mut roots, &mut seen));
        let collected = self.pool.collect(roots);
        self.solver.sweep(&collected);
    }
}

fn run(
    seed: u64,
    steps: usize,
    check: bool,
    budget: Option<QueryBudget>,
) -> (Vec<String>, Statistics) {
    let (mut trace, troubles) = Trace::new(seed, check, budget);
    for _ in 0..steps {
        trace.step();
    }
    assert!(troubles.borrow().is_empty(), "seed {seed}: {}", troubles.borrow().join("\n"));
    let statistics = *trace.solver.statistics();
    assert_eq!(statistics.disagreements, 0);
    assert_eq!(statistics.wrong_models, 0, "seed {seed}");
    (trace.said, statistics)
}

#[test]
fn answers_agree_with_a_bare_backend() {
    let mut all = Statistics::default();
    for seed in 0..10 {
        let (_, statistics) = run(seed, 60, true, None);
        all.sat += statistics.sat;
        all.unsat += statistics.unsat;
        all.confirmed += statistics.confirmed;
        all.conjuncts_shared += statistics.conjuncts_shared;
        for (sum, layer) in all.layers.iter_mut().zip(statistics.layers) {
            sum.answered += layer.answered;
        }
    }
    assert!(all.sat > 50 && all.unsat > 50, "not much of a test: {all:?}");
    let silent = all.layers.iter().position(|layer| layer.answered == 0);
    assert_eq!(silent, Some(1), "all layers but the witness answer: {all:?}");
    assert!(all.conjuncts_shared > 100, "lineages are used: {all:?}");
    assert!(all.confirmed > all.sat, "most answers are confirmed: {all:?}");
}

#[test]
fn the_same_trace_does_the_same() {
    for seed in 100..102 {
        let (said, statistics) = run(seed, 100, false, None);
        let _ballast: Vec<Box<[u8]>> = (1..500).map(|n| vec![0; n].into()).collect();
        assert_eq!(run(seed, 100, false, None), (said, statistics), "seed {seed}");
    }
}

#[test]
fn a_limit_of_one_step_stops_whatever_reaches_the_backend() {
    for effort in [0, 1] {
        let (said, statistics) = run(7, 300, false, Some(QueryBudget::effort(effort)));
        let backend = statistics.layer(Layer::Backend);
        assert_eq!(backend.answered, 0);
        let reached = backend.asked;
        assert!(reached > 50 && reached < statistics.queries, "{statistics:?}");
        assert_eq!(statistics.unknown_effort, reached);
        assert_eq!(statistics.effort, effort * reached);
        // What other layers answered is right, and the same again.
        assert_eq!(run(7, 300, true, Some(QueryBudget::effort(effort))).0, said);
    }
}
