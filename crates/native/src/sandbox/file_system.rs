//! The file system of a sandboxed program: the one that the runtime models
//! (`runtime/src/directories.c`), so that the program behaves as predicted, and read-only views
//! of the machine's files that it needs to start or may read.
//!
//! ```text
//! once per sandbox      /dev /etc /proc, the program, libraries, visible paths
//! once per test         /home with the test's files in /home/user, /tmp, /.byway: in memory
//! ```

use std::collections::BTreeSet;
use std::ffi::CString;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};

use super::steps::SetupStep;
use super::{CONTROL_DIR, SandboxLayout, SandboxSpec, SandboxTask};

/// The program's working directory, and its parent, which is private too.
pub const HOME: &str = "/home/user";
const HOMES: &str = "/home";
/// World-writable.
const TEMPORARY: &str = "/tmp";
/// The mount point of the machine's root while the new root is built.
const OLD_ROOT: &str = "/.old";
/// The directory of the program.
const PROGRAM: &str = "/.program";
/// Holds visible paths that lie in directories created anew for each test.
const STORE: &str = "/.shown";
/// As in the runtime's model.
const MACHINE_NAME: &[u8] = b"byway";
const PASSWD: &str = "root:x:0:0:root:/:/bin/sh\nuser:x:1000:1000:user:/home/user:/bin/sh\n";
const GROUP: &str = "root:x:0:\nuser:x:1000:\n";
const MTAB: &str = "tmpfs / tmpfs rw 0 0\n";

const DEVICES: [&str; 6] = ["null", "zero", "full", "random", "urandom", "tty"];
/// Directories with shared libraries, and files that the C library reads.
const LIBRARIES: [&str; 8] =
    ["/usr", "/lib", "/lib32", "/lib64", "/bin", "/sbin", "/etc/ld.so.cache", "/etc/alternatives"];

/// The mount point of procfs.
fn procfs(spec: &SandboxSpec) -> &'static Path {
    Path::new(match spec.layout {
        SandboxLayout::Standard => "/proc",
        SandboxLayout::Varied => "/.proc",
    })
}

/// The path of the program inside the sandbox.
pub fn program_inside(spec: &SandboxSpec) -> PathBuf {
    Path::new(PROGRAM).join(spec.program.file_name().unwrap_or("program".as_ref()))
}

/// The visible paths that lie in directories created anew for each test, with their indices.
fn mounted_per_test(spec: &SandboxSpec) -> impl Iterator<Item = (usize, &PathBuf)> {
    let per_test = |path: &Path| path.starts_with(TEMPORARY) || path.starts_with(HOMES);
    spec.visible.iter().enumerate().filter(move |(_, path)| per_test(path))
}

