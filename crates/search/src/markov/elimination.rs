//! Sparse elimination of `x = b + P x`, kept up to date as single rows change.
//!
//! `P` has transition probabilities, `b` a constant for each state. States are eliminated in an
//! order that keeps the factors sparse: next is the state with the smallest product of
//! remaining predecessors and successors, which is what a loop nest or a call leaves small. The
//! pattern of the factors is computed once; after that
//!
//! - a row of the factors depends on the row of `P`, and on the rows eliminated before it
//!   that it has an entry for. It is computed again only if one of these changed;
//! - a value `x` depends on its row, and on the values eliminated after it that it has an
//!   entry for. Likewise.
//!
//! So an update costs what it affects, and gives the same bits as elimination from scratch. An
//! iterative method would need many rounds for loops that run long, and a dense one or a
//! library's sparse factorisation starts over with each change.
//!
//! Pivots are sums: `1 - p` of a state is what it gives to other states plus the probability
//! that the execution ends there, so nothing is ever subtracted, and the result is as accurate
//! with a probability of 2^-32 as with a half (Grassmann, Taksar, Heyman: Regenerative
//! Analysis and Steady State Distributions for Markov Chains, Operations Research 1985).
//!
//! Where no execution ends (a loop that nothing leaves), the equations have no solution. The
//! state of the loop that is eliminated last then counts as its end: one round of the loop.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::position_set::PositionSet;

/// The equations `x = b + P x`. Rows are named by state, and kept by position in the order of
/// elimination.
#[derive(Clone, Debug)]
pub struct Elimination {
    position: Vec<u32>,
    state: Vec<u32>,
    rows: Vec<EliminationRow>,
    values: Vec<f64>,
    /// Rows to be computed again, and among them those of which `P` or an earlier row changed.
    stale_rows: PositionSet,
    stale_factors: Vec<bool>,
    /// Values to be computed again.
    stale_values: PositionSet,
    /// A row under computation, dense; all zero between two computations.
    scratch: Vec<f64>,
    work: EliminationWork,
}

/// What updates have cost so far.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct EliminationWork {
    /// Rows of the factors that were computed.
    pub rows: u64,
    /// Values that were computed.
    pub values: u64,
}

/// A state's row.
#[derive(Clone, Debug, Default)]
struct EliminationRow {
    /// Its entries in `P`, by position.
    transitions: Vec<(u32, f64)>,
    /// The probability that the execution ends in the state.
    ends: f64,
    constant: f64,
    /// The factors: what the row has of rows eliminated before it.
    lower: Vec<(u32, f64)>,
    /// The row after elimination, divided by the pivot.
    upper: Vec<(u32, f64)>,
    upper_ends: f64,
    upper_constant: f64,
    pivot: f64,
    /// The rows with an entry of this one in their `lower`, and in their `upper`.
    lower_users: Vec<u32>,
    upper_users: Vec<u32>,
}

impl Elimination {
    /// Equations for states `0..successors.len()` whose transitions are among these.
    /// Everything is zero at first.
    pub fn new(successors: &[Vec<u32>]) -> Elimination {
        let states = successors.len();
        let pattern = EliminationPattern::new(successors);
        let mut rows = vec![EliminationRow::default(); states];
        for (at, (before, after)) in
            pattern.predecessors.iter().zip(&pattern.successors).enumerate()
        {
            rows[at].upper = after.iter().map(|&to| (to, 0.0)).collect();
            after.iter().for_each(|&to| rows[to as usize].upper_users.push(at as u32));
            rows[at].lower_users.clone_from(before);
            before.iter().for_each(|&user| rows[user as usize].lower.push((at as u32, 0.0)));
        }
        let mut stale_rows = PositionSet::new(states);
        (0..states as u32).for_each(|at| stale_rows.insert(at));
        Elimination {
            position: pattern.position,
            state: pattern.order,
            rows,
            values: vec![0.0; states],
            stale_rows,
            stale_factors: vec![true; states],
            stale_values: PositionSet::new(states),
            scratch: vec![0.0; states],
            work: EliminationWork::default(),
        }
    }

