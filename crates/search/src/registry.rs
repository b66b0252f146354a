//! The table of searchers: name, syntax, help text and constructor of each.

use std::num::{NonZeroU64, NonZeroUsize};
use std::rc::Rc;

use byway_base::spelling::closest;

use crate::markov::Estimator;
use crate::searcher::{
    Batch, Bfs, Ccbse, Cgs, CostLimited, CountedForks, Dart, Deepening, Dfs, Generational, Greedy,
    GreedyMode, Interleave, NearestOrigin, Nurs, Portfolio, RandomPath, RandomState, RandomTesting,
    Sdse, Sgs, SharePolicy, TieBreaker, ToEnd, UncoveredFirst, WeightKind,
};
use crate::spec::{Spec, SpecError};
use crate::{MakeSearcher, Searcher};

/// A searcher that `--search` can select by name.
pub struct SearcherEntry {
    /// Its name; the same as in KLEE, for searchers that KLEE has.
    pub name: &'static str,
    /// Its syntax, with arguments and inner searchers.
    pub form: &'static str,
    /// One or two sentences for the user who chooses.
    pub help: &'static str,
    make: fn(&Spec) -> Result<Box<dyn Searcher>, String>,
}

const AUTO_NAME: &str = "auto";

/// What `auto` stands for. `docs/search/auto.md` gives the reasons.
const AUTO: &str = "portfolio(cost-limited(portfolio(uncovered-first(random-path), \
                    uncovered-first(sgs:1/own), to-end(uncovered-first(random-path)))), \
                    greedy:later)";

/// Old names that are still accepted, with the new ones. Not listed in the help.
const ALIASES: [(&str, &str); 2] = [("frontier", "uncovered-first"), ("thrifty", "cost-limited")];

