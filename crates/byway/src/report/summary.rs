//! The end of the output of `byway exec`: inexactly modelled features, and statistics.

use std::time::Duration;

use byway_engine::Stats;

use crate::console::Style;
use crate::load::Loaded;
use crate::report::snippet::visible;
use byway_base::quantity::{grouped, plural};

/// Features that were modelled inexactly, each with its count, since they may explain a
/// surprising result.
pub fn render_warnings(warnings: &[(String, u64)], style: Style) -> String {
    let line = |(what, count): &(String, u64)| {
        let times = if *count == 1 { "once".into() } else { plural(*count, "time") };
        let head = style.warning("byway: warning");
        format!("{head}: not modelled faithfully: {} ({times})\n", visible(what))
    };
    warnings.iter().map(line).collect()
}

/// Statistics of loading and running.
pub fn render_stats(loaded: &Loaded, stats: &Stats, ran: Duration) -> String {
    let seconds = ran.as_secs_f64();
    let rate = match seconds > 0.0 {
        true => stats.instructions as f64 / seconds / 1e6,
        false => 0.0,
    };
    let source = if loaded.cached { "from the cache" } else { "compiled and lowered" };
    let size = grouped(loaded.module.inst_count() as u64);
    let rows = [
        ("load time", format!("{:.3} s, {source}", loaded.time.as_secs_f64())),
        ("program size", format!("{size} instructions, libc included")),
        ("run time", format!("{seconds:.3} s")),
        ("instructions", format!("{} ({rate:.1} million/s)", grouped(stats.instructions))),
        ("calls", grouped(stats.calls)),
        ("heap allocations", grouped(stats.heap_allocations)),
    ];
    rows.iter().map(|(name, value)| format!("byway: {name:<17} {value}\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn warnings_are_counted() {
        let warnings = [("system call 42".to_string(), 1), ("system call 7".to_string(), 1200)];
        let expected = "byway: warning: not modelled faithfully: system call 42 (once)\n\
                        byway: warning: not modelled faithfully: system call 7 (1,200 times)\n";
        assert_eq!(render_warnings(&warnings, Style::new(false)), expected);
    }
}
