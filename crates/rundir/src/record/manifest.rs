//! `manifest.json`: program and configuration, that is everything that determines the result,
//! and nothing that differs between two equal runs.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

use serde::{Deserialize, Serialize};

use super::SeedSettings;

/// `manifest.json`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct RunManifest {
    /// [`SCHEMA`](crate::SCHEMA), for the whole directory.
    pub schema: u32,
    /// The version of Byway.
    pub byway: String,
    /// The explored program.
    pub program: ProgramRecord,
    /// The configuration of the exploration.
    pub config: ConfigRecord,
    /// The seed of all random choices.
    pub seed: u64,
    /// The options and arguments of `byway run`, without `--output-dir`: what `--resume` starts
    /// from. Empty if another command made the run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub command: Vec<ByteString>,
    /// The runs of a campaign, if it is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub campaign: Option<CampaignRecord>,
}

/// The plan of a campaign: several runs in one directory.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct CampaignRecord {
    /// The value of `--campaign`.
    pub name: String,
    /// The runs, in their order.
    pub runs: Vec<PlannedRunRecord>,
}

/// A run of a campaign.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct PlannedRunRecord {
    /// Its name, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Its own options, each one word (`--search=dfs`); they replace those of the command line.
    pub options: Vec<String>,
    /// Its part of the campaign's limits; `None` for an equal part of what the others leave.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub share: Option<f64>,
}

impl PlannedRunRecord {
    /// Its name, or else its options; may be empty.
    pub fn label(&self) -> String {
        self.name.clone().unwrap_or_else(|| {
            let words = self.options.iter().map(|word| word.replacen('=', " ", 1));
            words.collect::<Vec<_>>().join(" ")
        })
    }

    /// Whether it has an option of its own.
    pub fn gives(&self, option: &str) -> bool {
        self.options.iter().any(|word| word.split('=').next() == Some(option))
    }
}

/// The explored program and its start.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ProgramRecord {
    /// Its sources and bitcode files.
    pub files: Vec<ProgramFile>,
    /// The working directory of the run, which relative names in options refer to.
    pub directory: ByteString,
    /// How its C sources were compiled.
    pub compiler: CompilerRecord,
    /// A digest of the linked program, including the C library.
    pub digest: String,
    /// `argv`, including the program's name.
    pub args: Vec<ByteString>,
    /// The environment, as `NAME=value`.
    pub env: Vec<ByteString>,
    /// Directories of the host that the program could read.
    #[serde(default)]
    pub host_files: Vec<ByteString>,
}

/// A file of the program.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ProgramFile {
    /// Its name on the command line.
    pub given: ByteString,
    /// Its absolute path.
    pub path: ByteString,
    /// A digest of its contents.
    pub hash: String,
}

/// How C sources were compiled.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct CompilerRecord {
    /// The clang that was called.
    pub clang: ByteString,
    /// The digit of `-O`.
    pub optimise: String,
    /// The user's further options.
    pub options: Vec<ByteString>,
    /// Functions and those called instead, as `NAME:OTHER`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub aliases: Vec<String>,
}

/// The configuration of the exploration.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ConfigRecord {
    /// The searchers, in the syntax of `--search`; several alternate.
    pub search: Vec<String>,
    /// Workers of `-j`.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub jobs: u64,
    /// Which paths are skipped: "dgse", "dgse-always", or none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reduce: Option<String>,
    /// What drops states, in the syntax of `--prune`, or none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prune: Option<String>,
    /// What random inputs are made of, in the syntax of `--random-inputs`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub random_inputs: Vec<String>,
    /// Whether random inputs run on the engine though they could run natively.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub interpret_inputs: bool,
    /// When forks are decided: "eager" or "lazy".
    pub feasibility: String,
    /// Long doubles: "fixed" or "symbolic". Older versions always fixed them.
    #[serde(default = "fixed")]
    pub long_double: String,
    /// Unset memory of the user's code: "zero" or "symbolic". Older versions had zeros only.
    #[serde(default = "zero")]
    pub unset_memory: String,
    /// Which functions without a body are called: "concrete" or "all". `None`: none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub external_calls: Option<String>,
    /// The optional checks that are on.
    pub checks: Vec<String>,
    /// Which paths get a test: "all", "covering-new" or "none".
    pub tests: String,
    /// Which unfinished states give a test: "covering-new", "all" or "none". Older versions
    /// wrote all.
    #[serde(default = "all")]
    pub unfinished_tests: String,
    /// Whether a bare backend checks every answer of the solver.
    pub solver_check: bool,
    /// The limits of the run and of its paths.
    pub limits: LimitRecord,
    /// The targets, if there are any, as they were given.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub targets: Vec<String>,
    /// The changed lines with code that the exploration is limited to, as `PATH:LINE`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changed: Vec<String>,
    /// The first lines with code behind code that was removed, as `PATH:LINE`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub after_removed: Vec<String>,
    /// The files of the old build that the tests also ran on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub against: Vec<ProgramFile>,
    /// The revision of `--since`, as it was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<String>,
    /// The seeds, if there are any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seeds: Option<SeedSettings>,
    /// The function that paths start in, if it is not `main`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub entry: Option<EntryRecord>,
}

