//! Finds the possible mutations of the sources: `byway-llvm` parses each unit and lists them. A
//! location in a file that several units include is one location.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use byway_base::{Mutation, MutationOperator, MutationPoints, Rng, spelling};
use byway_native::child::{self, ChildEnding, ChildLimits};

use crate::cmd::mutate::make::{ParseSpec, ProgramBuilder};
use crate::cmd::mutate::texts::SourceTexts;
use crate::failure::{Failure, Result, reason};
use crate::interrupt;

/// A mutation of the program.
pub struct Mutant {
    /// The number among all mutants that the options select.
    pub number: u64,
    /// The mutation. The files of its line ranges are absolute paths.
    pub mutation: Mutation,
    /// The absolute path.
    pub file: PathBuf,
    /// All absolute paths that units use for the file, such as `inc/../a.h`.
    pub names: Vec<PathBuf>,
    /// The units that contain the file.
    pub units: Vec<usize>,
}

impl Mutant {
    /// Whether a path of the file ends so.
    fn is_in(&self, end: &str) -> bool {
        self.names.iter().any(|name| name.ends_with(end))
    }
}

/// The mutants to analyse.
#[derive(Clone, Debug, Default)]
pub struct MutantSelection {
    /// Empty for all.
    pub operators: Vec<MutationOperator>,
    /// Suffixes of file paths; empty for all.
    pub files: Vec<String>,
    /// Empty for all.
    pub functions: Vec<String>,
    /// The size of a random sample.
    pub sample: Option<usize>,
    /// The seed of the sample.
    pub seed: u64,
}

/// The mutations found.
pub struct FoundMutants {
    /// The selected mutants by file and location.
    pub mutants: Vec<Mutant>,
    /// The number of mutants to sample from.
    pub available: u64,
    /// The number of locations in macro definitions, which are not mutated.
    pub in_macros: u64,
    pub texts: SourceTexts,
}

/// Parses sources with `byway-llvm`.
pub struct MutationFinder<'a> {
    /// The executable `byway-llvm`.
    pub llvm: &'a Path,
    /// The clang whose headers are read.
    pub clang: &'a OsStr,
    /// The time limit for one source.
    pub time_limit: Duration,
    /// A directory for the output.
    pub dir: &'a Path,
}

impl MutationFinder<'_> {
    /// Finds the mutations of all units.
    pub fn find(
        &self,
        builder: &dyn ProgramBuilder,
        selection: &MutantSelection,
    ) -> Result<FoundMutants> {
        let resources = self.resources()?;
        let mut changes: BTreeMap<(PathBuf, Mutation), Vec<usize>> = BTreeMap::new();
        let mut names: BTreeMap<PathBuf, FileAliases> = BTreeMap::new();
        let mut in_macros = BTreeSet::new();
        let mut texts = SourceTexts::default();
        for unit in builder.units() {
            let parse_spec = builder.parse_spec(unit);
            let points = self.read(&parse_spec, &resources)?;
            let mut files = FileNames { directory: &parse_spec.directory, known: BTreeMap::new() };
            in_macros.extend(points.in_macros.iter().map(|(name, line)| (files.of(name), *line)));
            for mut mutation in points.mutations {
                if !parse_spec.headers && Path::new(&mutation.file) != parse_spec.source {
                    continue;
                }
                let file = files.of(&mutation.file);
                texts.read(&file, &mutation)?;
                for lines in [&mut mutation.reach, &mut mutation.within] {
                    lines.file = files.of(&lines.file).display().to_string();
                }
                let known = names.entry(file.clone()).or_insert_with(|| FileAliases {
                    shown: mutation.file.clone(),
                    all: BTreeSet::from([file.clone()]),
                });
                known.all.insert(parse_spec.directory.join(&mutation.file));
                mutation.file.clone_from(&known.shown);
                changes.entry((file, mutation)).or_default().push(unit);
            }
        }
        let all = changes.into_iter().map(|((file, mutation), units)| Mutant {
            number: 0,
            mutation,
            names: names[&file].all.iter().cloned().collect(),
            file,
            units,
        });
        let mut all: Vec<Mutant> = all.collect();
        selection.check(&all)?;
        all.retain(|mutant| selection.includes(mutant));
        all.iter_mut().zip(1..).for_each(|(mutant, number)| mutant.number = number);
        let available = all.len() as u64;
        let in_macros = in_macros.len() as u64;
        Ok(FoundMutants { mutants: selection.sample_of(all), available, in_macros, texts })
    }

    /// The directory of clang's own headers; libclang is beside it.
    fn resources(&self) -> Result<PathBuf> {
        let mut command = Command::new(self.clang);
        command.arg("-print-resource-dir");
        let output = self.run(command, || "clang does not report where its headers are".into())?;
        Ok(PathBuf::from(output.trim()))
    }

    fn read(&self, parse_spec: &ParseSpec, resources: &Path) -> Result<MutationPoints> {
        let out = self.dir.join("points.json");
        let mut command = Command::new(self.llvm);
        command.current_dir(&parse_spec.directory);
        if let Some(libraries) = resources.ancestors().nth(2) {
            command.env("LIBCLANG_PATH", libraries);
        }
        command.arg("--mutations").arg(&parse_spec.source).arg("--out").arg(&out).arg("--");
        command.arg("-resource-dir").arg(resources).args(&parse_spec.options);
        let shown = parse_spec.source.display();
        self.run(command, || format!("'{shown}' cannot be parsed"))?;
        let bytes = fs::read(&out).map_err(|error| Failure::io("read", &out, &error))?;
        serde_json::from_slice(&bytes).map_err(|error| {
            Failure::new(format!("cannot read the output of 'byway-llvm' for '{shown}': {error}"))
                .hint("byway and byway-llvm have different versions; './dev' builds both")
        })
    }

    fn run(&self, mut command: Command, complaint: impl Fn() -> String) -> Result<String> {
        let limits = ChildLimits { time: self.time_limit, output: 1 << 16 };
        let finished = child::run(&mut command, limits, &mut |_| !interrupt::requested());
        let finished = finished.map_err(|error| {
            let name = command.get_program().display();
            Failure::new(format!("cannot run '{name}': {}", reason(&error)))
        })?;
        match finished.ending {
            ChildEnding::Stopped => Err(Failure::interrupted()),
            ChildEnding::TimedOut => {
                Err(Failure::new(format!("{}: it took too long", complaint()))
                    .hint("raise --load-timeout"))
            }
            ChildEnding::Exited(status) if status.success() => {
                Ok(String::from_utf8_lossy(&finished.stdout).into_owned())
            }
            ChildEnding::Exited(_) => Err(Failure::new(complaint())
                .detail(String::from_utf8_lossy(&finished.stderr).into_owned())),
        }
    }
}

