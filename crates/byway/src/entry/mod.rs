//! `--entry`: a program that starts in any of its functions, and what is reported of its input.

mod c_types;
pub mod harness;
mod tree;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use byway_base::spelling;
use byway_engine::{EntryError, InputShape, UnconstrainedOptions, add_entry, start_at};
use byway_ir::{FuncId, Function, Module, Origin};
use byway_rundir::EntryRecord;

use crate::failure::{Failure, Result};
use crate::load::{FileKind, kind_of};
use harness::Harness;

/// The function that paths start in, and the bounds of its input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EntryConfig {
    pub function: String,
    /// The predicate that its arguments satisfy.
    pub assume: Option<String>,
    pub options: UnconstrainedOptions,
}

impl EntryConfig {
    /// The record of a run.
    pub fn record(&self) -> EntryRecord {
        let UnconstrainedOptions { depth, elements, terminated, aliasing, globals } = self.options;
        EntryRecord {
            function: self.function.clone(),
            assume: self.assume.clone(),
            depth,
            elements,
            terminated,
            aliasing,
            globals,
        }
    }

    /// The configuration that a run recorded.
    pub fn recorded(record: &EntryRecord) -> EntryConfig {
        let EntryRecord { function, assume, depth, elements, terminated, aliasing, globals } =
            record.clone();
        let options = UnconstrainedOptions { depth, elements, terminated, aliasing, globals };
        EntryConfig { function, assume, options }
    }
}

/// The most functions that a message lists.
const MOST_NAMES: usize = 8;

/// Starts a program in the function.
pub fn prepare(module: &mut Module, config: &EntryConfig) -> Result<()> {
    let func = find(module, &config.function)?;
    let assume = match &config.assume {
        Some(name) => Some(find(module, name)?),
        None => None,
    };
    let entry = add_entry(module, func, assume).map_err(|error| {
        let Function { name, .. } = &module.funcs[func];
        match error {
            EntryError::Predicate(why) => Failure::new(format!("the predicate {why}"))
                .hint("it takes the parameters of --entry, or the first of them"),
            why => Failure::new(format!("cannot start in '{name}': {why}")).hint(match why {
                EntryError::Variadic => {
                    "write a function that calls it with the arguments to test, and start there"
                }
                _ => "give the file that defines it, too",
            }),
        }
    })?;
    start_at(module, entry);
    Ok(())
}

/// The function of the user's code with a name: its symbol, or its name in the source.
fn find(module: &Module, name: &str) -> Result<FuncId> {
    let in_source = |func: &Function| func.scope.map(|scope| &*module.debug.scopes[scope].name);
    let is_user = |func: &Function| func.origin == Origin::User;
    let mut matching = module
        .funcs
        .iter()
        .filter(|(_, func)| is_user(func) && (func.name == name || in_source(func) == Some(name)));
    if let Some((id, _)) = matching.next() {
        return Ok(id);
    }
    let defined = module.funcs.values().filter(|func| is_user(func) && !func.is_declaration());
    let names: BTreeSet<&str> = defined.map(|func| in_source(func).unwrap_or(&func.name)).collect();
    let failure = Failure::new(format!("the program has no function '{name}'"));
    Err(match spelling::closest(name, names.iter().copied()) {
        Some(close) => failure.hint(format!("did you mean '{close}'?")),
        None if names.is_empty() => failure,
        None => {
            let some: Vec<&str> = names.iter().copied().take(MOST_NAMES).collect();
            let more = names.len().saturating_sub(MOST_NAMES);
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            failure.hint(format!(
                "its functions are {}{more}; optimisation may have inlined others (try -O0)",
                some.join(", ")
            ))
        }
    })
}

/// Describes the inputs of a run that starts in a function.
pub struct InputReporter<'a> {
    module: &'a Module,
    function: FuncId,
    assume: Option<FuncId>,
    /// The C file that defines the function.
    source: Option<PathBuf>,
}

impl<'a> InputReporter<'a> {
    /// For a prepared program of these files.
    pub fn new(module: &'a Module, config: &EntryConfig, files: &[PathBuf]) -> Result<Self> {
        let function = find(module, &config.function)?;
        let assume = match &config.assume {
            Some(name) => Some(find(module, name)?),
            None => None,
        };
        let source = source_of(module, function, files);
        Ok(InputReporter { module, function, assume, source })
    }

    /// The input as a tree, a line for each value.
    pub fn tree(&self, shape: &InputShape) -> Vec<String> {
        tree::render(shape, self.module)
    }

    /// The harness of a test.
    pub fn harness(&self, shape: &InputShape, number: u64, tree: &[String]) -> String {
        let InputReporter { module, function, assume, .. } = *self;
        let source = self.source.as_deref();
        Harness { module, function, assume, shape, source, number, tree }.render()
    }
}

/// The C file of the program that defines a function, as an absolute path.
pub fn source_of(module: &Module, function: FuncId, files: &[PathBuf]) -> Option<PathBuf> {
    let scope = &module.debug.scopes[module.funcs[function].scope?];
    let defined_in = PathBuf::from(module.debug.files[scope.file].path());
    let real = |path: &Path| std::fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let defined_in = real(&defined_in);
    let is_c = |path: &&PathBuf| matches!(kind_of(path), Ok(FileKind::C));
    files.iter().filter(is_c).map(|path| real(path)).find(|path| *path == defined_in)
}
