//! How much memory this process takes, as the system counts it.

use std::fs;

/// The bytes this process holds in memory now; zero if the system does not tell.
pub fn resident() -> u64 {
    // Size and resident size in pages come first.
    let pages = |text: String| text.split_whitespace().nth(1)?.parse::<u64>().ok();
    fs::read_to_string("/proc/self/statm").ok().and_then(pages).map_or(0, |n| n * page_size())
}

fn page_size() -> u64 {
    // SAFETY: sysconf takes a number and has no other effect.
    u64::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).unwrap_or(4096)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_takes_memory() {
        assert!((1 << 16..1 << 40).contains(&resident()), "{}", resident());
    }
}
