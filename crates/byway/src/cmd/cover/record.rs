//! `cover.json`: what was measured, for other programs. How much of each file, and which test
//! was the first to cover how much, so that coverage can be drawn as it grew.

use std::collections::BTreeMap;

use byway_rundir::SCHEMA;
use serde::Serialize;

use crate::cmd::cover::report::{Report, Share};
use crate::cmd::cover::table::Facts;

/// The whole of it.
#[derive(Serialize)]
struct Record<'a> {
    schema: u32,
    /// How the program was built.
    how: &'a str,
    /// Tests that were measured.
    tests: u64,
    /// Tests of paths that had not ended, which were left out as the user wished.
    left_out: u64,
    /// Tests that left no counters, by why.
    lost: BTreeMap<&'a str, usize>,
    /// Whether all tests were measured, and not stopped before.
    complete: bool,
    lines: Part,
    sides: Part,
    functions: Part,
    files: Vec<File<'a>>,
    /// The tests that were the first to cover something, by number.
    credit: Vec<Credit>,
}

#[derive(Serialize)]
struct File<'a> {
    name: &'a str,
    lines: Part,
    sides: Part,
    functions: Part,
}

/// So many of so many.
#[derive(Serialize)]
struct Part {
    covered: u64,
    total: u64,
}

impl From<Share> for Part {
    fn from(share: Share) -> Self {
        Part { covered: share.covered, total: share.total }
    }
}

/// What a test covers that no test with a lower number does.
#[derive(Serialize, Default, Clone, Copy, PartialEq, Eq, Debug)]
struct Credit {
    test: u64,
    lines: u64,
    sides: u64,
    functions: u64,
}

/// The report as JSON.
pub fn render(report: &Report, facts: &Facts<'_>, left_out: u64) -> String {
    let lost = facts.lost.iter().map(|(why, tests)| (why.as_str(), tests.len()));
    let files = report.files.iter().map(|file| File {
        name: &file.name,
        lines: file.line_share().into(),
        sides: file.side_share().into(),
        functions: file.function_share().into(),
    });
    let record = Record {
        schema: SCHEMA,
        how: facts.how,
        tests: facts.measured,
        left_out,
        lost: lost.collect(),
        complete: !facts.stopped,
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

fn credit(report: &Report) -> Vec<Credit> {
    let mut by_test: BTreeMap<u64, Credit> = BTreeMap::new();
    let mut give = |test: Option<u64>, to: fn(&mut Credit) -> &mut u64| {
        if let Some(test) = test {
            let credit = by_test.entry(test).or_insert(Credit { test, ..Credit::default() });
            *to(credit) += 1;
        }
    };
    for file in &report.files {
        for line in file.lines.values() {
            give(line.seen.first, |credit| &mut credit.lines);
            for side in line.branches.iter().flatten() {
                give(side.first, |credit| &mut credit.sides);
            }
        }
        for function in &file.functions {
            give(function.seen.first, |credit| &mut credit.functions);
        }
    }
    by_test.into_values().collect()
}