static ENTRIES: &[SearcherEntry] = &[
    SearcherEntry {
        name: AUTO_NAME,
        form: "auto",
        help: "The default. Takes uncovered branch sides first, then shares the work between \
               searchers by their recent new coverage.",
        make: |spec| {
            no_argument(spec)?;
            no_searchers(spec)?;
            make(&Spec::parse(AUTO)?)
        },
    },
    SearcherEntry {
        name: "dfs",
        form: "dfs",
        help: "Depth first: the newest state. Keeps few states; never leaves an endless loop.",
        make: |spec| plain(spec, Dfs::default()),
    },
    SearcherEntry {
        name: "bfs",
        form: "bfs",
        help: "Breadth first: the oldest state, level by level. Keeps many states.",
        make: |spec| plain(spec, Bfs::default()),
    },
    SearcherEntry {
        name: "random-state",
        form: "random-state",
        help: "A uniformly random state. Favours regions with many states, such as loops.",
        make: |spec| plain(spec, RandomState::default()),
    },
    SearcherEntry {
        name: "random-path",
        form: "random-path",
        help: "A random walk down the execution tree. Favours short paths; loops do not trap it.",
        make: |spec| plain(spec, RandomPath::default()),
    },
    SearcherEntry {
        name: "nurs",
        form: "nurs:WEIGHT",
        help: "A weighted random state; WEIGHT is depth, rp, icnt, cpicnt, qc, md2u or covnew (see \
               docs/search.md).",
        make: |spec| {
            let kind = weight_kind(spec.argument.as_deref())?;
            no_searchers(spec)?;
            Ok(Box::new(Nurs::new(kind)))
        },
    },
    SearcherEntry {
        name: "sgs",
        form: "sgs:N[/own][(TIES)]",
        help: "Subpath guided: the state whose last N branches were picked least often. sgs:combined \
               gives N = 1, 2, 4 and 8 equal work; sgs:adaptive shares by recent new coverage. /own \
               ignores branches in libraries. TIES breaks ties: random, latest, or a searcher.",
        make: sgs,
    },
    SearcherEntry {
        name: "sdse",
        form: "sdse[:intra]",
        help: "Shortest distance: the state nearest to a --target, through calls and returns; \
               sdse:intra looks no further than the state's own function.",
        make: |spec| {
            no_searchers(spec)?;
            match spec.argument.as_deref() {
                None => Ok(Box::new(Sdse::new())),
                Some("intra") => Ok(Box::new(Sdse::intra())),
                Some(other) => Err(format!("`sdse` takes `intra` or nothing, not `{other}`")),
            }
        },
    },
    SearcherEntry {
        name: "dart",
        form: "dart",
        help: "Concolic, depth first: runs an input to its end, then negates its last untried branch.",
        make: |spec| plain(spec, Dart::default()),
    },
    SearcherEntry {
        name: "generational",
        form: "generational",
        help: "Concolic, as in SAGE: negates every branch of a run; runs with most new coverage first.",
        make: |spec| plain(spec, Generational::default()),
    },
    SearcherEntry {
        name: "cgs",
        form: "cgs:K",
        help: "Concolic, context guided: level by level, negates a branch only in a new context, the \
               last 1 to K branches; then all others.",
        make: cgs,
    },
    SearcherEntry {
        name: "greedy",
        form: "greedy[:OPTIONS]",
        help: "Concolic: random tests, run natively where possible, or the solver, whichever is expected \
               to cover more per cost. OPTIONS, separated by /, are random or solving (only one of \
               the two), good-turing (another estimate of probabilities) and later (a \
               portfolio gives it turns after some seconds).",
        make: greedy,
    },
    SearcherEntry {
        name: RANDOM_TESTING,
        form: "random-testing[:N]",
        help: "Random inputs instead of exploration, until a limit is reached or N in a row take no new \
               path. Cannot be combined.",
        make: |spec| {
            no_searchers(spec)?;
            let patience = spec.argument.as_ref().map(|text| {
                text.parse::<NonZeroU64>().map_err(|_| {
                    format!("`random-testing` takes a number of inputs from 1 up, not `{text}`")
                })
            });
            Ok(Box::new(RandomTesting::new(patience.transpose()?)))
        },
    },
    SearcherEntry {
        name: "ccbse",
        form: "ccbse[(S)]",
        help: "Backward along call chains: S (default: random-path) starts in the function of a target, \
               then in its callers, which follow the paths found. Needs --target.",
        make: ccbse,
    },
    SearcherEntry {
        name: "mix-ccbse",
        form: "mix-ccbse[(S)]",
        help: "S (default: klee-default) searches forward and follows the paths that \
               ccbse(random-path) finds, with equal work for both. Needs --target.",
        make: mix_ccbse,
    },
    SearcherEntry {
        name: "klee-default",
        form: "klee-default",
        help: "KLEE's default: random-path and nurs:covnew alternate.",
        make: |spec| {
            let covnew = Nurs::new(WeightKind::CoveringNew);
            plain(spec, Interleave::new(vec![Box::<RandomPath>::default(), Box::new(covnew)]))
        },
    },
    SearcherEntry {
        name: "interleave",
        form: "interleave(S, ...)",
        help: "The searchers alternate, one pick each; the same as several --search options.",
        make: |spec| {
            no_argument(spec)?;
            if spec.inner.is_empty() {
                return Err("`interleave` needs searchers: `interleave(S, ...)`".to_string());
            }
            let searchers: Result<_, _> = spec.inner.iter().map(make).collect();
            Ok(Box::new(Interleave::new(searchers?)))
        },
    },
    SearcherEntry {
        name: "portfolio",
        form: "portfolio(S, ...)",
        help: "The searchers share the work by their recent new coverage.",
        make: |spec| {
            no_argument(spec)?;
            if spec.inner.is_empty() {
                return Err("`portfolio` needs searchers: `portfolio(S, ...)`".to_string());
            }
            portfolio(spec, SharePolicy::ByGain, &spec.inner)
        },
    },
    SearcherEntry {
        name: "equal-work",
        form: "equal-work(S, ...)",
        help: "The searchers do equal work.",
        make: |spec| {
            no_argument(spec)?;
            if spec.inner.is_empty() {
                return Err("`equal-work` needs searchers: `equal-work(S, ...)`".to_string());
            }
            portfolio(spec, SharePolicy::Equal, &spec.inner)
        },
    },
    SearcherEntry {
        name: "uncovered-first",
        form: "uncovered-first(S)",
        help: "States about to take an uncovered branch side; if there are none, the pick of S.",
        make: |spec| Ok(Box::new(UncoveredFirst::new(only(spec)?))),
    },
    SearcherEntry {
        name: "cost-limited",
        form: "cost-limited(S)",
        help: "The pick of S, but suspends states whose queries were expensive until more work is done.",
        make: |spec| Ok(Box::new(CostLimited::new(only(spec)?))),
    },
    SearcherEntry {
        name: "deepening",
        form: "deepening[:WORK](S)",
        help: "The pick of S, but suspends states whose paths took more than WORK (default: 1000000); \
               when only such states are left, WORK doubles.",
        make: |spec| {
            let bound = work_from_one(spec, Deepening::BOUND)?;
            Ok(Box::new(Deepening::new(only_searcher(spec)?, bound)))
        },
    },
    SearcherEntry {
        name: "to-end",
        form: "to-end(S)",
        help: "The pick of S, which runs until its path ends; the other cases of its forks stay pending.",
        make: |spec| Ok(Box::new(ToEnd::new(only(spec)?))),
    },
    SearcherEntry {
        name: "batch",
        form: "batch[:STEPS](S)",
        help: "The pick of S, which then runs for STEPS instructions (default: 10000).",
        make: |spec| {
            let steps = work_from_one(spec, Batch::STEPS)?;
            Ok(Box::new(Batch::new(only_searcher(spec)?, steps)))
        },
    },
];

