//! The file of command lines, `bench/coreutils/commands.txt`, taken apart.
//!
//! It is meant to be written and read by people who know a shell:
//!
//! ```text
//! # a comment
//! +dir d                       before any command: a folder, a file with contents, a
//! +file d/a $'one\ntwo\n'      symbolic link, in the folder that commands run in
//! +link l d/a
//! seq -w 8 10                  a tool and its arguments
//! $'b\na\n' | sort -r          the same with standard input given
//! ```
//!
//! Words are split at blanks; `'...'` is taken as it is and `$'...'` knows the escapes
//! `\n`, `\t`, `\r`, `\0`, `\\`, `\'` and `\xHH`.

use std::collections::BTreeSet;

/// The contents of the file.
#[derive(Default, Debug, PartialEq)]
pub struct CommandFile {
    /// The files to create in the folder before a command.
    pub fixtures: Vec<Fixture>,
    /// The command lines, in the file's order.
    pub lines: Vec<ToolCommand>,
}

/// Something in the folder that commands run in.
#[derive(Debug, PartialEq)]
pub enum Fixture {
    /// A folder of this name.
    Dir(String),
    /// A file of this name with these contents.
    File(String, Vec<u8>),
    /// A symbolic link of this name to that.
    Link(String, String),
}

/// One run of a tool.
#[derive(Debug, PartialEq)]
pub struct ToolCommand {
    /// The line as it stands in the file.
    pub text: String,
    /// The tool.
    pub tool: String,
    /// Its arguments.
    pub args: Vec<Vec<u8>>,
    /// Its standard input.
    pub stdin: Vec<u8>,
}

/// Reads the whole file; an error names the line.
pub fn parse(text: &str) -> Result<CommandFile, String> {
    let mut commands = CommandFile::default();
    let mut seen = BTreeSet::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if !seen.insert(line) {
            return Err(format!("line {}: stands there twice: {line}", number + 1));
        }
        let parsed = match line.strip_prefix('+') {
            Some(rest) => fixture(rest).map(|fixture| commands.fixtures.push(fixture)),
            None => command_line(line).map(|line| commands.lines.push(line)),
        };
        parsed.map_err(|error| format!("line {}: {error}: {line}", number + 1))?;
    }
    Ok(commands)
}

fn fixture(line: &str) -> Result<Fixture, String> {
    let words = words(line)?;
    let text = |word: &CommandWord| String::from_utf8_lossy(&word.bytes).into_owned();
    match &words[..] {
        [kind, name] if kind.is("dir") => Ok(Fixture::Dir(text(name))),
        [kind, name, contents] if kind.is("file") => {
            Ok(Fixture::File(text(name), contents.bytes.clone()))
        }
        [kind, name, target] if kind.is("link") => Ok(Fixture::Link(text(name), text(target))),
        _ => Err("neither `+dir NAME`, `+file NAME CONTENTS` nor `+link NAME TARGET`".to_owned()),
    }
}

fn command_line(line: &str) -> Result<ToolCommand, String> {
    let mut words = words(line)?;
    let mut stdin = Vec::new();
    if words.get(1).is_some_and(|word| !word.quoted && word.is("|")) {
        stdin = words.remove(0).bytes;
        words.remove(0);
    }
    if words.is_empty() {
        return Err("no tool".to_owned());
    }
    let tool = String::from_utf8(words.remove(0).bytes).map_err(|_| "the tool is no text")?;
    let args = words.into_iter().map(|word| word.bytes).collect();
    Ok(ToolCommand { text: line.to_owned(), tool, args, stdin })
}

/// A word, and whether any of it was quoted.
#[derive(Default)]
struct CommandWord {
    bytes: Vec<u8>,
    quoted: bool,
}

impl CommandWord {
    fn is(&self, text: &str) -> bool {
        self.bytes == text.as_bytes()
    }
}

