//! Determines the fate of every mutant.
//!
//! First all mutants are compiled; those with the same code as the program or as another mutant
//! are set aside. The others run on the tests that reach the changed code, until one kills
//! them. Tests that killed the most mutants come first. Kills are counted up to a fixed number
//! of mutants earlier, so that the result does not depend on the number of threads.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

use byway_native::Executable;

use crate::cmd::mutate::baseline::{self, Baseline};
use crate::cmd::mutate::make::{ChangedFile, MakeResult, ProgramBuilder};
use crate::cmd::mutate::points::Mutant;
use crate::cmd::mutate::pool::MutantPool;
use crate::cmd::mutate::reach::TestReach;
use crate::cmd::mutate::sandbox_pool::SandboxPool;
use crate::cmd::mutate::texts::SourceTexts;
use crate::failure::{Failure, Result};
use crate::hash::Digest;
use crate::interrupt;

/// Kills of this many latest mutants are not considered.
const BEHIND: usize = 32;
/// The interval at which a waiting thread checks for an interrupt.
const CHECK_INTERVAL: Duration = Duration::from_millis(50);

/// The result for a mutant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fate {
    /// The compiler rejects it.
    NotCompiled,
    /// It could not be built for another reason.
    NotMade(&'static str),
    /// It compiles to the same code as the program.
    Equivalent,
    /// It compiles to the same code as the mutant with this number.
    Duplicate(u64),
    /// No test reaches the changed code.
    NotReached,
    /// This many tests ran on it, and none killed it.
    Survived(usize),
    /// The test with this number killed it, by this difference.
    Killed { test: u64, by: String },
    /// The user interrupted the analysis.
    NotJudged,
}

/// Compiles and runs mutants.
pub struct MutantJudge<'a> {
    pub builder: &'a dyn ProgramBuilder,
    pub mutants: &'a [Mutant],
    pub texts: &'a SourceTexts,
    pub baseline: &'a Baseline,
    pub reach: &'a TestReach,
    /// Paths of the machine that programs may read.
    pub visible: &'a [PathBuf],
    /// Mutants run in namespaces.
    pub sandboxed: bool,
    /// A directory for the files of mutants.
    pub dir: &'a Path,
    pub pool: MutantPool,
}

