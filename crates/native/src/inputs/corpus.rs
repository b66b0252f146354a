//! Inputs in files, in the layout of AFL: a folder `queue` with files `id:000000,...`.

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use byway_testcase::atomic;

/// A larger file is no input.
const MOST_BYTES: u64 = 1 << 20;

/// Inputs that were read from a folder.
#[derive(Debug, Default)]
pub struct ImportedCorpus {
    /// The inputs with their files, by name.
    pub inputs: Vec<(PathBuf, Vec<u8>)>,
    /// Files that could not be read, and why.
    pub skipped: Vec<(PathBuf, String)>,
}

/// Reads the inputs of AFL's output folder, of one of its fuzzers, of a queue, or of a plain
/// folder of files. Subfolders and hidden files are no inputs.
pub fn import(folder: &Path) -> io::Result<ImportedCorpus> {
    let queue = ["default/queue", "queue"].map(|name| folder.join(name));
    let folder = queue.iter().find(|path| path.is_dir()).map_or(folder, PathBuf::as_path);
    let mut corpus = ImportedCorpus::default();
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let is_hidden = entry.file_name().as_encoded_bytes().starts_with(b".");
        if !is_hidden && !entry.path().is_dir() {
            paths.push(entry.path());
        }
    }
    paths.sort();
    for path in paths {
        match read(&path) {
            Ok(bytes) => corpus.inputs.push((path, bytes)),
            Err(why) => corpus.skipped.push((path, why)),
        }
    }
    Ok(corpus)
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    // A pipe or a device might never end.
    let about = fs::metadata(path).map_err(|e| e.to_string())?;
    if !about.is_file() {
        return Err("it is no file".into());
    }
    let mut bytes = Vec::new();
    let file = fs::File::open(path).map_err(|e| e.to_string())?;
    file.take(MOST_BYTES + 1).read_to_end(&mut bytes).map_err(|e| e.to_string())?;
    match bytes.len() as u64 > MOST_BYTES {
        true => Err("it has more than 1 MiB".into()),
        false => Ok(bytes),
    }
}

/// Writes inputs to `folder/queue`, which must not have inputs yet, so that AFL can resume from
/// them or take them as seeds.
pub fn export<'a>(folder: &Path, inputs: impl Iterator<Item = &'a [u8]>) -> io::Result<()> {
    let queue = folder.join("queue");
    fs::create_dir_all(&queue)?;
    if fs::read_dir(&queue)?.next().is_some() {
        let text = format!("'{}' is not empty", queue.display());
        return Err(io::Error::new(io::ErrorKind::AlreadyExists, text));
    }
    for (number, input) in inputs.enumerate() {
        atomic::write(&queue.join(format!("id:{number:06},orig:byway")), input)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use tempfile::TempDir;

    #[test]
    fn what_is_exported_is_imported() {
        let dir = TempDir::new().expect("a directory");
        let inputs: [&[u8]; 3] = [b"one", b"", b"\0\xff"];
        export(dir.path(), inputs.into_iter()).expect("written");
        assert!(dir.path().join("queue/id:000002,orig:byway").is_file());
        let corpus = import(dir.path()).expect("read");
        let bytes: Vec<&[u8]> = corpus.inputs.iter().map(|(_, bytes)| bytes.as_slice()).collect();
        assert_eq!((bytes, corpus.skipped.len()), (inputs.to_vec(), 0));
        assert!(export(dir.path(), inputs.into_iter()).is_err());
    }

    #[test]
    fn unreadable_files_are_reported() {
        let dir = TempDir::new().expect("a directory");
        let queue = dir.path().join("default/queue");
        fs::create_dir_all(queue.join(".state")).expect("a directory");
        fs::write(queue.join("id:000000,orig:a"), b"a").expect("written");
        fs::write(queue.join("id:000001,big"), vec![0; (1 << 20) + 1]).expect("written");
        std::os::unix::fs::symlink("/nowhere", queue.join("id:000002,gone")).expect("a link");
        std::os::unix::fs::symlink("/dev/zero", queue.join("id:000003,endless")).expect("a link");
        let corpus = import(dir.path()).expect("read");
        assert_eq!((corpus.inputs.len(), corpus.skipped.len()), (1, 3), "{corpus:?}");
        assert!(import(&dir.path().join("missing")).is_err());
    }
}
