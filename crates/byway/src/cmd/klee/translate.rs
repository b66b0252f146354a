//! The options of `klee` as those of `byway run`.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use byway_base::FaultKind;

use super::command_line::KleeArguments;
use super::error_kinds;
use super::options::KleeMeaning;
use super::quantities::{count, megabytes, time};
use crate::failure::{Failure, Result};

/// KLEE's limit on memory, in MB.
const DEFAULT_MEMORY: &str = "2000";

/// The arguments of KLEE as Byway's.
#[derive(Debug)]
pub struct KleeInvocation {
    /// The words after `byway run`, without the directory of the results.
    pub words: Vec<OsString>,
    /// Which files `klee` writes, and what it prints.
    pub settings: KleeSettings,
    /// What to say before the run.
    pub warnings: Vec<String>,
    /// What to note in `messages.txt`.
    pub notes: Vec<String>,
}

/// Which files `klee` writes, and what it prints.
#[derive(Clone, Debug, Default)]
pub struct KleeSettings {
    /// The program, as it was named.
    pub program: PathBuf,
    /// The directory of the results, if one was named.
    pub output: Option<PathBuf>,
    /// Where to run.
    pub directory: Option<PathBuf>,
    pub emits_all_errors: bool,
    /// `--exit-on-error`: the kinds that end the run.
    pub stops_at: Vec<FaultKind>,
    pub writes_coverage: bool,
    pub writes_info: bool,
    pub writes_xml: bool,
    /// The program's file and its hash in `metadata.xml`.
    pub xml_metadata: [Option<String>; 2],
    pub writes_statistics: bool,
    pub writes_profile: bool,
    pub writes_assembly: bool,
    pub writes_bitcode: bool,
    pub warns_to_file_only: bool,
    /// The tests to replay; empty: the program is explored.
    pub replayed: Vec<PathBuf>,
}

impl KleeInvocation {
    /// Translates the arguments for a program in this file.
    pub fn new(given: &KleeArguments, program: &Path) -> Result<KleeInvocation> {
        check_contradictions(given)?;
        let mut words = RunWords::default();
        limits(given, &mut words)?;
        search(given, &mut words)?;
        tests(given, &mut words)?;
        let replayed = replayed(given)?;
        seeds(given, &replayed, &mut words)?;
        program_options(given, &mut words)?;
        let mut words = words.0;
        words.push(program.into());
        words.extend(given.values("link-llvm-lib").map(library).collect::<Result<Vec<_>>>()?);
        words.push("--".into());
        words.extend(given.arguments.iter().cloned());
        let (warnings, notes) = remarks(given);
        Ok(KleeInvocation { words, settings: settings(given, replayed)?, warnings, notes })
    }
}

/// Words for `byway run`.
#[derive(Default)]
struct RunWords(Vec<OsString>);

impl RunWords {
    fn flag(&mut self, name: &str) {
        self.0.push(name.into());
    }

    fn value(&mut self, name: &str, value: impl AsRef<OsStr>) {
        let mut word = OsString::from(name);
        word.push("=");
        word.push(value);
        self.0.push(word);
    }
}

/// Options that exclude each other.
const CONTRADICTIONS: [(&str, &str); 4] = [
    ("replay-ktest-file", "seed-file"),
    ("replay-ktest-file", "seed-dir"),
    ("replay-ktest-dir", "seed-file"),
    ("replay-ktest-dir", "seed-dir"),
];

fn check_contradictions(given: &KleeArguments) -> Result<()> {
    let both = |(one, other): &&(&str, &str)| {
        given.value(one).is_some() && given.value(other).is_some()
    };
    match CONTRADICTIONS.iter().find(both) {
        Some((one, other)) => Err(Failure::new(format!("--{one} cannot be used with --{other}"))
            .hint("seeds begin an exploration, replayed tests are only run")),
        None => Ok(()),
    }
}

