//! What is known about a C source from the last time it was compiled: which
//! files clang read, what they held, and what came out. While those files are
//! the same, clang need not be called to know what it would say.
//!
//! What it cannot notice is a header that appears where an earlier one in the
//! search order was missing before; `--no-cache` helps then.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::hash::Digest;

/// The first line of a manifest; the number rises with every change of format.
const HEADER: &str = "byway-source 1";

/// The memory of one compilation.
#[derive(PartialEq)]
pub struct Manifest {
    /// The digest of the bitcode that came out.
    pub bitcode: Digest,
    /// The source and every header, and what they held.
    pub files: Vec<(PathBuf, Digest)>,
    /// What clang said: warnings, as it would say them again.
    pub diagnostics: String,
}

impl Manifest {
    /// Takes down a compilation that began at `start`, from clang's list of what
    /// it read. `None` if a file changed meanwhile, or cannot be told to be the same.
    pub fn record(
        rule: &str,
        bitcode: Digest,
        diagnostics: String,
        start: SystemTime,
    ) -> Option<Self> {
        let mut files = Vec::new();
        for path in prerequisites(rule) {
            let path = PathBuf::from(path);
            // Names are kept a line each.
            path.to_str().filter(|name| !name.contains('\n'))?;
            if path.metadata().ok()?.modified().ok()? >= start {
                return None;
            }
            let digest = Digest::of_file(&path).ok()?;
            files.push((path, digest));
        }
        Some(Manifest { bitcode, files, diagnostics })
    }

    /// Whether every file still holds what it held.
    pub fn still_true(&self) -> bool {
        let same = |(path, digest): &(PathBuf, Digest)| {
            Digest::of_file(Path::new(path)).is_ok_and(|now| now == *digest)
        };
        !self.files.is_empty() && self.files.iter().all(same)
    }

    /// The manifest as a file.
    pub fn encode(&self) -> Vec<u8> {
        let mut text = format!("{HEADER}\n{}\n{}\n", self.bitcode, self.files.len());
        for (path, digest) in &self.files {
            text.push_str(&format!("{digest} {}\n", path.display()));
        }
        text.push_str(&self.diagnostics);
        let mut bytes = format!("{}\n", Digest::of(text.as_bytes())).into_bytes();
        bytes.extend(text.bytes());
        bytes
    }

    /// Reads what [`Manifest::encode`] wrote; `None` if it is anything else.
    pub fn decode(bytes: &[u8]) -> Option<Self> {
        let (checksum, text) = std::str::from_utf8(bytes).ok()?.split_once('\n')?;
        if Digest::parse(checksum)? != Digest::of(text.as_bytes()) {
            return None;
        }
        let rest = text.strip_prefix(HEADER)?.strip_prefix('\n')?;
        let (bitcode, rest) = rest.split_once('\n')?;
        let (count, mut rest) = rest.split_once('\n')?;
        let mut files = Vec::new();
        for _ in 0..count.parse::<usize>().ok()? {
            let (line, after) = rest.split_once('\n')?;
            let (digest, path) = line.split_once(' ')?;
            files.push((PathBuf::from(path), Digest::parse(digest)?));
            rest = after;
        }
        Some(Manifest { bitcode: Digest::parse(bitcode)?, files, diagnostics: rest.to_string() })
    }
}

/// The prerequisites of the one rule in a dependency file, as clang's -MD writes
/// it: `target: a b \` with spaces and `#` escaped by a backslash, `$` doubled.
pub fn prerequisites(rule: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut chars = rule.split_once(": ").map_or("", |(_, list)| list).chars().peekable();
    while let Some(c) = chars.next() {
        match (c, chars.peek()) {
            ('\\', Some('\n')) => {}
            ('\\', Some(&escaped @ (' ' | '#'))) => {
                word.push(escaped);
                chars.next();
            }
            ('$', Some('$')) => {
                word.push('$');
                chars.next();
            }
            (' ' | '\n', _) => {
                if !word.is_empty() {
                    words.push(std::mem::take(&mut word));
                }
            }
            _ => word.push(c),
        }
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tempdir::TempDir;
    use std::fs;
    use std::time::Duration;

    #[test]
    fn reads_clangs_list() {
        let rule = "out.bc: a.c \\\n  with\\ space.h inc/x\\#y.h \\\n  a$$b.h\n";
        assert_eq!(prerequisites(rule), ["a.c", "with space.h", "inc/x#y.h", "a$b.h"]);
        assert!(prerequisites("nonsense").is_empty());
    }

    #[test]
    fn survives_being_written() {
        let manifest = Manifest {
            bitcode: Digest::of(b"bitcode"),
            files: vec![("a file.c".into(), Digest::of(b"a")), ("b.h".into(), Digest::of(b"b"))],
            diagnostics: "a.c:1: warning\n\nmore".into(),
        };
        let bytes = manifest.encode();
        assert!(Manifest::decode(&bytes) == Some(manifest));
        for cut in 0..bytes.len() {
            assert!(Manifest::decode(&bytes[..cut]).is_none(), "cut at {cut}");
        }
        for flip in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[flip] ^= 1;
            assert!(Manifest::decode(&damaged).is_none(), "flipped at {flip}");
        }
    }

    #[test]
    fn notices_a_change() {
        let dir = TempDir::new().expect("a temporary directory");
        let file = dir.path().join("a.c");
        fs::write(&file, "int x;").expect("a source");
        let later = SystemTime::now() + Duration::from_secs(60);
        let rule = format!("out: {}\n", file.display());
        let record = |start| Manifest::record(&rule, Digest::of(b""), String::new(), start);
        let manifest = record(later).expect("the file is older");
        assert!(manifest.still_true());
        fs::write(&file, "int y;").expect("a source");
        assert!(!manifest.still_true());
        fs::remove_file(&file).expect("the source");
        assert!(!manifest.still_true());
        assert!(record(later).is_none(), "a file that is gone");
    }

    #[test]
    fn takes_nothing_down_that_may_have_changed_meanwhile() {
        let dir = TempDir::new().expect("a temporary directory");
        let file = dir.path().join("a.c");
        fs::write(&file, "int x;").expect("a source");
        let earlier = SystemTime::now() - Duration::from_secs(60);
        let rule = format!("out: {}\n", file.display());
        assert!(Manifest::record(&rule, Digest::of(b""), String::new(), earlier).is_none());
    }
}
