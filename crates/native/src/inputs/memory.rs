//! Memory that two processes share, and a word in it that one waits for.
//!
//! The other process runs a program that may write anything anywhere. So everything is copied
//! out, checked against the memory's size, and believed no further.

use std::ffi::CStr;
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::Duration;

const NAME: &CStr = c"byway-inputs";

/// A mapped file without a name.
pub struct SharedMemory {
    file: File,
    start: NonNull<u8>,
    size: usize,
}

// SAFETY: the mapping belongs to this value alone.
unsafe impl Send for SharedMemory {}

impl SharedMemory {
    /// Zeroed memory of a fixed size.
    pub fn new(size: usize) -> io::Result<SharedMemory> {
        // SAFETY: the name ends in a zero; the descriptor is new and owned here alone.
        let file = unsafe {
            let flags = libc::MFD_CLOEXEC | libc::MFD_ALLOW_SEALING;
            let descriptor = libc::memfd_create(NAME.as_ptr(), flags);
            if descriptor < 0 {
                return Err(io::Error::last_os_error());
            }
            File::from_raw_fd(descriptor)
        };
        file.set_len(size as u64)?;
        let seals = libc::F_SEAL_SHRINK | libc::F_SEAL_GROW | libc::F_SEAL_SEAL;
        // SAFETY: the calls take numbers, and map a range that the kernel chooses.
        let start = unsafe {
            if libc::fcntl(file.as_raw_fd(), libc::F_ADD_SEALS, seals) < 0 {
                return Err(io::Error::last_os_error());
            }
            let access = libc::PROT_READ | libc::PROT_WRITE;
            libc::mmap(std::ptr::null_mut(), size, access, libc::MAP_SHARED, file.as_raw_fd(), 0)
        };
        if start == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        let start = NonNull::new(start.cast()).ok_or(io::ErrorKind::OutOfMemory)?;
        Ok(SharedMemory { file, start, size })
    }

    /// The file, for the other process.
    pub fn file(&self) -> BorrowedFd<'_> {
        self.file.as_fd()
    }

    /// The address of `count` bytes at an offset.
    fn place(&self, at: usize, count: usize) -> *mut u8 {
        assert!(at <= self.size && count <= self.size - at, "within the shared memory");
        // SAFETY: the offset is within the mapping.
        unsafe { self.start.as_ptr().add(at) }
    }

    fn word(&self, at: usize) -> &AtomicU32 {
        assert!(at.is_multiple_of(4), "words are aligned");
        // SAFETY: the word is in the mapping, aligned, and accessed atomically only.
        unsafe { AtomicU32::from_ptr(self.place(at, 4).cast()) }
    }

    /// Reads a word, after what was written before it.
    pub fn u32(&self, at: usize) -> u32 {
        self.word(at).load(Ordering::Acquire)
    }

    /// Writes a word.
    pub fn set_u32(&self, at: usize, value: u32) {
        self.word(at).store(value, Ordering::Release);
    }

    /// Writes a double word.
    pub fn set_u64(&self, at: usize, value: u64) {
        assert!(at.is_multiple_of(8), "double words are aligned");
        // SAFETY: as for `word`.
        let word = unsafe { AtomicU64::from_ptr(self.place(at, 8).cast()) };
        word.store(value, Ordering::Release);
    }

    /// Copies bytes into the memory.
    pub fn write(&self, at: usize, bytes: &[u8]) {
        // SAFETY: the range is within the mapping, which no slice refers to.
        unsafe { self.place(at, bytes.len()).copy_from(bytes.as_ptr(), bytes.len()) };
    }

    /// Copies bytes out of the memory.
    pub fn read(&self, at: usize, count: usize) -> Vec<u8> {
        let mut bytes = vec![0; count];
        // SAFETY: as for `write`.
        unsafe { bytes.as_mut_ptr().copy_from(self.place(at, count), count) };
        bytes
    }

    /// Copies words out of the memory.
    pub fn read_u32s(&self, at: usize, count: usize) -> Vec<u32> {
        let bytes = self.read(at, 4 * count);
        let (words, _) = bytes.as_chunks::<4>();
        words.iter().map(|&word| u32::from_ne_bytes(word)).collect()
    }

    /// Copies double words out of the memory.
    pub fn read_u64s(&self, at: usize, count: usize) -> Vec<u64> {
        let bytes = self.read(at, 8 * count);
        let (words, _) = bytes.as_chunks::<8>();
        words.iter().map(|&word| u64::from_ne_bytes(word)).collect()
    }

    /// Fills a range with zeros.
    pub fn clear(&self, at: usize, count: usize) {
        // SAFETY: as for `write`.
        unsafe { self.place(at, count).write_bytes(0, count) };
    }

    /// Writes a word and wakes the process that waits for it.
    pub fn signal(&self, at: usize, value: u32) {
        let word = self.word(at);
        word.store(value, Ordering::SeqCst);
        // SAFETY: the word is alive; the call takes its address and numbers.
        unsafe { libc::syscall(libc::SYS_futex, word.as_ptr(), libc::FUTEX_WAKE, 1, 0, 0, 0) };
    }

    /// Waits until a word is no longer `value`, at most for this time. Returns whether it is.
    pub fn wait(&self, at: usize, value: u32, time: Duration) -> bool {
        let word = self.word(at);
        if word.load(Ordering::SeqCst) != value {
            return true;
        }
        let time = libc::timespec {
            tv_sec: time.as_secs() as libc::time_t,
            tv_nsec: time.subsec_nanos().into(),
        };
        // SAFETY: the word and the time are alive.
        unsafe {
            let (wait, limit) = (libc::FUTEX_WAIT, &raw const time);
            libc::syscall(libc::SYS_futex, word.as_ptr(), wait, value, limit, 0, 0);
        }
        word.load(Ordering::SeqCst) != value
    }
}

impl Drop for SharedMemory {
    fn drop(&mut self) {
        // SAFETY: the mapping is this value's own, and nothing refers to it any more.
        unsafe { libc::munmap(self.start.as_ptr().cast(), self.size) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_come_back_and_its_size_is_fixed() {
        let memory = SharedMemory::new(4096).expect("memory");
        memory.write(8, b"abcdefgh");
        assert_eq!(memory.read(10, 3), b"cde");
        assert_eq!(memory.read_u64s(8, 1), [u64::from_ne_bytes(*b"abcdefgh")]);
        memory.clear(8, 4);
        assert_eq!(memory.read_u32s(8, 2), [0, u32::from_ne_bytes(*b"efgh")]);
        assert!(memory.file.set_len(1).is_err() && memory.file.set_len(1 << 20).is_err());
        assert!(!memory.wait(0, 0, Duration::from_millis(1)));
        memory.signal(0, 7);
        assert!(memory.wait(0, 0, Duration::from_secs(9)) && memory.u32(0) == 7);
    }
}
