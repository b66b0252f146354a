//! Greedy concolic testing: a random test or the solver, whichever is worth more per cost.
//!
//! The program is a Markov chain over its blocks ([`ProgramChain`]), whose probabilities are
//! estimated from random tests. They give each block an expected reward: the number of uncovered
//! blocks that a random execution visits from there ([`ExpectedRewards`]). A random test is worth
//! the reward of the start; solving a pending state is worth the reward of the block that it
//! enters. Costs are learnt: that of a test is the mean so far, that of solving is predicted from
//! the operators of the constraint ([`SolvingCost`]). Each round takes what is worth most per cost.
//!
//! Random tests keep no states. An input that reaches something new is followed by the state whose
//! path it takes, which leaves the branches behind it pending: these are the candidates.
//!
//! After Wang, Sun, Chen, Zhang, Wang, Lin: Towards Optimal Concolic Testing, ICSE 2018. As there,
//! a path is a candidate if the block that it enters is uncovered. Here, paths to covered blocks are
//! candidates too, by what may be covered behind them: an uncovered block can lie behind branches
//! whose blocks are all covered.

use std::collections::BTreeSet;
use std::num::NonZeroU64;

use byway_base::entity::EntityRef;
use byway_base::{Rng, Work};
use rustc_hash::FxHashMap;

use crate::markov::{
    BlockReward, CandidateId, CandidatePaths, ChainSite, ChainState, Estimator, ExpectedRewards,
    GreedyChoice, MOST_BLOCKS, MarkovReport, ProgramChain, SolvingCost,
};
use crate::{
    Action, Delta, Knowledge, Location, OperatorProfile, Searcher, SearcherRequirements, StateId,
    Until, View,
};

/// The interpreted instructions that a step of the solver, and a fork, take as long as.
const INSTRUCTIONS_PER_STEP: f64 = 15_000.0;
const INSTRUCTIONS_PER_FORK: f64 = 1_000.0;

/// Instructions of the first turn of a decided state. Each further one is as long as all before it,
/// and has to be worth its cost: a path may be endless.
const FIRST_TURN: NonZeroU64 = NonZeroU64::new(20_000).expect("not zero");
const TWICE: NonZeroU64 = NonZeroU64::new(2).expect("not zero");

/// Random tests that run in any case.
const FIRST_TESTS: u64 = 8;

/// The cost of a random test before any has run.
const FIRST_TEST_COST: f64 = 1_000.0;

/// A batch of random tests costs about this part of everything so far, so that decisions are many
/// while little is known, and rare when each changes little.
const BATCH_DIVISOR: f64 = 8.0;

/// The most tests in a batch.
const MOST_TESTS: f64 = 65_536.0;

/// At first a query may take this multiple of the predicted effort, and at least this many steps of the
/// backend. Beyond that it was a bad choice: random tests may find what it cannot.
const EFFORT_FACTOR: f64 = 1.0;
const LEAST_EFFORT: f64 = 200.0;

/// The instructions that computing a row or a value of the rewards takes as long as.
const INSTRUCTIONS_PER_ROW: u64 = 20;

/// When nothing can be solved, random tests go on for this much without new coverage, or for this
/// many times the cost of everything else; less if the engine can try the solver again.
const FRUITLESS_COST: f64 = 1e9;
const FRUITLESS_COST_OF_RETRY: f64 = 100e6;
const FRUITLESS_FACTOR: f64 = 4.0;

/// While nothing new is covered, neither random tests nor solving may cost more than this multiple of
/// the other, whatever the rewards: so where only one of them works, the other adds half of its cost.
/// Rewards are estimates, and both kinds of error occur. A path to covered code is worth what may lie
/// behind it, and random tests that run through it lower its reward as fast as their own: the
/// comparison would never choose it. And of code that was never executed much is expected, even if
/// all of it is an error path.
const MOST_IMBALANCE: f64 = 2.0;

/// What a greedy searcher may choose from.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub enum GreedyMode {
    /// Random tests and solving.
    #[default]
    Both,
    /// Random tests as long as there is code to cover.
    RandomOnly,
    /// Solving alone.
    SolvingOnly,
}

