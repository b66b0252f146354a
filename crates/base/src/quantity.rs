//! Parsing and printing of human-readable quantities: `10M` instructions, `4GiB` of memory,
//! `1h30m`.

use std::time::Duration;

/// Parses a positive count: digits, optional `_` between them, and `k`, `M` or `G` for thousands,
/// millions and thousands of millions.
pub fn parse_count(text: &str) -> Result<u64, String> {
    let units = [("k", 1_000), ("K", 1_000), ("M", 1_000_000), ("G", 1_000_000_000)];
    let count = scaled(text, &units).filter(|&count| count > 0);
    count.ok_or_else(|| "expected a number from 1 up such as 5000, 250k, 10M or 2G".into())
}

/// Parses a size: a number with `B`, `KiB`, `MiB`, `GiB`, `TiB` or their first letters. A number
/// without a unit is refused: other tools take it as megabytes.
pub fn parse_size(text: &str) -> Result<u64, String> {
    let units = [
        ("KiB", 1 << 10),
        ("MiB", 1 << 20),
        ("GiB", 1 << 30),
        ("TiB", 1 << 40),
        ("K", 1 << 10),
        ("M", 1 << 20),
        ("G", 1 << 30),
        ("T", 1 << 40),
        ("B", 1),
    ];
    let text = text.trim();
    if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'_') {
        return Err(format!("needs a unit: {text}MiB, or {text}B if you mean bytes"));
    }
    scaled(text, &units).ok_or_else(|| "expected a size such as 512MiB, 4GiB or 65536B".into())
}

/// Parses a duration: `90` or `90s` seconds, `500ms`, `2m`, `1h30m`, `2d`.
pub fn parse_time(text: &str) -> Result<Duration, String> {
    let units = [("ms", 1), ("s", 1_000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000)];
    let parts = || {
        let mut rest = text.trim();
        let mut total = 0u64;
        while !rest.is_empty() {
            let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
            let (digits, after) = rest.split_at(end);
            let end = after.find(|c: char| c.is_ascii_digit()).unwrap_or(after.len());
            let (unit, after) = after.split_at(end);
            let unit = match unit.trim() {
                "" if total == 0 && after.is_empty() => 1_000,
                unit => units.iter().find(|(name, _)| *name == unit)?.1,
            };
            total = digits.parse::<u64>().ok()?.checked_mul(unit)?.checked_add(total)?;
            rest = after;
        }
        (total > 0).then_some(Duration::from_millis(total))
    };
    parts().ok_or_else(|| "expected a time such as 30s, 500ms, 10m or 1h30m".into())
}

/// Reads a time, or a zero with or without a unit.
pub fn parse_time_or_zero(text: &str) -> Result<Duration, String> {
    match text.trim() {
        "0" | "0ms" | "0s" => Ok(Duration::ZERO),
        text => parse_time(text),
    }
}

fn scaled(text: &str, units: &[(&str, u64)]) -> Option<u64> {
    let text = text.trim();
    let (digits, unit) = units
        .iter()
        .find_map(|(suffix, unit)| Some((text.strip_suffix(suffix)?, *unit)))
        .unwrap_or((text, 1));
    let digits = digits.trim_end();
    if !digits.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    digits.replace('_', "").parse::<u64>().ok()?.checked_mul(unit)
}

/// A count with thousands separators: `1,234,567`.
pub fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// An abbreviated count: `999`, `10.6k`, `1.2M`.
pub fn compact(n: u64) -> String {
    let mut value = n as f64;
    let mut units = ["", "k", "M", "G"].into_iter();
    let mut unit = units.next();
    while value >= 999.5
        && let Some(next) = units.next()
    {
        value /= 1000.0;
        unit = Some(next);
    }
    let digits = if n < 1000 || value >= 99.95 { 0 } else { 1 };
    format!("{value:.digits$}{}", unit.unwrap_or_default())
}

/// A noun with its count: `1 call`, `2 calls`.
pub fn plural(n: u64, noun: &str) -> String {
    format!("{} {noun}{}", grouped(n), if n == 1 { "" } else { "s" })
}

/// A size with a suitable unit: `512 B`, `1.5 MiB`.
pub fn size(bytes: u64) -> String {
    let mut value = bytes as f64;
    let mut units = ["B", "KiB", "MiB", "GiB"].iter();
    let mut unit = units.next();
    while value >= 1023.5
        && let Some(next) = units.next()
    {
        value /= 1024.0;
        unit = Some(next);
    }
    let digits = if bytes < 1024 || value >= 100.0 { 0 } else { 1 };
    format!("{value:.digits$} {}", unit.unwrap_or(&""))
}

