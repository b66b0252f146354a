//! Running a tree: the states, what happens to them, and the loop that asks.

use std::collections::BTreeMap;

use byway_base::entity::{EntityRef, SecondaryMap};
use byway_base::{Rng, Work};
use byway_ir::{BlockId, FuncId};

use super::metrics::{SimulatedMetrics, StateCounters};
use super::tree::{ExecutionTree, TreeNode, TreeNodeId, TreeNodeKind};
use crate::{
    Action, Case, Decision, Delta, Fork, Location, Milestone, NewCoverage, Protocol, Pruner,
    Searcher, Site, StateId, StateIds, Successor, Until, View, Violation,
};

/// When the other ways of a fork are decided.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum FeasibilityMode {
    /// At once; ways that are not feasible never become states.
    Eager,
    /// At once; ways that are not feasible come and go in the same delta.
    EagerReported,
    /// When they are picked; until then they are pending.
    Lazy,
}

/// How a tree is run.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct SimulationOptions {
    /// Decides the searcher's random numbers.
    pub seed: u64,
    /// Decides which way the witness takes at each node; it changes which of the
    /// children goes on as its parent, and nothing else.
    pub witness: u64,
    /// When feasibility is decided.
    pub feasibility: FeasibilityMode,
}

impl Default for SimulationOptions {
    fn default() -> Self {
        SimulationOptions { seed: 0, witness: 0, feasibility: FeasibilityMode::Eager }
    }
}

/// What happened in a run.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SimulationRecord {
    /// What was picked, and where it stood.
    pub picks: Vec<(StateId, TreeNodeId)>,
    /// The leaves, in the order their paths ended.
    pub leaves: Vec<TreeNodeId>,
    /// How many pending states turned out to be infeasible.
    pub infeasible: usize,
    /// How many pending states could not be decided.
    pub unknown: usize,
    /// How many states were dropped.
    pub dropped: usize,
    /// How many random inputs took a path that was taken before.
    pub repeated: usize,
    /// How many instructions were run.
    pub steps: u64,
    /// The most states there were at a time.
    pub most_states: usize,
}

/// One exploration of a tree under way.
pub struct Simulation<'t> {
    pub(super) engine: SimulatedEngine<'t>,
    pub(super) protocol: Protocol,
    pub(super) rng: Rng,
    pub(super) record: SimulationRecord,
}

/// The states: what the searcher sees as its view.
pub(super) struct SimulatedEngine<'t> {
    tree: &'t ExecutionTree,
    options: SimulationOptions,
    ids: StateIds,
    states: BTreeMap<StateId, SimulatedState>,
    metrics: SimulatedMetrics,
    work: Work,
}

#[derive(Clone)]
struct SimulatedState {
    node: TreeNodeId,
    /// Instructions of the node that are still to run.
    left: u64,
    /// The ways out of the node that it stands for, if others go the rest.
    party: Option<Vec<usize>>,
    depth: u32,
    pending: bool,
    own: StateCounters,
}

/// Explores the whole tree, and checks that every path was explored once.
pub fn explore(
    tree: &ExecutionTree,
    searcher: &mut dyn Searcher,
    options: SimulationOptions,
) -> Result<SimulationRecord, Violation> {
    let mut simulation = Simulation::new(tree, options);
    simulation.join(searcher)?;
    while simulation.turn(searcher)? {}
    simulation.finish()
}

