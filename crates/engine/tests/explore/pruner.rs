//! A pruner drops states between picks: the drops are counted and published, and each decided
//! state still gives its test.

use byway_base::{Limit, Outcome, Rng};
use byway_engine::{ExploreConfig, Feasibility, SearchStrategy};
use byway_search::{Action, Delta, Protocol, Pruner, Searcher, StateId, View};

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

fn pruned(search: &str, config: &ExploreConfig) -> (byway_engine::Exploration, Paths, u64) {
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
