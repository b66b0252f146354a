//! Running a program so that it can harm nothing: a test may tell it to delete files, to
//! send signals or to fill the disk, and it does so to a world of its own.
//!
//! ```text
//! Sandbox::new(world) ─▶ a process in name spaces of its own that holds the world
//! sandbox.run(task)   ─▶ first process of new process and mount name spaces ─▶ the program
//! ```
//!
//! In name spaces (user, mount, process, network, IPC and host name) the program sees a
//! file system like the one the runtime models, in memory and limited in size, no
//! network and no other process. It has no rights beyond a user's, cannot gain any, and
//! a filter keeps it from calls that reach around all this. The number and memory of its
//! processes are watched. When it ends, whatever it started ends with it.
//!
//! Whoever may not make name spaces can do without, and has to say so: then only limits
//! on resources hold.

mod filter;
mod open;
mod processes;
mod steps;
mod supervise;
mod usage;
mod world;

use std::fmt;
use std::io;
use std::path::PathBuf;
use std::time::Duration;

use crate::held::Dir;
use byway_testcase::symbolic::File;
use open::Open;
use processes::Holder;

/// Where a sandboxed program finds [`Task::kept`].
const KEPT: &str = "/.byway";

/// What a sandbox is for.
#[derive(Clone, Debug)]
pub struct World {
    /// The program, by its absolute path.
    pub program: PathBuf,
    /// Whether it needs the machine's shared libraries.
    pub libraries: bool,
    /// Directories and files of the machine that it may read, by their absolute paths.
    pub shown: Vec<PathBuf>,
    /// How its file system is laid out.
    pub layout: Layout,
}

/// How a file system is laid out. What a program is told may depend on that: the numbers of
/// inodes, the order of names, and what is in the root.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub enum Layout {
    /// As it comes.
    #[default]
    Usual,
    /// Otherwise in all of these, with the same files.
    Otherwise,
}

/// One run of the program.
#[derive(Clone, Debug)]
pub struct Task<'a> {
    /// Its arguments, its name first.
    pub args: &'a [Vec<u8>],
    /// Its environment, as `NAME=value`, no name twice.
    pub env: &'a [Vec<u8>],
    /// What it finds on standard input, a pipe.
    pub stdin: &'a [u8],
    /// The files in its working directory, of mode 0644.
    pub files: &'a [File],
    /// Files in a directory apart ([`Sandbox::kept`]), where others that matter to
    /// whoever runs it may come.
    pub kept: &'a [File],
    /// What it may use.
    pub limits: Limits,
}

/// What a program may use.
#[derive(Copy, Clone, Debug)]
pub struct Limits {
    /// How long it may take.
    pub time: Duration,
    /// Bytes of memory that all its processes may use together.
    pub memory: u64,
    /// Bytes of addresses one process may have; `None` for programs with sanitizers,
    /// which reserve far more than they use.
    pub addresses: Option<u64>,
    /// Bytes of stack.
    pub stack: u64,
    /// Bytes it may have in each of its directories.
    pub disk: u64,
    /// Bytes of one file.
    pub file: u64,
    /// Processes and threads.
    pub processes: u32,
    /// Open files of one process.
    pub open_files: u32,
    /// How many bytes of each of its output streams are kept.
    pub output: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
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

/// What came of a task.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ran {
    /// How the program ended.
    pub ending: Ending,
    /// The number of its process, as it knew it.
    pub pid: u32,
    /// The beginning of its standard output.
    pub stdout: Vec<u8>,
    /// The beginning of its standard error.
    pub stderr: Vec<u8>,
}

/// The directories that a program leaves behind.
#[derive(Debug)]
pub struct Left {
    /// What is kept ([`Task::kept`]).
    pub kept: Dir,
    /// What is where it started to work; `None` if that is no directory any more, or one
    /// that cannot be entered.
    pub work: Option<Dir>,
}

/// How a program ended.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Ending {
    /// By itself, with this code.
    Exited(i32),
    /// By this signal.
    Killed(i32),
    /// It was killed because its time was up.
    TimedOut,
    /// It was killed because it used more of this than it may.
    UsedTooMuch(Resource),
    /// It was killed because whoever runs it asked to stop.
    Stopped,
}