impl<'t> Simulation<'t> {
    /// The program at its start: one state, nothing run.
    pub fn new(tree: &'t ExecutionTree, options: SimulationOptions) -> Simulation<'t> {
        let mut engine = SimulatedEngine {
            tree,
            options,
            ids: StateIds::default(),
            states: BTreeMap::new(),
            metrics: SimulatedMetrics::default(),
            work: Work::default(),
        };
        let start = SimulatedState {
            node: tree.root(),
            left: tree.node(tree.root()).steps.get(),
            party: None,
            depth: 0,
            pending: false,
            own: StateCounters::default(),
        };
        engine.add(start);
        let mut protocol = Protocol::default();
        protocol.update(&Delta::all_of(&engine)).expect("the first state is new");
        Simulation {
            engine,
            protocol,
            rng: Rng::new(options.seed),
            record: SimulationRecord::default(),
        }
    }

    /// What searchers see.
    pub fn view(&self) -> &dyn View {
        &self.engine
    }

    /// What happened so far.
    pub fn record(&self) -> &SimulationRecord {
        &self.record
    }

    /// Tells a searcher that comes new of the states there are.
    pub fn join(&mut self, searcher: &mut dyn Searcher) -> Result<(), Violation> {
        self.protocol.check_view(&self.engine)?;
        searcher.update(&Delta::all_of(&self.engine), &self.engine);
        Ok(())
    }

    /// Asks once and does what is asked; false if the searcher stopped.
    pub fn turn(&mut self, searcher: &mut dyn Searcher) -> Result<bool, Violation> {
        self.act(searcher, None)
    }

    /// The same, after which a pruner may drop states.
    pub fn turn_pruned(
        &mut self,
        searcher: &mut dyn Searcher,
        pruner: &mut dyn Pruner,
    ) -> Result<bool, Violation> {
        let goes_on = self.act(searcher, Some(pruner))?;
        let dropped = pruner.prune(&self.engine, &mut self.rng);
        self.protocol.prune(&dropped)?;
        dropped.iter().for_each(|&state| self.engine.remove(state));
        self.tell(&Delta { dropped, ..Delta::default() }, searcher, Some(pruner))?;
        Ok(goes_on)
    }

    fn act(
        &mut self,
        searcher: &mut dyn Searcher,
        pruner: Option<&mut dyn Pruner>,
    ) -> Result<bool, Violation> {
        let action = searcher.pick(&self.engine, &mut self.rng);
        self.protocol.pick(&action)?;
        let delta = match action {
            Action::Run { state, until } => self.engine.run(state, until, &mut self.record),
            Action::RandomTest => self.engine.test(&mut self.rng, &mut self.record),
            Action::Stop => return Ok(false),
        };
        self.tell(&delta, searcher, pruner)?;
        Ok(true)
    }

    pub(super) fn tell(
        &mut self,
        delta: &Delta,
        searcher: &mut dyn Searcher,
        pruner: Option<&mut dyn Pruner>,
    ) -> Result<(), Violation> {
        self.protocol.update(delta)?;
        self.record.infeasible += delta.infeasible.len();
        self.record.unknown += delta.unknown.len();
        self.record.dropped += delta.dropped.len();
        self.record.most_states = self.record.most_states.max(self.engine.states.len());
        searcher.update(delta, &self.engine);
        if let Some(pruner) = pruner {
            pruner.update(delta, &self.engine);
        }
        Ok(())
    }

    /// The record of a run to the end: nothing is left, and every leaf was reached
    /// once unless states were dropped, and never twice.
    pub fn finish(self) -> Result<SimulationRecord, Violation> {
        self.protocol.check_view(&self.engine)?;
        if !self.engine.states.is_empty() {
            return Err(Violation::StoppedEarly(self.engine.states.len()));
        }
        let mut times: SecondaryMap<TreeNodeId, u32> = SecondaryMap::new();
        self.record.leaves.iter().for_each(|&leaf| times[leaf] += 1);
        let tree = self.engine.tree;
        match tree.leaves().find(|&leaf| match times[leaf] {
            0 => self.record.dropped == 0,
            n => n > 1,
        }) {
            Some(leaf) => {
                Err(Violation::PathCount { leaf: tree.name(leaf).to_string(), times: times[leaf] })
            }
            None => Ok(self.record),
        }
    }
}

impl SimulatedEngine<'_> {
    fn add(&mut self, state: SimulatedState) -> StateId {
        let id = self.ids.fresh();
        self.states.insert(id, state);
        id
    }

    fn remove(&mut self, state: StateId) {
        self.states.remove(&state);
    }

    fn block(&self, state: StateId) -> Option<BlockId> {
        Some(self.tree.node(self.states.get(&state)?.node).block)
    }

    /// Runs a state that is there.
    pub(super) fn run(
        &mut self,
        id: StateId,
        until: Until,
        record: &mut SimulationRecord,
    ) -> Delta {
        let mut delta = Delta { ran: Some(id), ..Delta::default() };
        let Some(mut state) = self.states.get(&id).cloned() else { return delta };
        record.picks.push((id, state.node));
        match self.refuse(&state, &mut delta) {
            Some(refused) => refused.push(id),
            None => {
                state.pending = false;
                let budget = self.advance(id, &mut state, until, &mut delta);
                let steps = until.steps.get() - budget;
                record.steps += steps;
                self.work += Work::of_instructions(steps);
                if !delta.ended.is_empty() {
                    record.leaves.push(state.node);
                }
            }
        }
        match delta.removed().any(|gone| gone == id) {
            true => self.remove(id),
            false => _ = self.states.insert(id, state),
        }
        self.metrics.bring_up_to_date();
        delta
    }