/// A greedy searcher that is to begin later waits until the exploration has taken about as long as
/// compiling a program natively, some two seconds: most end before that. The unit is work; a
/// step of the solver's backend takes as long as so much of it.
const LATER: u64 = 10_000_000;
const WORK_PER_STEP: u64 = 300;

/// The names of its tables in [`Knowledge`].
const KNOWN_EXECUTIONS: &str = "executions of the Markov chain";
const KNOWN_MODEL: &str = "model of solving costs";
const KNOWN_COSTS: &str = "costs of random tests and solving";

/// Chooses between random tests and solving by expected reward per cost.
pub struct Greedy {
    mode: GreedyMode,
    /// What the exploration takes before this begins in a portfolio, and what it took so far of
    /// the solver's backend.
    waits_for: u64,
    effort: u64,
    estimator: Estimator,
    /// The rewards of the blocks, once it begins and the view has shown the chain.
    rewards: Option<ExpectedRewards>,
    /// The blocks covered before.
    covered: Vec<ChainState>,
    /// Executions of counted transitions.
    executions: Vec<u64>,
    /// Those of an earlier exploration, until the view has shown the chain.
    recalled: Vec<u64>,
    /// Those of them that the rewards lack.
    uncounted: Vec<u64>,
    has_uncounted: bool,
    /// Decided states without a parent here. They run before anything is chosen.
    decided: BTreeSet<StateId>,
    /// Pending states, and decided ones that did not end in their last turn.
    open: FxHashMap<CandidateId, OpenState>,
    /// Suspended states, and what has to be solved for them.
    suspended: FxHashMap<StateId, OperatorProfile>,
    candidates: CandidatePaths,
    solving_cost: SolvingCost,
    costs: ActionCosts,
    /// What the last action was, and the time when it was chosen.
    last: Option<(LastAction, Work)>,
    /// The work of the rewards at their last update, and the cost of all actions then.
    updated: (u64, f64),
    /// Whether new coverage changed the rewards since then.
    is_stale: bool,
}

#[derive(Copy, Clone)]
struct OpenState {
    state: StateId,
    /// What has to be solved; `None` if it is decided.
    constraint: Option<OperatorProfile>,
    /// The instructions of its next turn.
    turn: NonZeroU64,
}

#[derive(Copy, Clone)]
enum LastAction {
    Tests,
    /// A state ran, after this was solved if it was pending.
    Run(Option<OperatorProfile>),
}

/// What was spent so far, in instructions.
#[derive(Default)]
struct ActionCosts {
    tests: u64,
    testing: f64,
    solved: u64,
    /// Runs of states, whether solved for or decided before.
    runs: u64,
    /// What they cost without the solver's part.
    running: f64,
    solving: f64,
    /// The cost of tests since something new was covered.
    fruitless: f64,
    /// The cost of solving and running since then.
    fruitless_solving: f64,
}

impl ActionCosts {
    fn all(&self) -> f64 {
        self.testing + self.running + self.solving
    }

    fn of_test(&self) -> f64 {
        match self.tests {
            0 => FIRST_TEST_COST,
            tests => (self.testing / tests as f64).max(1.0),
        }
    }

    /// The mean cost of running a state.
    fn of_run(&self) -> f64 {
        match self.runs {
            0 => FIRST_TEST_COST,
            runs => self.running / runs as f64,
        }
    }
}

impl Greedy {
    /// A greedy searcher whose probabilities come from this estimator.
    pub fn new(mode: GreedyMode, estimator: Estimator) -> Greedy {
        Greedy {
            mode,
            waits_for: 0,
            effort: 0,
            estimator,
            rewards: None,
            covered: Vec::new(),
            executions: Vec::new(),
            recalled: Vec::new(),
            uncounted: Vec::new(),
            has_uncounted: false,
            decided: BTreeSet::new(),
            open: FxHashMap::default(),
            suspended: FxHashMap::default(),
            candidates: CandidatePaths::default(),
            solving_cost: SolvingCost::default(),
            costs: ActionCosts::default(),
            last: None,
            updated: (0, 0.0),
            is_stale: true,
        }
    }

    /// The same, but in a portfolio it begins when the others have done some work.
    pub fn later(self) -> Greedy {
        Greedy { waits_for: LATER, ..self }
    }

