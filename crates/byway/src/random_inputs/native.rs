//! Runs random inputs natively: the program that is explored, compiled for this machine, in a
//! sandbox.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::time::Instant;

use byway_base::Input;
use byway_base::entity::EntityRef;
use byway_engine::{CoverageSite, ExecutedInputs, ExploreConfig, coverage_sites};
use byway_ir::{BlockId, FuncId, Module};
use byway_native::inputs::{
    EdgeTable, InputBatch, InputEnding, InputProgram, InputRunner, ProgramWords, RunLimits,
    RunMode, RunnerError,
};
use byway_native::sandbox::Containment;
use byway_native::{BuildSpec, Musl, ProgramSource, SourceKind};
use tempfile::TempDir;

use super::{BackendResult, InputBackend, NovelExecution};
use crate::interrupt;
use crate::load::{self, FileKind, LoadConfig, kind_of};

/// The cost of a native run beside its edges, and the edges that take as long as an interpreted
/// instruction. A run without a process of its own takes about a microsecond.
const RUN_COST: u64 = 150;
const EDGES_PER_INSTRUCTION: u64 = 4;

/// A program built for native runs.
pub struct NativeBuild {
    program: InputProgram,
    words: ProgramWords,
    /// The coverage site that each counter counts, if it is one.
    sites: Vec<Option<u32>>,
    site_count: usize,
    /// Where the executable is.
    _folder: TempDir,
}

impl NativeBuild {
    /// Builds the program that was loaded as `module`. The error is one sentence about why it
    /// cannot run natively.
    pub fn new(
        load: &LoadConfig,
        module: &Module,
        config: &ExploreConfig,
    ) -> Result<NativeBuild, String> {
        let folder = TempDir::with_prefix("byway-").map_err(|error| error.to_string())?;
        let (options, headers) = load::c_options(load).map_err(|error| error.to_string())?;
        let library = Musl::directory().ok_or("musl is not installed (Debian: musl-dev)")?;
        let musl = Musl { library, headers, options };
        let tools = load::lowering_tools(load).map_err(|error| error.to_string())?;
        let program =
            InputProgram::build(&build_spec(load)?, &musl, &tools, folder.path(), &mut || {
                !interrupt::requested()
            })
            .map_err(|error| error.to_string())?;
        let explored = coverage_sites(module);
        if coverage_sites(&program.module) != explored {
            return Err(
                "its native build has other branches than the program that is explored".into()
            );
        }
        let call = &config.invocation;
        let words = ProgramWords {
            args: call.args.clone(),
            env: call.env.clone(),
            options: call.options.clone(),
        };
        let (sites, site_count) = (site_of_each(&program.edges, &explored), explored.len());
        Ok(NativeBuild { program, words, sites, site_count, _folder: folder })
    }
}

/// What to compile, as the user named it.
fn build_spec(config: &LoadConfig) -> Result<BuildSpec, String> {
    let source = |path: &std::path::PathBuf| {
        let kind = kind_of(path).map_err(|error| error.to_string())?;
        let path = load::native::bitcode_file(path, kind, config.time_limit)
            .map_err(|error| error.to_string())?;
        let kind = match kind {
            FileKind::C => SourceKind::C,
            FileKind::Bitcode | FileKind::LlvmText | FileKind::Native => SourceKind::Bitcode,
            FileKind::Archive => SourceKind::Archive,
            FileKind::Bwir => return Err("Byway's own IR cannot be compiled natively".to_string()),
        };
        Ok(ProgramSource { path, kind })
    };
    let sources = config.program.iter().map(source).collect::<Result<_, _>>()?;
    Ok(BuildSpec {
        sources,
        directory: std::env::current_dir().map_err(|error| error.to_string())?,
        clang: config.compiler.clang.clone(),
        optimise: config.compiler.optimise.clone(),
        options: config.compiler.options.clone(),
        sanitizers: Vec::new(),
        time_limit: config.time_limit,
    })
}

/// The coverage site that each counter counts. The lowering makes several blocks of some of LLVM's:
/// counters name the first of them, and it is the last that branches to other blocks.
fn site_of_each(edges: &EdgeTable, sites: &[CoverageSite]) -> Vec<Option<u32>> {
    let mut firsts: BTreeSet<(FuncId, BlockId)> = BTreeSet::new();
    for edge in edges.edges() {
        firsts.extend(edge.from.into_iter().chain([edge.to]).map(|block| (edge.func, block)));
    }
    let first_of = |func, block| {
        let mut before = firsts.range((func, BlockId::new(0))..=(func, block));
        before.next_back().map(|&(_, first)| first)
    };
    let number = (0..).zip(sites).map(|(number, site)| {
        let from = site.from.and_then(|block| first_of(site.func, block));
        ((site.func, from, site.to), number)
    });
    let numbers: BTreeMap<_, u32> = number.collect();
    edges.edges().iter().map(|it| numbers.get(&(it.func, it.from, it.to)).copied()).collect()
}

/// Runs inputs natively.
pub struct NativeBackend<'b> {
    build: &'b NativeBuild,
    runner: InputRunner,
    /// The sites that a run has executed.
    known: Vec<bool>,
    endings: HashSet<InputEnding>,
    /// Executions of the counters up to the last report.
    reported: Vec<u64>,
}

