//! The source texts as they were when the mutations were found. All mutants are built from
//! these texts and displayed with them, because the files may change meanwhile.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use byway_base::Mutation;

use crate::cmd::mutate::points::Mutant;
use crate::failure::{Failure, Result};

/// The contents of each file.
#[derive(Default)]
pub struct SourceTexts(BTreeMap<PathBuf, Vec<u8>>);

impl SourceTexts {
    /// Reads a file on first use, and checks that the mutation lies inside it.
    pub fn read(&mut self, file: &Path, mutation: &Mutation) -> Result<()> {
        if !self.0.contains_key(file) {
            self.0.insert(file.into(), contents(file)?);
        }
        match self.0[file].get(mutation.begin..mutation.end) {
            Some(_) => Ok(()),
            None => Err(changed(file)),
        }
    }

    /// The text before the mutation, the mutated text, and the text after it.
    pub fn around(&self, mutant: &Mutant) -> [&[u8]; 3] {
        let text = self.0.get(&mutant.file).map_or(&[][..], Vec::as_slice);
        let Mutation { begin, end, .. } = mutant.mutation;
        [0..begin, begin..end, end..text.len()].map(|part| text.get(part).unwrap_or_default())
    }

    /// The text that a mutant replaces.
    pub fn original(&self, mutant: &Mutant) -> String {
        String::from_utf8_lossy(self.around(mutant)[1]).into_owned()
    }

    /// Fails if a file has changed.
    pub fn check(&self, file: &Path) -> Result<()> {
        match self.0.get(file).is_some_and(|text| contents(file).is_ok_and(|now| now == *text)) {
            true => Ok(()),
            false => Err(changed(file)),
        }
    }

    /// Fails if any file has changed.
    pub fn check_all(&self) -> Result<()> {
        self.0.keys().try_for_each(|file| self.check(file))
    }
}

fn contents(file: &Path) -> Result<Vec<u8>> {
    fs::read(file).map_err(|error| Failure::io("read", file, &error))
}

fn changed(file: &Path) -> Failure {
    Failure::new(format!("'{}' has changed while its mutants were built", file.display()))
        .hint("no mutant was judged; run the command again")
}
