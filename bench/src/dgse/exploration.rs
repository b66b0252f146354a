//! Explores a program in this process, because only the engine's API reports the values of
//! instructions.

use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use byway_base::{Input, Outcome};
use byway_engine::{
    ChangedCode, Config, Control, ExploreConfig, Invocation, Losses, Observer, PathEnd,
    RecordedValue, RecordedValues, Reduction, StopReason, TestSelection, Totals, ValueSite,
    WorkerPool, explore_in_jobs,
};
use byway_ir::{BlockId, FuncId, Module};
use byway_solver::SolverOptions;

use crate::process;
use crate::setup::BenchSetup;
use crate::toolchain::Level;

/// Compiling a program must not take longer.
const COMPILE_LIMIT: Duration = Duration::from_secs(120);

/// Work of an exploration beyond which a program is too large: about a minute.
const MOST_WORK: u64 = 300_000_000;

/// How a program is explored.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum ReductionMode {
    /// Every path.
    Exhaustive,
    /// Without the paths that are redundant.
    Reduced,
}

impl ReductionMode {
    /// The options of `byway run`.
    pub fn arguments(self) -> &'static [&'static str] {
        match self {
            ReductionMode::Exhaustive => &["--search", "dfs"],
            ReductionMode::Reduced => &["--reduce", "dgse"],
        }
    }
}

/// A fault: its kind and where it is.
pub type FaultAtLine = (String, String);

/// What an exploration found.
pub struct Explored {
    pub paths: u64,
    pub faults: BTreeSet<FaultAtLine>,
    pub values: RecordedValues,
    /// An input of each path.
    pub inputs: Vec<Vec<Input>>,
}

/// Why a program gives no result.
#[derive(Debug)]
pub enum Unexplored {
    /// It has more paths than allowed.
    TooLarge,
    /// Something was not explored; what.
    Incomplete(String),
}

/// Compiles a program to the IR, in a folder.
pub fn compile(
    setup: &BenchSetup,
    source: &Path,
    level: Level,
    folder: &Path,
) -> Result<Module, String> {
    let text = folder.join("program.bwir");
    let mut command = setup.byway();
    command.arg("ir").arg(level.flag()).arg("--no-cache").arg("--out").arg(&text).arg(source);
    process::succeed(&mut command, COMPILE_LIMIT)?;
    let read = std::fs::read_to_string(&text).map_err(|e| format!("{}: {e}", text.display()))?;
    byway_ir::text::parse(&read).map_err(|e| format!("{}: {e}", text.display()))
}

/// Which part of a program is explored, and by how many workers.
pub struct ExplorationPlan {
    pub mode: ReductionMode,
    /// Only the effects of this change.
    pub changed: Option<ChangedCode>,
    pub workers: NonZeroUsize,
    /// A program with more paths is too large.
    pub most_paths: u64,
}

impl ExplorationPlan {
    /// All paths of a program, if it has at most so many.
    pub fn exhaustive(most_paths: u64) -> ExplorationPlan {
        let mode = ReductionMode::Exhaustive;
        ExplorationPlan { mode, changed: None, workers: NonZeroUsize::MIN, most_paths }
    }

    /// A program without its redundant paths.
    pub fn reduced() -> ExplorationPlan {
        let mode = ReductionMode::Reduced;
        ExplorationPlan { mode, ..ExplorationPlan::exhaustive(u64::MAX) }
    }
}

/// Explores a program.
pub fn explore_program(module: &Module, plan: ExplorationPlan) -> Result<Explored, Unexplored> {
    let ExplorationPlan { mode, changed, workers, most_paths } = plan;
    let (mut config, search) = configuration(mode);
    config.changed = changed.map(Arc::new);
    let incomplete = |error: String| Unexplored::Incomplete(error);
    let pool = WorkerPool {
        jobs: workers,
        searcher: &|| byway_search::build(&[search]).expect("a searcher of Byway"),
        pruner: None,
        unreduced: None,
        output: None,
        pure_calls: None,
        executor: None,
        solver: &|_| SolverOptions {
            check: false,
            log: None,
            interrupt: None,
            memory: None,
            on_error: Rc::new(|_| {}),
        },
        files: None,
    };
    let mut found =
        PathCollector { most_paths, paths: 0, faults: BTreeSet::new(), inputs: Vec::new() };
    let done = explore_in_jobs(module, &config, &pool, &mut found).map_err(incomplete)?;
    match done.stop_reason {
        StopReason::Done => {}
        StopReason::Stopped | StopReason::Work => return Err(Unexplored::TooLarge),
        other => return Err(incomplete(format!("stopped: {other:?}"))),
    }
    if done.totals.losses != Losses::default() {
        return Err(incomplete(format!("{:?}", done.totals.losses)));
    }
    let values = done.values.ok_or_else(|| incomplete("no values were recorded".to_owned()))?;
    Ok(Explored { paths: found.paths, faults: found.faults, values, inputs: found.inputs })
}

/// The configuration of an exploration, and its searcher.
pub fn configuration(mode: ReductionMode) -> (ExploreConfig, &'static str) {
    let mut config = ExploreConfig {
        engine: Config { record_values: true, ..Config::default() },
        invocation: Invocation { args: vec![b"program".to_vec()], ..Invocation::default() },
        tests: TestSelection::All,
        ..ExploreConfig::default()
    };
    config.limits.work = Some(byway_base::Work(MOST_WORK));
    match mode {
        ReductionMode::Exhaustive => (config, "dfs"),
        ReductionMode::Reduced => {
            config.reduction = Some(Reduction::DgseAlways);
            (config, "bfs")
        }
    }
}

