//! The check of one random program, and the defects it can find.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::generate::{GeneratedProgram, Profile};
use super::native::{NativeEnd, NativeTruth};
use crate::explore::found_paths::{FoundPaths, Prediction, difference};
use crate::process::{self, ProcessStatus};
use crate::setup::{BenchSetup, WorkDir};
use crate::toolchain::Level;

/// An exploration that takes longer is not waited for.
const LIMIT: Duration = Duration::from_secs(60);

/// Programs with more paths are made smaller first.
pub const MOST_PATHS: usize = 256;

/// How a program is explored.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct PathsMode {
    /// The searcher.
    pub search: &'static str,
    /// When it is asked whether a side is possible.
    pub feasibility: &'static str,
    /// Whether a bare backend checks the solver.
    pub check: bool,
}

/// Two modes as unlike as can be.
pub const MODES: [PathsMode; 2] = [
    PathsMode { search: "dfs", feasibility: "eager", check: false },
    PathsMode { search: "random-path", feasibility: "lazy", check: false },
];

/// Something that is not as it should be.
#[derive(Clone, Debug)]
pub struct PathsDefect {
    /// In which mode of exploring; `None` where two are compared.
    pub mode: Option<PathsMode>,
    /// Of which sort it is, in few words.
    pub sort: &'static str,
    /// The particulars.
    pub detail: String,
}

impl std::fmt::Display for PathsDefect {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if let Some(mode) = self.mode {
            write!(f, "{}, {}: ", mode.search, mode.feasibility)?;
        }
        write!(f, "{}: {}", self.sort, self.detail)
    }
}

/// The result of a check.
pub enum PathsResult {
    /// Completed, with the defects found.
    PathsFigures(PathsFigures),
    /// There are too many paths.
    TooLarge,
    /// It is no test, or Byway cannot do it; the reason.
    Skipped(String),
}

/// Figures of a program, and its defects.
#[derive(Default)]
pub struct PathsFigures {
    /// All defects found.
    pub defects: Vec<PathsDefect>,
    /// Paths there are.
    pub paths: usize,
    /// Faults there are.
    pub faults: usize,
    /// Tests that were compared.
    pub tests: usize,
    /// Questions whose answer was checked.
    pub checked_queries: u64,
    /// Whether the exploration reported a loss, in a profile that permits it.
    pub incomplete: bool,
}

/// Tries a program; the files stay in the folder as long as it does.
pub fn run(
    setup: &BenchSetup,
    program: &GeneratedProgram,
    modes: &[PathsMode],
    folder: &WorkDir,
) -> PathsResult {
    match attempt(setup, program, modes, folder) {
        Ok(tried) => tried,
        Err(reason) => PathsResult::Skipped(reason),
    }
}

fn attempt(
    setup: &BenchSetup,
    program: &GeneratedProgram,
    modes: &[PathsMode],
    folder: &WorkDir,
) -> Result<PathsResult, String> {
    let source = folder.file("program.c");
    std::fs::write(&source, program.source())
        .map_err(|e| format!("cannot write {}: {e}", source.display()))?;
    let truth = NativeTruth::find(setup, program, &source, folder)?;
    let (paths, faults) = (truth.classes().len(), truth.faults().len());
    let mut judged = PathsFigures { paths, faults, ..PathsFigures::default() };
    if judged.paths > MOST_PATHS {
        return Ok(PathsResult::TooLarge);
    }
    let bitcode = bitcode(setup, program.profile, &source, folder)?;
    let mut first: Option<FoundPaths> = None;
    for &mode in modes {
        let defect = |sort, detail| PathsDefect { mode: Some(mode), sort, detail };
        let found = match explore(setup, program.profile, mode, &bitcode, folder) {
            Ok(found) => found,
            Err(ExploreFailure::Slow) => {
                return Ok(PathsResult::Skipped(format!(
                    "takes longer than {} s",
                    LIMIT.as_secs()
                )));
            }
            Err(ExploreFailure::Broken(detail)) => {
                judged.defects.push(defect("no result", detail));
                continue;
            }
        };
        let wrong = judge(program.profile, &found, &truth, &mut judged);
        judged.defects.extend(wrong.into_iter().map(|(sort, detail)| defect(sort, detail)));
        if let Some(detail) = first.as_ref().and_then(|first| difference(first, &found)) {
            judged.defects.push(PathsDefect { mode: None, sort: "other paths", detail });
        }
        if mode.check {
            judged.checked_queries = found.queries;
        }
        judged.tests += found.predictions.len();
        first = first.or(Some(found));
    }
    Ok(PathsResult::PathsFigures(judged))
}

