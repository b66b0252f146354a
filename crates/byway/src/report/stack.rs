//! Renders a call stack: the user's functions with source locations, library functions on shared
//! lines, and without the middle of a very deep stack.

use byway_base::StackFrame;

use crate::console::Style;
use crate::report::snippet::{Sources, visible};
use byway_base::quantity::grouped;

/// Lines shown of the inner and of the outer end of a deep stack.
const INNER: usize = 12;
const OUTER: usize = 4;
/// Library functions named in one line.
const NAMED: usize = 4;

/// The outermost function of every stack, which is omitted.
const START: &str = "__byway_start";

/// Renders a stack, innermost frame first.
pub fn render(sources: &Sources, stack: &[StackFrame], style: Style) -> String {
    let stack = match stack {
        [rest @ .., outermost] if outermost.function == START && !rest.is_empty() => rest,
        _ => stack,
    };
    let lines = lines(sources, stack, style);
    let mut out = String::new();
    let omitted = lines.len().saturating_sub(INNER + OUTER);
    for (index, line) in lines.iter().enumerate() {
        // Replacing a single line would save nothing.
        if omitted > 1 && index >= INNER && index < lines.len() - OUTER {
            if index == INNER {
                let text = format!("... {} more calls ...", grouped(omitted as u64));
                out += &format!("  {}\n", style.dim(text));
            }
            continue;
        }
        out += line;
    }
    out
}

fn lines(sources: &Sources, stack: &[StackFrame], style: Style) -> Vec<String> {
    let width = stack.len().saturating_sub(1).to_string().len();
    let mut lines = Vec::new();
    let mut number = 0;
    for group in stack.chunk_by(|a, b| !a.user && !b.user) {
        let first = number;
        number += group.len();
        if let [frame] = group
            && frame.user
        {
            let name = style.strong(visible(&frame.function));
            let place = match &frame.loc {
                Some(loc) => format!(" at {}", sources.location(loc)),
                None => String::new(),
            };
            lines.push(format!("  {first:width$}: {name}{place}\n"));
        } else {
            let names: Vec<String> = group.iter().map(|frame| visible(&frame.function)).collect();
            let text = format!("{first:width$}: {} (library)", chain(&names));
            lines.push(format!("  {}\n", style.dim(text)));
        }
    }
    lines
}

/// The names of nested calls, innermost first: `strlen < printf < ...`.
fn chain(names: &[String]) -> String {
    match names {
        [inner @ .., outer] if names.len() > NAMED => {
            format!("{} < ... < {outer}", inner[..NAMED - 1].join(" < "))
        }
        _ => names.join(" < "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use byway_base::SrcLoc;

    fn frame(function: &str, line: Option<u32>, user: bool) -> StackFrame {
        let loc = line.map(|line| SrcLoc { file: "/src/a.c".into(), line, column: 2 });
        StackFrame { function: function.into(), loc, user, arguments: vec![] }
    }

    #[test]
    fn library_frames_share_a_line() {
        let stack = [
            frame("memcpy", Some(9), false),
            frame("strcpy", Some(8), false),
            frame("copy", Some(7), true),
            frame("main", None, true),
            frame("__byway_start", None, false),
        ];
        let text = render(&Sources::new(), &stack, Style::new(false));
        let expected = "  0: memcpy < strcpy (library)\n  2: copy at /src/a.c:7:2\n  3: main\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn a_deep_stack_is_cut_in_the_middle() {
        let mut stack = vec![frame("f", Some(1), true); 100_000];
        stack.push(frame("main", Some(5), true));
        let text = render(&Sources::new(), &stack, Style::new(false));
        assert_eq!(text.lines().count(), INNER + OUTER + 1);
        assert!(text.contains("99,985 more calls"), "{text}");
        assert!(text.trim_end().ends_with("100000: main at /src/a.c:5:2"), "{text}");
    }

    #[test]
    fn long_chains_are_cut() {
        let names: Vec<String> = "abcdef".chars().map(String::from).collect();
        assert_eq!(chain(&names), "a < b < c < ... < f");
        assert_eq!(chain(&names[..4]), "a < b < c < d");
    }
}
