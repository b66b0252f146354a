//! Tests of the source tree: which crate may use which, and what source files must not contain.
//!
//! The rules are those of ARCHITECTURE.md and CONTRIBUTING.md. A change of a rule belongs in
//! both places. A crate of its own, so that these tests need no build of the engine.

#![cfg(test)]

mod imports;
mod names;
mod pages;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The workspace's crates, where they are, and which of each other they may use.
const CRATES: &[(&str, &str, &[&str])] = &[
    ("byway-base", "crates/base", &[]),
    ("byway-ir", "crates/ir", &["byway-base"]),
    ("byway-expr", "crates/expr", &["byway-base"]),
    ("byway-embed", "crates/embed", &[]),
    ("byway-llvm", "crates/llvm", &["byway-base", "byway-ir", "byway-embed"]),
    ("byway-bitwuzla-sys", "crates/bitwuzla-sys", &[]),
    ("byway-solver", "crates/solver", &["byway-base", "byway-expr", "byway-bitwuzla-sys"]),
    ("byway-search", "crates/search", &["byway-base", "byway-ir"]),
    (
        "byway-engine",
        "crates/engine",
        &["byway-base", "byway-ir", "byway-expr", "byway-search", "byway-solver"],
    ),
    ("byway-testcase", "crates/testcase", &["byway-base"]),
    ("byway-native", "crates/native", &["byway-base", "byway-ir", "byway-testcase"]),
    ("byway-progress", "crates/progress", &["byway-base"]),
    ("byway-rundir", "crates/rundir", &["byway-base", "byway-testcase"]),
    ("byway-klee-stats", "crates/klee-stats", &[]),
    (
        "byway-lab",
        "crates/lab",
        &["byway-base", "byway-testcase", "byway-native", "byway-progress", "byway-rundir"],
    ),
    (
        "byway",
        "crates/byway",
        &[
            "byway-base",
            "byway-ir",
            "byway-embed",
            "byway-search",
            "byway-solver",
            "byway-engine",
            "byway-testcase",
            "byway-native",
            "byway-progress",
            "byway-rundir",
            "byway-klee-stats",
            "byway-lab",
        ],
    ),
    (
        "byway-bench",
        "bench",
        &[
            "byway-base",
            "byway-ir",
            "byway-expr",
            "byway-search",
            "byway-solver",
            "byway-engine",
            "byway-testcase",
            "byway-native",
            "byway-progress",
            "byway-rundir",
            "byway-lab",
        ],
    ),
    ("byway-fuzz", FUZZ, &["byway-base"]),
    ("byway-tidy", "tests/tidy", &[]),
];

/// The fuzzer's folder. Every crate may use it, for its tests.
const FUZZ: &str = "crates/fuzz";

/// The crates from outside, and who may use them. Why we use each stands in
/// ARCHITECTURE.md.
const EXTERNAL: &[(&str, &[&str])] = &[
    ("archery", &["byway-expr"]),
    ("cc", &["byway-llvm"]),
    ("clang-sys", &["byway-llvm"]),
    ("clap", &["byway", "byway-bench"]),
    ("cpu-time", &["byway-solver", "byway-engine", "byway"]),
    ("cranelift-entity", &["byway-base"]),
    ("crc32fast", &["byway-ir", "byway-rundir"]),
    ("hashbrown", &["byway-expr", "byway-search"]),
    ("libc", &["byway", "byway-native"]),
    ("llvm-sys", &["byway-llvm"]),
    ("mimalloc", &["byway"]),
    ("num-bigint", &["byway-expr"]),
    ("postcard", &["byway-ir"]),
    (
        "proptest",
        &["byway-base", "byway-ir", "byway-expr", "byway-llvm", "byway-engine", "byway-testcase"],
    ),
    ("rpds", &["byway-expr"]),
    (
        "rustc-hash",
        &[
            "byway-ir",
            "byway-expr",
            "byway-llvm",
            "byway-solver",
            "byway-search",
            "byway-engine",
            "byway-bench",
            "byway-rundir",
        ],
    ),
    ("rustix", &["byway-rundir"]),
    ("rustc_apfloat", &["byway-base", "byway-engine"]),
    ("serde", &["byway-base", "byway-ir", "byway-rundir", "byway-lab", "byway", "byway-bench"]),
    ("serde_json", &["byway-rundir", "byway-lab", "byway", "byway-bench", "byway-llvm"]),
    ("shlex", &["byway-lab", "byway"]),
    ("siphasher", &["byway"]),
    (
        "tempfile",
        &[
            "byway-ir",
            "byway-llvm",
            "byway-testcase",
            "byway-native",
            "byway-rundir",
            "byway-klee-stats",
            "byway-lab",
            "byway",
            "byway-bench",
        ],
    ),
    ("terminal_size", &["byway-progress"]),
    ("toml", &["byway-lab"]),
];