/// All searchers, in the order of the help.
pub fn entries() -> &'static [SearcherEntry] {
    ENTRIES
}

/// The text for `--help`: the syntax of each searcher, then its description.
pub fn help() -> String {
    ENTRIES.iter().map(|entry| format!("{}\n    {}\n", entry.form, entry.help)).collect()
}

/// Builds the searcher that the specifications describe; several alternate.
pub fn build(specs: &[impl AsRef<str>]) -> Result<Box<dyn Searcher>, SpecError> {
    let build_one = |text: &str| {
        Spec::parse(text)
            .and_then(|spec| stands_alone(&spec, specs.len() == 1).map(|()| spec))
            .and_then(|spec| make(&spec))
            .map_err(|problem| SpecError::new(text, problem))
    };
    let mut searchers: Vec<Box<dyn Searcher>> =
        specs.iter().map(|text| build_one(text.as_ref())).collect::<Result<_, _>>()?;
    match searchers.len() {
        0 => Err(SpecError::new("", format!("no searcher given; choose one of {}", forms()))),
        1 => Ok(searchers.remove(0)),
        _ => Ok(Box::new(Interleave::new(searchers))),
    }
}

/// The same specifications with `ties` as tie-breaker of every `sgs` that has none. An error
/// if they contain no `sgs`.
pub fn with_tie_breaker(specs: &[impl AsRef<str>], ties: &str) -> Result<Vec<String>, SpecError> {
    let read = |text: &str| Spec::parse(text).map_err(|problem| SpecError::new(text, problem));
    let ties = read(ties)?;
    let mut specs: Vec<Spec> =
        specs.iter().map(|text| read(text.as_ref())).collect::<Result<_, _>>()?;
    let found = specs.iter_mut().map(|spec| spec.set_tie_breaker(&ties)).fold(false, |a, b| a | b);
    let specs: Vec<String> = specs.iter().map(Spec::to_string).collect();
    match found {
        true => Ok(specs),
        false => {
            Err(SpecError::new(&specs.join("`, `"), "--ties needs an `sgs` searcher".to_string()))
        }
    }
}

impl Spec {
    /// Sets the tie-breaker of every `sgs` that has none. Returns whether there is an `sgs`.
    fn set_tie_breaker(&mut self, ties: &Spec) -> bool {
        if let (AUTO_NAME, Ok(expanded)) = (self.name.as_str(), Spec::parse(AUTO)) {
            *self = expanded;
        }
        let is_sgs = self.name == "sgs";
        let inner = self.inner.iter_mut().map(|inner| inner.set_tie_breaker(ties));
        let found = inner.fold(is_sgs, |a, b| a | b);
        if is_sgs && self.inner.is_empty() {
            self.inner.push(ties.clone());
        }
        found
    }
}

/// It keeps no states, so a searcher beside it would have nothing to pick.
const RANDOM_TESTING: &str = "random-testing";

fn stands_alone(spec: &Spec, alone: bool) -> Result<(), String> {
    if spec.name == RANDOM_TESTING && !alone {
        return Err(format!(
            "`{RANDOM_TESTING}` cannot be combined with other searchers: it explores no states"
        ));
    }
    spec.inner.iter().try_for_each(|inner| stands_alone(inner, false))
}

fn make(spec: &Spec) -> Result<Box<dyn Searcher>, String> {
    let alias = ALIASES.iter().find(|(old, _)| *old == spec.name);
    let name = alias.map_or(spec.name.as_str(), |&(_, new)| new);
    match ENTRIES.iter().find(|entry| entry.name == name) {
        Some(entry) => (entry.make)(spec),
        None => {
            let names = ENTRIES.iter().map(|entry| entry.name);
            let hint = closest(name, names).map(|close| format!(" (did you mean `{close}`?)"));
            let hint = hint.unwrap_or_default();
            Err(format!("unknown searcher `{name}`{hint}; choose one of {}", forms()))
        }
    }
}

