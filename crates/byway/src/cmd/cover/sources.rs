//! Finds the source files that the compiler named, and checks that they have not changed since
//! the run.

use std::fs;
use std::path::{Component, Path, PathBuf};

use crate::failure::reason;
use crate::hash::Digest;

/// Where to look for source files.
pub struct SourceFinder {
    /// Directories beside the one the compiler ran in.
    pub directories: Vec<PathBuf>,
    /// Files of the program with their hashes in the run.
    pub explored: Vec<(PathBuf, String)>,
    /// The directory that displayed names are relative to.
    pub base: PathBuf,
}

/// A source file.
pub struct FoundSource {
    /// The name for display.
    pub shown: String,
    /// `None` if it was not found.
    pub path: Option<PathBuf>,
    /// Its lines, or the reason why they are not shown.
    pub text: Result<Vec<String>, String>,
}

impl SourceFinder {
    /// Finds a file that the compiler named so in this directory.
    pub fn find(&self, name: &str, directory: &str) -> FoundSource {
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
        FoundSource { shown, path, text }
    }

    /// The shortest name relative to one of the directories.
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
        // The longest suffix of the name below one of the directories.
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
            return Err("it has changed since the run, so its lines may not match".into());
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
    fn sources_are_found_and_changed_ones_are_not_shown() {
        let dir = TempDir::new().expect("a directory");
        let base = fs::canonicalize(dir.path()).expect("it is there");
        fs::create_dir_all(base.join("kept/src")).expect("a directory");
        fs::write(base.join("a.c"), "one\ntwo\n").expect("writable");
        fs::write(base.join("kept/src/wc.c"), "int x;\n").expect("writable");
        let sources = SourceFinder {
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
