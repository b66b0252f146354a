//! The child process that runs LLVM: reads a program and writes its lowered module, reads a C
//! source and writes its mutation points, or merges the bitcode of a native program.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use byway_llvm::link::{LinkInputs, link};
use byway_llvm::lower::lower;
use byway_llvm::merge::{MergeUnit, merge};

const USAGE: &str = "usage: byway-llvm --out FILE [--user FILE]... \
                     [--compiled FILE]... [--libc FILE]... [--runtime FILE]... \
                     [--native BITCODE EDGES] [--allow-missing-main] [--timings]
       byway-llvm --mutations SOURCE --out FILE [-- CLANG_OPTION...]
       byway-llvm --merge --out FILE FILE... [--library EXPORTS FILE...]...";

fn main() -> ExitCode {
    byway_llvm::contain_crashes();
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::from(2)
        }
    }
}

fn run() -> Result<(), String> {
    let arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    if arguments.first().is_some_and(|first| first == "--mutations") {
        return mutations(&arguments[1..]);
    }
    if arguments.first().is_some_and(|first| first == "--merge") {
        return merge_native(&arguments[1..]);
    }
    let options = LowerOptions::parse(arguments)?;
    let mut timer = PhaseTimer { enabled: options.timings, last: Instant::now() };
    let linked = link(&options.inputs, &mut |phase| timer.lap(phase)).map_err(|e| e.to_string())?;
    let name = options.inputs.user.first().map(|p| p.display().to_string()).unwrap_or_default();
    let lowered = lower(linked, &name);
    for warning in &lowered.warnings {
        eprintln!("warning: {warning}");
    }
    timer.lap("lower");
    if let Err(errors) = byway_ir::verify(&lowered.module) {
        let first = errors.first().map(ToString::to_string).unwrap_or_default();
        return Err(format!("the lowered program is invalid (a bug in Byway): {first}"));
    }
    timer.lap("verify");
    byway_ir::cache::write(&lowered.module, &options.out)
        .map_err(|e| format!("{}: {e}", options.out.display()))?;
    timer.lap("write");
    if let Some((bitcode, edges)) = &options.native {
        byway_llvm::native::write(linked, &lowered.bodies, bitcode, edges)?;
        timer.lap("native");
    }
    Ok(())
}

/// Writes the mutation points of a source as JSON.
fn mutations(arguments: &[OsString]) -> Result<(), String> {
    let [source, out_option, out, rest @ ..] = arguments else { return Err(USAGE.into()) };
    let options = match rest {
        [] => rest,
        [separator, options @ ..] if separator == "--" => options,
        _ => return Err(USAGE.into()),
    };
    if out_option != "--out" {
        return Err(USAGE.into());
    }
    let points = byway_llvm::mutation::find(Path::new(source), options)?;
    let text = serde_json::to_vec(&points).map_err(|e| e.to_string())?;
    std::fs::write(out, text).map_err(|e| format!("{}: {e}", out.display()))
}

/// Merges the bitcode of a native program and of its shared libraries. `EXPORTS` has one name a
/// line.
fn merge_native(arguments: &[OsString]) -> Result<(), String> {
    let [out_option, out, files @ ..] = arguments else { return Err(USAGE.into()) };
    if out_option != "--out" {
        return Err(USAGE.into());
    }
    let mut units = vec![MergeUnit::default()];
    let mut files = files.iter();
    while let Some(file) = files.next() {
        if file == "--library" {
            let list = Path::new(files.next().ok_or(USAGE)?);
            let names =
                std::fs::read_to_string(list).map_err(|e| format!("{}: {e}", list.display()))?;
            let exports = Some(names.lines().map(str::to_string).collect());
            units.push(MergeUnit { exports, ..MergeUnit::default() });
        } else if let Some(unit) = units.last_mut() {
            unit.files.push(file.into());
        }
    }
    for warning in merge(&units, Path::new(out)).map_err(|e| e.to_string())? {
        eprintln!("warning: {warning}");
    }
    Ok(())
}

struct LowerOptions {
    out: PathBuf,
    inputs: LinkInputs,
    /// Files for the program with counters, as bitcode and as a list of edges.
    native: Option<(PathBuf, PathBuf)>,
    timings: bool,
}

impl LowerOptions {
    fn parse(args: Vec<OsString>) -> Result<LowerOptions, String> {
        let mut out = None;
        let mut inputs = LinkInputs::default();
        let mut native = None;
        let mut timings = false;
        let mut args = args.into_iter();
        while let Some(option) = args.next() {
            let mut file = || {
                args.next().map(PathBuf::from).ok_or_else(|| format!("a file is missing; {USAGE}"))
            };
            match option.to_str() {
                Some("--out") => out = Some(file()?),
                Some("--user") => inputs.user.push(file()?),
                Some("--compiled") => {
                    let file = file()?;
                    inputs.user.push(file.clone());
                    inputs.compiled_here.push(file);
                }
                Some("--libc") => inputs.libc.push(file()?),
                Some("--runtime") => inputs.runtime.push(file()?),
                Some("--native") => native = Some((file()?, file()?)),
                Some("--allow-missing-main") => inputs.allow_missing_main = true,
                Some("--timings") => timings = true,
                _ => return Err(format!("unknown option {}; {USAGE}", option.display())),
            }
        }
        let out = out.ok_or_else(|| format!("--out is missing; {USAGE}"))?;
        Ok(LowerOptions { out, inputs, native, timings })
    }
}

/// Prints the time each phase took, with `--timings`.
struct PhaseTimer {
    enabled: bool,
    last: Instant,
}

impl PhaseTimer {
    fn lap(&mut self, phase: &str) {
        if self.enabled {
            eprintln!("{phase:<14} {:>8.1} ms", self.last.elapsed().as_secs_f64() * 1e3);
        }
        self.last = Instant::now();
    }
}
