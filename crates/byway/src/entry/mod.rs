//! `--entry`: a program that starts in any of its functions.

use byway_base::spelling;
use byway_engine::{EntryError, UnconstrainedOptions, add_entry, start_at};
use byway_ir::{FuncId, Function, Module, Origin};
use byway_rundir::EntryRecord;

use crate::failure::{Failure, Result};

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
            why => Failure::new(format!("cannot start in '{name}': {why}")),
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
    let names = defined.map(|func| in_source(func).unwrap_or(&func.name));
    let failure = Failure::new(format!("the program has no function '{name}'"));
    Err(match spelling::closest(name, names) {
        Some(close) => failure.hint(format!("did you mean '{close}'?")),
        None => failure.hint("clang may have inlined it: try -O0"),
    })
}
