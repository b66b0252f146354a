//! Parses `.gcda` files: for each function that ran, the counts of its instrumented arcs.

use std::collections::HashMap;

use super::reader::{GcovReader, GcovVersion};

const FUNCTION: u32 = 0x0100_0000;
const ARC_COUNTS: u32 = 0x01a1_0000;

/// The counters of one compilation unit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Counters {
    /// Equal in the notes of the same compilation.
    pub stamp: u32,
    /// Checksum and counts by function.
    pub functions: HashMap<u32, (u32, Vec<u64>)>,
}

impl Counters {
    /// Parses the bytes of a file. A truncated file gives its complete records.
    pub fn parse(bytes: &[u8]) -> Result<Counters, String> {
        let not_counters = || "it is not a .gcda file".to_string();
        let mut reader = GcovReader::open(bytes, b"gcda").ok_or_else(not_counters)?;
        if reader.version >= GcovVersion::V12 {
            reader.word().ok_or_else(not_counters)?;
        }
        let mut functions = HashMap::new();
        let mut current = None;
        while let Some((tag, mut record)) = reader.record() {
            match tag {
                FUNCTION => current = function(&mut record),
                ARC_COUNTS => {
                    let counts: Vec<u64> = std::iter::from_fn(|| record.counter()).collect();
                    if let Some((id, checksum)) = current.take().filter(|_| !counts.is_empty()) {
                        functions.insert(id, (checksum, counts));
                    }
                }
                _ => {}
            }
        }
        Ok(Counters { stamp: reader.stamp, functions })
    }
}

/// The id and the checksum of the function whose counters follow.
fn function(record: &mut GcovReader) -> Option<(u32, u32)> {
    let (id, _lines) = (record.word()?, record.word()?);
    Some((id, record.word()?))
}
