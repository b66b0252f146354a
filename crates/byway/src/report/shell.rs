//! Quotes bytes for the shell (POSIX `sh`). Bytes that a terminal or a locale could alter on
//! pasting become octal escapes of `printf`.

/// Characters in the text of one `printf`.
const WIDTH: usize = 72;
/// A run of at least this many equal bytes is generated from its length.
const RUN: usize = 64;

/// A shell word whose value is exactly these bytes.
pub fn word(bytes: &[u8]) -> String {
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"_@%+=:,./-".contains(byte);
    if !bytes.is_empty() && bytes.iter().all(plain) {
        return String::from_utf8_lossy(bytes).into_owned();
    }
    let kind = |byte: u8| match byte {
        b'\'' => ByteClass::Quote,
        // Command substitution drops trailing newlines, so they are quoted.
        b' '..=b'~' | b'\n' => ByteClass::Text,
        _ => ByteClass::Escaped,
    };
    let parts = bytes.chunk_by(|a, b| kind(*a) == kind(*b));
    let written = parts.map(|part| match kind(part[0]) {
        ByteClass::Quote => "\\'".repeat(part.len()),
        ByteClass::Text => format!("'{}'", String::from_utf8_lossy(part)),
        ByteClass::Escaped => format!("\"$({})\"", printf(part)),
    });
    if bytes.is_empty() { "''".into() } else { written.collect() }
}

#[derive(PartialEq)]
enum ByteClass {
    Quote,
    Text,
    Escaped,
}

/// A command that prints exactly these bytes; if it has several lines, they are in braces.
pub fn print(bytes: &[u8]) -> String {
    let mut commands = commands(bytes);
    match commands.len() {
        0 => ":".into(),
        1 => commands.remove(0),
        _ => format!("{{\n  {}\n}}", commands.join("\n  ")),
    }
}

fn commands(bytes: &[u8]) -> Vec<String> {
    let mut commands = Vec::new();
    let mut text = Vec::new();
    for run in bytes.chunk_by(|a, b| a == b) {
        if run.len() < RUN {
            text.extend_from_slice(run);
            continue;
        }
        commands.extend(lines(&text));
        text.clear();
        commands.push(format!("printf '%0{}d' 0 | tr 0 '\\{:03o}'", run.len(), run[0]));
    }
    commands.extend(lines(&text));
    commands
}

/// One `printf` per line of [`WIDTH`] characters.
fn lines(mut bytes: &[u8]) -> Vec<String> {
    let mut lines = Vec::new();
    while !bytes.is_empty() {
        let mut width = 0;
        let fits = bytes.iter().take_while(|&&byte| {
            width += escape(byte).len();
            width <= WIDTH
        });
        let (line, rest) = bytes.split_at(fits.count());
        lines.push(printf(line));
        bytes = rest;
    }
    lines
}

fn printf(bytes: &[u8]) -> String {
    let mut format: String = bytes.iter().map(|&byte| escape(byte)).collect();
    // `printf` would take a leading dash for an option.
    if format.starts_with('-') {
        format.replace_range(..1, "\\055");
    }
    format!("printf '{format}'")
}

/// A byte in a `printf` format inside single quotes.
fn escape(byte: u8) -> String {
    match byte {
        b'\n' => "\\n".into(),
        b'\t' => "\\t".into(),
        b'\\' => "\\\\".into(),
        b'%' => "%%".into(),
        b'\'' => "\\047".into(),
        b' '..=b'~' => char::from(byte).to_string(),
        _ => format!("\\{byte:03o}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    /// The output of a script.
    fn run(script: &str) -> Vec<u8> {
        let output = Command::new("sh").args(["-c", script]).output().expect("sh starts");
        assert!(output.status.success() && output.stderr.is_empty(), "{script}: {output:?}");
        output.stdout
    }

    #[test]
    fn printable_words_stay_readable() {
        assert_eq!(word(b"-n1,2=x"), "-n1,2=x");
        assert_eq!(word(b""), "''");
        assert_eq!(word(b"a b$c"), "'a b$c'");
        assert_eq!(word(b"it's"), "'it'\\''s'");
        assert_eq!(word(b"\xff\x01x\n"), "\"$(printf '\\377\\001')\"'x\n'");
    }

    #[test]
    fn printable_data_stay_readable() {
        assert_eq!(print(b""), ":");
        assert_eq!(print(b"one 100%\n\0"), "printf 'one 100%%\\n\\000'");
        assert_eq!(print(b"-x"), "printf '\\055x'");
        let long = print(&[b"ab".repeat(40), vec![0; 5000]].concat());
        let expected = "{\n  printf 'abab";
        assert!(long.starts_with(expected) && long.lines().count() == 5, "{long}");
        assert!(long.ends_with("\n  printf '%05000d' 0 | tr 0 '\\000'\n}"), "{long}");
    }

    #[test]
    fn a_shell_reads_back_every_byte() {
        let every: Vec<u8> = (1..=255).collect();
        let pairs: Vec<u8> =
            every.iter().flat_map(|&byte| [byte, b'7', byte, b'\n', byte]).collect();
        for bytes in [every, pairs, b"\n\n".to_vec(), b"''".to_vec(), b"-n".to_vec(), vec![]] {
            let script = format!("printf %s {}", word(&bytes));
            assert_eq!(run(&script), bytes, "{script}");
            let mut with_zeros = bytes.clone();
            with_zeros.extend([0, b'7', 0, 0]);
            with_zeros.extend([b'x'; RUN]);
            with_zeros.extend(bytes);
            let script = print(&with_zeros);
            assert_eq!(run(&script), with_zeros, "{script}");
        }
    }
}
