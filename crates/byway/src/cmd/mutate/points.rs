//! What can be changed in the sources of the program: `byway-llvm` reads each unit and
//! tells; what several units include is one place in all of them.

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

/// A change of the program.
pub struct Mutant {
    /// Its number among all that the sources and options allow.
    pub number: u64,
    /// What is changed. Files whose lines are counted are named from the root on.
    pub mutation: Mutation,
    /// The file, from the root on.
    pub file: PathBuf,
    /// That, and all names that units have for it: `inc/../a.h` is `a.h`.
    pub names: Vec<PathBuf>,
    /// The units that the file is part of.
    pub units: Vec<usize>,
}

impl Mutant {
    /// Whether it is in a file whose name ends so.
    fn is_in(&self, end: &str) -> bool {
        self.names.iter().any(|name| name.ends_with(end))
    }
}

/// Which changes are wanted.
#[derive(Clone, Debug, Default)]
pub struct MutantSelection {
    /// Of these kinds; of all if empty.
    pub operators: Vec<MutationOperator>,
    /// In files whose names end so; in all if empty.
    pub files: Vec<String>,
    /// In these functions; in all if empty.
    pub functions: Vec<String>,
    /// So many at most, chosen at random by this seed.
    pub sample: Option<usize>,
    /// The seed.
    pub seed: u64,
}

/// What can be changed.
pub struct FoundMutants {
    /// The changes that are wanted, by file and place.
    pub mutants: Vec<Mutant>,
    /// How many there were to choose from.
    pub available: u64,
    /// How many places are in definitions of macros.
    pub in_macros: u64,
    /// The sources.
    pub texts: SourceTexts,
}

/// Who reads sources.
pub struct MutationFinder<'a> {
    /// The executable `byway-llvm`.
    pub llvm: &'a Path,
    /// The clang whose headers are read.
    pub clang: &'a OsStr,
    /// How long reading one source may take.
    pub time_limit: Duration,
    /// A directory for what is read.
    pub dir: &'a Path,
}

impl MutationFinder<'_> {
    /// Finds what can be changed.
    pub fn find(
        &self,
        maker: &dyn ProgramBuilder,
        wanted: &MutantSelection,
    ) -> Result<FoundMutants> {
        let resources = self.resources()?;
        let mut changes: BTreeMap<(PathBuf, Mutation), Vec<usize>> = BTreeMap::new();
        let mut names: BTreeMap<PathBuf, FileAliases> = BTreeMap::new();
        let mut in_macros = BTreeSet::new();
        let mut texts = SourceTexts::default();
        for unit in maker.units() {
            let reading = maker.reading(unit);
            let points = self.read(&reading, &resources)?;
            let mut files = FileNames { directory: &reading.directory, known: BTreeMap::new() };
            in_macros.extend(points.in_macros.iter().map(|(name, line)| (files.of(name), *line)));
            for mut mutation in points.mutations {
                if !reading.headers && Path::new(&mutation.file) != reading.source {
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
                known.all.insert(reading.directory.join(&mutation.file));
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
        wanted.check(&all)?;
        all.retain(|mutant| wanted.includes(mutant));
        all.iter_mut().zip(1..).for_each(|(mutant, number)| mutant.number = number);
        let available = all.len() as u64;
        let in_macros = in_macros.len() as u64;
        Ok(FoundMutants { mutants: wanted.sample_of(all), available, in_macros, texts })
    }

    /// Where clang has its own headers; libclang is beside them.
    fn resources(&self) -> Result<PathBuf> {
        let mut command = Command::new(self.clang);
        command.arg("-print-resource-dir");
        let words = self.run(command, || "clang does not say where its headers are".into())?;
        Ok(PathBuf::from(words.trim()))
    }

    fn read(&self, reading: &ParseSpec, resources: &Path) -> Result<MutationPoints> {
        let out = self.dir.join("points.json");
        let mut command = Command::new(self.llvm);
        command.current_dir(&reading.directory);
        if let Some(libraries) = resources.ancestors().nth(2) {
            command.env("LIBCLANG_PATH", libraries);
        }
        command.arg("--mutations").arg(&reading.source).arg("--out").arg(&out).arg("--");
        command.arg("-resource-dir").arg(resources).args(&reading.options);
        let shown = reading.source.display();
        self.run(command, || format!("'{shown}' cannot be read to be changed"))?;
        let bytes = fs::read(&out).map_err(|error| Failure::io("read", &out, &error))?;
        serde_json::from_slice(&bytes).map_err(|error| {
            Failure::new(format!("what 'byway-llvm' tells of '{shown}' cannot be read: {error}"))
                .hint("byway and byway-llvm are of different versions; './dev' builds both")
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
                    .hint("--load-timeout allows more"))
            }
            ChildEnding::Exited(status) if status.success() => {
                Ok(String::from_utf8_lossy(&finished.stdout).into_owned())
            }
            ChildEnding::Exited(_) => Err(Failure::new(complaint())
                .detail(String::from_utf8_lossy(&finished.stderr).into_owned())),
        }
    }
}

/// What a file is called.
struct FileAliases {
    /// As the first unit that has it calls it.
    shown: String,
    /// By all units, from the root on.
    all: BTreeSet<PathBuf>,
}

/// Which files the names in a unit mean.
struct FileNames<'a> {
    directory: &'a Path,
    known: BTreeMap<String, PathBuf>,
}

impl FileNames<'_> {
    /// A file by its one name from the root on; as it is called if it is not there.
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
    /// Complains of a name under which there is nothing.
    fn check(&self, all: &[Mutant]) -> Result<()> {
        let nothing = |what: &str, name: &str, near: Option<&str>| {
            let failure = Failure::new(format!("there is nothing to change in {what} '{name}'"));
            match near {
                Some(near) => failure.hint(format!("did you mean '{near}'?")),
                None => failure,
            }
        };
        for name in &self.functions {
            let names = || all.iter().map(|mutant| mutant.mutation.function.as_str());
            if !names().any(|there| there == name) {
                return Err(nothing("a function", name, spelling::closest(name, names())));
            }
        }
        for end in &self.files {
            if !all.iter().any(|mutant| mutant.is_in(end)) {
                let names = all.iter().map(|mutant| mutant.mutation.file.as_str());
                return Err(nothing("a file", end, spelling::closest(end, names)));
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

    /// A sample, every one of its size with the same chance, in the order there was.
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
    fn a_sample_has_its_size_and_repeats() {
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
