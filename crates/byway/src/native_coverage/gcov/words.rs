//! The form that both of gcov's files have: 32-bit words in the order of the machine that
//! wrote them, strings with their length before them, records with a tag and a length.

/// How a file was written: by which version of the format.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Version(u32);

impl Version {
    /// Since this version there is the artificial flag, and the number of blocks alone.
    pub const V8: Version = Version(80);
    /// Since this version the directory of the compiler is told.
    pub const V9: Version = Version(90);
    /// Since this version lengths are in bytes.
    pub const V12: Version = Version(120);

    /// `B22*` is 12.2, `408*` is 4.8.
    fn read(word: u32) -> Option<Version> {
        let digit = |shift: u32| char::from((word >> shift) as u8);
        let small = |shift| digit(shift).to_digit(10);
        match digit(24) {
            major @ 'A'..='Z' => {
                let tens = u32::from(major) - u32::from('A');
                Some(Version(tens * 100 + small(16)? * 10 + small(8)?))
            }
            _ => Some(Version(small(24)? * 10 + small(8)?)),
        }
    }
}

/// A file, read from its beginning on.
pub struct Words<'a> {
    bytes: &'a [u8],
    swapped: bool,
    /// The version it was written in.
    pub version: Version,
    /// What the two files of one compilation share.
    pub stamp: u32,
}

impl<'a> Words<'a> {
    /// Reads the head of a file; `None` if it does not begin with these letters.
    pub fn open(bytes: &'a [u8], magic: &[u8; 4]) -> Option<Words<'a>> {
        let head: [u8; 4] = bytes.get(..4)?.try_into().ok()?;
        let mut reversed = *magic;
        reversed.reverse();
        let swapped = match head {
            head if head == reversed => false,
            head if head == *magic => true,
            _ => return None,
        };
        let version = Version(0);
        let mut words = Words { bytes: bytes.get(4..)?, swapped, version, stamp: 0 };
        words.version = Version::read(words.word()?)?;
        words.stamp = words.word()?;
        Some(words)
    }

    /// The next word.
    pub fn word(&mut self) -> Option<u32> {
        let (word, rest) = self.bytes.split_first_chunk::<4>()?;
        self.bytes = rest;
        Some(if self.swapped { u32::from_be_bytes(*word) } else { u32::from_le_bytes(*word) })
    }

    /// The next counter: two words, the low one first.
    pub fn counter(&mut self) -> Option<u64> {
        Some(u64::from(self.word()?) | u64::from(self.word()?) << 32)
    }

    /// The next string.
    pub fn string(&mut self) -> Option<String> {
        let length = self.length()?;
        let (text, rest) = self.bytes.split_at_checked(length)?;
        self.bytes = rest;
        let end = text.iter().position(|&byte| byte == 0).unwrap_or(text.len());
        Some(String::from_utf8_lossy(&text[..end]).into_owned())
    }

    /// The next record, as its tag and what it holds; `None` at the end.
    pub fn record(&mut self) -> Option<(u32, Words<'a>)> {
        let tag = self.word().filter(|&tag| tag != 0)?;
        // Where all counters of a function are zero, their number alone is there,
        // as a negative length.
        let length = self.word()? as i32;
        let length = match length {
            ..0 => 0,
            length if self.version >= Version::V12 => length as usize,
            length => length as usize * 4,
        };
        let (bytes, rest) = self.bytes.split_at_checked(length)?;
        self.bytes = rest;
        Some((tag, Words { bytes, ..*self }))
    }

    /// Whether nothing is left.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    fn length(&mut self) -> Option<usize> {
        let length = self.word()? as usize;
        Some(if self.version >= Version::V12 { length } else { length.checked_mul(4)? })
    }
}
