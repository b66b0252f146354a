//! Files of branches (`testN.path`): for each conditional branch that a path took, in order, a line
//! with 1 if its condition held and 0 if not.

use std::path::Path;
use std::sync::Arc;

use byway_engine::BranchDecisions;

use crate::failure::{Failure, Result};

/// The contents of a file with these decisions.
pub fn render(decisions: &BranchDecisions) -> Vec<u8> {
    decisions.iter().flat_map(|holds| [if holds { b'1' } else { b'0' }, b'\n']).collect()
}

/// The decisions in a file.
pub fn read(path: &Path) -> Result<Arc<[bool]>> {
    let text = std::fs::read(path).map_err(|error| Failure::io("read", path, &error))?;
    parse(&text).map_err(|line| {
        Failure::new(format!("line {line} of '{}' is no branch", path.display()))
            .hint("each line has 1 or 0: whether the condition of a branch holds")
    })
}

/// The decisions in a text; an error is the number of a line that has none.
fn parse(text: &[u8]) -> std::result::Result<Arc<[bool]>, usize> {
    let lines = (1..).zip(text.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii));
    let decisions = lines.filter(|(_, line)| !line.is_empty()).map(|(number, line)| match line {
        b"1" => Ok(true),
        b"0" => Ok(false),
        _ => Err(number),
    });
    decisions.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let decisions = [true, false, false, true];
        let text = render(&decisions.into_iter().collect());
        assert_eq!(text, b"1\n0\n0\n1\n");
        assert_eq!(parse(&text).as_deref(), Ok(&decisions[..]));
        assert_eq!(parse(b"").as_deref(), Ok(&[][..]));
        assert_eq!(parse(b"1\n\n 0 \r\n").as_deref(), Ok(&[true, false][..]));
        assert_eq!(parse(b"1\n2\n"), Err(2));
    }
}
