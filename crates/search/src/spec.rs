//! The syntax of searchers on the command line: `NAME[:ARGUMENT][(SPEC, ...)]`, for example
//! `dfs`, `batch:500(dfs)` or `interleave(bfs, random-path)`.
//!
//! This file defines the grammar; the registry defines the names and their arguments.

use std::fmt;

/// The deepest nesting; deeper input is rejected before it can exhaust the stack.
const DEEPEST: usize = 16;

/// A parsed specification.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Spec {
    pub name: String,
    pub argument: Option<String>,
    pub inner: Vec<Spec>,
}

/// A specification that is not valid.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SpecError {
    spec: String,
    problem: String,
}

impl SpecError {
    pub(crate) fn new(spec: &str, problem: String) -> SpecError {
        SpecError { spec: spec.to_string(), problem }
    }
}

impl fmt::Display for SpecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "invalid searcher `{}`: {}", self.spec, self.problem)
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
    /// Parses a whole text; the error is a message for the user.
    pub fn parse(text: &str) -> Result<Spec, String> {
        let mut parser = SpecParser { rest: text.trim() };
        let spec = parser.spec(0)?;
        match parser.rest {
            "" => Ok(spec),
            rest => Err(format!("unexpected `{rest}` at the end")),
        }
    }
}

struct SpecParser<'a> {
    rest: &'a str,
}

impl<'a> SpecParser<'a> {
    fn spec(&mut self, depth: usize) -> Result<Spec, String> {
        if depth == DEEPEST {
            return Err(format!("more than {DEEPEST} levels of nesting"));
        }
        let name = self.word();
        if name.is_empty() {
            return Err(match self.rest {
                "" => "missing name of a searcher".to_string(),
                rest => format!("missing name of a searcher before `{rest}`"),
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
                    return Err("missing `)`".to_string());
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
