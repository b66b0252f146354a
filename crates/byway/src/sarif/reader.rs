//! Reads the results of a document.

use serde_json::Value;

use super::error::{JsonNode, SarifProblem};
use super::location::{Artifacts, SourceLine};
use super::{Finding, PROPERTY, SarifError};

/// The results of all runs, in order.
pub fn findings(document: &Value) -> Result<Vec<Finding>, SarifError> {
    let root = JsonNode::root(document);
    let runs = root.member("runs")?;
    let runs = runs.ok_or_else(|| SarifError::new("", SarifProblem::Missing("runs")))?;
    let mut findings = Vec::new();
    for (run_index, run) in runs.items()?.into_iter().enumerate() {
        let artifacts = Artifacts::read(&run)?;
        for (result_index, result) in run.list("results")?.into_iter().enumerate() {
            findings.push(finding((run_index, result_index), &run, &result, &artifacts)?);
        }
    }
    Ok(findings)
}

fn finding(
    id: (usize, usize),
    run: &JsonNode,
    result: &JsonNode,
    artifacts: &Artifacts,
) -> Result<Finding, SarifError> {
    let message = match result.path(&["message", "text"])? {
        Some(text) => text.text()?.to_owned(),
        None => String::new(),
    };
    // The property bag must be one, or there is no room for the verdict.
    if let Some(properties) = result.member("properties")? {
        properties.member(PROPERTY)?;
    }
    result.list("suppressions")?;
    let line = match result.list("locations")?.first() {
        Some(location) => artifacts.line_of(location)?,
        None => None,
    };
    Ok(Finding { id, rule: rule(run, result)?, message, line, steps: steps(result, artifacts)? })
}

/// The rule's name: in the result itself, or in the list of the tool's rules.
fn rule(run: &JsonNode, result: &JsonNode) -> Result<String, SarifError> {
    for path in [&["ruleId"] as &[&str], &["rule", "id"]] {
        if let Some(id) = result.path(path)? {
            return Ok(id.text()?.to_owned());
        }
    }
    let Some(index) = result.member("ruleIndex")? else { return Ok(String::new()) };
    // -1 stands for none.
    let Some(index) = index.value.as_u64() else { return Ok(String::new()) };
    let rules = match run.path(&["tool", "driver"])? {
        Some(driver) => driver.list("rules")?,
        None => Vec::new(),
    };
    match usize::try_from(index).ok().and_then(|index| rules.get(index)) {
        Some(rule) => rule.member("id")?.map_or(Ok(""), |id| id.text()).map(str::to_owned),
        None => Ok(String::new()),
    }
}

/// The lines of the first flow of the first thread. Analysers of C give one.
fn steps(result: &JsonNode, artifacts: &Artifacts) -> Result<Vec<SourceLine>, SarifError> {
    let Some(flow) = result.list("codeFlows")?.into_iter().next() else { return Ok(Vec::new()) };
    let thread = flow.list("threadFlows")?.into_iter().next();
    let Some(thread) = thread else { return Ok(Vec::new()) };
    let mut steps: Vec<SourceLine> = Vec::new();
    for step in thread.list("locations")? {
        let Some(location) = step.member("location")? else { continue };
        let line = artifacts.line_of(&location)?;
        // Analysers report several events of one line in a row.
        steps.extend(line.filter(|line| steps.last() != Some(line)));
    }
    Ok(steps)
}
