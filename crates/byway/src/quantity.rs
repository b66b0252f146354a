//! Numbers as people write them: `10M` instructions, `4GiB` of memory, and back.

/// Reads a count: digits, `_` between them, and `k`, `M` or `G` for thousands,
/// millions and thousands of millions.
pub fn parse_count(text: &str) -> Result<u64, String> {
    let units = [("k", 1_000), ("K", 1_000), ("M", 1_000_000), ("G", 1_000_000_000)];
    scaled(text, &units).ok_or_else(|| "expected a number such as 5000, 250k, 10M or 2G".into())
}

/// Reads a size in bytes: a number alone, or with `KiB`, `MiB`, `GiB` (or the
/// first letter of them).
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
    scaled(text, &units).ok_or_else(|| "expected a size such as 65536, 512MiB or 4GiB".into())
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

/// A count with its thousands set apart: `1,234,567`.
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

/// A noun with its count: `1 call`, `2 calls`.
pub fn plural(n: u64, noun: &str) -> String {
    format!("{} {noun}{}", grouped(n), if n == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts() {
        assert_eq!(parse_count("0"), Ok(0));
        assert_eq!(parse_count("1_000"), Ok(1000));
        assert_eq!(parse_count("10M"), Ok(10_000_000));
        assert_eq!(parse_count("3k"), Ok(3000));
        for bad in ["", "M", "-1", "+1", "1.5M", "99999999999G", "_1", "1X"] {
            assert!(parse_count(bad).is_err(), "{bad:?} was taken");
        }
    }

    #[test]
    fn sizes() {
        assert_eq!(parse_size("65536"), Ok(65536));
        assert_eq!(parse_size("4GiB"), Ok(4 << 30));
        assert_eq!(parse_size("512 MiB"), Ok(512 << 20));
        assert_eq!(parse_size("2G"), Ok(2 << 30));
        for bad in ["", "GiB", "4Gib", "4 potatoes", "99999999TiB"] {
            assert!(parse_size(bad).is_err(), "{bad:?} was taken");
        }
    }

    #[test]
    fn groups() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(1000), "1,000");
        assert_eq!(grouped(1234567), "1,234,567");
        assert_eq!(plural(1, "call"), "1 call");
        assert_eq!(plural(2000, "call"), "2,000 calls");
    }
}
