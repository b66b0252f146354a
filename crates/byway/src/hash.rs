//! Content hashes, which serve as cache keys.

use std::fmt;
use std::fs;
use std::hash::Hasher;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use siphasher::sip128::{Hasher128, SipHasher13};

/// A 128-bit hash that identifies some content.
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

    /// The digest of a file's path, size and modification time: enough for an executable, which
    /// is replaced as a whole.
    pub fn of_stamp(path: &Path) -> io::Result<Self> {
        let metadata = path.metadata()?;
        let mut hash = Fingerprint::new();
        hash.bytes(path.as_os_str().as_encoded_bytes());
        for number in [metadata.size() as i64, metadata.mtime(), metadata.mtime_nsec()] {
            hash.bytes(&number.to_le_bytes());
        }
        Ok(hash.finish())
    }

    /// The inverse of `Display`.
    pub fn parse(text: &str) -> Option<Self> {
        (text.len() == 32).then(|| u128::from_str_radix(text, 16).ok().map(Digest))?
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

/// Computes a digest of several parts. Each part is hashed with its length, so that only equal
/// lists of parts have equal digests.
pub struct Fingerprint(SipHasher13);

impl Fingerprint {
    pub fn new() -> Self {
        Fingerprint(SipHasher13::new())
    }

    pub fn bytes(&mut self, bytes: &[u8]) {
        self.0.write_u64(bytes.len() as u64);
        self.0.write(bytes);
    }

    pub fn digest(&mut self, digest: Digest) {
        self.0.write_u128(digest.0);
    }

    pub fn finish(self) -> Digest {
        Digest(self.0.finish128().as_u128())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_boundaries_of_parts_matter() {
        let digest = |parts: &[&str]| {
            let mut hash = Fingerprint::new();
            parts.iter().for_each(|part| hash.bytes(part.as_bytes()));
            hash.finish()
        };
        assert!(digest(&["ab", "c"]) != digest(&["a", "bc"]));
        assert!(digest(&["ab", "c"]) == digest(&["ab", "c"]));
    }

    #[test]
    fn parse_inverts_display() {
        let digest = Digest::of(b"content");
        assert!(Digest::parse(&digest.to_string()) == Some(digest));
        assert!(Digest::parse("12").is_none());
        assert!(Digest::parse(&"g".repeat(32)).is_none());
    }
}
