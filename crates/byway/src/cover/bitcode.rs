//! Bitcode that asks to be instrumented. clang leaves word in a module which files its
//! counters and notes go to; LLVM's pass does nothing without. Bitcode from elsewhere
//! lacks that word, so it is written into the module's text.

use std::fmt::Write;
use std::path::Path;

/// A module's text that asks for counters in `STEM.gcda` and notes in `STEM.gcno`; `None` if it
/// has no debug information, by which lines are known.
pub fn ask_for_counters(module: &str, stem: &Path) -> Option<String> {
    let list = module.lines().find_map(|line| line.strip_prefix("!llvm.dbg.cu = !{"))?;
    let units: Vec<&str> = list.strip_suffix('}')?.split(',').map(str::trim).collect();
    // What it asked for elsewhere does not count here.
    let kept = module.lines().filter(|line| !line.starts_with("!llvm.gcov = "));
    let mut text: String = kept.flat_map(|line| [line, "\n"]).collect();
    let first = 1 + module.lines().filter_map(number_defined).max()?;
    let mut nodes = Vec::new();
    for (index, unit) in units.iter().filter(|unit| !unit.is_empty()).enumerate() {
        let node = first + index as u64;
        // Several of one module, as after linking, have files of their own.
        let file = |extension| escaped(&stem.with_extension(format!("{index}.{extension}")));
        let (notes, counters) = (file("gcno"), file("gcda"));
        // Writing into a string cannot fail.
        let _ = writeln!(text, "!{node} = !{{!\"{notes}\", !\"{counters}\", {unit}}}");
        nodes.push(format!("!{node}"));
    }
    let _ = writeln!(text, "!llvm.gcov = !{{{}}}", nodes.join(", "));
    (!nodes.is_empty()).then_some(text)
}

/// The number of the metadata that a line defines.
fn number_defined(line: &str) -> Option<u64> {
    line.strip_prefix('!')?.split_once(" = ")?.0.parse().ok()
}

/// A file name as LLVM's text writes strings.
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
    fn every_unit_of_a_module_has_files_of_its_own() {
        let module = "!llvm.dbg.cu = !{!0, !7}\n!llvm.gcov = !{!9}\n!0 = distinct !DICompileUnit()\n\
                      !12 = !{}\n";
        let asked = ask_for_counters(module, Path::new("/t/a \"b")).expect("it has units");
        assert!(!asked.contains("!{!9}"), "{asked}");
        assert!(asked.contains("!13 = !{!\"/t/a \\22b.0.gcno\", !\"/t/a \\22b.0.gcda\", !0}\n"));
        assert!(asked.contains("!14 = !{!\"/t/a \\22b.1.gcno\", !\"/t/a \\22b.1.gcda\", !7}\n"));
        assert!(asked.ends_with("!llvm.gcov = !{!13, !14}\n"), "{asked}");
    }

    #[test]
    fn a_module_without_debug_information_is_told() {
        assert_eq!(ask_for_counters("define i32 @main() {\n}\n", Path::new("a")), None);
        assert_eq!(ask_for_counters("!llvm.dbg.cu = !{}\n!0 = !{}\n", Path::new("a")), None);
    }
}
