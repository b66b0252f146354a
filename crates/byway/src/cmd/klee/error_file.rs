//! `testNNNNNN.TYPE.err`: what is wrong on a path, and where.

use byway_base::{Fault, StackFrame};

use super::error_kinds;

/// The contents of an error file, in KLEE's fields.
pub fn render(fault: &Fault, path: u64) -> String {
    let mut text = format!("Error: {}\n", error_kinds::message(fault.kind, &fault.message));
    if let Some(at) = fault.culprit().and_then(|frame| frame.loc.as_ref()) {
        text += &format!("File: {}\nLine: {}\n", at.file, at.line);
    }
    text += &format!("State: {path}\nStack: \n{}", stack(&fault.stack));
    text += &format!("Info: \n\t{}: {}\n", fault.kind.name(), fault.message);
    for note in &fault.notes {
        let at = note.loc.as_ref().map_or(String::new(), |at| format!(" at {}:{}", at.file, at.line));
        text += &format!("\t{}{at}\n", note.message);
    }
    text
}

/// A line for each frame, innermost first.
pub fn stack(frames: &[StackFrame]) -> String {
    let mut text = String::new();
    for (number, frame) in frames.iter().enumerate() {
        let at = frame.loc.as_ref();
        let at = at.map_or(String::new(), |at| format!(" at {}:{}", at.file, at.line));
        text += &format!("\t#{number} in {}(){at}\n", frame.function);
    }
    text
}

#[cfg(test)]
mod tests {
    use byway_base::{FaultKind, SrcLoc};

    use super::*;

    #[test]
    fn an_error_has_klees_fields() {
        let frame = |function: &str, line| StackFrame {
            function: function.into(),
            loc: Some(SrcLoc { file: "a.c".into(), line, column: 3 }),
            user: true,
        };
        let fault = Fault {
            kind: FaultKind::OutOfBounds,
            message: "write of 1 byte at offset 9".into(),
            stack: vec![frame("copy", 7), frame("main", 12)],
            notes: vec![],
        };
        let expected = "Error: memory error: out of bound pointer\nFile: a.c\nLine: 7\nState: 4\n\
                        Stack: \n\t#0 in copy() at a.c:7\n\t#1 in main() at a.c:12\n\
                        Info: \n\tout-of-bounds: write of 1 byte at offset 9\n";
        assert_eq!(render(&fault, 4), expected);
    }
}
