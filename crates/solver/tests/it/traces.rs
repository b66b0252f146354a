//! Random exploration traces: paths grow, fork and die, with collections in between and
//! limits of all sizes. Every answer is compared with a bare backend, and the same trace must
//! give the same answers again.

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
    /// The budget of all queries; `None` chooses one per query.
    budget: Option<QueryBudget>,
    /// All answers, as text.
    answers: Vec<String>,
}

impl Trace {
    fn new(
        seed: u64,
        check: bool,
        budget: Option<QueryBudget>,
    ) -> (Trace, Rc<RefCell<Vec<String>>>) {
        let pool = Pool::new();
        let errors = Rc::new(RefCell::new(Vec::new()));
        let log = errors.clone();
        let options = SolverOptions {
            check,
            log: None,
            interrupt: None,
            memory: None,
            on_error: Rc::new(move |error| log.borrow_mut().push(error.to_string())),
        };
        let solver = solver(&pool, options).unwrap();
        let start = State { path: PathCondition::new(), witness: Model::new() };
        let trace = Trace {
            pool,
            solver,
            generator: Generator::new(seed, 6),
            states: vec![start],
            budget,
            answers: Vec::new(),
        };
        (trace, errors)
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

    /// Explores both sides of a condition, as an engine does: the witness satisfies one, and
    /// the solver decides the other.
    fn branch(&mut self) {
        let at = self.generator.random.below(self.states.len());
        let state = self.states[at].clone();
        let condition = self.generator.condition(&mut self.pool, 2);
        let negation = self.pool.not(condition);
        let mut evaluator = Evaluator::new();
        let holds = evaluator.under(&self.pool, &state.witness).holds(condition);
        let (own, other) = if holds { (condition, negation) } else { (negation, condition) };
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
        self.answers.push(match &answer {
            Answer::Sat(model) => {
                let object = self.pool.input("in", 6);
                format!("sat {:?}", model.object(object))
            }
            Answer::Unsat(core) => format!("unsat {}", core.conjuncts.len()),
            Answer::Unknown(reason) => {
                assert_eq!(*reason, UnknownReason::Effort);
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
    let (mut trace, errors) = Trace::new(seed, check, budget);
    for _ in 0..steps {
        trace.step();
    }
    assert!(errors.borrow().is_empty(), "seed {seed}: {}", errors.borrow().join("\n"));
    let statistics = *trace.solver.statistics();
    assert_eq!(statistics.disagreements, 0);
    assert_eq!(statistics.wrong_models, 0, "seed {seed}");
    (trace.answers, statistics)
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
    assert!(all.sat > 50 && all.unsat > 50, "too few of a kind: {all:?}");
    let silent = all.layers.iter().position(|layer| layer.answered == 0);
    assert_eq!(silent, Some(1), "all layers but the witness answer: {all:?}");
    assert!(all.conjuncts_shared > 100, "path instances are reused: {all:?}");
    assert!(all.confirmed > all.sat, "most answers are confirmed: {all:?}");
}

#[test]
fn traces_are_deterministic() {
    for seed in 100..102 {
        let (answers, statistics) = run(seed, 100, false, None);
        let _ballast: Vec<Box<[u8]>> = (1..500).map(|n| vec![0; n].into()).collect();
        assert_eq!(run(seed, 100, false, None), (answers, statistics), "seed {seed}");
    }
}

#[test]
fn an_effort_limit_of_one_stops_every_backend_query() {
    for effort in [0, 1] {
        let (answers, statistics) = run(7, 300, false, Some(QueryBudget::effort(effort)));
        let backend = statistics.layer(Layer::Backend);
        assert_eq!(backend.answered, 0);
        let reached = backend.asked;
        assert!(reached > 50 && reached < statistics.queries, "{statistics:?}");
        assert_eq!(statistics.unknown_effort, reached);
        assert_eq!(statistics.effort, effort * reached);
        // The answers of other layers are correct, and the same again.
        assert_eq!(run(7, 300, true, Some(QueryBudget::effort(effort))).0, answers);
    }
}
