//! `byway-bench picks`: how long searchers take to choose, among few states and many.
//! Only searchers run: the states are made up.

use std::time::Instant;

use byway_base::entity::EntityRef;
use byway_base::{Rng, Work};
use byway_ir::{BlockId, FuncId};
use byway_search::{
    Action, Case, Decision, Delta, Fork, Location, Searcher, Site, StateId, StateIds, Successor,
    View, build,
};
use rustc_hash::FxHashMap;

use crate::record;

const ABOUT: &str = "\
How long do searchers take to choose a state?

Gives each searcher a number of states, forked in random order, and measures picks alone, and
whole turns (a pick and its update), in which the picked state forks and another one ends, so
that the number of states stays the same. The states and their properties are simulated. The
first row is a yardstick: looking one state up in a hash table of all of them, which gets slower
the less of the table fits into the machine's caches.

The exit code is 1 if a turn takes more than 20 microseconds.";

/// Options of the benchmark.
#[derive(clap::Args, Debug)]
#[command(long_about = ABOUT)]
pub struct PicksOptions {
    /// The largest number of states
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    states: usize,

    /// Searchers whose name contains this text
    #[arg(long, value_name = "NAME", default_value = "", hide_default_value = true)]
    only: String,

    /// Write the result to bench/results/DATE-picks.md
    #[arg(long)]
    record: bool,
}

const SEARCHERS: &[&str] = &[
    "auto",
    "dfs",
    "bfs",
    "random-state",
    "random-path",
    "nurs:depth",
    "nurs:rp",
    "nurs:icnt",
    "nurs:cpicnt",
    "nurs:qc",
    "nurs:md2u",
    "nurs:covnew",
    "klee-default",
    "sgs:1",
    "sgs:2",
    "sgs:4",
    "sgs:8",
    "sgs:8(latest)",
    "sgs:8(random-path)",
    "sgs:combined",
    "sgs:adaptive",
    "sdse",
    "sdse:intra",
    "ccbse(random-path)",
    "mix-ccbse(sdse)",
    "equal-work(sdse, dfs)",
    "interleave(dfs, bfs)",
    "portfolio(dfs, bfs)",
    "uncovered-first(dfs)",
    "to-end(random-path)",
    "cost-limited(dfs)",
    "cost-limited(uncovered-first(random-path))",
    "cost-limited(sgs:2)",
    "batch(dfs)",
    "deepening(dfs)",
    "dart",
    "generational",
    "cgs:5",
];

/// Enough for a mean.
const TURNS: usize = 100_000;
/// The best of so many counts: others use the machine too.
const ROUNDS: usize = 3;
/// Nanoseconds of a mean that are told apart, with a clock that counts in milliseconds.
const RESOLUTION: f64 = 40.0;
/// Nanoseconds that a turn may take: far less than running a state to its next fork
/// with a query, far more than any logarithm.
const TARGET: f64 = 20_000.0;

/// Processor nanoseconds of this thread; where the system does not report them, wall time.
struct ThreadClock(Instant);

impl ThreadClock {
    fn read(&self) -> f64 {
        let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
        let on_processor = text.and_then(|text| text.split(' ').next()?.parse::<f64>().ok());
        on_processor.unwrap_or_else(|| self.0.elapsed().as_nanos() as f64)
    }
}

/// Nanoseconds, for one searcher and one number of states.
#[derive(Copy, Clone)]
struct PickTimes {
    pick: f64,
    turn: f64,
}