    /// Where to tell of a state that cannot go on, since no way it stands for is feasible.
    fn refuse<'d>(
        &self,
        state: &SimulatedState,
        delta: &'d mut Delta,
    ) -> Option<&'d mut Vec<StateId>> {
        let nodes = match (&state.party, &self.tree.node(state.node).kind) {
            (Some(party), TreeNodeKind::Fork(ways)) => party.iter().map(|&way| ways[way]).collect(),
            _ => vec![state.node],
        };
        if nodes.iter().any(|&node| self.tree.is_feasible(node)) {
            return None;
        }
        let is_unknown = |&node: &TreeNodeId| self.tree.node(node).kind == TreeNodeKind::Unknown;
        Some(if nodes.iter().any(is_unknown) { &mut delta.unknown } else { &mut delta.infeasible })
    }

    /// Runs an input from the start, which goes any way with the same chance.
    pub(super) fn test(&mut self, rng: &mut Rng, record: &mut SimulationRecord) -> Delta {
        let id = self.ids.fresh();
        let mut delta =
            Delta { ran: Some(id), started: vec![id], ended: vec![id], ..Delta::default() };
        let (mut node, mut own) = (self.tree.root(), StateCounters::default());
        loop {
            let TreeNode { block, steps, kind, .. } = self.tree.node(node);
            if self.metrics.enter(*block, &mut own) {
                delta.new_coverage.push(NewCoverage { state: id, location: location(*block) });
            }
            self.metrics.ran(*block, steps.get(), &mut own);
            record.steps += steps.get();
            self.work += Work::of_instructions(steps.get());
            let TreeNodeKind::Fork(ways) = kind else { break };
            let ways: Vec<TreeNodeId> =
                ways.iter().copied().filter(|&way| self.tree.is_feasible(way)).collect();
            node = *rng.pick(&ways).expect("a fork has a feasible way");
        }
        match record.leaves.contains(&node) {
            true => {
                record.repeated += 1;
                delta.repeated.push(id);
            }
            false => record.leaves.push(node),
        }
        delta
    }

    /// Runs to the milestone, or as long as the budget lasts; what is left of it.
    fn advance(
        &mut self,
        id: StateId,
        state: &mut SimulatedState,
        until: Until,
        delta: &mut Delta,
    ) -> u64 {
        let mut budget = until.steps.get();
        while budget > 0 {
            let node = self.tree.node(state.node);
            let block = node.block;
            if state.left == node.steps.get() && self.metrics.enter(block, &mut state.own) {
                delta.new_coverage.push(NewCoverage { state: id, location: location(block) });
            }
            let steps = budget.min(state.left);
            self.metrics.ran(block, steps, &mut state.own);
            budget -= steps;
            state.left -= steps;
            if state.left > 0 {
                break;
            }
            let TreeNodeKind::Fork(ways) = &self.tree.node(state.node).kind else {
                delta.ended.push(id);
                break;
            };
            let fork = self.fork(id, state, ways, delta);
            let forked = fork.successors.len() > 1;
            delta.forks.push(fork);
            if forked && until.milestone == Milestone::Fork {
                break;
            }
        }
        budget
    }

    fn fork(
        &mut self,
        id: StateId,
        state: &mut SimulatedState,
        ways: &[TreeNodeId],
        delta: &mut Delta,
    ) -> Fork {
        let TreeNode { block, parties, .. } = *self.tree.node(state.node);
        let splits_group = state.party.is_some();
        let mut all = state.party.take().unwrap_or_else(|| (0..ways.len()).collect());
        let taken = self.way_of_witness(state.node, ways, &all);
        all.retain(|&way| way != taken);
        let size = if parties { all.len().div_ceil(2).max(1) } else { 1 };
        let mut groups: Vec<Vec<usize>> = all.chunks(size).map(<[usize]>::to_vec).collect();
        groups.push(vec![taken]);
        groups.sort();
        let is_possible = |way: &usize| self.tree.is_feasible(ways[*way]);
        if self.options.feasibility == FeasibilityMode::Eager {
            groups.retain(|group| group.iter().any(is_possible));
        }
        // What parts again has been counted.
        state.depth += u32::from(groups.len() > 1 && !splits_group);
        state.own.solve(block, groups.len());
        let fork = state.clone();
        let successors = groups.into_iter().map(|group| {
            let (case, grouped_cases) = (Case(group[0] as u64), cases(&group[1..]));
            let child = SimulatedState {
                pending: self.options.feasibility == FeasibilityMode::Lazy,
                ..self.stand_for(&fork, ways, group)
            };
            if case.0 == taken as u64 {
                *state = SimulatedState { pending: false, ..child };
                return Successor { case, grouped_cases, state: id };
            }
            let refused = match self.options.feasibility {
                FeasibilityMode::EagerReported => self.refuse(&child, delta),
                FeasibilityMode::Eager | FeasibilityMode::Lazy => None,
            };
            let child = match refused {
                Some(refused) => {
                    refused.push(self.ids.fresh());
                    refused[refused.len() - 1]
                }
                None => self.add(child),
            };
            Successor { case, grouped_cases, state: child }
        });
        let successors = successors.collect();
        Fork { parent: id, site: site(block), splits_group, successors }
    }

    /// The way that the witness takes, of some.
    fn way_of_witness(&self, node: TreeNodeId, ways: &[TreeNodeId], all: &[usize]) -> usize {
        let feasible: Vec<usize> =
            all.iter().copied().filter(|&way| self.tree.is_feasible(ways[way])).collect();
        // The choice depends on the place alone, as that of a witness would.
        let mut chance = Rng::new(self.options.witness ^ ((node.index() as u64) << 32));
        *chance.pick(&feasible).expect("a fork has a feasible way")
    }

    /// The state that goes a way of a fork, or stands before it for several.
    fn stand_for(
        &self,
        fork: &SimulatedState,
        ways: &[TreeNodeId],
        group: Vec<usize>,
    ) -> SimulatedState {
        match group[..] {
            [way] => {
                let left = self.tree.node(ways[way]).steps.get();
                SimulatedState { node: ways[way], left, party: None, ..fork.clone() }
            }
            _ => SimulatedState { party: Some(group), ..fork.clone() },
        }
    }
}

