//! Renders a test for the user: the bytes of its inputs, and the numbers or text that they may
//! represent.

use byway_base::{Input, TestCase};
use byway_testcase::symbolic::ProgramInput;

use crate::console::Style;
use crate::report::snippet::visible;
use byway_base::quantity::{grouped, plural};

/// Bytes on a line of the long form.
const PER_LINE: usize = 16;
/// Objects, and bytes of each, in the short form.
const SHORT_OBJECTS: usize = 8;
const SHORT_BYTES: usize = 32;

/// The short form of a test, one line per object: `input: x = 0x61 62 63 "abc"`. Arguments, files
/// and other decoded inputs are shown as such.
pub fn render_input(test: &TestCase, style: Style) -> String {
    let head = style.note("input");
    if test.inputs.is_empty() {
        return format!("{head}: nothing is symbolic on this path\n");
    }
    let input = ProgramInput::from_test(test).unwrap_or_default();
    let own = test.inputs.get(input.consumed_inputs..).unwrap_or_default();
    let object =
        |input: &Input| format!("{} = {}", visible(&input.name), short_object(&input.bytes));
    let lines: Vec<String> =
        environment_lines(&input).into_iter().chain(own.iter().map(object)).collect();
    let shown = lines.iter().take(SHORT_OBJECTS);
    let mut out: String = shown.map(|line| format!("{head}: {line}\n")).collect();
    if let Some(more) = lines.len().checked_sub(SHORT_OBJECTS).filter(|more| *more > 0) {
        out += &format!("{head}: ... and {}\n", plural(more as u64, "more object"));
    }
    out
}

/// Unconstrained input as a tree.
pub fn render_tree(tree: &[String], style: Style) -> String {
    let lines: String = tree.iter().map(|line| format!("  {}\n", visible(line))).collect();
    format!("{}:\n{lines}", style.note("input"))
}

/// The decoded inputs, one per line.
fn environment_lines(input: &ProgramInput) -> Vec<String> {
    if !input.has_options {
        return Vec::new();
    }
    let mut lines = Vec::new();
    let arguments: Vec<String> =
        input.arguments.iter().skip(1).map(|word| short_text(word)).collect();
    lines.push(match arguments.is_empty() {
        true => "no arguments".into(),
        false => format!("arguments {}", arguments.join(" ")),
    });
    for (name, value) in &input.variables {
        let name = visible(&String::from_utf8_lossy(name));
        lines.push(format!("variable {name} = {}", short_text(value)));
    }
    for file in &input.files {
        lines.push(format!("file {} = {}", file.name, short(&file.bytes)));
    }
    if let Some(bytes) = &input.stdin {
        lines.push(format!("standard input = {}", short(bytes)));
    }
    lines.extend(input.unusual_streams());
    lines.extend(input.failures.iter().map(|failure| format!("{failure} fails")));
    lines
        .extend(input.file_status.iter().map(|(file, status)| format!("stat of {file}: {status}")));
    lines
}

fn short_text(bytes: &[u8]) -> String {
    match bytes.get(..SHORT_BYTES).filter(|shown| shown.len() < bytes.len()) {
        Some(shown) => format!("{}...", text(shown)),
        None => text(bytes),
    }
}

/// The bytes of an object, which may be a number.
fn short_object(bytes: &[u8]) -> String {
    let number = integers(bytes).map_or(String::new(), |it| format!(" ({})", it.signed));
    format!("{}{number}", short(bytes))
}

fn short(all: &[u8]) -> String {
    let bytes = &all[..all.len().min(SHORT_BYTES)];
    if bytes.is_empty() {
        return "(no bytes)".into();
    }
    let rest = match all.len() - bytes.len() {
        0 => String::new(),
        more => format!(" ... ({} more)", grouped(more as u64)),
    };
    let words = match bytes.iter().any(|byte| byte.is_ascii_graphic()) {
        true => format!(" {}", text(bytes)),
        false => String::new(),
    };
    format!("0x{}{words}{rest}", hex(bytes))
}

