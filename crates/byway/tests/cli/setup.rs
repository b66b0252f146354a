//! What every test needs: a place to work in, and a way to run `byway`.

use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

/// A directory of a test's own, with a way to run `byway` in it.
pub struct Lab {
    dir: PathBuf,
    cache: PathBuf,
}

/// What a run of `byway` came to.
#[derive(Debug)]
pub struct Run {
    /// Its exit code; `None` if a signal ended it.
    pub code: Option<i32>,
    /// Its standard output.
    pub stdout: String,
    /// Its standard error.
    pub stderr: String,
}

impl Lab {
    /// A fresh directory. Programs are cached from one test to the next, and from
    /// one run of the tests to the next.
    pub fn new() -> Self {
        let shared = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache");
        Lab { cache: shared, dir: fresh_dir() }
    }

    /// A fresh directory and a cache of its own, empty at first.
    pub fn with_own_cache() -> Self {
        let dir = fresh_dir();
        Lab { cache: dir.join("cache"), dir }
    }

    /// A path in the directory.
    pub fn path(&self, name: &str) -> PathBuf {
        self.dir.join(name)
    }

    /// The files of the cache's shelf of that name.
    pub fn shelf(&self, name: &str) -> Vec<PathBuf> {
        let entries = fs::read_dir(self.cache.join(name)).into_iter().flatten().flatten();
        entries.map(|entry| entry.path()).collect()
    }

    /// Writes a file into the directory.
    pub fn file(&self, name: &str, contents: impl AsRef<[u8]>) -> &Self {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a file is in a directory")).expect("directories");
        fs::write(path, contents).expect("a file");
        self
    }

    /// Writes a shell script into the directory.
    pub fn script(&self, name: &str, lines: &str) -> &Self {
        self.file(name, format!("#!/bin/sh\n{lines}\n"));
        let permissions = fs::Permissions::from_mode(0o755);
        fs::set_permissions(self.path(name), permissions).expect("permissions");
        self
    }

    /// `byway` with these words, in the directory.
    pub fn command(&self, words: &[&str]) -> Command {
        check_installation();
        let mut command = Command::new(env!("CARGO_BIN_EXE_byway"));
        command.args(words).current_dir(&self.dir).env("BYWAY_CACHE", &self.cache);
        command.env_remove("NO_COLOR").env_remove("BYWAY_LLVM").env_remove("BYWAY_CLANG");
        hear_ctrl_c(&mut command);
        command
    }

    /// Runs `byway` with these words and no input.
    pub fn byway(&self, words: &[&str]) -> Run {
        self.byway_with_input(words, "")
    }

    /// Runs `byway` with these words and this input.
    pub fn byway_with_input(&self, words: &[&str], input: &str) -> Run {
        run(&mut self.command(words), input)
    }

    /// Compiles a C file of the directory with clang and these options.
    pub fn clang(&self, words: &[&str]) {
        let clang = std::env::var_os("BYWAY_CLANG").unwrap_or_else(|| "clang-22".into());
        let status = Command::new(clang).args(words).current_dir(&self.dir).status();
        assert!(status.expect("clang starts").success(), "clang failed");
    }
}

impl Drop for Lab {
    fn drop(&mut self) {
        // What a failed test leaves behind helps to understand it.
        if !std::thread::panicking() {
            let _ = fs::remove_dir_all(&self.dir);
        }
    }
}

impl Run {
    /// Asserts how `byway` ended.
    #[track_caller]
    pub fn code(&self, code: i32) -> &Self {
        assert_eq!(self.code, Some(code), "{self:#?}");
        self
    }

    /// Asserts what was printed on standard output.
    #[track_caller]
    pub fn stdout(&self, text: &str) -> &Self {
        assert_eq!(self.stdout, text, "{self:#?}");
        self
    }

    /// Asserts that standard error holds this.
    #[track_caller]
    pub fn says(&self, text: &str) -> &Self {
        assert!(self.stderr.contains(text), "no {text:?} in {self:#?}");
        self
    }

    /// Asserts that nothing was said on standard error.
    #[track_caller]
    pub fn quiet(&self) -> &Self {
        assert_eq!(self.stderr, "", "{self:#?}");
        self
    }
}

/// Runs a command with this input to its end.
pub fn run(command: &mut Command, input: &str) -> Run {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("byway starts");
    // A program that does not read its input closes the pipe early.
    let _ = child.stdin.take().expect("a pipe").write_all(input.as_bytes());
    let Output { status, stdout, stderr } = child.wait_with_output().expect("byway ends");
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    Run { code: status.code(), stdout: text(stdout), stderr: text(stderr) }
}

fn fresh_dir() -> PathBuf {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let name = format!("cli-{}-{count}", std::process::id());
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&dir).expect("a directory for the test");
    // Paths in messages are compared with this one.
    dir.canonicalize().expect("the directory exists")
}

/// These tests mean nothing without the rest of Byway, so they fail without it.
fn check_installation() {
    let byway = Path::new(env!("CARGO_BIN_EXE_byway"));
    let beside = |name: &str| byway.with_file_name(name);
    assert!(
        beside("byway-llvm").is_file(),
        "'byway-llvm' is not beside {}: build the whole workspace first (./dev test does)",
        byway.display()
    );
    assert!(
        std::env::var_os("BYWAY_RUNTIME_DIR").is_some() || beside("byway-runtime").is_dir(),
        "the C library is not set up: neither BYWAY_RUNTIME_DIR nor 'byway-runtime' beside {} \
         (./dev test sets it up)",
        byway.display()
    );
}

/// A shell starts its background jobs deaf to Ctrl-C, and so would be what they
/// start: the tests of Ctrl-C must not depend on who runs them.
fn hear_ctrl_c(command: &mut Command) {
    // SAFETY: signal may be called between fork and exec.
    unsafe {
        command.pre_exec(|| {
            libc::signal(libc::SIGINT, libc::SIG_DFL);
            Ok(())
        });
    }
}
