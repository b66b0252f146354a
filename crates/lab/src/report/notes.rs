//! The notes of a report: method and warnings.

use std::collections::BTreeSet;

use byway_base::quantity::{grouped, plural, time};

use crate::experiment::{CoverageSource, PartialTests};
use crate::findings::Findings;

/// Sentences that accompany the figures.
pub struct ReportNotes {
    /// The method.
    pub lines: Vec<String>,
    /// Missing or inconsistent results.
    pub warnings: Vec<String>,
}

impl ReportNotes {
    /// The notes on these findings; `failed` describes each failed run.
    pub fn new(findings: &Findings<'_>, failed: &[String]) -> ReportNotes {
        let experiment = findings.experiment;
        let budget = &experiment.budget;
        let limits = [
            budget.cpu.map(|cpu| format!("{} of processor time", time(cpu))),
            budget.time.map(|wall| format!("{} of wall time", time(wall))),
            budget.work.map(|work| format!("{} of work", grouped(work))),
        ];
        let limits: Vec<String> = limits.into_iter().flatten().collect();
        let count = |n: usize, noun: &str| plural(n as u64, noun);
        let strategies = match experiment.strategies.len() {
            1 => "1 strategy".to_string(),
            n => format!("{n} strategies"),
        };
        let matrix = format!(
            "{}, {strategies}, {}, {} for each run.",
            count(experiment.programs.len(), "program"),
            count(experiment.seeds.len(), "seed"),
            limits.join(" or "),
        );
        let mut lines = vec![matrix, how_measured(findings)];
        let options = &experiment.options.words;
        if !options.is_empty() {
            lines.push(format!("Options of all runs: {}.", options.join(" ")));
        }
        ReportNotes { lines, warnings: warnings(findings, failed) }
    }
}

fn how_measured(findings: &Findings<'_>) -> String {
    let experiment = findings.experiment;
    let measure = experiment.measure.words();
    let by = match experiment.coverage {
        CoverageSource::Gcov => {
            let how: BTreeSet<&str> = (0..experiment.programs.len())
                .flat_map(|program| {
                    let built = experiment.programs[program].coverage_build.is_some();
                    let outcomes = (0..experiment.strategies.len())
                        .flat_map(move |strategy| findings.outcomes(program, strategy));
                    outcomes.map(move |outcome| match built {
                        true => "on prebuilt executables",
                        false => outcome.coverage.how.as_str(),
                    })
                })
                .collect();
            let how: Vec<&str> = how.into_iter().collect();
            let how = if how.is_empty() { String::new() } else { format!(" ({})", how.join("; ")) };
            format!("measured natively by byway cover{how}")
        }
        CoverageSource::Engine => "measured by the engine itself".to_string(),
    };
    let partial = match experiment.partial_tests {
        PartialTests::Keep => "tests of truncated paths count, too",
        PartialTests::Drop => "tests of truncated paths do not count",
    };
    format!("Coverage is of {measure}, {by}; {partial}.")
}

fn warnings(findings: &Findings<'_>, failed: &[String]) -> Vec<String> {
    let mut warnings = Vec::new();
    let (existing, planned) = (findings.all().count(), findings.planned());
    if existing < planned {
        warnings.push(format!(
            "{existing} of {planned} runs have a result. Strategies are compared on the {} of {} \
             programs for which each of them has a result.",
            findings.compared.len(),
            findings.experiment.programs.len()
        ));
    }
    warnings.extend(failed.iter().map(|run| format!("Failed: {run}")));
    let builds: BTreeSet<&str> =
        findings.all().map(|outcome| outcome.build.build.as_str()).collect();
    if builds.len() > 1 {
        warnings.push(format!("The results come from {} different builds of byway.", builds.len()));
    }
    for (number, program) in findings.experiment.programs.iter().enumerate() {
        let (name, what) = (&program.name, findings.experiment.measure.words());
        let totals = findings.totals(number);
        if totals.contains(&0) {
            warnings.push(format!("'{name}' has no {what}, and is not compared."));
        } else if totals.len() > 1 {
            let totals: Vec<String> = totals.iter().map(u64::to_string).collect();
            warnings.push(format!(
                "The results of '{name}' have {} {what}: they do not all come from one program.",
                totals.join(" and ")
            ));
        }
    }
    let lost: u64 = findings.all().map(|outcome| outcome.coverage.lost).sum();
    if lost > 0 {
        warnings.push(format!("{} could not be measured natively.", plural(lost, "test")));
    }
    let stopped = |ended: &str| matches!(ended, "interrupted" | "write-failed" | "cut-short");
    let cut = findings.all().filter(|outcome| stopped(&outcome.run.ended)).count();
    if cut > 0 {
        warnings.push(format!("{} did not end regularly.", plural(cut as u64, "run")));
    }
    warnings
}
