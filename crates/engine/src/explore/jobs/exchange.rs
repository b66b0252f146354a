//! Where workers meet: work that one gives and another takes, the news of coverage, and
//! what counts for all of them together.
//!
//! An idle worker says so and waits. Whoever is busy sees that at a glance and puts a
//! parcel on the table. When all are idle and the table is empty, the exploration is
//! over: work is always either on the table or in the hands of someone who is not idle.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use super::super::StopReason;

/// States that move together, each a trace in its form in bytes.
pub type Parcel = Vec<Vec<u8>>;

/// Where workers meet.
pub struct Exchange {
    /// How many workers there are.
    pub jobs: usize,
    /// When they began.
    pub began: Instant,
    /// Idle workers for whom no parcel lies ready; what busy ones look at.
    hungry: AtomicUsize,
    stopped: AtomicBool,
    /// States on their way from one worker to another.
    moving: AtomicUsize,
    table: Mutex<Table>,
    changed: Condvar,
    loads: Vec<Load>,
    /// Sites that some path came by, and those that some test covers, a bit each.
    pub seen: Sites,
    /// See `seen`.
    pub credited: Sites,
}

#[derive(Default)]
struct Table {
    parcels: VecDeque<Parcel>,
    idle: usize,
    /// Nobody gives or waits any more.
    over: bool,
    why: Option<StopReason>,
}

/// What a worker has and did, for limits that hold for all together. Each has a cache
/// line for itself: it is written often, and read by others only where there is a limit.
#[derive(Default)]
#[repr(align(128))]
struct Load {
    work: AtomicU64,
    states: AtomicUsize,
}

impl Exchange {
    /// For so many workers, all of them at work, and a program of so many sites.
    pub fn new(jobs: usize, sites: usize) -> Exchange {
        Exchange {
            jobs,
            began: Instant::now(),
            hungry: AtomicUsize::new(0),
            stopped: AtomicBool::new(false),
            moving: AtomicUsize::new(0),
            table: Mutex::default(),
            changed: Condvar::new(),
            loads: (0..jobs).map(|_| Load::default()).collect(),
            seen: Sites::new(sites),
            credited: Sites::new(sites),
        }
    }

    /// Whether somebody waits for work.
    #[inline]
    pub fn wants_work(&self) -> bool {
        self.hungry.load(Ordering::Relaxed) > 0
    }

    /// Whether all are to stop.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    /// Puts a parcel on the table, if somebody still waits for one. It is made while
    /// nobody else can stop or give, so that none is left there.
    pub fn give(&self, make: impl FnOnce() -> Option<Parcel>) {
        let mut table = self.lock();
        if table.over || table.idle <= table.parcels.len() {
            return;
        }
        if let Some(parcel) = make() {
            self.moving.fetch_add(parcel.len(), Ordering::Relaxed);
            table.parcels.push_back(parcel);
            self.tell(&table);
            self.changed.notify_one();
        }
    }

