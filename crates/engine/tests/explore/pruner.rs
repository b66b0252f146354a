//! A pruner drops states between picks: the drops are counted and published, and each decided
//! state still gives its test.

use std::collections::BTreeSet;

use byway_base::{Limit, Outcome, Rng, Work};
use byway_engine::{Exploration, ExploreConfig, Feasibility, Limits, SearchStrategy};
use byway_search::pruner::build_pruner;
use byway_search::{
    Action, ConditionHash, Delta, Protocol, Pruner, Searcher, SearcherRequirements, StateId,
    TestEvidence, View,
};

use super::{Paths, chain, config, explored, explored_by};

/// Drops every second state that is added.
#[derive(Default)]
struct EverySecond {
    added: usize,
    dropping: Vec<StateId>,
    dropped: u64,
}

impl Pruner for EverySecond {
    fn update(&mut self, delta: &Delta, _view: &dyn View) {
        for id in delta.added() {
            self.added += 1;
            if self.added.is_multiple_of(2) {
                self.dropping.push(id);
            }
        }
        let removed: Vec<StateId> = delta.removed().collect();
        self.dropping.retain(|id| !removed.contains(id));
        self.dropped += delta.dropped.len() as u64;
    }

    fn prune(&mut self, view: &dyn View, _rng: &mut Rng) -> Vec<StateId> {
        assert!(self.dropping.iter().all(|id| view.states().contains(id)));
        // A state that is listed twice is dropped once.
        let dropping = std::mem::take(&mut self.dropping);
        dropping.iter().chain(&dropping).copied().collect()
    }
}

/// A searcher that checks each delta and each pick.
struct Checked {
    searcher: Box<dyn Searcher>,
    protocol: Protocol,
}

impl Searcher for Checked {
    fn update(&mut self, delta: &Delta, view: &dyn View) {
        let checked = self.protocol.update(delta).and_then(|()| self.protocol.check_view(view));
        checked.unwrap_or_else(|violation| panic!("{violation}"));
        self.searcher.update(delta, view);
    }

    fn pick(&mut self, view: &dyn View, rng: &mut Rng) -> Action {
        let action = self.searcher.pick(view, rng);
        self.protocol.pick(&action).unwrap_or_else(|violation| panic!("{violation}"));
        action
    }

    fn requirements(&self) -> byway_search::SearcherRequirements {
        self.searcher.requirements()
    }
}

fn pruned(search: &str, config: &ExploreConfig) -> (Exploration, Paths, u64) {
    let searcher = byway_search::build(&[search]).expect("a searcher");
    let mut searcher = Checked { searcher, protocol: Protocol::default() };
    let mut pruner = EverySecond::default();
    let mut paths = Paths::default();
    let strategy =
        SearchStrategy { pruner: Some(&mut pruner), ..SearchStrategy::new(&mut searcher) };
    let done = explored_by(&chain(6), strategy, config, &mut paths);
    (done, paths, pruner.dropped)
}

#[test]
fn dropped_states_are_counted_and_give_their_tests() {
    for search in ["bfs", "dfs", "random-path"] {
        let (done, paths, dropped) = pruned(search, &config(Feasibility::Eager));
        let counted = done.totals.losses.dropped[&Limit::Pruned];
        assert!(counted > 0, "{search}");
        assert_eq!(counted, dropped, "{search}: the pruner hears of each drop once");
        let ended: Vec<_> = paths
            .ended
            .iter()
            .filter(|path| path.outcome == Outcome::Dropped(Limit::Pruned))
            .collect();
        assert_eq!(ended.len() as u64, counted, "{search}: decided states give their tests");
        assert!(ended.iter().all(|path| path.test.is_some()), "{search}");
        assert_eq!(done.totals.path_count(), paths.ended.len() as u64);
        assert_eq!(done.totals.states, 0);
    }
}

