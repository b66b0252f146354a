//! `byway ir`: prints a program in Byway's IR.

mod config;
mod depends;
mod flags;
mod listing;
mod points_to;

use std::fs;

use byway_base::spelling::closest;
use byway_ir::{FuncId, Function, Module, Origin, text};

pub use config::IrConfig;
pub use flags::{EXAMPLES, IrFlags};

use crate::console::print;
use crate::exit;
use crate::failure::{Failure, Result};
use crate::load;
use config::Selection;

/// `byway ir`: prints a program.
pub fn ir(config: &IrConfig) -> Result<u8> {
    let loaded = load::load_and_warn(&config.load)?;
    let text = select(&loaded.module, &config.selection)?;
    match &config.out {
        Some(path) => fs::write(path, text).map_err(|e| Failure::io("write", path, &e))?,
        None => print(&text)?,
    }
    Ok(exit::SUCCESS)
}

fn select(module: &Module, selection: &Selection) -> Result<String> {
    match selection {
        Selection::Everything => Ok(text::print(module)),
        Selection::User => {
            Ok(listing::print(module, |f| f.origin == Origin::User && !f.is_declaration()))
        }
        Selection::Functions(names) => {
            ids(module, names)?;
            Ok(listing::print(module, |f| names.contains(&f.name)))
        }
        Selection::PointsTo(names) => Ok(points_to::print(module, &ids(module, names)?)),
        Selection::Depends { names, dot } => Ok(depends::print(module, &ids(module, names)?, *dot)),
    }
}

/// The functions of these names.
fn ids(module: &Module, names: &[String]) -> Result<Vec<FuncId>> {
    let missing = |name: &String| {
        let failure = Failure::new(format!("the program has no function '{name}'"));
        let of_user = |func: &&Function| func.origin == Origin::User;
        let known = module.funcs.values().filter(of_user).map(|func| func.name.as_str());
        match closest(name, known) {
            Some(near) => failure.hint(format!("did you mean '{near}'?")),
            None => failure,
        }
    };
    let id = |name: &String| module.func_by_name(name).ok_or_else(|| missing(name));
    names.iter().map(id).collect()
}
