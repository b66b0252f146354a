//! `byway`: the command line.
//!
//! ```text
//! flags ──→ config ──→ commands ──→ load ──→ byway_engine::run ──→ report
//!                      run ──→ load ──→ byway_engine::explore ──→ rundir, report
//!                      inspect ←── rundir
//!                      replay ←── rundir, byway_native
//!                      cover ←── rundir, byway_native::sandbox
//!                      lab ──→ byway_lab::run ──→ this executable again
//!                      mutate ←── rundir, cover, byway_native
//! ```
//!
//! [`flags`] says what can be typed, [`config`] resolves it into plain data, and
//! nothing else looks at the command line or the environment. Everything byway
//! says goes to standard error; standard output belongs to the program, or to what was
//! asked to be printed.

mod commands;
mod config;
mod cover;
mod exit;
mod failure;
mod flags;
mod hash;
mod host;
mod host_files;
mod host_snapshot;
mod inspect;
mod interrupt;
mod lab;
mod listing;
mod load;
mod minimize;
mod mutate;
mod process;
mod replay;
mod report;
mod rerun;
mod run;
mod seeds;

use std::io::IsTerminal;
use std::panic;
use std::process::ExitCode;

use clap::Parser;
use clap::error::ErrorKind;
// States are made of many small pieces that come and go, here and in the solver. The crate
// puts its `malloc` in the place of the system's, which is Rust's allocator, too: as such
// it is faster than under its own name, where it takes every alignment for a special one.
use mimalloc as _;

use byway_base::quantity;
use config::Config;
use failure::{Failure, FailureKind};
use flags::Flags;
use report::Style;

fn main() -> ExitCode {
    report_bugs();
    interrupt::install();
    // Whatever happens, temporary files are removed on the way out.
    let code = panic::catch_unwind(run).unwrap_or(exit::BUG);
    ExitCode::from(code)
}

fn run() -> u8 {
    let flags = match Flags::try_parse() {
        Ok(flags) => flags,
        Err(error) => return misused(&error),
    };
    let done = Config::resolve(flags).and_then(|config| match config {
        Config::Run(config) => run::run(&config),
        Config::Replay(config) => replay::replay(&config),
        Config::Cover(config) => cover::cover(&config),
        Config::Minimize(config) => minimize::minimize(&config),
        Config::Lab(config) => lab::lab(&config),
        Config::Mutate(config) => mutate::mutate(&config),
        Config::Show(config) => inspect::show(&config),
        Config::Stats(config) => inspect::stats(&config),
        Config::Exec(config) => commands::exec(&config),
        Config::Ir(config) => commands::ir(&config),
    });
    done.unwrap_or_else(|failure| failed(&failure))
}

fn failed(failure: &Failure) -> u8 {
    let style = Style::new(std::io::stderr().is_terminal() && config::colour_is_welcome());
    match failure.kind() {
        FailureKind::Input => {
            report::say(&format!("{}: {failure}", style.error("byway: error")));
            exit::BAD_INPUT
        }
        FailureKind::Interrupted => {
            report::say(&format!("{}: {failure}", style.warning("byway: stopped")));
            exit::INTERRUPTED
        }
    }
}

/// Flags that make no sense, or a wish for help.
fn misused(error: &clap::Error) -> u8 {
    match error.kind() {
        ErrorKind::DisplayHelp
        | ErrorKind::DisplayVersion
        | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            // Fails only if nobody reads it.
            let _ = error.print();
            if error.use_stderr() { exit::BAD_INPUT } else { exit::SUCCESS }
        }
        _ => {
            report::say_raw(&format!("byway: {}", error.render()));
            exit::BAD_INPUT
        }
    }
}

/// A panic is a bug of ours: it says so, and what to do about it.
fn report_bugs() {
    panic::set_hook(Box::new(|info| {
        let place = info.location().map_or(String::new(), |at| format!(" at {at}"));
        let payload = info.payload();
        let message = payload
            .downcast_ref::<&str>()
            .copied()
            .or_else(|| payload.downcast_ref::<String>().map(String::as_str))
            .unwrap_or("unknown reason");
        report::say(&format!(
            "byway: bug: {message}{place}\n  This is a bug in byway, not in the program it runs. \
             Please report it,\n  with the program and the command line that show it."
        ));
    }));
}
