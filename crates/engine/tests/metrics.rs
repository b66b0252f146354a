//! The metrics that searchers see of the states of an exploration.

use byway_base::Rng;
use byway_base::entity::EntityRef;
use byway_engine::{
    Config, Control, ExploreConfig, Feasibility, Invocation, Observer, PathEnd, SearchStrategy,
    Totals, explore,
};
use byway_search::{Action, Delta, Searcher, SearcherRequirements, StateId, Until, View};

struct Nobody;

impl Observer for Nobody {
    fn path(&mut self, _: &PathEnd, _: &Totals) -> Control {
        Control::Continue
    }
    fn tick(&mut self, _: &Totals) -> Control {
        Control::Continue
    }
    fn message(&mut self, _: &str) {}
}

/// Two bits decide: one at b1 of `main`, one in `far`, which is called from b4 whatever
/// the first one is. b6 never runs. The loops give distances time to be measured again.
const PROGRAM: &str = "bwir 1
module \"facts\"
func user @__byway_symbolic(v0:ptr, v1:i64, v2:ptr)
global user @name size 2 align 1 constant = {
  x\"7800\"
}
func user @main() -> i32 {
b0:
  v0:ptr = alloca 1 x 1:i32, align 1
  call @__byway_symbolic(v0, 1:i64, @name)
  v1:i8 = load v0, align 1
  call @wait()
  jump b1
b1:
  v2:i1 = icmp ult v1, 128:i8
  br v2, b2, b3
b2:
  jump b4
b3:
  jump b4
b4:
  v3:i8 = and v1, 1:i8
  call @far(v3)
  v4:ptr = ptradd v0, 0
  v5:i1 = icmp eq v4, v0
  br v5, b5, b6
b5:
  ret 0:i32
b6:
  ret 1:i32
}
func user @far(v0:i8) {
b0:
  v1:i1 = icmp eq v0, 0:i8
  br v1, b1, b2
b1:
  call @wait()
  ret
b2:
  call @wait()
  ret
}
func user @wait() {
b0:
  jump b1(0:i32)
b1(v0:i32):
  v1:i32 = add v0, 1:i32
  v2:i1 = icmp ult v1, 200:i32
  br v2, b1(v1), b2
b2:
  ret
}
";

/// The metrics of one state.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
struct StateMetrics {
    state: StateId,
    func: usize,
    block: usize,
    pending: bool,
    distance: Option<u64>,
    executions: u64,
    on_call_path: u64,
    instructions_since_new_coverage: Option<u64>,
}

/// Runs the states in turns, the oldest first, and records their metrics.
struct Watch {
    wants: SearcherRequirements,
    rounds: Vec<Vec<StateMetrics>>,
    epochs: Vec<u64>,
}

impl Searcher for Watch {
    fn update(&mut self, _: &Delta, view: &dyn View) {
        let facts = |state| {
            let location = view.location(state);
            StateMetrics {
                state,
                func: location.func.index(),
                block: location.block.index(),
                pending: view.is_pending(state),
                distance: view.distance_to_uncovered(state),
                executions: view.executions(state),
                on_call_path: view.instructions_on_call_path(state),
                instructions_since_new_coverage: view.instructions_since_new_coverage(state),
            }
        };
        self.rounds.push(view.states().into_iter().map(facts).collect());
        self.epochs.push(view.distances_epoch());
    }

    fn pick(&mut self, view: &dyn View, _: &mut Rng) -> Action {
        let shallowest = view.states().into_iter().min_by_key(|&s| (view.depth(s), s));
        match shallowest {
            Some(state) => Action::Run { state, until: Until::FORK },
            None => Action::Stop,
        }
    }

    fn requirements(&self) -> SearcherRequirements {
        self.wants
    }
}

fn watch(wants: SearcherRequirements, feasibility: Feasibility) -> Watch {
    let module = byway_ir::text::parse(PROGRAM).unwrap_or_else(|e| panic!("{e}"));
    byway_ir::verify(&module).unwrap_or_else(|e| panic!("{e:?}"));
    let config = ExploreConfig {
        engine: Config { coverage: true, ..Config::default() },
        invocation: Invocation { args: vec![b"p".to_vec()], env: Vec::new(), options: Vec::new() },
        feasibility,
        ..ExploreConfig::default()
    };
    let options = byway_solver::SolverOptions {
        check: false,
        log: None,
        interrupt: None,
        memory: None,
        on_error: std::rc::Rc::new(|trouble| panic!("{trouble}")),
    };
    let mut watch = Watch { wants, rounds: Vec::new(), epochs: Vec::new() };
    let strategy = SearchStrategy::new(&mut watch);
    let done = explore(&module, &config, strategy, options, None, &mut Nobody).expect("it runs");
    assert_eq!(done.totals.path_count(), 4);
    watch
}

