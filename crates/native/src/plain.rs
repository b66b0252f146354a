//! The program compiled unit by unit and watched by nobody, so that a unit can be compiled
//! again, otherwise, and linked with the rest as it was.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use super::build::{BuildError, Builder, Recipe, SourceKind, write_library};

/// As for exploration, so that it is the same program; without debug information, so
/// that an object tells of nothing but its code.
const C_OPTIONS: &[&str] =
    &["-w", "-ffp-contract=off", "-fno-stack-protector", "-U_FORTIFY_SOURCE", "-g0"];

/// The objects of a program.
pub struct Plain<'a> {
    recipe: &'a Recipe,
    dir: PathBuf,
    include: PathBuf,
    replay: PathBuf,
    objects: Vec<PathBuf>,
}

impl<'a> Plain<'a> {
    /// Compiles every unit, in a directory that has to live as long as this does.
    pub fn build(
        recipe: &'a Recipe,
        dir: &Path,
        watch: &mut dyn FnMut() -> bool,
    ) -> Result<Self, BuildError> {
        let (library, include) = write_library(dir)?;
        let replay = dir.join("byway_replay.o");
        let mut builder = Builder::new(recipe, dir, watch);
        let mut command = builder.clang();
        command.args(["-c", "-O1", "-w", "-isystem"]).arg(&include);
        command.arg("-o").args([&replay, &library]);
        builder.tool_run(command, || "the replay library does not compile".into())?;
        let mut plain = Plain { recipe, dir: dir.into(), include, replay, objects: Vec::new() };
        for (index, source) in recipe.sources.iter().enumerate() {
            let object = dir.join(format!("{index}.o"));
            match source.kind {
                SourceKind::C => plain.compile(index, &[], &object, watch)?,
                SourceKind::Bitcode => plain.compile_bitcode(&source.path, &object, watch)?,
                SourceKind::Archive => {
                    plain.objects.push(source.path.clone());
                    continue;
                }
            }
            plain.objects.push(object);
        }
        Ok(plain)
    }

    /// What the program is made of.
    pub fn recipe(&self) -> &Recipe {
        self.recipe
    }

    /// The object of each unit; an archive is its own.
    pub fn objects(&self) -> &[PathBuf] {
        &self.objects
    }

    /// How C is compiled, but for the names of files. What is explored without being
    /// optimised is optimised a little: then equal code shows as equal.
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

    /// Compiles a unit of C, with more options.
    pub fn compile(
        &self,
        unit: usize,
        more: &[OsString],
        object: &Path,
        watch: &mut dyn FnMut() -> bool,
    ) -> Result<(), BuildError> {
        let source = &self.recipe.sources[unit].path;
        let mut builder = Builder::new(self.recipe, &self.dir, watch);
        let mut command = builder.clang();
        command.arg("-c").args(self.options()).args(more);
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
        let mut builder = Builder::new(self.recipe, &self.dir, watch);
        let mut command = builder.clang();
        // As it is: what was to be optimised has been.
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
        let mut builder = Builder::new(self.recipe, &self.dir, watch);
        let mut command = builder.clang();
        command.args([OsStr::new("-w"), OsStr::new("-o"), program.as_os_str()]);
        command.arg(&self.replay).args(objects);
        if self.recipe.sources.iter().any(|source| source.kind == SourceKind::Archive) {
            // The linker that compiles bitcode by itself.
            command.arg("-fuse-ld=lld");
        }
        command.args(["-lm", "-lpthread"]);
        builder.tool_run(command, || "the program does not link natively".into()).map(drop)
    }
}
