//! Lines of `assembly.ll`, by function and source line.

use std::collections::HashMap;

/// Where the instructions of a program are in its text.
#[derive(Default)]
pub struct AssemblyLines {
    /// The first line of the text that belongs to a line of a function.
    lines: HashMap<(String, u32), u64>,
}

impl AssemblyLines {
    /// Reads LLVM assembly. A program without debug information has no lines.
    pub fn new(text: &str) -> AssemblyLines {
        let locations: HashMap<&str, u32> = text.lines().filter_map(location).collect();
        let mut lines = HashMap::new();
        let mut function = None;
        for (number, line) in (1_u64..).zip(text.lines()) {
            if line.starts_with("define ") {
                function = defined(line);
            } else if line == "}" {
                function = None;
            } else if let Some(function) = &function
                && let Some(tag) = line.rsplit_once(", !dbg ").map(|(_, tag)| tag)
                && let Some(&at) = tag.split([',', ' ']).next().and_then(|tag| locations.get(tag))
            {
                lines.entry((String::clone(function), at)).or_insert(number);
            }
        }
        AssemblyLines { lines }
    }

    /// The first line of a source line in a function; 0 if there is none.
    pub fn of(&self, function: &str, line: u32) -> u64 {
        self.lines.get(&(function.to_string(), line)).copied().unwrap_or(0)
    }
}

/// The name and the line of `!12 = !DILocation(line: 5, column: 3, scope: !9)`.
fn location(text: &str) -> Option<(&str, u32)> {
    let (name, value) = text.split_once(" = ")?;
    let value = value.strip_prefix("distinct ").unwrap_or(value);
    let fields = value.strip_prefix("!DILocation(line: ")?;
    let end = fields.find([',', ')'])?;
    Some((name, fields[..end].parse().ok()?))
}

/// The name of the function that a line defines.
fn defined(line: &str) -> Option<String> {
    let name = line.split_once('@')?.1;
    match name.strip_prefix('"') {
        Some(quoted) => quoted.split_once('"').map(|(name, _)| name.to_string()),
        None => name.split_once('(').map(|(name, _)| name.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_instruction_of_a_line_counts() {
        let text = "\
; ModuleID = 'a.c'
define dso_local i32 @main() #0 !dbg !8 {
  %1 = alloca i32, align 4
  store i32 0, ptr %1, align 4, !dbg !12
  %2 = load i32, ptr %1, align 4, !dbg !13
  ret i32 %2, !dbg !12
}
define internal void @\"odd name\"() !dbg !9 {
  ret void, !dbg !14
}
!12 = !DILocation(line: 5, column: 3, scope: !8)
!13 = !DILocation(line: 6, column: 3, scope: !8)
!14 = distinct !DILocation(line: 5, scope: !9)
";
        let lines = AssemblyLines::new(text);
        assert_eq!((lines.of("main", 5), lines.of("main", 6)), (4, 5));
        assert_eq!((lines.of("odd name", 5), lines.of("main", 7)), (9, 0));
    }
}
