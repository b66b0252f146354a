//! Parses a command line in a subset of the shell's syntax: quotes, escapes, comments, and a file
//! for standard input.
//!
//! ```text
//! line = word* ['<' word] ['#' comment]
//! word = part+
//! part = byte | \byte | 'bytes' | "bytes, \" and \\" | $'bytes, \n, \x7f, \177, ...'
//! ```

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;

/// The arguments and standard input of a program.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CommandLine {
    /// Without the program's name.
    pub arguments: Vec<Vec<u8>>,
    /// The file to read standard input from.
    pub stdin: Option<PathBuf>,
}

/// Bytes of shell syntax that is not supported.
const FOR_SHELLS: &[u8] = b"|&;()>`";

/// Parses a line; `None` if it is empty or a comment.
pub fn parse(line: &[u8]) -> Result<Option<CommandLine>, String> {
    let mut parser = CommandLineParser { rest: line.strip_suffix(b"\r").unwrap_or(line) };
    let mut found = CommandLine::default();
    let mut empty = true;
    loop {
        parser.skip_blanks();
        match parser.rest.first() {
            None | Some(b'#') => break,
            Some(b'<') => {
                parser.rest = &parser.rest[1..];
                parser.skip_blanks();
                let name = parser.word()?.filter(|name| !name.is_empty());
                let name = name.ok_or("'<' without a file name")?;
                found.stdin = Some(PathBuf::from(OsString::from_vec(name)));
            }
            Some(_) => match parser.word()? {
                Some(word) => found.arguments.push(word),
                None => break,
            },
        }
        empty = false;
    }
    match found.arguments.iter().any(|word| word.contains(&0)) {
        true => Err("an argument contains a zero byte".into()),
        false => Ok((!empty).then_some(found)),
    }
}

struct CommandLineParser<'a> {
    rest: &'a [u8],
}

impl<'a> CommandLineParser<'a> {
    fn skip_blanks(&mut self) {
        self.rest = self.rest.trim_ascii_start();
    }

    fn next(&mut self) -> Option<u8> {
        let (&byte, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(byte)
    }

    /// The next word; `None` if none begins here.
    fn word(&mut self) -> Result<Option<Vec<u8>>, String> {
        let mut word = None;
        while let Some(&byte) = self.rest.first() {
            if byte.is_ascii_whitespace() || byte == b'<' {
                break;
            }
            self.rest = &self.rest[1..];
            let bytes: &mut Vec<u8> = word.get_or_insert_default();
            match byte {
                b'\'' => bytes.extend(self.quoted(byte)?),
                b'"' => self.double_quoted(bytes)?,
                b'\\' => bytes.push(self.next().ok_or("backslash at the end of the line")?),
                b'$' if self.rest.first() == Some(&b'\'') => {
                    self.rest = &self.rest[1..];
                    self.escaped(bytes)?;
                }
                b'$' if self.expands() => return Err(needs_shell("$")),
                _ if FOR_SHELLS.contains(&byte) => {
                    return Err(needs_shell(&char::from(byte).to_string()));
                }
                _ => bytes.push(byte),
            }
        }
        Ok(word)
    }

    /// The bytes before the closing quote.
    fn quoted(&mut self, quote: u8) -> Result<&'a [u8], String> {
        let end = self.rest.iter().position(|&byte| byte == quote).ok_or(OPEN)?;
        let (inside, rest) = self.rest.split_at(end);
        self.rest = &rest[1..];
        Ok(inside)
    }

    fn double_quoted(&mut self, bytes: &mut Vec<u8>) -> Result<(), String> {
        loop {
            match self.next().ok_or(OPEN)? {
                b'"' => return Ok(()),
                b'\\' if self.rest.first().is_some_and(|next| b"\"\\$`".contains(next)) => {
                    bytes.extend(self.next());
                }
                b'`' => return Err(needs_shell("`")),
                b'$' if self.expands() => return Err(needs_shell("$")),
                byte => bytes.push(byte),
            }
        }
    }

    /// The bytes of `$'...'`.
    fn escaped(&mut self, bytes: &mut Vec<u8>) -> Result<(), String> {
        loop {
            let byte = match self.next().ok_or(OPEN)? {
                b'\'' => return Ok(()),
                b'\\' => match self.next().ok_or(OPEN)? {
                    b'n' => b'\n',
                    b't' => b'\t',
                    b'r' => b'\r',
                    b'a' => 7,
                    b'b' => 8,
                    b'v' => 11,
                    b'f' => 12,
                    b'e' => 27,
                    b'x' => self.digits(16, 2)?,
                    digit @ b'0'..=b'7' => {
                        let first = digit - b'0';
                        let more = self.rest.iter().take(2).take_while(|d| is_octal(**d)).count();
                        match more {
                            0 => first,
                            more => {
                                let rest = self.digits(8, more)?;
                                first.wrapping_mul(8u8.wrapping_pow(more as u32)).wrapping_add(rest)
                            }
                        }
                    }
                    other => other,
                },
                byte => byte,
            };
            bytes.push(byte);
        }
    }

