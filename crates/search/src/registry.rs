//! Which searchers there are: one row for each, with its name, how it is written,
//! what it does, and how it is made.

use std::num::{NonZeroU64, NonZeroUsize};

use byway_base::spelling::closest;

use crate::Searcher;
use crate::searcher::{
    Batch, Bfs, Cgs, CostLimited, CountedForks, Dart, Dfs, Generational, Interleave, Nurs,
    Portfolio, RandomPath, RandomState, RandomTesting, Sgs, SharePolicy, TieBreaker,
    UncoveredFirst, WeightKind,
};
use crate::spec::{Spec, SpecError};

/// A searcher that can be asked for by name.
pub struct SearcherEntry {
    /// Its name; KLEE's, where KLEE has it.
    pub name: &'static str,
    /// How it is written, with what it takes.
    pub form: &'static str,
    /// What it does, for the person who chooses.
    pub help: &'static str,
    make: fn(&Spec) -> Result<Box<dyn Searcher>, String>,
}

const AUTO_NAME: &str = "auto";

/// What `auto` is short for; `docs/search/auto.md` has what it was chosen by.
const AUTO: &str = "thrifty(portfolio(frontier(random-path), frontier(sgs:1/own)))";

static ENTRIES: &[SearcherEntry] = &[
    SearcherEntry {
        name: AUTO_NAME,
        form: "auto",
        help: "Several searchers, each with as much of the work as it lately gained; first of all, \
               sides of branches that no path has gone. The default.",
        make: |spec| {
            no_argument(spec)?;
            no_searchers(spec)?;
            make(&Spec::parse(AUTO)?)
        },
    },
    SearcherEntry {
        name: "dfs",
        form: "dfs",
        help: "Depth first: the newest state. Few states at a time; stays in an endless loop.",
        make: |spec| plain(spec, Dfs::default()),
    },
    SearcherEntry {
        name: "bfs",
        form: "bfs",
        help: "Breadth first: the oldest state, level by level. Many states at a time.",
        make: |spec| plain(spec, Bfs::default()),
    },
    SearcherEntry {
        name: "random-state",
        form: "random-state",
        help: "Any state with the same chance. Spends itself where most states are: deep in loops.",
        make: |spec| plain(spec, RandomState::default()),
    },
    SearcherEntry {
        name: "random-path",
        form: "random-path",
        help: "A random walk down the execution tree. Favours short paths; loops cannot trap it.",
        make: |spec| plain(spec, RandomPath::default()),
    },
    SearcherEntry {
        name: "nurs",
        form: "nurs:WEIGHT",
        help: "At random by weight: depth, rp, icnt, cpicnt, qc, md2u or covnew (see docs/search.md).",
        make: |spec| {
            let measure = measure(spec.argument.as_deref())?;
            no_searchers(spec)?;
            Ok(Box::new(Nurs::new(measure)))
        },
    },
    SearcherEntry {
        name: "sgs",
        form: "sgs:N[/own][(TIES)]",
        help: "Less travelled paths: where the last N branches were picked least (1 up). sgs:combined \
               gives N = 1, 2, 4, 8 equal work, sgs:adaptive by what each lately gained. Branches of \
               libraries count, or not (/own). Between equals: random, latest, or what a \
               searcher would run.",
        make: sgs,
    },
    SearcherEntry {
        name: "dart",
        form: "dart",
        help: "Concolic, depth first: runs inputs to their ends; negates the last branch not tried.",
        make: |spec| plain(spec, Dart::default()),
    },
    SearcherEntry {
        name: "generational",
        form: "generational",
        help: "Concolic, as SAGE does: negates every branch of a run, the runs that covered most first.",
        make: |spec| plain(spec, Generational::default()),
    },
    SearcherEntry {
        name: "cgs",
        form: "cgs:K",
        help: "Concolic, context guided: level by level, a branch only where the branches before it are \
               new, by 1 to K of them; then the rest.",
        make: cgs,
    },
    SearcherEntry {
        name: RANDOM_TESTING,
        form: "random-testing[:N]",
        help: "No exploring: inputs drawn at random, until a limit is reached or N in a row take no new \
               path. Not with others.",
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
        name: "klee-default",
        form: "klee-default",
        help: "What KLEE does if not told: random-path and nurs:covnew by turns.",
        make: |spec| {
            let covnew = Nurs::new(WeightKind::CoveringNew);
            plain(spec, Interleave::new(vec![Box::<RandomPath>::default(), Box::new(covnew)]))
        },
    },
    SearcherEntry {
        name: "interleave",
        form: "interleave(S, ...)",
        help: "The given searchers by turns, one pick each; the same as giving several.",
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
        help: "The given searchers, each with a share of the work by what it lately gained.",
        make: |spec| {
            no_argument(spec)?;
            if spec.inner.is_empty() {
                return Err("`portfolio` needs searchers: `portfolio(S, ...)`".to_string());
            }
            portfolio(spec, SharePolicy::ByGain, &spec.inner)
        },
    },
    SearcherEntry {
        name: "frontier",
        form: "frontier(S)",
        help: "States before a side of a branch that none has gone; if there are none, as S does.",
        make: |spec| Ok(Box::new(UncoveredFirst::new(only(spec)?))),
    },
    SearcherEntry {
        name: "thrifty",
        form: "thrifty(S)",
        help: "As S does, but states that have cost the solver much are put aside for a while.",
        make: |spec| Ok(Box::new(CostLimited::new(only(spec)?))),
    },
    SearcherEntry {
        name: "batch",
        form: "batch[:STEPS](S)",
        help: "Picks as S does, but lets each pick run on for STEPS instructions (10000 if not given).",
        make: |spec| {
            let steps = match &spec.argument {
                None => Batch::STEPS,
                Some(text) => text.parse::<NonZeroU64>().map_err(|_| {
                    format!("`batch` takes a number of instructions from 1 up, not `{text}`")
                })?,
            };
            match &spec.inner[..] {
                [only] => Ok(Box::new(Batch::new(make(only)?, steps))),
                _ => Err("`batch` needs one searcher: `batch(S)`".to_string()),
            }
        },
    },
];

