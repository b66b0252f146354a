//! Reports how seeds were used.

use std::collections::BTreeMap;

use byway_rundir::SeedCounts;

use crate::console::Style;
use crate::report::snippet::visible;
use crate::seeds::RejectedSeed;
use byway_base::quantity::{grouped, plural};

/// The number of rejected seeds that are listed one by one.
const LISTED: usize = 50;

/// The rejected seeds, one per line.
pub fn render_rejected(refused: &[RejectedSeed], style: Style) -> String {
    let head = style.warning("byway: warning");
    let line = |it: &RejectedSeed| {
        let (label, why) = (visible(&it.label), visible(it.why.reason()));
        format!("{head}: seed '{label}' is not used: {why}\n")
    };
    let mut text: String = refused.iter().take(LISTED).map(line).collect();
    if let Some(more @ 1..) = refused.len().checked_sub(LISTED) {
        text += &format!("{head}: {} more seeds are not used\n", grouped(more as u64));
    }
    text
}

/// The row of the summary.
pub fn row(seeds: &SeedCounts) -> String {
    let mut parts = vec![format!(
        "{}: {} completed on {}",
        grouped(seeds.taken),
        grouped(seeds.ended),
        plural(seeds.paths, "path")
    )];
    let left: u64 = seeds.left.values().sum();
    let others = [
        (left, "abandoned"),
        (seeds.unmatched, "with bytes for no input"),
        (seeds.resized, "padded or truncated"),
        (seeds.doubles, "duplicate"),
    ];
    let counted = others.into_iter().filter(|(count, _)| *count > 0);
    parts.extend(counted.map(|(count, what)| format!("{} {what}", grouped(count))));
    parts.join(", ")
}

/// The reasons for unused or abandoned seeds, one per line.
pub fn reasons(seeds: &SeedCounts) -> String {
    let lines = |counts: &BTreeMap<String, u64>, how: &str| -> String {
        let line = |(why, &count): (&String, &u64)| {
            format!("    {} {how}: {}\n", grouped(count), visible(why))
        };
        counts.iter().map(line).collect()
    };
    lines(&seeds.left, "abandoned") + &lines(&seeds.unused, "not used")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seeds::SeedProblem;

    #[test]
    fn the_row_counts_each_fate_of_a_seed() {
        let mut seeds = SeedCounts { taken: 1200, ended: 1200, paths: 1, ..Default::default() };
        assert_eq!(row(&seeds), "1,200: 1,200 completed on 1 path");
        assert_eq!(reasons(&seeds), "");
        seeds.ended = 1198;
        seeds.left = [("a limit was reached".into(), 2)].into();
        seeds.unused = [("it cannot be read".into(), 3)].into();
        (seeds.resized, seeds.doubles, seeds.unmatched) = (4, 5, 6);
        let expected = "1,200: 1,198 completed on 1 path, 2 abandoned, 6 with bytes for no input, \
                        4 padded or truncated, 5 duplicate";
        assert_eq!(row(&seeds), expected);
        let expected = "    2 abandoned: a limit was reached\n    3 not used: it cannot be read\n";
        assert_eq!(reasons(&seeds), expected);
    }

    #[test]
    fn a_long_list_of_rejected_seeds_is_truncated() {
        let bad = RejectedSeed { label: "a".into(), why: SeedProblem::Misfit("no".into()) };
        let text = render_rejected(&vec![bad; 53], Style::new(false));
        assert!(text.starts_with("byway: warning: seed 'a' is not used: no\n"), "{text}");
        assert!(text.ends_with("byway: warning: 3 more seeds are not used\n"), "{text}");
        assert_eq!(text.lines().count(), 51);
    }
}
