//! The names that `byway` also answers to: a link with one of them is a command of its own,
//! so that scripts written for other tools run unchanged.

use std::ffi::{OsStr, OsString};
use std::path::Path;

/// A name of a link, and the words it stands for.
pub struct CommandLink {
    /// The file name of the link.
    pub name: &'static str,
    /// The command of `byway`, with options it always has.
    pub words: &'static [&'static str],
}

/// Every link. `byway install-links` makes all of them.
pub const LINKS: &[CommandLink] = &[
    CommandLink { name: "byway-cc", words: &["cc"] },
    CommandLink { name: "byway-c++", words: &["c++"] },
    CommandLink { name: "klee", words: &["klee"] },
    CommandLink { name: "ktest-tool", words: &["ktest-tool"] },
    CommandLink { name: "klee-stats", words: &["klee-stats"] },
    CommandLink { name: "klee-replay", words: &["klee-replay"] },
    CommandLink { name: "ktest-gen", words: &["ktest-gen"] },
    CommandLink { name: "ktest-randgen", words: &["ktest-randgen"] },
];

/// Replaces the name of a link, the first word of a command line, by what it stands for.
pub fn expand(words: Vec<OsString>) -> Vec<OsString> {
    let called = words.first().and_then(|word| Path::new(word).file_name());
    let link = LINKS.iter().find(|link| called == Some(OsStr::new(link.name)));
    let Some(link) = link else { return words };
    let head = std::iter::once("byway").chain(link.words.iter().copied()).map(OsString::from);
    head.chain(words.into_iter().skip(1)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expanded(words: &[&str]) -> Vec<OsString> {
        expand(words.iter().map(OsString::from).collect())
    }

    #[test]
    fn a_link_stands_for_its_command() {
        assert_eq!(
            expanded(&["/opt/bin/klee", "--help", "x.bc"]),
            ["byway", "klee", "--help", "x.bc"]
        );
        assert_eq!(expanded(&["klee-stats"]), ["byway", "klee-stats"]);
    }

    #[test]
    fn other_names_change_nothing() {
        assert_eq!(expanded(&["./byway", "klee"]), ["./byway", "klee"]);
        assert_eq!(expanded(&["klee/byway", "run"]), ["klee/byway", "run"]);
        assert_eq!(expanded(&[]), [""; 0]);
    }
}
