//! What becomes of a question: which ways a path goes.

use std::rc::Rc;

use byway_base::{ExprId, Limit};
use byway_expr::Added;
use byway_search::{Case, Delta, Fork, Location, Site, StateId, Successor};
use byway_solver::{Answer, Query, QueryBudget};

use super::parties::{Cases, Party, ways_beside};
use super::together::Found;
use super::{Explorer, Feasibility, sides};
use crate::seeds::Following;
use crate::state::State;
use crate::trail::{Question, Trail};

/// What became of a question.
pub(super) enum Answered {
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
        question: &Question,
        delta: &mut Delta,
    ) -> Answered {
        let mut taken = self.way_of_witness(state, question);
        let mut parted = self.part_seeds(state, question, &mut taken);
        let Some(taken) = taken else { return self.seek(state, question) };
        // With one way alone, inputs that do not go it are left out.
        let mut sure = question.ways.len() > 1;
        let again = state.trail.party.is_some();
        let others = ways_beside(state, question, taken);
        let others = self.open_ways(state, question, others);
        let mut parties = self.parties(state, question, others, !parted.is_empty());
        let mut children = Vec::with_capacity(parties.len());
        let mut found = None;
        let mut places = 0..;
        while let Some((place, party)) = places.next().and_then(|i| Some((i, parties.get(i)?))) {
            let seeds = party.alone().and_then(|way| parted.get_mut(way)).map(std::mem::take);
            let known = found.as_mut().and_then(|found: &mut Found| found.remove(&place));
            match self.child(state, question, party, seeds, known) {
                Possible::Yes(state) => children.push((party.cases(question), state)),
                Possible::No => {
                    self.count_refusal(state, party.numbers(), |side| &mut side.infeasible);
                    if found.is_none() && parted.is_empty() {
                        found = Some(self.ask_together(state, &parties, place + 1));
                    }
                }
                // What is hard together may be easy one by one.
                Possible::Undecided if party.alone().is_none() => {
                    let each: Vec<usize> = party.numbers().collect();
                    parties.extend(each.into_iter().map(|way| Party::of(question, way)));
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
        let own = question.ways[taken];
        let trail = &mut state.trail;
        if let Some(seeds) = parted.get_mut(taken) {
            trail.seeds = std::mem::take(seeds);
        }
        if !children.is_empty() || !sure {
            trail.condition.add(&mut self.machine.pool, own.condition);
        } else {
            // What a path knows must not depend on when its forks were decided.
            trail.condition.learn(&mut self.machine.pool, own.condition);
        }
        trail.answered(question.key, taken);
        trail.depth += u32::from(again || !children.is_empty());
        let is_alone = children.is_empty();
        // Searchers know a party by its first way.
        if again || !is_alone {
            let fork = self.fork(id, state, question, own.case, children);
            delta.forks.push(Fork { splits_group: again, ..fork });
        }
        if is_alone {
            return Answered::Alone;
        }
        self.totals.forks += 1;
        Answered::Forked
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
    pub(super) fn way_of_witness(&mut self, state: &State, question: &Question) -> Option<usize> {
        let witness = &state.trail.witness;
        let (sight, pool) = (&mut self.machine.sight, &self.machine.pool);
        question.ways.iter().position(|way| match pool.holds_by_byte(way.condition, witness) {
            Some(holds) => holds,
            None => sight.value(pool, witness, way.condition) != 0,
        })
    }

    /// No way is the witness's: finds an input that goes one.
    fn seek(&mut self, state: &mut State, question: &Question) -> Answered {
        let mut unknown = false;
        for (i, way) in question.ways.iter().enumerate() {
            match self.ask(&mut state.trail, way.condition) {
                Answer::Sat(model) => {
                    let trail = &mut state.trail;
                    trail.witness = model;
                    trail.condition.add(&mut self.machine.pool, way.condition);
                    trail.answered(question.key, i);
                    self.machine.sight.forget();
                    return Answered::Alone;
                }
                Answer::Unsat(_) => {}
                Answer::Unknown(why) => {
                    self.count_undecided(why);
                    unknown = true;
                }
            }
        }
        if unknown { Answered::Undecided } else { Answered::Excluded }
    }

    /// The state that goes another way, or one of several, decided or pending. If seeds
    /// follow the parent, those that go this way follow the child. Whether it can be gone
    /// may be known.
    fn child(
        &mut self,
        parent: &mut State,
        question: &Question,
        party: &Party,
        seeds: Option<Following>,
        known: Option<Answer>,
    ) -> Possible {
        let way = &party.way;
        if let Some(limit) = self.limit_reached(&parent.trail) {
            *self.totals.lost.dropped.entry(limit).or_default() += 1;
            seeds.into_iter().for_each(|seeds| self.leave_at_limit(seeds));
            return Possible::Dropped;
        }
        let answer = match (&seeds, self.feasibility()) {
            (Some(seeds), _) => seeds.first().map(|first| Answer::Sat(first.model.clone())),
            (None, Feasibility::Eager) => {
                Some(known.unwrap_or_else(|| self.ask(&mut parent.trail, way.condition)))
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
        let trail = &mut state.trail;
        if let Some(seeds) = seeds {
            trail.seeds = seeds;
            // Where it leaves the path of a seed, it keeps what it can of it.
            trail.wishes_met = trail.preferences.len();
        }
        match witness {
            None => trail.pending = Some(way.condition),
            Some(witness) => {
                trail.witness = witness;
                if trail.condition.add(&mut self.machine.pool, way.condition) == Added::False {
                    return Possible::No;
                }
            }
        }
        match party.alone() {
            Some(number) => trail.answered(question.key, number),
            None => trail.party = Some(Rc::new(party.numbers().collect())),
        }
        trail.depth += 1;
        Possible::Yes(state)
    }

    /// When it is decided whether ways are possible.
    pub(super) fn feasibility(&self) -> Feasibility {
        if self.manner.concolic { Feasibility::Lazy } else { self.config.feasibility }
    }

    /// The limit that keeps the state in the machine from forking.
    fn limit_reached(&self, trail: &Trail) -> Option<Limit> {
        let limits = &self.config.limits;
        if !trail.forking {
            Some(Limit::Forking)
        } else if limits.depth.is_some_and(|max| trail.depth >= max) {
            Some(Limit::Depth)
        } else if limits.states.is_some_and(|max| self.states_of_all() + 1 >= max) {
            Some(Limit::States)
        } else {
            None
        }
    }

    /// Whether the state in the machine could go where a condition holds.
    pub(super) fn ask(&mut self, trail: &mut Trail, condition: ExprId) -> Answer {
        let query = Query { path: &trail.condition, condition, witness: Some(&trail.witness) };
        let budget = self.query_budget();
        let before = self.solver.statistics().effort;
        let answer = self.solver.check(&mut self.machine.pool, &query, budget);
        trail.effort += self.solver.statistics().effort - before;
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
        let Some(condition) = state.trail.pending.take() else { return true };
        let answer = self.ask(&mut state.trail, condition);
        match answer {
            Answer::Sat(model) => {
                state.trail.witness = model;
                state.trail.condition.add(&mut self.machine.pool, condition);
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

    fn count_undecided(&mut self, why: byway_solver::UnknownReason) {
        let why = match why {
            byway_solver::UnknownReason::TooManyLeaves(_) => {
                "a read that reaches too many bytes".into()
            }
            other => other.to_string(),
        };
        *self.totals.lost.undecided.entry(why).or_default() += 1;
    }

    /// Takes in the children of a fork and tells of it.
    fn fork(
        &mut self,
        parent: StateId,
        state: &State,
        question: &Question,
        own: Case,
        children: Vec<(Cases, Box<State>)>,
    ) -> Fork {
        let site = self.site(state, question);
        let mut all = Vec::with_capacity(children.len() + 1);
        all.push(Successor { case: own, grouped_cases: Vec::new(), state: parent });
        for ((case, grouped_cases), state) in children {
            let id = self.store.add(state);
            self.queue_seeded(id);
            all.push(Successor { case, grouped_cases, state: id });
        }
        all.sort_by_key(|child| child.case);
        self.count_states(1);
        Fork { parent, site, splits_group: false, successors: all }
    }

    /// Where the state in the machine asks.
    fn site(&self, state: &State, question: &Question) -> Site {
        let top = state.stack.last().expect("whoever asks is in a function");
        let code = self.machine.program.code(top.func);
        let at = top.pc.saturating_sub(1);
        Site {
            location: Location { func: top.func, block: code.block_at(at) },
            inst: code.insts[at as usize],
            decision: question.decision,
        }
    }
}
