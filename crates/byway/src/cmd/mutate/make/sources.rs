//! Builds the program from the C sources of the run with its clang. A changed file is passed by
//! a file system overlay, so that all names stay the same, such as `__FILE__` and includes.

use std::fs;
use std::path::{Path, PathBuf};

use byway_native::{BuildSpec, SourceKind, UnitBuild};
use serde_json::{Value, json};

use super::{ChangedFile, MakeResult, ParseSpec, ProgramBuilder, make_result};
use crate::failure::{Failure, Result};
use crate::interrupt;
use crate::native_coverage::build::{self, CoverageCompiler, InstrumentedProgram};

/// Builds from C sources.
pub struct SourceBuilder<'a> {
    build: UnitBuild<'a>,
}

impl<'a> SourceBuilder<'a> {
    /// Compiles all units in `dir`, which must exist as long as the builder is used.
    pub fn prepare(spec: &'a BuildSpec, dir: &Path) -> Result<Self> {
        if !spec.sources.iter().any(|source| source.kind == SourceKind::C) {
            return Err(Failure::new("the run is of bitcode, but mutation needs C sources").hint(
                "--source, --compile and --link name its sources and the commands that build it",
            ));
        }
        match UnitBuild::build(spec, dir, &mut go_on) {
            Ok(build) => Ok(SourceBuilder { build }),
            Err(error) => {
                make_result(Err(error))?.or_fail()?;
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
        let sources = self.build.recipe().sources.iter().enumerate();
        sources.filter(|(_, source)| source.kind == SourceKind::C).map(|(unit, _)| unit).collect()
    }

    fn objects(&self) -> &[PathBuf] {
        self.build.objects()
    }

    fn parse_spec(&self, unit: usize) -> ParseSpec {
        let spec = self.build.recipe();
        ParseSpec {
            source: spec.sources[unit].path.clone(),
            directory: spec.directory.clone(),
            options: self.build.options(),
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
        let extra = ["-ivfsoverlay".into(), overlay.into_os_string()];
        make_result(self.build.compile(unit, &extra, object, &mut go_on))
    }

    fn link(&self, objects: &[PathBuf], program: &Path) -> Result<MakeResult> {
        make_result(self.build.link(objects, program, &mut go_on))
    }

    fn build_instrumented(&self, dir: &Path) -> Result<InstrumentedProgram> {
        build::build(self.build.recipe(), CoverageCompiler::Any, dir)
    }

    fn describe(&self) -> String {
        let options = self.build.options();
        let level = options.iter().find(|it| it.as_encoded_bytes().starts_with(b"-O"));
        let level = level.map(|level| format!(" {}", level.display())).unwrap_or_default();
        format!("{}{level}", self.build.recipe().clang.display())
    }
}