/// The function that paths start in, on input that nothing constrains, and its bounds.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct EntryRecord {
    /// The function.
    pub function: String,
    /// The predicate that its arguments satisfy.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assume: Option<String>,
    /// The most pointers followed to an object.
    pub depth: u32,
    /// Elements of the arrays that pointers to scalars refer to.
    pub elements: u64,
    /// Whether arrays of characters end with zero.
    pub terminated: bool,
    /// Whether two pointers can refer to one object.
    pub aliasing: bool,
    /// Whether global variables are input.
    pub globals: bool,
}

fn all() -> String {
    "all".into()
}

fn zero() -> String {
    "zero".into()
}

fn fixed() -> String {
    "fixed".into()
}

/// Limits; null means none.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[allow(missing_docs)] // each is the option of the same name
pub struct LimitRecord {
    pub max_time_ms: Option<u64>,
    #[serde(default)]
    pub max_cpu_ms: Option<u64>,
    pub max_work: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_instructions: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_forks: Option<u64>,
    pub max_memory: Option<u64>,
    pub max_states: Option<u64>,
    pub max_depth: Option<u32>,
    pub max_tests: Option<u64>,
    pub max_faults: Option<u64>,
    pub max_solver_time_ms: Option<u64>,
    pub solver_effort: Option<u64>,
    pub path_instructions: Option<u64>,
    pub path_memory: u64,
    /// Older versions had none.
    #[serde(default)]
    pub path_stack: Option<u64>,
    pub path_calls: u32,
}

/// Bytes that are usually text: a JSON string if they are UTF-8, otherwise a list of byte
/// values, so that none is lost.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum ByteString {
    /// The bytes are UTF-8.
    Utf8(String),
    /// The bytes are not UTF-8.
    Bytes(Vec<u8>),
}

impl From<&[u8]> for ByteString {
    fn from(bytes: &[u8]) -> Self {
        match std::str::from_utf8(bytes) {
            Ok(text) => ByteString::Utf8(text.to_string()),
            Err(_) => ByteString::Bytes(bytes.to_vec()),
        }
    }
}

impl From<&OsStr> for ByteString {
    fn from(text: &OsStr) -> Self {
        text.as_bytes().into()
    }
}

impl ByteString {
    /// The original bytes.
    pub fn bytes(&self) -> &[u8] {
        match self {
            ByteString::Utf8(text) => text.as_bytes(),
            ByteString::Bytes(bytes) => bytes,
        }
    }
}

fn one() -> u64 {
    1
}

fn is_one(jobs: &u64) -> bool {
    *jobs == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_byte_is_lost() {
        for bytes in [b"caf\xc3\xa9".as_slice(), b"caf\xe9", b"", b"\"\\\n\0"] {
            let json = serde_json::to_string(&ByteString::from(bytes)).expect("text as JSON");
            let read: ByteString = serde_json::from_str(&json).expect("what was written");
            assert_eq!(read.bytes(), bytes, "{json}");
        }
        assert_eq!(serde_json::to_string(&ByteString::from(b"a b".as_slice())).unwrap(), "\"a b\"");
    }
}
