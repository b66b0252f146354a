//! The simulation: states on the nodes of a tree, and the loop that asks the searcher.

use std::collections::BTreeMap;

use byway_base::entity::{EntityRef, EntitySet, SecondaryMap};
use byway_base::{Rng, Work};
use byway_ir::{BlockId, FuncId};

use super::metrics::{SimulatedMetrics, StateCounters};
use super::target::TargetLeaf;
use super::tree::{ExecutionTree, TreeNode, TreeNodeId, TreeNodeKind};
use crate::{
    Action, Case, ConditionHash, Decision, Delta, Fork, Location, Milestone, NewCoverage, Protocol,
    Pruner, Searcher, Site, StateId, StateIds, Successor, TestEvidence, Until, View, Violation,
};

/// When the feasibility of successors is decided.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum FeasibilityMode {
    /// At the fork; infeasible cases never become states.
    Eager,
    /// At the fork; infeasible cases are added and removed in the same delta.
    EagerReported,
    /// When picked; until then they are pending.
    Lazy,
}

/// Parameters of a simulation.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct SimulationOptions {
    /// The seed of the searcher's random numbers.
    pub seed: u64,
    /// The seed that decides which case the witness satisfies at each node. It determines
    /// which successor the parent continues as, and nothing else.
    pub witness: u64,
    /// When feasibility is decided.
    pub feasibility: FeasibilityMode,
}

impl Default for SimulationOptions {
    fn default() -> Self {
        SimulationOptions { seed: 0, witness: 0, feasibility: FeasibilityMode::Eager }
    }
}

/// What happened in a simulation.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SimulationRecord {
    /// The picked states, each with its node.
    pub picks: Vec<(StateId, TreeNodeId)>,
    /// The leaves, in the order their paths ended.
    pub leaves: Vec<TreeNodeId>,
    /// The number of pending states that were infeasible.
    pub infeasible: usize,
    /// The number of pending states that could not be decided.
    pub unknown: usize,
    /// The number of dropped states.
    pub dropped: usize,
    /// The number of random tests that took a known path, and of paths that an earlier run ended.
    pub repeated: usize,
    /// How often the pruner began again.
    pub restarts: usize,
    /// The number of instructions executed.
    pub steps: u64,
    /// The largest number of live states.
    pub most_states: usize,
}

/// An exploration of a tree in progress.
pub struct Simulation<'t> {
    pub(super) engine: SimulatedEngine<'t>,
    pub(super) protocol: Protocol,
    pub(super) rng: Rng,
    pub(super) record: SimulationRecord,
}

/// Owns and runs the states; the searcher sees it as its view.
pub(super) struct SimulatedEngine<'t> {
    tree: &'t ExecutionTree,
    options: SimulationOptions,
    ids: StateIds,
    states: BTreeMap<StateId, SimulatedState>,
    metrics: SimulatedMetrics,
    work: Work,
    parents: SecondaryMap<TreeNodeId, Option<TreeNodeId>>,
    /// The blocks on paths that ended.
    tested: EntitySet<BlockId>,
    target: TargetLeaf,
}

#[derive(Clone)]
struct SimulatedState {
    node: TreeNodeId,
    /// The instructions of the node that are still to run.
    left: u64,
    /// For a case group, the indices of its cases at the node's fork.
    group: Option<Vec<usize>>,
    depth: u32,
    pending: bool,
    counters: StateCounters,
}

