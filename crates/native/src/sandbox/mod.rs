//! Runs a program isolated from the machine: a test may make it delete files, send signals
//! or fill the disk, and all of that stays inside the sandbox.
//!
//! ```text
//! Sandbox::new(spec) ─▶ a process that holds namespaces with the file system of the program
//! sandbox.run(task)  ─▶ first process of new PID and mount namespaces ─▶ the program
//! ```
//!
//! In namespaces (user, mount, PID, network, IPC and UTS) the program sees a file system
//! like the one the runtime models, in memory and limited in size, no network and no other
//! process. It has no privileges beyond a user's and cannot gain any, and a filter rejects
//! system calls that could bypass the isolation. The number and memory of its processes are
//! limited. When the program ends, all processes it started are killed.
//!
//! A machine that does not allow namespaces can use [`Sandbox::unconfined`], where only
//! limits on resources hold. The caller has to ask for that explicitly.

mod file_system;
mod filter;
mod process_ids;
mod processes;
mod steps;
mod supervise;
mod unconfined;
mod usage;

use std::fmt;
use std::io;
use std::os::fd::BorrowedFd;
use std::path::PathBuf;
use std::time::Duration;

use crate::dir_handle::DirHandle;
use byway_testcase::symbolic::InputFile;
use processes::NamespaceHolder;
use unconfined::Unconfined;

/// The directory inside the sandbox for [`SandboxTask::control_files`].
const CONTROL_DIR: &str = "/.byway";

/// The program and what it sees of the machine.
#[derive(Clone, Debug)]
pub struct SandboxSpec {
    /// The program's absolute path.
    pub program: PathBuf,
    /// The program is linked dynamically and needs the machine's shared libraries.
    pub needs_libraries: bool,
    /// Absolute paths of directories and files that the program may read.
    pub visible: Vec<PathBuf>,
    /// The layout of its file system.
    pub layout: SandboxLayout,
}

/// The layout of a sandbox's file system: inode numbers, the order of names, and the entries
/// of the root directory. Output that differs between layouts depends on such details.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub enum SandboxLayout {
    /// The layout that the runtime models.
    #[default]
    Standard,
    /// The same files, with other inode numbers, order and root entries.
    Varied,
}

/// One run of the program.
#[derive(Clone, Debug)]
pub struct SandboxTask<'a> {
    /// The program's name and arguments.
    pub args: &'a [Vec<u8>],
    /// The environment as `NAME=value`, without repeated names.
    pub env: &'a [Vec<u8>],
    /// The contents of standard input, a pipe.
    pub stdin: &'a [u8],
    /// Files in the working directory, with mode 0644.
    pub files: &'a [InputFile],
    /// Files in [`Sandbox::control_dir`], where the program's instrumentation reads its
    /// settings and leaves its results.
    pub control_files: &'a [InputFile],
    /// A file that the program finds open as descriptor 3, to be mapped into its memory.
    pub shared: Option<BorrowedFd<'a>>,
    /// Limits on resources.
    pub limits: SandboxLimits,
}

/// Limits on the resources of a program. Sizes are in bytes.
#[derive(Copy, Clone, Debug)]
pub struct SandboxLimits {
    /// Wall-clock time.
    pub time: Duration,
    /// Memory of all processes together.
    pub memory: u64,
    /// Address space of one process; `None` for programs with sanitizers, which reserve far
    /// more than they use.
    pub addresses: Option<u64>,
    /// Stack of one process.
    pub stack: u64,
    /// Contents of each writable directory.
    pub disk: u64,
    /// Size of one file.
    pub file: u64,
    /// Number of processes and threads.
    pub processes: u32,
    /// Open files of one process.
    pub open_files: u32,
    /// Bytes of each output stream that are kept.
    pub output: usize,
}

impl Default for SandboxLimits {
    fn default() -> Self {
        SandboxLimits {
            time: Duration::from_secs(10),
            memory: 2 << 30,
            addresses: None,
            stack: 512 << 20,
            disk: 256 << 20,
            file: 128 << 20,
            processes: 64,
            open_files: 256,
            output: 1 << 20,
        }
    }
}

/// The result of a task.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SandboxRun {
    /// How the program ended.
    pub ending: SandboxEnding,
    /// The program's process id, as the program sees it.
    pub pid: u32,
    /// The beginning of standard output.
    pub stdout: Vec<u8>,
    /// The beginning of standard error.
    pub stderr: Vec<u8>,
}

/// The directories that a program leaves behind.
#[derive(Debug)]
pub struct LeftDirs {
    /// The control directory.
    pub control: DirHandle,
    /// The directory the program started in; `None` if it is no longer a directory, or cannot
    /// be opened.
    pub work: Option<DirHandle>,
}