    /// Replaces the transitions of a state: each at most once, and among those that
    /// [`new`](Self::new) was given. `ends` is what their sum lacks to one.
    pub fn set_transitions(&mut self, state: u32, transitions: &[(u32, f64)], ends: f64) {
        let at = self.position[state as usize] as usize;
        let row = &mut self.rows[at];
        row.transitions.clear();
        row.transitions.extend(transitions.iter().map(|&(to, p)| (self.position[to as usize], p)));
        row.ends = ends;
        self.stale_factors[at] = true;
        self.stale_rows.insert(at as u32);
    }

    /// Replaces the constant of a state.
    pub fn set_constant(&mut self, state: u32, constant: f64) {
        let at = self.position[state as usize];
        self.rows[at as usize].constant = constant;
        self.stale_rows.insert(at);
    }

    /// Brings the values up to date. Calls `changed` with each state whose value changed.
    pub fn solve(&mut self, mut changed: impl FnMut(u32)) {
        while let Some(at) = self.stale_rows.pop_first() {
            self.work.rows += 1;
            let factors = std::mem::take(&mut self.stale_factors[at as usize]);
            let factors_changed = factors && self.eliminate(at);
            if self.eliminate_constant(at) || factors_changed {
                self.stale_values.insert(at);
                for &user in &self.rows[at as usize].lower_users {
                    self.stale_rows.insert(user);
                    self.stale_factors[user as usize] |= factors_changed;
                }
            }
        }
        while let Some(at) = self.stale_values.pop_last() {
            self.work.values += 1;
            let row = &self.rows[at as usize];
            let rest: f64 = row.upper.iter().map(|&(to, p)| p * self.values[to as usize]).sum();
            let value = row.upper_constant + rest;
            if value != std::mem::replace(&mut self.values[at as usize], value) {
                row.upper_users.iter().for_each(|&user| self.stale_values.insert(user));
                changed(self.state[at as usize]);
            }
        }
    }

    /// The value of a state when [`solve`](Self::solve) was last called.
    pub fn value(&self, state: u32) -> f64 {
        self.values[self.position[state as usize] as usize]
    }

    /// What updates have cost so far.
    pub fn work(&self) -> EliminationWork {
        self.work
    }

    /// Computes a row of the factors again. Returns whether it changed.
    fn eliminate(&mut self, at: u32) -> bool {
        let mut row = std::mem::take(&mut self.rows[at as usize]);
        let scratch = &mut self.scratch;
        row.transitions.iter().for_each(|&(to, p)| scratch[to as usize] = p);
        let mut ends = row.ends;
        for (earlier, share) in &mut row.lower {
            *share = std::mem::take(&mut scratch[*earlier as usize]);
            if *share > 0.0 {
                let earlier = &self.rows[*earlier as usize];
                for &(to, p) in &earlier.upper {
                    scratch[to as usize] += *share * p;
                }
                ends += *share * earlier.upper_ends;
            }
        }
        // The loop back to the state itself is what the pivot lacks to one.
        scratch[at as usize] = 0.0;
        let leaves: f64 = row.upper.iter().map(|&(to, _)| scratch[to as usize]).sum();
        let pivot = if ends + leaves > 0.0 { ends + leaves } else { 1.0 };
        let mut changed = pivot != std::mem::replace(&mut row.pivot, pivot);
        for (to, p) in &mut row.upper {
            let share = std::mem::take(&mut scratch[*to as usize]) / pivot;
            changed |= share != std::mem::replace(p, share);
        }
        let ends = ends / pivot;
        changed |= ends != std::mem::replace(&mut row.upper_ends, ends);
        self.rows[at as usize] = row;
        changed
    }

    /// Computes the constant of a row after elimination again. Returns whether it changed.
    fn eliminate_constant(&mut self, at: u32) -> bool {
        let row = &self.rows[at as usize];
        let lower = row.lower.iter();
        let earlier: f64 =
            lower.map(|&(earlier, p)| p * self.rows[earlier as usize].upper_constant).sum();
        let constant = (row.constant + earlier) / row.pivot;
        constant != std::mem::replace(&mut self.rows[at as usize].upper_constant, constant)
    }
}

