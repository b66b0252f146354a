//! A sandbox without walls, for machines that allow none: a directory per task, limits
//! on resources, and a process group that is killed at the end.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{Ending, Left, Ran, Task, limit_resources, resource_limits};
use crate::child::{self, How};
use crate::held::Dir;
use byway_testcase::symbolic::File;
use tempfile::TempDir;

/// A place for tasks, one after the other.
pub struct Open {
    dir: TempDir,
}

impl Open {
    pub fn new() -> io::Result<Self> {
        Ok(Open { dir: TempDir::with_prefix("byway-")? })
    }

    pub fn kept(&self) -> PathBuf {
        self.dir.path().join("kept")
    }

    pub fn run(
        &self,
        program: &Path,
        task: &Task<'_>,
        watch: &mut dyn FnMut() -> bool,
        collect: &mut dyn FnMut(Left) -> io::Result<()>,
    ) -> io::Result<Ran> {
        let (work, kept) = (self.dir.path().join("work"), self.kept());
        for (dir, files) in [(&work, task.files), (&kept, task.kept)] {
            fs::create_dir(dir)?;
            for file in files {
                put(dir, file)?;
            }
        }
        let ran = run(program, task, &work, watch);
        let collected = match &ran {
            Ok(Ran { ending: Ending::Exited(_) | Ending::Killed(_), .. }) => Dir::open(&kept)
                .and_then(|kept| collect(Left { kept, work: Dir::open(&work).ok() })),
            _ => Ok(()),
        };
        for dir in [work, kept] {
            // What a program took its own rights from, it may keep.
            let _ = fs::remove_dir_all(dir);
        }
        collected?;
        ran
    }
}

fn put(dir: &Path, file: &File) -> io::Result<()> {
    let path = dir.join(&file.name);
    fs::write(&path, &file.bytes)?;
    fs::set_permissions(&path, fs::Permissions::from_mode(0o644))
}

fn run(
    program: &Path,
    task: &Task<'_>,
    work: &Path,
    watch: &mut dyn FnMut() -> bool,
) -> io::Result<Ran> {
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
    // SAFETY: between fork and exec only system calls are made, on memory that is there.
    unsafe {
        command.pre_exec(move || {
            limit_resources(&list);
            Ok(())
        });
    }
    let limits = child::Limits { time: task.limits.time, output: task.limits.output };
    let finished = child::run_with_input(&mut command, task.stdin, limits, &mut |_| watch())?;
    let ending = match finished.how {
        How::Stopped => Ending::Stopped,
        How::TimedOut => Ending::TimedOut,
        How::Exited(status) => match status.code() {
            Some(code) => Ending::Exited(code),
            None => Ending::Killed(status.signal().unwrap_or(0)),
        },
    };
    let (stdout, stderr) = (finished.stdout, finished.stderr);
    Ok(Ran { ending, pid: finished.pid, stdout, stderr })
}
