//! The shared libraries that a native program needs: finds them as the dynamic linker does.

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use byway_embed::SECTION;
use byway_embed::elf::{ElfFile, NeededLibraries};

use super::{NativePart, NativeProgram, OpaqueLibrary};

/// Where the dynamic linker looks last.
const DEFAULT_DIRECTORIES: &[&str] = &[
    "/lib/x86_64-linux-gnu",
    "/usr/lib/x86_64-linux-gnu",
    "/usr/local/lib",
    "/usr/local/lib/x86_64-linux-gnu",
    "/lib64",
    "/usr/lib64",
    "/lib",
    "/usr/lib",
];

/// Adds the libraries that a program needs, and those that they need, each once.
pub fn add(program: &mut NativeProgram, file: &ElfFile) -> Result<(), String> {
    let mut known: BTreeSet<String> = BTreeSet::new();
    let mut waiting = vec![(program.path.clone(), file.needed_libraries()?)];
    while !waiting.is_empty() {
        let (from, needed) = waiting.remove(0);
        for name in &needed.names {
            if !known.insert(name.clone()) {
                continue;
            }
            let Some(path) = find(name, &from, &needed) else {
                let (name, defined) = (name.clone(), BTreeSet::new());
                program.opaque.push(OpaqueLibrary { name, defined });
                continue;
            };
            let bytes = fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
            let within = |why| format!("its library '{}': {why}", path.display());
            let library = ElfFile::parse(&bytes).map_err(within)?;
            match library.section(SECTION).map_err(within)? {
                Some(section) => {
                    program.parts.push(NativePart::read(&path, &library, section).map_err(within)?);
                    waiting.push((path.clone(), library.needed_libraries().map_err(within)?));
                }
                // What the libraries of the system need is of no interest.
                None => {
                    let exports = library.exported_symbols().map_err(within)?;
                    let defined = exports.into_iter().collect();
                    program
                        .opaque
                        .push(OpaqueLibrary { name: path.display().to_string(), defined });
                }
            }
        }
    }
    Ok(())
}

fn find(name: &str, from: &Path, needed: &NeededLibraries) -> Option<PathBuf> {
    if name.contains('/') {
        return Some(PathBuf::from(name)).filter(|path| path.is_file());
    }
    let origin = fs::canonicalize(from).ok();
    let origin = origin.as_deref().and_then(Path::parent).unwrap_or(Path::new("."));
    let origin = origin.display().to_string();
    let own = needed.search_paths.iter().flat_map(|paths| paths.split(':'));
    let own = own.map(|dir| dir.replace("${ORIGIN}", &origin).replace("$ORIGIN", &origin));
    let environment = env::var("LD_LIBRARY_PATH").unwrap_or_default();
    let environment: Vec<String> =
        environment.split(':').filter(|dir| !dir.is_empty()).map(str::to_string).collect();
    let default = DEFAULT_DIRECTORIES.iter().map(|dir| dir.to_string());
    let directories = own.chain(environment).chain(default);
    directories.map(|dir| Path::new(&dir).join(name)).find(|path| path.is_file())
}