fn limits(given: &KleeArguments, words: &mut RunWords) -> Result<()> {
    for (name, own) in [("max-time", "--max-time"), ("max-solver-time", "--max-solver-time")] {
        if let Some(limit) = given.value(name).map(|text| time(name, text)).transpose()?.flatten() {
            words.value(own, format!("{}ms", limit.as_millis().max(1)));
        }
    }
    let counts = [
        ("max-instructions", "--max-instructions"),
        ("max-depth", "--max-depth"),
        ("max-tests", "--max-tests"),
        ("stop-after-n-tests", "--max-tests"),
        ("max-stack-frames", "--max-call-depth"),
    ];
    let without_tests = writes_no_tests(given);
    for (name, own) in counts {
        let limit = given.value(name).map(|text| count(name, text)).transpose()?.unwrap_or(0);
        // Zero is no limit, and without tests their number is none.
        if limit > 0 && !(own == "--max-tests" && without_tests) {
            words.value(own, limit.to_string());
        }
    }
    // Here zero is a limit, and a negative number is none.
    if let Some(text) = given.value("max-forks").filter(|text| !text.as_bytes().starts_with(b"-")) {
        words.value("--max-forks", count("max-forks", text)?.to_string());
    }
    let memory = given.value("max-memory").unwrap_or(OsStr::new(DEFAULT_MEMORY));
    words.value("--max-memory", megabytes("max-memory", memory)?);
    Ok(())
}

fn search(given: &KleeArguments, words: &mut RunWords) -> Result<()> {
    let batch = given.value("batch-instructions").map(|text| count("batch-instructions", text));
    let batch = batch.transpose()?.unwrap_or(10_000).max(1);
    let mut searchers: Vec<&str> =
        given.values("search").map(|name| name.to_str().unwrap_or_default()).collect();
    if searchers.is_empty() {
        searchers.push("klee-default");
    }
    for name in searchers {
        let text = match given.flag("use-batching-search", false) {
            true => format!("batch:{batch}({name})"),
            false => name.to_string(),
        };
        words.value("--search", text);
    }
    if let Some(seed) = given.value("rng-initial-seed") {
        words.value("--seed", count("rng-initial-seed", seed)?.to_string());
    }
    if given.flag("debug-validate-solver", false)
        || given.value("debug-crosscheck-core-solver").is_some()
    {
        words.flag("--solver-check");
    }
    Ok(())
}

fn tests(given: &KleeArguments, words: &mut RunWords) -> Result<()> {
    let unfinished = match given.value("dump-states-on-halt").map(OsStr::as_bytes) {
        None | Some(b"true" | b"1" | b"all") => "all",
        Some(b"unreached") => "covering-new",
        Some(b"false" | b"0" | b"none") => "none",
        Some(other) => {
            let shown = String::from_utf8_lossy(other);
            return Err(Failure::new(format!("'{shown}' is no value of --dump-states-on-halt"))
                .hint("use all, unreached or none"));
        }
    };
    words.value("--unfinished-tests", unfinished);
    if writes_no_tests(given) {
        words.flag("--no-tests");
    } else if given.flag("only-output-states-covering-new", false) {
        words.flag("--only-covering-new");
    }
    if let Some(interval) = given.value("stats-write-interval") {
        if let Some(interval) = time("stats-write-interval", interval)? {
            words.value("--stats-interval", format!("{}ms", interval.as_millis().max(1)));
        }
    }
    Ok(())
}

fn writes_no_tests(given: &KleeArguments) -> bool {
    given.flag("write-no-tests", false) || given.flag("no-output", false)
}

/// The tests to replay.
fn replayed(given: &KleeArguments) -> Result<Vec<PathBuf>> {
    let mut files = given.values_of(&["replay-ktest-file", "replay-out"]);
    for directory in given.values_of(&["replay-ktest-dir", "replay-out-dir"]) {
        files.extend(tests_in(&directory)?);
    }
    Ok(files)
}

/// The tests of a directory, by name.
fn tests_in(directory: &Path) -> Result<Vec<PathBuf>> {
    let failed = |error| Failure::io("read the tests in", directory, &error);
    let entries = std::fs::read_dir(directory).map_err(failed)?;
    let paths = entries.map(|entry| Ok(entry.map_err(failed)?.path()));
    let mut paths = paths.collect::<Result<Vec<PathBuf>>>()?;
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "ktest"));
    paths.sort();
    match paths.is_empty() {
        false => Ok(paths),
        true => Err(Failure::new(format!("'{}' has no .ktest file", directory.display()))),
    }
}

fn seeds(given: &KleeArguments, replayed: &[PathBuf], words: &mut RunWords) -> Result<()> {
    let mut files = given.values_of(&["seed-file", "seed-out"]);
    for directory in given.values_of(&["seed-dir", "seed-out-dir"]) {
        files.extend(tests_in(&directory)?);
    }
    files.extend(replayed.iter().cloned());
    let only = ["only-seed", "only-replay-seeds"].iter().any(|name| given.flag(name, false));
    if !files.is_empty() && (only || !replayed.is_empty()) {
        words.flag("--only-seeds");
    }
    files.iter().for_each(|file| words.value("--seed-file", file));
    Ok(())
}

