//! Links the static libraries that `solver/build-bitwuzla` made, from the directory
//! that `BYWAY_BITWUZLA_DIR` names.

use std::env;
use std::path::Path;

/// Each library before those it uses.
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

fn main() {
    println!("cargo::rerun-if-env-changed=BYWAY_BITWUZLA_DIR");
    let Ok(directory) = env::var("BYWAY_BITWUZLA_DIR") else {
        println!(
            "cargo::error=BYWAY_BITWUZLA_DIR is not set: `./dev build` builds Bitwuzla and sets \
             it, or set it to a directory that solver/build-bitwuzla filled"
        );
        return;
    };
    let libraries = Path::new(&directory).join("lib");
    println!("cargo::rerun-if-changed={}", libraries.display());
    for library in LIBRARIES {
        let archive = libraries.join(format!("lib{library}.a"));
        if !archive.is_file() {
            println!(
                "cargo::error={} is missing: run solver/build-bitwuzla {directory}",
                archive.display()
            );
            return;
        }
        println!("cargo::rustc-link-lib=static={library}");
    }
    println!("cargo::rustc-link-search=native={}", libraries.display());
    println!("cargo::rustc-link-lib=dylib=stdc++");
}
