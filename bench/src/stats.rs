//! Runs `byway exec --stats` and reads what it says.

use std::process::Command;
use std::time::Duration;

use crate::process::{self, Ended, Status};

/// The figures of one run.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct RunStats {
    /// Seconds until the program was ready to run.
    pub load: f64,
    /// Seconds it ran.
    pub run: f64,
    /// Seconds of processor time for both, compilers called included. Only right
    /// if nothing else was started in the meantime.
    pub cpu: f64,
    /// Instructions it executed.
    pub executed: u64,
    /// Instructions it consists of, libc included.
    pub size: u64,
}

impl RunStats {
    /// Runs a command that calls byway with `--stats` and must end by itself with
    /// exit code 0; also gives the program's output.
    pub fn measure(command: &mut Command, limit: Duration) -> Result<(Self, Vec<u8>), String> {
        let before = process::cpu_seconds_of_children();
        let Ended { status, stdout, stderr, .. } = process::run(command, b"", limit)?;
        let cpu = process::cpu_seconds_of_children() - before;
        let text = String::from_utf8_lossy(&stderr);
        if status != Status::Code(0) {
            return Err(format!("byway ended with {status}: {}", text.trim()));
        }
        let stats = RunStats::parse(&text, cpu)
            .ok_or_else(|| format!("byway's --stats are not understood: {text}"))?;
        Ok((stats, stdout))
    }

    fn parse(text: &str, cpu: f64) -> Option<Self> {
        let row = |name: &str| {
            let rows = text.lines().filter_map(|line| line.strip_prefix("byway: "));
            let mut values = rows.filter_map(|row| row.strip_prefix(name));
            values.next()?.split_whitespace().next().map(|number| number.replace(',', ""))
        };
        Some(RunStats {
            load: row("load time")?.parse().ok()?,
            run: row("run time")?.parse().ok()?,
            cpu,
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
        let stats = RunStats { load: 1.25, run: 0.5, cpu: 1.5, executed: 1_234_567, size: 250_000 };
        assert_eq!(RunStats::parse(text, 1.5), Some(stats));
        assert_eq!(RunStats::parse("byway: run time 0.5 s", 1.5), None);
    }
}
