//! Addresses in an executable as places in the source, by llvm-symbolizer. Tests meet
//! the same addresses again and again, so each is asked for once.

use std::collections::HashMap;
use std::path::PathBuf;
use std::process::Command;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use byway_base::SrcLoc;

use crate::child::{self, How, Limits};

/// Reading the debug information of a large program takes a while.
const LIMITS: Limits = Limits { time: Duration::from_secs(60), output: 1 << 20 };

/// The places of an executable's addresses.
pub struct Symbols {
    symbolizer: PathBuf,
    program: PathBuf,
    known: Mutex<HashMap<u64, Option<SrcLoc>>>,
}

impl Symbols {
    /// For this executable, by this tool.
    pub fn new(symbolizer: PathBuf, program: PathBuf) -> Self {
        Symbols { symbolizer, program, known: Mutex::default() }
    }

    /// The place of the first of these addresses that has one.
    pub fn first_place(&self, addresses: &[u64]) -> Option<SrcLoc> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let mut unknown: Vec<u64> =
            addresses.iter().copied().filter(|address| !known.contains_key(address)).collect();
        unknown.dedup();
        if !unknown.is_empty() {
            known.extend(self.ask(&unknown));
        }
        addresses.iter().find_map(|address| known.get(address).cloned().flatten())
    }

    fn ask(&self, addresses: &[u64]) -> Vec<(u64, Option<SrcLoc>)> {
        let mut command = Command::new(&self.symbolizer);
        command.arg("--functions=none").arg("--obj").arg(&self.program);
        command.args(addresses.iter().map(|address| format!("{address:#x}")));
        let words = match child::run(&mut command, LIMITS, &mut |_| true) {
            Ok(finished) if matches!(finished.how, How::Exited(status) if status.success()) => {
                String::from_utf8_lossy(&finished.stdout).into_owned()
            }
            // Then no place is known, and whoever asked says so.
            _ => String::new(),
        };
        let mut blocks = words.split("\n\n");
        addresses.iter().map(|&address| (address, blocks.next().and_then(innermost))).collect()
    }
}

/// The innermost known place in the answer for one address: `file:line:column`, a line
/// for each function that was inlined there.
fn innermost(block: &str) -> Option<SrcLoc> {
    block.lines().find_map(place)
}

/// Reads `file:line:column`; `None` if the file or the line is not known.
pub fn place(text: &str) -> Option<SrcLoc> {
    let (rest, column) = text.trim().rsplit_once(':')?;
    let (file, line) = rest.rsplit_once(':')?;
    let (line, column) = (line.parse().ok()?, column.parse().ok()?);
    (file != "??" && line > 0).then(|| SrcLoc { file: file.to_string(), line, column })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_places() {
        let at = place("/a b/c:d.c:12:3").expect("a place");
        assert_eq!((at.file.as_str(), at.line, at.column), ("/a b/c:d.c", 12, 3));
        for unknown in ["??:0:0", "a.c:0:0", "a.c", "a.c:x:1", ""] {
            assert_eq!(place(unknown), None, "{unknown}");
        }
    }

    #[test]
    fn takes_the_innermost_known_of_inlined_calls() {
        let at = innermost("??:0:0\ninner.h:2:1\nouter.c:9:1").expect("a place");
        assert_eq!(at.file, "inner.h");
        assert_eq!(innermost("??:0:0"), None);
    }
}
