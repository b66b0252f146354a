//! Proves narrowed terms: no input of the path distinguishes a term from its narrowed form.

use byway_expr::{Added, PathCondition, Pool};
use byway_solver::{Answer, BareBackend, Query, QueryBudget, Solver};

use crate::common::Generator;

#[test]
fn narrowed_terms_are_proved_equal_on_their_path() {
    let mut bare = BareBackend::new(None);
    let mut proved = 0;
    for seed in 0..60 {
        let mut pool = Pool::new();
        let mut generator = Generator::new(seed, 3);
        let mut path = PathCondition::new();
        let mut terms = Vec::new();
        while path.len() < 4 {
            let condition = generator.condition(&mut pool, 2);
            let query = Query { path: &path, condition, witness: None };
            if let Answer::Sat(_) = bare.check(&mut pool, &query, QueryBudget::UNLIMITED) {
                assert_ne!(path.add(&mut pool, condition), Added::False);
                terms.push(condition);
            } else {
                let negation = pool.not(condition);
                path.learn(&mut pool, negation);
            }
        }
        for _ in 0..12 {
            let (a, b) = (generator.term(&mut pool, 16, 2), generator.term(&mut pool, 16, 2));
            let which = generator.random.pick(&terms);
            let unlike = pool.xor(a, b);
            terms.push(pool.eq(a, b));
            let chosen = pool.ite(which, unlike, b);
            let narrowed = path.narrow(&mut pool, chosen);
            if narrowed == chosen {
                continue;
            }
            let condition = pool.ne(chosen, narrowed);
            let query = Query { path: &path, condition, witness: None };
            let answer = bare.check(&mut pool, &query, QueryBudget::UNLIMITED);
            let equal = matches!(answer, Answer::Unsat(_));
            assert!(equal, "seed {seed}: {} is not {}", pool.show(chosen), pool.show(narrowed));
            proved += 1;
        }
    }
    assert!(proved > 200, "only {proved} proofs");
}
