//! How a searcher is written on the command line: `NAME[:ARGUMENT][(SPEC, ...)]`,
//! for example `dfs`, `batch:500(dfs)` or `interleave(bfs, random-path)`.
//!
//! This file knows the grammar only; which names there are and what they take is
//! the registry's.

use std::fmt;

/// Deeper nesting than this means nothing and is refused, so that no input can
/// exhaust the stack.
const DEEPEST: usize = 16;

/// A searcher as written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Spec {
    /// Which searcher.
    pub name: String,
    /// What stands behind the colon.
    pub argument: Option<String>,
    /// What stands in the parentheses.
    pub inner: Vec<Spec>,
}

/// Why a text names no searcher.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SpecError {
    /// The text.
    spec: String,
    /// What is wrong with it.
    problem: String,
}

impl SpecError {
    pub(crate) fn new(spec: &str, problem: String) -> SpecError {
        SpecError { spec: spec.to_string(), problem }
    }
}

impl fmt::Display for SpecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot search by `{}`: {}", self.spec, self.problem)
    }
}

impl std::error::Error for SpecError {}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        if let Some(argument) = &self.argument {
            write!(f, ":{argument}")?;
        }
        for (i, inner) in self.inner.iter().enumerate() {
            write!(f, "{}{inner}", if i == 0 { "(" } else { ", " })?;
        }
        f.write_str(if self.inner.is_empty() { "" } else { ")" })
    }
}

impl Spec {
    /// Reads one; the error says what is wrong.
    pub fn parse(text: &str) -> Result<Spec, String> {
        let mut parser = SpecParser { rest: text.trim() };
        let spec = parser.spec(0)?;
        match parser.rest {
            "" => Ok(spec),
            rest => Err(format!("`{rest}` stands behind its end")),
        }
    }
}

struct SpecParser<'a> {
    rest: &'a str,
}

impl<'a> SpecParser<'a> {
    fn spec(&mut self, depth: usize) -> Result<Spec, String> {
        if depth == DEEPEST {
            return Err(format!("it is nested more than {DEEPEST} deep"));
        }
        let name = self.word();
        if name.is_empty() {
            return Err(match self.rest {
                "" => "a searcher's name is missing".to_string(),
                rest => format!("a searcher's name is missing before `{rest}`"),
            });
        }
        let argument = match self.eat(':') {
            true => Some(self.word().to_string()),
            false => None,
        };
        let mut inner = Vec::new();
        if self.eat('(') {
            loop {
                inner.push(self.spec(depth + 1)?);
                if self.eat(')') {
                    break;
                }
                if !self.eat(',') {
                    return Err("a `)` is missing".to_string());
                }
            }
        }
        Ok(Spec { name: name.to_string(), argument, inner })
    }

    fn word(&mut self) -> &'a str {
        let end = self.rest.find([':', '(', ')', ',']).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        word.trim()
    }

    fn eat(&mut self, wanted: char) -> bool {
        match self.rest.strip_prefix(wanted) {
            Some(rest) => {
                self.rest = rest.trim_start();
                true
            }
            None => false,
        }
    }
}
