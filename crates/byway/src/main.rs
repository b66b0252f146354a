//! `byway`: the command line.
//!
//! ```text
//! main ──→ cmd/<command>/ {flags ──→ config ──→ mod}
//!  │          │
//!  └─ links   │    the names of other tools that byway answers to
//!             │
//!             ├──→ checks    the optional checks by name
//!             ├──→ load      a program: compiled, linked, lowered, cached
//!             ├──→ host      the files, streams and clocks that programs see
//!             ├──→ rerun     tests of a run on the engine again
//!             ├──→ native_run       tests of a run on the program built natively
//!             ├──→ native_coverage  lines and branch sides that such tests cover
//!             ├──→ seeds     inputs to start from
//!             ├──→ sarif     reports of static analysers
//!             ├──→ git       lines that changed since a revision
//!             └──→ report    what the user reads
//! ```
//!
//! Each command is a folder: `flags` defines its options, `config` resolves them into
//! plain data, and nothing else reads the command line or the environment. Option groups
//! that commands share are in [`flags`], those of loading in [`load`]. All messages go to
//! standard error; standard output belongs to the program, or to the requested output.

mod branch_file;
mod change;
mod checks;
mod cmd;
mod console;
mod entry;
mod exit;
mod failure;
mod flags;
mod git;
mod hash;
mod host;
mod interrupt;
mod links;
mod load;
mod md5;
mod native_coverage;
mod native_run;
mod process;
mod random_inputs;
mod report;
mod rerun;
mod sarif;
mod seeds;

use std::io::IsTerminal;
use std::panic;
use std::process::ExitCode;

use clap::error::ErrorKind;
// States are made of many small pieces that come and go, here and in the solver. The crate
// puts its `malloc` in the place of the system's, which is Rust's allocator, too: as such
// it is faster than under its own name, where it takes every alignment for a special one.
use mimalloc as _;

use cmd::Flags;
use cmd::run::CompletedLine;
use console::Style;
use failure::{Failure, FailureKind};

fn main() -> ExitCode {
    report_bugs();
    interrupt::install();
    // Whatever happens, temporary files are removed on the way out.
    let code = panic::catch_unwind(run).unwrap_or(exit::BUG);
    ExitCode::from(code)
}

fn run() -> u8 {
    let arguments = links::expand(std::env::args_os().collect());
    if let Some((driver, words)) = cmd::cc::compiler_call(&arguments) {
        return cmd::cc::compile(driver, words).unwrap_or_else(|failure| failed(&failure));
    }
    let line = match CompletedLine::complete(arguments) {
        Ok(line) => line,
        Err(failure) => return failed(&failure),
    };
    let flags = match Flags::parse_line(&line) {
        Ok(flags) => flags,
        Err(error) => return misused(&error),
    };
    cmd::execute(flags, line).unwrap_or_else(|failure| failed(&failure))
}

fn failed(failure: &Failure) -> u8 {
    let style = Style::new(std::io::stderr().is_terminal() && flags::environment_allows_colour());
    match failure.kind() {
        FailureKind::Input => {
            console::say(&format!("{}: {failure}", style.error("byway: error")));
            exit::BAD_INPUT
        }
        FailureKind::Interrupted => {
            console::say(&format!("{}: {failure}", style.warning("byway: stopped")));
            exit::INTERRUPTED
        }
    }
}

/// Invalid options, or a request for help.
fn misused(error: &clap::Error) -> u8 {
    match error.kind() {
        ErrorKind::DisplayHelp
        | ErrorKind::DisplayVersion
        | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            // Fails only on a closed stream.
            let _ = error.print();
            if error.use_stderr() { exit::BAD_INPUT } else { exit::SUCCESS }
        }
        _ => {
            let hint = if error.kind() == ErrorKind::UnknownArgument {
                "  hint: docs/klee.md lists what replaces KLEE's options; 'byway klee' takes them as they are\n"
            } else {
                ""
            };
            console::say_raw(&format!("byway: {}{hint}", error.render()));
            exit::BAD_INPUT
        }
    }
}

/// Reports a panic as a bug in Byway, with what to do about it.
fn report_bugs() {
    panic::set_hook(Box::new(|info| {
        let place = info.location().map_or(String::new(), |at| format!(" at {at}"));
        let payload = info.payload();
        let message = payload
            .downcast_ref::<&str>()
            .copied()
            .or_else(|| payload.downcast_ref::<String>().map(String::as_str))
            .unwrap_or("unknown reason");
        console::say(&format!(
            "byway: bug: {message}{place}\n  This is a bug in byway, not in the program it runs. \
             Please report it,\n  with the program and the command line that show it."
        ));
    }));
}
