//! What `klee` writes and prints, by its options.

use std::path::{Path, PathBuf};
use std::time::Duration;

use byway_base::FaultKind;
use byway_engine::PathConditionLanguages;

use super::command_line::KleeArguments;
use super::error_kinds;
use super::quantities::time;
use crate::failure::{Failure, Result};

/// KLEE's time between two versions of `run.istats`.
const PROFILE_INTERVAL: Duration = Duration::from_secs(10);

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
    /// Whether all branches of a path are written, and those at which it forked.
    pub writes_branches: [bool; 2],
    /// The languages of the path conditions that are written.
    pub path_conditions: PathConditionLanguages,
    /// The program's file and its hash in `metadata.xml`.
    pub xml_metadata: [Option<String>; 2],
    pub logs_queries: bool,
    pub writes_statistics: bool,
    pub writes_profile: bool,
    /// The time between two versions of the profile; `None`: it is written at the end only.
    pub profile_interval: Option<Duration>,
    pub writes_assembly: bool,
    pub writes_bitcode: bool,
    pub warns_to_file_only: bool,
    /// The tests to replay; empty: the program is explored.
    pub replayed: Vec<PathBuf>,
}

impl KleeSettings {
    pub fn new(given: &KleeArguments) -> Result<KleeSettings> {
        check_contradictions(given)?;
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
            writes_branches: [
                given.flag("write-paths", false),
                given.flag("write-sym-paths", false),
            ],
            path_conditions: PathConditionLanguages {
                smtlib: given.flag("write-smt2s", false),
                kquery: given.flag("write-kqueries", false) || given.flag("write-pcs", false),
            },
            xml_metadata: [text("xml-metadata-programfile"), text("xml-metadata-programhash")],
            logs_queries: given.value("use-query-log").is_some(),
            writes_statistics: given.flag("output-stats", true),
            writes_profile: given.flag("output-istats", true),
            profile_interval: match given.value("istats-write-interval") {
                Some(text) => time("istats-write-interval", text)?,
                None => Some(PROFILE_INTERVAL),
            },
            writes_assembly: given.flag("output-source", true),
            writes_bitcode: given.flag("output-module", false),
            warns_to_file_only: given.flag("warnings-only-to-file", false),
            replayed: replayed(given)?,
        })
    }
}

/// Options that exclude each other.
const CONTRADICTIONS: [(&str, &str); 8] = [
    ("replay-path", "seed-file"),
    ("replay-path", "seed-dir"),
    ("replay-path", "replay-ktest-file"),
    ("replay-path", "replay-ktest-dir"),
    ("replay-ktest-file", "seed-file"),
    ("replay-ktest-file", "seed-dir"),
    ("replay-ktest-dir", "seed-file"),
    ("replay-ktest-dir", "seed-dir"),
];

fn check_contradictions(given: &KleeArguments) -> Result<()> {
    let both =
        |(one, other): &&(&str, &str)| given.value(one).is_some() && given.value(other).is_some();
    match CONTRADICTIONS.iter().find(both) {
        Some((one, other)) => Err(Failure::new(format!("--{one} cannot be used with --{other}"))
            .hint("seeds begin an exploration, replayed tests are only run")),
        None => Ok(()),
    }
}

/// The tests to replay.
pub fn replayed(given: &KleeArguments) -> Result<Vec<PathBuf>> {
    let mut files = given.values_of(&["replay-ktest-file", "replay-out"]);
    for directory in given.values_of(&["replay-ktest-dir", "replay-out-dir"]) {
        files.extend(tests_in(&directory)?);
    }
    Ok(files)
}

/// The tests of a directory, by name.
pub fn tests_in(directory: &Path) -> Result<Vec<PathBuf>> {
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
