//! The encoding of both of gcov's files: 32-bit words in the byte order of the machine that
//! wrote them, strings after their length, records after tag and length.

/// The version of the format.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct GcovVersion(u32);

impl GcovVersion {
    /// Introduces the artificial flag, and a plain number of blocks.
    pub const V8: GcovVersion = GcovVersion(80);
    /// Introduces the directory of the compiler.
    pub const V9: GcovVersion = GcovVersion(90);
    /// Counts lengths in bytes.
    pub const V12: GcovVersion = GcovVersion(120);

    /// `B22*` is 12.2, `408*` is 4.8.
    fn read(word: u32) -> Option<GcovVersion> {
        let digit = |shift: u32| char::from((word >> shift) as u8);
        let small = |shift| digit(shift).to_digit(10);
        match digit(24) {
            major @ 'A'..='Z' => {
                let tens = u32::from(major) - u32::from('A');
                Some(GcovVersion(tens * 100 + small(16)? * 10 + small(8)?))
            }
            _ => Some(GcovVersion(small(24)? * 10 + small(8)?)),
        }
    }
}

/// Reads a file from its beginning.
pub struct GcovReader<'a> {
    bytes: &'a [u8],
    swapped: bool,
    pub version: GcovVersion,
    /// Equal in both files of one compilation.
    pub stamp: u32,
}

impl<'a> GcovReader<'a> {
    /// Reads the header; `None` if it does not begin with `magic`.
    pub fn open(bytes: &'a [u8], magic: &[u8; 4]) -> Option<GcovReader<'a>> {
        let head: [u8; 4] = bytes.get(..4)?.try_into().ok()?;
        let mut reversed = *magic;
        reversed.reverse();
        let swapped = match head {
            head if head == reversed => false,
            head if head == *magic => true,
            _ => return None,
        };
        let version = GcovVersion(0);
        let mut reader = GcovReader { bytes: bytes.get(4..)?, swapped, version, stamp: 0 };
        reader.version = GcovVersion::read(reader.word()?)?;
        reader.stamp = reader.word()?;
        Some(reader)
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

    /// The tag and the contents of the next record; `None` at the end.
    pub fn record(&mut self) -> Option<(u32, GcovReader<'a>)> {
        let tag = self.word().filter(|&tag| tag != 0)?;
        // If all counters of a function are zero, only their number is stored, as a negative
        // length.
        let length = self.word()? as i32;
        let length = match length {
            ..0 => 0,
            length if self.version >= GcovVersion::V12 => length as usize,
            length => length as usize * 4,
        };
        let (bytes, rest) = self.bytes.split_at_checked(length)?;
        self.bytes = rest;
        Some((tag, GcovReader { bytes, ..*self }))
    }

    /// Whether all bytes have been read.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    fn length(&mut self) -> Option<usize> {
        let length = self.word()? as usize;
        Some(if self.version >= GcovVersion::V12 { length } else { length.checked_mul(4)? })
    }
}
