//! What workers share: a queue of work, the coverage of all, and the load of each.
//!
//! An idle worker registers and waits. A busy worker reads one counter to see that, and puts
//! a parcel into the queue. When all workers are idle and the queue is empty, the exploration
//! is over: work is always either queued or with a worker that is not idle.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use byway_base::ProcessMemory;

use super::super::StopReason;
use super::super::known_paths::KnownPaths;
use super::super::reduce::{MovedTask, SharedReduction};

/// States that move together.
pub(in super::super) type Parcel = Vec<MovedState>;

/// A state that moves from one worker to another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in super::super) enum MovedState {
    /// How to reach it: an encoded trace.
    Trace(Vec<u8>),
    /// The task of a reduced exploration that it stands for.
    Task(Box<MovedTask>),
}

/// What workers share.
pub(in super::super) struct Exchange {
    /// The number of workers.
    pub workers: usize,
    /// When the exploration began.
    pub began: Instant,
    /// The process that all workers share.
    pub process: Option<Arc<dyn ProcessMemory>>,
    /// The reduction of all workers, if paths run from tasks.
    pub(super) reduction: Option<Arc<SharedReduction>>,
    /// Idle workers without a parcel in the queue; busy workers poll it.
    hungry: AtomicUsize,
    stopped: AtomicBool,
    /// States in parcels: given and not yet counted by their receiver.
    moving: AtomicUsize,
    queue: Mutex<WorkQueue>,
    changed: Condvar,
    loads: Vec<WorkerLoad>,
    /// Sites that some path reached.
    pub(super) seen: SiteSet,
    /// Sites that some test covers.
    pub(super) credited: SiteSet,
    /// Targets that some test reaches.
    pub(super) closed: SiteSet,
    /// The paths of a campaign so far.
    pub(super) paths: KnownPaths,
}

#[derive(Default)]
struct WorkQueue {
    parcels: VecDeque<Parcel>,
    idle: usize,
    /// Whether giving and waiting have ended.
    is_over: bool,
    stop_reason: Option<StopReason>,
}

/// The work and states of one worker, for limits that hold for all together. Each has a cache
/// line of its own: it is written often, and read by others only if there is such a limit.
#[derive(Default)]
#[repr(align(128))]
struct WorkerLoad {
    work: AtomicU64,
    states: AtomicUsize,
    /// Accounted bytes.
    memory: AtomicU64,
}

impl Exchange {
    /// An exchange for busy workers and so many coverage sites and targets.
    pub fn new(
        workers: usize,
        sites: usize,
        targets: usize,
        process: Option<Arc<dyn ProcessMemory>>,
    ) -> Exchange {
        Exchange {
            workers,
            began: Instant::now(),
            process,
            reduction: None,
            hungry: AtomicUsize::new(0),
            stopped: AtomicBool::new(false),
            moving: AtomicUsize::new(0),
            queue: Mutex::default(),
            changed: Condvar::new(),
            loads: (0..workers).map(|_| WorkerLoad::default()).collect(),
            seen: SiteSet::new(sites),
            credited: SiteSet::new(sites),
            closed: SiteSet::new(targets),
            paths: KnownPaths::default(),
        }
    }

    /// Whether a worker waits for work.
    #[inline]
    pub fn wants_work(&self) -> bool {
        self.hungry.load(Ordering::Relaxed) > 0
    }

    /// Whether all workers have to stop.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    /// Queues a parcel, if a worker still waits for one. It is made while the queue is locked,
    /// so that none is left over when the exploration ends.
    pub fn give(&self, make: impl FnOnce() -> Option<Parcel>) {
        let mut queue = self.lock();
        if queue.is_over || queue.idle <= queue.parcels.len() {
            return;
        }
        if let Some(parcel) = make() {
            self.moving.fetch_add(parcel.len(), Ordering::Relaxed);
            queue.parcels.push_back(parcel);
            self.publish_hungry(&queue);
            self.changed.notify_one();
        }
    }

