//! Every query as an SMT-LIB file (`--log-queries DIR`): `000001.smt2` and on, in the
//! order they are asked.
//!
//! The file is there, and whole, before the query is asked, so that one that never
//! comes back can be found; the answer is added behind it as a comment, in one write.
//! Comments also say which input takes the path, so that the query can be asked again
//! just as it was: the last assertion is what was asked, the others are the path.

use std::fmt::Write as _;
use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::PathBuf;

use byway_expr::smtlib;
use byway_expr::{Collected, Pool, Sweep};

use crate::answer::Answer;
use crate::budget::QueryBudget;
use crate::query::{Query, Slice};
use crate::query_error::{ErrorHandler, QueryError};
use crate::solver::Solver;
use crate::statistics::{SolverClock, Statistics};

/// A solver whose queries are written down.
pub struct LoggingSolver {
    inner: Box<dyn Solver>,
    directory: PathBuf,
    on_error: ErrorHandler,
    number: u64,
    failed: bool,
}

impl LoggingSolver {
    /// Writes a solver's queries into a directory, which is made if it is missing.
    pub fn new(
        inner: Box<dyn Solver>,
        directory: PathBuf,
        on_error: ErrorHandler,
    ) -> io::Result<LoggingSolver> {
        fs::create_dir_all(&directory)?;
        Ok(LoggingSolver { inner, directory, on_error, number: 0, failed: false })
    }

    /// The next query's file. A disk that is full is told of once, and ends the log.
    fn write(&mut self, pool: &mut Pool, query: &Query) -> Option<PathBuf> {
        if self.failed {
            return None;
        }
        self.number += 1;
        let whole = Slice::whole(query);
        let terms: Vec<_> = whole.terms().collect();
        let mut text =
            smtlib::query(pool, &terms).unwrap_or_else(|error| format!("; no text: {error}\n"));
        if let Some(witness) = query.witness {
            let names = smtlib::InputNames::new(pool);
            for at in whole.input_bytes(pool) {
                let _ = writeln!(text, "; witness {} {}", names.of(pool, at), witness.byte(at));
            }
        }
        let path = self.directory.join(format!("{:06}.smt2", self.number));
        let draft = path.with_extension("draft");
        let written = fs::write(&draft, text).and_then(|()| fs::rename(&draft, &path));
        self.noted(path, written)
    }

    fn noted(&mut self, path: PathBuf, written: io::Result<()>) -> Option<PathBuf> {
        match written {
            Ok(()) => Some(path),
            Err(error) => {
                self.failed = true;
                (self.on_error)(&QueryError::LogFailed { path, error });
                None
            }
        }
    }
}

impl Solver for LoggingSolver {
    fn check(&mut self, pool: &mut Pool, query: &Query, budget: QueryBudget) -> Answer {
        let path = self.write(pool, query);
        let effort = self.inner.statistics().effort;
        let answer = self.inner.check(pool, query, budget);
        if let Some(path) = path {
            let effort = self.inner.statistics().effort - effort;
            let line = format!("; {}, effort {effort}\n", answer.name());
            let appended = OpenOptions::new()
                .append(true)
                .open(&path)
                .and_then(|mut file| file.write_all(line.as_bytes()));
            self.noted(path, appended);
        }
        answer
    }

    fn statistics(&self) -> &Statistics {
        self.inner.statistics()
    }

    fn clock(&self) -> SolverClock {
        self.inner.clock()
    }

    fn bytes(&self) -> usize {
        self.inner.bytes()
    }

    fn clear_caches(&mut self, pool: &Pool) {
        self.inner.clear_caches(pool);
    }
}

impl Sweep for LoggingSolver {
    fn sweep(&mut self, collected: &Collected) {
        self.inner.sweep(collected);
    }
}
