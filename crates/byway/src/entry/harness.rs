//! A C harness: builds the unconstrained input of a test and calls the function natively.
//!
//! It needs no header of the program. If the function is in a C file of the program, the harness
//! includes that file, so that static functions and variables are reachable; otherwise it refers
//! to them by their symbols. Objects are bytes, with pointers written at their offsets; the call
//! goes through a pointer to a function type of the same layout.
//!
//! Compiled alone, it is a program. A file that defines `BYWAY_HARNESS` and includes the program's
//! file itself can include any number of them, and call each by its number.

use std::fmt::Write;
use std::path::Path;

use byway_engine::{InputShape, PointerTarget, ShapeKind, ShapeObject};
use byway_ir::{DebugTy, DebugTyId, FuncId, Global, Module};

use super::c_types::CTypes;

/// What a harness is made from.
pub struct Harness<'a> {
    pub module: &'a Module,
    pub function: FuncId,
    /// The predicate that the arguments satisfy.
    pub assume: Option<FuncId>,
    pub shape: &'a InputShape,
    /// The C file that defines the function.
    pub source: Option<&'a Path>,
    /// The number of the test.
    pub number: u64,
    /// The input, for the reader.
    pub tree: &'a [String],
}

/// The first line of the input in a harness's comment, and what each line starts with.
const INPUT: &str = " * Input:";
const LINE: &str = " *   ";

/// The tree of the input that a harness's comment shows.
pub fn input_of(harness: &str) -> Vec<&str> {
    let lines = harness.lines().skip_while(|line| *line != INPUT).skip(1);
    lines.map_while(|line| line.strip_prefix(LINE)).collect()
}

/// The C file that a harness includes.
pub fn included(harness: &str) -> Option<String> {
    let define = format!("#define main {RENAMED_MAIN}");
    let mut lines = harness.lines().skip_while(|line| **line != define).skip(1);
    let path = lines.next()?.strip_prefix("#include \"")?.strip_suffix('"')?;
    Some(path.replace("\\\"", "\"").replace("\\\\", "\\"))
}

/// The name that the program's own `main` has beside a harness.
pub const RENAMED_MAIN: &str = "byway_program_main";

/// The name of a test's harness.
pub fn file_name(test: &str) -> String {
    format!("{}.harness.c", test.trim_end_matches(".ktest"))
}

/// The function of a harness that builds the input and calls.
pub fn case_name(number: u64) -> String {
    format!("byway_case_{number:06}")
}