/// All searchers.
pub fn entries() -> &'static [SearcherEntry] {
    ENTRIES
}

/// All searchers, for `--help`: how each is written, and below it what it does.
pub fn help() -> String {
    ENTRIES.iter().map(|entry| format!("{}\n    {}\n", entry.form, entry.help)).collect()
}

/// The searcher these texts ask for; several take turns.
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
        0 => Err(SpecError::new("", format!("no searcher is given; there are {}", forms()))),
        1 => Ok(searchers.remove(0)),
        _ => Ok(Box::new(Interleave::new(searchers))),
    }
}

/// The same texts, but every `sgs` that does not say who decides between equals is told
/// that this one does; an error if there is no `sgs` among them.
pub fn with_tie_breaker(specs: &[impl AsRef<str>], ties: &str) -> Result<Vec<String>, SpecError> {
    let read = |text: &str| Spec::parse(text).map_err(|problem| SpecError::new(text, problem));
    let ties = read(ties)?;
    let mut specs: Vec<Spec> =
        specs.iter().map(|text| read(text.as_ref())).collect::<Result<_, _>>()?;
    let found = specs.iter_mut().map(|spec| spec.tell_sgs(&ties)).fold(false, |a, b| a | b);
    let specs: Vec<String> = specs.iter().map(Spec::to_string).collect();
    match found {
        true => Ok(specs),
        false => Err(SpecError::new(
            &specs.join("`, `"),
            "--ties is for `sgs`, and there is none".to_string(),
        )),
    }
}

impl Spec {
    /// Tells every `sgs` in it who decides between equals, and whether there is any.
    fn tell_sgs(&mut self, ties: &Spec) -> bool {
        if let (AUTO_NAME, Ok(meant)) = (self.name.as_str(), Spec::parse(AUTO)) {
            *self = meant;
        }
        let is_sgs = self.name == "sgs";
        let inner = self.inner.iter_mut().map(|inner| inner.tell_sgs(ties));
        let found = inner.fold(is_sgs, |a, b| a | b);
        if is_sgs && self.inner.is_empty() {
            self.inner.push(ties.clone());
        }
        found
    }
}

/// The one that explores no states, so that others would have nothing to choose from.
const RANDOM_TESTING: &str = "random-testing";

fn stands_alone(spec: &Spec, alone: bool) -> Result<(), String> {
    if spec.name == RANDOM_TESTING && !alone {
        let why = "it runs inputs, where others choose between states";
        return Err(format!("`{RANDOM_TESTING}` cannot be combined with other searchers: {why}"));
    }
    spec.inner.iter().try_for_each(|inner| stands_alone(inner, false))
}

