//! The results as Markdown: a table for each program, and what follows from it.

use std::fmt::Write as _;

use super::figures::{HomiFigures, mean};
use super::plan::{Configuration, Pruning, SEARCHERS};

const HEAD: &str = "\
| configuration | branch sides | by seed | lines | states, most | mean | paths | pruned | for memory | tests | runs | MiB |
|---|---:|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|
";

/// The most memory of a process, as a multiple of its cap.
pub const MOST_MEMORY: f64 = 1.1;

const MIB: f64 = (1 << 20) as f64;

/// The runs of a program.
pub struct ProgramResult {
    pub program: &'static str,
    /// The cap of memory in MiB.
    pub cap: u64,
    pub rows: Vec<ConfigurationResult>,
}

/// The runs of a program with a configuration.
pub struct ConfigurationResult {
    pub configuration: Configuration,
    /// The figures for each seed.
    pub runs: Vec<HomiFigures>,
    /// How byway failed.
    pub failures: Vec<String>,
}

impl ProgramResult {
    /// Whether no run failed and all kept to their memory.
    pub fn is_sound(&self) -> bool {
        self.rows.iter().all(|row| row.failures.is_empty())
            && self.most_memory() <= self.cap as f64 * MOST_MEMORY
    }

    /// The most memory that a process took, in MiB.
    fn most_memory(&self) -> f64 {
        let runs = self.rows.iter().flat_map(|row| &row.runs);
        runs.map(|run| run.process_memory as f64 / MIB).fold(0.0, f64::max)
    }

    /// The table and the verdict.
    pub fn section(&self) -> String {
        let mut text = format!("## {}\n\n", self.program);
        let runs = || self.rows.iter().flat_map(|row| &row.runs);
        if let Some(HomiFigures { sides, lines, .. }) = runs().next() {
            let _ = writeln!(
                text,
                "{} branch sides, {} lines; `--max-memory {}MiB`.\n",
                sides[1], lines[1], self.cap
            );
        }
        text += HEAD;
        self.rows.iter().for_each(|row| text += &row.cells());
        text += "\n";
        for row in &self.rows {
            for failure in &row.failures {
                let _ = writeln!(text, "- {} failed: {failure}", row.configuration.title());
            }
        }
        for search in SEARCHERS {
            if let Some(verdict) = self.verdict(search) {
                let _ = writeln!(text, "- {verdict}");
            }
        }
        let most = self.most_memory();
        let held = if most <= self.cap as f64 * MOST_MEMORY { "held" } else { "exceeded (!)" };
        let _ = writeln!(text, "- The cap of memory was {held}: at most {most:.0} MiB.");
        text
    }

    /// What Homi changes on top of a searcher.
    fn verdict(&self, search: &str) -> Option<String> {
        let runs = |pruning| {
            let is_it = |row: &&ConfigurationResult| {
                row.configuration.search == search && row.configuration.pruning == pruning
            };
            self.rows.iter().find(is_it).map(|row| &row.runs).filter(|runs| !runs.is_empty())
        };
        let (alone, homi) = (runs(Pruning::None)?, runs(Pruning::Homi)?);
        let sides = |runs: &[HomiFigures]| mean(runs, |it| it.sides[0] as f64);
        let change = sides(homi) - sides(alone);
        let more = match change {
            0.0 => "covers as many branch sides".to_owned(),
            _ => format!(
                "covers {} branch sides: {change:+.0} ({:+.1} %)",
                if change > 0.0 { "more" } else { "fewer" },
                100.0 * change / sides(alone).max(1.0)
            ),
        };
        let states = |runs: &[HomiFigures]| mean(runs, |it| it.mean_states).max(1.0);
        let kept = match states(alone) / states(homi) {
            ratio if ratio >= 1.0 => format!("{ratio:.1} times fewer states"),
            ratio => format!("{:.1} times as many states", 1.0 / ratio),
        };
        Some(format!("homi on {search} {more}, and keeps {kept}."))
    }
}

impl ConfigurationResult {
    fn cells(&self) -> String {
        let runs = &self.runs;
        if runs.is_empty() {
            return format!("| {} | failed |{}\n", self.configuration.title(), " |".repeat(10));
        }
        let by_seed: Vec<String> = runs.iter().map(|run| run.sides[0].to_string()).collect();
        let figures: [fn(&HomiFigures) -> f64; 9] = [
            |it| it.lines[0] as f64,
            |it| it.most_states as f64,
            |it| it.mean_states,
            |it| it.paths as f64,
            |it| it.pruned as f64,
            |it| it.for_memory as f64,
            |it| it.tests as f64,
            |it| it.runs as f64,
            |it| it.process_memory as f64 / MIB,
        ];
        let mut text = format!(
            "| {} | {:.0} | {} |",
            self.configuration.title(),
            mean(runs, |it| it.sides[0] as f64),
            by_seed.join(", "),
        );
        for figure in figures {
            let _ = write!(text, " {:.0} |", mean(runs, figure));
        }
        text + "\n"
    }
}

/// A line about a run that is done.
pub fn progress(result: &Result<HomiFigures, String>) -> String {
    match result {
        Ok(HomiFigures { sides, mean_states, pruned, runs, .. }) => {
            format!(
                "{} branch sides, {mean_states:.0} states, {pruned} pruned, {runs} runs",
                sides[0]
            )
        }
        Err(error) => format!("failed: {error}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::homi::plan::PROGRAMS;

    fn result(figures: impl Fn(&Configuration) -> HomiFigures) -> ProgramResult {
        let row = |configuration: Configuration| {
            let runs = vec![figures(&configuration); 2];
            ConfigurationResult { configuration, runs, failures: Vec::new() }
        };
        let rows = Configuration::of(&PROGRAMS[0]).into_iter().map(row).collect();
        ProgramResult { program: "grep", cap: 256, rows }
    }

    #[test]
    fn the_verdict_compares_with_the_searcher_alone() {
        let result = result(|configuration| {
            let is_homi = configuration.pruning == Pruning::Homi;
            let (sides, mean_states) = if is_homi { (110, 20.0) } else { (100, 400.0) };
            let process_memory = 200 << 20;
            HomiFigures { sides: [sides, 500], mean_states, process_memory, ..Default::default() }
        });
        assert!(result.is_sound());
        let text = result.section();
        for part in [
            "500 branch sides, 0 lines; `--max-memory 256MiB`.",
            "| random-path + homi | 110 | 110, 110 |",
            "| auto + divide | 100 |",
            "homi on auto covers more branch sides: +10 (+10.0 %), and keeps 20.0 times fewer states.",
            "held: at most 200 MiB",
        ] {
            assert!(text.contains(part), "{part}\n{text}");
        }
        let bars = |line: &&str| line.starts_with('|');
        let columns: Vec<usize> =
            text.lines().filter(bars).map(|line| line.matches('|').count()).collect();
        assert!(columns.iter().all(|count| *count == columns[0]), "{columns:?}");
    }

    #[test]
    fn failures_and_memory_make_it_unsound() {
        let mut failed = result(|_| HomiFigures::default());
        failed.rows[1].failures.push("signal 11: bang".into());
        failed.rows[1].runs.clear();
        assert!(!failed.is_sound());
        let text = failed.section();
        assert!(
            text.contains("random-path + homi failed: signal 11")
                && !text.contains("homi on random")
        );
        let large = result(|_| HomiFigures { process_memory: 300 << 20, ..Default::default() });
        assert!(!large.is_sound() && large.section().contains("exceeded (!): at most 300 MiB"));
    }
}