/// Replaces each visible directory that contains a private one by its entries.
pub fn expand(visible: &[PathBuf]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for path in visible {
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

/// The steps that build the file system in new namespaces.
pub fn build(spec: &SandboxSpec) -> io::Result<Vec<SetupStep>> {
    let mut list = StepList::default();
    list.steps.push(SetupStep::Private);
    // Any existing directory can serve as mount point.
    list.steps.push(SetupStep::Memory(text(TEMPORARY)?, text("mode=755,size=1m")?));
    let old = format!("{TEMPORARY}{OLD_ROOT}");
    list.steps.push(SetupStep::Directory(text(&old)?, 0o700));
    list.steps.push(SetupStep::Root(text(TEMPORARY)?, text(&old)?));
    list.made.insert(PathBuf::from("/"));
    if spec.layout == SandboxLayout::Varied {
        for dir in ["/.more", HOMES, TEMPORARY, "/dev"] {
            list.directory(Path::new(dir))?;
        }
    }

    for (name, contents) in [("passwd", PASSWD), ("group", GROUP), ("mtab", MTAB)] {
        list.file(&Path::new("/etc").join(name), contents.as_bytes(), 0o644)?;
    }
    for name in DEVICES {
        let device = Path::new("/dev").join(name);
        if device.exists() {
            list.show(&device, &device)?;
        }
    }
    for (number, name) in ["stdin", "stdout", "stderr"].iter().enumerate() {
        let at = text(format!("/dev/{name}"))?;
        let descriptor = procfs(spec).join(format!("self/fd/{number}"));
        list.steps.push(SetupStep::Link(text(descriptor)?, at));
    }
    list.show(Path::new("/proc"), procfs(spec))?;
    if spec.needs_libraries {
        for path in LIBRARIES.map(Path::new) {
            list.show(path, path)?;
        }
    }
    list.show(&spec.program, &program_inside(spec))?;
    let per_test: BTreeSet<usize> = mounted_per_test(spec).map(|(index, _)| index).collect();
    for (index, path) in spec.visible.iter().enumerate() {
        match per_test.contains(&index) {
            true => list.show(path, &Path::new(STORE).join(index.to_string()))?,
            false => list.show(path, path)?,
        }
    }
    for dir in [TEMPORARY, HOMES, CONTROL_DIR] {
        list.directory(Path::new(dir))?;
    }
    list.steps.push(SetupStep::Name(MACHINE_NAME.to_vec()));
    list.steps.push(SetupStep::Detach(text(OLD_ROOT)?));
    list.steps.push(SetupStep::ReadOnly);
    Ok(list.steps)
}

/// The steps that create the private directories of a test.
pub fn prepare(spec: &SandboxSpec, task: &SandboxTask<'_>) -> io::Result<Vec<SetupStep>> {
    let mut list = StepList::default();
    let size = task.limits.disk;
    let options = |mode: &str| text(format!("mode={mode},size={size},nr_inodes={MAX_FILES}"));
    for (dir, mode) in [(HOMES, "755"), (TEMPORARY, "1777"), (CONTROL_DIR, "700")] {
        list.steps.push(SetupStep::Memory(text(dir)?, options(mode)?));
        list.made.extend(Path::new(dir).ancestors().map(Path::to_path_buf));
    }
    list.steps.push(SetupStep::Processes(text(procfs(spec))?));
    let mut files: Vec<_> = task.files.iter().map(|file| (HOME, file)).collect();
    if spec.layout == SandboxLayout::Varied {
        files.reverse();
        for dir in [HOMES, TEMPORARY] {
            // Uses up an inode number, so that later ones differ.
            let gone = text(Path::new(dir).join("gone"))?;
            list.steps.extend([SetupStep::Directory(gone.clone(), 0o700), SetupStep::Remove(gone)]);
        }
    }
    list.directory(Path::new(HOME))?;
    files.extend(task.control_files.iter().map(|file| (CONTROL_DIR, file)));
    for (dir, file) in files {
        list.file(&Path::new(dir).join(&file.name), &file.bytes, 0o644)?;
    }
    for (index, path) in mounted_per_test(spec) {
        let from = Path::new(STORE).join(index.to_string());
        list.mount_point(path, path.is_dir())?;
        list.steps.push(SetupStep::Bind(text(from)?, text(path)?));
    }
    Ok(list.steps)
}

/// The limit on files in each private directory.
const MAX_FILES: u32 = 10_000;

/// Steps, and the directories that they create.
#[derive(Default)]
struct StepList {
    steps: Vec<SetupStep>,
    made: BTreeSet<PathBuf>,
}

impl StepList {
    fn directory(&mut self, path: &Path) -> io::Result<()> {
        if path.components().any(|part| part == Component::ParentDir) || !path.is_absolute() {
            return Err(unusable(path));
        }
        let mut missing: Vec<&Path> =
            path.ancestors().take_while(|path| !self.made.contains(*path)).collect();
        missing.reverse();
        for path in missing {
            self.made.insert(path.to_path_buf());
            self.steps.push(SetupStep::Directory(text(path)?, 0o755));
        }
        Ok(())
    }

    fn file(&mut self, path: &Path, bytes: &[u8], mode: u32) -> io::Result<()> {
        self.directory(path.parent().ok_or_else(|| unusable(path))?)?;
        self.steps.push(SetupStep::File(text(path)?, bytes.to_vec(), mode));
        Ok(())
    }

    /// Creates a directory or an empty file to mount on.
    fn mount_point(&mut self, path: &Path, is_directory: bool) -> io::Result<()> {
        match is_directory {
            true => self.directory(path),
            false if !self.made.insert(path.to_path_buf()) => Ok(()),
            false => self.file(path, &[], 0o644),
        }
    }

    /// Makes a file or directory of the machine visible at `at`, if it exists.
    fn show(&mut self, path: &Path, at: &Path) -> io::Result<()> {
        match path.symlink_metadata() {
            Ok(about) if about.is_symlink() && path == at => {
                self.directory(at.parent().ok_or_else(|| unusable(at))?)?;
                self.steps.push(SetupStep::Link(text(std::fs::read_link(path)?)?, text(at)?));
            }
            Ok(_) if path.exists() => {
                let from = Path::new(OLD_ROOT).join(path.strip_prefix("/").unwrap_or(path));
                self.mount_point(at, path.is_dir())?;
                self.steps.push(SetupStep::Bind(text(from)?, text(at)?));
            }
            _ => {}
        }
        Ok(())
    }
}

fn unusable(path: &Path) -> io::Error {
    let shown = path.display();
    io::Error::new(
        io::ErrorKind::InvalidInput,
        format!("'{shown}' cannot be made visible to a program"),
    )
}

/// A string for the kernel.
pub fn text(text: impl AsRef<std::ffi::OsStr>) -> io::Result<CString> {
    Ok(CString::new(text.as_ref().as_bytes())?)
}
