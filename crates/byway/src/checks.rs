//! The optional checks: one list, read by the flag `--checks`, its help, the manifest of a run and
//! whatever runs a test again. A new check is one entry of [`CHECKS`].

use byway_engine::Checks;

/// A check that can be switched on and off.
struct Check {
    name: &'static str,
    /// Another spelling.
    alias: Option<&'static str>,
    /// What it reports, for the help.
    help: &'static str,
    /// Its switch. [`Checks::default`] says whether it is on by default.
    switch: fn(&mut Checks) -> &mut bool,
}

/// All checks, in the order of the help and of the manifest.
const CHECKS: &[Check] = &[
    Check {
        name: "alignment",
        alias: None,
        help: "accesses less aligned than the source promises",
        switch: |checks| &mut checks.alignment,
    },
    Check {
        name: "uninitialised",
        alias: Some("uninitialized"),
        help: "reads of uninitialised bytes",
        switch: |checks| &mut checks.uninitialised,
    },
    Check {
        name: "signed-overflow",
        alias: None,
        help: "overflow of signed arithmetic",
        switch: |checks| &mut checks.signed_overflow,
    },
    Check {
        name: "shift",
        alias: None,
        help: "shifts by the width of the value or more",
        switch: |checks| &mut checks.shift,
    },
];

/// Stands for every check.
const ALL: &str = "all";

/// A word of `--checks`: a check, or all of them, to switch on or off.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CheckWord {
    /// `None` for all.
    index: Option<usize>,
    on: bool,
}

impl CheckWord {
    /// Parses `NAME`, `no-NAME`, `all` or `no-all`.
    pub fn parse(word: &str) -> Result<CheckWord, String> {
        let (name, on) = match word.strip_prefix("no-") {
            Some(name) => (name, false),
            None => (word, true),
        };
        let index = CHECKS.iter().position(|check| check.name == name || check.alias == Some(name));
        match index {
            None if name != ALL => Err(format!("no such check; the checks are {}", names())),
            _ => Ok(CheckWord { index, on }),
        }
    }

    fn apply(&self, checks: &mut Checks) {
        for (index, check) in CHECKS.iter().enumerate() {
            if self.index.is_none_or(|own| own == index) {
                *(check.switch)(checks) = self.on;
            }
        }
    }
}

/// The default checks, changed by the words from left to right.
pub fn resolve(words: &[CheckWord]) -> Checks {
    let mut checks = Checks::default();
    words.iter().for_each(|word| word.apply(&mut checks));
    checks
}

/// The names of the checks that are on, as the manifest records them.
pub fn record(mut checks: Checks) -> Vec<String> {
    let on = CHECKS.iter().filter(|check| *(check.switch)(&mut checks));
    on.map(|check| check.name.to_string()).collect()
}

/// The checks that a manifest records. Names that this version does not know are ignored.
pub fn recorded(names: &[String]) -> Checks {
    let mut checks = Checks::default();
    for check in CHECKS {
        *(check.switch)(&mut checks) = names.iter().any(|name| name == check.name);
    }
    checks
}

/// Help on the checks that are always on and those that `--checks` switches.
pub fn help() -> String {
    let mut text = String::from(
        "\
Always checked: out-of-bounds accesses, use after free, use after return, null and wild
pointers, writes to constants, double and invalid frees, overlapping copies, division by
zero and its overflow, calls through invalid function pointers, unreachable code, abort,
failed assertions, stack exhaustion. --checks adds these; no-NAME leaves one out:\n",
    );
    let mut defaults = Checks::default();
    for check in CHECKS {
        let note = if *(check.switch)(&mut defaults) { " (on by default)" } else { "" };
        text += &format!("  {:15}  {}{note}\n", check.name, check.help);
    }
    text + &format!("  {ALL:15}  all of these")
}

/// The names of all checks, as a list for a sentence.
fn names() -> String {
    let names: Vec<&str> = CHECKS.iter().map(|check| check.name).chain([ALL]).collect();
    format!("{}; 'no-' before a name switches it off", names.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resolved(words: &str) -> Checks {
        let words: Vec<CheckWord> =
            words.split(',').map(|word| CheckWord::parse(word).expect("a check")).collect();
        resolve(&words)
    }

    #[test]
    fn words_apply_from_left_to_right() {
        assert_eq!(resolve(&[]), Checks::default());
        assert!(resolved("shift").shift);
        assert!(!resolved("shift,no-shift").shift);
        assert!(resolved("no-shift,shift").shift);
        let most = resolved("all,no-alignment");
        assert!(!most.alignment && most.shift && most.signed_overflow && most.uninitialised);
        assert_eq!(record(resolved("all,no-all")), [] as [&str; 0]);
        assert_eq!(resolved("uninitialized"), resolved("uninitialised"));
    }

    #[test]
    fn unknown_words_name_the_checks() {
        for word in ["", "no-", "no-no-shift", "shifts", "-shift"] {
            let error = CheckWord::parse(word).expect_err("no check");
            assert!(error.contains("shift"), "{word}: {error}");
        }
    }

    #[test]
    fn the_list_is_complete() {
        // Destructured, so that a new check cannot be forgotten.
        let Checks { alignment, uninitialised, signed_overflow, shift } = resolved("all");
        assert!(alignment && uninitialised && signed_overflow && shift);
        for check in CHECKS {
            assert!(!check.name.starts_with("no-") && check.name != ALL, "{}", check.name);
        }
    }

    #[test]
    fn a_record_restores_the_checks() {
        for words in ["all", "shift", "no-all", "all,no-uninitialised"] {
            assert_eq!(recorded(&record(resolved(words))), resolved(words), "{words}");
        }
        assert_eq!(recorded(&["of-the-future".into()]), resolved("no-all"));
    }
}
