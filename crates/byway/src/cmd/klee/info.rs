//! `info`: the command line, when the run began and ended, and its sums.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::Path;
use std::time::{Duration, SystemTime};

use byway_rundir::RunSummary;

use super::clock::local_time;

/// What is known when the run begins.
pub struct KleeInfo {
    text: String,
    began: SystemTime,
}

impl KleeInfo {
    pub fn new(words: &[OsString], searchers: &[String]) -> KleeInfo {
        let mut text = String::from("klee");
        words.iter().for_each(|word| text += &format!(" {}", word.display()));
        let began = SystemTime::now();
        text += &format!("\nPID: {}\nStarted: {}\n", std::process::id(), local_time(began));
        text += "BEGIN searcher description\n";
        searchers.iter().for_each(|name| text += &format!("{name}\n"));
        text += "END searcher description\n";
        KleeInfo { text, began }
    }

    pub fn write(&self, directory: &Path) -> io::Result<()> {
        fs::write(directory.join("info"), &self.text)
    }

    /// Adds the end of the run.
    pub fn finish(&mut self, directory: &Path, summary: &RunSummary) -> io::Result<()> {
        let now = SystemTime::now();
        let elapsed = now.duration_since(self.began).unwrap_or_default();
        let totals = &summary.totals;
        self.text += &format!("Finished: {}\nElapsed: {}\n", local_time(now), clock(elapsed));
        self.text += &format!("KLEE: done: explored paths = {}\n", 1 + totals.forks);
        let solver = &totals.solver;
        if let Some(constructs) = solver.conjuncts_kept.checked_div(solver.queries) {
            self.text += &format!("KLEE: done: avg. constructs per query = {constructs}\n");
        }
        let counts = [
            ("total queries", totals.solver.queries),
            ("valid queries", totals.solver.unsat),
            ("invalid queries", totals.solver.sat),
            ("query cex", totals.solver.sat),
        ];
        for (name, count) in counts {
            self.text += &format!("KLEE: done: {name} = {count}\n");
        }
        self.text.push('\n');
        for line in done_lines(summary) {
            self.text += &format!("KLEE: {line}\n");
        }
        self.write(directory)
    }
}

/// The sums that KLEE prints at the end.
pub fn done_lines(summary: &RunSummary) -> [String; 4] {
    let totals = &summary.totals;
    let ended: u64 = totals.paths.values().sum();
    let partial = totals.truncated_paths();
    [
        format!("done: total instructions = {}", totals.instructions),
        format!("done: completed paths = {}", ended.saturating_sub(partial)),
        format!("done: partially completed paths = {partial}"),
        format!("done: generated tests = {}", summary.tests),
    ]
}

/// Hours, minutes and seconds.
fn clock(time: Duration) -> String {
    let seconds = time.as_secs();
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
    match hours / 24 {
        0 => format!("{hours:02}:{minutes:02}:{:02}", seconds % 60),
        days => format!("{days} days, {:02}:{minutes:02}:{:02}", hours % 24, seconds % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_shown_as_on_a_clock() {
        assert_eq!(clock(Duration::from_secs(59)), "00:00:59");
        assert_eq!(clock(Duration::from_secs(3 * 3600 + 62)), "03:01:02");
        assert_eq!(clock(Duration::from_secs(50 * 3600)), "2 days, 02:00:00");
    }
}
