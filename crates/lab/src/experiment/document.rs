//! A TOML file with locations: every error names line and key.
//!
//! A reader asks a table for the keys it knows and ends with [`TomlTable::finish`], which rejects
//! all others. So the known keys are listed in one place, the reader.

use std::cell::RefCell;
use std::ops::Range;

use byway_base::spelling;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::error::{LabError, Result};

/// The text of a file and its name.
#[derive(Copy, Clone)]
pub struct TomlDocument<'a> {
    /// The file name in messages.
    pub name: &'a str,
    /// Its text.
    pub text: &'a str,
}

impl<'a> TomlDocument<'a> {
    /// Parses it as TOML.
    pub fn parse(self) -> Result<Spanned<DeTable<'a>>> {
        DeTable::parse(self.text).map_err(|error| {
            let what = error.message().to_string();
            match error.span() {
                Some(span) => self.error(&span, &what),
                None => LabError::new(format!("'{}': {what}", self.name)),
            }
        })
    }

    /// The line number of a byte offset.
    pub fn line(self, offset: usize) -> usize {
        self.text.bytes().take(offset).filter(|byte| *byte == b'\n').count() + 1
    }

    /// An error at this span.
    pub fn error(self, span: &Range<usize>, what: &str) -> LabError {
        let number = self.line(span.start);
        let line = self.text.lines().nth(number - 1).unwrap_or_default().trim_end();
        LabError::new(format!("'{}', line {number}: {what}", self.name))
            .detail(format!("{number:>4} | {line}"))
    }
}

/// A table and the keys that were asked for.
pub struct TomlTable<'a> {
    document: TomlDocument<'a>,
    /// Its name in messages: `[[program]]`.
    name: &'static str,
    span: Range<usize>,
    entries: &'a DeTable<'a>,
    known: RefCell<Vec<&'static str>>,
}

/// A key and its value.
pub struct TomlItem<'a> {
    document: TomlDocument<'a>,
    /// The key; empty in a table with arbitrary keys.
    pub key: &'static str,
    /// The location of the value.
    pub span: Range<usize>,
    value: &'a DeValue<'a>,
}

impl<'a> TomlTable<'a> {
    /// The table at this place of a document.
    pub fn new(
        document: TomlDocument<'a>,
        name: &'static str,
        span: Range<usize>,
        entries: &'a DeTable<'a>,
    ) -> Self {
        TomlTable { document, name, span, entries, known: RefCell::default() }
    }

    /// The line it begins on.
    pub fn line(&self) -> usize {
        self.document.line(self.span.start)
    }