impl View for SimulatedEngine<'_> {
    fn states(&self) -> Vec<StateId> {
        self.states.keys().copied().collect()
    }

    fn work(&self) -> Work {
        self.work
    }

    fn location(&self, state: StateId) -> Location {
        let node = self.states.get(&state).map_or(self.tree.root(), |state| state.node);
        location(self.tree.node(node).block)
    }

    fn depth(&self, state: StateId) -> u32 {
        self.states.get(&state).map_or(0, |state| state.depth)
    }

    fn is_pending(&self, state: StateId) -> bool {
        self.states.get(&state).is_some_and(|state| state.pending)
    }

    fn executions(&self, state: StateId) -> u64 {
        self.block(state).map_or(0, |block| self.metrics.executions(block))
    }

    fn instructions_on_call_path(&self, state: StateId) -> u64 {
        self.block(state).map_or(0, |block| self.metrics.instructions(block))
    }

    fn solver_effort(&self, state: StateId) -> u64 {
        self.states.get(&state).map_or(0, |state| state.own.effort)
    }

    fn distance_to_uncovered(&self, state: StateId) -> Option<u64> {
        let state = self.states.get(&state)?;
        self.metrics.distance(self.tree, state.node, state.left)
    }

    fn distances_epoch(&self) -> u64 {
        self.metrics.epoch()
    }

    fn instructions_since_new_coverage(&self, state: StateId) -> Option<u64> {
        self.states.get(&state)?.own.instructions_since_new_coverage
    }

    fn is_at_uncovered(&self, state: StateId) -> bool {
        self.states.get(&state).is_some_and(|state| {
            let node = self.tree.node(state.node);
            state.left == node.steps.get() && !self.metrics.is_covered(node.block)
        })
    }

    fn is_user_code(&self, _: FuncId) -> bool {
        true
    }

    fn is_forced(&self, site: Site, case: Case, then: Location) -> bool {
        self.tree.is_forced(site.location.block, case.0, then.block)
    }
}

/// The simulated program is one function.
fn location(block: BlockId) -> Location {
    Location { func: FuncId::new(0), block }
}

fn cases(ways: &[usize]) -> Vec<Case> {
    ways.iter().map(|&way| Case(way as u64)).collect()
}

fn site(block: BlockId) -> Site {
    Site { location: location(block), inst: None, decision: Decision::Switch }
}
