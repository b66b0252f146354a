//! `byway ktest-tool`: prints the objects of tests, or writes them to files.

mod flags;

use std::ffi::OsString;
use std::fmt::Write as _;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use byway_base::{Input, TestCase};
use byway_testcase::ktest;

pub use flags::{EXAMPLES, KtestToolFlags};

use super::python_text::{python_bytes, python_list, python_string};
use crate::console::print;
use crate::exit;
use crate::failure::{Failure, Result};

/// Prints each test, or extracts objects from it.
pub fn ktest_tool(flags: &KtestToolFlags) -> Result<u8> {
    for file in &flags.files {
        let test = ktest::read(file).map_err(|error| Failure::io("read", file, &error))?;
        match flags.extract.is_empty() {
            true => print(&render(file, &test, flags))?,
            false => extract(file, &test, flags)?,
        }
    }
    Ok(exit::SUCCESS)
}

fn render(file: &Path, test: &TestCase, flags: &KtestToolFlags) -> String {
    let mut text = format!(
        "ktest file : {}\nargs       : {}\nnum objects: {}\n",
        python_string(file.as_os_str().as_bytes()),
        python_list(&test.args),
        test.inputs.len()
    );
    let width = test.inputs.len().saturating_sub(1).max(1).to_string().len();
    for (index, input) in test.inputs.iter().enumerate() {
        for (key, value) in facts(input, flags) {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "object {index:width$}: {key:<4}: {value}");
        }
    }
    text
}

/// What is printed of an object: keys and values.
fn facts(input: &Input, flags: &KtestToolFlags) -> Vec<(&'static str, String)> {
    let shown = shown(&input.bytes, flags);
    let number = number(&input.bytes);
    let data = match number {
        Some((signed, _)) if flags.write_ints && input.bytes.len() == 4 => signed.to_string(),
        _ => python_bytes(shown),
    };
    let mut facts = vec![
        ("name", format!("'{}'", input.name)),
        ("size", input.bytes.len().to_string()),
        ("data", data),
        ("hex", format!("0x{}", hexadecimal(shown))),
    ];
    if let Some((signed, unsigned)) = number {
        facts.push(("int", signed.to_string()));
        facts.push(("uint", unsigned.to_string()));
    }
    facts.push(("text", shown.iter().map(|&byte| printable(byte)).collect()));
    facts
}

fn shown<'a>(bytes: &'a [u8], flags: &KtestToolFlags) -> &'a [u8] {
    let end = bytes.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
    if flags.trim_zeros { &bytes[..end] } else { bytes }
}

/// The object as an integer of its size, signed and unsigned.
fn number(bytes: &[u8]) -> Option<(i64, u64)> {
    if !matches!(bytes.len(), 1 | 2 | 4 | 8) {
        return None;
    }
    let mut padded = [0; 8];
    padded[..bytes.len()].copy_from_slice(bytes);
    let unsigned = u64::from_le_bytes(padded);
    let unused = 64 - 8 * bytes.len() as u32;
    Some(((unsigned << unused) as i64 >> unused, unsigned))
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn printable(byte: u8) -> char {
    if matches!(byte, b' '..=b'~') { char::from(byte) } else { '.' }
}

/// Writes the named objects to files beside the test. Of several with one name, the last stays.
fn extract(file: &Path, test: &TestCase, flags: &KtestToolFlags) -> Result<()> {
    for name in &flags.extract {
        let mut objects = test.inputs.iter().filter(|it| it.name.as_bytes() == name.as_bytes());
        let Some(object) = objects.next_back() else {
            return Err(Failure::new(format!(
                "'{}' has no object '{}'",
                file.display(),
                name.display()
            )));
        };
        // It would be a file somewhere else.
        if object.name.contains('/') {
            return Err(Failure::new(format!("'{}' cannot be part of a file name", object.name)));
        }
        let mut path: OsString = file.into();
        path.push(".");
        path.push(name);
        let path = Path::new(&path);
        fs::write(path, shown(&object.bytes, flags))
            .map_err(|error| Failure::io("write", path, &error))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flags() -> KtestToolFlags {
        KtestToolFlags { trim_zeros: false, write_ints: false, extract: vec![], files: vec![] }
    }

    fn test(objects: &[(&str, &[u8])]) -> TestCase {
        let inputs =
            objects.iter().map(|&(name, bytes)| Input { name: name.into(), bytes: bytes.to_vec() });
        TestCase { args: vec![b"get_sign.bc".to_vec()], inputs: inputs.collect() }
    }

    #[test]
    fn a_test_is_printed_in_klees_form() {
        let text = render(Path::new("x.ktest"), &test(&[("a", b"\0\0\0\x80")]), &flags());
        let expected = "ktest file : 'x.ktest'\nargs       : ['get_sign.bc']\nnum objects: 1\n\
                        object 0: name: 'a'\nobject 0: size: 4\n\
                        object 0: data: b'\\x00\\x00\\x00\\x80'\nobject 0: hex : 0x00000080\n\
                        object 0: int : -2147483648\nobject 0: uint: 2147483648\n\
                        object 0: text: ....\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn options_change_the_data() {
        let objects = test(&[("n", b"A\xff\0\0"), ("three", b"B\0\0")]);
        let print = |flags: KtestToolFlags| render(Path::new("x"), &objects, &flags);
        let trimmed = print(KtestToolFlags { trim_zeros: true, ..flags() });
        assert!(trimmed.contains("object 0: size: 4\nobject 0: data: b'A\\xff'\n"), "{trimmed}");
        assert!(trimmed.contains("object 0: int : 65345\n"), "{trimmed}");
        assert!(trimmed.ends_with("object 1: hex : 0x42\nobject 1: text: B\n"), "{trimmed}");
        let numbers = print(KtestToolFlags { write_ints: true, ..flags() });
        assert!(numbers.contains("object 0: data: 65345\n"), "{numbers}");
        assert!(numbers.contains("object 1: data: b'B\\x00\\x00'\n"), "{numbers}");
    }

    #[test]
    fn indices_have_one_width() {
        let objects: Vec<(&str, &[u8])> = vec![("x", b""); 11];
        let text = render(Path::new("x"), &test(&objects), &flags());
        assert!(text.contains("object  0: name: 'x'\n") && text.contains("object 10: name: 'x'\n"));
    }

    #[test]
    fn numbers_are_those_of_their_size() {
        assert_eq!(number(b"\xff"), Some((-1, 255)));
        assert_eq!(number(b"\x01\x80"), Some((-32767, 32769)));
        assert_eq!(number(&[255; 8]), Some((-1, u64::MAX)));
        assert_eq!(number(b"abc"), None);
        assert_eq!(number(b""), None);
    }
}