    /// The value of an optional key.
    pub fn get(&self, key: &'static str) -> Option<TomlItem<'a>> {
        let mut known = self.known.borrow_mut();
        if !known.contains(&key) {
            known.push(key);
        }
        let value = self.entries.get(key)?;
        Some(TomlItem { document: self.document, key, span: value.span(), value: value.get_ref() })
    }

    /// The value of a required key.
    pub fn need(&self, key: &'static str) -> Result<TomlItem<'a>> {
        self.get(key).ok_or_else(|| self.error(&format!("{} needs the key '{key}'", self.name)))
    }

    /// All keys and values of a table with arbitrary keys.
    pub fn free(&self) -> impl Iterator<Item = (&'a str, TomlItem<'a>)> {
        let document = self.document;
        self.entries.iter().map(move |(key, value)| {
            let item = TomlItem { document, key: "", span: value.span(), value: value.get_ref() };
            (key.get_ref().as_ref(), item)
        })
    }

    /// An error about the whole table.
    pub fn error(&self, what: &str) -> LabError {
        self.document.error(&self.span, what)
    }

    /// Fails if a key was not asked for.
    pub fn finish(&self) -> Result<()> {
        let known = self.known.borrow();
        let unknown = |key: &&Spanned<_>| !known.contains(&AsRef::<str>::as_ref(key.get_ref()));
        let by_place = |key: &&Spanned<toml::de::DeString<'_>>| key.span().start;
        let Some(key) = self.entries.keys().filter(unknown).min_by_key(by_place) else {
            return Ok(());
        };
        let word: &str = key.get_ref().as_ref();
        let hint = match spelling::closest(word, known.iter().copied()) {
            Some(meant) => format!("did you mean '{meant}'?"),
            None => format!("there are {}", known.join(", ")),
        };
        let what = format!("{} has no key '{word}'", self.name);
        Err(self.document.error(&key.span(), &what).hint(hint))
    }
}

impl<'a> TomlItem<'a> {
    /// The line that the value begins on.
    pub fn line(&self) -> usize {
        self.document.line(self.span.start)
    }

    /// An error about this value.
    pub fn error(&self, what: &str) -> LabError {
        let key = if self.key.is_empty() { String::new() } else { format!("'{}': ", self.key) };
        self.document.error(&self.span, &format!("{key}{what}"))
    }

    fn wrong<T>(&self, wanted: &str) -> Result<T> {
        let is = match self.value {
            DeValue::String(_) => "a string",
            DeValue::Integer(_) => "a number",
            DeValue::Float(_) => "a fraction",
            DeValue::Boolean(_) => "true or false",
            DeValue::Datetime(_) => "a date",
            DeValue::Array(_) => "a list",
            DeValue::Table(_) => "a table",
        };
        Err(self.error(&format!("this must be {wanted}, but is {is}")))
    }

    /// A string.
    pub fn text(&self) -> Result<&'a str> {
        match self.value {
            DeValue::String(text) => Ok(text.as_ref()),
            _ => self.wrong("a string"),
        }
    }

    /// A truth value.
    pub fn boolean(&self) -> Result<bool> {
        match self.value {
            DeValue::Boolean(truth) => Ok(*truth),
            _ => self.wrong("true or false"),
        }
    }

    /// An integer, at least zero.
    pub fn number(&self) -> Result<u64> {
        match self.value {
            DeValue::Integer(number) => u64::from_str_radix(number.as_str(), number.radix())
                .map_err(|_| self.error("this must be a number from 0 up")),
            _ => self.wrong("a number"),
        }
    }

    /// A number with or without a fraction.
    pub fn fraction(&self) -> Result<f64> {
        let digits = match self.value {
            DeValue::Float(number) => number.as_str(),
            DeValue::Integer(number) if number.radix() == 10 => number.as_str(),
            _ => return self.wrong("a fraction"),
        };
        digits.parse().map_err(|_| self.error("this must be a fraction"))
    }

    /// The members, if it is a list.
    pub fn list(&self) -> Option<Vec<TomlItem<'a>>> {
        let DeValue::Array(members) = self.value else { return None };
        let member = |member: &'a Spanned<DeValue<'a>>| TomlItem {
            document: self.document,
            key: self.key,
            span: member.span(),
            value: member.get_ref(),
        };
        Some(members.iter().map(member).collect())
    }

    /// A string, or a list of strings.
    pub fn texts(&self) -> Result<Vec<&'a str>> {
        match self.list() {
            Some(members) => members.iter().map(TomlItem::text).collect(),
            None => match self.value {
                DeValue::String(text) => Ok(vec![text.as_ref()]),
                _ => self.wrong("a string or a list of strings"),
            },
        }
    }

    /// One of these names.
    pub fn choice<T: Copy>(&self, choices: &[(&'static str, T)]) -> Result<T> {
        let word = self.text()?;
        if let Some((_, choice)) = choices.iter().find(|(name, _)| *name == word) {
            return Ok(*choice);
        }
        let names: Vec<String> = choices.iter().map(|(name, _)| format!("\"{name}\"")).collect();
        Err(self.error(&format!("this must be {}, not \"{word}\"", names.join(" or "))))
    }

    /// A table; `name` is its name in messages.
    pub fn table(&self, name: &'static str) -> Result<TomlTable<'a>> {
        match self.value {
            DeValue::Table(entries) => {
                Ok(TomlTable::new(self.document, name, self.span.clone(), entries))
            }
            _ => self.wrong("a table"),
        }
    }

    /// A list of tables, at least one.
    pub fn tables(&self, name: &'static str) -> Result<Vec<TomlTable<'a>>> {
        match self.list() {
            Some(members) if !members.is_empty() => {
                members.iter().map(|member| member.table(name)).collect()
            }
            _ => self.wrong(&format!("tables, each begun by {name}")),
        }
    }
}