/// The order of elimination, and where the factors have entries. All by position.
struct EliminationPattern {
    position: Vec<u32>,
    order: Vec<u32>,
    /// The neighbours of each state when it is eliminated, in ascending order.
    predecessors: Vec<Vec<u32>>,
    successors: Vec<Vec<u32>>,
}

impl EliminationPattern {
    fn new(successors: &[Vec<u32>]) -> EliminationPattern {
        let states = successors.len();
        let mut remaining = RemainingGraph::new(successors);
        // Entries are not removed when a cost changes: outdated ones are skipped.
        let mut queue: BinaryHeap<_> =
            (0..states as u32).map(|state| Reverse((remaining.cost(state), state))).collect();
        let mut position = vec![u32::MAX; states];
        let mut order = Vec::with_capacity(states);
        let mut neighbours = Vec::with_capacity(states);
        while let Some(Reverse((cost, state))) = queue.pop() {
            if position[state as usize] != u32::MAX || cost != remaining.cost(state) {
                continue;
            }
            position[state as usize] = order.len() as u32;
            order.push(state);
            let (before, after) = remaining.eliminate(state);
            let touched = before.iter().chain(&after);
            queue.extend(touched.map(|&state| Reverse((remaining.cost(state), state))));
            neighbours.push((before, after));
        }
        let positions = |states: Vec<u32>| {
            let mut found: Vec<u32> = states.iter().map(|&s| position[s as usize]).collect();
            found.sort_unstable();
            found
        };
        let (predecessors, successors) = neighbours
            .into_iter()
            .map(|(before, after)| (positions(before), positions(after)))
            .unzip();
        EliminationPattern { position, order, predecessors, successors }
    }
}

/// The graph of the states that are not yet eliminated, without loops from a state to itself.
/// Neighbours are in ascending order.
struct RemainingGraph {
    before: Vec<Vec<u32>>,
    after: Vec<Vec<u32>>,
    /// A list under construction.
    united: Vec<u32>,
}

impl RemainingGraph {
    fn new(successors: &[Vec<u32>]) -> RemainingGraph {
        let mut before = vec![Vec::new(); successors.len()];
        let mut after = successors.to_vec();
        for (from, targets) in (0u32..).zip(&mut after) {
            targets.retain(|&to| to != from);
            targets.sort_unstable();
            targets.dedup();
            targets.iter().for_each(|&to| before[to as usize].push(from));
        }
        RemainingGraph { before, after, united: Vec::new() }
    }

    /// The number of entries that eliminating the state can add.
    fn cost(&self, state: u32) -> usize {
        self.before[state as usize].len() * self.after[state as usize].len()
    }

    /// Connects the predecessors of a state with its successors, and removes it. Returns both.
    fn eliminate(&mut self, state: u32) -> (Vec<u32>, Vec<u32>) {
        let before = std::mem::take(&mut self.before[state as usize]);
        let after = std::mem::take(&mut self.after[state as usize]);
        for &from in &before {
            unite(&mut self.after[from as usize], &after, [state, from], &mut self.united);
        }
        for &to in &after {
            unite(&mut self.before[to as usize], &before, [state, to], &mut self.united);
        }
        (before, after)
    }
}

/// Adds the states of a sorted list to another one, and removes two. `united` is scratch space.
fn unite(own: &mut Vec<u32>, other: &[u32], removed: [u32; 2], united: &mut Vec<u32>) {
    united.clear();
    let (mut mine, mut others) = (own.iter().copied().peekable(), other.iter().copied().peekable());
    loop {
        let next = match (mine.peek(), others.peek()) {
            (Some(a), Some(b)) if a == b => {
                mine.next();
                others.next()
            }
            (Some(a), Some(b)) if a > b => others.next(),
            (None, Some(_)) => others.next(),
            (Some(_), _) => mine.next(),
            (None, None) => break,
        };
        united.extend(next.filter(|it| !removed.contains(it)));
    }
    std::mem::swap(own, united);
}
