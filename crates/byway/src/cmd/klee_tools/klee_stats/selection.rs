//! Which columns are printed, in which order of rows, and their total.

use std::cmp::Ordering;

use super::columns::{LEGEND, StatRecord};
use super::flags::KleeStatsFlags;
use super::table::{StatCell, StatColumn};
use crate::failure::{Failure, Result};

const PATH: &str = "Path";

const DEFAULT: &[&str] = &["Instructions", "WallTime", "ICov", "BCov", "ICount", "RelSolverTime"];
const MORE: &[&str] = &[
    "Instructions",
    "WallTime",
    "ICov",
    "BCov",
    "ICount",
    "RelSolverTime",
    "NumStates",
    "MaxStates",
    "MallocUsage",
    "MaxMem",
];
const RELATIVE_TIMES: &[&str] = &[
    "WallTime",
    "RelUserTime",
    "RelSolverTime",
    "RelCexCacheTime",
    "RelForkTime",
    "RelResolveTime",
];
const ABSOLUTE_TIMES: &[&str] =
    &["WallTime", "UserTime", "SolverTime", "CexCacheTime", "ForkTime", "ResolveTime"];

/// The columns to print, with a row for each run.
pub fn columns(
    names: &[String],
    records: Vec<StatRecord>,
    flags: &KleeStatsFlags,
) -> Result<Vec<StatColumn>> {
    let keys: Option<&[&str]> = match () {
        () if flags.print_all || flags.print_columns.is_some() => None,
        () if flags.print_rel_times => Some(RELATIVE_TIMES),
        () if flags.print_abs_times => Some(ABSOLUTE_TIMES),
        () if flags.print_more => Some(MORE),
        () => Some(DEFAULT),
    };
    let path = names.iter().map(|name| StatCell::Text(name.clone())).collect();
    let mut columns = vec![StatColumn { head: PATH.into(), cells: path }];
    let in_legend = LEGEND.iter().map(|column| (column.head, column.key));
    let mut unknown: Vec<&str> =
        records.iter().flat_map(|record| record.keys()).map(String::as_str).collect();
    unknown.sort_unstable();
    unknown.dedup();
    unknown.retain(|key| LEGEND.iter().all(|column| column.key != *key));
    for (head, key) in in_legend.chain(unknown.iter().map(|key| (*key, *key))) {
        if keys.is_some_and(|keys| !keys.contains(&key)) {
            continue;
        }
        let cells: Vec<StatCell> = records
            .iter()
            .map(|record| record.get(key).cloned().unwrap_or(StatCell::Missing))
            .collect();
        // What no run has is left out, unless it was asked for.
        if keys.is_some() || cells.iter().any(|cell| *cell != StatCell::Missing) {
            columns.push(StatColumn { head: head.into(), cells });
        }
    }
    match &flags.print_columns {
        Some(heads) => select(columns, heads),
        None => Ok(columns),
    }
}

/// The columns with these heads, in this order.
fn select(columns: Vec<StatColumn>, heads: &str) -> Result<Vec<StatColumn>> {
    let heads: Vec<&str> =
        heads.split(',').map(str::trim).filter(|head| !head.is_empty()).collect();
    if heads.is_empty() {
        return Err(Failure::new("--print-columns names no column")
            .hint("for example --print-columns 'Path,Time(s),ICov(%)'"));
    }
    let missing: Vec<&str> =
        heads.iter().filter(|head| columns.iter().all(|it| it.head != **head)).copied().collect();
    if !missing.is_empty() {
        return Err(no_column(&missing.join(", "), &columns));
    }
    let column = |head: &str| {
        let column = columns.iter().find(|column| column.head == head);
        column.map(|it| StatColumn { head: it.head.clone(), cells: it.cells.clone() })
    };
    Ok(heads.iter().filter_map(|head| column(head)).collect())
}

fn no_column(name: &str, columns: &[StatColumn]) -> Failure {
    let heads: Vec<&str> = columns.iter().map(|column| column.head.as_str()).collect();
    Failure::new(format!("there is no column {name}"))
        .hint(format!("the columns are {}", heads.join(", ")))
}

/// Sorts the rows by the column that was asked for. `Time` also names `Time(s)`.
pub fn sort(columns: &mut [StatColumn], flags: &KleeStatsFlags) -> Result<()> {
    let Some(head) = &flags.sort_by else { return Ok(()) };
    let named =
        |column: &&StatColumn| column.head == *head || column.head.split('(').next() == Some(head);
    let key = columns.iter().find(named).ok_or_else(|| no_column(head, columns))?;
    let mut order: Vec<usize> = (0..key.cells.len()).collect();
    order.sort_by(|&one, &other| {
        let ascending = compare(&key.cells[one], &key.cells[other]);
        if flags.ascending { ascending } else { ascending.reverse() }
    });
    for column in columns {
        column.cells = order.iter().map(|&row| column.cells[row].clone()).collect();
    }
    Ok(())
}

/// Missing values are the smallest.
fn compare(one: &StatCell, other: &StatCell) -> Ordering {
    match (one, other) {
        (StatCell::Text(one), StatCell::Text(other)) => one.cmp(other),
        _ => {
            let number = |cell: &StatCell| cell.number().unwrap_or(f64::NEG_INFINITY);
            number(one).total_cmp(&number(other))
        }
    }
}

/// Adds a row with the total: of percentages and averages the mean, of maxima the largest.
pub fn add_total(columns: &mut [StatColumn]) {
    for column in columns {
        let total = match column.head.as_str() {
            PATH => StatCell::Text(format!("Total ({})", column.cells.len())),
            head => total(head, &column.cells),
        };
        column.cells.push(total);
    }
}

fn total(head: &str, cells: &[StatCell]) -> StatCell {
    let numbers: Vec<f64> = cells.iter().filter_map(StatCell::number).collect();
    if numbers.is_empty() {
        return StatCell::Missing;
    }
    let sum: f64 = numbers.iter().sum();
    if head.starts_with("Avg") || head.ends_with("(%)") {
        return StatCell::Real(sum / cells.len() as f64);
    }
    let total = match head.starts_with("Max") {
        true => numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        false => sum,
    };
    let whole = cells.iter().all(|cell| !matches!(cell, StatCell::Real(_)));
    if whole { StatCell::Integer(total as i64) } else { StatCell::Real(total) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn totals_depend_on_the_column() {
        let cells = [StatCell::Integer(2), StatCell::Missing, StatCell::Integer(4)];
        assert_eq!(total("Instrs", &cells), StatCell::Integer(6));
        assert_eq!(total("MaxActiveStates", &cells), StatCell::Integer(4));
        assert_eq!(total("ICov(%)", &cells), StatCell::Real(2.0));
        assert_eq!(
            total("Time(s)", &[StatCell::Real(0.5), StatCell::Real(1.0)]),
            StatCell::Real(1.5)
        );
        assert_eq!(total("Time(s)", &[StatCell::Missing]), StatCell::Missing);
    }
}
