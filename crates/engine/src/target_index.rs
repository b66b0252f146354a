//! Targets as users write them: `FILE:LINE`, a function's name, or `errors`.
//!
//! A line is reached when one of its instructions executes, wherever it was inlined. So the
//! points of a line are its first instruction in each block: a path that executes another one
//! of that block passed this one before.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

use byway_base::SrcLoc;
use byway_base::spelling::closest;
use byway_ir::analysis::ProgramPoint;
use byway_ir::analysis::effects::ERROR_FUNCTIONS;
use byway_ir::{Callee, Const, FuncId, Function, Inst, LocId, Module, OperandKind, Origin, Symbol};

use crate::Target;

/// The target that stands for every error.
const ERRORS: &str = "errors";

/// The lines named in a message about one without code.
const NEAREST_LINES: usize = 3;

/// A target with the name that reports show.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NamedTarget {
    /// `FILE:LINE`, or the name of a function.
    pub name: String,
    /// Its lines in the source, each a path and a number; none if it has no known line.
    pub lines: Vec<(String, u32)>,
    /// What reaching it means.
    pub kind: TargetKind,
    /// Its points in the program.
    pub target: Target,
}

/// What reaching a target means.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum TargetKind {
    /// One of its lines executes.
    Lines,
    /// The function is called.
    Function,
    /// The call of an error function on its line is executed, not only another part of the line.
    Error,
}

/// The lines and functions of a program that can be targets.
pub struct TargetIndex<'m> {
    module: &'m Module,
    /// The points of each line, by path. Lines of the user's code, then those of libraries.
    user: LineTable,
    library: LineTable,
}

type LineTable = BTreeMap<String, BTreeMap<u32, BTreeSet<ProgramPoint>>>;

impl<'m> TargetIndex<'m> {
    /// Indexes the lines of a module.
    pub fn new(module: &'m Module) -> TargetIndex<'m> {
        let mut index = TargetIndex { module, user: LineTable::new(), library: LineTable::new() };
        for (id, func) in &module.funcs {
            index.add_function(id, func);
        }
        index
    }

    /// The targets of a text: several for `errors`, one otherwise. The error is one sentence for
    /// the user.
    pub fn resolve(&self, text: &str) -> Result<Vec<NamedTarget>, String> {
        if text == ERRORS {
            return self.errors();
        }
        match text.rsplit_once(':') {
            Some((file, line)) if !file.is_empty() => match line.parse() {
                Ok(column) if is_line(file) => Err(format!(
                    "`{text}` has a column, which no target has: write {file}, without `:{column}`"
                )),
                Ok(line) => Ok(vec![self.line(file, line)?]),
                Err(_) => Err(format!(
                    "`{text}` is no target: write FILE:LINE, the name of a function, or `{ERRORS}`"
                )),
            },
            _ => Ok(vec![self.function(text)?]),
        }
    }

    /// The target of a line. The file is given by any suffix of its path that no other file has.
    pub fn line(&self, file: &str, line: u32) -> Result<NamedTarget, String> {
        let (path, lines) = self.file(file)?;
        let Some(points) = lines.get(&line) else {
            return Err(format!("{file}:{line} has no code; {}", nearest(file, line, lines)));
        };
        let target = Target::at(points.iter().copied().collect());
        let name = format!("{file}:{line}");
        Ok(NamedTarget { name, lines: vec![(path.clone(), line)], kind: TargetKind::Lines, target })
    }

    /// The target of a function: its entry.
    pub fn function(&self, name: &str) -> Result<NamedTarget, String> {
        let source_name = |func: &'m Function| {
            func.scope.map(|scope| self.module.debug.scopes[scope].name.as_str())
        };
        let with_body = || self.module.funcs.iter().filter(|(_, func)| !func.is_declaration());
        let found: Vec<_> = with_body()
            .filter(|(_, func)| func.name == name || source_name(func) == Some(name))
            .collect();
        let entry = |&(id, func): &(FuncId, &'m Function)| {
            Some(ProgramPoint { func: id, block: func.entry()?, inst: 0 })
        };
        if let Some((_, func)) = found.first() {
            let scope = func.scope.map(|scope| &self.module.debug.scopes[scope]);
            let line = scope
                .map(|it| (normalised_path(&self.module.debug.files[it.file].path()), it.line));
            let lines = line.into_iter().collect();
            let target = Target::at(found.iter().filter_map(entry).collect());
            let name = name.to_string();
            return Ok(NamedTarget { name, lines, kind: TargetKind::Function, target });
        }
        if self.module.func_by_name(name).is_some() {
            return Err(format!(
                "the program has no body of function `{name}`; give the file that defines it, too"
            ));
        }
        let users = with_body().filter(|(_, func)| func.origin == Origin::User);
        let names: BTreeSet<&str> = users
            .flat_map(|(_, func)| source_name(func).into_iter().chain([&*func.name]))
            .collect();
        let hint = match closest(name, names) {
            Some(near) => format!("; did you mean `{near}`?"),
            None => String::new(),
        };
        Err(format!("the program has no function `{name}`{hint}"))
    }