/// What a program may use too much of.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Resource {
    /// Memory of all its processes.
    Memory,
    /// Processes.
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

/// How a program is kept from doing harm.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Containment {
    /// By name spaces, a filter of system calls, and limits.
    Namespaces,
    /// By limits alone.
    None,
}

impl fmt::Display for Containment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Containment::Namespaces => "name spaces, a filter of system calls, limits",
            Containment::None => "limits alone",
        })
    }
}

/// A place to run a program in, one task at a time.
pub struct Sandbox {
    world: World,
    kind: Kind,
}

enum Kind {
    Closed(Holder),
    Open(Open),
}

impl Sandbox {
    /// Makes one of name spaces. The error says what the system does not allow.
    pub fn new(mut world: World) -> io::Result<Sandbox> {
        world.shown = world::expand(&world.shown);
        let holder = Holder::start(&world::build(&world)?)?;
        Ok(Sandbox { kind: Kind::Closed(holder), world })
    }

    /// Makes one that confines nothing. Each task has an empty directory.
    pub fn open(world: World) -> io::Result<Sandbox> {
        Ok(Sandbox { kind: Kind::Open(Open::new()?), world })
    }

    /// How the program is contained.
    pub fn containment(&self) -> Containment {
        match self.kind {
            Kind::Closed(_) => Containment::Namespaces,
            Kind::Open(_) => Containment::None,
        }
    }

    /// Where the program finds what is kept ([`Task::kept`]), and may leave files that
    /// matter.
    pub fn kept(&self) -> PathBuf {
        match &self.kind {
            Kind::Closed(_) => KEPT.into(),
            Kind::Open(open) => open.kept(),
        }
    }

    /// Where the program finds itself.
    pub fn program(&self) -> PathBuf {
        match self.kind {
            Kind::Closed(_) => world::program_inside(&self.world),
            Kind::Open(_) => self.world.program.clone(),
        }
    }

    /// Runs the program. `watch` is asked every few milliseconds whether to go on. When
    /// the program has ended by itself or by a signal, `collect` is given the directories
    /// it leaves, as they are seen from here; the program wrote what is there, so no
    /// link in them is to be followed. Afterwards everything it left is gone.
    pub fn run(
        &mut self,
        task: &Task<'_>,
        watch: &mut dyn FnMut() -> bool,
        collect: &mut dyn FnMut(Left) -> io::Result<()>,
    ) -> io::Result<Ran> {
        match &mut self.kind {
            Kind::Closed(holder) => {
                let start = processes::Start::new(&self.world, task)?;
                supervise::run(holder, &start, task, watch, collect)
            }
            Kind::Open(open) => open.run(&self.world.program, task, watch, collect),
        }
    }
}

/// The limits that the kernel holds each process to: which, and how much.
fn resource_limits(limits: &Limits) -> Vec<(libc::__rlimit_resource_t, libc::rlim_t)> {
    let mut list = vec![
        (libc::RLIMIT_CORE, 0),
        (libc::RLIMIT_STACK, limits.stack),
        (libc::RLIMIT_FSIZE, limits.file),
        (libc::RLIMIT_NOFILE, limits.open_files.into()),
        // The watch on the clock is first; this is for who escapes it.
        (libc::RLIMIT_CPU, limits.time.as_secs() + 2),
    ];
    list.extend(limits.addresses.map(|bytes| (libc::RLIMIT_AS, bytes)));
    list
}

/// Lowers the limits of this process. Calls nothing but the kernel.
fn limit_resources(list: &[(libc::__rlimit_resource_t, libc::rlim_t)]) {
    for &(resource, wanted) in list {
        let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
        // SAFETY: the structure lives, and is all that is read or written.
        unsafe {
            if libc::getrlimit(resource, &mut limit) == 0 {
                limit.rlim_max = wanted.min(limit.rlim_max);
                limit.rlim_cur = limit.rlim_max;
                libc::setrlimit(resource, &limit);
            }
        }
    }
}

#[cfg(test)]
mod tests;
