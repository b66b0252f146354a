//! The table of pruners: name, syntax, help text and constructor of each.

use super::homi::{HomiOptions, fraction};
use super::{ClockSpan, ClockUnit, Divide, Homi, RandomFraction};
use crate::Pruner;

/// A pruner that `--prune` can select by name.
pub struct PrunerEntry {
    /// Its name.
    pub name: &'static str,
    /// Its syntax.
    pub form: &'static str,
    /// One or two sentences for the user who chooses.
    pub help: &'static str,
    make: fn(&str) -> Result<Box<dyn Pruner>, String>,
}

/// The default interval of `random`, as that of Homi.
const INTERVAL: ClockSpan = ClockSpan { unit: ClockUnit::ProcessorTime, length: 30_000 };

static ENTRIES: &[PrunerEntry] = &[
    PrunerEntry {
        name: "homi",
        form: "homi[:KEY=VALUE,...]",
        help: "Explores in runs, learns from the tests of each which states lead to new coverage, \
               and drops the others.",
        make: |text| Ok(Box::new(Homi::new(HomiOptions::parse(text)?))),
    },
    PrunerEntry {
        name: "random",
        form: "random:FRACTION[,INTERVAL]",
        help: "Drops this fraction of the states in each interval (30s, or an amount of work), \
               whichever they are.",
        make: |text| {
            let (share, interval) = text.split_once(',').unwrap_or((text, ""));
            let interval = match interval.trim() {
                "" => INTERVAL,
                interval => ClockSpan::parse(interval)?,
            };
            Ok(Box::new(RandomFraction::new(fraction(share)?, interval)))
        },
    },
    PrunerEntry {
        name: "divide",
        form: "divide:LENGTH",
        help: "Drops nothing, but begins again from the program's start after each run of this \
               time or work.",
        make: |text| Ok(Box::new(Divide::new(ClockSpan::parse(text)?))),
    },
];

/// All pruners, in the order of the help.
pub fn pruner_entries() -> &'static [PrunerEntry] {
    ENTRIES
}

/// Makes the pruner that a text such as `random:0.2` names; the error is a message for the user.
pub fn build_pruner(text: &str) -> Result<Box<dyn Pruner>, String> {
    let (name, argument) = text.split_once(':').unwrap_or((text, ""));
    let entry = ENTRIES.iter().find(|entry| entry.name == name.trim());
    let names: Vec<&str> = ENTRIES.iter().map(|entry| entry.name).collect();
    let entry =
        entry.ok_or_else(|| format!("unknown pruner `{name}`; there are {}", names.join(", ")))?;
    (entry.make)(argument.trim())
        .map_err(|why| format!("invalid pruner `{text}`: {why}\nthe form is {}", entry.form))
}

/// The help on pruners.
pub fn pruner_help() -> String {
    let width = ENTRIES.iter().map(|entry| entry.form.len()).max().unwrap_or(0);
    let line = |entry: &PrunerEntry| format!("  {:width$}  {}\n", entry.form, entry.help);
    ENTRIES.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pruners_are_made_by_name() {
        for text in
            ["homi", "homi:interval=1M,run=8M", "random:0.2", "random:0.5,10M", "divide:200s"]
        {
            assert!(build_pruner(text).is_ok(), "{text}");
        }
    }

    #[test]
    fn mistakes_are_explained() {
        let cases = [
            ("homy", "unknown pruner `homy`; there are homi, random, divide"),
            ("homi:run", "invalid pruner `homi:run`"),
            ("random", "not a fraction between 0 and 1"),
            ("random:1.5", "not a fraction between 0 and 1"),
            ("divide", "the form is divide:LENGTH"),
        ];
        for (text, why) in cases {
            let error = build_pruner(text).err().unwrap_or_default();
            assert!(error.contains(why), "{text}: {error}");
        }
    }
}