/// The program as given to Byway.
fn bitcode(
    setup: &BenchSetup,
    profile: Profile,
    source: &Path,
    folder: &WorkDir,
) -> Result<PathBuf, String> {
    let bitcode = folder.file("program.bc");
    let level = if profile == Profile::Optimised { Level::O2 } else { Level::O0 };
    let mut flags = vec!["-g", "-fno-strict-aliasing"];
    // Where overflow is checked it must not be defined.
    flags.extend((profile != Profile::Checked).then_some("-fwrapv"));
    let flags: Vec<_> = flags.into_iter().map(str::to_owned).collect();
    setup.toolchain.bitcode(source, level, &flags, &bitcode)?;
    Ok(bitcode)
}

/// Why there is no result.
enum ExploreFailure {
    Slow,
    Broken(String),
}

/// The options of `byway run`.
pub fn options(profile: Profile, mode: PathsMode) -> Vec<String> {
    let mut options =
        vec![format!("--search={}", mode.search), format!("--feasibility={}", mode.feasibility)];
    options.extend(mode.check.then(|| "--solver-check".to_owned()));
    if profile == Profile::Checked {
        options.push("--checks=signed-overflow,shift".to_owned());
    }
    options
}

fn explore(
    setup: &BenchSetup,
    profile: Profile,
    mode: PathsMode,
    bitcode: &Path,
    folder: &WorkDir,
) -> Result<FoundPaths, ExploreFailure> {
    let out = folder.file(&format!("run-{}", mode.search));
    if out.exists() {
        drop(std::fs::remove_dir_all(&out));
    }
    let mut command = setup.byway();
    // Loaded programs are cached in the same folder, not in the user's cache.
    command.env("BYWAY_CACHE", folder.file("cache"));
    command.args(["run", "--color=never", "--output-dir"]).arg(&out);
    command.args(options(profile, mode)).arg(bitcode);
    let ended = process::run(&mut command, b"", LIMIT).map_err(ExploreFailure::Broken)?;
    match ended.status {
        ProcessStatus::Code(0 | 1) => FoundPaths::read(&out).map_err(ExploreFailure::Broken),
        ProcessStatus::TimedOut => Err(ExploreFailure::Slow),
        status => {
            let words = ended.stderr_text();
            let last: Vec<_> = words.lines().rev().take(3).collect();
            Err(ExploreFailure::Broken(format!("{status}: {}", last.join(" / "))))
        }
    }
}

/// The defects of an exploration.
fn judge(
    profile: Profile,
    found: &FoundPaths,
    truth: &NativeTruth,
    judged: &mut PathsFigures,
) -> Vec<(&'static str, String)> {
    let mut wrong = Vec::new();
    if found.disagreements > 0 {
        wrong.push(("wrong answers of the solver", found.disagreements.to_string()));
    }
    let ended_early = found.kind("unsupported") + found.kind("internal-error") > 0;
    if ended_early || (profile.is_exact() && !found.lost.is_empty()) {
        wrong.push(("something was lost", format!("{:?}", found.lost)));
    }
    let mut seen: BTreeMap<_, Vec<String>> = BTreeMap::new();
    for prediction in &found.predictions {
        let Some(run) = truth.of(&prediction.test) else {
            wrong.push(("a test of another size", bytes(prediction)));
            continue;
        };
        if let Some((sort, detail)) = predicted_wrongly(profile, prediction, run) {
            wrong.push((sort, format!("input {}: {detail}", bytes(prediction))));
        }
        seen.entry(&run.class).or_default().push(bytes(prediction));
    }
    if profile.is_exact() {
        let twice = seen.iter().filter(|(_, inputs)| inputs.len() > 1);
        for ((_, end), inputs) in twice {
            let inputs = inputs.join(" and ");
            wrong.push(("one path more than once", format!("inputs {inputs}, {end}")));
        }
    }
    judged.incomplete |= !found.lost.is_empty();
    let must_be_complete = profile.is_exact() || profile == Profile::Loose && found.lost.is_empty();
    if must_be_complete {
        for ((trace, end), input) in truth.classes() {
            if !seen.contains_key(&(*trace, end.clone())) {
                let bytes = format!("{:02x} {:02x}", input & 255, input >> 8);
                wrong.push(("a path is missing", format!("that of input {bytes}, {end}")));
            }
        }
    }
    wrong
}

