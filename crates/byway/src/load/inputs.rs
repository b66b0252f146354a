//! The files a program is made of: what kind each is, and whether it can be
//! what it says. Whatever can be said about a bad file without LLVM is said here.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::failure::{Failure, Result};

/// What a file holds, by the end of its name.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    /// C source.
    C,
    /// LLVM bitcode.
    Bitcode,
    /// LLVM IR as text.
    LlvmText,
    /// An archive of bitcode.
    Archive,
    /// Byway's own IR as text.
    Bwir,
}

/// A file of the program.
pub struct Input {
    /// As the user named it.
    pub path: PathBuf,
    /// What it holds.
    pub kind: Kind,
    /// Its contents.
    pub bytes: Vec<u8>,
}

const BITCODE: &[u8] = b"BC\xC0\xDE";
/// Bitcode in the wrapper that Apple's tools put around it.
const WRAPPED_BITCODE: &[u8] = b"\xDE\xC0\x17\x0B";
const ARCHIVE: &[u8] = b"!<arch>\n";
const THIN_ARCHIVE: &[u8] = b"!<thin>\n";
const ELF: &[u8] = b"\x7fELF";

/// Reads the files.
pub fn read(paths: &[PathBuf]) -> Result<Vec<Input>> {
    paths.iter().map(|path| read_one(path)).collect()
}

fn read_one(path: &Path) -> Result<Input> {
    let shown = path.display();
    let metadata = fs::metadata(path).map_err(|error| cannot_read(path, &error))?;
    if metadata.is_dir() {
        return Err(Failure::new(format!("'{shown}' is a directory"))
            .hint("name the C sources or bitcode files in it"));
    }
    if !metadata.is_file() {
        return Err(Failure::new(format!("'{shown}' is not a regular file")));
    }
    let kind = kind_of(path)?;
    let bytes = fs::read(path).map_err(|error| cannot_read(path, &error))?;
    if bytes.is_empty() {
        return Err(Failure::new(format!("'{shown}' is empty")));
    }
    match kind {
        Kind::Bitcode => check_bitcode(path, &bytes)?,
        Kind::Archive => check_archive(path, &bytes)?,
        Kind::C | Kind::LlvmText | Kind::Bwir => {}
    }
    Ok(Input { path: path.to_path_buf(), kind, bytes })
}

fn cannot_read(path: &Path, error: &io::Error) -> Failure {
    let failure = Failure::io("read", path, error);
    if error.kind() == io::ErrorKind::NotFound && kind_of(path).is_err() {
        return failure.hint("arguments of the program go after '--'");
    }
    failure
}

/// What a file holds, by its name.
pub fn kind_of(path: &Path) -> Result<Kind> {
    let extension = path.extension().and_then(|ext| ext.to_str());
    let shown = path.display();
    let accepted = "byway accepts .c, .i, .bc, .o, .a, .ll and .bwir files";
    match extension {
        Some("c" | "i") => Ok(Kind::C),
        Some("bc" | "o") => Ok(Kind::Bitcode),
        Some("ll") => Ok(Kind::LlvmText),
        Some("a") => Ok(Kind::Archive),
        Some("bwir") => Ok(Kind::Bwir),
        Some("cc" | "cpp" | "cxx" | "C" | "rs") => Err(Failure::new(format!(
            "'{shown}' is not a C source"
        ))
        .hint("compile it to bitcode yourself (clang -g -emit-llvm -c) and give the .bc file")),
        Some(extension) => {
            Err(Failure::new(format!("'{shown}' has an unknown extension, '.{extension}'"))
                .hint(format!("{accepted}; arguments of the program go after '--'")))
        }
        None => Err(Failure::new(format!("'{shown}' has no file extension"))
            .hint(format!("{accepted}; an executable has to be compiled to bitcode instead"))),
    }
}

fn check_bitcode(path: &Path, bytes: &[u8]) -> Result<()> {
    if bytes.starts_with(BITCODE) || bytes.starts_with(WRAPPED_BITCODE) {
        return Ok(());
    }
    let hint = if bytes.starts_with(ELF) {
        "it is machine code; compile with -emit-llvm or -flto"
    } else {
        "bitcode comes from clang -g -emit-llvm -c"
    };
    Err(Failure::new(format!("'{}' is not LLVM bitcode", path.display())).hint(hint))
}

fn check_archive(path: &Path, bytes: &[u8]) -> Result<()> {
    if bytes.starts_with(ARCHIVE) {
        return Ok(());
    }
    let failure = Failure::new(format!("'{}' is not an archive", path.display()));
    Err(if bytes.starts_with(THIN_ARCHIVE) {
        failure.hint("it is a thin archive, which only names its members; make it with ar rc")
    } else {
        failure
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ending_says_what_it_is() {
        let kind = |name: &str| kind_of(Path::new(name)).ok();
        assert_eq!(kind("a/b.c"), Some(Kind::C));
        assert_eq!(kind("b.bc"), Some(Kind::Bitcode));
        assert_eq!(kind("b.ll"), Some(Kind::LlvmText));
        assert_eq!(kind("lib.a"), Some(Kind::Archive));
        assert_eq!(kind("b.bwir"), Some(Kind::Bwir));
        for unknown in ["b.cpp", "b.txt", "b", "c"] {
            assert_eq!(kind(unknown), None, "{unknown}");
        }
    }

    #[test]
    fn machine_code_is_named_as_such() {
        let failure = check_bitcode(Path::new("x.o"), b"\x7fELF...").expect_err("not bitcode");
        assert!(failure.to_string().contains("machine code"));
        assert!(check_bitcode(Path::new("x.bc"), b"BC\xC0\xDE...").is_ok());
    }
}
