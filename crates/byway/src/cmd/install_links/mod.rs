//! `byway install-links`: makes links under which `byway` acts as KLEE's tools.

mod flags;

use std::ffi::OsStr;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

pub use flags::{EXAMPLES, InstallLinksFlags};

use crate::console::print;
use crate::exit;
use crate::failure::{Failure, Result};
use crate::links::LINKS;

/// Makes the links. Checks all names first, so that it makes all of them or none.
pub fn install_links(flags: &InstallLinksFlags) -> Result<u8> {
    let executable = env::current_exe()
        .map_err(|error| Failure::new(format!("cannot find byway's own executable: {error}")))?;
    fs::create_dir_all(&flags.directory)
        .map_err(|error| Failure::io("create", &flags.directory, &error))?;
    let names = selected(&flags.names)?;
    let target = target(&executable, &flags.directory)?;
    for name in &names {
        check(&flags.directory.join(name), &executable)?;
    }
    for name in &names {
        let link = flags.directory.join(name);
        replace(&link, &target).map_err(|error| Failure::io("make", &link, &error))?;
        print(&format!("{} -> {}\n", link.display(), target.display()))?;
    }
    Ok(exit::SUCCESS)
}

/// The names of the links to make: those given, or all.
fn selected(given: &[String]) -> Result<Vec<&'static str>> {
    let known = || LINKS.iter().map(|link| link.name);
    if given.is_empty() {
        return Ok(known().collect());
    }
    given
        .iter()
        .map(|name| {
            known().find(|known| known == name).ok_or_else(|| {
                let names: Vec<&str> = known().collect();
                Failure::new(format!("byway has no link '{name}'"))
                    .hint(format!("the links are {}", names.join(", ")))
            })
        })
        .collect()
}

/// What the links refer to: a name alone beside the executable, so that the directory can move.
fn target(executable: &Path, directory: &Path) -> Result<PathBuf> {
    let directory =
        directory.canonicalize().map_err(|error| Failure::io("find", directory, &error))?;
    let beside = executable.parent() == Some(&directory);
    let name = executable.file_name().filter(|_| beside).map(PathBuf::from);
    Ok(name.unwrap_or_else(|| executable.to_path_buf()))
}

/// Refuses to replace anything but a link to a `byway`.
fn check(link: &Path, executable: &Path) -> Result<()> {
    let name = executable.file_name().unwrap_or(OsStr::new("byway"));
    match fs::symlink_metadata(link) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(Failure::io("look at", link, &error)),
        Ok(_) => match fs::read_link(link) {
            Ok(target) if target.file_name() == Some(name) => Ok(()),
            _ => Err(Failure::new(format!("'{}' exists, and is no link to byway", link.display()))
                .hint("move it away, choose another directory, or name the links you want")),
        },
    }
}

/// Makes a link in place of an earlier one, without a moment at which there is none.
fn replace(link: &Path, target: &Path) -> io::Result<()> {
    let draft = link.with_extension(format!("new-{}", std::process::id()));
    symlink(target, &draft)?;
    fs::rename(&draft, link).inspect_err(|_| {
        // The error of the renaming matters more.
        let _ = fs::remove_file(&draft);
    })
}