fn make(spec: &Spec) -> Result<Box<dyn Searcher>, String> {
    match ENTRIES.iter().find(|entry| entry.name == spec.name) {
        Some(entry) => (entry.make)(spec),
        None => Err(match closest(&spec.name, ENTRIES.iter().map(|entry| entry.name)) {
            Some(name) => format!(
                "there is no searcher `{}`; did you mean `{name}`? There are {}",
                spec.name,
                forms()
            ),
            None => format!("there is no searcher `{}`; there are {}", spec.name, forms()),
        }),
    }
}

/// What was given instead of a known word, and which was probably meant.
fn not(given: Option<&str>, how: &str, known: &[&str]) -> String {
    let Some(given) = given else { return String::new() };
    let meant =
        closest(given, known.iter().copied()).map(|meant| format!("; did you mean `{meant}`?"));
    format!("{how} `{given}`{}", meant.unwrap_or_default())
}

fn forms() -> String {
    let forms: Vec<&str> = ENTRIES.iter().map(|entry| entry.form).collect();
    forms.join(", ")
}

/// A searcher that takes nothing.
fn plain(spec: &Spec, searcher: impl Searcher + 'static) -> Result<Box<dyn Searcher>, String> {
    no_argument(spec)?;
    no_searchers(spec)?;
    Ok(Box::new(searcher))
}

/// Searchers that share the work.
fn portfolio(
    spec: &Spec,
    shares: SharePolicy,
    members: &[Spec],
) -> Result<Box<dyn Searcher>, String> {
    let member = |spec: &Spec| Ok((spec.to_string(), make(spec)?));
    let members: Result<_, String> = members.iter().map(member).collect();
    Ok(Box::new(Portfolio::new(spec.to_string(), shares, members?)))
}

/// The one searcher in the parentheses of one that takes nothing else.
fn only(spec: &Spec) -> Result<Box<dyn Searcher>, String> {
    no_argument(spec)?;
    match &spec.inner[..] {
        [only] => make(only),
        _ => Err(format!("`{0}` needs one searcher: `{0}(S)`", spec.name)),
    }
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
        Some(text) => Err(format!("`{}` takes nothing behind a colon, not `{text}`", spec.name)),
    }
}

/// The lengths that are combined.
const LENGTHS: [usize; 4] = [1, 2, 4, 8];

/// Longer subpaths are as good as whole paths, and take as long to compare.
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
        other => return Err(format!("`sgs` counts forks `/own` or `/all`, not `{other}`")),
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
                    "`sgs` takes the length of subpaths, from 1 to {LONGEST}, `combined` or \
                     `adaptive`: `sgs:2`{}",
                    not(other, ", not", &["combined", "adaptive"])
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
            "`cgs` takes the length of contexts, from 1 to {LONGEST}: `cgs:5`{}",
            given.map_or(String::new(), |text| format!(", not `{text}`"))
        )),
    }
}

/// Searchers that may decide between equals: being asked changes nothing in them, though
/// what they answer is not always done.
const ADVISERS: [&str; 5] = ["dfs", "bfs", "random-state", "random-path", "nurs"];

/// Who decides between equals.
fn ties(spec: &Spec) -> Result<TieBreaker, String> {
    match &spec.inner[..] {
        [] => Ok(TieBreaker::Random),
        [only] => match (only.name.as_str(), &only.argument, &only.inner[..]) {
            ("random", None, []) => Ok(TieBreaker::Random),
            ("latest", None, []) => Ok(TieBreaker::Latest),
            (name, ..) if ADVISERS.contains(&name) => Ok(TieBreaker::Searcher(make(only)?)),
            (name, ..) => {
                let known: Vec<&str> = ["random", "latest"].into_iter().chain(ADVISERS).collect();
                let given = not(Some(name), ", not by", &known);
                Err(format!("`sgs` decides between equals by one of {}{given}", known.join(", ")))
            }
        },
        _ => Err("`sgs` decides between equals in one way: `sgs:2(latest)`".to_string()),
    }
}

/// What `nurs` weighs states by.
fn measure(name: Option<&str>) -> Result<WeightKind, String> {
    name.and_then(WeightKind::by_name).ok_or_else(|| {
        let known = WeightKind::ALL.map(WeightKind::name);
        let given = not(name, ", not by", &known);
        format!("`nurs` weighs states by one of {}{given}", known.join(", "))
    })
}