    /// Adds a state that can be picked. `ran` is how long it ran without ending, if it did.
    fn add(
        &mut self,
        state: StateId,
        constraint: OperatorProfile,
        ran: Option<NonZeroU64>,
        view: &dyn View,
    ) {
        let is_pending = view.is_pending(state);
        let turn = match (is_pending, ran) {
            (false, Some(ran)) => ran.saturating_mul(TWICE),
            _ => FIRST_TURN,
        };
        let cost = match is_pending {
            true => {
                self.solving_cost.predict(constraint) * INSTRUCTIONS_PER_STEP + self.costs.of_run()
            }
            false if ran.is_none() => self.costs.of_run(),
            false => turn.get() as f64,
        };
        // Before the user's code is called, everything is ahead.
        let start = || view.program_chain().and_then(|chain| chain.start());
        let enters = view.chain_state(state).or_else(start).unwrap_or_default();
        let id = CandidateId(state.number());
        let constraint = is_pending.then_some(constraint);
        self.open.insert(id, OpenState { state, constraint, turn });
        self.candidates.add(id, enters, cost);
    }

    /// Removes a state. Returns how long its next turn was to be, if it was open.
    fn remove(&mut self, state: StateId) -> Option<OpenState> {
        self.decided.remove(&state);
        self.suspended.remove(&state);
        let id = CandidateId(state.number());
        let open = self.open.remove(&id)?;
        self.candidates.remove(id);
        Some(open)
    }

    /// Accounts for what the last action cost.
    fn count_cost(&mut self, delta: &Delta, now: Work) {
        let Some((action, began)) = self.last.take() else { return };
        let solving = delta.effort as f64 * INSTRUCTIONS_PER_STEP;
        let running = now.since(began).0 as f64 + delta.forks.len() as f64 * INSTRUCTIONS_PER_FORK;
        let covered = !delta.new_coverage.is_empty();
        match (action, &delta.tests) {
            (LastAction::Tests, Some(batch)) => {
                self.costs.tests += batch.runs;
                self.costs.testing += batch.cost as f64;
                self.costs.fruitless += batch.cost as f64;
            }
            (LastAction::Tests, None) => {}
            (LastAction::Run(constraint), _) => {
                if let Some(constraint) = constraint {
                    self.solving_cost.learn(constraint, delta.effort as f64);
                    self.costs.solved += 1;
                }
                self.costs.runs += 1;
                self.costs.running += running;
                self.costs.solving += solving;
                self.costs.fruitless_solving += running + solving;
            }
        }
        if covered {
            self.costs.fruitless = 0.0;
            self.costs.fruitless_solving = 0.0;
        }
    }

    /// Builds the equations of the rewards, if the view shows a chain and they were not built before.
    fn build_rewards(&mut self, view: &dyn View) {
        if self.rewards.is_some() {
            return;
        }
        let Some(chain) = view.program_chain() else { return };
        let mut rewards = ExpectedRewards::new(chain.successors(), self.estimator);
        for state in (0..chain.len() as u32).map(ChainState::from_u32) {
            if chain.is_continuation(state) {
                rewards.cover(state);
            }
        }
        std::mem::take(&mut self.covered).into_iter().for_each(|state| rewards.cover(state));
        self.rewards = Some(rewards);
    }

    /// Covers what an execution that enters a block is certain to visit.
    fn cover(&mut self, chain: &ProgramChain, entered: Location) {
        let states = chain.straight_from(entered);
        match &mut self.rewards {
            Some(rewards) => states.into_iter().for_each(|state| rewards.cover(state)),
            None => self.covered.extend(states),
        }
        self.is_stale = true;
    }

    /// Counts what random tests and solved paths executed. Of a solved path this is what lies behind
    /// its branch: so the rewards there shrink with each visit, and that of the start remains the
    /// reward of a random test. What is executed is covered: by a state that follows the input, or by
    /// a test of another worker.
    fn count_executions(&mut self, delta: &Delta, view: &dyn View) {
        let Some(chain) = view.program_chain() else { return };
        self.executions.resize(chain.sites().len(), 0);
        self.uncounted.resize(chain.sites().len(), 0);
        for (site, count) in std::mem::take(&mut self.recalled).into_iter().enumerate() {
            if site < chain.sites().len() && count > 0 {
                self.count_site(chain, site, count);
            }
        }
        for &(site, count) in &delta.executions {
            self.count_site(chain, site as usize, count);
        }
    }

