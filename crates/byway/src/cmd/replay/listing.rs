//! The verdicts for other programs: one line of JSON per test.

use byway_rundir::OutcomeRecord;
use serde_json::{Value, json};

use super::verdict::{Expected, SanitizerCoverage, Verdict};
use crate::native_run::RunTest;

/// The lines in the order of the tests.
pub fn lines(tests: &[RunTest], verdicts: &[Option<Verdict>]) -> String {
    let line = |(test, verdict): (&RunTest, &Option<Verdict>)| {
        let mut line = verdict_json(verdict.as_ref());
        line["test"] = test.number.into();
        if let Some(OutcomeRecord::Fault { id, .. }) = test.outcome {
            line["fault"] = id.into();
        }
        let coverage = SanitizerCoverage { addresses: false, behaviour: false };
        line["predicted"] = Expected::new(test, coverage).to_string().into();
        format!("{line}\n")
    };
    tests.iter().zip(verdicts).map(line).collect()
}

fn verdict_json(verdict: Option<&Verdict>) -> Value {
    match verdict {
        None => json!({"verdict": "not-run"}),
        Some(Verdict::Agrees) => json!({"verdict": "agrees"}),
        Some(Verdict::NoPrediction) => json!({"verdict": "no-prediction"}),
        Some(Verdict::Diverges { happened, .. }) => {
            json!({"verdict": "diverges", "happened": happened})
        }
        Some(Verdict::AgreesExactly { elsewhere, .. }) => {
            json!({"verdict": "agrees-exactly", "happened": elsewhere})
        }
        Some(Verdict::TimedOut { .. }) => json!({"verdict": "timed-out"}),
        Some(Verdict::NotComparable { why, .. }) => {
            json!({"verdict": "not-comparable", "why": why})
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_test_has_a_line() {
        let test = |number, code| RunTest {
            number,
            name: String::new(),
            outcome: Some(OutcomeRecord::Exit { code }),
            in_library: false,
            instructions: None,
        };
        let diverges = Verdict::Diverges { predicted: "p".into(), happened: "h".into() };
        let lines = lines(&[test(3, 0), test(4, 1)], &[Some(diverges), None]);
        assert_eq!(
            lines,
            "{\"happened\":\"h\",\"predicted\":\"exit code 0\",\"test\":3,\"verdict\":\"diverges\"}\n\
             {\"predicted\":\"exit code 1\",\"test\":4,\"verdict\":\"not-run\"}\n"
        );
    }
}