/// A file longer than this holds more than one idea.
const MAX_LINES: usize = 800;

fn root() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    root.canonicalize().expect("the workspace is two levels up")
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The names of all crates a manifest depends on, in whatever role.
fn dependencies(manifest: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let mut listing = false;
    for line in manifest.lines().map(str::trim) {
        if let Some(header) = line.strip_prefix('[') {
            let header = header.trim_end_matches(']');
            listing = header.ends_with("dependencies");
            // A table of its own: [dependencies.name]
            if let Some((table, name)) = header.rsplit_once('.')
                && table.ends_with("dependencies")
            {
                names.insert(name.to_string());
            }
        } else if listing && !line.starts_with('#') {
            let name: String = line
                .chars()
                .take_while(|c| c.is_ascii_alphanumeric() || "-_".contains(*c))
                .collect();
            if !name.is_empty() {
                names.insert(name);
            }
        }
    }
    names
}

/// Every file of the project with one of these endings.
fn sources(endings: &[&str]) -> Vec<PathBuf> {
    fn walk(dir: &Path, endings: &[&str], found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(dir).expect("a directory of the project").flatten() {
            let path = entry.path();
            let name = entry.file_name().to_string_lossy().into_owned();
            let kind = entry.file_type().expect("a file has a type");
            if kind.is_dir() {
                // Hidden directories and build outputs are not ours to judge.
                if !name.starts_with('.') && !name.starts_with("target") {
                    walk(&path, endings, found);
                }
            } else if kind.is_file()
                && path.extension().is_some_and(|ext| endings.iter().any(|e| ext == *e))
            {
                found.push(path);
            }
        }
    }
    let mut found = Vec::new();
    walk(&root(), endings, &mut found);
    found.sort();
    assert!(found.len() > 10, "the project's files were not found");
    found
}

fn shown(path: &Path) -> String {
    path.strip_prefix(root()).unwrap_or(path).display().to_string()
}

fn report(complaints: &[String]) {
    assert!(complaints.is_empty(), "\n  {}\n", complaints.join("\n  "));
}

#[test]
fn crates_use_only_what_the_architecture_allows() {
    let ours: BTreeSet<&str> = CRATES.iter().map(|(name, ..)| *name).collect();
    let mut complaints = Vec::new();
    for (name, dir, allowed) in CRATES {
        let manifest = read(&root().join(dir).join("Cargo.toml"));
        for dependency in dependencies(&manifest) {
            let dependency = dependency.as_str();
            if ours.contains(dependency) {
                if !allowed.contains(&dependency) && dependency != "byway-fuzz" {
                    complaints.push(format!("{name} must not know {dependency}"));
                }
                continue;
            }
            match EXTERNAL.iter().find(|(external, _)| *external == dependency) {
                None => complaints.push(format!(
                    "{name} uses {dependency}, which is not on the list in this test"
                )),
                Some((_, users)) if !users.contains(name) => {
                    complaints.push(format!("{name} must not use {dependency}"));
                }
                Some(_) => {}
            }
        }
    }
    report(&complaints);
}