impl<'b> NativeBackend<'b> {
    /// Starts a program. The error is one sentence.
    pub fn start(build: &'b NativeBuild) -> Result<NativeBackend<'b>, String> {
        let (limits, containment) = (RunLimits::default(), Containment::Namespaces);
        let runner = InputRunner::start(&build.program, &build.words, limits, containment)
            .map_err(|error| error.to_string())?;
        Ok(NativeBackend {
            build,
            runner,
            known: vec![false; build.site_count],
            endings: HashSet::new(),
            reported: vec![0; build.sites.len()],
        })
    }

    /// Runs an input again, for the objects that it consists of.
    fn describe(&mut self, input: &[u8]) -> Result<Vec<Input>, RunnerError> {
        let run = self.runner.run(input, RunMode::Loop, &mut || true)?;
        let mut rest = input;
        let objects = run.requested.into_iter().map(|object| {
            let size = object.size as usize;
            let (own, behind) = rest.split_at(size.min(rest.len()));
            rest = behind;
            let mut bytes = own.to_vec();
            bytes.resize(size, 0);
            Input { name: object.name, bytes }
        });
        Ok(objects.collect())
    }

    /// Executions of sites since the last call.
    fn take_executions(&mut self) -> (Vec<(u32, u64)>, u64) {
        let totals = self.runner.totals();
        let (mut executions, mut edges) = (BTreeMap::new(), 0);
        let counts = totals.iter().zip(&mut self.reported).zip(&self.build.sites);
        for ((&total, reported), site) in counts {
            let count = total.saturating_sub(std::mem::replace(reported, total));
            edges += count;
            if let Some(site) = site.filter(|_| count > 0) {
                *executions.entry(site).or_insert(0) += count;
            }
        }
        (executions.into_iter().collect(), edges)
    }
}

impl InputBackend for NativeBackend<'_> {
    fn run(
        &mut self,
        batch: &InputBatch,
        goes_on: &mut dyn FnMut() -> bool,
    ) -> Result<BackendResult, String> {
        let began = Instant::now();
        let ran = match self.runner.run_batch(batch, RunMode::Loop, goes_on) {
            Ok(ran) => ran,
            Err(RunnerError::Stopped) => return Ok(BackendResult::default()),
            Err(error) => return Err(error.to_string()),
        };
        let mut chosen: BTreeMap<usize, (Vec<u32>, bool)> = BTreeMap::new();
        for novel in &ran.novel {
            let executed = novel.counts.iter().zip(&self.build.sites).filter(|(n, _)| **n > 0);
            let mut sites: Vec<u32> = executed.filter_map(|(_, site)| *site).collect();
            sites.retain(|&site| !std::mem::replace(&mut self.known[site as usize], true));
            if !sites.is_empty() {
                chosen.insert(novel.input, (sites, false));
            }
        }
        for (input, &ending) in ran.endings.iter().enumerate() {
            if ending.is_fault() && self.endings.insert(ending) {
                chosen.entry(input).or_default().1 = true;
            }
        }
        chosen.retain(|&input, _| ran.endings.get(input) != Some(&InputEnding::Excluded));
        let mut result = BackendResult::default();
        if self.reported.iter().all(|&count| count == 0)
            && let Some(first) = (!batch.is_empty()).then(|| batch.input(0))
        {
            let run = self.runner.run(first, RunMode::Loop, &mut || true);
            result.consumed = run.map_err(|error| error.to_string())?.consumed as usize;
        }
        for (input, (sites, is_new_fault)) in chosen {
            let inputs = self.describe(batch.input(input)).map_err(|error| error.to_string())?;
            let size = inputs.iter().map(|input| input.bytes.len()).sum();
            result.consumed = result.consumed.max(size);
            result.novel.push(NovelExecution { inputs, sites, is_new_fault });
        }
        let (executions, edges) = self.take_executions();
        let runs = ran.endings.len() as u64;
        result.executed = ExecutedInputs {
            runs,
            cost: runs * RUN_COST + edges / EDGES_PER_INSTRUCTION,
            executions,
            novel: Vec::new(),
            elsewhere: began.elapsed(),
            notes: Vec::new(),
        };
        Ok(result)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_count_the_sites_of_their_own_block() {
        // Blocks 0, 3 and 4 are LLVM's; 1 and 2 were added to the first, which branches in 2.
        let edges = EdgeTable::parse("0 - 0\n0 0 3\n0 0 4\n0 3 4\n0 4 4\n").expect("a table");
        let (func, block) = (FuncId::new(0), BlockId::new);
        let site =
            |from: Option<usize>, to| CoverageSite { func, from: from.map(block), to: block(to) };
        let sites = [
            site(None, 0),
            site(Some(0), 1),
            site(Some(0), 2),
            site(Some(2), 3),
            site(Some(2), 4),
            site(Some(4), 4),
        ];
        let expected = [Some(0), Some(3), Some(4), None, Some(5)];
        assert_eq!(site_of_each(&edges, &sites), expected);
    }
}
