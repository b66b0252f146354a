//! Runs `byway exec --stats` and parses its output.

use std::process::Command;
use std::time::Duration;

use crate::process::{self, ProcessResult, ProcessStatus};

/// The figures of one execution.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct ExecStats {
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

impl ExecStats {
    /// Runs a command that calls byway with `--stats` and must end by itself with
    /// exit code 0; also gives the program's output.
    pub fn measure(command: &mut Command, limit: Duration) -> Result<(Self, Vec<u8>), String> {
        let before = process::cpu_seconds_of_children();
        let ProcessResult { status, stdout, stderr, .. } = process::run(command, b"", limit)?;
        let cpu = process::cpu_seconds_of_children() - before;
        let text = String::from_utf8_lossy(&stderr);
        if status != ProcessStatus::Code(0) {
            return Err(format!("byway ended with {status}: {}", text.trim()));
        }
        let stats = ExecStats::parse(&text, cpu)
            .ok_or_else(|| format!("byway's --stats are not understood: {text}"))?;
        Ok((stats, stdout))
    }

    fn parse(text: &str, cpu: f64) -> Option<Self> {
        let row = |name: &str| {
            let rows = text.lines().filter_map(|line| line.strip_prefix("byway: "));
            let mut values = rows.filter_map(|row| row.strip_prefix(name));
            values.next()?.split_whitespace().next().map(|number| number.replace(',', ""))
        };
        Some(ExecStats {
            load: row("load time")?.parse().ok()?,
            run: row("run time")?.parse().ok()?,
            cpu,
            executed: row("instructions")?.parse().ok()?,
            size: row("program size")?.parse().ok()?,
        })
    }
}

/// A measurement compared with its target.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum TargetResult {
    /// Met in wall time.
    Met,
    /// Missed in wall time, but met in processor time: the machine was busy.
    MetInCpuTime,
    /// Missed in both.
    Missed,
}

impl TargetResult {
    /// Compares seconds of wall and of processor time with a target.
    pub fn of(wall: f64, cpu: f64, target: f64) -> Self {
        match (wall <= target, cpu <= target) {
            (true, _) => TargetResult::Met,
            (false, true) => TargetResult::MetInCpuTime,
            (false, false) => TargetResult::Missed,
        }
    }
}

impl std::fmt::Display for TargetResult {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            TargetResult::Met => "met",
            TargetResult::MetInCpuTime => "met in CPU time only: the machine was busy",
            TargetResult::Missed => "MISSED",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{ExecStats, TargetResult};

    #[test]
    fn a_busy_machine_is_distinguished_from_a_slow_program() {
        assert_eq!(TargetResult::of(1.0, 1.0, 2.0), TargetResult::Met);
        assert_eq!(TargetResult::of(3.0, 1.0, 2.0), TargetResult::MetInCpuTime);
        assert_eq!(TargetResult::of(3.0, 2.5, 2.0), TargetResult::Missed);
    }

    #[test]
    fn figures_are_read() {
        let text = "byway: load time         1.250 s, from the cache\n\
                    byway: program size      250,000 instructions, libc included\n\
                    byway: run time          0.500 s\n\
                    byway: instructions      1,234,567 (2.5 million/s)\n";
        let stats =
            ExecStats { load: 1.25, run: 0.5, cpu: 1.5, executed: 1_234_567, size: 250_000 };
        assert_eq!(ExecStats::parse(text, 1.5), Some(stats));
        assert_eq!(ExecStats::parse("byway: run time 0.5 s", 1.5), None);
    }
}
