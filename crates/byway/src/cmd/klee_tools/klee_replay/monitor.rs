//! Runs the program in a process group of its own, until it ends or its time is up.

use std::ffi::{CString, OsStr, OsString};
use std::fs::File;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};
use std::{env, fs, thread};

use byway_testcase::symbolic::ProgramInput;

use super::{STDIN, note};
use crate::failure::{Failure, Result};
use crate::interrupt;

const TIMEOUT: &str = "KLEE_REPLAY_TIMEOUT";
/// Without a limit: four months.
const DEFAULT_TIMEOUT: u64 = 10_000_000;
const POLL: Duration = Duration::from_millis(5);

/// A program to run on tests.
pub struct MonitoredProgram {
    /// As it was given.
    pub name: OsString,
    path: PathBuf,
    root: Option<PathBuf>,
    timeout: u64,
}

impl MonitoredProgram {
    /// Finds the program, which must be in `root` if there is one.
    pub fn new(program: &Path, root: Option<&Path>) -> Result<Self> {
        let canonical =
            |path: &Path| fs::canonicalize(path).map_err(|error| Failure::io("find", path, &error));
        let path = canonical(program)?;
        let root = root.map(canonical).transpose()?;
        if let Some(root) = &root
            && !path.starts_with(root)
        {
            return Err(Failure::new(format!(
                "'{}' is not in the directory of --chroot-to-dir, '{}'",
                path.display(),
                root.display()
            )));
        }
        Ok(MonitoredProgram { name: program.into(), path, root, timeout: timeout()? })
    }

    /// The directory for those of tests: within the program's root.
    pub fn parent_of_files(&self) -> PathBuf {
        self.root.clone().unwrap_or_else(env::temp_dir)
    }

    /// Runs the program in `dir`, and prints how it ended. `test`: the file with the inputs that
    /// the program declares itself.
    pub fn run(&self, input: &ProgramInput, dir: &Path, test: Option<&Path>) -> Result<()> {
        let mut command = Command::new(self.in_root(&self.path));
        let arguments = input.arguments.iter().skip(1).map(|word| OsStr::from_bytes(word));
        command.arg0(self.name()).args(arguments).current_dir(dir).process_group(0);
        for (name, value) in &input.variables {
            command.env(OsStr::from_bytes(name), OsStr::from_bytes(value));
        }
        if let Some(test) = test {
            command.env("BYWAY_TEST", self.in_root(test));
            command.env("BYWAY_TEST_SKIP", input.consumed_inputs.to_string());
        }
        if input.stdin.is_some() {
            let path = dir.join(STDIN);
            let file = File::open(&path).map_err(|error| Failure::io("read", &path, &error))?;
            command.stdin(Stdio::from(file));
        }
        if let Some(root) = &self.root {
            enter_root(&mut command, root)?;
        }
        let start = Instant::now();
        let mut child = command.spawn().map_err(|error| Failure::io("run", &self.path, &error))?;
        let ended = self.wait(&mut child, start);
        // What the program started and left behind.
        kill_group(&child);
        let status = ended.map_err(|error| Failure::io("wait for", &self.path, &error))?;
        let seconds = start.elapsed().as_secs();
        match status {
            Some(status) => note(&format!("EXIT STATUS: {} ({seconds} seconds)", describe(status))),
            None if interrupt::requested() => {
                note("killing the program");
                return Err(Failure::interrupted());
            }
            None => note(&format!("EXIT STATUS: TIMED OUT ({} seconds)", self.timeout)),
        }
        Ok(())
    }

    fn name(&self) -> OsString {
        match &self.root {
            Some(_) => self.in_root(&self.path).into(),
            None => self.name.clone(),
        }
    }

    /// A path as the program sees it.
    fn in_root(&self, path: &Path) -> PathBuf {
        let within = self.root.as_ref().and_then(|root| path.strip_prefix(root).ok());
        within.map_or_else(|| path.to_path_buf(), |path| Path::new("/").join(path))
    }

    /// Waits for the program; `None` if it had to be killed.
    fn wait(&self, child: &mut Child, start: Instant) -> io::Result<Option<ExitStatus>> {
        loop {
            if let Some(status) = child.try_wait()? {
                return Ok(Some(status));
            }
            if interrupt::requested() || start.elapsed().as_secs() >= self.timeout {
                kill_group(child);
                child.wait()?;
                return Ok(None);
            }
            thread::sleep(POLL);
        }
    }
}

fn timeout() -> Result<u64> {
    let Some(text) = env::var_os(TIMEOUT) else { return Ok(DEFAULT_TIMEOUT) };
    let seconds = text.to_str().and_then(|text| text.parse().ok()).filter(|seconds| *seconds > 0);
    seconds.ok_or_else(|| {
        Failure::new(format!("{TIMEOUT} is '{}', not a number of seconds", text.display()))
    })
}

/// Makes the program's root before it starts.
fn enter_root(command: &mut Command, root: &Path) -> Result<()> {
    let path = CString::new(root.as_os_str().as_bytes())
        .map_err(|_| Failure::new("the directory of --chroot-to-dir holds a zero byte"))?;
    let enter = move || {
        // SAFETY: the path ends with a zero byte. Between fork and exec only system calls are
        // made.
        match unsafe { libc::chroot(path.as_ptr()) } {
            0 => Ok(()),
            _ => Err(io::Error::last_os_error()),
        }
    };
    // SAFETY: the closure makes one system call, and allocates nothing.
    unsafe { command.pre_exec(enter) };
    Ok(())
}

fn kill_group(child: &Child) {
    if let Ok(group) = libc::pid_t::try_from(child.id()) {
        // SAFETY: kill takes numbers only. The group has the child's id; it fails if the group
        // is gone.
        unsafe { libc::kill(-group, libc::SIGKILL) };
    }
}

fn describe(status: ExitStatus) -> String {
    match (status.code(), status.signal()) {
        (Some(0), _) => "NORMAL".into(),
        (Some(code), _) => format!("ABNORMAL {code}"),
        (None, Some(signal)) => format!("CRASHED signal {signal}"),
        (None, None) => "NONE".into(),
    }
}
