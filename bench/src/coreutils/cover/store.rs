//! Stored results, so that nothing is measured twice.

use std::path::{Path, PathBuf};

use byway_testcase::atomic;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::plan::CoverRun;
use super::result::CoverResult;
use crate::build;
use crate::setup::create_dir;

/// A folder of results, each in a small file.
pub struct CoverStore {
    folder: PathBuf,
    /// A digest of byway, its C library, the tools and their input. Other results do not count.
    build: String,
}

/// A stored file.
#[derive(Serialize, Deserialize)]
struct StoredResult {
    options: Vec<String>,
    tool: String,
    build: String,
    measured: CoverResult,
}

impl CoverStore {
    /// The results of this byway on these tools with this input.
    pub fn open(folder: PathBuf, byway: &Path, tools: &Path, input: &str) -> Result<Self, String> {
        create_dir(&folder)?;
        Ok(CoverStore { folder, build: build::digest(byway, tools, input)? })
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The digest of byway and its inputs.
    pub fn build(&self) -> &str {
        &self.build
    }

    /// The result of a run, if there is one.
    pub fn get(&self, run: &CoverRun) -> Option<CoverResult> {
        let text = std::fs::read_to_string(self.path(run)).ok()?;
        let kept: StoredResult = serde_json::from_str(&text).ok()?;
        let same =
            kept.options == run.options() && kept.tool == run.tool && kept.build == self.build;
        same.then_some(kept.measured)
    }

    /// Stores a result.
    pub fn put(&self, run: &CoverRun, measured: &CoverResult) -> Result<(), String> {
        let kept = StoredResult {
            options: run.options(),
            tool: run.tool.clone(),
            build: self.build.clone(),
            measured: measured.clone(),
        };
        let path = self.path(run);
        let text = serde_json::to_value(kept).map_err(|e| e.to_string())?;
        atomic::write(&path, format!("{text:#}\n").as_bytes())
            .map_err(|e| format!("cannot write {}: {e}", path.display()))
    }

    /// The number of results of another byway, or of other tools.
    pub fn strangers(&self) -> usize {
        let entries = std::fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let texts = entries.filter_map(|entry| std::fs::read_to_string(entry.path()).ok());
        let results = texts.filter_map(|text| serde_json::from_str::<Value>(&text).ok());
        results.filter(|kept| kept["build"].is_string() && kept["build"] != *self.build).count()
    }

    fn path(&self, run: &CoverRun) -> PathBuf {
        self.folder.join(format!("{}_{}.json", run.name(), self.build))
    }
}

#[cfg(test)]
mod tests {
    use super::super::plan::CoverBudget;
    use super::*;
    use tempfile::TempDir;

    fn run(search: &str) -> CoverRun {
        let (tool, search) = ("cut".to_owned(), search.to_owned());
        CoverRun { tool, search, seed: 1, budget: CoverBudget::Work(5) }
    }

    #[test]
    fn a_result_is_found_again_by_the_same_byway_only() {
        let dir = TempDir::new().expect("a folder");
        let byway = dir.path().join("byway");
        let write = |name: &str, text: &str| std::fs::write(dir.path().join(name), text);
        write("byway", "one").and_then(|()| write("byway-llvm", "x")).expect("written");
        let open = || {
            let tools = Path::new("/tools");
            CoverStore::open(dir.path().join("results"), &byway, tools, "--sym-stdin 8")
                .expect("opens")
        };
        let store = open();
        assert_eq!(store.get(&run("dfs")), None);
        let measured = CoverResult { tests: 3, solver_share: 0.1, ..CoverResult::default() };
        store.put(&run("dfs"), &measured).expect("written");
        assert_eq!(open().get(&run("dfs")), Some(measured));
        assert_eq!(store.get(&run("bfs")), None);
        // Two searchers may have the same file name, not the same result.
        store.put(&run("a:b"), &CoverResult::default()).expect("written");
        assert_eq!(store.get(&run("a-b")), None);
        write("byway", "two").expect("written");
        assert_eq!(open().get(&run("dfs")), None);
        assert_eq!((store.strangers(), open().strangers()), (0, 2));
    }
}
