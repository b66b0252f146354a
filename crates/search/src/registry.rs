//! Which searchers there are: one row for each, with its name, how it is written,
//! what it does, and how it is made.

use std::num::NonZeroU64;

use crate::Searcher;
use crate::searcher::{Batch, Bfs, Dfs, Interleave, RandomPath, RandomState};
use crate::spec::{Spec, SpecError};

/// A searcher that can be asked for by name.
pub struct Entry {
    /// Its name; KLEE's, where KLEE has it.
    pub name: &'static str,
    /// How it is written, with what it takes.
    pub form: &'static str,
    /// What it does, for the person who chooses.
    pub help: &'static str,
    make: fn(&Spec) -> Result<Box<dyn Searcher>, String>,
}

static ENTRIES: &[Entry] = &[
    Entry {
        name: "dfs",
        form: "dfs",
        help: "Depth first: the newest state. Few states at a time; stays in an endless loop.",
        make: |spec| plain(spec, Dfs::default()),
    },
    Entry {
        name: "bfs",
        form: "bfs",
        help: "Breadth first: the oldest state, level by level. Many states at a time.",
        make: |spec| plain(spec, Bfs::default()),
    },
    Entry {
        name: "random-state",
        form: "random-state",
        help: "Any state with the same chance. Spends itself where most states are: deep in loops.",
        make: |spec| plain(spec, RandomState::default()),
    },
    Entry {
        name: "random-path",
        form: "random-path",
        help: "A random walk down the execution tree. Favours short paths; loops cannot trap it.",
        make: |spec| plain(spec, RandomPath::default()),
    },
    Entry {
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
    Entry {
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
pub fn entries() -> &'static [Entry] {
    ENTRIES
}

/// All searchers, for `--help`: one line each, aligned.
pub fn help() -> String {
    let width = ENTRIES.iter().map(|entry| entry.form.len()).max().unwrap_or(0);
    ENTRIES.iter().map(|entry| format!("{:width$}  {}\n", entry.form, entry.help)).collect()
}

/// The searcher these texts ask for; several take turns.
pub fn build(specs: &[impl AsRef<str>]) -> Result<Box<dyn Searcher>, SpecError> {
    let build_one = |text: &str| {
        Spec::parse(text)
            .and_then(|spec| make(&spec))
            .map_err(|problem| SpecError::new(text, problem))
    };
    let mut searchers: Vec<Box<dyn Searcher>> =
        specs.iter().map(|text| build_one(text.as_ref())).collect::<Result<_, _>>()?;
    match searchers.len() {
        0 => Err(SpecError::new("", format!("no searcher is given; {}", what_exists()))),
        1 => Ok(searchers.remove(0)),
        _ => Ok(Box::new(Interleave::new(searchers))),
    }
}

fn make(spec: &Spec) -> Result<Box<dyn Searcher>, String> {
    match ENTRIES.iter().find(|entry| entry.name == spec.name) {
        Some(entry) => (entry.make)(spec),
        None => Err(format!("there is no searcher `{}`; {}", spec.name, what_exists())),
    }
}

fn what_exists() -> String {
    let forms: Vec<&str> = ENTRIES.iter().map(|entry| entry.form).collect();
    format!("there are {}", forms.join(", "))
}

/// A searcher that takes nothing.
fn plain(spec: &Spec, searcher: impl Searcher + 'static) -> Result<Box<dyn Searcher>, String> {
    no_argument(spec)?;
    match spec.inner.is_empty() {
        true => Ok(Box::new(searcher)),
        false => Err(format!("`{}` takes no searchers in parentheses", spec.name)),
    }
}

fn no_argument(spec: &Spec) -> Result<(), String> {
    match &spec.argument {
        None => Ok(()),
        Some(text) => Err(format!("`{}` takes nothing behind a colon, not `{text}`", spec.name)),
    }
}