#[test]
fn pending_states_are_dropped_without_a_test() {
    let (done, paths, dropped) = pruned("bfs", &config(Feasibility::Lazy));
    let counted = done.totals.losses.dropped[&Limit::Pruned];
    assert_eq!(counted, dropped);
    let ended = paths.ended.iter().filter(|path| matches!(path.outcome, Outcome::Dropped(_)));
    assert!((ended.count() as u64) < counted);
}

/// Drops nothing, but draws.
struct DrawsOnly;

impl Pruner for DrawsOnly {
    fn update(&mut self, _delta: &Delta, _view: &dyn View) {}

    fn prune(&mut self, _view: &dyn View, rng: &mut Rng) -> Vec<StateId> {
        rng.next_u64();
        Vec::new()
    }
}

#[test]
fn a_pruner_that_drops_nothing_changes_nothing() {
    let config = config(Feasibility::Eager);
    let (_, alone) = explored(&chain(6), "random-path", &config);
    let mut searcher = byway_search::build(&["random-path"]).expect("a searcher");
    let mut with = Paths::default();
    let strategy =
        SearchStrategy { pruner: Some(&mut DrawsOnly), ..SearchStrategy::new(&mut *searcher) };
    explored_by(&chain(6), strategy, &config, &mut with);
    let digests = |paths: &Paths| paths.ended.iter().map(|path| path.digest).collect::<Vec<_>>();
    assert_eq!(digests(&alone), digests(&with));
}

/// Explores with a pruner that `--prune` names, for so much work.
fn pruned_by(prune: &str, search: &str, text: &str, work: u64) -> (Exploration, Paths) {
    pruned_within(prune, search, text, Limits { work: Some(Work(work)), ..Limits::default() })
}

fn pruned_within(prune: &str, search: &str, text: &str, limits: Limits) -> (Exploration, Paths) {
    let searcher = byway_search::build(&[search]).expect("a searcher");
    let mut searcher = Checked { searcher, protocol: Protocol::default() };
    let mut pruner = build_pruner(prune).expect("a pruner");
    let config = ExploreConfig { limits, ..config(Feasibility::Eager) };
    let mut paths = Paths::default();
    let strategy =
        SearchStrategy { pruner: Some(&mut *pruner), ..SearchStrategy::new(&mut searcher) };
    let done = explored_by(text, strategy, &config, &mut paths);
    (done, paths)
}

/// The digests of the paths that exited, each once.
fn exits(paths: &Paths) -> BTreeSet<u64> {
    let exits = paths.ended.iter().filter(|path| matches!(path.outcome, Outcome::Exit(_)));
    let digests: Vec<u64> = exits.map(|path| path.digest).collect();
    let distinct: BTreeSet<u64> = digests.iter().copied().collect();
    assert_eq!(distinct.len(), digests.len(), "a path is reported twice");
    distinct
}

#[test]
fn an_exploration_that_begins_again_reports_each_path_once() {
    let (_, alone) = explored(&chain(6), "bfs", &config(Feasibility::Eager));
    let all = exits(&alone);
    for search in ["dfs", "random-path", "auto"] {
        for prune in ["divide:1500", "homi:interval=300,run=1500"] {
            let (done, paths) = pruned_by(prune, search, &chain(6), 40_000);
            let found = exits(&paths);
            assert!(found.is_subset(&all), "{search}, {prune}");
            assert!(found.len() > 32, "{search}, {prune}: {}", found.len());
            let campaign = done.totals.campaign;
            assert!(campaign.restarts > 3 && campaign.repeated > 0, "{search}: {campaign:?}");
            assert!(done.totals.losses.dropped[&Limit::Pruned] > 0, "{search}, {prune}");
        }
    }
}

