//! The fixture of every test: a scratch directory, and `byway` run in it.

use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

/// A scratch directory for one test, in which it runs `byway`. Removed if the test passes.
pub struct TestDir {
    dir: PathBuf,
    cache: PathBuf,
}

/// The result of a `byway` command.
#[derive(Debug)]
pub struct Run {
    /// `None` if a signal ended the process.
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl TestDir {
    /// A new directory. Loaded programs are cached across tests and across test runs.
    pub fn new() -> Self {
        let shared = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache");
        TestDir { cache: shared, dir: fresh_dir() }
    }

    /// A new directory with an empty cache of its own.
    pub fn with_own_cache() -> Self {
        let dir = fresh_dir();
        TestDir { cache: dir.join("cache"), dir }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.dir.join(name)
    }

    /// The files in the cache's subdirectory `name`.
    pub fn cached_files(&self, name: &str) -> Vec<PathBuf> {
        let entries = fs::read_dir(self.cache.join(name)).into_iter().flatten().flatten();
        entries.map(|entry| entry.path()).collect()
    }

    pub fn file(&self, name: &str, contents: impl AsRef<[u8]>) -> &Self {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a file is in a directory")).expect("directories");
        fs::write(path, contents).expect("a file");
        self
    }

    /// Writes an executable shell script.
    pub fn script(&self, name: &str, lines: &str) -> &Self {
        self.file(name, format!("#!/bin/sh\n{lines}\n"));
        let permissions = fs::Permissions::from_mode(0o755);
        fs::set_permissions(self.path(name), permissions).expect("permissions");
        self
    }

    /// The command `byway WORDS...`, to be run in the directory.
    pub fn command(&self, words: &[&str]) -> Command {
        check_installation();
        let mut command = Command::new(env!("CARGO_BIN_EXE_byway"));
        command.args(words).current_dir(&self.dir).env("BYWAY_CACHE", &self.cache);
        command.env_remove("NO_COLOR").env_remove("BYWAY_LLVM").env_remove("BYWAY_CLANG");
        restore_ctrl_c(&mut command);
        command
    }

    /// Runs `byway WORDS...` with empty standard input.
    pub fn byway(&self, words: &[&str]) -> Run {
        self.byway_with_input(words, "")
    }

    /// Runs `byway WORDS...` with `input` as its standard input.
    pub fn byway_with_input(&self, words: &[&str], input: &str) -> Run {
        run(&mut self.command(words), input)
    }

    /// Runs clang with these arguments in the directory.
    pub fn clang(&self, words: &[&str]) {
        let clang = std::env::var_os("BYWAY_CLANG").unwrap_or_else(|| "clang-22".into());
        let status = Command::new(clang).args(words).current_dir(&self.dir).status();
        assert!(status.expect("clang starts").success(), "clang failed");
    }

    /// Runs git in the directory, without the user's configuration.
    pub fn git(&self, words: &[&str]) {
        let who = ["-c", "user.name=Test", "-c", "user.email=test@example.org"];
        let mut command = Command::new("git");
        command.args(who).args(words).current_dir(&self.dir).env("GIT_CONFIG_GLOBAL", "/dev/null");
        assert!(command.output().expect("git starts").status.success(), "git {words:?}");
    }

    /// Makes the directory a git repository with its files as the first commit.
    pub fn commit(&self) {
        self.git(&["init", "--quiet"]);
        self.git(&["add", "."]);
        self.git(&["commit", "--quiet", "--message=first"]);
    }
}

impl Drop for TestDir {
    fn drop(&mut self) {
        // A failed test keeps its files for inspection.
        if !std::thread::panicking() {
            let _ = fs::remove_dir_all(&self.dir);
        }
    }
}

impl Run {
    /// Asserts the exit code.
    #[track_caller]
    pub fn code(&self, code: i32) -> &Self {
        assert_eq!(self.code, Some(code), "{self:#?}");
        self
    }

    /// Asserts the whole standard output.
    #[track_caller]
    pub fn stdout(&self, text: &str) -> &Self {
        assert_eq!(self.stdout, text, "{self:#?}");
        self
    }

    /// Asserts that standard error contains `text`.
    #[track_caller]
    pub fn says(&self, text: &str) -> &Self {
        assert!(self.stderr.contains(text), "no {text:?} in {self:#?}");
        self
    }

    /// Asserts that standard error is empty.
    #[track_caller]
    pub fn quiet(&self) -> &Self {
        assert_eq!(self.stderr, "", "{self:#?}");
        self
    }
}

/// Runs a command with `input` as its standard input.
pub fn run(command: &mut Command, input: &str) -> Run {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("byway starts");
    // Fails if the program exits without reading its input.
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
    // Tests compare it with paths in messages, which are canonical.
    dir.canonicalize().expect("the directory exists")
}

/// Panics if `byway-llvm` or the C library is missing.
fn check_installation() {
    let byway = Path::new(env!("CARGO_BIN_EXE_byway"));
    let beside = |name: &str| byway.with_file_name(name);
    assert!(
        beside("byway-llvm").is_file(),
        "'byway-llvm' is not beside {}: run ./dev test, or cargo test --workspace",
        byway.display()
    );
    assert!(
        std::env::var_os("BYWAY_RUNTIME_DIR").is_some() || beside("byway-runtime").is_dir(),
        "the C library is missing: BYWAY_RUNTIME_DIR is not set, and 'byway-runtime' is not \
         beside {}. Run ./dev test",
        byway.display()
    );
}

/// Restores the default action of SIGINT. A shell's background jobs ignore SIGINT, and so do
/// their children: without this, the tests of Ctrl-C would fail there.
fn restore_ctrl_c(command: &mut Command) {
    // SAFETY: signal may be called between fork and exec.
    unsafe {
        command.pre_exec(|| {
            libc::signal(libc::SIGINT, libc::SIG_DFL);
            Ok(())
        });
    }
}