/// The names of a file.
struct FileAliases {
    /// The name in the first unit.
    shown: String,
    /// Absolute paths in all units.
    all: BTreeSet<PathBuf>,
}

/// Resolves the file names of a unit.
struct FileNames<'a> {
    directory: &'a Path,
    known: BTreeMap<String, PathBuf>,
}

impl FileNames<'_> {
    /// The canonical path; the joined path if the file does not exist.
    fn of(&mut self, name: &str) -> PathBuf {
        if let Some(known) = self.known.get(name) {
            return known.clone();
        }
        let named = self.directory.join(name);
        let file = fs::canonicalize(&named).unwrap_or(named);
        self.known.insert(name.into(), file.clone());
        file
    }
}

impl MutantSelection {
    /// Fails if a selected file or function has no mutations.
    fn check(&self, all: &[Mutant]) -> Result<()> {
        let nothing = |what: &str, name: &str, near: Option<&str>| {
            let failure = Failure::new(format!("nothing to mutate in {what} '{name}'"));
            match near {
                Some(near) => failure.hint(format!("did you mean '{near}'?")),
                None => failure,
            }
        };
        for name in &self.functions {
            let names = || all.iter().map(|mutant| mutant.mutation.function.as_str());
            if !names().any(|there| there == name) {
                return Err(nothing("function", name, spelling::closest(name, names())));
            }
        }
        for end in &self.files {
            if !all.iter().any(|mutant| mutant.is_in(end)) {
                let names = all.iter().map(|mutant| mutant.mutation.file.as_str());
                return Err(nothing("file", end, spelling::closest(end, names)));
            }
        }
        Ok(())
    }

    fn includes(&self, mutant: &Mutant) -> bool {
        let mutation = &mutant.mutation;
        (self.operators.is_empty() || self.operators.contains(&mutation.operator))
            && (self.files.is_empty() || self.files.iter().any(|end| mutant.is_in(end)))
            && (self.functions.is_empty() || self.functions.contains(&mutation.function))
    }

    /// A uniform random sample, in the original order.
    fn sample_of<T>(&self, all: Vec<T>) -> Vec<T> {
        let size = self.sample.unwrap_or(all.len());
        let mut rng = Rng::new(self.seed);
        let (mut left, mut missing) = (all.len(), size.min(all.len()));
        let mut chosen = Vec::with_capacity(missing);
        for item in all {
            if missing > 0 && rng.below(left as u64) < missing as u64 {
                chosen.push(item);
                missing -= 1;
            }
            left -= 1;
        }
        chosen
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_has_its_size_and_is_reproducible() {
        let sample = |sample, seed| {
            MutantSelection { sample, seed, ..MutantSelection::default() }
                .sample_of((0..100).collect::<Vec<u32>>())
        };
        assert_eq!(sample(None, 1).len(), 100);
        assert_eq!(sample(Some(500), 1).len(), 100);
        let ten = sample(Some(10), 1);
        assert!(ten.len() == 10 && ten.is_sorted(), "{ten:?}");
        assert_eq!(sample(Some(10), 1), ten);
        assert_ne!(sample(Some(10), 2), ten);
        assert!(sample(Some(0), 2).is_empty());
    }
}