/// A test in full.
pub fn render_test(test: &TestCase, style: Style) -> String {
    let mut out = String::new();
    if !test.args.is_empty() {
        let args: Vec<String> = test.args.iter().map(|arg| text(arg)).collect();
        out += &format!("{} {}\n", style.note("arguments"), args.join(" "));
    }
    if test.inputs.is_empty() {
        out += "nothing is symbolic on this path\n";
    }
    for (index, input) in test.inputs.iter().enumerate() {
        let size = plural(input.bytes.len() as u64, "byte");
        let name = style.strong(visible(&input.name));
        out += &format!("{} {} {name}, {size}\n", style.note("object"), index + 1);
        out += &dump(&input.bytes);
        out += &meanings(&input.bytes);
    }
    out
}

/// Sixteen bytes per line, with their offset and text. Repeated lines are replaced by a count.
fn dump(bytes: &[u8]) -> String {
    let width = format!("{:x}", bytes.len().saturating_sub(1)).len().max(2);
    let hex_width = (bytes.len().min(PER_LINE) * 3).saturating_sub(1);
    let chunks: Vec<&[u8]> = bytes.chunks(PER_LINE).collect();
    let mut out = String::new();
    let mut index = 0;
    while let Some(chunk) = chunks.get(index) {
        let offset = index * PER_LINE;
        out += &format!("  {offset:0width$x}  {:hex_width$}  {}\n", hex(chunk), text(chunk));
        let repeats = chunks[index + 1..].iter().take_while(|next| *next == chunk).count();
        // A single repeated line is as short as its count.
        if repeats > 1 {
            out += &format!("  {:width$}  repeated {}\n", "", plural(repeats as u64, "time"));
            index += repeats;
        }
        index += 1;
    }
    out
}

/// The numbers that the bytes may represent.
fn meanings(bytes: &[u8]) -> String {
    let mut out = String::new();
    if let Some(Integers { signed, unsigned }) = integers(bytes) {
        out += &format!("  as an integer: {signed}");
        if signed < 0 {
            out += &format!(", unsigned {unsigned}");
        }
        out += &format!(", 0x{unsigned:x}\n");
    }
    let float = match bytes.len() {
        4 => bytes.try_into().ok().map(f32::from_le_bytes).filter(|&f| plausible(f.into())),
        _ => None,
    };
    let double = match bytes.len() {
        8 => bytes.try_into().ok().map(f64::from_le_bytes).filter(|&f| plausible(f)),
        _ => None,
    };
    if let Some(float) = float {
        out += &format!("  as a float: {float:?}\n");
    }
    if let Some(double) = double {
        out += &format!("  as a double: {double:?}\n");
    }
    out
}

/// Whether a number of this magnitude is likely intended. Small integers give tiny values when read
/// as floats.
fn plausible(value: f64) -> bool {
    value.is_nan() || value.is_infinite() || (1e-9..1e15).contains(&value.abs())
}

struct Integers {
    signed: i64,
    unsigned: u64,
}

/// The bytes as a little-endian integer, if an integer type has this size.
fn integers(bytes: &[u8]) -> Option<Integers> {
    let size = bytes.len();
    if ![1, 2, 4, 8].contains(&size) {
        return None;
    }
    let unsigned = bytes.iter().rev().fold(0u64, |number, &byte| number << 8 | u64::from(byte));
    let unused = 64 - 8 * size as u32;
    Some(Integers { signed: ((unsigned << unused) as i64) >> unused, unsigned })
}

fn hex(bytes: &[u8]) -> String {
    let digits: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    digits.join(" ")
}

/// The bytes as a C string literal.
fn text(bytes: &[u8]) -> String {
    let mut out = String::from("\"");
    for (index, &byte) in bytes.iter().enumerate() {
        match byte {
            b'"' | b'\\' => out.extend(['\\', byte.into()]),
            b' '..=b'~' => out.push(byte.into()),
            b'\n' => out.push_str("\\n"),
            b'\t' => out.push_str("\\t"),
            b'\r' => out.push_str("\\r"),
            // A following digit would extend the escape.
            0 if !bytes.get(index + 1).is_some_and(u8::is_ascii_digit) => out.push_str("\\0"),
            _ => out.push_str(&format!("\\x{byte:02x}")),
        }
    }
    out + "\""
}

#[cfg(test)]
mod tests {
    use super::*;

    fn test(inputs: &[(&str, &[u8])]) -> TestCase {
        let input =
            |(name, bytes): &(&str, &[u8])| Input { name: name.to_string(), bytes: bytes.to_vec() };
        TestCase { args: vec![], inputs: inputs.iter().map(input).collect() }
    }

    fn plain(inputs: &[(&str, &[u8])]) -> String {
        render_test(&test(inputs), Style::new(false))
    }

