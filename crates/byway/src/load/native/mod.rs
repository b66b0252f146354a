//! The bitcode in native files that `byway cc` made.
//!
//! ```text
//! executable ─┬─ section: the records of its objects ─┐
//!             └─ needed libraries ─ their sections ───┴─ byway-llvm --merge ──→ one module
//! archive ─── members ─ their sections ──→ an archive of bitcode
//! ```

mod libraries;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use byway_embed::elf::{ElfFile, is_elf};
use byway_embed::{EmbeddedContent, EmbeddedSource, SECTION, ar, record};

use super::config::{Install, cache_dir};
use super::inputs::{self, FileKind, ProgramInputFile, UnpackedInput};
use super::store::{self, Store};
use super::{install, lower};
use crate::failure::{Failure, Result};
use crate::hash::{Digest, Fingerprint};

/// The bitcode of an executable, shared library or object, and of the libraries it needs.
pub struct NativeProgram {
    pub path: PathBuf,
    /// The file itself, and then libraries.
    pub parts: Vec<NativePart>,
    /// Needed libraries without bitcode.
    pub opaque: Vec<OpaqueLibrary>,
}

/// A file with bitcode.
pub struct NativePart {
    pub path: PathBuf,
    /// The names that a shared library exports.
    pub exports: Vec<String>,
    /// The functions and variables that it defines, local ones too; of a stripped file only
    /// those that it exports.
    pub defined: BTreeSet<String>,
    pub bitcode: Vec<BitcodeOfSource>,
    /// Sources that were compiled by `byway cc` and have no bitcode, with the reason.
    pub missing: Vec<(String, String)>,
}

/// A needed library that has no bitcode.
pub struct OpaqueLibrary {
    /// Its path; its name if it was not found.
    pub name: String,
    /// What it defines; nothing if it was not found.
    pub defined: BTreeSet<String>,
}

pub struct BitcodeOfSource {
    pub source: String,
    pub bytes: Vec<u8>,
}

/// How bitcode is merged: the executable `byway-llvm`, and its time limit.
pub struct Unpacking<'a> {
    pub reader: &'a Path,
    pub time_limit: Duration,
}

const BUILD_IT: &str = "build it with CC='byway cc' (docs/projects.md); of a stripped file, build one \
                        that is not: llvm-strip removes bitcode, GNU strip keeps it";

impl NativeProgram {
    /// Reads a native file and the libraries it needs.
    pub fn read(path: &Path, bytes: &[u8]) -> Result<NativeProgram> {
        let shown = path.display();
        let damaged = |why: String| Failure::new(format!("'{shown}' cannot be read: {why}"));
        let file = ElfFile::parse(bytes).map_err(damaged)?;
        let Some(section) = file.section(SECTION).map_err(damaged)? else {
            let message = match path.extension().is_some_and(|it| it == "o") {
                true => {
                    format!("'{shown}' is not LLVM bitcode: it is machine code without bitcode")
                }
                false => format!("'{shown}' is a native file without bitcode"),
            };
            return Err(Failure::new(message).hint(BUILD_IT));
        };
        let part = NativePart::read(path, &file, section).map_err(damaged)?;
        if part.bitcode.is_empty() {
            let reasons: Vec<String> =
                part.missing.iter().take(10).map(|(name, why)| format!("{name}: {why}")).collect();
            return Err(Failure::new(format!("no source of '{shown}' has bitcode"))
                .detail(reasons.join("\n")));
        }
        let mut program =
            NativeProgram { path: path.to_path_buf(), parts: vec![part], opaque: Vec::new() };
        libraries::add(&mut program, &file).map_err(damaged)?;
        Ok(program)
    }

    /// All bitcode in one: what a program made from it depends on.
    pub fn contents(&self) -> Vec<u8> {
        let mut all = Vec::new();
        for part in &self.parts {
            part.exports.iter().for_each(|name| all.extend(name.bytes().chain([b'\n'])));
            for file in &part.bitcode {
                all.extend((file.bytes.len() as u64).to_le_bytes());
                all.extend_from_slice(&file.bytes);
            }
        }
        all
    }
}

impl NativePart {
    fn read(path: &Path, file: &ElfFile, section: &[u8]) -> std::result::Result<Self, String> {
        let mut part = NativePart {
            path: path.to_path_buf(),
            exports: file.exported_symbols()?,
            defined: file.defined_symbols()?.into_iter().collect(),
            bitcode: Vec::new(),
            missing: Vec::new(),
        };
        part.defined.extend(part.exports.iter().cloned());
        let mut seen = BTreeSet::new();
        for EmbeddedSource { source, content } in record::decode(section)? {
            match content {
                // Two objects of one source with one content are one.
                EmbeddedContent::Bitcode(bytes) => {
                    if seen.insert(Digest::of(&bytes).to_string()) {
                        part.bitcode.push(BitcodeOfSource { source, bytes });
                    }
                }
                EmbeddedContent::Missing(why) => part.missing.push((source, why)),
            }
        }
        Ok(part)
    }
}

/// The bitcode in an archive of native objects.
pub struct BitcodeArchive {
    /// An archive of bitcode.
    pub bytes: Vec<u8>,
    /// The members without bitcode.
    pub without: Vec<String>,
}

