//! What the user reads: everything that byway itself says goes to standard
//! error, because standard output is the program's.

mod command;
mod ending;
mod fault;
mod run;
mod seeds;
mod shares;
mod shell;
mod snippet;
mod stack;
mod style;
mod summary;
mod test;

pub use command::{Recipe as CommandRecipe, render as render_command};
pub use ending::render as render_outcome;
pub use fault::render as render_fault;
pub use run::{RunFacts, render_run};
pub use seeds::render_refused;
pub use snippet::{Sources, visible};
pub use style::Style;
pub use summary::{render_stats, render_warnings};
pub use test::{render_input, render_test};

use std::io::{self, Write};

use crate::failure::{Failure, Result, reason};

/// Says a line. If nobody can hear it, there is nobody to tell.
pub fn say(line: &str) {
    say_raw(&format!("{line}\n"));
}

/// Says a text that brings its own line ends.
pub fn say_raw(text: &str) {
    // The harness of unit tests hears only the macro.
    #[cfg(test)]
    eprint!("{text}");
    #[cfg(not(test))]
    let _ = io::stderr().lock().write_all(text.as_bytes());
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