fn bytes(prediction: &Prediction) -> String {
    let bytes = prediction.test.inputs.iter().flat_map(|input| &input.bytes);
    bytes.map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().join(" ")
}

/// The difference between a test's prediction and its behaviour.
fn predicted_wrongly(
    profile: Profile,
    prediction: &Prediction,
    run: &super::native::NativeExecution,
) -> Option<(&'static str, String)> {
    let Prediction { end, code, .. } = prediction;
    let (native, is_exit) = (&run.class.1, end == "exit");
    if *native == NativeEnd::Excluded {
        return Some(("a test breaks an assumption", end.clone()));
    }
    let faulty = matches!(native, NativeEnd::Fault(..));
    // The optimiser may remove a faulty operation whose result is unused, and
    // reorder others.
    let tolerated = profile == Profile::Optimised && faulty;
    if native.to_string() != *end && !tolerated {
        return Some(("a wrong prediction", format!("{end}, natively {native}")));
    }
    if is_exit && !faulty && *code != Some(run.code) {
        let code = code.map_or_else(|| "none".to_owned(), |code| code.to_string());
        return Some(("a wrong exit code", format!("{code}, natively {}", run.code)));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paths::native::NativeExecution;
    use byway_base::{FaultKind, Input, TestCase};

    /// Two paths: even inputs exit with 7, odd ones fail; 254 and 255 do not count.
    fn truth() -> NativeTruth {
        let run = |n: u32| {
            let class = match n {
                254.. => (3, NativeEnd::Excluded),
                _ if n.is_multiple_of(2) => (1, NativeEnd::Exit),
                _ => (2, NativeEnd::Fault(FaultKind::Trap, 9)),
            };
            NativeExecution { class, code: 7 }
        };
        NativeTruth::of_runs((0..256).map(run).collect())
    }

    fn found(tests: &[(u8, &str, Option<u8>)]) -> FoundPaths {
        let prediction = |&(byte, end, code): &(u8, &str, Option<u8>)| {
            let input = Input { name: "in".to_owned(), bytes: vec![byte] };
            let test = TestCase { args: vec![], inputs: vec![input] };
            Prediction { test, end: end.to_owned(), code }
        };
        FoundPaths { predictions: tests.iter().map(prediction).collect(), ..FoundPaths::default() }
    }

    fn sorts(profile: Profile, found: &FoundPaths) -> Vec<&'static str> {
        let wrong = judge(profile, found, &truth(), &mut PathsFigures::default());
        wrong.into_iter().map(|(sort, _)| sort).collect()
    }

    #[test]
    fn all_is_well_if_each_path_is_found_once() {
        let all = found(&[(4, "exit", Some(7)), (3, "trap@9", None)]);
        assert!(sorts(Profile::Exact, &all).is_empty());
    }

    #[test]
    fn missing_and_double_paths_are_told() {
        let one = found(&[(4, "exit", Some(7)), (8, "exit", Some(7))]);
        let sorts_of = |profile| sorts(profile, &one);
        assert_eq!(sorts_of(Profile::Exact), ["one path more than once", "a path is missing"]);
        assert_eq!(sorts_of(Profile::Loose), ["a path is missing"]);
        assert!(sorts_of(Profile::Optimised).is_empty());
    }

    #[test]
    fn what_is_lost_excuses_loose_programs_only() {
        let mut none = found(&[]);
        none.lost.insert("concretised".to_owned(), "1".to_owned());
        assert!(sorts(Profile::Loose, &none).is_empty());
        assert_eq!(sorts(Profile::Exact, &none)[0], "something was lost");
    }

    #[test]
    fn wrong_predictions_are_told() {
        for (test, sort) in [
            ((4, "exit", Some(8)), "a wrong exit code"),
            ((4, "trap@9", None), "a wrong prediction"),
            ((3, "trap@8", None), "a wrong prediction"),
            ((254, "exit", Some(7)), "a test breaks an assumption"),
        ] {
            assert_eq!(sorts(Profile::Loose, &found(&[test]))[0], sort, "{test:?}");
        }
        // Optimised, a fault may be another or gone, but not come from nowhere.
        assert!(sorts(Profile::Optimised, &found(&[(3, "exit", Some(1))])).is_empty());
        assert_eq!(
            sorts(Profile::Optimised, &found(&[(4, "trap@9", None)])),
            ["a wrong prediction"]
        );
    }
}
