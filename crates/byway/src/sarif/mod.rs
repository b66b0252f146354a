//! Reports of static analysers in SARIF 2.1: what they claim, and the same report with a verdict in
//! each result.
//!
//! ```text
//! bytes ──▶ SarifLog::parse ──▶ findings()     what each result claims, at which line
//!                           └─▶ annotate(..)   a verdict in the result's "properties"
//! ```
//!
//! The document stays a JSON value, so that everything this module does not know survives. Only
//! the members it needs are checked; a member of the wrong type is an error that names its
//! position as a JSON pointer. Members of objects are written in alphabetical order.

mod error;
mod location;
mod reader;

use serde_json::{Map, Value, json};

pub use error::SarifError;
use error::{SarifProblem, expect_object};
pub use location::SourceLine;

/// The key below a result's `properties`, under which its verdict stands.
const PROPERTY: &str = "byway";

/// The beginning of our justifications, by which an earlier one is recognised.
const SIGNATURE: &str = "Byway: ";

/// A report.
#[derive(Clone, PartialEq, Debug)]
pub struct SarifLog {
    document: Value,
}

/// One result of a report.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// Its indices in `runs` and in `results`.
    id: (usize, usize),
    /// The rule's name, such as `core.NullDereference`; empty if the result has none.
    pub rule: String,
    /// The analyser's sentence.
    pub message: String,
    /// The line it blames; `None` if it names none.
    pub line: Option<SourceLine>,
    /// The steps of its first code flow, with a line.
    pub steps: Vec<SourceLine>,
}

impl SarifLog {
    /// Reads a report.
    pub fn parse(bytes: &[u8]) -> Result<SarifLog, SarifError> {
        let document: Value = serde_json::from_slice(bytes)
            .map_err(|error| SarifError::new("", SarifProblem::NotJson(error.to_string())))?;
        let log = SarifLog { document };
        let version = expect_object(&log.document, "")?.get("version");
        match version.and_then(Value::as_str) {
            Some(version) if version.starts_with("2.1") => Ok(log),
            Some(other) => {
                Err(SarifError::new("/version", SarifProblem::Version(other.to_owned())))
            }
            None => Err(SarifError::new("", SarifProblem::NotSarif)),
        }
    }

    /// The results of all its runs, in order.
    pub fn findings(&self) -> Result<Vec<Finding>, SarifError> {
        reader::findings(&self.document)
    }

    /// Records a verdict in the result of a finding of this report. An earlier one is replaced.
    pub fn annotate(&mut self, finding: &Finding, verdict: Value) {
        let Some(result) = self.result_mut(finding) else { return };
        let properties = result.entry("properties").or_insert_with(|| Value::Object(Map::new()));
        if let Some(properties) = properties.as_object_mut() {
            properties.insert(PROPERTY.to_owned(), verdict);
        }
    }

    /// Proposes to suppress the result of a finding, for a person to accept or reject. An earlier
    /// proposal is replaced.
    pub fn propose_suppression(&mut self, finding: &Finding, reason: &str) {
        let Some(result) = self.result_mut(finding) else { return };
        let list = result.entry("suppressions").or_insert_with(|| Value::Array(Vec::new()));
        if let Some(list) = list.as_array_mut() {
            let is_ours = |item: &Value| {
                item["justification"].as_str().is_some_and(|text| text.starts_with(SIGNATURE))
            };
            list.retain(|item| !is_ours(item));
            list.push(json!({
                "kind": "external",
                "status": "underReview",
                "justification": format!("{SIGNATURE}{reason}"),
            }));
        }
    }

    fn result_mut(&mut self, finding: &Finding) -> Option<&mut Map<String, Value>> {
        let (run, result) = finding.id;
        self.document.pointer_mut(&format!("/runs/{run}/results/{result}"))?.as_object_mut()
    }

    /// The report as text.
    pub fn to_text(&self) -> String {
        format!("{:#}\n", self.document)
    }
}

#[cfg(test)]
mod tests;
