//! The fate of every mutant.
//!
//! First all are compiled: the code tells which are the program itself again, or another
//! mutant. Then those that are left are run, each on the tests that come by what it
//! changes, until one tells it from the program. The tests that killed the most before
//! come first. "Before" means a fixed number of mutants earlier, so that the result does
//! not depend on how many run at once.

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

/// How far back the tests are chosen by.
const BEHIND: usize = 32;
/// How often somebody who waits looks whether to go on.
const GLANCE: Duration = Duration::from_millis(50);

/// What became of a mutant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fate {
    /// The compiler refuses it.
    NotCompiled,
    /// It could not be made a program, for another reason.
    NotMade(&'static str),
    /// Its code is that of the program.
    Equivalent,
    /// Its code is that of the mutant with this number.
    Duplicate(u64),
    /// No test comes by what it changes.
    NotReached,
    /// So many tests come by, and none tells it from the program.
    Survived(usize),
    /// A test tells it from the program.
    Killed {
        /// The test's number.
        test: u64,
        /// By what.
        by: String,
    },
    /// The user stopped it before it was known.
    NotJudged,
}

/// Who judges.
pub struct MutantJudge<'a> {
    /// Who makes programs.
    pub maker: &'a dyn ProgramBuilder,
    /// The mutants.
    pub mutants: &'a [Mutant],
    /// What they are made of.
    pub texts: &'a SourceTexts,
    /// What the program does.
    pub baseline: &'a Baseline,
    /// Which tests come by what.
    pub reach: &'a TestReach,
    /// Directories of the machine that programs may read.
    pub shown: &'a [PathBuf],
    /// Whether they are kept from doing harm.
    pub sandboxed: bool,
    /// A directory for mutants.
    pub dir: &'a Path,
    /// Who works.
    pub pool: MutantPool,
}

impl MutantJudge<'_> {
    /// The fate of each mutant.
    pub fn all(&self) -> Result<Vec<Fate>> {
        let originals = self.maker.objects().iter().map(|object| digest(object));
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
        let judged = self.pool.run("running mutants", left.len(), |place| {
            let fate =
                kills.before(place).and_then(|order| self.run(&self.mutants[left[place]], &order));
            kills.done(place, fate.as_ref().ok());
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

    /// Compiles a mutant; gives what stands for its code, or its fate if there is none.
    fn compile(
        &self,
        mutant: &Mutant,
        originals: &[Digest],
    ) -> Result<std::result::Result<Vec<Digest>, Fate>> {
        // Not when all are compiled: there may be hours until then.
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
            let fate = match self.maker.compile(unit, &change, &object)? {
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
        // Thousands of mutants wait to be run, and all of their source is the program's.
        remove(if code == originals { &dir } else { &source });
        Ok(Ok(code))
    }

    /// Runs a mutant on the tests that come by it, those first that killed the most.
    fn run(&self, mutant: &Mutant, kills: &BTreeMap<u64, u64>) -> Result<Fate> {
        let tests = &self.baseline.tests;
        let numbers: Vec<u64> = tests.iter().map(|test| test.number).collect();
        let mut reaching = self.reach.of(mutant, &numbers);
        let rank = |&(comes_by, test): &(bool, usize)| {
            (!comes_by, std::cmp::Reverse(kills.get(&numbers[test]).copied().unwrap_or(0)), test)
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
        let mut objects = self.maker.objects().to_vec();
        for &unit in &mutant.units {
            objects[unit] = self.object(mutant, unit);
        }
        match self.maker.link(&objects, path)? {
            MakeResult::Done => {}
            MakeResult::Rejected(..) => return Ok(Fate::NotMade("the linker refuses it")),
            MakeResult::TimedOut(_) => return Ok(Fate::NotMade("the linker does not end in time")),
        }
        let program = Executable::prebuilt(path.into());
        let places = SandboxPool::new(self.shown, self.sandboxed);
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

/// Which tests killed how many, as far as it is known.
#[derive(Default)]
struct Kills {
    /// Of each mutant that is done, the test that killed it.
    done: Mutex<BTreeMap<usize, Option<u64>>>,
    changed: Condvar,
}

impl Kills {
    /// How many each test had killed a fixed number of mutants earlier; waits until that
    /// is known.
    fn before(&self, place: usize) -> Result<BTreeMap<u64, u64>> {
        let needed = place.saturating_sub(BEHIND);
        let mut done = self.done.lock().unwrap_or_else(PoisonError::into_inner);
        while done.range(..needed).count() < needed {
            if interrupt::requested() {
                return Err(Failure::interrupted());
            }
            let waited = self.changed.wait_timeout(done, GLANCE);
            done = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        let mut kills = BTreeMap::new();
        for test in done.range(..needed).filter_map(|(_, test)| *test) {
            *kills.entry(test).or_insert(0) += 1;
        }
        Ok(kills)
    }

    fn done(&self, place: usize, fate: Option<&Fate>) {
        let test = match fate {
            Some(Fate::Killed { test, .. }) => Some(*test),
            _ => None,
        };
        self.done.lock().unwrap_or_else(PoisonError::into_inner).insert(place, test);
        self.changed.notify_all();
    }
}

fn digest(object: &Path) -> Result<Digest> {
    Digest::of_file(object).map_err(|error| Failure::io("read", object, &error))
}

/// What is left behind goes with the directory around it.
fn remove(dir: &Path) {
    let _ = fs::remove_dir_all(dir);
}
