//! Proves every rewrite rule: no input distinguishes the rule's example from its rewritten
//! form, at small widths and for all, or a selection of, the constants.

use byway_expr::simplify::{ExampleShape, rules};
use byway_expr::{Op, PathCondition, Pool};
use byway_solver::{Answer, BareBackend, Query, QueryBudget, Solver};

/// Widths small enough for products and quotients. Float rules treat all of them as singles.
const WIDTHS: [u32; 5] = [1, 2, 3, 4, 6];
/// The width of doubles. Long doubles differ only in their widths, and take longer.
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
    let (mut proved, mut failures) = (0, Vec::new());
    for (op, rule) in rules() {
        let mut applied = 0;
        // An example that does not depend on the shape is proved once.
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
                answer => failures.push(format!("{op:?} {} {shape:?}: {answer:?}", rule.name)),
            }
        }
        if applied == 0 {
            failures.push(format!("{op:?} {}: its example never applies", rule.name));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(proved > 1000, "only {proved} proofs");
}
