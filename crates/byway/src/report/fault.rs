//! A fault of the program, printed in the style of a compiler error.

use byway_base::{Fault, InternalError, StackFrame, Unsupported};

use crate::console::Style;
use crate::report::snippet::{self, Sources, visible};
use crate::report::stack;

/// Renders a fault: its message, its location in the user's code, related locations, and the call
/// stack.
pub fn render(fault: &Fault, style: Style) -> String {
    let mut sources = Sources::new();
    let headline = format!(": {}", visible(&fault.message));
    let mut out = style.error(format!("error[{}]", fault.kind)) + &style.strong(headline) + "\n";
    let culprit = fault.culprit();
    out += &location(&mut sources, culprit, style);
    if let (Some(inner), Some(culprit)) = (fault.stack.first(), culprit)
        && inner != culprit
    {
        out += &within(&sources, inner, style);
    }
    for note in &fault.notes {
        out += &format!("{}: {}\n", style.note("note"), visible(&note.message));
        if let Some(loc) = &note.loc {
            out += &snippet::render(&mut sources, loc, style);
        }
    }
    out + &calls(&sources, &fault.stack, style)
}

/// Renders an unsupported feature that the program needs.
pub fn render_unsupported(unsupported: &Unsupported, style: Style) -> String {
    let feature = unsupported.feature.to_string();
    let note = "Byway does not support this; it is not a fault of the program";
    render_limitation("byway: unsupported", &feature, note, &unsupported.stack, style)
}

/// Renders a bug of Byway.
pub fn render_internal_error(error: &InternalError, style: Style) -> String {
    let note = "this is a bug in Byway; please report it";
    render_limitation("byway: internal error", &error.kind.to_string(), note, &error.stack, style)
}

/// Renders the reason why Byway cannot continue, with the location in the program.
fn render_limitation(
    head: &str,
    what: &str,
    note: &str,
    stack: &[StackFrame],
    style: Style,
) -> String {
    let mut sources = Sources::new();
    let mut out = style.error(head) + &style.strong(format!(": {}", visible(what))) + "\n";
    let user = stack.iter().find(|frame| frame.user && frame.loc.is_some());
    out += &location(&mut sources, user.or(stack.first()), style);
    out += &format!("{}: {note}\n", style.note("note"));
    out + &calls(&sources, stack, style)
}

fn location(sources: &mut Sources, frame: Option<&StackFrame>, style: Style) -> String {
    match frame.and_then(|frame| frame.loc.as_ref()) {
        Some(loc) => snippet::render(sources, loc, style),
        None => match frame {
            Some(frame) => format!(
                " {} in function '{}' (compile with -g to see the line)\n",
                style.gutter("-->"),
                visible(&frame.function)
            ),
            None => String::new(),
        },
    }
}

/// A note that names the library function, if the snippet shows the user's call of it.
fn within(sources: &Sources, inner: &StackFrame, style: Style) -> String {
    let place =
        inner.loc.as_ref().map_or(String::new(), |loc| format!(" at {}", sources.location(loc)));
    let name = visible(&inner.function);
    format!("{}: in library function '{name}'{place}\n", style.note("note"))
}

fn calls(sources: &Sources, frames: &[StackFrame], style: Style) -> String {
    if frames.is_empty() {
        return String::new();
    }
    format!("{}:\n{}", style.note("call stack"), stack::render(sources, frames, style))
}

#[cfg(test)]
mod tests {
    use super::*;
    use byway_base::{FaultKind, Note, SrcLoc, UnsupportedFeature};
    use std::fs;
    use tempfile::TempDir;

    fn frame(function: &str, loc: Option<SrcLoc>, user: bool) -> StackFrame {
        StackFrame { function: function.into(), loc, user, arguments: vec![] }
    }

    #[test]
    fn the_snippet_shows_the_users_line() {
        let dir = TempDir::new().expect("a temporary directory");
        let file = dir.path().join("a.c");
        fs::write(&file, "char buf[4];\nvoid f(char *s) {\n\tstrcpy(buf, s);\n}\n")
            .expect("a source");
        let file = file.display().to_string();
        let at = |line, column| Some(SrcLoc { file: file.clone(), line, column });
        let libc = Some(SrcLoc { file: "/musl/strcpy.c".into(), line: 12, column: 3 });
        let fault = Fault {
            kind: FaultKind::OutOfBounds,
            message: "write of 1 byte at offset 4 of the 4-byte variable 'buf'".into(),
            stack: vec![frame("strcpy", libc, false), frame("f", at(3, 2), true)],
            notes: vec![Note { message: "declared here".into(), loc: at(1, 6) }],
        };
        let expected = format!(
            "\
error[out-of-bounds]: write of 1 byte at offset 4 of the 4-byte variable 'buf'
 --> {file}:3:2
  |
3 |     strcpy(buf, s);
  |     ^^^^^^
note: in library function 'strcpy' at /musl/strcpy.c:12:3
note: declared here
 --> {file}:1:6
  |
1 | char buf[4];
  |      ^^^
call stack:
  0: strcpy (library)
  1: f at {file}:3:2
"
        );
        assert_eq!(render(&fault, Style::new(false)), expected);
        let coloured = render(&fault, Style::new(true));
        assert!(coloured.starts_with("\x1b[1;31merror[out-of-bounds]\x1b[0m"), "{coloured:?}");
    }

    #[test]
    fn works_without_debug_information() {
        let fault = Fault {
            kind: FaultKind::Abort,
            message: "abort was called".into(),
            stack: vec![frame("main", None, true)],
            notes: vec![],
        };
        let text = render(&fault, Style::new(false));
        assert!(
            text.contains("--> in function 'main' (compile with -g to see the line)"),
            "{text}"
        );
        let nowhere = Fault { stack: vec![], ..fault };
        assert_eq!(render(&nowhere, Style::new(false)), "error[abort]: abort was called\n");
    }

    #[test]
    fn an_unsupported_feature_is_not_called_a_fault() {
        let unsupported = Unsupported {
            feature: UnsupportedFeature::Runtime("function fork".into()),
            stack: vec![frame("main", None, true)],
        };
        let text = render_unsupported(&unsupported, Style::new(false));
        assert!(text.starts_with("byway: unsupported: function fork\n"), "{text}");
        assert!(text.contains("not a fault of the program"), "{text}");
    }
}