impl MutantJudge<'_> {
    /// Determines the fate of each mutant.
    pub fn judge_all(&self) -> Result<Vec<Fate>> {
        let originals = self.builder.objects().iter().map(|object| digest(object));
        let originals: Vec<Digest> = originals.collect::<Result<_>>()?;
        let compiled = self.pool.run("compiling mutants", self.mutants.len(), |index| {
            self.compile(&self.mutants[index], &originals)
        })?;
        self.texts.check_all()?;
        let mut fates = Vec::with_capacity(compiled.len());
        let mut known: BTreeMap<&Vec<Digest>, u64> = BTreeMap::new();
        for (mutant, code) in self.mutants.iter().zip(&compiled) {
            fates.push(match code {
                None => Some(Fate::NotJudged),
                Some(Err(fate)) => Some(fate.clone()),
                Some(Ok(code)) if *code == originals => Some(Fate::Equivalent),
                Some(Ok(code)) => match known.get(code) {
                    Some(first) => {
                        remove(&self.dir(mutant));
                        Some(Fate::Duplicate(*first))
                    }
                    None => {
                        known.insert(code, mutant.number);
                        None
                    }
                },
            });
        }
        let left: Vec<usize> = (0..fates.len()).filter(|&index| fates[index].is_none()).collect();
        let kills = Kills::default();
        let judged = self.pool.run("running mutants", left.len(), |index| {
            let fate =
                kills.before(index).and_then(|order| self.run(&self.mutants[left[index]], &order));
            kills.done(index, fate.as_ref().ok());
            fate
        })?;
        for (index, fate) in left.into_iter().zip(judged) {
            fates[index] = fate;
        }
        Ok(fates.into_iter().map(|fate| fate.unwrap_or(Fate::NotJudged)).collect())
    }

    fn dir(&self, mutant: &Mutant) -> PathBuf {
        self.dir.join(mutant.number.to_string())
    }

    fn object(&self, mutant: &Mutant, unit: usize) -> PathBuf {
        self.dir(mutant).join(format!("{unit}.o"))
    }

    /// Compiles a mutant; returns digests of its code, or its fate if it does not compile.
    fn compile(
        &self,
        mutant: &Mutant,
        originals: &[Digest],
    ) -> Result<std::result::Result<Vec<Digest>, Fate>> {
        // Checked for each mutant, since compiling all of them may take hours.
        self.texts.check(&mutant.file)?;
        let dir = self.dir(mutant);
        let source = dir.join("source");
        fs::create_dir_all(&source).map_err(|error| Failure::io("make", &source, &error))?;
        let [before, _, after] = self.texts.around(mutant);
        let text = [before, mutant.mutation.replacement.as_bytes(), after].concat();
        let change = ChangedFile { names: &mutant.names, text: &text, dir: &source };
        let mut code = originals.to_vec();
        for &unit in &mutant.units {
            let object = self.object(mutant, unit);
            let fate = match self.builder.compile(unit, &change, &object)? {
                MakeResult::Done => {
                    code[unit] = digest(&object)?;
                    continue;
                }
                MakeResult::Rejected(..) => Fate::NotCompiled,
                MakeResult::TimedOut(_) => Fate::NotMade("the compiler does not end in time"),
            };
            remove(&dir);
            return Ok(Err(fate));
        }
        // Saves disk space: thousands of mutants may wait to be run.
        remove(if code == originals { &dir } else { &source });
        Ok(Ok(code))
    }

    /// Runs a mutant on the tests that reach it, those with the most kills first.
    fn run(&self, mutant: &Mutant, kills: &BTreeMap<u64, u64>) -> Result<Fate> {
        let tests = &self.baseline.tests;
        let numbers: Vec<u64> = tests.iter().map(|test| test.number).collect();
        let mut reaching = self.reach.of(mutant, &numbers);
        let rank = |&(reaches, test): &(bool, usize)| {
            (!reaches, std::cmp::Reverse(kills.get(&numbers[test]).copied().unwrap_or(0)), test)
        };
        reaching.sort_by_key(rank);
        let dir = self.dir(mutant);
        let fate = match reaching.is_empty() {
            true => Ok(Fate::NotReached),
            false => self.try_tests(mutant, &dir.join("program"), &reaching),
        };
        remove(&dir);
        fate
    }

    fn try_tests(&self, mutant: &Mutant, path: &Path, tests: &[(bool, usize)]) -> Result<Fate> {
        let mut objects = self.builder.objects().to_vec();
        for &unit in &mutant.units {
            objects[unit] = self.object(mutant, unit);
        }
        match self.builder.link(&objects, path)? {
            MakeResult::Done => {}
            MakeResult::Rejected(..) => return Ok(Fate::NotMade("the linker rejects it")),
            MakeResult::TimedOut(_) => return Ok(Fate::NotMade("the linker does not end in time")),
        }
        let program = Executable::prebuilt(path.into());
        let places = SandboxPool::new(self.visible, self.sandboxed);
        places.with(&program, |sandbox| {
            for &(_, index) in tests {
                let test = &self.baseline.tests[index];
                let (run, files) =
                    baseline::execute(test.number, &test.test, test.time_limit, &program, sandbox)?;
                if let Some(by) = test.expected.difference(&run, files) {
                    return Ok(Fate::Killed { test: test.number, by });
                }
            }
            Ok(Fate::Survived(tests.len()))
        })
    }
}

/// The kills of each test so far.
#[derive(Default)]
struct Kills {
    /// For each finished mutant, the test that killed it.
    done: Mutex<BTreeMap<usize, Option<u64>>>,
    changed: Condvar,
}

impl Kills {
    /// The kills of each test among all but the latest mutants before `index`. Waits until those
    /// are finished.
    fn before(&self, index: usize) -> Result<BTreeMap<u64, u64>> {
        let needed = index.saturating_sub(BEHIND);
        let mut done = self.done.lock().unwrap_or_else(PoisonError::into_inner);
        while done.range(..needed).count() < needed {
            if interrupt::requested() {
                return Err(Failure::interrupted());
            }
            let waited = self.changed.wait_timeout(done, CHECK_INTERVAL);
            done = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        let mut kills = BTreeMap::new();
        for test in done.range(..needed).filter_map(|(_, test)| *test) {
            *kills.entry(test).or_insert(0) += 1;
        }
        Ok(kills)
    }

    fn done(&self, index: usize, fate: Option<&Fate>) {
        let test = match fate {
            Some(Fate::Killed { test, .. }) => Some(*test),
            _ => None,
        };
        self.done.lock().unwrap_or_else(PoisonError::into_inner).insert(index, test);
        self.changed.notify_all();
    }
}

fn digest(object: &Path) -> Result<Digest> {
    Digest::of_file(object).map_err(|error| Failure::io("read", object, &error))
}

/// Leftovers are removed with the scratch directory.
fn remove(dir: &Path) {
    let _ = fs::remove_dir_all(dir);
}