/// An abbreviated duration: `0.43 s`, `12.3 s`, `4m05s`, `2h00m`.
pub fn time(time: Duration) -> String {
    let seconds = time.as_secs();
    match seconds {
        0..10 => format!("{:.2} s", time.as_secs_f64()),
        10..60 => format!("{:.1} s", time.as_secs_f64()),
        60..3600 => format!("{}m{:02}s", seconds / 60, seconds % 60),
        _ => format!("{}h{:02}m", seconds / 3600, seconds / 60 % 60),
    }
}

/// A fraction in percent: `85.0%`. Rounded down, so that 100% means all.
pub fn percent(part: u64, whole: u64) -> String {
    let per_mille = part.saturating_mul(1000).checked_div(whole).unwrap_or(1000);
    format!("{}%", tenths(per_mille))
}

/// A number from 0 to 1 in percent, such as a mean: `85.0`. Rounded down like [`percent`].
pub fn percentage(part: f64) -> String {
    tenths(per_mille(part))
}

/// A number from 0 to 1 in tenths of a percent, rounded down. 0.29 gives 290, although in
/// floating point 0.29 * 1000 is slightly less.
pub fn per_mille(part: f64) -> u64 {
    (part * 1000.0 + 1e-9).floor() as u64
}

fn tenths(per_mille: u64) -> String {
    format!("{}.{}", per_mille / 10, per_mille % 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts() {
        assert_eq!(parse_count("1"), Ok(1));
        assert!(parse_count("0").is_err() && parse_count("0k").is_err());
        assert_eq!(parse_count("1_000"), Ok(1000));
        assert_eq!(parse_count("10M"), Ok(10_000_000));
        assert_eq!(parse_count("3k"), Ok(3000));
        for bad in ["", "M", "-1", "+1", "1.5M", "99999999999G", "_1", "1X"] {
            assert!(parse_count(bad).is_err(), "{bad:?} was taken");
        }
    }

    #[test]
    fn sizes() {
        assert_eq!(parse_size("65536B"), Ok(65536));
        let error = "needs a unit: 2000MiB, or 2000B if you mean bytes".to_string();
        assert_eq!(parse_size(" 2000"), Err(error));
        assert_eq!(parse_size("4GiB"), Ok(4 << 30));
        assert_eq!(parse_size("512 MiB"), Ok(512 << 20));
        assert_eq!(parse_size("2G"), Ok(2 << 30));
        for bad in ["", "GiB", "4Gib", "4 potatoes", "99999999TiB"] {
            assert!(parse_size(bad).is_err(), "{bad:?} was taken");
        }
    }

    #[test]
    fn times() {
        let read = |text| parse_time(text).map(|time| time.as_millis());
        assert_eq!(read("90"), Ok(90_000));
        assert_eq!(read("500ms"), Ok(500));
        assert_eq!(read("10 s"), Ok(10_000));
        assert_eq!(read("1h30m"), Ok(5_400_000));
        assert_eq!(read("1d"), Ok(86_400_000));
        for bad in ["", "0", "s", "-1s", "1.5h", "1m30", "10 parsecs", "99999999999999999d"] {
            assert!(read(bad).is_err(), "{bad:?} was taken");
        }
        let told = |millis| time(Duration::from_millis(millis));
        assert_eq!(told(434), "0.43 s");
        assert_eq!(told(12_345), "12.3 s");
        assert_eq!(told(245_999), "4m05s");
        assert_eq!(told(7_200_000), "2h00m");
    }

    #[test]
    fn printed_sizes_and_fractions() {
        assert_eq!(size(0), "0 B");
        assert_eq!(size(1023), "1023 B");
        assert_eq!(size(1536), "1.5 KiB");
        assert_eq!(size((1 << 20) - 1), "1.0 MiB");
        assert_eq!(size(300 << 20), "300 MiB");
        assert_eq!(size(5 << 40), "5120 GiB");
        assert_eq!(percent(1, 3), "33.3%");
        assert_eq!(percent(99_999, 100_000), "99.9%");
        assert_eq!(percent(7, 7), "100.0%");
        assert_eq!(percent(0, 0), "100.0%");
        for part in 0..=1000 {
            assert_eq!(percentage(part as f64 / 1000.0) + "%", percent(part, 1000));
        }
        assert_eq!([0.8999999, 0.99999999, 2.0 / 3.0].map(percentage), ["89.9", "99.9", "66.6"]);
    }

    #[test]
    fn groups() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(1000), "1,000");
        assert_eq!(grouped(1234567), "1,234,567");
        let shown = [0, 999, 1000, 10_582, 99_960, 999_499, 999_500, 5_000_000_000_000];
        let expected = ["0", "999", "1.0k", "10.6k", "100k", "999k", "1.0M", "5000G"];
        assert_eq!(shown.map(compact), expected);
        assert_eq!(plural(1, "call"), "1 call");
        assert_eq!(plural(2000, "call"), "2,000 calls");
    }
}
