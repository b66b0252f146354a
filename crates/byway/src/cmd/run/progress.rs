//! The progress line of a run.

use std::time::{Duration, Instant};

use byway_base::quantity::{compact, percent, size, time};
use byway_progress::{ProgressLine, ProgressMode};

use crate::cmd::run::process_memory;

/// The interval over which rates are measured.
const RATE_WINDOW: Duration = Duration::from_secs(1);

#[derive(Clone, Debug, Default)]
pub struct RunProgress {
    /// In a campaign: the number of the run, and of all runs.
    pub run: Option<(usize, usize)>,
    pub states: u64,
    pub paths: u64,
    pub tests: u64,
    pub faults: u64,
    pub lines: u32,
    pub lines_total: u32,
    pub queries: u64,
    /// Open targets and the least distance to one so far, if there are targets.
    pub targets: Option<(u64, Option<u64>)>,
}

pub struct RunProgressLine {
    line: ProgressLine,
    /// When the first run of the process began.
    began: Instant,
    rate: Rate,
}

impl RunProgressLine {
    /// A line with the time since `began`.
    pub fn new(mode: ProgressMode, began: Instant) -> Self {
        let line = ProgressLine::new(mode);
        RunProgressLine { rate: Rate::new(line.began()), line, began }
    }

    /// Shows the progress if an update is due.
    pub fn update(&mut self, now: Instant, progress: impl FnOnce() -> RunProgress) {
        let RunProgressLine { line, began, rate } = self;
        line.update(now, |room| {
            let progress = progress();
            let rate = rate.per_second(now, progress.queries);
            fitted(&parts(now - *began, &progress, rate, process_memory::resident()), room)
        });
    }

    /// Erases the line, so that other output can follow.
    pub fn clear(&mut self) {
        self.line.clear();
    }
}

fn parts(elapsed: Duration, progress: &RunProgress, rate: u64, memory: u64) -> Vec<String> {
    let counted = |n: u64, noun: &str| {
        let ending = if n == 1 { "" } else { "s" };
        format!("{} {noun}{ending}", compact(n))
    };
    let targets = progress.targets.map(|(open, nearest)| {
        let nearest = nearest.map_or(String::new(), |it| format!(" (nearest {})", compact(it)));
        format!("{} left{nearest}", counted(open, "target"))
    });
    let rest = [
        counted(progress.states, "state"),
        counted(progress.paths, "path"),
        counted(progress.tests, "test"),
        counted(progress.faults, "fault"),
        match progress.lines_total {
            0 => "coverage ?".into(),
            all => format!("coverage {}", percent(progress.lines.into(), all.into())),
        },
        format!("{} queries/s", compact(rate)),
        size(memory),
    ];
    let run = progress.run.map(|(number, all)| format!("run {number} of {all}"));
    [time(elapsed)].into_iter().chain(run).chain(targets).chain(rest).collect()
}

/// The parts in the most readable form that fits.
fn fitted(parts: &[String], room: usize) -> String {
    let wide = parts.join(", ");
    if wide.chars().count() <= room {
        return wide;
    }
    let narrow = parts.join(" ").replace("coverage", "cov").replace("queries/s", "q/s");
    narrow.chars().take(room).collect()
}

/// A rate over the last [`RATE_WINDOW`]; before that, since the start.
struct Rate {
    since: Instant,
    count: u64,
    shown: Option<u64>,
}

impl Rate {
    fn new(now: Instant) -> Self {
        Rate { since: now, count: 0, shown: None }
    }

    fn per_second(&mut self, now: Instant, count: u64) -> u64 {
        let passed = now - self.since;
        let rate = (count.saturating_sub(self.count) as f64 / passed.as_secs_f64()) as u64;
        if passed >= RATE_WINDOW {
            (self.since, self.count, self.shown) = (now, count, Some(rate));
        }
        self.shown.unwrap_or(rate)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_is_shortened_to_fit() {
        let progress = RunProgress {
            run: None,
            states: 1,
            paths: 1234,
            tests: 1200,
            faults: 2,
            lines: 34,
            lines_total: 48,
            queries: 0,
            targets: None,
        };
        let parts = parts(Duration::from_millis(12_340), &progress, 1500, 45 << 20);
        let line = "12.3 s, 1 state, 1.2k paths, 1.2k tests, 2 faults, coverage 70.8%, \
                    1.5k queries/s, 45.0 MiB";
        assert_eq!(fitted(&parts, 100), line);
        let narrow = "12.3 s 1 state 1.2k paths 1.2k tests 2 faults cov 70.8% 1.5k q/s 45.0 MiB";
        assert_eq!(fitted(&parts, 79), narrow);
        assert_eq!(fitted(&parts, 20), "12.3 s 1 state 1.2k ");
        let progress = RunProgress { run: Some((2, 4)), ..progress };
        let parts = super::parts(Duration::from_millis(12_340), &progress, 1500, 45 << 20);
        assert!(fitted(&parts, 120).starts_with("12.3 s, run 2 of 4, 1 state, 1.2k paths"));
    }

    #[test]
    fn rates_are_those_of_the_last_second() {
        let start = Instant::now();
        let mut rate = Rate::new(start);
        let at = |millis| start + Duration::from_millis(millis);
        assert_eq!(rate.per_second(at(500), 5000), 10_000);
        assert_eq!(rate.per_second(at(1000), 1000), 1000);
        assert_eq!(rate.per_second(at(1500), 9000), 1000);
        assert_eq!(rate.per_second(at(3000), 1200), 100);
    }

    #[test]
    fn nothing_is_computed_before_an_update_is_due() {
        let now = Instant::now();
        let mut line = RunProgressLine::new(ProgressMode::Lines, now);
        let soon = now + Duration::from_secs(1);
        line.update(soon, || panic!("not due"));
    }
}
