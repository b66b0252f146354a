//! Checkpoints: what an exploration needs to go on when its process is gone.
//!
//! Live states are kept as [traces](super::workers), which name no memory, term or operation of
//! this process. A checkpoint lists what changed since the one before: states that are new, and
//! states that are gone. An exploration that goes on follows the traces to its first states; paths
//! that end a second time are recognised by their digests. A state that its input may not lead to
//! again is kept as the program's start: everything is explored again then, and nothing is lost.
//!
//! A state is known by a key that depends on its position on its path alone, so a state that
//! moves to another worker keeps it. The worker that gives a state away adds it unless a
//! checkpoint has it already; the worker that received it removes it when it is gone. Checkpoints
//! of several workers arrive in any order, so readers count: a state is alive that was added
//! more often than it was removed.

mod encoding;

use std::time::Duration;

use byway_base::KeyedBytes;
use byway_search::{Delta, KnowledgeTable, StateId, View};
use rustc_hash::FxHashSet;

pub(super) use encoding::SavedTrace;
use encoding::{ShapeTable, Shapes, key_of};

use super::explorer::Explorer;
use super::workers::{Trace, saved_trace};
use super::{ExploreConfig, SearchStrategy};

/// Collecting the states of checkpoints may take one part in so many of the processor time. Writing
/// them, on another thread, takes less than half as long.
const COST_DIVISOR: u32 = 75;

/// More new states are written in several parts.
const STATES_PER_PART: usize = 50_000;

/// The clock is read once in this many rounds.
const ROUNDS_PER_LOOK: u32 = 16;

/// Progress is reported once for this many states that an exploration goes on with.
const STATES_PER_TICK: usize = 64;

/// What changed since the checkpoint before of a worker.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CheckpointChanges {
    /// The number of the worker.
    pub worker: usize,
    /// Everything that its strategies have learnt; `None` if another part of the checkpoint has it.
    pub learnt: Option<Vec<KnowledgeTable>>,
    /// Names and sizes of symbolic objects that states refer to.
    pub shapes: Vec<Vec<u8>>,
    /// New states, each with its key.
    pub added: KeyedBytes,
    /// The keys of states that are gone.
    pub removed: Vec<u64>,
}

/// Where an exploration goes on.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ResumePoint {
    /// As in [`CheckpointChanges`].
    pub shapes: Vec<Vec<u8>>,
    /// The states to continue with. `None`: the exploration starts from the program's start.
    pub states: Option<KeyedBytes>,
    /// The paths that ended, each with whether a limit, an interrupt or a drop cut it short.
    pub paths: Vec<(u64, bool)>,
    /// The highest number of a path.
    pub last_path: u64,
    /// The coverage sites that tests cover, each with the number of the first path that does.
    pub covered: Vec<(u32, u64)>,
}

impl ResumePoint {
    /// What tests cover of a program with so many coverage sites.
    pub(super) fn covered_of(&self, sites: usize) -> impl Iterator<Item = (u32, u64)> + '_ {
        self.covered.iter().copied().filter(move |&(site, _)| (site as usize) < sites)
    }
}

/// What the last checkpoint of a worker has, and when the next one is due.
pub(super) struct Checkpoints {
    interval: Duration,
    /// The processor time at which the next one is due.
    due: Duration,
    rounds: u32,
    /// The keys of the states in the last checkpoint.
    saved: FxHashSet<u64>,
    /// States that were given away before a checkpoint had them.
    given: KeyedBytes,
    /// The keys of states that the exploration was to go on with, and did not come to.
    unfollowed: FxHashSet<u64>,
    shapes: Shapes,
}

impl Checkpoints {
    /// Checkpoints at intervals of processor time; `None` if there are none.
    pub fn new(config: &ExploreConfig) -> Option<Checkpoints> {
        let interval = config.checkpoint_interval?;
        Some(Checkpoints {
            interval,
            due: interval,
            rounds: 0,
            saved: FxHashSet::default(),
            given: KeyedBytes::default(),
            unfollowed: FxHashSet::default(),
            shapes: Shapes::default(),
        })
    }

    /// A state arrives from another worker, or from an earlier exploration.
    pub fn receive(&mut self, trace: &Trace) {
        self.saved.insert(key_of(trace));
    }

