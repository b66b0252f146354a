//! The files of a program: determines their kinds, and reports bad files as far as that needs no
//! LLVM.

use std::fs;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use byway_embed::elf;

use super::native::{self, NativeProgram};
use crate::failure::{Failure, Result};

/// The format of a file.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum FileKind {
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
    /// A native executable, shared library or object, with its bitcode inside.
    Native,
}

/// A file of the program.
pub struct ProgramInputFile {
    /// The path as the user gave it.
    pub path: PathBuf,
    pub kind: FileKind,
    pub bytes: Vec<u8>,
    pub unpacked: UnpackedInput,
}

/// What has to be done before the bitcode reader can read a file.
pub enum UnpackedInput {
    /// Nothing.
    AsGiven,
    /// It is an archive of native objects; `bytes` are the archive of their bitcode.
    Archive,
    /// Its bitcode has to be merged. `bytes` are those of all its files.
    Native(NativeProgram),
}

const BITCODE: &[u8] = b"BC\xC0\xDE";
/// Bitcode in the wrapper that Apple's tools put around it.
const WRAPPED_BITCODE: &[u8] = b"\xDE\xC0\x17\x0B";
const ARCHIVE: &[u8] = b"!<arch>\n";
const THIN_ARCHIVE: &[u8] = b"!<thin>\n";

/// Reads and checks the files.
pub fn read(paths: &[PathBuf]) -> Result<Vec<ProgramInputFile>> {
    paths.iter().map(|path| read_one(path)).collect()
}

/// Reads and checks a file.
pub fn read_one(path: &Path) -> Result<ProgramInputFile> {
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
    let path = path.to_path_buf();
    let (bytes, unpacked) = match kind {
        FileKind::Native => {
            let program = NativeProgram::read(&path, &bytes)?;
            (program.contents(), UnpackedInput::Native(program))
        }
        FileKind::Archive => {
            check_archive(&path, &bytes)?;
            match native::bitcode_archive(&path, &bytes)? {
                Some(archive) => (archive.bytes, UnpackedInput::Archive),
                None => (bytes, UnpackedInput::AsGiven),
            }
        }
        FileKind::Bitcode => {
            check_bitcode(&path, &bytes)?;
            (bytes, UnpackedInput::AsGiven)
        }
        FileKind::C | FileKind::LlvmText | FileKind::Bwir => (bytes, UnpackedInput::AsGiven),
    };
    Ok(ProgramInputFile { path, kind, bytes, unpacked })
}

fn cannot_read(path: &Path, error: &io::Error) -> Failure {
    let failure = Failure::io("read", path, error);
    if error.kind() == io::ErrorKind::NotFound && kind_of(path).is_err() {
        return failure.hint("arguments of the program go after '--'");
    }
    failure
}

/// The format of a file: by its extension, and by its first bytes where the extension does not
/// decide.
pub fn kind_of(path: &Path) -> Result<FileKind> {
    let extension = path.extension().and_then(|ext| ext.to_str());
    match extension {
        Some("c" | "i" | "bc" | "ll" | "a" | "bwir") => kind_by_name(path),
        _ if is_native(path) => Ok(FileKind::Native),
        _ => kind_by_name(path).map_err(|failure| libtools_program(path).unwrap_or(failure)),
    }
}

/// Whether a file is in ELF.
fn is_native(path: &Path) -> bool {
    let mut start = [0; 4];
    let read = fs::File::open(path).and_then(|mut file| file.read_exact(&mut start));
    read.is_ok() && elf::is_elf(&start)
}

/// The error for a script that libtool writes in the place of a program, if it is one.
fn libtools_program(path: &Path) -> Option<Failure> {
    let program = path.parent()?.join(".libs").join(path.file_name()?);
    let shown = path.display();
    is_native(&program).then(|| {
        Failure::new(format!("'{shown}' is libtool's script that starts the program"))
            .hint(format!("the program is '{}'", program.display()))
    })
}

fn kind_by_name(path: &Path) -> Result<FileKind> {
    let extension = path.extension().and_then(|ext| ext.to_str());
    let shown = path.display();
    let accepted = "byway accepts .c, .i, .bc, .o, .a, .ll and .bwir files, and executables built \
                    with 'byway cc'";
    match extension {
        Some("c" | "i") => Ok(FileKind::C),
        Some("bc" | "o") => Ok(FileKind::Bitcode),
        Some("ll") => Ok(FileKind::LlvmText),
        Some("a") => Ok(FileKind::Archive),
        Some("bwir") => Ok(FileKind::Bwir),
        Some("cc" | "cpp" | "cxx" | "C" | "rs") => Err(Failure::new(format!(
            "'{shown}' is not a C source"
        ))
        .hint("compile it to bitcode yourself (clang -g -emit-llvm -c) and give the .bc file")),
        Some(extension) => {
            Err(Failure::new(format!("'{shown}' has an unknown extension, '.{extension}'"))
                .hint(format!("{accepted}; arguments of the program go after '--'")))
        }
        None => Err(Failure::new(format!("'{shown}' has no file extension"))
            .hint(format!("{accepted}; arguments of the program go after '--'"))),
    }
}

fn check_bitcode(path: &Path, bytes: &[u8]) -> Result<()> {
    if bytes.starts_with(BITCODE) || bytes.starts_with(WRAPPED_BITCODE) {
        return Ok(());
    }
    let failure = Failure::new(format!("'{}' is not LLVM bitcode", path.display()));
    Err(if elf::is_elf(bytes) {
        failure.hint("it is machine code; compile with -emit-llvm, or with 'byway cc -c'")
    } else {
        failure.hint("bitcode comes from clang -g -emit-llvm -c")
    })
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
    fn the_extension_decides_the_format() {
        let kind = |name: &str| kind_of(Path::new(name)).ok();
        assert_eq!(kind("a/b.c"), Some(FileKind::C));
        assert_eq!(kind("b.bc"), Some(FileKind::Bitcode));
        assert_eq!(kind("b.ll"), Some(FileKind::LlvmText));
        assert_eq!(kind("lib.a"), Some(FileKind::Archive));
        assert_eq!(kind("b.bwir"), Some(FileKind::Bwir));
        for unknown in ["b.cpp", "b.txt", "b", "c"] {
            assert_eq!(kind(unknown), None, "{unknown}");
        }
    }

    #[test]
    fn machine_code_has_its_own_hint() {
        let failure = check_bitcode(Path::new("x.o"), b"\x7fELF...").expect_err("not bitcode");
        assert!(failure.to_string().contains("machine code"));
        assert!(check_bitcode(Path::new("x.bc"), b"BC\xC0\xDE...").is_ok());
    }
}
