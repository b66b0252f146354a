//! A chain whose probabilities and costs are known: the program of a simulation.

use std::fmt;

/// States of a chain: one bit each.
pub type StateSet = u64;

/// The most states a chain can have.
pub const MAX_STATES: usize = StateSet::BITS as usize;

/// A Markov chain with the cost of solving each transition. Executions start in state 0.
///
/// Every state can be reached, and an execution that starts in it can end.
#[derive(Clone, PartialEq, Debug)]
pub struct ChainModel {
    names: Vec<String>,
    transitions: Vec<Vec<ChainTransition>>,
    /// The successors and the predecessors of each state.
    after: Vec<StateSet>,
    before: Vec<StateSet>,
    test_cost: f64,
}

/// A transition of a chain.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct ChainTransition {
    /// The state that it enters.
    pub to: usize,
    /// The probability of taking it in the state that it leaves.
    pub probability: f64,
    /// What it adds to the cost of solving a path.
    pub cost: f64,
}

/// Why a chain is invalid.
#[derive(Clone, PartialEq, Debug)]
pub enum ChainError {
    /// It has no states, or more than [`MAX_STATES`].
    StateCount(usize),
    /// The probabilities of a state's transitions have this sum instead of one.
    Sum {
        /// The state.
        state: usize,
        /// The sum.
        sum: f64,
    },
    /// A transition has a probability that is not positive.
    Probability {
        /// The state that it leaves.
        from: usize,
        /// The state that it enters.
        to: usize,
    },
    /// A transition costs nothing, though its state has others; or its cost is not a number.
    Cost {
        /// The state that it leaves.
        from: usize,
        /// The state that it enters.
        to: usize,
    },
    /// A random test costs nothing.
    TestCost,
    /// No execution reaches the state.
    Unreachable(usize),
    /// No execution that reaches the state ends.
    Endless(usize),
}

impl ChainModel {
    /// A chain with these names and transitions of the states, and this cost of a random test.
    pub fn new(
        names: Vec<String>,
        transitions: Vec<Vec<ChainTransition>>,
        test_cost: f64,
    ) -> Result<ChainModel, ChainError> {
        let states = transitions.len();
        if states == 0 || states > MAX_STATES || names.len() != states {
            return Err(ChainError::StateCount(states));
        }
        let (mut after, mut before) = (vec![0; states], vec![0; states]);
        for (from, transition) in transitions.iter().enumerate().flat_map(with_state) {
            after[from] |= bit(transition.to);
            before[transition.to] |= bit(from);
        }
        let chain = ChainModel { names, transitions, after, before, test_cost };
        chain.check().map(|()| chain)
    }

    fn check(&self) -> Result<(), ChainError> {
        if !(self.test_cost > 0.0 && self.test_cost.is_finite()) {
            return Err(ChainError::TestCost);
        }
        for (from, transition) in self.transitions.iter().enumerate().flat_map(with_state) {
            let ChainTransition { to, probability, cost } = *transition;
            if probability.is_nan() || probability <= 0.0 {
                return Err(ChainError::Probability { from, to });
            }
            let is_free = cost == 0.0 && self.transitions[from].len() == 1;
            if !(cost > 0.0 && cost.is_finite() || is_free) {
                return Err(ChainError::Cost { from, to });
            }
        }
        for (state, transitions) in self.transitions.iter().enumerate() {
            let sum: f64 = transitions.iter().map(|transition| transition.probability).sum();
            if !transitions.is_empty() && (sum - 1.0).abs() > 1e-9 {
                return Err(ChainError::Sum { state, sum });
            }
        }
        let ends = self.states().filter(|&state| self.ends(state));
        let ending = closure(ends.fold(0, |set, state| set | bit(state)), &self.before);
        let reached = closure(bit(0), &self.after);
        let missing = |set: StateSet| self.states().find(|&state| set & bit(state) == 0);
        if let Some(state) = missing(reached) {
            return Err(ChainError::Unreachable(state));
        }
        missing(ending).map_or(Ok(()), |state| Err(ChainError::Endless(state)))
    }

