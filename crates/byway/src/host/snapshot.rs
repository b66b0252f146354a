//! Files of this machine as they were when an exploration first read them, so that all of
//! its paths see the same even if the files change.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use byway_engine::{HostFile, HostFiles};

use super::FileResult;

/// Caches every result, errors included.
pub struct Snapshot<F> {
    files: F,
    about: HashMap<Vec<u8>, FileResult<HostFile>>,
    contents: HashMap<Vec<u8>, FileResult<Vec<u8>>>,
    names: HashMap<Vec<u8>, FileResult<Vec<Vec<u8>>>>,
    links: HashMap<Vec<u8>, FileResult<Vec<u8>>>,
    directory: Option<FileResult<Vec<u8>>>,
}

impl<F: HostFiles> Snapshot<F> {
    /// Reads `files` on first access.
    pub fn new(files: F) -> Self {
        Snapshot {
            files,
            about: HashMap::new(),
            contents: HashMap::new(),
            names: HashMap::new(),
            links: HashMap::new(),
            directory: None,
        }
    }
}

impl<F: HostFiles> HostFiles for Snapshot<F> {
    fn stat(&mut self, path: &[u8]) -> FileResult<HostFile> {
        remember(&mut self.about, path, || self.files.stat(path)).clone()
    }

    fn read(&mut self, path: &[u8], offset: u64, out: &mut [u8]) -> FileResult<usize> {
        let size = self.stat(path)?.size;
        let whole = remember(&mut self.contents, path, || whole(&mut self.files, path, size));
        let whole = whole.as_ref().map_err(|errno| *errno)?;
        let rest = usize::try_from(offset).ok().and_then(|at| whole.get(at..)).unwrap_or_default();
        let count = rest.len().min(out.len());
        out[..count].copy_from_slice(&rest[..count]);
        Ok(count)
    }

    fn list(&mut self, path: &[u8], index: u64) -> FileResult<Option<Vec<u8>>> {
        let names = remember(&mut self.names, path, || names(&mut self.files, path));
        let names = names.as_ref().map_err(|errno| *errno)?;
        Ok(usize::try_from(index).ok().and_then(|index| names.get(index)).cloned())
    }

    fn link(&mut self, path: &[u8]) -> FileResult<Vec<u8>> {
        remember(&mut self.links, path, || self.files.link(path)).clone()
    }

    fn directory(&mut self) -> FileResult<Vec<u8>> {
        self.directory.get_or_insert_with(|| self.files.directory()).clone()
    }
}

/// The cached result, or the result of `ask`, which is cached.
fn remember<'a, T>(
    known: &'a mut HashMap<Vec<u8>, FileResult<T>>,
    path: &[u8],
    ask: impl FnOnce() -> FileResult<T>,
) -> &'a FileResult<T> {
    match known.entry(path.to_vec()) {
        Entry::Occupied(known) => known.into_mut(),
        Entry::Vacant(entry) => entry.insert(ask()),
    }
}

/// The contents of a file, up to the size that `stat` returned.
fn whole(files: &mut dyn HostFiles, path: &[u8], size: u64) -> FileResult<Vec<u8>> {
    const PIECE: u64 = 1 << 20;
    let mut bytes: Vec<u8> = Vec::new();
    loop {
        let at = bytes.len();
        let piece = (size - at as u64).min(PIECE) as usize;
        bytes.resize(at + piece, 0);
        let got = files.read(path, at as u64, &mut bytes[at..])?;
        bytes.truncate(at + got);
        if got == 0 {
            return Ok(bytes);
        }
    }
}

fn names(files: &mut dyn HostFiles, path: &[u8]) -> FileResult<Vec<Vec<u8>>> {
    let mut names = Vec::new();
    while let Some(name) = files.list(path, names.len() as u64)? {
        names.push(name);
    }
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One file, longer at every access.
    struct Growing(Vec<u8>);

    impl Growing {
        fn grow(&mut self) -> Vec<u8> {
            self.0.push(b'a' + self.0.len() as u8);
            self.0.clone()
        }
    }

    impl HostFiles for Growing {
        fn stat(&mut self, _: &[u8]) -> FileResult<HostFile> {
            Ok(HostFile { size: self.grow().len() as u64, ..HostFile::default() })
        }
        fn read(&mut self, _: &[u8], offset: u64, out: &mut [u8]) -> FileResult<usize> {
            let bytes = self.grow();
            let rest = &bytes[offset as usize..];
            let count = rest.len().min(out.len());
            out[..count].copy_from_slice(&rest[..count]);
            Ok(count)
        }
        fn list(&mut self, _: &[u8], index: u64) -> FileResult<Option<Vec<u8>>> {
            Ok((index < 2).then(|| self.grow()))
        }
        fn link(&mut self, _: &[u8]) -> FileResult<Vec<u8>> {
            Ok(self.grow())
        }
        fn directory(&mut self) -> FileResult<Vec<u8>> {
            Ok(self.grow())
        }
    }

    #[test]
    fn results_are_cached() {
        let mut files = Snapshot::new(Growing(b"abc".to_vec()));
        let mut look = |path: &[u8]| {
            let mut out = [0; 8];
            let got = files.read(path, 1, &mut out).expect("content");
            let listed = (files.list(path, 0), files.list(path, 1), files.list(path, 2));
            let rest = (files.stat(path), files.link(path), files.directory());
            (out[..got].to_vec(), listed, rest)
        };
        let first = look(b"/x");
        assert_eq!(first.0, b"bcd", "up to the size it had");
        assert_eq!(first.1.2, Ok(None));
        assert_eq!(look(b"/x"), first);
        assert_ne!(look(b"/y"), first);
    }

    #[test]
    fn reads_beyond_the_end_return_nothing() {
        let mut files = Snapshot::new(Growing(Vec::new()));
        assert_eq!(files.read(b"/x", 9, &mut [0; 4]), Ok(0));
        assert_eq!(files.read(b"/x", u64::MAX, &mut [0; 4]), Ok(0));
    }
}
