//! Random clauses over few variables, against trying all values.

use super::{Lit, SatSolver, SearchOutcome, Var};
use crate::budget::{Cancellation, QueryBudget};

const FREE: Cancellation = Cancellation::NEVER;

struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % end
    }
}

/// An instance with the variables 1 to `vars`, all relevant.
fn instance(vars: u32) -> SatSolver {
    let mut sat = SatSolver::new();
    for _ in 0..vars {
        let var = sat.new_var();
        sat.include(var);
    }
    sat
}

fn random_lit(random: &mut Random, vars: u32) -> Lit {
    Var(1 + random.below(u64::from(vars)) as u32).is(random.below(2) == 0)
}

/// Three literals of different variables.
fn random_clause(random: &mut Random, vars: u32) -> Vec<Lit> {
    loop {
        let clause: Vec<Lit> = (0..2 + random.below(3)).map(|_| random_lit(random, vars)).collect();
        let mut named: Vec<Var> = clause.iter().map(|lit| lit.var()).collect();
        named.sort_unstable();
        named.dedup();
        if named.len() == clause.len() {
            return clause;
        }
    }
}

fn holds(clauses: &[Vec<Lit>], assumed: &[Lit], value: impl Fn(Lit) -> bool) -> bool {
    clauses.iter().all(|clause| clause.iter().any(|&lit| value(lit)))
        && assumed.iter().all(|&lit| value(lit))
}

fn by_trying(vars: u32, clauses: &[Vec<Lit>], assumed: &[Lit]) -> bool {
    (0..1u32 << vars).any(|values| {
        let value = |lit: Lit| (values >> (lit.var().0 - 1) & 1 != 0) != lit.is_negated();
        holds(clauses, assumed, value)
    })
}

#[test]
fn answers_are_those_of_trying_all_values() {
    let (mut models, mut cores) = (0, 0);
    for seed in 0..300 {
        let mut random = Random(seed);
        let vars = 4 + random.below(9) as u32;
        let mut sat = instance(vars);
        let mut clauses = Vec::new();
        for _ in 0..random.below(5 * u64::from(vars)) {
            let clause = random_clause(&mut random, vars);
            sat.add_clause(&mut clause.clone());
            clauses.push(clause);
        }
        // Several questions to the same instance, the assumptions often the same.
        let mut assumed: Vec<Lit> = Vec::new();
        for _ in 0..12 {
            assumed.truncate(random.below(1 + assumed.len() as u64) as usize);
            for _ in 0..random.below(4) {
                assumed.push(random_lit(&mut random, vars));
            }
            match sat.search(&assumed, u64::MAX, FREE) {
                SearchOutcome::Sat => {
                    models += 1;
                    assert!(holds(&clauses, &assumed, |lit| sat.value(lit) == Some(true)));
                }
                SearchOutcome::Unsat(core) => {
                    cores += 1;
                    assert!(core.iter().all(|lit| assumed.contains(lit)), "{seed}");
                    assert!(!by_trying(vars, &clauses, &core), "{seed}");
                }
                SearchOutcome::Unknown => panic!("no limit was set"),
            }
        }
    }
    assert!(models > 500 && cores > 500, "{models} {cores}");
}

/// Pigeons and one hole too few: unsatisfiable, and hard enough to learn a lot.
fn pigeons(holes: u32) -> SatSolver {
    let mut sat = instance((holes + 1) * holes);
    let sits = |pigeon: u32, hole: u32| Var(1 + pigeon * holes + hole).is(true);
    for pigeon in 0..=holes {
        let mut somewhere: Vec<Lit> = (0..holes).map(|hole| sits(pigeon, hole)).collect();
        sat.add_clause(&mut somewhere);
        for other in 0..pigeon {
            for hole in 0..holes {
                sat.add_clause(&mut [!sits(pigeon, hole), !sits(other, hole)]);
            }
        }
    }
    sat
}

#[test]
fn a_hard_question_is_answered_and_a_limit_ends_it() {
    let mut sat = pigeons(7);
    assert_eq!(sat.search(&[], 10_000, FREE), SearchOutcome::Unknown);
    assert!(sat.effort < 100_000, "the limit is heeded: {}", sat.effort);
    assert_eq!(sat.search(&[], u64::MAX, FREE), SearchOutcome::Unsat(Vec::new()));
    let (mut one, mut other) = (pigeons(6), pigeons(6));
    one.search(&[], u64::MAX, FREE);
    other.search(&[], u64::MAX, FREE);
    assert_eq!(one.effort, other.effort, "the same effort every time");
}

#[test]
fn a_search_ends_when_its_time_is_over_and_goes_on_later() {
    let mut sat = pigeons(8);
    let over = Cancellation::new(QueryBudget::time(std::time::Duration::ZERO), None);
    assert_eq!(sat.search(&[], u64::MAX, over), SearchOutcome::Unknown);
    assert!(sat.effort < 1_000_000, "it looks at the clock: {}", sat.effort);
    assert_eq!(sat.search(&[], u64::MAX, FREE), SearchOutcome::Unsat(Vec::new()));
}

#[test]
fn what_is_not_relevant_is_left_alone() {
    let mut sat = SatSolver::new();
    let [a, b, gate] = [sat.new_var(), sat.new_var(), sat.new_var()];
    sat.include(a);
    sat.include(b);
    // The gate is a and b.
    sat.add_clause(&mut [gate.is(false), a.is(true)]);
    sat.add_clause(&mut [gate.is(false), b.is(true)]);
    sat.add_clause(&mut [gate.is(true), a.is(false), b.is(false)]);
    assert_eq!(sat.search(&[a.is(true), b.is(true)], u64::MAX, FREE), SearchOutcome::Sat);
    assert_eq!(sat.value(gate.is(true)), None);
    sat.back_to(2);
    sat.include(gate);
    sat.look_again(a);
    sat.look_again(b);
    assert_eq!(sat.search(&[a.is(true), b.is(true)], u64::MAX, FREE), SearchOutcome::Sat);
    assert_eq!(sat.value(gate.is(true)), Some(true));
    let core = sat.search(&[a.is(true), b.is(true), gate.is(false)], u64::MAX, FREE);
    assert!(matches!(core, SearchOutcome::Unsat(core) if core.len() == 3));
}
