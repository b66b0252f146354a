//! The searchers' shares of a run's work: a table of time slices by members.

use byway_rundir::{SharesRecord, SliceRecord};

use crate::report::snippet::visible;
use byway_base::quantity::grouped;

/// A table for each portfolio of searchers; if there are several, under its name.
pub fn tables(all: &[SharesRecord]) -> String {
    let named = |shares: &SharesRecord| match all.len() {
        1 => table(shares),
        _ => format!("    {}:\n{}", visible(&shares.search), table(shares)),
    };
    all.iter().map(named).collect()
}

/// A table: each member's share of every slice, and after a plus its new coverage.
fn table(shares: &SharesRecord) -> String {
    let mut rows = vec![heading(shares)];
    for (slice, number) in shares.slices.iter().zip(0..) {
        // An empty table: other searchers did all of the work.
        if slice.work.iter().any(|&work| work > 0) {
            rows.push(row(format!("from {}", grouped(shares.width * number)), slice));
        }
    }
    if shares.slices.len() > 1 {
        rows.push(row("in all".into(), &sum(shares)));
    }
    let columns = shares.members.len() + 1;
    let width = |column: usize| {
        rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max()
    };
    let widths: Vec<usize> = (0..columns).map(|column| width(column).unwrap_or(0)).collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).enumerate();
        let padded = cells.map(|(column, (cell, width))| match column {
            0 => format!("{cell:<width$}"),
            _ => format!("{cell:>width$}"),
        });
        format!("    {}\n", padded.collect::<Vec<_>>().join("  ").trim_end())
    };
    rows.iter().map(line).collect()
}

fn heading(shares: &SharesRecord) -> Vec<String> {
    let members = shares.members.iter().map(|member| visible(member).to_string());
    std::iter::once("work".to_string()).chain(members).collect()
}

fn row(label: String, slice: &SliceRecord) -> Vec<String> {
    let all: u64 = slice.work.iter().sum();
    let cell = |(&work, &gained): (&u64, &u64)| {
        let percent = (work * 100 + all / 2).checked_div(all).unwrap_or(0);
        let gained = if gained == 0 { String::new() } else { format!(" +{}", grouped(gained)) };
        format!("{percent} %{gained}")
    };
    std::iter::once(label).chain(slice.work.iter().zip(&slice.gained).map(cell)).collect()
}

fn sum(shares: &SharesRecord) -> SliceRecord {
    let column = |of: fn(&SliceRecord) -> &Vec<u64>, member: usize| {
        shares.slices.iter().filter_map(|slice| of(slice).get(member)).sum()
    };
    let members = 0..shares.members.len();
    SliceRecord {
        work: members.clone().map(|member| column(|slice| &slice.work, member)).collect(),
        gained: members.map(|member| column(|slice| &slice.gained, member)).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_for_each_slice_and_their_sum() {
        let slice = |work: [u64; 2], gained: [u64; 2]| SliceRecord {
            work: work.to_vec(),
            gained: gained.to_vec(),
        };
        let shares = SharesRecord {
            search: "portfolio(dfs, random-path)".into(),
            members: vec!["dfs".into(), "random-path".into()],
            width: 10_000,
            slices: vec![slice([5_000, 5_000], [1, 1_200]), slice([999, 9_001], [0, 7])],
        };
        let expected = [
            "    work             dfs  random-path",
            "    from 0       50 % +1  50 % +1,200",
            "    from 10,000     10 %      90 % +7",
            "    in all       30 % +1  70 % +1,207",
            "",
        ];
        assert_eq!(table(&shares), expected.join("\n"));
        // Two tables have headings.
        let both = tables(&[shares.clone(), shares.clone()]);
        let named = format!("    portfolio(dfs, random-path):\n{}", table(&shares));
        assert_eq!(both, named.repeat(2));
        // No work.
        let shares = SharesRecord { slices: vec![slice([0, 0], [0, 0])], ..shares };
        assert_eq!(table(&shares), "    work  dfs  random-path\n");
    }
}
