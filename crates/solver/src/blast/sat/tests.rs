//! Random clauses over few variables, compared with brute force.

use super::{Lit, SatSolver, SearchOutcome, Var};
use crate::budget::{Cancellation, QueryBudget};

const NEVER: Cancellation = Cancellation::NEVER;

struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % end
    }
}

/// A solver with the variables 1 to `vars`, all relevant.
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

/// Two to four literals of distinct variables.
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

fn holds(clauses: &[Vec<Lit>], assumptions: &[Lit], value: impl Fn(Lit) -> bool) -> bool {
    clauses.iter().all(|clause| clause.iter().any(|&lit| value(lit)))
        && assumptions.iter().all(|&lit| value(lit))
}

fn brute_force(vars: u32, clauses: &[Vec<Lit>], assumptions: &[Lit]) -> bool {
    (0..1u32 << vars).any(|values| {
        let value = |lit: Lit| (values >> (lit.var().0 - 1) & 1 != 0) != lit.is_negated();
        holds(clauses, assumptions, value)
    })
}

#[test]
fn answers_match_brute_force() {
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
        // Several queries to the same solver, which often share assumptions.
        let mut assumptions: Vec<Lit> = Vec::new();
        for _ in 0..12 {
            assumptions.truncate(random.below(1 + assumptions.len() as u64) as usize);
            for _ in 0..random.below(4) {
                assumptions.push(random_lit(&mut random, vars));
            }
            match sat.search(&assumptions, u64::MAX, NEVER) {
                SearchOutcome::Sat => {
                    models += 1;
                    assert!(holds(&clauses, &assumptions, |lit| sat.value(lit) == Some(true)));
                }
                SearchOutcome::Unsat(core) => {
                    cores += 1;
                    assert!(core.iter().all(|lit| assumptions.contains(lit)), "{seed}");
                    assert!(!brute_force(vars, &clauses, &core), "{seed}");
                }
                SearchOutcome::Unknown => panic!("no limit was set"),
            }
        }
    }
    assert!(models > 500 && cores > 500, "{models} {cores}");
}

/// The pigeonhole principle: unsatisfiable, and hard enough to learn many clauses.
fn pigeons(holes: u32) -> SatSolver {
    let mut sat = instance((holes + 1) * holes);
    let sits = |pigeon: u32, hole: u32| Var(1 + pigeon * holes + hole).is(true);
    for pigeon in 0..=holes {
        let mut some_hole: Vec<Lit> = (0..holes).map(|hole| sits(pigeon, hole)).collect();
        sat.add_clause(&mut some_hole);
        for other in 0..pigeon {
            for hole in 0..holes {
                sat.add_clause(&mut [!sits(pigeon, hole), !sits(other, hole)]);
            }
        }
    }
    sat
}

#[test]
fn effort_limits_end_a_hard_search_deterministically() {
    let mut sat = pigeons(7);
    assert_eq!(sat.search(&[], 10_000, NEVER), SearchOutcome::Unknown);
    assert!(sat.effort < 100_000, "stops at the limit: {}", sat.effort);
    assert_eq!(sat.search(&[], u64::MAX, NEVER), SearchOutcome::Unsat(Vec::new()));
    let (mut one, mut other) = (pigeons(6), pigeons(6));
    one.search(&[], u64::MAX, NEVER);
    other.search(&[], u64::MAX, NEVER);
    assert_eq!(one.effort, other.effort, "effort is deterministic");
}

#[test]
fn a_cancelled_search_can_be_continued() {
    let mut sat = pigeons(8);
    let expired = Cancellation::new(QueryBudget::time(std::time::Duration::ZERO), None);
    assert_eq!(sat.search(&[], u64::MAX, expired), SearchOutcome::Unknown);
    assert!(sat.effort < 1_000_000, "polls for cancellation: {}", sat.effort);
    assert_eq!(sat.search(&[], u64::MAX, NEVER), SearchOutcome::Unsat(Vec::new()));
}

#[test]
fn irrelevant_variables_stay_unassigned() {
    let mut sat = SatSolver::new();
    let [a, b, gate] = [sat.new_var(), sat.new_var(), sat.new_var()];
    sat.include(a);
    sat.include(b);
    // gate = a and b
    sat.add_clause(&mut [gate.is(false), a.is(true)]);
    sat.add_clause(&mut [gate.is(false), b.is(true)]);
    sat.add_clause(&mut [gate.is(true), a.is(false), b.is(false)]);
    assert_eq!(sat.search(&[a.is(true), b.is(true)], u64::MAX, NEVER), SearchOutcome::Sat);
    assert_eq!(sat.value(gate.is(true)), None);
    sat.backtrack(2);
    sat.include(gate);
    sat.propagate_again(a);
    sat.propagate_again(b);
    assert_eq!(sat.search(&[a.is(true), b.is(true)], u64::MAX, NEVER), SearchOutcome::Sat);
    assert_eq!(sat.value(gate.is(true)), Some(true));
    let core = sat.search(&[a.is(true), b.is(true), gate.is(false)], u64::MAX, NEVER);
    assert!(matches!(core, SearchOutcome::Unsat(core) if core.len() == 3));
}
