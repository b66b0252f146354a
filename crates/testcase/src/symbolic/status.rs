//! Symbolic results of `stat`.

use std::fmt;

/// The symbolic fields. Inode, file type and size are concrete.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileStatus {
    /// The permission bits.
    pub mode: u32,
    /// The number of hard links.
    pub links: u64,
    /// The owner's user id.
    pub user: u32,
    /// The group id.
    pub group: u32,
    /// Access, modification and status change time, in seconds.
    pub times: [i64; 3],
}

impl FileStatus {
    /// The size of `struct stat` on x86-64 Linux, in bytes.
    pub(super) const SIZE: u32 = 144;

    /// Reads the structure as the runtime does, which adds `min_links` to the link count.
    pub(super) fn read(bytes: &[u8], min_links: u64) -> Option<FileStatus> {
        let word = |at: usize| Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?));
        let long = |at: usize| Some(u64::from_le_bytes(bytes.get(at..at + 8)?.try_into().ok()?));
        Some(FileStatus {
            mode: word(24)? & 0o7777,
            links: (long(16)? & 0xffff) + min_links,
            user: word(28)?,
            group: word(32)?,
            times: [long(72)? as i64, long(88)? as i64, long(104)? as i64],
        })
    }
}

impl fmt::Display for FileStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let FileStatus { mode, links, user, group, times: [read, changed, status] } = self;
        write!(f, "mode {mode:04o}, links {links}, owner {user}:{group}, ")?;
        write!(f, "times {read} {changed} {status}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_where_linux_has_them() {
        let mut bytes = [0; FileStatus::SIZE as usize];
        bytes[16..24].copy_from_slice(&0x7_0002u64.to_le_bytes());
        bytes[24..28].copy_from_slice(&0o100644u32.to_le_bytes());
        bytes[28..32].copy_from_slice(&7u32.to_le_bytes());
        bytes[32..36].copy_from_slice(&8u32.to_le_bytes());
        for (at, time) in [(72, 1i64), (88, -2), (104, 3)] {
            bytes[at..at + 8].copy_from_slice(&time.to_le_bytes());
        }
        let status = FileStatus::read(&bytes, 1).expect("large enough");
        assert_eq!(status.to_string(), "mode 0644, links 3, owner 7:8, times 1 -2 3");
        assert_eq!(FileStatus::read(&bytes[..100], 1), None);
    }
}
