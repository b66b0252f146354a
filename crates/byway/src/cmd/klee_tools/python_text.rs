//! Text and bytes as Python's `repr` prints them: KLEE's tools are Python, and scripts parse
//! what they print.

use std::fmt::Write as _;

/// Text between quotes. Bytes that are not UTF-8 become the surrogates that Python keeps them as.
pub fn python_string(text: &[u8]) -> String {
    let quote = quote(text);
    let mut shown = String::from(quote);
    for chunk in text.utf8_chunks() {
        for character in chunk.valid().chars() {
            push(&mut shown, character, quote);
        }
        for byte in chunk.invalid() {
            // Writing to a string cannot fail.
            let _ = write!(shown, "\\udc{byte:02x}");
        }
    }
    shown.push(quote);
    shown
}

/// A list of texts.
pub fn python_list(texts: &[Vec<u8>]) -> String {
    let shown: Vec<String> = texts.iter().map(|text| python_string(text)).collect();
    format!("[{}]", shown.join(", "))
}

/// Bytes between quotes, after a `b`.
pub fn python_bytes(bytes: &[u8]) -> String {
    let quote = quote(bytes);
    let mut shown = format!("b{quote}");
    for &byte in bytes {
        match byte.is_ascii() {
            true => push(&mut shown, char::from(byte), quote),
            false => {
                let _ = write!(shown, "\\x{byte:02x}");
            }
        }
    }
    shown.push(quote);
    shown
}

/// Double quotes only where they save escapes.
fn quote(text: &[u8]) -> char {
    if text.contains(&b'\'') && !text.contains(&b'"') { '"' } else { '\'' }
}

fn push(shown: &mut String, character: char, quote: char) {
    let code = u32::from(character);
    // Writing to a string cannot fail.
    let _ = match character {
        '\\' => write!(shown, "\\\\"),
        '\t' => write!(shown, "\\t"),
        '\n' => write!(shown, "\\n"),
        '\r' => write!(shown, "\\r"),
        _ if character == quote => write!(shown, "\\{character}"),
        ' '..='~' => write!(shown, "{character}"),
        _ if code < 0x100 && (code < 0xa1 || code == 0xad) => write!(shown, "\\x{code:02x}"),
        _ if !is_printable(character) && code < 0x1_0000 => write!(shown, "\\u{code:04x}"),
        _ if !is_printable(character) => write!(shown, "\\U{code:08x}"),
        _ => write!(shown, "{character}"),
    };
}

fn is_printable(character: char) -> bool {
    !character.is_control()
        && !character.is_whitespace()
        && !character.escape_debug().to_string().starts_with("\\u")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_quoted_as_in_python() {
        for (text, shown) in [
            ("a", "'a'"),
            ("it's", "\"it's\""),
            ("it's \"so\"", "'it\\'s \"so\"'"),
            ("\\\t\n\r\u{0}\u{7f}", "'\\\\\\t\\n\\r\\x00\\x7f'"),
            ("é\u{a0}\u{ad}€\u{2028}😀\u{e0001}", "'é\\xa0\\xad€\\u2028😀\\U000e0001'"),
        ] {
            assert_eq!(python_string(text.as_bytes()), shown);
        }
        assert_eq!(python_string(b"a\xff"), "'a\\udcff'");
        assert_eq!(python_list(&[b"x.bc".to_vec(), b"".to_vec()]), "['x.bc', '']");
    }

    #[test]
    fn bytes_are_quoted_as_in_python() {
        assert_eq!(python_bytes(b"\0\x80ab'"), "b\"\\x00\\x80ab'\"");
        assert_eq!(python_bytes("é".as_bytes()), "b'\\xc3\\xa9'");
        assert_eq!(python_bytes(b""), "b''");
    }
}