    /// The exploration stops before it comes to a state.
    pub fn leave(&mut self, trace: &Trace) {
        let key = key_of(trace);
        self.saved.insert(key);
        self.unfollowed.insert(key);
    }
}

impl Explorer<'_, '_, '_> {
    /// Goes on with the states of an earlier exploration.
    pub(super) fn resume(&mut self, point: &ResumePoint, strategy: &mut SearchStrategy) {
        let Some(states) = &point.states else { return };
        let shapes = ShapeTable::decode(&point.shapes);
        let mut delta = Delta::default();
        for (number, (_, bytes)) in states.iter().enumerate() {
            let trace = SavedTrace::decode(bytes, &shapes);
            if self.budget.is_stopped() {
                self.leave_unfinished(trace.as_ref());
                continue;
            }
            self.take_in(trace, &mut delta);
            self.limit_memory(&mut delta);
            if number % STATES_PER_TICK == 0 {
                self.tick();
            }
        }
        self.results.count_states(self.frontier.len());
        self.publish(strategy, &delta);
        self.collect_if_due();
    }

    /// A state leaves this worker.
    pub(super) fn give_to_checkpoint(&mut self, id: StateId) {
        let Some(checkpoints) = &mut self.checkpoints else { return };
        let Some(state) = self.frontier.get(id) else { return };
        let trace = saved_trace(&self.machine, state).unwrap_or_else(SavedTrace::start);
        let key = trace.key();
        if !checkpoints.saved.remove(&key) {
            let Checkpoints { given, shapes, .. } = checkpoints;
            given.push_with(key, |out| {
                trace.encode_state(&self.machine.pool, &state.path, shapes, out);
            });
        }
    }

    /// Writes a checkpoint if one is due. All states are in the frontier.
    pub(super) fn checkpoint_if_due(&mut self, strategy: &SearchStrategy) {
        let Some(checkpoints) = &mut self.checkpoints else { return };
        checkpoints.rounds += 1;
        if checkpoints.rounds < ROUNDS_PER_LOOK || self.budget.is_stopped() {
            return;
        }
        checkpoints.rounds = 0;
        let began = self.budget.processor_time();
        if began < checkpoints.due {
            return;
        }
        self.checkpoint(strategy);
        let ended = self.budget.processor_time_now();
        if let Some(checkpoints) = &mut self.checkpoints {
            let pause = checkpoints.interval.max((ended - began) * COST_DIVISOR);
            checkpoints.due = ended + pause;
        }
    }

    /// Writes a checkpoint. Many states are written in parts, the states that are gone with the last:
    /// after the first parts alone, a reader finds states too many, and none too few.
    pub(super) fn checkpoint(&mut self, strategy: &SearchStrategy) {
        let Some(mut checkpoints) = self.checkpoints.take() else { return };
        self.update_totals();
        let worker = self.worker.number() as usize;
        let mut changes = CheckpointChanges { worker, ..CheckpointChanges::default() };
        let mut live = checkpoints.unfollowed.clone();
        live.reserve(self.frontier.len());
        for id in self.frontier.states() {
            let Some(state) = self.frontier.get(id) else { continue };
            let trace = saved_trace(&self.machine, state).unwrap_or_else(SavedTrace::start);
            let key = trace.key();
            if live.insert(key) && !checkpoints.saved.contains(&key) {
                let shapes = &mut checkpoints.shapes;
                changes.added.push_with(key, |out| {
                    trace.encode_state(&self.machine.pool, &state.path, shapes, out);
                });
            }
            if changes.added.len() == STATES_PER_PART {
                changes.shapes = checkpoints.shapes.take_new();
                let rest = CheckpointChanges { worker, ..CheckpointChanges::default() };
                self.results.checkpoint(std::mem::replace(&mut changes, rest));
            }
        }
        changes.learnt = Some(strategy.knowledge().tables);
        changes.removed = checkpoints.saved.difference(&live).copied().collect();
        changes.removed.sort_unstable();
        changes.added.append(&mut checkpoints.given);
        changes.shapes = checkpoints.shapes.take_new();
        checkpoints.saved = live;
        self.checkpoints = Some(checkpoints);
        self.results.checkpoint(changes);
    }
}