    /// One target for each call in the user's code that reports an error.
    fn errors(&self) -> Result<Vec<NamedTarget>, String> {
        let mut targets = Vec::new();
        for (id, func) in &self.module.funcs {
            if func.origin != Origin::User || ERROR_FUNCTIONS.contains(&func.name.as_str()) {
                continue;
            }
            for (block_id, block) in &func.blocks {
                for (inst, inst_id) in block.inst_ids().enumerate() {
                    if self.is_error(func, &func.insts[inst_id]) {
                        let point = ProgramPoint { func: id, block: block_id, inst: inst as u32 };
                        targets.push(self.error_at(point, func.loc(inst_id)));
                    }
                }
            }
        }
        if targets.is_empty() {
            return Err(format!(
                "the program has no calls for `{ERRORS}`: none of {} in its own code",
                ERROR_FUNCTIONS.join(", ")
            ));
        }
        targets.sort_by(|a, b| (&a.lines, &a.target.points).cmp(&(&b.lines, &b.target.points)));
        Ok(targets)
    }

    fn is_error(&self, func: &Function, inst: &Inst) -> bool {
        let callee = match inst {
            Inst::Trap => return true,
            Inst::Call { callee: Callee::Direct(callee), .. } => *callee,
            Inst::Call { callee: Callee::Indirect(op), .. } => match op.kind() {
                OperandKind::Const(it) => match func.consts[it] {
                    Const::Address { symbol: Symbol::Func(callee), offset: 0 } => callee,
                    _ => return false,
                },
                OperandKind::Val(_) => return false,
            },
            _ => return false,
        };
        ERROR_FUNCTIONS.contains(&self.module.funcs[callee].name.as_str())
    }

    fn error_at(&self, point: ProgramPoint, loc: Option<LocId>) -> NamedTarget {
        let at = loc.map(|loc| self.module.src_loc(loc)).filter(|at| at.line != 0);
        let name = match loc.zip(at.as_ref()) {
            Some((loc, at)) => {
                let file = &self.module.debug.files[self.module.debug.locs[loc].file];
                format!("{}:{}", file.name, at.line)
            }
            None => self.module.funcs[point.func].name.clone(),
        };
        let lines = at
            .map(|SrcLoc { file, line, .. }| (normalised_path(&file), line))
            .into_iter()
            .collect();
        NamedTarget { name, lines, kind: TargetKind::Error, target: Target::at(vec![point]) }
    }

    /// The file of the program that a path of another tool means: the one that shares most of its
    /// end. Tools may have seen the sources in another directory.
    pub fn closest_file(&self, path: &str) -> Option<&str> {
        let mut rest = path;
        loop {
            if let Ok((found, _)) = self.file(rest) {
                return Some(found);
            }
            (_, rest) = rest.split_once('/')?;
        }
    }

    /// The lines of a file that have code, ascending.
    pub fn lines_of(&self, file: &str) -> Vec<u32> {
        self.file(file).map_or(Vec::new(), |(_, lines)| lines.keys().copied().collect())
    }

