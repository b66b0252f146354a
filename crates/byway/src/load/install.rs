//! Finds the other parts of the installation: the bitcode reader and the C library.

use std::io;
use std::path::{Path, PathBuf};

use crate::failure::{Failure, Result};
use crate::hash::{Digest, Fingerprint};
use crate::load::config::Install;

/// The paths of the parts of Byway that loading needs.
pub struct Installed {
    /// The executable that reads bitcode.
    pub llvm: PathBuf,
    /// musl as bitcode.
    pub libc: PathBuf,
    /// Byway's own runtime as bitcode.
    pub runtime: PathBuf,
    /// The C library's headers.
    pub headers: PathBuf,
    /// Changes whenever one of the files above does.
    pub identity: Digest,
}

const SET_UP: &str = "'./dev demo' in Byway's repository sets everything up";

/// Finds them at the paths that the user set, or beside `byway` itself.
pub fn find(install: &Install) -> Result<Installed> {
    let llvm = find_llvm(install)?;
    let dir = find_runtime(install)?;
    let libc = dir.join("libc.bc");
    let runtime = dir.join("runtime.bc");
    let unreadable = |path: &Path, error: &io::Error| Failure::io("read", path, error).hint(SET_UP);
    let mut identity = Fingerprint::new();
    // Large, and rewritten by every build: the modification time identifies it.
    identity.digest(Digest::of_stamp(&llvm).map_err(|error| unreadable(&llvm, &error))?);
    for path in [&libc, &runtime] {
        identity.digest(Digest::of_file(path).map_err(|error| unreadable(path, &error))?);
    }
    Ok(Installed { llvm, libc, runtime, headers: dir.join("include"), identity: identity.finish() })
}

/// Identifies this build: changes with each of its parts.
pub fn build(install: &Install) -> Result<Digest> {
    let Installed { llvm, libc, runtime, .. } = find(install)?;
    let mut parts = Fingerprint::new();
    // The running executable, even if its file has been replaced.
    for path in [Path::new("/proc/self/exe"), &llvm, &libc, &runtime] {
        let digest = Digest::of_file(path).map_err(|error| Failure::io("read", path, &error))?;
        parts.digest(digest);
    }
    Ok(parts.finish())
}

/// Finds `byway-llvm`, the executable that reads bitcode.
pub fn find_llvm(install: &Install) -> Result<PathBuf> {
    if let Some(path) = &install.llvm {
        return match path.is_file() {
            true => Ok(path.clone()),
            false => Err(Failure::new(format!(
                "BYWAY_LLVM is '{}', which is not a file",
                path.display()
            ))),
        };
    }
    let beside = install.executables.as_ref().map(|dir| dir.join("byway-llvm"));
    beside.filter(|path| path.is_file()).ok_or_else(|| {
        Failure::new("cannot find the bitcode reader 'byway-llvm' next to 'byway'").hint(SET_UP)
    })
}

fn find_runtime(install: &Install) -> Result<PathBuf> {
    if let Some(dir) = &install.runtime {
        return match complete(dir) {
            true => Ok(dir.clone()),
            false => Err(Failure::new(format!(
                "'{}' does not contain the C library (libc.bc, runtime.bc and include/)",
                dir.display()
            ))
            .hint(SET_UP)),
        };
    }
    let executables = install.executables.as_deref();
    let candidates = ["byway-runtime", "../lib/byway/runtime"];
    candidates
        .iter()
        .filter_map(|name| Some(executables?.join(name)))
        .find(|dir| complete(dir))
        .ok_or_else(|| {
            Failure::new("cannot find the C library (libc.bc, runtime.bc and include/)").hint(
                format!("{SET_UP}; or name its directory with --runtime or BYWAY_RUNTIME_DIR"),
            )
        })
}

fn complete(dir: &Path) -> bool {
    dir.join("libc.bc").is_file()
        && dir.join("runtime.bc").is_file()
        && dir.join("include").is_dir()
}
