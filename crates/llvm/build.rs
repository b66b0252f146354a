//! Compiles the C++ shim against the LLVM that `llvm-sys` links.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The directory of LLVM unless `LLVM_SYS_221_PREFIX` is set.
const DEFAULT_PREFIX: &str = "/usr/lib/llvm-22";

fn main() {
    println!("cargo::rerun-if-env-changed=LLVM_SYS_221_PREFIX");
    let prefix = std::env::var("LLVM_SYS_221_PREFIX").unwrap_or_else(|_| DEFAULT_PREFIX.into());
    let include = llvm_include_dir(Path::new(&prefix));

    let mut build = cc::Build::new();
    build.cpp(true).std("c++17").flag("-isystem").flag(include).flag("-fno-exceptions");
    // As the library itself was built.
    build.define("NDEBUG", None).opt_level(2).warnings(true);
    for part in ["load", "inspect", "debug", "counters"] {
        let source = format!("src/shim/{part}.cpp");
        println!("cargo::rerun-if-changed={source}");
        build.file(source);
    }
    println!("cargo::rerun-if-changed=src/shim/shim.h");
    build.compile("byway_llvm_shim");
}

fn llvm_include_dir(prefix: &Path) -> PathBuf {
    let tool = prefix.join("bin/llvm-config");
    let output = Command::new(&tool)
        .arg("--includedir")
        .output()
        .unwrap_or_else(|e| panic!("cannot run {}: {e}", tool.display()));
    PathBuf::from(String::from_utf8_lossy(&output.stdout).trim())
}
