//! Programs of other projects, fetched once into the user's cache by the
//! ordinary clients of Debian and Rust, and never changed.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::process;
use crate::setup::{BenchSetup, create_dir};

const DOWNLOAD_LIMIT: Duration = Duration::from_secs(15 * 60);

/// The folder of GCC's C torture execute tests.
pub fn torture(setup: &BenchSetup) -> Result<PathBuf, String> {
    // A tarball in a tarball: Debian's holds gcc's own.
    let script = "
        apt-get source --download-only --tar-only gcc-12
        tar -xzOf gcc-12_*.orig.tar.gz --wildcards '*/gcc-12*.tar.xz' |
            tar -xJf - --strip-components=4 --wildcards '*/gcc/testsuite/gcc.c-torture/execute/*'
        rm gcc-12_*.orig.tar.gz";
    once(setup, "gcc-12-torture", script).map(|dir| dir.join("execute"))
}

/// The folder with `sqlite3.c` and `sqlite3.h`: SQLite in one file, as the crate
/// libsqlite3-sys carries it.
pub fn sqlite(setup: &BenchSetup) -> Result<PathBuf, String> {
    let script = "
        cargo init -q --vcs none --name fetch --edition 2021 fetch
        cd fetch
        cargo add -q libsqlite3-sys@=0.38.1 --features bundled
        cargo vendor -q --versioned-dirs vendor >/dev/null
        cp vendor/libsqlite3-sys-*/sqlite3/sqlite3.[ch] ..
        cd .. && rm -r fetch";
    once(setup, "sqlite", script)
}

/// The result of the recipe `bench/NAME/build`, which keeps it in the cache; the recipe shows its
/// progress on standard error.
pub fn recipe(setup: &BenchSetup, name: &str) -> Result<PathBuf, String> {
    let script = setup.root.join("bench").join(name).join("build");
    let built = Command::new(&script)
        .arg(setup.cache()?)
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .map_err(|e| format!("cannot start {}: {e}", script.display()))?;
    if !built.status.success() {
        return Err(format!("{} failed", script.display()));
    }
    Ok(String::from_utf8_lossy(&built.stdout).trim().into())
}

/// Runs a script in a folder of its own and keeps the folder if it succeeds.
pub fn once(setup: &BenchSetup, name: &str, script: &str) -> Result<PathBuf, String> {
    let sources = setup.cache()?.join("sources");
    let done = sources.join(name);
    if done.exists() {
        return Ok(done);
    }
    eprintln!("fetching {name} into {}", sources.display());
    let draft = sources.join(format!(".{name}.{}", std::process::id()));
    create_dir(&draft)?;
    let fetched = fetch(&draft, script).and_then(|()| {
        std::fs::rename(&draft, &done).map_err(|e| format!("cannot rename the folder: {e}"))
    });
    if let Err(error) = fetched {
        drop(std::fs::remove_dir_all(&draft));
        // Another run may have fetched the same in the meantime.
        if !done.exists() {
            return Err(format!("cannot fetch {name}: {error}"));
        }
    }
    Ok(done)
}

fn fetch(folder: &Path, script: &str) -> Result<(), String> {
    let mut command = Command::new("bash");
    command.current_dir(folder).args(["-e", "-o", "pipefail", "-c", script]);
    process::succeed(&mut command, DOWNLOAD_LIMIT).map(drop)
}
