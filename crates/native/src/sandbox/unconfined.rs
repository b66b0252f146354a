//! A sandbox without isolation, for machines that do not allow namespaces: a directory per
//! task, limits on resources, and a process group that is killed at the end.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::Command;

use super::processes;
use super::{LeftDirs, SandboxEnding, SandboxRun, SandboxTask, limit_resources, resource_limits};
use crate::child::{self, ChildEnding};
use crate::dir_handle::DirHandle;
use byway_testcase::symbolic::InputFile;
use tempfile::TempDir;

/// Runs tasks in a temporary directory.
pub struct Unconfined {
    dir: TempDir,
}

impl Unconfined {
    pub fn new() -> io::Result<Self> {
        Ok(Unconfined { dir: TempDir::with_prefix("byway-")? })
    }

    pub fn control_dir(&self) -> PathBuf {
        self.dir.path().join("control")
    }

    pub fn run(
        &self,
        program: &Path,
        task: &SandboxTask<'_>,
        watch: &mut dyn FnMut() -> bool,
        collect: &mut dyn FnMut(LeftDirs) -> io::Result<()>,
    ) -> io::Result<SandboxRun> {
        let (work, control) = (self.dir.path().join("work"), self.control_dir());
        for (dir, files) in [(&work, task.files), (&control, task.control_files)] {
            fs::create_dir(dir)?;
            for file in files {
                write_file(dir, file)?;
            }
        }
        let ran = run(program, task, &work, watch);
        let collected = match &ran {
            Ok(SandboxRun {
                ending: SandboxEnding::Exited(_) | SandboxEnding::Killed(_), ..
            }) => DirHandle::open(&control).and_then(|control| {
                collect(LeftDirs { control, work: DirHandle::open(&work).ok() })
            }),
            _ => Ok(()),
        };
        for dir in [work, control] {
            // A program may have removed its own permissions; such files stay.
            let _ = fs::remove_dir_all(dir);
        }
        collected?;
        ran
    }
}

fn write_file(dir: &Path, file: &InputFile) -> io::Result<()> {
    let path = dir.join(&file.name);
    fs::write(&path, &file.bytes)?;
    fs::set_permissions(&path, fs::Permissions::from_mode(0o644))
}

fn run(
    program: &Path,
    task: &SandboxTask<'_>,
    work: &Path,
    watch: &mut dyn FnMut() -> bool,
) -> io::Result<SandboxRun> {
    let mut command = Command::new(program);
    command.current_dir(work).env_clear();
    for entry in task.env {
        if let Some(at) = entry.iter().position(|&byte| byte == b'=').filter(|&at| at > 0) {
            command.env(OsStr::from_bytes(&entry[..at]), OsStr::from_bytes(&entry[at + 1..]));
        }
    }
    let mut args = task.args.iter().map(|arg| OsStr::from_bytes(arg));
    if let Some(name) = args.next() {
        command.arg0(name);
    }
    command.args(args);
    let list = resource_limits(&task.limits);
    let shared = task.shared.map(|shared| shared.as_raw_fd());
    // SAFETY: between fork and exec only async-signal-safe calls are made, on memory
    // prepared before the fork.
    unsafe {
        command.pre_exec(move || {
            limit_resources(&list);
            if let Some(shared) = shared {
                processes::share(shared);
            }
            Ok(())
        });
    }
    let limits = child::ChildLimits { time: task.limits.time, output: task.limits.output };
    let finished = child::run_with_input(&mut command, task.stdin, limits, &mut |_| watch())?;
    let ending = match finished.ending {
        ChildEnding::Stopped => SandboxEnding::Stopped,
        ChildEnding::TimedOut => SandboxEnding::TimedOut,
        ChildEnding::Exited(status) => match status.code() {
            Some(code) => SandboxEnding::Exited(code),
            None => SandboxEnding::Killed(status.signal().unwrap_or(0)),
        },
    };
    let (stdout, stderr) = (finished.stdout, finished.stderr);
    Ok(SandboxRun { ending, pid: finished.pid, stdout, stderr })
}