/// Collects faults and inputs, and stops an exploration of too many paths.
struct PathCollector {
    most_paths: u64,
    paths: u64,
    faults: BTreeSet<FaultAtLine>,
    inputs: Vec<Vec<Input>>,
}

impl Observer for PathCollector {
    fn path(&mut self, path: &PathEnd, _totals: &Totals) -> Control {
        match &path.outcome {
            Outcome::Excluded => return Control::Continue,
            Outcome::Fault(fault) => {
                let loc = fault.culprit().and_then(|frame| frame.loc.as_ref());
                let line = loc.map_or_else(|| "?".to_owned(), |loc| format!("line {}", loc.line));
                self.faults.insert((fault.kind.to_string(), line));
            }
            _ => {}
        }
        self.inputs.extend(path.test.iter().map(|test| test.inputs.clone()));
        self.paths += 1;
        match self.paths > self.most_paths {
            true => Control::Stop,
            false => Control::Continue,
        }
    }

    fn tick(&mut self, _totals: &Totals) -> Control {
        Control::Continue
    }

    fn message(&mut self, _text: &str) {}
}

/// What two explorations of a program differ in.
pub fn differences(module: &Module, all: &Explored, reduced: &Explored) -> Vec<String> {
    let mut found = Vec::new();
    let mut compare_faults = |what: &str, these: &Explored, others: &Explored| {
        for (kind, line) in these.faults.difference(&others.faults) {
            found.push(format!("{what} fault: {kind} at {line}"));
        }
    };
    compare_faults("missed", all, reduced);
    compare_faults("extra", reduced, all);
    let mut compare_values = |what: &str, these: &Explored, others: &Explored| {
        for (site, value) in these.values.values.difference(&others.values.values) {
            let value = show(value, &these.values);
            found.push(format!("{what} value: {}: {value}", place(module, *site)));
        }
    };
    compare_values("missed", all, reduced);
    compare_values("extra", reduced, all);
    found
}

/// Something that an exploration showed.
pub enum Effect {
    Fault(FaultAtLine),
    Value(ValueSite, RecordedValue, String),
}

/// What only the second exploration shows.
pub fn affected(before: &Explored, after: &Explored) -> Vec<Effect> {
    let faults = after.faults.difference(&before.faults).cloned().map(Effect::Fault);
    let values = after.values.values.difference(&before.values.values);
    let value = |(site, value): &(ValueSite, RecordedValue)| {
        Effect::Value(*site, *value, show(value, &after.values))
    };
    faults.chain(values.map(value)).collect()
}

/// The effects that an exploration does not show, for people.
pub fn missed(module: &Module, effects: &[Effect], shown: &Explored) -> Vec<String> {
    let missed = |effect: &Effect| match effect {
        Effect::Fault(fault) if !shown.faults.contains(fault) => {
            Some(format!("fault {} at {}", fault.0, fault.1))
        }
        Effect::Value(site, value, text) if !shown.values.values.contains(&(*site, *value)) => {
            Some(format!("value {}: {text}", place(module, *site)))
        }
        _ => None,
    };
    effects.iter().filter_map(missed).collect()
}

fn show(value: &RecordedValue, values: &RecordedValues) -> String {
    match value {
        RecordedValue::Executed => "executed".to_owned(),
        RecordedValue::Pointer => "a pointer".to_owned(),
        RecordedValue::Undefined => "an undefined value".to_owned(),
        RecordedValue::Number(number) => number.to_string(),
        RecordedValue::Term(hash) => values.terms.get(hash).cloned().unwrap_or_default(),
    }
}

/// Where a value belongs, for people.
fn place(module: &Module, site: ValueSite) -> String {
    let (func, text, inst) = match site {
        ValueSite::Block(func, block) => (func, block.to_string(), first_of(module, func, block)),
        ValueSite::Store(func, inst) => (func, format!("store {inst}"), Some(inst)),
        ValueSite::Result(func, val) => {
            let function = &module.funcs[func];
            let insts = function.blocks.keys().flat_map(|block| function.blocks[block].inst_ids());
            let mut defining = insts.filter(|&inst| {
                let mut defines = false;
                function.insts[inst].for_each_def(|def| defines |= def == val);
                defines
            });
            let of_block = || {
                let has = |block: &BlockId| function.blocks[*block].params.contains(&val);
                function.blocks.keys().find(has).and_then(|block| first_of(module, func, block))
            };
            (func, val.to_string(), defining.next().or_else(of_block))
        }
    };
    let function = &module.funcs[func];
    let line = inst.and_then(|inst| function.loc(inst)).map(|loc| module.src_loc(loc).line);
    let line = line.map_or_else(String::new, |line| format!(" (line {line})"));
    format!("{} {text}{line}", function.name)
}

/// The first instruction of a block that has a location.
fn first_of(module: &Module, func: FuncId, block: BlockId) -> Option<byway_ir::InstId> {
    let function = &module.funcs[func];
    function.blocks[block].inst_ids().find(|&inst| function.loc(inst).is_some())
}
