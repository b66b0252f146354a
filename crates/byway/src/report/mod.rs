//! Renders messages and results for the user. `byway run` and `byway exec` print them to standard
//! error, because standard output belongs to the program.

mod campaign;
mod command;
mod differences;
mod ending;
mod fault;
mod markov;
mod run;
mod seeds;
mod shares;
mod shell;
mod snippet;
mod stack;
mod summary;
mod test;

pub use campaign::render_campaign;
pub use command::{TestCommand, render as render_command};
pub use differences::{part as render_part, render as render_differences};
pub use ending::render as render_outcome;
pub use fault::render as render_fault;
pub use markov::render as render_markov;
pub use run::{RunDetails, incomplete_causes, render_incomplete, render_run};
pub use seeds::render_rejected;
pub use snippet::{Sources, visible};
pub use summary::{render_stats, render_warnings};
pub use test::{render_input, render_test, render_tree};
