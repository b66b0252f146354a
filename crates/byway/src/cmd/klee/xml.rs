//! `testNNNNNN.xml` and `metadata.xml`: the format of the competition on software testing.

use byway_base::TestCase;

const HEADER: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n";
const FORMAT: &str = "https://sosy-lab.org/test-format";

/// A test; each input is a number, little endian.
pub fn test(test: &TestCase, is_error: bool) -> String {
    let mut text = document_type("testcase");
    text += if is_error { "<testcase coversError=\"true\">\n" } else { "<testcase>\n" };
    for input in &test.inputs {
        let name = escape(&input.name);
        let digits: String = input.bytes.iter().rev().map(|byte| format!("{byte:02x}")).collect();
        let number = match digits.is_empty() {
            true => "0".to_string(),
            false => decimal(&input.bytes).unwrap_or_else(|| format!("0x{digits}")),
        };
        text += &format!("\t<input variable=\"{name}\" type=\"{name}\">{number}</input>\n");
    }
    text + "</testcase>\n"
}

/// The description of a test suite.
pub fn metadata(program: &str, hash: &str, function: &str, created: &str) -> String {
    let fields = [
        ("sourcecodelang", "C"),
        ("producer", "Byway"),
        ("specification", "COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )"),
        ("programfile", program),
        ("programhash", hash),
        ("entryfunction", function),
        ("architecture", "64bit"),
        ("creationtime", created),
    ];
    let lines = fields.map(|(name, value)| format!("\t<{name}>{}</{name}>\n", escape(value)));
    format!(
        "{}<test-metadata>\n{}</test-metadata>\n",
        document_type("test-metadata"),
        lines.concat()
    )
}

fn document_type(root: &str) -> String {
    format!(
        "{HEADER}<!DOCTYPE {root} PUBLIC \"+//IDN sosy-lab.org//DTD test-format {root} 1.1//EN\" \
         \"{FORMAT}/{root}-1.1.dtd\">\n"
    )
}

/// The signed number, if it has at most sixteen bytes.
fn decimal(bytes: &[u8]) -> Option<String> {
    let fill = if bytes.last()? & 0x80 != 0 { 0xff } else { 0 };
    let mut wide = [fill; 16];
    wide.get_mut(..bytes.len())?.copy_from_slice(bytes);
    Some(i128::from_le_bytes(wide).to_string())
}

fn escape(text: &str) -> String {
    let mut escaped = String::new();
    for c in text.chars() {
        match c {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '"' => escaped += "&quot;",
            c if c.is_control() => escaped.push('\u{fffd}'),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use byway_base::Input;

    use super::*;

    #[test]
    fn inputs_are_signed_numbers() {
        let input = |name: &str, bytes: &[u8]| Input { name: name.into(), bytes: bytes.into() };
        let case = TestCase {
            args: vec![],
            inputs: vec![input("a<b", &[0xff, 0xff]), input("n", &[1, 2]), input("long", &[1; 17])],
        };
        let text = test(&case, true);
        assert!(text.contains("<testcase coversError=\"true\">"), "{text}");
        assert!(text.contains("variable=\"a&lt;b\" type=\"a&lt;b\">-1</input>"), "{text}");
        assert!(text.contains(">513</input>"), "{text}");
        assert!(text.contains(&format!(">0x{}</input>", "01".repeat(17))), "{text}");
    }
}