/// Runs the benchmark and returns whether every turn meets the target.
pub fn main(options: PicksOptions) -> Result<bool, String> {
    let PicksOptions { states: most, only, record } = options;

    let sizes: Vec<usize> =
        [1_000, 10_000, 100_000, 1_000_000].into_iter().filter(|&n| n <= most).collect();
    let searchers: Vec<&str> = SEARCHERS.iter().copied().filter(|s| s.contains(&*only)).collect();
    if sizes.is_empty() || searchers.is_empty() {
        return Err("nothing is left to measure; try --help".to_owned());
    }
    let mut report = "Nanoseconds of a pick / of a turn, by the number of states.\n\n".to_owned();
    report.push_str("| searcher |");
    sizes.iter().for_each(|size| report.push_str(&format!(" {size} |")));
    report.push_str(&format!("\n|---|{}\n", "---:|".repeat(sizes.len())));
    report.push_str("| (one look-up) |");
    sizes.iter().for_each(|&size| report.push_str(&format!(" {} |", shown(look_up(size)))));
    report.push('\n');
    let mut slowest = 0f64;
    for name in searchers {
        report.push_str(&format!("| `{name}` |"));
        for &size in &sizes {
            let times = measure(name, size)?;
            slowest = slowest.max(times.turn);
            report.push_str(&format!(" {} / {} |", shown(times.pick), shown(times.turn)));
        }
        report.push('\n');
        eprintln!("{name} is measured");
    }
    println!("{report}");
    if record {
        record::write("picks", "How long searchers take to choose", &report)?;
    }
    Ok(slowest <= TARGET)
}

/// A mean over all turns; the system counts in milliseconds.
fn shown(nanoseconds: f64) -> String {
    match nanoseconds < RESOLUTION {
        true => format!("<{RESOLUTION}"),
        false => format!("{nanoseconds:.0}"),
    }
}

/// What finding a state among so many takes.
fn look_up(size: usize) -> f64 {
    let size = size as u64;
    let places: FxHashMap<u64, u64> = (0..size).zip(0..).collect();
    let mut rng = Rng::new(1);
    let clock = ThreadClock(Instant::now());
    let rounds = (0..ROUNDS).map(|_| {
        let began = clock.read();
        // Each waits for the one before, as what a searcher does is mostly one after the other.
        let mut place = 0;
        for _ in 0..TURNS {
            place = places[&((place + rng.below(size)) % size)];
        }
        std::hint::black_box(place);
        (clock.read() - began) / TURNS as f64
    });
    rounds.fold(f64::MAX, f64::min)
}

fn measure(name: &str, size: usize) -> Result<PickTimes, String> {
    let mut searcher = build(&[name]).map_err(|e| e.to_string())?;
    let mut world = SimulatedStates::new(&mut *searcher);
    while world.live.len() < size {
        let parent = *world.rng.pick(&world.live).ok_or("no states")?;
        world.fork(parent, None, &mut *searcher);
    }
    let clock = ThreadClock(Instant::now());
    let mut best = PickTimes { pick: f64::MAX, turn: f64::MAX };
    for _ in 0..ROUNDS {
        let began = clock.read();
        for _ in 0..TURNS {
            world.pick(&mut *searcher)?;
        }
        best.pick = best.pick.min((clock.read() - began) / TURNS as f64);
        let began = clock.read();
        for _ in 0..TURNS {
            let picked = world.pick(&mut *searcher)?;
            let gone = world.another(picked);
            world.fork(picked, gone, &mut *searcher);
        }
        best.turn = best.turn.min((clock.read() - began) / TURNS as f64);
    }
    Ok(best)
}

/// Simulated states: forks are counted, all other properties are derived from their numbers.
struct SimulatedStates {
    ids: StateIds,
    live: Vec<StateId>,
    depths: Vec<u32>,
    rng: Rng,
    picks: Rng,
}

impl SimulatedStates {
    fn new(searcher: &mut dyn Searcher) -> SimulatedStates {
        let mut ids = StateIds::default();
        let live = vec![ids.fresh()];
        let world =
            SimulatedStates { ids, live, depths: vec![0], rng: Rng::new(1), picks: Rng::new(2) };
        searcher.update(&Delta::all_of(&world), &world);
        world
    }