#[test]
fn a_run_until_memory_is_short_is_followed_by_others_that_drop_states() {
    let text = chain(8);
    let explored = |memory, work| {
        let limits = Limits { memory, work: Some(Work(work)), ..Limits::default() };
        pruned_within("homi:run=memory", "bfs", &text, limits)
    };
    let (free, paths) = explored(None, 5_000_000);
    assert_eq!((free.totals.campaign.restarts, exits(&paths).len()), (0, 256));
    let (short, _) = explored(Some(free.totals.max_memory / 2), 300_000);
    let losses = &short.totals.losses.dropped;
    assert!(short.totals.campaign.restarts > 3, "{:?}", short.totals.campaign);
    assert!(losses[&Limit::Pruned] > 0 && losses[&Limit::Memory] > 0, "{losses:?}");
}

#[test]
fn a_campaign_is_repeatable() {
    let run = || pruned_by("homi:interval=300,run=1500", "random-path", &chain(6), 30_000);
    let ((one, paths), (other, again)) = (run(), run());
    assert_eq!(one.totals, other.totals);
    let digests = |paths: &Paths| paths.ended.iter().map(|path| path.digest).collect::<Vec<_>>();
    assert_eq!(digests(&paths), digests(&again));
}

/// Records what it could learn from.
#[derive(Default)]
struct Records {
    evidence: Vec<TestEvidence>,
    /// The most conditions of a live state.
    most: usize,
}

impl Pruner for Records {
    fn update(&mut self, delta: &Delta, _: &dyn View) {
        self.evidence.extend(delta.evidence.iter().cloned());
    }

    fn prune(&mut self, view: &dyn View, _: &mut Rng) -> Vec<StateId> {
        let counts = view.states().into_iter().map(|state| view.conditions(state).len());
        self.most = self.most.max(counts.max().unwrap_or(0));
        Vec::new()
    }

    fn requirements(&self) -> SearcherRequirements {
        SearcherRequirements { evidence: true, ..SearcherRequirements::default() }
    }
}

/// Compares a number with 7, or the second of its bytes with 3, and then whether it is small.
const COMPARISONS: &str = "
func user @main() -> i32 {
b0:
  v0:ptr = alloca 1 x 4:i64, align 4
  call @__byway_symbolic(v0, 4:i64, @name)
  v1:i32 = load v0, align 4
  v2:i1 = icmp eq v1, 7:i32
  br v2, b1, b2
b1:
  ret 1:i32
b2:
  v3:ptr = ptradd v0, 1
  v4:i8 = load v3, align 1
  v5:i1 = icmp eq v4, 3:i8
  br v5, b3, b4
b3:
  ret 2:i32
b4:
  v6:i1 = icmp ult v1, 100:i32
  br v6, b5, b6
b5:
  ret 3:i32
b6:
  ret 4:i32
}
";

#[test]
fn a_pruner_learns_equalities_and_all_that_a_test_covers() {
    let mut pruner = Records::default();
    let mut searcher = byway_search::build(&["dfs"]).expect("a searcher");
    let mut paths = Paths::default();
    let strategy =
        SearchStrategy { pruner: Some(&mut pruner), ..SearchStrategy::new(&mut *searcher) };
    explored_by(COMPARISONS, strategy, &config(Feasibility::Eager), &mut paths);
    let by_code = |code: i32| {
        let at = paths.ended.iter().position(|path| path.outcome == Outcome::Exit(code));
        &pruner.evidence[at.expect("the path is found")]
    };
    let conditions: Vec<&[ConditionHash]> =
        (1..=4).map(|code| &by_code(code).conditions[..]).collect();
    // Each byte of a number is a condition of its own.
    assert_eq!(conditions.iter().map(|ids| ids.len()).collect::<Vec<_>>(), [4, 1, 0, 0]);
    assert!(!conditions[0].contains(&conditions[1][0]));
    assert_eq!(pruner.most, 4);
    // The entry and the sides that lead there, though another test covers some of them too.
    let covered: Vec<u32> = (1..=4)
        .map(|code| by_code(code).covered.iter().map(|word| word.count_ones()).sum())
        .collect();
    assert_eq!(covered, [2, 3, 4, 4]);
}
