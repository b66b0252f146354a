//! What a comparison came to, and the sums of many.

use std::collections::BTreeMap;

/// What the comparison of one program came to.
#[derive(Clone, Debug)]
pub enum CheckVerdict {
    /// Byway and the native run agree.
    Agree,
    /// They do not.
    Mismatch {
        /// In what they differ.
        difference: String,
        /// A command that shows it.
        reproduce: String,
    },
    /// Byway could not run it; the reason.
    Skipped(String),
    /// It is no test: the compiler refuses it or it fails natively; the reason.
    NotApplicable(String),
}

/// The sums of a suite.
#[derive(Default)]
pub struct SuiteTally {
    /// How many were compared and agree.
    pub agree: usize,
    /// Names, differences and commands of those that do not.
    pub mismatches: Vec<(String, String, String)>,
    /// Names of those skipped, by reason.
    pub skipped: BTreeMap<String, Vec<String>>,
    /// Names of those that are no tests, by reason.
    pub not_applicable: BTreeMap<String, Vec<String>>,
}

impl SuiteTally {
    /// Counts one more.
    pub fn add(&mut self, name: &str, verdict: CheckVerdict) {
        let by_reason = match verdict {
            CheckVerdict::Agree => {
                self.agree += 1;
                return;
            }
            CheckVerdict::Mismatch { difference, reproduce } => {
                self.mismatches.push((name.to_owned(), difference, reproduce));
                return;
            }
            CheckVerdict::Skipped(reason) => self.skipped.entry(reason),
            CheckVerdict::NotApplicable(reason) => self.not_applicable.entry(reason),
        };
        by_reason.or_default().push(name.to_owned());
    }

    /// What differs, each with the command that shows it, for a report.
    pub fn differences(&self) -> String {
        let told = |(name, difference, reproduce): &(String, String, String)| {
            format!("\n{name}: {difference}\n    {reproduce}\n")
        };
        self.mismatches.iter().map(told).collect()
    }

    /// How many are skipped.
    pub fn skipped(&self) -> usize {
        self.skipped.values().map(Vec::len).sum()
    }

    /// How many are no tests.
    pub fn not_applicable(&self) -> usize {
        self.not_applicable.values().map(Vec::len).sum()
    }

    /// How many are tests, whatever came of them.
    pub fn applicable(&self) -> usize {
        self.agree + self.mismatches.len() + self.skipped()
    }

    /// The share of tests skipped, in per cent.
    pub fn skipped_percent(&self) -> f64 {
        100.0 * self.skipped() as f64 / self.applicable().max(1) as f64
    }
}

/// The table of all suites, and the reasons, as Markdown.
pub fn table(suites: &[(String, SuiteTally)]) -> String {
    let heads = ["suite", "programs", "agree", "mismatch", "skipped", "skipped %", "no test"];
    let mut rows = vec![heads.map(str::to_owned), ["---"; 7].map(str::to_owned)];
    rows.extend(suites.iter().map(|(name, tally)| cells(name, tally)));
    let mut out: String = rows.iter().map(|row| format!("| {} |\n", row.join(" | "))).collect();
    for (name, tally) in suites {
        reasons(&mut out, name, "skipped", &tally.skipped);
        reasons(&mut out, name, "no test", &tally.not_applicable);
    }
    out
}

fn cells(name: &str, tally: &SuiteTally) -> [String; 7] {
    [
        name.to_owned(),
        tally.applicable().to_string(),
        tally.agree.to_string(),
        tally.mismatches.len().to_string(),
        tally.skipped().to_string(),
        format!("{:.1}", tally.skipped_percent()),
        tally.not_applicable().to_string(),
    ]
}

/// How many names a reason lists before it only counts.
const NAMES_LISTED: usize = 12;

fn reasons(out: &mut String, suite: &str, what: &str, reasons: &BTreeMap<String, Vec<String>>) {
    if reasons.is_empty() {
        return;
    }
    out.push_str(&format!("\n{suite}, {what}:\n\n"));
    for (reason, names) in reasons {
        let listed = names.iter().take(NAMES_LISTED).cloned().collect::<Vec<_>>().join(", ");
        let more = match names.len().saturating_sub(NAMES_LISTED) {
            0 => String::new(),
            n => format!(" and {n} more"),
        };
        out.push_str(&format!("- {} × {reason}: {listed}{more}\n", names.len()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_that_are_no_tests_do_not_count_as_skipped() {
        let mut tally = SuiteTally::default();
        tally.add("a", CheckVerdict::Agree);
        tally.add("b", CheckVerdict::Skipped("why".to_owned()));
        tally.add("c", CheckVerdict::NotApplicable("not C".to_owned()));
        tally.add("d", CheckVerdict::NotApplicable("not C".to_owned()));
        assert_eq!(tally.applicable(), 2);
        assert_eq!(tally.skipped_percent(), 50.0);
        let table = table(&[("s".to_owned(), tally)]);
        assert!(table.contains("| s | 2 | 1 | 0 | 1 | 50.0 | 2 |"), "{table}");
        assert!(table.contains("- 2 × not C: c, d"), "{table}");
    }
}