    fn count_site(&mut self, chain: &ProgramChain, site: usize, count: u64) {
        if self.executions[site] == 0 {
            let ChainSite { func, to: block, .. } = chain.sites()[site];
            self.cover(chain, Location { func, block });
        }
        for counts in [&mut self.uncounted, &mut self.executions] {
            counts[site] = counts[site].saturating_add(count);
        }
        self.has_uncounted = true;
    }

    /// Adds the executions since the last time to the rewards.
    fn add_executions(&mut self, chain: &ProgramChain) {
        if let Some(rewards) = &mut self.rewards
            && std::mem::take(&mut self.has_uncounted)
        {
            chain.transitions(&self.uncounted, |from, to, count| {
                // A chain and its rewards have the same transitions.
                _ = rewards.count_transition(from, to, count);
            });
            self.uncounted.fill(0);
        }
    }

    fn count_coverage(&mut self, delta: &Delta, view: &dyn View) {
        let Some(chain) = view.program_chain() else { return };
        for covered in &delta.new_coverage {
            self.cover(chain, covered.location);
        }
    }

    /// Brings the rewards up to date, unless that costs more than was done since the last time.
    fn update_rewards(&mut self, view: &dyn View) {
        let (last_work, at) = self.updated;
        let done = self.costs.all() - at;
        if !self.is_stale && done < (last_work * INSTRUCTIONS_PER_ROW) as f64 {
            return;
        }
        let Some(chain) = view.program_chain() else { return };
        self.add_executions(chain);
        let Some(rewards) = &mut self.rewards else { return };
        let before = rewards.work();
        rewards.update(|_| {});
        let after = rewards.work();
        let work = after.rows + after.values - before.rows - before.values;
        self.updated = (work, self.costs.all());
        self.is_stale = false;
    }

    /// What is worth most per cost; `None` if nothing is left to do.
    fn choose(&mut self, view: &dyn View) -> Option<NextAction> {
        self.update_rewards(view);
        let is_random = self.mode == GreedyMode::RandomOnly;
        let Some((_, cheapest, _)) = self.candidates.cheapest().next().filter(|_| !is_random)
        else {
            // What the solver gave up on may be covered by chance.
            let is_open = is_random || !self.suspended.is_empty();
            let has_chance =
                is_open && self.mode != GreedyMode::SolvingOnly && self.is_chance_left();
            return has_chance.then_some(NextAction::Tests);
        };
        let (Some(rewards), Some(chain)) = (&self.rewards, view.program_chain()) else {
            return Some(NextAction::Run(cheapest));
        };
        // What a random test costs and covers is only known once some have run.
        if self.costs.tests < FIRST_TESTS && self.mode != GreedyMode::SolvingOnly {
            return Some(NextAction::Tests);
        }
        let start: Vec<(ChainState, f64)> = chain.start().map(|it| (it, 1.0)).into_iter().collect();
        let test_cost = match self.mode {
            GreedyMode::SolvingOnly => f64::INFINITY,
            GreedyMode::Both | GreedyMode::RandomOnly => self.costs.of_test(),
        };
        let choose = |test_cost| self.candidates.choose(rewards, &start, test_cost);
        let best = match choose(f64::INFINITY) {
            GreedyChoice::Solve { candidate, .. } => candidate,
            // Nothing is left to cover behind any path.
            GreedyChoice::RandomTest { .. } => cheapest,
        };
        let is_both = self.mode == GreedyMode::Both;
        match choose(test_cost) {
            GreedyChoice::Solve { .. } if is_both && self.are_tests_due() => {
                Some(NextAction::Tests)
            }
            GreedyChoice::Solve { candidate, .. } => Some(NextAction::Run(candidate)),
            GreedyChoice::RandomTest { reward_per_cost }
                if reward_per_cost <= 0.0 || self.is_path_due(best) =>
            {
                Some(NextAction::Run(best))
            }
            GreedyChoice::RandomTest { .. } => Some(NextAction::Tests),
        }
    }

    /// Whether random tests have covered nothing for so long that this path is solved instead.
    fn is_path_due(&self, candidate: CandidateId) -> bool {
        let next = self.candidates.cost(candidate).unwrap_or(0.0);
        let solving = self.costs.fruitless_solving + next;
        self.costs.fruitless > MOST_IMBALANCE * solving
    }

