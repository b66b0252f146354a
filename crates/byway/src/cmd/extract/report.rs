//! What of a native program is in its bitcode, and what is not.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

use byway_base::ubsan::HandlerName;
use byway_engine::is_supplied;
use byway_ir::{Module, Origin};

use crate::load::native::NativeProgram;

/// More names of a list are counted.
const MAX_NAMES: usize = 12;

/// The report on a program whose bitcode was loaded as `module`.
pub fn of_program(program: &NativeProgram, output: &Path, module: &Module) -> String {
    let mut text = String::new();
    let sources: usize = program.parts.iter().map(|part| part.bitcode.len()).sum();
    let own = |f: &&byway_ir::Function| f.origin == Origin::User && !f.is_declaration();
    let functions = module.funcs.values().filter(own).count();
    let (functions, sources) = (counted(functions, "function"), counted(sources, "source"));
    let _ = writeln!(text, "{}: {functions} from {sources}", output.display());
    for part in &program.parts[1..] {
        let (shown, count) = (part.path.display(), counted(part.bitcode.len(), "source"));
        let _ = writeln!(text, "  with the library {shown}: {count}");
    }
    let missing = program.parts.iter().flat_map(|part| &part.missing);
    for (source, why) in missing {
        let _ = writeln!(text, "  without bitcode: {source}: {why}");
    }
    for (provider, names) in undefined(program, module) {
        let _ = writeln!(text, "  {provider}: {}", list(&names));
    }
    text
}

/// The report on an archive.
pub fn of_archive(without: &[String], output: &Path) -> String {
    let mut text = format!("{}: the bitcode of the archive\n", output.display());
    for member in without {
        let _ = writeln!(text, "  without bitcode: {member}");
    }
    text
}

/// The functions and variables that the bitcode needs and nothing supplies, by what has them
/// natively.
fn undefined<'a>(
    program: &NativeProgram,
    module: &'a Module,
) -> BTreeMap<String, BTreeSet<&'a str>> {
    let funcs = module.funcs.values().filter(|it| it.is_declaration());
    let funcs = funcs.filter(|it| !is_supplied(&it.name) && HandlerName::parse(&it.name).is_none());
    let globals = module.globals.values().filter(|it| it.init.is_none());
    let names = funcs.map(|it| &*it.name).chain(globals.map(|it| &*it.name));
    let mut undefined: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    // The linker and the compiler's own libraries define names with two underscores.
    for name in names.filter(|name| !name.starts_with("__byway")) {
        let part = program.parts.iter().find(|part| part.defined.contains(name));
        let library = || program.opaque.iter().find(|library| library.defined.contains(name));
        let provider = match (part, library()) {
            (Some(part), _) => {
                format!("machine code in {} without bitcode", part.path.display())
            }
            (None, Some(library)) => format!("in {}, which has no bitcode", library.name),
            (None, None) => "undefined".to_string(),
        };
        undefined.entry(provider).or_default().insert(name);
    }
    undefined
}

fn list(names: &BTreeSet<&str>) -> String {
    let shown: Vec<&str> = names.iter().take(MAX_NAMES).copied().collect();
    match names.len() - shown.len() {
        0 => shown.join(", "),
        more => format!("{} and {more} others", shown.join(", ")),
    }
}

fn counted(number: usize, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{plural}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lists_are_cut() {
        let names: Vec<String> = (10..30).map(|n| format!("f{n}")).collect();
        let set: BTreeSet<&str> = names.iter().map(String::as_str).collect();
        assert!(list(&set).ends_with("f21 and 8 others"));
        assert_eq!(list(&BTreeSet::from(["a", "b"])), "a, b");
    }
}
