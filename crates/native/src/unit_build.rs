//! Compiles the program unit by unit and without sanitizers, so that one unit can be
//! recompiled with a mutation and linked with the unchanged others.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use super::build::{BuildError, BuildSpec, NativeBuilder, SourceKind, write_library};

/// As for exploration, so that it is the same program; without debug information, so that
/// objects with equal code are equal.
const C_OPTIONS: &[&str] =
    &["-w", "-ffp-contract=off", "-fno-stack-protector", "-U_FORTIFY_SOURCE", "-g0"];

/// The object files of a program.
pub struct UnitBuild<'a> {
    recipe: &'a BuildSpec,
    dir: PathBuf,
    include: PathBuf,
    replay: PathBuf,
    objects: Vec<PathBuf>,
}

impl<'a> UnitBuild<'a> {
    /// Compiles every unit in `dir`, which must exist as long as the build is used.
    pub fn build(
        recipe: &'a BuildSpec,
        dir: &Path,
        watch: &mut dyn FnMut() -> bool,
    ) -> Result<Self, BuildError> {
        let (library, include) = write_library(dir)?;
        let replay = dir.join("byway_replay.o");
        let mut builder = NativeBuilder::new(recipe, dir, watch);
        let mut command = builder.clang();
        command.args(["-c", "-O1", "-w", "-isystem"]).arg(&include);
        command.arg("-o").args([&replay, &library]);
        builder.tool_run(command, || "the replay library does not compile".into())?;
        let mut build = UnitBuild { recipe, dir: dir.into(), include, replay, objects: Vec::new() };
        for (index, source) in recipe.sources.iter().enumerate() {
            let object = dir.join(format!("{index}.o"));
            match source.kind {
                SourceKind::C => build.compile(index, &[], &object, watch)?,
                SourceKind::Bitcode => build.compile_bitcode(&source.path, &object, watch)?,
                SourceKind::Archive => {
                    build.objects.push(source.path.clone());
                    continue;
                }
            }
            build.objects.push(object);
        }
        Ok(build)
    }

    /// The files and options of the program.
    pub fn recipe(&self) -> &BuildSpec {
        self.recipe
    }

    /// One object per unit; an archive is its own object.
    pub fn objects(&self) -> &[PathBuf] {
        &self.objects
    }

    /// The options for C sources, without file names. `-O0` is raised to `-O1`, so that more
    /// equivalent mutants compile to equal code.
    pub fn options(&self) -> Vec<OsString> {
        let level = match self.recipe.optimise.as_str() {
            "0" => "1",
            other => other,
        };
        let mut options: Vec<OsString> = C_OPTIONS.iter().map(OsString::from).collect();
        options.push(format!("-O{level}").into());
        options.extend(self.recipe.options.iter().cloned());
        options.extend(["-isystem".into(), self.include.clone().into_os_string()]);
        options
    }

    /// Compiles a unit of C with extra options.
    pub fn compile(
        &self,
        unit: usize,
        extra: &[OsString],
        object: &Path,
        watch: &mut dyn FnMut() -> bool,
    ) -> Result<(), BuildError> {
        let source = &self.recipe.sources[unit].path;
        let mut builder = NativeBuilder::new(self.recipe, &self.dir, watch);
        let mut command = builder.clang();
        command.arg("-c").args(self.options()).args(extra);
        command.arg("-o").arg(object).arg("--").arg(source);
        let shown = source.display();
        builder.tool_run(command, || format!("'{shown}' does not compile natively")).map(drop)
    }

    fn compile_bitcode(
        &self,
        bitcode: &Path,
        object: &Path,
        watch: &mut dyn FnMut() -> bool,
    ) -> Result<(), BuildError> {
        let mut builder = NativeBuilder::new(self.recipe, &self.dir, watch);
        let mut command = builder.clang();
        // No optimisation: the bitcode is compiled as it was explored.
        command.args(["-c", "-w", "-O0", "-x", "ir", "-o"]).arg(object).arg("--").arg(bitcode);
        let shown = bitcode.display();
        builder.tool_run(command, || format!("'{shown}' does not compile natively")).map(drop)
    }

    /// Links objects, one for each unit.
    pub fn link(
        &self,
        objects: &[PathBuf],
        program: &Path,
        watch: &mut dyn FnMut() -> bool,
    ) -> Result<(), BuildError> {
        let mut builder = NativeBuilder::new(self.recipe, &self.dir, watch);
        let mut command = builder.clang();
        command.args([OsStr::new("-w"), OsStr::new("-o"), program.as_os_str()]);
        command.arg(&self.replay).args(objects);
        if self.recipe.sources.iter().any(|source| source.kind == SourceKind::Archive) {
            // lld compiles bitcode in archives itself.
            command.arg("-fuse-ld=lld");
        }
        command.args(["-lm", "-lpthread"]);
        builder.tool_run(command, || "the program does not link natively".into()).map(drop)
    }
}
