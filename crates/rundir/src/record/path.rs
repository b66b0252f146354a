//! How paths ended, and the faults among them.

use std::collections::BTreeMap;

use byway_base::{Fault, FaultKind, Note, Outcome, SrcLoc, StackFrame};
use serde::{Deserialize, Serialize};

/// A line of `paths.jsonl`: a path that ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PathRecord {
    /// Its number, from 1, in the order paths ended.
    pub path: u64,
    /// The file of its test in `tests`; null if it has none.
    pub test: Option<String>,
    /// How it ended.
    pub outcome: OutcomeRecord,
    /// How many forks lie on it.
    pub depth: u32,
    /// How many instructions it took.
    pub instructions: u64,
    /// The work of the whole run when it ended. Runs of an older byway do not tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub work: Option<u64>,
    /// A digest of the decisions on it, 16 hexadecimal digits.
    #[serde(with = "digits")]
    pub digest: u64,
    /// How many lines and branch sides its test covers that no earlier one does.
    pub newly_covered: u32,
    /// Values that were fixed to one of several, by what they were used for.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub concretised: BTreeMap<String, u64>,
    /// The name of the seed that followed it, the first if there were several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<String>,
}

/// A number as 16 hexadecimal digits.
mod digits {
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
        /// One sentence with the particulars on this path.
        message: String,
        /// The place that is to blame.
        at: Option<SrcLoc>,
    },
    Unsupported {
        /// What is missing, by name.
        what: String,
        /// Where it was needed.
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
    /// Records an outcome; a fault by the number it has in `faults.jsonl`.
    pub fn new(outcome: &Outcome, fault: u64) -> Self {
        match outcome {
            Outcome::Exit(code) => OutcomeRecord::Exit { code: *code },
            Outcome::Fault(it) => OutcomeRecord::Fault {
                fault: it.kind.name().into(),
                id: fault,
                message: it.message.clone(),
                at: place(it),
            },
            Outcome::Unsupported(it) => OutcomeRecord::Unsupported {
                what: it.what.clone(),
                at: it.stack.iter().find_map(|frame| frame.loc.clone().filter(|_| frame.user)),
            },
            Outcome::OutOfBudget => OutcomeRecord::OutOfBudget,
            Outcome::Interrupted => OutcomeRecord::Interrupted,
            Outcome::Excluded => OutcomeRecord::Excluded,
            Outcome::Dropped(limit) => OutcomeRecord::Dropped { limit: limit.name().into() },
        }
    }

    /// The name of its kind, as in `"kind"`.
    pub fn name(&self) -> &'static str {
        match self {
            OutcomeRecord::Exit { .. } => "exit",
            OutcomeRecord::Fault { .. } => "fault",
            OutcomeRecord::Unsupported { .. } => "unsupported",
            OutcomeRecord::OutOfBudget => "out-of-budget",
            OutcomeRecord::Interrupted => "interrupted",
            OutcomeRecord::Excluded => "excluded",
            OutcomeRecord::Dropped { .. } => "dropped",
        }
    }
}

fn place(fault: &Fault) -> Option<SrcLoc> {
    fault.culprit().and_then(|frame| frame.loc.clone())
}

/// A line of `faults.jsonl`: a fault, when it was first found. Faults of one kind at
/// one place are the same fault.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FaultRecord {
    /// Its number, from 1.
    pub id: u64,
    /// The name of its kind.
    pub kind: String,
    /// One sentence with the particulars.
    pub message: String,
    /// The place that is to blame.
    pub at: Option<SrcLoc>,
    /// The call stack, innermost first.
    pub stack: Vec<StackFrame>,
    /// What belongs to it.
    pub notes: Vec<Note>,
    /// The path that first had it.
    pub path: u64,
    /// The file of that path's test in `tests`.
    pub test: Option<String>,
}

impl FaultRecord {
    /// Records a fault.
    pub fn new(id: u64, fault: &Fault, path: u64, test: Option<String>) -> Self {
        FaultRecord {
            id,
            kind: fault.kind.name().into(),
            message: fault.message.clone(),
            at: place(fault),
            stack: fault.stack.clone(),
            notes: fault.notes.clone(),
            path,
            test,
        }
    }

    /// The fault that was recorded; `None` if its kind is not one of ours.
    pub fn fault(&self) -> Option<Fault> {
        Some(Fault {
            kind: FaultKind::by_name(&self.kind)?,
            message: self.message.clone(),
            stack: self.stack.clone(),
            notes: self.notes.clone(),
        })
    }
}
