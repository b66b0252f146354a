//! Targets: points of the program that an exploration is to reach.
//!
//! A path reaches a target when it gets to one of its points; the target is *closed* when a test
//! of such a path exists, for all workers. [`TargetDistances`] owns which targets are open, the
//! distances to them, and what each watch is for. What happens to a state that reaches one is in
//! [`super::reach`].
//!
//! A target may stand for a fault at its points. Then only a path with such a fault closes it, and
//! a path that got to the points stays: the fault may show later, in a function that is called
//! there or at the program's end.

use std::fmt;
use std::rc::Rc;
use std::sync::Arc;

use byway_base::{Fault, Outcome, Work};
use byway_ir::analysis::{DistanceGraph, Distances, FunctionDistances, ProgramPoint};
use rustc_hash::FxHashMap;

use super::PrecedingFault;
use super::metrics::points;
use super::preceding_faults::PrecedingFaults;
use crate::path_info::PathInfo;
use crate::program::Program;
use crate::state::State;
use crate::watch::{WatchId, Watches};

/// Work per block between two measurements, so that measuring again for each of many targets
/// that close stays a small part of a run.
const WORK_PER_BLOCK: u64 = 10;

/// Measurements that cost nothing in comparison with a run.
const FREE_MEASUREMENTS: u64 = 16;

/// The distance of a state that got to a target for a fault, and has no path to any target. It is
/// greater than any other.
const BEHIND_TARGET: u64 = 1 << 40;

/// Points of the program: a path that gets to any of them reaches the target.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Target {
    /// Its points.
    pub points: Vec<ProgramPoint>,
    /// If it stands for a fault: a path that gets to a point reaches the target only with this
    /// fault.
    pub fault: Option<FaultFilter>,
}

impl Target {
    /// A target that every path to these points reaches.
    pub fn at(points: Vec<ProgramPoint>) -> Target {
        Target { points, fault: None }
    }

    /// Whether a path that got to the points and ended so reaches the target.
    pub(super) fn accepts(&self, outcome: &Outcome) -> bool {
        match (&self.fault, outcome) {
            (None, _) => true,
            (Some(filter), Outcome::Fault(fault)) => filter.0(fault),
            (Some(_), _) => false,
        }
    }
}

/// Selects faults. Two are equal if they are clones.
#[derive(Clone)]
pub struct FaultFilter(Arc<dyn Fn(&Fault) -> bool + Send + Sync>);

impl FaultFilter {
    /// Selects the faults for which `accepts` holds.
    pub fn new(accepts: impl Fn(&Fault) -> bool + Send + Sync + 'static) -> FaultFilter {
        FaultFilter(Arc::new(accepts))
    }
}

impl PartialEq for FaultFilter {
    fn eq(&self, other: &FaultFilter) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for FaultFilter {}

impl fmt::Debug for FaultFilter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("FaultFilter")
    }
}

/// What an exploration found out about a target.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TargetOutcome {
    /// The number of the first path whose test reaches it.
    pub path: Option<u64>,
    /// Whether no path of the control flow graph leads there from the start.
    pub is_statically_unreachable: bool,
    /// Whether a state that is left could still reach it, as far as is known.
    pub is_pending: bool,
    /// If a path ended with a fault from where a native run may continue and reach it: the fault.
    pub preceding_fault: Option<PrecedingFault>,
}

/// Counts of targets.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct TargetTotals {
    /// Targets that no test reaches yet.
    pub open: u64,
    /// The least distance of a state to an open target so far, in instructions.
    pub nearest: Option<u64>,
    /// States dropped because no open target is reachable from them. Nothing is lost by that.
    pub unreachable: u64,
}

/// Which targets are open, and how far it is to them.
#[derive(Default)]
pub(super) struct TargetDistances {
    graph: Option<Rc<DistanceGraph>>,
    targets: Vec<Vec<ProgramPoint>>,
    /// The targets of each point.
    by_point: FxHashMap<ProgramPoint, Vec<u32>>,
    open: Vec<bool>,
    /// Whether each stands for a fault.
    for_fault: Vec<bool>,
    /// To all targets that were open at the last measurement. A closed one among them makes
    /// distances too short, which costs time but loses nothing.
    distances: Option<Distances>,
    /// The same within functions, if a searcher requires them.
    in_functions: Option<FunctionDistances>,
    measurements: u64,
    /// Entries of functions with partial paths.
    attracting: Vec<ProgramPoint>,
    /// Whether a target was closed since.
    is_stale: bool,
    preceding_faults: PrecedingFaults,
}

impl TargetDistances {
    /// Also measures distances within functions, if `in_functions`.
    pub fn new(
        graph: Rc<DistanceGraph>,
        targets: &[Target],
        in_functions: bool,
    ) -> TargetDistances {
        let distances = graph.to(targets.iter().flat_map(|target| target.points.iter().copied()));
        let mut by_point: FxHashMap<ProgramPoint, Vec<u32>> = FxHashMap::default();
        for (number, target) in (0..).zip(targets) {
            target.points.iter().for_each(|&at| by_point.entry(at).or_default().push(number));
        }
        TargetDistances {
            by_point,
            targets: targets.iter().map(|target| target.points.clone()).collect(),
            open: vec![true; targets.len()],
            for_fault: targets.iter().map(|target| target.fault.is_some()).collect(),
            in_functions: in_functions.then(|| graph.within_functions(&distances)),
            distances: Some(distances),
            graph: Some(graph),
            preceding_faults: PrecedingFaults::new(targets.len()),
            ..TargetDistances::default()
        }
    }

