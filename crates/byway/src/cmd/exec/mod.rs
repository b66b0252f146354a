//! `byway exec`: runs a program once, without symbolic inputs.

mod config;
mod flags;

use std::time::Instant;

pub use config::ExecConfig;
pub use flags::{EXAMPLES, EXIT_CODES, ExecFlags};

use crate::console::{self, Style};
use crate::exit;
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
    let (finished, check) = if config.check_points_to {
        let (finished, check) = byway_engine::check_points_to(
            &loaded.module,
            &config.engine,
            &config.invocation,
            &mut host,
        );
        (finished, Some(check))
    } else {
        let module = &loaded.module;
        (byway_engine::run(module, &config.engine, &config.invocation, &mut host), None)
    };
    let ran = start.elapsed();
    let (mut code, text) =
        report::render_outcome(&finished.outcome, &finished.stats, &config.engine, style);
    console::say_raw(&text);
    console::say_raw(&report::render_warnings(&finished.warnings, style));
    if config.stats {
        console::say_raw(&report::render_stats(&loaded, &finished.stats, ran));
    }
    if let Some(check) = check {
        check.misses.iter().for_each(|miss| console::say(&format!("points-to miss: {miss}")));
        let (checked, missed) = (check.checked, check.misses.len());
        console::say(&format!("points-to: {checked} distinct accesses and calls, {missed} missed"));
        if missed != 0 {
            code = exit::BUG;
        }
    }
    Ok(code)
}
