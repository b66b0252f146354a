//! Content hashes: the names under which things are cached.

use std::fmt;
use std::fs;
use std::hash::Hasher;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use siphasher::sip128::{Hasher128, SipHasher13};

/// 128 bits that stand for some content.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest(u128);

impl Digest {
    /// The digest of these bytes.
    pub fn of(bytes: &[u8]) -> Self {
        let mut hash = Fingerprint::new();
        hash.bytes(bytes);
        hash.finish()
    }

    /// The digest of a file's contents.
    pub fn of_file(path: &Path) -> io::Result<Self> {
        Ok(Digest::of(&fs::read(path)?))
    }

    /// The digest of a file's path, size and date: enough for a program that is
    /// replaced, not edited.
    pub fn of_stamp(path: &Path) -> io::Result<Self> {
        let metadata = path.metadata()?;
        let mut hash = Fingerprint::new();
        hash.bytes(path.as_os_str().as_encoded_bytes());
        for number in [metadata.size() as i64, metadata.mtime(), metadata.mtime_nsec()] {
            hash.bytes(&number.to_le_bytes());
        }
        Ok(hash.finish())
    }

    /// Reads what `Display` wrote.
    pub fn parse(text: &str) -> Option<Self> {
        (text.len() == 32).then(|| u128::from_str_radix(text, 16).ok().map(Digest))?
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

/// A digest in the making. Each part carries its length, so that two lists of
/// parts have the same digest only if they are the same list.
pub struct Fingerprint(SipHasher13);

impl Fingerprint {
    /// Nothing yet.
    pub fn new() -> Self {
        Fingerprint(SipHasher13::new())
    }

    /// Adds a string of bytes.
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.0.write_u64(bytes.len() as u64);
        self.0.write(bytes);
    }

    /// Adds the digest of something.
    pub fn digest(&mut self, digest: Digest) {
        self.0.write_u128(digest.0);
    }

    /// The digest of all that was added.
    pub fn finish(self) -> Digest {
        Digest(self.0.finish128().as_u128())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_do_not_run_together() {
        let digest = |parts: &[&str]| {
            let mut hash = Fingerprint::new();
            parts.iter().for_each(|part| hash.bytes(part.as_bytes()));
            hash.finish()
        };
        assert!(digest(&["ab", "c"]) != digest(&["a", "bc"]));
        assert!(digest(&["ab", "c"]) == digest(&["ab", "c"]));
    }

    #[test]
    fn reads_back_what_it_prints() {
        let digest = Digest::of(b"content");
        assert!(Digest::parse(&digest.to_string()) == Some(digest));
        assert!(Digest::parse("12").is_none());
        assert!(Digest::parse(&"g".repeat(32)).is_none());
    }
}
