//! The verdict about a warning.
//!
//! | line | the fault it claims | verdict |
//! |---|---|---|
//! | reached | found there | confirmed |
//! | reached | excluded: every path was explored | false positive |
//! | reached | not found so far | undecided |
//! | reached | none that Byway checks | reached |
//! | unreachable | | false positive |
//! | undecided | | undecided |

use std::fmt;

use serde::Serialize;

/// What is known about a point to reach: a line, or a fault at a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reachability {
    /// A test gets there.
    Reached,
    /// No input gets there; the reason.
    Unreachable(String),
    /// What ended the search, or what it lost.
    Undecided(String),
}

impl Reachability {
    /// The word of `byway reach`.
    pub fn name(&self) -> &'static str {
        match self {
            Reachability::Reached => "reached",
            Reachability::Unreachable(_) => "unreachable",
            Reachability::Undecided(_) => "undecided",
        }
    }
}

/// The verdict about a warning.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum TriageVerdict {
    /// The fault happens; there is a test.
    Confirmed,
    /// The line is reached, and Byway has no check for what the warning claims.
    Reached,
    /// Neither shown nor excluded.
    Undecided,
    /// It cannot happen within the input explored.
    FalsePositive,
}

impl TriageVerdict {
    /// All of them, the most important first.
    pub const ALL: [TriageVerdict; 4] = [
        TriageVerdict::Confirmed,
        TriageVerdict::Reached,
        TriageVerdict::Undecided,
        TriageVerdict::FalsePositive,
    ];
}

impl fmt::Display for TriageVerdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            TriageVerdict::Confirmed => "confirmed",
            TriageVerdict::Reached => "reached",
            TriageVerdict::Undecided => "undecided",
            TriageVerdict::FalsePositive => "false positive",
        })
    }
}

/// The verdict and its reason. `fault` is what is known about the fault that the warning claims;
/// `None` if Byway has no check for it.
pub fn decide(line: &Reachability, fault: Option<&Reachability>) -> (TriageVerdict, String) {
    match (line, fault) {
        (_, Some(Reachability::Reached)) => {
            (TriageVerdict::Confirmed, "a test shows the fault".to_owned())
        }
        (Reachability::Unreachable(why), _) => {
            (TriageVerdict::FalsePositive, format!("no input reaches the line: {why}"))
        }
        (Reachability::Undecided(why), _) => {
            (TriageVerdict::Undecided, format!("the line was not reached: {why}"))
        }
        (Reachability::Reached, None) => (
            TriageVerdict::Reached,
            "a test reaches the line; Byway has no check for this rule".to_owned(),
        ),
        (Reachability::Reached, Some(Reachability::Unreachable(why))) => (
            TriageVerdict::FalsePositive,
            format!("the line is reached, but never with this fault: {why}"),
        ),
        (Reachability::Reached, Some(Reachability::Undecided(why))) => (
            TriageVerdict::Undecided,
            format!("the line is reached, so far without this fault: {why}"),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_counts_more_than_its_line() {
        use Reachability::Reached;
        let (unreachable, undecided) =
            (Reachability::Unreachable("x".into()), Reachability::Undecided("y".into()));
        for (line, fault, expected) in [
            (&Reached, Some(&Reached), TriageVerdict::Confirmed),
            (&Reached, Some(&unreachable), TriageVerdict::FalsePositive),
            (&Reached, Some(&undecided), TriageVerdict::Undecided),
            (&Reached, None, TriageVerdict::Reached),
            (&unreachable, Some(&unreachable), TriageVerdict::FalsePositive),
            (&unreachable, None, TriageVerdict::FalsePositive),
            (&undecided, Some(&undecided), TriageVerdict::Undecided),
            (&undecided, None, TriageVerdict::Undecided),
        ] {
            assert_eq!(decide(line, fault).0, expected, "{line:?} {fault:?}");
        }
    }
}