    /// Whether the exploration has targets.
    pub fn exist(&self) -> bool {
        !self.targets.is_empty()
    }

    /// The number of open targets.
    pub fn open(&self) -> u64 {
        self.open.iter().filter(|&&open| open).count() as u64
    }

    /// Whether there were targets, and all are closed.
    pub fn are_closed(&self) -> bool {
        self.exist() && !self.open.contains(&true)
    }

    pub fn is_open(&self, target: u32) -> bool {
        self.open.get(target as usize) == Some(&true)
    }

    /// Closes a target; returns whether it was open.
    pub fn close(&mut self, target: u32, watches: &Watches) -> bool {
        let Some(open) = self.open.get_mut(target as usize) else { return false };
        if !std::mem::replace(open, false) {
            return false;
        }
        self.is_stale = true;
        let points = &self.targets[target as usize];
        for watch in points.iter().filter_map(|&point| watches.at(point)) {
            if self.watched_by(watch, watches).next().is_none() {
                watches.set_active(watch, false);
            }
        }
        true
    }

    /// The open targets that a watch is for.
    pub fn watched_by<'a>(
        &'a self,
        watch: WatchId,
        watches: &'a Watches,
    ) -> impl Iterator<Item = u32> + 'a {
        let targets = watches.point(watch).and_then(|point| self.by_point.get(&point));
        targets.into_iter().flatten().copied().filter(|&target| self.is_open(target))
    }

    /// Whether a path has reached an open target, other than one for a fault.
    pub fn has_reached(&self, path: &PathInfo) -> bool {
        path.reached()
            .iter()
            .any(|&target| self.is_open(target) && !self.for_fault[target as usize])
    }

    /// Whether a path got to the points of an open target for a fault.
    fn is_behind_target(&self, path: &PathInfo) -> bool {
        path.reached().iter().any(|&target| self.is_open(target) && self.for_fault[target as usize])
    }

    /// The distance of a state to an open target: 0 if it has reached one, else at least 1;
    /// `None` if it cannot reach any.
    pub fn distance(&self, program: &Program, state: &State) -> Option<u64> {
        if self.has_reached(&state.path) {
            return Some(0);
        }
        let (graph, distances) = (self.graph.as_ref()?, self.distances.as_ref()?);
        let ahead = distances.along(graph, points(program, state)).map(|distance| 1 + distance);
        ahead.or_else(|| self.is_behind_target(&state.path).then_some(BEHIND_TARGET))
    }

    /// The distance of a state within its function.
    pub fn distance_in_function(&self, program: &Program, state: &State) -> Option<u64> {
        let (graph, distances) = (self.graph.as_ref()?, self.in_functions.as_ref()?);
        match self.has_reached(&state.path) {
            true => Some(0),
            false => Some(1 + distances.from(graph, points(program, state).next()?)?),
        }
    }

    /// A path that gets to this point can follow a partial path: it counts as near as a target.
    pub fn attract(&mut self, point: ProgramPoint) {
        self.attracting.push(point);
        self.is_stale = true;
    }

    /// Measures distances again if targets were closed, and not too often.
    pub fn update(&mut self, now: Work) {
        let Some(graph) = self.graph.as_ref().filter(|_| self.is_stale) else { return };
        let cost = self.measurements.saturating_sub(FREE_MEASUREMENTS) * graph.blocks() as u64;
        if now.0 < cost * WORK_PER_BLOCK {
            return;
        }
        let open = self.targets.iter().zip(&self.open).filter(|&(_, &open)| open);
        let points = open.flat_map(|(points, _)| points).chain(&self.attracting);
        let distances = graph.to(points.copied());
        self.in_functions = self.in_functions.take().map(|_| graph.within_functions(&distances));
        self.distances = Some(distances);
        self.measurements += 1;
        self.is_stale = false;
    }

    /// A path ended with a fault: the targets behind it stay undecided.
    pub fn end_at_fault(&mut self, program: &Program, state: &State, fault: &Fault) {
        let Some(graph) = &self.graph else { return };
        let reached = state.path.reached().iter().copied();
        let passed = reached.filter(|&target| self.for_fault[target as usize]);
        self.preceding_faults.add(program, state, fault, passed);
        if self.preceding_faults.is_full() {
            self.preceding_faults.find(graph, &self.targets);
        }
    }

    /// For each target, a fault that ended a path before it.
    pub fn take_preceding_faults(&mut self) -> Vec<Option<PrecedingFault>> {
        if let Some(graph) = &self.graph {
            self.preceding_faults.find(graph, &self.targets);
        }
        self.preceding_faults.take()
    }

    /// For each target, whether a path of the control flow graph leads there from one of these
    /// states, or one has reached it.
    pub fn reachable_from<'s>(
        &self,
        program: &Program,
        states: impl Iterator<Item = &'s State>,
    ) -> Vec<bool> {
        let Some(graph) = &self.graph else { return Vec::new() };
        let mut reachable = graph.reachable();
        let mut is_reached = vec![false; self.targets.len()];
        for state in states {
            reachable.add(points(program, state));
            state.path.reached().iter().for_each(|&target| is_reached[target as usize] = true);
        }
        let is_reachable =
            |points: &Vec<ProgramPoint>| points.iter().any(|&p| reachable.contains(p));
        self.targets.iter().zip(is_reached).map(|(points, is)| is || is_reachable(points)).collect()
    }
}
