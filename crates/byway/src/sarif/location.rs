//! Locations of results: which line of which file.
//!
//! A file is named by a URI, absolute or relative to a named base, or by an index into the run's
//! list of artifacts.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

use super::SarifError;
use super::error::{JsonNode, SarifProblem, expect_object};

/// A line of a file.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SourceLine {
    /// Absolute if the report says so.
    pub file: PathBuf,
    /// From 1.
    pub line: u32,
}

impl fmt::Display for SourceLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file.display(), self.line)
    }
}

/// What a run says about its files.
pub struct Artifacts<'a> {
    /// The locations of `artifacts`.
    list: Vec<Option<JsonNode<'a>>>,
    /// `originalUriBaseIds`.
    bases: BTreeMap<String, JsonNode<'a>>,
}

impl<'a> Artifacts<'a> {
    pub fn read(run: &JsonNode<'a>) -> Result<Self, SarifError> {
        let list = run.list("artifacts")?;
        let list = list.iter().map(|it| it.member("location")).collect::<Result<_, _>>()?;
        let mut bases = BTreeMap::new();
        if let Some(ids) = run.member("originalUriBaseIds")? {
            for name in expect_object(ids.value, &ids.at)?.keys() {
                bases.extend(ids.member(name)?.map(|base| (name.clone(), base)));
            }
        }
        Ok(Artifacts { list, bases })
    }

    /// The line that a `location` names, if it names a file and a line.
    pub fn line_of(&self, location: &JsonNode) -> Result<Option<SourceLine>, SarifError> {
        let Some(physical) = location.member("physicalLocation")? else { return Ok(None) };
        let Some(artifact) = physical.member("artifactLocation")? else { return Ok(None) };
        let Some(line) = physical.path(&["region", "startLine"])? else { return Ok(None) };
        let Ok(line) = u32::try_from(line.number()?) else { return Ok(None) };
        let file = self.file(&artifact)?;
        Ok(file.filter(|_| line > 0).map(|file| SourceLine { file, line }))
    }

    fn file(&self, artifact: &JsonNode) -> Result<Option<PathBuf>, SarifError> {
        if artifact.member("uri")?.is_some() {
            return self.resolve(artifact).map(Some);
        }
        let Some(index) = artifact.member("index")? else { return Ok(None) };
        // -1 stands for none.
        let Some(number) = index.value.as_u64() else { return Ok(None) };
        let listed = usize::try_from(number).ok().and_then(|number| self.list.get(number));
        match listed {
            Some(Some(location)) if location.member("uri")?.is_some() => {
                self.resolve(location).map(Some)
            }
            Some(_) => Ok(None),
            None => Err(SarifError::new(&index.at, SarifProblem::NoSuchArtifact(number))),
        }
    }

    /// The path that a location with a URI stands for.
    fn resolve(&self, location: &JsonNode) -> Result<PathBuf, SarifError> {
        let mut path = PathBuf::new();
        let mut node = location.clone();
        // Each base is used at most once.
        for _ in 0..=self.bases.len() {
            if let Some(uri) = node.member("uri")? {
                // `join` keeps an absolute path on its right.
                let part = local_path(&uri)?;
                path = if path.as_os_str().is_empty() { part } else { part.join(path) };
            }
            let base = node.member("uriBaseId")?.map(|id| id.text()).transpose()?;
            match base.and_then(|base| self.bases.get(base)) {
                Some(base) if path.is_relative() => node = base.clone(),
                // A base without a location stands for a directory that only its users know.
                _ => return Ok(path),
            }
        }
        let base = location.member("uriBaseId")?.map_or(Ok(""), |id| id.text())?;
        Err(SarifError::new(&location.at, SarifProblem::CircularBase(base.to_owned())))
    }
}

/// The path of a `file:` URI or of a relative one.
fn local_path(uri: &JsonNode) -> Result<PathBuf, SarifError> {
    let text = uri.text()?;
    let not_a_file = || SarifError::new(&uri.at, SarifProblem::NotAFile(text.to_owned()));
    let path = match text.strip_prefix("file:") {
        Some(rest) => match rest.strip_prefix("//") {
            // An authority, empty or this machine, ends at the next slash.
            Some(rest) => {
                let slash = rest.find('/').ok_or_else(not_a_file)?;
                match &rest[..slash] {
                    "" | "localhost" => &rest[slash..],
                    _ => return Err(not_a_file()),
                }
            }
            None => rest,
        },
        None if has_scheme(text) => return Err(not_a_file()),
        None => text,
    };
    let bytes = unescape(path).ok_or_else(not_a_file)?;
    String::from_utf8(bytes).map(PathBuf::from).map_err(|_| not_a_file())
}

/// Whether a URI begins with a scheme such as `https:`.
fn has_scheme(uri: &str) -> bool {
    let scheme = uri.split(['/', '?', '#']).next().and_then(|first| first.split_once(':'));
    scheme.is_some_and(|(name, _)| {
        name.starts_with(|c: char| c.is_ascii_alphabetic())
            && name.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
    })
}

/// The bytes behind `%20` and the like.
fn unescape(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, tail)) = rest.split_first() {
        rest = tail;
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let digits = std::str::from_utf8(rest.get(..2)?).ok()?;
        bytes.push(u8::from_str_radix(digits, 16).ok()?);
        rest = &rest[2..];
    }
    Some(bytes)
}
