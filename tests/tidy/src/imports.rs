//! Files of different parts of a crate do not import each other in a circle.
//!
//! A part is a module with everything below it. Within a part a circle is allowed: a module
//! and its children describe one thing. The imports are read from the text: `use` items and
//! paths that start with `crate` or `super`, through re-exports.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::{CRATES, read, report, root, shown, sources};

/// Circles over several parts that are meant, by one file of each and the reason.
const INTENDED: &[(&str, &str)] =
    &[("crates/expr/pool", "building a term simplifies it, and simplifying builds terms")];

/// A module's path within its crate.
type ModulePath = Vec<String>;

/// A module's text, what it defines and what it re-exports under which path.
struct Module {
    text: String,
    defines: BTreeSet<String>,
    exports: BTreeMap<String, ModulePath>,
}

struct Modules(BTreeMap<ModulePath, Module>);

impl Modules {
    fn of_crate(source: &Path) -> Modules {
        let files = sources(&["rs"]).into_iter().filter(|path| path.starts_with(source));
        let modules = files.filter_map(|file| {
            let relative = file.strip_prefix(source).ok()?.with_extension("");
            let mut path: ModulePath =
                relative.iter().map(|part| part.to_string_lossy().into_owned()).collect();
            if path.last().is_some_and(|last| ["mod", "lib", "main"].contains(&last.as_str())) {
                path.pop();
            }
            let is_test = path.iter().any(|part| part == "tests");
            (!is_test).then(|| (path, Module::parse(&read(&file))))
        });
        Modules(modules.collect())
    }

    /// The module that a path leads to from a module.
    fn resolve(&self, from: &[String], path: &[String], depth: u32) -> Option<ModulePath> {
        let mut rest = path;
        let mut at: ModulePath = match path.first()?.as_str() {
            "crate" => Vec::new(),
            "self" => from.to_vec(),
            "super" => from.to_vec(),
            child if self.0.contains_key(&joined(from, child)) => from.to_vec(),
            _ => return None,
        };
        while let Some(first @ ("crate" | "self" | "super")) = rest.first().map(String::as_str) {
            if first == "super" {
                at.pop();
            }
            rest = &rest[1..];
        }
        while let Some(next) = rest.first().map(|part| joined(&at, part))
            && self.0.contains_key(&next)
        {
            at = next;
            rest = &rest[1..];
        }
        let module = self.0.get(&at)?;
        let name = rest.first().filter(|name| !module.defines.contains(*name));
        match name.and_then(|name| module.exports.get(name)) {
            Some(exported) if depth > 0 => self.resolve(&at, exported, depth - 1).or(Some(at)),
            _ => Some(at),
        }
    }

    /// The modules that a module imports.
    fn imports(&self, from: &ModulePath) -> BTreeSet<ModulePath> {
        let paths = paths_in(&self.0[from].text);
        let found = paths.iter().filter_map(|path| self.resolve(from, path, 8));
        found.filter(|to| to != from).collect()
    }

    /// The sets of modules that lead to each other.
    fn circles(&self) -> Vec<BTreeSet<ModulePath>> {
        let edges: BTreeMap<&ModulePath, BTreeSet<ModulePath>> =
            self.0.keys().map(|path| (path, self.imports(path))).collect();
        let reached: BTreeMap<&ModulePath, BTreeSet<ModulePath>> =
            edges.keys().map(|&path| (path, reachable(&edges, path))).collect();
        let circle = |path: &ModulePath| -> BTreeSet<ModulePath> {
            reached[path].iter().filter(|&to| reached[to].contains(path)).cloned().collect()
        };
        let circles: BTreeSet<_> = self.0.keys().map(circle).filter(|c| c.len() > 1).collect();
        circles.into_iter().collect()
    }
}

impl Module {
    fn parse(text: &str) -> Module {
        let code: String = text
            .lines()
            .map(|line| line.split("//").next().unwrap_or_default())
            .fold(String::new(), |code, line| code + line + "\n");
        let code = code.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
        let mut defines = BTreeSet::new();
        let words: Vec<&str> = code
            .split(|c: char| !(c.is_alphanumeric() || c == '_'))
            .filter(|word| !word.is_empty())
            .collect();
        for pair in words.windows(2) {
            if ["struct", "enum", "trait", "type", "fn", "const", "static", "union"]
                .contains(&pair[0])
            {
                defines.insert(pair[1].to_string());
            }
        }
        let mut text = String::new();
        let mut exports = BTreeMap::new();
        for item in code.split_inclusive(';') {
            match item.rsplit_once("use ") {
                Some((before, tree)) if before.trim_end().ends_with(['b', ')']) => {
                    text += before;
                    for path in expand(tree.trim_end_matches(';')) {
                        exports.extend(path.last().cloned().map(|name| (name, path)));
                    }
                }
                _ => text += item,
            }
        }
        Module { text, defines, exports }
    }
}

