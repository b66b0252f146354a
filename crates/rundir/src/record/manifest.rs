//! What was explored, and how: everything that influences the result, and nothing
//! that differs between two equal runs.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

use serde::{Deserialize, Serialize};

use super::SeedSettings;

/// `manifest.json`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RunManifest {
    /// The version of the whole directory.
    pub schema: u32,
    /// The version of Byway.
    pub byway: String,
    /// What was explored.
    pub program: ProgramRecord,
    /// How.
    pub config: ConfigRecord,
    /// What every random choice came from.
    pub seed: u64,
}

/// The program, and what it was started with.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ProgramRecord {
    /// The files it is made of.
    pub files: Vec<ProgramFile>,
    /// The directory the run was started in: relative names in options mean this.
    pub directory: ByteString,
    /// How its C sources were compiled.
    pub compiler: CompilerRecord,
    /// A digest of the program as linked, the C library included.
    pub digest: String,
    /// Its arguments, its name first.
    pub args: Vec<ByteString>,
    /// Its environment, as `NAME=value`.
    pub env: Vec<ByteString>,
    /// The directories of the machine whose files it was shown.
    #[serde(default)]
    pub host_files: Vec<ByteString>,
}

/// A file of the program.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ProgramFile {
    /// As it was named.
    pub given: ByteString,
    /// Its absolute path.
    pub path: ByteString,
    /// A digest of what it held.
    pub hash: String,
}

/// How C sources were compiled.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct CompilerRecord {
    /// The clang that was called.
    pub clang: ByteString,
    /// The digit of `-O`.
    pub optimise: String,
    /// The user's options for it.
    pub options: Vec<ByteString>,
}

/// How the program was explored.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ConfigRecord {
    /// The searchers; several took turns.
    pub search: Vec<String>,
    /// How many workers shared the work.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub jobs: u64,
    /// When forks are decided: "eager" or "lazy".
    pub feasibility: String,
    /// What became of long doubles: "fixed" or "symbolic".
    #[serde(default = "fixed")]
    pub long_double: String,
    /// The checks beyond those that are always on.
    pub checks: Vec<String>,
    /// Which paths got a test: "all", "covering-new" or "none".
    pub tests: String,
    /// Whether every answer of the solver was compared with a bare backend's.
    pub solver_check: bool,
    /// Where the run was to stop or to give up paths.
    pub limits: LimitRecord,
    /// The inputs it began with, if any were given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seeds: Option<SeedSettings>,
}

/// What became of long doubles before there was a choice.
fn fixed() -> String {
    "fixed".into()
}

/// Limits; what is null was not limited.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[allow(missing_docs)] // each is the option of the same name
pub struct LimitRecord {
    pub max_time_ms: Option<u64>,
    #[serde(default)]
    pub max_cpu_ms: Option<u64>,
    pub max_work: Option<u64>,
    pub max_memory: Option<u64>,
    pub max_states: Option<u64>,
    pub max_depth: Option<u32>,
    pub max_tests: Option<u64>,
    pub max_faults: Option<u64>,
    pub max_solver_time_ms: Option<u64>,
    pub solver_effort: Option<u64>,
    pub path_instructions: Option<u64>,
    pub path_memory: u64,
    pub path_calls: u32,
}

/// Bytes that are a text as good as always: a JSON string if they are UTF-8, else a
/// list of their values, so that nothing is lost.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum ByteString {
    /// UTF-8.
    Words(String),
    /// Anything else.
    Bytes(Vec<u8>),
}

impl From<&[u8]> for ByteString {
    fn from(bytes: &[u8]) -> Self {
        match std::str::from_utf8(bytes) {
            Ok(text) => ByteString::Words(text.to_string()),
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
    /// The bytes.
    pub fn bytes(&self) -> &[u8] {
        match self {
            ByteString::Words(text) => text.as_bytes(),
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