/// The end of an error message: `, not NAME`, with a hint if `given` looks like a known word.
fn not(given: Option<&str>, known: &[&str]) -> String {
    let Some(given) = given else { return String::new() };
    let hint = closest(given, known.iter().copied());
    let hint = hint.map(|close| format!(" (did you mean `{close}`?)")).unwrap_or_default();
    format!(", not `{given}`{hint}")
}

fn forms() -> String {
    let forms: Vec<&str> = ENTRIES.iter().map(|entry| entry.form).collect();
    forms.join(", ")
}

/// A searcher without argument and inner searchers.
fn plain(spec: &Spec, searcher: impl Searcher + 'static) -> Result<Box<dyn Searcher>, String> {
    no_argument(spec)?;
    no_searchers(spec)?;
    Ok(Box::new(searcher))
}

/// A portfolio of the members, named by their specifications.
fn portfolio(
    spec: &Spec,
    shares: SharePolicy,
    members: &[Spec],
) -> Result<Box<dyn Searcher>, String> {
    let member = |spec: &Spec| Ok((spec.to_string(), make(spec)?));
    let members: Result<_, String> = members.iter().map(member).collect();
    Ok(Box::new(Portfolio::new(spec.to_string(), shares, members?)))
}

fn greedy(spec: &Spec) -> Result<Box<dyn Searcher>, String> {
    no_searchers(spec)?;
    let (mut mode, mut estimator, mut is_later) = (GreedyMode::Both, Estimator::Laplace, false);
    for option in spec.argument.iter().flat_map(|options| options.split('/')) {
        match option {
            "random" => mode = GreedyMode::RandomOnly,
            "solving" => mode = GreedyMode::SolvingOnly,
            "laplace" => estimator = Estimator::Laplace,
            "good-turing" => estimator = Estimator::GoodTuring,
            "later" => is_later = true,
            other => {
                let known = ["random", "solving", "laplace", "good-turing", "later"];
                let not = not(Some(other), &known);
                return Err(format!("`greedy` takes random, solving, good-turing or later{not}"));
            }
        }
    }
    let greedy = Greedy::new(mode, estimator);
    Ok(Box::new(if is_later { greedy.later() } else { greedy }))
}

fn ccbse(spec: &Spec) -> Result<Box<dyn Searcher>, String> {
    let inner = inner_or(spec, "random-path")?;
    Ok(Box::new(Ccbse::new(backward(inner))))
}

fn mix_ccbse(spec: &Spec) -> Result<Box<dyn Searcher>, String> {
    let forward = make(&inner_or(spec, "klee-default")?)?;
    Ok(Box::new(Ccbse::mixed(forward, backward(Spec::parse("random-path")?))))
}

/// Makes searchers of a backward search, with `inner` for the states of each origin.
fn backward(inner: Spec) -> MakeSearcher {
    let inner: MakeSearcher = Rc::new(move || make(&inner).expect("it was made before"));
    Rc::new(move || Box::new(NearestOrigin::new(Rc::clone(&inner))))
}

/// The inner searcher of a directed one, which can start anywhere in the program.
fn inner_or(spec: &Spec, default: &str) -> Result<Spec, String> {
    no_argument(spec)?;
    let inner = match &spec.inner[..] {
        [] => Spec::parse(default)?,
        [only] => only.clone(),
        _ => return Err(format!("`{0}` takes one searcher: `{0}(S)`", spec.name)),
    };
    let requirements = make(&inner)?.requirements();
    if requirements.concolic || requirements.random || requirements.backward {
        let reason = match requirements.backward {
            true => "it searches backward itself",
            false => "it runs whole inputs from the program's start",
        };
        return Err(format!("`{}` cannot use `{inner}`: {reason}", spec.name));
    }
    Ok(inner)
}

/// The only inner searcher of one without argument.
fn only(spec: &Spec) -> Result<Box<dyn Searcher>, String> {
    no_argument(spec)?;
    only_searcher(spec)
}

fn only_searcher(spec: &Spec) -> Result<Box<dyn Searcher>, String> {
    match &spec.inner[..] {
        [only] => make(only),
        _ => Err(format!("`{0}` needs one searcher: `{0}(S)`", spec.name)),
    }
}

