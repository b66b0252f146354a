//! Why a report cannot be used.

use std::fmt;

use serde_json::{Map, Value};

/// What is wrong with a report, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SarifError {
    /// A JSON pointer; empty for the whole document.
    at: String,
    problem: SarifProblem,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SarifProblem {
    /// The parser's message, with line and column.
    NotJson(String),
    /// JSON without a version.
    NotSarif,
    /// Another version.
    Version(String),
    /// A required member is missing.
    Missing(&'static str),
    /// A value of another type.
    WrongType { expected: &'static str, found: &'static str },
    /// An index that leads nowhere.
    NoSuchArtifact(u64),
    /// A base of paths that refers to itself.
    CircularBase(String),
    /// A URI that names no file of this machine.
    NotAFile(String),
}

impl SarifError {
    pub fn new(at: impl Into<String>, problem: SarifProblem) -> Self {
        SarifError { at: at.into(), problem }
    }
}

impl fmt::Display for SarifError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.at.is_empty() {
            write!(f, "at {}: ", self.at)?;
        }
        match &self.problem {
            SarifProblem::NotJson(error) => write!(f, "not JSON: {error}"),
            SarifProblem::NotSarif => f.write_str("not SARIF: there is no \"version\""),
            SarifProblem::Version(version) => {
                write!(f, "SARIF version {version:?}; Byway reads 2.1")
            }
            SarifProblem::Missing(what) => write!(f, "there is no \"{what}\""),
            SarifProblem::WrongType { expected, found } => {
                write!(f, "expected {expected}, found {found}")
            }
            SarifProblem::NoSuchArtifact(index) => write!(f, "there is no artifact {index}"),
            SarifProblem::CircularBase(name) => {
                write!(f, "the base of paths {name:?} refers to itself")
            }
            SarifProblem::NotAFile(uri) => write!(f, "{uri:?} names no local file"),
        }
    }
}

/// The name of a value's type, for messages.
fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

fn wrong(value: &Value, at: &str, expected: &'static str) -> SarifError {
    SarifError::new(at, SarifProblem::WrongType { expected, found: type_of(value) })
}

pub fn expect_object<'a>(value: &'a Value, at: &str) -> Result<&'a Map<String, Value>, SarifError> {
    value.as_object().ok_or_else(|| wrong(value, at, "an object"))
}

/// A value with its position in the document; members are checked when they are asked for.
#[derive(Clone, Debug)]
pub struct JsonNode<'a> {
    pub value: &'a Value,
    pub at: String,
}

impl<'a> JsonNode<'a> {
    pub fn root(value: &'a Value) -> Self {
        JsonNode { value, at: String::new() }
    }

    /// A member, if present. `null` counts as absent.
    pub fn member(&self, name: &str) -> Result<Option<JsonNode<'a>>, SarifError> {
        let value = expect_object(self.value, &self.at)?.get(name);
        let node = |value| JsonNode { value, at: format!("{}/{name}", self.at) };
        Ok(value.filter(|value| !value.is_null()).map(node))
    }

    /// The members reached one after the other, if all are present.
    pub fn path(&self, names: &[&str]) -> Result<Option<JsonNode<'a>>, SarifError> {
        let mut node = self.clone();
        for name in names {
            match node.member(name)? {
                Some(member) => node = member,
                None => return Ok(None),
            }
        }
        Ok(Some(node))
    }

    pub fn items(&self) -> Result<Vec<JsonNode<'a>>, SarifError> {
        let items = self.value.as_array().ok_or_else(|| wrong(self.value, &self.at, "an array"))?;
        Ok(items
            .iter()
            .enumerate()
            .map(|(i, value)| JsonNode { value, at: format!("{}/{i}", self.at) })
            .collect())
    }

    /// The items of an array member; none if it is absent.
    pub fn list(&self, name: &str) -> Result<Vec<JsonNode<'a>>, SarifError> {
        self.member(name)?.map_or(Ok(Vec::new()), |list| list.items())
    }

    pub fn text(&self) -> Result<&'a str, SarifError> {
        self.value.as_str().ok_or_else(|| wrong(self.value, &self.at, "a string"))
    }

    pub fn number(&self) -> Result<u64, SarifError> {
        self.value.as_u64().ok_or_else(|| wrong(self.value, &self.at, "a number from 0"))
    }
}