fn words(line: &str) -> Result<Vec<CommandWord>, String> {
    let mut words = Vec::new();
    let mut word: Option<CommandWord> = None;
    let mut rest = line.bytes().peekable();
    while let Some(byte) = rest.next() {
        if byte == b' ' || byte == b'\t' {
            words.extend(word.take());
            continue;
        }
        let word = word.get_or_insert_default();
        let escapes = byte == b'$' && rest.next_if_eq(&b'\'').is_some();
        if escapes || byte == b'\'' {
            word.quoted = true;
            quoted(&mut rest, escapes, &mut word.bytes)?;
        } else {
            word.bytes.push(byte);
        }
    }
    words.extend(word);
    Ok(words)
}

/// Takes up to the closing quote.
fn quoted(
    rest: &mut impl Iterator<Item = u8>,
    escapes: bool,
    out: &mut Vec<u8>,
) -> Result<(), String> {
    loop {
        match rest.next().ok_or("a quote is not closed")? {
            b'\'' => return Ok(()),
            b'\\' if escapes => out.push(escaped(rest)?),
            byte => out.push(byte),
        }
    }
}

fn escaped(rest: &mut impl Iterator<Item = u8>) -> Result<u8, String> {
    let byte = rest.next().ok_or("nothing behind a backslash")?;
    Ok(match byte {
        b'n' => b'\n',
        b't' => b'\t',
        b'r' => b'\r',
        b'0' => 0,
        b'\\' | b'\'' => byte,
        b'x' => {
            let mut digit = || rest.next().and_then(|digit| (digit as char).to_digit(16));
            let (Some(high), Some(low)) = (digit(), digit()) else {
                return Err("\\x needs two hexadecimal digits".to_owned());
            };
            (high * 16 + low) as u8
        }
        other => return Err(format!("there is no escape \\{}", other as char)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_input_a_tool_and_arguments() {
        let line = command_line(r"$'b\n\x41' | tr -d 'a \n' '' x").expect("a line");
        assert_eq!(line.stdin, b"b\nA");
        assert_eq!(line.tool, "tr");
        assert_eq!(line.args, [&b"-d"[..], b"a \\n", b"", b"x"]);
    }

    #[test]
    fn a_quoted_bar_is_an_argument() {
        let line = command_line("expr '|' 1").expect("a line");
        assert_eq!((line.tool.as_str(), line.stdin.len()), ("expr", 0));
        let line = command_line("expr 0 '|' 1").expect("a line");
        assert_eq!(line.args.len(), 3);
    }

    #[test]
    fn fixtures_come_with_contents() {
        let commands = parse("+dir d\n# no\n+file d/a $'x\\0'\n+link l d/a\n").expect("a file");
        let expected = [
            Fixture::Dir("d".to_owned()),
            Fixture::File("d/a".to_owned(), b"x\0".to_vec()),
            Fixture::Link("l".to_owned(), "d/a".to_owned()),
        ];
        assert_eq!(commands.fixtures, expected);
    }

    #[test]
    fn mistakes_are_named_with_their_line() {
        for (text, message) in [
            ("echo 'x", "not closed"),
            ("\necho $'\\q'", "line 2: there is no escape \\q"),
            ("echo $'\\xg0'", "hexadecimal"),
            ("+file a", "neither"),
            ("'x' |", "no tool"),
            ("ls\nls", "line 2: stands there twice"),
        ] {
            let error = parse(text).expect_err(text);
            assert!(error.contains(message), "{error}");
        }
    }

    #[test]
    fn every_tool_that_is_built_has_three_command_lines() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("coreutils");
        let read = |name| std::fs::read_to_string(folder.join(name)).expect("a file of ours");
        let commands = parse(&read("commands.txt")).expect("command lines");
        let tools = read("tools.txt");
        let mut tools: Vec<&str> = tools.lines().filter(|line| !line.contains(' ')).collect();
        tools.retain(|tool| commands.lines.iter().filter(|line| line.tool == *tool).count() < 3);
        assert_eq!(tools, [""; 0]);
    }
}
