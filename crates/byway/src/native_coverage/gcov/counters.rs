//! What an instrumented program counted (`.gcda`): for each function that ran, how often
//! each arc that has a counter was taken.

use std::collections::HashMap;

use super::words::{Version, Words};

const FUNCTION: u32 = 0x0100_0000;
const ARC_COUNTS: u32 = 0x01a1_0000;

/// The counters of one compilation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Counters {
    /// Shared with the notes of the same compilation.
    pub stamp: u32,
    /// By the number of the function: its checksum, and its counters.
    pub functions: HashMap<u32, (u32, Vec<u64>)>,
}

impl Counters {
    /// Reads a file; `None` if it is not one. Of a torn one, what is whole.
    pub fn read(bytes: &[u8]) -> Option<Counters> {
        let mut words = Words::open(bytes, b"gcda")?;
        if words.version >= Version::V12 {
            words.word()?;
        }
        let mut functions = HashMap::new();
        let mut current = None;
        while let Some((tag, mut record)) = words.record() {
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
        Some(Counters { stamp: words.stamp, functions })
    }
}

/// The number and the checksum of the function whose counters follow.
fn function(record: &mut Words) -> Option<(u32, u32)> {
    let (id, _lines) = (record.word()?, record.word()?);
    Some((id, record.word()?))
}
