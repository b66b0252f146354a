//! The columns of the table: their heads, and how they follow from the rows of `run.stats`.
//!
//! KLEE's versions differ in the columns they record. A column that a run does not have stays
//! empty; one that is not known here is printed by its own name.

use std::collections::BTreeMap;

use byway_klee_stats::run_stats::RecordedStats;
use byway_klee_stats::sqlite::SqlValue;

use super::table::StatCell;

/// A column of the table.
pub struct LegendColumn {
    /// Its head.
    pub head: &'static str,
    /// What the legend says of it.
    pub meaning: &'static str,
    /// The name of its value in a [`StatRecord`].
    pub key: &'static str,
}

const fn column(head: &'static str, key: &'static str, meaning: &'static str) -> LegendColumn {
    LegendColumn { head, meaning, key }
}

/// The columns in the order in which they are printed.
pub const LEGEND: &[LegendColumn] = &[
    column("Instrs", "Instructions", "instructions executed"),
    column("Time(s)", "WallTime", "time since the start"),
    column("ICov(%)", "ICov", "instructions of the program that were executed"),
    column("BCov(%)", "BCov", "sides of conditional branches that were taken"),
    column("ICount", "ICount", "instructions of the program"),
    column("TSolver(%)", "RelSolverTime", "share of the time in all layers of the solver"),
    column("ICovered", "CoveredInstructions", "instructions of the program that were executed"),
    column("IUncovered", "UncoveredInstructions", "those that were not"),
    column("Branches", "NumBranches", "conditional branches of the program"),
    column("FullBranches", "FullBranches", "those of which both sides were taken"),
    column("PartialBranches", "PartialBranches", "those of which one side was taken"),
    column("ExternalCalls", "ExternalCalls", "calls out of the program"),
    column("TUser(s)", "UserTime", "processor time in user mode"),
    column("TResolve(s)", "ResolveTime", "time for finding the objects of pointers"),
    column("TResolve(%)", "RelResolveTime", "its share of the time"),
    column("TCex(s)", "CexCacheTime", "time in the counterexample cache and behind it"),
    column("TCex(%)", "RelCexCacheTime", "its share of the time"),
    column("TQuery(s)", "QueryTime", "time in the SMT solver itself"),
    column("TSolver(s)", "SolverTime", "time in all layers of the solver"),
    column("States", "States", "states created"),
    column("ActiveStates", "NumStates", "live states"),
    column("MaxActiveStates", "MaxStates", "the most live states at a time"),
    column("AvgActiveStates", "AvgStates", "live states on average"),
    column("InhibitedForks", "InhibitedForks", "forks that a limit prevented"),
    column("Queries", "Queries", "queries to all layers of the solver"),
    column("SolverQueries", "SolverQueries", "queries to the SMT solver itself"),
    column("SolverQueryConstructs", "NumQueryConstructs", "their size in expressions"),
    column("AvgSolverQuerySize", "AvgQC", "their size on average"),
    column("QCacheMisses", "QueryCacheMisses", "queries that the query cache did not answer"),
    column("QCacheHits", "QueryCacheHits", "queries that it answered"),
    column("QCexCacheMisses", "QueryCexCacheMisses", "the same for the counterexample cache"),
    column("QCexCacheHits", "QueryCexCacheHits", "queries that it answered"),
    column("Allocations", "Allocations", "heap objects that the program allocated"),
    column("Mem(MiB)", "MallocUsage", "memory in use"),
    column("MaxMem(MiB)", "MaxMem", "the most memory in use"),
    column("AvgMem(MiB)", "AvgMem", "memory in use on average"),
    column("BrConditional", "BranchesConditional", "forks at conditional branches"),
    column("BrIndirect", "BranchesIndirect", "forks at jumps to computed labels"),
    column("BrSwitch", "BranchesSwitch", "forks at switches"),
    column("BrCall", "BranchesCall", "forks at calls of symbolic function pointers"),
    column("BrMemOp", "BranchesMemOp", "forks at accesses to symbolic addresses"),
    column("BrResolvePointer", "BranchesResolvePointer", "forks for the objects of a pointer"),
    column("BrAlloc", "BranchesAlloc", "forks at allocations of symbolic size"),
    column("BrRealloc", "BranchesRealloc", "the same for reallocations"),
    column("BrFree", "BranchesFree", "forks at frees of symbolic pointers"),
    column("BrGetVal", "BranchesGetVal", "forks where the program asks for a value"),
    column("TermExit", "TerminationExit", "states that reached the end of their path"),
    column("TermEarly", "TerminationEarly", "states that a limit or the user ended"),
    column("TermSolverErr", "TerminationSolverError", "states that the solver gave up on"),
    column("TermProgrErr", "TerminationProgramError", "states with a fault of the program"),
    column("TermUserErr", "TerminationUserError", "states with a wrong use of KLEE's functions"),
    column("TermExecErr", "TerminationExecutionError", "states at something unsupported"),
    column("TermEarlyAlgo", "TerminationEarlyAlgorithm", "states that the search itself ended"),
    column("TermEarlyUser", "TerminationEarlyUser", "states that the program ended silently"),
    column("TArrayHash(s)", "ArrayHashTime", "time for hashing arrays; -1: not measured"),
    column("TFork(s)", "ForkTime", "time for copying states"),
    column("TFork(%)", "RelForkTime", "its share of the time"),
    column("TUser(%)", "RelUserTime", "user time as a share of the time"),
];