    /// Waits for a parcel; `None` once the exploration is over.
    pub fn take(&self) -> Option<Parcel> {
        let mut table = self.lock();
        table.idle += 1;
        loop {
            if let Some(parcel) = table.parcels.pop_front() {
                table.idle -= 1;
                self.tell(&table);
                return Some(parcel);
            }
            if table.idle == self.jobs {
                table.over = true;
                self.changed.notify_all();
            }
            if table.over {
                return None;
            }
            self.tell(&table);
            table = self.changed.wait(table).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// All stop as soon as they see it; the first reason counts.
    pub fn stop(&self, why: StopReason) {
        let mut table = self.lock();
        table.why.get_or_insert(why);
        table.over = true;
        self.tell(&table);
        self.stopped.store(true, Ordering::Relaxed);
        self.changed.notify_all();
    }

    /// Somebody leaves. If that is not because the exploration is over, it is for
    /// everybody: work may be lost, and others would wait for more.
    pub fn leave(&self) {
        if !self.lock().over {
            self.stop(StopReason::Stopped);
        }
    }

    /// Why all stop, if they do.
    pub fn why(&self) -> Option<StopReason> {
        self.lock().why
    }

    /// A worker tells what it has and did.
    pub fn load(&self, worker: usize, work: u64, states: usize) {
        let load = &self.loads[worker];
        load.work.store(work, Ordering::Relaxed);
        load.states.store(states, Ordering::Relaxed);
    }

    /// So many states that were on their way are counted by whoever took them.
    pub fn arrived(&self, states: usize) {
        self.moving.fetch_sub(states, Ordering::Relaxed);
    }

    /// The work and the states of all but one; those on their way count as well.
    pub fn loads_beside(&self, worker: usize) -> (u64, usize) {
        let others = self.loads.iter().enumerate().filter(|(other, _)| *other != worker);
        let both = others.map(|(_, load)| {
            (load.work.load(Ordering::Relaxed), load.states.load(Ordering::Relaxed))
        });
        let moving = self.moving.load(Ordering::Relaxed);
        both.fold((0, moving), |sum, one| (sum.0 + one.0, sum.1 + one.1))
    }

    /// Puts a parcel on the table that nobody asked for.
    #[cfg(test)]
    pub fn lay_out(&self, parcel: Parcel) {
        self.moving.fetch_add(parcel.len(), Ordering::Relaxed);
        self.lock().parcels.push_back(parcel);
    }

    fn tell(&self, table: &Table) {
        let hungry = if table.over { 0 } else { table.idle.saturating_sub(table.parcels.len()) };
        self.hungry.store(hungry, Ordering::Relaxed);
    }

    /// What a worker that panicked left is in order: nothing is changed half.
    fn lock(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A set of sites that grows.
pub struct Sites {
    words: Vec<AtomicU64>,
}

impl Sites {
    fn new(sites: usize) -> Sites {
        Sites { words: (0..sites.div_ceil(64)).map(|_| AtomicU64::new(0)).collect() }
    }

    /// Adds a site.
    pub fn add(&self, site: u32) {
        self.words[site as usize / 64].fetch_or(1 << (site % 64), Ordering::Relaxed);
    }

    /// Calls with every site that was added since `known` was brought up to date, which
    /// it is then.
    pub fn news(&self, known: &mut Vec<u64>, mut tell: impl FnMut(u32)) {
        known.resize(self.words.len(), 0);
        for (index, (word, known)) in self.words.iter().zip(known).enumerate() {
            let mut new = word.load(Ordering::Relaxed) & !*known;
            *known |= new;
            while new != 0 {
                tell(index as u32 * 64 + new.trailing_zeros());
                new &= new - 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Workers that split what they have until nothing is left: all of it is done, once.
    #[test]
    fn all_work_is_done_and_then_it_is_over() {
        const JOBS: usize = 4;
        let exchange = Exchange::new(JOBS, 0);
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
                                exchange.give(|| Some(vec![vec![mine.remove(0)]]));
                            }
                        }
                        let Some(parcel) = exchange.take() else { break };
                        mine.extend(parcel.into_iter().flatten());
                    }
                });
            }
        });
        assert_eq!(done.into_inner(), 1 << 16);
        assert_eq!(exchange.why(), None);
    }

    #[test]
    fn who_waits_is_woken_by_a_stop() {
        let exchange = Exchange::new(2, 0);
        std::thread::scope(|scope| {
            let waits = scope.spawn(|| exchange.take());
            while !exchange.wants_work() {
                std::thread::yield_now();
            }
            exchange.stop(StopReason::Time);
            exchange.stop(StopReason::Work);
            assert_eq!(waits.join().expect("it does not panic"), None);
        });
        assert_eq!(exchange.why(), Some(StopReason::Time));
        exchange.give(|| unreachable!("nobody would take it"));
    }

    #[test]
    fn sites_are_news_once() {
        let sites = Sites::new(130);
        let mut known = Vec::new();
        let mut news = || {
            let mut told = Vec::new();
            sites.news(&mut known, |site| told.push(site));
            told
        };
        [129, 0, 64].iter().for_each(|&site| sites.add(site));
        assert_eq!(news(), [0, 64, 129]);
        sites.add(0);
        sites.add(1);
        assert_eq!(news(), [1]);
        assert_eq!(news(), []);
    }
}