    /// The lines on which globals are declared whose initial values may reach into some lines of a
    /// file: a value ends before the next line with code, or the next declaration.
    pub fn initialisers_in(&self, file: &str, lines: &RangeInclusive<u32>) -> Vec<u32> {
        let Ok((path, code)) = self.file(file) else { return Vec::new() };
        let declared = self.module.globals.values().filter(|global| global.init.is_some());
        let declared: BTreeSet<u32> = declared
            .filter_map(|global| {
                let at = &self.module.debug.locs[global.loc?];
                let is_here = normalised_path(&self.module.debug.files[at.file].path()) == *path;
                is_here.then_some(at.line)
            })
            .collect();
        let ends_before = |line: u32| {
            let next = code.keys().chain(&declared).copied().filter(|&it| it > line);
            next.min().unwrap_or(u32::MAX)
        };
        let reaches = |&&line: &&u32| line <= *lines.end() && ends_before(line) > *lines.start();
        declared.iter().filter(reaches).copied().collect()
    }

    /// The path and the lines of a file.
    fn file(
        &self,
        name: &str,
    ) -> Result<(&String, &BTreeMap<u32, BTreeSet<ProgramPoint>>), String> {
        let wanted = normalised_path(name);
        for lines in [&self.user, &self.library] {
            if let Some(exact) = lines.get_key_value(&wanted) {
                return Ok(exact);
            }
            let is_suffix = |path: &str| {
                let rest = path.strip_suffix(wanted.as_str());
                rest.is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
            };
            let found: Vec<_> = lines.iter().filter(|(path, _)| is_suffix(path)).collect();
            match found[..] {
                [] => {}
                [only] => return Ok(only),
                _ => {
                    let paths: Vec<&str> = found.iter().map(|(path, _)| path.as_str()).collect();
                    return Err(format!(
                        "several files are called {name}: {}; give more of the path",
                        paths.join(", ")
                    ));
                }
            }
        }
        let base = |path: &'_ str| path.rsplit('/').next().unwrap_or_default().to_string();
        let names: BTreeSet<String> = self.user.keys().map(|path| base(path)).collect();
        let hint = match closest(&base(&wanted), names.iter().map(String::as_str)) {
            Some(near) => format!("; did you mean {near}?"),
            None if names.is_empty() => {
                "; its code has no line numbers (compile with -g)".to_string()
            }
            None => format!(
                "; its files are {}",
                names.iter().take(5).cloned().collect::<Vec<_>>().join(", ")
            ),
        };
        Err(format!("the program has no code of a file {name}{hint}"))
    }

    fn add_function(&mut self, id: FuncId, func: &Function) {
        let module = self.module;
        let lines = match func.origin {
            Origin::User => &mut self.user,
            _ => &mut self.library,
        };
        if let (Some(scope), Some(block)) = (func.scope, func.entry()) {
            // The line of a definition stands for the entry.
            let scope = &module.debug.scopes[scope];
            let path = normalised_path(&module.debug.files[scope.file].path());
            let point = ProgramPoint { func: id, block, inst: 0 };
            lines.entry(path).or_default().entry(scope.line).or_default().insert(point);
        }
        for (block_id, block) in &func.blocks {
            let mut seen = BTreeSet::new();
            let locs = block.inst_ids().map(|inst| func.loc(inst)).chain([block.term_loc]);
            for (inst, loc) in (0..).zip(locs) {
                let mut next = loc;
                while let Some(loc) = next {
                    let at = &module.debug.locs[loc];
                    next = at.inlined_at;
                    if at.line != 0 && seen.insert((at.file, at.line)) {
                        let point = ProgramPoint { func: id, block: block_id, inst };
                        let path = normalised_path(&module.debug.files[at.file].path());
                        lines.entry(path).or_default().entry(at.line).or_default().insert(point);
                    }
                }
            }
        }
    }
}

/// Whether a text is itself `FILE:LINE`.
fn is_line(text: &str) -> bool {
    text.rsplit_once(':').is_some_and(|(_, line)| line.parse::<u32>().is_ok())
}

/// "the nearest lines with code are a.c:3 and a.c:7"
fn nearest<T>(file: &str, line: u32, lines: &BTreeMap<u32, T>) -> String {
    let mut near: Vec<u32> = lines.keys().copied().collect();
    near.sort_by_key(|&other| (other.abs_diff(line), other));
    near.truncate(NEAREST_LINES);
    near.sort_unstable();
    let near: Vec<String> = near.iter().map(|line| format!("{file}:{line}")).collect();
    format!("the nearest lines that do are {}", near.join(", "))
}

