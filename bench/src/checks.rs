//! Suites of checks: each compares Byway with a native run, and their verdicts are counted.

use std::collections::BTreeMap;
use std::convert::Infallible;

use byway_progress::{JobEvent, JobProgress, ProgressMode, run_jobs};

/// One check of a suite.
pub struct CheckCase<'a> {
    /// Its name in tables and for `--filter`.
    pub name: String,
    pub check: Box<dyn Fn() -> CheckVerdict + Send + Sync + 'a>,
}

/// The result of one check.
#[derive(Clone, Debug)]
pub enum CheckVerdict {
    /// Byway and the native run agree.
    Agree,
    /// They differ.
    Mismatch {
        difference: String,
        /// A command that shows the difference.
        reproduce: String,
    },
    /// Byway could not run the program; the reason.
    Skipped(String),
    /// The program is not a test: the compiler refuses it, or it fails natively; the reason.
    NotApplicable(String),
}

/// Runs all checks on `jobs` threads and counts their verdicts, in the order of the cases.
pub fn run_checks(suite: &str, cases: &[CheckCase], jobs: usize) -> SuiteTally {
    let mut progress = JobProgress::new(ProgressMode::for_stderr(), suite, cases.len());
    let mut verdicts: Vec<Option<CheckVerdict>> = cases.iter().map(|_| None).collect();
    let mut mismatches = 0;
    let start = |()| |index: usize| Ok::<_, Infallible>((cases[index].check)());
    let Ok(()) = run_jobs(vec![(); jobs.max(1)], cases.len(), &|| false, start, |event| {
        let JobEvent::Finished(index, verdict) = event else { return };
        if let CheckVerdict::Mismatch { difference, .. } = &verdict {
            mismatches += 1;
            progress.print(&format!("mismatch: {suite} {}: {difference}", cases[index].name));
        }
        progress.finished(|| format!("{mismatches} mismatches"));
        verdicts[index] = Some(verdict);
    });
    let mut tally = SuiteTally::default();
    for (case, verdict) in cases.iter().zip(verdicts) {
        verdict.into_iter().for_each(|verdict| tally.add(&case.name, verdict));
    }
    tally
}

/// The verdicts of a suite.
#[derive(Default)]
pub struct SuiteTally {
    /// Checks that agree.
    pub agree: usize,
    /// Name, difference and command of each that differs.
    pub mismatches: Vec<(String, String, String)>,
    /// Names of the skipped checks, by reason.
    pub skipped: BTreeMap<String, Vec<String>>,
    /// Names of programs that are not tests, by reason.
    pub not_applicable: BTreeMap<String, Vec<String>>,
}

impl SuiteTally {
    /// Counts a verdict.
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

    /// The mismatches for a report, each with the command that shows it.
    pub fn differences(&self) -> String {
        let line = |(name, difference, reproduce): &(String, String, String)| {
            format!("\n{name}: {difference}\n    {reproduce}\n")
        };
        self.mismatches.iter().map(line).collect()
    }

    /// Number of skipped checks.
    pub fn skipped(&self) -> usize {
        self.skipped.values().map(Vec::len).sum()
    }

    /// Number of programs that are not tests.
    pub fn not_applicable(&self) -> usize {
        self.not_applicable.values().map(Vec::len).sum()
    }

    /// Number of checks, whatever their verdict.
    pub fn applicable(&self) -> usize {
        self.agree + self.mismatches.len() + self.skipped()
    }

    /// Skipped checks in percent of all.
    pub fn skipped_percent(&self) -> f64 {
        100.0 * self.skipped() as f64 / self.applicable().max(1) as f64
    }
}

/// All suites as a Markdown table, and the reasons for skipping. `./dev test` sums the columns
/// `agree` and `mismatch`.
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

/// Names that a reason lists; further ones are counted.
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
    fn programs_that_are_not_tests_do_not_count_as_skipped() {
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

    #[test]
    fn verdicts_are_counted_in_the_order_of_the_cases() {
        let case = |number: usize| CheckCase {
            name: number.to_string(),
            check: Box::new(move || match number % 2 {
                0 => CheckVerdict::Agree,
                _ => CheckVerdict::Skipped("odd".to_owned()),
            }),
        };
        let cases: Vec<CheckCase> = (0..20).map(case).collect();
        let tally = run_checks("suite", &cases, 4);
        let odd: Vec<String> = (0..20).filter(|n| n % 2 == 1).map(|n| n.to_string()).collect();
        assert_eq!((tally.agree, &tally.skipped["odd"]), (10, &odd));
    }
}
