//! Files of the host that several workers read, one at a time.

use std::sync::{Mutex, PoisonError};

use crate::env::{HostFile, HostFiles};

/// One worker's access to shared files.
pub struct SharedFiles<'a>(pub &'a Mutex<dyn HostFiles + Send + 'a>);

impl SharedFiles<'_> {
    fn with<T>(&self, act: impl FnOnce(&mut dyn HostFiles) -> T) -> T {
        act(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl HostFiles for SharedFiles<'_> {
    fn stat(&mut self, path: &[u8]) -> Result<HostFile, i32> {
        self.with(|files| files.stat(path))
    }

    fn read(&mut self, path: &[u8], offset: u64, out: &mut [u8]) -> Result<usize, i32> {
        self.with(|files| files.read(path, offset, out))
    }

    fn list(&mut self, path: &[u8], index: u64) -> Result<Option<Vec<u8>>, i32> {
        self.with(|files| files.list(path, index))
    }

    fn link(&mut self, path: &[u8]) -> Result<Vec<u8>, i32> {
        self.with(|files| files.link(path))
    }

    fn directory(&mut self) -> Result<Vec<u8>, i32> {
        self.with(|files| files.directory())
    }
}
