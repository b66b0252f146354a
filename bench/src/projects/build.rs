//! Builds a project twice with its own build system: with clang, and with `byway cc`.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::table::{PROJECTS, SourceOrigin, SourceProject};
use crate::process;
use crate::setup::{BenchSetup, WorkDir};
use crate::sources;

const BUILD_LIMIT: Duration = Duration::from_secs(30 * 60);

/// The compiler of a build, in the variables of its script.
pub struct BuildCompiler {
    /// May have two words.
    pub cc: &'static str,
    /// One word.
    pub cmake_cc: &'static str,
    pub cmake_cxx: &'static str,
}

pub const CLANG: BuildCompiler =
    BuildCompiler { cc: "clang-22", cmake_cc: "clang-22", cmake_cxx: "clang++-22" };
pub const BYWAY: BuildCompiler =
    BuildCompiler { cc: "byway cc", cmake_cc: "byway-cc", cmake_cxx: "byway-c++" };

/// A finished build.
pub struct FinishedBuild {
    /// The sources with what was built.
    pub folder: PathBuf,
    /// Seconds of wall time, and of processor time.
    pub wall: f64,
    pub cpu: f64,
}

/// The sources of a project, fetched once.
fn fetched(setup: &BenchSetup, project: &SourceProject) -> Result<PathBuf, String> {
    let package = project.package;
    let script = match project.origin {
        SourceOrigin::Authors => format!(
            "apt-get source -q --download-only --tar-only {package}
             tar -xf *.orig.tar.* --strip-components=1
             rm *.orig*.tar.*"
        ),
        SourceOrigin::DebianAutoreconf => format!(
            "apt-get source -q --download-only {package}
             dpkg-source -q --no-copy -x *.dsc unpacked
             rm {package}_*
             cp -a unpacked/. . && rm -r unpacked
             autoreconf -fi"
        ),
    };
    sources::once(setup, &format!("project-{}", project.name), &script)
}

/// Builds a project in a folder of its own.
pub fn build(
    setup: &BenchSetup,
    project: &SourceProject,
    compiler: &BuildCompiler,
    work: &WorkDir,
) -> Result<FinishedBuild, String> {
    let folder = work.file(&compiler.cmake_cc.replace('-', "_"));
    copy(&fetched(setup, project)?, &folder)?;
    for name in project.with_sources {
        let needed = PROJECTS.iter().find(|it| it.name == *name).ok_or("no such project")?;
        copy(&fetched(setup, needed)?, &folder.join(name))?;
    }
    let byway = setup.byway();
    let beside = Path::new(byway.get_program()).parent().unwrap_or(Path::new("."));
    let paths = std::env::var_os("PATH").unwrap_or_default();
    let paths = [beside.to_owned()].into_iter().chain(std::env::split_paths(&paths));
    let mut command = Command::new("bash");
    command.current_dir(&folder).args(["-e", "-o", "pipefail", "-c", project.build]);
    command.env("PATH", std::env::join_paths(paths).map_err(|e| e.to_string())?);
    command.env("CC", compiler.cc).env("CMAKE_CC", compiler.cmake_cc);
    command.env("CMAKE_CXX", compiler.cmake_cxx).env("PROJECTS", setup.root.join("bench/projects"));
    let before = process::cpu_seconds_of_children();
    let ended = process::run(&mut command, b"", BUILD_LIMIT)?;
    let program = folder.join(project.program);
    if !matches!(ended.status, process::ProcessStatus::Code(0)) || !program.is_file() {
        let message = ended.stderr_text();
        let last = message.lines().rev().find(|line| !line.is_empty()).unwrap_or_default();
        return Err(format!("the build ended with {}: {last}", ended.status));
    }
    let cpu = process::cpu_seconds_of_children() - before;
    Ok(FinishedBuild { folder, wall: ended.time.as_secs_f64(), cpu })
}

fn copy(from: &Path, to: &Path) -> Result<(), String> {
    let mut command = Command::new("cp");
    process::succeed(command.arg("-a").arg(from).arg(to), BUILD_LIMIT).map(drop)
}
