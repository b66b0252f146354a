//! `paths.jsonl` and `faults.jsonl`: how paths ended, and the faults among them.

use std::collections::BTreeMap;

use byway_base::{Fault, FaultKind, Note, Outcome, SrcLoc, StackFrame};
use serde::{Deserialize, Serialize};

/// The outcome kinds of [truncated](crate#truncated-paths) paths.
pub(crate) const TRUNCATED: [&str; 3] = ["out-of-budget", "interrupted", "dropped"];

/// A line of `paths.jsonl`: a path that ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PathRecord {
    /// From 1, in the order paths ended.
    pub path: u64,
    /// The name of its test file in `tests`, if it has a test.
    pub test: Option<String>,
    /// How it ended.
    pub outcome: OutcomeRecord,
    /// Forks on it.
    pub depth: u32,
    /// Instructions from the program's start.
    pub instructions: u64,
    /// The work of the whole run when it ended. Older versions did not record it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub work: Option<u64>,
    /// A digest of its decisions, written as 16 hexadecimal digits.
    #[serde(with = "hex_digits")]
    pub digest: u64,
    /// Lines and branch sides that its test is the first to cover.
    pub newly_covered: u32,
    /// The coverage sites that its test is the first to cover, by their numbers in the program:
    /// what `--resume` knows to be covered.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub covers: Vec<u32>,
    /// Symbolic values fixed to one value, by their use.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub concretised: BTreeMap<String, u64>,
    /// The name of the first seed that followed it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<String>,
}

/// A number as 16 hexadecimal digits.
mod hex_digits {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub fn serialize<S: Serializer>(number: &u64, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(&format_args!("{number:016x}"))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<u64, D::Error> {
        u64::from_str_radix(&String::deserialize(from)?, 16).map_err(D::Error::custom)
    }
}

/// How a path ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
#[allow(missing_docs)] // as in `byway_base::Outcome`
pub enum OutcomeRecord {
    Exit {
        code: i32,
    },
    Fault {
        /// The name of the fault's kind.
        fault: String,
        /// Its number in `faults.jsonl`.
        id: u64,
        /// One sentence with the details on this path.
        message: String,
        /// The line to blame, if known.
        at: Option<SrcLoc>,
    },
    Unsupported {
        /// The name of the missing feature.
        what: String,
        /// The line that needs it, if known.
        at: Option<SrcLoc>,
    },
    InternalError {
        /// The name of the invariant that does not hold.
        error: String,
        /// The line where it showed, if known.
        at: Option<SrcLoc>,
    },
    OutOfBudget,
    Interrupted,
    Excluded,
    Dropped {
        /// The name of the limit.
        limit: String,
    },
}

impl OutcomeRecord {
    /// The record of an outcome; `fault` is the fault's number in `faults.jsonl`.
    pub fn new(outcome: &Outcome, fault: u64) -> Self {
        match outcome {
            Outcome::Exit(code) => OutcomeRecord::Exit { code: *code },
            Outcome::Fault(it) => OutcomeRecord::Fault {
                fault: it.kind.name().into(),
                id: fault,
                message: it.message.clone(),
                at: culprit(it),
            },
            Outcome::Unsupported(it) => OutcomeRecord::Unsupported {
                what: it.feature.to_string(),
                at: user_line(&it.stack),
            },
            Outcome::InternalError(it) => OutcomeRecord::InternalError {
                error: it.kind.name().into(),
                at: user_line(&it.stack),
            },
            Outcome::OutOfBudget => OutcomeRecord::OutOfBudget,
            Outcome::Interrupted => OutcomeRecord::Interrupted,
            Outcome::Excluded => OutcomeRecord::Excluded,
            Outcome::Dropped(limit) => OutcomeRecord::Dropped { limit: limit.name().into() },
        }
    }

    /// Its `"kind"` in the file.
    pub fn name(&self) -> &'static str {
        match self {
            OutcomeRecord::Exit { .. } => "exit",
            OutcomeRecord::Fault { .. } => "fault",
            OutcomeRecord::Unsupported { .. } => "unsupported",
            OutcomeRecord::InternalError { .. } => "internal-error",
            OutcomeRecord::OutOfBudget => "out-of-budget",
            OutcomeRecord::Interrupted => "interrupted",
            OutcomeRecord::Excluded => "excluded",
            OutcomeRecord::Dropped { .. } => "dropped",
        }
    }

    /// Whether the path is [truncated](crate#truncated-paths).
    pub fn is_truncated(&self) -> bool {
        TRUNCATED.contains(&self.name())
    }
}

/// The innermost line of the user's code.
fn user_line(stack: &[StackFrame]) -> Option<SrcLoc> {
    stack.iter().find_map(|frame| frame.loc.clone().filter(|_| frame.user))
}

fn culprit(fault: &Fault) -> Option<SrcLoc> {
    fault.culprit().and_then(|frame| frame.loc.clone())
}

/// A line of `faults.jsonl`: a fault when it was first found. Faults of one kind at one line
/// are the same fault.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FaultRecord {
    /// From 1, in the order they were found.
    pub id: u64,
    /// The name of its kind.
    pub kind: String,
    /// One sentence with the details.
    pub message: String,
    /// The line to blame, if known.
    pub at: Option<SrcLoc>,
    /// The call stack, innermost frame first.
    pub stack: Vec<StackFrame>,
    /// Related locations, such as an allocation.
    pub notes: Vec<Note>,
    /// The first path that has it.
    pub path: u64,
    /// That path's test file in `tests`.
    pub test: Option<String>,
    /// The path starts in a function whose callers are unknown, on input that they may never
    /// pass.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub under_constrained: bool,
}

impl FaultRecord {
    /// The record of a fault first found on `path`.
    pub fn new(id: u64, fault: &Fault, path: u64, test: Option<String>) -> Self {
        FaultRecord {
            id,
            kind: fault.kind.name().into(),
            message: fault.message.clone(),
            at: culprit(fault),
            stack: fault.stack.clone(),
            notes: fault.notes.clone(),
            path,
            test,
            under_constrained: false,
        }
    }

    /// The recorded fault; `None` if its kind is unknown to this version.
    pub fn fault(&self) -> Option<Fault> {
        Some(Fault {
            kind: FaultKind::by_name(&self.kind)?,
            message: self.message.clone(),
            stack: self.stack.clone(),
            notes: self.notes.clone(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_cut_short_by_a_limit_an_interrupt_or_a_drop_are_truncated() {
        let dropped = OutcomeRecord::Dropped { limit: "max-states".into() };
        for outcome in [OutcomeRecord::OutOfBudget, OutcomeRecord::Interrupted, dropped] {
            assert!(outcome.is_truncated(), "{outcome:?}");
        }
        let unsupported = OutcomeRecord::Unsupported { what: "fork".into(), at: None };
        for outcome in [OutcomeRecord::Exit { code: 1 }, OutcomeRecord::Excluded, unsupported] {
            assert!(!outcome.is_truncated(), "{outcome:?}");
        }
    }

    #[test]
    fn unknown_fields_are_ignored_and_names_match_the_file() {
        let line = r#"{"path":1,"test":null,"outcome":{"kind":"dropped","limit":"max-depth","x":1},
            "depth":2,"instructions":3,"digest":"00000000000000ff","newly_covered":0,"new":[]}"#;
        let read: PathRecord = serde_json::from_str(line).expect("a path");
        assert_eq!((read.digest, read.outcome.name(), read.work), (255, "dropped", None));
    }
}
