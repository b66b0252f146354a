//! The lexer.

use std::borrow::Cow;

use super::parse::ParseError;

/// A token of the text form.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Token<'s> {
    /// A keyword, mnemonic, type or number with a letter before it: `add`, `v3`.
    Word(&'s str),
    /// A reference to the debug tables, without its `!`.
    Note(&'s str),
    /// A symbol, without its `@`.
    Name(Cow<'s, str>),
    /// Without its sign.
    Number(u128),
    /// The bytes a string or hexadecimal string stands for.
    Bytes(Vec<u8>),
    /// Punctuation.
    Mark(&'static str),
    /// The end of the text.
    End,
}

impl Token<'_> {
    /// Its description in an error message.
    pub fn describe(&self) -> String {
        match self {
            Token::Word(w) => format!("`{w}`"),
            Token::Note(w) => format!("`!{w}`"),
            Token::Name(n) => format!("the symbol `@{n}`"),
            Token::Number(n) => format!("the number {n}"),
            Token::Bytes(_) => "a string".to_owned(),
            Token::Mark(m) => format!("`{m}`"),
            Token::End => "the end of the text".to_owned(),
        }
    }
}

const MARKS: [&str; 14] = ["->", "...", "(", ")", "{", "}", "[", "]", ",", ":", "=", "+", "-", "*"];

/// Whether an unquoted symbol name can contain the byte.
pub(super) fn is_name_byte(b: u8) -> bool {
    b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'$')
}

fn is_word_byte(b: u8) -> bool {
    b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.')
}

/// Splits a text into tokens.
pub(super) struct Lexer<'s> {
    source: &'s str,
    offset: usize,
}

impl<'s> Lexer<'s> {
    pub fn new(source: &'s str) -> Self {
        Lexer { source, offset: 0 }
    }

    /// The next token, and the offset at which it begins.
    pub fn next(&mut self) -> Result<(Token<'s>, usize), ParseError> {
        self.skip_blank();
        let start = self.offset;
        Ok((self.token()?, start))
    }

    fn rest(&self) -> &'s [u8] {
        &self.source.as_bytes()[self.offset..]
    }

    fn skip_blank(&mut self) {
        loop {
            match self.rest().first() {
                Some(b) if b.is_ascii_whitespace() => self.offset += 1,
                Some(b';') => self.take_while(|b| b != b'\n'),
                _ => return,
            }
        }
    }

    fn take_while(&mut self, keep: impl Fn(u8) -> bool) {
        self.offset += self.rest().iter().take_while(|&&b| keep(b)).count();
    }

    /// The text of a run of such ASCII bytes.
    fn run(&mut self, keep: impl Fn(u8) -> bool) -> &'s str {
        let start = self.offset;
        self.take_while(|b| b.is_ascii() && keep(b));
        &self.source[start..self.offset]
    }

    fn token(&mut self) -> Result<Token<'s>, ParseError> {
        match self.rest() {
            [] => Ok(Token::End),
            [b'@', b'"', ..] => {
                self.offset += 1;
                let start = self.offset;
                let name = String::from_utf8(self.string()?)
                    .map_err(|_| self.error(start, "the name is not UTF-8"))?;
                Ok(Token::Name(Cow::Owned(name)))
            }
            [b'@', ..] => {
                self.offset += 1;
                let name = self.run(is_name_byte);
                if name.is_empty() {
                    return Err(self.error(self.offset, "expected a name after `@`"));
                }
                Ok(Token::Name(Cow::Borrowed(name)))
            }
            [b'!', ..] => {
                self.offset += 1;
                Ok(Token::Note(self.run(is_word_byte)))
            }
            [b'x', b'"', ..] => self.hex_string().map(Token::Bytes),
            [b'"', ..] => self.string().map(Token::Bytes),
            [b'0'..=b'9', ..] => self.number().map(Token::Number),
            [b, ..] if b.is_ascii_alphabetic() => Ok(Token::Word(self.run(is_word_byte))),
            rest => {
                let Some(mark) = MARKS.iter().find(|m| rest.starts_with(m.as_bytes())) else {
                    let c = self.source[self.offset..].chars().next().unwrap_or_default();
                    return Err(self.error(self.offset, format!("unexpected character {c:?}")));
                };
                self.offset += mark.len();
                Ok(Token::Mark(mark))
            }
        }
    }

    fn number(&mut self) -> Result<u128, ParseError> {
        let start = self.offset;
        let text = self.run(|b| b.is_ascii_alphanumeric());
        let value = match text.strip_prefix("0x") {
            Some(digits) => u128::from_str_radix(digits, 16),
            None => text.parse(),
        };
        value
            .map_err(|_| self.error(start, format!("`{text}` is not a number of at most 128 bits")))
    }

    fn string(&mut self) -> Result<Vec<u8>, ParseError> {
        let start = self.offset;
        self.offset += 1;
        let mut bytes = Vec::new();
        loop {
            match self.rest() {
                [b'"', ..] => {
                    self.offset += 1;
                    return Ok(bytes);
                }
                [b'\\', ..] => {
                    self.offset += 1;
                    bytes.push(self.hex_byte()?);
                }
                [] | [b'\n', ..] => return Err(self.error(start, "unterminated string")),
                [b, ..] => {
                    bytes.push(*b);
                    self.offset += 1;
                }
            }
        }
    }

    fn hex_string(&mut self) -> Result<Vec<u8>, ParseError> {
        self.offset += 2;
        let mut bytes = Vec::new();
        while self.rest().first() != Some(&b'"') {
            bytes.push(self.hex_byte()?);
        }
        self.offset += 1;
        Ok(bytes)
    }

    fn hex_byte(&mut self) -> Result<u8, ParseError> {
        let digit = |i: usize| char::from(*self.rest().get(i)?).to_digit(16);
        match (digit(0), digit(1)) {
            (Some(high), Some(low)) => {
                self.offset += 2;
                Ok((high * 16 + low) as u8)
            }
            _ => Err(self.error(self.offset, "expected two hexadecimal digits")),
        }
    }

    fn error(&self, offset: usize, message: impl Into<String>) -> ParseError {
        ParseError::at(self.source, offset, message)
    }
}
