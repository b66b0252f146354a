//! One line of progress on standard error.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

/// The interval between two drawings of the line on a terminal.
const REDRAW: Duration = Duration::from_millis(125);
/// The time before the first line on anything but a terminal, and between two of them.
const FIRST_LINE: Duration = Duration::from_secs(2);
const NEXT_LINE: Duration = Duration::from_secs(10);
/// The width of a terminal that does not report its own.
const DEFAULT_WIDTH: usize = 80;
/// Returns to the start of the line and erases it.
const ERASE: &str = "\r\x1b[K";

/// How progress is displayed.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum ProgressMode {
    /// One line that is redrawn in place.
    Terminal,
    /// A line after two seconds and then every ten, for log files.
    Lines,
    /// No progress at all.
    Hidden,
}

impl ProgressMode {
    /// The mode that suits standard error.
    pub fn for_stderr() -> Self {
        match io::stderr().is_terminal() {
            true => ProgressMode::Terminal,
            false => ProgressMode::Lines,
        }
    }

    fn first(self) -> Duration {
        match self {
            ProgressMode::Terminal => REDRAW,
            ProgressMode::Lines | ProgressMode::Hidden => FIRST_LINE,
        }
    }
}

/// A line that shows how far a command is. Dropping it erases it from the terminal.
pub struct ProgressLine {
    mode: ProgressMode,
    out: Box<dyn Write + Send>,
    began: Instant,
    /// The time of the next update.
    due: Instant,
    /// Whether the line is on the terminal now.
    drawn: bool,
}

impl ProgressLine {
    /// A line on standard error.
    pub fn new(mode: ProgressMode) -> Self {
        ProgressLine::on(Box::new(io::stderr()), mode, Instant::now())
    }

    fn on(out: Box<dyn Write + Send>, mode: ProgressMode, began: Instant) -> Self {
        ProgressLine { mode, out, began, due: began + mode.first(), drawn: false }
    }

    /// The time at which the line was created.
    pub fn began(&self) -> Instant {
        self.began
    }

    /// Shows the text if an update is due. `text` receives the number of columns available,
    /// and is not called when nothing is shown.
    pub fn update(&mut self, now: Instant, text: impl FnOnce(usize) -> String) {
        if now < self.due {
            return;
        }
        match self.mode {
            ProgressMode::Hidden => {}
            ProgressMode::Terminal => {
                // A line as wide as the terminal would wrap, and could not be erased.
                let room = terminal_width().saturating_sub(1);
                let shown: String = text(room).chars().take(room).collect();
                self.write(&format!("\r{shown}\x1b[K"));
                self.drawn = true;
                self.due = now + REDRAW;
            }
            ProgressMode::Lines => {
                let line = format!("byway: {}\n", text(usize::MAX));
                self.write(&line);
                self.due = now + NEXT_LINE;
            }
        }
    }

    /// Prints a line that stays, above the progress line. Works in every mode.
    pub fn print(&mut self, line: &str) {
        self.clear();
        self.write(&format!("{line}\n"));
    }

    /// Erases the line, so that other output can follow. The next update draws it again.
    pub fn clear(&mut self) {
        if std::mem::take(&mut self.drawn) {
            self.write(ERASE);
        }
    }

    fn write(&mut self, text: &str) {
        // Progress that cannot be written is no reason to stop the work.
        let _ = self.out.write_all(text.as_bytes()).and_then(|()| self.out.flush());
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        self.clear();
    }
}

/// The width of the terminal on standard error, in columns.
pub fn terminal_width() -> usize {
    let size = terminal_size::terminal_size_of(io::stderr());
    size.map_or(DEFAULT_WIDTH, |(width, _)| width.0.into())
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use std::sync::{Arc, Mutex};

    /// Collects the text that a line writes.
    #[derive(Clone, Default)]
    pub(crate) struct WrittenText(Arc<Mutex<Vec<u8>>>);

    impl Write for WrittenText {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().expect("no test panics while it writes").write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl WrittenText {
        /// The text since the last call.
        pub(crate) fn take(&self) -> String {
            let mut bytes = self.0.lock().expect("no test panics while it writes");
            String::from_utf8(std::mem::take(&mut *bytes)).expect("text")
        }
    }

    /// A line with a known start that writes to memory.
    pub(crate) fn line(mode: ProgressMode) -> (ProgressLine, WrittenText) {
        let written = WrittenText::default();
        (ProgressLine::on(Box::new(written.clone()), mode, Instant::now()), written)
    }

    #[test]
    fn a_terminal_line_is_redrawn_at_a_bounded_rate() {
        let (mut line, written) = line(ProgressMode::Terminal);
        let began = line.began();
        let at = |millis| began + Duration::from_millis(millis);
        let times = [at(0), at(125), at(200), at(250)];
        line.update(times[0], |_| panic!("too early"));
        line.update(times[1], |_| "one".into());
        line.update(times[2], |_| panic!("too early"));
        line.update(times[3], |_| "two".into());
        assert_eq!(written.take(), "\rone\x1b[K\rtwo\x1b[K");
        line.print("a message");
        assert_eq!(written.take(), "\r\x1b[Ka message\n");
        line.clear();
        assert_eq!(written.take(), "", "it is erased already");
    }

    #[test]
    fn a_terminal_line_is_cut_to_the_terminal_and_erased_on_drop() {
        let (mut line, written) = line(ProgressMode::Terminal);
        line.update(line.began() + REDRAW, |room| "x".repeat(room + 50));
        let room = terminal_width() - 1;
        assert_eq!(written.take(), format!("\r{}\x1b[K", "x".repeat(room)));
        drop(line);
        assert_eq!(written.take(), ERASE);
    }

    #[test]
    fn a_log_gets_a_line_after_two_seconds_and_then_every_ten() {
        let (mut line, written) = line(ProgressMode::Lines);
        for second in 0..=25 {
            let now = line.began() + Duration::from_secs(second);
            line.update(now, |_| format!("at {second} s"));
        }
        assert_eq!(written.take(), "byway: at 2 s\nbyway: at 12 s\nbyway: at 22 s\n");
        line.print("a message");
        assert_eq!(written.take(), "a message\n");
        drop(line);
        assert_eq!(written.take(), "");
    }

    #[test]
    fn a_hidden_line_shows_only_messages() {
        let (mut line, written) = line(ProgressMode::Hidden);
        let late = line.began() + Duration::from_secs(60);
        line.update(late, |_| panic!("never shown"));
        line.print("a message");
        drop(line);
        assert_eq!(written.take(), "a message\n");
    }
}
