//! The cache file of a lowered program, which makes the second load a single read.
//!
//! A file is a header (magic, format version, checksum and length of the body) and the module
//! in postcard format. Any defect of a file is an error, and the caller lowers the program
//! again. Only the current version is accepted; files of other versions are not converted.

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use crate::Module;

/// The version of the format. Increment it with every change to the data types of this
/// crate; a test detects a missing increment.
pub const VERSION: u32 = 9;

const MAGIC: [u8; 4] = *b"BWIR";
const HEADER: usize = 20;

/// Why a file is not a usable module.
#[derive(Debug)]
pub enum CacheError {
    /// The file could not be read or written.
    Io(io::Error),
    /// The magic number is missing.
    NotAModule,
    /// It was written in another version of the format.
    Version {
        /// The version of the file.
        found: u32,
    },
    /// The length differs from the one in the header.
    Length,
    /// The checksum differs from the one in the header.
    Checksum,
    /// The body is not a serialised module.
    Body(postcard::Error),
}

impl fmt::Display for CacheError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CacheError::Io(e) => write!(f, "{e}"),
            CacheError::NotAModule => f.write_str("not a lowered program"),
            CacheError::Version { found } => {
                write!(f, "format version {found}, but this program uses version {VERSION}")
            }
            CacheError::Length => f.write_str("the file is not complete"),
            CacheError::Checksum => f.write_str("the file is damaged (checksum mismatch)"),
            CacheError::Body(e) => write!(f, "the file does not describe a program: {e}"),
        }
    }
}

impl std::error::Error for CacheError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            CacheError::Io(e) => Some(e),
            CacheError::Body(e) => Some(e),
            _ => None,
        }
    }
}

impl From<io::Error> for CacheError {
    fn from(e: io::Error) -> Self {
        CacheError::Io(e)
    }
}

/// Serialises the module.
pub fn encode(module: &Module) -> Vec<u8> {
    let header = vec![0; HEADER];
    let mut bytes =
        postcard::to_extend(module, header).expect("postcard can serialise every type of a module");
    let body = &bytes[HEADER..];
    let checksum = crc32fast::hash(body);
    let length = body.len() as u64;
    bytes[0..4].copy_from_slice(&MAGIC);
    bytes[4..8].copy_from_slice(&VERSION.to_le_bytes());
    bytes[8..12].copy_from_slice(&checksum.to_le_bytes());
    bytes[12..20].copy_from_slice(&length.to_le_bytes());
    bytes
}

/// Deserialises the result of [`encode`].
pub fn decode(bytes: &[u8]) -> Result<Module, CacheError> {
    let rest = bytes.strip_prefix(&MAGIC).ok_or(CacheError::NotAModule)?;
    let (version, rest) = rest.split_first_chunk().ok_or(CacheError::Length)?;
    let found = u32::from_le_bytes(*version);
    if found != VERSION {
        return Err(CacheError::Version { found });
    }
    let (checksum, rest) = rest.split_first_chunk().ok_or(CacheError::Length)?;
    let (length, body) = rest.split_first_chunk().ok_or(CacheError::Length)?;
    if body.len() as u64 != u64::from_le_bytes(*length) {
        return Err(CacheError::Length);
    }
    if crc32fast::hash(body) != u32::from_le_bytes(*checksum) {
        return Err(CacheError::Checksum);
    }
    postcard::from_bytes(body).map_err(CacheError::Body)
}

/// Writes the module to a file, atomically even when several processes write it at the
/// same time.
pub fn write(module: &Module, path: &Path) -> Result<(), CacheError> {
    let temporary = temporary_beside(path);
    let written = fs::write(&temporary, encode(module)).and_then(|()| fs::rename(&temporary, path));
    if written.is_err() {
        // Best effort: the error to report is the first one.
        let _ = fs::remove_file(&temporary);
    }
    Ok(written?)
}

/// Reads a module that [`write()`] wrote.
pub fn read(path: &Path) -> Result<Module, CacheError> {
    decode(&fs::read(path)?)
}

/// A name that no other writer uses, in the directory of `path`, since a rename must not
/// cross file systems.
fn temporary_beside(path: &Path) -> PathBuf {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(format!(".{}-{count}.tmp", std::process::id()));
    path.with_file_name(name)
}
