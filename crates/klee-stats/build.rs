//! Links Debian's static SQLite, so that Byway's executable needs no library of it.

use std::path::Path;
use std::process::Command;

const LIBRARY: &str = "libsqlite3.a";

/// The library's path, from the compiler that links: it knows the system's directories.
fn library() -> Result<String, String> {
    println!("cargo::rerun-if-env-changed=CC");
    let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".into());
    let output = Command::new(&compiler)
        .arg(format!("-print-file-name={LIBRARY}"))
        .output()
        .map_err(|error| format!("cannot run {compiler}: {error}"))?;
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_string())
}

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    match library() {
        // A compiler that does not find a library prints its bare name.
        Ok(path) if Path::new(&path).is_absolute() => {
            println!("cargo::rerun-if-changed={path}");
            let directory = Path::new(&path).parent().unwrap_or(Path::new("/"));
            println!("cargo::rustc-link-search=native={}", directory.display());
            println!("cargo::rustc-link-lib=static=sqlite3");
            println!("cargo::rustc-link-lib=dylib=m");
        }
        Ok(_) => println!(
            "cargo::error={LIBRARY} is missing: run `./dev build`, or install libsqlite3-dev"
        ),
        Err(error) => println!("cargo::error={error}"),
    }
}
