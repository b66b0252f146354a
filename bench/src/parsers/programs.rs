//! The programs of `bench/parsers`, built into the cache.

use std::hash::{DefaultHasher, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::setup::BenchSetup;
use crate::sources;

/// A program and the numbers of symbolic bytes it is explored with.
pub struct ParserProgram {
    pub name: &'static str,
    pub sizes: &'static [u32],
}

/// From an input that is nearly exhausted to one that no run exhausts.
const SIZES: [u32; 5] = [8, 16, 32, 64, 128];

/// All programs: parsers of different kinds, then two small programs that single out a cause.
pub const PROGRAMS: [ParserProgram; 10] = [
    parser("libyaml"),
    parser("cjson"),
    parser("yajl"),
    parser("http-parser"),
    parser("libcsv"),
    parser("expat"),
    parser("jansson"),
    parser("lua"),
    ParserProgram { name: "strtod", sizes: &[5, 10] },
    ParserProgram { name: "branches", sizes: &[64] },
];

/// The parsers that `--check` compares: a scanner with a decoder before it, a recursive descent,
/// and a state machine.
pub const CHECKED: [&str; 3] = ["libyaml", "cjson", "http-parser"];

const fn parser(name: &'static str) -> ParserProgram {
    ParserProgram { name, sizes: &SIZES }
}

/// The programs of these names.
pub fn named(names: &[String]) -> Result<Vec<&'static ParserProgram>, String> {
    let find = |name: &String| {
        PROGRAMS.iter().find(|program| program.name == name).ok_or_else(|| {
            let all: Vec<&str> = PROGRAMS.iter().map(|program| program.name).collect();
            format!("there is no program `{name}`; there are: {}", all.join(" "))
        })
    };
    names.iter().map(find).collect()
}

/// The directory with the bitcode of all programs.
pub struct BuiltPrograms(PathBuf);

impl BuiltPrograms {
    /// Fetches and builds the programs unless the cache has them.
    pub fn build(setup: &BenchSetup) -> Result<Self, String> {
        let folder = setup.root.join("bench/parsers");
        // Without AFL++ its builds are missing; an AFL++ that is installed later builds all again.
        let has_afl = Command::new("afl-clang-fast").arg("--version").output().is_ok();
        let kind = if has_afl { "parsers-afl" } else { "parsers" };
        let name = format!("{kind}-{}", digest(&folder)?);
        let script = format!("'{}' .", folder.join("build").display());
        sources::once(setup, &name, &script).map(BuiltPrograms)
    }

    /// The program as bitcode.
    pub fn bitcode(&self, program: &str) -> PathBuf {
        self.0.join(format!("{program}.bc"))
    }

    /// The program compiled for gcov.
    pub fn gcov(&self, program: &str) -> PathBuf {
        self.0.join("gcov").join(program)
    }

    /// The program compiled for AFL++.
    pub fn afl(&self, program: &str) -> PathBuf {
        self.0.join("afl").join(program)
    }
}

/// A digest of everything in the folder: the recipe and our part of the programs.
fn digest(folder: &Path) -> Result<String, String> {
    let read = || {
        let entries = std::fs::read_dir(folder)?;
        let mut files =
            entries.map(|entry| Ok(entry?.path())).collect::<std::io::Result<Vec<_>>>()?;
        files.sort();
        let mut hash = DefaultHasher::new();
        for file in files {
            hash.write(file.file_name().unwrap_or_default().as_encoded_bytes());
            hash.write(&std::fs::read(file)?);
        }
        Ok(hash.finish())
    };
    let digest = read().map_err(|e: std::io::Error| format!("{}: {e}", folder.display()))?;
    Ok(format!("{digest:016x}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("parsers")
    }

    #[test]
    fn every_program_has_a_source_and_is_built() {
        let recipe = std::fs::read_to_string(folder().join("build")).expect("the recipe");
        for ParserProgram { name, .. } in &PROGRAMS {
            assert!(folder().join(format!("{name}.c")).is_file(), "{name}");
            assert!(recipe.lines().any(|line| line.starts_with(&format!("program {name}"))));
        }
        assert!(named(&CHECKED.map(str::to_owned)).is_ok());
        assert!(named(&["toml".into()]).is_err_and(|e| e.contains("libyaml cjson")));
    }

    #[test]
    fn the_digest_depends_on_names_and_contents() {
        let dir = tempfile::tempdir().expect("a directory");
        let write = |name: &str, text: &str| {
            std::fs::write(dir.path().join(name), text).expect("a file");
            digest(dir.path()).expect("a digest")
        };
        let digests = [write("build", "a"), write("build", "b"), write("x.c", "")];
        assert!(digests[0] != digests[1] && digests[1] != digests[2]);
        assert_eq!(write("build", "b"), digests[2]);
    }
}