    /// A number of at most `most` digits.
    fn digits(&mut self, radix: u32, most: usize) -> Result<u8, String> {
        let is_digit = |byte: &&u8| char::from(**byte).is_digit(radix);
        let count = self.rest.iter().take(most).take_while(is_digit).count();
        let (digits, rest) = self.rest.split_at(count);
        self.rest = rest;
        let text = std::str::from_utf8(digits).unwrap_or_default();
        u8::from_str_radix(text, radix).map_err(|_| "escape without digits".into())
    }

    /// Whether a shell would expand the dollar sign.
    fn expands(&self) -> bool {
        let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"_{(@*#?!$-".contains(byte);
        self.rest.first().is_some_and(is_name)
    }
}

const OPEN: &str = "unclosed quote";

fn is_octal(byte: u8) -> bool {
    (b'0'..=b'7').contains(&byte)
}

fn needs_shell(what: &str) -> String {
    format!("'{what}' would need a shell; quote it to pass it literally")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    fn arguments(line: &str) -> Vec<Vec<u8>> {
        parse(line.as_bytes()).expect("a good line").expect("something on it").arguments
    }

    #[test]
    fn words_agree_with_a_shell() {
        let lines = [
            "-d: -f2",
            r"a\ b 'c d' e'f g'h",
            r#""a \"b\" \\ \c $ 'd'" '' """#,
            "a#b x=1 [z] {y} ! % ^ * +",
            r"\# \$HOME '$HOME' \< '<'",
            "tab\there\t\t  spaces   ",
        ];
        for line in lines {
            let script = format!("set -f; printf '%s\\0' {line}");
            let output = Command::new("sh").args(["-c", &script]).output().expect("sh starts");
            let mut expected: Vec<&[u8]> = output.stdout.split(|&byte| byte == 0).collect();
            expected.pop();
            assert_eq!(arguments(line), expected, "{line}");
        }
    }

    #[test]
    fn escapes_are_bytes() {
        assert_eq!(arguments(r"$'\n\t\\\'\x41\x7f\101\0179'"), [b"\n\t\\'A\x7fA\x0f9"]);
        assert_eq!(arguments(r"$'\377'x $"), [b"\xffx".to_vec(), b"$".to_vec()]);
        assert_eq!(parse(b"\xff").expect("good").expect("something").arguments, [b"\xff"]);
    }

    #[test]
    fn comments_and_empty_lines_are_skipped() {
        for line in ["", "  \t", "# x", "  # y", "\r"] {
            assert_eq!(parse(line.as_bytes()), Ok(None), "{line:?}");
        }
        assert_eq!(arguments("a # b"), [b"a"]);
        assert_eq!(arguments("''"), [b""]);
    }

    #[test]
    fn standard_input_is_a_file() {
        let line = parse(b"-c '<' <in/x.txt # as it is").expect("good").expect("something");
        assert_eq!(line.arguments, [b"-c", b"<".as_slice()]);
        assert_eq!(line.stdin, Some("in/x.txt".into()));
        let alone = parse(b"< 'a b'").expect("good").expect("something");
        assert_eq!((alone.arguments.len(), alone.stdin), (0, Some("a b".into())));
    }

    #[test]
    fn invalid_lines_are_rejected() {
        let wrong = |line: &str| parse(line.as_bytes()).expect_err("a bad line");
        assert_eq!(wrong("a 'b"), "unclosed quote");
        assert_eq!(wrong("a \"b"), "unclosed quote");
        assert_eq!(wrong("a $'b\\'"), "unclosed quote");
        assert_eq!(wrong("a\\"), "backslash at the end of the line");
        assert_eq!(wrong("a <"), "'<' without a file name");
        assert_eq!(wrong("$'\\x'"), "escape without digits");
        assert_eq!(wrong("$'\\0'"), "an argument contains a zero byte");
        for line in ["a | b", "a > b", "$HOME", "\"$(ls)\"", "`ls`", "a; b", "a & b"] {
            assert!(wrong(line).ends_with("quote it to pass it literally"), "{line}");
        }
    }

    #[test]
    fn fuzz_args() {
        let seeds = ["-d: -f2 < input/abc # comment", "--output-d=' ' $'\\x7f' \"a b\" c\\ d"];
        byway_fuzz::Fuzz::new("args", seeds).run(|input| match parse(input) {
            Ok(line) => format!("{}", line.is_some()),
            Err(error) => error,
        });
    }
}
