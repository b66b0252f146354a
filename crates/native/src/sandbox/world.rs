//! The file system a program finds: the one that the runtime's model makes
//! (`runtime/src/directories.c`), so that it behaves as predicted, and of this machine
//! only what it needs to start and what it was shown, read-only.
//!
//! ```text
//! once per sandbox      /dev /etc /proc, the program, libraries, shown directories
//! once per test         /home with the test's files in /home/user, /tmp, /.byway: in memory
//! ```

use std::collections::BTreeSet;
use std::ffi::CString;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};

use super::steps::Step;
use super::{KEPT, Layout, Task, World};

/// Where a program starts, and the directory above, which is its own, too.
pub const HOME: &str = "/home/user";
const HOMES: &str = "/home";
/// The directory for everybody.
const TEMPORARY: &str = "/tmp";
/// Where the machine's own root is seen while the new one is made.
const OLD_ROOT: &str = "/.old";
/// Where the program is.
const PROGRAM: &str = "/.program";
/// Where directories wait that are shown inside those that each test has anew.
const STORE: &str = "/.shown";
/// What the model says of itself.
const MACHINE_NAME: &[u8] = b"byway";
const PASSWD: &str = "root:x:0:0:root:/:/bin/sh\nuser:x:1000:1000:user:/home/user:/bin/sh\n";
const GROUP: &str = "root:x:0:\nuser:x:1000:\n";
const MTAB: &str = "tmpfs / tmpfs rw 0 0\n";

const DEVICES: [&str; 6] = ["null", "zero", "full", "random", "urandom", "tty"];
/// Where libraries of a dynamically linked program are, and what the C library reads.
const LIBRARIES: [&str; 8] =
    ["/usr", "/lib", "/lib32", "/lib64", "/bin", "/sbin", "/etc/ld.so.cache", "/etc/alternatives"];

/// Where processes are seen.
fn processes(world: &World) -> &'static Path {
    Path::new(match world.layout {
        Layout::Usual => "/proc",
        Layout::Otherwise => "/.proc",
    })
}

/// Where the program is, as it is seen from inside.
pub fn program_inside(world: &World) -> PathBuf {
    Path::new(PROGRAM).join(world.program.file_name().unwrap_or("program".as_ref()))
}

/// What is shown of this machine inside a directory that each test has anew, by its
/// place in the list.
fn late(world: &World) -> impl Iterator<Item = (usize, &PathBuf)> {
    let anew = |path: &Path| path.starts_with(TEMPORARY) || path.starts_with(HOMES);
    world.shown.iter().enumerate().filter(move |(_, path)| anew(path))
}

/// What is to be shown, with what is in a directory instead of it where each test has
/// that directory, or one below it, anew.
pub fn expand(shown: &[PathBuf]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for path in shown {
        if !Path::new(HOME).starts_with(path) && path != Path::new(TEMPORARY) {
            found.push(path.clone());
        } else if let Ok(entries) = std::fs::read_dir(path) {
            let own = [TEMPORARY, "/dev", "/proc", "/sys"].map(Path::new);
            let mut inside: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
            inside.retain(|path| !own.contains(&path.as_path()));
            inside.sort();
            found.extend(expand(&inside));
        }
    }
    found.dedup();
    found
}

/// How the world is made, from name spaces that were just entered.
pub fn build(world: &World) -> io::Result<Vec<Step>> {
    let mut plan = Plan::default();
    plan.steps.push(Step::Private);
    // Any directory that is there will do; the machine's own is seen again at once.
    plan.steps.push(Step::Memory(text(TEMPORARY)?, text("mode=755,size=1m")?));
    let old = format!("{TEMPORARY}{OLD_ROOT}");
    plan.steps.push(Step::Directory(text(&old)?, 0o700));
    plan.steps.push(Step::Root(text(TEMPORARY)?, text(&old)?));
    plan.made.insert(PathBuf::from("/"));
    if world.layout == Layout::Otherwise {
        for place in ["/.more", HOMES, TEMPORARY, "/dev"] {
            plan.directory(Path::new(place))?;
        }
    }

    for (name, contents) in [("passwd", PASSWD), ("group", GROUP), ("mtab", MTAB)] {
        plan.file(&Path::new("/etc").join(name), contents.as_bytes(), 0o644)?;
    }
    for name in DEVICES {
        let device = Path::new("/dev").join(name);
        if device.exists() {
            plan.show(&device, &device)?;
        }
    }
    for (number, name) in ["stdin", "stdout", "stderr"].iter().enumerate() {
        let at = text(format!("/dev/{name}"))?;
        let descriptor = processes(world).join(format!("self/fd/{number}"));
        plan.steps.push(Step::Link(text(descriptor)?, at));
    }
    plan.show(Path::new("/proc"), processes(world))?;
    if world.libraries {
        for path in LIBRARIES.map(Path::new) {
            plan.show(path, path)?;
        }
    }
    plan.show(&world.program, &program_inside(world))?;
    let waiting: BTreeSet<usize> = late(world).map(|(index, _)| index).collect();
    for (index, path) in world.shown.iter().enumerate() {
        match waiting.contains(&index) {
            true => plan.show(path, &Path::new(STORE).join(index.to_string()))?,
            false => plan.show(path, path)?,
        }
    }
    for place in [TEMPORARY, HOMES, KEPT] {
        plan.directory(Path::new(place))?;
    }
    plan.steps.push(Step::Name(MACHINE_NAME.to_vec()));
    plan.steps.push(Step::Detach(text(OLD_ROOT)?));
    plan.steps.push(Step::ReadOnly);
    Ok(plan.steps)
}

