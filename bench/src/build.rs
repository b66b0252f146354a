//! What stands for the byway that is measured, and for what it works on: results of another
//! are not ours.

use std::hash::{DefaultHasher, Hasher};
use std::path::{Path, PathBuf};

/// A digest of byway, its bitcode reader, its C library, the tools and their input.
pub fn digest(byway: &Path, tools: &Path, input: &str) -> Result<String, String> {
    let mut hash = DefaultHasher::new();
    for program in [byway.to_owned(), byway.with_file_name("byway-llvm")] {
        let bytes = std::fs::read(&program)
            .map_err(|e| format!("cannot read {}: {e}", program.display()))?;
        hash.write(&bytes);
    }
    // The names of these two folders stand for what is in them.
    let runtime = std::env::var_os("BYWAY_RUNTIME_DIR").map(PathBuf::from);
    let runtime = runtime.unwrap_or_else(|| byway.with_file_name("byway-runtime"));
    let runtime = runtime.canonicalize().unwrap_or(runtime);
    for name in [runtime.file_name(), tools.file_name()].into_iter().flatten() {
        hash.write(name.as_encoded_bytes());
    }
    hash.write(input.as_bytes());
    Ok(format!("{:016x}", hash.finish()))
}
