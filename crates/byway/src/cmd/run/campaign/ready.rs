//! The table of ready campaigns: name, syntax, help text and runs of each.

use byway_base::spelling;
use byway_rundir::{CampaignRecord, PlannedRunRecord};

use super::repeat::{MAX_RUNS, repeated};
use crate::failure::{Failure, Result};

/// A campaign that `--campaign` can select by name.
struct ReadyCampaign {
    name: &'static str,
    form: &'static str,
    help: &'static str,
    /// The runs, for the argument behind the name and the seed of the command line.
    runs: fn(&str, u64) -> std::result::Result<Vec<PlannedRunRecord>, String>,
}

/// The subpath lengths that the paper combines.
const SUBPATH_LENGTHS: [u32; 4] = [1, 2, 4, 8];

static ENTRIES: &[ReadyCampaign] = &[
    ReadyCampaign {
        name: "sgs",
        form: "sgs:combined",
        help: "Four runs with --search sgs:1, sgs:2, sgs:4 and sgs:8, each a quarter of the limits.",
        runs: |argument, _| {
            let run = |length: u32| PlannedRunRecord {
                options: vec![format!("--search=sgs:{length}")],
                ..PlannedRunRecord::default()
            };
            match argument {
                "combined" => Ok(SUBPATH_LENGTHS.map(run).to_vec()),
                other => Err(format!("there is no 'sgs:{other}'")),
            }
        },
    },
    ReadyCampaign {
        name: "divide",
        form: "divide:N",
        help: "N equal runs that differ in the seed only, each with the searchers given.",
        runs: |argument, seed| {
            let count = argument.parse().ok().filter(|count| (1..=MAX_RUNS).contains(count));
            let count = count.ok_or_else(|| format!("N is a number from 1 to {MAX_RUNS}"))?;
            Ok(repeated(&PlannedRunRecord::default(), count, None, seed))
        },
    },
];

/// The ready campaign that a text names, if it is not the name of a file.
pub fn find(text: &str, seed: u64) -> Option<Result<CampaignRecord>> {
    let (name, argument) = text.split_once(':').unwrap_or((text, ""));
    let entry = ENTRIES.iter().find(|entry| entry.name == name)?;
    let runs = (entry.runs)(argument, seed).map_err(|why| {
        Failure::new(format!("--campaign {text}: {why}"))
            .hint(format!("the form is {}", entry.form))
    });
    Some(runs.map(|runs| CampaignRecord { name: text.into(), runs }))
}

/// The error for a text that names neither a ready campaign nor a file.
pub fn unknown(text: &str) -> Failure {
    let forms: Vec<&str> = ENTRIES.iter().map(|entry| entry.form).collect();
    let hint = match spelling::closest(text, forms.iter().copied()) {
        Some(meant) => format!("did you mean '{meant}'?"),
        None => format!("there are {}, and files whose name ends in .toml", forms.join(", ")),
    };
    Failure::new(format!("unknown campaign '{text}'")).hint(hint)
}

/// The help on ready campaigns.
pub fn help() -> String {
    let width = ENTRIES.iter().map(|entry| entry.form.len()).max().unwrap_or(0);
    let line = |entry: &ReadyCampaign| format!("  {:width$}  {}\n", entry.form, entry.help);
    ENTRIES.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(text: &str) -> Vec<String> {
        let plan = find(text, 5).expect("it is ready").expect("it is valid");
        plan.runs.iter().map(PlannedRunRecord::label).collect()
    }

    #[test]
    fn ready_campaigns_are_found_by_name() {
        let lengths = ["--search sgs:1", "--search sgs:2", "--search sgs:4", "--search sgs:8"];
        assert_eq!(labels("sgs:combined"), lengths);
        assert_eq!(labels("divide:3"), ["--seed 5", "--seed 6", "--seed 7"]);
        assert!(find("c.toml", 0).is_none());
    }

    #[test]
    fn mistakes_are_explained() {
        for (text, why) in [
            ("sgs", "there is no 'sgs:'\n  hint: the form is sgs:combined"),
            ("sgs:adaptive", "there is no 'sgs:adaptive'"),
            ("divide", "N is a number from 1 to 1000"),
            ("divide:0", "N is a number from 1 to 1000\n  hint: the form is divide:N"),
            ("divide:1001", "N is a number from 1 to 1000"),
        ] {
            let error = find(text, 0).expect("its name is known").expect_err("a mistake");
            assert!(error.to_string().contains(why), "{text}: {error}");
        }
        assert!(unknown("sgs-combined").to_string().contains("did you mean 'sgs:combined'?"));
        let error = unknown("homi").to_string();
        assert!(error.contains("there are sgs:combined, divide:N, and files"), "{error}");
    }
}
