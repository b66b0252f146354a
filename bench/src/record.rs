//! Results kept in the repository, dated, with the machine they were measured on.

use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

/// Writes `bench/results/DATE-name.md`.
pub fn write(name: &str, title: &str, body: &str) -> Result<(), String> {
    let date = date(SystemTime::now());
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("results");
    crate::setup::create_dir(&folder)?;
    let path = folder.join(format!("{date}-{name}.md"));
    let text = format!("# {title}, {date}\n\n{}\n\n{}\n", machine(), body.trim_end());
    std::fs::write(&path, text).map_err(|e| format!("cannot write {}: {e}", path.display()))?;
    eprintln!("recorded in {}", path.display());
    Ok(())
}

/// The machine in a line: processor, cores, and how busy it was.
pub fn machine() -> String {
    let read = |path| std::fs::read_to_string(path).unwrap_or_default();
    let cpuinfo = read("/proc/cpuinfo");
    let model = cpuinfo
        .lines()
        .find_map(|line| line.strip_prefix("model name")?.split_once(':'))
        .map_or("unknown processor", |(_, model)| model.trim());
    let cores = std::thread::available_parallelism().map_or(1, |n| n.get());
    let load = read("/proc/loadavg");
    let load = load.split(' ').next().unwrap_or("unknown");
    format!("{model}, {cores} cores, load average {load} at the end.")
}

/// A day as `YYYY-MM-DD`, UTC.
fn date(time: SystemTime) -> String {
    let days = time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs() / 86_400);
    let (mut year, mut day) = (1970, days);
    let leap = |year: u64| {
        year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
    };
    while day >= 365 + u64::from(leap(year)) {
        day -= 365 + u64::from(leap(year));
        year += 1;
    }
    let february = 28 + u64::from(leap(year));
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30] {
        if day < length {
            break;
        }
        day -= length;
        month += 1;
    }
    format!("{year:04}-{month:02}-{:02}", day + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn days_become_dates() {
        let at = |seconds| date(UNIX_EPOCH + Duration::from_secs(seconds));
        assert_eq!(at(0), "1970-01-01");
        assert_eq!(at(951_782_400), "2000-02-29");
        assert_eq!(at(1_735_689_599), "2024-12-31");
        assert_eq!(at(1_735_689_600), "2025-01-01");
    }
}
