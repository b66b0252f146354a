//! How many inputs a second run, beside a plain loop and beside AFL++.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use byway_native::inputs::{
    InputBatch, InputDictionary, InputGenerator, InputRunner, InputSource, RunMode, corpus,
};

use super::program;
use crate::coreutils::Tools;
use crate::process;
use crate::setup::{BenchSetup, WorkDir};

/// The calls of the plain loop: a second or so.
const RAW_CALLS: u64 = 300_000_000;
/// The inputs of a batch, in one process and in a process each.
const LOOPED: usize = 1 << 16;
const FORKED: usize = 256;
/// The Coreutils tool, its arguments, and the bytes of its standard input.
const TOOL: &str = "cut";
const ARGUMENTS: [&str; 2] = ["-f", "2"];
const STDIN: usize = 64;
/// The one seed of both fuzzers.
const SEED: &[u8] = b"a\tb\tc\nd\te\tf\n";

/// Inputs a second of one way to run them.
pub struct Throughput {
    /// What ran, and how.
    pub what: String,
    /// Inputs a second.
    pub rate: f64,
}

/// Runs inputs from a source for a time. Those with new counts join the corpus.
fn measure(
    runner: &mut InputRunner,
    generator: &mut InputGenerator,
    source: InputSource,
    mode: RunMode,
    time: Duration,
) -> Result<f64, String> {
    let size = if mode == RunMode::Loop { LOOPED } else { FORKED };
    let mut batch = InputBatch::new();
    let (began, mut inputs) = (Instant::now(), 0);
    while began.elapsed() < time {
        batch.clear();
        while batch.len() < size
            && batch.push_with(generator.length(), |room| generator.fill(source, room))
        {}
        let result =
            runner.run_batch(&batch, mode, &mut || true).map_err(|error| error.to_string())?;
        if source == InputSource::Mutation {
            result.novel.iter().for_each(|run| generator.add(batch.input(run.input)));
        }
        inputs += result.endings.len();
    }
    Ok(inputs as f64 / began.elapsed().as_secs_f64())
}

/// A function that compares eight bytes, and the same in a plain loop.
pub fn function(setup: &BenchSetup, time: Duration) -> Result<Vec<Throughput>, String> {
    let folder = setup.folder("eight")?;
    let source = setup.root.join("bench/native_runs/eight.c");
    let built = program::build(setup, &folder, &source, "-O2", &[])?;
    let dictionary = InputDictionary::of_program(&built.module);
    let words = program::words(&["eight".into()], &[]);
    let mut runner = program::start(&built, &words)?;
    let mut rows = vec![Throughput {
        what: "eight bytes, a plain C loop".into(),
        rate: raw_loop(setup, &folder)?,
    }];
    for (source, mode, name) in [
        (InputSource::Uniform, RunMode::Loop, "uniform bytes, in one process"),
        (InputSource::Words, RunMode::Loop, "words of the program, in one process"),
        (InputSource::Mutation, RunMode::Loop, "mutations, in one process"),
        (InputSource::Uniform, RunMode::Fork, "uniform bytes, a process each"),
    ] {
        let mut generator = InputGenerator::new(8, dictionary.clone(), 1);
        let rate = measure(&mut runner, &mut generator, source, mode, time)?;
        rows.push(Throughput { what: format!("eight bytes, {name}"), rate });
    }
    Ok(rows)
}

fn raw_loop(setup: &BenchSetup, folder: &WorkDir) -> Result<f64, String> {
    let path = folder.file("raw");
    let mut command = Command::new("clang-22");
    command.args(["-O2", "-o"]).arg(&path).arg(setup.root.join("bench/native_runs/raw.c"));
    process::succeed(&mut command, Duration::from_secs(60))?;
    let mut command = Command::new(&path);
    command.arg(RAW_CALLS.to_string());
    let printed = process::succeed(&mut command, Duration::from_secs(120))?;
    let nanoseconds: f64 = String::from_utf8_lossy(&printed.stdout)
        .trim()
        .parse()
        .map_err(|_| "the plain loop printed no number")?;
    Ok(RAW_CALLS as f64 / nanoseconds * 1e9)
}

