//! What `byway exec --stats` says of a run.

use crate::process::{Ended, Status};

/// The figures of one run.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct RunStats {
    /// Seconds until the program was ready to run.
    pub load: f64,
    /// Seconds it ran.
    pub run: f64,
    /// Instructions it executed.
    pub executed: u64,
    /// Instructions it consists of, libc included.
    pub size: u64,
}

impl RunStats {
    /// Reads the figures of a run that ended by itself with exit code 0.
    pub fn of(ended: &Ended) -> Result<Self, String> {
        let text = ended.stderr_text();
        if ended.status != Status::Code(0) {
            return Err(format!("byway ended with {}: {}", ended.status, text.trim()));
        }
        RunStats::parse(&text).ok_or_else(|| format!("byway's --stats are not understood: {text}"))
    }

    fn parse(text: &str) -> Option<Self> {
        let row = |name: &str| {
            let rows = text.lines().filter_map(|line| line.strip_prefix("byway: "));
            let mut values = rows.filter_map(|row| row.strip_prefix(name));
            values.next()?.split_whitespace().next().map(|number| number.replace(',', ""))
        };
        Some(RunStats {
            load: row("load time")?.parse().ok()?,
            run: row("run time")?.parse().ok()?,
            executed: row("instructions")?.parse().ok()?,
            size: row("program size")?.parse().ok()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::RunStats;

    #[test]
    fn figures_are_read() {
        let text = "byway: load time         1.250 s, from the cache\n\
                    byway: program size      250,000 instructions, libc included\n\
                    byway: run time          0.500 s\n\
                    byway: instructions      1,234,567 (2.5 million/s)\n";
        let stats = RunStats { load: 1.25, run: 0.5, executed: 1_234_567, size: 250_000 };
        assert_eq!(RunStats::parse(text), Some(stats));
        assert_eq!(RunStats::parse("byway: run time 0.5 s"), None);
    }
}
