//! The lines that changed since a revision, before and after, as `git` reports them.
//!
//! `git` runs as a child process, with every option that a user's configuration could change given
//! explicitly. Files that git does not track are new as a whole.

mod diff;

use std::ffi::OsStr;
use std::io::ErrorKind;
use std::ops::RangeInclusive;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use byway_native::child::{self, ChildEnding, ChildLimits};

use crate::failure::{Failure, Result};
use crate::interrupt;
use crate::process;

/// A diff takes well under a second; a file system that hangs does not end.
const LIMITS: ChildLimits = ChildLimits { time: Duration::from_secs(120), output: 256 << 20 };

/// A file that changed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileDiff {
    /// The path in the repository before the change; `None` for a new file.
    pub old: Option<PathBuf>,
    /// The path after it; `None` for a file that was removed.
    pub new: Option<PathBuf>,
    /// Ascending.
    pub hunks: Vec<Hunk>,
}

impl FileDiff {
    /// Whether git does not track it.
    pub fn is_untracked(&self) -> bool {
        self.hunks.iter().any(|hunk| hunk.new == HunkSide::WHOLE_FILE)
    }
}

/// Lines of a file that replace others.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Hunk {
    pub old: HunkSide,
    pub new: HunkSide,
}

/// The lines of a hunk before or after the change.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct HunkSide {
    /// The first line, from 1; the line before the place if there are none.
    pub start: u32,
    /// How many; the largest number for all lines of a file.
    pub count: u32,
    /// Not all of them are blank or whole comments.
    pub may_have_code: bool,
}

impl HunkSide {
    const NOTHING: HunkSide = HunkSide { start: 0, count: 0, may_have_code: false };
    const WHOLE_FILE: HunkSide = HunkSide { start: 1, count: u32::MAX, may_have_code: true };

    /// The lines; `None` if there are none.
    pub fn lines(self) -> Option<RangeInclusive<u32>> {
        (self.count > 0).then(|| self.start..=self.start.saturating_add(self.count - 1))
    }
}

/// What changed in a working tree.
pub struct Changes {
    /// The root of the working tree.
    pub root: PathBuf,
    pub files: Vec<FileDiff>,
}

impl Changes {
    /// The change that undoes this one.
    pub fn reversed(self) -> Changes {
        let reverse = |file: FileDiff| FileDiff {
            old: file.new,
            new: file.old,
            hunks: file.hunks.iter().map(|it| Hunk { old: it.new, new: it.old }).collect(),
        };
        Changes { root: self.root, files: self.files.into_iter().map(reverse).collect() }
    }
}

/// The lines in the working tree around a directory that differ from a revision.
pub fn changed_since(directory: &Path, revision: &str) -> Result<Changes> {
    let top = git(directory, &["rev-parse", "--show-toplevel"])?;
    let top = match top {
        GitOutput::Ok(bytes) => PathBuf::from(OsStr::from_bytes(bytes.trim_ascii_end())),
        GitOutput::Failed(words) => {
            let problem = format!("'{}' is not in the working tree of git", directory.display());
            return Err(Failure::new(problem).detail(words));
        }
    };
    let commit = format!("{revision}^{{commit}}");
    let verify = ["rev-parse", "--verify", "--quiet", "--end-of-options", &commit];
    let commit = match git(&top, &verify)? {
        GitOutput::Ok(bytes) => String::from_utf8_lossy(bytes.trim_ascii()).into_owned(),
        GitOutput::Failed(_) => {
            let problem = format!("git knows no revision '{revision}' in '{}'", top.display());
            let hint = "--since takes a commit, a branch or a tag, such as HEAD~1 or main";
            return Err(Failure::new(problem).hint(hint));
        }
    };
    let text = expect(git(&top, &diff::options(&commit))?, "compare with the revision")?;
    let mut changed = diff::parse(&text);
    let others = ["ls-files", "--others", "--exclude-standard", "-z"];
    let others = expect(git(&top, &others)?, "list new files")?;
    for name in others.split(|&byte| byte == 0).filter(|name| !name.is_empty()) {
        let new = Some(PathBuf::from(OsStr::from_bytes(name)));
        let hunks = vec![Hunk { old: HunkSide::NOTHING, new: HunkSide::WHOLE_FILE }];
        changed.push(FileDiff { old: None, new, hunks });
    }
    Ok(Changes { root: top, files: changed })
}

enum GitOutput {
    Ok(Vec<u8>),
    /// What it said.
    Failed(String),
}

fn git(directory: &Path, words: &[&str]) -> Result<GitOutput> {
    let mut command = Command::new("git");
    // A prompt for a password would wait for the user.
    command.arg("-C").arg(directory).args(words).env("GIT_TERMINAL_PROMPT", "0");
    let finished = child::run(&mut command, LIMITS, &mut |_| !interrupt::requested());
    let finished = finished.map_err(|error| match error.kind() {
        ErrorKind::NotFound => Failure::new("cannot start git: it is not installed")
            .hint("name the lines with --target FILE:LINE instead"),
        _ => Failure::io("start", Path::new("git"), &error),
    })?;
    match finished.ending {
        ChildEnding::Stopped => Err(Failure::interrupted_while("git ran")),
        ChildEnding::TimedOut => Err(Failure::new("git did not end within two minutes")),
        ChildEnding::Exited(status) if status.success() => Ok(GitOutput::Ok(finished.stdout)),
        ChildEnding::Exited(status) => {
            Ok(GitOutput::Failed(match String::from_utf8_lossy(&finished.stderr).trim() {
                "" => process::describe(status),
                words => words.to_owned(),
            }))
        }
    }
}

fn expect(output: GitOutput, action: &str) -> Result<Vec<u8>> {
    match output {
        GitOutput::Ok(bytes) => Ok(bytes),
        GitOutput::Failed(words) => Err(Failure::new(format!("git cannot {action}")).detail(words)),
    }
}
