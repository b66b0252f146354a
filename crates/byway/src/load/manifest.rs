//! The record of the last compilation of a C source: the digests of the files that clang read, of
//! the preprocessed text and of the bitcode, and the diagnostics. As long as the files and the
//! preprocessed text are the same, compiling again would give the same result.
//!
//! The files alone do not suffice: a header may have appeared in a directory that clang, or
//! `__has_include`, searched before without finding one. Only the preprocessor knows these
//! directories, so it runs each time. Its text alone does not suffice either: it omits spaces,
//! which change the columns in debug information.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::hash::Digest;

/// The first line of a manifest; the number rises with every change of format.
const HEADER: &str = "byway-source 2";

/// The record of one compilation.
#[derive(PartialEq)]
pub struct Manifest {
    /// The digest of the resulting bitcode.
    pub bitcode: Digest,
    /// The source and every header, each with the digest of its contents.
    pub files: Vec<(PathBuf, Digest)>,
    /// The digest of the preprocessed text.
    pub text: Digest,
    /// The warnings of clang, printed again when the result is reused.
    pub diagnostics: String,
}

impl Manifest {
    /// Records a compilation that began at `start`. `rule` is clang's dependency file, `text` the
    /// digest of the preprocessed source. `None` if a file may have changed since `start`.
    pub fn record(
        rule: &str,
        text: Digest,
        bitcode: Digest,
        diagnostics: String,
        start: SystemTime,
    ) -> Option<Self> {
        let mut files = Vec::new();
        for path in prerequisites(rule) {
            let path = PathBuf::from(path);
            // The encoding has one path per line.
            path.to_str().filter(|name| !name.contains('\n'))?;
            if path.metadata().ok()?.modified().ok()? >= start {
                return None;
            }
            let digest = Digest::of_file(&path).ok()?;
            files.push((path, digest));
        }
        Some(Manifest { bitcode, files, text, diagnostics })
    }

    /// Whether every file and the preprocessed text are unchanged. Calls `preprocessed` only if
    /// the files are.
    pub fn is_current(&self, preprocessed: impl FnOnce() -> Option<Digest>) -> bool {
        let same = |(path, digest): &(PathBuf, Digest)| {
            Digest::of_file(Path::new(path)).is_ok_and(|now| now == *digest)
        };
        !self.files.is_empty() && self.files.iter().all(same) && preprocessed() == Some(self.text)
    }

    /// The contents of a cache file.
    pub fn encode(&self) -> Vec<u8> {
        let mut text = format!("{HEADER}\n{}\n{}\n{}\n", self.bitcode, self.text, self.files.len());
        for (path, digest) in &self.files {
            text.push_str(&format!("{digest} {}\n", path.display()));
        }
        text.push_str(&self.diagnostics);
        let mut bytes = format!("{}\n", Digest::of(text.as_bytes())).into_bytes();
        bytes.extend(text.bytes());
        bytes
    }

    /// The inverse of [`Manifest::encode`]; `None` if the bytes are damaged.
    pub fn decode(bytes: &[u8]) -> Option<Self> {
        let (checksum, text) = std::str::from_utf8(bytes).ok()?.split_once('\n')?;
        if Digest::parse(checksum)? != Digest::of(text.as_bytes()) {
            return None;
        }
        let rest = text.strip_prefix(HEADER)?.strip_prefix('\n')?;
        let (bitcode, rest) = rest.split_once('\n')?;
        let (preprocessed, rest) = rest.split_once('\n')?;
        let (count, mut rest) = rest.split_once('\n')?;
        let mut files = Vec::new();
        for _ in 0..count.parse::<usize>().ok()? {
            let (line, after) = rest.split_once('\n')?;
            let (digest, path) = line.split_once(' ')?;
            files.push((PathBuf::from(path), Digest::parse(digest)?));
            rest = after;
        }
        Some(Manifest {
            bitcode: Digest::parse(bitcode)?,
            files,
            text: Digest::parse(preprocessed)?,
            diagnostics: rest.to_string(),
        })
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
    use std::fs;
    use std::time::Duration;
    use tempfile::TempDir;

    #[test]
    fn parses_a_dependency_file() {
        let rule = "out.bc: a.c \\\n  with\\ space.h inc/x\\#y.h \\\n  a$$b.h\n";
        assert_eq!(prerequisites(rule), ["a.c", "with space.h", "inc/x#y.h", "a$b.h"]);
        assert!(prerequisites("nonsense").is_empty());
    }

    #[test]
    fn decode_inverts_encode_and_rejects_damage() {
        let manifest = Manifest {
            bitcode: Digest::of(b"bitcode"),
            files: vec![("a file.c".into(), Digest::of(b"a")), ("b.h".into(), Digest::of(b"b"))],
            text: Digest::of(b"text"),
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
    fn a_changed_file_or_text_is_not_current() {
        let dir = TempDir::new().expect("a temporary directory");
        let file = dir.path().join("a.c");
        fs::write(&file, "int x;").expect("a source");
        let later = SystemTime::now() + Duration::from_secs(60);
        let rule = format!("out: {}\n", file.display());
        let text = Digest::of(b"int x;");
        let record = |start| Manifest::record(&rule, text, text, String::new(), start);
        let manifest = record(later).expect("the file is older");
        assert!(manifest.is_current(|| Some(text)));
        assert!(!manifest.is_current(|| Some(Digest::of(b"int z;"))), "another header");
        assert!(!manifest.is_current(|| None), "it cannot be preprocessed");
        fs::write(&file, "int y;").expect("a source");
        assert!(!manifest.is_current(|| Some(text)));
        fs::remove_file(&file).expect("the source");
        assert!(!manifest.is_current(|| Some(text)));
        assert!(record(later).is_none(), "a file that is gone");
    }

    #[test]
    fn a_file_newer_than_the_start_is_not_recorded() {
        let dir = TempDir::new().expect("a temporary directory");
        let file = dir.path().join("a.c");
        fs::write(&file, "int x;").expect("a source");
        let earlier = SystemTime::now() - Duration::from_secs(60);
        let rule = format!("out: {}\n", file.display());
        let none = Digest::of(b"");
        assert!(Manifest::record(&rule, none, none, String::new(), earlier).is_none());
    }
}