fn joined(path: &[String], name: &str) -> ModulePath {
    let mut joined = path.to_vec();
    joined.push(name.into());
    joined
}

fn reachable(
    edges: &BTreeMap<&ModulePath, BTreeSet<ModulePath>>,
    from: &ModulePath,
) -> BTreeSet<ModulePath> {
    let mut seen = BTreeSet::new();
    let mut open = vec![from.clone()];
    while let Some(path) = open.pop() {
        for to in edges.get(&path).into_iter().flatten() {
            if seen.insert(to.clone()) {
                open.push(to.clone());
            }
        }
    }
    seen
}

/// The paths of a `use` tree: `a::{b, c::d}` is `a::b` and `a::c::d`.
fn expand(tree: &str) -> Vec<ModulePath> {
    let split = |text: &str| -> ModulePath {
        let name = text.split(" as ").next().unwrap_or_default();
        name.split("::").map(|part| part.trim().to_string()).filter(|p| !p.is_empty()).collect()
    };
    let Some((head, rest)) = tree.split_once('{') else { return vec![split(tree)] };
    let inner = rest.rsplit_once('}').map_or(rest, |(inner, _)| inner);
    let (mut depth, mut start, mut branches) = (0, 0, Vec::new());
    for (at, c) in inner.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                branches.push(&inner[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    branches.push(&inner[start..]);
    let branches = branches.into_iter().filter(|branch| !branch.trim().is_empty());
    branches
        .flat_map(expand)
        .map(|branch| split(head).into_iter().chain(branch).collect())
        .collect()
}

/// The paths that a module's text imports, or names in full.
fn paths_in(text: &str) -> Vec<ModulePath> {
    let mut paths = Vec::new();
    for item in text.split(';') {
        if let Some((_, tree)) = item.split_once("use ") {
            paths.extend(expand(tree));
        }
    }
    let named = text.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':'));
    let is_path = |word: &&str| word.starts_with("crate::") || word.starts_with("super::");
    paths.extend(named.filter(is_path).flat_map(expand));
    paths
}

/// Whether all modules are one module and what is below it.
fn is_one_part(circle: &BTreeSet<ModulePath>) -> bool {
    let first = circle.first().cloned().unwrap_or_default();
    let common = circle.iter().fold(first, |common, path| {
        let same = common.iter().zip(path).take_while(|(a, b)| a == b).count();
        common[..same].to_vec()
    });
    !common.is_empty()
}

#[test]
fn parts_do_not_import_each_other_in_a_circle() {
    let mut complaints = Vec::new();
    for (_, folder, _) in CRATES {
        let source = root().join(folder).join("src");
        for circle in Modules::of_crate(&source).circles() {
            let names: Vec<String> = circle.iter().map(|path| path.join("/")).collect();
            let intended = INTENDED
                .iter()
                .any(|(file, _)| names.iter().any(|name| format!("{folder}/{name}") == *file));
            if !is_one_part(&circle) && !intended {
                complaints.push(format!("{}: {}", shown(&source), names.join(", ")));
            }
        }
    }
    report(&complaints);
}

#[test]
fn imports_are_understood() {
    let paths = expand("crate::a::{b, c::{D, E as F}}");
    let shown: Vec<String> = paths.iter().map(|path| path.join("::")).collect();
    assert_eq!(shown, ["crate::a::b", "crate::a::c::D", "crate::a::c::E"]);
    let modules =
        [("a", "use crate::b::B;\nstruct A;"), ("b", "fn f() { super::a::A; }"), ("c", "")];
    let modules = Modules(
        modules.map(|(name, text)| (vec![name.into()], Module::parse(text))).into_iter().collect(),
    );
    let circle: BTreeSet<ModulePath> = [vec!["a".to_string()], vec!["b".to_string()]].into();
    assert_eq!(modules.circles(), std::slice::from_ref(&circle));
    assert!(!is_one_part(&circle));
    let part = [vec!["a".to_string()], vec!["a".to_string(), "b".to_string()]].into();
    assert!(is_one_part(&part));
}