    fn pick(&mut self, searcher: &mut dyn Searcher) -> Result<StateId, String> {
        let mut rng = self.picks.clone();
        let action = searcher.pick(self, &mut rng);
        self.picks = rng;
        match action {
            Action::Run { state, .. } => Ok(state),
            Action::RandomTest | Action::RandomTests { .. } => {
                Err("a searcher runs no states".to_owned())
            }
            Action::SearchBackward | Action::Stop => {
                Err("a searcher stopped although there are states".to_owned())
            }
        }
    }

    /// Any state but this one, taken out.
    fn another(&mut self, but: StateId) -> Option<StateId> {
        let place = self.rng.below(self.live.len() as u64) as usize;
        (self.live[place] != but).then(|| self.live.swap_remove(place))
    }

    fn fork(&mut self, parent: StateId, gone: Option<StateId>, searcher: &mut dyn Searcher) {
        let child = self.ids.fresh();
        self.live.push(child);
        let depth = self.depth(parent) + 1;
        self.depths[parent.number() as usize] = depth;
        self.depths.push(depth);
        let children = [(0, parent), (1, child)]
            .map(|(case, state)| Successor { case: Case(case), grouped_cases: Vec::new(), state })
            .into();
        let site = Site { location: self.location(parent), inst: None, decision: Decision::Branch };
        let delta = Delta {
            ran: Some(parent),
            forks: vec![Fork { parent, site, splits_group: false, successors: children }],
            ended: gone.into_iter().collect(),
            ..Delta::default()
        };
        searcher.update(&delta, self);
    }
}

/// A number that is always the same for a state.
fn mixed(state: StateId) -> u64 {
    state.number().wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40
}

impl View for SimulatedStates {
    fn states(&self) -> Vec<StateId> {
        let mut states = self.live.clone();
        states.sort_unstable();
        states
    }
    /// A thousand instructions between two forks.
    fn work(&self) -> Work {
        Work::of_instructions(1_000 * self.depths.len() as u64)
    }
    fn location(&self, state: StateId) -> Location {
        let block = BlockId::new(mixed(state) as usize % 1000);
        Location { func: FuncId::new(0), block }
    }
    fn depth(&self, state: StateId) -> u32 {
        self.depths.get(state.number() as usize).copied().unwrap_or(0)
    }
    fn is_pending(&self, _: StateId) -> bool {
        false
    }
    fn executions(&self, state: StateId) -> u64 {
        mixed(state) % 1000
    }
    fn instructions_on_call_path(&self, state: StateId) -> u64 {
        mixed(state) % 10_000
    }
    fn solver_effort(&self, state: StateId) -> u64 {
        mixed(state)
    }
    fn distance_to_uncovered(&self, state: StateId) -> Option<u64> {
        Some(1 + mixed(state) % 500)
    }
    fn distance_to_target(&self, state: StateId) -> Option<u64> {
        Some(1 + mixed(state) % 500)
    }
    fn distance_in_function(&self, state: StateId) -> Option<u64> {
        Some(1 + mixed(state) % 500)
    }
    fn distances_epoch(&self) -> u64 {
        0
    }
    fn instructions_since_new_coverage(&self, state: StateId) -> Option<u64> {
        Some(mixed(state) % 100_000)
    }
    fn is_at_uncovered(&self, state: StateId) -> bool {
        mixed(state).is_multiple_of(1000)
    }
    fn is_user_code(&self, _: FuncId) -> bool {
        true
    }
    fn is_forced(&self, _: Site, _: Case, _: Location) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_searcher_is_forgotten() {
        // The ones that run random tests, which simulated states do not show.
        let others = ["random-testing", "greedy"];
        let exploring = |entry: &&byway_search::SearcherEntry| !others.contains(&entry.name);
        for entry in byway_search::entries().iter().filter(exploring) {
            let is_it = |name: &&str| name.split([':', '(']).next() == Some(entry.name);
            assert!(SEARCHERS.iter().any(is_it), "{} is not measured", entry.name);
        }
        for name in SEARCHERS {
            assert!(build(&[name]).is_ok(), "{name}");
        }
    }
}
