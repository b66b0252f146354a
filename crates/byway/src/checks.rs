//! The optional checks: lists read by the flag `--checks`, its help, the manifest of a run and
//! whatever runs a test again. A new check of the engine is one entry of [`CHECKS`], one that
//! clang inserts into C sources an entry of [`SANITIZERS`]. A name in both lists switches both.

use byway_engine::Checks;

/// A check of the engine that can be switched on and off.
struct EngineCheck {
    name: &'static str,
    /// Another spelling.
    alias: Option<&'static str>,
    /// What it reports, for the help.
    help: &'static str,
    /// Its switch. [`Checks::default`] says whether it is on by default.
    switch: fn(&mut Checks) -> &mut bool,
}

/// The engine's checks, in the order of the help and of the manifest.
const CHECKS: &[EngineCheck] = &[
    EngineCheck {
        name: "alignment",
        alias: None,
        help: "accesses less aligned than the source promises",
        switch: |checks| &mut checks.alignment,
    },
    EngineCheck {
        name: "uninitialised",
        alias: Some("uninitialized"),
        help: "uninitialised values that decide something",
        switch: |checks| &mut checks.uninitialised,
    },
    EngineCheck {
        name: "signed-overflow",
        alias: None,
        help: "overflow of signed arithmetic",
        switch: |checks| &mut checks.signed_overflow,
    },
    EngineCheck {
        name: "shift",
        alias: None,
        help: "shifts by the width of the value or more",
        switch: |checks| &mut checks.shift,
    },
    EngineCheck {
        name: "leak",
        alias: None,
        help: "objects that nothing points to when the program exits",
        switch: |checks| &mut checks.leak,
    },
];

/// A check of clang's undefined behaviour sanitizer, for C sources that Byway compiles.
struct Sanitizer {
    name: &'static str,
    /// clang's name, which is another spelling.
    clang: &'static str,
    /// What it reports, for the help; none if a check of the engine has the name.
    help: Option<&'static str>,
    /// What it reports is undefined behaviour, so that `all` includes it.
    in_all: bool,
}

const fn undefined(name: &'static str, clang: &'static str, help: &'static str) -> Sanitizer {
    Sanitizer { name, clang, help: Some(help), in_all: true }
}

/// Behaviour that C defines, but that is often a mistake.
const fn suspicious(name: &'static str, help: &'static str) -> Sanitizer {
    Sanitizer { name, clang: name, help: Some(help), in_all: false }
}

/// The engine sees what is left of these once clang has folded constants.
const fn before_folding(name: &'static str, clang: &'static str) -> Sanitizer {
    Sanitizer { name, clang, help: None, in_all: true }
}

/// The checks of clang, in the order of the help and of the manifest.
const SANITIZERS: &[Sanitizer] = &[
    before_folding("signed-overflow", "signed-integer-overflow"),
    before_folding("shift", "shift"),
    undefined("bounds", "array-bounds", "an index outside its array, also inside a struct"),
    undefined("null", "null", "use of a null pointer, also without an access"),
    undefined("pointer-overflow", "pointer-overflow", "pointer arithmetic that overflows"),
    undefined("object-size", "object-size", "accesses to objects known to be too small (-O1)"),
    undefined("float-cast-overflow", "float-cast-overflow", "a float outside an integer's range"),
    undefined("integer-divide-by-zero", "integer-divide-by-zero", "also in constants"),
    undefined("vla-bound", "vla-bound", "variable-length arrays of no positive length"),
    undefined("bool", "bool", "loads of a _Bool that is neither 0 nor 1"),
    undefined("enum", "enum", "loads of an enum outside its range"),
    undefined("builtin", "builtin", "arguments that a builtin function excludes"),
    undefined("function", "function", "calls through a pointer to another type of function"),
    undefined("nonnull-attribute", "nonnull-attribute", "null for an argument declared nonnull"),
    undefined(
        "returns-nonnull-attribute",
        "returns-nonnull-attribute",
        "null from a function declared returns_nonnull",
    ),
    undefined("return", "return", "the end of a function that must return a value"),
    undefined("unreachable", "unreachable", "calls of __builtin_unreachable"),
    suspicious("nullability", "null where _Nonnull is declared (not in all)"),
    suspicious("float-divide-by-zero", "division of floats by zero (not in all)"),
    suspicious("unsigned-integer-overflow", "overflow of unsigned arithmetic (not in all)"),
    suspicious("unsigned-shift-base", "bits lost in unsigned shifts (not in all)"),
    suspicious("implicit-conversion", "conversions that change a value (not in all)"),
];