/// The argument as a number of instructions or their worth in other work.
fn work_from_one(spec: &Spec, default: NonZeroU64) -> Result<NonZeroU64, String> {
    spec.argument.as_ref().map_or(Ok(default), |text| {
        let problem =
            |_| format!("`{}` takes a number of instructions from 1 up, not `{text}`", spec.name);
        text.parse::<NonZeroU64>().map_err(problem)
    })
}

fn no_searchers(spec: &Spec) -> Result<(), String> {
    match spec.inner.is_empty() {
        true => Ok(()),
        false => Err(format!("`{}` takes no searchers in parentheses", spec.name)),
    }
}

fn no_argument(spec: &Spec) -> Result<(), String> {
    match &spec.argument {
        None => Ok(()),
        Some(text) => Err(format!("`{}` takes no argument, but `:{text}` was given", spec.name)),
    }
}

/// The subpath lengths of `sgs:combined` and `sgs:adaptive`.
const LENGTHS: [usize; 4] = [1, 2, 4, 8];

/// Longer subpaths behave like whole paths, and comparing them takes as long.
const LONGEST: usize = 1_000;

fn sgs(spec: &Spec) -> Result<Box<dyn Searcher>, String> {
    let argument = spec.argument.as_deref();
    let (argument, suffix) = match argument.and_then(|text| text.split_once('/')) {
        Some((length, forks)) => (Some(length), format!("/{forks}")),
        None => (argument, String::new()),
    };
    let forks = match suffix.as_str() {
        "/own" => CountedForks::UserCode,
        "" | "/all" => CountedForks::All,
        other => return Err(format!("`sgs` counts the forks `/own` or `/all`, not `{other}`")),
    };
    let combined = |shares| {
        let member = |length| Spec { argument: Some(format!("{length}{suffix}")), ..spec.clone() };
        portfolio(spec, shares, &LENGTHS.map(member))
    };
    match argument {
        Some("combined") => combined(SharePolicy::Equal),
        Some("adaptive") => combined(SharePolicy::ByGain),
        other => {
            let length = other.and_then(|text| text.parse::<NonZeroUsize>().ok());
            match length.filter(|length| length.get() <= LONGEST) {
                Some(length) => Ok(Box::new(Sgs::new(length, forks, ties(spec)?))),
                None => Err(format!(
                    "`sgs` takes a subpath length from 1 to {LONGEST}, `combined` or `adaptive`, \
                     as in `sgs:2`{}",
                    not(other, &["combined", "adaptive"])
                )),
            }
        }
    }
}

fn cgs(spec: &Spec) -> Result<Box<dyn Searcher>, String> {
    no_searchers(spec)?;
    let given = spec.argument.as_deref();
    let longest = given.and_then(|text| text.parse::<NonZeroUsize>().ok());
    match longest.filter(|longest| longest.get() <= LONGEST) {
        Some(longest) => Ok(Box::new(Cgs::new(longest))),
        None => Err(format!(
            "`cgs` takes a context length from 1 to {LONGEST}, as in `cgs:5`{}",
            given.map_or(String::new(), |text| format!(", not `{text}`"))
        )),
    }
}

/// Searchers that can break ties: their `pick` changes nothing in them, so it does not matter
/// that a pick may be ignored.
const TIE_BREAKERS: [&str; 5] = ["dfs", "bfs", "random-state", "random-path", "nurs"];

/// The tie-breaker of an `sgs`.
fn ties(spec: &Spec) -> Result<TieBreaker, String> {
    match &spec.inner[..] {
        [] => Ok(TieBreaker::Random),
        [only] => match (only.name.as_str(), &only.argument, &only.inner[..]) {
            ("random", None, []) => Ok(TieBreaker::Random),
            ("latest", None, []) => Ok(TieBreaker::Latest),
            (name, ..) if TIE_BREAKERS.contains(&name) => Ok(TieBreaker::Searcher(make(only)?)),
            (name, ..) => {
                let words = ["random", "latest"].into_iter();
                let known: Vec<&str> = words.chain(TIE_BREAKERS).collect();
                let given = not(Some(name), &known);
                Err(format!("`sgs` breaks ties by one of {}{given}", known.join(", ")))
            }
        },
        _ => Err("`sgs` takes one tie-breaker, as in `sgs:2(latest)`".to_string()),
    }
}

fn weight_kind(name: Option<&str>) -> Result<WeightKind, String> {
    name.and_then(WeightKind::by_name).ok_or_else(|| {
        let known = WeightKind::ALL.map(WeightKind::name);
        let given = not(name, &known);
        format!("`nurs` takes one of the weights {}{given}", known.join(", "))
    })
}
