//! The commands: load a program, then run it or print it.

use std::fs;
use std::io::{self, Write};
use std::time::Instant;

use byway_ir::{Module, Origin, text};

use crate::config::{ExecConfig, IrConfig, LoadConfig, Selection};
use crate::exit;
use crate::failure::{Failure, Result, reason};
use crate::host::Host;
use crate::listing;
use crate::load::{self, Loaded};
use crate::report::{self, Style};

/// `byway exec`: runs a program; the exit code says how it ended.
pub fn exec(config: &ExecConfig) -> Result<u8> {
    let style = Style::new(config.load.color);
    let mut host = Host::new(&config.host_files)?;
    let loaded = load_to_run(&config.load)?;
    let start = Instant::now();
    let finished = byway_engine::run(&loaded.module, &config.engine, &config.invocation, &mut host);
    let ran = start.elapsed();
    let (code, text) =
        report::render_outcome(&finished.outcome, &finished.stats, &config.engine, style);
    report::say_raw(&text);
    report::say_raw(&report::render_warnings(&finished.warnings, style));
    if config.stats {
        report::say_raw(&report::render_stats(&loaded, &finished.stats, ran));
    }
    Ok(code)
}

/// `byway ir`: prints a program.
pub fn ir(config: &IrConfig) -> Result<u8> {
    let loaded = load_and_warn(&config.load)?;
    let text = select(&loaded.module, &config.selection)?;
    match &config.out {
        Some(path) => fs::write(path, text).map_err(|e| Failure::io("write", path, &e))?,
        None => print(&text)?,
    }
    Ok(exit::SUCCESS)
}

/// Prints a text on standard output.
pub fn print(text: &str) -> Result<()> {
    match io::stdout().lock().write_all(text.as_bytes()) {
        Ok(()) => Ok(()),
        // The reader has seen enough, as in `byway ir x.c | head`.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        Err(error) => {
            let why = reason(&error);
            Err(Failure::new(format!("cannot write to standard output: {why}")))
        }
    }
}

/// Loads a program that has a beginning.
pub fn load_to_run(config: &LoadConfig) -> Result<Loaded> {
    let loaded = load_and_warn(config)?;
    check_entry(&loaded.module)?;
    Ok(loaded)
}

/// A program must begin somewhere: the runtime calls `main`, by whatever name the
/// linker knows it; a `.bwir` file may do without the runtime.
fn check_entry(module: &Module) -> Result<()> {
    let has_body =
        |name: &str| module.func_by_name(name).map(|f| !module.funcs[f].is_declaration());
    match (has_body("main"), has_body("__byway_start")) {
        (Some(true), _) | (None, Some(true)) => Ok(()),
        _ => Err(Failure::new("the program has no function 'main'")
            .hint("link it with the file that defines main")),
    }
}

fn load_and_warn(config: &LoadConfig) -> Result<Loaded> {
    let loaded = load::load(config)?;
    let head = Style::new(config.color).warning("byway: warning");
    loaded.warnings.iter().for_each(|warning| report::say(&format!("{head}: {warning}")));
    Ok(loaded)
}

fn select(module: &Module, selection: &Selection) -> Result<String> {
    match selection {
        Selection::Everything => Ok(text::print(module)),
        Selection::User => {
            Ok(listing::print(module, |f| f.origin == Origin::User && !f.is_declaration()))
        }
        Selection::Functions(names) => {
            if let Some(missing) = names.iter().find(|name| module.func_by_name(name).is_none()) {
                return Err(Failure::new(format!("the program has no function '{missing}'")));
            }
            Ok(listing::print(module, |f| names.contains(&f.name)))
        }
    }
}
