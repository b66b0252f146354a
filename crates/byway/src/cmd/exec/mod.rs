//! `byway exec`: runs a program once, without symbolic inputs.

mod config;
mod flags;

use std::time::Instant;

pub use config::ExecConfig;
pub use flags::{EXAMPLES, EXIT_CODES, ExecFlags};

use crate::console::{self, Style};
use crate::failure::Result;
use crate::host::Host;
use crate::load;
use crate::report;

/// Runs a program; the exit code reports how it ended.
pub fn exec(config: &ExecConfig) -> Result<u8> {
    let style = Style::new(config.load.color);
    let mut host = Host::new(&config.host_files)?;
    let loaded = load::load_to_run(&config.load)?;
    let start = Instant::now();
    let finished = byway_engine::run(&loaded.module, &config.engine, &config.invocation, &mut host);
    let ran = start.elapsed();
    let (code, text) =
        report::render_outcome(&finished.outcome, &finished.stats, &config.engine, style);
    console::say_raw(&text);
    console::say_raw(&report::render_warnings(&finished.warnings, style));
    if config.stats {
        console::say_raw(&report::render_stats(&loaded, &finished.stats, ran));
    }
    Ok(code)
}