/// A whole Coreutils tool, in both modes and under AFL++.
pub fn coreutils(
    setup: &BenchSetup,
    time: Duration,
    corpus: Option<&Path>,
    export: Option<&Path>,
) -> Result<Vec<Throughput>, String> {
    let tools = Tools::build(setup)?;
    let folder = setup.folder(TOOL)?;
    let built = program::build(setup, &folder, &tools.bitcode(TOOL), "-O0", &[])?;
    let args: Vec<String> = [TOOL].into_iter().chain(ARGUMENTS).map(str::to_owned).collect();
    let options = ["--sym-stdin".to_owned(), STDIN.to_string()];
    let mut runner = program::start(&built, &program::words(&args, &options))?;
    let dictionary = InputDictionary::of_program(&built.module);
    let mut rows = Vec::new();
    for (mode, name) in [(RunMode::Fork, "a process each"), (RunMode::Loop, "in one process")] {
        let mut generator = InputGenerator::new(STDIN, dictionary.clone(), 1);
        seeds(corpus)?.iter().for_each(|seed| generator.add(seed));
        let rate = measure(&mut runner, &mut generator, InputSource::Mutation, mode, time)?;
        rows.push(Throughput { what: format!("{TOOL}, mutations, {name}"), rate });
        if let Some(folder) = export.filter(|_| mode == RunMode::Loop) {
            let inputs = generator.corpus().iter().map(Vec::as_slice);
            corpus::export(folder, inputs).map_err(|error| error.to_string())?;
        }
    }
    rows.push(Throughput { what: format!("{TOOL}, AFL++"), rate: afl(&tools, &folder, time)? });
    Ok(rows)
}

/// The inputs of a folder, or the one seed.
fn seeds(folder: Option<&Path>) -> Result<Vec<Vec<u8>>, String> {
    let Some(folder) = folder else { return Ok(vec![SEED.to_vec()]) };
    let imported =
        corpus::import(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    for (path, why) in &imported.skipped {
        eprintln!("native-runs: skipping '{}': {why}", path.display());
    }
    Ok(imported.inputs.into_iter().map(|(_, bytes)| bytes).collect())
}

/// Executions a second of AFL++ on the tool compiled by its compiler.
fn afl(tools: &Tools, folder: &WorkDir, time: Duration) -> Result<f64, String> {
    let (sources, compile, link) = tools.commands(TOOL);
    let program = folder.file("afl-tool");
    let mut objects = Vec::new();
    for (index, source) in sources.iter().enumerate() {
        let object = folder.file(&format!("afl-{index}.o"));
        shell(&[&afl_command(&compile), "source", path(source)?, "object", path(&object)?])?;
        objects.push(path(&object)?.to_owned());
    }
    let objects = objects.join("' '");
    shell(&[&afl_command(&link), "object", &objects, "program", path(&program)?])?;

    let (seeds, out) = (folder.file("afl-seeds"), folder.file("afl-out"));
    crate::setup::create_dir(&seeds)?;
    std::fs::write(seeds.join("seed"), SEED).map_err(|e| format!("cannot write a seed: {e}"))?;
    let mut command = Command::new("afl-fuzz");
    for name in ["SKIP_CPUFREQ", "I_DONT_CARE_ABOUT_MISSING_CRASHES", "NO_AFFINITY", "NO_UI"] {
        command.env(format!("AFL_{name}"), "1");
    }
    command.arg("-i").arg(&seeds).arg("-o").arg(&out);
    command.args(["-V", &time.as_secs().max(1).to_string(), "--"]).arg(&program).args(ARGUMENTS);
    process::succeed(&mut command, time * 3 + Duration::from_secs(60))?;
    let stats = out.join("default/fuzzer_stats");
    let stats = std::fs::read_to_string(&stats).map_err(|e| format!("{}: {e}", stats.display()))?;
    figure(&stats, "execs_per_sec").ok_or_else(|| "AFL++ reports no executions a second".into())
}

/// A command of the build with AFL++'s compiler.
fn afl_command(command: &str) -> String {
    command.replacen("gcc", "afl-clang-fast", 1)
}

/// Runs a command with `{name}` replaced by quoted words.
fn shell(words: &[&str]) -> Result<(), String> {
    let [command, parts @ ..] = words else { return Ok(()) };
    let (pairs, _) = parts.as_chunks::<2>();
    let replace = |text: String, [name, value]: &[&str; 2]| {
        text.replace(&format!("{{{name}}}"), &format!("'{value}'"))
    };
    let line = pairs.iter().fold((*command).to_owned(), replace);
    let mut command = Command::new("sh");
    command.args(["-c", &line]).env("AFL_QUIET", "1");
    process::succeed(&mut command, Duration::from_secs(300)).map(drop)
}

fn path(path: &Path) -> Result<&str, String> {
    path.to_str().ok_or_else(|| format!("'{}' is not UTF-8", path.display()))
}

/// The value of a line `name : value`.
fn figure(stats: &str, name: &str) -> Option<f64> {
    let line = stats.lines().find(|line| line.trim_start().starts_with(name))?;
    line.split_once(':')?.1.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_of_afl_are_read() {
        let stats = "run_time          : 10\nexecs_per_sec     : 2345.67\n";
        assert_eq!(figure(stats, "execs_per_sec"), Some(2345.67));
        assert_eq!(figure(stats, "paths"), None);
        assert_eq!(afl_command("gcc -c {source}"), "afl-clang-fast -c {source}");
    }
}
