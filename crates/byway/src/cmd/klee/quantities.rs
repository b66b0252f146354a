//! Values of KLEE's options, in KLEE's units.

use std::ffi::OsStr;
use std::time::Duration;

use crate::failure::{Failure, Result};

/// Units of time, the longest name first where one begins with another.
const UNITS: [(&str, f64); 8] = [
    ("min", 60.0),
    ("ms", 1e-3),
    ("us", 1e-6),
    ("ns", 1e-9),
    ("h", 3600.0),
    ("m", 60.0),
    ("s", 1.0),
    ("", 1.0),
];

/// A number of things.
pub fn count(option: &str, text: &OsStr) -> Result<u64> {
    let number = text.to_str().and_then(|text| text.parse().ok());
    number.ok_or_else(|| bad(option, text, "it takes a number, such as 1000"))
}

/// A part of a whole: a number from 0 to 1, in spite of the names of these options.
pub fn share(option: &str, text: &OsStr) -> Result<String> {
    let number = text.to_str().and_then(|text| text.parse::<f64>().ok());
    match number.filter(|number| (0.0..=1.0).contains(number)) {
        Some(number) => Ok(number.to_string()),
        None => Err(bad(option, text, "it takes a part of 1, such as 0.25")),
    }
}

/// A size in megabytes, in the syntax of `byway run`; zero is no limit.
pub fn megabytes(option: &str, text: &OsStr) -> Result<String> {
    match count(option, text)? {
        // More than any machine has.
        0 => Ok(format!("{}MiB", 1_u64 << 40)),
        size => Ok(format!("{size}MiB")),
    }
}

/// A time: `60s`, `1h30min`, `250ms`, or a number of seconds. Zero is `None`.
pub fn time(option: &str, text: &OsStr) -> Result<Option<Duration>> {
    let parsed = text.to_str().and_then(seconds);
    let time = parsed.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    match time {
        Some(time) if time.is_zero() => Ok(None),
        Some(time) => Ok(Some(time)),
        None => Err(bad(option, text, "it takes a time, such as 60s, 10min or 1h30min")),
    }
}

/// The sum of numbers with units; only the last number can be without.
fn seconds(text: &str) -> Option<f64> {
    let mut rest = text.trim();
    let mut sum = 0.0;
    loop {
        let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
        let (number, after) = rest.split_at(end);
        let unit = after.find(|c: char| c.is_ascii_digit()).unwrap_or(after.len());
        let (unit, after) = after.split_at(unit);
        let scale = UNITS.iter().find(|(name, _)| *name == unit)?.1;
        sum += number.parse::<f64>().ok()? * scale;
        rest = after;
        if rest.is_empty() {
            return Some(sum);
        }
    }
}

fn bad(option: &str, text: &OsStr, hint: &str) -> Failure {
    Failure::new(format!("'{}' is no value of --{option}", text.display())).hint(hint)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_klees_units() {
        let time = |text: &str| time("max-time", OsStr::new(text)).expect("a time");
        assert_eq!(time("60s"), Some(Duration::from_secs(60)));
        assert_eq!(time("1h30min"), Some(Duration::from_secs(5400)));
        assert_eq!(time("2m5s"), Some(Duration::from_secs(125)));
        assert_eq!(time("250ms"), Some(Duration::from_millis(250)));
        assert_eq!(time("1.5"), Some(Duration::from_millis(1500)));
        assert_eq!(time("0s"), None);
        for bad in ["", "s", "5x", "-3s", "1h-", "ten"] {
            assert!(super::time("max-time", OsStr::new(bad)).is_err(), "{bad}");
        }
    }

    #[test]
    fn memory_is_in_megabytes() {
        let size = |text: &str| megabytes("max-memory", OsStr::new(text));
        assert_eq!(size("1000").expect("a size"), "1000MiB");
        assert!(size("0").expect("no limit").len() > 10);
        assert!(size("1GB").is_err());
    }
}