    /// The states.
    pub fn states(&self) -> std::ops::Range<usize> {
        0..self.transitions.len()
    }

    /// All states.
    pub fn all(&self) -> StateSet {
        StateSet::MAX >> (MAX_STATES - self.transitions.len())
    }

    /// The name of a state.
    pub fn name(&self, state: usize) -> &str {
        &self.names[state]
    }

    /// The names of these states, as in `1 3 5`.
    pub fn path_name(&self, path: &[usize]) -> String {
        path.iter().map(|&state| self.name(state)).collect::<Vec<_>>().join(" ")
    }

    /// The transitions that leave a state; none where executions end.
    pub fn transitions(&self, state: usize) -> &[ChainTransition] {
        &self.transitions[state]
    }

    /// The transition between two states.
    pub fn transition(&self, from: usize, to: usize) -> Option<&ChainTransition> {
        self.transitions[from].iter().find(|transition| transition.to == to)
    }

    /// Whether executions end in the state.
    pub fn ends(&self, state: usize) -> bool {
        self.transitions[state].is_empty()
    }

    /// The successors of a state.
    pub fn after(&self, state: usize) -> StateSet {
        self.after[state]
    }

    /// The states that can be reached from a state without leaving `set`, itself included.
    pub fn reached_within(&self, set: StateSet, state: usize) -> StateSet {
        let mut reached = bit(state);
        let mut new = reached;
        while new != 0 {
            new = bits(new).fold(0, |all, state| all | self.after[state]) & set & !reached;
            reached |= new;
        }
        reached
    }

    /// The cost of a random test.
    pub fn test_cost(&self) -> f64 {
        self.test_cost
    }

    /// The cost of solving a path: the sum over its transitions. A path that every execution
    /// starts with has nothing to solve, and costs as much as a random test.
    pub fn path_cost(&self, path: &[usize]) -> f64 {
        let pairs = path.windows(2);
        let sum = pairs.filter_map(|pair| self.transition(pair[0], pair[1])).map(|t| t.cost).sum();
        if sum > 0.0 { sum } else { self.test_cost }
    }
}

impl ChainError {
    /// The message, with the states' names.
    pub fn message(&self, name: &dyn Fn(usize) -> String) -> String {
        match *self {
            ChainError::StateCount(0) => "the chain has no states".into(),
            ChainError::StateCount(states) => {
                format!("the chain has {states} states; at most {MAX_STATES} can be simulated")
            }
            ChainError::Sum { state, sum } => {
                format!("the probabilities of state {} have the sum {sum}, not 1", name(state))
            }
            ChainError::Probability { from, to } => {
                format!("the probability of {} -> {} must be positive", name(from), name(to))
            }
            ChainError::Cost { from, to } => format!(
                "the cost of {} -> {} must be positive (zero only if it is the state's only \
                 transition)",
                name(from),
                name(to)
            ),
            ChainError::TestCost => "the cost of a random test must be positive".into(),
            ChainError::Unreachable(state) => {
                format!("no execution reaches state {}", name(state))
            }
            ChainError::Endless(state) => {
                format!("executions that reach state {} never end", name(state))
            }
        }
    }
}

impl fmt::Display for ChainError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message(&|state| state.to_string()))
    }
}

/// The set of one state.
pub fn bit(state: usize) -> StateSet {
    1 << state
}

/// The states of a set, in ascending order.
pub fn bits(mut set: StateSet) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lowest = (set != 0).then(|| set.trailing_zeros() as usize);
        set &= set.wrapping_sub(1);
        lowest
    })
}

fn closure(mut set: StateSet, next: &[StateSet]) -> StateSet {
    loop {
        let more = bits(set).fold(set, |all, state| all | next[state]);
        if more == set {
            return set;
        }
        set = more;
    }
}

fn with_state(
    (state, transitions): (usize, &Vec<ChainTransition>),
) -> impl Iterator<Item = (usize, &ChainTransition)> {
    transitions.iter().map(move |transition| (state, transition))
}
