//! The memory of this process, as counted by the system.

use std::fs;

/// The bytes this process holds in memory now; zero if the system does not report it.
pub fn resident() -> u64 {
    // Size and resident size in pages come first.
    let pages = |text: String| text.split_whitespace().nth(1)?.parse::<u64>().ok();
    fs::read_to_string("/proc/self/statm").ok().and_then(pages).map_or(0, |n| n * page_size())
}

/// The most bytes this process held at once; zero if the system does not report it.
pub fn most_resident() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|rest| rest.split_whitespace().next()?.parse::<u64>().ok());
    kilobytes.map_or(0, |n| n << 10)
}

/// Returns the allocator's unused memory to the system.
pub fn give_back() {
    // SAFETY: mimalloc is this process's allocator, and `mi_collect` keeps memory that is in use.
    unsafe { mi_collect(true) };
}

unsafe extern "C" {
    /// Part of mimalloc, the allocator that `main` installs.
    fn mi_collect(force: bool);
}

fn page_size() -> u64 {
    // SAFETY: sysconf takes a number and has no other effect.
    u64::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).unwrap_or(4096)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_resident_size_is_not_zero() {
        assert!((1 << 16..1 << 40).contains(&resident()), "{}", resident());
        assert!(most_resident() >= resident() / 2, "{}", most_resident());
    }

    #[test]
    fn free_memory_is_returned_to_the_system() {
        // Never read, so the compiler must be kept from removing the allocation.
        let taken = std::hint::black_box(vec![1u8; 64 << 20]);
        let before = resident();
        drop(taken);
        give_back();
        assert!(resident() + (32 << 20) < before, "{} of {before}", resident());
    }
}
