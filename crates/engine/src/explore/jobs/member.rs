//! The part of one worker: when it gives work and which, what it does with work it
//! takes, and the limits that hold for all together.

use std::time::{Duration, Instant};

use byway_base::{InternalError, InternalErrorKind, Outcome, Work};
use byway_search::{Delta, NewCoverage, Searcher, StateId};

use super::super::follow::start_replay;
use super::super::{Explorer, StopReason, Totals};
use super::WorkerTotals;
use super::exchange::{Exchange, Parcel};
use super::trace::Trace;
use crate::reason::UndecidedReason;
use crate::seeds::PathSeeds;

/// States that are given at once, at the most.
const MOST_GIVEN: usize = 1 << 10;

/// How many instructions it may take to come to all states that are given at once:
/// whoever takes them follows them all before it begins.
const MOST_TO_FOLLOW: u64 = 20_000_000;

/// Whoever had nothing to give is not asked again for so many picks.
const PATIENCE: u32 = 100;

/// One of several explorations that share the work.
pub(in super::super) struct Worker<'a> {
    exchange: &'a Exchange,
    number: usize,
    /// For how many looks it is of no use to ask for work.
    poor: u32,
    /// What is known here of sites that others came by and that tests cover.
    seen: Vec<u64>,
    credited: Vec<u64>,
    given: u64,
    taken: u64,
    followed: u64,
    diverged: u64,
    idle: Duration,
}

impl<'a> Worker<'a> {
    /// The worker of this number; the first begins with the program's start.
    pub fn new(exchange: &'a Exchange, number: usize) -> Self {
        Worker {
            exchange,
            number,
            poor: 0,
            seen: Vec::new(),
            credited: Vec::new(),
            given: 0,
            taken: 0,
            followed: 0,
            diverged: 0,
            idle: Duration::ZERO,
        }
    }

    /// Which worker it is, from zero.
    pub fn number(&self) -> u64 {
        self.number as u64
    }

    /// When the exploration began.
    pub fn began(&self) -> Instant {
        self.exchange.began
    }

    /// What it did.
    pub fn totals(&self, totals: &Totals) -> WorkerTotals {
        WorkerTotals {
            paths: totals.path_count(),
            instructions: totals.instructions,
            forks: totals.forks,
            queries: totals.solver.queries,
            given: self.given,
            taken: self.taken,
            followed: self.followed,
            diverged: self.diverged,
            idle: self.idle,
        }
    }
}