/// Columns in microseconds, which are printed in seconds.
const TIMES: [&str; 7] =
    ["UserTime", "WallTime", "QueryTime", "SolverTime", "CexCacheTime", "ForkTime", "ResolveTime"];

const MEBIBYTE: f64 = 1024.0 * 1024.0;

/// The values of a run at one moment, by key.
pub type StatRecord = BTreeMap<String, StatCell>;

/// The values at the moment of a row, with those computed from it and from earlier rows.
/// Empty if there is no such row.
pub fn record(stats: &RecordedStats, row: usize) -> StatRecord {
    let Some(values) = stats.rows.get(row) else { return StatRecord::new() };
    let cells = values.iter().map(cell);
    let mut record: StatRecord = stats.columns.iter().cloned().zip(cells).collect();
    add_aggregates(&mut record, stats, row);
    scale(&mut record);
    add_coverage(&mut record);
    add_shares(&mut record);
    record
}

fn cell(value: &SqlValue) -> StatCell {
    match value {
        SqlValue::Null => StatCell::Missing,
        SqlValue::Integer(number) => StatCell::Integer(*number),
        SqlValue::Real(number) => StatCell::Real(*number),
        SqlValue::Text(text) => StatCell::Text(text.clone()),
        SqlValue::Blob(bytes) => StatCell::Text(String::from_utf8_lossy(bytes).into_owned()),
    }
}

/// The number of a column in a row.
pub fn number(stats: &RecordedStats, row: usize, column: &str) -> Option<f64> {
    let index = stats.columns.iter().position(|name| name == column)?;
    cell(stats.rows.get(row)?.get(index)?).number()
}

/// Maxima and averages over the rows so far.
fn add_aggregates(record: &mut StatRecord, stats: &RecordedStats, row: usize) {
    let mut add = |column: &str, max: &str, average: &str, unit: Option<f64>| {
        let numbers: Vec<f64> = (0..=row).filter_map(|row| number(stats, row, column)).collect();
        if numbers.is_empty() {
            return;
        }
        let largest = numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let mean = numbers.iter().sum::<f64>() / numbers.len() as f64;
        let largest = match unit {
            Some(unit) => StatCell::Real(largest / unit),
            None => StatCell::Integer(largest as i64),
        };
        record.insert(max.into(), largest);
        record.insert(average.into(), StatCell::Real(mean / unit.unwrap_or(1.0)));
    };
    add("MallocUsage", "MaxMem", "AvgMem", Some(MEBIBYTE));
    add("NumStates", "MaxStates", "AvgStates", None);
}

/// Times to seconds, bytes to mebibytes.
fn scale(record: &mut StatRecord) {
    let units = TIMES.iter().map(|key| (*key, 1e6)).chain([("MallocUsage", MEBIBYTE)]);
    for (key, unit) in units {
        if let Some(cell) = record.get_mut(key)
            && let Some(number) = cell.number()
        {
            *cell = StatCell::Real(number / unit);
        }
    }
}