    /// Whether solving has covered nothing for so long that random tests run instead.
    fn are_tests_due(&self) -> bool {
        let tests = self.costs.fruitless + self.batch_size().get() as f64 * self.costs.of_test();
        self.costs.fruitless_solving > MOST_IMBALANCE * tests
    }

    /// The most effort that solving a constraint may take.
    fn effort_limit(&self, constraint: Option<OperatorProfile>) -> NonZeroU64 {
        let predicted = constraint.map_or(0.0, |it| self.solving_cost.predict(it));
        let limit = (EFFORT_FACTOR * predicted).max(LEAST_EFFORT) as u64;
        NonZeroU64::new(limit).unwrap_or(NonZeroU64::MAX)
    }

    /// How many tests the next batch has.
    fn batch_size(&self) -> NonZeroU64 {
        let wanted = self.costs.all() / BATCH_DIVISOR / self.costs.of_test();
        NonZeroU64::new(wanted.clamp(1.0, MOST_TESTS) as u64).unwrap_or(NonZeroU64::MIN)
    }

    /// Whether random tests are worth running when no path can be solved.
    fn is_chance_left(&self) -> bool {
        let has_code = self.rewards.as_ref().is_some_and(|rewards| rewards.uncovered() > 0);
        let others = self.costs.running + self.costs.solving;
        let least = match self.suspended.is_empty() {
            true => FRUITLESS_COST,
            false => FRUITLESS_COST_OF_RETRY,
        };
        let limit = least.max(FRUITLESS_FACTOR * others);
        has_code && self.costs.fruitless < limit
    }
}

/// What the searcher does next.
enum NextAction {
    Tests,
    /// Run a state, solved first if it is pending.
    Run(CandidateId),
}

impl Searcher for Greedy {
    fn update(&mut self, delta: &Delta, view: &dyn View) {
        self.effort += delta.effort;
        if view.work().0 + WORK_PER_STEP * self.effort >= self.waits_for {
            self.waits_for = 0;
            self.build_rewards(view);
        }
        self.count_cost(delta, view.work());
        self.count_executions(delta, view);
        self.count_coverage(delta, view);
        if !delta.resumed.is_empty() {
            self.costs.fruitless = 0.0;
        }
        let constraints: FxHashMap<StateId, OperatorProfile> =
            delta.constraints.iter().copied().collect();
        let constraint = |state| constraints.get(&state).copied().unwrap_or_default();
        let removed: BTreeSet<StateId> = delta.removed().collect();
        // The first state, and those of other workers.
        self.decided.extend(delta.started.iter().filter(|&&state| !view.is_pending(state)));
        for state in delta.became_pickable().filter(|state| !removed.contains(state)) {
            if self.decided.contains(&state) {
                continue;
            }
            let known = self.suspended.remove(&state);
            self.add(state, known.unwrap_or_else(|| constraint(state)), None, view);
        }
        let ran = delta.tests.iter().flat_map(|batch| &batch.followed).chain(&delta.ran);
        for &state in ran.filter(|state| !removed.contains(state)) {
            let turn = self.remove(state).map_or(FIRST_TURN, |open| open.turn);
            self.add(state, constraint(state), Some(turn), view);
        }
        for state in removed {
            self.remove(state);
        }
        for &state in &delta.suspended {
            let open = self.remove(state);
            let constraint = open.and_then(|open| open.constraint).unwrap_or_default();
            self.suspended.insert(state, constraint);
        }
        if delta.tests.as_ref().is_some_and(|batch| batch.runs == 0) {
            self.mode = GreedyMode::SolvingOnly;
        }
    }

    fn pick(&mut self, view: &dyn View, _: &mut Rng) -> Action {
        let until = |turn| Until::END.at_most(turn).deferring();
        let (action, kind) = match self.decided.first() {
            Some(&state) => {
                (Action::Run { state, until: until(FIRST_TURN) }, LastAction::Run(None))
            }
            None => match self.choose(view) {
                None => return Action::Stop,
                Some(NextAction::Tests) => {
                    (Action::RandomTests { count: self.batch_size() }, LastAction::Tests)
                }
                Some(NextAction::Run(candidate)) => {
                    let Some(&OpenState { state, constraint, turn }) = self.open.get(&candidate)
                    else {
                        return Action::Stop;
                    };
                    let until = until(turn).within_effort(self.effort_limit(constraint));
                    (Action::Run { state, until }, LastAction::Run(constraint))
                }
            },
        };
        self.last = Some((kind, view.work()));
        action
    }

