//! The time of day, as people write it.

use std::time::{SystemTime, UNIX_EPOCH};

/// A time in the local time zone, as `YYYY-MM-DD HH:MM:SS`.
pub fn local_time(time: SystemTime) -> String {
    let seconds = time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let seconds = libc::time_t::try_from(seconds).unwrap_or(libc::time_t::MAX);
    // SAFETY: zero is a valid value for each field of the structure.
    let mut parts: libc::tm = unsafe { std::mem::zeroed() };
    // SAFETY: both pointers refer to live variables; the result is one of them, or null for a year
    // that does not fit, and then the fields stay zero.
    unsafe { libc::localtime_r(&seconds, &mut parts) };
    format!(
        "{:04}-{:02}-{:02} {:02}:{:02}:{:02}",
        i64::from(parts.tm_year) + 1900,
        parts.tm_mon + 1,
        parts.tm_mday,
        parts.tm_hour,
        parts.tm_min,
        parts.tm_sec
    )
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_time_has_date_and_clock() {
        // The date is the same in every time zone.
        let text = local_time(UNIX_EPOCH + Duration::from_secs(1_600_000_000));
        assert!(text.starts_with("2020-09-1") && text.len() == 19, "{text}");
    }
}