    #[test]
    fn the_short_form() {
        let shown = |inputs| render_input(&test(inputs), Style::new(false));
        assert_eq!(shown(&[("x", b"abc")]), "input: x = 0x61 62 63 \"abc\"\n");
        let minus_two = shown(&[("n", b"\xfe\xff\xff\xff")]);
        assert_eq!(minus_two, "input: n = 0xfe ff ff ff (-2)\n");
        assert!(shown(&[("big", &[0; 40])]).ends_with(" 00 ... (8 more)\n"));
        assert_eq!(shown(&[("none", b"")]), "input: none = (no bytes)\n");
        let many: Vec<(&str, &[u8])> = vec![("x", b"abc"); 11];
        assert!(shown(&many).ends_with("input: ... and 3 more objects\n"));
        assert_eq!(shown(&[]), "input: nothing is symbolic on this path\n");
    }

    #[test]
    fn the_short_form_decodes_symbolic_inputs() {
        let words = "a.c x --sym-arg 2 --sym-env V 1 --sym-files 1 2 --sym-stdin 1 --max-fail 1";
        let mut test = test(&[
            ("arg00", b"-n\0"),
            ("env-V", b"\0\0"),
            ("A-data", b"a\n"),
            ("stdin", b"\0"),
            ("read_fail", &[1, 0, 0, 0]),
            ("write_fail", &[0; 4]),
            ("close_fail", &[0; 4]),
            ("ftruncate_fail", &[0; 4]),
            ("getcwd_fail", &[0; 4]),
            ("own", b"k"),
        ]);
        test.args = words.split(' ').map(|word| word.as_bytes().to_vec()).collect();
        let expected = "input: arguments \"x\" \"-n\"\ninput: variable V = \"\"\n\
                        input: file A = 0x61 0a \"a\\n\"\ninput: standard input = 0x00\n\
                        input: call 1 of read fails\ninput: own = 0x6b \"k\" (107)\n";
        assert_eq!(render_input(&test, Style::new(false)), expected);
    }

    #[test]
    fn the_long_form() {
        let shown = plain(&[("word", b"key"), ("n", b"\xff\xff\xff\xff")]);
        let expected = "object 1 word, 3 bytes\n  00  6b 65 79  \"key\"\n\
                        object 2 n, 4 bytes\n  00  ff ff ff ff  \"\\xff\\xff\\xff\\xff\"\n  \
                        as an integer: -1, unsigned 4294967295, 0xffffffff\n  as a float: NaN\n";
        assert_eq!(shown, expected);
        let arguments = TestCase { args: vec![b"a.c".to_vec(), b"-x".to_vec()], inputs: vec![] };
        let shown = render_test(&arguments, Style::new(false));
        assert_eq!(shown, "arguments \"a.c\" \"-x\"\nnothing is symbolic on this path\n");
        assert_eq!(plain(&[("e", b"")]), "object 1 e, 0 bytes\n");
    }

    #[test]
    fn numbers_of_every_size() {
        assert!(plain(&[("b", b"\x80")]).contains("as an integer: -128, unsigned 128, 0x80\n"));
        assert!(plain(&[("w", b"\x01\x02")]).contains("as an integer: 513, 0x201\n"));
        let double = plain(&[("d", &2.25f64.to_le_bytes())]);
        assert!(double.contains("as a double: 2.25\n"), "{double}");
        let small = plain(&[("n", &7u64.to_le_bytes())]);
        assert!(small.contains("as an integer: 7, 0x7\n") && !small.contains("double"), "{small}");
        assert!(!plain(&[("t", b"abc")]).contains("integer"));
    }

    #[test]
    fn repeated_lines_are_counted() {
        let mut bytes = vec![0; 16 * 100];
        bytes.extend(b"end");
        let shown = plain(&[("big", &bytes)]);
        assert_eq!(shown.lines().count(), 4, "{shown}");
        assert!(shown.contains("repeated 99 times"), "{shown}");
        assert!(shown.contains("\n  640  65 6e 64 "), "{shown}");
    }

    #[test]
    fn texts_are_written_as_in_c() {
        assert_eq!(text(b"a\"\\\n\0"), "\"a\\\"\\\\\\n\\0\"");
        assert_eq!(text(b"\x001\x1b"), "\"\\x001\\x1b\"");
    }
}
