//! What becomes of a question: which ways a path goes.

use std::rc::Rc;

use byway_base::{ExprId, Limit};
use byway_expr::Added;
use byway_search::{Case, Delta, Fork, Location, Site, StateId, Successor};
use byway_solver::{Answer, Query, QueryBudget};

use super::parties::{CaseGroup, Cases, ways_beside};
use super::together::Found;
use super::{Explorer, Feasibility, sides};
use crate::path_info::{ForkRequest, PathInfo};
use crate::seeds::PathSeeds;
use crate::state::State;

/// What became of a question.
pub(super) enum ForkResult {
    /// The state goes on alone.
    Alone,
    /// Others go other ways.
    Forked,
    /// No input goes any of the ways.
    Excluded,
    /// Nobody knows whether any does.
    Undecided,
}

/// Whether a way can be gone.
enum Possible {
    /// By this state.
    Yes(Box<State>),
    No,
    /// The solver cannot tell.
    Undecided,
    /// A limit keeps it from being gone.
    Dropped,
}

impl Explorer<'_, '_, '_> {
    /// Answers the question of the state in the machine: it goes the way of its
    /// witness, and others go the other ways, if they are possible.
    pub(super) fn answer(
        &mut self,
        id: StateId,
        state: &mut State,
        request: &ForkRequest,
        delta: &mut Delta,
    ) -> ForkResult {
        let mut taken = self.way_of_witness(state, request);
        let mut parted = self.part_seeds(state, request, &mut taken);
        let Some(taken) = taken else { return self.seek(state, request) };
        // With one way alone, inputs that do not go it are left out.
        let mut sure = request.cases.len() > 1;
        let again = state.path.party.is_some();
        let others = ways_beside(state, request, taken);
        let others = self.open_ways(state, request, others);
        let mut parties = self.parties(state, request, others, !parted.is_empty());
        let mut children = Vec::with_capacity(parties.len());
        let mut found = None;
        let mut places = 0..;
        while let Some((place, party)) = places.next().and_then(|i| Some((i, parties.get(i)?))) {
            let seeds = party.alone().and_then(|way| parted.get_mut(way)).map(std::mem::take);
            let known = found.as_mut().and_then(|found: &mut Found| found.remove(&place));
            match self.child(state, request, party, seeds, known) {
                Possible::Yes(state) => children.push((party.cases(request), state)),
                Possible::No => {
                    self.count_refusal(state, party.numbers(), |side| &mut side.infeasible);
                    if found.is_none() && parted.is_empty() {
                        found = Some(self.ask_together(state, &parties, place + 1));
                    }
                }
                // What is hard together may be easy one by one.
                Possible::Undecided if party.alone().is_none() => {
                    let each: Vec<usize> = party.numbers().collect();
                    parties.extend(each.into_iter().map(|way| CaseGroup::of(request, way)));
                }
                Possible::Undecided => {
                    self.count_refusal(state, party.numbers(), |side| &mut side.undecided);
                    sure = false;
                }
                Possible::Dropped => {
                    self.count_refusal(state, party.numbers(), |side| &mut side.dropped);
                    sure = false;
                }
            }
        }
        let own = request.cases[taken];
        let path = &mut state.path;
        if let Some(seeds) = parted.get_mut(taken) {
            path.seeds = std::mem::take(seeds);
        }
        if !children.is_empty() || !sure {
            path.condition.add(&mut self.machine.pool, own.condition);
        } else {
            // What a path knows must not depend on when its forks were decided.
            path.condition.learn(&mut self.machine.pool, own.condition);
        }
        path.answered(request.key, taken);
        path.depth += u32::from(again || !children.is_empty());
        let is_alone = children.is_empty();
        // Searchers know a party by its first way.
        if again || !is_alone {
            let fork = self.fork(id, state, request, own.case, children);
            delta.forks.push(Fork { splits_group: again, ..fork });
        }
        if is_alone {
            return ForkResult::Alone;
        }
        self.totals.forks += 1;
        ForkResult::Forked
    }

    /// Counts why the state in the machine does not go these ways.
    pub(super) fn count_refusal(
        &mut self,
        state: &State,
        ways: impl IntoIterator<Item = usize>,
        answer: sides::Answer,
    ) {
        for way in ways {
            self.sides.count(self.machine.program, state, way, answer);
        }
    }

    /// The way of the witness of the state in the machine.
    pub(super) fn way_of_witness(&mut self, state: &State, request: &ForkRequest) -> Option<usize> {
        let witness = &state.path.witness;
        let (evaluator, pool) = (&mut self.machine.evaluator, &self.machine.pool);
        request.cases.iter().position(|way| match pool.holds_by_byte(way.condition, witness) {
            Some(holds) => holds,
            None => evaluator.value(pool, witness, way.condition) != 0,
        })
    }

    /// No way is the witness's: finds an input that goes one.
    fn seek(&mut self, state: &mut State, request: &ForkRequest) -> ForkResult {
        let mut unknown = false;
        for (i, way) in request.cases.iter().enumerate() {
            match self.ask(&mut state.path, way.condition) {
                Answer::Sat(model) => {
                    let path = &mut state.path;
                    path.witness = model;
                    path.condition.add(&mut self.machine.pool, way.condition);
                    path.answered(request.key, i);
                    self.machine.evaluator.forget();
                    return ForkResult::Alone;
                }
                Answer::Unsat(_) => {}
                Answer::Unknown(why) => {
                    self.count_undecided(why);
                    unknown = true;
                }
            }
        }
        if unknown { ForkResult::Undecided } else { ForkResult::Excluded }
    }

    /// The state that goes another way, or one of several, decided or pending. If seeds
    /// follow the parent, those that go this way follow the child. Whether it can be gone
    /// may be known.
    fn child(
        &mut self,
        parent: &mut State,
        request: &ForkRequest,
        party: &CaseGroup,
        seeds: Option<PathSeeds>,
        known: Option<Answer>,
    ) -> Possible {
        let way = &party.way;
        if let Some(limit) = self.limit_reached(&parent.path) {
            *self.totals.losses.dropped.entry(limit).or_default() += 1;
            seeds.into_iter().for_each(|seeds| self.leave_at_limit(seeds));
            return Possible::Dropped;
        }
        let answer = match (&seeds, self.feasibility()) {
            (Some(seeds), _) => seeds.first().map(|first| Answer::Sat(first.model.clone())),
            (None, Feasibility::Eager) => {
                Some(known.unwrap_or_else(|| self.ask(&mut parent.path, way.condition)))
            }
            (None, Feasibility::Lazy) => None,
        };
        let witness = match answer {
            None => None,
            Some(Answer::Sat(model)) => Some(model),
            Some(Answer::Unsat(_)) => return Possible::No,
            Some(Answer::Unknown(why)) => {
                if party.alone().is_some() {
                    self.count_undecided(why);
                }
                return Possible::Undecided;
            }
        };
        let mut state = Box::new(parent.clone());
        let path = &mut state.path;
        if let Some(seeds) = seeds {
            path.seeds = seeds;
            // Where it leaves the path of a seed, it keeps what it can of it.
            path.preferences_applied = path.preferences.len();
        }
        match witness {
            None => path.pending = Some(way.condition),
            Some(witness) => {
                path.witness = witness;
                if path.condition.add(&mut self.machine.pool, way.condition) == Added::False {
                    return Possible::No;
                }
            }
        }
        match party.alone() {
            Some(number) => path.answered(request.key, number),
            None => path.party = Some(Rc::new(party.numbers().collect())),
        }
        path.depth += 1;
        Possible::Yes(state)
    }

    /// When it is decided whether ways are possible.
    pub(super) fn feasibility(&self) -> Feasibility {
        if self.manner.concolic { Feasibility::Lazy } else { self.config.feasibility }
    }

    /// The limit that keeps the state in the machine from forking.
    fn limit_reached(&self, path: &PathInfo) -> Option<Limit> {
        let limits = &self.config.limits;
        if !path.forking {
            Some(Limit::Forking)
        } else if limits.depth.is_some_and(|max| path.depth >= max) {
            Some(Limit::Depth)
        } else if limits.states.is_some_and(|max| self.states_of_all() + 1 >= max) {
            Some(Limit::States)
        } else {
            None
        }
    }

    /// Whether the state in the machine could go where a condition holds.
    pub(super) fn ask(&mut self, path: &mut PathInfo, condition: ExprId) -> Answer {
        let query = Query { path: &path.condition, condition, witness: Some(&path.witness) };
        let budget = self.query_budget();
        let before = self.solver.statistics().effort;
        let answer = self.solver.check(&mut self.machine.pool, &query, budget);
        path.effort += self.solver.statistics().effort - before;
        answer
    }

    /// What one query may cost: no more than the exploration has time left, and never
    /// all that a monster would take.
    pub(super) fn query_budget(&self) -> QueryBudget {
        let limits = &self.config.limits;
        let left = self.clock.left(limits);
        let time = [limits.solver_time, left].into_iter().flatten().min();
        QueryBudget { effort: limits.solver_effort, effort_by_size: true, time }
    }

    /// Decides a pending state; tells whether it can go on.
    pub(super) fn decide(&mut self, id: StateId, state: &mut State, delta: &mut Delta) -> bool {
        let Some(condition) = state.path.pending.take() else { return true };
        let answer = self.ask(&mut state.path, condition);
        match answer {
            Answer::Sat(model) => {
                state.path.witness = model;
                state.path.condition.add(&mut self.machine.pool, condition);
                return true;
            }
            Answer::Unsat(_) => {
                self.sides.count_waiting(self.machine.program, state, |side| &mut side.infeasible);
                delta.infeasible.push(id);
            }
            Answer::Unknown(why) => {
                self.count_undecided(why);
                self.sides.count_waiting(self.machine.program, state, |side| &mut side.undecided);
                delta.unknown.push(id);
            }
        }
        false
    }

    fn count_undecided(&mut self, reason: byway_solver::UnknownReason) {
        *self.totals.losses.undecided.entry(reason.into()).or_default() += 1;
    }

    /// Takes in the children of a fork and tells of it.
    fn fork(
        &mut self,
        parent: StateId,
        state: &State,
        request: &ForkRequest,
        own: Case,
        children: Vec<(Cases, Box<State>)>,
    ) -> Fork {
        let site = self.site(state, request);
        let mut all = Vec::with_capacity(children.len() + 1);
        all.push(Successor { case: own, grouped_cases: Vec::new(), state: parent });
        for ((case, grouped_cases), state) in children {
            let id = self.frontier.add(state);
            self.queue_seeded(id);
            all.push(Successor { case, grouped_cases, state: id });
        }
        all.sort_by_key(|child| child.case);
        self.count_states(1);
        Fork { parent, site, splits_group: false, successors: all }
    }

    /// Where the state in the machine asks.
    fn site(&self, state: &State, request: &ForkRequest) -> Site {
        let top = state.stack.last().expect("whoever asks is in a function");
        let code = self.machine.program.code(top.func);
        let at = top.pc.saturating_sub(1);
        Site {
            location: Location { func: top.func, block: code.block_at(at) },
            inst: code.insts[at as usize],
            decision: request.decision,
        }
    }
}
