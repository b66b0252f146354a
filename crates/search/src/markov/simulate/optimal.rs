//! The optimal policy: the cheapest expected cost of covering every state, when all
//! probabilities are known.
//!
//! The decision process of the paper has a node for each set of covered states. Its actions are
//! a random test, and solving a path: any path, not only those that the greedy choice considers.
//! Covered sets only grow, so the value of a set follows from those of larger ones, without
//! iteration; where an action may leave the set as it is, its value `v = (c + Σ p v') / Σ p`
//! sums over the outcomes that do not.
//!
//! Executions are followed state by state instead of enumerating paths. `run(M, s)` is the
//! expected cost from where an execution stands in state `s` and `M` is covered, `solve(M, s)`
//! that of a path that has been chosen up to `s`: it goes on with another transition, which
//! costs, or ends here, and the execution goes on at random. Both are found by linear equations
//! and shortest paths among the states that stay within `M`, and only for the pairs that can
//! be reached from the empty set: a few thousands in most chains, not `2^N × N`.

use rustc_hash::FxHashMap;

use super::chain::{ChainModel, StateSet, bit, bits};
use super::within::{Pair, WithinSolver};

/// The most pairs of a covered set and a state: more take too much time and memory.
const MAX_NODES: usize = 1_000_000;

/// The optimal policy would have to consider too many sets of covered states.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct TooManySets;

/// An action of the optimal policy.
#[derive(Clone, PartialEq, Debug)]
pub enum OptimalAction {
    /// Run a random test.
    RandomTest,
    /// Solve this path, and run its input.
    Solve(Vec<usize>),
}

/// The optimal policy of a chain.
pub struct OptimalPolicy<'a> {
    chain: &'a ChainModel,
    within: WithinSolver,
    nodes: FxHashMap<(StateSet, usize), ExpectedCosts>,
    decisions: FxHashMap<StateSet, PolicyDecision>,
}

/// Expected costs from within an execution.
#[derive(Copy, Clone, Debug)]
struct ExpectedCosts {
    run: f64,
    solve: PathStep,
}

/// How a path that is chosen up to a state goes on, and the expected cost from there.
#[derive(Copy, Clone, Debug)]
struct PathStep {
    cost: f64,
    /// `None` if the path ends here.
    next: Option<usize>,
}

/// The best action for a covered set.
#[derive(Copy, Clone, Debug)]
struct PolicyDecision {
    cost: f64,
    /// `None` for a random test, otherwise the last covered state of a path to solve.
    last: Option<usize>,
    /// The uncovered state that follows on the path, if any.
    next: Option<usize>,
}

/// Expectations at the states of a covered set.
struct Outlook {
    /// Expected cost after the execution covered something new, and the probability of that.
    run: Vec<Pair>,
    /// The cheapest way to go on with a path that leaves the set next.
    leave: Vec<PathStep>,
}

const IMPOSSIBLE: PathStep = PathStep { cost: f64::INFINITY, next: None };

