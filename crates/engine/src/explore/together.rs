//! Several ways asked about at once. A switch has many targets, and a path that is held
//! by what it knows can go few of them: one query that excludes all the others does what
//! would be a hard one for each.

use std::collections::BTreeMap;

use byway_search::Decision;
use byway_solver::Answer;

use super::parties::CaseGroup;
use super::{Explorer, Feasibility};
use crate::path_info::ForkRequest;
use crate::state::State;

/// What is known of parties, by their places.
pub(super) type Found = BTreeMap<usize, Answer>;

impl Explorer<'_, '_, '_> {
    /// Of these ways those that the state in the machine does not know to be impossible.
    pub(super) fn open_ways(
        &mut self,
        state: &State,
        request: &ForkRequest,
        mut ways: Vec<usize>,
    ) -> Vec<usize> {
        // A branch asks only where the path condition says nothing.
        if request.decision == Decision::Branch {
            return ways;
        }
        ways.retain(|&way| {
            let (pool, path) = (&mut self.machine.pool, &state.path);
            let is_open = path.condition.decide(pool, request.cases[way].condition) != Some(false);
            if !is_open {
                self.count_refusal(state, [way], |side| &mut side.infeasible);
            }
            is_open
        });
        ways
    }

    /// Which of the parties from one on the state in the machine could be of. Each answer is
    /// an input for one of them, until there is none for the rest. What the solver cannot
    /// tell of all of them together is left out.
    pub(super) fn ask_together(
        &mut self,
        state: &mut State,
        parties: &[CaseGroup],
        from: usize,
    ) -> Found {
        let mut found = Found::new();
        let mut left: Vec<usize> = (from..parties.len()).collect();
        if self.feasibility() != Feasibility::Eager {
            return found;
        }
        while left.len() > 1 {
            let pool = &mut self.machine.pool;
            let mut any = pool.boolean(false);
            for &i in &left {
                any = pool.or(any, parties[i].way.condition);
            }
            let answer = self.ask(&mut state.path, any);
            let goes = match &answer {
                Answer::Sat(model) => {
                    let (evaluator, pool) = (&mut self.machine.evaluator, &self.machine.pool);
                    evaluator.forget();
                    let mut holds =
                        |i: usize| evaluator.value(pool, model, parties[i].way.condition);
                    let place = left.iter().position(|&i| holds(i) != 0);
                    evaluator.forget();
                    place
                }
                Answer::Unsat(_) => {
                    found.extend(left.drain(..).map(|i| (i, answer.clone())));
                    None
                }
                Answer::Unknown(_) => None,
            };
            let Some(place) = goes else { break };
            found.insert(left.swap_remove(place), answer);
        }
        found
    }
}
