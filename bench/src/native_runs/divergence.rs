//! Whether native runs count what the engine counts on the same input.

use std::collections::{BTreeMap, HashSet};
use std::path::Path;

use byway_base::Outcome;
use byway_engine::Invocation;
use byway_native::inputs::{
    InputDictionary, InputEnding, InputGenerator, InputProgram, InputRunner, InputSource,
    ProgramWords, RunMode,
};

use super::interpreted::{CountedModule, UserBlock};
use super::program;
use crate::checks::{CheckCase, CheckVerdict};
use crate::setup::{BenchSetup, WorkDir};
use crate::suite::{files, header};

/// The bytes of an input; a program that asks for more gets zeros.
const LENGTH: usize = 64;
const MODES: [RunMode; 2] = [RunMode::Fork, RunMode::Loop];

/// The checks of all programs in `tests/c` and `tests/sym` whose name contains a text, at two
/// levels of optimisation, each on this number of inputs.
pub fn cases<'a>(setup: &'a BenchSetup, only: &str, inputs: usize) -> Vec<CheckCase<'a>> {
    let tests = setup.root.join("tests");
    let sources = files(&tests.join("c"), "c").into_iter().chain(files(&tests.join("sym"), "c"));
    let mut cases = Vec::new();
    for path in sources {
        for level in ["-O0", "-O2"] {
            let name = format!("{} {level}", crate::compare::file_name(&path));
            if name.contains(only) {
                let path = path.clone();
                let check = Box::new(move || verdict(setup, &path, level, inputs));
                cases.push(CheckCase { name, check });
            }
        }
    }
    cases
}

fn verdict(setup: &BenchSetup, path: &Path, level: &str, inputs: usize) -> CheckVerdict {
    match compare(setup, path, level, inputs) {
        Ok(None) => CheckVerdict::Agree,
        Ok(Some(difference)) => {
            let name = crate::compare::file_name(path);
            let reproduce = format!("./dev bench native-runs --only '{name} {level}'");
            CheckVerdict::Mismatch { difference, reproduce }
        }
        Err(why) => CheckVerdict::Skipped(why),
    }
}

/// A program, built to run natively and on the engine.
struct BothWays {
    native: InputProgram,
    counted: CountedModule,
    call: Invocation,
    /// The standard input of the test, if it has one.
    stdin: Option<Vec<u8>>,
    /// The blocks that native runs count: not those that the lowering adds.
    blocks: HashSet<UserBlock>,
    /// Where the executable is.
    _folder: WorkDir,
}

impl BothWays {
    fn build(setup: &BenchSetup, path: &Path, level: &str) -> Result<BothWays, String> {
        let source = std::fs::read_to_string(path).map_err(|e| e.to_string())?;
        let list = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        let flags = header(&source, "flags").map(list).unwrap_or_default();
        let mut options = header(&source, "run").map(list).unwrap_or_default();
        if !options.first().is_some_and(|word| word.starts_with("--sym")) {
            options.clear();
        }
        let stdin = std::fs::read(path.with_extension("in")).ok();
        if let Some(bytes) = &stdin {
            options.extend(["--sym-stdin".to_owned(), bytes.len().to_string()]);
        }
        let args = std::fs::read_to_string(path.with_extension("args")).unwrap_or_default();
        let args: Vec<String> =
            ["program"].into_iter().chain(args.lines()).map(str::to_owned).collect();
        let folder = setup.folder(&format!("{}{level}", crate::compare::file_name(path)))?;
        let native = program::build(setup, &folder, path, level, &flags)?;
        let words = program::words(&args, &options);
        let call = Invocation { args: words.args, env: words.env, options: words.options };
        let counted = CountedModule::new(&native.module);
        let blocks = native.edges.edges().iter().map(|edge| (edge.func, edge.to)).collect();
        Ok(BothWays { native, counted, call, stdin, blocks, _folder: folder })
    }

    fn inputs(&self, count: usize) -> Vec<Vec<u8>> {
        if let Some(stdin) = &self.stdin {
            return vec![stdin.clone()];
        }
        let dictionary = InputDictionary::of_program(&self.native.module);
        let mut generator = InputGenerator::new(LENGTH, dictionary, 1);
        let sources = [InputSource::Words, InputSource::Uniform, InputSource::Mutation];
        let mut inputs = vec![vec![0; LENGTH]];
        for source in sources.into_iter().cycle().take(count.saturating_sub(1)) {
            let mut input = vec![0; LENGTH];
            generator.fill(source, &mut input);
            generator.add(&input);
            inputs.push(input);
        }
        inputs
    }
}

fn compare(
    setup: &BenchSetup,
    path: &Path,
    level: &str,
    inputs: usize,
) -> Result<Option<String>, String> {
    let program = BothWays::build(setup, path, level)?;
    let words = ProgramWords {
        args: program.call.args.clone(),
        env: Vec::new(),
        options: program.call.options.clone(),
    };
    let runner = program.counted.runner();
    let mut native = match program::start(&program.native, &words) {
        Ok(native) => native,
        // A program that faults before it reads input does so on the engine too.
        Err(why) => {
            let (outcome, _) = program.counted.run(&runner, &program.call, &[]);
            let agrees = !matches!(outcome, Outcome::Exit(_) | Outcome::Excluded);
            return if agrees { Err(outcome.name().into()) } else { Ok(Some(why)) };
        }
    };
    let mut compared = 0;
    let mut other = "";
    for (number, input) in program.inputs(inputs).iter().enumerate() {
        let (outcome, counts) = program.counted.run(&runner, &program.call, input);
        let expected = match outcome {
            Outcome::Exit(code) => InputEnding::Exited(code as u8),
            Outcome::Excluded => InputEnding::Excluded,
            outcome => {
                other = outcome.name();
                continue;
            }
        };
        let counts = counts.into_iter().filter(|(block, _)| program.blocks.contains(block));
        let counts: BTreeMap<UserBlock, u64> = counts.collect();
        for mode in MODES {
            if let Some(why) =
                differs(&program.native, &mut native, mode, input, expected, &counts)?
            {
                return Ok(Some(format!("input {number}, {mode:?}: {why}")));
            }
        }
        compared += 1;
    }
    if compared == 0 { Err(format!("no run ends by itself, but by: {other}")) } else { Ok(None) }
}

/// How a native run differs from what the engine did.
fn differs(
    program: &InputProgram,
    runner: &mut InputRunner,
    mode: RunMode,
    input: &[u8],
    expected: InputEnding,
    counts: &BTreeMap<UserBlock, u64>,
) -> Result<Option<String>, String> {
    let run = runner.run(input, mode, &mut || true).map_err(|error| error.to_string())?;
    if run.ending == InputEnding::Unable {
        return Ok(None);
    }
    if run.ending != expected {
        return Ok(Some(format!("{:?} {} instead of {expected:?}", run.ending, run.message)));
    }
    let native: BTreeMap<UserBlock, u64> = program.edges.blocks(&run.counts).into_iter().collect();
    let blocks = native.keys().chain(counts.keys());
    let count = |of: &BTreeMap<UserBlock, u64>, block| of.get(block).copied().unwrap_or(0);
    let different = blocks.into_iter().find(|&block| count(&native, block) != count(counts, block));
    Ok(different.map(|block| {
        let name = &program.module.funcs[block.0].name;
        let (own, engine) = (count(&native, block), count(counts, block));
        format!("{} of {name} runs {own} times, on the engine {engine} times", block.1)
    }))
}
