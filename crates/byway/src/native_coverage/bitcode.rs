//! Requests instrumentation in bitcode. LLVM's pass needs metadata that names the files for
//! counters and notes, which clang writes on `--coverage` only. For other bitcode it is added to
//! the module's text.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;

/// Adds metadata that requests counters in `STEM.gcda` and notes in `STEM.gcno` to a module's
/// text; `None` if the module has no debug information.
///
/// LLVM instruments all functions of a module once for each of its compilation units. A linked
/// module has several, so the first one replaces all others.
pub fn request_counters(module: &str, stem: &Path) -> Option<String> {
    let list = module.lines().find_map(|line| line.strip_prefix("!llvm.dbg.cu = !{"))?;
    let units: Vec<&str> = list.strip_suffix('}')?.split(',').map(str::trim).collect();
    // Units of precompiled headers do not count.
    let is_header = |unit: &&str| {
        let definition = format!("{unit} = ");
        let line = module.lines().find(|line| line.starts_with(&definition));
        line.is_some_and(|line| line.contains(" dwoId: "))
    };
    let unit = *units.iter().find(|unit| !unit.is_empty() && !is_header(unit))?;
    let others: BTreeSet<&str> = units.into_iter().filter(|other| *other != unit).collect();
    let mut text = String::new();
    for line in module.lines() {
        let kept = match line.split_once(" = ") {
            Some(("!llvm.dbg.cu", _)) => format!("!llvm.dbg.cu = !{{{unit}}}"),
            // A request of the original build.
            Some(("!llvm.gcov", _)) => continue,
            Some((name, _)) if others.contains(name) => continue,
            Some((name, _)) if name.starts_with('!') => renamed(line, &others, unit),
            _ => line.into(),
        };
        text += &kept;
        text.push('\n');
    }
    let node = 1 + module.lines().filter_map(number_defined).max()?;
    let file = |extension| escaped(&stem.with_extension(extension));
    let (notes, counters) = (file("gcno"), file("gcda"));
    // Writing into a string cannot fail.
    let _ = writeln!(text, "!{node} = !{{!\"{notes}\", !\"{counters}\", {unit}}}");
    let _ = writeln!(text, "!llvm.gcov = !{{!{node}}}");
    Some(text)
}

/// A line of metadata with all references to `others` replaced by `unit`.
fn renamed(line: &str, others: &BTreeSet<&str>, unit: &str) -> String {
    // Every second part is a string; quotation marks in strings are escaped as numbers.
    let outside = |part: &str| {
        let mut pieces = part.split('!');
        let mut out: String = pieces.next().unwrap_or_default().into();
        for piece in pieces {
            let digits = piece.find(|c: char| !c.is_ascii_digit()).unwrap_or(piece.len());
            let (number, rest) = piece.split_at(digits);
            let name = format!("!{number}");
            out += if others.contains(name.as_str()) { unit } else { &name };
            out += rest;
        }
        out
    };
    let parts = line.split('"').enumerate();
    let parts = parts.map(|(index, part)| if index % 2 == 0 { outside(part) } else { part.into() });
    parts.collect::<Vec<String>>().join("\"")
}

/// The number of the metadata that a line defines.
fn number_defined(line: &str) -> Option<u64> {
    line.strip_prefix('!')?.split_once(" = ")?.0.parse().ok()
}

/// A file name in the syntax of LLVM's strings.
fn escaped(path: &Path) -> String {
    let mut text = String::new();
    for &byte in path.as_os_str().as_encoded_bytes() {
        match byte {
            b'"' | b'\\' | 0x7f.. | ..0x20 => {
                let _ = write!(text, "\\{byte:02X}");
            }
            _ => text.push(char::from(byte)),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_linked_module_becomes_one_unit() {
        let module = "@text = constant [2 x i8] c\"!7\"\n!llvm.dbg.cu = !{!1, !0, !7}\n!llvm.gcov = !{!9}\n\
                      !0 = distinct !DICompileUnit()\n!1 = distinct !DICompileUnit(file: !2, dwoId: 5)\n\
                      !7 = distinct !DICompileUnit()\n\
                      !12 = distinct !DISubprogram(name: \"!7\", unit: !7, type: !70)\n";
        let prepared = request_counters(module, Path::new("/t/a \"b")).expect("it has units");
        let expected = "@text = constant [2 x i8] c\"!7\"\n!llvm.dbg.cu = !{!0}\n\
                        !0 = distinct !DICompileUnit()\n\
                        !12 = distinct !DISubprogram(name: \"!7\", unit: !0, type: !70)\n\
                        !13 = !{!\"/t/a \\22b.gcno\", !\"/t/a \\22b.gcda\", !0}\n\
                        !llvm.gcov = !{!13}\n";
        assert_eq!(prepared, expected);
    }

    #[test]
    fn a_module_without_debug_information_is_rejected() {
        assert_eq!(request_counters("define i32 @main() {\n}\n", Path::new("a")), None);
        assert_eq!(request_counters("!llvm.dbg.cu = !{}\n!0 = !{}\n", Path::new("a")), None);
    }
}
