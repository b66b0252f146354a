//! The verdicts for people: a table, the most important first.

use std::path::Path;

use byway_base::quantity::plural;

use super::record::TriagedFinding;
use super::verdict::TriageVerdict;
use crate::console::Style;

/// The table, a line that counts, and where the report with verdicts is.
pub fn render(triaged: &[TriagedFinding], output: &Path, style: Style) -> String {
    let line = |it: &TriagedFinding| it.line.clone().unwrap_or_else(|| "no line".to_owned());
    let widest = |text: &dyn Fn(&TriagedFinding) -> usize| triaged.iter().map(text).max();
    let place_width = widest(&|it| line(it).chars().count()).unwrap_or(0);
    let rule_width = widest(&|it| it.rule.chars().count()).unwrap_or(0);
    let mut out = String::new();
    for verdict in TriageVerdict::ALL {
        for it in triaged.iter().filter(|it| it.verdict == verdict) {
            let (place, rule) = (line(it), it.rule);
            let head = paint(verdict, format!("{verdict:<14}"), style);
            out +=
                &format!("{head}  {place:<place_width$}  {rule:<rule_width$}  {}\n", details(it));
        }
    }
    let counts = TriageVerdict::ALL.into_iter().filter_map(|verdict| {
        let count = triaged.iter().filter(|it| it.verdict == verdict).count();
        (count > 0).then(|| format!("{count} {verdict}"))
    });
    let warnings = plural(triaged.len() as u64, "warning");
    out += &format!("{warnings}: {}\n", counts.collect::<Vec<_>>().join(", "));
    out + &format!("report with verdicts: {}\n", output.display())
}

fn paint(verdict: TriageVerdict, text: String, style: Style) -> String {
    match verdict {
        TriageVerdict::Confirmed => style.error(text),
        TriageVerdict::Reached | TriageVerdict::Undecided => style.warning(text),
        TriageVerdict::FalsePositive => style.note(text),
    }
}

fn details(it: &TriagedFinding) -> String {
    let mut details = match (it.verdict, &it.test) {
        (TriageVerdict::Confirmed | TriageVerdict::Reached, Some(test)) => {
            let natively = match it.confirmed {
                Some(true) => "confirmed natively: ",
                Some(false) => "not confirmed natively: ",
                None => "",
            };
            format!("{natively}byway show {test}")
        }
        _ => it.reason.clone(),
    };
    if it.verdict == TriageVerdict::Undecided && it.steps > 0 {
        details += &format!("; {} of {} steps reached", it.steps_reached, it.steps);
    }
    details
}