#[test]
fn every_crate_of_the_workspace_is_known_here() {
    let manifest = read(&root().join("Cargo.toml"));
    let (_, list) = manifest.split_once("\nmembers = [").expect("the workspace lists its members");
    let (members, _) = list.split_once(']').expect("the list ends");
    let listed: BTreeSet<&str> = members.split('"').skip(1).step_by(2).collect();
    let known: BTreeSet<&str> = CRATES.iter().map(|(_, dir, _)| *dir).collect();
    assert_eq!(listed, known);
    for (name, dir, _) in CRATES {
        let manifest = read(&root().join(dir).join("Cargo.toml"));
        assert!(manifest.contains(&format!("name = \"{name}\"")), "{dir} is not {name}");
    }
}

/// The crates for which a Markdown table says why: `| one, two | because ... |`.
fn explained(table: &str) -> BTreeSet<&str> {
    let mut names = BTreeSet::new();
    for row in table.lines() {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        if let ["", crates, why, ""] = cells[..]
            && why.contains(' ')
        {
            names.extend(crates.split(", "));
        }
    }
    names
}

#[test]
fn every_dependency_has_its_reason_in_the_architecture() {
    let architecture = read(&root().join("ARCHITECTURE.md"));
    let (_, section) =
        architecture.split_once("## Dependencies").expect("ARCHITECTURE.md has that section");
    let explained = explained(section);
    let complaints: Vec<String> = EXTERNAL
        .iter()
        .filter(|(name, _)| !explained.contains(name))
        .map(|(name, _)| format!("ARCHITECTURE.md does not say why we use {name}"))
        .collect();
    report(&complaints);
}

#[test]
fn no_listed_dependency_is_unused() {
    let mut used = BTreeSet::new();
    for (_, dir, _) in CRATES {
        used.extend(dependencies(&read(&root().join(dir).join("Cargo.toml"))));
    }
    let complaints: Vec<String> = EXTERNAL
        .iter()
        .filter(|(name, _)| !used.contains(*name))
        .map(|(name, _)| format!("nobody uses {name} any more"))
        .collect();
    report(&complaints);
}

#[test]
fn no_file_is_too_long() {
    let complaints: Vec<String> = sources(&["rs", "c"])
        .iter()
        .map(|path| (path, read(path).lines().count()))
        .filter(|(_, lines)| *lines > MAX_LINES)
        .map(|(path, lines)| format!("{} has {lines} lines", shown(path)))
        .collect();
    report(&complaints);
}

#[test]
fn nothing_is_left_undone() {
    let mut complaints = Vec::new();
    for path in sources(&["rs"]) {
        let text = read(&path);
        for word in ["todo", "unimplemented", "dbg"] {
            // Put together here, so that this file does not find itself.
            if text.contains(&format!("{word}!(")) {
                complaints.push(format!("{} has {word}!", shown(&path)));
            }
        }
    }
    report(&complaints);
}

#[test]
fn every_module_says_what_it_is_for() {
    let complaints: Vec<String> = sources(&["rs"])
        .iter()
        .filter(|path| !read(path).starts_with("//! "))
        .map(|path| format!("{} does not open with a //! header", shown(path)))
        .collect();
    report(&complaints);
}

#[test]
fn manifests_and_tables_are_understood() {
    let manifest = "[package]\nname = \"x\"\n[dependencies]\na.workspace = true\nb-c = \"1\"\n\
                    # d = \"1\"\n[dev-dependencies.e]\nversion = \"1\"\n[lints]\nworkspace = true\n";
    let names: Vec<String> = dependencies(manifest).into_iter().collect();
    assert_eq!(names, ["a", "b-c", "e"]);
    let table = "| crate | why |\n|---|---|\n| x, y | for a reason |\n| z | |\n";
    assert_eq!(explained(table), BTreeSet::from(["x", "y"]));
}
