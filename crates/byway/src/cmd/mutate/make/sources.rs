//! The program made of the C sources of the run, by its own clang. clang is told by an
//! overlay that a file holds something else, so that everything has the name it had:
//! `__FILE__`, what includes what, and so the code itself.

use std::fs;
use std::path::{Path, PathBuf};

use byway_native::{BuildSpec, SourceKind, UnitBuild};
use serde_json::{Value, json};

use super::{ChangedFile, MakeResult, ParseSpec, ProgramBuilder, made};
use crate::failure::{Failure, Result};
use crate::interrupt;
use crate::native_coverage::build::{self, CoverageCompiler, InstrumentedProgram};

/// The program made of C sources.
pub struct SourceBuilder<'a> {
    plain: UnitBuild<'a>,
}

impl<'a> SourceBuilder<'a> {
    /// Compiles all units as they are, in a directory that has to live as long as this.
    pub fn prepare(recipe: &'a BuildSpec, dir: &Path) -> Result<Self> {
        if !recipe.sources.iter().any(|source| source.kind == SourceKind::C) {
            return Err(Failure::new("the run is of bitcode, and mutants are made of C sources")
                .hint("--source, --compile and --link say what its sources are, and how they are made a program"));
        }
        match UnitBuild::build(recipe, dir, &mut go_on) {
            Ok(plain) => Ok(SourceBuilder { plain }),
            Err(error) => {
                made(Err(error))?.or_fail()?;
                Err(Failure::interrupted())
            }
        }
    }
}

fn go_on() -> bool {
    !interrupt::requested()
}

impl ProgramBuilder for SourceBuilder<'_> {
    fn units(&self) -> Vec<usize> {
        let sources = self.plain.recipe().sources.iter().enumerate();
        sources.filter(|(_, source)| source.kind == SourceKind::C).map(|(unit, _)| unit).collect()
    }

    fn objects(&self) -> &[PathBuf] {
        self.plain.objects()
    }

    fn reading(&self, unit: usize) -> ParseSpec {
        let recipe = self.plain.recipe();
        ParseSpec {
            source: recipe.sources[unit].path.clone(),
            directory: recipe.directory.clone(),
            options: self.plain.options(),
            headers: true,
        }
    }

    fn compile(&self, unit: usize, change: &ChangedFile<'_>, object: &Path) -> Result<MakeResult> {
        let (text, overlay) = (change.dir.join("text"), change.dir.join("overlay"));
        let root = |name| json!({ "type": "file", "name": name, "external-contents": text });
        let roots: Vec<Value> = change.names.iter().map(root).collect();
        let overlaid = json!({ "version": 0, "use-external-names": false, "roots": roots });
        for (path, bytes) in [(&text, change.text), (&overlay, overlaid.to_string().as_bytes())] {
            fs::write(path, bytes).map_err(|error| Failure::io("write", path, &error))?;
        }
        let more = ["-ivfsoverlay".into(), overlay.into_os_string()];
        made(self.plain.compile(unit, &more, object, &mut go_on))
    }

    fn link(&self, objects: &[PathBuf], program: &Path) -> Result<MakeResult> {
        made(self.plain.link(objects, program, &mut go_on))
    }

    fn counting(&self, dir: &Path) -> Result<InstrumentedProgram> {
        build::build(self.plain.recipe(), CoverageCompiler::Any, dir)
    }

    fn describe(&self) -> String {
        let options = self.plain.options();
        let level = options.iter().find(|it| it.as_encoded_bytes().starts_with(b"-O"));
        let level = level.map(|level| format!(" {}", level.display())).unwrap_or_default();
        format!("{}{level}", self.plain.recipe().clang.display())
    }
}
