//! The options of `klee` as those of `byway run`.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;

use super::command_line::KleeArguments;
use super::options::KleeMeaning;
use super::quantities::{count, megabytes, share, time};
use super::settings::{replayed, tests_in};
use crate::failure::{Failure, Result};

/// KLEE's limit on memory, in MB.
const DEFAULT_MEMORY: &str = "2000";

/// KLEE's limits on what one instruction takes, and Byway's.
const SHARES: [(&str, &str); 4] = [
    ("max-static-fork-pct", "--max-fork-share"),
    ("max-static-solve-pct", "--max-solver-share"),
    ("max-static-cpfork-pct", "--max-call-path-fork-share"),
    ("max-static-cpsolve-pct", "--max-call-path-solver-share"),
];

/// The arguments of KLEE as Byway's.
#[derive(Debug)]
pub struct KleeInvocation {
    /// The words after `byway run`, without the directory of the results.
    pub words: Vec<OsString>,
    /// What to say before the run.
    pub warnings: Vec<String>,
    /// What to note in `messages.txt`.
    pub notes: Vec<String>,
}

impl KleeInvocation {
    /// Translates the arguments for a program in this file.
    pub fn new(given: &KleeArguments, program: &Path) -> Result<KleeInvocation> {
        let mut words = TranslatedWords::default();
        limits(given, &mut words)?;
        search(given, &mut words)?;
        tests(given, &mut words)?;
        seeds(given, &mut words)?;
        program_options(given, &mut words)?;
        let program = match given.value("run-in-dir").or(given.value("run-in")) {
            Some(_) => super::absolute(program)?,
            None => program.to_path_buf(),
        };
        words.value("--argv0", &given.program);
        let mut words = words.0;
        words.push(program.into());
        words.extend(given.values("link-llvm-lib").map(library).collect::<Result<Vec<_>>>()?);
        words.push("--".into());
        words.extend(given.arguments.iter().cloned());
        let (warnings, notes) = remarks(given);
        Ok(KleeInvocation { words, warnings, notes })
    }
}

/// Words for `byway run`.
#[derive(Default)]
struct TranslatedWords(Vec<OsString>);

impl TranslatedWords {
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

fn limits(given: &KleeArguments, words: &mut TranslatedWords) -> Result<()> {
    let times = [
        ("max-time", "--max-time"),
        ("max-solver-time", "--max-solver-time"),
        ("seed-time", "--seed-time"),
    ];
    for (name, own) in times {
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
    for (name, own) in SHARES {
        if let Some(share) = given.value(name).map(|text| share(name, text)).transpose()? {
            words.value(own, share);
        }
    }
    if let Some(delay) = given.value("max-static-pct-check-delay") {
        let delay = count("max-static-pct-check-delay", delay)?;
        words.value("--share-check-delay", delay.to_string());
    }
    let memory = given.value("max-memory").unwrap_or(OsStr::new(DEFAULT_MEMORY));
    words.value("--max-memory", megabytes("max-memory", memory)?);
    Ok(())
}

fn search(given: &KleeArguments, words: &mut TranslatedWords) -> Result<()> {
    let batch = given.value("batch-instructions").map(|text| count("batch-instructions", text));
    let batch = batch.transpose()?.unwrap_or(10_000).max(1);
    let mut searchers: Vec<&str> =
        given.values("search").map(|name| name.to_str().unwrap_or_default()).collect();
    if searchers.is_empty() {
        searchers.push("klee-default");
    }
    let batched: Vec<String> = searchers
        .into_iter()
        .map(|name| match given.flag("use-batching-search", false) {
            true => format!("batch:{batch}({name})"),
            false => name.to_string(),
        })
        .collect();
    match deepens(given)? {
        true => words.value("--search", format!("deepening(interleave({}))", batched.join(","))),
        false => batched.iter().for_each(|text| words.value("--search", text)),
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

/// Whether states beyond a bound are set aside. KLEE's bounds are on time or on cycles of loops,
/// Byway's is on work.
fn deepens(given: &KleeArguments) -> Result<bool> {
    const METRICS: [&str; 2] = ["max-time", "max-cycles"];
    match given.value("use-iterative-deepening-search") {
        Some(metric) if METRICS.iter().any(|known| metric == *known) => Ok(true),
        Some(metric) => {
            let problem =
                format!("'{}' is no value of --use-iterative-deepening-search", metric.display());
            Err(Failure::new(problem).hint("use max-time or max-cycles"))
        }
        None => Ok(given.flag("use-iterative-deepening-time-search", false)),
    }
}

fn tests(given: &KleeArguments, words: &mut TranslatedWords) -> Result<()> {
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
    let interval = given.value("stats-write-interval");
    let interval = interval.map(|text| time("stats-write-interval", text)).transpose()?;
    if let Some(interval) = interval.flatten() {
        words.value("--stats-interval", format!("{}ms", interval.as_millis().max(1)));
    }
    Ok(())
}

fn writes_no_tests(given: &KleeArguments) -> bool {
    given.flag("write-no-tests", false) || given.flag("no-output", false)
}

fn seeds(given: &KleeArguments, words: &mut TranslatedWords) -> Result<()> {
    let replayed = replayed(given)?;
    let mut files = given.values_of(&["seed-file", "seed-out"]);
    for directory in given.values_of(&["seed-dir", "seed-out-dir"]) {
        files.extend(tests_in(&directory)?);
    }
    let only = ["only-seed", "only-replay-seeds"].iter().any(|name| given.flag(name, false));
    let zest = given.flag("zest", false);
    if zest {
        words.flag("--zest");
    }
    if !replayed.is_empty() && given.flag("replay-keep-symbolic", false) {
        words.flag("--pin-seeds");
    }
    if !replayed.is_empty() || only && (zest || !files.is_empty()) {
        words.flag("--only-seeds");
    }
    files.iter().chain(&replayed).for_each(|file| words.value("--seed-file", file));
    given.value("replay-path").into_iter().for_each(|file| words.value("--replay-path", file));
    Ok(())
}

fn program_options(given: &KleeArguments, words: &mut TranslatedWords) -> Result<()> {
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
    words.value("--external-calls", external_calls(given)?);
    if given.flag("check-overshift", true) {
        words.value("--checks", "shift");
    }
    Ok(())
}

/// Which functions without a body are called.
fn external_calls(given: &KleeArguments) -> Result<&'static str> {
    match given.value("external-calls").map(OsStr::as_bytes) {
        Some(b"none") => Ok("none"),
        Some(b"all") => Ok("all"),
        None if given.flag("allow-external-sym-calls", false) => Ok("all"),
        None | Some(b"concrete") => Ok("concrete"),
        Some(other) => {
            let shown = String::from_utf8_lossy(other);
            Err(Failure::new(format!("'{shown}' is no value of --external-calls"))
                .hint("use none, concrete or all"))
        }
    }
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