/// How the world is made new for a test.
pub fn prepare(world: &World, task: &Task<'_>) -> io::Result<Vec<Step>> {
    let mut plan = Plan::default();
    let size = task.limits.disk;
    let options = |mode: &str| text(format!("mode={mode},size={size},nr_inodes={MAX_FILES}"));
    for (place, mode) in [(HOMES, "755"), (TEMPORARY, "1777"), (KEPT, "700")] {
        plan.steps.push(Step::Memory(text(place)?, options(mode)?));
        plan.made.extend(Path::new(place).ancestors().map(Path::to_path_buf));
    }
    plan.steps.push(Step::Processes(text(processes(world))?));
    let mut files: Vec<_> = task.files.iter().map(|file| (HOME, file)).collect();
    if world.layout == Layout::Otherwise {
        files.reverse();
        for place in [HOMES, TEMPORARY] {
            // Its number is used up, and the next ones are others.
            let gone = text(Path::new(place).join("gone"))?;
            plan.steps.extend([Step::Directory(gone.clone(), 0o700), Step::Remove(gone)]);
        }
    }
    plan.directory(Path::new(HOME))?;
    files.extend(task.kept.iter().map(|file| (KEPT, file)));
    for (dir, file) in files {
        plan.file(&Path::new(dir).join(&file.name), &file.bytes, 0o644)?;
    }
    for (index, path) in late(world) {
        let from = Path::new(STORE).join(index.to_string());
        plan.place(path, path.is_dir())?;
        plan.steps.push(Step::Bind(text(from)?, text(path)?));
    }
    Ok(plan.steps)
}

/// How many files a test may make in each of its directories.
const MAX_FILES: u32 = 10_000;

/// Steps, and which directories they have made.
#[derive(Default)]
struct Plan {
    steps: Vec<Step>,
    made: BTreeSet<PathBuf>,
}

impl Plan {
    fn directory(&mut self, path: &Path) -> io::Result<()> {
        if path.components().any(|part| part == Component::ParentDir) || !path.is_absolute() {
            return Err(unusable(path));
        }
        let mut missing: Vec<&Path> =
            path.ancestors().take_while(|path| !self.made.contains(*path)).collect();
        missing.reverse();
        for path in missing {
            self.made.insert(path.to_path_buf());
            self.steps.push(Step::Directory(text(path)?, 0o755));
        }
        Ok(())
    }

    fn file(&mut self, path: &Path, bytes: &[u8], mode: u32) -> io::Result<()> {
        self.directory(path.parent().ok_or_else(|| unusable(path))?)?;
        self.steps.push(Step::File(text(path)?, bytes.to_vec(), mode));
        Ok(())
    }

    /// Something of this kind to mount on.
    fn place(&mut self, path: &Path, is_directory: bool) -> io::Result<()> {
        match is_directory {
            true => self.directory(path),
            false if !self.made.insert(path.to_path_buf()) => Ok(()),
            false => self.file(path, &[], 0o644),
        }
    }

    /// Shows something of this machine at a place, if it is there.
    fn show(&mut self, path: &Path, at: &Path) -> io::Result<()> {
        match path.symlink_metadata() {
            Ok(about) if about.is_symlink() && path == at => {
                self.directory(at.parent().ok_or_else(|| unusable(at))?)?;
                self.steps.push(Step::Link(text(std::fs::read_link(path)?)?, text(at)?));
            }
            Ok(_) if path.exists() => {
                let from = Path::new(OLD_ROOT).join(path.strip_prefix("/").unwrap_or(path));
                self.place(at, path.is_dir())?;
                self.steps.push(Step::Bind(text(from)?, text(at)?));
            }
            _ => {}
        }
        Ok(())
    }
}

fn unusable(path: &Path) -> io::Error {
    let shown = path.display();
    io::Error::new(io::ErrorKind::InvalidInput, format!("'{shown}' cannot be shown to a program"))
}

/// As the kernel takes it.
pub fn text(text: impl AsRef<std::ffi::OsStr>) -> io::Result<CString> {
    Ok(CString::new(text.as_ref().as_bytes())?)
}
