//! `testNNNNNN.TYPE.err`: what is wrong on a path, and where.

use byway_base::{Fault, StackArgument, StackFrame};

use super::assembly::AssemblyLines;
use super::error_kinds;

/// The contents of an error file, in KLEE's fields.
pub fn render(fault: &Fault, path: u64, assembly: &AssemblyLines) -> String {
    let mut text = format!("Error: {}\n", error_kinds::message(fault.kind, &fault.message));
    if let Some(at) = fault.culprit().and_then(|frame| frame.loc.as_ref()) {
        text += &format!("File: {}\nLine: {}\n", at.file, at.line);
    }
    if let Some(line) = fault.culprit().and_then(|frame| assembly_line(frame, assembly)) {
        text += &format!("assembly.ll line: {line}\n");
    }
    text += &format!("State: {path}\nStack: \n{}", stack(&fault.stack, assembly));
    text += &format!("Info: \n\t{}: {}\n", fault.kind.name(), fault.message);
    for note in &fault.notes {
        let at =
            note.loc.as_ref().map_or(String::new(), |at| format!(" at {}:{}", at.file, at.line));
        text += &format!("\t{}{at}\n", note.message);
    }
    text
}

/// A line for each frame, innermost first: its number and eight digits of the line in
/// `assembly.ll`, which is 0 in the C library.
pub fn stack(frames: &[StackFrame], assembly: &AssemblyLines) -> String {
    let mut text = String::new();
    for (number, frame) in frames.iter().enumerate() {
        let line = assembly_line(frame, assembly).unwrap_or(0);
        let at = frame.loc.as_ref();
        let at = at.map_or(String::new(), |at| format!(" at {}:{}", at.file, at.line));
        let arguments: Vec<String> = frame.arguments.iter().map(argument).collect();
        let arguments = arguments.join(", ");
        text += &format!("\t#{number}{line:08} in {}({arguments}){at}\n", frame.function);
    }
    text
}

/// `NAME=VALUE`, or the value alone. As in KLEE, values are unsigned, those of one bit are words.
fn argument(argument: &StackArgument) -> String {
    let value = match (argument.value, argument.bits) {
        (None, _) => "symbolic".to_string(),
        (Some(value), 1) => (value != 0).to_string(),
        (Some(value), _) => value.to_string(),
    };
    argument.name.as_ref().map_or(value.clone(), |name| format!("{name}={value}"))
}

fn assembly_line(frame: &StackFrame, assembly: &AssemblyLines) -> Option<u64> {
    let at = frame.loc.as_ref().filter(|_| frame.user)?;
    Some(assembly.of(&frame.function, at.line)).filter(|&line| line > 0)
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
            arguments: vec![
                StackArgument { name: Some("n".into()), bits: 32, value: Some(line.into()) },
                StackArgument { name: Some("p".into()), bits: 64, value: None },
                StackArgument { name: None, bits: 1, value: Some(1) },
            ],
        };
        let fault = Fault {
            kind: FaultKind::OutOfBounds,
            message: "write of 1 byte at offset 9".into(),
            stack: vec![frame("copy", 7), frame("main", 12)],
            notes: vec![],
        };
        let assembly = "define i32 @copy() {\n  ret i32 0, !dbg !1\n}\n!1 = !DILocation(line: 7)\n";
        let assembly = AssemblyLines::new(assembly);
        let expected = "Error: memory error: out of bound pointer\nFile: a.c\nLine: 7\n\
                        assembly.ll line: 2\nState: 4\nStack: \n\
                        \t#000000002 in copy(n=7, p=symbolic, true) at a.c:7\n\
                        \t#100000000 in main(n=12, p=symbolic, true) at a.c:12\n\
                        Info: \n\tout-of-bounds: write of 1 byte at offset 9\n";
        assert_eq!(render(&fault, 4, &assembly), expected);
    }
}
