//! Whether a program was compiled from its sources as they are now. Otherwise the numbers of changed
//! lines mean other code.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use byway_engine::normalised_path;
use byway_ir::Module;

use crate::failure::{Failure, Result};
use crate::load::{FileKind, kind_of};
use crate::md5;

/// An error if a file that the change is in was edited after the program was compiled. `program`
/// are the files that the user gave; `files` the paths of sources.
///
/// Only bitcode is checked: C was compiled just now, or the cache found it unchanged but for
/// comments. The digest in the debug information decides; without one, the times of the files
/// give a warning, which is returned.
pub fn check(module: &Module, program: &[PathBuf], files: &BTreeSet<&str>) -> Result<Vec<String>> {
    if program.iter().any(|path| kind_of(path).is_ok_and(|kind| kind == FileKind::C)) {
        return Ok(Vec::new());
    }
    let mut warnings = Vec::new();
    for &file in files {
        // A source that is not here cannot be compared; its lines were named by the user.
        let Ok(bytes) = fs::read(file) else { continue };
        let compiled = module.debug.files.values();
        let compiled = compiled.filter(|it| normalised_path(&it.path()) == file);
        let digests: Vec<&String> = compiled.filter_map(|it| it.md5.as_ref()).collect();
        if digests.is_empty() {
            warnings.extend(newer(file, program));
        } else if !digests.contains(&&md5::hex(&bytes)) {
            return Err(Failure::new(format!(
                "the program was compiled from another version of '{file}'"
            ))
            .hint("compile it again: the numbers of its lines are those of the old version"));
        }
    }
    Ok(warnings)
}

/// A warning if a source is newer than all files of the program.
fn newer(source: &str, program: &[PathBuf]) -> Option<String> {
    let time = |path: &Path| fs::metadata(path).and_then(|it| it.modified()).ok();
    let compiled = program.iter().filter_map(|path| time(path)).max()?;
    (time(Path::new(source))? > compiled).then(|| {
        format!("'{source}' is newer than the program: if it was edited, compile the program again")
    })
}