/// Stands for every check but those of behaviour that C defines.
const ALL: &str = "all";

/// The checks of a run.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CheckSet {
    pub engine: Checks,
    /// clang's names of the checks that it inserts, in the order of the list.
    pub sanitizers: Vec<&'static str>,
}

impl CheckSet {
    /// Switches all checks for which this holds.
    fn switch(&mut self, on: bool, is_meant: impl Fn(&str) -> bool) {
        for check in CHECKS.iter().filter(|check| is_meant(check.name)) {
            *(check.switch)(&mut self.engine) = on;
        }
        let wanted = |sanitizer: &&Sanitizer| match is_meant(sanitizer.name) {
            true => on,
            false => self.sanitizers.contains(&sanitizer.clang),
        };
        self.sanitizers = SANITIZERS.iter().filter(wanted).map(|it| it.clang).collect();
    }

    /// The names of the checks that are on, as the manifest records them.
    pub fn record(&self) -> Vec<String> {
        let mut engine = self.engine;
        let checks = CHECKS.iter().filter(|check| *(check.switch)(&mut engine));
        let sanitizers = SANITIZERS.iter().filter(|it| self.sanitizers.contains(&it.clang));
        let own = sanitizers.filter(|it| it.help.is_some()).map(|it| it.name);
        checks.map(|check| check.name).chain(own).map(str::to_string).collect()
    }

    /// The checks that a manifest records. Names that this version does not know are ignored.
    pub fn recorded(names: &[String]) -> CheckSet {
        let mut checks = CheckSet::default();
        checks.switch(false, |_| true);
        checks.switch(true, |name| names.iter().any(|own| own == name));
        checks
    }
}

/// A word of `--checks`: a check, or all of them, to switch on or off.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CheckWord {
    /// `None` for all.
    name: Option<&'static str>,
    on: bool,
}

impl CheckWord {
    /// Parses `NAME`, `no-NAME`, `all` or `no-all`.
    pub fn parse(word: &str) -> Result<CheckWord, String> {
        let (name, on) = match word.strip_prefix("no-") {
            Some(name) => (name, false),
            None => (word, true),
        };
        if name == ALL {
            return Ok(CheckWord { name: None, on });
        }
        let mut checks = CHECKS.iter();
        let check = checks.find(|it| it.name == name || it.alias == Some(name));
        let mut sanitizers = SANITIZERS.iter();
        let sanitizer = sanitizers.find(|it| it.name == name || it.clang == name);
        match check.map(|it| it.name).or(sanitizer.map(|it| it.name)) {
            None => Err(format!("no such check; the checks are {}", names())),
            name => Ok(CheckWord { name, on }),
        }
    }

    fn apply(&self, checks: &mut CheckSet) {
        let left_out =
            |name: &str| self.on && SANITIZERS.iter().any(|it| it.name == name && !it.in_all);
        checks.switch(self.on, |name| match self.name {
            Some(own) => own == name,
            None => !left_out(name),
        });
    }
}

/// The default checks, changed by the words from left to right.
pub fn resolve(words: &[CheckWord]) -> CheckSet {
    let mut checks = CheckSet::default();
    words.iter().for_each(|word| word.apply(&mut checks));
    checks
}

/// The user's name of a check that clang inserts.
pub fn name_of_sanitizer(clang: &str) -> &str {
    SANITIZERS.iter().find(|it| it.clang == clang).map_or(clang, |it| it.name)
}

/// Whether the engine has this check of clang too, for programs without source code.
pub fn engine_has(clang: &str) -> bool {
    SANITIZERS.iter().any(|it| it.clang == clang && it.help.is_none())
}

