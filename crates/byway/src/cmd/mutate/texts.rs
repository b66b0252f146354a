//! The sources as they were when it was found where they can be changed. All mutants are made
//! of these texts, and shown by them: what is in the files by then may be something else.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use byway_base::Mutation;

use crate::cmd::mutate::points::Mutant;
use crate::failure::{Failure, Result};

/// What was in each file.
#[derive(Default)]
pub struct SourceTexts(BTreeMap<PathBuf, Vec<u8>>);

impl SourceTexts {
    /// Reads a file in which something can be changed, once.
    pub fn read(&mut self, file: &Path, mutation: &Mutation) -> Result<()> {
        if !self.0.contains_key(file) {
            self.0.insert(file.into(), contents(file)?);
        }
        match self.0[file].get(mutation.begin..mutation.end) {
            Some(_) => Ok(()),
            None => Err(changed(file)),
        }
    }

    /// What is before a change, what is changed, and what is behind.
    pub fn around(&self, mutant: &Mutant) -> [&[u8]; 3] {
        let text = self.0.get(&mutant.file).map_or(&[][..], Vec::as_slice);
        let Mutation { begin, end, .. } = mutant.mutation;
        [0..begin, begin..end, end..text.len()].map(|part| text.get(part).unwrap_or_default())
    }

    /// The text that a mutant replaces.
    pub fn original(&self, mutant: &Mutant) -> String {
        String::from_utf8_lossy(self.around(mutant)[1]).into_owned()
    }

    /// Complains if a file is no longer what it was.
    pub fn check(&self, file: &Path) -> Result<()> {
        match self.0.get(file).is_some_and(|text| contents(file).is_ok_and(|now| now == *text)) {
            true => Ok(()),
            false => Err(changed(file)),
        }
    }

    /// Complains if any is not.
    pub fn check_all(&self) -> Result<()> {
        self.0.keys().try_for_each(|file| self.check(file))
    }
}

fn contents(file: &Path) -> Result<Vec<u8>> {
    fs::read(file).map_err(|error| Failure::io("read", file, &error))
}

fn changed(file: &Path) -> Failure {
    Failure::new(format!("'{}' changes while mutants are made of it", file.display()))
        .hint("no mutant was judged; the same command begins anew")
}