const ALL: SearcherRequirements = SearcherRequirements {
    executions: true,
    call_paths: true,
    distances: true,
    distances_in_functions: true,
    concolic: false,
    backward: false,
    random: false,
    random_tests: false,
    restarts: false,
    evidence: false,
};
const MAIN: usize = 1;
const FAR: usize = 2;

fn places(facts: &[StateMetrics]) -> Vec<(usize, usize)> {
    facts.iter().map(|f| (f.func, f.block)).collect()
}

#[test]
fn a_state_is_located_at_the_target_of_its_case() {
    for feasibility in [Feasibility::Eager, Feasibility::Lazy] {
        let watch = watch(ALL, feasibility);
        let forked = &watch.rounds[1];
        // The witness is zero: the state continues at b2, its successor at b3.
        assert_eq!(places(forked), [(MAIN, 2), (MAIN, 3)]);
        assert_eq!(forked[1].pending, feasibility == Feasibility::Lazy);
        assert_eq!(places(&watch.rounds[2]), [(FAR, 1), (MAIN, 3), (FAR, 2)]);
    }
}

#[test]
fn distances_go_through_calls_and_returns_and_follow_coverage() {
    let watch = watch(ALL, Feasibility::Eager);
    // At first nothing is covered, and everything is as near as can be.
    assert_eq!(watch.rounds[0][0].distance, Some(1));
    assert_eq!(watch.rounds[1].iter().map(|f| f.distance).collect::<Vec<_>>(), [Some(1); 2]);
    assert!(watch.epochs.is_sorted() && watch.epochs.last() > watch.epochs.first());
    // Both sides of `far` are forked off twice. When the first of each was run, what is
    // left of uncovered code is b6 behind the return.
    let last = watch.rounds.iter().rev().find(|round| !round.is_empty()).expect("some");
    let [only] = last[..] else { panic!("{last:?}") };
    assert_eq!(only.func, FAR);
    // call and wait (a jump, 3 instructions, a return), return, ptradd, icmp, branch.
    assert_eq!(only.distance, Some(1 + (1 + 5) + 1 + 3));
}

#[test]
fn executions_and_call_paths_count_over_all_states() {
    let watch = watch(ALL, Feasibility::Eager);
    assert_eq!(watch.rounds[0][0].executions, 0);
    assert_eq!(watch.rounds[0][0].on_call_path, 0);
    let forked = &watch.rounds[1];
    assert_eq!(forked.iter().map(|f| f.executions).collect::<Vec<_>>(), [0, 0]);
    // `main` ran b0 and, but for the branch that waits, b1; `wait` counts for itself.
    let in_main = forked[0].on_call_path;
    assert!((5..=7).contains(&in_main), "{in_main}");
    assert_eq!(forked[1].on_call_path, in_main);
    let last = watch.rounds.iter().rev().find(|round| !round.is_empty()).expect("some");
    assert_eq!(last[0].executions, 1, "the same side of `far` was run once before");
    // Three states ran `far`, each by the two instructions of b0 and two behind the fork.
    assert_eq!(last[0].on_call_path, 3 * (2 + 2));
}

#[test]
fn instructions_since_new_coverage_grow_as_a_state_runs() {
    let watch = watch(ALL, Feasibility::Eager);
    assert_eq!(watch.rounds[0][0].instructions_since_new_coverage, None);
    let forked = &watch.rounds[1];
    assert!(
        forked[0].instructions_since_new_coverage.is_some_and(|since| since < 10),
        "{forked:?}"
    );
    assert_eq!(
        forked[0].instructions_since_new_coverage, forked[1].instructions_since_new_coverage,
        "both have run the same"
    );
}

#[test]
fn metrics_that_no_searcher_requires_are_not_kept() {
    let watch = watch(SearcherRequirements::default(), Feasibility::Eager);
    for facts in watch.rounds.iter().flatten() {
        assert_eq!((facts.distance, facts.executions, facts.on_call_path), (None, 0, 0));
    }
    assert!(watch.epochs.iter().all(|&epoch| epoch == 0));
}