fn program_options(given: &KleeArguments, words: &mut RunWords) -> Result<()> {
    if let Some(function) = given.value("entry-point").filter(|name| *name != "main") {
        let mut alias = OsString::from("main:");
        alias.push(function);
        words.value("--alias", alias);
    }
    given.values("function-alias").for_each(|alias| words.value("--alias", alias));
    for name in ["env-file", "environ"] {
        for file in given.values(name).map(Path::new) {
            for entry in environment(file)? {
                words.value("--env", entry);
            }
        }
    }
    if given.flag("check-overshift", true) {
        words.value("--checks", "shift");
    }
    Ok(())
}

/// The variables of a file with one on each line.
fn environment(file: &Path) -> Result<Vec<OsString>> {
    let text = std::fs::read(file).map_err(|error| Failure::io("read", file, &error))?;
    let lines = text.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
    let lines: Vec<&[u8]> = lines.filter(|line| !line.is_empty()).collect();
    match lines.iter().find(|line| !line.contains(&b'=')) {
        Some(line) => {
            let shown = String::from_utf8_lossy(line);
            let file = file.display();
            Err(Failure::new(format!("'{shown}' in '{file}' is not of the form NAME=VALUE")))
        }
        None => Ok(lines.into_iter().map(|line| OsString::from_vec(line.to_vec())).collect()),
    }
}

fn library(name: &OsStr) -> Result<OsString> {
    match Path::new(name).is_file() {
        true => Ok(name.to_os_string()),
        false => Err(Failure::new(format!("there is no file '{}' to link", name.display()))
            .hint("--link-llvm-lib takes the path of bitcode or of an archive of it")),
    }
}

fn settings(given: &KleeArguments, replayed: Vec<PathBuf>) -> Result<KleeSettings> {
    let mut stops_at = Vec::new();
    if given.flag("exit-on-error", false) {
        stops_at.extend(FaultKind::ALL);
    }
    for name in given.values("exit-on-error-type") {
        let kinds = error_kinds::of_type(&name.to_string_lossy());
        stops_at.extend(kinds.ok_or_else(|| {
            let types = error_kinds::types().collect::<Vec<_>>().join(", ");
            Failure::new(format!("'{}' is no type of error", name.display()))
                .hint(format!("--exit-on-error-type takes one of {types}"))
        })?);
    }
    let path = |names: &[&str]| given.values_of(names).pop();
    let text = |name| given.value(name).map(|text| text.to_string_lossy().into_owned());
    Ok(KleeSettings {
        program: PathBuf::from(&given.program),
        output: path(&["output-dir"]),
        directory: path(&["run-in-dir", "run-in"]),
        emits_all_errors: given.flag("emit-all-errors", false),
        stops_at,
        writes_coverage: given.flag("write-cov", false),
        writes_info: given.flag("write-test-info", false),
        writes_xml: given.flag("write-xml-tests", false),
        xml_metadata: [text("xml-metadata-programfile"), text("xml-metadata-programhash")],
        writes_statistics: given.flag("output-stats", true),
        writes_profile: given.flag("output-istats", true),
        writes_assembly: given.flag("output-source", true),
        writes_bitcode: given.flag("output-module", false),
        warns_to_file_only: given.flag("warnings-only-to-file", false),
        replayed,
    })
}

/// Warnings of options that have no effect though they should, and notes on those of which none is
/// expected.
fn remarks(given: &KleeArguments) -> (Vec<String>, Vec<String>) {
    let (mut warnings, mut notes) = (Vec::new(), Vec::new());
    for (option, value) in &given.options {
        // What is switched off has no effect in KLEE either.
        let is_off = matches!(value.as_bytes(), b"false" | b"0");
        match option.meaning {
            KleeMeaning::Missing(why) if !is_off => {
                warnings.push(format!("--{} has no effect: {why}", option.name));
            }
            KleeMeaning::Inside(why) => {
                notes.push(format!("--{} is accepted without effect: {why}", option.name));
            }
            KleeMeaning::Applied(_) | KleeMeaning::Missing(_) => {}
        }
    }
    (warnings, notes)
}