impl Harness<'_> {
    /// The harness as C.
    pub fn render(&self) -> String {
        let mut text = String::new();
        // Writing into a string cannot fail.
        let _ = self.write(&mut text);
        text
    }

    fn write(&self, out: &mut String) -> std::fmt::Result {
        let (name, case) = (self.name(self.function), case_name(self.number));
        writeln!(out, "/* Calls {name} on the input of test {:06}.", self.number)?;
        writeln!(out, " * Written by Byway; 'byway replay' compiles and runs it.\n{INPUT}")?;
        for line in self.tree {
            // A comment must not end early.
            writeln!(out, "{LINE}{}", line.replace("*/", "* /"))?;
        }
        writeln!(out, " */")?;
        if let Some(source) = self.source {
            writeln!(out, "#ifndef BYWAY_HARNESS\n#define main {RENAMED_MAIN}")?;
            writeln!(out, "#include \"{}\"\n#undef main\n#endif", escaped(source))?;
        }
        self.externals(out)?;
        writeln!(out, "\n__attribute__((no_sanitize(\"function\")))")?;
        writeln!(out, "static int {case}(void)\n{{")?;
        self.objects(out)?;
        self.pointers(out)?;
        self.globals(out)?;
        self.call(out)?;
        writeln!(out, "\treturn 0;\n}}")?;
        writeln!(out, "\n#ifndef BYWAY_HARNESS\nint main(void)\n{{\n\treturn {case}();\n}}\n#endif")
    }

    /// The name of a function in the source.
    fn name(&self, func: FuncId) -> &str {
        let function = &self.module.funcs[func];
        let scope = function.scope.map(|scope| &self.module.debug.scopes[scope].name);
        scope.filter(|name| !name.is_empty()).unwrap_or(&function.name)
    }

    /// How the harness refers to a function: by its name, if it includes the file that defines it,
    /// or by a declaration of its symbol.
    fn reference(&self, func: FuncId) -> String {
        match self
            .is_included(self.module.funcs[func].scope.map(|it| self.module.debug.scopes[it].file))
        {
            true => self.name(func).to_string(),
            false => format!("byway_{:06}_function_{}", self.number, func.as_u32()),
        }
    }

    fn is_included(&self, file: Option<byway_ir::SourceFileId>) -> bool {
        let own = self.module.funcs[self.function].scope;
        let own = own.map(|scope| self.module.debug.scopes[scope].file);
        self.source.is_some() && file.is_some() && file == own
    }

    /// Declares the symbols that the harness refers to but does not include.
    fn externals(&self, out: &mut String) -> std::fmt::Result {
        let targets = self.shape.objects.iter().flat_map(|object| &object.pointers);
        let mut functions: Vec<FuncId> = targets
            .filter_map(|pointer| match &pointer.target {
                PointerTarget::Function(name) => self.module.func_by_name(name),
                _ => None,
            })
            .chain([self.function])
            .chain(self.assume)
            .collect();
        functions.sort_unstable();
        functions.dedup();
        for func in functions {
            let (reference, symbol) = (self.reference(func), &self.module.funcs[func].name);
            if reference.starts_with("byway_") {
                writeln!(out, "void {reference}(void) __asm__(\"{symbol}\");")?;
            }
        }
        for (index, object) in self.shape.objects.iter().enumerate() {
            if let Some(GlobalReference::Symbol(symbol)) = self.global(object) {
                let name = format!("byway_{:06}_global_{index}", self.number);
                writeln!(out, "extern char {name}[] __asm__(\"{symbol}\") __attribute__((weak));")?;
            }
        }
        Ok(())
    }

    /// Allocates the objects. Those that pointers refer to may be freed by the function.
    fn objects(&self, out: &mut String) -> std::fmt::Result {
        for (index, object) in self.shape.objects.iter().enumerate() {
            if !self.is_needed(object) {
                continue;
            }
            let size = object.bytes.len();
            writeln!(
                out,
                "\tchar *o{index} = __builtin_calloc(1, {size}); /* {} */",
                described(object)
            )?;
            for (offset, bytes) in runs(&object.bytes) {
                let text = literal(bytes);
                let len = bytes.len();
                writeln!(out, "\t__builtin_memcpy(o{index} + {offset}, \"{text}\", {len});")?;
            }
        }
        Ok(())
    }

    fn is_needed(&self, object: &ShapeObject) -> bool {
        match object.kind {
            ShapeKind::Global(_) => object.is_accessed,
            ShapeKind::Parameter(_) => true,
            ShapeKind::Pointee => true,
        }
    }

    /// Writes the pointers into the objects.
    fn pointers(&self, out: &mut String) -> std::fmt::Result {
        for (index, object) in self.shape.objects.iter().enumerate() {
            if !self.is_needed(object) {
                continue;
            }
            for pointer in &object.pointers {
                let target = match &pointer.target {
                    PointerTarget::Null => continue,
                    PointerTarget::Object(target) => format!("o{target}"),
                    PointerTarget::Function(name) => match self.module.func_by_name(name) {
                        Some(func) => self.reference(func),
                        None => continue,
                    },
                };
                let offset = pointer.offset;
                writeln!(
                    out,
                    "\t__builtin_memcpy(o{index} + {offset}, &(void *){{(void *){target}}}, 8);"
                )?;
            }
        }
        Ok(())
    }

    /// Sets the program's variables.
    fn globals(&self, out: &mut String) -> std::fmt::Result {
        for (index, object) in self.shape.objects.iter().enumerate() {
            let size = object.bytes.len();
            match self.global(object) {
                None => {}
                Some(GlobalReference::Included(name)) => {
                    writeln!(out, "\t__builtin_memcpy((void *)&{name}, o{index}, {size});")?;
                }
                Some(GlobalReference::Symbol(_)) => {
                    let name = format!("byway_{:06}_global_{index}", self.number);
                    writeln!(out, "\tif ({name}) __builtin_memcpy({name}, o{index}, {size});")?;
                }
                Some(GlobalReference::Unreachable(name)) => {
                    writeln!(out, "\t/* '{name}' is local to a function, and cannot be set */")?;
                }
            }
        }
        Ok(())
    }

    fn global(&self, object: &ShapeObject) -> Option<GlobalReference> {
        let ShapeKind::Global(symbol) = &object.kind else { return None };
        if !object.is_accessed {
            return None;
        }
        let global: &Global = &self.module.globals[self.module.global_by_name(symbol)?];
        let loc = global.loc.map(|loc| &self.module.debug.locs[loc]);
        let in_function =
            loc.is_some_and(|loc| !self.module.debug.scopes[loc.scope].name.is_empty());
        Some(match self.is_included(loc.map(|loc| loc.file)) {
            _ if in_function => GlobalReference::Unreachable(symbol.clone()),
            true => GlobalReference::Included(symbol.clone()),
            false => GlobalReference::Symbol(symbol.clone()),
        })
    }

    /// Calls the predicate and the function.
    fn call(&self, out: &mut String) -> std::fmt::Result {
        let types = CTypes::new(self.module);
        let parameters: Vec<(usize, &ShapeObject)> = self
            .shape
            .objects
            .iter()
            .enumerate()
            .filter(|(_, object)| matches!(object.kind, ShapeKind::Parameter(_)))
            .collect();
        for &(index, object) in &parameters {
            let declaration = match object.ty {
                Some(_) => types.declaration(object.ty, &format!("t{index}")),
                None if object.pointers.is_empty() => {
                    format!("{} t{index}", unknown(object.bytes.len()))
                }
                None => format!("void *t{index}"),
            };
            let size = object.bytes.len();
            writeln!(out, "\ttypedef {declaration};")?;
            writeln!(out, "\t_Static_assert(sizeof(t{index}) == {size}, \"the same layout\");")?;
            writeln!(
                out,
                "\tt{index} a{index};\n\t__builtin_memcpy(&a{index}, o{index}, {size});"
            )?;
        }
        let (result, _) = self.signature(self.function);
        writeln!(out, "\ttypedef {};", result_type(&types, result, "result"))?;
        let list = |prefix: &str, count: usize| {
            let names = parameters.iter().take(count).map(|(index, _)| format!("{prefix}{index}"));
            names.collect::<Vec<_>>().join(", ")
        };
        let all = parameters.len();
        if let Some(predicate) = self.assume {
            let (_, count) = self.signature(predicate);
            let (types, args) = (list("t", count), list("a", count));
            let types = if types.is_empty() { "void".into() } else { types };
            let reference = self.reference(predicate);
            writeln!(out, "\tif (!((int (*)({types}))(void *){reference})({args})) return 1;")?;
        }
        let (types, args, reference) =
            (list("t", all), list("a", all), self.reference(self.function));
        let types = if types.is_empty() { "void".into() } else { types };
        writeln!(out, "\t((result (*)({types}))(void *){reference})({args});")
    }

    /// The result type and the number of parameters of a function.
    fn signature(&self, func: FuncId) -> (Option<DebugTyId>, usize) {
        let types = CTypes::new(self.module);
        let function = &self.module.funcs[func];
        match types.resolve(function.ty) {
            Some(DebugTy::Function { result, params, .. }) => (*result, params.len()),
            _ => (None, function.params.len()),
        }
    }
}