/// A path without `.` and `..` components, as far as the text alone tells.
pub fn normalised_path(text: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in text.split('/').filter(|part| !matches!(*part, "" | ".")) {
        match (part, parts.last()) {
            ("..", Some(&last)) if last != ".." => _ = parts.pop(),
            _ => parts.push(part),
        }
    }
    format!("{}{}", if text.starts_with('/') { "/" } else { "" }, parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROGRAM: &str = r#"bwir 1
module "test"

func user @main(v0:i32) -> i32 !scope0 {
b0:
  v1:i1 = icmp eq v0, 7:i32 !loc0
  br v1, b1, b2 !loc0
b1:
  v2:i32 = add v0, 1:i32 !loc1
  v3:i32 = add v2, 1:i32 !loc2
  call @abort() !loc3
  ret v3 !loc3
b2:
  v4:i32 = add v0, 2:i32 !loc1
  ret v4 !loc4
}

func user @abort()

func libc @sort(v0:i32) {
b0:
  ret !loc5
}

file0 = "/src" "./one/a.c"
file1 = "/src" "two/a.c"
file2 = "/src" "two/b.h"
file3 = "/libc" "sort.c"

scope0 = "main" file0 line 2

loc0 = file0 3:1 scope0
loc1 = file0 5:1 scope0
loc2 = file2 9:1 scope0 at loc0
loc3 = file1 6:1 scope0
loc4 = file0 8:1 scope0
loc5 = file3 1:1 scope0
"#;

    fn points(text: &str) -> Result<Vec<(usize, usize, u32)>, String> {
        use byway_base::entity::EntityRef;
        let module = byway_ir::text::parse(PROGRAM).expect("it parses");
        let targets = TargetIndex::new(&module).resolve(text)?;
        let point = |it: &ProgramPoint| (it.func.index(), it.block.index(), it.inst);
        Ok(targets.iter().flat_map(|it| it.target.points.iter().map(point)).collect())
    }

    #[test]
    fn lines_functions_and_errors_are_found() {
        assert_eq!(points("one/a.c:2"), Ok(vec![(0, 0, 0)]));
        assert_eq!(points("one/a.c:5"), Ok(vec![(0, 1, 0), (0, 2, 0)]));
        assert_eq!(points("/src/one/a.c:8"), Ok(vec![(0, 2, 1)]));
        assert_eq!(points("./two/../two/a.c:6"), Ok(vec![(0, 1, 2)]));
        // The call that was inlined, and what was inlined there.
        assert_eq!(points("one/a.c:3"), Ok(vec![(0, 0, 0), (0, 1, 1)]));
        assert_eq!(points("b.h:9"), Ok(vec![(0, 1, 1)]));
        assert_eq!(points("sort.c:1"), Ok(vec![(2, 0, 0)]));
        assert_eq!(points("main"), Ok(vec![(0, 0, 0)]));
        assert_eq!(points("errors"), Ok(vec![(0, 1, 2)]));
    }

    #[test]
    fn what_is_not_found_gets_what_is_close() {
        for (text, message) in [
            ("a.c:5", "several files are called a.c: /src/one/a.c, /src/two/a.c; give more of"),
            ("one/a.c:6", "has no code; the nearest lines that do are one/a.c:3, one/a.c:5, one/a"),
            ("b.hh:1", "no code of a file b.hh; did you mean b.h?"),
            ("zzzzz.c:1", "its files are a.c, b.h"),
            ("mian", "no function `mian`; did you mean `main`?"),
            ("abort", "no body of function `abort`"),
            ("one/a.c:5:3", "has a column, which no target has: write one/a.c:5"),
            ("a.c:x", "write FILE:LINE, the name of a function, or `errors`"),
            ("a.c:99999999999", "`a.c:99999999999` is no target"),
            (":5", "no function `:5`"),
            ("", "no function ``"),
        ] {
            let error = points(text).expect_err(text);
            assert!(error.contains(message), "{text}: {error}");
        }
    }
}