impl Explorer<'_, '_, '_> {
    /// Counts instructions on the way to a state of another worker.
    pub(super) fn count_taken(&mut self, instructions: u64) {
        if let Some(member) = &mut self.member {
            member.followed += instructions;
        }
    }

    /// Whether the state that runs had better go back to the others, since somebody
    /// waits for work.
    pub(in super::super) fn is_asked_for_work(&mut self) -> bool {
        let others = self.frontier.len();
        let Some(member) = &mut self.member else { return false };
        if others == 0 || !member.exchange.wants_work() {
            return false;
        }
        member.poor = member.poor.saturating_sub(1);
        member.poor == 0
    }

    /// Gives about half of the states to whoever waits for work: every second one, those
    /// with the fewest forks behind them first, as they have the most before them.
    pub(in super::super) fn give_work(&mut self, delta: &mut Delta) {
        if self.frontier.len() < 2 || self.stop.is_some() || !self.is_asked_for_work() {
            return;
        }
        let Some(exchange) = self.member.as_ref().map(|member| member.exchange) else { return };
        exchange.give(|| self.parcel(delta));
    }

    fn parcel(&mut self, delta: &mut Delta) -> Option<Parcel> {
        let mut ids: Vec<(u32, StateId)> = byway_search::View::states(&self.frontier)
            .into_iter()
            .filter_map(|id| Some((self.frontier.get(id)?.path.depth, id)))
            .collect();
        ids.sort_unstable();
        let most = (ids.len() / 2).min(MOST_GIVEN);
        let mut parcel = Vec::new();
        let mut to_follow = 0;
        let mut theirs = false;
        for (_, id) in ids {
            if parcel.len() == most || to_follow > MOST_TO_FOLLOW {
                break;
            }
            let Some(trace) = self.frontier.get(id).and_then(|state| self.trace_of(state)) else {
                continue;
            };
            theirs = !theirs;
            if !theirs {
                continue;
            }
            to_follow += trace.instructions;
            parcel.push(trace.encode());
            self.frontier.take(id);
            delta.dropped.push(id);
        }
        let member = self.member.as_mut()?;
        member.given += parcel.len() as u64;
        if parcel.is_empty() {
            member.poor = PATIENCE;
            return None;
        }
        Some(parcel)
    }

    /// There is nothing left to do here: waits for work of others. Tells whether any came.
    pub(in super::super) fn take_work(&mut self, searcher: &mut dyn Searcher) -> bool {
        let Some(exchange) = self.member.as_ref().map(|member| member.exchange) else {
            return false;
        };
        if self.frontier.len() > 0 {
            return false;
        }
        self.tell_load();
        self.bring_up_to_date();
        self.desk.flush(&self.totals);
        let since = Instant::now();
        let parcel = exchange.take();
        if let Some(member) = &mut self.member {
            member.idle += since.elapsed();
        }
        let Some(parcel) = parcel else {
            self.stop_together();
            return false;
        };
        let mut delta = Delta::default();
        for bytes in &parcel {
            self.take_in(bytes, &mut delta);
        }
        self.count_states(0);
        self.tell_load();
        exchange.arrived(parcel.len());
        searcher.update(&delta, &self.frontier);
        self.collect_if_due();
        true
    }

    fn take_in(&mut self, bytes: &[u8], delta: &mut Delta) {
        let trace = Trace::decode(bytes);
        let state = trace.as_ref().and_then(|trace| self.follow(trace));
        if let Some(member) = &mut self.member {
            member.taken += 1;
            member.diverged += u64::from(state.is_none());
        }
        let Some(state) = state else { return self.lose(trace) };
        let id = self.frontier.add(state);
        delta.started.push(id);
        let sites = self.machine.program.sites();
        let fresh = self.machine.coverage.fresh.drain(..);
        let covered =
            fresh.map(|site| NewCoverage { state: id, location: sites[site as usize].location() });
        delta.new_coverage.extend(covered);
    }

    /// A trace did not lead where it should. Its input is all that is left of the path.
    fn lose(&mut self, trace: Option<Trace>) {
        self.machine.coverage.fresh.clear();
        if trace.as_ref().is_none_or(|trace| trace.way.is_some_and(|way| way.pending)) {
            let undecided = &mut self.totals.losses.undecided;
            *undecided.entry(UndecidedReason::ReplayDiverged).or_default() += 1;
            return;
        }
        let (Some(mut state), Some(trace)) = (self.home.state.clone(), trace) else { return };
        start_replay(&mut state, &trace.inputs);
        let path = &mut state.path;
        for input in trace.inputs.iter().skip(path.inputs.len()) {
            path.new_input(&mut self.machine.pool, &input.name, input.bytes.len() as u32);
        }
        path.seeds = PathSeeds::default();
        path.preferences_applied = path.preferences.len();
        (path.digest, path.instructions) = (trace.digest, trace.instructions);
        path.depth = trace.depth;
        let kind = InternalErrorKind::ReplayDiverged;
        let error = InternalError { kind, stack: Vec::new() };
        self.end(state, Outcome::InternalError(Box::new(error)));
    }

    /// The work of all workers.
    pub(in super::super) fn work_of_all(&self) -> Work {
        match &self.member {
            None => self.work(),
            Some(member) => {
                let (others, _) = member.exchange.loads_beside(member.number);
                self.work() + Work(others)
            }
        }
    }

    /// How much of what is left for all this worker may do before it looks again.
    pub(in super::super) fn share_of(&self, left: u64) -> u64 {
        left / self.member.as_ref().map_or(1, |member| member.exchange.jobs as u64)
    }

    /// The states of all workers.
    pub(in super::super) fn states_of_all(&self) -> usize {
        let others = self.member.as_ref().map_or(0, |member| {
            let (_, states) = member.exchange.loads_beside(member.number);
            states
        });
        self.frontier.len() + others
    }

    /// Tells others how much this worker has and did, if there are limits on that.
    fn tell_load(&self) {
        let limits = &self.config.limits;
        if let Some(member) = &self.member
            && (limits.work.is_some() || limits.states.is_some())
        {
            member.exchange.load(member.number, self.work().0, self.frontier.len());
        }
    }

    /// Where one stops, all do.
    pub(in super::super) fn stop_together(&mut self) {
        self.tell_load();
        let Some(member) = &self.member else { return };
        match self.stop {
            None if member.exchange.is_stopped() => {
                self.stop = member.exchange.why().or(Some(StopReason::Stopped));
            }
            None | Some(StopReason::Done) => {}
            Some(_) if member.exchange.is_stopped() => {}
            Some(why) => member.exchange.stop(why),
        }
    }

    /// Tells the others which sites were come by here for the first time.
    pub(in super::super) fn tell_coverage(&self) {
        if let Some(member) = &self.member {
            self.machine.coverage.fresh.iter().for_each(|&site| member.exchange.seen.add(site));
        }
    }

    /// Hears from the others which sites they came by, and which tests cover.
    pub(in super::super) fn hear_coverage(&mut self) {
        let Some(member) = &mut self.member else { return };
        let tracker = &mut self.machine.coverage;
        let mut news = false;
        let facts = &mut self.frontier.facts;
        member.exchange.seen.news(&mut member.seen, |site| {
            facts.see(site);
            news |= tracker.see(site);
        });
        member.exchange.credited.news(&mut member.credited, |site| {
            tracker.credit_one(site);
        });
        if news {
            self.frontier.facts.grow_stale();
        }
    }
}
