//! `cover.json`: the coverage for other programs. The coverage of each file, and how much each
//! test was the first to cover, so that growth over time can be plotted.

use std::collections::BTreeMap;

use byway_rundir::SCHEMA;
use serde::Serialize;

use crate::cmd::cover::report::{CoveredShare, FileReport, NativeReport};
use crate::cmd::cover::table::MeasureInfo;

/// The contents of the file.
#[derive(Serialize)]
struct CoverRecord<'a> {
    schema: u32,
    /// A description of the build.
    how: &'a str,
    /// The number of measured tests.
    tests: u64,
    /// The number of tests of unfinished paths, excluded by `--partial-tests drop`.
    left_out: u64,
    /// Tests without counters, by reason.
    lost: BTreeMap<&'a str, usize>,
    /// The measurement was not interrupted.
    complete: bool,
    lines: ShareRecord,
    sides: ShareRecord,
    functions: ShareRecord,
    files: Vec<FileRecord<'a>>,
    /// Tests that were the first to cover something, by number.
    credit: Vec<TestCredit>,
}

#[derive(Serialize)]
struct FileRecord<'a> {
    name: &'a str,
    lines: ShareRecord,
    sides: ShareRecord,
    functions: ShareRecord,
    faults: Vec<LineFaultRecord<'a>>,
}

/// Faults of one kind on a line.
#[derive(Serialize)]
struct LineFaultRecord<'a> {
    line: u32,
    kind: &'a str,
    count: usize,
    /// The numbers of the tests.
    tests: &'a [u64],
}

fn faults(file: &FileReport) -> Vec<LineFaultRecord<'_>> {
    file.faults
        .iter()
        .flat_map(|(&line, faults)| {
            faults.iter().map(move |fault| LineFaultRecord {
                line,
                kind: &fault.kind,
                count: fault.tests.len(),
                tests: &fault.tests,
            })
        })
        .collect()
}

/// Covered items of a total.
#[derive(Serialize)]
struct ShareRecord {
    covered: u64,
    total: u64,
}

impl From<CoveredShare> for ShareRecord {
    fn from(share: CoveredShare) -> Self {
        ShareRecord { covered: share.covered, total: share.total }
    }
}

/// The items that a test covers and no test with a lower number.
#[derive(Serialize, Default, Clone, Copy, PartialEq, Eq, Debug)]
struct TestCredit {
    test: u64,
    lines: u64,
    sides: u64,
    functions: u64,
}

/// The report as JSON.
pub fn render(report: &NativeReport, facts: &MeasureInfo<'_>, left_out: u64) -> String {
    let lost = facts.unmeasured.iter().map(|(why, tests)| (why.as_str(), tests.len()));
    let files = report.files.iter().map(|file| FileRecord {
        name: &file.name,
        lines: file.line_share().into(),
        sides: file.side_share().into(),
        functions: file.function_share().into(),
        faults: faults(file),
    });
    let record = CoverRecord {
        schema: SCHEMA,
        how: facts.how,
        tests: facts.measured,
        left_out,
        lost: lost.collect(),
        complete: !facts.interrupted,
        lines: report.lines().into(),
        sides: report.sides().into(),
        functions: report.functions().into(),
        files: files.collect(),
        credit: credit(report),
    };
    let mut text = serde_json::to_string_pretty(&record).expect("plain data becomes JSON");
    text.push('\n');
    text
}

fn credit(report: &NativeReport) -> Vec<TestCredit> {
    let mut by_test: BTreeMap<u64, TestCredit> = BTreeMap::new();
    let mut give = |test: Option<u64>, to: fn(&mut TestCredit) -> &mut u64| {
        if let Some(test) = test {
            let credit =
                by_test.entry(test).or_insert(TestCredit { test, ..TestCredit::default() });
            *to(credit) += 1;
        }
    };
    for file in &report.files {
        for line in file.lines.values() {
            give(line.hits.first, |credit| &mut credit.lines);
            for side in line.branches.iter().flatten() {
                give(side.first, |credit| &mut credit.sides);
            }
        }
        for function in &file.functions {
            give(function.hits.first, |credit| &mut credit.functions);
        }
    }
    by_test.into_values().collect()
}
