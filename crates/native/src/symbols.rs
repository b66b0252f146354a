//! Source locations of addresses in an executable, by llvm-symbolizer. Many tests hit the
//! same addresses, so results are cached.

use std::collections::HashMap;
use std::path::PathBuf;
use std::process::Command;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use byway_base::SrcLoc;

use crate::child::{self, ChildEnding, ChildLimits};

/// Loading the debug information of a large program takes a while.
const LIMITS: ChildLimits = ChildLimits { time: Duration::from_secs(60), output: 1 << 20 };

/// Maps addresses of one executable to source locations.
pub struct Symbols {
    symbolizer: PathBuf,
    program: PathBuf,
    cache: Mutex<HashMap<u64, Option<SrcLoc>>>,
}

impl Symbols {
    /// `symbolizer` is the path of llvm-symbolizer.
    pub fn new(symbolizer: PathBuf, program: PathBuf) -> Self {
        Symbols { symbolizer, program, cache: Mutex::default() }
    }

    /// The source location of the first address that has one.
    pub fn first_location(&self, addresses: &[u64]) -> Option<SrcLoc> {
        let mut cache = self.cache.lock().unwrap_or_else(PoisonError::into_inner);
        let mut unknown: Vec<u64> =
            addresses.iter().copied().filter(|address| !cache.contains_key(address)).collect();
        unknown.dedup();
        if !unknown.is_empty() {
            cache.extend(self.symbolize(&unknown));
        }
        addresses.iter().find_map(|address| cache.get(address).cloned().flatten())
    }

    fn symbolize(&self, addresses: &[u64]) -> Vec<(u64, Option<SrcLoc>)> {
        let mut command = Command::new(&self.symbolizer);
        command.arg("--functions=none").arg("--obj").arg(&self.program);
        command.args(addresses.iter().map(|address| format!("{address:#x}")));
        let output = match child::run(&mut command, LIMITS, &mut |_| true) {
            Ok(finished) if matches!(finished.ending, ChildEnding::Exited(status) if status.success()) => {
                String::from_utf8_lossy(&finished.stdout).into_owned()
            }
            // The locations stay unknown.
            _ => String::new(),
        };
        let mut blocks = output.split("\n\n");
        addresses.iter().map(|&address| (address, blocks.next().and_then(innermost))).collect()
    }
}

/// The innermost known location in the output for one address, which has a line
/// `file:line:column` for each inlined function.
fn innermost(block: &str) -> Option<SrcLoc> {
    block.lines().find_map(parse_location)
}

/// Parses `file:line:column`; `None` if the file or the line is unknown.
pub fn parse_location(text: &str) -> Option<SrcLoc> {
    let (rest, column) = text.trim().rsplit_once(':')?;
    let (file, line) = rest.rsplit_once(':')?;
    let (line, column) = (line.parse().ok()?, column.parse().ok()?);
    (file != "??" && line > 0).then(|| SrcLoc { file: file.to_string(), line, column })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_locations() {
        let at = parse_location("/a b/c:d.c:12:3").expect("a location");
        assert_eq!((at.file.as_str(), at.line, at.column), ("/a b/c:d.c", 12, 3));
        for unknown in ["??:0:0", "a.c:0:0", "a.c", "a.c:x:1", ""] {
            assert_eq!(parse_location(unknown), None, "{unknown}");
        }
    }

    #[test]
    fn takes_the_innermost_known_of_inlined_calls() {
        let at = innermost("??:0:0\ninner.h:2:1\nouter.c:9:1").expect("a location");
        assert_eq!(at.file, "inner.h");
        assert_eq!(innermost("??:0:0"), None);
    }
}