/// The bitcode in an archive; `None` if it has no native objects.
pub fn bitcode_archive(path: &Path, bytes: &[u8]) -> Result<Option<BitcodeArchive>> {
    // The bitcode reader reports a damaged archive.
    let Ok(members) = ar::members(bytes) else { return Ok(None) };
    if !members.iter().any(|member| is_elf(member.data)) {
        return Ok(None);
    }
    let mut bitcode = Vec::new();
    let mut without = Vec::new();
    for member in members {
        if !is_elf(member.data) {
            bitcode.push((member.name, member.data.to_vec()));
            continue;
        }
        let records = ElfFile::parse(member.data)
            .and_then(|file| file.section(SECTION))
            .and_then(|section| section.map(record::decode).transpose())
            .map_err(|why| {
                Failure::new(format!("'{}({})' cannot be read: {why}", path.display(), member.name))
            })?;
        let before = bitcode.len();
        for record in records.unwrap_or_default() {
            if let EmbeddedContent::Bitcode(bytes) = record.content {
                bitcode.push((member.name.clone(), bytes));
            }
        }
        if bitcode.len() == before {
            without.push(member.name);
        }
    }
    if bitcode.is_empty() {
        return Err(Failure::new(format!("'{}' has no bitcode", path.display())).hint(BUILD_IT));
    }
    Ok(Some(BitcodeArchive { bytes: ar::write(&bitcode), without }))
}

impl Unpacking<'_> {
    /// The file for the bitcode reader, made in `directory` if need be, and warnings.
    pub fn unpack(
        &self,
        input: &ProgramInputFile,
        index: usize,
        directory: &Path,
    ) -> Result<(PathBuf, Vec<String>)> {
        match &input.unpacked {
            UnpackedInput::AsGiven => Ok((input.path.clone(), Vec::new())),
            UnpackedInput::Archive => {
                let out = directory.join(format!("{index}.a"));
                fs::write(&out, &input.bytes).map_err(|e| Failure::io("write", &out, &e))?;
                Ok((out, Vec::new()))
            }
            UnpackedInput::Native(program) => {
                let out = directory.join(format!("{index}.bc"));
                let warnings = self.merge(program, &out)?;
                Ok((out, warnings))
            }
        }
    }

    /// Writes the bitcode of a native program as one module; returns warnings.
    pub fn merge(&self, program: &NativeProgram, out: &Path) -> Result<Vec<String>> {
        let directory = tempfile::TempDir::with_prefix("byway-").map_err(super::no_directory)?;
        let mut names: Vec<(PathBuf, &str)> = Vec::new();
        let mut command = Command::new(self.reader);
        command.arg("--merge").arg("--out").arg(out);
        for (number, part) in program.parts.iter().enumerate() {
            if number > 0 {
                let exports = directory.path().join(format!("{number}.exports"));
                write(&exports, part.exports.join("\n").as_bytes())?;
                command.arg("--library").arg(exports);
            }
            for source in &part.bitcode {
                let file = directory.path().join(format!("{}.bc", names.len()));
                write(&file, &source.bytes)?;
                command.arg(&file);
                names.push((file, &source.source));
            }
        }
        let shown = format!("'{}'", program.path.display());
        let words = lower::run_reader(command, &shown, self.time_limit, |_| ())?;
        let named = |text: &str| {
            let replace = |text: String, (file, name): &(PathBuf, &str)| {
                text.replace(&*file.to_string_lossy(), name)
            };
            names.iter().fold(text.to_string(), replace)
        };
        match words {
            Ok(words) => Ok(lower::warnings_in(&named(&words))),
            Err(words) => Err(Failure::new(format!("the bitcode of {shown} cannot be linked"))
                .detail(lower::strip(&named(words.trim())))),
        }
    }
}

fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    fs::write(path, bytes).map_err(|error| Failure::io("write", path, &error))
}

/// The file that has a program's bitcode: the file itself, or one in the cache, for commands that
/// compile bitcode natively.
pub fn bitcode_file(path: &Path, kind: FileKind, time_limit: Duration) -> Result<PathBuf> {
    if !matches!(kind, FileKind::Native | FileKind::Archive) {
        return Ok(path.to_path_buf());
    }
    let input = inputs::read_one(path)?;
    if matches!(input.unpacked, UnpackedInput::AsGiven) {
        return Ok(input.path);
    }
    let reader = install::find_llvm(&Install::find(None))?;
    let mut key = Fingerprint::new();
    key.bytes(b"unpacked");
    key.digest(Digest::of(&input.bytes));
    key.digest(Digest::of_stamp(&reader).map_err(|e| Failure::io("read", &reader, &e))?);
    let key = key.finish();
    let store = Store::new(cache_dir());
    if let Some(file) = store.path(store::UNPACKED, key) {
        return Ok(file);
    }
    let temp = tempfile::TempDir::with_prefix("byway-").map_err(super::no_directory)?;
    let (made, _) = Unpacking { reader: &reader, time_limit }.unpack(&input, 0, temp.path())?;
    let bytes = fs::read(&made).map_err(|error| Failure::io("read", &made, &error))?;
    let complaint = store.put(store::UNPACKED, key, &bytes);
    store.path(store::UNPACKED, key).ok_or_else(|| {
        Failure::new(format!("there is no cache for the bitcode of '{}'", path.display()))
            .detail(complaint.unwrap_or_default())
            .hint("set BYWAY_CACHE to a directory")
    })
}
