//! The memory of this process, as counted by the system.

use std::ffi::{c_int, c_long};
use std::fs::{self, File};
use std::os::unix::fs::FileExt;
use std::sync::OnceLock;

use byway_base::ProcessMemory;

/// This process. It is measured often, so the system's file stays open.
#[derive(Debug, Default)]
pub struct ThisProcess {
    statm: OnceLock<Option<File>>,
}

impl ProcessMemory for ThisProcess {
    fn resident(&self) -> Option<u64> {
        let file = self.statm.get_or_init(|| File::open("/proc/self/statm").ok()).as_ref()?;
        let mut buffer = [0; 128];
        let read = file.read_at(&mut buffer, 0).ok()?;
        resident_bytes(str::from_utf8(&buffer[..read]).ok()?)
    }

    fn give_back(&self) {
        // SAFETY: mimalloc is this process's allocator, and `mi_collect` keeps memory that is in
        // use.
        unsafe {
            // Without a delay, mimalloc does not look for memory that was freed before.
            mi_collect(true);
            // Memory is short: what is freed from now on is returned at once, too.
            mi_option_set(PURGE_DELAY, 0);
        }
    }
}

/// Returns free memory to the system, without the price that [`ThisProcess`] pays afterwards.
pub fn return_free() {
    // SAFETY: as above.
    unsafe { mi_collect(true) }
}

/// mimalloc's option for the milliseconds after which free memory is returned.
const PURGE_DELAY: c_int = 15;

/// The bytes this process holds in memory now; zero if the system does not report it.
pub fn resident() -> u64 {
    let text = fs::read_to_string("/proc/self/statm").unwrap_or_default();
    resident_bytes(&text).unwrap_or(0)
}

/// Size and resident size in pages come first.
fn resident_bytes(statm: &str) -> Option<u64> {
    Some(statm.split_whitespace().nth(1)?.parse::<u64>().ok()? * page_size())
}

/// The most bytes this process held at once; zero if the system does not report it.
pub fn most_resident() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|rest| rest.split_whitespace().next()?.parse::<u64>().ok());
    kilobytes.map_or(0, |n| n << 10)
}

unsafe extern "C" {
    /// Part of mimalloc, the allocator that `main` installs.
    fn mi_collect(force: bool);
    fn mi_option_set(option: c_int, value: c_long);
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

    /// Other tests of this process may take memory meanwhile, hence more than one attempt.
    #[test]
    fn free_memory_is_returned_to_the_system() {
        let is_returned = |_| {
            // Never read, so the compiler must be kept from removing the allocation.
            let taken = std::hint::black_box(vec![1u8; 64 << 20]);
            let before = resident();
            drop(taken);
            ThisProcess::default().give_back();
            resident() + (32 << 20) < before
        };
        assert!((0..5).any(is_returned), "{} bytes are resident", resident());
    }
}