    fn is_waiting(&self) -> bool {
        self.waits_for > 0
    }

    fn markov_report(&mut self, view: &dyn View) -> Option<MarkovReport> {
        self.is_stale = true;
        self.update_rewards(view);
        let (rewards, chain) = (self.rewards.as_ref()?, view.program_chain()?);
        let executions = chain.executions(&self.executions);
        let cheapest: FxHashMap<ChainState, f64> =
            self.candidates.cheapest().map(|(last, _, cost)| (last, cost)).collect();
        let blocks = (0..chain.len() as u32).map(ChainState::from_u32);
        let mut blocks: Vec<ChainState> = blocks.filter(|&it| !chain.is_continuation(it)).collect();
        let count = blocks.len();
        blocks.retain(|&state| rewards.reward(state) > 0.0);
        blocks.sort_by(|&a, &b| rewards.reward(b).total_cmp(&rewards.reward(a)).then(a.cmp(&b)));
        let highest = blocks.into_iter().take(MOST_BLOCKS).map(|state| BlockReward {
            state,
            reward: rewards.reward(state),
            is_covered: rewards.is_covered(state),
            executions: executions[state.index()],
            path_cost: cheapest.get(&state).copied(),
            next: rewards.main_successor(state),
        });
        let solved = self.costs.solved.max(1) as f64;
        Some(MarkovReport {
            tests: self.costs.tests,
            test_cost: self.costs.of_test(),
            solved: self.costs.solved,
            path_cost: (self.costs.running + self.costs.solving) / solved,
            blocks: count,
            uncovered: rewards.uncovered(),
            start_reward: chain.start().map_or(0.0, |start| rewards.reward(start)),
            highest: highest.collect(),
        })
    }

    /// Executions of the Markov chain's transitions, the model of solving costs, and what was spent.
    fn store(&self, knowledge: &mut Knowledge) {
        let ActionCosts { tests, testing, solved, runs, running, solving, .. } = self.costs;
        let counts = [tests, solved, runs];
        let costs = [testing, running, solving].map(f64::to_bits);
        knowledge.add(KNOWN_COSTS.into(), vec![[counts, costs].concat()]);
        let model = self.solving_cost.numbers().map(f64::to_bits).collect();
        knowledge.add(KNOWN_MODEL.into(), vec![model]);
        let executions = match self.executions.is_empty() {
            true => &self.recalled,
            false => &self.executions,
        };
        knowledge.add(KNOWN_EXECUTIONS.into(), vec![executions.clone()]);
    }

    fn recall(&mut self, knowledge: &Knowledge) {
        for row in knowledge.of_this_build(KNOWN_COSTS) {
            let &[tests, solved, runs, ref costs @ ..] = &row[..] else { continue };
            let Ok(costs) = <[u64; 3]>::try_from(costs) else { continue };
            let [testing, running, solving] = costs.map(f64::from_bits);
            if [testing, running, solving].iter().all(|cost| cost.is_finite() && *cost >= 0.0) {
                let own = &mut self.costs;
                own.tests = own.tests.saturating_add(tests);
                own.solved = own.solved.saturating_add(solved);
                own.runs = own.runs.saturating_add(runs);
                own.testing += testing;
                own.running += running;
                own.solving += solving;
            }
        }
        for row in knowledge.of_this_build(KNOWN_MODEL) {
            let numbers: Vec<f64> = row.iter().map(|&bits| f64::from_bits(bits)).collect();
            self.solving_cost = SolvingCost::of_numbers(&numbers).unwrap_or_default();
        }
        for row in knowledge.of_this_build(KNOWN_EXECUTIONS) {
            self.recalled.resize(self.recalled.len().max(row.len()), 0);
            for (known, &count) in self.recalled.iter_mut().zip(row) {
                *known = known.saturating_add(count);
            }
        }
    }

    fn requirements(&self) -> SearcherRequirements {
        SearcherRequirements { random_tests: true, ..SearcherRequirements::default() }
    }
}