impl<'a> OptimalPolicy<'a> {
    /// Computes the policy.
    pub fn new(chain: &'a ChainModel) -> Result<OptimalPolicy<'a>, TooManySets> {
        let within = WithinSolver::new(chain.states().len());
        let (nodes, decisions) = (FxHashMap::default(), FxHashMap::default());
        let mut policy = OptimalPolicy { chain, within, nodes, decisions };
        let decision = policy.first_decision()?;
        policy.decisions.insert(0, decision);
        Ok(policy)
    }

    /// The expected cost of covering all states, from the start.
    pub fn cost(&self) -> f64 {
        self.decisions[&0].cost
    }

    /// The number of covered sets for which there is an action.
    pub fn sets(&self) -> usize {
        self.decisions.len()
    }

    /// The best action, and the expected cost from there on; `None` if everything is covered or
    /// the set is not one that tests can cover.
    pub fn action(&self, covered: StateSet) -> Option<(OptimalAction, f64)> {
        let decision = self.decisions.get(&covered)?;
        let action = match decision.last {
            None => OptimalAction::RandomTest,
            Some(last) => OptimalAction::Solve(self.path(covered, last, decision.next)),
        };
        Some((action, decision.cost))
    }

    /// Nothing is covered. The states that every execution starts with are no path to solve.
    fn first_decision(&mut self) -> Result<PolicyDecision, TooManySets> {
        let (mut last, mut set) = (0, bit(0));
        while let [only] = self.chain.transitions(last)
            && only.cost == 0.0
        {
            last = only.to;
            set |= bit(last);
        }
        let cost = self.chain.test_cost() + self.visit(bit(0), 0)?.run;
        let mut best = PolicyDecision { cost, last: None, next: None };
        for transition in self.chain.transitions(last) {
            let next = self.visit(set | bit(transition.to), transition.to)?;
            let cost = transition.cost + next.solve.cost;
            if cost < best.cost {
                best = PolicyDecision { cost, last: Some(last), next: Some(transition.to) };
            }
        }
        Ok(best)
    }

    /// Recursion is as deep as the set can grow.
    fn visit(&mut self, set: StateSet, state: usize) -> Result<ExpectedCosts, TooManySets> {
        if set == self.chain.all() {
            return Ok(ExpectedCosts { run: 0.0, solve: PathStep { cost: 0.0, next: None } });
        }
        if let Some(&known) = self.nodes.get(&(set, state)) {
            return Ok(known);
        }
        if self.nodes.len() > MAX_NODES {
            return Err(TooManySets);
        }
        let mut within = self.chain.reached_within(set, state);
        let can_end = bits(within).any(|state| self.chain.ends(state));
        if can_end {
            within = set;
        }
        let mut outlook = self.outlook(set, within)?;
        if can_end {
            let cost = self.decide(set, &outlook);
            bits(set)
                .for_each(|state| outlook.run[state][0] += (1.0 - outlook.run[state][1]) * cost);
        }
        let end = |state: usize| PathStep { cost: outlook.run[state][0], next: None };
        let cheaper = |a: PathStep, b: PathStep| if b.cost < a.cost { b } else { a };
        let states = self.chain.states();
        let mut solve =
            states.map(|state| cheaper(end(state), outlook.leave[state])).collect::<Vec<_>>();
        self.shorten(within, &mut solve);
        for state in bits(within) {
            let node = ExpectedCosts { run: outlook.run[state][0], solve: solve[state] };
            self.nodes.insert((set, state), node);
        }
        Ok(self.nodes[&(set, state)])
    }

    /// What is beyond `set`, seen from the states `within` it.
    fn outlook(&mut self, set: StateSet, within: StateSet) -> Result<Outlook, TooManySets> {
        let chain = self.chain;
        let states = chain.states().len();
        let mut outlook = Outlook { run: vec![[0.0; 2]; states], leave: vec![IMPOSSIBLE; states] };
        for state in bits(within) {
            let new = |to: usize| set & bit(to) == 0;
            for transition in chain.transitions(state).iter().filter(|t| new(t.to)) {
                let next = self.visit(set | bit(transition.to), transition.to)?;
                outlook.run[state][0] += transition.probability * next.run;
                outlook.run[state][1] += transition.probability;
                let cost = transition.cost + next.solve.cost;
                if cost < outlook.leave[state].cost {
                    outlook.leave[state] = PathStep { cost, next: Some(transition.to) };
                }
            }
        }
        self.within.solve(chain, within, &mut outlook.run);
        Ok(outlook)
    }

    /// Finds the best action for a set; returns the expected cost from there on.
    fn decide(&mut self, set: StateSet, outlook: &Outlook) -> f64 {
        let until_new = |cost: f64, [run, new]: Pair| match new > 0.0 {
            true => (cost + run) / new,
            false => f64::INFINITY,
        };
        let random = until_new(self.chain.test_cost(), outlook.run[0]);
        let mut best = PolicyDecision { cost: random, last: None, next: None };
        let distance = self.distances(set);
        for state in bits(set) {
            let here = match distance[state] > 0.0 {
                true => until_new(distance[state], outlook.run[state]),
                false => f64::INFINITY,
            };
            let on = outlook.leave[state];
            for (cost, next) in [(here, None), (distance[state] + on.cost, on.next)] {
                if cost < best.cost {
                    best = PolicyDecision { cost, last: Some(state), next };
                }
            }
        }
        self.decisions.insert(set, best);
        best.cost
    }

    /// The cost of the cheapest path within a set from the start to each of its states.
    fn distances(&self, set: StateSet) -> Vec<f64> {
        let mut distance = vec![f64::INFINITY; self.chain.states().len()];
        distance[0] = 0.0;
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for state in bits(set) {
                for transition in self.chain.transitions(state) {
                    let cost = distance[state] + transition.cost;
                    if set & bit(transition.to) != 0 && cost < distance[transition.to] {
                        distance[transition.to] = cost;
                        changed = true;
                    }
                }
            }
        }
        distance
    }

    /// Lets paths go on within a set before they end or leave it.
    fn shorten(&self, within: StateSet, solve: &mut [PathStep]) {
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for state in bits(within) {
                for transition in self.chain.transitions(state) {
                    let cost = transition.cost + solve[transition.to].cost;
                    if within & bit(transition.to) != 0 && cost < solve[state].cost {
                        solve[state] = PathStep { cost, next: Some(transition.to) };
                        changed = true;
                    }
                }
            }
        }
    }

    /// The path of a decision: within the covered set to `last`, then as each step says.
    fn path(&self, covered: StateSet, last: usize, mut next: Option<usize>) -> Vec<usize> {
        let mut path = self.path_within(covered, last);
        let mut set = path.iter().fold(covered, |set, &state| set | bit(state));
        while let Some(state) = next {
            path.push(state);
            set |= bit(state);
            next = self.nodes.get(&(set, state)).and_then(|node| node.solve.next);
        }
        path
    }

    /// The cheapest path within a set from the start to a state.
    fn path_within(&self, covered: StateSet, last: usize) -> Vec<usize> {
        // Before anything is covered, there is only the way that every execution takes.
        let set = if covered == 0 { self.chain.all() } else { covered };
        let distance = self.distances(set);
        let mut path = vec![last];
        while let Some(&first) = path.last()
            && first != 0
        {
            let step = |state: usize| {
                let transition = self.chain.transition(state, first)?;
                Some((distance[state] + transition.cost, state))
            };
            let before = bits(set).filter(|state| !path.contains(state)).filter_map(step);
            let Some((_, state)) = before.min_by(|a, b| a.0.total_cmp(&b.0)) else { break };
            path.push(state);
        }
        path.reverse();
        path
    }
}
