//! Links the static libraries that `solver/build-bitwuzla` built, from the directory that
//! `solver/directory` prints.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Each library precedes those it depends on.
const LIBRARIES: [&str; 9] = [
    "bitwuzla",
    "bitwuzlals",
    "bitwuzlabb",
    "bitwuzlabv",
    "bzlarng",
    "bzlautil",
    "cadical",
    "mpfr",
    "gmp",
];

/// The directory of the libraries.
fn directory(solver: &Path) -> Result<PathBuf, String> {
    for name in ["build-bitwuzla", "directory"] {
        println!("cargo::rerun-if-changed={}", solver.join(name).display());
    }
    for name in ["BYWAY_BITWUZLA_DIR", "BYWAY_CACHE", "XDG_CACHE_HOME", "HOME"] {
        println!("cargo::rerun-if-env-changed={name}");
    }
    let script = solver.join("directory");
    let output = Command::new(&script)
        .output()
        .map_err(|error| format!("cannot run {}: {error}", script.display()))?;
    if !output.status.success() {
        return Err(format!(
            "{} failed: {}",
            script.display(),
            String::from_utf8_lossy(&output.stderr).trim()
        ));
    }
    Ok(PathBuf::from(String::from_utf8_lossy(&output.stdout).trim_end()))
}

fn link(libraries: &Path) -> Result<(), String> {
    println!("cargo::rerun-if-changed={}", libraries.display());
    for library in LIBRARIES {
        let archive = libraries.join(format!("lib{library}.a"));
        if !archive.is_file() {
            return Err(format!(
                "the SMT solver Bitwuzla is not built ({} is missing): run `./dev build`, or \
                 solver/build-bitwuzla with a directory that BYWAY_BITWUZLA_DIR names",
                archive.display()
            ));
        }
        println!("cargo::rustc-link-lib=static={library}");
    }
    println!("cargo::rustc-link-search=native={}", libraries.display());
    println!("cargo::rustc-link-lib=dylib=stdc++");
    Ok(())
}

fn main() {
    let manifest = env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets the manifest directory");
    let solver = Path::new(&manifest).join("../../solver");
    let linked = directory(&solver).and_then(|directory| link(&directory.join("lib")));
    if let Err(error) = linked {
        println!("cargo::error={error}");
    }
}
