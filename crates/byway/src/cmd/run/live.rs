//! How far a run is: a line that is drawn over on a terminal; elsewhere a line of
//! its own now and then.

use std::time::{Duration, Instant};

use crate::cmd::run::process_memory;
use crate::console;
use byway_base::quantity::{compact, percent, size, time};

/// How often the line on a terminal is drawn.
const REDRAW: Duration = Duration::from_millis(125);
/// When the first line elsewhere is written, and how often from then on.
const FIRST_LINE: Duration = Duration::from_secs(2);
const NEXT_LINE: Duration = Duration::from_secs(10);
/// The time over which rates are measured.
const RATE_WINDOW: Duration = Duration::from_secs(1);

/// The numbers it shows.
#[derive(Clone, Debug, Default)]
#[allow(missing_docs)] // the names say it
pub struct Numbers {
    pub states: u64,
    pub paths: u64,
    pub tests: u64,
    pub faults: u64,
    pub lines: u32,
    pub lines_total: u32,
    pub queries: u64,
}

/// The line.
pub struct Live {
    terminal: bool,
    began: Instant,
    /// When to show it next.
    due: Instant,
    drawn: bool,
    rate: Rate,
}

impl Live {
    /// For a terminal, or for anything else.
    pub fn new(terminal: bool) -> Self {
        let began = Instant::now();
        let first = if terminal { REDRAW } else { FIRST_LINE };
        Live { terminal, began, due: began + first, drawn: false, rate: Rate::new(began) }
    }

    /// When the run began.
    pub fn began(&self) -> Instant {
        self.began
    }

    /// Shows the numbers if it is time to.
    pub fn update(&mut self, now: Instant, numbers: impl FnOnce() -> Numbers) {
        if now < self.due {
            return;
        }
        let numbers = numbers();
        let rate = self.rate.per_second(now, numbers.queries);
        let parts = parts(now - self.began, &numbers, rate, process_memory::resident());
        if self.terminal {
            // A line that is wider than the terminal would not be drawn over.
            let shown = fitted(&parts, terminal_width().saturating_sub(1));
            console::say_raw(&format!("\r{shown}\x1b[K"));
            self.drawn = true;
            self.due = now + REDRAW;
        } else {
            console::say(&format!("byway: {}", parts.join(", ")));
            self.due = now + NEXT_LINE;
        }
    }

    /// Takes the line away, so that something else can be said.
    pub fn clear(&mut self) {
        if self.drawn {
            console::say_raw("\r\x1b[K");
            self.drawn = false;
        }
    }
}

fn parts(elapsed: Duration, numbers: &Numbers, rate: u64, memory: u64) -> [String; 8] {
    let counted = |n: u64, noun: &str| {
        let ending = if n == 1 { "" } else { "s" };
        format!("{} {noun}{ending}", compact(n))
    };
    [
        time(elapsed),
        counted(numbers.states, "state"),
        counted(numbers.paths, "path"),
        counted(numbers.tests, "test"),
        counted(numbers.faults, "fault"),
        match numbers.lines_total {
            0 => "coverage ?".into(),
            all => format!("coverage {}", percent(numbers.lines.into(), all.into())),
        },
        format!("{} queries/s", compact(rate)),
        size(memory),
    ]
}

/// The parts in the most readable form there is room for.
fn fitted(parts: &[String], room: usize) -> String {
    let wide = parts.join(", ");
    if wide.chars().count() <= room {
        return wide;
    }
    let narrow = parts.join(" ").replace("coverage", "cov").replace("queries/s", "q/s");
    narrow.chars().take(room).collect()
}

/// A rate over the last second or so; in the first second, since the beginning.
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

/// The width of the terminal on standard error.
pub fn terminal_width() -> usize {
    // SAFETY: the structure is plain data, and large enough for what is asked for.
    let columns = unsafe {
        let mut size: libc::winsize = std::mem::zeroed();
        match libc::ioctl(libc::STDERR_FILENO, libc::TIOCGWINSZ, &mut size) {
            0 => size.ws_col,
            _ => 0,
        }
    };
    // A terminal that does not tell has what terminals used to have.
    if columns == 0 { 80 } else { columns.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_line_says_it_all() {
        let numbers = Numbers {
            states: 1,
            paths: 1234,
            tests: 1200,
            faults: 2,
            lines: 34,
            lines_total: 48,
            queries: 0,
        };
        let parts = parts(Duration::from_millis(12_340), &numbers, 1500, 45 << 20);
        let line = "12.3 s, 1 state, 1.2k paths, 1.2k tests, 2 faults, coverage 70.8%, \
                    1.5k queries/s, 45.0 MiB";
        assert_eq!(fitted(&parts, 100), line);
        let narrow = "12.3 s 1 state 1.2k paths 1.2k tests 2 faults cov 70.8% 1.5k q/s 45.0 MiB";
        assert_eq!(fitted(&parts, 79), narrow);
        assert_eq!(fitted(&parts, 20), "12.3 s 1 state 1.2k ");
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
    fn nothing_is_shown_before_its_time() {
        let mut live = Live::new(false);
        let soon = live.began() + Duration::from_secs(1);
        live.update(soon, || panic!("nobody asked for it"));
    }
}