fn add_coverage(record: &mut StatRecord) {
    let number = |key: &str| record.get(key).and_then(StatCell::number);
    let mut added = Vec::new();
    // Versions before 3.0 have only the one or the other.
    let queries = number("SolverQueries").or(number("NumQueries"));
    if let (Some(size), Some(queries)) = (number("NumQueryConstructs"), queries) {
        added.push(("AvgQC", StatCell::Integer((size / queries.max(1.0)) as i64)));
    }
    if let (Some(covered), Some(rest)) =
        (number("CoveredInstructions"), number("UncoveredInstructions"))
    {
        let all = covered + rest;
        added.push(("ICount", StatCell::Integer(all as i64)));
        added.push(("ICov", StatCell::Real(percentage(covered, all))));
    }
    if let (Some(full), Some(partial), Some(all)) =
        (number("FullBranches"), number("PartialBranches"), number("NumBranches"))
    {
        // A program without branches is covered as soon as it runs.
        let covered = if all == 0.0 { 100.0 } else { percentage(2.0 * full + partial, 2.0 * all) };
        added.push(("BCov", StatCell::Real(covered)));
    }
    record.extend(added.into_iter().map(|(key, cell)| (key.to_string(), cell)));
}

fn add_shares(record: &mut StatRecord) {
    let number = |key: &str| record.get(key).and_then(StatCell::number);
    let Some(all) = number("WallTime") else { return };
    let shares: Vec<(String, StatCell)> =
        ["SolverTime", "CexCacheTime", "ForkTime", "ResolveTime", "UserTime"]
            .into_iter()
            .filter_map(|key| {
                Some((format!("Rel{key}"), StatCell::Real(percentage(number(key)?, all))))
            })
            .collect();
    record.extend(shares);
}

/// Zero of nothing is zero.
fn percentage(part: f64, all: f64) -> f64 {
    if all == 0.0 { 0.0 } else { 100.0 * part / all }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stats(columns: &[&str], rows: &[&[i64]]) -> RecordedStats {
        let row = |row: &&[i64]| row.iter().map(|&number| SqlValue::Integer(number)).collect();
        RecordedStats {
            columns: columns.iter().map(|name| name.to_string()).collect(),
            rows: rows.iter().map(row).collect(),
        }
    }

    #[test]
    fn values_are_computed_from_the_last_row_and_those_before() {
        let columns = [
            "WallTime",
            "SolverTime",
            "NumStates",
            "MallocUsage",
            "CoveredInstructions",
            "UncoveredInstructions",
            "NumBranches",
            "FullBranches",
            "PartialBranches",
        ];
        let stats = stats(
            &columns,
            &[
                &[0, 0, 5, 3 << 20, 0, 8, 4, 0, 0],
                &[2_000_000, 500_000, 1, 1 << 20, 2, 6, 4, 1, 1],
                &[9_000_000, 0, 99, 99 << 20, 8, 0, 4, 4, 0],
            ],
        );
        let record = record(&stats, 1);
        for (key, expected) in [
            ("WallTime", StatCell::Real(2.0)),
            ("RelSolverTime", StatCell::Real(25.0)),
            ("NumStates", StatCell::Integer(1)),
            ("MaxStates", StatCell::Integer(5)),
            ("AvgStates", StatCell::Real(3.0)),
            ("MaxMem", StatCell::Real(3.0)),
            ("ICount", StatCell::Integer(8)),
            ("ICov", StatCell::Real(25.0)),
            ("BCov", StatCell::Real(37.5)),
        ] {
            assert_eq!(record.get(key), Some(&expected), "{key}");
        }
        assert_eq!(record.get("QueryTime"), None, "not recorded");
    }

    #[test]
    fn nothing_is_divided_by_zero() {
        let columns = [
            "WallTime",
            "SolverTime",
            "CoveredInstructions",
            "UncoveredInstructions",
            "NumBranches",
            "FullBranches",
            "PartialBranches",
        ];
        let record = record(&stats(&columns, &[&[0; 7]]), 0);
        for (key, expected) in [("RelSolverTime", 0.0), ("ICov", 0.0), ("BCov", 100.0)] {
            assert_eq!(record.get(key), Some(&StatCell::Real(expected)), "{key}");
        }
        assert!(super::record(&RecordedStats::default(), 0).is_empty());
    }

    #[test]
    fn heads_and_keys_are_unique() {
        for (index, column) in LEGEND.iter().enumerate() {
            let rest = &LEGEND[index + 1..];
            assert!(rest.iter().all(|it| it.head != column.head && it.key != column.key));
        }
    }
}