/// How a harness refers to a variable.
enum GlobalReference {
    /// By its name, in the included file.
    Included(String),
    Symbol(String),
    /// It is local to a function.
    Unreachable(String),
}

fn result_type(types: &CTypes, ty: Option<DebugTyId>, name: &str) -> String {
    match types.resolve(ty) {
        None => format!("void {name}"),
        Some(_) => types.declaration(ty, name),
    }
}

/// A type for a parameter of this size without debug information.
fn unknown(size: usize) -> &'static str {
    match size {
        1 => "char",
        2 => "short",
        4 => "int",
        8 => "long",
        _ => "__int128",
    }
}

fn described(object: &ShapeObject) -> String {
    let name = object.name.replace("*/", "* /");
    match object.kind {
        ShapeKind::Pointee => format!("*{name}"),
        _ => name,
    }
}

/// The runs of bytes that are not zero, with their offsets; short gaps do not end one.
fn runs(bytes: &[u8]) -> Vec<(usize, &[u8])> {
    const GAP: usize = 8;
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for (at, _) in bytes.iter().enumerate().filter(|(_, byte)| **byte != 0) {
        match runs.last_mut() {
            Some((_, end)) if at < *end + GAP => *end = at + 1,
            _ => runs.push((at, at + 1)),
        }
    }
    runs.into_iter().map(|(from, to)| (from, &bytes[from..to])).collect()
}

/// Bytes as the contents of a C string literal.
fn literal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("\\{byte:03o}")).collect()
}

/// A path in an `#include`.
pub fn escaped(path: &Path) -> String {
    path.display().to_string().replace('\\', "\\\\").replace('"', "\\\"")
}
