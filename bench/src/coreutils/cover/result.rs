//! The stored result of one exploration.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The result of one exploration.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct CoverResult {
    /// Tests written.
    pub tests: u64,
    /// Paths that are not truncated.
    pub ended: u64,
    /// Truncated paths (`byway_rundir`).
    pub partial: u64,
    /// Whether every path was explored.
    pub complete: bool,
    /// Instructions executed.
    pub instructions: u64,
    /// Seconds of the processor.
    pub cpu_seconds: f64,
    /// Queries asked of the solver.
    pub queries: u64,
    /// Those that took a search.
    pub searched: u64,
    /// The solver's part of the time.
    pub solver_share: f64,
    /// The most memory, in bytes.
    pub memory: u64,
    /// Lines of the tool's own source, as gcov counts them.
    pub lines: CoverShare,
    /// Branch sides of it, likewise.
    pub branches: CoverShare,
    /// Tests that left no counters, by why.
    pub unmeasured: BTreeMap<String, u64>,
    /// The distinct faults.
    pub faults: Vec<ReportedFault>,
    /// The native behaviour of the tests.
    pub replayed: ReplayCounts,
}

/// Covered items of all items.
#[derive(Copy, Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct CoverShare {
    /// Covered.
    pub covered: u64,
    /// All.
    pub total: u64,
}

impl CoverShare {
    /// In percent; nothing is covered of nothing.
    pub fn percent(self) -> f64 {
        100.0 * self.covered as f64 / self.total.max(1) as f64
    }
}

/// A fault that was reported.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct ReportedFault {
    /// The kind and the place.
    pub what: String,
    /// Whether a test shows it natively.
    pub shown: bool,
    /// The actual behaviour of its tests, or the reason why they cannot show it.
    pub instead: Vec<String>,
}

/// Native behaviour of the tests.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct ReplayCounts {
    /// As predicted.
    pub agree: u64,
    /// As predicted with the C library that was explored, not with the machine's own: part of `agree`.
    pub elsewhere: u64,
    /// Nothing was predicted, because the path was cut off.
    pub unpredicted: u64,
    /// Tests that a native run cannot confirm, by reason.
    pub incomparable: BTreeMap<String, u64>,
    /// Something else.
    pub diverged: Vec<ReplayDivergence>,
}

/// A test that did something else than predicted.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct ReplayDivergence {
    /// Its number.
    pub test: u64,
    /// The predicted behaviour.
    pub predicted: String,
    /// The actual behaviour.
    pub happened: String,
}

impl ReplayDivergence {
    /// The kind of difference, by which divergences are grouped.
    pub fn reason(&self) -> String {
        let happened = self.happened.as_str();
        let between = |a: &str, b: &str| Some(happened.strip_prefix(a)?.split_once(b)?.0);
        if let Some(stream) = between("standard ", " from byte ") {
            return format!("other bytes on standard {stream}");
        }
        if happened.starts_with("exit code ") {
            return match happened.split_once(", but ") {
                Some(_) => "inputs that it did not ask for".to_owned(),
                None => format!("{happened}, not {}", kind(&self.predicted)),
            };
        }
        format!("{}, not {}", kind(happened), kind(&self.predicted))
    }
}

/// A prediction or an ending without its location and details.
fn kind(words: &str) -> &str {
    let end = [" at ", ": ", " (", " '"].iter().filter_map(|sign| words.find(sign)).min();
    &words[..end.unwrap_or(words.len())]
}

/// A fault by its number, and whether a test shows it, or the actual behaviour of that test.
pub type FaultShown = (u64, Result<(), String>);

impl ReplayCounts {
    /// Adds a line of `byway replay --verdicts`; returns the fault it is about, if any.
    pub fn add(&mut self, line: &str) -> Result<Option<FaultShown>, String> {
        let line: serde_json::Value = serde_json::from_str(line).map_err(|e| e.to_string())?;
        let text = |name: &str| line[name].as_str().unwrap_or_default().to_owned();
        let shown = match line["verdict"].as_str().unwrap_or_default() {
            "agrees" => {
                self.agree += 1;
                Ok(())
            }
            "agrees-exactly" => {
                self.agree += 1;
                self.elsewhere += 1;
                Err(text("happened"))
            }
            "no-prediction" => {
                self.unpredicted += 1;
                Err("nothing was predicted".to_owned())
            }
            "not-comparable" => {
                *self.incomparable.entry(text("why")).or_default() += 1;
                Err(text("why"))
            }
            "diverges" => {
                let test = line["test"].as_u64().unwrap_or(0);
                let (predicted, happened) = (text("predicted"), text("happened"));
                self.diverged.push(ReplayDivergence {
                    test,
                    predicted,
                    happened: happened.clone(),
                });
                Err(happened)
            }
            other => return Err(format!("a verdict `{other}`")),
        };
        Ok(line["fault"].as_u64().map(|fault| (fault, shown)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_are_counted_and_faults_known_by_number() {
        let mut replayed = ReplayCounts::default();
        for line in [
            r#"{"test":1,"predicted":"exit code 0","verdict":"agrees"}"#,
            r#"{"test":2,"predicted":"exit code 0","verdict":"agrees-exactly","happened":"h"}"#,
            r#"{"test":3,"predicted":"out-of-budget","verdict":"no-prediction"}"#,
            r#"{"test":4,"predicted":"exit code 0","verdict":"not-comparable","why":"w"}"#,
        ] {
            assert_eq!(replayed.add(line), Ok(None));
        }
        let fault = r#"{"test":5,"fault":7,"predicted":"abort at a.c:1","verdict":"agrees"}"#;
        assert_eq!(replayed.add(fault), Ok(Some((7, Ok(())))));
        let false_alarm = r#"{"test":6,"fault":8,"predicted":"abort","verdict":"diverges","happened":"exit code 0"}"#;
        assert_eq!(replayed.add(false_alarm), Ok(Some((8, Err("exit code 0".to_owned())))));
        assert_eq!((replayed.agree, replayed.elsewhere, replayed.unpredicted), (3, 1, 1));
        assert_eq!(replayed.incomparable, [("w".to_owned(), 1)].into());
        assert_eq!(replayed.diverged[0].test, 6);
        assert!(replayed.add(r#"{"test":7,"verdict":"not-run"}"#).is_err());
        assert!(replayed.add("{").is_err());
    }

    #[test]
    fn like_differences_have_the_same_reason() {
        let reason = |predicted: &str, happened: &str| {
            let (predicted, happened) = (predicted.to_owned(), happened.to_owned());
            ReplayDivergence { test: 1, predicted, happened }.reason()
        };
        let output = r#"standard output from byte 5 on is "yz", not "x""#;
        assert_eq!(reason("exit code 0", output), "other bytes on standard output");
        assert_eq!(reason("exit code 0", "exit code 1"), "exit code 1, not exit code 0");
        assert_eq!(reason("abort at a.c:7", "exit code 0"), "exit code 0, not abort");
        assert_eq!(
            reason("exit code 0", "heap-buffer-overflow at a.c:3"),
            "heap-buffer-overflow, not exit code 0"
        );
        assert_eq!(
            reason("exit code 0", "exit code 0, but it did not read 2 of the test's inputs"),
            "inputs that it did not ask for"
        );
    }
}
