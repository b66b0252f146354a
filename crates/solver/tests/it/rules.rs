//! Every rule of the simplifier, proved: the backend finds no input under which the
//! rule's example and what the rule makes of it differ, at small widths and for all
//! numbers there, or a selection of them.

use byway_expr::simplify::{ExampleShape, rules};
use byway_expr::{Op, PathCondition, Pool};
use byway_solver::{Answer, BareBackend, Query, QueryBudget, Solver};

/// Widths small enough for products and quotients. Rules of floats take all of them
/// for singles.
const WIDTHS: [u32; 5] = [1, 2, 3, 4, 6];
/// The width that gives doubles. Long doubles differ in their sizes alone, and take longer.
const DOUBLE: u32 = 64;
const OTHERS: [u32; 3] = [1, 2, 5];
const NUMBERS: [[u128; 2]; 6] =
    [[0, 1], [1, 2], [3, 0], [u128::MAX, 5], [6, u128::MAX - 1], [2, 4]];

fn shapes(op: Op) -> impl Iterator<Item = ExampleShape> {
    let double = op.is_float().then_some(DOUBLE);
    WIDTHS.into_iter().chain(double).flat_map(|width| {
        OTHERS.into_iter().flat_map(move |other| {
            NUMBERS.into_iter().map(move |numbers| ExampleShape { width, other, numbers })
        })
    })
}

#[test]
fn every_rule_is_proved() {
    let mut bare = BareBackend::new(None);
    let (mut proved, mut faults) = (0, Vec::new());
    for (op, rule) in rules() {
        let mut applied = 0;
        // What does not depend on the shape need not be proved over and over.
        let mut last = None;
        let mut pool = Pool::raw();
        for shape in shapes(op) {
            let Some((left, right)) = rule.example(&mut pool, shape) else { continue };
            applied += 1;
            if last == Some((left, right)) || left == right {
                continue;
            }
            last = Some((left, right));
            let path = PathCondition::new();
            let condition = pool.ne(left, right);
            let query = Query { path: &path, condition, witness: None };
            match bare.check(&mut pool, &query, QueryBudget::UNLIMITED) {
                Answer::Unsat(_) => proved += 1,
                answer => faults.push(format!("{op:?} {} {shape:?}: {answer:?}", rule.name)),
            }
        }
        if applied == 0 {
            faults.push(format!("{op:?} {}: its example never applies", rule.name));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(proved > 1000, "only {proved} proofs");
}