/// Help on the checks that are always on and those that `--checks` switches.
pub fn help() -> String {
    let mut text = String::from(
        "\
Always checked: out-of-bounds accesses, use after free, use after return, null and wild
pointers, writes to constants, double and invalid frees, division by zero and its
overflow, calls through invalid function pointers, unreachable code, abort, failed
assertions, stack exhaustion. --checks adds these; no-NAME leaves one out:\n",
    );
    let mut defaults = Checks::default();
    let line = |name: &str, help: &str| format!("  {name:25}  {help}\n");
    for check in CHECKS {
        let note = if *(check.switch)(&mut defaults) { " (on by default)" } else { "" };
        text += &line(check.name, &format!("{}{note}", check.help));
    }
    text += "For C sources only, because clang inserts them:\n";
    for sanitizer in SANITIZERS {
        text += &sanitizer.help.map_or_else(String::new, |help| line(sanitizer.name, help));
    }
    text + line(ALL, "all of these but those marked").trim_end()
}

/// The names of all checks, as a list for a sentence.
fn names() -> String {
    let own = SANITIZERS.iter().filter(|it| it.help.is_some()).map(|it| it.name);
    let names: Vec<&str> = CHECKS.iter().map(|check| check.name).chain(own).chain([ALL]).collect();
    format!("{}; 'no-' before a name switches it off", names.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resolved(words: &str) -> CheckSet {
        let words: Vec<CheckWord> =
            words.split(',').map(|word| CheckWord::parse(word).expect("a check")).collect();
        resolve(&words)
    }

    #[test]
    fn words_apply_from_left_to_right() {
        assert_eq!(resolve(&[]), CheckSet::default());
        assert!(resolved("shift").engine.shift);
        assert!(!resolved("shift,no-shift").engine.shift);
        assert!(resolved("no-shift,shift").engine.shift);
        let most = resolved("all,no-alignment").engine;
        assert!(!most.alignment && most.shift && most.signed_overflow && most.uninitialised);
        assert_eq!(resolved("all,no-all").record(), [] as [&str; 0]);
        assert_eq!(resolved("uninitialized"), resolved("uninitialised"));
    }

    #[test]
    fn checks_of_clang_are_switched_by_either_name() {
        assert_eq!(resolved("bounds,null").sanitizers, ["array-bounds", "null"]);
        assert_eq!(resolved("null,array-bounds"), resolved("bounds,null"));
        assert_eq!(resolved("shift").sanitizers, ["shift"]);
        assert_eq!(resolved("signed-integer-overflow"), resolved("signed-overflow"));
        assert_eq!(resolved("bounds,no-bounds"), CheckSet::default());
        let all = resolved("all").sanitizers;
        assert!(all.contains(&"float-cast-overflow"));
        assert!(!all.contains(&"unsigned-integer-overflow"), "C defines it");
        let more = resolved("unsigned-integer-overflow,all").sanitizers;
        assert!(more.contains(&"unsigned-integer-overflow") && more.len() == all.len() + 1);
        assert!(resolved("unsigned-integer-overflow,no-all").sanitizers.is_empty());
    }

    #[test]
    fn unknown_words_name_the_checks() {
        for word in ["", "no-", "no-no-shift", "shifts", "-shift"] {
            let error = CheckWord::parse(word).expect_err("no check");
            assert!(error.contains("shift"), "{word}: {error}");
        }
    }

    #[test]
    fn the_lists_are_complete() {
        // Destructured, so that a new check cannot be forgotten.
        let all = resolved("all").engine;
        let Checks { alignment, uninitialised, signed_overflow, shift, leak } = all;
        assert!(alignment && uninitialised && signed_overflow && shift && leak);
        let names = CHECKS.iter().map(|it| it.name).chain(SANITIZERS.iter().map(|it| it.name));
        for name in names {
            assert!(!name.starts_with("no-") && name != ALL, "{name}");
        }
        for sanitizer in SANITIZERS {
            let engine = CHECKS.iter().any(|check| check.name == sanitizer.name);
            assert_eq!(engine, sanitizer.help.is_none(), "{}", sanitizer.name);
        }
    }

    #[test]
    fn a_record_restores_the_checks() {
        for words in ["all", "shift", "no-all", "all,no-uninitialised", "bounds", "nullability"] {
            let checks = resolved(words);
            assert_eq!(CheckSet::recorded(&checks.record()), checks, "{words}");
        }
        assert_eq!(CheckSet::recorded(&["of-the-future".into()]), resolved("no-all"));
    }
}
