//! `targets.json`: the verdict on each target.

use serde::{Deserialize, Serialize};

/// The targets of a run, in the order they were given.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct TargetsRecord {
    /// The version of the directory.
    pub schema: u32,
    /// One record per target.
    pub targets: Vec<TargetRecord>,
}

/// A target and its verdict.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TargetRecord {
    /// `FILE:LINE` or the name of a function.
    pub name: String,
    /// Its lines in the source; reaching one reaches the target.
    #[serde(default)]
    pub lines: Vec<TargetLine>,
    /// The verdict.
    #[serde(flatten)]
    pub verdict: VerdictRecord,
}

/// A line of the source.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TargetLine {
    /// The path of the file.
    pub file: String,
    /// The number of the line, from 1.
    pub line: u32,
}

/// What is known about a target.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "verdict", rename_all = "kebab-case")]
pub enum VerdictRecord {
    /// A test reaches it.
    Reached {
        /// The number of the path.
        path: u64,
        /// The file name of its test.
        test: String,
        /// Whether a native run of the test confirms it; absent if none was made.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        confirmed: Option<bool>,
        /// How it was confirmed, or why not.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        note: Option<String>,
    },
    /// No input within the given ones reaches it.
    Unreachable {
        /// Why that is certain: the program's control flow, or an exhausted search.
        reason: String,
    },
    /// Neither is certain.
    Undecided {
        /// What ended the search, and what was lost.
        reasons: Vec<String>,
    },
}

impl VerdictRecord {
    /// The verdict in one word.
    pub fn name(&self) -> &'static str {
        match self {
            VerdictRecord::Reached { .. } => "reached",
            VerdictRecord::Unreachable { .. } => "unreachable",
            VerdictRecord::Undecided { .. } => "undecided",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_are_named_as_in_the_file() {
        let reached =
            VerdictRecord::Reached { path: 3, test: "a".into(), confirmed: None, note: None };
        let unreachable = VerdictRecord::Unreachable { reason: "r".into() };
        let undecided = VerdictRecord::Undecided { reasons: vec!["r".into()] };
        for verdict in [reached, unreachable, undecided] {
            let record = TargetRecord { name: "a.c:3".into(), lines: Vec::new(), verdict };
            let json = serde_json::to_value(&record).expect("JSON");
            assert_eq!(json["verdict"], record.verdict.name());
            assert_eq!(serde_json::from_value::<TargetRecord>(json).expect("a record"), record);
        }
    }
}
