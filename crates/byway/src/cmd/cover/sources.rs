//! Where the sources are that a compiler named, and whether they are still what was
//! explored.

use std::fs;
use std::path::{Component, Path, PathBuf};

use crate::failure::reason;
use crate::hash::Digest;

/// Where sources may be.
pub struct Sources {
    /// Directories to look in, beside where the compiler ran.
    pub directories: Vec<PathBuf>,
    /// Files of the program with the hash they had when it was explored.
    pub explored: Vec<(PathBuf, String)>,
    /// The directory that names are shown relative to.
    pub base: PathBuf,
}

/// A source file.
pub struct Source {
    /// Its name, as people know it.
    pub shown: String,
    /// Where it is, if it was found.
    pub path: Option<PathBuf>,
    /// Its lines, or why they are not shown.
    pub text: Result<Vec<String>, String>,
}

impl Sources {
    /// Finds a file that was compiled under a name in a directory.
    pub fn find(&self, name: &str, directory: &str) -> Source {
        let named = Path::new(name);
        let from = if directory.is_empty() || directory == "." {
            self.base.clone()
        } else {
            PathBuf::from(directory)
        };
        let path = self.locate(named, &from);
        let shown = match &path {
            Some(path) => self.short(path),
            None => named.display().to_string(),
        };
        let text = match &path {
            Some(path) => self.text(path),
            None => Err("the file was not found; --source-dir says where to look".into()),
        };
        Source { shown, path, text }
    }

    /// A name without what all of the program's files share.
    fn short(&self, path: &Path) -> String {
        let roots = self.directories.iter().chain([&self.base]);
        let short = roots.filter_map(|root| path.strip_prefix(root).ok());
        short.min_by_key(|short| short.as_os_str().len()).unwrap_or(path).display().to_string()
    }

    fn locate(&self, named: &Path, from: &Path) -> Option<PathBuf> {
        let direct = from.join(named);
        if direct.is_file() {
            return fs::canonicalize(direct).ok();
        }
        // As much of the name as can be, below each of the directories.
        let normal = |part: &Component| matches!(part, Component::Normal(_));
        let parts: Vec<Component> = named.components().filter(normal).collect();
        let ends = (0..parts.len()).map(|skipped| parts[skipped..].iter().collect::<PathBuf>());
        let mut found = ends.flat_map(|end| self.directories.iter().map(move |dir| dir.join(&end)));
        found.find(|path| path.is_file()).and_then(|path| fs::canonicalize(path).ok())
    }

    fn text(&self, path: &Path) -> Result<Vec<String>, String> {
        let bytes =
            fs::read(path).map_err(|error| format!("it cannot be read: {}", reason(&error)))?;
        let explored = self.explored.iter().find(|(known, _)| known == path);
        if explored.is_some_and(|(_, hash)| Digest::of(&bytes).to_string() != *hash) {
            return Err("it has changed since the run, so lines may not be what they were".into());
        }
        let text = String::from_utf8_lossy(&bytes);
        Ok(text.lines().map(str::to_string).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tempfile::TempDir;

    #[test]
    fn sources_are_found_and_what_changed_is_not_shown() {
        let dir = TempDir::new().expect("a directory");
        let base = fs::canonicalize(dir.path()).expect("it is there");
        fs::create_dir_all(base.join("kept/src")).expect("a directory");
        fs::write(base.join("a.c"), "one\ntwo\n").expect("writable");
        fs::write(base.join("kept/src/wc.c"), "int x;\n").expect("writable");
        let sources = Sources {
            directories: vec![base.join("kept")],
            explored: vec![(base.join("a.c"), Digest::of(b"one\ntwo\n").to_string())],
            base: base.clone(),
        };
        let found = sources.find("a.c", "");
        assert_eq!(found.shown, "a.c");
        assert_eq!(found.text, Ok(vec!["one".to_string(), "two".to_string()]));
        let elsewhere = sources.find("../coreutils/src/wc.c", "/gone");
        assert_eq!(elsewhere.shown, "src/wc.c");
        let missing = sources.find("no.c", "/gone");
        assert!(missing.path.is_none() && missing.text.is_err_and(|why| why.contains("not found")));
        fs::write(base.join("a.c"), "changed\n").expect("writable");
        let changed = sources.find("a.c", "");
        assert!(changed.text.is_err_and(|why| why.contains("changed since the run")));
    }
}