    /// Waits for a parcel; `None` once the exploration is over.
    pub fn take(&self) -> Option<Parcel> {
        let mut queue = self.lock();
        queue.idle += 1;
        loop {
            if let Some(parcel) = queue.parcels.pop_front() {
                queue.idle -= 1;
                self.publish_hungry(&queue);
                return Some(parcel);
            }
            if queue.idle == self.workers {
                queue.is_over = true;
                self.changed.notify_all();
            }
            if queue.is_over {
                return None;
            }
            self.publish_hungry(&queue);
            queue = self.changed.wait(queue).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Stops all workers as soon as they check; the first reason counts.
    pub fn stop(&self, reason: StopReason) {
        let mut queue = self.lock();
        queue.stop_reason.get_or_insert(reason);
        queue.is_over = true;
        self.publish_hungry(&queue);
        self.stopped.store(true, Ordering::Relaxed);
        self.changed.notify_all();
    }

    /// A worker leaves. Unless the exploration is over already, it is over now: work may be
    /// lost, and others would wait for more.
    pub fn leave(&self) {
        if !self.lock().is_over {
            self.stop(StopReason::Stopped);
        }
    }

    /// Why all workers stop, if they do.
    pub fn stop_reason(&self) -> Option<StopReason> {
        self.lock().stop_reason
    }

    /// Publishes the work and the number of states of a worker.
    pub fn publish_load(&self, worker: usize, work: u64, states: usize) {
        let load = &self.loads[worker];
        load.work.store(work, Ordering::Relaxed);
        load.states.store(states, Ordering::Relaxed);
    }

    /// Publishes the accounted bytes of a worker; returns those of all.
    pub fn publish_memory(&self, worker: usize, bytes: u64) -> u64 {
        self.loads[worker].memory.store(bytes, Ordering::Relaxed);
        self.loads.iter().map(|load| load.memory.load(Ordering::Relaxed)).sum()
    }

    /// The receiver of a parcel now counts its states itself.
    pub fn arrived(&self, states: usize) {
        self.moving.fetch_sub(states, Ordering::Relaxed);
    }

    /// The work and the states of all workers but one, states in parcels included.
    pub fn other_loads(&self, worker: usize) -> (u64, usize) {
        let others = self.loads.iter().enumerate().filter(|(other, _)| *other != worker);
        let both = others.map(|(_, load)| {
            (load.work.load(Ordering::Relaxed), load.states.load(Ordering::Relaxed))
        });
        let moving = self.moving.load(Ordering::Relaxed);
        both.fold((0, moving), |sum, one| (sum.0 + one.0, sum.1 + one.1))
    }

    /// Registers a worker that stays idle.
    #[cfg(test)]
    pub fn add_idle(&self) {
        self.lock().idle += 1;
    }

    /// Queues a parcel that no worker waits for.
    #[cfg(test)]
    pub fn queue_unasked(&self, parcel: Parcel) {
        self.moving.fetch_add(parcel.len(), Ordering::Relaxed);
        self.lock().parcels.push_back(parcel);
    }

    fn publish_hungry(&self, queue: &WorkQueue) {
        let hungry = if queue.is_over { 0 } else { queue.idle.saturating_sub(queue.parcels.len()) };
        self.hungry.store(hungry, Ordering::Relaxed);
    }

    /// The data of a worker that panicked are consistent: no change is left half done.
    fn lock(&self) -> MutexGuard<'_, WorkQueue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A set of coverage sites or targets that only grows.
pub(super) struct SiteSet {
    words: Vec<AtomicU64>,
}

impl SiteSet {
    fn new(sites: usize) -> SiteSet {
        SiteSet { words: (0..sites.div_ceil(64)).map(|_| AtomicU64::new(0)).collect() }
    }

    pub fn add(&self, site: u32) {
        self.words[site as usize / 64].fetch_or(1 << (site % 64), Ordering::Relaxed);
    }

    /// Calls `add` with every site that is not in `known`, and adds it there.
    pub fn news(&self, known: &mut Vec<u64>, mut add: impl FnMut(u32)) {
        known.resize(self.words.len(), 0);
        for (index, (word, known)) in self.words.iter().zip(known).enumerate() {
            let mut new = word.load(Ordering::Relaxed) & !*known;
            *known |= new;
            while new != 0 {
                add(index as u32 * 64 + new.trailing_zeros());
                new &= new - 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Workers split their work until nothing is left: all of it is done once.
    #[test]
    fn the_exploration_is_over_when_all_work_is_done() {
        const JOBS: usize = 4;
        let exchange = Exchange::new(JOBS, 0, 0, None);
        let done = AtomicU64::new(0);
        std::thread::scope(|scope| {
            for worker in 0..JOBS {
                let (exchange, done) = (&exchange, &done);
                scope.spawn(move || {
                    let mut mine: Vec<u8> = if worker == 0 { vec![16] } else { Vec::new() };
                    loop {
                        while let Some(height) = mine.pop() {
                            match height {
                                0 => drop(done.fetch_add(1, Ordering::Relaxed)),
                                _ => mine.extend([height - 1; 2]),
                            }
                            if exchange.wants_work() && mine.len() > 1 {
                                exchange
                                    .give(|| Some(vec![MovedState::Trace(vec![mine.remove(0)])]));
                            }
                        }
                        let Some(parcel) = exchange.take() else { break };
                        for moved in parcel {
                            let MovedState::Trace(heights) = moved else { unreachable!() };
                            mine.extend(heights);
                        }
                    }
                });
            }
        });
        assert_eq!(done.into_inner(), 1 << 16);
        assert_eq!(exchange.stop_reason(), None);
    }

    #[test]
    fn a_stop_wakes_waiting_workers() {
        let exchange = Exchange::new(2, 0, 0, None);
        std::thread::scope(|scope| {
            let waits = scope.spawn(|| exchange.take());
            while !exchange.wants_work() {
                std::thread::yield_now();
            }
            exchange.stop(StopReason::Time);
            exchange.stop(StopReason::Work);
            assert_eq!(waits.join().expect("it does not panic"), None);
        });
        assert_eq!(exchange.stop_reason(), Some(StopReason::Time));
        exchange.give(|| unreachable!("no worker would take it"));
    }

    #[test]
    fn sites_are_news_once() {
        let sites = SiteSet::new(130);
        let mut known = Vec::new();
        let mut news = || {
            let mut new = Vec::new();
            sites.news(&mut known, |site| new.push(site));
            new
        };
        [129, 0, 64].iter().for_each(|&site| sites.add(site));
        assert_eq!(news(), [0, 64, 129]);
        sites.add(0);
        sites.add(1);
        assert_eq!(news(), [1]);
        assert_eq!(news(), []);
    }
}
