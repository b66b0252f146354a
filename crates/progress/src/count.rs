//! Jobs counted on a progress line, with an estimate of the time left.

use std::time::Instant;

use byway_base::quantity;

use crate::{ProgressLine, ProgressMode};

/// `label: 12 of 60, 3 failed, about 8 s left`, where the middle part is the caller's note.
pub struct JobProgress<'a> {
    line: ProgressLine,
    label: &'a str,
    total: usize,
    done: usize,
}

impl<'a> JobProgress<'a> {
    /// A display for `total` jobs on standard error.
    pub fn new(mode: ProgressMode, label: &'a str, total: usize) -> Self {
        JobProgress { line: ProgressLine::new(mode), label, total, done: 0 }
    }

    /// Counts a finished job. `note` describes the results so far; it may be empty, and is
    /// called only if the line is drawn.
    pub fn finished(&mut self, note: impl FnOnce() -> String) {
        self.finished_at(Instant::now(), note);
    }

    fn finished_at(&mut self, now: Instant, note: impl FnOnce() -> String) {
        self.done += 1;
        let left = self.time_left(now);
        let JobProgress { line, label, total, done } = self;
        line.update(now, |_| {
            let mut text = format!("{label}: {done} of {total}");
            for part in [note(), left].iter().filter(|part| !part.is_empty()) {
                text += ", ";
                text += part;
            }
            text
        });
    }

    /// An estimate from the mean time per job, in whole seconds; empty once all are done.
    fn time_left(&self, now: Instant) -> String {
        let waiting = self.total.saturating_sub(self.done);
        if waiting == 0 {
            return String::new();
        }
        let left = (now - self.line.began()).mul_f64(waiting as f64 / self.done.max(1) as f64);
        match left.as_secs() {
            seconds @ ..60 => format!("about {seconds} s left"),
            _ => format!("about {} left", quantity::time(left)),
        }
    }

    /// Prints a line that stays.
    pub fn print(&mut self, line: &str) {
        self.line.print(line);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::line::tests::line;
    use std::time::Duration;

    #[test]
    fn shows_the_count_the_note_and_the_time_left() {
        let (line, written) = line(ProgressMode::Lines);
        let began = line.began();
        let mut progress = JobProgress { line, label: "replaying", total: 4, done: 0 };
        let at = |seconds| began + Duration::from_secs(seconds);
        progress.finished_at(at(1), || panic!("not shown yet"));
        progress.finished_at(at(6), || "1 failed".into());
        progress.finished_at(at(8), || panic!("not due"));
        progress.finished_at(at(16), String::new);
        let first = "byway: replaying: 2 of 4, 1 failed, about 6 s left\n";
        assert_eq!(written.take(), format!("{first}byway: replaying: 4 of 4\n"));
    }
}