/// How a program ended.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum SandboxEnding {
    /// By itself, with this exit code.
    Exited(i32),
    /// By this signal.
    Killed(i32),
    /// Killed at the time limit.
    TimedOut,
    /// Killed for exceeding the limit on this resource.
    UsedTooMuch(Resource),
    /// Killed because the caller asked to stop.
    Stopped,
}

/// A resource whose use is supervised.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)] // the names say it
pub enum Resource {
    Memory,
    Processes,
}

impl fmt::Display for Resource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Resource::Memory => "memory",
            Resource::Processes => "processes",
        })
    }
}

/// The isolation of a program from the machine.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Containment {
    /// Namespaces, a system call filter, and limits on resources.
    Namespaces,
    /// Limits on resources only.
    None,
}

impl fmt::Display for Containment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Containment::Namespaces => "namespaces, a system call filter, resource limits",
            Containment::None => "resource limits only",
        })
    }
}

/// Runs one program, one task at a time.
pub struct Sandbox {
    spec: SandboxSpec,
    kind: SandboxKind,
}

enum SandboxKind {
    Namespaces(NamespaceHolder),
    Unconfined(Unconfined),
}

impl Sandbox {
    /// Creates a sandbox of namespaces. The error says what the system does not allow.
    pub fn new(mut spec: SandboxSpec) -> io::Result<Sandbox> {
        spec.visible = file_system::expand(&spec.visible);
        let holder = NamespaceHolder::start(&file_system::build(&spec)?)?;
        Ok(Sandbox { kind: SandboxKind::Namespaces(holder), spec })
    }

    /// Creates a sandbox without isolation: each task only gets an empty directory and limits.
    pub fn unconfined(spec: SandboxSpec) -> io::Result<Sandbox> {
        Ok(Sandbox { kind: SandboxKind::Unconfined(Unconfined::new()?), spec })
    }

    /// The isolation of this sandbox.
    pub fn containment(&self) -> Containment {
        match self.kind {
            SandboxKind::Namespaces(_) => Containment::Namespaces,
            SandboxKind::Unconfined(_) => Containment::None,
        }
    }

    /// The path of the control directory, as the program sees it.
    pub fn control_dir(&self) -> PathBuf {
        match &self.kind {
            SandboxKind::Namespaces(_) => CONTROL_DIR.into(),
            SandboxKind::Unconfined(unconfined) => unconfined.control_dir(),
        }
    }

    /// The path of the program, as the program sees it.
    pub fn program(&self) -> PathBuf {
        match self.kind {
            SandboxKind::Namespaces(_) => file_system::program_inside(&self.spec),
            SandboxKind::Unconfined(_) => self.spec.program.clone(),
        }
    }

    /// Runs the program. `watch` is called every few milliseconds and returns whether to go
    /// on. If the program ended by itself or by a signal, `collect` receives the directories
    /// it leaves. The program wrote their contents, so no link in them may be followed. They
    /// are removed afterwards.
    pub fn run(
        &mut self,
        task: &SandboxTask<'_>,
        watch: &mut dyn FnMut() -> bool,
        collect: &mut dyn FnMut(LeftDirs) -> io::Result<()>,
    ) -> io::Result<SandboxRun> {
        match &mut self.kind {
            SandboxKind::Namespaces(holder) => {
                let launch = processes::LaunchSpec::new(&self.spec, task)?;
                supervise::run(holder, &launch, task, watch, collect)
            }
            SandboxKind::Unconfined(unconfined) => {
                unconfined.run(&self.spec.program, task, watch, collect)
            }
        }
    }
}

/// Limits that the kernel enforces for each process.
fn resource_limits(limits: &SandboxLimits) -> Vec<(libc::__rlimit_resource_t, libc::rlim_t)> {
    let mut list = vec![
        (libc::RLIMIT_CORE, 0),
        (libc::RLIMIT_STACK, limits.stack),
        (libc::RLIMIT_FSIZE, limits.file),
        (libc::RLIMIT_NOFILE, limits.open_files.into()),
        // The supervisor kills the program first; this catches a process that escapes it.
        (libc::RLIMIT_CPU, limits.time.as_secs() + 2),
    ];
    list.extend(limits.addresses.map(|bytes| (libc::RLIMIT_AS, bytes)));
    list
}

/// Lowers the limits of this process. Async-signal-safe.
fn limit_resources(list: &[(libc::__rlimit_resource_t, libc::rlim_t)]) {
    for &(resource, value) in list {
        let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
        // SAFETY: the calls access only the structure, which is alive.
        unsafe {
            if libc::getrlimit(resource, &mut limit) == 0 {
                limit.rlim_max = value.min(limit.rlim_max);
                limit.rlim_cur = limit.rlim_max;
                libc::setrlimit(resource, &limit);
            }
        }
    }
}

#[cfg(test)]
mod tests;