/// Explores the whole tree and checks that every path was explored exactly once.
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
    /// A simulation with one state at the program's start.
    pub fn new(tree: &'t ExecutionTree, options: SimulationOptions) -> Simulation<'t> {
        let mut engine = SimulatedEngine {
            tree,
            options,
            ids: StateIds::default(),
            states: BTreeMap::new(),
            metrics: SimulatedMetrics::default(),
            work: Work::default(),
            parents: tree.parents(),
            tested: EntitySet::new(),
            target: TargetLeaf::new(tree),
        };
        engine.start();
        let mut protocol = Protocol::default();
        protocol.update(&Delta::all_of(&engine)).expect("the first state is new");
        Simulation {
            engine,
            protocol,
            rng: Rng::new(options.seed),
            record: SimulationRecord::default(),
        }
    }

    /// The view that searchers get.
    pub fn view(&self) -> &dyn View {
        &self.engine
    }

    /// The record so far.
    pub fn record(&self) -> &SimulationRecord {
        &self.record
    }

    /// Reports the live states to a searcher that joins.
    pub fn join(&mut self, searcher: &mut dyn Searcher) -> Result<(), Violation> {
        self.protocol.check_view(&self.engine)?;
        searcher.update(&Delta::all_of(&self.engine), &self.engine);
        Ok(())
    }

    /// Asks the searcher once and performs its action. Returns false if it stopped.
    pub fn turn(&mut self, searcher: &mut dyn Searcher) -> Result<bool, Violation> {
        self.act(searcher, None)
    }

    /// Like [`turn`](Self::turn); afterwards the pruner may drop states.
    pub fn turn_pruned(
        &mut self,
        searcher: &mut dyn Searcher,
        pruner: &mut dyn Pruner,
    ) -> Result<bool, Violation> {
        let continues = self.act(searcher, Some(pruner))?;
        let starts_over = pruner.requirements().restarts
            && pruner.starts_over(!continues, &self.engine, &mut self.rng);
        if starts_over {
            self.record.restarts += 1;
            let dropped = self.engine.states();
            let started = vec![self.engine.start()];
            self.drop_states(dropped, started, searcher, pruner)?;
        }
        if continues && pruner.is_due(&self.engine) {
            let dropped = pruner.prune(&self.engine, &mut self.rng);
            self.protocol.prune(&dropped)?;
            self.drop_states(dropped, Vec::new(), searcher, pruner)?;
        }
        Ok(continues || starts_over)
    }

    fn drop_states(
        &mut self,
        dropped: Vec<StateId>,
        started: Vec<StateId>,
        searcher: &mut dyn Searcher,
        pruner: &mut dyn Pruner,
    ) -> Result<(), Violation> {
        dropped.iter().for_each(|&state| self.engine.remove(state));
        self.report(&Delta { dropped, started, ..Delta::default() }, searcher, Some(pruner))
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
            Action::RandomTest => self.engine.random_test(&mut self.rng, &mut self.record),
            // A simulated program has no chain and no functions to start in, and its view says so.
            Action::RandomTests { .. } | Action::SearchBackward | Action::Stop => return Ok(false),
        };
        self.report(&delta, searcher, pruner)?;
        Ok(true)
    }

    pub(super) fn report(
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

    /// Ends the simulation. It is an error if states are left, if a leaf was reached twice,
    /// or if one was not reached although no states were dropped.
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
    /// Adds a state at the program's start.
    fn start(&mut self) -> StateId {
        let root = self.tree.root();
        self.add(SimulatedState {
            node: root,
            left: self.tree.node(root).steps.get(),
            group: None,
            depth: 0,
            pending: false,
            counters: StateCounters::default(),
        })
    }

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

    /// Runs a live state.
    pub(super) fn run(
        &mut self,
        id: StateId,
        until: Until,
        record: &mut SimulationRecord,
    ) -> Delta {
        let mut delta = Delta { ran: Some(id), ..Delta::default() };
        let Some(mut state) = self.states.get(&id).cloned() else { return delta };
        record.picks.push((id, state.node));
        match self.reject(&state, &mut delta) {
            Some(list) => list.push(id),
            None => {
                state.pending = false;
                let budget = self.advance(id, &mut state, until, &mut delta);
                let steps = until.steps.get() - budget;
                record.steps += steps;
                self.work += Work::of_instructions(steps);
                if !delta.ended.is_empty() {
                    self.target.reach(state.node);
                    // A path that an earlier run ended is reported once.
                    match record.restarts > 0 && record.leaves.contains(&state.node) {
                        true => record.repeated += 1,
                        false => record.leaves.push(state.node),
                    }
                }
            }
        }
        match delta.removed().any(|removed| removed == id) {
            true => self.remove(id),
            false => _ = self.states.insert(id, state),
        }
        self.metrics.refresh_distances();
        delta
    }

    /// For a state without a feasible case, the list of the delta that must report it.
    fn reject<'d>(
        &self,
        state: &SimulatedState,
        delta: &'d mut Delta,
    ) -> Option<&'d mut Vec<StateId>> {
        let nodes = match (&state.group, &self.tree.node(state.node).kind) {
            (Some(group), TreeNodeKind::Fork(children)) => {
                group.iter().map(|&case| children[case]).collect()
            }
            _ => vec![state.node],
        };
        if nodes.iter().any(|&node| self.tree.is_feasible(node)) {
            return None;
        }
        let is_unknown = |&node: &TreeNodeId| self.tree.node(node).kind == TreeNodeKind::Unknown;
        Some(if nodes.iter().any(is_unknown) { &mut delta.unknown } else { &mut delta.infeasible })
    }

    /// Runs a random input: at each fork, every feasible child has the same probability.
    pub(super) fn random_test(&mut self, rng: &mut Rng, record: &mut SimulationRecord) -> Delta {
        let id = self.ids.fresh();
        let mut delta =
            Delta { ran: Some(id), started: vec![id], ended: vec![id], ..Delta::default() };
        let (mut node, mut counters) = (self.tree.root(), StateCounters::default());
        loop {
            let TreeNode { block, steps, kind, .. } = self.tree.node(node);
            if self.metrics.enter(*block, &mut counters) {
                delta.new_coverage.push(NewCoverage { state: id, location: location(*block) });
            }
            self.metrics.ran(*block, steps.get(), &mut counters);
            record.steps += steps.get();
            self.work += Work::of_instructions(steps.get());
            let TreeNodeKind::Fork(children) = kind else { break };
            let children: Vec<TreeNodeId> =
                children.iter().copied().filter(|&child| self.tree.is_feasible(child)).collect();
            node = *rng.pick(&children).expect("a fork has a feasible child");
        }
        match record.leaves.contains(&node) {
            true => {
                record.repeated += 1;
                delta.repeated.push(id);
            }
            false => {
                record.leaves.push(node);
                delta.newly_tested += self.test(node);
            }
        }
        delta
    }

    /// The path to a leaf ended. Returns the number of blocks that no path before it executed
    /// and ended.
    fn test(&mut self, leaf: TreeNodeId) -> u64 {
        let path = std::iter::successors(Some(leaf), |&node| self.parents[node]);
        path.map(|node| u64::from(self.tested.insert(self.tree.node(node).block))).sum()
    }

    /// What the test of a leaf shows: the blocks of its path, and which child it took at each fork.
    fn evidence(&self, leaf: TreeNodeId) -> TestEvidence {
        let mut covered: Vec<u64> = Vec::new();
        for node in std::iter::successors(Some(leaf), |&node| self.parents[node]) {
            let block = self.tree.node(node).block.index();
            covered.resize(covered.len().max(block / 64 + 1), 0);
            covered[block / 64] |= 1 << (block % 64);
        }
        TestEvidence { conditions: self.conditions_of(leaf), covered }
    }

    /// The conditions of a path: a node stands for the condition that leads to it.
    fn conditions_of(&self, node: TreeNodeId) -> Vec<ConditionHash> {
        let path = std::iter::successors(Some(node), |&node| self.parents[node]);
        path.map(|node| ConditionHash(node.index() as u64)).collect()
    }

    /// Runs to the milestone or until the steps are used up. Returns the steps left.
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
            if state.left == node.steps.get() && self.metrics.enter(block, &mut state.counters) {
                delta.new_coverage.push(NewCoverage { state: id, location: location(block) });
            }
            let steps = budget.min(state.left);
            self.metrics.ran(block, steps, &mut state.counters);
            budget -= steps;
            state.left -= steps;
            if state.left > 0 {
                break;
            }
            let TreeNodeKind::Fork(children) = &self.tree.node(state.node).kind else {
                delta.ended.push(id);
                delta.newly_tested += self.test(state.node);
                delta.evidence.push(self.evidence(state.node));
                break;
            };
            let mode = if until.defers { FeasibilityMode::Lazy } else { self.options.feasibility };
            let fork = self.fork(id, state, children, mode, delta);
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
        children: &[TreeNodeId],
        mode: FeasibilityMode,
        delta: &mut Delta,
    ) -> Fork {
        let TreeNode { block, grouped, .. } = *self.tree.node(state.node);
        let splits_group = state.group.is_some();
        let mut all = state.group.take().unwrap_or_else(|| (0..children.len()).collect());
        let taken = self.witness_case(state.node, children, &all);
        all.retain(|&case| case != taken);
        let size = if grouped { all.len().div_ceil(2).max(1) } else { 1 };
        let mut groups: Vec<Vec<usize>> = all.chunks(size).map(<[usize]>::to_vec).collect();
        groups.push(vec![taken]);
        groups.sort();
        let is_feasible = |case: &usize| self.tree.is_feasible(children[*case]);
        if mode == FeasibilityMode::Eager {
            groups.retain(|group| group.iter().any(is_feasible));
        }
        // The fork of a group was counted when the group formed.
        state.depth += u32::from(groups.len() > 1 && !splits_group);
        state.counters.solve(block, groups.len());
        let fork = state.clone();
        let successors = groups.into_iter().map(|group| {
            let (case, grouped_cases) = (Case(group[0] as u64), cases(&group[1..]));
            let successor = SimulatedState {
                pending: mode == FeasibilityMode::Lazy,
                ..self.successor(&fork, children, group)
            };
            if case.0 == taken as u64 {
                *state = SimulatedState { pending: false, ..successor };
                return Successor { case, grouped_cases, state: id };
            }
            let list = match mode {
                FeasibilityMode::EagerReported => self.reject(&successor, delta),
                FeasibilityMode::Eager | FeasibilityMode::Lazy => None,
            };
            let successor = match list {
                Some(list) => {
                    list.push(self.ids.fresh());
                    list[list.len() - 1]
                }
                None => self.add(successor),
            };
            Successor { case, grouped_cases, state: successor }
        });
        let successors = successors.collect();
        Fork { parent: id, site: site(block), splits_group, successors }
    }

    /// The case among `all` that the witness satisfies.
    fn witness_case(&self, node: TreeNodeId, children: &[TreeNodeId], all: &[usize]) -> usize {
        let feasible: Vec<usize> =
            all.iter().copied().filter(|&case| self.tree.is_feasible(children[case])).collect();
        // The choice depends on the node alone, as that of a real witness would.
        let mut chance = Rng::new(self.options.witness ^ ((node.index() as u64) << 32));
        *chance.pick(&feasible).expect("a fork has a feasible child")
    }

    /// The successor for a case, or for a group of cases, which stays at the fork.
    fn successor(
        &self,
        fork: &SimulatedState,
        children: &[TreeNodeId],
        group: Vec<usize>,
    ) -> SimulatedState {
        match group[..] {
            [case] => {
                let left = self.tree.node(children[case]).steps.get();
                SimulatedState { node: children[case], left, group: None, ..fork.clone() }
            }
            _ => SimulatedState { group: Some(group), ..fork.clone() },
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

    fn conditions(&self, state: StateId) -> Vec<ConditionHash> {
        self.states.get(&state).map_or(Vec::new(), |state| self.conditions_of(state.node))
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
        self.states.get(&state).map_or(0, |state| state.counters.effort)
    }

    fn distance_to_uncovered(&self, state: StateId) -> Option<u64> {
        let state = self.states.get(&state)?;
        self.metrics.distance(self.tree, state.node, state.left)
    }

    fn distance_to_target(&self, state: StateId) -> Option<u64> {
        let state = self.states.get(&state)?;
        self.target.distance(state.node, state.left)
    }

    fn distance_in_function(&self, state: StateId) -> Option<u64> {
        self.distance_to_target(state)
    }

    fn distances_epoch(&self) -> u64 {
        self.metrics.epoch()
    }

    fn instructions_since_new_coverage(&self, state: StateId) -> Option<u64> {
        self.states.get(&state)?.counters.instructions_since_new_coverage
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

/// The simulated program is a single function.
fn location(block: BlockId) -> Location {
    Location { func: FuncId::new(0), block }
}

fn cases(children: &[usize]) -> Vec<Case> {
    children.iter().map(|&case| Case(case as u64)).collect()
}

fn site(block: BlockId) -> Site {
    Site { location: location(block), inst: None, decision: Decision::Switch }
}
